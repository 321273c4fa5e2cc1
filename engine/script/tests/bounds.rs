//! Bounds on what scripts may use between two answers.

mod support;

use sandtable_script::ScriptBounds;
use sandtable_session::Session;
use std::time::Duration;
use support::bounded;

/// So many instructions that only time can end a loop.
const BRIEF: ScriptBounds = ScriptBounds {
    instructions: u64::MAX,
    time: Duration::from_millis(200),
    memory: sandtable_script::MEMORY,
};

#[test]
fn a_host_sets_the_time_that_an_answer_may_take() {
    let script = "procedure('main', {}, function() ask('red', 'go', { among = { 'on', 'off' } }) while true do end end)";
    let game = bounded(script, BRIEF).expect("it loads");
    let mut session = Session::new(&game, 1).expect("the first decision");
    let before = session.play().state.digest();
    let error = session.answer_text(0, "on").expect_err("it never ends").to_string();
    assert!(error.contains("main.lua:1: this ran more than 200ms without an answer"), "{error}");
    assert_eq!((session.play().state.digest(), session.decisions().len()), (before, 1));
}

#[test]
fn loading_takes_no_longer_than_an_answer() {
    let errors = bounded("while true do end", BRIEF).err().expect("it never ends");
    assert!(errors[0].to_string().contains("this ran more than 200ms"), "{}", errors[0]);
}

#[test]
fn nobody_is_hurried_who_thinks() {
    let script = "procedure('main', {}, function() ask('red', 'go', { among = { 'on', 'off' } }) game.vp = game.vp + 1 end)";
    let game = bounded(script, BRIEF).expect("it loads");
    let mut session = Session::new(&game, 1).expect("the first decision");
    std::thread::sleep(BRIEF.time * 2);
    session.answer_text(0, "on").expect("it is quick");
}

#[test]
fn steps_that_ask_nothing_share_the_bounds_of_one_answer() {
    let script = "procedure('main', {}, function() for i = 1, 1000 do end end)";
    let game = bounded(script, ScriptBounds { instructions: 1_000_000, ..ScriptBounds::default() })
        .expect("it loads");
    let error = Session::new(&game, 1).err().expect("it never asks").to_string();
    assert!(error.contains("more than 1000000 instructions"), "{error}");
}

#[test]
fn answers_that_are_given_again_have_their_own_bounds() {
    let script = "procedure('main', {}, function()
        for i = 1, 20 do
          if ask('red', 'go', { among = { 'on', 'off' } }) == 'off' then error 'off' end
          for j = 1, 20000 do end
        end
      end)";
    let game = bounded(script, ScriptBounds { instructions: 1_000_000, ..ScriptBounds::default() })
        .expect("it loads");
    let mut session = Session::new(&game, 1).expect("the first decision");
    for _ in 0..15 {
        session.answer_text(0, "on").expect("it is quick");
    }
    session.answer_text(0, "off").expect_err("the script fails");
    assert_eq!(session.answers().len(), 15);
    session.answer_text(0, "on").expect("it goes on");
    session.undo(3, true).expect("what was answered runs again");
    assert_eq!(session.answers().len(), 3);
}

#[test]
fn loops_cannot_be_hidden_from_the_meter() {
    let few = ScriptBounds { instructions: 1_000_000, ..ScriptBounds::default() };
    for source in [
        "local x = \"\\z\n\" while true do end --\"",
        "local x = \"\\z\x0b\r\n\" while true do end --\"",
        "local x = \"\\\r\n\" while true do end --\"",
        "local x = \"\\\n\r\" while true do end --\"",
        "-- a comment\rwhile true do end",
        "--[=\rwhile true do end",
        "--[==[ ]=] ]==] while true do end",
        "local x = [=[ ]] ]=] while true do end --]=]",
        "local x = '\\'' while true do end",
        "local x = '\\\\' while true do end --'",
        "local x = 3 ..2 while true do end",
        "local x = 0x1p4while true do end",
        "local x = 0xA while true do end",
    ] {
        let said = |errors: Vec<sandtable_script::ScriptError>| errors[0].to_string();
        let found = bounded(source, few).map_or_else(said, |_| "it loads".into());
        let told = ["endless loop", "malformed number"].iter().any(|words| found.contains(words));
        assert!(told, "{source:?}: {found}");
    }
}

#[test]
fn a_script_cannot_reach_its_meter() {
    let few = ScriptBounds { instructions: 1_000_000, ..ScriptBounds::default() };
    for source in [
        "and function() return 9e15 end while true do end",
        "or 1 while true do end",
        "('x') while true do end",
        "local x = \"\\z\n\" __turns = 9e15 while true do end --\"",
        "-- a comment\r__meter = nil while true do end",
    ] {
        let said = |errors: Vec<sandtable_script::ScriptError>| errors[0].to_string();
        let found = bounded(source, few).map_or_else(said, |_| "it loads".into());
        let told =
            ["near", "is reserved", "attempt to call a string"].iter().any(|words| found.contains(words));
        assert!(told, "{source:?}: {found}");
    }
}

#[test]
fn code_without_loops_is_paid_by_its_length() {
    let few = ScriptBounds { instructions: 1_000_000, ..ScriptBounds::default() };
    let long = "x = x + 1 ".repeat(20_000);
    let source = format!("function f() local x = 0 {long} end for i = 1, 1000 do f() end");
    let errors = bounded(&source, few).err().expect("a thousand times twenty thousand");
    assert!(errors[0].to_string().contains("endless loop"), "{}", errors[0]);
}

/// What a game says that fails while it runs its procedure `main`.
fn said(script: &str) -> String {
    said_by(&support::game(script).unwrap_or_else(|errors| panic!("{}", errors[0])))
}

fn said_by(game: &std::rc::Rc<sandtable_session::Game>) -> String {
    let (session, result) = support::call(game, "main", Vec::new());
    drop(session);
    result.err().map_or_else(|| "it ends well".into(), |error| error.to_string())
}

fn main_of(body: &str) -> String {
    format!("procedure('main', {{}}, function()\n{body}\nend)")
}

/// A table whose length is any power of two that Lua looks at, although it holds some sixty values.
const SPARSE: &str = "local t = {} for i = 0, 62 do t[1 << i] = 'a' end t[1] = 'a' t[2] = 'b'";

#[test]
fn a_sparse_table_is_as_long_as_it_has_values() {
    let things = "local t = {} for i = 0, 62 do t[1 << i] = space '0101' end";
    for (head, work) in [
        (SPARSE, "print(pick('x', t))"),
        (SPARSE, "print(#narrow('red', 'go', { among = t }))"),
        (SPARSE, "print(match(t, function() return t end, function() return 9 end) ~= nil)"),
        (SPARSE, "match({ 'a', 'b' }, function() return t end)"),
        (things, "print(#around(t))"),
        (things, "print(#pieces{ at = t })"),
        (things, "print(#(spaces{}:plus(t)))"),
        (things, "reach{ profile = 'foot', from = space '0101', points = 2, blocked = t }"),
        (SPARSE, "local f = start_record('fight', { odds = 1 }) print(table.concat(t, ' ', 1, 2))"),
    ] {
        let found = said(&main_of(&format!("{head} {work}")));
        let fine = found == "it ends well" || found.contains("no profile foot");
        assert!(fine, "{work}: {found}");
    }
    let asked =
        support::game(&main_of(&format!("{SPARSE} ask('red', 'go', {{ among = t }})"))).expect("it loads");
    let (session, result) = support::call(&asked, "main", Vec::new());
    result.expect("it asks");
    assert_eq!(session.decisions()[0].count(), 2, "the values up to the first hole are asked about: 1, 2");
}

#[test]
fn a_table_of_very_many_values_is_refused() {
    let long = "local t = {} for i = 1, 200000 do t[i] = i end";
    let found = said(&main_of(&format!("{long} pick('x', t)")));
    assert!(found.contains("found a table of more than 100000 values"), "{found}");
}

#[test]
fn every_call_is_paid_by_its_work() {
    let many = "create('chit', nil, space '0101', 40000)";
    for (head, work) in [
        (many, "pieces{}"),
        (many, "pieces{ strength = few }"),
        (many, "all:filter{ side = 'red' }"),
        (many, "all:sum 'strength'"),
        (many, "all:map 'strength'"),
        (many, "all:distinct('strength', 'fume', 'moved')"),
        (many, "all:spaces()"),
        (many, "all:has(piece 'a')"),
        (many, "tostring(all)"),
        (many, "match(few, function(n) return { n, n % 7, n % 11 } end)"),
        ("", "tonumber(long)"),
        ("", "spaces{}:filter(tostring)"),
        ("", "within(space '0101', 30)"),
        ("", "flood{ from = space '0101' }"),
        ("", "line(space '0101', space '4015')"),
        ("", "paths{ from = space '2008', length = 6, ends = space '2008' }"),
        ("", "trace{ to = space '0101', by = { {}, {} } }"),
        ("", "effects 'x'"),
        ("", "narrow('red', 'go', { among = few })"),
    ] {
        let script = main_of(&format!(
            "{head} local few = {{}} for i = 1, 500 do few[i] = i end local all = pieces{{}}
             local long = string.rep('1', 1000000) for i = 1, 4999 do start_effect 'x' end
             while true do {work} end"
        ));
        let game = support::game(&script).unwrap_or_else(|errors| panic!("{}", errors[0]));
        #[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
        let start = std::time::Instant::now();
        let found = said_by(&game);
        assert!(found.contains("endless loop") || found.contains("too many to list"), "{work}: {found}");
        // In a build without optimisation, on a machine under load; on a server the bound is a tenth of that.
        assert!(start.elapsed().as_secs() < 30, "{work} took {:?}", start.elapsed());
    }
}

#[test]
fn what_is_kept_outside_lua_is_bounded() {
    for (work, rule) in [
        (
            "local function grow(n, ...) if n == 0 then return log('x', ...) end return grow(n - 1, 1, ...) end grow(300)",
            "log: at most 250 things can be named, found 300",
        ),
        ("while true do log('x', 1, 2, 3, 4, 5, 6, 7, 8) end", "without an answer"),
        ("while true do game.vp = 1 - game.vp end", "without an answer"),
        ("game.word = string.rep('x', 5000)", "a text of more than 4096 bytes, which cannot be a name"),
        ("evaluate 'heavy'", "a number is worked out in at most 500 steps"),
        (
            "local kept = {} for i = 1, 100000 do kept[i] = reach{ profile = 'foot', from = space '0101', points = 50 } end",
            "without an answer",
        ),
        ("while true do ask('red', 'go', { among = { 'only' } }) end", "endless loop"),
        (
            "local at for i = 1, 40 do local new = create('chit', nil, at or space '0101') at = new end",
            "more than 32 pieces deep",
        ),
        ("start_effect('x', few_named)", "an effect has at most 64 arguments"),
    ] {
        let script = format!(
            "number('heavy', {{}}, function(n) for i = 1, 1000 do n:add(1) end end)\n{}",
            main_of(&format!(
                "local few, few_named = {{}}, {{}} for i = 1, 200 do few[i] = i few_named['k' .. i] = i end {work}"
            ))
        );
        let profile = "[profile.foot]\nterrain = { clear = 1 }\n";
        let game = support::load(profile, &support::hexes(&[]), &[("main.lua", &script)]);
        let found = said_by(&game.unwrap_or_else(|errors| panic!("{}", errors[0])));
        assert!(found.contains(rule), "{work}: {found}");
    }
}

#[test]
fn a_list_in_the_state_is_bounded() {
    let tables = "[record.pack]\nmen = { type = 'pieces' }\n";
    let script = main_of(
        "create('chit', nil, space '0101', 20000) start_record('pack', { men = pieces{ kind = 'marker' } })",
    );
    let game = support::load(tables, &support::hexes(&[]), &[("main.lua", &script)]);
    let found = said_by(&game.unwrap_or_else(|errors| panic!("{}", errors[0])));
    assert!(found.contains("a list in the state holds at most 10000 values, found 20000"), "{found}");
}

#[test]
fn what_a_game_keeps_is_bounded_over_many_answers() {
    let script = "procedure('main', {}, function()
        while ask('red', 'go', { among = { 'on', 'off' } }) == 'on' do for i = 1, 100000 do game.vp = 1 - game.vp end end
      end)";
    let game = support::game(script).expect("it loads");
    let mut session = Session::new(&game, 1).expect("the first decision");
    let error = (0..200)
        .find_map(|_| session.answer_text(0, "on").err())
        .expect("some time it is too much")
        .to_string();
    assert!(error.contains("this game keeps more than"), "{error}");
    // The answer before stands, and the game can be ended or taken back.
    let before = session.answers().len();
    session.undo(before - 1, true).expect("it can be taken back");
}

#[test]
fn bounds_of_a_selection_are_not_cut_to_what_fits() {
    for (key, rule) in [
        ("min = 4294967297", "`go`: `min`: expected a number from"),
        ("max = 4294967297", "`go`: `max`: expected a number from"),
        ("at_least = 1 << 40", "`go`: `at_least`: expected a number from"),
        ("at_most = 1 << 40", "`go`: `at_most`: expected a number from"),
        ("limit = 10000", "`go`: `limit`: expected at most 9999, found 10000"),
    ] {
        let found = said(&main_of(&format!("choose('red', 'go', {{ among = {{ 'a', 'b' }}, {key} }})")));
        assert!(found.contains(rule) && found.contains("main.lua:2"), "{key}: {found}");
    }
}

#[test]
fn tables_that_hold_themselves_end_at_the_depth_of_answers() {
    let script =
        "local q = query('q', {}, function() local t = {} for i = 1, 50 do t[i] = t end return t end)
        procedure('main', {}, function() q() end)";
    let found = said(script);
    assert!(found.contains("deep") || found.contains("endless loop"), "{found}");
}

#[test]
fn very_many_wraps_are_refused_at_once() {
    let script = "procedure('main', {}, function() end)
        for i = 1, 5000 do wrap('main', function(inner) return inner() end) end";
    let errors = support::game(script).err().expect("too many");
    assert!(errors[0].to_string().contains("layers change handlers more than 2000 times"), "{}", errors[0]);
}

#[test]
fn the_answers_of_a_step_share_a_bound() {
    let script = "procedure('main', {}, function()
        while ask('red', 'go', { among = { 'on', 'off' } }) == 'on' do
          for i = 1, 60000 do end
        end
        game.vp = game.vp + 1
      end)";
    let game = bounded(script, ScriptBounds { instructions: 1_000_000, ..ScriptBounds::default() })
        .expect("it loads");
    let mut session = Session::new(&game, 1).expect("the first decision");
    let mut given = 0;
    let error = loop {
        match session.answer_text(0, "on") {
            Ok(()) => given += 1,
            Err(error) => break error.to_string(),
        }
        assert!(given < 100, "the answers of a step are not bounded together");
    };
    assert!(error.contains("the answers of this step ran more than 10000000 instructions"), "{error}");
    assert_eq!((given, session.answers().len()), (16, 16));
    // What can be taken back, and the other answer, are there as before, and the next step begins with nothing used.
    session.undo(10, true).expect("it is run again");
    assert_eq!(session.answers().len(), 10);
    session.answer_text(0, "off").expect("the step ends");
    for _ in 0..16 {
        session.answer_text(0, "on").expect("another step has bounds of its own");
    }
}

#[test]
fn looking_does_not_use_up_what_a_step_may() {
    let script = "
      procedure('main', {}, function() ask('red', 'go', { among = { 'on', 'off', 'out' } }) end)
      forbid('go', 'slow', {}, function(what) for i = 1, 60000 do end return what == 'off' and no('slow') end)";
    let game = bounded(script, ScriptBounds { instructions: 5_000_000, ..ScriptBounds::default() })
        .expect("it loads");
    let mut session = Session::new(&game, 1).expect("the first decision");
    for _ in 0..20 {
        let decision = session.decisions()[0].clone();
        let reasons = session.why(0, decision.candidates[1]).expect("why it is refused");
        assert_eq!(reasons.len(), 1, "{reasons:?}");
    }
    session.answer_text(0, "on").expect("nothing of it counts");
}

#[test]
fn names_of_a_refused_answer_are_forgotten() {
    let script = "procedure('main', {}, function()
        local what = ask('red', 'go', { among = { 'many', 'some' } })
        local long = ('x'):rep(4000)
        for i = 1, what == 'many' and 20000 or 100 do log(long .. game.vp .. '-' .. i) end
        game.vp = game.vp + 1
      end)";
    let game = bounded(script, ScriptBounds { instructions: u64::MAX, ..ScriptBounds::default() })
        .expect("it loads");
    let names = || game.host.cx().symbols.borrow().len();
    let (mut session, mut beside) =
        (Session::new(&game, 1).expect("a game"), Session::new(&game, 2).expect("a game"));
    session.answer_text(0, "some").expect("a few names");
    let before = names();
    for _ in 0..3 {
        let error = session.answer_text(0, "many").expect_err("they are too many").to_string();
        assert!(error.contains("are longer than") || error.contains("bytes of what happened"), "{error}");
    }
    assert!(names() <= before + 10, "{} names became {}", before, names());
    session.answer_text(0, "some").expect("the game goes on");
    beside.answer_text(0, "some").expect("and so does another");
    let record = session.record().to_string();
    assert!(record.contains("some"), "{record}");
}

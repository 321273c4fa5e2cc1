//! Hostile scripts: each is stopped with an error that names rule, file and line, and the game is then as before.

mod support;

use sandtable_session::{Game, Session, SessionError};
use std::rc::Rc;
use support::{call, game, hexes, load, printed};

/// A game that asks whether to go on, and then runs the attack as the procedure `attack` of rule 6.6.6.
fn trap(attack: &str) -> Rc<Game> {
    trapped("", attack)
}

/// The same with something at the head of the script.
fn trapped(head: &str, attack: &str) -> Rc<Game> {
    let script = format!(
        "{head}
procedure('main', {{ rule = '1.1' }}, function()
  if ask('red', 'go', {{ among = {{ 'attack', 'behave' }} }}) == 'attack' then call('attack') else game.vp = game.vp + 1 end
end)
procedure('attack', {{ rule = '6.6.6' }}, function()
{attack}
end)"
    );
    match game(&script) {
        Ok(game) => {
            game.host.cx().limit.set(20_000_000);
            game
        }
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

/// Answers with the attack, and shows that the session is as before and still goes on.
fn contained_in(game: &Rc<Game>) -> String {
    let mut session = Session::new(game, 7).expect("the first decision");
    let (before, answers) = (session.play().state.digest(), session.answers().len());
    let changes = session.play().changes.len();
    let error = match session.answer_text(0, "attack") {
        Err(error @ SessionError::Script(_)) => error.to_string(),
        other => panic!("the attack went through: {other:?}"),
    };
    assert_eq!(session.play().state.digest(), before, "{error}");
    assert_eq!((session.answers().len(), session.play().changes.len()), (answers, changes), "{error}");
    assert_eq!(session.play().state.digest_again(), before, "{error}");
    session.answer_text(0, "behave").expect("the game goes on");
    assert_ne!(session.play().state.digest(), before);
    assert!(game.host.memory() < sandtable_script::MEMORY / 2, "{} bytes are still held", game.host.memory());
    error
}

/// Shows that an attack is stopped, with `words` in the message beside rule, file and line.
fn contained(attack: &str, words: &str) {
    let error = contained_in(&trap(attack));
    for part in [words, "main.lua:", "[6.6.6]"] {
        assert!(error.contains(part), "no `{part}` in: {error}");
    }
}

// Time

#[test]
fn an_endless_loop_is_stopped() {
    contained("while true do end", "endless loop");
}

#[test]
fn an_endless_loop_of_jumps_is_stopped() {
    contained("::again:: goto again", "endless loop");
}

#[test]
fn an_endless_loop_in_a_function_of_a_list_is_stopped() {
    contained("pieces{}:filter(function() while true do end end)", "endless loop");
}

#[test]
fn an_endless_branch_of_a_simultaneous_decision_is_stopped() {
    contained(
        "together { red = function() while true do end end, blue = function() return 1 end }",
        "endless loop",
    );
}

#[test]
fn after_an_endless_branch_ordinary_decisions_are_asked_as_before() {
    let game = trap("together { red = function() while true do end end }");
    contained_in(&game);
    let session = Session::new(&game, 7).expect("the first decision");
    assert_eq!(session.decisions()[0].branch, 0);
}

#[test]
fn a_sort_whose_comparison_lies_ends() {
    let attack = "local t = {} for i = 1, 1000 do t[i] = i end
        table.sort(t, function() return true end) table.sort(t, function() return false end)
        error('it ended with ' .. #t)";
    contained(attack, "it ended with 1000");
}

#[test]
fn a_sort_whose_comparison_fails_is_an_error_with_its_place() {
    contained("table.sort({ 3, 2, 1 }, function(a, b) return a.x < b.x end)", "attempt to index a number");
}

#[test]
fn walking_a_long_table_inside_c_is_paid_for() {
    let long = "local t = {} for i = 1, 100000 do t[i] = 'x' end";
    contained(&format!("{long} while true do table.insert(t, 1, 'y') end"), "endless loop");
    contained(&format!("{long} while true do table.remove(t, 1) table.insert(t, 'x') end"), "endless loop");
    contained(&format!("{long} while true do local s = table.concat(t) end"), "endless loop");
}

#[test]
fn steps_of_play_that_never_ask_are_stopped() {
    let script = "procedure('main', {}, function() game.vp = 1 - game.vp end)";
    let game = game(script).expect("a sound script");
    let error = Session::new(&game, 1).err().expect("an endless sequence").to_string();
    assert!(error.contains("steps of play without a decision, at game > main"), "{error}");
}

#[test]
fn steps_of_play_that_ask_what_has_one_answer_are_stopped() {
    let script = "procedure('main', {}, function() ask('red', 'go', { among = { 'on' } }) end)";
    let game = game(script).expect("a sound script");
    let error = Session::new(&game, 1).err().expect("an endless sequence").to_string();
    assert!(error.contains("steps of play without a decision, at game > main"), "{error}");
}

// Depth

#[test]
fn deep_recursion_is_stopped() {
    contained("local function deep(n) return 1 + deep(n + 1) end deep(1)", "stack overflow");
}

#[test]
fn endless_recursion_of_procedures_prints_the_chain() {
    contained("call('attack')", "handlers deep: … attack -> attack");
}

#[test]
fn endless_recursion_of_events_prints_the_chain() {
    let game = trapped("on('boom', 'echo', { rule = '3.3' }, function() emit('boom') end)", "emit('boom')");
    let error = contained_in(&game);
    assert!(error.contains("handlers deep: … echo -> echo") && error.contains("on echo [3.3]"), "{error}");
}

#[test]
fn queries_that_ask_each_other_without_end_are_stopped() {
    let head = "local b; local a = query('a', {}, function(n) return b(n + 1) end) b = query('b', {}, function(n) return a(n + 1) end)";
    let error = contained_in(&trapped(head, "a(1)"));
    assert!(error.contains("stack overflow"), "{error}");
}

// Memory

#[test]
fn a_growing_text_is_stopped() {
    contained("local s = 'x' while true do s = s .. s end", "memory");
}

#[test]
fn a_growing_table_is_stopped() {
    contained("local t, i = {}, 1 while true do t[i] = { i } i = i + 1 end", "memory");
}

#[test]
fn growing_memory_in_a_branch_is_stopped() {
    contained("together { red = function() local s = 'x' while true do s = s .. s end end }", "memory");
}

#[test]
fn lists_that_are_kept_are_paid_for() {
    contained("local t, i = {}, 1 while true do t[i] = spaces{} i = i + 1 end", "endless loop");
}

#[test]
fn work_on_long_texts_is_paid_for() {
    let long = "local s = ('x'):rep(1000000)";
    for work in ["s:upper()", "s:lower()", "s:reverse()", "s:sub(2)", "s:find('y')", "('%s'):format(s)"] {
        contained(&format!("{long} while true do local t = {work} end"), "endless loop");
    }
    contained(
        "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000) end while true do local s = table.concat(t) end",
        "endless loop",
    );
    contained("local s = ('x'):rep(60000) while true do s = s:sub(2) .. 'b' end", "endless loop");
    contained("local s = ('x'):rep(60000) while true do local t = s .. 'b' end", "endless loop");
}

#[test]
fn string_rep_makes_no_huge_text() {
    contained("local s = string.rep('x', 1000000000)", "string.rep would make a text of more than");
    contained("local s = ('x'):rep(1000, ('y'):rep(2000))", "string.rep would make a text of more than");
    contained("while true do local s = (''):rep(1000000) end", "endless loop");
}

#[test]
fn string_format_makes_no_huge_text_and_shows_no_address() {
    contained("local s = string.format('%1000000000d', 1)", "invalid conversion");
    contained("local s = string.format('%p', {})", "address");
    contained("error(string.format('%s %s', {}, print))", "table function");
}

#[test]
fn patterns_cannot_run_wild_because_there_are_none() {
    contained("string.match(('a'):rep(30) .. 'b', ('a*'):rep(30))", "nil value (field 'match')");
    contained("string.gsub('x', '.*', 'y')", "nil value (field 'gsub')");
    contained("error(tostring(string.find('a.c', '.', 1)))", "2");
}

#[test]
fn table_unpack_gives_few_values() {
    contained("local a = table.unpack({}, 1, 100000000)", "at most 250 values");
    contained("local t = {} for i = 1, 1000 do t[i] = i end local a = table.unpack(t)", "at most 250 values");
    contained("local t = table.concat({}, 'x', 1, 1000000000)", "invalid value (nil) at index 1");
}

#[test]
fn new_names_are_paid_for() {
    contained("local i = 0 while true do i = i + 1 local n = is_procedure('p' .. i) end", "endless loop");
}

#[test]
fn a_flood_of_prints_is_cut() {
    let game = trap("for i = 1, 100000 do print(('x'):rep(5000)) end error('printed')");
    contained_in(&game);
    let printed = game.host.printed();
    assert!(
        printed.len() < 1_100 && printed.iter().all(|line| line.len() < 4_010),
        "{} lines",
        printed.len()
    );
    let last = printed.last().expect("a line");
    assert!(last.contains("not kept"), "{last}");
}

// The kernel's own work

#[test]
fn pieces_dice_effects_and_records_come_in_bounded_numbers() {
    contained("create('chit', nil, space '0101', 1000000000)", "would be over 50000");
    contained("while true do create('chit', nil, space '0101', 1000) end", "would be over 50000");
    contained("rolls('fire', 1000000000)", "at most 1000 are rolled");
    contained("while true do roll('fire') end", "endless loop");
    contained("while true do start_effect('fog') end", "effects already");
    contained("while true do start_record('fight') end", "records of this type already");
    contained("while true do log('x') end", "endless loop");
    contained("while true do game.vp = 1 - game.vp end", "endless loop");
}

#[test]
fn distances_without_measure_are_answered_at_once() {
    let attack = "local here = space '0505'
        local n = #within(here, 1000000000) + #ring(here, 1000000000) + #within(here, 2000000000) + #ring(here, 40)
        n = n + #within(space 'deck', 1000000000) + #ring(space 'deck', 1000000000)
        n = n + #flood { from = here, steps = 1000000000 }
        error('counted ' .. (n > 0 and 'some' or 'none'))";
    contained(attack, "counted some");
    contained("paths { from = space '0505', length = 1000000000 }", "too many to list");
}

#[test]
fn very_long_lists_of_options_are_refused() {
    contained("ask('red', 'n', { from = 1, to = 1000000000 })", "more than 10000 options");
    contained("ask('red', 'n', { from = -2147483648, to = 2147483647 })", "more than 10000 options");
    let long = "local t = {} for i = 1, 20000 do t[i] = i end";
    contained(&format!("{long} ask('red', 'n', {{ among = t }})"), "20000 options");
    contained(&format!("{long} choose('red', 'n', {{ among = t }})"), "among 20000 things");
}

#[test]
fn a_selection_without_measure_ends() {
    let attack = "choose('red', 'n', { among = { 'a', 'b', 'c', 'd' }, many = true, limit = 9999,
        min = 1, test = function() return false end })";
    contained(attack, "too many selections");
    contained(&attack.replace("9999", "2000000000"), "`limit`: expected at most 9999, found 2000000000");
    contained(
        "choose('red', 'n', { among = { 'a' }, many = true, cost = 1, at_least = 2000000000, at_most = 2000000000 })",
        "dead end",
    );
}

#[test]
fn numbers_at_the_edge_are_errors_and_not_panics() {
    contained("step_down(piece 'a', 2147483647) error('still here')", "still here");
    contained("step_down(piece 'a', -2147483648)", "expected a number from 0 on");
    contained(
        "error('sum ' .. pieces{}:sum(function() return math.maxinteger end))",
        "9223372036854775807 is too large",
    );
    contained("error(tostring(pieces{}[math.mininteger]))", "nil");
    contained("game.vp = 2147483648", "too large");
    contained("game.vp = 1 / 2", "not a whole number");
    let head = "number('odds', {}, function(n) n:add(1) n:times(2147483647, 1) n:times(2147483647, 1) end)";
    assert!(contained_in(&trapped(head, "evaluate('odds')")).contains("leaves the range"));
    let head = "number('odds', {}, function(n) n:divide_up(0) end)";
    assert!(contained_in(&trapped(head, "evaluate('odds')")).contains("divided by 0"));
}

// Purity

#[test]
fn what_must_be_pure_cannot_change_the_game() {
    let verbs = [
        "game.vp = 9",
        "move(piece 'a', space '0101')",
        "remove(piece 'a')",
        "create('chit', nil, space '0101')",
        "destroy(piece 'a')",
        "piece('a').moved = true",
        "space('0101').smoke = 1",
        "roll('d')",
        "rolls('d', 2)",
        "pick('d', pieces{})",
        "shuffle(space 'deck')",
        "draw(space 'deck', space '0101')",
        "reveal(piece 'a')",
        "conceal(piece 'a')",
        "start_effect('fog')",
        "schedule('x', { on = 'main.end' })",
        "end_effect('fog')",
        "start_record('fight')",
        "remember('x')",
        "log('x')",
        "ask('red', 'n', { from = 1, to = 2 })",
        "choose('red', 'n', { among = pieces{} })",
        "menu('red', 'm')",
        "end_game {}",
        "step_down(piece 'a')",
    ];
    for verb in verbs {
        let head = format!("local q = query('q', {{}}, function() {verb} end)");
        let error = contained_in(&trapped(&head, "q()"));
        assert!(error.contains("may not change the game"), "{verb}: {error}");
    }
}

#[test]
fn every_shape_of_rule_that_is_pure_is_held_to_it() {
    for (head, attack) in [
        ("number('x', {}, function(n) game.vp = 9 end)", "evaluate('x')"),
        (
            "number('x', {}, function(n) end) modify('x', 'm', {}, function(n) game.vp = 9 end)",
            "evaluate('x')",
        ),
        ("forbid('p', 'f', {}, function() game.vp = 9 end)", "ask('red', 'p', { from = 1, to = 2 })"),
        ("forbid_all('p', 'f', {}, function() game.vp = 9 end)", "ask('red', 'p', { from = 1, to = 2 })"),
        ("prefer('p', 'f', {}, function() game.vp = 9 end)", "ask('red', 'p', { from = 1, to = 2 })"),
        (
            "forbid('p', 'f', {}, function() return no('never') end) waive('f', 'w', {}, function() game.vp = 9 end)",
            "ask('red', 'p', { from = 1, to = 2 })",
        ),
        ("", "ask('red', 'p', { among = function() game.vp = 9 return { 1, 2 } end })"),
        ("", "choose('red', 'p', { among = pieces{}, cost = function() game.vp = 9 return 1 end })"),
        ("", "choose('red', 'p', { among = pieces{}, test = function() game.vp = 9 return true end })"),
        (
            "offer('m', 'o', { run = 'attack', when = function() game.vp = 9 return true end })",
            "menu('red', 'm', { none = 'done' })",
        ),
        (
            "offer('m', 'o', { run = 'attack', among = function() game.vp = 9 return { 1 } end })",
            "menu('red', 'm', { none = 'done' })",
        ),
    ] {
        let error = contained_in(&trapped(head, attack));
        assert!(error.contains("may not change the game"), "{head} {attack}: {error}");
    }
}

#[test]
fn an_invariant_cannot_change_the_game() {
    let game = trapped("invariant('i', { rule = '9' }, function() game.vp = 9 end)", "");
    let mut session = Session::new(&game, 7).expect("the first decision");
    let before = session.play().state.digest();
    let error =
        session.look(|host| host.broken_invariants()).expect_err("an invariant that assigns").to_string();
    assert!(error.contains("may not change the game") && error.contains("main.lua:1"), "{error}");
    assert_eq!(session.play().state.digest(), before);
}

#[test]
fn asking_inside_a_function_of_a_list_is_an_error() {
    contained("pieces{}:filter(function() return ask('red', 'n', { from = 1, to = 2 }) end)", "yield");
}

// Escapes

#[test]
fn what_reaches_outside_is_not_there() {
    for name in [
        "_G",
        "io",
        "os",
        "debug",
        "package",
        "load",
        "loadstring",
        "loadfile",
        "dofile",
        "pcall",
        "xpcall",
        "coroutine",
        "getmetatable",
        "setmetatable",
        "rawget",
        "rawset",
        "rawequal",
        "rawlen",
        "next",
        "collectgarbage",
        "warn",
        "utf8",
        "K",
        "kernel",
    ] {
        contained(&format!("error(type({name}))"), &format!("there is no global `{name}`"));
    }
    for name in ["dump", "gmatch", "match", "gsub", "pack", "unpack"] {
        contained(&format!("error(type(string.{name}))"), "nil");
    }
    contained("error(type(math.random) .. type(table.move))", "nilnil");
}

#[test]
fn globals_cannot_be_assigned_in_play() {
    contained("counter = 1", "global `counter` cannot be assigned in play");
    contained("_ENV.counter = 1", "cannot be assigned in play");
    contained("_ENV['call'] = nil", "cannot be assigned in play");
    contained("function helper() end", "global `helper` cannot be assigned in play");
    contained("main = nil", "cannot be assigned in play");
}

#[test]
fn a_function_of_the_api_cannot_be_assigned() {
    for script in ["function ask() end", "procedure('x', {}, function() move = 1 end)"] {
        let errors = game(script).err().expect(script);
        assert!(errors[0].message.contains("a function of the API is assigned"), "{}", errors[0].message);
    }
    assert!(game("procedure('x', {}, function() local move = 1 move = 2 end)").is_ok());
}

#[test]
fn another_environment_gets_a_script_nowhere() {
    contained("local _ENV = {} x = 1 y()", "attempt to call a nil value");
}

#[test]
fn what_all_scripts_share_cannot_be_changed() {
    for attack in [
        "string.rep = nil",
        "table.sort = function() end",
        "math.max = math.min",
        "table.insert(string, 1)",
        "table.insert(sides, 'green')",
        "sides.red = nil",
        "value('limits').low = 99",
        "('x').rep = nil",
        "table.remove(sides)",
    ] {
        let error = contained_in(&trap(&format!("{attack} error('changed')")));
        assert!(!error.contains("changed") || error.contains("read-only"), "{attack}: {error}");
    }
}

#[test]
fn shared_tables_cannot_be_changed_while_loading_either() {
    for script in ["string.rep = nil", "table.extra = 1", "value('limits').low = 99", "sides.red = nil"] {
        let errors = game(script).err().expect(script);
        assert!(
            errors[0].to_string().contains("read-only") && errors[0].to_string().contains("main.lua:1"),
            "{}",
            errors[0]
        );
    }
}

#[test]
fn nothing_can_be_finalised_or_closed() {
    contained("local x <close> = { __close = function() end }", "non-closable");
    contained("local t = { __gc = function() game.vp = 9 end } t = nil error('collected')", "collected");
}

#[test]
fn rules_cannot_be_registered_in_play() {
    contained("procedure('late', {}, function() end)", "while scripts load");
    contained("on('main.end', 'late', {}, function() end)", "while scripts load");
    contained("query('late', {}, function() end)", "while scripts load");
    contained("wrap('main', function() end)", "while scripts load");
    contained("disable('main')", "while scripts load");
}

#[test]
fn handles_hold_fast() {
    contained("piece('a').id = 'z'", "cannot be assigned");
    contained("piece('a').strength = 9", "printed on the component");
    contained("piece('a').nonsense = 9", "no attribute `nonsense`");
    contained("game.word = 'never-' .. 'written'", "written nowhere");
    contained("local x = piece('a').__index", "no field `__index`");
    contained("move(piece 'a', piece 'a')", "on itself");
    contained("for k in pairs(piece 'a') do end", "main.lua");
}

// Errors

#[test]
fn errors_that_lie_about_their_place_are_shown_with_the_true_one() {
    contained("error('other.lua:99: not me', 0)", "main.lua:6: other.lua:99: not me");
    contained("assert(false, 'other.lua:99: not me')", "main.lua:6: other.lua:99: not me");
    contained("error({ code = 1 })", "an error of type table");
    contained("error()", "an error of type nil");
    contained("error(function() end)", "an error of type function");
    contained("error(('x'):rep(1000000))", "xxx");
}

#[test]
fn an_error_cannot_pass_for_a_dead_end() {
    let game = trap("error('dead end: not really', 0)");
    let mut session = Session::new(&game, 7).expect("the first decision");
    let Err(SessionError::Script(error)) = session.answer_text(0, "attack") else {
        panic!("it went through")
    };
    assert!(!error.is_dead_end() && !error.is_fatal(), "{error}");
    let game = trap("ask('red', 'n', { among = {} })");
    let mut session = Session::new(&game, 7).expect("the first decision");
    let Err(SessionError::Script(error)) = session.answer_text(0, "attack") else {
        panic!("it went through")
    };
    assert!(error.is_dead_end(), "{error}");
}

#[test]
fn no_format_shows_an_address() {
    for pattern in ["%p", "%-20p", "%020p", "%%%p", "%d %p"] {
        contained(&format!("string.format('{pattern}', {{}}, {{}})"), "would show an address");
    }
    contained("error(string.format('%%p %d', 5))", "%p 5");
}

#[test]
fn a_message_is_cut_where_nobody_would_read_on() {
    for attack in
        ["piece(('x'):rep(500000))", "print(_ENV[('x'):rep(500000)])", "pieces { [('x'):rep(500000)] = 1 }"]
    {
        let error = contained_in(&trap(attack));
        assert!(error.len() < 5_000, "{attack}: {} bytes", error.len());
    }
}

#[test]
fn jumps_without_number_are_not_compiled() {
    let scripts = [
        format!("local x if x {} then end", "or x ".repeat(6_000)),
        format!("if x then {} end", "elseif x then ".repeat(6_000)),
    ];
    for script in scripts {
        let errors = game(&script).err().expect("a script of jumps");
        assert!(errors[0].message.contains("more than 5000 times"), "{}", errors[0]);
    }
}

#[test]
fn an_error_cannot_pass_for_one_of_memory() {
    // Such a VM would be thrown away, and every other game in it would have to run its step again.
    for attack in [
        "error('not enough memory')",
        "assert(false, 'not enough memory')",
        "error('runtime error: not enough memory')",
        "error('not enough memory\\nstack traceback:')",
        "piece('not enough memory')",
        "pieces{}:filter(function() return error('not enough memory') end)",
        "together { red = function() error('not enough memory') end }",
        "together { red = function() return error('not enough memory') end }",
    ] {
        let game = trap(attack);
        let mut session = Session::new(&game, 7).expect("the first decision");
        let Err(SessionError::Script(error)) = session.answer_text(0, "attack") else {
            panic!("it went through: {attack}")
        };
        assert!(!error.is_fatal(), "{attack}: {error}");
    }
}

#[test]
fn how_a_branch_of_together_ended_is_known_of_it_and_not_of_its_words() {
    let failed = |attack: &str| {
        let game = trap(attack);
        let mut session = Session::new(&game, 7).expect("the first decision");
        match session.answer_text(0, "attack") {
            Err(SessionError::Script(error)) => error,
            _ => panic!("it went through: {attack}"),
        }
    };
    let branch = |body: &str| failed(&format!("together {{ red = function() {body} end }}"));
    assert!(branch("local s = 'x' while true do s = s .. s end").is_fatal());
    assert!(branch("ask('red', 'n', { among = {} })").is_dead_end());
    // A function that Rust calls hands its error on with its kind.
    assert!(failed("pieces{}:filter(function() local s = 'x' while true do s = s .. s end end)").is_fatal());
    let said = branch("error('not enough memory')");
    assert!(!said.is_fatal() && said.message == "error: not enough memory", "{said}");
}

#[test]
fn a_vm_that_ran_out_of_memory_says_so_and_serves_other_sessions() {
    let game = trap("local s = 'x' while true do s = s .. s end");
    let mut other = Session::new(&game, 8).expect("the first decision");
    let mut session = Session::new(&game, 7).expect("the first decision");
    let Err(SessionError::Script(error)) = session.answer_text(0, "attack") else {
        panic!("it went through")
    };
    assert!(error.is_fatal(), "{error}");
    other.answer_text(0, "behave").expect("another session goes on");
}

// Loading

#[test]
fn syntax_errors_of_several_files_are_reported_together() {
    let scripts = [
        ("a.lua", "local x = = 1"),
        ("b.lua", "procedure('main', {}, function() end)"),
        ("c.lua", "\n\nif then"),
    ];
    let errors = load("", &hexes(&[]), &scripts).err().expect("two broken scripts");
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].contains("a.lua:1: unexpected symbol near '='"), "{}", texts[0]);
    assert!(texts[1].contains("c.lua:3: unexpected symbol near 'then'"), "{}", texts[1]);
}

#[test]
fn bytecode_is_not_loaded() {
    let errors = game("\u{1b}Lua\u{54}\u{0}").err().expect("a binary chunk");
    assert!(errors[0].message.contains("binary"), "{}", errors[0]);
}

#[test]
fn an_endless_loop_while_loading_is_stopped() {
    let errors = game("while true do end").err().expect("an endless script");
    assert!(errors[0].to_string().contains("main.lua:1: this ran more than"), "{}", errors[0]);
}

#[test]
fn there_is_no_game_while_scripts_load() {
    let errors = game("game.vp = 1").err().expect("no game yet");
    assert!(errors[0].message.contains("no game yet"), "{}", errors[0]);
}

#[test]
fn require_stays_inside_the_package() {
    for (name, words) in [
        ("os", "no script os in this package"),
        ("../../etc/passwd", "no script ../../etc/passwd"),
        ("/etc/passwd", "no script /etc/passwd"),
        ("main", "requires itself"),
    ] {
        let errors = game(&format!("require '{name}'")).err().expect(name);
        assert!(errors[0].to_string().contains(words), "{}", errors[0]);
    }
    contained("require 'main'", "not in play");
}

#[test]
fn a_game_and_its_copy_hold_the_same_digest() {
    // The order in which Lua keeps its tables differs from VM to VM; nothing of it may reach the state.
    let script = "procedure('main', {}, function()
        local t = {} for _, k in ipairs { 'zeta', 'alpha', 'mid', 'omega', 'beta' } do t[k] = #k end
        local text = '' for k, v in pairs(t) do text = text .. k .. v end
        start_effect('fog', { zeta = 1, alpha = 2, omega = 3, beta = 4 })
        print(text) game.vp = roll('d') end)";
    let digests: Vec<(u64, Vec<String>)> = (0..8)
        .map(|_| {
            let game = game(script).expect("a sound script");
            let (session, result) = call(&game, "main", Vec::new());
            result.expect("it runs");
            (session.play().state.digest(), game.host.printed())
        })
        .collect();
    assert_eq!(digests[0].1, ["alpha5beta4mid3omega5zeta4"]);
    assert!(digests.iter().all(|digest| *digest == digests[0]));
}

// Hidden state

/// Runs a script whose procedure `main` is called twice, and gives what loading, running or the audit says.
fn kept(script: &str) -> Option<String> {
    let game = match support::load_as("", &hexes(&[]), &[("main.lua", script)], true) {
        Ok(game) => game,
        Err(errors) => return Some(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    };
    for _ in 0..2 {
        let (mut session, result) = call(&game, "main", Vec::new());
        if let Err(error) = result {
            return Some(error.to_string());
        }
        if let Err(error) = session.look(|host| host.audit()) {
            return Some(format!("the audit: {error}"));
        }
    }
    None
}

#[test]
fn a_variable_that_outlives_the_step_cannot_be_assigned() {
    let assigns = |line: u32, name: &str| {
        format!("probe/main.lua:{line}: a function that outlives the step assigns `{name}`")
    };
    for (script, words) in [
        ("local count = 0 procedure('main', {}, function() count = count + 1 end)", assigns(1, "count")),
        (
            "local n\nprocedure('main', {}, function()\n local t = { f = function()\n n = 1 end } t.f() end)",
            assigns(4, "n"),
        ),
        (
            "local function counter() local n = 0 return function()\n n = n + 1 return n end end
            local tick = counter() procedure('main', {}, function() tick() end)",
            assigns(2, "n"),
        ),
        (
            "local last forbid('p', 'f', {}, function(x) last = x end)
            procedure('main', {}, function() narrow('red', 'p', { among = { 1, 2 } }) end)",
            assigns(1, "last"),
        ),
        ("local f = function() return 1 end procedure('main', {}, function() f = nil end)", assigns(1, "f")),
        // Functions that are reached through tables, globals, other functions, wraps and offers.
        (
            "local n = 0 local t = { deep = { f = function() n = n + 1 end } } procedure('main', {}, function() t.deep.f() end)",
            assigns(1, "n"),
        ),
        (
            "local n = 0 function tick() n = n + 1 end procedure('main', {}, function() tick() end)",
            assigns(1, "n"),
        ),
        (
            "local n = 0 local function a() n = 1 end local function b() a() end procedure('main', {}, function() b() end)",
            assigns(1, "n"),
        ),
        (
            "local n procedure('other', {}, function() end) wrap('other', function(inner) n = 1 inner() end) procedure('main', {}, function() call('other') end)",
            assigns(1, "n"),
        ),
        (
            "local n procedure('main', {}, function() end) procedure('r', {}, function() end) offer('m', 'o', { run = 'r', when = function() n = 1 return true end })",
            assigns(1, "n"),
        ),
        // What stands for all globals is a variable too.
        ("procedure('main', {}, function() _ENV = {} end)", assigns(1, "_ENV")),
        // A walk that is kept goes on where it was.
        (
            "local walk = pairs({ a = 1, b = 2 }) procedure('main', {}, function() walk() end)",
            "a walk by `pairs`".into(),
        ),
    ] {
        let found = kept(script).unwrap_or_else(|| panic!("not found: {script}"));
        assert!(found.contains(&words) && !found.contains("the audit"), "{script}: {found}");
    }
}

#[test]
fn a_table_that_outlives_the_step_cannot_be_written_to() {
    for script in [
        "local seen = {} procedure('main', {}, function()\n seen.red = true end)",
        "local seen = { red = 1 } procedure('main', {}, function()\n seen.red = 2 end)",
        "local seen = { red = 1 } procedure('main', {}, function()\n seen.red = nil end)",
        "local seen = { 1 } procedure('main', {}, function()\n seen[1] = 2 end)",
        "local seen = { 1 } procedure('main', {}, function()\n table.insert(seen, 2) end)",
        "local seen = { 1 } procedure('main', {}, function()\n table.insert(seen, 1, 2) end)",
        "local seen = { 1 } procedure('main', {}, function()\n table.remove(seen) end)",
        "local seen = {} procedure('main', {}, function()\n table.remove(seen) end)",
        "local seen = { 2, 1 } procedure('main', {}, function()\n table.sort(seen) end)",
        "cache = { deep = {} } procedure('main', {}, function()\n cache.deep.x = 1 end)",
        "local t = { { {} } } procedure('main', {}, function()\n t[1][1].x = 1 end)",
        "local function keep() local t = {} return function(x)\n t[1] = x end end local f = keep() procedure('main', {}, function() f(1) end)",
        "local memo = {} query('q', {}, function(x)\n memo[x] = 1 end) procedure('main', {}, function() evaluate_q = 1 end)
         procedure('other', {}, function() end) wrap('main', function() memo.y = 2 end)",
        "local mine = { x = 1 } do local _ENV = mine function f()\n x = 2 end end procedure('main', {}, function() mine.f() end)",
        "local mine = {} mine.mine = mine procedure('main', {}, function()\n mine.mine.mine.x = 1 end)",
        "local spec = { among = { 1 } } procedure('main', {}, function()\n menu('red', 'm', spec) end)",
        "local spec = { among = { 1, 2 }, none = 'x' } procedure('main', {}, function()\n ask_each('red', 'p', spec, function() end) end)",
    ] {
        let found = kept(script).unwrap_or_else(|| panic!("not found: {script}"));
        assert!(found.contains("this table is read-only"), "{script}: {found}");
        assert!(found.contains("main.lua:"), "{script}: {found}");
    }
}

#[test]
fn an_answer_of_a_query_holds_no_function_that_could_count() {
    for answer in [
        "function() n = n + 1 return n end",
        "{ tick = function() n = n + 1 end }",
        "{ { n = 1, f = print } }",
    ] {
        let script = format!(
            "local q = query('q', {{}}, function() local n = 0 return {answer} end) procedure('main', {{}}, function() q() end)"
        );
        let found = kept(&script).unwrap_or_else(|| panic!("not found: {script}"));
        assert!(found.contains("a query gives a function"), "{script}: {found}");
    }
}

#[test]
fn tables_made_while_scripts_load_are_read_as_before() {
    let script =
        "local names = { 'b', 'a', 'c' } local sums = { a = 1, b = 2 } local deep = { list = { { 5 } } }
        local filter, how = { min_strength = 1 }, { lasts = 'turn', weight = 3 }
        local lib = { double = function(n) return n * 2 end }
        local asked = { among = { 4 } }
        procedure('main', {}, function()
          local text = ''
          for i, name in ipairs(names) do text = text .. i .. name end
          for key, n in pairs(sums) do text = text .. key .. n end
          text = text .. #names .. names[2] .. #deep.list .. deep.list[1][1] .. lib.double(4)
          text = text .. table.concat(names, '-') .. select('#', table.unpack(names))
          local own = {} for _, name in ipairs(names) do own[#own + 1] = name end table.sort(own)
          print(text .. table.concat(own))
          print(#pieces(filter) == #pieces { min_strength = 1 })
          print(start_effect('fog', how).weight)
          print(ask('red', 'p', asked))
          print(#names == 3 and names[4] == nil and sums.c == nil)
        end)";
    let game = game(script).expect("a sound script");
    assert_eq!(printed(&game), ["1b2a3ca1b23a158b-a-c3abc", "true", "3", "4", "true"]);
}

#[test]
fn variables_and_tables_of_a_call_may_be_changed() {
    let script = "local function each(list, f) for _, x in ipairs(list) do f(x) end end
        local n = 0 local function next_number() n = n + 1 return n end local first = next_number()
        local order = {} for i = 1, 3 do order[i] = i * first end
        procedure('main', {}, function()
          local sum, seen = 0, {}
          each(order, function(x) sum = sum + x seen[x] = true end)
          local function more() sum = sum + 1 end more() more()
          print(sum, seen[3])
        end)";
    assert_eq!(kept(script), None);
    let game = game(script).expect("a sound script");
    assert_eq!(printed(&game), ["8\ttrue"]);
}

#[test]
fn a_script_that_keeps_nothing_passes_the_audit() {
    let script = "local names = { 'a', 'b' }
        local function helper(list) local n = 0 for _ in ipairs(list) do n = n + 1 end return n end
        local strong = query('strong', {}, function() return pieces { min_strength = 2 } end)
        on('boom', 'echo', {}, function() end)
        procedure('other', {}, function() local seen = {} seen.x = 1 end)
        procedure('main', {}, function()
          local own = {} for _, name in ipairs(names) do own[name] = #strong() end
          game.vp = helper(names) emit('boom') call('other')
          table.sort({ 2, 1 }, function(a, b) return a < b end)
        end)
        wrap('other', function(inner, ...) inner(...) end)";
    assert_eq!(kept(script), None);
}

#[test]
fn an_audited_script_sees_no_more_than_another() {
    for name in ["debug", "getupvalue", "_G"] {
        let script = format!("procedure('main', {{}}, function() print({name}) end)");
        let game = support::load_as("", &hexes(&[]), &[("main.lua", &script)], true).expect("a sound script");
        let error = call(&game, "main", Vec::new()).1.expect_err("it is not there").to_string();
        assert!(error.contains(&format!("there is no global `{name}`")), "{error}");
    }
}

#[test]
fn byte_gives_a_bounded_number_of_values() {
    let game = game(
        "procedure('main', {}, function()
           local s = 'abc'
           print(s:byte(), s:byte(2), s:byte(-1), s:byte(1, -1))
           print(select('#', s:byte(4)), select('#', s:byte(0)), select('#', s:byte(3, 1)), s:byte(-9, 1))
           print(select('#', s:byte(math.mininteger, math.maxinteger)), select('#', ('x'):rep(250):byte(1, -1)))
           local t = ('x'):rep(251):byte(1, -1)
         end)",
    )
    .expect("it loads");
    let (_, result) = call(&game, "main", Vec::new());
    let error = result.expect_err("it is refused").to_string();
    assert!(error.contains("string.byte gives at most 250 values"), "{error}");
    assert_eq!(game.host.printed(), ["97\t98\t99\t97\t98\t99", "0\t0\t0\t97", "3\t250"]);
}

#[test]
fn putting_a_value_behind_the_last_is_paid_for() {
    // Without a turn between them, so that only the calls themselves are counted.
    let inserts = "table.insert(t, 1) ".repeat(2_000);
    let script = format!("procedure('main', {{}}, function() local t = {{}} {inserts} end)");
    let game = game(&script).expect("it loads");
    game.host.cx().limit.set(30_000);
    let (_, result) = call(&game, "main", Vec::new());
    let error = result.expect_err("it is refused").to_string();
    assert!(error.contains("more than 30000 instructions"), "{error}");
}

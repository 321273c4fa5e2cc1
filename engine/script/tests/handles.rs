//! Handles that were kept for too long: of pieces, records and effects that are gone.

mod support;

use sandtable_kernel::state::TableId;
use sandtable_script::Val;
use support::{call, game};

/// What a script prints, and how it fails.
fn run(body: &str) -> (Vec<String>, Option<String>) {
    let script = format!(
        "procedure('probe', {{}}, function() {body} end)
        procedure('main', {{}}, function() return 'done' end)"
    );
    let game = game(&script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (_, result) = call(&game, "probe", Vec::new());
    (game.host.printed(), result.err().map(|error| error.to_string()))
}

fn refused(body: &str, words: &str) {
    let error = run(body).1.unwrap_or_else(|| panic!("`{body}` went through"));
    assert!(error.contains(words), "{body}\n  expected: {words}\n  said: {error}");
}

#[test]
fn a_destroyed_piece_stays_out_of_the_game() {
    let gone = "local p = create('chit', nil, space '0505') destroy(p)";
    for verb in
        ["move(p, space '0506')", "remove(p)", "destroy(p)", "reveal(p)", "step_down(p)", "p.moved = true"]
    {
        refused(&format!("{gone} {verb}"), "this piece was destroyed");
    }
}

#[test]
fn a_finished_record_is_not_taken_for_the_next() {
    let next = "local a = start_record('fight', { odds = 1 }) finish_record(a) local b = start_record('fight', { odds = 2 })";
    refused(&format!("{next} a.odds = 9"), "this record was finished");
    refused(&format!("{next} print(a.odds)"), "`odds`: this fight was finished");
    refused(&format!("{next} finish_record(a)"), "this fight was finished");
    assert_eq!(run(&format!("{next} print(is_live(a), is_live(b), b.odds)")).0, ["false\ttrue\t2"]);
}

#[test]
fn an_effect_that_ended_is_not_taken_for_the_next() {
    let (printed, error) = run("local a = start_effect('fog') end_effect(a)
        local b = start_effect('rain') end_effect(a) print(effect 'rain' ~= nil)");
    assert_eq!((printed, error), (vec!["true".to_string()], None));
}

#[test]
fn an_effect_ends_with_its_own_record_and_not_with_an_inner_one() {
    let (printed, error) = run("
        local outer = start_record('fight')
        start_effect('storm', { lasts = 'fight' })
        local inner = start_record('fight')
        start_effect('smoke', { lasts = 'fight' })
        finish_record(inner)
        print(effect 'storm' ~= nil, effect 'smoke' ~= nil)
        finish_record(outer)
        print(effect 'storm' ~= nil)");
    assert_eq!((printed, error), (vec!["true\tfalse".to_string(), "false".to_string()], None));
}

#[test]
fn rows_are_used_again_in_later_steps_and_when_there_are_very_many() {
    let (printed, error) = run("for i = 1, 20000 do finish_record(start_record('fight')) end print 'done'");
    assert_eq!((printed, error), (vec!["done".to_string()], None));
}

#[test]
fn the_rungs_that_a_piece_has_left_can_be_asked_for() {
    let tables =
        "[unit.guard]\nside = \"red\"\nlevels = [{ strength = 3 }, { strength = 2 }, { strength = 1 }]\n";
    let script = "procedure('main', {}, function()
        local guard = piece 'guard'
        move(guard, '0505')
        print(guard.steps_left, piece('a').steps_left)
        step_down(guard)
        print(guard.steps_left, #pieces{ min_steps_left = 2 }, pieces{ side = 'red' }:sum 'steps_left')
      end)";
    let game = support::load(tables, &support::hexes(&[]), &[("main.lua", script)]).expect("a sound script");
    assert_eq!(support::printed(&game), ["3\t1", "2\t1\t3"]);
}

/// Rules that read what they are given.
const READERS: &str = "
    procedure('main', {}, function() return 'done' end)
    number('worth', {}, function(n, p) n:add(p.level) end)
    worth_of = query('worth-of', {}, function(p) return p.level end)
";

/// A piece, a record and an effect of another game: none of these rows exists in a new one.
fn strangers() -> Vec<Val> {
    vec![Val::Piece(10), Val::Record(TableId::FIRST_RECORD.0, 3), Val::Effect(4)]
}

const ATTRIBUTES: &str = "
    [attribute.side]
    chosen = \"piece\"
    several = \"pieces\"
    quarrel = \"fight\"
    [profile.foot]
    terrain = { clear = 1 }
    [sight.plain]
    level = \"level\"
";

#[test]
fn handles_of_another_game_are_refused_with_their_place() {
    let uses = [
        "local x = p.level",
        "local x = p.strength",
        "local x = p.side",
        "local x = p.place",
        "local x = p.cargo",
        "local x = p.name",
        "local x = p.moved",
        "local x = p:is 'heavy'",
        "local x = r.odds",
        "local x = e.name",
        "local x = e.who",
        "local x = worth_of(p)",
        "local x = evaluate('worth', p)",
        "local x = pieces{ place = p }",
        "local x = pieces{ at = p }",
        "local x = distance(p, '0501')",
        "local x = reach{ from = p, profile = 'foot', points = 2 }",
        "local x = sight{ from = p, to = '0505' }",
        "move(p, '0501')",
        "move('a', p)",
        "remove(p)",
        "destroy(p)",
        "reveal(p)",
        "conceal(p)",
        "step_down(p)",
        "create('chit', nil, p)",
        "draw('deck', p)",
        "p.moved = true",
        "p.level = 1",
        "p.side = 'red'",
        "r.odds = 3",
        "finish_record(r)",
        "end_effect(e)",
        "sides.red.chosen = p",
        "sides.red.several = { p }",
        "sides.red.quarrel = r",
        "start_effect('fog', { who = p })",
        "schedule('main', { on = 'x', who = r })",
        "remember('fog', p)",
        "log('x', p)",
        "ask('red', 'p', { among = { p, 1 } })",
    ];
    let mut script = READERS.to_string();
    for (number, text) in uses.iter().enumerate() {
        script.push_str(&format!("procedure('use{number}', {{}}, function(p, r, e) {text} end)\n"));
    }
    let game = support::load(ATTRIBUTES, &support::hexes(&[]), &[("main.lua", &script)])
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut wrong = Vec::new();
    for (number, text) in uses.iter().enumerate() {
        let (session, result) = call(&game, &format!("use{number}"), strangers());
        let said = result.err().map_or_else(|| "it went through".to_string(), |error| error.to_string());
        if !said.contains("main.lua:") || !said.contains("that is not in this game") {
            wrong.push(format!("{text}\n  {said}"));
        }
        // Whatever was refused, nothing of it is left that somebody might trip over.
        game.digest(&session.play().state);
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), uses.len(), wrong.join("\n"));
}

/// A list is no argument of a procedure and no value of the state, so that only a table of the script could bring it into another
/// game.
#[test]
fn a_list_cannot_be_kept_for_another_game() {
    let script = "kept = {}
        procedure('main', {}, function() kept.list = pieces{} end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let error = call(&game, "main", Vec::new()).1.expect_err("a table of the script is assigned to");
    assert!(error.to_string().contains("this table is read-only"), "{error}");
}

#[test]
fn what_is_not_in_the_game_can_still_be_named_and_asked_about() {
    let script = format!("{READERS} procedure('show', {{}}, function(p, r) print(p, is_live(r)) end)");
    let game = game(&script).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert!(call(&game, "show", strangers()).1.is_ok());
    assert_eq!(game.host.printed(), ["gone.10\tfalse"]);
}

#[test]
fn a_piece_cannot_be_put_on_one_that_was_destroyed() {
    let gone = "local p = create('chit', nil, space '0505') destroy(p)";
    for verb in ["move('a', p)", "create('chit', nil, p)", "draw('deck', p)"] {
        refused(&format!("{gone} {verb}"), "this piece was destroyed");
    }
}

#[test]
fn scripts_that_load_have_no_game_to_look_at() {
    let mut wrong = Vec::new();
    for early in [
        "local x = game.vp",
        "local x = piece('a').level",
        "local x = piece('a').place",
        "local x = piece('a').moved",
        "local x = sides.red.chosen",
        "local x = pieces{}",
        "local x = pieces{ side = 'red' }",
        "local x = pieces{ at = '0501' }",
        "local x = pieces{ place = space '0501' }",
        "local x = space('0501').pieces",
        "local x = space('0501').count",
        "local x = space('0501').smoke",
        "local x = spaces{ smoke = 1 }",
        "local x = spaces{ empty = true }",
        "local x = spaces{}:pieces()",
        "local x = effect 'fog'",
        "local x = effects 'fog'",
        "local x = has_ever 'fog'",
        "game.vp = 1",
        "move('a', '0502')",
        "create('chit', nil, '0501')",
        "start_record 'fight'",
        "local x = ask('red', 'p', { among = { 1, 2 } })",
        "local x = around(piece 'a')",
        "local x = sight{ from = piece 'a', to = '0505' }",
    ] {
        let script = format!("\n{early}\nprocedure('main', {{}}, function() end)");
        let loaded = support::load(ATTRIBUTES, &support::hexes(&[]), &[("main.lua", &script)]);
        let said = loaded.err().map_or_else(
            || "it went through".to_string(),
            |errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        );
        if !said.contains("main.lua:2: ") || !said.contains("there is no game yet") {
            wrong.push(format!("{early}\n  {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn scripts_that_load_may_look_at_what_is_printed() {
    let script = "
        local a, hex = piece 'a', space '0501'
        print(a, hex, hex.terrain, row('a').strength, #spaces{ terrain = 'clear' }, distance('0501', '0503'))
        procedure('main', {}, function() print(a.place, a.level) end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(support::printed(&game), ["a\t0501\tclear\t3\t600\t2", "0501\t1"]);
}

//! Handles that were kept for too long: of pieces, records and effects that are gone.

mod support;

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

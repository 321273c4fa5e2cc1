//! Arguments that are wrong are refused with what was found, what was expected, and the nearest name.

mod support;

use support::{call, game};

/// What is said of a call.
fn said(call_text: &str) -> String {
    let script = format!(
        "procedure('probe', {{}}, function() {call_text} end)
        procedure('main', {{}}, function() return 'done' end)"
    );
    let game = game(&script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (_, result) = call(&game, "probe", Vec::new());
    result.err().map_or_else(|| panic!("`{call_text}` went through"), |error| error.to_string())
}

#[test]
fn wrong_arguments_are_refused() {
    for (text, expected) in [
        ("roll('x', 0)", "argument `sides` of `roll`: expected a number from 1 on, found 0"),
        ("rolls('x', -1)", "argument `n` of `rolls`: expected a number from 0 on, found -1"),
        ("step_up('a', -1)", "argument `n` of `step_up`: expected a number from 0 on, found -1"),
        ("move('a', '05011')", "argument `place` of `move`: there is no space or piece 05011; nearest: 0501"),
        (
            "schedule('probs', { on = 'turn.end' })",
            "argument `name` of `schedule`: no procedure probs; nearest: probe",
        ),
        ("ask('rde', 'p', { among = { 1, 2 } })", "ask: `rde` is not a side; the sides are red, blue"),
        ("roll('x', 2^40)", "is not a whole number; use // to divide, and no ^"),
        ("distance('0501', '9999')", "no space 9999 on this map"),
        ("pieces(5)", "a filter is a table such as { side = \"red\", moved = false }; found 5"),
        ("move(pieces{}, '0501')", "argument `piece` of `move`: expected a piece, found a list"),
        ("piece('a').level = 7", "`level`: expected 1 to 1, found 7"),
        ("piece('a').facing = 'up'", "`facing`: expected 0 to 5 or nil, found \"up\""),
        ("pieces{ at = '05011' }", "filter `at`: no space 05011 on this map; nearest: 0501"),
        ("pieces{ kind = 'unitt' }", "filter `kind`: no kind of pieces is called unitt; nearest: unit"),
        ("pieces{ type = { 'a', 'bb' } }", "filter `type`: no row is called bb; nearest: b"),
        ("spaces{ kind = 'hexx' }", "filter `kind`: no kind of spaces is called hexx; nearest: hex"),
        ("spaces{}:has('0501')", "this list holds spaces; found \"0501\"; write space \"0501\""),
        ("pieces{}:minus{ 'a' }", "this list holds pieces; found \"a\"; write piece \"a\""),
        ("spaces{}:plus{ 501 }", "this list holds spaces; found 501; write space \"501\""),
        ("draw('deck', '0501', -1)", "argument `n` of `draw`: expected a number from 0 on, found -1"),
        ("call(5)", "call: expected the name of a procedure, found 5"),
        ("emit()", "emit: expected the name of an event, found nothing"),
        ("menu('red', 'm', 5)", "menu: expected a table for what the menu is about, found 5"),
        ("for k in pairs(5) do end", "pairs: expected a table, found 5"),
        ("distnace('0501', '0502')", "there is no global `distnace`; nearest: distance"),
        ("together(5)", "together: expected a table of sides and functions, found 5"),
        ("together { green = function() end }", "together: \"green\" is not a side; the sides are red, blue"),
        ("around(spaces{}, { 'rivr' })", "no border has the feature rivr"),
        ("around(spaces{}, { barrier = { 'river' } })", "expected a list of names of border features"),
        ("rows 'units'", "argument `kind` of `rows`: no kind of pieces is called units; nearest: unit"),
        ("end_game{ winer = 'red' }", "argument `how` of `end_game`: there is no `winer`; nearest: winner"),
        ("end_game{ winner = 'green' }", "winner: `green` is not a side; the sides are red, blue"),
        (
            "together { red = function() return together { blue = function() end } end }",
            "asks that side alone",
        ),
        (
            "match({ 1 }, function() return { 2 } end, function() return 'much' end)",
            "it must give a whole number",
        ),
        ("schedule('main', { on = 'x', times = -2 })", "`times`: expected a number from 0 on, found -2"),
        ("end_effect(5)", "expected an effect, or the name of one"),
        ("together { red = 5 }", "together: expected a function for red, found 5"),
    ] {
        let error = said(text);
        assert!(error.contains(expected), "{text}\n  expected: {expected}\n  said: {error}");
    }
}

#[test]
fn a_branch_of_a_simultaneous_decision_only_asks() {
    for verb in ["game.vp = 1", "move('a', '0502')", "roll 'x'", "log 'I have decided'", "start_effect 'fog'"]
    {
        let error = said(&format!("together {{ red = function() {verb} end }}"));
        assert!(error.contains("part of `together` may only ask"), "{verb}: {error}");
    }
}

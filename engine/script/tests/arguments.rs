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
        ("ask('rde', 'p', { among = { 1, 2 } })", "ask: `rde` is no side; the sides are red, blue"),
        ("roll('x', 2^40)", "is not a whole number; use // to divide, and no ^"),
        ("distance('0501', '9999')", "no space 9999 on this map"),
    ] {
        let error = said(text);
        assert!(error.contains(expected), "{text}\n  expected: {expected}\n  said: {error}");
    }
}

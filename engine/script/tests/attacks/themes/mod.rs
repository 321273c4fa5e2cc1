//! The attacks, theme by theme.

mod asking;
mod effort;
mod errors;
mod escapes;
mod handles;
mod lengths;
mod loading;
mod memory;
mod source;
mod stack;
mod states;
mod texts;

/// What must come of an attack.
#[derive(Clone, Copy, Debug)]
pub enum Outcome {
    /// It is stopped with an error that holds these words.
    Stopped(&'static str),
    /// Its scripts are not loaded; the error holds these words.
    Refused(&'static str),
    /// It runs to its end, does nothing it may not do, and prints this line.
    Harmless(&'static str),
    /// It is stopped, or it runs to its end: that it breaks nothing is all that is asked.
    Contained,
}

/// One attack.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    pub name: &'static str,
    /// Why somebody would try it.
    pub reason: &'static str,
    /// What stands at the head of the script.
    pub head: &'static str,
    /// What the attack itself runs.
    pub body: &'static str,
    pub outcome: Outcome,
}

const fn attack(
    name: &'static str,
    reason: &'static str,
    head: &'static str,
    body: &'static str,
    outcome: Outcome,
) -> Attack {
    Attack { name, reason, head, body, outcome }
}

/// All of them.
pub fn all() -> Vec<Attack> {
    [
        stack::ATTACKS,
        source::ATTACKS,
        lengths::ATTACKS,
        effort::ATTACKS,
        memory::ATTACKS,
        handles::ATTACKS,
        states::ATTACKS,
        asking::ATTACKS,
        escapes::ATTACKS,
        errors::ATTACKS,
        texts::ATTACKS,
        loading::ATTACKS,
    ]
    .concat()
}

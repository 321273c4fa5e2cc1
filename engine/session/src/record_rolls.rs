//! The rolls of a record beside those that its seed gives.
//!
//! Dice derive from the seed, so a record can be held against them: a roll that it has otherwise, or not at all, or that nobody
//! made, was put there by a change of rules in the middle of the game, by an edit, or by hand.

use crate::flow;
use crate::record::Line;
use crate::session::Session;
use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_kernel::symbol::{Sym, stable_hash};
use sandtable_script::Change;
use std::fmt;

/// A roll that a record has otherwise than its seed gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddRoll {
    /// The number of choices made before it.
    pub choices: usize,
    /// What for.
    pub label: String,
    /// What the record has; nothing if the line is missing.
    pub recorded: Option<u32>,
    /// What the seed gives; nothing if no such roll is made.
    pub given: Option<u32>,
}

impl fmt::Display for OddRoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = crate::replay::short(&self.label);
        match self.choices {
            0 => write!(f, "roll {label} before choice 1: ")?,
            n => write!(f, "roll {label} after choice {n}: ")?,
        }
        match self.recorded {
            Some(value) => write!(f, "the record has {value}, ")?,
            None => write!(f, "the record has none, ")?,
        }
        match self.given {
            Some(value) => write!(f, "the seed gives {value}"),
            None => write!(f, "and no such roll is made"),
        }
    }
}

/// Compares the lines of a record, up to the choices that a session made, with what the seed gives that session.
pub(crate) fn odd_rolls(session: &Session, lines: &[Line]) -> Vec<OddRoll> {
    let game = session.game.clone();
    let cx = game.host.cx();
    let given: Vec<(String, u32)> =
        rolls_of_seed(session).into_iter().map(|(label, value)| (cx.text(label), value)).collect();
    let choices = session.answers.iter().filter(|recorded| !recorded.answer.forced);
    let ends = choices.map(|recorded| recorded.rolls).chain([given.len()]);
    let mut recorded = between_choices(lines).into_iter();
    let (mut odd, mut from) = (Vec::new(), 0);
    for (choices, end) in ends.enumerate() {
        // Dice of one label come in order; between labels the order is the scripts' own business.
        let mut left: Vec<(String, u32)> = given.get(from..end).unwrap_or_default().to_vec();
        from = end.max(from);
        for (label, value) in recorded.next().unwrap_or_default() {
            let at = left.iter().position(|(other, _)| *other == label);
            let given = at.map(|at| left.remove(at).1);
            if given != Some(value) {
                odd.push(OddRoll { choices, label, recorded: Some(value), given });
            }
        }
        odd.extend(left.into_iter().map(|(label, value)| OddRoll {
            choices,
            label,
            recorded: None,
            given: Some(value),
        }));
    }
    odd
}

/// The rolls of a record before its first choice, after that, after the second and so on.
fn between_choices(lines: &[Line]) -> Vec<Vec<(String, u32)>> {
    let mut rolls = vec![Vec::new()];
    for line in lines {
        match line {
            Line::Answer(answer) if answer.digest.is_some() => rolls.push(Vec::new()),
            Line::Answer(_) | Line::Edit(_) => {}
            Line::Roll { label, value } => rolls.last_mut().into_iter().for_each(|last| {
                last.push((label.clone(), *value));
            }),
        }
    }
    rolls
}

/// What the seed gives for every roll that a session made.
fn rolls_of_seed(session: &Session) -> Vec<(Sym, u32)> {
    let cx = session.game.host.cx();
    let sides = session.play.changes.iter().filter_map(|change| match change {
        Change::Roll { sides, .. } => Some(*sides),
        _ => None,
    });
    let mut given = Vec::with_capacity(session.rolls.len());
    for (at, (&(label, _), sides)) in session.rolls.iter().zip(sides).enumerate() {
        let step = session.steps.iter().rfind(|step| step.rolls <= at);
        let Some(step) = step else { continue };
        let before = session.rolls.get(step.rolls..at).unwrap_or_default();
        let key = DiceKey {
            seed: session.play.seed,
            path: flow::path_hash(&session.game.definition.sequence, &step.frames),
            label: stable_hash(&cx.text(label)),
            ordinal: before.iter().filter(|roll| roll.0 == label).count() as u32,
        };
        given.push((label, Dice::new(key).die(sides)));
    }
    given
}

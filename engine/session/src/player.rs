//! The random player: any legal answer, each option equally likely, from a seed of its own.

use crate::session::{Session, SessionError};
use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_kernel::selection;
use sandtable_script::{Choice, Offered};

/// A player that chooses at random.
#[derive(Clone)]
pub struct RandomPlayer {
    dice: Dice,
}

impl RandomPlayer {
    /// A player whose choices derive from `seed`.
    pub fn new(seed: u64) -> RandomPlayer {
        RandomPlayer { dice: Dice::new(DiceKey { seed, path: 1, label: 2, ordinal: 3 }) }
    }

    /// Answers one of the decisions owed.
    pub fn play(&mut self, session: &mut Session) -> Result<(), SessionError> {
        let count = session.decisions().len();
        let which = if count > 1 { self.dice.below(count as u32) as usize } else { 0 };
        self.play_for(session, which)
    }

    /// Answers decision number `which` of those owed.
    pub fn play_for(&mut self, session: &mut Session, which: usize) -> Result<(), SessionError> {
        let choice = self.choose(session, which)?;
        session.answer(which, &choice)
    }

    /// Any answer to decision number `which`.
    pub fn choose(&mut self, session: &mut Session, which: usize) -> Result<Choice, SessionError> {
        any_choice(session, which, &mut |n| self.dice.below(n))
    }
}

/// Any answer to decision number `which`, each option equally likely.
pub fn any_choice(
    session: &mut Session,
    which: usize,
    pick: &mut dyn FnMut(u32) -> u32,
) -> Result<Choice, SessionError> {
    session.wake()?;
    let Some(decision) = session.decisions().get(which) else { return Err(SessionError::Over) };
    let Offered::List(options) = &decision.offered else {
        let offered = decision.offered.clone();
        return any_selection(session, &offered, pick);
    };
    let at = pick(options.len() as u32) as usize;
    options.get(at).map(|&opt| Choice::One(opt)).ok_or(SessionError::Over)
}

fn any_selection(
    session: &mut Session,
    offered: &Offered,
    pick: &mut dyn FnMut(u32) -> u32,
) -> Result<Choice, SessionError> {
    let Offered::Selection { values, items, bounds, test, proof } = offered else {
        return Err(SessionError::Over);
    };
    // A random order of items, so that the first in the list are not always the ones taken.
    let mut order: Vec<usize> = (0..items.len()).collect();
    crate::deal::shuffle(&mut order, pick);
    let shuffled: Vec<selection::Item> = order.iter().map(|&at| items[at]).collect();
    let unshuffled = |chosen: &[u32]| {
        let mut counts = vec![0; chosen.len()];
        for (&at, &n) in order.iter().zip(chosen) {
            counts[at] = n;
        }
        counts
    };
    let mut error = None;
    let found = session.look(|host| {
        selection::complete(&shuffled, bounds, &mut |_, most| pick(most.saturating_add(1)), &mut |chosen| {
            host.passes(values, &unshuffled(chosen), test.as_ref()).unwrap_or_else(|why| {
                error = Some(why);
                true
            })
        })
    });
    if let Some(error) = error {
        return Err(error.into());
    }
    let counts = found.found().map_or_else(|| proof.clone(), |chosen| unshuffled(&chosen));
    let chosen = values.iter().zip(counts).filter(|(_, n)| *n > 0).map(|(&val, n)| (val, n));
    Ok(Choice::Many(chosen.collect()))
}

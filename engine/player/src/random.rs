//! The random player: any legal answer, each option equally likely.

use crate::lot::Lot;
use crate::{Chosen, Player, Stop, Why};
use sandtable_session::{Session, SessionError, any_choice};

/// A player that chooses at random.
pub struct Random {
    seed: u64,
}

impl Random {
    /// One whose choices derive from `seed`.
    pub fn new(seed: u64) -> Random {
        Random { seed }
    }
}

impl Player for Random {
    fn choose(&mut self, session: &mut Session, which: usize, _stop: &Stop) -> Result<Chosen, SessionError> {
        let Some(decision) = session.decisions().get(which) else { return Err(SessionError::Over) };
        let mut lot = Lot::new(self.seed, decision.side.0, session);
        let choice = any_choice(session, which, &mut |n| lot.below(n))?;
        Ok(Chosen { choice, why: Why::default() })
    }
}

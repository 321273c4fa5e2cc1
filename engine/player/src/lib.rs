//! Computer players: they know no game, keep to what their side may know, and play every game that loads.
//!
//! A player tries answers in the game itself and takes them back ([`sandtable_session::Thought`]), in worlds that its side may
//! believe in and with dice of its own, and values what comes of them by what the game says that the side wants (its `outlook`). How long it
//! thinks is a number of answers that it may try, never a time, and what it draws by lot depends on its seed, its seat and the
//! number of the answer alone: the same game is played again to the same end.

mod greedy;
mod level;
mod lot;
mod mind;
mod options;
mod random;
mod search;
mod why;

pub use level::{Level, LevelError};
pub use random::Random;
pub use why::{TermShare, Why};

use sandtable_script::Choice;
use sandtable_session::{Session, SessionError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a player answers, and why.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The answer.
    pub choice: Choice,
    /// Why it was chosen.
    pub why: Why,
}

/// A sign by which somebody else, on another thread, asks a player to answer at once.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks for the best answer found so far.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked for.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Somebody who answers decisions for a side.
pub trait Player: Send {
    /// Chooses an answer to decision number `which` of those owed. The game is afterwards as it was.
    fn choose(&mut self, session: &mut Session, which: usize, stop: &Stop) -> Result<Chosen, SessionError>;

    /// Wants to know why from now on: what it says of its choices costs a little.
    fn explain(&mut self, _wanted: bool) {}
}

//! The greedy player: the answer that looks best when the step is over.

use crate::search::{Plan, Searcher};
use crate::{Chosen, Player, Stop};
use sandtable_session::{Session, SessionError};

/// A player that looks to the end of the step.
pub struct Greedy(Searcher);

impl Greedy {
    /// One that tries each answer so many times.
    pub fn new(seed: u64, samples: u32) -> Greedy {
        Greedy(Searcher::new(seed, Plan::greedy(samples)))
    }
}

impl Player for Greedy {
    fn choose(&mut self, session: &mut Session, which: usize, stop: &Stop) -> Result<Chosen, SessionError> {
        self.0.choose(session, which, stop)
    }

    fn explain(&mut self, wanted: bool) {
        self.0.explain(wanted);
    }
}

//! Looks at earlier moments of a game, without taking anything back.

use crate::flow::Frame;
use crate::session::Session;
use crate::{begin, edit};
use sandtable_script::{Host, Play};

impl Session {
    /// Looks at the game as it stood before answer number `to`, with the position of then in the VM.
    pub fn at<T>(&self, to: usize, f: impl FnOnce(&Host) -> T) -> Option<T> {
        let recorded = self.answers.get(to)?;
        let changes = self.play.changes.get(..recorded.changes).unwrap_or_default().iter().cloned().collect();
        let mut past = Box::new(Play { state: self.play.state.clone(), changes, ..Play::default() });
        past.state.revert(recorded.mark);
        let game = self.game.clone();
        Some(game.host.during(&mut past, || f(&game.host)))
    }

    /// Where the walk through the sequence of play was when answer number `to` was given: the nodes, outermost first.
    pub fn frames_at(&self, to: usize) -> &[Frame] {
        self.steps.iter().rfind(|step| step.answers <= to).map_or(&[], |step| &step.frames)
    }

    /// How many changes there were when the step under way began.
    pub fn changes_before_step(&self) -> usize {
        self.steps.last().map_or(0, |step| step.mark.1)
    }

    /// Looks at the game as it stood when the step began in which answer number `to` is given: the place in the sequence of play
    /// as scenarios write it, and how many answers came before.
    pub(crate) fn at_step<T>(&self, to: usize, f: impl FnOnce(&Host, &str, usize) -> T) -> Option<T> {
        let step = self.steps.iter().rfind(|step| step.answers <= to)?;
        let mut past = Box::new(Play { state: self.play.state.clone(), ..Play::default() });
        past.state.revert(step.mark.0);
        for line in &step.edits {
            // They could be followed when the step began.
            let _ = edit::apply(self.game.host.cx(), &mut past, line);
        }
        let place = begin::write(&self.game.definition.sequence, &step.frames, &step.task, step.done);
        let game = self.game.clone();
        Some(game.host.during(&mut past, || f(&game.host, &place, step.answers)))
    }

    /// The digest by names of the position that [`crate::export::scenario`] writes, and how many answers came before it.
    pub fn digest_at_step(&self, to: usize) -> Option<(u64, usize)> {
        self.at_step(to, |host, _, before| (self.game.digest(&host.cx().play.borrow().state), before))
    }
}

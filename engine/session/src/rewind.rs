//! Taking back: the step that holds an answer is put back to its beginning and run again up to it.

use crate::session::{Recorded, Session, SessionError, Status, Step};
use sandtable_kernel::state::Mark;
use sandtable_kernel::symbol::Sym;
use sandtable_script::{Answer, ScriptError};

impl Session {
    /// Takes back everything from answer number `to` on. `lift` ignores rolls and reveals in between.
    pub fn undo(&mut self, to: usize, lift: bool) -> Result<(), SessionError> {
        if to >= self.answers.len() {
            return Err(SessionError::NoAnswer(to));
        }
        if !lift && self.answers[to..].iter().any(|recorded| recorded.barrier) {
            return Err(SessionError::Barrier(to));
        }
        self.rewind(to)
    }

    /// The first answer of the action under way: of the step of the sequence that has not yet ended, if it was answered.
    ///
    /// `undo` to it cancels the action with everything that was decided in it.
    pub fn action(&self) -> Option<usize> {
        let first = self.step_answers();
        let given = self.answers.get(first..)?.iter().position(|recorded| !recorded.answer.forced)?;
        Some(first + given)
    }

    /// Takes back one answer with what was decided in the same action after it, and keeps the actions that followed, as far as they
    /// are still legal. In a simultaneous decision only what the same side answered goes.
    ///
    /// Gives the number of later choices that were given again, and why the next could not be, if one could not.
    pub fn retract(&mut self, at: usize, lift: bool) -> Result<(usize, Option<SessionError>), SessionError> {
        let Some(taken) = self.answers.get(at).cloned() else { return Err(SessionError::NoAnswer(at)) };
        let end = self.steps.iter().map(|step| step.answers).find(|&answers| answers > at);
        let stays = |(number, later): &(usize, &Recorded)| {
            let own = !taken.simultaneous || later.answer.side == taken.answer.side;
            !later.answer.forced && (end.is_some_and(|end| *number >= end) || !own)
        };
        let later = self.answers.iter().enumerate().skip(at + 1).filter(stays);
        let later: Vec<Answer> = later.map(|(_, later)| later.answer.clone()).collect();
        self.undo(at, lift)?;
        for (kept, answer) in later.iter().enumerate() {
            let Some(which) = self.asked_again(answer) else {
                return Ok((kept, Some(SessionError::NotAsked)));
            };
            if let Err(error) = self.answer(which, &answer.choice) {
                return Ok((kept, Some(error)));
            }
        }
        Ok((later.len(), None))
    }

    /// The number of the last answer that was a choice, not a forced one.
    pub fn last_choice(&self) -> Option<usize> {
        self.answers.iter().rposition(|recorded| !recorded.answer.forced)
    }

    /// Goes back to the moment before answer number `to`, running only the step it belongs to again.
    pub(crate) fn rewind(&mut self, to: usize) -> Result<(), SessionError> {
        let at = self.steps.iter().rposition(|step| step.answers <= to).unwrap_or(0);
        let Some(step) = self.steps.get(at).cloned() else { return Ok(()) };
        let again: Vec<Recorded> = self.answers.get(step.answers..to).unwrap_or_default().to_vec();
        let rolls = self.rolls_again(&step, to);
        self.return_to(at, &step, &rolls, &again)
    }

    /// Goes back to the moment in a step that these answers led to.
    pub(crate) fn return_to(
        &mut self,
        at: usize,
        step: &Step,
        rolls: &[(Sym, u32)],
        again: &[Recorded],
    ) -> Result<(), SessionError> {
        let to = step.answers + again.len();
        // Branches of a simultaneous decision cannot be fed: their answers come in the order of time, not of asking.
        if !again.iter().any(|recorded| recorded.simultaneous) {
            self.restore(at, step, rolls);
            self.edits.clone_from(&step.edits);
            self.play.feed = again.iter().map(|recorded| recorded.answer.choice.clone()).collect();
            let result = self.inside(|session, host| session.start(host, step.task.clone()));
            let unused = std::mem::take(&mut self.play.feed).len();
            let came = self.answers.get_mut(step.answers..to).unwrap_or_default();
            if result.is_ok()
                && unused == 0
                && came.len() == again.len()
                && came.iter().zip(again).all(|(a, b)| a.agrees(b))
            {
                // What followed each answer is known from the first time; this run did not stop at them.
                came.clone_from_slice(again);
                return Ok(());
            }
        }
        let result = self.run_again((at, step), rolls, again, to);
        match result {
            // Other sessions may have filled the VM; in a new one there is as much room as the first time.
            Err(error) if error.is_fatal() => self.run_again((at, step), rolls, again, to),
            other => other,
        }
        .map_err(SessionError::Script)
    }

    /// Runs a step again from its beginning, giving its answers one by one, up to answer number `to`.
    fn run_again(
        &mut self,
        (at, step): (usize, &Step),
        rolls: &[(Sym, u32)],
        again: &[Recorded],
        to: usize,
    ) -> Result<(), ScriptError> {
        self.restore(at, step, rolls);
        self.edits.clone_from(&step.edits);
        self.inside(|session, host| {
            session.start(host, step.task.clone())?;
            while session.answers.len() < to {
                let next = &again[session.answers.len() - step.answers];
                let answer = next.answer.clone();
                let pending = host.cx().play.borrow_mut().take_pending(|decision| decision.fits(&answer));
                let Some(decision) = pending else {
                    return Err(ScriptError::new(
                        "the same answers led to another decision: the scripts hold hidden state",
                    ));
                };
                session.give(host, &decision, &answer.choice)?;
            }
            Ok(())
        })
    }

    /// The rolls that a step must give again: those made before answer number `to`, then what was forced and not used.
    pub(crate) fn rolls_again(&self, step: &Step, to: usize) -> Vec<(Sym, u32)> {
        let end = self.answers.get(to).map_or(self.rolls.len(), |recorded| recorded.rolls);
        let mut rolls = self.rolls.get(step.rolls..end.max(step.rolls)).unwrap_or_default().to_vec();
        let mut left = step.forced.clone();
        for (label, _) in &rolls {
            if let Some(at) = left.iter().position(|forced| forced.0 == *label) {
                left.remove(at);
            }
        }
        rolls.append(&mut left);
        rolls
    }

    /// Puts everything back to the beginning of a step.
    pub(crate) fn restore(&mut self, at: usize, step: &Step, rolls: &[(Sym, u32)]) {
        self.restore_to(at, step, rolls, step.mark);
    }

    /// The same with the state of another point, at which the step could have begun.
    pub(crate) fn restore_to(&mut self, at: usize, step: &Step, rolls: &[(Sym, u32)], mark: (Mark, usize)) {
        self.steps.truncate(at);
        self.answers.truncate(step.answers);
        self.rolls.truncate(step.rolls);
        self.frames.clone_from(&step.frames);
        self.done = step.done;
        self.running = None;
        self.status = Status::Asking;
        self.play.revert(mark);
        self.play.ended = None;
        self.play.barrier = false;
        self.play.feed.clear();
        self.play.pending.clear();
        self.play.roll_feed = rolls.to_vec();
    }

    /// Makes the decisions owed good again if the VM was thrown away since they were asked: the step under way runs again in the
    /// new one. Whoever takes a decision out of a session that shares its game calls this before.
    pub fn wake(&mut self) -> Result<(), SessionError> {
        if !self.running.as_ref().is_some_and(|running| self.game.host.is_gone(running)) {
            return Ok(());
        }
        let mut again = self.fork()?;
        again.script = self.script.take();
        (again.play.strict, again.play.ask_forced) = (self.play.strict, self.play.ask_forced);
        *self = again;
        Ok(())
    }

    /// Another session at the same point, which goes its own way.
    pub fn fork(&self) -> Result<Session, SessionError> {
        let mut fork = self.copied();
        // A coroutine cannot be copied: the step under way runs again.
        if self.status == Status::Asking {
            fork.rewind(self.answers.len())?;
        }
        Ok(fork)
    }
}

//! Thinking ahead: answers are tried in the game itself and taken back, in a world that a side may believe in and with dice of its own.
//!
//! A trial goes back to the beginning of the step under way and runs it once more with the answers that were given, then the one
//! that is tried: neither is a copy made nor is a list of options built that is known already. When the thought ends, however it
//! does, the game is as it was.

use crate::answering::may_take;
use crate::deal;
use crate::session::{Recorded, Session, SessionError, Status, Step};
use crate::view::Viewer;
use sandtable_kernel::state::Mark;
use sandtable_kernel::symbol::Sym;
use sandtable_script::{Answer, Change, Choice, Decision, Offered, ScriptError, Touched};
use std::rc::Rc;

/// The moment to which every trial goes back.
struct Moment {
    /// Number of the step, and what is known of its beginning.
    at: usize,
    step: Step,
    /// The answers of the step as they were given.
    given: Vec<Recorded>,
    /// The rolls of the step as they fell.
    rolls: Vec<(Sym, u32)>,
}

/// What is believed at the moment: the state at the beginning of the step, and the answers that led from there to it.
struct Belief {
    mark: (Mark, usize),
    answers: Vec<Answer>,
    /// Whether the answers can be given all at once, with the dice of a trial in force from the beginning.
    fed: bool,
}

/// A game that is being thought about; it is put back when this is dropped.
pub struct Thought<'a> {
    session: &'a mut Session,
    moment: Moment,
    belief: Rc<Belief>,
    /// The decision that is thought about.
    decision: Decision,
    which: usize,
    seed: u64,
    /// Whether anything ran: the game has to be put back.
    moved: bool,
    before: Before,
    /// Answers that were tried.
    tried: u64,
}

/// What the game keeps apart from its state that a trial must not touch.
struct Before {
    fired: Vec<u64>,
    touched: Option<Touched>,
    script: Option<Rc<[crate::record::AnswerLine]>>,
}

/// What a trial came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Somebody is asked.
    Asking,
    /// The game ended.
    Ended,
}

impl Session {
    /// Begins to think about decision number `which`. Nothing if it is not asked.
    ///
    /// Until a world is dealt ([`Thought::deal`]) trials see the world as it is, which is right only where nothing is hidden.
    pub fn think(&mut self, which: usize) -> Option<Thought<'_>> {
        self.wake().ok()?;
        let decision = self.decisions().get(which)?.clone();
        let (at, step) = (self.steps.len().checked_sub(1)?, self.steps.last()?.clone());
        let given = self.answers.get(step.answers..)?.to_vec();
        let rolls = self.rolls_again(&step, self.answers.len());
        let belief = Rc::new(Belief {
            mark: step.mark,
            answers: given.iter().map(|recorded| recorded.answer.clone()).collect(),
            fed: self.can_be_fed(&step) && decision.branch == 0,
        });
        let before = Before {
            fired: {
                let registry = self.game.host.cx().registry.borrow();
                registry.handlers.iter().map(|handler| handler.fired.get()).collect()
            },
            touched: self.game.host.cx().touched.take(),
            script: self.script.take(),
        };
        let seed = self.play.seed;
        let moment = Moment { at, step, given, rolls };
        Some(Thought { session: self, moment, belief, decision, which, seed, moved: false, before, tried: 0 })
    }

    /// Whether the answers of the step under way can be given at once under other dice: a shuffle before the moment would come
    /// out differently, and branches answer in the order of time.
    fn can_be_fed(&self, step: &Step) -> bool {
        let since = self.play.changes.get(step.mark.1..).unwrap_or_default();
        let answers = self.answers.get(step.answers..).unwrap_or_default();
        !since.iter().any(|change| matches!(change, Change::Shuffle(_)))
            && !answers.iter().any(|recorded| recorded.simultaneous)
    }
}

impl Thought<'_> {
    /// The decision that is thought about.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The game as the last trial left it.
    pub fn session(&self) -> &Session {
        self.session
    }

    /// The same, to look at it with scripts.
    pub fn session_mut(&mut self) -> &mut Session {
        self.session
    }

    /// How many answers were tried.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Deals a world that the side may believe in: what it cannot see lies in another order, and what others answered in secret
    /// in the step under way is answered anew, both by `pick` and by nothing hidden. False if no such world leads to this
    /// decision; the next trial then sees what was believed before.
    pub fn deal(&mut self, pick: &mut dyn FnMut(u32) -> u32) -> bool {
        let viewer = Viewer::Side(self.decision.side);
        let dealt = self.dealt(viewer, pick);
        if let Some(belief) = dealt {
            self.belief = Rc::new(belief);
            return true;
        }
        false
    }

    fn dealt(&mut self, viewer: Viewer, pick: &mut dyn FnMut(u32) -> u32) -> Option<Belief> {
        // What was seen meanwhile is judged by what truly happened.
        self.put_back().ok()?;
        let secret = deal::secret_answers(self.session, viewer, &self.moment.given);
        let world = self.session.game.definition.world.clone();
        let unseen = deal::Shown::since(self.session, viewer, self.moment.step.mark.1);
        self.moved = true;
        let Moment { at, step, rolls, .. } = &self.moment;
        self.session.restore(*at, step, rolls);
        self.session.play.seed = self.seed;
        deal::deal(&world, &mut self.session.play.state, viewer, &unseen, pick);
        let mark = (self.session.play.state.mark(), step.mark.1);
        let first = step.answers;
        let any_secret = secret.iter().any(|&secret| secret);
        let mut belief = Belief {
            mark,
            answers: self.moment.given.iter().map(|recorded| recorded.answer.clone()).collect(),
            fed: self.belief.fed && !any_secret,
        };
        let run = if any_secret {
            self.answer_anew(&belief, &secret, pick)
        } else {
            self.run(&belief).map_err(SessionError::Script)
        };
        run.ok()?;
        let came = self.session.answers.get(first..)?;
        let same = came.len() == belief.answers.len()
            && came.iter().zip(&belief.answers).zip(secret.iter().chain(std::iter::repeat(&false))).all(
                |((came, given), &secret)| {
                    let (a, b) = (&came.answer, given);
                    a.side == b.side && a.prompt == b.prompt && (secret || a.choice == b.choice)
                },
            );
        if !same || !self.asks_the_same() {
            return None;
        }
        belief.answers = came.iter().map(|recorded| recorded.answer.clone()).collect();
        belief.fed = self.session.can_be_fed(&self.moment.step) && self.decision.branch == 0;
        Some(belief)
    }

    /// Whether the decision that is thought about is owed, with the same options.
    fn asks_the_same(&self) -> bool {
        let Some(asked) = self.session.decisions().get(self.which) else { return false };
        let same = match (&asked.offered, &self.decision.offered) {
            (Offered::List(a), Offered::List(b)) => a == b,
            (
                Offered::Selection { values: a, items: x, bounds: m, .. },
                Offered::Selection { values: b, items: y, bounds: n, .. },
            ) => a == b && x == y && m == n,
            _ => false,
        };
        same && asked.side == self.decision.side && asked.prompt == self.decision.prompt
    }

    /// Runs the step again, giving secret answers of others anew.
    fn answer_anew(
        &mut self,
        belief: &Belief,
        secret: &[bool],
        pick: &mut dyn FnMut(u32) -> u32,
    ) -> Result<(), SessionError> {
        let (first, edits) = (self.moment.step.answers, self.moment.step.edits.clone());
        self.session.edits = edits;
        let task = self.moment.step.task.clone();
        self.session.inside(|session, host| session.start(host, task))?;
        while let Some(at) = self.session.answers.len().checked_sub(first)
            && let Some(given) = belief.answers.get(at)
        {
            let Some(which) = self.session.asked_again(given) else { return Err(SessionError::NotAsked) };
            let choice = if secret.get(at).copied().unwrap_or(false) {
                crate::player::any_choice(self.session, which, pick)?
            } else {
                given.choice.clone()
            };
            let decision = &self.session.decisions()[which];
            if !may_take(decision, &choice) {
                return Err(SessionError::NotAsked);
            }
            let decision = self.session.play.pending.remove(which);
            self.session.inside(|session, host| session.give(host, &decision, &choice))?;
        }
        Ok(())
    }

    /// Puts the session to the beginning of the step as it is believed to have been.
    fn restore(&mut self, belief_mark: (Mark, usize)) {
        let Moment { at, step, rolls, .. } = &self.moment;
        self.session.restore_to(*at, step, rolls, belief_mark);
        self.session.edits.clone_from(&step.edits);
    }

    /// Runs the step to the moment, under the game's own seed, from where the state is.
    fn run(&mut self, belief: &Belief) -> Result<(), ScriptError> {
        self.session.edits.clone_from(&self.moment.step.edits);
        let task = self.moment.step.task.clone();
        let simultaneous = self.moment.given.iter().any(|recorded| recorded.simultaneous);
        if !simultaneous {
            self.session.play.feed = belief.answers.iter().map(|answer| answer.choice.clone()).collect();
            return self.session.inside(|session, host| session.start(host, task));
        }
        let first = self.moment.step.answers;
        self.session.inside(|session, host| {
            session.start(host, task)?;
            while let Some(answer) =
                session.answers.len().checked_sub(first).and_then(|at| belief.answers.get(at))
            {
                let pending = host.cx().play.borrow_mut().take_pending(|decision| decision.fits(answer));
                let Some(decision) = pending else {
                    return Err(ScriptError::new("the same answers led to another decision"));
                };
                session.give(host, &decision, &answer.choice)?;
            }
            Ok(())
        })
    }

    /// Tries answers to the decision, one after the other, with dice that come from `seed`; forced answers in between belong to
    /// `path`, as [`Thought::path`] gives them.
    pub fn trial(&mut self, seed: u64, path: &[Choice]) -> Result<Reached, SessionError> {
        self.moved = true;
        self.tried += 1;
        self.restore(self.belief.mark);
        if self.belief.fed {
            self.session.play.seed = seed;
            let given = self.belief.answers.iter().map(|answer| &answer.choice);
            self.session.play.feed = given.chain(path).cloned().collect();
            let task = self.moment.step.task.clone();
            self.session.inside(|session, host| session.start(host, task))?;
        } else {
            self.run_to_the_moment()?;
            self.session.play.seed = seed;
            let mut which = self.which;
            for choice in path {
                self.give(which, choice)?;
                which = 0;
            }
        }
        if !self.session.play.feed.is_empty() {
            self.session.play.feed.clear();
            return Err(SessionError::NotAsked);
        }
        Ok(self.reached())
    }

    /// Goes to the moment as it is believed to be, with the decision owed.
    pub fn rest(&mut self) -> Result<(), SessionError> {
        self.moved = true;
        self.restore(self.belief.mark);
        self.run_to_the_moment()
    }

    /// Runs the step from where it began to the moment.
    fn run_to_the_moment(&mut self) -> Result<(), SessionError> {
        self.session.play.seed = self.seed;
        let belief = self.belief.clone();
        Ok(self.run(&belief)?)
    }

    /// Plays on in the trial: answers decision number `which` of those owed now.
    pub fn answer(&mut self, which: usize, choice: &Choice) -> Result<Reached, SessionError> {
        self.tried += 1;
        self.give(which, choice)?;
        Ok(self.reached())
    }

    fn give(&mut self, which: usize, choice: &Choice) -> Result<(), SessionError> {
        if which >= self.session.decisions().len() {
            return Err(SessionError::Over);
        }
        let decision = self.session.play.pending.remove(which);
        self.session.inside(|session, host| session.give(host, &decision, choice))?;
        Ok(())
    }

    fn reached(&self) -> Reached {
        match self.session.status() {
            Status::Asking => Reached::Asking,
            Status::Ended(_) => Reached::Ended,
        }
    }

    /// The answers of the trial so far, forced ones included.
    pub fn path(&self) -> Vec<Choice> {
        let first = self.moment.step.answers + self.belief.answers.len();
        let since = self.session.answers.get(first..).unwrap_or_default();
        since.iter().map(|recorded| recorded.answer.choice.clone()).collect()
    }

    /// Whether the trial is still in the step of the decision.
    pub fn in_step(&self) -> bool {
        self.session.steps.len() == self.moment.at + 1
    }

    /// Puts the game back to where it was.
    fn put_back(&mut self) -> Result<(), SessionError> {
        if !std::mem::take(&mut self.moved) {
            return Ok(());
        }
        let Moment { at, step, given, rolls } = &self.moment;
        self.session.play.seed = self.seed;
        self.session.return_to(*at, step, rolls, given)
    }
}

impl Drop for Thought<'_> {
    fn drop(&mut self) {
        // The step was run before and can be run again; if not, giving an answer says why.
        let _ = self.put_back();
        self.session.script = self.before.script.take();
        let cx = self.session.game.host.cx();
        for (handler, fired) in cx.registry.borrow().handlers.iter().zip(&self.before.fired) {
            handler.fired.set(*fired);
        }
        if let Some(touched) = self.before.touched.take() {
            *cx.touched.borrow_mut() = Some(touched);
        }
    }
}

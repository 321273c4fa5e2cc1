//! What a step of play may use in all its answers together.
//!
//! A step is run again from its beginning when an answer in it is refused or taken back, and each answer has bounds of its own:
//! many costly ones in one step would make that take for ever. So the answers of a step share a multiple of what one may use.
//! What is spent is counted by the step that spends it; looks at a position count for nothing.

use crate::context::ScriptContext;
use crate::watchdog;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How many times what one answer may use all answers of a step may use together.
pub(crate) const STEP: u32 = 10;
/// How many times as much running the step again may take: queries that were answered from memory are worked out anew.
const AGAIN: u32 = 3;

/// What is not worth a look at how long a thread has worked.
const BRIEF: Duration = Duration::from_millis(1);

/// What a step has used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    instructions: u64,
    time: Duration,
}

/// What the present turn of the scripts does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Doing {
    /// It looks at a position.
    #[default]
    Looking,
    /// It gives a new answer to the step under way.
    Answering,
    /// It has begun a step, perhaps to run one again.
    Running,
}

/// Counts what steps use.
#[derive(Default)]
pub(crate) struct StepMeter {
    doing: Cell<Doing>,
    /// The budget when this was last settled.
    given: Cell<u64>,
    /// When the present part of a step began: by the clock, and by what this thread had worked until then.
    since: Cell<Option<(Instant, Duration)>>,
    /// Whether less was given than an answer may use, because of what its step used before: instructions, and time.
    cut: Cell<(bool, bool)>,
}

#[expect(clippy::disallowed_methods, reason = "a bound on time decides whether a script goes on, never how")]
fn now() -> Option<(Instant, Duration)> {
    Some((Instant::now(), watchdog::at_work()))
}

/// The time that this thread has worked since then. Waiting for a processor does not count, for a busy machine must not end a
/// sound game; what is over at once is taken by the clock, which is quicker to look at.
fn worked((begun, before): (Instant, Duration)) -> Duration {
    let passed = begun.elapsed();
    if passed < BRIEF { passed } else { watchdog::at_work().saturating_sub(before).min(passed) }
}

impl ScriptContext {
    /// A turn begins, of which it is not known yet what it does.
    pub(crate) fn begin_turn(&self) {
        self.step.doing.set(Doing::Looking);
    }

    /// Adds what was used since the last time to the step under way.
    pub(crate) fn settle(&self) {
        let StepMeter { doing, given, since, .. } = &self.step;
        let used = given.replace(self.budget.get()).saturating_sub(self.budget.get());
        if doing.get() == Doing::Looking {
            return;
        }
        let time = since.take().map_or(Duration::ZERO, worked);
        if let Ok(mut play) = self.play.try_borrow_mut() {
            play.used.instructions = play.used.instructions.saturating_add(used);
            play.used.time = play.used.time.saturating_add(time);
        }
    }

    /// Begins to count for the step under way again, after it was settled.
    pub(crate) fn count_on(&self) {
        if self.step.doing.get() != Doing::Looking {
            self.step.since.set(now());
        }
    }

    /// A step begins.
    pub(crate) fn begin_step(&self) {
        self.settle();
        self.step.doing.set(Doing::Running);
        self.step.since.set(now());
        self.play.borrow_mut().used = Used::default();
    }

    /// The step under way goes on with an answer: one that is new unless the step was begun in the same turn.
    pub(crate) fn go_on_with_step(&self) {
        if self.step.doing.get() == Doing::Looking {
            self.step.doing.set(Doing::Answering);
            self.step.since.set(now());
            self.bound_by_step();
        }
    }

    /// Cuts what was just given to what the step under way has left.
    pub(crate) fn bound_by_step(&self) {
        let (limit, time) = (self.limit.get(), self.time.get());
        let times = match self.step.doing.get() {
            Doing::Looking => 0,
            Doing::Answering => STEP,
            Doing::Running => STEP * AGAIN,
        };
        let used = self.play.try_borrow().map_or(Used::default(), |play| play.used);
        let (mut budget, mut left) = (limit, time);
        if times > 0 {
            budget = budget.min(limit.saturating_mul(times.into()).saturating_sub(used.instructions));
            left = left.min(time.saturating_mul(times).saturating_sub(used.time));
        }
        self.step.cut.set((budget < limit, left < time));
        self.step.given.set(budget);
        self.budget.set(budget);
        self.watched.allow(left);
    }

    /// What is said of scripts that have used up what they may.
    #[cold]
    pub(crate) fn used_up(&self, by_time: bool) -> String {
        let (limit, time) = (self.limit.get(), self.time.get());
        let (few, brief) = self.step.cut.get();
        match (by_time, if by_time { brief } else { few }) {
            (true, false) => watchdog::words(time),
            (false, false) => {
                format!("this ran more than {limit} instructions without an answer: an endless loop?")
            }
            (true, true) => format!(
                "the answers of this step took more than {:?} together; a step that takes so long ends sooner",
                time * STEP
            ),
            (false, true) => format!(
                "the answers of this step ran more than {} instructions together; a step that runs so long ends sooner",
                limit.saturating_mul(STEP.into())
            ),
        }
    }
}

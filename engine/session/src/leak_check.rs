//! Proof that nobody is told what he may not see: the same moment with hidden things exchanged must look the same.

use crate::answering::may_take;
use crate::hidden::{self, Unseen};
use crate::session::{Recorded, Session, SessionError, Status};
use crate::view::{self, Viewer};
use sandtable_kernel::state::{PieceId, State, TableId};
use sandtable_kernel::world::{SideId, World};
use sandtable_script::{Answer, Change, Choice, Decision, Host, Offered, Play, ScriptError};

/// How the answers of a step are given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// All at once: quicker, but what followed each is not known.
    Fed,
    /// One by one, each to the decision that it answers.
    Given,
}

/// What came of exchanging what a side cannot see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeakCheck {
    /// There is nothing hidden to exchange, or play itself went another way, as it may: somebody else is asked now.
    NotComparable,
    /// The side is told the same.
    Same,
    /// The side is told something else: before and after, at the first line that differs.
    Told(String, String),
}

impl Session {
    /// Compares what a viewer is told now with what they would be told if what they cannot see were otherwise, as [`Session::told`]
    /// puts it.
    pub fn leaks(
        &mut self,
        viewer: Viewer,
        pick: &mut dyn FnMut(u32) -> u32,
    ) -> Result<LeakCheck, SessionError> {
        self.leaks_by(viewer, pick, &mut |session| session.disclosure(viewer))
    }

    /// The same, with what `tell` says that a viewer is told.
    pub fn leaks_by(
        &mut self,
        viewer: Viewer,
        pick: &mut dyn FnMut(u32) -> u32,
        tell: &mut dyn FnMut(&mut Session) -> Result<Vec<String>, SessionError>,
    ) -> Result<LeakCheck, SessionError> {
        let others = self.lookalikes(viewer, pick);
        if others.is_empty() {
            return Ok(LeakCheck::NotComparable);
        }
        let told = tell(self)?;
        for mut other in others {
            let instead = tell(&mut other)?;
            if let Some(difference) = difference(&told, &instead) {
                return Ok(difference);
            }
        }
        Ok(LeakCheck::Same)
    }

    /// The same moment with other things hidden: the present step is run again with pieces exchanged, or attributes changed, that
    /// a viewer could not see at its beginning, now, or in between; where several sides answer at once, with another answer of
    /// another side. Only those in which everybody is asked the same as here.
    pub fn lookalikes(&mut self, viewer: Viewer, pick: &mut dyn FnMut(u32) -> u32) -> Vec<Session> {
        let secret =
            self.answers.get(self.step_answers()..).unwrap_or_default().iter().any(|r| r.simultaneous);
        if secret {
            return self.answered_otherwise(viewer, pick).into_iter().collect();
        }
        let mut found = Vec::new();
        for attributes in [false, true] {
            let change = if attributes { hidden::scramble_attributes } else { hidden::scramble };
            let exchange = |world: &World, state: &mut State, unseen: &Unseen<'_>| {
                change(world, state, viewer, unseen, pick) > 0
            };
            let Some(mut other) = self.otherwise(viewer, Pace::Given, exchange) else { continue };
            // What happens may well depend on a hidden value, and show it: then play has gone another way.
            if !attributes || self.course(viewer) == other.course(viewer) {
                found.push(other);
            }
        }
        found
    }

    /// What a viewer saw happen in the present step: what moved, turned or changed, not what was said of it.
    fn course(&mut self, viewer: Viewer) -> Vec<String> {
        let since = self.steps.last().map_or(0, |step| step.mark.1);
        self.look(|host| {
            let cx = host.cx();
            let changes: Vec<Change> = cx.play.borrow().changes.iter().skip(since).cloned().collect();
            let happened =
                changes.iter().filter(|change| !matches!(change, Change::Log(..) | Change::Number { .. }));
            happened.filter_map(|change| view::seen_change(cx, viewer, change)).collect()
        })
    }

    /// The session as it would be if things that the viewer has not seen had been others since the step under way began.
    /// `change` makes them others, and says whether any are. Nothing if play goes another way then.
    pub(crate) fn otherwise(
        &self,
        viewer: Viewer,
        pace: Pace,
        change: impl FnOnce(&World, &mut State, &Unseen<'_>) -> bool,
    ) -> Option<Session> {
        if self.status() != &Status::Asking {
            return None;
        }
        let (at, step) = (self.steps.len().checked_sub(1)?, self.steps.last()?.clone());
        let again: Vec<Recorded> = self.answers.get(step.answers..)?.to_vec();
        let rolls = self.rolls_again(&step, self.answers.len());
        let mut other = self.copied();
        other.restore(at, &step, &rolls);
        other.edits.clone_from(&step.edits);
        let world = self.game.definition.world.clone();
        let (now, since) = (&self.play.state, self.play.changes.get(step.mark.1..).unwrap_or_default());
        let shown = |piece: PieceId| since.iter().any(|change| view::shows(&world, viewer, change, piece));
        let hidden_later = |piece| !view::sees_face(&world, now, viewer, piece) && !shown(piece);
        let touched = |table: TableId, row: u32, col: u16| {
            let set = |change: &Change| match change {
                Change::Set { table: t, row: r, col: c, .. } => (*t, *r, *c) == (table, row, col),
                _ => false,
            };
            since.iter().any(set) || (table == TableId::PIECE && shown(PieceId(row)))
        };
        let unseen = Unseen { piece: &hidden_later, touched: &touched };
        if !change(&world, &mut other.play.state, &unseen) {
            return None;
        }
        if pace == Pace::Fed {
            other.play.feed = again.iter().map(|recorded| recorded.answer.choice.clone()).collect();
        }
        let run = |session: &mut Session, host: &Host| -> Result<(), ScriptError> {
            session.start(host, step.task.clone())?;
            while pace == Pace::Given && session.answers.len() < self.answers.len() {
                let next = session.answers.len().checked_sub(step.answers).and_then(|at| again.get(at));
                let Some(Recorded { answer, .. }) = next else { break };
                let fits = |decision: &Decision| decision.fits(answer) && may_take(decision, &answer.choice);
                let Some(decision) = host.cx().play.borrow_mut().take_pending(fits) else { break };
                session.give(host, &decision, &answer.choice)?;
            }
            Ok(())
        };
        // An error is no leak: what was answered by others may be impossible with other things in their hands.
        other.inside(run).ok()?;
        let came = other.answers.get(step.answers..)?;
        let same = other.play.feed.is_empty()
            && came.len() == again.len()
            && came.iter().zip(&again).all(|(a, b)| a.agrees(b))
            // Who had a choice is no secret: others are told whom the game waits for.
            && (pace == Pace::Fed || came.iter().zip(&again).all(|(a, b)| a.answer.forced == b.answer.forced));
        let asked = |session: &Session| -> Vec<(SideId, _)> {
            session.decisions().iter().map(|decision| (decision.side, decision.prompt)).collect()
        };
        (same && other.status() == &Status::Asking && asked(&other) == asked(self)).then_some(other)
    }

    /// The session as it would be if another side had answered its part of a simultaneous decision otherwise.
    fn answered_otherwise(&mut self, viewer: Viewer, pick: &mut dyn FnMut(u32) -> u32) -> Option<Session> {
        let first = self.step_answers();
        let theirs = |recorded: &Recorded| {
            recorded.simultaneous && !recorded.answer.forced && viewer != Viewer::Side(recorded.answer.side)
        };
        let at = first + self.answers.get(first..)?.iter().rposition(theirs)?;
        let later: Vec<Answer> =
            self.answers.get(at + 1..)?.iter().map(|later| later.answer.clone()).collect();
        let taken = self.answers.get(at)?.answer.clone();
        let mut other = self.fork().ok()?;
        other.rewind(at).ok()?;
        let which = other.asked_again(&taken)?;
        let Offered::List(options) = &other.decisions().get(which)?.offered else { return None };
        let choices: Vec<Choice> =
            options.iter().map(|&opt| Choice::One(opt)).filter(|choice| *choice != taken.choice).collect();
        let instead = choices.get(pick(choices.len().max(1) as u32) as usize)?;
        other.answer(which, instead).ok()?;
        for answer in later.iter().filter(|answer| !answer.forced && answer.side != taken.side) {
            let which = other.asked_again(answer)?;
            other.answer(which, &answer.choice).ok()?;
        }
        let owes = |session: &Session| session.decisions().iter().any(|decision| decision.branch > 0);
        // Once all have answered, what they said is known.
        (owes(self) && owes(&other)).then_some(other)
    }

    /// Lends the session to somebody who wants to have it, and gives back what they made of it. If it does not come back, the
    /// step under way is run again.
    pub fn lend<T>(&mut self, f: impl FnOnce(Session) -> (Option<Session>, T)) -> T {
        let stand_in = self.copied();
        let (back, made) = f(std::mem::replace(self, stand_in));
        match back {
            Some(session) => *self = session,
            // It was run before, so that it can be run again; if not, giving an answer says why.
            None => drop(self.rewind(self.answers.len())),
        }
        made
    }

    /// A copy that has yet to be brought to a moment.
    pub(crate) fn copied(&self) -> Session {
        let play = Play {
            state: self.play.state.clone(),
            changes: self.play.changes.clone(),
            seed: self.play.seed,
            path: self.play.path,
            rolls: self.play.rolls.clone(),
            roll_feed: self.play.roll_feed.clone(),
            forced_only: self.play.forced_only,
            ended: self.play.ended.clone(),
            ..Play::default()
        };
        Session {
            game: self.game.clone(),
            play: Box::new(play),
            frames: self.frames.clone(),
            done: self.done,
            steps: self.steps.clone(),
            answers: self.answers.clone(),
            rolls: self.rolls.clone(),
            running: None,
            status: self.status.clone(),
            edits: Vec::new(),
            script: None,
        }
    }
}

/// The first place at which two lists of texts differ.
fn difference(told: &[String], instead: &[String]) -> Option<LeakCheck> {
    match told.iter().zip(instead).find(|(a, b)| a != b) {
        Some((a, b)) => Some(around(a, b)),
        None if told.len() != instead.len() => {
            Some(LeakCheck::Told(format!("{} texts", told.len()), format!("{} texts", instead.len())))
        }
        None => None,
    }
}

/// Two lines around the place where they begin to differ.
fn around(a: &str, b: &str) -> LeakCheck {
    const BEFORE: usize = 40;
    const WIDTH: usize = 100;
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| text.chars().skip(same.saturating_sub(BEFORE)).take(WIDTH).collect();
    LeakCheck::Told(part(a), part(b))
}

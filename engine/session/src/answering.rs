//! Answers: whether one is legal, giving it, and why an option is refused.

use crate::session::{Recorded, Session, SessionError, Status};
use crate::view::{self, Viewer};
use crate::{changes, names};
use sandtable_kernel::selection;
use sandtable_kernel::state::PieceId;
use sandtable_script::{Answer, Choice, Decision, Host, Offered, Opt, Reason, ScriptError, Val};
use std::collections::BTreeSet;

/// Whether an answer is one option of a list, which needs no further test.
fn offers(decision: &Decision, choice: &Choice) -> bool {
    matches!((&decision.offered, choice), (Offered::List(options), Choice::One(opt)) if options.contains(opt))
}

/// Whether a decision may take an answer, as far as its options tell; whether a selection fits is not looked at.
pub(crate) fn may_take(decision: &Decision, choice: &Choice) -> bool {
    matches!((&decision.offered, choice), (Offered::Selection { .. }, Choice::Many(_)))
        || offers(decision, choice)
}

/// Why nothing is said of a piece.
const UNSEEN: &str = "it is nothing that this side sees";

impl Session {
    /// The number of the decision now owed that an answer was given to: the same side is asked the same.
    pub fn asked_again(&self, answer: &Answer) -> Option<usize> {
        self.decisions().iter().position(|decision| decision.fits(answer))
    }

    /// The name that two options of one decision share, if any do: a record could not tell them apart.
    pub fn ambiguous(&mut self) -> Option<String> {
        let lists: Vec<Vec<Opt>> = self
            .decisions()
            .iter()
            .filter_map(|decision| match &decision.offered {
                Offered::List(options) => Some(options.to_vec()),
                Offered::Selection { .. } => None,
            })
            .collect();
        self.look(|host| {
            lists.iter().find_map(|options| {
                let mut names = BTreeSet::new();
                let name = |&opt: &Opt| names::exact_option(host.cx(), opt);
                options.iter().map(name).find(|name| !names.insert(name.clone()))
            })
        })
    }

    /// Answers decision number `which` (0 unless several sides are asked at once) with one of its options.
    pub fn answer(&mut self, which: usize, choice: &Choice) -> Result<(), SessionError> {
        if matches!(self.status, Status::Ended(_)) {
            return Err(SessionError::Over);
        }
        self.wake()?;
        let Some(decision) = self.play.pending.get(which) else { return Err(SessionError::Over) };
        if !offers(decision, choice) {
            self.check(&decision.clone(), choice)?;
        }
        let decision = self.play.pending.remove(which);
        let before = self.answers.len();
        let result = self.inside(|session, host| session.give(host, &decision, choice));
        if let Err(error) = result {
            // The coroutine is lost; run the step again up to the answers before this one.
            self.rewind(before)?;
            return Err(SessionError::Script(error));
        }
        Ok(())
    }

    /// Gives a legal answer to a decision that is no longer pending.
    pub(crate) fn give(
        &mut self,
        host: &Host,
        decision: &Decision,
        choice: &Choice,
    ) -> Result<(), ScriptError> {
        {
            let play = host.cx().play.borrow();
            let answer = Answer {
                side: decision.side,
                prompt: decision.prompt,
                choice: choice.clone(),
                forced: false,
            };
            self.answers.push(Recorded {
                answer,
                digest: 0,
                rolls: self.rolls.len(),
                barrier: false,
                changes: play.changes.len(),
                simultaneous: decision.branch > 0,
                mark: play.state.mark(),
                written: None,
            });
        }
        let Some(running) = self.running.take() else {
            return Err(ScriptError::new("nothing is being run"));
        };
        host.refill();
        let (running, flow) = host.resume(running, decision, choice)?;
        self.running = running;
        if self.after(host, &flow) { self.go_on(host) } else { Ok(()) }
    }

    /// Whether an answer to decision number `which` would be taken.
    pub fn check_answer(&mut self, which: usize, choice: &Choice) -> Result<(), SessionError> {
        self.wake()?;
        let Some(decision) = self.decisions().get(which).cloned() else { return Err(SessionError::Over) };
        self.check(&decision, choice)
    }

    /// Whether an answer is legal.
    fn check(&mut self, decision: &Decision, choice: &Choice) -> Result<(), SessionError> {
        match (&decision.offered, choice) {
            _ if offers(decision, choice) => Ok(()),
            (Offered::Selection { values, items, bounds, test, .. }, Choice::Many(chosen)) => {
                let mut counts = vec![0u32; values.len()];
                for (val, n) in chosen {
                    match values.iter().position(|other| other == val) {
                        Some(at) => counts[at] = counts[at].saturating_add(*n),
                        None => {
                            let text = self.look(|host| host.cx().name(*val));
                            return Err(names::NameError::NotOffered { text, hint: String::new() }.into());
                        }
                    }
                }
                if let Err(fault) = selection::check(items, bounds, &counts) {
                    let why = match fault {
                        selection::Fault::TooFew => format!("choose at least {}", bounds.min),
                        selection::Fault::TooMany => format!("choose at most {}", bounds.max),
                        selection::Fault::TooCheap => {
                            format!("the total must be at least {}", bounds.at_least)
                        }
                        selection::Fault::TooDear => format!("the total must be at most {}", bounds.at_most),
                        selection::Fault::NotThatMany(at) => {
                            let name = self.look(|host| host.cx().name(values[at]));
                            format!("there are only {} of {name}", items[at].most)
                        }
                    };
                    return Err(names::NameError::Selection(why).into());
                }
                if self.look(|host| host.passes(values, &counts, test.as_ref()))? {
                    return Ok(());
                }
                let why = self.look(|host| {
                    let reason = host.why_not_all(values, &counts, test.as_ref())?;
                    Ok::<_, ScriptError>(reason.map(|it| changes::sentence(host.cx(), &it.text, &it.args)))
                })?;
                let why = why.unwrap_or_else(|| "this selection as a whole is not allowed".into());
                Err(names::NameError::Selection(why).into())
            }
            (_, choice) => {
                let text = self.look(|host| names::exact_choice(host.cx(), choice));
                Err(names::NameError::NotOffered { text, hint: String::new() }.into())
            }
        }
    }

    /// Answers with a text, as people and cases write it.
    pub fn answer_text(&mut self, which: usize, text: &str) -> Result<(), SessionError> {
        self.wake()?;
        let Some(decision) = self.decisions().get(which).cloned() else { return Err(SessionError::Over) };
        let choice = self.look(|host| names::find_choice(host.cx(), &decision, text))?;
        self.answer(which, &choice)
    }

    /// Why an option is refused: every rule that does; nothing if it is legal.
    pub fn why(&mut self, which: usize, opt: Opt) -> Result<Vec<Reason>, SessionError> {
        self.wake()?;
        let Some(decision) = self.decisions().get(which).cloned() else { return Err(SessionError::Over) };
        // Rules know where everything is: of what the side cannot see it is not told more than that.
        if let Val::Piece(piece) = opt.val
            && !decision.candidates.contains(&opt)
            && !view::sees_face(
                &self.game.definition.world,
                &self.play.state,
                Viewer::Side(decision.side),
                PieceId(piece),
            )
        {
            return Ok(vec![Reason { handler: u32::MAX, text: UNSEEN.into(), args: Vec::new() }]);
        }
        Ok(self.look(|host| host.explain(&decision, opt))?)
    }
}

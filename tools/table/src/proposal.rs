//! Taking back and editing: at once where it concerns nobody else, else when those it concerns have agreed.

use crate::hub::Chair;
use crate::live::Live;
use crate::refusal::Refusal;
use crate::room::Room;
use sandtable_session::view::Viewer;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// To keep only so many choices.
    Undo(usize),
    /// To change the position outside the rules.
    Edit(String),
}

/// Something that waits for consent.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Its number.
    pub id: u64,
    /// Who made it; nobody for a table for all.
    pub by: Option<String>,
    /// What is proposed.
    pub what: What,
    /// Sides that have not yet agreed.
    pub needs: BTreeSet<String>,
}

impl Proposal {
    /// The proposal as a chair sees it: an edit without what those who sit there do not see, unless it is their own.
    pub fn json(&self, room: &Room, live: &Live, chair: &Chair, viewer: Viewer) -> Value {
        let yours = self.needs.iter().any(|side| room.sits(chair, side));
        let own = self.by.as_ref().is_some_and(|side| room.sits(chair, side));
        let (kind, to, line) = match &self.what {
            What::Undo(to) => ("undo", Some(to), None),
            What::Edit(line) if own => ("edit", None, Some(line.clone())),
            What::Edit(line) => ("edit", None, Some(live.session.seen_edit(viewer, line))),
        };
        json!({
            "id": self.id, "kind": kind, "to": to, "line": line, "by": self.by, "needs": self.needs, "yours": yours,
        })
    }
}

/// The outcome of an act: the answer, and from which change on the log is new.
pub type Outcome = (Value, Option<usize>);

impl Room {
    /// Sides that must agree before the choices after the first `to` are taken back by a chair.
    fn concerned(&self, live: &Live, chair: &Chair, to: usize) -> BTreeSet<String> {
        let world = &live.shelved.loaded.definition.world;
        let first = live.choices().get(to).copied().unwrap_or(usize::MAX);
        let answers = live.session.answers().iter().skip(first);
        answers
            .filter(|recorded| !recorded.answer.forced)
            .map(|recorded| world.side_name(recorded.answer.side).to_string())
            .filter(|side| self.human(side) && !self.sits(chair, side))
            .collect()
    }

    /// What one "take back" would do for a chair.
    pub fn undo_offer(&self, live: &Live, chair: &Chair) -> Value {
        let world = &live.shelved.loaded.definition.world;
        let choices = live.choices();
        let own = |answer: &usize| {
            let recorded = live.session.answers().get(*answer);
            recorded.is_some_and(|recorded| self.sits(chair, world.side_name(recorded.answer.side)))
        };
        if *chair == Chair::Table && live.session.just_edited() {
            return json!({ "to": choices.len(), "barred": false, "needs": [] });
        }
        let Some(to) = choices.iter().rposition(own) else { return Value::Null };
        let answers = live.session.answers().get(choices[to]..).unwrap_or_default();
        let barred = answers.iter().any(|recorded| recorded.barrier);
        json!({ "to": to, "barred": barred, "needs": self.concerned(live, chair, to) })
    }

    /// Takes back, or proposes to.
    pub fn undo(&mut self, chair: &Chair, to: Option<usize>) -> Result<Outcome, Refusal> {
        let mut live = self.live.take().ok_or_else(|| Refusal::busy("Try again."))?;
        let offer = self.undo_offer(&live, chair);
        let to = to.or_else(|| offer["to"].as_u64().and_then(|to| usize::try_from(to).ok()));
        let result = (|| {
            let to =
                to.ok_or_else(|| Refusal::refused("nothing", "There is nothing of yours to take back."))?;
            if *chair == Chair::Watch {
                return Err(Refusal::not_yours("Spectators take nothing back."));
            }
            let choices = live.choices();
            // An edit comes after the last choice.
            let from = live.session.changes_before_step();
            if to == choices.len() && *chair == Chair::Table && live.session.unedit()? {
                return Ok((to, BTreeSet::new(), Some(from)));
            }
            let answers = choices.get(to).and_then(|first| live.session.answers().get(*first..));
            let Some(answers) = answers else {
                return Err(Refusal::refused(
                    "nothing",
                    format!("There are {} choices, not {to}.", choices.len()),
                ));
            };
            // What is barred is not even proposed.
            if answers.iter().any(|recorded| recorded.barrier) {
                let text = "A die was rolled or something was shown since; that cannot be taken back.";
                return Err(Refusal::refused("barred", text));
            }
            let needs = self.concerned(&live, chair, to);
            if needs.is_empty() { live.undo(to).map(Some) } else { Ok(None) }.map(|done| (to, needs, done))
        })();
        self.live = Some(live);
        let (to, needs, done) = result?;
        match done {
            Some(from) => {
                self.proposal = None;
                Ok((json!({ "done": true }), Some(from)))
            }
            None => Ok(self.propose(chair, What::Undo(to), needs)),
        }
    }

    /// Changes the position outside the rules, or proposes to.
    pub fn edit(&mut self, chair: &Chair, line: &str) -> Result<Outcome, Refusal> {
        let others: BTreeSet<String> =
            self.players.keys().filter(|side| self.human(side) && !self.sits(chair, side)).cloned().collect();
        match chair {
            Chair::Watch => Err(Refusal::not_yours("Spectators change nothing.")),
            Chair::Seat(_) if !others.is_empty() => Ok(self.propose(chair, What::Edit(line.into()), others)),
            _ => self.perform(&What::Edit(line.into())),
        }
    }

    fn propose(&mut self, chair: &Chair, what: What, needs: BTreeSet<String>) -> Outcome {
        self.proposals += 1;
        let by = match chair {
            Chair::Seat(side) => Some(side.clone()),
            Chair::Table | Chair::Watch => None,
        };
        self.proposal = Some(Proposal { id: self.proposals, by, what, needs });
        let from = self.live.as_ref().map(Live::changes);
        (json!({ "done": false, "proposal": self.proposals }), from)
    }

    /// Agrees to a proposal, or not.
    pub fn consent(&mut self, chair: &Chair, id: u64, agree: bool) -> Result<Outcome, Refusal> {
        let Some(mut proposal) = self.proposal.clone().filter(|proposal| proposal.id == id) else {
            return Err(Refusal::refused("nothing", "Nothing is proposed any more."));
        };
        let own = proposal.by.as_ref().is_some_and(|side| self.sits(chair, side));
        let asked: Vec<String> =
            proposal.needs.iter().filter(|side| self.sits(chair, side)).cloned().collect();
        // Whoever made it may withdraw it.
        let withdraws = own && !agree;
        if asked.is_empty() && !withdraws {
            return Err(Refusal::not_yours("You are not asked to agree."));
        }
        let from = self.live.as_ref().map(Live::changes);
        if !agree {
            self.proposal = None;
            return Ok((json!({}), from));
        }
        for side in asked {
            proposal.needs.remove(&side);
        }
        if !proposal.needs.is_empty() {
            self.proposal = Some(proposal);
            return Ok((json!({}), from));
        }
        self.proposal = None;
        self.perform(&proposal.what).map(|(_, from)| (json!({}), from))
    }

    fn perform(&mut self, what: &What) -> Result<Outcome, Refusal> {
        let live = self.live()?;
        let from = match what {
            What::Undo(to) => live.undo(*to)?,
            What::Edit(line) => live.edit(line)?,
        };
        self.proposal = None;
        Ok((json!({ "done": true }), Some(from)))
    }
}

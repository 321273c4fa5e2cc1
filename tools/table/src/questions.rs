//! What a chair may ask a room without changing anything: whether a selection would do, why an option is refused, what would
//! follow from an answer, and the game as a file.

use crate::asked::{self, AnswerRequest};
use crate::hub::Chair;
use crate::preview;
use crate::refusal::Refusal;
use crate::room::Room;
use serde_json::{Value, json};

impl Room {
    /// Whether a selection would do.
    pub fn try_selection(&mut self, chair: &Chair, given: &AnswerRequest) -> Result<Value, Refusal> {
        let which = self.owed(chair, &given.decision)?;
        let session = &mut self.live()?.session;
        let choice = asked::choice(session, which, given)?;
        Ok(match session.check_answer(which, &choice) {
            Ok(()) => json!({ "fine": true }),
            Err(error) => json!({ "fine": false, "text": self.discreet(chair, error.into()).text }),
        })
    }

    /// Why an option of a decision is refused.
    pub fn why(&mut self, chair: &Chair, decision: &str, option: &str) -> Result<Value, Refusal> {
        let which = self.owed(chair, decision)?;
        let why = asked::why(&mut self.live()?.session, which, option);
        why.map_err(|refusal| self.discreet(chair, refusal))
    }

    /// Everything that is refused of what a decision is about.
    pub fn refused(&mut self, chair: &Chair, decision: &str) -> Result<Value, Refusal> {
        let which = self.owed(chair, decision)?;
        let refused = asked::refused(&mut self.live()?.session, which);
        refused.map_err(|refusal| self.discreet(chair, refusal))
    }

    /// What would follow from an answer.
    pub fn preview(&mut self, chair: &Chair, given: &AnswerRequest) -> Result<Value, Refusal> {
        let which = self.owed(chair, &given.decision)?;
        let session = &mut self.live()?.session;
        let choice = asked::choice(session, which, given)?;
        let side = session.decisions().get(which).map(|decision| decision.side).ok_or_else(Refusal::stale)?;
        let preview = preview::preview(session, which, side, &choice);
        preview.map_err(|refusal| self.discreet(chair, refusal))
    }

    /// The game as a file: its name and its text.
    pub fn export(
        &mut self,
        chair: &Chair,
        form: &str,
        at: Option<usize>,
    ) -> Result<(String, String), Refusal> {
        let live = self.live()?;
        if *chair != Chair::Table && live.ended_text().is_none() {
            let text = "A record holds the secrets of all sides; it can be had when the game is over.";
            return Err(Refusal::not_yours(text));
        }
        let end = match form {
            "scenario" => "toml",
            "case" => "md",
            _ => "record",
        };
        Ok((format!("{}.{end}", live.shelved.setup.game), live.export(form, at)?))
    }
}

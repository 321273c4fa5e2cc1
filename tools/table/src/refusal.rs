//! Refusals: everything that can be wrong with a request, as a status, a code for programs and a sentence for people.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use sandtable_script::ScriptError;
use sandtable_session::{NameError, SessionError};
use serde::Serialize;
use serde_json::json;

/// A place in a file of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Package and path.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub text: String,
}

/// Why something was not done; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Status of the answer.
    pub status: u16,
    /// A word for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub text: String,
    /// Places in the files of the game.
    pub places: Vec<Place>,
    /// Handlers that were running, outermost first.
    pub chain: Vec<String>,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, text: impl Into<String>) -> Refusal {
        let (places, chain) = (Vec::new(), Vec::new());
        Refusal { status: status.as_u16(), code, text: text.into(), places, chain }
    }

    /// The request makes no sense.
    pub fn bad(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "bad", text)
    }

    /// The key opens nothing.
    pub fn no_key() -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, "no-key", "This link opens nothing here.")
    }

    /// The key does not open this.
    pub fn not_yours(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, "not-yours", text)
    }

    /// There is no such thing.
    pub fn missing(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "missing", text)
    }

    /// The position is another one by now.
    pub fn stale() -> Refusal {
        Refusal::new(StatusCode::CONFLICT, "stale", "The position has changed since this was asked.")
    }

    /// Rules or bounds do not allow it.
    pub fn refused(code: &'static str, text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, code, text)
    }

    /// More than the server takes.
    pub fn busy(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", text)
    }

    /// The engine failed in a table, which was closed.
    pub fn closed(said: &str) -> Refusal {
        let text = format!(
            "This table was closed because the engine failed in it: {said}. All that was confirmed is stored, and it can be opened again."
        );
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "closed", text)
    }

    /// What is told of saved files that make the engine fail: the game goes on with those it has.
    pub fn engine_failed(said: &str) -> String {
        format!("The engine itself failed ({said}). Please report it; the game goes on as it was.")
    }

    /// The body is too long.
    pub fn too_large(most: usize) -> Refusal {
        let text = format!("This is too long; at most {most} bytes are read.");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", text)
    }

    /// A game that cannot be loaded.
    pub fn load(text: impl Into<String>, places: Vec<Place>) -> Refusal {
        Refusal { places, ..Refusal::refused("load", text) }
    }

    /// The same without what may name hidden things: what a failing script said, and at which answer a game parts from the
    /// rules. Where it failed stays.
    #[must_use]
    pub fn discreet(mut self) -> Refusal {
        match self.code {
            "script" => {
                let place = self.places.first().map(|place| format!("{}:{}: ", place.file, place.line));
                self.text = format!("{}{}", place.unwrap_or_default(), ScriptError::WITHHELD);
                self.places.iter_mut().for_each(|place| place.text = ScriptError::WITHHELD.into());
            }
            "closed" => {
                self.text = "This table was closed because of an error in the engine itself. All that was confirmed is \
                             stored; who runs the game is told why, and can open it again."
                    .into();
            }
            "differs" => {
                self.text =
                    "The rules no longer lead to where this game was; who runs the game is told where, and \
                             decides how it goes on."
                        .into();
            }
            "parted" => {
                self.text =
                    "The rules do not lead to where this game was; who runs the game is told why.".into();
            }
            _ => {}
        }
        self
    }

    /// The refusal as JSON.
    pub fn json(&self) -> serde_json::Value {
        let mut error = json!({ "code": self.code, "text": self.text });
        if !self.places.is_empty() {
            error["places"] = json!(self.places);
        }
        if !self.chain.is_empty() {
            error["chain"] = json!(self.chain);
        }
        json!({ "error": error })
    }
}

impl From<&ScriptError> for Place {
    fn from(error: &ScriptError) -> Place {
        let (file, line) = error.place.clone().unwrap_or_default();
        Place { file, line, text: error.message.clone() }
    }
}

impl From<SessionError> for Refusal {
    fn from(error: SessionError) -> Refusal {
        match error {
            SessionError::Script(error) => Refusal {
                places: vec![Place::from(&error)],
                chain: error.chain.clone(),
                ..Refusal::refused("script", error.to_string())
            },
            SessionError::Answer(error @ NameError::NotOffered { .. }) => {
                Refusal::refused("not-offered", error.to_string())
            }
            SessionError::Answer(error @ NameError::Selection(_)) => {
                Refusal::refused("selection", error.to_string())
            }
            SessionError::Over | SessionError::NotAsked => Refusal::refused("over", error.to_string()),
            SessionError::NoAnswer(_) => Refusal::refused("nothing", error.to_string()),
            SessionError::Barrier(_) => Refusal::refused("barred", error.to_string()),
            SessionError::Setup { .. } => Refusal::refused("refused", error.to_string()),
        }
    }
}

/// Marks an answer that says no more than that a table is closed.
#[derive(Clone, Copy, Debug)]
pub struct OfClosed;

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let mut response = (status, Json(self.json())).into_response();
        if matches!(self.code, "closed" | "differs") {
            response.extensions_mut().insert(OfClosed);
        }
        response
    }
}

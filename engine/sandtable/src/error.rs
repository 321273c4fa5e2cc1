//! What can go wrong.

use sandtable_data::diagnostic::{Diagnostics, Severity};
use sandtable_data::render;
use sandtable_data::source::Sources;
use sandtable_session::SessionError;
use std::fmt;

/// Why something could not be done.
///
/// ```
/// use sandtable_engine::{Error, Game};
///
/// let Err(Error::Load(problems)) = Game::builder("skirmsh").path(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).load() else {
///     panic!("there is such a game");
/// };
/// assert!(problems[0].to_string().contains("skirmish"), "the nearest name is given");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The files of a game or a layer are wrong: every problem that was found.
    #[error("the game cannot be loaded\n{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Load(Vec<Problem>),
    /// A rule failed, an answer is not among the options, or a record cannot be followed. The session is as before.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// Nothing is asked of that side.
    #[error("nothing is asked of `{side}` now{}", if .asked.is_empty() { String::new() } else { format!("; {} is asked", .asked.join(", ")) })]
    NotAsked {
        /// The side.
        side: String,
        /// Those of whom something is asked.
        asked: Vec<String>,
    },
    /// There is no such side.
    #[error("there is no side `{side}`; there are {}", .sides.join(", "))]
    NoSide {
        /// The side that was named.
        side: String,
        /// The sides of the game.
        sides: Vec<String>,
    },
    /// What the side is asked has one answer, not a selection.
    #[error("the side is asked for one option, not for a selection")]
    NotASelection,
    /// There is no such level of computer players.
    #[error(transparent)]
    Level(#[from] sandtable_player::LevelError),
    /// No answer was given yet that could be taken back.
    #[error("there is nothing to take back")]
    NothingToUndo,
    /// A record leads elsewhere under these rules: the number of the answer, from 1, at which it does.
    #[error("answer {0} of the record leads to another position under these rules, or cannot be given")]
    Diverged(usize),
    /// The text of a record cannot be read.
    #[error("{0}")]
    Record(String),
}

/// A problem of a game's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its code, such as `E0101`; empty for an error of a script that is being loaded.
    pub code: String,
    /// What was found and what was expected.
    pub message: String,
    /// File, line and column; nothing where no file is to blame.
    pub place: Option<String>,
    text: String,
}

impl fmt::Display for Problem {
    /// As `sandtable check` prints it, with the source line and the nearest valid name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

impl Problem {
    pub(crate) fn of_script(error: &sandtable_script::ScriptError) -> Problem {
        let text = error.to_string();
        Problem { code: String::new(), message: error.message.clone(), place: None, text }
    }
}

/// The errors among diagnostics.
pub(crate) fn problems(found: &Diagnostics, sources: &Sources) -> Vec<Problem> {
    let errors = found.iter().filter(|problem| problem.severity == Severity::Error);
    errors
        .map(|problem| Problem {
            code: problem.code.code.to_string(),
            message: problem.message.clone(),
            place: problem.span.map(|span| sources.describe(span)),
            text: render::full(problem, sources, render::Colour::Never),
        })
        .collect()
}

//! Cases: a position, answers, forced rolls and what must come of it.

mod align;
mod asks;
pub mod odds;
mod policy;
mod read;
mod revise;
mod run;
mod value;

pub use policy::Policy;
pub use read::read;
pub use revise::{content, revise};
pub use run::{run, verify};

/// Why a case fails, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line of the case that failed.
    pub line: u32,
    /// What was found and what was expected.
    pub message: String,
    /// What the expected lines would have to say; empty where only a person can know.
    pub edits: Vec<Edit>,
}

impl Failure {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Failure {
        Failure { line, message: message.into(), edits: Vec::new() }
    }
}

/// A change of an expected line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The line in the file; a new line goes before it.
    pub line: u32,
    /// What it says now, without indentation and comment; nothing for a new line.
    pub old: Option<String>,
    /// What it should say; nothing if it goes.
    pub new: Option<String>,
}

/// The head of a case: what is needed before a game can be loaded for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Needs {
    /// The scenario; empty for a bare game.
    pub scenario: String,
    /// Options.
    pub options: Vec<(String, String)>,
}

/// A case, read.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// What it needs.
    pub needs: Needs,
    /// What stands for the names in braces, if the case is one of a loop.
    pub variant: Vec<(String, String)>,
    /// Seed of the dice that are not forced (scenarios that shuffle).
    seed: u64,
    free_dice: bool,
    /// How `odds` answers a prompt.
    pub players: Vec<(String, Policy)>,
    lines: Vec<(u32, Line)>,
}

impl Case {
    /// Whether the case walks the sequence of play, or a node of it.
    pub fn walks(&self) -> bool {
        self.lines.iter().any(|(_, line)| matches!(line, Line::Go | Line::Step(_) | Line::Until(_)))
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Line {
    Setup(&'static str, String),
    Rolls(Vec<(String, u32)>),
    Call(String, Vec<String>),
    Step(String),
    Go,
    Answer(String, String),
    Options(String, Vec<String>, bool),
    Refused(String, String, String),
    Expect(String),
    Skip,
    Is(String, String),
    Sees(String, String, String),
    Outcome(String, String),
    /// Raises an event by itself.
    Raise(String),
    /// Plays on until a node of the sequence is reached.
    Until(String),
    /// From here on, decisions with one option are asked too.
    AskAll,
    /// A sentence of the log.
    Log(String),
    Stop,
    Error(String),
}

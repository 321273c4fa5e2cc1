//! Records: a game as text, from which it can be played again.
//!
//! A head says what was played (game, libraries and layers with their content hashes, scenario, settings, options, seed). Below
//! `--` stands one line an answer, roll or edit, in order. This module holds and writes records; `record_parse` reads them,
//! `replay` plays them.

use std::fmt;
use thiserror::Error;

/// The first line of every record of this version.
pub const HEAD: &str = "sandtable record 1";

/// A game or a layer, with what it held when the record was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The hash of its files.
    pub hash: u64,
}

/// One answer of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerLine {
    /// Id of the side that decided.
    pub side: String,
    /// Id of the prompt.
    pub prompt: String,
    /// The choice by its exact name.
    pub choice: String,
    /// Whether it was given while several sides were asked at once.
    pub simultaneous: bool,
    /// What the state was at the next decision; nothing if the answer was forced, so that nobody was asked.
    pub digest: Option<u32>,
    /// Whether a roll or a reveal closed what came before.
    pub closed: bool,
}

/// One line below the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// An answer.
    Answer(AnswerLine),
    /// A roll.
    Roll {
        /// What for.
        label: String,
        /// The result.
        value: u32,
    },
    /// A change outside the rules, made before the answers that follow in its step.
    Edit(String),
}

/// A game as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The game.
    pub game: Stamp,
    /// The libraries that it or its layers need; they come with these, and only their contents are of interest.
    pub libraries: Vec<Stamp>,
    /// Its layers, in the order of merging.
    pub layers: Vec<Stamp>,
    /// Id of the scenario; empty for the bare game.
    pub scenario: String,
    /// Settings of the command line, as `KEY = VALUE`.
    pub sets: Vec<String>,
    /// The value of every option.
    pub options: Vec<(String, String)>,
    /// The seed of the dice.
    pub seed: u64,
    /// Answers and rolls, in order.
    pub lines: Vec<Line>,
}

/// The numbers of the lines in which the head of a record names things, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeadLines {
    /// The line of the game.
    pub game: usize,
    /// The line of the scenario.
    pub scenario: usize,
    /// The line of each layer.
    pub layers: Vec<usize>,
    /// The line of each option.
    pub options: Vec<usize>,
}

/// Why a text is no record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: found {found}; expected {expected}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

impl Record {
    /// Reads a record.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        crate::record_parse::record(text).map(|(record, _)| record)
    }

    /// Reads a record from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Record, RecordError> {
        Record::with_lines(bytes).map(|(record, _)| record)
    }

    /// Reads a record from the bytes of a file, and in which lines its head says what.
    pub fn with_lines(bytes: &[u8]) -> Result<(Record, HeadLines), RecordError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => crate::record_parse::record(text),
            Err(error) => {
                let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
                let before = String::from_utf8_lossy(good);
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                Err(RecordError {
                    line: before.matches('\n').count() + 1,
                    column,
                    found: format!("the byte {byte:#04x}"),
                    expected: "UTF-8 text".into(),
                })
            }
        }
    }

    /// The answers that somebody gave.
    pub fn choices(&self) -> impl Iterator<Item = &AnswerLine> {
        self.answers().filter(|answer| answer.digest.is_some())
    }

    /// All answers, forced ones included.
    pub fn answers(&self) -> impl Iterator<Item = &AnswerLine> {
        self.lines.iter().filter_map(|line| match line {
            Line::Answer(answer) => Some(answer),
            Line::Roll { .. } | Line::Edit(_) => None,
        })
    }

    /// Whether the position was ever changed outside the rules.
    pub fn edited(&self) -> bool {
        self.lines.iter().any(|line| matches!(line, Line::Edit(_)))
    }

    /// All packages that it was made with.
    pub fn packages(&self) -> impl Iterator<Item = &Stamp> {
        std::iter::once(&self.game).chain(&self.libraries).chain(&self.layers)
    }

    /// Whether two records were made with the same contents: packages, options and settings.
    pub fn same_contents(&self, other: &Record) -> bool {
        self.game == other.game
            && self.libraries == other.libraries
            && self.layers == other.layers
            && self.options == other.options
            && self.sets == other.sets
    }
}

/// Writes a text so that it is one word without line ends, `@` and spaces at its ends.
pub(crate) struct Escaped<'a> {
    text: &'a str,
    word: bool,
}

/// Escapes a text that must be one word.
pub(crate) fn word(text: &str) -> Escaped<'_> {
    Escaped { text, word: true }
}

/// Escapes a text that may have spaces inside.
pub(crate) fn words(text: &str) -> Escaped<'_> {
    Escaped { text, word: false }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        if self.text.is_empty() {
            return f.write_str("\\e");
        }
        let last = self.text.len() - 1;
        for (at, c) in self.text.char_indices() {
            match c {
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '@' => f.write_str("\\a")?,
                ' ' if self.word || at == 0 || at == last => f.write_str("\\s")?,
                // A line must not begin like a comment or a mark.
                ':' | '#' | '.' | '+' if self.word && at == 0 => write!(f, "\\{c}")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:016x}", word(&self.id), word(&self.version), self.hash)
    }
}

impl fmt::Display for AnswerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.simultaneous, self.digest.is_some()) {
            (false, true) => {}
            (false, false) => f.write_str(". ")?,
            (true, true) => f.write_str("+ ")?,
            (true, false) => f.write_str("+. ")?,
        }
        write!(f, "{}: {} {}", word(&self.side), word(&self.prompt), words(&self.choice))?;
        match self.digest {
            Some(digest) => write!(f, " @{digest:08x}")?,
            None if self.closed => f.write_str(" @")?,
            None => {}
        }
        if self.closed { f.write_str("!") } else { Ok(()) }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Answer(answer) => write!(f, "{answer}"),
            Line::Roll { label, value } => write!(f, "roll {} {value}", words(label)),
            Line::Edit(line) => write!(f, "edit {}", words(line)),
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}\ngame {}", self.game)?;
        for library in &self.libraries {
            writeln!(f, "library {library}")?;
        }
        for layer in &self.layers {
            writeln!(f, "layer {layer}")?;
        }
        writeln!(f, "scenario {}", word(&self.scenario))?;
        for set in &self.sets {
            writeln!(f, "set {}", words(set))?;
        }
        for (id, value) in &self.options {
            writeln!(f, "option {} {}", word(id), words(value))?;
        }
        writeln!(f, "seed {}\n--", self.seed)?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

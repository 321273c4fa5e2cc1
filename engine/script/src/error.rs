//! Errors of scripts, with the place in the script and the chain of handlers that led there.

use std::fmt::{self, Write};

/// Most characters of a message that are kept: it may name what a script made up.
const LONGEST: usize = 4_000;

/// What kind of error it is, for those who act on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorKind {
    /// A mistake in a script, of which nobody needs to know more than the message.
    #[default]
    Plain,
    /// A decision had no option.
    DeadEnd,
    /// The scripts ran out of memory: the VM is spent.
    OutOfMemory,
    /// A function would keep a value outside the state.
    KeptValue,
}

/// What went wrong in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// What was found and what was expected.
    pub message: String,
    /// Script and line.
    pub place: Option<(String, u32)>,
    /// Script and line of another layer, if it is a conflict of two.
    pub other: Option<(String, u32)>,
    /// Handlers that were running, outermost first: kind, id and paragraph.
    pub chain: Vec<String>,
    /// What kind of error it is. The message does not tell: scripts can say anything.
    pub kind: ErrorKind,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line)) = &self.place {
            write!(f, "{file}:{line}: ")?;
        }
        // What a script says cannot pass for a line of somebody else's, nor steer a terminal.
        for c in self.message.chars() {
            match c {
                '\n' => f.write_str("\n  ")?,
                c if c.is_control() => write!(f, "{}", c.escape_default())?,
                c => f.write_char(c)?,
            }
        }
        if !self.chain.is_empty() {
            write!(f, "\n  in {}", shortened(&self.chain).join(" > "))?;
        }
        if let Some((file, line)) = &self.other {
            write!(f, "\n  the other layer: {file}:{line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ScriptError {}

impl ScriptError {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> ScriptError {
        ScriptError {
            message: message.into(),
            place: None,
            other: None,
            chain: Vec::new(),
            kind: ErrorKind::Plain,
        }
    }

    /// The same, of a certain kind.
    pub(crate) fn of_kind(kind: ErrorKind, message: impl Into<String>) -> ScriptError {
        ScriptError { kind, ..ScriptError::new(message) }
    }

    /// A decision without an option, as an error on its way through Lua.
    #[cold]
    pub(crate) fn dead_end<T>(message: impl Into<String>) -> mlua::Result<T> {
        let message = format!("dead end: {}", message.into());
        Err(mlua::Error::external(ScriptError::of_kind(ErrorKind::DeadEnd, message)))
    }

    /// Whether a decision had no option.
    pub fn is_dead_end(&self) -> bool {
        self.kind == ErrorKind::DeadEnd
    }

    /// Whether the VM is spent, because it ran out of memory.
    pub fn is_fatal(&self) -> bool {
        self.kind == ErrorKind::OutOfMemory
    }

    /// The same without what the script said, which may name what not everybody may know.
    #[must_use]
    pub fn discreet(self) -> ScriptError {
        ScriptError { message: ScriptError::WITHHELD.into(), ..self }
    }

    /// What stands for a message that is withheld.
    pub const WITHHELD: &str =
        "a script failed; what it said may name things hidden from you, so only who runs the game is told";

    /// Reads message and place out of what Lua reports. The kind is that of the error's type, never of its words.
    pub(crate) fn from_lua(error: &mlua::Error, chain: Vec<String>) -> ScriptError {
        let (mut text, mut trace, mut kind) = (String::new(), String::new(), ErrorKind::Plain);
        let mut at = error;
        loop {
            match at {
                mlua::Error::CallbackError { traceback, cause } => {
                    trace.push_str(traceback);
                    trace.push('\n');
                    at = cause;
                }
                mlua::Error::RuntimeError(message) => {
                    let (message, rest) = message.split_once("\nstack traceback:").unwrap_or((message, ""));
                    text.push_str(message);
                    trace.push_str(rest);
                    break;
                }
                mlua::Error::SyntaxError { message, .. } => {
                    text.push_str(message);
                    break;
                }
                mlua::Error::MemoryError(_) => {
                    text.push_str("the scripts use more memory than they may");
                    kind = ErrorKind::OutOfMemory;
                    break;
                }
                mlua::Error::ExternalError(cause) if let Some(own) = cause.downcast_ref::<ScriptError>() => {
                    let place = own.place.clone().or_else(|| first_place(&trace));
                    return ScriptError { place, chain, ..own.clone() };
                }
                mlua::Error::WithContext { cause, .. } => at = cause,
                other => {
                    text.push_str(&other.to_string());
                    break;
                }
            }
        }
        let text = without_prelude(text.trim_start_matches("runtime error: ").trim()).to_string();
        // A place further on in a message is something it speaks of, not where it happened.
        let at_start = |(file, ..): &(String, u32, String)| text.starts_with(file.as_str());
        let (place, message) = match split_place(&text).filter(at_start) {
            Some((file, line, rest)) => (Some((file, line)), rest),
            None => (first_place(&trace), text),
        };
        let message = match message.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{}…", &message[..at]),
            None => message,
        };
        ScriptError { message, place, other: None, chain, kind }
    }
}

/// The innermost place of a traceback.
fn first_place(trace: &str) -> Option<(String, u32)> {
    trace.lines().find_map(|line| split_place(line).map(|(file, line, _)| (file, line)))
}

/// Handlers that call each other in a circle are told once, with how often they did.
fn shortened(chain: &[String]) -> Vec<String> {
    /// The longest circle that is looked for.
    const CIRCLE: usize = 12;
    let (mut short, mut at) = (Vec::new(), 0);
    while at < chain.len() {
        let rounds = |length: usize| {
            let circle = &chain[at..(at + length).min(chain.len())];
            chain[at..].chunks_exact(length).take_while(|round| *round == circle).count()
        };
        match (1..=CIRCLE).map(|length| (length, rounds(length))).find(|(_, rounds)| *rounds > 2) {
            Some((length, rounds)) => {
                short.push(format!("{} ({rounds} times)", chain[at..at + length].join(" > ")));
                at += length * rounds;
            }
            None => {
                short.push(chain[at].clone());
                at += 1;
            }
        }
    }
    short
}

/// A message without a place in the prelude at its beginning: authors cannot do anything about a line that they did not write.
fn without_prelude(text: &str) -> &str {
    let rest =
        text.strip_prefix("prelude.lua:").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    rest.and_then(|rest| rest.strip_prefix(": ")).unwrap_or(text)
}

/// Splits `package/file.lua:12: message`; a line of the prelude is not a place for an author.
fn split_place(text: &str) -> Option<(String, u32, String)> {
    let at = text.find(".lua:")?;
    let start =
        text[..at].rfind(|c: char| c.is_whitespace() || c == '"' || c == '[').map_or(0, |before| before + 1);
    let file = &text[start..at + 4];
    let rest = &text[at + 5..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let line = rest[..digits].parse().ok()?;
    if file == "prelude.lua" {
        return None;
    }
    Some((file.to_string(), line, rest[digits..].trim_start_matches(':').trim().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_pass_for_another_line() {
        let shown = ScriptError::new("broken\nsandtable: all is well\u{1b}[2J").to_string();
        assert_eq!(shown, "broken\n  sandtable: all is well\\u{1b}[2J");
    }

    #[test]
    fn a_circle_of_handlers_is_told_once() {
        let mut error = ScriptError::new("too deep");
        error.chain = "turn a b a b a b a c d d".split(' ').map(str::to_string).collect();
        assert_eq!(error.to_string(), "too deep\n  in turn > a > b (3 times) > a > c > d > d");
        error.chain = vec!["deep".to_string(); 151];
        assert_eq!(error.to_string(), "too deep\n  in deep (151 times)");
    }

    #[test]
    fn a_line_of_the_prelude_is_not_told() {
        assert_eq!(without_prelude("prelude.lua:221: attempt to compare"), "attempt to compare");
        assert_eq!(without_prelude("g/a.lua:1: prelude.lua:2: said"), "g/a.lua:1: prelude.lua:2: said");
        let error = mlua::Error::RuntimeError("prelude.lua:9: stack overflow".into());
        assert_eq!(ScriptError::from_lua(&error, Vec::new()).message, "stack overflow");
    }

    #[test]
    fn the_kind_is_that_of_the_type_and_not_of_the_words() {
        let said = |text: &str| ScriptError::from_lua(&mlua::Error::RuntimeError(text.into()), Vec::new());
        assert_eq!(said("not enough memory").kind, ErrorKind::Plain);
        assert_eq!(said("dead end: red has no option").kind, ErrorKind::Plain);
        let spent = mlua::Error::MemoryError("whatever it says".into());
        assert!(ScriptError::from_lua(&spent, Vec::new()).is_fatal());
        let Err(error) = ScriptError::dead_end::<()>("red has no option") else { return };
        let traceback = "stack traceback:\n\tg/a.lua:7: in function".to_string();
        let error = mlua::Error::CallbackError { traceback, cause: error.into() };
        let found = ScriptError::from_lua(&error, vec!["turn".into()]);
        assert!(found.is_dead_end(), "{found:?}");
        assert_eq!(found.to_string(), "g/a.lua:7: dead end: red has no option\n  in turn");
    }

    #[test]
    fn place_and_message_are_told_apart() {
        assert_eq!(
            split_place("skirmish/combat.lua:12: attempt to index a nil value"),
            Some(("skirmish/combat.lua".into(), 12, "attempt to index a nil value".into()))
        );
        assert_eq!(split_place("\tprelude.lua:9: in function 'call'"), None);
        assert_eq!(split_place("no place at all"), None);
    }
}

//! Why a value that a script gave cannot be used: what was found, and what was expected instead.

use crate::context::shortened;
use crate::list::VALUES;
use crate::lua_ffi::{Full, LONGEST_NAME};
use std::borrow::Cow;

/// The result of reading what a script gave. The error is boxed, because values are read all the time and are mostly right.
pub(crate) type Given<T> = Result<T, Box<WrongValue>>;

/// Why a value cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WrongValue {
    #[error("{0} is too large for a number of the game")]
    TooLarge(i64),
    #[error("found {0}, which is not a whole number; divide by //, and use no ^")]
    Fraction(f64),
    #[error("found a text of more than {LONGEST_NAME} bytes, which cannot be a name")]
    LongText,
    #[error("found a table of more than {VALUES} values")]
    LongTable,
    /// Something of Lua's that is not a value of the game.
    #[error("found {0}")]
    NotAValue(Cow<'static, str>),
    /// A handle of a piece, a record or an effect that this game does not have.
    #[error(
        "found a handle of a {0} that is not in this game: it was kept from something that was taken back, or from another game; \
         look for the {0} again where it is needed"
    )]
    Absent(String),
    #[error("{found} is outside {min} to {max}")]
    OutOfRange { found: i32, min: i32, max: i32 },
    #[error("`{0}` is written nowhere in this game's files, so the state cannot hold it")]
    Unwritten(String),
    #[error("`{found}` is not one of {}", .expected.join(", "))]
    NotOneOf { found: String, expected: Vec<String> },
    #[error("`{0}` is not a side")]
    NotASide(String),
    #[error("expected {expected}, found {found}")]
    Expected { expected: &'static str, found: String },
    #[error("{0} lies in no space")]
    NowhereOnTheMap(String),
    #[error("{0} is not a hex")]
    NotAHex(String),
    /// Nothing has that name; the nearest that something has follows.
    #[error("no {what} {name}{nearest}")]
    Unknown { what: &'static str, name: String, nearest: String },
    #[error("option {id} is {value}; say which value is meant: \"{id}=…\"")]
    ValueNotSaid { id: String, value: String },
    #[error(transparent)]
    Full(#[from] Full),
    /// What a call to Lua said, such as that the budget is used up.
    #[error("{}", words(.0))]
    Lua(#[from] mlua::Error),
    /// What only one function expects, in its own words.
    #[error("{0}")]
    Said(String),
}

/// The message of an error of Lua, without mlua's word for its kind.
fn words(error: &mlua::Error) -> String {
    match error {
        mlua::Error::RuntimeError(message) => message.clone(),
        other => other.to_string(),
    }
}

impl WrongValue {
    /// What was found, in words that can follow "found".
    pub fn found(&self) -> String {
        match self {
            WrongValue::NotAValue(what) => what.to_string(),
            other => other.to_string(),
        }
    }

    /// The error that a script gets, which begins with what the value was for. That the memory is used up stays such an error.
    #[cold]
    pub fn about(self, what: impl std::fmt::Display) -> mlua::Error {
        match self.without_words() {
            Ok(error) => error,
            Err(why) => mlua::Error::RuntimeError(shortened(format!("{what}: {why}"))),
        }
    }

    /// The error behind it, if somebody acts on its kind.
    fn without_words(self) -> Result<mlua::Error, WrongValue> {
        match self {
            WrongValue::Full(Full::Memory) => Ok(Full::Memory.into()),
            WrongValue::Lua(error @ mlua::Error::MemoryError(_)) => Ok(error),
            other => Err(other),
        }
    }
}

impl From<String> for WrongValue {
    fn from(words: String) -> WrongValue {
        WrongValue::Said(words)
    }
}

impl From<&str> for WrongValue {
    fn from(words: &str) -> WrongValue {
        WrongValue::Said(words.into())
    }
}

impl From<Box<WrongValue>> for WrongValue {
    fn from(wrong: Box<WrongValue>) -> WrongValue {
        *wrong
    }
}

impl From<Box<WrongValue>> for mlua::Error {
    #[cold]
    fn from(wrong: Box<WrongValue>) -> mlua::Error {
        let error = wrong.without_words();
        error.unwrap_or_else(|why| mlua::Error::RuntimeError(shortened(why.to_string())))
    }
}

impl From<Full> for Box<WrongValue> {
    #[cold]
    fn from(full: Full) -> Box<WrongValue> {
        Box::new(WrongValue::Full(full))
    }
}

impl From<mlua::Error> for Box<WrongValue> {
    #[cold]
    fn from(error: mlua::Error) -> Box<WrongValue> {
        Box::new(WrongValue::Lua(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_said_once() {
        let list = WrongValue::NotAValue("a list".into());
        assert_eq!((list.to_string().as_str(), list.found().as_str()), ("found a list", "a list"));
        assert_eq!(
            WrongValue::TooLarge(1 << 40).found(),
            "1099511627776 is too large for a number of the game"
        );
        let spent = WrongValue::Lua(mlua::Error::RuntimeError("too many instructions".into()));
        assert_eq!(spent.to_string(), "too many instructions");
    }

    #[test]
    fn that_the_memory_is_used_up_is_not_lost_in_words() {
        let of_memory = |error: mlua::Error| matches!(error, mlua::Error::MemoryError(_));
        let full = || WrongValue::Full(Full::Memory);
        assert!(of_memory(full().about("argument `of`")) && of_memory(Box::new(full()).into()));
        assert!(of_memory(WrongValue::Lua(Full::Memory.into()).about("argument `of`")));
        let stack = WrongValue::Full(Full::Stack).about("argument `of`");
        assert!(stack.to_string().contains("argument `of`: stack overflow"), "{stack}");
    }
}

//! Sandtable for Python: a thin layer over the front door for Rust programs (`sandtable-engine`). What is convenient is written in Python,
//! in `sandtable/`; here stands what needs the engine.
//!
//! A game and its sessions belong to the thread that made them (Lua does), so their classes are `unsendable`; the interpreter's lock is
//! released while rules run.

mod game;
mod playouts;
mod session;

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    sandtable,
    SandtableError,
    PyException,
    "Something could not be done; the message says what was found and expected, and where."
);
create_exception!(
    sandtable,
    LoadError,
    SandtableError,
    "The files of a game or layer are wrong; all problems that were found."
);
create_exception!(
    sandtable,
    IllegalAnswer,
    SandtableError,
    "An answer is not legal, or a rule failed; the session is as before."
);

/// An error of the engine as Python's.
fn raised(error: sandtable_engine::Error) -> PyErr {
    let text = error.to_string();
    match error {
        sandtable_engine::Error::Load(_) => LoadError::new_err(text),
        sandtable_engine::Error::Session(_) | sandtable_engine::Error::NotAsked { .. } => {
            IllegalAnswer::new_err(text)
        }
        _ => SandtableError::new_err(text),
    }
}

/// The part of the package that is written in Rust.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{
        IllegalAnswer, LoadError, SandtableError,
        game::{Game, shipped_games},
        playouts::playouts,
        session::{Advice, Ending, Item, Player, Question, Session},
    };
}

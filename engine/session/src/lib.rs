//! A game being played: the walk through the sequence of play, decisions and answers, undo, records and views.

pub mod changes;
mod flow;
pub mod names;
mod player;
mod session;
mod setup;

pub use flow::{Frame, Stage};
pub use names::NameError;
pub use player::RandomPlayer;
pub use session::{Game, Recorded, Session, SessionError, Status};
pub use setup::{SetupError, apply_line};

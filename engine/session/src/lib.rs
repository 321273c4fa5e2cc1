//! A game being played: the walk through the sequence of play, decisions and answers, undo, records and views.

mod answering;
mod begin;
mod blind;
pub mod changes;
mod digest;
mod edit;
pub mod export;
mod flow;
mod game;
pub mod hidden;
pub mod names;
mod past;
mod player;
pub mod record;
mod record_parse;
mod replay;
mod rewind;
mod session;
mod setup;
mod setup_rest;
mod strict;
mod survive;
mod unreached;
pub mod view;

pub use blind::Blind;
pub use flow::{Frame, Stage};
pub use game::Game;
pub use names::NameError;
pub use player::RandomPlayer;
pub use record::{Record, RecordError};
pub use replay::{Parted, PartedWhy, Replayed, reason_text};
pub use session::{Recorded, Session, SessionError, Status};
pub use setup::{SetupError, apply_line};
pub use survive::survive;
pub use unreached::Unreached;

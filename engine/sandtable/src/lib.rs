//! The front door of Sandtable: load a game from its files, play it, look at it, and run the cases of its rulebook.
//!
//! ```
//! use sandtable_engine::Game;
//!
//! let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
//! let mut session = game.session(7)?;
//! let question = session.questions().remove(0);
//! println!("{}: {}", question.side, question.text);
//! session.answer(&question.side, &question.options()[0])?;
//! assert_eq!(session.answers(), 1);
//! session.undo()?;
//! assert_eq!(session.answers(), 0);
//! # Ok::<(), sandtable_engine::Error>(())
//! ```
//!
//! # The crates behind it
//!
//! ```text
//! files ──> data ──> kernel's world ──> script (Lua) ──> session ──> view, record
//!           merge,    what never         the rules        a game       what one side
//!           layers    changes in play                     in play      may see
//! ```
//!
//! | crate | what it is for |
//! |---|---|
//! | `sandtable-kernel` | state, maps, searches, dice, numbers, selections; it knows no game |
//! | `sandtable-data` | TOML, CSV, layers, and diagnostics with their places |
//! | `sandtable-script` | the Lua host, with bounds on what rules may use |
//! | `sandtable-session` | the sequence of play, decisions, undo, records, views |
//! | `sandtable-player` | computer players that know no game |
//! | `sandtable-workbench` | rulebooks, cases, coverage, mutation testing |
//!
//! A [`Game`] is files read, merged and loaded, with its rules in a virtual machine; it belongs to one thread. A [`Session`] is one game being
//! played. Everything that can go wrong is an [`Error`] with what was found, where, and the nearest valid name; a session is then as before.

mod cases;
mod error;
mod game;
mod player;
mod selection;
mod session;

pub use cases::{CaseResult, CaseResults};
pub use error::{Error, Problem};
pub use game::{Game, GameBuilder};
pub use player::{Advice, Player};
pub use sandtable_session::view::{PieceView, SpaceView, View};
pub use selection::NextItems;
pub use session::{Answers, Ending, Item, Question, Seat, Session};

//! The Lua host of Sandtable: the only crate that knows mlua.
//!
//! A [`Host`] is a VM with the rules of one game. It serves any number of games in play, one at a time: a session puts
//! its [`Play`] in, runs a procedure up to the next decision, and takes it out again.

mod api;
mod audit;
mod bytecode;
mod changes;
mod conflict;
mod context;
mod error;
mod fields;
mod filter;
mod handle;
mod host;
mod keys;
mod lasting;
mod limit;
mod list;
mod list_methods;
mod loader;
mod lua_ffi;
mod manual;
mod memory;
mod meter;
mod outside;
mod play;
mod questions;
mod registry;
mod sandbox;
mod select;
mod step;
mod syntax;
mod targets;
mod tokens;
mod val;
mod vm;
mod watchdog;
mod wrong_value;

pub use api::{Decl, Param, Search};
pub use changes::Changes;
pub use context::{Reason, ScriptContext, Touched};
pub use error::{ErrorKind, ScriptError};
pub use handle::{arg_tag, arg_val};
pub use host::{Flow, Host, Running, Script, Task, Turn};
pub use manual::{CLASSES, Class, Member, declarations, manual};
pub use meter::{INSTRUCTIONS, ScriptBounds, TIME};
pub use play::Play;
pub use registry::{Handler, Kind, LayerChange, Registry};
pub use sandbox::MEMORY;
pub use syntax::syntax_errors;
pub use targets::{Loose, loose_ends};
pub use val::{Answer, Change, Choice, Decision, Ending, Offered, Opt, Test, Val};
pub use vm::Held;

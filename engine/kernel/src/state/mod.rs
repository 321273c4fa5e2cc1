//! The state of a game: flat tables of integers, described by a schema and written through a journal.
//!
//! `schema` names tables and columns, `cells` holds and journals them, `stack` keeps pieces in ordered places, `list`
//! keeps lists in cells, `effect` keeps timed effects. Everything else (undo, digests, views, saves) reads these.

mod cells;
mod effect;
mod list;
mod schema;
mod stack;

pub use cells::{Mark, State};
pub use effect::{Arg, EffectId, KEPT, NewEffect};
pub use list::Lists;
pub use schema::{
    Column, Schema, See, TableId, TableSchema, Type, effect_col, game_col, piece_col, space_col,
};
pub use stack::{End, PieceId, Place};

//! The pure kernel of Sandtable: state, geometry, search, dice and the static world they refer to.
//!
//! Nothing here reads files, runs scripts, looks at a clock or knows a game. The state is a handful of flat tables of
//! integers described by a schema; every write goes through a journal, which gives undo, digests and change records.

pub mod dice;
pub mod limit;
pub mod map;
pub mod number;
pub mod outlook;
pub mod search;
pub mod selection;
pub mod sight;
pub mod state;
pub mod symbol;
pub mod world;

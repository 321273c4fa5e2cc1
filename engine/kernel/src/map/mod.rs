//! Spaces and their geometry: grids, numbering, boards, lines, arcs and sight.
//!
//! A [`Board`] is one graph of spaces. Hexes, areas, boxes and tracks are all spaces; those with a hex
//! coordinate also have geometry. Nothing here changes during play: a board is built once and shared.

mod arc;
mod board;
mod board_error;
mod builder;
mod connect;
mod coords;
mod distance;
mod grid;
mod hex;
mod ids;
mod line;
mod network;
mod numbering;
mod plan;
mod set;
mod shapes;
mod sight;
mod sight_rules;

pub use arc::{Aspect, Heading, arc, aspect, bearing, heading, in_arc, relative_bearing};
pub use board::{Board, Link};
pub use board_error::BoardError;
pub use builder::BoardBuilder;
pub use connect::Over;
pub use coords::COORD_LIMIT;
pub use distance::DistanceField;
pub use grid::{Grid, Offset, Orientation, Shifted};
pub use hex::{Cube, Direction};
pub use ids::{BorderId, Id, LinkId, NetworkId, SpaceId};
pub use line::{Crossing, LineCache, LineStep, crossings, line};
pub use network::NetworkLink;
pub use numbering::{HexName, NameError, Numbering, PatternError};
pub use plan::{MapPlan, Placement, PlanError};
pub use set::{BorderSet, IdSet, Iter, SpaceSet};
pub use sight::{Blocker, Sight, SightPicture, SightReason, sight, sight_all};
pub use sight_rules::{ByHeight, Effect, SightField, SightRules, Sunken, TieRule};

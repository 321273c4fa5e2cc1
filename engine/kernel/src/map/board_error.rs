//! What can be wrong with the parts of a board.

use thiserror::Error;

use super::coords::COORD_LIMIT;
use super::hex::Cube;
use super::ids::{NetworkId, SpaceId};

/// Something wrong with the parts of a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// A border or network link names a space that was never added.
    #[error("no space {space}; the board has {count} spaces")]
    UnknownSpace {
        /// The space that was named.
        space: SpaceId,
        /// How many spaces there are.
        count: usize,
    },
    /// A border or network link joins a space to itself.
    #[error("space {space} cannot border itself")]
    SelfLoop {
        /// The space.
        space: SpaceId,
    },
    /// Two spaces were joined twice, or are adjacent on the grid already.
    #[error("spaces {a} and {b} already have a border")]
    DuplicateBorder {
        /// One end.
        a: SpaceId,
        /// The other end.
        b: SpaceId,
    },
    /// Two spaces claim the same hex.
    #[error("spaces {first} and {second} both stand on hex q={q} r={r}", q = hex.q, r = hex.r)]
    DuplicateHex {
        /// The space that was added first.
        first: SpaceId,
        /// The space that was added later.
        second: SpaceId,
        /// The hex.
        hex: Cube,
    },
    /// A hex lies too far from the origin.
    #[error("space {space} lies beyond the limit of {COORD_LIMIT} hexes from the origin")]
    FarHex {
        /// The space.
        space: SpaceId,
    },
    /// A hex was added to a board without a grid.
    #[error("space {space} has a hex coordinate, but the board has no grid")]
    NoGrid {
        /// The space.
        space: SpaceId,
    },
    /// Two networks have the same name.
    #[error("there is already a network `{name}`")]
    DuplicateNetwork {
        /// The name.
        name: String,
    },
    /// A link names a network that was never added.
    #[error("no network {network}; the board has {count} networks")]
    UnknownNetwork {
        /// The network that was named.
        network: NetworkId,
        /// How many networks there are.
        count: usize,
    },
    /// A network holds the same link twice.
    #[error("network `{name}` already links {from} to {to}")]
    DuplicateNetworkLink {
        /// The network's name.
        name: String,
        /// Where the link starts.
        from: SpaceId,
        /// Where the link ends.
        to: SpaceId,
    },
}

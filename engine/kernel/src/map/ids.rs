//! Newtype ids of the map: small integers that index flat tables.

use std::fmt;

/// An id that stands for a position in a flat table.
pub trait Id: Copy + Ord {
    /// Makes the id of a position.
    fn from_index(index: usize) -> Self;
    /// Returns the position in the table.
    fn index(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(index as $inner)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $name {
            /// Returns the position in the table that this id indexes.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id! {
    /// A space of the board: a hex, an area, a box or a place on a track.
    SpaceId(u32)
}
id! {
    /// The border that two adjacent spaces share, without direction: a hexside or a common frontier.
    BorderId(u32)
}
id! {
    /// One direction across a border: an index into the board's flat list of links.
    LinkId(u32)
}
id! {
    /// A named network of the board, such as roads or rails.
    NetworkId(u16)
}

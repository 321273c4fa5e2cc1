//! Hex grids of both orientations and either parity: how printed columns and rows lie in the plane.

use super::hex::{Cube, Direction};

/// A column and a row as a map prints them, both growing to the south-east.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset {
    /// The column.
    pub col: i32,
    /// The row.
    pub row: i32,
}

impl Offset {
    /// Makes an offset coordinate.
    pub const fn new(col: i32, row: i32) -> Self {
        Self { col, row }
    }
}

/// The way the hexes of a grid stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// Flat tops, straight columns.
    Flat,
    /// Pointy tops, straight rows.
    Pointy,
}

/// The columns (flat) or rows (pointy) that stand half a hex further south (flat) or east (pointy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shifted {
    /// Those with an odd number.
    Odd,
    /// Those with an even number.
    Even,
}

/// A hex grid: how printed columns and rows lie in the plane.
///
/// ```
/// use sandtable_kernel::map::{Direction, Grid, Offset, Orientation, Shifted};
///
/// let grid = Grid::new(Orientation::Flat, Shifted::Even);
/// let north_east = Direction::ALL[1];
/// assert_eq!(grid.neighbour(Offset::new(17, 24), north_east), Offset::new(18, 23));
/// assert_eq!(grid.neighbour(Offset::new(18, 23), north_east), Offset::new(19, 23));
/// assert_eq!(grid.distance(Offset::new(17, 24), Offset::new(19, 23)), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// The way the hexes stand.
    pub orientation: Orientation,
    /// The columns or rows that are shifted.
    pub shifted: Shifted,
}

/// Printed numbers beyond this are cut off before conversion, so that no input overflows.
const OFFSET_LIMIT: i32 = 1 << 20;

impl Grid {
    /// Makes a grid.
    pub const fn new(orientation: Orientation, shifted: Shifted) -> Self {
        Self { orientation, shifted }
    }

    /// The shift, in half hexes, of a column or row; measured from the even ones, where the origin lies.
    const fn shift(self, line: i32) -> i32 {
        let odd = line & 1;
        match self.shifted {
            Shifted::Odd => odd,
            Shifted::Even => -odd,
        }
    }

    /// Converts a column and row to cube coordinates.
    pub fn to_cube(self, at: Offset) -> Cube {
        let col = at.col.clamp(-OFFSET_LIMIT, OFFSET_LIMIT);
        let row = at.row.clamp(-OFFSET_LIMIT, OFFSET_LIMIT);
        match self.orientation {
            // Half hexes to the south are q + 2r.
            Orientation::Flat => Cube::new(col, (2 * row + self.shift(col) - col).div_euclid(2)),
            // The row is q + r, half hexes to the east are q - r.
            Orientation::Pointy => {
                let q = (row + 2 * col + self.shift(row)).div_euclid(2);
                Cube::new(q, row - q)
            }
        }
    }

    /// Converts cube coordinates to a column and row.
    pub fn to_offset(self, hex: Cube) -> Offset {
        match self.orientation {
            Orientation::Flat => {
                let south = hex.q + 2 * hex.r;
                Offset::new(hex.q, (south - self.shift(hex.q)).div_euclid(2))
            }
            Orientation::Pointy => {
                let row = hex.q + hex.r;
                Offset::new((hex.q - hex.r - self.shift(row)).div_euclid(2), row)
            }
        }
    }

    /// Returns the adjacent hex in a direction.
    pub fn neighbour(self, at: Offset, direction: Direction) -> Offset {
        self.to_offset(self.to_cube(at).neighbour(direction))
    }

    /// Counts the hexes between two places.
    pub fn distance(self, a: Offset, b: Offset) -> u32 {
        self.to_cube(a).distance(self.to_cube(b))
    }

    /// Returns the usual short name of a direction on this grid, such as `ne`.
    pub const fn direction_name(self, direction: Direction) -> &'static str {
        const FLAT: [&str; 6] = ["n", "ne", "se", "s", "sw", "nw"];
        const POINTY: [&str; 6] = ["ne", "e", "se", "sw", "w", "nw"];
        match self.orientation {
            Orientation::Flat => FLAT[direction.index()],
            Orientation::Pointy => POINTY[direction.index()],
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grids() -> impl Strategy<Value = Grid> {
        prop::sample::select(vec![
            Grid::new(Orientation::Flat, Shifted::Odd),
            Grid::new(Orientation::Flat, Shifted::Even),
            Grid::new(Orientation::Pointy, Shifted::Odd),
            Grid::new(Orientation::Pointy, Shifted::Even),
        ])
    }

    fn around(grid: Grid, col: i32, row: i32) -> Vec<(i32, i32)> {
        let at = Offset::new(col, row);
        Direction::ALL.iter().map(|d| grid.neighbour(at, *d)).map(|o| (o.col, o.row)).collect()
    }

    #[test]
    fn flat_neighbours_run_clockwise_from_north() {
        let even = Grid::new(Orientation::Flat, Shifted::Even);
        assert_eq!(around(even, 3, 5), [(3, 4), (4, 4), (4, 5), (3, 6), (2, 5), (2, 4)]);
        assert_eq!(around(even, 4, 5), [(4, 4), (5, 5), (5, 6), (4, 6), (3, 6), (3, 5)]);
        let odd = Grid::new(Orientation::Flat, Shifted::Odd);
        assert_eq!(around(odd, 3, 5), [(3, 4), (4, 5), (4, 6), (3, 6), (2, 6), (2, 5)]);
    }

    #[test]
    fn pointy_neighbours_run_clockwise_from_north_east() {
        let even = Grid::new(Orientation::Pointy, Shifted::Even);
        assert_eq!(around(even, 5, 3), [(5, 2), (6, 3), (5, 4), (4, 4), (4, 3), (4, 2)]);
        assert_eq!(around(even, 5, 4), [(6, 3), (6, 4), (6, 5), (5, 5), (4, 4), (5, 3)]);
        let odd = Grid::new(Orientation::Pointy, Shifted::Odd);
        assert_eq!(around(odd, 5, 4), [(5, 3), (6, 4), (5, 5), (4, 5), (4, 4), (4, 3)]);
    }

    proptest! {
        #[test]
        fn offset_and_cube_round_trip(grid in grids(), col in -500..500, row in -500..500) {
            let at = Offset::new(col, row);
            prop_assert_eq!(grid.to_offset(grid.to_cube(at)), at);
        }

        #[test]
        fn neighbours_are_adjacent_and_look_back(grid in grids(), col in -99..99, row in -99..99, d in 0u8..6) {
            let direction = Direction::new(d).expect("below six");
            let at = Offset::new(col, row);
            let next = grid.neighbour(at, direction);
            prop_assert_eq!(grid.distance(at, next), 1);
            prop_assert_eq!(grid.neighbour(next, direction.opposite()), at);
            prop_assert_eq!(grid.to_cube(at).direction_to(grid.to_cube(next)), Some(direction));
        }
    }
}

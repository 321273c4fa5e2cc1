//! Sets of spaces by geometry: rings, discs and arcs about a hex.

use super::arc::in_arc;
use super::board::Board;
use super::hex::{Cube, Direction};
use super::ids::SpaceId;
use super::set::SpaceSet;

impl Board {
    /// Returns the hexes at exactly `radius` from a hex; empty for a space off the grid.
    pub fn ring(&self, centre: SpaceId, radius: u32) -> SpaceSet {
        self.select(centre, radius, |way| way.length() == radius)
    }

    /// Returns the hexes at most `radius` from a hex, itself included; empty for a space off the grid.
    pub fn disc(&self, centre: SpaceId, radius: u32) -> SpaceSet {
        self.select(centre, radius, |way| way.length() <= radius)
    }

    /// Returns the hexes of an arc out to `radius`; see [`in_arc`] for the half-angle.
    pub fn arc(&self, from: SpaceId, facing: Direction, half_angle: u8, radius: u32) -> SpaceSet {
        self.select(from, radius, |way| {
            way.length() <= radius && in_arc(Cube::default(), facing, half_angle, way)
        })
    }

    /// Picks hexes by their way from the centre, looking at few when the radius is small.
    fn select(&self, centre: SpaceId, radius: u32, pick: impl Fn(Cube) -> bool) -> SpaceSet {
        let mut found = SpaceSet::with_room(self.len());
        let Some(start) = self.hex(centre) else { return found };
        let square = u64::from(radius) * 2 + 1;
        if square.saturating_mul(square) < self.len() as u64 {
            let radius = radius as i32;
            for way in (-radius..=radius).flat_map(|q| (-radius..=radius).map(move |r| Cube::new(q, r))) {
                if pick(way)
                    && let Some(space) = self.at(start + way)
                {
                    found.insert(space);
                }
            }
        } else {
            found.extend(self.spaces().filter(|space| self.hex(*space).is_some_and(|hex| pick(hex - start))));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::arc;
    use super::super::builder::BoardBuilder;
    use super::super::grid::{Grid, Offset, Orientation, Shifted};
    use super::*;

    #[test]
    fn shapes_are_those_of_the_plane_cut_to_the_board() {
        let grid = Grid::new(Orientation::Flat, Shifted::Odd);
        let mut builder = BoardBuilder::on_grid(grid);
        for col in 0..12 {
            for row in 0..12 {
                builder.add_hex(grid.to_cube(Offset::new(col, row)));
            }
        }
        let off = builder.add_space();
        let board = builder.build().expect("a sound board");
        let cut = |hexes: Vec<Cube>| hexes.into_iter().filter_map(|hex| board.at(hex)).collect::<SpaceSet>();
        for centre in [SpaceId(0), SpaceId(70), SpaceId(143)] {
            let hex = board.hex(centre).expect("a hex");
            for radius in [0, 1, 3, 8] {
                assert_eq!(board.ring(centre, radius), cut(hex.ring(radius)));
                assert_eq!(board.disc(centre, radius), cut(hex.disc(radius)));
                let facing = Direction::ALL[4];
                assert_eq!(board.arc(centre, facing, 2, radius), cut(arc::arc(hex, facing, 2, radius)));
            }
        }
        assert_eq!(board.disc(SpaceId(0), u32::MAX).len(), 144);
        assert!(board.disc(off, 3).is_empty());
    }
}

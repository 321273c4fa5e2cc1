//! Looking up the space at a hex coordinate.

use super::hex::Cube;
use super::ids::SpaceId;

/// The largest cube coordinate a board accepts, in either sign.
pub const COORD_LIMIT: i32 = 10_000;

/// Above this many cells a dense table would waste memory on a scattered map.
const DENSE_CELLS: usize = 1 << 20;

const EMPTY: u32 = u32::MAX;

/// An index from coordinates to spaces: a dense table over the bounding box, or a sorted list for scattered maps.
#[derive(Clone, Debug)]
pub(super) enum CoordIndex {
    Dense { low: Cube, width: u32, height: u32, cells: Vec<u32> },
    Sorted(Vec<(Cube, SpaceId)>),
}

impl CoordIndex {
    /// Builds the index; coordinates are within [`COORD_LIMIT`] and distinct.
    pub(super) fn new(mut places: Vec<(Cube, SpaceId)>) -> Self {
        places.sort_unstable();
        let Some((first, _)) = places.first() else { return Self::Sorted(places) };
        let (mut low, mut high) = (*first, *first);
        for (hex, _) in &places {
            low = Cube::new(low.q.min(hex.q), low.r.min(hex.r));
            high = Cube::new(high.q.max(hex.q), high.r.max(hex.r));
        }
        let width = (high.q - low.q + 1) as u32;
        let height = (high.r - low.r + 1) as u32;
        let area = width as usize * height as usize;
        if area > DENSE_CELLS {
            return Self::Sorted(places);
        }
        let mut cells = vec![EMPTY; area];
        for (hex, space) in &places {
            cells[(hex.q - low.q) as usize * height as usize + (hex.r - low.r) as usize] = space.0;
        }
        Self::Dense { low, width, height, cells }
    }

    #[inline]
    pub(super) fn get(&self, hex: Cube) -> Option<SpaceId> {
        match self {
            Self::Dense { low, width, height, cells } => {
                // A coordinate below the box wraps to a large number and fails the same test.
                let q = hex.q.wrapping_sub(low.q) as u32;
                let r = hex.r.wrapping_sub(low.r) as u32;
                if q >= *width || r >= *height {
                    return None;
                }
                let space = cells[q as usize * *height as usize + r as usize];
                (space != EMPTY).then_some(SpaceId(space))
            }
            Self::Sorted(places) => {
                places.binary_search_by_key(&hex, |(at, _)| *at).ok().map(|found| places[found].1)
            }
        }
    }
}

/// The shape of a dense index: where a hex stands in a flat table over the bounding box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    low: Cube,
    height: i32,
    /// How many cells the table has.
    pub(super) cells: usize,
}

impl Shape {
    /// The place of a hex of the box.
    #[inline]
    pub(super) fn slot(self, hex: Cube) -> usize {
        self.offset(hex.q - self.low.q, hex.r - self.low.r) as usize
    }

    /// How far apart two hexes stand in the table.
    #[inline]
    pub(super) fn offset(self, q: i32, r: i32) -> isize {
        (q * self.height + r) as isize
    }
}

impl CoordIndex {
    /// Returns the shape, if the index is dense.
    pub(super) fn shape(&self) -> Option<Shape> {
        match self {
            Self::Dense { low, height, cells, .. } => {
                Some(Shape { low: *low, height: *height as i32, cells: cells.len() })
            }
            Self::Sorted(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sorted_answer_alike() {
        let near = vec![(Cube::new(-3, 4), SpaceId(0)), (Cube::new(2, -1), SpaceId(1))];
        let mut far = near.clone();
        far.push((Cube::new(9_000, -9_000), SpaceId(2)));
        let (dense, sorted) = (CoordIndex::new(near), CoordIndex::new(far));
        assert!(matches!(dense, CoordIndex::Dense { .. }));
        assert!(matches!(sorted, CoordIndex::Sorted(_)));
        for q in -5..5 {
            for r in -5..6 {
                assert_eq!(dense.get(Cube::new(q, r)), sorted.get(Cube::new(q, r)));
            }
        }
        assert_eq!(dense.get(Cube::new(2, -1)), Some(SpaceId(1)));
        assert_eq!(sorted.get(Cube::new(9_000, -9_000)), Some(SpaceId(2)));
    }
}

//! Hexes by cube coordinates, and the six directions.
//!
//! Cube coordinates are turned with the grid, so that direction 0 is the same vector on every grid: north on
//! a flat-topped one, north-east on a pointy-topped one. Only the conversion from and to printed columns and
//! rows knows the orientation; everything else works on [`Cube`] alone.

use std::ops::{Add, Neg, Sub};

/// One of six directions, counted clockwise.
///
/// On a flat-topped grid 0 is north, then north-east, south-east, south, south-west, north-west. On a
/// pointy-topped grid 0 is north-east, then east, south-east, south-west, west, north-west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Direction(u8);

impl Direction {
    /// The six directions, clockwise from 0.
    pub const ALL: [Self; 6] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// Makes a direction from its number, which must be below six.
    pub const fn new(number: u8) -> Option<Self> {
        if number < 6 { Some(Self(number)) } else { None }
    }

    /// Makes a direction from any number, counted round the clock.
    pub const fn wrapping(number: i32) -> Self {
        Self(number.rem_euclid(6) as u8)
    }

    /// Returns the number, 0 to 5.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the number as a table index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Turns clockwise by `steps` sixths, or counter-clockwise when negative.
    #[must_use]
    pub const fn rotate(self, steps: i32) -> Self {
        Self::wrapping(self.0 as i32 + steps % 6)
    }

    /// Returns the direction that looks back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        self.rotate(3)
    }

    /// Returns the step of one hex this way.
    pub const fn vector(self) -> Cube {
        const VECTORS: [Cube; 6] = [
            Cube::new(0, -1),
            Cube::new(1, -1),
            Cube::new(1, 0),
            Cube::new(0, 1),
            Cube::new(-1, 1),
            Cube::new(-1, 0),
        ];
        VECTORS[self.0 as usize]
    }
}

/// A hex by two cube coordinates; the third is their negated sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// The first cube coordinate.
    pub q: i32,
    /// The second cube coordinate.
    pub r: i32,
}

impl Cube {
    /// Makes a coordinate.
    pub const fn new(q: i32, r: i32) -> Self {
        Self { q, r }
    }

    /// Returns the third cube coordinate.
    pub const fn s(self) -> i32 {
        -self.q - self.r
    }

    /// Counts the hexes from the origin.
    pub const fn length(self) -> u32 {
        let (q, r, s) = (self.q.unsigned_abs(), self.r.unsigned_abs(), self.s().unsigned_abs());
        let larger = if q > r { q } else { r };
        if larger > s { larger } else { s }
    }

    /// Counts the hexes from here to `other`.
    pub fn distance(self, other: Self) -> u32 {
        (other - self).length()
    }

    /// Returns the adjacent hex in a direction.
    #[must_use]
    pub fn neighbour(self, direction: Direction) -> Self {
        self + direction.vector()
    }

    /// Returns the direction to an adjacent hex, or `None` when it is not adjacent.
    pub fn direction_to(self, other: Self) -> Option<Direction> {
        let step = other - self;
        Direction::ALL.into_iter().find(|direction| direction.vector() == step)
    }

    /// Multiplies both coordinates.
    #[must_use]
    pub const fn scale(self, by: i32) -> Self {
        Self::new(self.q * by, self.r * by)
    }

    /// Turns clockwise about the origin by `steps` sixths, or counter-clockwise when negative.
    #[must_use]
    pub fn rotate(self, steps: i32) -> Self {
        (0..steps.rem_euclid(6)).fold(self, |hex, _| Self::new(-hex.r, -hex.s()))
    }

    /// Turns clockwise about `centre` by `steps` sixths.
    #[must_use]
    pub fn rotate_around(self, centre: Self, steps: i32) -> Self {
        centre + (self - centre).rotate(steps)
    }

    /// Returns the hexes at exactly `radius`, clockwise from direction 0.
    pub fn ring(self, radius: u32) -> Vec<Self> {
        if radius == 0 {
            return vec![self];
        }
        let mut hexes = Vec::with_capacity(6 * radius as usize);
        let mut hex = self + Direction(0).vector().scale(radius as i32);
        for side in 0..6 {
            let along = Direction::wrapping(side + 2);
            for _ in 0..radius {
                hexes.push(hex);
                hex = hex.neighbour(along);
            }
        }
        hexes
    }

    /// Returns the hexes at most `radius` away: this hex, then ring by ring.
    pub fn disc(self, radius: u32) -> Vec<Self> {
        (0..=radius).flat_map(|ring| self.ring(ring)).collect()
    }
}

impl Add for Cube {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.q + other.q, self.r + other.r)
    }
}

impl Sub for Cube {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.q - other.q, self.r - other.r)
    }
}

impl Neg for Cube {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.q, -self.r)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ring_starts_at_direction_zero_and_has_six_times_its_radius() {
        let ring = Cube::new(2, 1).ring(3);
        assert_eq!(ring.len(), 18);
        assert_eq!(ring[0], Cube::new(2, -2));
        assert!(ring.iter().all(|hex| hex.distance(Cube::new(2, 1)) == 3));
        assert_eq!(Cube::default().disc(2).len(), 19);
    }

    proptest! {
        #[test]
        fn six_turns_come_home_and_one_turn_advances_directions(q in -50..50, r in -50..50, d in 0i32..6) {
            let hex = Cube::new(q, r);
            prop_assert_eq!(hex.rotate(6), hex);
            prop_assert_eq!(hex.rotate(2).rotate(-2), hex);
            prop_assert_eq!(hex.rotate(3), -hex);
            prop_assert_eq!(hex.rotate(1).length(), hex.length());
            let direction = Direction::wrapping(d);
            prop_assert_eq!(direction.vector().rotate(1), direction.rotate(1).vector());
        }
    }
}

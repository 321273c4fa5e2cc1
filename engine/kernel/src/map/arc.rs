//! Bearings, arcs by facing, and the side from which something is seen.
//!
//! A bearing is one of 24 values clockwise from direction 0. Even ones are exact rays, 30 degrees apart: 0, 4,
//! 8 and so on are the six directions, 2, 6, 10 and so on run along hexsides. Odd ones lie between two rays.
//! Half-angles are counted in rays, so 2 means 60 degrees.

use super::hex::{Cube, Direction};

/// The number of bearings in a full circle.
const CIRCLE: i32 = 24;

/// Returns the bearing from one hex to another, or `None` when they are the same.
///
/// ```
/// use sandtable_kernel::map::{Cube, Direction, bearing};
///
/// let here = Cube::new(0, 0);
/// let north = Direction::ALL[0].vector();
/// let north_east = Direction::ALL[1].vector();
/// assert_eq!(bearing(here, north.scale(7)), Some(0));
/// assert_eq!(bearing(here, north + north_east), Some(2));
/// assert_eq!(bearing(here, north.scale(2) + north_east), Some(1));
/// ```
pub fn bearing(from: Cube, to: Cube) -> Option<u8> {
    let way = to - from;
    for (i, direction) in Direction::ALL.into_iter().enumerate() {
        let (here, next) = (direction.vector(), direction.rotate(1).vector());
        // The hex is `near` steps this way and `far` steps the next way.
        let near = way.q * next.r - next.q * way.r;
        let far = here.q * way.r - way.q * here.r;
        if near > 0 && far >= 0 {
            let part = match far.cmp(&near) {
                _ if far == 0 => 0,
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => 2,
                std::cmp::Ordering::Greater => 3,
            };
            return Some(4 * i as u8 + part);
        }
    }
    None
}

/// Returns the bearing to another hex as seen when facing a way: 0 ahead, positive to the right, 12 behind.
pub fn relative_bearing(from: Cube, facing: Direction, to: Cube) -> Option<i8> {
    let turn = (i32::from(bearing(from, to)?) - 4 * i32::from(facing.number())).rem_euclid(CIRCLE);
    Some(if turn > CIRCLE / 2 { turn - CIRCLE } else { turn } as i8)
}

/// The direction that lies nearest to a bearing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// One direction is nearest.
    One(Direction),
    /// The hex lies exactly between two directions, the first being counter-clockwise of the second.
    Between(Direction, Direction),
}

/// Returns the direction nearest to the way from one hex to another, or `None` when they are the same.
pub fn heading(from: Cube, to: Cube) -> Option<Heading> {
    let bearing = i32::from(bearing(from, to)?);
    let direction = Direction::wrapping((bearing + 1) / 4);
    Some(match bearing % 4 {
        2 => Heading::Between(direction, direction.rotate(1)),
        _ => Heading::One(direction),
    })
}

/// Tells whether a hex lies within `half_angle` rays of 30 degrees either side of the facing, edges included.
///
/// The cone of the three front hexes is half-angle 2. A hex is not in its own arc.
pub fn in_arc(from: Cube, facing: Direction, half_angle: u8, to: Cube) -> bool {
    relative_bearing(from, facing, to).is_some_and(|turn| turn.unsigned_abs() <= half_angle.saturating_mul(2))
}

/// Returns the hexes of an arc out to `radius`, ring by ring, clockwise within each.
pub fn arc(from: Cube, facing: Direction, half_angle: u8, radius: u32) -> Vec<Cube> {
    let mut hexes = Vec::new();
    for ring in 1..=radius {
        let start = hexes.len();
        hexes.extend(from.ring(ring).into_iter().filter(|hex| in_arc(from, facing, half_angle, *hex)));
        hexes[start..].sort_by_key(|hex| relative_bearing(from, facing, *hex));
    }
    hexes
}

/// The side on which something stands, as seen when facing a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// Ahead.
    Front,
    /// To the right.
    Right,
    /// Behind.
    Rear,
    /// To the left.
    Left,
}

/// Returns the side on which another hex stands, at any distance; `None` for the same hex.
///
/// `front` and `rear` are half-angles in rays of 30 degrees, edges included; where they meet the front counts.
/// What is neither is left or right. Half-angles 2 and 3 split the circle in a front of the three front hexes
/// and a rear of the three others with everything between.
pub fn aspect(from: Cube, facing: Direction, front: u8, rear: u8, to: Cube) -> Option<Aspect> {
    let turn = relative_bearing(from, facing, to)?;
    let off = turn.unsigned_abs();
    Some(if off <= front.saturating_mul(2) {
        Aspect::Front
    } else if 12 - off <= rear.saturating_mul(2) {
        Aspect::Rear
    } else if turn > 0 {
        Aspect::Right
    } else {
        Aspect::Left
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HERE: Cube = Cube::new(3, -2);

    #[test]
    fn the_front_arc_is_the_cone_of_the_three_front_hexes() {
        let facing = Direction::ALL[1];
        let near = arc(HERE, facing, 2, 1);
        let front: Vec<_> = [0, 1, 2].map(|d| HERE.neighbour(Direction::ALL[d])).to_vec();
        assert_eq!(near, front);
        // Each ring of a cone of 120 degrees has twice its radius and one hex.
        for radius in 1..6 {
            let ring = arc(HERE, facing, 2, radius).len() - arc(HERE, facing, 2, radius - 1).len();
            assert_eq!(ring, 2 * radius as usize + 1);
        }
        assert_eq!(arc(HERE, facing, 6, 3).len(), 36);
        assert_eq!(arc(HERE, facing, 0, 4).len(), 4);
    }

    #[test]
    fn the_nearest_direction_is_tied_along_a_hexside() {
        let d = Direction::ALL;
        let to = |m: i32, n: i32| HERE + d[5].vector().scale(m) + d[0].vector().scale(n);
        assert_eq!(heading(HERE, to(3, 0)), Some(Heading::One(d[5])));
        assert_eq!(heading(HERE, to(3, 2)), Some(Heading::One(d[5])));
        assert_eq!(heading(HERE, to(3, 3)), Some(Heading::Between(d[5], d[0])));
        assert_eq!(heading(HERE, to(2, 3)), Some(Heading::One(d[0])));
        assert_eq!(heading(HERE, HERE), None);
    }

    #[test]
    fn sides_are_told_at_any_distance() {
        let facing = Direction::ALL[0];
        let seen = |direction: usize, distance| {
            aspect(HERE, facing, 1, 1, HERE + Direction::ALL[direction].vector().scale(distance))
        };
        for distance in [1, 5] {
            let sides: Vec<_> = (0..6).filter_map(|d| seen(d, distance)).collect();
            assert_eq!(
                sides,
                [Aspect::Front, Aspect::Right, Aspect::Right, Aspect::Rear, Aspect::Left, Aspect::Left]
            );
        }
        assert_eq!(aspect(HERE, facing, 2, 3, HERE.neighbour(Direction::ALL[1])), Some(Aspect::Front));
        assert_eq!(aspect(HERE, facing, 2, 3, HERE.neighbour(Direction::ALL[2])), Some(Aspect::Rear));
    }

    proptest! {
        #[test]
        fn bearings_turn_with_the_map(q in -40..40, r in -40..40, turn in 0i32..6) {
            let way = Cube::new(q, r);
            prop_assume!(way != Cube::default());
            let old = i32::from(bearing(Cube::default(), way).expect("not the same hex"));
            let new = i32::from(bearing(Cube::default(), way.rotate(turn)).expect("not the same hex"));
            prop_assert_eq!(new, (old + 4 * turn) % 24);
        }

        #[test]
        fn every_hex_is_ahead_of_someone_and_the_way_back_is_opposite(q in -40..40, r in -40..40) {
            let to = Cube::new(q, r);
            prop_assume!(to != HERE);
            prop_assert!(Direction::ALL.iter().any(|facing| in_arc(HERE, *facing, 1, to)));
            let there = bearing(HERE, to).expect("not the same hex");
            let back = bearing(to, HERE).expect("not the same hex");
            prop_assert_eq!((there + 12) % 24, back);
        }
    }
}

//! Exact straight lines between the centres of hexes.
//!
//! A line holds every hex whose inside it crosses, which can be more than the distance: a slanting line clips
//! corners. Where it runs along a hexside, the two hexes of that side form a tie. A hex that is only touched
//! in a corner is not on the line.

use super::hex::{Cube, Direction};

/// One step of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineStep {
    /// The line crosses this hex.
    Hex(Cube),
    /// The line runs along the side between these two hexes, the lower coordinate first.
    Tie(Cube, Cube),
}

/// What a line does to a hexside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// It crosses the side between two hexes, from the first to the second.
    Across(Cube, Cube),
    /// It runs along the side between two hexes, the lower coordinate first.
    Along(Cube, Cube),
}

fn dot(a: Cube, b: Cube) -> i64 {
    i64::from(a.q) * i64::from(b.q) + i64::from(a.r) * i64::from(b.r) + i64::from(a.s()) * i64::from(b.s())
}

/// Returns the line from one hex to another, both included.
///
/// ```
/// use sandtable_kernel::map::{Cube, LineStep, line};
///
/// let along_a_side = line(Cube::new(0, 0), Cube::new(1, 1));
/// assert_eq!(along_a_side[1], LineStep::Tie(Cube::new(0, 1), Cube::new(1, 0)));
/// assert_eq!(along_a_side.len(), 3);
/// ```
pub fn line(from: Cube, to: Cube) -> Vec<LineStep> {
    let way = to - from;
    let mut steps = vec![LineStep::Hex(from)];
    // A point x of the plane is inside hex h when, for each direction n, n·(x - h) <= 1. The line leaves h by
    // the side whose bound it meets first: at the fraction (1 - n·(from - h)) / n·way of the whole.
    let mut hex = from;
    while hex != to {
        let mut exit: Option<(Direction, i64, i64)> = None;
        let mut corner = None;
        for direction in Direction::ALL {
            let speed = dot(direction.vector(), way);
            if speed <= 0 {
                continue;
            }
            let room = 1 - dot(direction.vector(), from - hex);
            let Some((_, least, at)) = exit else {
                exit = Some((direction, room, speed));
                continue;
            };
            match (room * at).cmp(&(least * speed)) {
                std::cmp::Ordering::Less => {
                    exit = Some((direction, room, speed));
                    corner = None;
                }
                // Through a corner: on into the hex that lies more ahead, or along the side if both do.
                std::cmp::Ordering::Equal if speed > at => {
                    exit = Some((direction, room, speed));
                    corner = None;
                }
                std::cmp::Ordering::Equal if speed == at => corner = Some(direction),
                _ => {}
            }
        }
        let Some((direction, _, _)) = exit else { break };
        if let Some(other) = corner {
            let (a, b) = (hex.neighbour(direction), hex.neighbour(other));
            steps.push(LineStep::Tie(a.min(b), a.max(b)));
            hex = a + other.vector();
        } else {
            hex = hex.neighbour(direction);
        }
        steps.push(LineStep::Hex(hex));
    }
    steps
}

/// Returns the hexsides that a line crosses or runs along, in order.
pub fn crossings(line: &[LineStep]) -> Vec<Crossing> {
    let mut found = Vec::new();
    for (i, step) in line.iter().enumerate() {
        match (step, line.get(i + 1)) {
            (LineStep::Hex(a), Some(LineStep::Hex(b))) => found.push(Crossing::Across(*a, *b)),
            (LineStep::Tie(a, b), _) => found.push(Crossing::Along(*a, *b)),
            (LineStep::Hex(_), _) => {}
        }
    }
    found
}

/// One step strictly between the ends of a line, relative to the start: a hex twice, or the two hexes of a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    a: [i16; 2],
    b: [i16; 2],
}

impl Cell {
    fn new(step: LineStep) -> Self {
        let short = |hex: Cube| [hex.q as i16, hex.r as i16];
        match step {
            LineStep::Hex(hex) => Self { a: short(hex), b: short(hex) },
            LineStep::Tie(a, b) => Self { a: short(a), b: short(b) },
        }
    }

    #[inline]
    pub(super) fn first(self, start: Cube) -> Cube {
        start + Cube::new(i32::from(self.a[0]), i32::from(self.a[1]))
    }

    #[inline]
    pub(super) fn second(self, start: Cube) -> Cube {
        start + Cube::new(i32::from(self.b[0]), i32::from(self.b[1]))
    }

    /// The coordinates of both hexes relative to the start; the same twice when it is no tie.
    #[inline]
    pub(super) fn steps(self) -> [[i32; 2]; 2] {
        [self.a.map(i32::from), self.b.map(i32::from)]
    }

    #[inline]
    pub(super) fn is_tie(self) -> bool {
        self.a != self.b
    }
}

/// Lines further than this are computed each time.
const CACHED: i32 = 100;

/// Remembers lines by displacement, since a line looks the same from everywhere.
#[derive(Clone, Debug)]
pub struct LineCache {
    /// Where each displacement's cells start and end, or zeroes; a square that grows in its half-width.
    index: Vec<(u32, u32)>,
    half: i32,
    cells: Vec<Cell>,
    far: Vec<Cell>,
}

impl Default for LineCache {
    fn default() -> Self {
        Self::new()
    }
}

impl LineCache {
    /// Makes an empty cache.
    pub fn new() -> Self {
        // The first cell is a filler, so that no known line starts at zero.
        let filler = Cell { a: [0; 2], b: [0; 2] };
        Self { index: vec![(0, 0)], half: 0, cells: vec![filler], far: Vec::new() }
    }

    /// Returns the steps strictly between the ends of the line that goes `way` from anywhere.
    #[inline]
    pub(super) fn between(&mut self, way: Cube) -> &[Cell] {
        let reach = way.q.abs().max(way.r.abs());
        if reach <= self.half {
            let (start, end) = self.index[self.slot(way)];
            if start != 0 {
                return &self.cells[start as usize..end as usize];
            }
        }
        self.learn(way, reach)
    }

    fn slot(&self, way: Cube) -> usize {
        let width = (2 * self.half + 1) as usize;
        (way.q + self.half) as usize * width + (way.r + self.half) as usize
    }

    fn learn(&mut self, way: Cube, reach: i32) -> &[Cell] {
        let steps = line(Cube::default(), way);
        let between = steps.get(1..steps.len().saturating_sub(1)).unwrap_or(&[]);
        if reach > CACHED || self.cells.is_empty() {
            self.far.clear();
            self.far.extend(between.iter().map(|step| Cell::new(*step)));
            return &self.far;
        }
        if reach > self.half {
            let old = std::mem::replace(self, Self { half: (2 * reach).min(CACHED), ..Self::default() });
            let width = (2 * self.half + 1) as usize;
            self.index = vec![(0, 0); width * width];
            for q in -old.half..=old.half {
                for r in -old.half..=old.half {
                    let slot = self.slot(Cube::new(q, r));
                    self.index[slot] = old.index[old.slot(Cube::new(q, r))];
                }
            }
            (self.cells, self.far) = (old.cells, old.far);
        }
        let start = self.cells.len();
        self.cells.extend(between.iter().map(|step| Cell::new(*step)));
        let slot = self.slot(way);
        self.index[slot] = (start as u32, self.cells.len() as u32);
        &self.cells[start..]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hexes(to: Cube) -> Vec<(i32, i32)> {
        line(Cube::default(), to)
            .into_iter()
            .flat_map(|step| match step {
                LineStep::Hex(hex) => vec![(hex.q, hex.r)],
                LineStep::Tie(a, b) => vec![(a.q, a.r), (b.q, b.r)],
            })
            .collect()
    }

    #[test]
    fn a_straight_row_crosses_only_its_own_hexes() {
        assert_eq!(hexes(Cube::new(3, 0)), [(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!(hexes(Cube::default()), [(0, 0)]);
    }

    #[test]
    fn a_line_through_a_corner_does_not_count_the_hex_it_touches() {
        // It passes the corner where (1,0), (2,0) and (1,1) meet.
        assert_eq!(hexes(Cube::new(4, 1)), [(0, 0), (1, 0), (2, 0), (2, 1), (3, 1), (4, 1)]);
    }

    #[test]
    fn hexsides_are_crossed_or_followed() {
        let steps = line(Cube::new(0, 0), Cube::new(1, 1));
        assert_eq!(crossings(&steps), [Crossing::Along(Cube::new(0, 1), Cube::new(1, 0))]);
        let steps = line(Cube::new(0, 0), Cube::new(2, 0));
        let across = |a, b| Crossing::Across(Cube::new(a, 0), Cube::new(b, 0));
        assert_eq!(crossings(&steps), [across(0, 1), across(1, 2)]);
    }

    proptest! {
        #[test]
        fn a_line_is_the_same_from_both_ends(q in -30..30, r in -30..30, dq in -25..25, dr in -25..25) {
            let (from, to) = (Cube::new(q, r), Cube::new(q + dq, r + dr));
            let there = line(from, to);
            let mut back = line(to, from);
            back.reverse();
            prop_assert_eq!(&there, &back);
            prop_assert_eq!(there.first(), Some(&LineStep::Hex(from)));
            prop_assert_eq!(there.last(), Some(&LineStep::Hex(to)));
        }

        #[test]
        fn steps_hang_together_and_hug_the_line(dq in -25..25, dr in -25..25) {
            let to = Cube::new(dq, dr);
            let steps = line(Cube::default(), to);
            prop_assert!(steps.len() as u32 > to.length() || steps.iter().any(|s| matches!(s, LineStep::Tie(..))));
            for pair in steps.windows(2) {
                match (pair[0], pair[1]) {
                    (LineStep::Hex(a), LineStep::Hex(b)) => prop_assert_eq!(a.distance(b), 1),
                    (LineStep::Hex(h), LineStep::Tie(a, b)) | (LineStep::Tie(a, b), LineStep::Hex(h)) => {
                        prop_assert_eq!((a.distance(b), a.distance(h), b.distance(h)), (1, 1, 1));
                        // Both hexes of a tie are equally far from both ends.
                        prop_assert_eq!(a.length(), b.length());
                        prop_assert_eq!(a.distance(to), b.distance(to));
                    }
                    ties => prop_assert!(false, "two ties in a row: {:?}", ties),
                }
            }
            // A turned line is the line of the turned hex.
            let turned: Vec<_> = steps.iter().map(|step| match *step {
                LineStep::Hex(hex) => LineStep::Hex(hex.rotate(1)),
                LineStep::Tie(a, b) => LineStep::Tie(a.rotate(1).min(b.rotate(1)), a.rotate(1).max(b.rotate(1))),
            }).collect();
            prop_assert_eq!(turned, line(Cube::default(), to.rotate(1)));
        }

        #[test]
        fn remembered_lines_are_the_lines(ways in prop::collection::vec((-130i32..130, -130i32..130), 1..20)) {
            let mut cache = LineCache::new();
            for (q, r) in ways.iter().chain(&ways) {
                let way = Cube::new(*q, *r);
                let steps = line(Cube::default(), way);
                let between = steps.get(1..steps.len().saturating_sub(1)).unwrap_or(&[]);
                let cells: Vec<_> = between.iter().map(|step| Cell::new(*step)).collect();
                prop_assert_eq!(cache.between(way), &cells[..]);
            }
        }
    }
}

//! Line of sight over levels, obstacles, walls and haze.

use super::board::Board;
use super::coords::Shape;
use super::hex::Cube;
use super::ids::{BorderId, SpaceId};
use super::line::{Cell, LineCache};
use super::set::SpaceSet;
use super::sight_rules::{ByHeight, Effect, SightField, SightRules, Sunken, TieRule};

/// What blocks a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocker {
    /// One space.
    Space(SpaceId),
    /// The two spaces of a hexside along which the line runs; one of them may be off the map.
    Tie(Option<SpaceId>, Option<SpaceId>),
    /// A wall.
    Border(BorderId),
}

/// Why something blocks a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SightReason {
    /// It is higher than both ends.
    Above,
    /// It is as high as the higher end.
    AtHigh,
    /// It lies between the levels of the ends, next to one of them: a blind spot.
    BlindSpot,
    /// It is as high as the lower end.
    AtLow,
    /// It is below both ends.
    Below,
    /// Low ground is seen only from beside it.
    Sunken,
    /// The haze up to here is too thick.
    Haze,
    /// It is too far away.
    Range,
    /// An end is no hex of this board.
    OffGrid,
}

/// What one line of sight gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// What blocks the line first, seen from the viewer, and why; `None` when it is clear.
    pub blocked: Option<(Blocker, SightReason)>,
    /// The haze between the ends, up to what blocks.
    pub haze: u32,
}

impl Sight {
    /// Tells whether the line is clear.
    pub fn is_clear(&self) -> bool {
        self.blocked.is_none()
    }
}

/// The levels of the two ends of a line, in order of height.
#[derive(Clone, Copy)]
struct Levels {
    low: i32,
    high: i32,
    from_is_low: bool,
    to_is_low: bool,
}

impl Levels {
    fn new(here: i32, there: i32) -> Self {
        let (low, high) = (here.min(there), here.max(there));
        Self { low, high, from_is_low: here <= there, to_is_low: there <= here }
    }
}

/// Where on a line something stands.
#[derive(Clone, Copy)]
struct Near {
    from: bool,
    to: bool,
}

fn judge(table: &ByHeight, top: i32, levels: Levels, near: Near) -> Option<SightReason> {
    let (effect, reason) = if top > levels.high {
        (table.above, SightReason::Above)
    } else if top == levels.high && top > levels.low {
        (table.at_high, SightReason::AtHigh)
    } else if top > levels.low {
        (table.between, SightReason::BlindSpot)
    } else if top == levels.low {
        (table.at_low, SightReason::AtLow)
    } else {
        (table.below, SightReason::Below)
    };
    let level = levels.low == levels.high;
    let blocks = match effect {
        Effect::Clear => false,
        Effect::Blocks => true,
        Effect::BlocksNearLow => (near.from && levels.from_is_low) || (near.to && levels.to_is_low),
        Effect::BlocksNearHigh => {
            (near.from && (level || !levels.from_is_low)) || (near.to && (level || !levels.to_is_low))
        }
        Effect::BlocksNearEnds => near.from || near.to,
    };
    blocks.then_some(reason)
}

/// Everything one question of sight needs.
struct Scene<'a> {
    board: &'a Board,
    field: &'a SightField<'a>,
    rules: &'a SightRules,
}

impl Scene<'_> {
    #[inline]
    fn ground(&self, space: SpaceId) -> i32 {
        self.field.ground.get(space.index()).map_or(0, |level| i32::from(*level))
    }

    /// The level from which one looks out of a space.
    fn viewer(&self, from: SpaceId) -> i32 {
        self.rules.viewer_level.map_or_else(|| self.ground(from), i32::from)
    }

    /// What a space between the ends does, and its haze.
    #[inline]
    fn space(&self, hex: Cube, levels: Levels, near: Near) -> (Option<SpaceId>, Option<SightReason>, u32) {
        let Some(space) = self.board.at(hex) else { return (None, None, 0) };
        let obstacle = self.field.obstacle.get(space.index()).copied().unwrap_or(0);
        let haze = self.field.haze.get(space.index()).copied().unwrap_or(0);
        let top = self.ground(space) + i32::from(obstacle);
        let table = if obstacle > 0 { &self.rules.obstacle } else { &self.rules.bare };
        let mut reason = judge(table, top, levels, near);
        if reason.is_none()
            && let Some(Sunken::RimBlocks(rim)) = self.rules.sunken
            && levels.low <= i32::from(rim)
            && top > levels.low
            && ((near.from && levels.from_is_low) || (near.to && levels.to_is_low))
        {
            reason = Some(SightReason::Sunken);
        }
        (Some(space), reason, u32::from(haze))
    }

    /// What the wall between two hexes does.
    fn wall(&self, a: Cube, b: Cube, levels: Levels, near: Near) -> Option<(Blocker, SightReason)> {
        let (a, b) = (self.board.at(a)?, self.board.at(b)?);
        let border = self.board.border_between(a, b)?;
        let height = self.field.wall.get(border.index()).copied().filter(|height| *height > 0)?;
        let top = self.ground(a).max(self.ground(b)) + i32::from(height);
        judge(&self.rules.wall, top, levels, near).map(|reason| (Blocker::Border(border), reason))
    }

    fn look(&self, from: SpaceId, to: SpaceId, start: Cube, end: Cube, cells: &[Cell]) -> Sight {
        let stop = |blocked, haze| Sight { blocked: Some(blocked), haze };
        let levels = Levels::new(self.viewer(from), self.ground(to));
        let distance = start.distance(end);
        if self.rules.range.is_some_and(|range| distance > range) {
            return stop((Blocker::Space(to), SightReason::Range), 0);
        }
        if let Some(Sunken::AdjacentOnly(level)) = self.rules.sunken
            && distance > 1
            && levels.low <= i32::from(level)
            && levels.high > i32::from(level)
        {
            let low = if levels.from_is_low { from } else { to };
            return stop((Blocker::Space(low), SightReason::Sunken), 0);
        }
        let walls = !self.field.wall.is_empty();
        let mut haze = 0;
        // The hex that the line comes from; none after a tie, which it leaves by a corner.
        let mut behind = Some(start);
        for (i, cell) in cells.iter().enumerate() {
            let near = Near { from: i == 0, to: i + 1 == cells.len() };
            let (a, b) = (cell.first(start), cell.second(start));
            if walls {
                let blocked = if cell.is_tie() {
                    self.rules.walls_along.then(|| self.wall(a, b, levels, near)).flatten()
                } else {
                    let side = behind.filter(|_| i > 0 || self.rules.walls_at_ends);
                    side.and_then(|side| self.wall(side, a, levels, Near { to: false, ..near }))
                };
                if let Some(blocked) = blocked {
                    return stop(blocked, haze);
                }
                behind = (!cell.is_tie()).then_some(a);
            }
            let (space, reason, thick) = self.space(a, levels, near);
            let (blocker, reason, thick) = if cell.is_tie() {
                let (other, other_reason, other_thick) = self.space(b, levels, near);
                let blocker = Blocker::Tie(space, other);
                match self.rules.ties {
                    TieRule::Both => (Some(blocker), reason.and(other_reason), thick.min(other_thick)),
                    TieRule::Either => (Some(blocker), reason.or(other_reason), thick.max(other_thick)),
                }
            } else {
                (space.map(Blocker::Space), reason, thick)
            };
            haze += thick;
            let foggy = || {
                self.rules.haze_limit.filter(|limit| thick > 0 && haze >= *limit).map(|_| SightReason::Haze)
            };
            if let Some(blocker) = blocker
                && let Some(reason) = reason.or_else(foggy)
            {
                return stop((blocker, reason), haze);
            }
        }
        if walls
            && self.rules.walls_at_ends
            && let Some(side) = behind
            && let Some(blocked) = self.wall(side, end, levels, Near { from: cells.is_empty(), to: true })
        {
            return stop(blocked, haze);
        }
        Sight { blocked: None, haze }
    }
}

/// Looks from one space to another along the straight line between their centres.
pub fn sight(
    board: &Board,
    field: &SightField<'_>,
    rules: &SightRules,
    from: SpaceId,
    to: SpaceId,
    lines: &mut LineCache,
) -> Sight {
    let (Some(start), Some(end)) = (board.hex(from), board.hex(to)) else {
        let missing = if board.hex(from).is_none() { from } else { to };
        return Sight { blocked: Some((Blocker::Space(missing), SightReason::OffGrid)), haze: 0 };
    };
    Scene { board, field, rules }.look(from, to, start, end, lines.between(end - start))
}

/// What a viewer sees of the whole board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SightPicture {
    /// The spaces in sight, the viewer's own included.
    pub seen: SpaceSet,
    /// The haze crossed on the way to each space in sight; zero for others.
    pub haze: Vec<u32>,
}

/// What a hex could do to a line: matter wherever it lies between the ends, or only next to one of them.
const ANYWHERE: u8 = 1;
const NEXT_TO_AN_END: u8 = 2;

/// Marks, for two levels of the ends, every hex that could matter to a line; most lines touch none of them.
struct Suspects {
    there: i32,
    marks: Vec<u8>,
}

impl Suspects {
    fn new(scene: &Scene<'_>, shape: Shape, here: i32, there: i32) -> Self {
        let mut marks = vec![0; shape.cells];
        let levels = Levels::new(here, there);
        for space in scene.board.spaces() {
            let Some(hex) = scene.board.hex(space) else { continue };
            let (_, reason, haze) = scene.space(hex, levels, Near { from: true, to: true });
            if reason.is_none() && haze == 0 {
                continue;
            }
            let amid = || scene.space(hex, levels, Near { from: false, to: false }).1.is_some();
            marks[shape.slot(hex)] = if haze > 0 || amid() { ANYWHERE } else { NEXT_TO_AN_END };
        }
        // A line that meets a wall touches a hex beside it.
        let walls = (0u32..).zip(scene.field.wall).filter(|(_, height)| **height > 0);
        for space in walls.filter_map(|(border, _)| scene.board.border_ends(BorderId(border))).flatten() {
            if let Some(hex) = scene.board.hex(space) {
                marks[shape.slot(hex)] = ANYWHERE;
            }
        }
        Self { there, marks }
    }

    /// Tells whether a line touches no suspect. Its hexes lie in the box that holds its ends.
    #[inline]
    fn clear(&self, shape: Shape, start: usize, cells: &[Cell]) -> bool {
        let mark = |cell: &Cell| {
            let [a, b] = cell.steps().map(|[q, r]| start.wrapping_add_signed(shape.offset(q, r)));
            self.marks.get(a).map_or(0, |mark| *mark) | self.marks.get(b).map_or(0, |mark| *mark)
        };
        let ends = [cells.first(), cells.last()];
        ends.into_iter().flatten().all(|cell| mark(cell) == 0)
            && cells.iter().all(|cell| mark(cell) & ANYWHERE == 0)
    }
}

/// Looks from one space to all others.
pub fn sight_all(
    board: &Board,
    field: &SightField<'_>,
    rules: &SightRules,
    from: SpaceId,
    lines: &mut LineCache,
) -> SightPicture {
    let mut picture = SightPicture { seen: SpaceSet::with_room(board.len()), haze: vec![0; board.len()] };
    let Some(start) = board.hex(from) else { return picture };
    let scene = Scene { board, field, rules };
    let here = scene.viewer(from);
    let shape = board.shape();
    let mut known: Vec<Suspects> = Vec::new();
    for to in board.spaces() {
        let Some(end) = board.hex(to) else { continue };
        let cells = lines.between(end - start);
        // Where no hex between can matter, what is left to ask concerns the ends alone.
        let cells = match shape {
            Some(shape) => {
                let there = scene.ground(to);
                let at = known.iter().position(|suspects| suspects.there == there).unwrap_or_else(|| {
                    known.push(Suspects::new(&scene, shape, here, there));
                    known.len() - 1
                });
                if known[at].clear(shape, shape.slot(start), cells) { &[] } else { cells }
            }
            None => cells,
        };
        let found = scene.look(from, to, start, end, cells);
        if found.is_clear() {
            picture.seen.insert(to);
            picture.haze[to.index()] = found.haze;
        }
    }
    picture
}

#[cfg(test)]
mod tests;

//! Paths: all simple ways of a given length, under hard limits, ranked by the caller.

use crate::map::{Board, BorderSet, Over, SpaceId, SpaceSet};

/// Which ways are looked for.
#[derive(Clone, Copy, Debug)]
pub struct PathSpec<'a> {
    /// Where every way starts.
    pub from: SpaceId,
    /// The fewest steps.
    pub min_steps: u32,
    /// The most steps.
    pub max_steps: u32,
    /// What the ways follow.
    pub over: Over,
    /// Spaces that no way enters.
    pub blocked: Option<&'a SpaceSet>,
    /// Borders that no way crosses.
    pub barrier: Option<&'a BorderSet>,
    /// Spaces in which a way must end; `None` for any.
    pub ends: Option<&'a SpaceSet>,
    /// The most ways to keep, and a hundredth of the most steps to try.
    pub cap: usize,
}

/// How many steps are tried for each way that may be kept, before the search gives up.
const TRIES: usize = 100;

impl PathSpec<'_> {
    /// Asks for all ways of exactly `steps` steps over borders, at most 10,000 of them.
    pub const fn exact(from: SpaceId, steps: u32) -> Self {
        Self {
            from,
            min_steps: steps,
            max_steps: steps,
            over: Over::Borders,
            blocked: None,
            barrier: None,
            ends: None,
            cap: 10_000,
        }
    }
}

/// Ways in a fixed order: depth first, by the order of links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    spaces: Vec<SpaceId>,
    ends_at: Vec<u32>,
    /// Whether the cap cut the search short, so that there may be more ways.
    pub truncated: bool,
}

impl Paths {
    /// Counts the ways.
    pub fn len(&self) -> usize {
        self.ends_at.len()
    }

    /// Tells whether there is no way.
    pub fn is_empty(&self) -> bool {
        self.ends_at.is_empty()
    }

    /// Returns one way, start and end included.
    pub fn get(&self, index: usize) -> Option<&[SpaceId]> {
        let end = *self.ends_at.get(index)? as usize;
        let start = if index == 0 { 0 } else { self.ends_at[index - 1] as usize };
        self.spaces.get(start..end)
    }

    /// Iterates over the ways.
    pub fn iter(&self) -> impl Iterator<Item = &[SpaceId]> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Groups the ways by their last space, ascending; each with the indices of its ways.
    pub fn by_end(&self) -> Vec<(SpaceId, Vec<usize>)> {
        let mut pairs: Vec<(SpaceId, usize)> =
            self.iter().enumerate().filter_map(|(i, path)| path.last().map(|end| (*end, i))).collect();
        pairs.sort_unstable();
        let mut groups: Vec<(SpaceId, Vec<usize>)> = Vec::new();
        for (end, index) in pairs {
            match groups.last_mut() {
                Some((last, indices)) if *last == end => indices.push(index),
                _ => groups.push((end, vec![index])),
            }
        }
        groups
    }

    fn push(&mut self, path: &[SpaceId]) {
        self.spaces.extend_from_slice(path);
        self.ends_at.push(self.spaces.len() as u32);
    }

    fn clear(&mut self) {
        self.spaces.clear();
        self.ends_at.clear();
    }
}

/// Finds all ways that visit no space twice.
///
/// `step` is asked before each step with the way so far and the next space; a no cuts off all that would
/// follow. With a range of steps a way and its continuation both count.
pub fn paths(board: &Board, spec: &PathSpec<'_>, step: impl FnMut(&[SpaceId], SpaceId) -> bool) -> Paths {
    let mut found = Paths::default();
    let truncated = walk(board, spec, step, |path| {
        if found.len() == spec.cap {
            return false;
        }
        found.push(path);
        true
    });
    found.truncated = truncated;
    found
}

/// Finds the ways with the lowest rank, which may be any ordered value such as a tuple of integers.
///
/// ```
/// use sandtable_kernel::map::{BoardBuilder, SpaceId};
/// use sandtable_kernel::search::{PathSpec, best_paths};
///
/// // Two ways lead from 0 to 3; the one through 2 is worse.
/// let mut builder = BoardBuilder::new();
/// let s: Vec<SpaceId> = (0..4).map(|_| builder.add_space()).collect();
/// for (a, b) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
///     builder.add_border(s[a], s[b]);
/// }
/// let board = builder.build().expect("a sound board");
/// let danger = |path: &[SpaceId]| (path.iter().filter(|at| **at == s[2]).count(), path.len());
/// let (best, rank) = best_paths(&board, &PathSpec::exact(s[0], 2), |_, _| true, danger);
/// assert_eq!(best.iter().collect::<Vec<_>>(), [[s[0], s[1], s[3]]]);
/// assert_eq!(rank, Some((0, 3)));
/// ```
pub fn best_paths<R: Ord>(
    board: &Board,
    spec: &PathSpec<'_>,
    step: impl FnMut(&[SpaceId], SpaceId) -> bool,
    mut rank: impl FnMut(&[SpaceId]) -> R,
) -> (Paths, Option<R>) {
    let mut found = Paths::default();
    let mut best: Option<R> = None;
    let mut dropped = false;
    let truncated = walk(board, spec, step, |path| {
        let this = rank(path);
        match best.as_ref().map(|best| this.cmp(best)) {
            Some(std::cmp::Ordering::Greater) => return true,
            Some(std::cmp::Ordering::Equal) => {}
            Some(std::cmp::Ordering::Less) | None => {
                found.clear();
                dropped = false;
                best = Some(this);
            }
        }
        // Going on past a full list may still find a better rank, so only the equal ones are dropped.
        if found.len() < spec.cap {
            found.push(path);
        } else {
            dropped = true;
        }
        true
    });
    found.truncated = truncated || dropped;
    (found, best)
}

/// Walks depth first without recursion; returns whether the search was cut short.
fn walk(
    board: &Board,
    spec: &PathSpec<'_>,
    mut step: impl FnMut(&[SpaceId], SpaceId) -> bool,
    mut emit: impl FnMut(&[SpaceId]) -> bool,
) -> bool {
    if !board.has(spec.from) {
        return false;
    }
    let mut tries = spec.cap.saturating_mul(TRIES);
    let mut used = SpaceSet::with_room(board.len());
    used.insert(spec.from);
    let mut path = vec![spec.from];
    // For each space of the path, the start of its untried steps in `ahead`, which are stored last first.
    let mut ahead: Vec<SpaceId> = Vec::new();
    let mut marks: Vec<usize> = Vec::new();
    let is_end = |space: SpaceId| spec.ends.is_none_or(|ends| ends.contains(space));
    if spec.min_steps == 0 && is_end(spec.from) && !emit(&path) {
        return true;
    }
    let open = |from: SpaceId, ahead: &mut Vec<SpaceId>| {
        let start = ahead.len();
        board.each_step(spec.over, from, spec.barrier, |to| {
            if !spec.blocked.is_some_and(|blocked| blocked.contains(to)) {
                ahead.push(to);
            }
        });
        ahead[start..].reverse();
        start
    };
    if spec.max_steps > 0 {
        marks.push(open(spec.from, &mut ahead));
    }
    while let Some(&mark) = marks.last() {
        if ahead.len() == mark {
            marks.pop();
            if let Some(last) = path.pop() {
                used.remove(last);
            }
            continue;
        }
        let Some(to) = ahead.pop() else { break };
        if used.contains(to) || !step(&path, to) {
            continue;
        }
        if tries == 0 {
            return true;
        }
        tries -= 1;
        path.push(to);
        let steps = path.len() as u32 - 1;
        if steps >= spec.min_steps && is_end(to) && !emit(&path) {
            return true;
        }
        if steps < spec.max_steps {
            used.insert(to);
            marks.push(open(to, &mut ahead));
        } else {
            path.pop();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{BoardBuilder, Cube, Grid, Orientation, Shifted};

    fn disc(radius: u32) -> Board {
        let mut builder = BoardBuilder::on_grid(Grid::new(Orientation::Flat, Shifted::Odd));
        for hex in Cube::default().disc(radius) {
            builder.add_hex(hex);
        }
        builder.build().expect("a sound board")
    }

    #[test]
    fn ways_of_two_steps_from_the_middle_are_thirty() {
        let board = disc(2);
        let found = paths(&board, &PathSpec::exact(SpaceId(0), 2), |_, _| true);
        assert_eq!(found.len(), 30);
        assert!(!found.truncated);
        assert!(found.iter().all(|path| path.len() == 3 && path[0] == SpaceId(0)));
        assert_eq!(found.by_end().len(), 18);
        let both = PathSpec { min_steps: 0, ..PathSpec::exact(SpaceId(0), 2) };
        assert_eq!(paths(&board, &both, |_, _| true).len(), 37);
    }

    #[test]
    fn hard_limits_cut_ways() {
        let board = disc(2);
        let blocked = (1..6).map(SpaceId).collect();
        let spec = PathSpec { blocked: Some(&blocked), ..PathSpec::exact(SpaceId(0), 2) };
        let found = paths(&board, &spec, |_, _| true);
        assert!(found.iter().all(|path| path[1] == SpaceId(6)));
        assert_eq!(found.len(), 3);
        let away = |path: &[SpaceId], to| board.distance(SpaceId(0), to) == Some(path.len() as u32);
        assert_eq!(paths(&board, &PathSpec::exact(SpaceId(0), 2), away).len(), 18);
        let ends = [SpaceId(7)].into_iter().collect();
        let spec = PathSpec { ends: Some(&ends), ..PathSpec::exact(SpaceId(0), 2) };
        assert_eq!(paths(&board, &spec, |_, _| true).by_end(), [(SpaceId(7), vec![0])]);
    }

    #[test]
    fn the_cap_ends_a_search_that_explodes() {
        let board = disc(4);
        let spec = PathSpec { cap: 50, ..PathSpec::exact(SpaceId(0), 30) };
        let found = paths(&board, &spec, |_, _| true);
        assert!(found.truncated && found.len() <= 50);
        let (best, _) = best_paths(&board, &spec, |_, _| true, |path| path.len());
        assert!(best.truncated);
    }

    #[test]
    fn only_the_lowest_rank_stays() {
        let board = disc(2);
        let spec = PathSpec::exact(SpaceId(0), 2);
        let rank = |path: &[SpaceId]| (board.distance(SpaceId(0), path[2]), i32::from(path[1] != SpaceId(1)));
        let (best, lowest) = best_paths(&board, &spec, |_, _| true, rank);
        assert_eq!(lowest, Some((Some(1), 0)));
        assert_eq!(best.len(), 2);
        assert!(best.iter().all(|path| path[1] == SpaceId(1)));
    }
}

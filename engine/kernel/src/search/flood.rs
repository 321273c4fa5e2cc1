//! Floods: everything within so many steps, or so much cost, of any of several sources.

use super::profile::{Cost, Profile};
use super::reach::NONE;
use super::scratch::Scratch;
use crate::map::{Board, BorderSet, NetworkId, Over, SpaceId, SpaceSet};

const SHUT: u8 = 1;
const KEEP: u8 = 2;
const FAR: u32 = u32::MAX;

/// What a flood spreads over.
#[derive(Clone, Copy, Debug, Default)]
pub enum FloodOver<'a> {
    /// Borders, one step each.
    #[default]
    Borders,
    /// The links of a network, one step each.
    Network(NetworkId),
    /// The links of a network against their direction, one step each.
    NetworkAgainst(NetworkId),
    /// The steps of a profile at their cost.
    Profile(&'a Profile),
}

/// How a flood spreads.
#[derive(Clone, Copy, Debug, Default)]
pub struct FloodSpec<'a> {
    /// What it spreads over.
    pub over: FloodOver<'a>,
    /// The most steps (or cost, over a profile) from a source; `None` for no limit.
    pub limit: Option<u32>,
    /// Spaces that it does not enter; a source among them does not count.
    pub blocked: Option<&'a SpaceSet>,
    /// Borders that it does not cross.
    pub barrier: Option<&'a BorderSet>,
    /// Spaces that it enters but does not leave, unless they are sources.
    pub no_leave: Option<&'a SpaceSet>,
}

/// What a flood reached, how far it was and from where.
#[derive(Clone, Debug)]
pub struct Flood {
    distance: Vec<u32>,
    before: Vec<u32>,
}

impl Flood {
    /// Returns the steps (or cost) from the nearest source.
    pub fn distance(&self, space: SpaceId) -> Option<u32> {
        self.distance.get(space.index()).copied().filter(|distance| *distance != FAR)
    }

    /// Returns every space that was reached, sources included.
    pub fn reached(&self) -> SpaceSet {
        collect(&self.distance)
    }

    /// Returns the way from a space back to its source, both included; empty when it was not reached.
    pub fn path_to_source(&self, space: SpaceId) -> Vec<SpaceId> {
        let mut path = Vec::new();
        if self.distance(space).is_some() {
            let mut at = space.0;
            while at != NONE {
                path.push(SpaceId(at));
                at = self.before[at as usize];
            }
        }
        path
    }
}

fn collect(distance: &[u32]) -> SpaceSet {
    let mut set = SpaceSet::with_room(distance.len());
    for (i, _) in distance.iter().enumerate().filter(|(_, distance)| **distance != FAR) {
        set.insert(SpaceId(i as u32));
    }
    set
}

/// Returns every space that a flood from the sources reaches, sources included.
///
/// ```
/// use sandtable_kernel::map::{BoardBuilder, SpaceId};
/// use sandtable_kernel::search::{FloodSpec, Scratch, flood};
///
/// let mut builder = BoardBuilder::new();
/// let spaces: Vec<SpaceId> = (0..5).map(|_| builder.add_space()).collect();
/// for pair in spaces.windows(2) {
///     builder.add_border(pair[0], pair[1]);
/// }
/// let board = builder.build().expect("a sound board");
/// let source = [spaces[0]].into_iter().collect();
/// let spec = FloodSpec { limit: Some(2), ..FloodSpec::default() };
/// let reached = flood(&board, &source, &spec, &mut Scratch::new());
/// assert_eq!(reached, spaces[..3].iter().copied().collect());
/// ```
pub fn flood(board: &Board, sources: &SpaceSet, spec: &FloodSpec<'_>, scratch: &mut Scratch) -> SpaceSet {
    let mut distance = std::mem::take(&mut scratch.distance);
    distance.clear();
    distance.resize(board.len(), FAR);
    spread(board, sources, spec, scratch, &mut distance, |_, _| {});
    let set = collect(&distance);
    scratch.distance = distance;
    set
}

/// Floods like [`flood`] and keeps distances and ways.
pub fn flood_paths(board: &Board, sources: &SpaceSet, spec: &FloodSpec<'_>, scratch: &mut Scratch) -> Flood {
    let mut distance = vec![FAR; board.len()];
    let mut before = vec![NONE; board.len()];
    spread(board, sources, spec, scratch, &mut distance, |to, from| before[to] = from);
    Flood { distance, before }
}

fn spread(
    board: &Board,
    sources: &SpaceSet,
    spec: &FloodSpec<'_>,
    scratch: &mut Scratch,
    distance: &mut [u32],
    came: impl FnMut(usize, u32),
) {
    scratch.clear_marks(board.len());
    scratch.mark(spec.blocked, SHUT);
    scratch.mark(spec.no_leave, KEEP);
    scratch.open.clear();
    for space in sources {
        if board.has(space) && scratch.marks[space.index()] & SHUT == 0 {
            distance[space.index()] = 0;
            scratch.open.push(space.0);
        }
    }
    let over = match spec.over {
        FloodOver::Profile(profile) => return spread_by_cost(profile, spec, scratch, distance, came),
        FloodOver::Borders => Over::Borders,
        FloodOver::Network(network) => Over::Network(network),
        FloodOver::NetworkAgainst(network) => Over::NetworkAgainst(network),
    };
    spread_by_steps(board, over, spec, scratch, distance, came);
}

fn spread_by_steps(
    board: &Board,
    over: Over,
    spec: &FloodSpec<'_>,
    scratch: &mut Scratch,
    distance: &mut [u32],
    mut came: impl FnMut(usize, u32),
) {
    let limit = spec.limit.unwrap_or(FAR - 1);
    let Scratch { marks, open, .. } = scratch;
    let mut done = 0;
    while let Some(&at) = open.get(done) {
        done += 1;
        let steps = distance[at as usize];
        if steps >= limit || (steps > 0 && marks[at as usize] & KEEP != 0) {
            continue;
        }
        board.each_step(over, SpaceId(at), spec.barrier, |to| {
            let i = to.index();
            if distance[i] == FAR && marks[i] & SHUT == 0 {
                distance[i] = steps + 1;
                came(i, at);
                open.push(to.0);
            }
        });
    }
}

fn spread_by_cost(
    profile: &Profile,
    spec: &FloodSpec<'_>,
    scratch: &mut Scratch,
    distance: &mut [u32],
    mut came: impl FnMut(usize, u32),
) {
    let limit = spec.limit.unwrap_or(FAR - 1).min(Cost::MAX as u32 - 1);
    let Scratch { marks, open, next, queue, .. } = scratch;
    queue.reset(profile.dearest());
    for &source in open.iter() {
        queue.push(0, source);
        // A source is left even if others may not be; it is entered by nobody, so the mark is not needed.
        marks[source as usize] &= !KEEP;
    }
    let mut batch = std::mem::take(next);
    while let Some(spent) = queue.next_batch(&mut batch) {
        let spent = spent as u32;
        for &at in &batch {
            if spent > distance[at as usize] || marks[at as usize] & KEEP != 0 {
                continue;
            }
            for (edge, border) in profile.edges_with_borders(at as usize) {
                let to = edge.to as usize;
                // Both are below half the range of the type, so the sum does not overflow.
                let total = spent + edge.cost as u32;
                if total <= limit && total < distance[to] && marks[to] & SHUT == 0 {
                    if border.is_some_and(|border| spec.barrier.is_some_and(|set| set.contains(border))) {
                        continue;
                    }
                    distance[to] = total;
                    came(to, at);
                    queue.push(total as Cost, edge.to);
                }
            }
        }
    }
    *next = batch;
}

#[cfg(test)]
mod tests {
    use super::super::profile::ProfileSpec;
    use super::*;
    use crate::map::BoardBuilder;

    fn set(ids: &[u32]) -> SpaceSet {
        ids.iter().map(|id| SpaceId(*id)).collect()
    }

    /// Areas 0-1-2-3-4-5 in a row; a one-way rail 0 -> 3 -> 5.
    fn row() -> Board {
        let mut builder = BoardBuilder::new();
        let spaces: Vec<_> = (0..6).map(|_| builder.add_space()).collect();
        for pair in spaces.windows(2) {
            builder.add_border(pair[0], pair[1]);
        }
        let rail = builder.add_network("rail", true);
        builder.add_network_link(rail, spaces[0], spaces[3]);
        builder.add_network_link(rail, spaces[3], spaces[5]);
        builder.build().expect("a sound board")
    }

    #[test]
    fn blocked_spaces_and_barriers_hold_a_flood() {
        let (board, mut scratch) = (row(), Scratch::new());
        let blocked = set(&[4]);
        let barrier = board.border_between(SpaceId(1), SpaceId(2)).into_iter().collect();
        let spec = FloodSpec { blocked: Some(&blocked), ..FloodSpec::default() };
        assert_eq!(flood(&board, &set(&[2]), &spec, &mut scratch), set(&[0, 1, 2, 3]));
        let spec = FloodSpec { barrier: Some(&barrier), ..spec };
        assert_eq!(flood(&board, &set(&[2]), &spec, &mut scratch), set(&[2, 3]));
        assert_eq!(flood(&board, &set(&[4]), &spec, &mut scratch), set(&[]));
    }

    #[test]
    fn a_space_may_be_entered_and_not_left() {
        let (board, mut scratch) = (row(), Scratch::new());
        let no_leave = set(&[2]);
        let spec = FloodSpec { no_leave: Some(&no_leave), ..FloodSpec::default() };
        assert_eq!(flood(&board, &set(&[0]), &spec, &mut scratch), set(&[0, 1, 2]));
        assert_eq!(flood(&board, &set(&[2]), &spec, &mut scratch), set(&[0, 1, 2, 3, 4, 5]));
        let steps = Profile::steps(&board);
        let spec = FloodSpec { over: FloodOver::Profile(&steps), ..spec };
        assert_eq!(flood(&board, &set(&[0]), &spec, &mut scratch), set(&[0, 1, 2]));
    }

    #[test]
    fn a_network_is_followed_in_its_direction() {
        let (board, mut scratch) = (row(), Scratch::new());
        let rail = board.network("rail").expect("a network");
        let spec = FloodSpec { over: FloodOver::Network(rail), ..FloodSpec::default() };
        let found = flood_paths(&board, &set(&[0]), &spec, &mut scratch);
        assert_eq!(found.reached(), set(&[0, 3, 5]));
        assert_eq!(found.path_to_source(SpaceId(5)), [SpaceId(5), SpaceId(3), SpaceId(0)]);
        let spec = FloodSpec { over: FloodOver::NetworkAgainst(rail), ..FloodSpec::default() };
        assert_eq!(flood(&board, &set(&[3]), &spec, &mut scratch), set(&[0, 3]));
    }

    #[test]
    fn cost_limits_come_from_a_profile() {
        let (board, mut scratch) = (row(), Scratch::new());
        let profile =
            Profile::new(&board, &ProfileSpec { enter: &[2, 2, 5, 2, 2, 2], ..ProfileSpec::default() });
        let spec = FloodSpec { over: FloodOver::Profile(&profile), limit: Some(6), ..FloodSpec::default() };
        let found = flood_paths(&board, &set(&[0, 5]), &spec, &mut scratch);
        assert_eq!(found.reached(), set(&[0, 1, 3, 4, 5]));
        assert_eq!(found.distance(SpaceId(3)), Some(4));
        assert_eq!(found.distance(SpaceId(2)), None);
    }
}

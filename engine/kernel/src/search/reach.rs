//! Reach: every space a mover can get to with its points, what it costs and by which way.

use super::limited;
use super::profile::{BLOCKED, Cost, Profile, UNLIMITED};
use super::scratch::Scratch;
use super::spec::{BETWEEN, FIRST, ReachSpec, SHUT, STOP, crossing, prepare, step_cost};
use crate::map::{Board, SpaceId, SpaceSet};

pub(super) const NONE: u32 = u32::MAX;

/// How the way to each space is remembered.
#[derive(Clone, Debug)]
pub(super) enum Ways {
    /// The space before each space.
    Before(Vec<u32>),
    /// For each space its best label; each label has a space and the label before it. Used where the number
    /// of steps counts, because then the best way to a space need not begin with the best way to another.
    Labels { best: Vec<u32>, labels: Vec<(u32, u32)> },
}

/// The answer to a [`ReachSpec`].
#[derive(Clone, Debug)]
pub struct Reach {
    pub(super) from: SpaceId,
    pub(super) cost: Vec<Cost>,
    pub(super) ways: Ways,
    pub(super) ends: SpaceSet,
}

impl Reach {
    /// Returns the cost of getting to a space, whether or not a move may end there; 0 for the start.
    pub fn cost(&self, space: SpaceId) -> Option<Cost> {
        self.cost.get(space.index()).copied().filter(|cost| *cost != BLOCKED)
    }

    /// Tells whether a move may end in a space.
    pub fn can_end(&self, space: SpaceId) -> bool {
        self.ends.contains(space)
    }

    /// Iterates over the legal ends in ascending order; the start is not among them.
    pub fn spaces(&self) -> impl Iterator<Item = SpaceId> + '_ {
        self.ends.iter()
    }

    /// Returns the legal ends; the start is not among them.
    pub fn ends(&self) -> &SpaceSet {
        &self.ends
    }

    /// Returns a cheapest way from the start to a space, both included; empty when it is out of reach.
    pub fn path_to(&self, space: SpaceId) -> Vec<SpaceId> {
        if self.cost(space).is_none() {
            return Vec::new();
        }
        let mut path = vec![space];
        match &self.ways {
            Ways::Before(before) => {
                let mut at = space.0;
                while at != self.from.0 {
                    at = before[at as usize];
                    path.push(SpaceId(at));
                }
            }
            Ways::Labels { best, labels } => {
                let mut label = labels[best[space.index()] as usize].1;
                while label != NONE {
                    let (at, before) = labels[label as usize];
                    path.push(SpaceId(at));
                    label = before;
                }
            }
        }
        path.reverse();
        path
    }
}

/// Finds every space within reach.
///
/// Among ways of equal cost the one found first counts, which depends only on the board and the profile.
pub fn reach(board: &Board, profile: &Profile, spec: &ReachSpec<'_>, scratch: &mut Scratch) -> Reach {
    let spaces = board.len().min(profile.len());
    let dearest = prepare(spaces, profile, spec, scratch);
    let mut cost = vec![BLOCKED; spaces];
    let from = spec.from.index();
    if from >= spaces {
        return Reach { from: spec.from, cost, ways: Ways::Before(Vec::new()), ends: SpaceSet::new() };
    }
    cost[from] = 0;
    let mut ways = if let Some(steps) = spec.max_steps {
        limited::walk(profile, spec, steps, scratch, &mut cost)
    } else {
        let mut before = vec![NONE; spaces];
        scratch.queue.reset(dearest.min(spec.points.max(0)));
        match (spec.by_space(), spec.by_border()) {
            (false, false) => walk::<false, false>(profile, spec, scratch, &mut cost, &mut before),
            (true, false) => walk::<true, false>(profile, spec, scratch, &mut cost, &mut before),
            (false, true) => walk::<false, true>(profile, spec, scratch, &mut cost, &mut before),
            (true, true) => walk::<true, true>(profile, spec, scratch, &mut cost, &mut before),
        }
        Ways::Before(before)
    };
    if spec.one_step && spec.max_steps != Some(0) {
        force_one_step(profile, spec, scratch, &mut cost, &mut ways);
    }
    let mut ends = SpaceSet::with_room(spaces);
    if spec.max_steps.is_some() {
        let reached = cost.iter().enumerate().filter(|(_, cost)| **cost != BLOCKED);
        ends.extend(reached.map(|(i, _)| SpaceId(i as u32)));
    } else {
        // Most searches end near their start: only what they touched is looked at.
        ends.extend(scratch.open.iter().map(|&space| SpaceId(space)));
        let next = profile.edges_with_borders(from).map(|(edge, _)| edge.to as usize);
        ends.extend(next.filter(|&to| cost[to] != BLOCKED).map(|to| SpaceId(to as u32)));
    }
    ends.remove(spec.from);
    if let Some(no_end) = spec.no_end {
        ends.subtract(no_end);
    }
    Reach { from: spec.from, cost, ways, ends }
}

fn walk<const BY_SPACE: bool, const BY_BORDER: bool>(
    profile: &Profile,
    spec: &ReachSpec<'_>,
    scratch: &mut Scratch,
    cost: &mut [Cost],
    before: &mut [u32],
) {
    let start = spec.from.index();
    let Scratch { queue, marks, enter, leave, best, open: touched, next: batch, .. } = scratch;
    // One comparison decides a step: spaces start at one more than the points, those that cannot be entered at
    // zero, which nothing undercuts.
    let limit = spec.points.clamp(-1, UNLIMITED - 1) + 1;
    best.clear();
    best.resize(cost.len(), limit);
    let never = spec.enter_extra.iter().filter(|(_, cost)| *cost == BLOCKED).map(|(set, _)| *set);
    for space in spec.blocked.into_iter().chain(never).flatten() {
        if let Some(best) = best.get_mut(space.index()) {
            *best = 0;
        }
    }
    best[start] = 0;
    touched.clear();
    let between = spec.between.map_or(0, |(_, extra)| extra);
    queue.push(0, spec.from.0);
    let mut first = true;
    while let Some(spent) = queue.next_batch(batch) {
        for &at in batch.iter() {
            let from = at as usize;
            if spent > best[from] || (!first && marks[from] & (STOP | FIRST) != 0) {
                continue;
            }
            let leaving = if BY_SPACE { leave.get(from).copied().unwrap_or(0) } else { 0 };
            let watched = BY_SPACE && marks[from] & BETWEEN != 0;
            if leaving != BLOCKED {
                for (edge, border) in profile.edges_with_borders(from) {
                    let to = edge.to as usize;
                    let mut step = edge.cost;
                    if BY_SPACE {
                        if !first && marks[to] & FIRST != 0 {
                            continue;
                        }
                        step =
                            step.saturating_add(leaving).saturating_add(enter.get(to).copied().unwrap_or(0));
                        if watched && marks[to] & BETWEEN != 0 {
                            step = if between == BLOCKED { BLOCKED } else { step.saturating_add(between) };
                        }
                    }
                    if BY_BORDER && let Some(border) = border {
                        step = crossing(spec, border, step);
                    }
                    let total = spent.saturating_add(step.max(0));
                    if total < best[to] {
                        best[to] = total;
                        if before[to] == NONE {
                            touched.push(edge.to);
                        }
                        before[to] = at;
                        queue.push(total, edge.to);
                    }
                }
            }
            first = false;
        }
    }
    for &space in touched.iter() {
        cost[space as usize] = best[space as usize];
    }
}

/// Lets the mover take one step that it cannot pay, for all its points.
fn force_one_step(
    profile: &Profile,
    spec: &ReachSpec<'_>,
    scratch: &Scratch,
    cost: &mut [Cost],
    ways: &mut Ways,
) {
    let from = spec.from.index();
    for (edge, border) in profile.edges_with_borders(from) {
        let to = edge.to as usize;
        let open = scratch.marks[to] & SHUT == 0 && step_cost(spec, scratch, from, edge, border) != BLOCKED;
        if !open || cost[to] != BLOCKED {
            continue;
        }
        cost[to] = spec.points.max(0);
        match ways {
            Ways::Before(before) => before[to] = spec.from.0,
            Ways::Labels { best, labels } => {
                best[to] = labels.len() as u32;
                labels.push((edge.to, best[from]));
            }
        }
    }
}

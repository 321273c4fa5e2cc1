//! Why a space is out of reach: the cheapest way with the limits lifted, and the first thing in its way.

use super::profile::{BLOCKED, Cost, Profile, UNLIMITED};
use super::reach::{NONE, reach};
use super::scratch::Scratch;
use super::spec::{BETWEEN, FIRST, ReachSpec, SHUT, STOP, prepare, step_cost};
use crate::map::{Board, BorderId, SpaceId};

/// The first thing on a way that keeps a mover from going it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// The space cannot be entered.
    Blocked {
        /// The space.
        at: SpaceId,
    },
    /// The mover has to stop here and cannot go on.
    Stop {
        /// The space.
        at: SpaceId,
    },
    /// The space can be entered only by the first step of a move, and ends it.
    FirstStepOnly {
        /// The space.
        at: SpaceId,
    },
    /// The step from one space to the other is prohibited by the profile, by a barrier or by a blocked extra.
    Prohibited {
        /// Where the step starts.
        from: SpaceId,
        /// Where it ends.
        to: SpaceId,
        /// The border it crosses, if any.
        border: Option<BorderId>,
    },
    /// Both spaces are in the set between whose members one cannot move directly.
    Between {
        /// Where the step starts.
        from: SpaceId,
        /// Where it ends.
        to: SpaceId,
    },
    /// The way costs more than the mover has.
    TooExpensive {
        /// What the whole way costs.
        need: Cost,
        /// What the mover has.
        have: Cost,
    },
    /// The way has too many steps.
    TooManySteps {
        /// How many steps it has.
        need: u32,
        /// How many are allowed.
        have: u32,
    },
    /// The space can be passed, but no move may end in it.
    NoEnd {
        /// The space.
        at: SpaceId,
    },
    /// The mover is there already.
    Start,
    /// No way leads there, whatever the limits.
    NotConnected,
}

/// Why a space is out of reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyNot {
    /// The cheapest way with the limits lifted, both ends included; empty when there is none.
    pub path: Vec<SpaceId>,
    /// What each step of the way costs; [`BLOCKED`] for a prohibited one.
    pub costs: Vec<Cost>,
    /// The first thing in the way.
    pub barrier: Barrier,
}

/// Tells why a space is not a legal end, or `None` when it is one.
///
/// The way is the cheapest when blocked spaces, stops, points and the like are lifted but what the profile
/// prohibits stays; only if there is none are prohibited steps lifted as well.
pub fn why_not(
    board: &Board,
    profile: &Profile,
    spec: &ReachSpec<'_>,
    to: SpaceId,
    scratch: &mut Scratch,
) -> Option<WhyNot> {
    if reach(board, profile, spec, scratch).can_end(to) {
        return None;
    }
    let bare = |barrier| Some(WhyNot { path: Vec::new(), costs: Vec::new(), barrier });
    if !board.has(to) || !board.has(spec.from) || profile.len() < board.len() {
        return bare(Barrier::NotConnected);
    }
    if to == spec.from {
        return bare(Barrier::Start);
    }
    let dearest = prepare(board.len(), profile, spec, scratch);
    let Some(path) =
        cheapest(profile, spec, to, dearest, scratch).or_else(|| fewest_prohibited(board, profile, spec, to))
    else {
        return bare(Barrier::NotConnected);
    };
    let (costs, barrier) = walk(board, profile, spec, &path, scratch);
    Some(WhyNot { path, costs, barrier })
}

/// The cheapest way along steps of the profile, with everything that the question adds to them lifted.
fn cheapest(
    profile: &Profile,
    spec: &ReachSpec<'_>,
    to: SpaceId,
    dearest: Cost,
    scratch: &mut Scratch,
) -> Option<Vec<SpaceId>> {
    let mut cost = vec![BLOCKED; profile.len()];
    let mut before = vec![NONE; profile.len()];
    let mut queue = std::mem::take(&mut scratch.queue);
    queue.reset(dearest);
    cost[spec.from.index()] = 0;
    queue.push(0, spec.from.0);
    let mut batch = Vec::new();
    while let Some(spent) = queue.next_batch(&mut batch) {
        for &at in &batch {
            if spent > cost[at as usize] {
                continue;
            }
            for (edge, border) in profile.edges_with_borders(at as usize) {
                let step = step_cost(spec, scratch, at as usize, edge, border);
                let step = if step == BLOCKED { edge.cost } else { step };
                let total = spent.saturating_add(step).min(UNLIMITED);
                if total < cost[edge.to as usize] {
                    cost[edge.to as usize] = total;
                    before[edge.to as usize] = at;
                    queue.push(total, edge.to);
                }
            }
        }
    }
    scratch.queue = queue;
    trail(&before, spec.from, to)
}

/// The way over borders that takes the fewest prohibited steps.
fn fewest_prohibited(
    board: &Board,
    profile: &Profile,
    spec: &ReachSpec<'_>,
    to: SpaceId,
) -> Option<Vec<SpaceId>> {
    let mut before = vec![NONE; board.len()];
    let mut count = vec![u32::MAX; board.len()];
    // Free steps are taken at once, prohibited ones wait for the next round.
    let mut now = vec![spec.from];
    let mut later = Vec::new();
    count[spec.from.index()] = 0;
    let mut round = 0;
    while !now.is_empty() {
        while let Some(from) = now.pop() {
            if count[from.index()] < round {
                continue;
            }
            let free = profile.edges(from.index()).iter().map(|edge| (SpaceId(edge.to), round));
            let all = board.neighbours(from).map(|to| (to, round + 1));
            for (to, total) in free.chain(all) {
                if total < count[to.index()] {
                    count[to.index()] = total;
                    before[to.index()] = from.0;
                    if total == round { &mut now } else { &mut later }.push(to);
                }
            }
        }
        std::mem::swap(&mut now, &mut later);
        round += 1;
    }
    trail(&before, spec.from, to)
}

fn trail(before: &[u32], from: SpaceId, to: SpaceId) -> Option<Vec<SpaceId>> {
    let mut path = vec![to];
    let mut at = to;
    while at != from {
        let step = before[at.index()];
        if step == NONE {
            return None;
        }
        at = SpaceId(step);
        path.push(at);
    }
    path.reverse();
    Some(path)
}

/// Goes a way step by step; returns what the steps cost and the first thing that forbids it.
fn walk(
    board: &Board,
    profile: &Profile,
    spec: &ReachSpec<'_>,
    path: &[SpaceId],
    scratch: &Scratch,
) -> (Vec<Cost>, Barrier) {
    let mut costs = Vec::new();
    let mut found = None;
    for (i, pair) in path.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let step = profile.edges_with_borders(from.index()).find(|(edge, _)| edge.to == to.0);
        let cost =
            step.map_or(BLOCKED, |(edge, border)| step_cost(spec, scratch, from.index(), edge, border));
        costs.push(cost);
        let mark = |space: SpaceId| scratch.marks[space.index()];
        let barrier = if i > 0 && mark(from) & STOP != 0 {
            Some(Barrier::Stop { at: from })
        } else if i > 0 && mark(from) & FIRST != 0 {
            Some(Barrier::FirstStepOnly { at: from })
        } else if i > 0 && mark(to) & FIRST != 0 {
            Some(Barrier::FirstStepOnly { at: to })
        } else if mark(to) & SHUT != 0 {
            Some(Barrier::Blocked { at: to })
        } else if cost == BLOCKED
            && mark(from) & mark(to) & BETWEEN != 0
            && spec.between.is_some_and(|b| b.1 == BLOCKED)
        {
            Some(Barrier::Between { from, to })
        } else if cost == BLOCKED {
            let border = board.border_between(from, to);
            Some(Barrier::Prohibited { from, to, border })
        } else {
            None
        };
        found = found.or(barrier);
    }
    if let Some(barrier) = found {
        return (costs, barrier);
    }
    let need = costs.iter().fold(0, |sum: Cost, cost| sum.saturating_add(*cost));
    let steps = costs.len() as u32;
    let at = path.last().copied().unwrap_or(spec.from);
    let barrier = match spec.max_steps {
        _ if need > spec.points && !(spec.one_step && steps == 1) => {
            Barrier::TooExpensive { need, have: spec.points }
        }
        Some(have) if steps > have => Barrier::TooManySteps { need: steps, have },
        _ => Barrier::NoEnd { at },
    };
    (costs, barrier)
}

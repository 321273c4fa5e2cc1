//! One question of reach, and what a step costs under it.

use super::profile::{BLOCKED, Cost, Edge, Profile, UNLIMITED};
use super::scratch::{Scratch, add_extras};
use crate::map::{BorderId, BorderSet, SpaceId, SpaceSet};

pub(super) const SHUT: u8 = 1;
pub(super) const STOP: u8 = 2;
pub(super) const FIRST: u8 = 4;
pub(super) const BETWEEN: u8 = 8;

/// One question of reach: where from, how far, and what stands in the way at this moment.
///
/// ```
/// use sandtable_kernel::map::{BoardBuilder, SpaceId};
/// use sandtable_kernel::search::{Profile, ReachSpec, Scratch, reach};
///
/// let mut builder = BoardBuilder::new();
/// let spaces: Vec<SpaceId> = (0..4).map(|_| builder.add_space()).collect();
/// for pair in spaces.windows(2) {
///     builder.add_border(pair[0], pair[1]);
/// }
/// let board = builder.build().expect("a sound board");
/// let profile = Profile::steps(&board);
/// let guarded = [spaces[2]].into_iter().collect();
/// let spec = ReachSpec { stop: Some(&guarded), ..ReachSpec::new(spaces[0], 9) };
/// let reached = reach(&board, &profile, &spec, &mut Scratch::new());
/// assert_eq!(reached.spaces().collect::<Vec<_>>(), [spaces[1], spaces[2]]);
/// assert_eq!(reached.path_to(spaces[2]), [spaces[0], spaces[1], spaces[2]]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ReachSpec<'a> {
    /// Where the mover stands.
    pub from: SpaceId,
    /// The points it may spend, or [`UNLIMITED`].
    pub points: Cost,
    /// Spaces that cannot be entered.
    pub blocked: Option<&'a SpaceSet>,
    /// Borders that cannot be crossed.
    pub barrier: Option<&'a BorderSet>,
    /// Spaces in which the mover must stop on entering.
    pub stop: Option<&'a SpaceSet>,
    /// Extra costs, possibly [`BLOCKED`], of entering the spaces of a set.
    pub enter_extra: &'a [(&'a SpaceSet, Cost)],
    /// Extra costs, possibly [`BLOCKED`], of leaving the spaces of a set.
    pub leave_extra: &'a [(&'a SpaceSet, Cost)],
    /// Extra costs, possibly [`BLOCKED`], of crossing the borders of a set.
    pub cross_extra: &'a [(&'a BorderSet, Cost)],
    /// The extra cost, possibly [`BLOCKED`], of moving directly from one space of the set to another of it.
    pub between: Option<(&'a SpaceSet, Cost)>,
    /// Whether one step is always allowed, even if the points do not suffice, unless it is prohibited.
    pub one_step: bool,
    /// Spaces that can be entered only by the very first step, which then ends the move.
    pub first_step_only: Option<&'a SpaceSet>,
    /// The most steps of a move.
    pub max_steps: Option<u32>,
    /// Spaces that may be passed but not ended in.
    pub no_end: Option<&'a SpaceSet>,
}

impl<'a> ReachSpec<'a> {
    /// Asks for everything within `points` of `from`, with nothing in the way.
    pub const fn new(from: SpaceId, points: Cost) -> Self {
        Self {
            from,
            points,
            blocked: None,
            barrier: None,
            stop: None,
            enter_extra: &[],
            leave_extra: &[],
            cross_extra: &[],
            between: None,
            one_step: false,
            first_step_only: None,
            max_steps: None,
            no_end: None,
        }
    }

    /// Whether steps depend on the border that they cross, beyond their static cost.
    pub(super) fn by_border(&self) -> bool {
        self.barrier.is_some() || !self.cross_extra.is_empty()
    }

    /// Whether steps depend on the spaces at their ends, beyond their static cost.
    pub(super) fn by_space(&self) -> bool {
        self.between.is_some()
            || self.first_step_only.is_some()
            || !self.leave_extra.is_empty()
            || !self.enter_extra.is_empty()
    }

    /// The largest extra that crossing and moving between can add to a step.
    fn step_extra(&self) -> Cost {
        let crossing =
            self.cross_extra.iter().map(|(_, cost)| *cost).filter(|cost| *cost != BLOCKED && *cost > 0);
        let between = self.between.map(|(_, cost)| cost).filter(|cost| *cost != BLOCKED && *cost > 0);
        crossing.chain(between).fold(0, Cost::saturating_add)
    }
}

/// Prepares the marks and extra costs of a question; returns the dearest possible step.
pub(super) fn prepare(spaces: usize, profile: &Profile, spec: &ReachSpec<'_>, scratch: &mut Scratch) -> Cost {
    scratch.clear_marks(spaces);
    scratch.mark(spec.blocked, SHUT);
    scratch.mark(spec.stop, STOP);
    scratch.mark(spec.first_step_only, FIRST);
    scratch.mark(spec.between.map(|(set, _)| set), BETWEEN);
    let enter = add_extras(&mut scratch.enter, spaces, spec.enter_extra);
    let leave = add_extras(&mut scratch.leave, spaces, spec.leave_extra);
    [enter.max(0), leave.max(0), spec.step_extra()].into_iter().fold(profile.dearest(), Cost::saturating_add)
}

/// The whole cost of one step as things stand, [`BLOCKED`] if it cannot be taken.
#[inline]
pub(super) fn step_cost(
    spec: &ReachSpec<'_>,
    scratch: &Scratch,
    from: usize,
    edge: &Edge,
    border: Option<BorderId>,
) -> Cost {
    let to = edge.to as usize;
    let mut cost = i64::from(edge.cost);
    for extra in [scratch.leave.get(from), scratch.enter.get(to)].into_iter().flatten() {
        if *extra == BLOCKED {
            return BLOCKED;
        }
        cost += i64::from(*extra);
    }
    if let Some(border) = border {
        if spec.barrier.is_some_and(|set| set.contains(border)) {
            return BLOCKED;
        }
        for (set, extra) in spec.cross_extra {
            if set.contains(border) {
                if *extra == BLOCKED {
                    return BLOCKED;
                }
                cost += i64::from(*extra);
            }
        }
    }
    if let Some((_, extra)) = spec.between
        && scratch.marks[from] & scratch.marks[to] & BETWEEN != 0
    {
        if extra == BLOCKED {
            return BLOCKED;
        }
        cost += i64::from(extra);
    }
    cost.clamp(0, i64::from(UNLIMITED)) as Cost
}

/// Adds what crossing a border costs at this moment.
#[inline]
pub(super) fn crossing(spec: &ReachSpec<'_>, border: BorderId, step: Cost) -> Cost {
    if spec.barrier.is_some_and(|set| set.contains(border)) {
        return BLOCKED;
    }
    let mut step = step;
    for (set, extra) in spec.cross_extra {
        if set.contains(border) {
            step = if *extra == BLOCKED || step == BLOCKED { BLOCKED } else { step.saturating_add(*extra) };
        }
    }
    step
}

//! Movement profiles: what each step on the board costs for one way of moving.

use crate::map::{Board, BorderId, NetworkId, SpaceId};

/// A cost in the units of the game, such as half points.
pub type Cost = i32;

/// The cost of what cannot be done at all.
pub const BLOCKED: Cost = Cost::MAX;

/// More points than any path costs.
pub const UNLIMITED: Cost = Cost::MAX - 1;

const NO_BORDER: u32 = u32::MAX;

/// The rate along a network, which replaces the cost of entering a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkRate {
    /// The network.
    pub network: NetworkId,
    /// The cost of one step along it.
    pub cost: Cost,
    /// Whether the cost of crossing the border still has to be paid, as where a road has no bridge.
    pub pay_crossing: bool,
    /// Whether the cost of leaving the space still has to be paid.
    pub pay_leaving: bool,
}

/// The tables from which a [`Profile`] is made; a missing entry costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProfileSpec<'a> {
    /// The cost to enter each space.
    pub enter: &'a [Cost],
    /// The cost to leave each space.
    pub leave: &'a [Cost],
    /// The extra cost of each link, by [`LinkId`](crate::map::LinkId); see [`crossing_costs`].
    pub cross: &'a [Cost],
    /// Rates along networks; where several run along the same link, the first counts.
    pub rates: &'a [NetworkRate],
}

/// Spreads a table of costs by border over both directions of each link.
pub fn crossing_costs(board: &Board, by_border: &[Cost]) -> Vec<Cost> {
    let links = board.spaces().flat_map(|space| board.links(space));
    links.map(|link| by_border.get(link.border.index()).copied().unwrap_or(0)).collect()
}

/// One possible step with its whole static cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) cost: Cost,
}

/// The static costs of one way of moving, folded into one list of steps.
///
/// Made once for each kind of mover and kept beside the board; what changes during play (who stands where)
/// is given to the search.
///
/// ```
/// use sandtable_kernel::map::BoardBuilder;
/// use sandtable_kernel::search::{Profile, ProfileSpec};
///
/// let mut builder = BoardBuilder::new();
/// let (plain, hill) = (builder.add_space(), builder.add_space());
/// builder.add_border(plain, hill);
/// let board = builder.build().expect("a sound board");
/// let halves = Profile::new(&board, &ProfileSpec { enter: &[2, 4], ..ProfileSpec::default() });
/// assert_eq!(halves.step(plain, hill), Some(4));
/// ```
#[derive(Clone, Debug)]
pub struct Profile {
    first: Vec<u32>,
    edges: Vec<Edge>,
    /// The border of each edge, apart from the edges because most searches do not look at it.
    borders: Vec<u32>,
    dearest: Cost,
}

impl Profile {
    /// Folds the tables into a profile.
    ///
    /// A step costs leaving, crossing and entering together, never less than zero; it is impossible when any
    /// of them is [`BLOCKED`]. A step along a network of `rates` costs the rate instead, and is possible even
    /// into a blocked space; links between spaces that are not adjacent become steps as well.
    pub fn new(board: &Board, spec: &ProfileSpec<'_>) -> Self {
        let get = |table: &[Cost], index: usize| table.get(index).copied().unwrap_or(0);
        let mut first = Vec::with_capacity(board.len() + 1);
        let mut edges = Vec::with_capacity(board.link_count());
        let mut borders = Vec::with_capacity(board.link_count());
        let mut push = |to: SpaceId, cost: Cost, border: u32| {
            if cost < BLOCKED {
                edges.push(Edge { to: to.0, cost });
                borders.push(border);
            }
            edges.len() as u32
        };
        let mut end = 0;
        first.push(0);
        for from in board.spaces() {
            let leave = get(spec.leave, from.index());
            let rate_to = |to: SpaceId| {
                let joins = |rate: &&NetworkRate| {
                    board.network_links(rate.network, from).iter().any(|link| link.to == to)
                };
                spec.rates.iter().find(joins)
            };
            for (id, link) in board.link_ids(from).zip(board.links(from)) {
                let cross = get(spec.cross, id.index());
                let cost = match rate_to(link.to) {
                    Some(rate) => rate_cost(rate, leave, cross),
                    None => sum(&[leave, cross, get(spec.enter, link.to.index())]),
                };
                end = push(link.to, cost, link.border.0);
            }
            // Off-border links, each by its first rate.
            for (i, rate) in spec.rates.iter().enumerate() {
                let links =
                    board.network_links(rate.network, from).iter().filter(|link| link.border.is_none());
                for link in links {
                    let earlier = spec.rates[..i].iter();
                    let known = |earlier: &NetworkRate| {
                        board.network_links(earlier.network, from).iter().any(|other| other.to == link.to)
                    };
                    if !earlier.clone().any(known) {
                        end = push(link.to, rate_cost(rate, leave, 0), NO_BORDER);
                    }
                }
            }
            first.push(end);
        }
        let dearest = edges.iter().map(|edge| edge.cost).max().unwrap_or(0);
        Self { first, edges, borders, dearest }
    }

    /// Makes the profile in which every step over a border costs one.
    pub fn steps(board: &Board) -> Self {
        Self::new(board, &ProfileSpec { enter: &vec![1; board.len()], ..ProfileSpec::default() })
    }

    /// Counts the spaces of the board that the profile was made for.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Tells whether the board had no space.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the static cost of one step, or `None` when it is impossible.
    pub fn step(&self, from: SpaceId, to: SpaceId) -> Option<Cost> {
        self.edges(from.index()).iter().find(|edge| edge.to == to.0).map(|edge| edge.cost)
    }

    /// The dearest single step.
    pub(super) fn dearest(&self) -> Cost {
        self.dearest
    }

    #[inline]
    pub(super) fn edges(&self, from: usize) -> &[Edge] {
        match self.first.get(from..=from + 1) {
            Some([start, end]) => &self.edges[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The edges of a space with the border that each crosses.
    #[inline]
    pub(super) fn edges_with_borders(&self, from: usize) -> impl Iterator<Item = (&Edge, Option<BorderId>)> {
        let range = match self.first.get(from..=from + 1) {
            Some([start, end]) => *start as usize..*end as usize,
            _ => 0..0,
        };
        let borders = self.borders[range.clone()].iter();
        self.edges[range]
            .iter()
            .zip(borders.map(|border| (*border != NO_BORDER).then_some(BorderId(*border))))
    }
}

fn rate_cost(rate: &NetworkRate, leave: Cost, cross: Cost) -> Cost {
    let crossing = if rate.pay_crossing { cross } else { 0 };
    let leaving = if rate.pay_leaving { leave } else { 0 };
    sum(&[rate.cost, crossing, leaving])
}

/// Adds costs: blocked if any is, never below zero.
pub(super) fn sum(costs: &[Cost]) -> Cost {
    if costs.contains(&BLOCKED) {
        return BLOCKED;
    }
    let total: i64 = costs.iter().map(|cost| i64::from(*cost)).sum();
    total.clamp(0, i64::from(UNLIMITED)) as Cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::BoardBuilder;

    #[test]
    fn a_road_replaces_terrain_and_perhaps_the_crossing() {
        let mut builder = BoardBuilder::new();
        let [a, b, c, d] = [(); 4].map(|()| builder.add_space());
        builder.add_border(a, b);
        builder.add_border(b, c);
        let road = builder.add_network("road", false);
        builder.add_network_link(road, a, b);
        let ferry = builder.add_network("ferry", true);
        builder.add_network_link(ferry, c, d);
        let board = builder.build().expect("a sound board");
        let cross = crossing_costs(&board, &[3, 0]);
        let rate =
            |network, cost, pay_crossing| NetworkRate { network, cost, pay_crossing, pay_leaving: false };
        let enter = [2, BLOCKED, 2, 2];
        let plain =
            Profile::new(&board, &ProfileSpec { enter: &enter, cross: &cross, ..ProfileSpec::default() });
        assert_eq!((plain.step(a, b), plain.step(b, a), plain.step(c, d)), (None, Some(5), None));
        let rates = [rate(road, 1, false), rate(ferry, 4, false)];
        let bridged = Profile::new(
            &board,
            &ProfileSpec { enter: &enter, cross: &cross, rates: &rates, ..ProfileSpec::default() },
        );
        assert_eq!((bridged.step(a, b), bridged.step(c, b)), (Some(1), None));
        assert_eq!((bridged.step(c, d), bridged.step(d, c)), (Some(4), None));
        let rates = [rate(road, 1, true)];
        let ford = Profile::new(
            &board,
            &ProfileSpec { enter: &enter, cross: &cross, rates: &rates, ..ProfileSpec::default() },
        );
        assert_eq!(ford.step(a, b), Some(4));
    }

    #[test]
    fn a_step_never_costs_less_than_nothing() {
        assert_eq!(sum(&[2, -5, 1]), 0);
        assert_eq!(sum(&[2, BLOCKED, -9]), BLOCKED);
        assert_eq!(sum(&[UNLIMITED, UNLIMITED]), UNLIMITED);
    }
}

//! Tracing in segments: so many steps over borders, then along a network, then one hop, to a source.

use super::reach::NONE;
use super::scratch::Scratch;
use crate::map::{Board, BorderSet, NetworkId, Over, SpaceId, SpaceSet};

pub(super) const FAR: u32 = u32::MAX;

/// What one segment of a trace follows.
#[derive(Clone, Copy, Debug, Default)]
pub enum TraceOver<'a> {
    /// Borders.
    #[default]
    Borders,
    /// The links of a network, towards the source.
    Network(NetworkId),
    /// The links of a network, away from the source: what flows along it comes from there.
    NetworkFromSource(NetworkId),
    /// Hops from one member of a group to any other member of it, such as the ports of one sea.
    Groups(&'a [SpaceSet]),
}

/// One segment of a trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segment<'a> {
    /// What it follows.
    pub over: TraceOver<'a>,
    /// The most steps or hops; `None` for any number.
    pub limit: Option<u32>,
    /// Whether it must have at least one step; else it may be left out.
    pub required: bool,
    /// Spaces that a trace cannot pass in this segment; the caller has removed those where it is lifted.
    pub blocked: Option<&'a SpaceSet>,
    /// Borders that a trace cannot cross in this segment.
    pub barrier: Option<&'a BorderSet>,
}

/// The segments of a trace in the order in which a rulebook tells them: from the tracing space to the source.
#[derive(Clone, Copy, Debug)]
pub struct TraceSpec<'a> {
    /// The sources; those that are blocked do not count.
    pub sources: &'a SpaceSet,
    /// The segments, the one at the tracing space first.
    pub segments: &'a [Segment<'a>],
    /// Whether a trace may begin in a blocked space, though none may pass one.
    pub blocked_start: bool,
}

/// What one segment reached: how many of its steps each space uses, and the next space towards the source.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) distance: Vec<u32>,
    pub(super) toward: Vec<u32>,
    /// The spaces from which an earlier segment may go on.
    open: SpaceSet,
}

/// One segment's part of a traced way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The segment, by its place in [`TraceSpec::segments`].
    pub segment: usize,
    /// The spaces, both ends included; each leg starts where the one before it ends.
    pub spaces: Vec<SpaceId>,
}

/// The answer to a [`TraceSpec`] for all spaces at once.
#[derive(Clone, Debug)]
pub struct Trace {
    pub(super) layers: Vec<Layer>,
    optional: Vec<bool>,
    sources: SpaceSet,
    traced: SpaceSet,
}

impl Trace {
    /// Tells whether a space traces to a source.
    pub fn traces(&self, space: SpaceId) -> bool {
        self.traced.contains(space)
    }

    /// Returns every space that traces to a source.
    pub fn spaces(&self) -> &SpaceSet {
        &self.traced
    }

    /// Returns the way from a space to its source, leg by leg; segments without a step are left out.
    ///
    /// `None` when the space does not trace; no legs when it is a source itself.
    pub fn legs(&self, space: SpaceId) -> Option<Vec<Leg>> {
        let mut at = space;
        let mut legs = Vec::new();
        let mut segment = self.entry(space)?;
        while segment < self.layers.len() {
            let layer = &self.layers[segment];
            let mut spaces = vec![at];
            for _ in 0..layer.distance[at.index()] {
                at = SpaceId(layer.toward[at.index()]);
                spaces.push(at);
            }
            if spaces.len() > 1 {
                legs.push(Leg { segment, spaces });
            }
            segment += 1;
        }
        Some(legs)
    }

    /// The first segment that a trace from the space uses.
    fn entry(&self, space: SpaceId) -> Option<usize> {
        for (i, layer) in self.layers.iter().enumerate() {
            if layer.distance.get(space.index()).is_some_and(|distance| *distance != FAR) {
                return Some(i);
            }
            if !self.optional[i] {
                return None;
            }
        }
        self.sources.contains(space).then_some(self.layers.len())
    }
}

/// Traces from the sources outward, segment by segment.
///
/// ```
/// use sandtable_kernel::map::{BoardBuilder, SpaceId};
/// use sandtable_kernel::search::{Scratch, Segment, TraceOver, TraceSpec, trace};
///
/// // Six spaces in a row with a railway from 2 to 5, where the source is.
/// let mut builder = BoardBuilder::new();
/// let spaces: Vec<SpaceId> = (0..6).map(|_| builder.add_space()).collect();
/// let rail = builder.add_network("rail", false);
/// for (i, pair) in spaces.windows(2).enumerate() {
///     builder.add_border(pair[0], pair[1]);
///     if i >= 2 {
///         builder.add_network_link(rail, pair[0], pair[1]);
///     }
/// }
/// let board = builder.build().expect("a sound board");
/// let sources = [spaces[5]].into_iter().collect();
/// let segments = [
///     Segment { limit: Some(1), ..Segment::default() },
///     Segment { over: TraceOver::Network(rail), ..Segment::default() },
/// ];
/// let spec = TraceSpec { sources: &sources, segments: &segments, blocked_start: false };
/// let traced = trace(&board, &spec, &mut Scratch::new());
/// assert!(traced.traces(spaces[1]) && !traced.traces(spaces[0]));
/// let legs = traced.legs(spaces[1]).expect("it traces");
/// assert_eq!(legs[0].spaces, spaces[1..3]);
/// assert_eq!(legs[1].spaces, spaces[2..]);
/// ```
pub fn trace(board: &Board, spec: &TraceSpec<'_>, scratch: &mut Scratch) -> Trace {
    let mut sources = spec.sources.intersect(&SpaceSet::full(board.len()));
    if let Some(blocked) = spec.segments.last().and_then(|segment| segment.blocked) {
        sources.subtract(blocked);
    }
    let mut layers: Vec<Layer> = Vec::with_capacity(spec.segments.len());
    for segment in spec.segments.iter().rev() {
        let seeds = layers.last().map_or(&sources, |layer| &layer.open);
        let layer = spread(board, seeds, segment, spec.blocked_start, scratch);
        layers.push(layer);
    }
    layers.reverse();
    let optional = spec.segments.iter().map(|segment| !segment.required).collect();
    let mut trace = Trace { layers, optional, sources, traced: SpaceSet::with_room(board.len()) };
    trace.traced = board.spaces().filter(|space| trace.entry(*space).is_some()).collect();
    trace
}

/// Spreads one segment outward from the spaces at which the rest of the trace is known to succeed.
fn spread(
    board: &Board,
    seeds: &SpaceSet,
    segment: &Segment<'_>,
    blocked_start: bool,
    scratch: &mut Scratch,
) -> Layer {
    let mut layer = Layer {
        distance: vec![FAR; board.len()],
        toward: vec![NONE; board.len()],
        open: SpaceSet::with_room(board.len()),
    };
    let blocked = |space: SpaceId| segment.blocked.is_some_and(|set| set.contains(space));
    let Scratch { open, next, .. } = scratch;
    open.clear();
    next.clear();
    for seed in seeds.iter().filter(|seed| !blocked(*seed)) {
        open.push(seed.0);
        if !segment.required {
            layer.distance[seed.index()] = 0;
            layer.open.insert(seed);
        }
    }
    let mut hopped = match segment.over {
        TraceOver::Groups(groups) => vec![0; groups.len()],
        _ => Vec::new(),
    };
    let limit = segment.limit.unwrap_or(FAR - 1);
    let mut steps = 0;
    while !open.is_empty() && steps < limit {
        steps += 1;
        for &at in open.iter() {
            let mut visit = |to: SpaceId| {
                let i = to.index();
                if layer.distance[i] != FAR {
                    return;
                }
                let passable = !blocked(to);
                if !passable && !blocked_start {
                    return;
                }
                layer.distance[i] = steps;
                layer.toward[i] = at;
                if passable {
                    layer.open.insert(to);
                    next.push(to.0);
                }
            };
            let from = SpaceId(at);
            // The walk leads away from the source, so links are followed the other way round.
            match segment.over {
                TraceOver::Borders => board.each_step(Over::Borders, from, segment.barrier, visit),
                TraceOver::Network(network) => {
                    board.each_step(Over::NetworkAgainst(network), from, segment.barrier, visit);
                }
                TraceOver::NetworkFromSource(network) => {
                    board.each_step(Over::Network(network), from, segment.barrier, visit);
                }
                TraceOver::Groups(groups) => {
                    for (group, done) in groups.iter().zip(&mut hopped) {
                        // Twice, because the first member to hop does not reach itself.
                        if *done < 2 && group.contains(from) {
                            *done += 1;
                            group.iter().filter(|to| *to != from && board.has(*to)).for_each(&mut visit);
                        }
                    }
                }
            }
        }
        std::mem::swap(open, next);
        next.clear();
    }
    layer
}

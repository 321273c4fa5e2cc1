//! Why a space does not trace: which limit, space or border of which segment stands in the way.

use super::scratch::Scratch;
use super::trace::{Leg, Segment, TraceOver, TraceSpec, trace};
use crate::map::{Board, BorderId, SpaceId};

/// The first thing that keeps a space from tracing to a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceFailure {
    /// A segment would need more steps than it may have.
    TooFar {
        /// The segment.
        segment: usize,
        /// The steps it would need.
        need: u32,
        /// The steps it may have.
        limit: u32,
        /// The way it would take.
        legs: Vec<Leg>,
    },
    /// A space on the way cannot be passed.
    Blocked {
        /// The segment.
        segment: usize,
        /// The space.
        at: SpaceId,
        /// The way it would take.
        legs: Vec<Leg>,
    },
    /// A border on the way cannot be crossed.
    Barrier {
        /// The segment.
        segment: usize,
        /// The border.
        border: BorderId,
        /// The way it would take.
        legs: Vec<Leg>,
    },
    /// There is no source at all.
    NoSource,
    /// Nothing that the segments follow leads from the space to a source.
    NotConnected,
}

/// Which limits are lifted to find a way.
#[derive(Clone, Copy)]
struct Lift {
    limits: bool,
    spaces: bool,
    borders: bool,
}

/// Tells why a space does not trace, or `None` when it does.
///
/// One kind of limit at a time is lifted: first the number of steps, then blocked spaces, then borders, then
/// all; the first that gives a way is told, with the first place on it.
pub fn trace_why_not(
    board: &Board,
    spec: &TraceSpec<'_>,
    space: SpaceId,
    scratch: &mut Scratch,
) -> Option<TraceFailure> {
    if trace(board, spec, scratch).traces(space) {
        return None;
    }
    if spec.sources.is_empty() {
        return Some(TraceFailure::NoSource);
    }
    let none = Lift { limits: false, spaces: false, borders: false };
    let lifts = [
        Lift { limits: true, ..none },
        Lift { spaces: true, ..none },
        Lift { borders: true, ..none },
        Lift { limits: true, spaces: true, borders: true },
    ];
    for lift in lifts {
        let segments: Vec<Segment<'_>> = spec
            .segments
            .iter()
            .map(|segment| Segment {
                limit: if lift.limits { None } else { segment.limit },
                blocked: if lift.spaces { None } else { segment.blocked },
                barrier: if lift.borders { None } else { segment.barrier },
                ..*segment
            })
            .collect();
        let lifted = TraceSpec { segments: &segments, ..*spec };
        if let Some(legs) = trace(board, &lifted, scratch).legs(space) {
            return Some(first_failure(board, spec, space, legs));
        }
    }
    Some(TraceFailure::NotConnected)
}

fn first_failure(board: &Board, spec: &TraceSpec<'_>, start: SpaceId, legs: Vec<Leg>) -> TraceFailure {
    let mut found = None;
    for leg in &legs {
        let segment = &spec.segments[leg.segment];
        let crosses = !matches!(segment.over, TraceOver::Groups(_));
        for (i, at) in leg.spaces.iter().enumerate() {
            let exempt = spec.blocked_start && *at == start;
            if !exempt && segment.blocked.is_some_and(|set| set.contains(*at)) {
                found = found.or(Some((leg.segment, Ok(*at))));
            }
            let border = leg.spaces.get(i + 1).and_then(|to| board.border_between(*at, *to));
            if let Some(border) =
                border.filter(|border| segment.barrier.is_some_and(|set| set.contains(*border)))
                && crosses
            {
                found = found.or(Some((leg.segment, Err(border))));
            }
        }
        let need = leg.spaces.len() as u32 - 1;
        if found.is_none()
            && let Some(limit) = segment.limit.filter(|limit| need > *limit)
        {
            return TraceFailure::TooFar { segment: leg.segment, need, limit, legs };
        }
    }
    match found {
        Some((segment, Ok(at))) => TraceFailure::Blocked { segment, at, legs },
        Some((segment, Err(border))) => TraceFailure::Barrier { segment, border, legs },
        // Only the source itself can be left to blame: it is blocked for the segment that would end there.
        None => {
            let at = legs.last().and_then(|leg| leg.spaces.last()).copied().unwrap_or(start);
            TraceFailure::Blocked { segment: spec.segments.len().saturating_sub(1), at, legs }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{BoardBuilder, SpaceSet};

    fn set(ids: &[u32]) -> SpaceSet {
        ids.iter().map(|id| SpaceId(*id)).collect()
    }

    /// Areas 0 to 5 in a row, then 6 to 9 in another; rails 3-4-5 and 6-7; 5 and 6 are ports of one sea.
    fn coast() -> Board {
        let mut builder = BoardBuilder::new();
        let s: Vec<_> = (0..10).map(|_| builder.add_space()).collect();
        for row in [&s[..6], &s[6..]] {
            for pair in row.windows(2) {
                builder.add_border(pair[0], pair[1]);
            }
        }
        let rail = builder.add_network("rail", false);
        for (a, b) in [(3, 4), (4, 5), (6, 7)] {
            builder.add_network_link(rail, s[a], s[b]);
        }
        builder.build().expect("a sound board")
    }

    fn with_segments<T>(
        board: &Board,
        blocked: Option<&SpaceSet>,
        run: impl FnOnce(&[Segment<'_>]) -> T,
    ) -> T {
        let rail = TraceOver::Network(board.network("rail").expect("a network"));
        let sea = [set(&[5, 6])];
        let segments = [
            Segment { limit: Some(2), blocked, ..Segment::default() },
            Segment { over: rail, blocked, ..Segment::default() },
            Segment { over: TraceOver::Groups(&sea), limit: Some(1), ..Segment::default() },
            Segment { over: rail, blocked, ..Segment::default() },
        ];
        run(&segments)
    }

    #[test]
    fn a_trace_goes_by_steps_then_rail_then_ship() {
        let board = coast();
        let sources = set(&[7]);
        with_segments(&board, None, |segments| {
            let spec = TraceSpec { sources: &sources, segments, blocked_start: false };
            let found = trace(&board, &spec, &mut Scratch::new());
            assert_eq!(*found.spaces(), set(&[1, 2, 3, 4, 5, 6, 7, 8, 9]));
            let legs = found.legs(SpaceId(1)).expect("it traces");
            let told: Vec<(usize, Vec<u32>)> =
                legs.into_iter().map(|leg| (leg.segment, leg.spaces.iter().map(|s| s.0).collect())).collect();
            assert_eq!(told, [(0, vec![1, 2, 3]), (1, vec![3, 4, 5]), (2, vec![5, 6]), (3, vec![6, 7])]);
            assert_eq!(found.legs(SpaceId(7)), Some(Vec::new()));
            let why = trace_why_not(&board, &spec, SpaceId(0), &mut Scratch::new());
            assert!(
                matches!(why, Some(TraceFailure::TooFar { segment: 0, need: 3, limit: 2, .. })),
                "{why:?}"
            );
        });
    }

    #[test]
    fn a_blocked_space_cuts_the_trace_and_is_named() {
        let board = coast();
        let (sources, blocked) = (set(&[7]), set(&[4]));
        with_segments(&board, Some(&blocked), |segments| {
            let spec = TraceSpec { sources: &sources, segments, blocked_start: false };
            let mut scratch = Scratch::new();
            assert_eq!(*trace(&board, &spec, &mut scratch).spaces(), set(&[5, 6, 7, 8, 9]));
            let why = trace_why_not(&board, &spec, SpaceId(2), &mut scratch);
            assert!(matches!(why, Some(TraceFailure::Blocked { at: SpaceId(4), .. })), "{why:?}");
            // A trace may begin in a blocked space but not go through it.
            let spec = TraceSpec { blocked_start: true, ..spec };
            assert_eq!(*trace(&board, &spec, &mut scratch).spaces(), set(&[4, 5, 6, 7, 8, 9]));
        });
    }

    #[test]
    fn a_required_segment_needs_a_step() {
        let board = coast();
        let rail = board.network("rail").expect("a network");
        let sources = set(&[5]);
        let segments = [Segment { over: TraceOver::Network(rail), required: true, ..Segment::default() }];
        let spec = TraceSpec { sources: &sources, segments: &segments, blocked_start: false };
        let found = trace(&board, &spec, &mut Scratch::new());
        // From the source one can go out and come back.
        assert_eq!(*found.spaces(), set(&[3, 4, 5]));
        let legs = found.legs(SpaceId(5)).expect("it traces");
        assert_eq!(legs[0].spaces, [SpaceId(5), SpaceId(4), SpaceId(5)]);
    }

    #[test]
    fn no_source_and_no_connection_are_told_apart() {
        let board = coast();
        let (none, far, segments) = (set(&[]), set(&[9]), [Segment::default()]);
        let spec = TraceSpec { sources: &none, segments: &segments, blocked_start: false };
        let mut scratch = Scratch::new();
        assert_eq!(trace_why_not(&board, &spec, SpaceId(0), &mut scratch), Some(TraceFailure::NoSource));
        let spec = TraceSpec { sources: &far, ..spec };
        assert_eq!(trace_why_not(&board, &spec, SpaceId(0), &mut scratch), Some(TraceFailure::NotConnected));
        let barrier = board.border_between(SpaceId(7), SpaceId(8)).into_iter().collect();
        let segments = [Segment { barrier: Some(&barrier), ..Segment::default() }];
        let spec = TraceSpec { segments: &segments, ..spec };
        let why = trace_why_not(&board, &spec, SpaceId(6), &mut scratch);
        assert!(matches!(why, Some(TraceFailure::Barrier { segment: 0, .. })), "{why:?}");
    }
}

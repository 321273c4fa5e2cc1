//! Tests of reach and of its explanations.

use proptest::prelude::*;

use super::*;
use crate::map::{
    Board, BoardBuilder, BorderSet, Cube, Grid, Offset, Orientation, Shifted, SpaceId, SpaceSet,
};

fn set(ids: &[u32]) -> SpaceSet {
    ids.iter().map(|id| SpaceId(*id)).collect()
}

fn ids(path: &[SpaceId]) -> Vec<u32> {
    path.iter().map(|space| space.0).collect()
}

/// Spaces in a row, 0 to `count - 1`.
fn row(count: u32) -> Board {
    let mut builder = BoardBuilder::new();
    let spaces: Vec<_> = (0..count).map(|_| builder.add_space()).collect();
    for pair in spaces.windows(2) {
        builder.add_border(pair[0], pair[1]);
    }
    builder.build().expect("a sound board")
}

fn hexes(cols: i32, rows: i32) -> Board {
    let grid = Grid::new(Orientation::Flat, Shifted::Even);
    let mut builder = BoardBuilder::on_grid(grid);
    for col in 0..cols {
        for row in 0..rows {
            builder.add_hex(grid.to_cube(Offset::new(col, row)));
        }
    }
    builder.build().expect("a sound board")
}

fn ends(board: &Board, profile: &Profile, spec: &ReachSpec<'_>) -> Vec<u32> {
    reach(board, profile, spec, &mut Scratch::new()).spaces().map(|space| space.0).collect()
}

fn barrier(board: &Board, profile: &Profile, spec: &ReachSpec<'_>, to: u32) -> Option<Barrier> {
    why_not(board, profile, spec, SpaceId(to), &mut Scratch::new()).map(|why| why.barrier)
}

#[test]
fn costs_are_spent_in_halves_and_the_points_end_the_move() {
    let board = row(5);
    let profile = Profile::new(&board, &ProfileSpec { enter: &[2, 2, 1, 4, 2], ..ProfileSpec::default() });
    let spec = ReachSpec::new(SpaceId(0), 6);
    let found = reach(&board, &profile, &spec, &mut Scratch::new());
    assert_eq!(found.spaces().collect::<Vec<_>>(), [SpaceId(1), SpaceId(2)]);
    assert_eq!(
        (found.cost(SpaceId(0)), found.cost(SpaceId(2)), found.cost(SpaceId(3))),
        (Some(0), Some(3), None)
    );
    assert_eq!(barrier(&board, &profile, &spec, 3), Some(Barrier::TooExpensive { need: 7, have: 6 }));
    assert_eq!(barrier(&board, &profile, &spec, 0), Some(Barrier::Start));
    assert_eq!(barrier(&board, &profile, &spec, 2), None);
}

#[test]
fn leaving_and_entering_cost_extra_while_others_watch() {
    let board = row(4);
    let profile = Profile::steps(&board);
    let watched = set(&[1, 2]);
    let extra = [(&watched, 2)];
    let spec = ReachSpec { leave_extra: &extra, enter_extra: &extra, ..ReachSpec::new(SpaceId(0), 20) };
    let found = reach(&board, &profile, &spec, &mut Scratch::new());
    // One to enter and two for being watched; two more to leave.
    let costs: Vec<_> = board.spaces().map(|space| found.cost(space)).collect();
    assert_eq!(costs, [Some(0), Some(3), Some(8), Some(11)]);
    let spec = ReachSpec { between: Some((&watched, BLOCKED)), ..spec };
    assert_eq!(ends(&board, &profile, &spec), [1]);
    let (from, to) = (SpaceId(1), SpaceId(2));
    assert_eq!(barrier(&board, &profile, &spec, 3), Some(Barrier::Between { from, to }));
    let spec = ReachSpec { between: Some((&watched, 5)), ..spec };
    assert_eq!(reach(&board, &profile, &spec, &mut Scratch::new()).cost(to), Some(13));
}

#[test]
fn a_mover_stops_where_it_must_but_may_start_there() {
    let board = row(5);
    let profile = Profile::steps(&board);
    let stop = set(&[0, 2]);
    let spec = ReachSpec { stop: Some(&stop), ..ReachSpec::new(SpaceId(0), 9) };
    assert_eq!(ends(&board, &profile, &spec), [1, 2]);
    assert_eq!(barrier(&board, &profile, &spec, 4), Some(Barrier::Stop { at: SpaceId(2) }));
}

#[test]
fn one_step_is_always_allowed_unless_prohibited() {
    let mut builder = BoardBuilder::new();
    let [hub, marsh, sea, held] = [(); 4].map(|()| builder.add_space());
    for to in [marsh, sea, held] {
        builder.add_border(hub, to);
    }
    let board = builder.build().expect("a sound board");
    let profile = Profile::new(&board, &ProfileSpec { enter: &[2, 8, BLOCKED, 2], ..ProfileSpec::default() });
    let blocked = set(&[3]);
    let spec = ReachSpec { one_step: true, blocked: Some(&blocked), ..ReachSpec::new(hub, 3) };
    let found = reach(&board, &profile, &spec, &mut Scratch::new());
    assert_eq!(found.spaces().collect::<Vec<_>>(), [marsh]);
    assert_eq!((found.cost(marsh), ids(&found.path_to(marsh))), (Some(3), vec![0, 1]));
    let border = board.border_between(hub, sea);
    assert_eq!(barrier(&board, &profile, &spec, 2), Some(Barrier::Prohibited { from: hub, to: sea, border }));
    assert_eq!(barrier(&board, &profile, &spec, 3), Some(Barrier::Blocked { at: held }));
    let limited = ReachSpec { max_steps: Some(2), ..spec };
    assert_eq!(ends(&board, &profile, &limited), [1]);
}

#[test]
fn a_first_step_only_space_ends_the_move() {
    let board = row(5);
    let profile = Profile::steps(&board);
    let river = set(&[1, 3]);
    let spec = ReachSpec { first_step_only: Some(&river), ..ReachSpec::new(SpaceId(2), 9) };
    assert_eq!(ends(&board, &profile, &spec), [1, 3]);
    let spec = ReachSpec { from: SpaceId(0), ..spec };
    assert_eq!(ends(&board, &profile, &spec), [1]);
    assert_eq!(barrier(&board, &profile, &spec, 3), Some(Barrier::FirstStepOnly { at: SpaceId(1) }));
}

#[test]
fn some_spaces_may_be_passed_but_not_ended_in() {
    let board = row(4);
    let profile = Profile::steps(&board);
    let full = set(&[1, 2]);
    let spec = ReachSpec { no_end: Some(&full), ..ReachSpec::new(SpaceId(0), 3) };
    let found = reach(&board, &profile, &spec, &mut Scratch::new());
    assert_eq!(found.spaces().collect::<Vec<_>>(), [SpaceId(3)]);
    assert!(found.cost(SpaceId(1)).is_some() && !found.can_end(SpaceId(1)));
    assert_eq!(barrier(&board, &profile, &spec, 2), Some(Barrier::NoEnd { at: SpaceId(2) }));
}

#[test]
fn a_limit_on_steps_keeps_a_dearer_but_shorter_way() {
    // 0-1-2-3 is cheap, 0-2 is dear but saves the step that 3 needs.
    let mut builder = BoardBuilder::new();
    let s = [(); 4].map(|()| builder.add_space());
    for (a, b) in [(0, 1), (1, 2), (2, 3), (0, 2)] {
        builder.add_border(s[a], s[b]);
    }
    let board = builder.build().expect("a sound board");
    let shortcut = board.border_between(s[0], s[2]).expect("a border");
    let mut crossing = vec![0; board.border_count()];
    crossing[shortcut.index()] = 5;
    let cross = crossing_costs(&board, &crossing);
    let profile =
        Profile::new(&board, &ProfileSpec { enter: &[1; 4], cross: &cross, ..ProfileSpec::default() });
    let spec = ReachSpec { max_steps: Some(2), ..ReachSpec::new(s[0], 20) };
    let found = reach(&board, &profile, &spec, &mut Scratch::new());
    assert_eq!((found.cost(s[2]), ids(&found.path_to(s[2]))), (Some(2), vec![0, 1, 2]));
    assert_eq!((found.cost(s[3]), ids(&found.path_to(s[3]))), (Some(7), vec![0, 2, 3]));
    let spec = ReachSpec { max_steps: Some(1), ..spec };
    assert_eq!(barrier(&board, &profile, &spec, 3), Some(Barrier::TooManySteps { need: 3, have: 1 }));
}

#[test]
fn closed_borders_and_dear_borders_come_with_the_question() {
    let board = row(4);
    let profile = Profile::steps(&board);
    let closed: BorderSet = board.border_between(SpaceId(2), SpaceId(3)).into_iter().collect();
    let dear: BorderSet = board.border_between(SpaceId(0), SpaceId(1)).into_iter().collect();
    let extra = [(&dear, 4)];
    let spec = ReachSpec { barrier: Some(&closed), cross_extra: &extra, ..ReachSpec::new(SpaceId(0), 9) };
    let found = reach(&board, &profile, &spec, &mut Scratch::new());
    assert_eq!(
        (found.cost(SpaceId(1)), found.cost(SpaceId(2)), found.cost(SpaceId(3))),
        (Some(5), Some(6), None)
    );
    let why = why_not(&board, &profile, &spec, SpaceId(3), &mut Scratch::new()).expect("out of reach");
    assert_eq!((ids(&why.path), why.costs), (vec![0, 1, 2, 3], vec![5, 1, BLOCKED]));
}

#[test]
fn unknown_and_unconnected_spaces_are_not_reached() {
    let mut builder = BoardBuilder::new();
    let [a, b] = [(); 2].map(|()| builder.add_space());
    let board = builder.build().expect("a sound board");
    let profile = Profile::steps(&board);
    assert_eq!(barrier(&board, &profile, &ReachSpec::new(a, 9), b.0), Some(Barrier::NotConnected));
    assert_eq!(ends(&board, &profile, &ReachSpec::new(SpaceId(50), 9)), [0; 0]);
    assert_eq!(barrier(&board, &profile, &ReachSpec::new(a, 9), 50), Some(Barrier::NotConnected));
}

/// Costs by repeated relaxation: slow and plain.
fn relax(
    board: &Board,
    enter: &[Cost],
    blocked: &SpaceSet,
    stop: &SpaceSet,
    from: SpaceId,
    points: Cost,
) -> Vec<Option<Cost>> {
    let mut cost: Vec<Option<Cost>> = vec![None; board.len()];
    cost[from.index()] = Some(0);
    for _ in 0..board.len() {
        for at in board.spaces() {
            let Some(spent) = cost[at.index()] else { continue };
            if at != from && stop.contains(at) {
                continue;
            }
            for to in board.neighbours(at).filter(|to| !blocked.contains(*to)) {
                let total = spent + enter[to.index()];
                if total <= points && cost[to.index()].is_none_or(|known| total < known) {
                    cost[to.index()] = Some(total);
                }
            }
        }
    }
    cost
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn reach_agrees_with_plain_relaxation(
        enter in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 3, 4, 9_000]), 48),
        blocked in prop::collection::btree_set(0u32..48, 0..10),
        stop in prop::collection::btree_set(0u32..48, 0..10),
        from in 0u32..48,
        points in 0i32..14,
    ) {
        let board = hexes(8, 6);
        let from = SpaceId(from);
        let mut blocked: SpaceSet = blocked.into_iter().map(SpaceId).collect();
        blocked.remove(from);
        let stop: SpaceSet = stop.into_iter().map(SpaceId).collect();
        let profile = Profile::new(&board, &ProfileSpec { enter: &enter, ..ProfileSpec::default() });
        let spec = ReachSpec { blocked: Some(&blocked), stop: Some(&stop), ..ReachSpec::new(from, points) };
        let mut scratch = Scratch::new();
        let found = reach(&board, &profile, &spec, &mut scratch);
        let costs: Vec<_> = board.spaces().map(|space| found.cost(space)).collect();
        prop_assert_eq!(&costs, &relax(&board, &enter, &blocked, &stop, from, points));
        // Enough steps change nothing; ways cost what they say; what is not reached has a reason.
        let many = ReachSpec { max_steps: Some(48), ..spec };
        let limited = reach(&board, &profile, &many, &mut scratch);
        for space in board.spaces() {
            prop_assert_eq!(limited.cost(space), found.cost(space));
            for way in [found.path_to(space), limited.path_to(space)] {
                let sum: Cost = way.iter().skip(1).map(|at| enter[at.index()]).sum();
                prop_assert_eq!(found.cost(space).unwrap_or(0), sum);
                prop_assert!(way.windows(2).all(|pair| board.adjacent(pair[0], pair[1])));
            }
            let why = why_not(&board, &profile, &spec, space, &mut scratch);
            prop_assert_eq!(why.is_none(), found.can_end(space));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_quick_walk_and_the_walk_by_steps_agree_on_everything(
        enter in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 3, BLOCKED]), 48),
        picks in prop::collection::vec(prop::collection::btree_set(0u32..48, 0..14), 6),
        shut in prop::collection::btree_set(0u32..100, 0..20),
        extra in prop::sample::select(vec![-1, 1, 2, BLOCKED]),
        points in 0i32..20,
        one_step: bool,
    ) {
        let board = hexes(8, 6);
        let sets: Vec<SpaceSet> = picks.into_iter().map(|ids| ids.into_iter().map(SpaceId).collect()).collect();
        let borders: BorderSet = shut.iter().map(|id| crate::map::BorderId(*id)).collect();
        let dear: BorderSet = shut.iter().map(|id| crate::map::BorderId(*id / 2)).collect();
        let profile = Profile::new(&board, &ProfileSpec { enter: &enter, ..ProfileSpec::default() });
        let (entering, leaving, crossing) = ([(&sets[0], extra)], [(&sets[1], 1), (&sets[0], extra)], [(&dear, 2)]);
        let spec = ReachSpec {
            blocked: Some(&sets[2]),
            stop: Some(&sets[3]),
            enter_extra: &entering,
            leave_extra: &leaving,
            between: Some((&sets[4], extra)),
            first_step_only: Some(&sets[5]),
            barrier: Some(&borders),
            cross_extra: &crossing,
            one_step,
            ..ReachSpec::new(SpaceId(20), points)
        };
        let mut scratch = Scratch::new();
        let quick = reach(&board, &profile, &spec, &mut scratch);
        let steps = ReachSpec { max_steps: Some(48), ..spec };
        let slow = reach(&board, &profile, &steps, &mut scratch);
        for space in board.spaces() {
            prop_assert_eq!(quick.cost(space), slow.cost(space));
            let why = why_not(&board, &profile, &spec, space, &mut scratch);
            prop_assert_eq!(why.is_none(), quick.can_end(space));
        }
        prop_assert_eq!(quick.ends(), slow.ends());
    }
}

#[test]
fn hexes_of_a_joined_graph_are_reached_through_an_area() {
    let grid = Grid::new(Orientation::Flat, Shifted::Odd);
    let mut builder = BoardBuilder::on_grid(grid);
    let west = builder.add_hex(Cube::new(0, 0));
    let east = builder.add_hex(Cube::new(5, 0));
    let city = builder.add_space();
    builder.add_border(west, city);
    builder.add_border(city, east);
    let board = builder.build().expect("a sound board");
    assert_eq!(ends(&board, &Profile::steps(&board), &ReachSpec::new(west, 2)), [1, 2]);
}

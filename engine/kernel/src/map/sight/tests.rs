//! Tests of sight with the rules of a tactical game given as data.

use proptest::prelude::*;

use super::super::builder::BoardBuilder;
use super::super::grid::{Grid, Offset, Orientation, Shifted};
use super::super::hex::Direction;
use super::*;

fn field(cols: i32, rows: i32) -> Board {
    let grid = Grid::new(Orientation::Pointy, Shifted::Odd);
    let mut builder = BoardBuilder::on_grid(grid);
    for col in 0..cols {
        for row in 0..rows {
            builder.add_hex(grid.to_cube(Offset::new(col, row)));
        }
    }
    builder.build().expect("a sound board")
}

/// Levels, woods and smoke on a row of hexes that runs east from column 5 of row 10.
struct Row {
    board: Board,
    ground: Vec<i8>,
    obstacle: Vec<u8>,
    haze: Vec<u8>,
    wall: Vec<u8>,
}

fn row(ground: &[i8], obstacle: &[u8]) -> Row {
    let board = field(30, 20);
    let mut row = Row {
        ground: vec![0; board.len()],
        obstacle: vec![0; board.len()],
        haze: vec![0; board.len()],
        wall: Vec::new(),
        board,
    };
    for (i, level) in ground.iter().enumerate() {
        let space = row.at(i).index();
        row.ground[space] = *level;
        row.obstacle[space] = obstacle.get(i).copied().unwrap_or(0);
    }
    row
}

impl Row {
    fn at(&self, i: usize) -> SpaceId {
        let grid = Grid::new(Orientation::Pointy, Shifted::Odd);
        self.board.at(grid.to_cube(Offset::new(5 + i as i32, 10))).expect("a hex of the row")
    }

    fn look(&self, rules: &SightRules, from: SpaceId, to: SpaceId) -> Sight {
        let field =
            SightField { ground: &self.ground, obstacle: &self.obstacle, haze: &self.haze, wall: &self.wall };
        let mut lines = LineCache::new();
        let there = sight(&self.board, &field, rules, from, to, &mut lines);
        if rules.viewer_level.is_none() {
            let back = sight(&self.board, &field, rules, to, from, &mut lines);
            assert_eq!(there.is_clear(), back.is_clear(), "sight is mutual");
        }
        there
    }

    /// The index in the row of what blocks the line from the first hex to the last, and why.
    fn blocked(&self, rules: &SightRules, last: usize) -> Option<(usize, SightReason)> {
        let (blocker, reason) = self.look(rules, self.at(0), self.at(last)).blocked?;
        (0..=last).find(|i| blocker == Blocker::Space(self.at(*i))).map(|i| (i, reason))
    }
}

/// Gullies at level -1 see higher ground only from beside it; two smoke markers block.
fn rules() -> SightRules {
    SightRules { sunken: Some(Sunken::AdjacentOnly(-1)), haze_limit: Some(2), ..SightRules::default() }
}

#[test]
fn woods_block_between_level_hexes_but_not_at_the_ends() {
    assert_eq!(row(&[0, 0, 0, 0], &[1, 0, 0, 1]).blocked(&rules(), 3), None);
    assert_eq!(row(&[0, 0, 0, 0], &[0, 0, 1, 0]).blocked(&rules(), 3), Some((2, SightReason::Above)));
}

#[test]
fn what_is_as_high_as_the_higher_end_blocks_unless_both_ends_are_that_high() {
    assert_eq!(row(&[0, 0, 1, 1], &[]).blocked(&rules(), 3), Some((2, SightReason::AtHigh)));
    assert_eq!(row(&[1, 0, 0, 1], &[0, 1, 1, 0]).blocked(&rules(), 3), None);
    assert_eq!(row(&[1, 0, 1, 1], &[0, 0, 0, 0]).blocked(&rules(), 3), None);
}

#[test]
fn an_obstacle_between_the_levels_makes_a_blind_spot_only_beside_the_lower_end() {
    let woods_low = row(&[0, 0, 0, 0, 2], &[0, 1, 0, 0, 0]);
    assert_eq!(woods_low.blocked(&rules(), 4), Some((1, SightReason::BlindSpot)));
    let woods_far = row(&[0, 0, 0, 0, 2], &[0, 0, 1, 0, 0]);
    assert_eq!(woods_far.blocked(&rules(), 4), None);
    let bare_hill = row(&[0, 1, 0, 0, 2], &[]);
    assert_eq!(bare_hill.blocked(&rules(), 4), None);
    let reversed = row(&[2, 0, 0, 0, 0], &[0, 0, 0, 1, 0]);
    assert_eq!(reversed.blocked(&rules(), 4), Some((3, SightReason::BlindSpot)));
}

#[test]
fn a_gully_is_seen_from_beside_it_and_along_it() {
    let gully = row(&[0, -1, -1, -1, 0], &[]);
    assert!(gully.look(&rules(), gully.at(0), gully.at(1)).is_clear());
    assert_eq!(gully.blocked(&rules(), 2), Some((2, SightReason::Sunken)));
    assert!(gully.look(&rules(), gully.at(1), gully.at(3)).is_clear());
    let ridge = row(&[-1, 0, -1], &[]);
    assert_eq!(ridge.blocked(&rules(), 2), Some((1, SightReason::Above)));
}

#[test]
fn smoke_adds_up_and_blocks_at_its_limit() {
    let mut smoke = row(&[0; 6], &[]);
    let (first, second) = (smoke.at(2).index(), smoke.at(4).index());
    smoke.haze[first] = 1;
    assert_eq!(smoke.look(&rules(), smoke.at(0), smoke.at(5)), Sight { blocked: None, haze: 1 });
    smoke.haze[second] = 1;
    assert_eq!(smoke.blocked(&rules(), 5), Some((4, SightReason::Haze)));
    // Smoke in the hexes of the ends does not count.
    assert_eq!(smoke.look(&rules(), smoke.at(2), smoke.at(4)), Sight { blocked: None, haze: 0 });
}

#[test]
fn a_flyer_is_blocked_only_by_what_stands_just_before_the_target() {
    let near =
        ByHeight { between: Effect::BlocksNearLow, at_low: Effect::BlocksNearLow, ..ByHeight::default() };
    let flying = SightRules {
        bare: ByHeight::default(),
        obstacle: near,
        sunken: Some(Sunken::RimBlocks(-1)),
        viewer_level: Some(100),
        ..SightRules::default()
    };
    assert_eq!(row(&[0, 5, 0, 0], &[0, 1, 0, 0]).blocked(&flying, 3), None);
    assert_eq!(row(&[0, 0, 0, 0], &[0, 0, 1, 0]).blocked(&flying, 3), Some((2, SightReason::BlindSpot)));
    assert_eq!(row(&[0, 0, 0, -1], &[]).blocked(&flying, 3), Some((2, SightReason::Sunken)));
    assert_eq!(row(&[0, 0, -1, -1], &[]).blocked(&flying, 3), None);
}

#[test]
fn a_line_along_a_hexside_needs_both_hexes_to_block() {
    let mut map = row(&[], &[]);
    let from = map.at(3);
    let [left, right] = [Direction::ALL[0], Direction::ALL[1]].map(|d| map.board.neighbour_in(from, d));
    let to = left.and_then(|hex| map.board.neighbour_in(hex, Direction::ALL[1])).expect("a hex");
    let (left, right) = (left.expect("a hex"), right.expect("a hex"));
    map.obstacle[left.index()] = 1;
    assert!(map.look(&rules(), from, to).is_clear());
    let either = SightRules { ties: TieRule::Either, ..rules() };
    assert!(!map.look(&either, from, to).is_clear());
    map.obstacle[right.index()] = 1;
    let (blocker, reason) = map.look(&rules(), from, to).blocked.expect("both block");
    assert_eq!(reason, SightReason::Above);
    assert!(
        blocker == Blocker::Tie(Some(left), Some(right)) || blocker == Blocker::Tie(Some(right), Some(left))
    );
}

#[test]
fn walls_block_across_and_not_at_the_ends_unless_the_rules_say_so() {
    let mut map = row(&[0; 5], &[]);
    map.wall = vec![0; map.board.border_count()];
    let wall = map.board.border_between(map.at(1), map.at(2)).expect("a border");
    map.wall[wall.index()] = 1;
    let seen = map.look(&rules(), map.at(0), map.at(4));
    assert_eq!(seen.blocked, Some((Blocker::Border(wall), SightReason::Above)));
    assert!(map.look(&rules(), map.at(1), map.at(4)).is_clear());
    let strict = SightRules { walls_at_ends: true, ..rules() };
    assert!(!map.look(&strict, map.at(1), map.at(4)).is_clear());
    assert!(!map.look(&strict, map.at(1), map.at(2)).is_clear());
}

#[test]
fn spaces_off_the_grid_and_out_of_range_are_not_seen() {
    let map = row(&[0; 6], &[]);
    let near = SightRules { range: Some(3), ..rules() };
    assert_eq!(map.blocked(&near, 3), None);
    assert_eq!(map.blocked(&near, 4), Some((4, SightReason::Range)));
    let seen = map.look(&rules(), map.at(0), SpaceId(9_999));
    assert_eq!(seen.blocked, Some((Blocker::Space(SpaceId(9_999)), SightReason::OffGrid)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn sight_is_mutual_and_the_picture_agrees(
        ground in prop::collection::vec(-1i8..3, 120),
        obstacle in prop::collection::vec(prop::sample::select(vec![0u8, 0, 0, 1]), 120),
        haze in prop::collection::vec(prop::sample::select(vec![0u8, 0, 0, 0, 1]), 120),
        from in 0u32..120,
    ) {
        let board = field(12, 10);
        let mut wall = vec![0; board.border_count()];
        for (i, height) in wall.iter_mut().enumerate() {
            *height = u8::from(i % 11 == 0);
        }
        let field = SightField { ground: &ground, obstacle: &obstacle, haze: &haze, wall: &wall };
        let rules = SightRules { walls_at_ends: true, walls_along: true, ..rules() };
        let mut lines = LineCache::new();
        let from = SpaceId(from);
        let picture = sight_all(&board, &field, &rules, from, &mut lines);
        prop_assert!(picture.seen.contains(from));
        for to in board.spaces() {
            let there = sight(&board, &field, &rules, from, to, &mut lines);
            let back = sight(&board, &field, &rules, to, from, &mut lines);
            prop_assert_eq!(there.is_clear(), picture.seen.contains(to));
            prop_assert_eq!(there.is_clear(), back.is_clear());
            if there.is_clear() {
                prop_assert_eq!(there.haze, back.haze);
                prop_assert_eq!(there.haze, picture.haze[to.index()]);
            }
        }
    }
}

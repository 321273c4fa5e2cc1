//! Boards joined to one map: each with its own numbering, laid beside the others and perhaps turned round.

use thiserror::Error;

use super::grid::{Grid, Offset};
use super::hex::Cube;
use super::numbering::{HexName, NameError, Numbering};

/// The furthest a board may lie from the origin, in columns or rows.
const FURTHEST: i32 = 5_000;

/// Where one printed board lies on the joined map.
///
/// The board is moved as a rigid sheet, so its hexes fit those of its neighbours whatever the parities are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The name that hex names use for the board.
    pub board: String,
    /// The grid printed on the board.
    pub grid: Grid,
    /// The first printed column and row.
    pub first: Offset,
    /// The last printed column and row.
    pub last: Offset,
    /// A hex of the board, by its printed numbers.
    pub anchor: Offset,
    /// The hex of the joined map on which the anchor lies.
    pub at: Offset,
    /// Whether the board is turned by half a circle.
    pub turned: bool,
}

impl Placement {
    fn to_map(&self, map: Grid, local: Offset) -> Cube {
        let step = self.grid.to_cube(local) - self.grid.to_cube(self.anchor);
        map.to_cube(self.at) + if self.turned { -step } else { step }
    }

    /// Returns the printed numbers of a hex of the map, if the board covers it.
    fn to_local(&self, map: Grid, hex: Cube) -> Option<Offset> {
        let step = hex - map.to_cube(self.at);
        let local =
            self.grid.to_offset(self.grid.to_cube(self.anchor) + if self.turned { -step } else { step });
        self.covers(local).then_some(local)
    }

    fn covers(&self, local: Offset) -> bool {
        (self.first.col..=self.last.col).contains(&local.col)
            && (self.first.row..=self.last.row).contains(&local.row)
    }
}

/// Something wrong with a plan of boards, or with a name on it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    /// Two placements have the same board.
    #[error("board `{board}` is placed twice")]
    DuplicateBoard {
        /// The board.
        board: String,
    },
    /// The hexes of a board stand the other way than those of the map.
    #[error("board `{board}` has hexes of another orientation than the map")]
    Orientation {
        /// The board.
        board: String,
    },
    /// A board lies too far away.
    #[error("board `{board}` lies more than {FURTHEST} hexes from the origin")]
    TooFar {
        /// The board.
        board: String,
    },
    /// The numbering tells boards but none is placed, or the other way round.
    #[error(
        "pattern `{pattern}` and {count} placed boards do not fit: names must tell the board when there are several"
    )]
    Boards {
        /// The numbering's pattern.
        pattern: String,
        /// How many boards are placed.
        count: usize,
    },
    /// A name does not fit the numbering.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A name tells a board that is not placed.
    #[error("`{name}`: no board `{board}`; there are {known}")]
    UnknownBoard {
        /// The whole name.
        name: String,
        /// The board in it.
        board: String,
        /// The boards that are placed.
        known: String,
    },
    /// A name tells a hex outside its board.
    #[error("`{name}` is not on the board: columns {first_col} to {last_col}, rows {first_row} to {last_row}",
        first_col = first.col, last_col = last.col, first_row = first.row, last_row = last.row)]
    OffBoard {
        /// The whole name.
        name: String,
        /// The first column and row of the board.
        first: Offset,
        /// The last column and row of the board.
        last: Offset,
    },
}

/// How names map to one plane of hexes: a grid, a numbering and, where several, the boards that are joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPlan {
    grid: Grid,
    numbering: Numbering,
    placements: Vec<Placement>,
}

impl MapPlan {
    /// Makes a plan; without placements names tell hexes of the grid directly.
    ///
    /// # Errors
    /// Boards placed twice, of another orientation, too far away, or that names cannot tell apart.
    pub fn new(grid: Grid, numbering: Numbering, placements: Vec<Placement>) -> Result<Self, PlanError> {
        let fits = if numbering.has_boards() { !placements.is_empty() } else { placements.len() <= 1 };
        if !fits {
            return Err(PlanError::Boards {
                pattern: numbering.pattern().to_owned(),
                count: placements.len(),
            });
        }
        for (i, placement) in placements.iter().enumerate() {
            let board = placement.board.clone();
            let numbers = [placement.anchor, placement.at, placement.first, placement.last];
            if placements[..i].iter().any(|earlier| earlier.board == board) {
                return Err(PlanError::DuplicateBoard { board });
            } else if placement.grid.orientation != grid.orientation {
                return Err(PlanError::Orientation { board });
            } else if numbers
                .iter()
                .flat_map(|at| [at.col, at.row])
                .any(|n| !(-FURTHEST..=FURTHEST).contains(&n))
            {
                return Err(PlanError::TooFar { board });
            }
        }
        Ok(Self { grid, numbering, placements })
    }

    /// Returns the grid of the joined map.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Returns the numbering scheme.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Returns the hex that a name tells.
    ///
    /// # Errors
    /// A name that does not fit the numbering, or a hex that is on no placed board.
    pub fn hex(&self, name: &str) -> Result<Cube, PlanError> {
        let HexName { board, at } = self.numbering.read(name)?;
        let Some(first) = self.placements.first() else { return Ok(self.grid.to_cube(at)) };
        let placement = if self.numbering.has_boards() {
            self.placements.iter().find(|placement| placement.board == board).ok_or_else(|| {
                let known: Vec<_> =
                    self.placements.iter().map(|placement| placement.board.as_str()).collect();
                PlanError::UnknownBoard { name: name.to_owned(), board, known: known.join(", ") }
            })?
        } else {
            first
        };
        if !placement.covers(at) {
            let (first, last) = (placement.first, placement.last);
            return Err(PlanError::OffBoard { name: name.to_owned(), first, last });
        }
        Ok(placement.to_map(self.grid, at))
    }

    /// Returns every printed name of a hex, in the order of the boards: two where the edges of boards overlap.
    pub fn names(&self, hex: Cube) -> Vec<String> {
        if self.placements.is_empty() {
            let name = HexName { board: String::new(), at: self.grid.to_offset(hex) };
            return self.numbering.write(&name).into_iter().collect();
        }
        let local = |placement: &Placement| {
            let at = placement.to_local(self.grid, hex)?;
            self.numbering.write(&HexName { board: placement.board.clone(), at })
        };
        self.placements.iter().filter_map(local).collect()
    }

    /// Returns the first printed name of a hex.
    pub fn name(&self, hex: Cube) -> Option<String> {
        self.names(hex).into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::grid::{Orientation, Shifted};
    use super::*;

    const GRID: Grid = Grid::new(Orientation::Flat, Shifted::Even);

    fn sheet(board: &str, at: Offset, turned: bool) -> Placement {
        let (first, last) = (Offset::new(1, 1), Offset::new(12, 9));
        Placement { board: board.to_owned(), grid: GRID, first, last, anchor: first, at, turned }
    }

    /// Board 7 at the origin, board 4 east of it, board 2 turned round and south of 7.
    fn joined() -> MapPlan {
        let numbering = "{board}-{letter}{row:2}".parse().expect("a pattern");
        let sheets = vec![
            sheet("7", Offset::new(1, 1), false),
            sheet("4", Offset::new(13, 1), false),
            sheet("2", Offset::new(12, 18), true),
        ];
        MapPlan::new(GRID, numbering, sheets).expect("a sound plan")
    }

    #[test]
    fn hexes_on_either_side_of_a_join_are_adjacent() {
        let plan = joined();
        let (a, b) = (plan.hex("7-L05").expect("a hex"), plan.hex("4-A05").expect("a hex"));
        assert_eq!(a.distance(b), 1);
        assert_eq!(plan.name(b).as_deref(), Some("4-A05"));
    }

    #[test]
    fn a_turned_board_counts_from_the_far_corner() {
        let plan = joined();
        let corner = plan.hex("2-A01").expect("a hex");
        assert_eq!(GRID.to_offset(corner), Offset::new(12, 18));
        // Its last row lies against the last row of board 7.
        let (above, below) = (plan.hex("7-L09").expect("a hex"), plan.hex("2-A09").expect("a hex"));
        assert_eq!(above.distance(below), 1);
    }

    #[test]
    fn a_hex_where_boards_overlap_has_two_names() {
        let numbering = "{board}-{letter}{row:2}".parse().expect("a pattern");
        let sheets = vec![sheet("a", Offset::new(1, 1), false), sheet("b", Offset::new(1, 9), false)];
        let plan = MapPlan::new(GRID, numbering, sheets).expect("a sound plan");
        let shared = plan.hex("a-C09").expect("a hex");
        assert_eq!(plan.names(shared), ["a-C09", "b-C01"]);
        assert_eq!(plan.hex("b-C01"), Ok(shared));
    }

    #[test]
    fn an_odd_shift_of_a_board_keeps_its_shape() {
        let numbering = "{board}-{letter}{row:2}".parse().expect("a pattern");
        let plan =
            MapPlan::new(GRID, numbering, vec![sheet("x", Offset::new(4, 3), false)]).expect("a sound plan");
        let hex = |name| plan.hex(name).expect("a hex");
        let apart = GRID.distance(Offset::new(1, 1), Offset::new(6, 5));
        assert_eq!(hex("x-A01").distance(hex("x-F05")), apart);
    }

    #[test]
    fn names_off_the_plan_are_refused_with_what_there_is() {
        let plan = joined();
        let told: Vec<_> = ["9-A01", "7-M01"]
            .iter()
            .map(|name| plan.hex(name).expect_err("no such hex").to_string())
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        `9-A01`: no board `9`; there are 7, 4, 2
        `7-M01` is not on the board: columns 1 to 12, rows 1 to 9
        ");
        assert!(
            MapPlan::new(GRID, "{col:2}{row:2}".parse().expect("a pattern"), joined().placements).is_err()
        );
    }

    proptest! {
        #[test]
        fn joined_names_round_trip(board in 0usize..3, col in 1i32..=12, row in 1i32..=9) {
            let plan = joined();
            let board = plan.placements[board].board.clone();
            let name = plan.numbering.write(&HexName { board, at: Offset::new(col, row) }).expect("it fits");
            let hex = plan.hex(&name).expect("a hex");
            prop_assert!(plan.names(hex).contains(&name));
        }

        #[test]
        fn a_board_is_moved_without_bending(
            at in (-20i32..20, -20i32..20), turned: bool, a in (1i32..=12, 1i32..=9), b in (1i32..=12, 1i32..=9),
        ) {
            let sheet = sheet("x", Offset::new(at.0, at.1), turned);
            let (a, b) = (Offset::new(a.0, a.1), Offset::new(b.0, b.1));
            let (x, y) = (sheet.to_map(GRID, a), sheet.to_map(GRID, b));
            prop_assert_eq!(x.distance(y), GRID.distance(a, b));
            prop_assert_eq!(sheet.to_local(GRID, x), Some(a));
        }
    }
}

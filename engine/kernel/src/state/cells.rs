//! The cells of the state, the journal of their old values, and a digest kept up to date with every write.

use super::schema::{Schema, TableId, piece_col};
use crate::map::{SpaceId, SpaceSet};
use crate::symbol::mix;
use std::sync::Arc;

/// One undone-able write: the old value of a cell, or the making of a row.
#[derive(Clone, Copy, Debug)]
struct Entry {
    table: u16,
    /// `NEW_ROW` for the making of a row.
    col: u16,
    row: u32,
    old: i32,
}

const NEW_ROW: u16 = u16::MAX;

/// A point in the journal to which the state can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Mark(usize);

#[derive(Clone, Debug, Default)]
struct Table {
    width: usize,
    rows: u32,
    cells: Vec<i32>,
    defaults: Vec<i32>,
    /// Index of the table's first column among the versions.
    first_version: usize,
    /// How many versions a column has: one, or one more for each possible owner.
    stride: usize,
}

/// Versions of a column of the piece table: any piece, then the pieces of nobody and of each side.
const BY_SIDE: usize = 10;

/// All cells of a game, with the journal that takes changes back.
#[derive(Clone, Debug, Default)]
pub struct State {
    tables: Vec<Table>,
    journal: Vec<Entry>,
    digest: u64,
    versions: Versions,
    /// How many cells were ever written, taking back included.
    writes: u64,
}

/// A cell's part of the digest; a cell at its default has none, so that unused rows and columns do not matter.
fn part(table: u16, row: u32, col: u16, value: i32, default: i32) -> u64 {
    if value == default {
        return 0;
    }
    let place = u64::from(table) << 48 | u64::from(col) << 32 | u64::from(row);
    mix(place, value as u32 as u64)
}

/// When columns were last written, by the count of all writes.
#[derive(Clone, Debug, Default)]
struct Versions {
    columns: Vec<u64>,
    /// The newest of each 64 columns.
    newest: Vec<u64>,
    /// The spaces of the map, in contrast to boxes and piles.
    map: Arc<SpaceSet>,
}

impl Versions {
    #[inline]
    fn set(&mut self, index: usize, now: u64) {
        self.columns[index] = now;
        self.newest[index / 64] = now;
    }

    /// Notes a write of a cell, whose other value was `other`.
    #[inline]
    fn write(&mut self, table: &Table, row: u32, col: u16, other: i32, now: u64) {
        let first = table.first_version + col as usize * table.stride;
        self.set(first, now);
        if table.stride > 1 {
            let slot = |side: i32| 1 + (side.max(0) as usize).min(BY_SIDE - 2);
            let cell = |col: u16| table.cells[row as usize * table.width + col as usize];
            let side = cell(piece_col::SIDE);
            self.set(first + slot(side), now);
            if col == piece_col::SIDE {
                // A piece that changes hands concerns both owners, in every column.
                for col in 0..=table.width {
                    let first = table.first_version + col * table.stride;
                    self.set(first + slot(side), now);
                    self.set(first + slot(other), now);
                }
            } else if col == piece_col::PLACE && !self.stays(cell(col), other) {
                let first = table.first_version + table.width * table.stride;
                if cell(piece_col::COUNT_PIECES) == 0 {
                    self.set(first, now);
                    self.set(first + slot(side), now);
                } else {
                    // Whatever it carries, of whatever owner, comes or goes with it.
                    (first..first + table.stride).for_each(|index| self.set(index, now));
                }
            }
        }
    }

    /// Whether a piece that went from one place to the other is on the map as much as before.
    fn stays(&self, a: i32, b: i32) -> bool {
        let on_map = |place: i32| self.map.contains(SpaceId((place - 1) as u32));
        a > 0 && b > 0 && on_map(a) == on_map(b)
    }
}

impl State {
    /// An empty state for `schema`, with one game row and one free list head.
    pub fn new(schema: &Schema) -> State {
        State::with_map(schema, Arc::default())
    }

    /// The same, told which spaces are on the map.
    pub fn with_map(schema: &Schema, map: Arc<SpaceSet>) -> State {
        let mut state = State::default();
        state.versions.map = map;
        for (id, table) in (0u16..).zip(&schema.tables) {
            let first_version = state.versions.columns.len();
            let stride = if TableId(id) == TableId::PIECE { BY_SIDE } else { 1 };
            // One more for whether pieces are on the map.
            state.versions.columns.resize(first_version + (table.columns.len() + 1) * stride, 0);
            state.tables.push(Table {
                stride,
                width: table.columns.len(),
                rows: 0,
                cells: Vec::new(),
                defaults: table.columns.iter().map(|column| column.default).collect(),
                first_version,
            });
        }
        state.versions.newest.resize(state.versions.columns.len().div_ceil(64), 0);
        // A world of nothing, which shows what the rules can say, has no tables.
        for table in [TableId::GAME, TableId::LIST] {
            if usize::from(table.0) < state.tables.len() {
                state.push_row(table);
            }
        }
        state
    }

    /// How many rows a table has.
    #[inline]
    pub fn rows(&self, table: TableId) -> u32 {
        self.tables.get(table.0 as usize).map_or(0, |table| table.rows)
    }

    /// The value of a cell; 0 in a row that does not exist.
    ///
    /// Whoever takes the number of a row from outside compares it with [`State::rows`] first, and says what is wrong. Should one
    /// be forgotten, no game ends for it.
    #[inline]
    pub fn get(&self, table: TableId, row: u32, col: u16) -> i32 {
        debug_assert!(row < self.rows(table), "row {row} of table {} does not exist", table.0);
        let Some(table) = self.tables.get(table.0 as usize) else { return 0 };
        table.cells.get(row as usize * table.width + col as usize).copied().unwrap_or(0)
    }

    /// The value of a column in a new row.
    pub fn default_of(&self, table: TableId, col: u16) -> i32 {
        self.tables[table.0 as usize].defaults[col as usize]
    }

    /// Writes a cell and keeps its old value in the journal. Returns the old value. A row that does not exist stays so.
    #[inline]
    pub fn set(&mut self, id: TableId, row: u32, col: u16, value: i32) -> i32 {
        debug_assert!(row < self.rows(id), "row {row} of table {} does not exist", id.0);
        let Some(table) = self.tables.get_mut(id.0 as usize) else { return value };
        let Some(cell) = table.cells.get_mut(row as usize * table.width + col as usize) else { return value };
        let old = *cell;
        if old != value {
            *cell = value;
            let default = table.defaults[col as usize];
            self.digest ^= part(id.0, row, col, old, default) ^ part(id.0, row, col, value, default);
            self.writes += 1;
            self.versions.write(table, row, col, old, self.writes);
            self.journal.push(Entry { table: id.0, col, row, old });
        }
        old
    }

    /// Adds a row of defaults and returns its number.
    pub fn push_row(&mut self, id: TableId) -> u32 {
        let table = &mut self.tables[id.0 as usize];
        let row = table.rows;
        table.rows += 1;
        table.cells.extend_from_slice(&table.defaults);
        self.digest ^= mix(u64::from(id.0) << 48 | 0xffff << 32 | u64::from(row), 1);
        self.writes += 1;
        self.journal.push(Entry { table: id.0, col: NEW_ROW, row, old: 0 });
        row
    }

    /// The present end of the journal.
    pub fn mark(&self) -> Mark {
        Mark(self.journal.len())
    }

    /// How many writes can be taken back.
    pub fn journal(&self) -> usize {
        self.journal.len()
    }

    /// Takes back everything written after `mark`.
    pub fn revert(&mut self, mark: Mark) {
        while self.journal.len() > mark.0 {
            let Some(entry) = self.journal.pop() else { return };
            self.writes += 1;
            let table = &mut self.tables[entry.table as usize];
            if entry.col == NEW_ROW {
                table.rows -= 1;
                table.cells.truncate(table.rows as usize * table.width);
                self.digest ^= mix(u64::from(entry.table) << 48 | 0xffff << 32 | u64::from(entry.row), 1);
            } else {
                let cell = &mut table.cells[entry.row as usize * table.width + entry.col as usize];
                let default = table.defaults[entry.col as usize];
                self.digest ^= part(entry.table, entry.row, entry.col, *cell, default)
                    ^ part(entry.table, entry.row, entry.col, entry.old, default);
                let new = *cell;
                *cell = entry.old;
                // A version never goes back: what was derived from the cell in between is stale.
                self.versions.write(table, entry.row, entry.col, new, self.writes);
            }
        }
    }

    /// A copy without its journal: the state as it is, which cannot be taken back further.
    pub fn snapshot(&self) -> State {
        State {
            tables: self.tables.clone(),
            journal: Vec::new(),
            digest: self.digest,
            versions: self.versions.clone(),
            writes: self.writes,
        }
    }

    /// A number that two states share if, and for all practical purposes only if, they are equal.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The digest computed from the cells, for tests of the running one.
    pub fn digest_again(&self) -> u64 {
        let mut digest = 0;
        for (id, table) in (0u16..).zip(&self.tables) {
            for row in 0..table.rows {
                digest ^= mix(u64::from(id) << 48 | 0xffff << 32 | u64::from(row), 1);
                for (col, default) in (0u16..).zip(&table.defaults) {
                    let value = table.cells[row as usize * table.width + col as usize];
                    digest ^= part(id, row, col, value, *default);
                }
            }
        }
        digest
    }

    /// How many writes there were in all: while this stays, nothing has changed.
    #[inline]
    pub fn writes(&self) -> u64 {
        self.writes
    }

    /// When a column was last written, by the count of `writes`: what was derived from it is good while this stays.
    #[inline]
    pub fn version(&self, index: u32) -> u64 {
        self.versions.columns[index as usize]
    }

    /// Whether none of these columns (a bit set of their indices) was written after that many writes.
    #[inline]
    pub fn unwritten(&self, columns: &[u64], since: u64) -> bool {
        let words = columns.iter().zip(&self.versions.newest).zip(self.versions.columns.chunks(64));
        for ((&bits, &newest), versions) in words {
            if bits == 0 || newest <= since {
                continue;
            }
            let mut bits = bits;
            while bits != 0 {
                if versions[bits.trailing_zeros() as usize] > since {
                    return false;
                }
                bits &= bits - 1;
            }
        }
        true
    }

    /// The rows in which a column has another value than this.
    pub fn rows_unlike(&self, table: TableId, col: u16, value: i32) -> impl Iterator<Item = u32> {
        let table = &self.tables[table.0 as usize];
        let cells = table.cells.get(col as usize..).unwrap_or_default().iter().step_by(table.width.max(1));
        (0u32..).zip(cells).filter(move |(_, cell)| **cell != value).map(|(row, _)| row)
    }

    /// The index of a column among the versions.
    #[inline]
    pub fn version_index(&self, table: TableId, col: u16) -> u32 {
        let table = &self.tables[table.0 as usize];
        (table.first_version + col as usize * table.stride) as u32
    }

    /// The column of the piece table, for versions only, that is written when a piece comes to the map or leaves it.
    pub fn on_map_column(&self) -> u16 {
        self.tables[TableId::PIECE.0 as usize].width as u16
    }

    /// The same for the pieces of one owner (a side's cell; 0 for nobody).
    #[inline]
    pub fn version_index_of_side(&self, col: u16, side: i32) -> u32 {
        self.version_index(TableId::PIECE, col) + 1 + (side.max(0) as u32).min(BY_SIDE as u32 - 2)
    }

    /// How many versions are kept for all tables.
    pub fn columns(&self) -> usize {
        self.versions.columns.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::{Column, TableSchema, Type};
    use super::*;
    use crate::symbol::Sym;
    use proptest::prelude::*;

    pub fn schema() -> Schema {
        let int = Type::Int { min: i32::MIN, max: i32::MAX };
        let column = |default| Column { default, ..Column::new(Sym::NONE, int.clone()) };
        let table = |n: i32| TableSchema { name: Sym::NONE, columns: (0..n).map(column).collect() };
        Schema { tables: vec![table(3), table(2), table(5), table(12), table(2), table(7)] }
    }

    #[test]
    fn moves_on_the_map_leave_the_question_of_being_on_it_alone() {
        let map: SpaceSet = [0, 1].map(SpaceId).into_iter().collect();
        let mut state = State::with_map(&schema(), Arc::new(map));
        let piece = state.push_row(TableId::PIECE);
        for col in [piece_col::PLACE, piece_col::COUNT_PIECES] {
            state.set(TableId::PIECE, piece, col, 0);
        }
        let changed = |state: &mut State, place: i32| {
            let col = state.on_map_column();
            let before = state.version(state.version_index(TableId::PIECE, col));
            state.set(TableId::PIECE, piece, piece_col::PLACE, place);
            state.version(state.version_index(TableId::PIECE, col)) != before
        };
        assert!(changed(&mut state, 1), "from nowhere to the map");
        assert!(!changed(&mut state, 2), "within the map");
        assert!(changed(&mut state, 3), "to a box");
        assert!(!changed(&mut state, 4), "from box to box");
        assert!(changed(&mut state, -1), "aboard another piece");
        assert!(changed(&mut state, 1), "from aboard to the map");
        let (mark, col) = (state.mark(), state.on_map_column());
        assert!(changed(&mut state, 4));
        let before = state.version(state.version_index_of_side(col, 1));
        state.revert(mark);
        assert_ne!(state.version(state.version_index_of_side(col, 1)), before, "taken back");
    }

    proptest! {
        #[test]
        fn reverting_restores_every_cell_and_the_digest(
            before in proptest::collection::vec((0u16..3, 0i32..9), 0..40),
            after in proptest::collection::vec((0u16..3, 0i32..9), 0..40),
        ) {
            let mut state = State::new(&schema());
            for (col, value) in before {
                state.set(TableId::GAME, 0, col, value);
            }
            let kept = state.snapshot();
            let mark = state.mark();
            for (col, value) in after {
                state.set(TableId::GAME, 0, col, value);
                if value == 3 {
                    let row = state.push_row(TableId::SIDE);
                    state.set(TableId::SIDE, row, 1, value);
                }
            }
            prop_assert_eq!(state.digest(), state.digest_again());
            state.revert(mark);
            prop_assert_eq!(state.digest(), kept.digest());
            prop_assert_eq!(state.digest(), state.digest_again());
            for col in 0..3 {
                prop_assert_eq!(state.get(TableId::GAME, 0, col), kept.get(TableId::GAME, 0, col));
            }
            prop_assert_eq!(state.rows(TableId::SIDE), 0);
        }
    }
}

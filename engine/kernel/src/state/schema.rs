//! Names and types of the state's tables and columns: the kernel's own and those a game declares.

use crate::symbol::Sym;

/// A table of the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct TableId(pub u16);

impl TableId {
    /// One row: the game's own attributes.
    pub const GAME: TableId = TableId(0);
    /// One row a side.
    pub const SIDE: TableId = TableId(1);
    /// One row a space.
    pub const SPACE: TableId = TableId(2);
    /// One row a piece.
    pub const PIECE: TableId = TableId(3);
    /// Nodes of lists; row 0 holds the head of the free ones.
    pub const LIST: TableId = TableId(4);
    /// Timed effects, schedules and things remembered.
    pub const EFFECT: TableId = TableId(5);
    /// The first table of records in play; the others follow.
    pub const FIRST_RECORD: TableId = TableId(6);
}

/// What a cell means. Every value is one `i32`; references are row + 1, and 0 is nil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// 0 or 1.
    Bool,
    /// A whole number within bounds.
    Int {
        /// Least legal value.
        min: i32,
        /// Greatest legal value.
        max: i32,
    },
    /// Any interned name, or nil.
    Text,
    /// One of these names, or nil.
    Enum(Vec<Sym>),
    /// A side, or nil.
    Side,
    /// A piece, or nil.
    Piece,
    /// A space, or nil.
    Space,
    /// A record in play of that table, or nil.
    Record(TableId),
    /// A list of such values.
    List(Box<Type>),
}

impl Type {
    /// The name of the type as game files write it.
    pub fn name(&self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Int { .. } => "int",
            Type::Text => "text",
            Type::Enum(_) => "enum",
            Type::Side => "side",
            Type::Piece => "piece",
            Type::Space => "space",
            Type::Record(_) => "record",
            Type::List(of) => match **of {
                Type::Piece => "pieces",
                Type::Space => "spaces",
                Type::Int { .. } => "ints",
                _ => "texts",
            },
        }
    }
}

/// Who sees a value or the contents of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum See {
    /// Everybody.
    #[default]
    All,
    /// The owner only.
    Owner,
    /// Nobody, not even the owner.
    Nobody,
    /// The owner, and whoever sees the face of the piece that the value names.
    Face,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name in scripts and files.
    pub name: Sym,
    /// What its cells mean.
    pub ty: Type,
    /// The value of a new row.
    pub default: i32,
    /// The node of the sequence of play at whose end the default is set again.
    pub reset: Sym,
    /// Who sees the value.
    pub see: See,
}

/// A table's name and columns.
#[derive(Clone, Debug, Default)]
pub struct TableSchema {
    /// Its name.
    pub name: Sym,
    /// The columns, the kernel's own first.
    pub columns: Vec<Column>,
}

/// All tables of a game's state.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The tables, by `TableId`.
    pub tables: Vec<TableSchema>,
}

impl Schema {
    /// The column of that name, searching the game's own columns and the kernel's.
    pub fn column(&self, table: TableId, name: Sym) -> Option<u16> {
        let columns = &self.tables.get(table.0 as usize)?.columns;
        columns.iter().position(|column| column.name == name).and_then(|at| u16::try_from(at).ok())
    }

    /// A column by number.
    pub fn get(&self, table: TableId, col: u16) -> Option<&Column> {
        self.tables.get(table.0 as usize)?.columns.get(col as usize)
    }
}

/// The kernel's columns of the game table.
pub mod game_col {
    /// Number of the kernel's columns.
    pub const COUNT: u16 = 1;
    /// Serial number of the newest effect.
    pub const EFFECT_SERIAL: u16 = 0;
}

/// The kernel's columns of the space table.
pub mod space_col {
    /// First piece (top), row + 1.
    pub const HEAD: u16 = 0;
    /// Last piece (bottom), row + 1.
    pub const TAIL: u16 = 1;
    /// How many pieces.
    pub const COUNT_PIECES: u16 = 2;
    /// Number of the kernel's columns.
    pub const COUNT: u16 = 3;
}

/// The kernel's columns of the piece table.
pub mod piece_col {
    /// Row of the component list, + 1; 0 for a piece that was destroyed.
    pub const COMPONENT: u16 = 0;
    /// Owner: side + 1.
    pub const SIDE: u16 = 1;
    /// Where it lies: space + 1, or -(piece + 1) for a carrier; 0 for nowhere.
    pub const PLACE: u16 = 2;
    /// The piece above it in its place, row + 1.
    pub const PREV: u16 = 3;
    /// The piece below it, row + 1.
    pub const NEXT: u16 = 4;
    /// First piece it carries.
    pub const HEAD: u16 = 5;
    /// Last piece it carries.
    pub const TAIL: u16 = 6;
    /// How many it carries.
    pub const COUNT_PIECES: u16 = 7;
    /// Rung of its ladder, 1 = top.
    pub const LEVEL: u16 = 8;
    /// Facing + 1; 0 for none.
    pub const FACING: u16 = 9;
    /// Bit set of sides to which its face was shown.
    pub const SEEN: u16 = 10;
    /// Number of the kernel's columns.
    pub const COUNT: u16 = 11;
}

/// The columns of the effect table.
pub mod effect_col {
    /// The effect's name; 0 for a free row.
    pub const NAME: u16 = 0;
    /// Order of beginning.
    pub const SERIAL: u16 = 1;
    /// The node or record type at whose end it ends; 0 for never.
    pub const UNTIL: u16 = 2;
    /// The event that runs it, for schedules.
    pub const ON: u16 = 3;
    /// How many occurrences of the event are still skipped.
    pub const AFTER: u16 = 4;
    /// How many times it still runs.
    pub const TIMES: u16 = 5;
    /// List of arguments: key, type, value.
    pub const ARGS: u16 = 6;
    /// If it ends with a record in play: its row, from 1.
    pub const RECORD: u16 = 7;
    /// Number of columns.
    pub const COUNT: u16 = 8;
}

//! The names that can follow the dot of a handle, looked up once for each game.

use sandtable_kernel::state::{TableId, game_col, piece_col, space_col};
use sandtable_kernel::symbol::{Sym, Symbols};
use sandtable_kernel::world::World;

/// What a name on a handle refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// One of the kernel's own.
    Own(Own),
    /// A column of the state.
    Attribute(u16),
    /// A column of the printed fields.
    Field(u16),
}

/// The kernel's own names on handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    Id,
    Kind,
    Type,
    Name,
    Side,
    Place,
    Space,
    Level,
    Levels,
    StepsLeft,
    Facing,
    Cargo,
    Pieces,
    Count,
    Is,
    Team,
}

/// The names of one kind of handle, by number.
#[derive(Default)]
pub(crate) struct Names(Vec<Option<Key>>);

impl Names {
    pub fn get(&self, name: Sym) -> Option<Key> {
        self.0.get(name.0 as usize).copied().flatten()
    }

    fn insert(&mut self, name: Sym, key: Key) {
        let at = name.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some(key);
    }
}

/// The names of each kind of handle.
pub(crate) struct Keys {
    pub piece: Names,
    pub space: Names,
    pub side: Names,
    pub game: Names,
    /// The word `name`, which effects have.
    pub name: Sym,
    /// By table, from the first record on.
    pub records: Vec<Names>,
    words: [(Sym, Word); 6],
    /// The attributes of the game that conditions of handlers look at.
    pub turn: Option<u16>,
    pub active: Option<u16>,
}

/// What filters know beside fields and attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    At,
    NotAt,
    OnMap,
    Empty,
    Has,
    NotHas,
}

impl Keys {
    /// Makes the names of a game; the kernel's own are interned.
    pub fn new(world: &World, symbols: &mut Symbols) -> Keys {
        let mut own = |names: &mut Names, list: &[(&str, Own)]| {
            for (name, own) in list {
                names.insert(symbols.intern(name), Key::Own(*own));
            }
        };
        let columns = |names: &mut Names, table: TableId, skip: u16| {
            let Some(schema) = world.schema.tables.get(table.0 as usize) else { return };
            for (col, column) in (0u16..).zip(&schema.columns).skip(skip as usize) {
                names.insert(column.name, Key::Attribute(col));
            }
        };
        let fields = |names: &mut Names, fields: &sandtable_kernel::world::Fields| {
            for (col, (name, _)) in (0u16..).zip(&fields.columns) {
                names.insert(*name, Key::Field(col));
            }
        };
        let mut piece = Names::default();
        fields(&mut piece, &world.piece_fields);
        columns(&mut piece, TableId::PIECE, piece_col::COUNT);
        own(
            &mut piece,
            &[
                ("id", Own::Id),
                ("kind", Own::Kind),
                ("type", Own::Type),
                ("name", Own::Name),
                ("side", Own::Side),
                ("place", Own::Place),
                ("space", Own::Space),
                ("level", Own::Level),
                ("levels", Own::Levels),
                ("steps_left", Own::StepsLeft),
                ("facing", Own::Facing),
                ("cargo", Own::Cargo),
                ("is", Own::Is),
            ],
        );
        let mut space = Names::default();
        fields(&mut space, &world.space_fields);
        columns(&mut space, TableId::SPACE, space_col::COUNT);
        let spaces = [
            ("id", Own::Id),
            ("kind", Own::Kind),
            ("name", Own::Name),
            ("side", Own::Side),
            ("pieces", Own::Pieces),
            ("count", Own::Count),
            ("is", Own::Is),
        ];
        own(&mut space, &spaces);
        let mut side = Names::default();
        fields(&mut side, &world.side_fields);
        columns(&mut side, TableId::SIDE, 0);
        own(&mut side, &[("id", Own::Id), ("name", Own::Name), ("team", Own::Team)]);
        let mut game = Names::default();
        columns(&mut game, TableId::GAME, game_col::COUNT);
        let mut records = Vec::new();
        for table in TableId::FIRST_RECORD.0..world.schema.tables.len() as u16 {
            let mut names = Names::default();
            columns(&mut names, TableId(table), 1);
            own(&mut names, &[("kind", Own::Kind)]);
            records.push(names);
        }
        let words = [
            ("at", Word::At),
            ("not_at", Word::NotAt),
            ("on_map", Word::OnMap),
            ("empty", Word::Empty),
            ("has", Word::Has),
            ("not_has", Word::NotHas),
        ];
        let words = words.map(|(text, word)| (symbols.intern(text), word));
        let column = |name: &str| world.schema.column(TableId::GAME, world.symbols.get(name)?);
        let (turn, active) = (column("turn"), column("active"));
        Keys { name: symbols.intern("name"), records, piece, space, side, game, words, turn, active }
    }

    /// The word of filters that a name is.
    pub fn word(&self, name: Sym) -> Option<Word> {
        self.words.iter().find(|(sym, _)| *sym == name).map(|(_, word)| *word)
    }

    /// All names of a set, in order, for "nearest" hints.
    pub fn list(names: &Names, symbols: &Symbols) -> Vec<String> {
        let known = (0u32..).zip(&names.0).filter(|(_, key)| key.is_some());
        let mut list: Vec<String> = known.map(|(sym, _)| symbols.text(Sym(sym)).to_string()).collect();
        list.sort();
        list
    }
}

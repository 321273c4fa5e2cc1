//! A digest of a state by names: equal for equal positions, whatever numbers names, rows and columns have.
//!
//! The digest that the kernel keeps is free, but depends on how names are numbered, and so on every file of a game.
//! Records hold this one, so that a game re-run under changed rules parts from its record only where play differs.

use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{
    Arg, EffectId, Lists, PieceId, Place, State, TableId, Type, effect_col, game_col, piece_col, space_col,
};
use sandtable_kernel::symbol::{Sym, mix, stable_hash};
use sandtable_kernel::world::World;
use sandtable_script::ScriptContext;

/// Hashes of the names of a game, made once.
#[derive(Debug, Default)]
pub(crate) struct Names {
    symbols: Vec<u64>,
    /// Hash of each column, by table.
    columns: Vec<Vec<u64>>,
}

const EXISTS: u64 = 1;
const ORDER: u64 = 2;
const PLACE: u64 = 3;
const PIECE: u64 = 4;
const LIST: u64 = 5;

impl Names {
    /// Hashes the names that are new since the last time.
    pub fn refresh(&mut self, cx: &ScriptContext) {
        let symbols = cx.symbols.borrow();
        for number in self.symbols.len()..symbols.len() {
            self.symbols.push(stable_hash(symbols.text(Sym(number as u32))));
        }
        if self.columns.is_empty() {
            for (number, table) in (0u64..).zip(&cx.world.schema.tables) {
                // The kernel's own tables may have no name; games name theirs.
                let own = if table.name.is_none() { number } else { stable_hash(symbols.text(table.name)) };
                let column = |(at, column): (u64, &sandtable_kernel::state::Column)| {
                    let name =
                        if column.name.is_none() { at } else { stable_hash(symbols.text(column.name)) };
                    mix(own, name)
                };
                self.columns.push((0u64..).zip(&table.columns).map(column).collect());
            }
        }
    }

    fn symbol(&self, sym: Sym) -> u64 {
        self.symbols.get(sym.0 as usize).copied().unwrap_or_default()
    }

    fn side(&self, world: &World, cell: i32) -> u64 {
        let seat = usize::try_from(cell - 1).ok();
        seat.and_then(|seat| world.sides.get(seat)).map_or(0, |side| self.symbol(side.0))
    }

    fn space(&self, world: &World, space: u32) -> u64 {
        world.spaces.get(space as usize).map_or(0, |def| self.symbol(def.id))
    }

    /// The digest of a state.
    pub fn digest(&self, world: &World, state: &State) -> u64 {
        let mut counts = vec![0u64; world.components.len()];
        let pieces = (0..state.rows(TableId::PIECE)).map(|piece| {
            let component = (state.get(TableId::PIECE, piece, piece_col::COMPONENT) - 1) as usize;
            match (world.components.get(component), counts.get_mut(component)) {
                (Some(row), Some(count)) => {
                    *count += 1;
                    mix(self.symbol(row.id), *count)
                }
                _ => mix(PIECE, piece.into()),
            }
        });
        let pieces: Vec<u64> = pieces.collect();
        let look = Canonical { names: self, world, state, pieces: &pieces };
        let mut digest = 0;
        digest ^= look.rows(TableId::GAME, game_col::COUNT, |_| EXISTS);
        digest ^= look.rows(TableId::SIDE, 0, |row| self.side(world, row as i32 + 1));
        digest ^= look.rows(TableId::SPACE, space_col::COUNT, |row| self.space(world, row));
        digest ^= look.rows(TableId::PIECE, piece_col::COUNT, |row| look.piece(row));
        for piece in 0..state.rows(TableId::PIECE) {
            digest ^= look.own_columns(piece);
        }
        for space in 0..world.spaces.len() as u32 {
            digest ^= look.order(Place::Space(SpaceId(space)));
        }
        digest ^= look.effects();
        for table in TableId::FIRST_RECORD.0..world.schema.tables.len() as u16 {
            digest ^= look.rows(TableId(table), 0, |row| mix(EXISTS, row.into()));
        }
        digest
    }
}

struct Canonical<'a> {
    names: &'a Names,
    world: &'a World,
    state: &'a State,
    pieces: &'a [u64],
}

impl Canonical<'_> {
    fn piece(&self, piece: u32) -> u64 {
        self.pieces.get(piece as usize).copied().unwrap_or_default()
    }

    /// Every cell of a table from a column on that differs from its default.
    fn rows(&self, table: TableId, from: u16, name: impl Fn(u32) -> u64) -> u64 {
        let Some(schema) = self.world.schema.tables.get(table.0 as usize) else { return 0 };
        let Some(hashes) = self.names.columns.get(table.0 as usize) else { return 0 };
        let mut digest = 0;
        for ((col, column), hash) in (0u16..).zip(&schema.columns).zip(hashes).skip(from.into()) {
            for row in 0..self.state.rows(table) {
                let cell = self.state.get(table, row, col);
                if cell != column.default {
                    digest ^= mix(mix(*hash, name(row)), self.value(&column.ty, cell));
                }
            }
        }
        digest
    }

    fn value(&self, ty: &Type, cell: i32) -> u64 {
        let name = |found: u64| if cell == 0 { 0 } else { found };
        match ty {
            Type::Bool | Type::Int { .. } | Type::Record(_) => mix(EXISTS, cell as u32 as u64),
            Type::Text | Type::Enum(_) => self.names.symbol(Sym::from_cell(cell)),
            Type::Side => self.names.side(self.world, cell),
            Type::Piece => name(self.piece((cell - 1) as u32)),
            Type::Space => name(self.names.space(self.world, (cell - 1) as u32)),
            Type::List(of) => {
                self.state.list(cell).iter().fold(LIST, |hash, &item| mix(hash, self.value(of, item)))
            }
        }
    }

    /// What the kernel knows of a piece, and the order of what lies on it.
    fn own_columns(&self, piece: u32) -> u64 {
        let get = |col| self.state.get(TableId::PIECE, piece, col);
        let name = self.piece(piece);
        let place = match Place::from_cell(get(piece_col::PLACE)) {
            Place::Nowhere => 0,
            Place::Space(space) => self.names.space(self.world, space.0),
            Place::Piece(PieceId(carrier)) => mix(PIECE, self.piece(carrier)),
        };
        let owner = self.names.side(self.world, get(piece_col::SIDE));
        let rest = [piece_col::LEVEL, piece_col::FACING, piece_col::SEEN];
        let hash = rest.into_iter().fold(mix(name, EXISTS), |hash, col| mix(hash, get(col) as u32 as u64));
        mix(mix(hash, owner), mix(PLACE, place)) ^ self.order(Place::Piece(PieceId(piece)))
    }

    fn order(&self, place: Place) -> u64 {
        let places = (0u64..).zip(self.state.contents(place));
        places.fold(0, |hash, (at, piece)| hash ^ mix(self.piece(piece.0), mix(ORDER, at)))
    }

    fn effects(&self) -> u64 {
        let get = |row, col| self.state.get(TableId::EFFECT, row, col);
        let mut rows: Vec<u32> =
            (0..self.state.rows(TableId::EFFECT)).filter(|&row| get(row, effect_col::NAME) != 0).collect();
        rows.sort_by_key(|&row| get(row, effect_col::SERIAL));
        let mut digest = 0;
        for (at, row) in (0u64..).zip(rows) {
            let symbol = |col| self.names.symbol(Sym::from_cell(get(row, col)));
            let mut hash = mix(at, symbol(effect_col::NAME));
            for part in [symbol(effect_col::UNTIL), symbol(effect_col::ON)] {
                hash = mix(hash, part);
            }
            for col in [effect_col::AFTER, effect_col::TIMES] {
                hash = mix(hash, get(row, col) as u32 as u64);
            }
            // Arguments are named, so their order does not matter.
            hash ^=
                self.state.effect_args(EffectId(row)).iter().fold(0, |hash, arg| hash ^ self.argument(arg));
            digest ^= mix(ORDER, hash);
        }
        digest
    }

    /// An argument of an effect; the tags are those under which the script crate stores values.
    fn argument(&self, arg: &Arg) -> u64 {
        let value = match arg.tag {
            3 => self.names.symbol(Sym::from_cell(arg.cell)),
            4 => self.piece(arg.cell as u32),
            5 => self.names.space(self.world, arg.cell as u32),
            tag => mix(tag as u32 as u64, arg.cell as u32 as u64),
        };
        mix(self.names.symbol(arg.key), value)
    }
}

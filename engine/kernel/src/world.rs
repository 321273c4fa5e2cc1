//! The static world of a game: what is printed on map, pieces and cards, and never changes in play.

use crate::limit::Limit;
use crate::map::{Board, BorderId, BorderSet, SpaceId, SpaceSet};
use crate::outlook::Term;
use crate::search::Profile;
use crate::sight::SightDef;
use crate::state::{Schema, See, State, TableId, Type, piece_col};
use crate::symbol::{Sym, Symbols};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A value that a row of printed fields does not have.
pub const NIL: i32 = i32::MIN;

/// From how near a side sees what lies under the top piece of another side's stack, or the top piece too.
#[derive(Clone, Debug)]
pub struct StackSight {
    /// The kind of pieces that hide each other, and see into stacks.
    pub kind: Sym,
    /// From how many spaces away, if no value says so.
    pub near: u32,
    /// Borders over which nobody sees.
    pub barrier: BorderSet,
    /// Whether the top piece is seen from anywhere.
    pub top: bool,
    /// The figure of the rulebook that says how near; none if a number was given.
    pub value: Sym,
}

impl StackSight {
    /// From how many spaces away a stack is seen into.
    pub fn near(&self, world: &World) -> u32 {
        match world.values.get(&self.value) {
            Some(Datum::Int(n)) => u32::try_from(*n).unwrap_or(0),
            _ => self.near,
        }
    }
}

/// A side, by its seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SideId(pub u8);

impl SideId {
    /// The value under which the state stores a side.
    pub fn cell(self) -> i32 {
        i32::from(self.0) + 1
    }

    /// The side stored as `cell`.
    pub fn from_cell(cell: i32) -> Option<SideId> {
        u8::try_from(cell.checked_sub(1)?).ok().map(SideId)
    }
}

/// Printed values: one row a component, one column a field, lists apart.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// Name and type of each column.
    pub columns: Vec<(Sym, Type)>,
    cells: Vec<i32>,
    lists: Vec<Vec<i32>>,
}

impl Fields {
    /// No rows yet, with these columns.
    pub fn new(columns: Vec<(Sym, Type)>) -> Fields {
        Fields { columns, cells: Vec::new(), lists: Vec::new() }
    }

    /// The number of a column.
    pub fn column(&self, name: Sym) -> Option<u16> {
        self.columns.iter().position(|column| column.0 == name).and_then(|at| u16::try_from(at).ok())
    }

    /// Adds a row of absent values and returns its number.
    pub fn push(&mut self) -> u32 {
        let row = if self.columns.is_empty() { 0 } else { self.cells.len() / self.columns.len() };
        self.cells.extend(std::iter::repeat_n(NIL, self.columns.len()));
        row as u32
    }

    /// Adds a copy of a row.
    pub fn push_like(&mut self, row: u32) -> u32 {
        let new = self.push();
        let width = self.columns.len();
        let from = row as usize * width;
        self.cells.copy_within(from..from + width, new as usize * width);
        new
    }

    /// Writes a value.
    pub fn set(&mut self, row: u32, col: u16, value: i32) {
        let width = self.columns.len();
        self.cells[row as usize * width + col as usize] = value;
    }

    /// Writes a list.
    pub fn set_list(&mut self, row: u32, col: u16, values: Vec<i32>) {
        self.lists.push(values);
        self.set(row, col, self.lists.len() as i32 - 1);
    }

    /// A value, or `NIL`. For a list column, its number for `list`.
    #[inline]
    pub fn get(&self, row: u32, col: u16) -> i32 {
        self.cells[row as usize * self.columns.len() + col as usize]
    }

    /// A list by the number that `get` gave.
    pub fn list(&self, number: i32) -> &[i32] {
        usize::try_from(number).ok().and_then(|at| self.lists.get(at)).map_or(&[], |list| list)
    }
}

/// A space's printed facts that every game has.
#[derive(Clone, Debug)]
pub struct SpaceDef {
    /// Its id.
    pub id: Sym,
    /// hex, area, box or pile.
    pub kind: Sym,
    /// Name for people; the id if none is given.
    pub name: String,
    /// The side it belongs to, for hands and boxes.
    pub side: Option<SideId>,
    /// Who sees what lies in it.
    pub see: See,
    /// Who sees how many lie in it, of those who do not see what.
    pub see_count: See,
    /// Whether it has a place on the map: hexes and areas do.
    pub on_map: bool,
}

/// Most pieces of a game, those that were destroyed included.
pub const PIECES: u32 = 50_000;

/// A row of the component list: a unit, a card, a chit, a marker.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its id.
    pub id: Sym,
    /// The table it came from: unit, card …
    pub kind: Sym,
    /// Name for people.
    pub name: String,
    /// Whose it is at the start.
    pub side: Option<SideId>,
    /// How many rungs its ladder has, at least 1.
    pub levels: u8,
    /// Row of the printed fields of its first rung; the others follow.
    pub first_row: u32,
    /// How many pieces of it there are at the start.
    pub count: u32,
}

/// A table of results with row keys and column keys.
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    /// Column headers as printed, with the range of numbers each stands for (`6-7`, `15+`).
    pub columns: Vec<(Sym, Option<(i32, i32)>)>,
    /// Row headers likewise.
    pub rows: Vec<(Sym, Option<(i32, i32)>)>,
    /// Cells by row.
    pub cells: Vec<Datum>,
}

/// A plain value of a table or a `value` row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A whole number.
    Int(i32),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Datum>),
    /// Values by name, in the order of the file.
    Table(Vec<(String, Datum)>),
}

/// A typed option of the rules.
#[derive(Clone, Debug)]
pub struct OptionDef {
    /// Its id.
    pub id: Sym,
    /// Title for people.
    pub title: String,
    /// Its value in this game.
    pub value: Datum,
    /// The values it may have, if they are listed.
    pub values: Vec<Datum>,
}

/// What a name of a game refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A space.
    Space(SpaceId),
    /// A row of the component list.
    Component(u32),
    /// A side.
    Side(SideId),
}

/// Everything that does not change while a game is played.
#[derive(Clone, Debug)]
pub struct World {
    /// The names.
    pub symbols: Symbols,
    /// The tables of the state.
    pub schema: Schema,
    /// The graph of spaces.
    pub board: Board,
    /// The spaces, by `SpaceId`.
    pub spaces: Vec<SpaceDef>,
    /// Printed fields of the spaces, one row each.
    pub space_fields: Fields,
    /// Names of the features of each border.
    pub border_features: Vec<Vec<Sym>>,
    /// The component list.
    pub components: Vec<Component>,
    /// Printed fields of the components, one row a rung.
    pub piece_fields: Fields,
    /// The sides in seat order: id, name, team.
    pub sides: Vec<(Sym, String, Sym)>,
    /// Printed fields of the sides.
    pub side_fields: Fields,
    /// What names refer to.
    pub names: FxHashMap<Sym, Named>,
    /// Tables of results.
    pub matrices: FxHashMap<Sym, Matrix>,
    /// The figures of the rulebook.
    pub values: FxHashMap<Sym, Datum>,
    /// Options with their values in this game.
    pub options: Vec<OptionDef>,
    /// Texts for people: prompts, log lines, refusals.
    pub texts: FxHashMap<Sym, String>,
    /// Ways of moving.
    pub profiles: FxHashMap<Sym, Profile>,
    /// Rules of sight.
    pub sights: FxHashMap<Sym, SightDef>,
    /// Who sees into stacks, by kind of piece.
    pub stacks: Vec<StackSight>,
    /// Limits on what may stand together in one space.
    pub limits: Vec<Limit>,
    /// What each side values, for players; empty if the game does not say.
    pub outlook: Vec<Term>,
    /// First values of attributes that rows of spaces give: space, column, cell.
    pub space_initial: Vec<(u32, u16, i32)>,
    /// First values of attributes that component rows give, by row: column, cell.
    pub proto_initial: Vec<Vec<(u16, i32)>>,
}

impl World {
    /// A world without anything on a board.
    pub fn on(board: Board) -> World {
        World {
            symbols: Symbols::default(),
            schema: Schema::default(),
            board,
            spaces: Vec::new(),
            space_fields: Fields::default(),
            border_features: Vec::new(),
            components: Vec::new(),
            piece_fields: Fields::default(),
            sides: Vec::new(),
            side_fields: Fields::default(),
            names: FxHashMap::default(),
            matrices: FxHashMap::default(),
            values: FxHashMap::default(),
            options: Vec::new(),
            texts: FxHashMap::default(),
            profiles: FxHashMap::default(),
            sights: FxHashMap::default(),
            stacks: Vec::new(),
            limits: Vec::new(),
            outlook: Vec::new(),
            space_initial: Vec::new(),
            proto_initial: Vec::new(),
        }
    }

    /// The spaces of the map, in contrast to boxes and piles.
    pub fn on_map(&self) -> SpaceSet {
        (0u32..).zip(&self.spaces).filter(|(_, def)| def.on_map).map(|(at, _)| SpaceId(at)).collect()
    }

    /// The state before set-up: all pieces nowhere, every attribute at its default.
    pub fn new_state(&self) -> State {
        let mut state = State::with_map(&self.schema, Arc::new(self.on_map()));
        for _ in &self.sides {
            state.push_row(TableId::SIDE);
        }
        for _ in &self.spaces {
            state.push_row(TableId::SPACE);
        }
        for &(space, col, cell) in &self.space_initial {
            state.set(TableId::SPACE, space, col, cell);
        }
        for (number, component) in (0u32..).zip(&self.components) {
            for _ in 0..component.count {
                self.push_piece(&mut state, number, component.side);
            }
        }
        state
    }

    /// Makes a piece of a row of the component list, in no place yet.
    pub fn push_piece(&self, state: &mut State, component: u32, side: Option<SideId>) -> u32 {
        let row = state.push_row(TableId::PIECE);
        state.set(TableId::PIECE, row, piece_col::COMPONENT, component as i32 + 1);
        state.set(TableId::PIECE, row, piece_col::SIDE, side.map_or(0, SideId::cell));
        state.set(TableId::PIECE, row, piece_col::LEVEL, 1);
        for &(col, cell) in self.proto_initial.get(component as usize).into_iter().flatten() {
            state.set(TableId::PIECE, row, col, cell);
        }
        row
    }

    /// The component row of a piece; `None` for one that was destroyed.
    #[inline]
    pub fn component_of(&self, state: &State, piece: u32) -> Option<&Component> {
        let component = state.get(TableId::PIECE, piece, piece_col::COMPONENT);
        self.components.get((component - 1) as usize)
    }

    /// A printed field of a piece at its present rung.
    #[inline]
    pub fn piece_field(&self, state: &State, piece: u32, col: u16) -> i32 {
        match self.component_of(state, piece) {
            Some(component) => {
                let rung =
                    state.get(TableId::PIECE, piece, piece_col::LEVEL).clamp(1, i32::from(component.levels))
                        - 1;
                self.piece_fields.get(component.first_row + rung as u32, col)
            }
            None => NIL,
        }
    }

    /// The name of a piece: its row's id, with a number if there are several of it.
    pub fn piece_name(&self, state: &State, piece: u32) -> String {
        let exists = piece < state.rows(TableId::PIECE);
        let component = if exists { self.component_of(state, piece) } else { None };
        let Some(component) = component else { return format!("gone.{piece}") };
        let id = self.symbols.text(component.id);
        if component.count == 1 {
            return id.to_string();
        }
        let cell = state.get(TableId::PIECE, piece, piece_col::COMPONENT);
        let (first, made) = self.first_pieces((cell - 1).max(0) as usize);
        let number = match piece.checked_sub(first) {
            Some(number) if number < component.count => number,
            // One that was made in play comes after those of its row that were there from the start.
            _ => {
                let own = |&row: &u32| state.get(TableId::PIECE, row, piece_col::COMPONENT) == cell;
                component.count + (made.min(piece)..piece).filter(own).count() as u32
            }
        };
        format!("{id}.{}", number + 1)
    }

    /// Where the pieces of a row of the component list begin that are there from the start, and how many of all rows are.
    fn first_pieces(&self, component: usize) -> (u32, u32) {
        let counts = |components: &[Component]| components.iter().map(|component| component.count).sum();
        let first: u32 = counts(self.components.get(..component).unwrap_or_default());
        (first, first + counts(self.components.get(component..).unwrap_or_default()))
    }

    /// How many rungs a piece has left, its own among them; 0 once it is destroyed.
    pub fn steps_left(&self, state: &State, piece: u32) -> i32 {
        let levels = self.component_of(state, piece).map_or(0, |component| i32::from(component.levels));
        match state.get(TableId::PIECE, piece, piece_col::LEVEL) {
            0 => 0,
            level => levels - level + 1,
        }
    }

    /// The piece of that name.
    pub fn find_piece(&self, state: &State, name: &str) -> Option<u32> {
        if let Some(sym) = self.symbols.get(name)
            && let Some(Named::Component(component)) = self.names.get(&sym)
            && self.components[*component as usize].count == 1
        {
            return self.first_piece(*component);
        }
        let (id, number) = name.rsplit_once('.')?;
        let number: u32 = number.parse().ok()?;
        let Some(Named::Component(component)) = self.symbols.get(id).and_then(|sym| self.names.get(&sym))
        else {
            return None;
        };
        let (cell, number) = (*component as i32 + 1, number.checked_sub(1)?);
        let (first, made) = self.first_pieces(*component as usize);
        let count = self.components[*component as usize].count;
        if number < count {
            return Some(first + number).filter(|&row| row < state.rows(TableId::PIECE));
        }
        let own = |row: &u32| state.get(TableId::PIECE, *row, piece_col::COMPONENT) == cell;
        (made..state.rows(TableId::PIECE)).filter(own).nth((number - count) as usize)
    }

    /// The first of the pieces that a component row has at the start: they are made in order.
    pub fn first_piece(&self, component: u32) -> Option<u32> {
        let before = self.components.get(..component as usize)?.iter().map(|component| component.count).sum();
        (self.components.get(component as usize)?.count > 0).then_some(before)
    }

    /// The space of that name.
    pub fn find_space(&self, name: &str) -> Option<SpaceId> {
        match self.names.get(&self.symbols.get(name)?)? {
            Named::Space(space) => Some(*space),
            _ => None,
        }
    }

    /// The side of that name.
    pub fn find_side(&self, name: &str) -> Option<SideId> {
        let sym = self.symbols.get(name)?;
        self.sides.iter().position(|side| side.0 == sym).map(|at| SideId(at as u8))
    }

    /// The id of a side.
    pub fn side_name(&self, side: SideId) -> &str {
        self.sides.get(side.0 as usize).map_or("", |side| self.symbols.text(side.0))
    }

    /// The id of a space.
    pub fn space_name(&self, space: SpaceId) -> &str {
        self.spaces.get(space.0 as usize).map_or("", |def| self.symbols.text(def.id))
    }

    /// The features of a border.
    pub fn features(&self, border: BorderId) -> &[Sym] {
        self.border_features.get(border.0 as usize).map_or(&[], |features| features)
    }
}

//! Filters: tests of pieces and spaces written as a Lua table and run in the kernel.

use crate::context::{ANY, ScriptContext, fail};
use crate::handle::val_cell;
use crate::keys::{Key, Keys, Own, Word};
use crate::list::{Contents, List};
use crate::lua_ffi::{Arg, Frame};
use crate::val::Val;
use crate::wrong_value::{Given, WrongValue};
use sandtable_kernel::map::{SpaceId, SpaceSet};
use sandtable_kernel::state::{PieceId, Place, State, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::NIL;

/// What a filter looks at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Of {
    Pieces,
    Spaces,
}

pub(crate) enum Want {
    One(i32),
    Any(Vec<i32>),
    AtLeast(i32),
    AtMost(i32),
    Holds(Vec<i32>),
}

pub(crate) enum Subject {
    Key(Key, bool),
    OnMap,
    At(SpaceSet),
    Tag(Option<u16>),
    Empty,
}

pub(crate) struct Test {
    pub subject: Subject,
    pub want: Want,
    pub not: bool,
}

/// Spaces among which pieces are looked up space by space.
const FEW: usize = 8;

/// A compiled filter: all tests must hold.
pub(crate) struct Filter {
    pub of: Of,
    pub tests: Vec<Test>,
    /// If all matches lie in these few spaces: where to look.
    pub at: Option<Vec<u32>>,
    /// The place, owner, kind and row of the component list that all matches have, or `ANY`.
    pub place: i32,
    pub key: [i32; 3],
}

/// The space that a value of `at` means.
fn space_of(cx: &ScriptContext, val: Val) -> mlua::Result<SpaceId> {
    match val {
        Val::Space(space) => Ok(SpaceId(space)),
        Val::Sym(sym) => {
            let name = cx.text(sym);
            cx.world.find_space(&name).map_or_else(
                || {
                    let ids = cx.world.spaces.iter().map(|def| cx.world.symbols.text(def.id));
                    fail(format!(
                        "filter `at`: no space {name} on this map{}",
                        ScriptContext::nearest(&name, ids)
                    ))
                },
                Ok,
            )
        }
        other => fail(format!("filter `at`: expected spaces, found {}", cx.describe(other))),
    }
}

impl Filter {
    /// Compiles the table at a place of the stack; nothing there is a filter that all pass.
    pub fn new(frame: &Frame<'_>, of: Of, at: i32) -> mlua::Result<Filter> {
        let mut filter = Filter { of, tests: Vec::new(), at: None, place: ANY, key: [ANY; 3] };
        if !frame.is_nil(at) {
            if !frame.is_table(at) {
                return fail(format!(
                    "a filter is a table such as {{ side = \"red\", moved = false }}; found {}",
                    frame.words(at)
                ));
            }
            frame.each(at, |key, value| match frame.sym(key) {
                Some(name) => filter.add(frame, name, value),
                None => fail("a filter has names as keys: { side = \"axis\", moved = false }"),
            })?;
        }
        filter.sort();
        Ok(filter)
    }

    /// Puts cheap tests first; Lua gives the keys in no order.
    pub fn sort(&mut self) {
        self.tests.sort_by_key(|test| match test.subject {
            Subject::Key(Key::Own(Own::Side | Own::Level | Own::Facing), _) => 0,
            Subject::Key(Key::Attribute(_), _) | Subject::Empty => 1,
            Subject::Key(Key::Own(_), _) => 2,
            Subject::OnMap => 3,
            Subject::At(_) => 4,
            Subject::Key(Key::Field(_), _) => 5,
            Subject::Tag(_) => 6,
        });
    }

    fn add(&mut self, frame: &Frame<'_>, name: Sym, value: i32) -> mlua::Result<()> {
        let cx = frame.cx;
        let names = if self.of == Of::Pieces { &cx.keys.piece } else { &cx.keys.space };
        if let Some(key) = names.get(name) {
            return self.add_field(frame, key, "", name, value);
        }
        match (cx.keys.word(name), self.of) {
            (Some(word @ (Word::At | Word::NotAt)), Of::Pieces) => {
                let not = word == Word::NotAt;
                let many = |list: List<'_>| (list.len() > FEW && !list.holds_pieces()).then(|| list.to_set());
                let set = match frame.with_list(value, many).flatten() {
                    Some(set) => set,
                    None => {
                        let vals = frame.vals(value).map_err(|why| why.about("filter `at`"))?;
                        let spaces = vals.iter().map(|&val| space_of(cx, val));
                        let spaces = spaces.collect::<mlua::Result<Vec<SpaceId>>>()?;
                        if !not && spaces.len() <= FEW {
                            self.at = Some(spaces.iter().map(|space| space.0).collect());
                        }
                        spaces.into_iter().collect()
                    }
                };
                self.push(Subject::At(set), Want::One(1), not);
                return Ok(());
            }
            (Some(Word::OnMap), _) | (Some(Word::Empty), Of::Spaces) => {
                let want = !matches!(frame.arg(value), Arg::Bool(false));
                let on_map = cx.keys.word(name) == Some(Word::OnMap);
                let subject = if on_map { Subject::OnMap } else { Subject::Empty };
                self.push(subject, Want::One(want.into()), false);
                return Ok(());
            }
            (Some(word @ (Word::Has | Word::NotHas)), _) => {
                let tags =
                    frame.vals(value).map_err(|why| why.about(format_args!("filter `{}`", cx.text(name))))?;
                let tags = tags
                    .into_iter()
                    .filter_map(|val| if let Val::Sym(sym) = val { Some(sym.cell()) } else { None });
                let fields =
                    if self.of == Of::Pieces { &cx.world.piece_fields } else { &cx.world.space_fields };
                let col = cx.world.symbols.get("tags").and_then(|name| fields.column(name));
                cx.touch(|| "fields.tags".into());
                self.push(Subject::Tag(col), Want::Holds(tags.collect()), word == Word::NotHas);
                return Ok(());
            }
            _ => {}
        }
        if let Some(&(key, mode)) = cx.filter_names.borrow().get(&(name, self.of)) {
            return self.add_field(frame, key, mode, name, value);
        }
        let text = cx.text(name);
        let modes = ["not_", "min_", "max_"];
        let found = modes.iter().find_map(|mode| text.strip_prefix(mode).map(|rest| (rest, *mode)));
        let (field, mode) = found.unwrap_or((&text, ""));
        let Some(key) = names.get(cx.sym(field)) else {
            let names = Keys::list(names, &cx.symbols.borrow());
            let hint = ScriptContext::nearest(field, names.iter().map(String::as_str));
            return fail(format!("filter: no field `{field}`{hint}"));
        };
        cx.filter_names.borrow_mut().insert((name, self.of), (key, mode));
        self.add_field(frame, key, mode, name, value)
    }

    fn add_field(
        &mut self,
        frame: &Frame<'_>,
        key: Key,
        mode: &'static str,
        name: Sym,
        value: i32,
    ) -> mlua::Result<()> {
        let cx = frame.cx;
        let wrong = |why: WrongValue| why.about(format_args!("filter `{}`", cx.text(name)));
        let ty = self.type_of(cx, key);
        if let (Key::Field(col), Of::Pieces) = (key, self.of) {
            let field = cx.world.piece_fields.columns[col as usize].0;
            cx.touch(|| format!("fields.{}", cx.text(field)));
        }
        let cell = |val: Val| match (ty, val) {
            (Type::Space, Val::Piece(piece)) => Ok(Place::Piece(PieceId(piece)).cell()),
            _ => val_cell(cx, ty, val),
        };
        let number = || match frame.val(value) {
            Ok(Val::Int(n)) => Ok(n),
            _ => Err(wrong("expected a number".into())),
        };
        let want = match mode {
            "min_" => Want::AtLeast(number()?),
            "max_" => Want::AtMost(number()?),
            _ => match frame.arg(value) {
                Arg::None => Want::One(nil_cell(key)),
                Arg::Table | Arg::List => {
                    let vals = frame.vals(value).map_err(|why| wrong(*why))?;
                    let cells: Given<Vec<i32>> = vals.into_iter().map(cell).collect();
                    Want::Any(cells.map_err(|why| wrong(*why))?)
                }
                arg => {
                    let found = frame.val_of(arg).and_then(cell);
                    Want::One(found.map_err(|why| wrong(*why))?)
                }
            },
        };
        if let Key::Own(own @ (Own::Kind | Own::Type)) = key {
            let cells: &[i32] = match &want {
                Want::One(cell) => std::slice::from_ref(cell),
                Want::Any(cells) => cells,
                _ => &[],
            };
            for &cell in cells {
                self.known(cx, own, Sym::from_cell(cell))?;
            }
        }
        if let (Want::One(cell), "") = (&want, mode) {
            match key {
                Key::Own(Own::Side) => self.key[0] = *cell,
                Key::Own(Own::Kind) => self.key[1] = *cell,
                Key::Own(Own::Type) => self.key[2] = *cell,
                Key::Own(Own::Place) if *cell != 0 => self.place = *cell,
                _ => {}
            }
        }
        self.push(Subject::Key(key, matches!(ty, Type::Bool)), want, mode == "not_");
        Ok(())
    }

    /// Fails if nothing is of that kind or type: the name is misspelt.
    fn known(&self, cx: &ScriptContext, own: Own, name: Sym) -> mlua::Result<()> {
        let (world, text) = (&cx.world, |sym: Sym| cx.world.symbols.text(sym));
        let (what, names): (&str, Vec<Sym>) = match (self.of, own) {
            _ if name.is_none() => return Ok(()),
            (Of::Pieces, Own::Type) if cx.row(name).is_some() => return Ok(()),
            (Of::Pieces, Own::Type) => {
                ("no row", world.components.iter().map(|component| component.id).collect())
            }
            (Of::Pieces, _) if cx.kinds.contains(&name) => return Ok(()),
            (Of::Spaces, _) if cx.space_kinds.contains(&name) => return Ok(()),
            (Of::Pieces, _) => ("no kind of pieces", cx.kinds.clone()),
            (Of::Spaces, _) => ("no kind of spaces", cx.space_kinds.clone()),
        };
        let name = cx.text(name);
        let hint = ScriptContext::nearest(&name, names.into_iter().map(text));
        let field = if own == Own::Type { "type" } else { "kind" };
        fail(format!("filter `{field}`: {what} is called {name}{hint}"))
    }

    fn push(&mut self, subject: Subject, want: Want, not: bool) {
        self.tests.push(Test { subject, want, not });
    }

    fn type_of<'a>(&self, cx: &'a ScriptContext, key: Key) -> &'a Type {
        let (table, fields) = match self.of {
            Of::Pieces => (TableId::PIECE, &cx.world.piece_fields),
            Of::Spaces => (TableId::SPACE, &cx.world.space_fields),
        };
        match key {
            Key::Attribute(col) => cx.world.schema.get(table, col).map_or(&Type::Text, |column| &column.ty),
            Key::Field(col) => &fields.columns[col as usize].1,
            Key::Own(Own::Side) => &Type::Side,
            Key::Own(Own::Place | Own::Space) => &Type::Space,
            Key::Own(Own::Level | Own::Levels | Own::StepsLeft | Own::Facing | Own::Count) => {
                &Type::Int { min: i32::MIN, max: i32::MAX }
            }
            Key::Own(_) => &Type::Text,
        }
    }

    /// The column that says where pieces are, as far as the answer depends on it.
    fn reads_place(&self, state: &State) -> Option<u16> {
        let place = |test: &Test| {
            matches!(test.subject, Subject::At(_) | Subject::Key(Key::Own(Own::Place | Own::Space), _))
        };
        if self.tests.iter().any(place) {
            return Some(piece_col::PLACE);
        }
        let on_map = self.tests.iter().any(|test| matches!(test.subject, Subject::OnMap));
        on_map.then(|| state.on_map_column())
    }

    /// Whether the answer depends on the rungs of pieces.
    fn reads_level(&self) -> bool {
        let level = |test: &Test| {
            let rungs = matches!(test.subject, Subject::Key(Key::Own(Own::Level | Own::StepsLeft), _));
            rungs || matches!(test.subject, Subject::Tag(_) | Subject::Key(Key::Field(_), _))
        };
        self.tests.iter().any(level)
    }

    /// Notes which columns the filter reads: of pieces of some sides only, if it asks for those.
    pub fn note(&self, cx: &ScriptContext, state: &State) {
        if !cx.is_tracking() {
            return;
        }
        let table = if self.of == Of::Pieces { TableId::PIECE } else { TableId::SPACE };
        if self.of == Of::Pieces
            && let Some(sides) = self.tests.iter().find_map(|test| match (&test.subject, &test.want) {
                (Subject::Key(Key::Own(Own::Side), _), Want::Any(cells)) if !test.not => {
                    Some(cells.as_slice())
                }
                (Subject::Key(Key::Own(Own::Side), _), Want::One(cell)) if !test.not => {
                    Some(std::slice::from_ref(cell))
                }
                _ => None,
            })
        {
            for &side in sides {
                self.note_owner(cx, state, side);
                // Whether a piece is in the game at all.
                cx.note_side(state, piece_col::LEVEL, side);
            }
            return;
        }
        for test in &self.tests {
            match test.subject {
                Subject::Key(Key::Attribute(col), _) => cx.note(state, table, col),
                Subject::Key(Key::Own(Own::Side), _) if self.of == Of::Pieces => {
                    cx.note(state, TableId::PIECE, piece_col::SIDE);
                }
                Subject::Key(Key::Own(Own::Facing), _) => cx.note(state, TableId::PIECE, piece_col::FACING),
                _ => {}
            }
        }
        let counts =
            |test: &Test| matches!(test.subject, Subject::Empty | Subject::Key(Key::Own(Own::Count), _));
        if self.of == Of::Pieces {
            if let Some(col) = self.reads_place(state) {
                cx.note(state, TableId::PIECE, col);
            }
            cx.note(state, TableId::PIECE, piece_col::LEVEL);
        } else if self.tests.iter().any(counts) {
            cx.note(state, TableId::PIECE, piece_col::PLACE);
        }
    }

    /// The same for a filter of a list: only the owners of its pieces matter.
    pub fn note_within(&self, cx: &ScriptContext, state: &State, list: List<'_>) {
        if !cx.is_tracking() {
            return;
        }
        let (Of::Pieces, Contents::Vals(vals)) = (self.of, list.contents) else {
            return self.note(cx, state);
        };
        for side in owners(state, vals) {
            self.note_owner(cx, state, side);
        }
    }

    pub fn note_owner(&self, cx: &ScriptContext, state: &State, side: i32) {
        cx.note_side(state, piece_col::SIDE, side);
        if let Some(col) = self.reads_place(state) {
            cx.note_side(state, col, side);
        }
        if self.reads_level() {
            cx.note_side(state, piece_col::LEVEL, side);
        }
        for test in &self.tests {
            match test.subject {
                Subject::Key(Key::Attribute(col), _) => cx.note_side(state, col, side),
                Subject::Key(Key::Own(Own::Facing), _) => cx.note_side(state, piece_col::FACING, side),
                _ => {}
            }
        }
    }
}

/// The owners of the pieces among some values, each once.
pub(crate) fn owners(state: &State, vals: &[Val]) -> impl Iterator<Item = i32> {
    let mut sides = 0u32;
    for val in vals {
        if let Val::Piece(piece) = val {
            sides |= 1 << state.get(TableId::PIECE, *piece, piece_col::SIDE).clamp(0, 31);
        }
    }
    (0..32).filter(move |side| sides & (1 << side) != 0)
}

/// The cell of an absent value.
fn nil_cell(key: Key) -> i32 {
    if matches!(key, Key::Field(_)) { NIL } else { 0 }
}

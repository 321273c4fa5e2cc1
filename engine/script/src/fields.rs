//! The fields of handles: reading one reads the kernel's tables, assigning one is a verb.

use crate::api::number;
use crate::context::{ScriptContext, fail};
use crate::handle::{Target, arg_val, cell_val, val_cell};
use crate::keys::{Key, Keys, Names, Own};
use crate::lua_ffi::{Arg, Frame, Out};
use crate::val::{Change, Val};
use crate::wrong_value::{Given, WrongValue};
use mlua::Value;
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{EffectId, Lists, PieceId, Place, TableId, Type, effect_col, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Fields, NIL, SideId};
use std::rc::Rc;

/// Reads a field of a handle: the handle at 1, the name at 2.
pub(crate) fn read(frame: &Frame<'_>) -> mlua::Result<Out> {
    let cx = frame.cx;
    let Arg::Handle(target) = frame.arg(1) else { return fail("`none` has no fields") };
    if let Target::Number(_) = target {
        return number::read(frame);
    }
    match frame.sym(2) {
        Some(name) => get(cx, target, name),
        None => fail("the name of a field is a text"),
    }
}

/// The value of a field of a thing.
pub(crate) fn read_field(cx: &Rc<ScriptContext>, val: Val, name: Sym) -> mlua::Result<Val> {
    match get(cx, Target::Val(val), name)? {
        Out::Val(val) => Ok(val),
        Out::Int(n) => Ok(Val::Int(i32::try_from(n).unwrap_or(i32::MAX))),
        Out::Value(value) => Ok(cx.val(&value)?),
        Out::List(_) | Out::Pushed(_) | Out::Slot(_) | Out::Handle(_) => {
            fail(format!("`{}` is a list, not one value", cx.text(name)))
        }
    }
}

fn get(cx: &Rc<ScriptContext>, target: Target, name: Sym) -> mlua::Result<Out> {
    if let Target::Val(val) = target {
        cx.existing(val).map_err(|why| why.about(format_args!("`{}`", cx.text(name))))?;
    }
    match target {
        Target::Val(Val::Piece(piece)) => match cx.keys.piece.get(name) {
            Some(Key::Own(own)) => read_piece(cx, piece, own),
            Some(Key::Attribute(col)) => attribute(cx, TableId::PIECE, piece, col),
            Some(Key::Field(col)) => {
                let cell = {
                    let play = cx.play.borrow();
                    cx.note_printed(&play.state, piece);
                    cx.world.piece_field(&play.state, piece, col)
                };
                cx.touch(|| {
                    let play = cx.play.borrow();
                    let row =
                        cx.world.component_of(&play.state, piece).map_or(Sym::NONE, |component| component.id);
                    format!("field.{}.{}", cx.text(row), cx.text(name))
                });
                Ok(field(cx, &cx.world.piece_fields, col, cell))
            }
            None => unknown(cx, name, "piece", &cx.keys.piece),
        },
        Target::Val(Val::Space(space)) => match cx.keys.space.get(name) {
            Some(Key::Own(own)) => read_space(cx, space, own),
            Some(Key::Attribute(col)) => attribute(cx, TableId::SPACE, space, col),
            Some(Key::Field(col)) => {
                Ok(field(cx, &cx.world.space_fields, col, cx.world.space_fields.get(space, col)))
            }
            None => unknown(cx, name, "space", &cx.keys.space),
        },
        Target::Game => match cx.keys.game.get(name) {
            Some(Key::Attribute(col)) => attribute(cx, TableId::GAME, 0, col),
            _ => unknown(cx, name, "game", &cx.keys.game),
        },
        Target::Side(side) => match cx.keys.side.get(name) {
            Some(Key::Attribute(col)) => attribute(cx, TableId::SIDE, side.into(), col),
            Some(Key::Field(col)) => {
                Ok(field(cx, &cx.world.side_fields, col, cx.world.side_fields.get(side.into(), col)))
            }
            Some(Key::Own(Own::Id)) => Ok(Val::Sym(cx.side_sym(SideId(side))).into()),
            Some(Key::Own(Own::Team)) => Ok(word(cx.world.sides[side as usize].2)),
            Some(Key::Own(_)) => text(cx, &cx.world.sides[side as usize].1),
            None => unknown(cx, name, "side", &cx.keys.side),
        },
        Target::Val(Val::Record(table, row)) => {
            let names = &cx.keys.records[(table - TableId::FIRST_RECORD.0) as usize];
            match names.get(name) {
                Some(Key::Attribute(_)) if cx.play.borrow().is_gone(Val::Record(table, row)) => {
                    let record = cx.world.symbols.text(cx.world.schema.tables[table as usize].name);
                    fail(format!("`{}`: this {record} was finished", cx.text(name)))
                }
                Some(Key::Attribute(col)) => attribute(cx, TableId(table), row, col),
                Some(_) => Ok(word(cx.world.schema.tables[table as usize].name)),
                None => unknown(cx, name, "record", names),
            }
        }
        Target::Val(Val::Effect(row)) => {
            let play = cx.play.borrow();
            (0..effect_col::COUNT).for_each(|col| cx.note(&play.state, TableId::EFFECT, col));
            if name == cx.keys.name {
                return Ok(word(Sym::from_cell(play.state.get(TableId::EFFECT, row, effect_col::NAME))));
            }
            let args = play.state.effect_args(EffectId(row));
            let arg = args.iter().find(|arg| arg.key == name);
            Ok(arg.map_or(Val::Nil, |arg| arg_val(arg.tag, arg.cell)).into())
        }
        Target::Row(row) => read_row(cx, row, name),
        Target::Val(_) | Target::Number(_) => Ok(Out::NIL),
    }
}

/// A name, or nil for none.
fn word(sym: Sym) -> Out {
    Out::Val(if sym.is_none() { Val::Nil } else { Val::Sym(sym) })
}

/// A text that is no name.
fn text(cx: &ScriptContext, text: &str) -> mlua::Result<Out> {
    match cx.lua_ffi.lua() {
        Some(lua) => Ok(Out::Value(Value::String(lua.create_string(text)?))),
        None => Ok(Out::NIL),
    }
}

#[cold]
fn unknown(cx: &ScriptContext, name: Sym, what: &str, names: &Names) -> mlua::Result<Out> {
    let wrong = cx.text(name);
    let names = Keys::list(names, &cx.symbols.borrow());
    let hint = ScriptContext::nearest(&wrong, names.iter().map(String::as_str));
    fail(format!("a {what} has no field `{wrong}`{hint}"))
}

fn attribute(cx: &Rc<ScriptContext>, table: TableId, row: u32, col: u16) -> mlua::Result<Out> {
    let Some(column) = cx.world.schema.get(table, col) else { return Ok(Out::NIL) };
    let play = cx.play.borrow();
    match table {
        TableId::PIECE => cx.note_piece(&play.state, row, col),
        _ => cx.note(&play.state, table, col),
    }
    let cell = play.state.get(table, row, col);
    Ok(match &column.ty {
        Type::List(of) => {
            let cells = play.state.list(cell);
            Out::list(cells.into_iter().map(|cell| cell_val(cx, of, cell)).collect())
        }
        ty => cell_val(cx, ty, cell).into(),
    })
}

fn field(cx: &Rc<ScriptContext>, fields: &Fields, col: u16, cell: i32) -> Out {
    match &fields.columns[col as usize].1 {
        Type::List(of) => Out::list(fields.list(cell).iter().map(|&cell| cell_val(cx, of, cell)).collect()),
        Type::Bool if cell == NIL => Out::truth(false),
        ty => cell_val(cx, ty, cell).into(),
    }
}

fn read_piece(cx: &Rc<ScriptContext>, piece: u32, own: Own) -> mlua::Result<Out> {
    let play = cx.play.borrow();
    let state = &play.state;
    let cell = |col| {
        cx.note_piece(state, piece, col);
        state.get(TableId::PIECE, piece, col)
    };
    Ok(match own {
        Own::Id => {
            cx.charge(u64::from(piece) / 16);
            text(cx, &cx.world.piece_name(state, piece))?
        }
        Own::Kind | Own::Type | Own::Levels | Own::Name => {
            let Some(component) = cx.world.component_of(state, piece) else { return Ok(Out::NIL) };
            match own {
                Own::Kind => word(component.kind),
                Own::Type => word(component.id),
                Own::Name => text(cx, &component.name)?,
                _ => Val::Int(component.levels.into()).into(),
            }
        }
        Own::Side => SideId::from_cell(cell(piece_col::SIDE))
            .map_or(Val::Nil, |side| Val::Sym(cx.side_sym(side)))
            .into(),
        Own::Place => {
            cx.note_piece(state, piece, piece_col::PLACE);
            match state.place(PieceId(piece)) {
                Place::Nowhere => Out::NIL,
                Place::Space(space) => Val::Space(space.0).into(),
                Place::Piece(carrier) => Val::Piece(carrier.0).into(),
            }
        }
        Own::Space => {
            cx.note_piece(state, piece, piece_col::PLACE);
            state.space_of(PieceId(piece)).map_or(Val::Nil, |space| Val::Space(space.0)).into()
        }
        Own::Level => Val::Int(cell(piece_col::LEVEL)).into(),
        Own::StepsLeft => {
            cx.note_piece(state, piece, piece_col::LEVEL);
            Val::Int(cx.world.steps_left(state, piece)).into()
        }
        Own::Facing => match cell(piece_col::FACING) {
            0 => Out::NIL,
            facing => Val::Int(facing - 1).into(),
        },
        Own::Cargo => {
            // Anybody's pieces may come aboard.
            cx.note(state, TableId::PIECE, piece_col::PLACE);
            let cargo = state.contents(Place::Piece(PieceId(piece)));
            Out::list(cargo.map(|piece| Val::Piece(piece.0)).collect())
        }
        Own::Is => Out::Value(is_function(cx)?),
        Own::Pieces | Own::Count | Own::Team => Out::NIL,
    })
}

fn read_space(cx: &Rc<ScriptContext>, space: u32, own: Own) -> mlua::Result<Out> {
    let def = &cx.world.spaces[space as usize];
    let play = cx.play.borrow();
    let place = Place::Space(SpaceId(space));
    Ok(match own {
        Own::Id => word(def.id),
        Own::Kind => word(def.kind),
        Own::Name => text(cx, &def.name)?,
        Own::Side => def.side.map_or(Val::Nil, |side| Val::Sym(cx.side_sym(side))).into(),
        Own::Pieces => {
            cx.note(&play.state, TableId::PIECE, piece_col::PLACE);
            let pieces = play.state.contents(place).map(|piece| Val::Piece(piece.0));
            Out::list(pieces.collect())
        }
        Own::Count => {
            cx.note(&play.state, TableId::PIECE, piece_col::PLACE);
            Out::Int(play.state.count(place).into())
        }
        Own::Is => Out::Value(is_function(cx)?),
        _ => Out::NIL,
    })
}

/// A field of a row of the component list, as its first rung has it.
pub(crate) fn read_row(cx: &Rc<ScriptContext>, row: u32, name: Sym) -> mlua::Result<Out> {
    let Some(component) = cx.world.components.get(row as usize) else { return Ok(Out::NIL) };
    match cx.keys.piece.get(name) {
        Some(Key::Own(Own::Id | Own::Type)) => Ok(word(component.id)),
        Some(Key::Own(Own::Kind)) => Ok(word(component.kind)),
        Some(Key::Own(Own::Name)) => text(cx, &component.name),
        Some(Key::Own(Own::Levels)) => Ok(Val::Int(component.levels.into()).into()),
        Some(Key::Own(Own::Side)) => {
            Ok(component.side.map_or(Out::NIL, |side| Val::Sym(cx.side_sym(side)).into()))
        }
        _ => {
            let fields = &cx.world.piece_fields;
            // An attribute of the same name hides the field of a piece, not that of a row.
            if let Some(col) = fields.column(name) {
                cx.touch(|| format!("field.{}.{}", cx.text(component.id), cx.text(name)));
                return Ok(field(cx, fields, col, fields.get(component.first_row, col)));
            }
            let wrong = cx.text(name);
            let names = fields.columns.iter().map(|column| cx.world.symbols.text(column.0));
            fail(format!("a row has no field `{wrong}`{}", ScriptContext::nearest(&wrong, names)))
        }
    }
}

/// Assigns a field of a handle: the handle at 1, the name at 2, the value at 3.
pub(crate) fn write(frame: &Frame<'_>) -> mlua::Result<Out> {
    let cx = frame.cx;
    let Arg::Handle(target) = frame.arg(1) else { return fail("expected a handle") };
    let Some(name) = frame.sym(2) else { return fail("the name of a field is a text") };
    if let Some(why) = cx.immutable_reason() {
        return fail(format!("`{} = …`: {why}", cx.text(name)));
    }
    cx.keeps()?;
    cx.spend(100)?;
    if let Target::Val(val) = target {
        cx.existing(val).map_err(|why| why.about(format_args!("`{} = …`", cx.text(name))))?;
    }
    if let Target::Val(val) = target
        && cx.play.borrow().is_gone(val)
    {
        let what = if matches!(val, Val::Piece(_)) { "piece was destroyed" } else { "record was finished" };
        return fail(format!("`{} = …`: this {what}", cx.text(name)));
    }
    let (names, table, row) = match target {
        Target::Val(Val::Piece(piece)) => (&cx.keys.piece, TableId::PIECE, piece),
        Target::Val(Val::Space(space)) => (&cx.keys.space, TableId::SPACE, space),
        Target::Val(Val::Record(table, row)) => {
            (&cx.keys.records[(table - TableId::FIRST_RECORD.0) as usize], TableId(table), row)
        }
        Target::Side(side) => (&cx.keys.side, TableId::SIDE, side.into()),
        Target::Game => (&cx.keys.game, TableId::GAME, 0),
        Target::Number(_) => {
            return fail("a number is changed by add, times, set …, not by assigning");
        }
        Target::Row(_) => return fail("what is printed on a component cannot be assigned"),
        Target::Val(_) => {
            return fail(format!("`{}` of an effect cannot be assigned; start a new one", cx.text(name)));
        }
    };
    match names.get(name) {
        Some(Key::Attribute(col)) => assign(frame, (table, row, col), 3, name)?,
        Some(Key::Own(Own::Side)) if table == TableId::PIECE => {
            let val = frame.val(3).map_err(|why| why.about("`side`"))?;
            let cell = val_cell(cx, &Type::Side, val).map_err(|why| why.about("`side`"))?;
            cx.set_cell(table, row, piece_col::SIDE, cell);
        }
        Some(Key::Own(Own::Facing)) => {
            let cell = match frame.val(3) {
                Ok(Val::Nil) => 0,
                Ok(Val::Int(n @ 0..=5)) => n + 1,
                _ => return fail(format!("`facing`: expected 0 to 5 or nil, found {}", frame.words(3))),
            };
            cx.set_cell(table, row, piece_col::FACING, cell);
        }
        Some(Key::Own(Own::Level)) => {
            let levels =
                cx.world.component_of(&cx.play.borrow().state, row).map_or(1, |component| component.levels);
            match frame.val(3) {
                Ok(Val::Int(n)) if (1..=i32::from(levels)).contains(&n) => {
                    cx.set_cell(table, row, piece_col::LEVEL, n);
                }
                _ => return fail(format!("`level`: expected 1 to {levels}, found {}", frame.words(3))),
            }
        }
        Some(Key::Own(_)) => {
            return fail(format!("`{}` cannot be assigned; use a verb such as move", cx.text(name)));
        }
        Some(Key::Field(_)) => {
            return fail(format!(
                "`{}` is printed on the component; declare an attribute to keep a value in play",
                cx.text(name)
            ));
        }
        None => {
            let (name, names) = (cx.text(name), Keys::list(names, &cx.symbols.borrow()));
            let hint = ScriptContext::nearest(&name, names.iter().map(String::as_str));
            return fail(format!("no attribute `{name}` to assign{hint}"));
        }
    }
    Ok(Out::Pushed(0))
}

/// Most values of a list in the state.
const LISTED: usize = 10_000;

/// Assigns the value at a place of the stack to an attribute.
pub(crate) fn assign(
    frame: &Frame<'_>,
    (table, row, col): (TableId, u32, u16),
    at: i32,
    name: Sym,
) -> mlua::Result<()> {
    let cx = frame.cx;
    let Some(column) = cx.world.schema.get(table, col) else { return Ok(()) };
    let wrong = |why: Box<WrongValue>| why.about(format_args!("`{}`", cx.text(name)));
    if let Type::List(of) = &column.ty {
        let vals = frame.vals(at).map_err(wrong)?;
        if vals.len() > LISTED {
            let found = vals.len();
            let why = format!("a list in the state holds at most {LISTED} values, found {found}");
            return Err(wrong(Box::new(why.into())));
        }
        cx.spend(20 * vals.len() as u64)?;
        let cells: Given<Vec<i32>> = vals.iter().map(|&val| val_cell(cx, of, val)).collect();
        let cells = cells.map_err(wrong)?;
        let mut play = cx.play.borrow_mut();
        let old = play.state.get(table, row, col);
        if play.state.list(old) == cells {
            return Ok(());
        }
        play.state.free_list(old);
        let list = play.state.make_list(&cells);
        play.state.set(table, row, col, list);
        play.changes.push(Change::SetList { table, row, col, new: cells });
        return Ok(());
    }
    let val = frame.val(at).map_err(wrong)?;
    let cell = val_cell(cx, &column.ty, val).map_err(wrong)?;
    cx.set_cell(table, row, col, cell);
    Ok(())
}

impl ScriptContext {
    /// Writes a cell and notes the change.
    pub(crate) fn set_cell(&self, table: TableId, row: u32, col: u16, new: i32) {
        let mut play = self.play.borrow_mut();
        let old = play.state.set(table, row, col, new);
        if old != new {
            play.changes.push(Change::Set { table, row, col, old, new });
        }
    }
}

/// The method `is`: whether a piece or a space has a tag in its printed field `tags`.
fn is_function(cx: &Rc<ScriptContext>) -> mlua::Result<Value> {
    let key = Sym(u32::MAX);
    if let Some(f) = cx.values.borrow().get(&key) {
        return Ok(f.clone());
    }
    let Some(lua) = cx.lua_ffi.lua() else { return Ok(Value::Nil) };
    let f = cx.bind(&lua, |frame| {
        let Some(tag) = frame.sym(2) else { return fail("is: expected a tag") };
        match frame.arg(1) {
            Arg::Handle(Target::Val(val)) => {
                frame.cx.existing(val).map_err(|why| why.about("is"))?;
                Ok(Out::truth(frame.cx.has_tag(val, tag)))
            }
            _ => fail("is: expected a piece or a space before the colon"),
        }
    })?;
    cx.values.borrow_mut().insert(key, Value::Function(f.clone()));
    Ok(Value::Function(f))
}

impl ScriptContext {
    /// Whether the printed field `tags` of a piece or a space holds a tag.
    pub(crate) fn has_tag(&self, val: Val, tag: Sym) -> bool {
        let Some(tags) = self.world.symbols.get("tags") else { return false };
        let (fields, cell) = match val {
            Val::Piece(piece) => {
                let fields = &self.world.piece_fields;
                let Some(col) = fields.column(tags) else { return false };
                let play = self.play.borrow();
                self.note_printed(&play.state, piece);
                self.touch(|| "fields.tags".into());
                (fields, self.world.piece_field(&play.state, piece, col))
            }
            Val::Space(space) => {
                let fields = &self.world.space_fields;
                let Some(col) = fields.column(tags) else { return false };
                (fields, fields.get(space, col))
            }
            _ => return false,
        };
        fields.list(cell).contains(&tag.cell())
    }
}

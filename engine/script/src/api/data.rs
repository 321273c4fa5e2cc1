//! Reading the static world: figures, tables, options, texts, and finding things by id.

use super::Api;
use crate::context::{ANY, ScriptContext, fail};
use crate::fields;
use crate::filter::{Filter, Of};
use crate::handle::Target;
use crate::lua_ffi::Out;
use crate::val::Val;
use mlua::{LightUserData, Lua, Value};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{PieceId, Place, State, TableId, piece_col};
use sandtable_kernel::world::{Datum, Matrix};

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add("piece(id: text) -> piece", "The piece of that id.", |c| Ok(Val::Piece(c.piece(0)?).into()))?;
    api.add("space(id: text) -> space", "The hex, area, box or pile of that id.", |c| {
        Ok(Val::Space(c.space(0)?.0).into())
    })?;
    api.add(
        "row(id: text) -> row",
        "The printed values of a row of the component list, without a piece.",
        |c| {
            let id = c.sym(0)?;
            match c.cx.row(id) {
                Some(at) => Ok(Out::Handle(Target::Row(at))),
                None => {
                    let name = c.text(0)?;
                    let ids =
                        c.cx.world.components.iter().map(|component| c.cx.world.symbols.text(component.id));
                    c.wrong(
                        0,
                        format!("no row {name} in the component list{}", ScriptContext::nearest(&name, ids)),
                    )
                }
            }
        },
    )?;
    api.add(
        "rows(kind: text) -> texts",
        "The ids of all rows of a kind (unit, card …), in file order.",
        |c| {
            let kind = c.sym(0)?;
            if !c.cx.kinds.contains(&kind) {
                let (name, kinds) =
                    (c.text(0)?, c.cx.kinds.iter().map(|&kind| c.cx.world.symbols.text(kind)));
                return c.wrong(
                    0,
                    format!("no kind of pieces is called {name}{}", ScriptContext::nearest(&name, kinds)),
                );
            }
            c.cx.spend(c.cx.world.components.len() as u64 / 8)?;
            let rows = c.cx.world.components.iter().filter(|component| component.kind == kind);
            Ok(Out::list(rows.map(|component| Val::Sym(component.id)).collect()))
        },
    )?;
    api.add(
        "pieces(filter: table?) -> pieces",
        "All pieces that pass the filter, in order of the component list.",
        |c| {
            let filter = Filter::new(c.frame, Of::Pieces, 1)?;
            let mut play = c.cx.play.borrow_mut();
            filter.note(c.cx, &play.state);
            let indexed = match (&filter.at, filter.place) {
                (None, ANY) => Some(play.pieces_by(&c.cx.world, filter.key)),
                _ => None,
            };
            let state = &play.state;
            let found = indexed.is_some();
            if found {
                // Should anything have changed hands, all pieces were looked through.
                c.cx.spend(u64::from(state.rows(TableId::PIECE)) / 8)?;
            }
            let mut rows: Vec<u32> = match (indexed, &filter.at) {
                (Some(pieces), _) => pieces.to_vec(),
                (None, Some(spaces)) => within(state, spaces),
                (None, None) => {
                    let there = state.contents(Place::from_cell(filter.place));
                    let mut there: Vec<u32> = there.map(|piece| piece.0).collect();
                    there.sort_unstable();
                    there
                }
            };
            c.cx.spend(filter.work(rows.len()))?;
            rows.retain(|&piece| state.get(TableId::PIECE, piece, piece_col::LEVEL) > 0);
            filter.select(c.cx, state, &mut rows, found);
            let vals = rows.into_iter().map(Val::Piece).collect();
            Ok(Out::list(vals))
        },
    )?;
    api.add(
        "spaces(filter: table?) -> spaces",
        "All spaces that pass the filter, in order of the map.",
        |c| {
            let filter = Filter::new(c.frame, Of::Spaces, 1)?;
            let play = c.cx.play.borrow();
            filter.note(c.cx, &play.state);
            c.cx.spend(filter.work(c.cx.world.spaces.len()))?;
            let mut rows: Vec<u32> = (0..c.cx.world.spaces.len() as u32).collect();
            filter.select(c.cx, &play.state, &mut rows, false);
            Ok(Out::spaces(rows.into_iter().map(SpaceId).collect()))
        },
    )?;
    api.add(
        "value(id: text) -> any",
        "A figure of the rulebook: a number, a text, or a table of them.",
        |c| {
            let id = c.sym(0)?;
            c.cx.touch(|| format!("value.{}", c.cx.text(id)));
            if let Some(Datum::Int(n)) = c.cx.world.values.get(&id) {
                return Ok(Out::Int((*n).into()));
            }
            if let Some(value) = c.cx.values.borrow().get(&id) {
                return Ok(Out::Value(value.clone()));
            }
            let Some(datum) = c.cx.world.values.get(&id) else {
                let name = c.text(0)?;
                let mut names: Vec<&str> =
                    c.cx.world.values.keys().map(|&sym| c.cx.world.symbols.text(sym)).collect();
                names.sort_unstable();
                return c.wrong(0, format!("no value {name}{}", ScriptContext::nearest(&name, names)));
            };
            let value = frozen(&c.lua()?, datum)?;
            c.cx.values.borrow_mut().insert(id, value.clone());
            Ok(Out::Value(value))
        },
    )?;
    api.add("option(id: text) -> any", "The value of an option in this game.", |c| {
        let id = c.sym(0)?;
        match c.cx.world.options.iter().find(|option| option.id == id) {
            Some(option) => {
                c.cx.touch(|| format!("option.{}", c.cx.text(id)));
                plain(&c, &option.value)
            }
            None => {
                let name = c.text(0)?;
                let ids = c.cx.world.options.iter().map(|option| c.cx.world.symbols.text(option.id));
                c.wrong(0, format!("no option {name}{}", ScriptContext::nearest(&name, ids)))
            }
        }
    })?;
    api.add(
        "lookup(table: text, row: any, column: any) -> any",
        "A cell of a table; row and column by header, by a number within a header's range, or the column by index.",
        |c| {
            let matrix = matrix(&c)?;
            let row = find(&c, &matrix.rows, 1, false)?;
            let column = find(&c, &matrix.columns, 2, true)?;
            c.cx.touch(|| {
                let table = c.cx.text(c.sym(0).unwrap_or_default());
                format!("table.{table}.{}.{}", c.cx.text(matrix.rows[row].0), c.cx.text(matrix.columns[column].0))
            });
            match matrix.cells.get(row * matrix.columns.len() + column) {
                Some(datum) => plain(&c, datum),
                None => Ok(Out::NIL),
            }
        },
    )?;
    api.add(
        "column(table: text, n: int) -> int",
        "The index of the column whose header range holds n, held within the table.",
        |c| {
            let matrix = matrix(&c)?;
            let n = c.int(1)?;
            let held = |(_, range): &&(_, Option<(i32, i32)>)| range.is_some_and(|(low, _)| low <= n);
            let before = matrix.columns.iter().filter(held).count();
            Ok(Out::Int(before.max(1) as i64))
        },
    )?;
    api.add("columns(table: text) -> int", "How many columns a table has.", |c| {
        Ok(Out::Int(matrix(&c)?.columns.len() as i64))
    })?;
    api.add("enemy(side: side) -> side", "The other side of a game for two.", |c| {
        let side = c.side(0)?;
        match c.cx.world.sides.len() {
            2 => Ok(Val::Sym(c.cx.world.sides[1 - side.0 as usize].0).into()),
            n => c.wrong(0, format!("this game has {n} sides; compare teams instead")),
        }
    })?;
    api.add("turn() -> int", "The number of the turn: game.turn.", |c| {
        let Some(col) =
            c.cx.world.symbols.get("turn").and_then(|name| c.cx.world.schema.column(TableId::GAME, name))
        else {
            return Ok(Out::Int(0));
        };
        let play = c.cx.play.borrow();
        c.cx.note(&play.state, TableId::GAME, col);
        Ok(Out::Int(play.state.get(TableId::GAME, 0, col).into()))
    })?;
    let (lua, cx) = (api.lua, api.cx);
    let sides = lua.create_table()?;
    for (number, side) in (0u8..).zip(&cx.world.sides) {
        let name = cx.world.symbols.text(side.0);
        sides.raw_set(name, Target::Side(number).lua())?;
        sides.raw_set(number + 1, name)?;
    }
    api.globals.raw_set("sides", read_only(lua, sides)?)?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", cx.bind(lua, fields::read)?)?;
    meta.raw_set("__newindex", cx.bind(lua, fields::write)?)?;
    lua.set_type_metatable::<LightUserData>(Some(meta));
    api.globals.raw_set("game", Target::Game.lua())?;
    api.globals.raw_set("none", Value::NULL)?;
    Ok(())
}

/// The pieces in some spaces, with what they carry: space by space, in the order of the stacks.
fn within(state: &State, spaces: &[u32]) -> Vec<u32> {
    let mut found = Vec::new();
    for &space in spaces {
        let mut places = vec![Place::Space(SpaceId(space))];
        while let Some(place) = places.pop() {
            for piece in state.contents(place) {
                found.push(piece.0);
                if state.count(Place::Piece(piece)) > 0 {
                    places.push(Place::Piece(piece));
                }
            }
        }
    }
    found
}

fn matrix<'a>(c: &'a super::Call<'_>) -> mlua::Result<&'a Matrix> {
    let id = c.sym(0)?;
    match c.cx.world.matrices.get(&id) {
        Some(matrix) => Ok(matrix),
        None => {
            let name = c.text(0)?;
            let mut names: Vec<&str> =
                c.cx.world.matrices.keys().map(|&sym| c.cx.world.symbols.text(sym)).collect();
            names.sort_unstable();
            c.wrong(0, format!("no table {name}{}", ScriptContext::nearest(&name, names)))
        }
    }
}

/// The position of a header: by its text, by a number in its range, or by index.
fn find(
    c: &super::Call<'_>,
    headers: &[(sandtable_kernel::symbol::Sym, Option<(i32, i32)>)],
    at: usize,
    by_index: bool,
) -> mlua::Result<usize> {
    let found = match c.val(at)? {
        Val::Sym(sym) => headers.iter().position(|header| header.0 == sym),
        Val::Int(n) if by_index => {
            usize::try_from(i64::from(n) - 1).ok().filter(|&index| index < headers.len())
        }
        Val::Int(n) => {
            headers.iter().position(|(_, range)| range.is_some_and(|(low, high)| (low..=high).contains(&n)))
        }
        _ => None,
    };
    match found {
        Some(found) => Ok(found),
        None => {
            let texts: Vec<String> = headers.iter().map(|header| c.cx.text(header.0)).collect();
            let wrong = c.val(at).map(|val| c.cx.describe(val))?;
            c.wrong(at, format!("{wrong} is none of {}", texts.join(", ")))
        }
    }
}

/// A plain value as a result.
fn plain(c: &super::Call<'_>, datum: &Datum) -> mlua::Result<Out> {
    match datum {
        Datum::Int(n) => Ok(Out::Int((*n).into())),
        Datum::Bool(b) => Ok(Out::truth(*b)),
        Datum::Text(text) => Ok(Val::Sym(c.cx.sym(text)).into()),
        datum => Ok(Out::Value(frozen(&c.lua()?, datum)?)),
    }
}

/// A plain value as Lua sees it; tables are read-only.
pub(crate) fn frozen(lua: &Lua, datum: &Datum) -> mlua::Result<Value> {
    match datum {
        Datum::Int(n) => Ok(Value::Integer((*n).into())),
        Datum::Bool(b) => Ok(Value::Boolean(*b)),
        Datum::Text(text) => Ok(Value::String(lua.create_string(text)?)),
        Datum::List(list) => {
            let inner = lua.create_table()?;
            for item in list {
                inner.raw_push(frozen(lua, item)?)?;
            }
            read_only(lua, inner)
        }
        Datum::Table(entries) => {
            let inner = lua.create_table()?;
            for (key, item) in entries {
                inner.raw_set(key.as_str(), frozen(lua, item)?)?;
            }
            read_only(lua, inner)
        }
    }
}

/// Why an answer that is kept has no functions in it.
pub(crate) const NO_FUNCTIONS: &str = "a query gives a function, which could keep values outside the state while its answer is kept; give values, \
     and write the function beside the query";
/// Where the functions of read-only tables are kept.
const READ_ONLY: &str = "read-only";
/// How deep tables may lie in each other.
const DEPTH: usize = 20;

/// A table through which another can be read but not written.
pub(crate) fn read_only(lua: &Lua, inner: mlua::Table) -> mlua::Result<Value> {
    let outer = lua.create_table()?;
    wall(lua, &outer, inner)?;
    Ok(Value::Table(outer))
}

/// The table that has the contents of one: itself, or what lies behind it if it is read-only.
pub(crate) fn contents(table: mlua::Table) -> mlua::Result<mlua::Table> {
    let behind = table.metatable().map(|meta| meta.raw_get::<Option<mlua::Table>>("__index")).transpose()?;
    Ok(behind.flatten().unwrap_or(table))
}

/// Makes a table read-only where it lies, for all who hold it; gives the table that has its contents now.
pub(crate) fn freeze_in_place(lua: &Lua, table: &mlua::Table) -> mlua::Result<mlua::Table> {
    let inner = lua.create_table_with_capacity(table.raw_len(), 0)?;
    table.for_each(|key: Value, value: Value| inner.raw_set(key, value))?;
    table.clear()?;
    wall(lua, table, inner.clone())?;
    Ok(inner)
}

/// Lets an empty table show another and take nothing.
fn wall(lua: &Lua, outer: &mlua::Table, inner: mlua::Table) -> mlua::Result<()> {
    // One pair of functions serves all such tables.
    let known: Option<mlua::Table> = lua.named_registry_value(READ_ONLY)?;
    let (length, refuse): (mlua::Function, mlua::Function) = match known {
        Some(both) => (both.raw_get(1)?, both.raw_get(2)?),
        None => {
            let length = lua.create_function(|_, outer: mlua::Table| {
                let inner =
                    outer.metatable().map(|meta| meta.raw_get::<mlua::Table>("__index")).transpose()?;
                Ok(inner.map_or(0, |inner| inner.raw_len()))
            })?;
            let refuse = lua.create_function(|_, (_, key): (Value, Value)| -> mlua::Result<()> {
                let key = key.to_string().unwrap_or_default();
                fail(format!(
                    "this table is read-only: `{key}` cannot be assigned. Tables that are made while scripts load, and answers \
                     of queries, do not change in play; declare an attribute to keep a value, or fill a table of the function's own"
                ))
            })?;
            lua.set_named_registry_value(READ_ONLY, lua.create_sequence_from([&length, &refuse])?)?;
            (length, refuse)
        }
    };
    let meta = lua.create_table_with_capacity(0, 4)?;
    meta.raw_set("__index", inner)?;
    meta.raw_set("__len", length)?;
    meta.raw_set("__newindex", refuse)?;
    meta.raw_set("__metatable", false)?;
    outer.set_metatable(Some(meta))
}

/// Makes a table that a script has made read-only, with all tables in it.
pub(crate) fn freeze(cx: &ScriptContext, lua: &Lua, table: mlua::Table, depth: usize) -> mlua::Result<Value> {
    // A table that holds itself is met again and again.
    cx.spend(50)?;
    if table.metatable().is_some() {
        // It is read-only already.
        return Ok(Value::Table(table));
    }
    if depth > DEPTH {
        return fail(format!("a query gives tables in tables, more than {DEPTH} deep"));
    }
    let mut inner: Vec<(Value, mlua::Table)> = Vec::new();
    table.for_each(|key: Value, value: Value| {
        cx.spend(4)?;
        match value {
            Value::Table(value) => inner.push((key, value)),
            Value::Function(_) => return fail(NO_FUNCTIONS),
            _ => {}
        }
        Ok(())
    })?;
    for (key, value) in inner {
        table.raw_set(key, freeze(cx, lua, value, depth + 1)?)?;
    }
    read_only(lua, table)
}

/// The piece behind a handle of a place.
pub(super) fn place(c: &super::Call<'_>, at: usize) -> mlua::Result<Place> {
    match c.val(at)? {
        Val::Piece(_) => Ok(Place::Piece(PieceId(c.live_piece(at)?))),
        Val::Nil => Ok(Place::Nowhere),
        Val::Sym(sym) if c.cx.world.find_space(&c.cx.text(sym)).is_none() => {
            let (world, name) = (&c.cx.world, c.cx.text(sym));
            let found = world.find_piece(&c.cx.play.borrow().state, &name);
            match found {
                Some(_) => Ok(Place::Piece(PieceId(c.live_piece(at)?))),
                None => {
                    let spaces = world.spaces.iter().map(|def| world.symbols.text(def.id));
                    let pieces = world.components.iter().map(|component| world.symbols.text(component.id));
                    let hint = ScriptContext::nearest(&name, spaces.chain(pieces));
                    c.wrong(at, format!("there is no space or piece {name}{hint}"))
                }
            }
        }
        _ => Ok(Place::Space(c.space(at)?)),
    }
}

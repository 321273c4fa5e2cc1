//! What scripts get of Lua's own library: what cannot reach outside, cannot hang, and gives the same on every run.

use crate::cx::{Cx, fail};
use crate::handle::{Handle, Target};
use crate::list::List;
use mlua::{HookTriggers, Lua, LuaOptions, StdLib, Table, Value, Variadic, VmState};
use std::rc::Rc;

/// Memory that all scripts of a VM may use.
pub const MEMORY: usize = 256 << 20;
/// Instructions that may run between two answers.
pub const INSTRUCTIONS: u64 = 50_000_000;
/// Instructions between two looks at the budget.
const INTERVAL: u32 = 10_000;
/// Longest text that a string function makes.
const TEXT: usize = 1 << 20;

/// A VM with bounds, without libraries that reach outside.
pub(crate) fn new_lua(cx: &Rc<Cx>) -> mlua::Result<Lua> {
    let libs = StdLib::STRING | StdLib::TABLE | StdLib::MATH | StdLib::COROUTINE;
    let lua = Lua::new_with(libs, LuaOptions::new().catch_rust_panics(true))?;
    lua.set_memory_limit(MEMORY)?;
    let shared = cx.clone();
    lua.set_global_hook(HookTriggers::new().every_nth_instruction(INTERVAL), move |_, _| spend(&shared))?;
    Ok(lua)
}

/// Adds to the budget's hook one that notes every line of a script that runs.
pub(crate) fn watch_lines(lua: &Lua, cx: &Rc<Cx>) -> mlua::Result<()> {
    let shared = cx.clone();
    let triggers = HookTriggers::new().every_line().every_nth_instruction(INTERVAL);
    lua.set_global_hook(triggers, move |_, debug| {
        if debug.event() == mlua::debug::DebugEvent::Line {
            let (source, line) = (debug.source(), debug.current_line());
            if let (Some(name), Some(line)) = (source.source, line)
                && let Some(touched) = &mut *shared.touched.borrow_mut()
            {
                touched.lines.insert((name.trim_start_matches('@').to_string(), line as u32));
            }
            return Ok(VmState::Continue);
        }
        spend(&shared)
    })
}

/// Takes one interval off the budget.
fn spend(cx: &Cx) -> mlua::Result<VmState> {
    let left = cx.budget.get();
    if left < INTERVAL.into() {
        return fail(format!("this ran more than {} instructions without an answer: an endless loop?", cx.limit.get()));
    }
    cx.budget.set(left - u64::from(INTERVAL));
    Ok(VmState::Continue)
}

/// The safe part of the library, as the globals of scripts.
pub(crate) fn globals(lua: &Lua, cx: &Rc<Cx>) -> mlua::Result<Table> {
    let from = lua.globals();
    let globals = lua.create_table()?;
    for name in ["ipairs", "type", "select", "error", "assert", "tonumber"] {
        globals.raw_set(name, from.raw_get::<Value>(name)?)?;
    }
    let shared = cx.clone();
    globals.raw_set("tostring", lua.create_function(move |_, value: Value| text_of(&shared, &value))?)?;
    let shared = cx.clone();
    globals.raw_set(
        "print",
        lua.create_function(move |_, values: Variadic<Value>| {
            let texts: mlua::Result<Vec<String>> = values.iter().map(|value| text_of(&shared, value)).collect();
            shared.printed.borrow_mut().push(texts?.join("\t"));
            Ok(())
        })?,
    )?;
    globals.raw_set("string", strings(lua, cx, &from)?)?;
    let (tables, own) = (from.raw_get::<Table>("table")?, lua.create_table()?);
    for name in ["concat", "insert", "remove", "unpack", "pack"] {
        own.raw_set(name, tables.raw_get::<Value>(name)?)?;
    }
    globals.raw_set("table", own)?;
    let (math, own) = (from.raw_get::<Table>("math")?, lua.create_table()?);
    for name in ["min", "max", "abs", "tointeger", "maxinteger", "mininteger"] {
        own.raw_set(name, math.raw_get::<Value>(name)?)?;
    }
    globals.raw_set("math", own)?;
    // Methods of texts go through the same safe functions.
    let meta = lua.create_table()?;
    meta.raw_set("__index", globals.raw_get::<Table>("string")?)?;
    meta.raw_set("__metatable", false)?;
    lua.set_type_metatable::<mlua::LuaString>(Some(meta));
    Ok(globals)
}

/// A value as text, without addresses.
fn text_of(cx: &Cx, value: &Value) -> mlua::Result<String> {
    Ok(match value {
        Value::Nil => "nil".into(),
        Value::Boolean(b) => b.to_string(),
        Value::Integer(n) => n.to_string(),
        Value::Number(n) => n.to_string(),
        Value::String(text) => text.to_string_lossy(),
        Value::UserData(handle) if handle.is::<List>() => {
            let list = handle.borrow::<List>()?;
            list.vals().iter().map(|&val| cx.name(val)).collect::<Vec<_>>().join(" ")
        }
        Value::UserData(handle) => match handle.borrow::<Handle>() {
            Ok(handle) => match handle.target {
                Target::Val(val) => cx.name(val),
                Target::Game => "game".into(),
                Target::Side(side) => cx.world.side_name(sandtable_kernel::world::SideId(side)).to_string(),
            },
            Err(_) => "object".into(),
        },
        other => other.type_name().into(),
    })
}

fn strings(lua: &Lua, cx: &Rc<Cx>, from: &Table) -> mlua::Result<Table> {
    let strings: Table = from.raw_get("string")?;
    let own = lua.create_table()?;
    for name in ["len", "sub", "upper", "lower", "byte", "char", "reverse"] {
        own.raw_set(name, strings.raw_get::<Value>(name)?)?;
    }
    own.raw_set(
        "rep",
        lua.create_function(|_, (text, n, between): (String, i64, Option<String>)| {
            let between = between.unwrap_or_default();
            let n = usize::try_from(n).unwrap_or(0);
            if n > TEXT || (text.len() + between.len()).saturating_mul(n) > TEXT {
                return fail(format!("string.rep would make a text of more than {TEXT} bytes"));
            }
            Ok(vec![text; n].join(&between))
        })?,
    )?;
    // Patterns can run for years inside C, out of reach of the budget; plain search is what rules need.
    own.raw_set(
        "find",
        lua.create_function(|_, (text, part): (String, String)| {
            let at = text.find(&part);
            Ok((at.map(|at| at + 1), at.map(|at| at + part.len())))
        })?,
    )?;
    let (shared, format) = (cx.clone(), strings.raw_get::<mlua::Function>("format")?);
    own.raw_set(
        "format",
        lua.create_function(move |lua, (pattern, values): (mlua::LuaString, Variadic<Value>)| {
            let mut safe = mlua::MultiValue::new();
            for value in values {
                safe.push_back(match value {
                    value @ (Value::Nil | Value::Boolean(_) | Value::Integer(_) | Value::Number(_) | Value::String(_)) => value,
                    other => Value::String(lua.create_string(text_of(&shared, &other)?)?),
                });
            }
            safe.push_front(Value::String(pattern));
            format.call::<Value>(safe)
        })?,
    )?;
    Ok(own)
}

/// The keys of a table in a fixed order: numbers, texts, then handles.
pub(crate) fn sorted_keys(lua: &Lua, cx: &Rc<Cx>, table: Table) -> mlua::Result<Table> {
    let inner = match table.metatable() {
        Some(meta) => meta.raw_get::<Option<Table>>("__index")?.unwrap_or(table),
        None => table,
    };
    let mut keys: Vec<(u8, i64, String, Value)> = Vec::new();
    for pair in inner.pairs::<Value, Value>() {
        let key = pair?.0;
        keys.push(match &key {
            Value::Integer(n) => (0, *n, String::new(), key),
            Value::String(text) => (1, 0, text.to_string_lossy(), key),
            Value::Boolean(b) => (2, i64::from(*b), String::new(), key),
            other => match cx.val(other) {
                Ok(crate::val::Val::Space(space)) => (3, space.into(), String::new(), key),
                Ok(crate::val::Val::Piece(piece)) => (4, piece.into(), String::new(), key),
                _ => return fail("pairs: the keys of this table have no fixed order (use texts, numbers or handles)"),
            },
        });
    }
    keys.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
    lua.create_sequence_from(keys.into_iter().map(|key| key.3))
}

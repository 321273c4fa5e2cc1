//! What scripts get of Lua's own library: what cannot reach outside, cannot hang, and gives the same on every run.

use crate::context::{ScriptContext, fail};
use crate::handle::Target;
use crate::memory::Memory;
use crate::meter::{JUMPS, Unmetered, metered};
use mlua::chunk::ChunkMode;
use mlua::{Function, HookTriggers, Lua, LuaOptions, MultiValue, StdLib, Table, Value, Variadic, VmState};
use sandtable_kernel::world::SideId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Memory that all scripts of a VM may use, unless a host says otherwise.
pub const MEMORY: usize = 128 << 20;
/// Longest text that a string function makes.
const TEXT: usize = 1 << 20;
/// Most values that `table.unpack` and `string.byte` give.
const UNPACKED: i64 = 250;
/// What it counts for that a value is put behind the last of a table.
const INSERTED: u64 = 20;
/// Longest message of an error of a script.
const LONGEST: usize = 2_000;
/// Most lines that `print` keeps, and the longest of them.
const PRINTED: (usize, usize) = (1_000, 4_000);

/// A VM with bounds, without libraries that reach outside; and the function that reads what functions share, which no script sees.
pub(crate) fn new_lua(bytes: usize) -> mlua::Result<(Lua, Memory, Function)> {
    let libs = StdLib::STRING | StdLib::TABLE | StdLib::MATH | StdLib::COROUTINE;
    let options = LuaOptions::new().catch_rust_panics(true);
    let lua = with_debug(libs, options);
    let debug: Table = lua.globals().raw_get("debug")?;
    let upvalue = debug.raw_get("getupvalue")?;
    lua.globals().raw_set("debug", Value::Nil)?;
    let memory = Memory::bounded(&lua, bytes)?;
    // Scripts make many short-lived lists; the collector may wait until the heap has grown to the tenfold.
    lua.gc_set_mode(mlua::state::GcMode::Incremental(mlua::state::GcIncParams::default().pause(1000)));
    Ok((lua, memory, upvalue))
}

#[expect(
    unsafe_code,
    reason = "mlua has no safe way to read what functions share; scripts never see the library"
)]
fn with_debug(libs: StdLib, options: LuaOptions) -> Lua {
    // SAFETY: `debug` can break what mlua relies on only if it is called so; of its functions one is kept, `getupvalue`,
    // which reads.
    unsafe { Lua::unsafe_new_with(libs | StdLib::DEBUG, options) }
}

/// Notes every line of a script that runs.
pub(crate) fn watch_lines(lua: &Lua, cx: &Rc<ScriptContext>) -> mlua::Result<()> {
    let shared = cx.clone();
    lua.set_global_hook(HookTriggers::new().every_line(), move |_, debug| {
        let (source, line) = (debug.source(), debug.current_line());
        if let (Some(name), Some(line)) = (source.source, line)
            && let Some(touched) = &mut *shared.touched.borrow_mut()
        {
            touched.lines.insert((name.trim_start_matches('@').to_string(), line as u32));
        }
        Ok(VmState::Continue)
    })
}

/// A script as a function of its meter, in the given globals; names that `given` holds are constants of it.
pub(crate) fn chunk(
    lua: &Lua,
    (name, text): (&str, &str),
    globals: &Table,
    given: &BTreeSet<String>,
) -> mlua::Result<Function> {
    let load = |text: &str| {
        let chunk = lua.load(text).set_name(format!("@{name}")).set_mode(ChunkMode::Text);
        chunk.set_environment(globals.clone()).into_function()
    };
    match metered(text, |word| given.contains(word)) {
        // What is no Lua is shown as it was written, without counters.
        Ok(metered) => load(&metered).or_else(|error| load(text).and(Err(in_words(error)))),
        Err(Unmetered::Jumps) => {
            let words = JUMPS.0.join("`, `");
            fail(format!("{name}: more than {} times `{words}` in one script; break it up", JUMPS.1))
        }
        Err(Unmetered::Reserved(word, line)) => fail(format!("{name}:{line}: the name `{word}` is reserved")),
        // Lua says best what is wrong. Should it find nothing, the script is not run all the same: it could not be counted.
        Err(Unmetered::Broken(line)) => {
            load(text).and_then(|_| fail(format!("{name}:{line}: this cannot be read as Lua")))
        }
    }
}

/// Says what it means that a name is constant: a script as it was written knows of no constants.
fn in_words(error: mlua::Error) -> mlua::Error {
    match error {
        mlua::Error::SyntaxError { message, incomplete_input } => {
            let message =
                message.replace("attempt to assign to const variable", "a function of the API is assigned:");
            mlua::Error::SyntaxError { message, incomplete_input }
        }
        other => other,
    }
}

/// The texts among the keys of a table.
pub(crate) fn names(table: &Table) -> mlua::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for pair in table.pairs::<Value, Value>() {
        if let (Value::String(name), _) = pair? {
            names.insert(name.to_string_lossy());
        }
    }
    Ok(names)
}

/// The safe part of the library, as the globals of scripts.
pub(crate) fn globals(lua: &Lua, cx: &Rc<ScriptContext>) -> mlua::Result<Table> {
    let from = lua.globals();
    let globals = lua.create_table()?;
    for name in ["type", "select"] {
        globals.raw_set(name, from.raw_get::<Value>(name)?)?;
    }
    let (shared, tonumber) = (cx.clone(), from.raw_get::<mlua::Function>("tonumber")?);
    globals.raw_set(
        "tonumber",
        lua.create_function(move |_, given: MultiValue| {
            if let Some(Value::String(text)) = given.front() {
                shared.charge_bytes(text.as_bytes().len())?;
            }
            tonumber.call::<Value>(given)
        })?,
    )?;
    let shared = cx.clone();
    globals.raw_set("tostring", lua.create_function(move |_, value: Value| text_of(&shared, &value))?)?;
    let shared = cx.clone();
    globals.raw_set(
        "print",
        lua.create_function(move |_, values: Variadic<Value>| {
            let (lines, longest) = PRINTED;
            let mut line = String::new();
            for (at, value) in values.iter().enumerate() {
                line.push_str(if at == 0 { "" } else { "\t" });
                line.push_str(&text_of(&shared, value)?);
                shared.spend(100 + line.len() as u64)?;
                if line.len() > longest {
                    // What follows is not kept, so it is not put together either.
                    break;
                }
            }
            let mut printed = shared.printed.borrow_mut();
            if line.len() > longest {
                line = line.chars().take(longest).chain(['…']).collect();
            }
            match printed.len() {
                n if n < lines => printed.push(line),
                n if n == lines => printed.push("… more than that is not kept".into()),
                _ => {}
            }
            Ok(())
        })?,
    )?;
    globals.raw_set("string", strings(lua, cx, &from)?)?;
    globals.raw_set("table", tables(lua, cx, &from)?)?;
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

/// The table functions. Those that walk a table inside C pay for its length: one call of them is one instruction.
fn tables(lua: &Lua, cx: &Rc<ScriptContext>, from: &Table) -> mlua::Result<Table> {
    let (tables, own) = (from.raw_get::<Table>("table")?, lua.create_table()?);
    own.raw_set("pack", tables.raw_get::<Value>("pack")?)?;
    let (shared, concat) = (cx.clone(), tables.raw_get::<mlua::Function>("concat")?);
    own.raw_set(
        "concat",
        lua.create_function(move |_, (table, rest): (Table, MultiValue)| {
            shared.spend((table.raw_len() as u64).saturating_mul(2))?;
            let text = concat.call::<mlua::LuaString>((table, rest))?;
            shared.charge_bytes(text.as_bytes().len())?;
            Ok(text)
        })?,
    )?;
    let (shared, insert) = (cx.clone(), tables.raw_get::<mlua::Function>("insert")?);
    own.raw_set(
        "insert",
        lua.create_function(move |_, (table, rest): (Table, MultiValue)| {
            if rest.len() == 1 && table.metatable().is_none() {
                shared.spend(INSERTED)?;
                if table.raw_len() as i64 == i64::MAX {
                    return fail("table.insert: there is no place behind the last element");
                }
                return table.raw_push(rest.into_iter().next());
            }
            shared.spend(table.raw_len() as u64)?;
            insert.call::<()>((table, rest))
        })?,
    )?;
    let (shared, remove) = (cx.clone(), tables.raw_get::<mlua::Function>("remove")?);
    own.raw_set(
        "remove",
        lua.create_function(move |_, (table, at): (Table, Option<i64>)| match at {
            None => remove.call::<Value>(table),
            Some(at) => {
                shared.spend(table.raw_len() as u64)?;
                remove.call::<Value>((table, at))
            }
        })?,
    )?;
    let unpack: mlua::Function = tables.raw_get("unpack")?;
    own.raw_set(
        "unpack",
        lua.create_function(move |_, (table, first, last): (Table, Option<i64>, Option<i64>)| {
            let (first, last) = (first.unwrap_or(1), last.map_or_else(|| table.len(), Ok)?);
            if last.saturating_sub(first) >= UNPACKED {
                return fail(format!(
                    "table.unpack gives at most {UNPACKED} values; walk the table with ipairs"
                ));
            }
            unpack.call::<MultiValue>((table, first, last))
        })?,
    )?;
    Ok(own)
}

/// What a script says of its error: a text of reasonable length.
pub(crate) fn message(cx: &ScriptContext, value: &Value) -> mlua::Result<String> {
    let text = match value {
        Value::String(_)
        | Value::Integer(_)
        | Value::Number(_)
        | Value::Boolean(_)
        | Value::UserData(_)
        | Value::LightUserData(_) => text_of(cx, value)?,
        other => format!("an error of type {}", other.type_name()),
    };
    // Lua takes an error of these words, if they are all, for its own, wherever it comes from.
    if text == "not enough memory" {
        return Ok(format!("error: {text}"));
    }
    Ok(text.chars().take(LONGEST).collect())
}

/// A value as text, without addresses.
pub(crate) fn text_of(cx: &ScriptContext, value: &Value) -> mlua::Result<String> {
    Ok(match value {
        Value::Nil => "nil".into(),
        Value::Boolean(b) => b.to_string(),
        Value::Integer(n) => n.to_string(),
        Value::Number(n) => n.to_string(),
        Value::String(text) => text.to_string_lossy(),
        Value::LightUserData(_) => match Target::of(value) {
            Some(Target::Val(val)) => cx.name(val),
            Some(Target::Game) => "game".into(),
            Some(Target::Side(side)) => cx.text(cx.side_sym(SideId(side))),
            Some(Target::Row(row)) => cx
                .world
                .components
                .get(row as usize)
                .map_or_else(String::new, |component| cx.text(component.id)),
            Some(Target::Number(_)) => "number".into(),
            None => "none".into(),
        },
        Value::UserData(object) => match cx.list_vals(object)? {
            Some(vals) => {
                cx.spend(20 * vals.len() as u64)?;
                vals.iter().map(|&val| cx.name(val)).collect::<Vec<_>>().join(" ")
            }
            None => "object".into(),
        },
        other => other.type_name().into(),
    })
}

fn strings(lua: &Lua, cx: &Rc<ScriptContext>, from: &Table) -> mlua::Result<Table> {
    let strings: Table = from.raw_get("string")?;
    let own = lua.create_table()?;
    own.raw_set("len", strings.raw_get::<Value>("len")?)?;
    // What is done to each byte of a text inside C is paid for by its length.
    for name in ["sub", "upper", "lower", "char", "reverse"] {
        let (shared, inner) = (cx.clone(), strings.raw_get::<mlua::Function>(name)?);
        let paid = lua.create_function(move |_, given: MultiValue| {
            if let Some(Value::String(text)) = given.front() {
                shared.charge_bytes(text.as_bytes().len())?;
            }
            inner.call::<MultiValue>(given)
        })?;
        own.raw_set(name, paid)?;
    }
    let shared = cx.clone();
    own.raw_set(
        "byte",
        lua.create_function(move |_, (text, first, last): (mlua::LuaString, Option<i64>, Option<i64>)| {
            let text = text.as_bytes();
            // Places are counted from the end if they are negative.
            let length = text.len() as i64;
            let place = |at: i64| if at < 0 { length.saturating_add(at + 1) } else { at };
            let first = first.unwrap_or(1);
            let (from, to) = (place(first).max(1), place(last.unwrap_or(first)).min(length));
            let count = to.saturating_sub(from).saturating_add(1).max(0);
            if count > UNPACKED {
                return fail(format!(
                    "string.byte gives at most {UNPACKED} values; ask for a part of the text"
                ));
            }
            shared.spend(count as u64)?;
            let bytes = text.iter().skip((from - 1) as usize).take(count as usize);
            Ok(bytes.map(|&byte| i64::from(byte)).collect::<Variadic<i64>>())
        })?,
    )?;
    let shared = cx.clone();
    own.raw_set(
        "rep",
        lua.create_function(move |_, (text, n, between): (String, i64, Option<String>)| {
            let between = between.unwrap_or_default();
            shared.spend(n.clamp(0, TEXT as i64) as u64)?;
            let n = usize::try_from(n).unwrap_or(0);
            if n > TEXT || (text.len() + between.len()).saturating_mul(n) > TEXT {
                return fail(format!("string.rep would make a text of more than {TEXT} bytes"));
            }
            Ok(vec![text; n].join(&between))
        })?,
    )?;
    let shared = cx.clone();
    // Patterns can run for years inside C, out of reach of the budget; plain search is what rules need.
    own.raw_set(
        "find",
        lua.create_function(move |_, (text, part): (String, String)| {
            shared.charge_bytes(text.len())?;
            let at = text.find(&part);
            Ok((at.map(|at| at + 1), at.map(|at| at + part.len())))
        })?,
    )?;
    let (shared, format) = (cx.clone(), strings.raw_get::<mlua::Function>("format")?);
    own.raw_set(
        "format",
        lua.create_function(move |lua, (pattern, values): (mlua::LuaString, Variadic<Value>)| {
            if shows_address(&pattern.as_bytes()) {
                return fail("string.format: %p would show an address, which differs from run to run");
            }
            let mut safe = MultiValue::new();
            for value in values {
                safe.push_back(match value {
                    value @ (Value::Nil
                    | Value::Boolean(_)
                    | Value::Integer(_)
                    | Value::Number(_)
                    | Value::String(_)) => value,
                    other => Value::String(lua.create_string(text_of(&shared, &other)?)?),
                });
            }
            safe.push_front(Value::String(pattern));
            let text = format.call::<mlua::LuaString>(safe)?;
            shared.charge_bytes(text.as_bytes().len())?;
            Ok(text)
        })?,
    )?;
    Ok(own)
}

/// Whether a format has `%p`, with flags and width or without.
fn shows_address(pattern: &[u8]) -> bool {
    let mut bytes = pattern.iter();
    while bytes.by_ref().any(|&b| b == b'%') {
        let conversion = bytes.find(|b| !matches!(b, b'-' | b'+' | b' ' | b'#' | b'.' | b'0'..=b'9'));
        if conversion == Some(&b'p') {
            return true;
        }
    }
    false
}

/// The keys of a table in a fixed order: numbers, texts, then handles.
pub(crate) fn sorted_keys(lua: &Lua, cx: &Rc<ScriptContext>, table: Table) -> mlua::Result<Table> {
    let inner = match table.metatable() {
        Some(meta) => meta.raw_get::<Option<Table>>("__index")?.unwrap_or(table),
        None => table,
    };
    let mut keys: Vec<(u8, i64, String, Value)> = Vec::new();
    for pair in inner.pairs::<Value, Value>() {
        let key = pair?.0;
        cx.spend(10)?;
        keys.push(match &key {
            Value::Integer(n) => (0, *n, String::new(), key),
            Value::String(text) => {
                cx.charge_bytes(text.as_bytes().len())?;
                (1, 0, text.to_string_lossy(), key)
            }
            Value::Boolean(b) => (2, i64::from(*b), String::new(), key),
            other => match cx.val(other) {
                Ok(crate::val::Val::Space(space)) => (3, space.into(), String::new(), key),
                Ok(crate::val::Val::Piece(piece)) => (4, piece.into(), String::new(), key),
                _ => {
                    return fail(
                        "pairs: the keys of this table have no fixed order (use texts, numbers or handles)",
                    );
                }
            },
        });
    }
    keys.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
    lua.create_sequence_from(keys.into_iter().map(|key| key.3))
}

//! Loading: the API and the prelude are bound, then every script is run once in the environment of its package.

use crate::api::{self, Decl};
use crate::audit::Root;
use crate::context::ScriptContext;
use crate::error::ScriptError;
use crate::host::Script;
use crate::lua_ffi::{Frame, Full, Out};
use crate::val::Val;
use crate::{conflict, list_methods, meter, sandbox, watchdog};
use mlua::{Function, Lua, Table, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Runs every script once in the environment of its package, then freezes the environments; gives the globals of each package.
pub(crate) fn load(
    lua: &Lua,
    cx: &Rc<ScriptContext>,
    globals: &Table,
    scripts: &[Script],
) -> Result<Vec<Root>, Vec<ScriptError>> {
    let (mut kept, mut errors) = (Vec::new(), Vec::new());
    let modules = Modules::default();
    let given = match sandbox::names(globals) {
        Ok(names) => Rc::new(names),
        Err(error) => return Err(vec![ScriptError::from_lua(&error, Vec::new())]),
    };
    let mut above = globals.clone();
    let of_libraries = scripts.iter().filter(|script| script.library);
    cx.registry.borrow_mut().libraries =
        of_libraries.map(|script| (script.name.clone(), script.layer)).collect();
    // Libraries come first, each after those that it needs, and see nothing but the API.
    let mut layers: Vec<(bool, u16)> = scripts.iter().map(|script| (!script.library, script.layer)).collect();
    layers.sort_unstable();
    layers.dedup();
    for (on_top, layer) in layers {
        let Ok(env) = environment(lua, if on_top { &above } else { globals }) else { continue };
        let own: Vec<Script> = scripts.iter().filter(|script| script.layer == layer).cloned().collect();
        let needs: BTreeSet<u16> = own.iter().flat_map(|script| script.needs.iter().copied()).collect();
        let beneath = scripts.iter().filter(|script| needs.contains(&script.layer)).cloned();
        let loader = Loader {
            cx: cx.clone(),
            env: env.clone(),
            beneath: Rc::new(beneath.collect()),
            scripts: Rc::new(own),
            modules: modules.clone(),
            given: given.clone(),
        };
        if let Ok(require) = loader.clone().require(lua) {
            let _ = env.raw_set("require", require);
        }
        for script in loader.scripts.iter() {
            cx.layer.set(layer);
            if let Err(error) = loader.run(lua, script) {
                errors.push(ScriptError::from_lua(&error, Vec::new()));
                if cx.is_used_up() {
                    // All scripts together are loaded within the bounds of one answer: the rest would fail for nothing.
                    return Err(errors);
                }
            }
        }
        match frozen(lua, &env) {
            Ok(inner) => {
                kept.push(("the globals".into(), Value::Table(inner.clone())));
                if on_top {
                    above = inner;
                }
            }
            Err(error) => errors.push(ScriptError::from_lua(&error, Vec::new())),
        }
    }
    errors.extend(conflict::conflicts(&cx.registry.borrow(), scripts));
    if errors.is_empty() { Ok(kept) } else { Err(errors) }
}

/// Binds API and prelude; gives the declarations, and the function that runs steps.
pub(crate) fn bind(
    lua: &Lua,
    cx: &Rc<ScriptContext>,
    globals: &Table,
) -> mlua::Result<(Vec<Decl>, Function)> {
    let k = lua.create_table()?;
    lua.set_named_registry_value("kernel", &k)?;
    cx.open_border(lua)?;
    list_methods::bind(lua, cx)?;
    globals.raw_set("ipairs", list_methods::walker(lua, cx)?)?;
    api::bind_prelude(lua, cx, &k)?;
    let shared = cx.clone();
    k.raw_set(
        "sorted_keys",
        lua.create_function(move |lua, given: Value| match given {
            Value::Table(table) => sandbox::sorted_keys(lua, &shared, table),
            other => {
                let found = shared.val(&other).map(|val| shared.describe(val));
                let found = found.unwrap_or_else(|why| why.found());
                crate::context::fail(format!("pairs: expected a table, found {found}"))
            }
        })?,
    )?;
    k.raw_set(
        "branch",
        cx.bind(lua, |frame| {
            frame.cx.branch.set(frame.int(1).and_then(|seat| u32::try_from(seat).ok()).unwrap_or(0));
            match frame.value(2)? {
                Value::Thread(thread) => watchdog::enter_branch(Some(&thread)),
                _ => watchdog::enter_branch(None),
            }
            Ok(Out::Pushed(0))
        })?,
    )?;
    // What a coroutine that ran out of memory leaves is a text as any other; how it ended is known of it alone.
    let died = |frame: &Frame<'_>| match frame.ran_out_of_memory(1) {
        true => Err(Full::Memory.into()),
        false => Ok(Out::Pushed(0)),
    };
    k.raw_set("died", cx.bind(lua, died)?)?;
    k.raw_set("words", cx.bind(lua, |frame| Ok(Out::Value(Value::String(words(frame)?))))?)?;
    let is_side =
        |frame: &Frame<'_>| Ok(Out::truth(frame.sym(1).and_then(|name| frame.cx.side(name)).is_some()));
    k.raw_set("is_side", cx.bind(lua, is_side)?)?;
    let shared = cx.clone();
    k.raw_set(
        "spent",
        lua.create_function(move |_, effect: Value| {
            if let Ok(Val::Effect(row)) = shared.val(&effect) {
                api::spent(&shared, row);
            }
            Ok(())
        })?,
    )?;
    let shared = cx.clone();
    k.raw_set("message", lua.create_function(move |_, value: Value| sandbox::message(&shared, &value))?)?;
    let decls = api::bind(lua, cx, globals)?;
    let coroutine: Table = lua.globals().raw_get("coroutine")?;
    let error: Function = lua.globals().raw_get("error")?;
    let meter = cx.bind(lua, |frame| {
        // The counter is below nothing by as much as the last block took more than was left.
        let beyond = frame.int(1).map_or(0, |left| left.min(0).unsigned_abs());
        frame.cx.look(meter::TURNS as u64 + beyond)?;
        Ok(Out::Int(meter::TURNS))
    })?;
    lua.set_named_registry_value("meter", &meter)?;
    let prelude =
        sandbox::chunk(lua, ("prelude.lua", include_str!("prelude.lua")), globals, &BTreeSet::new())?;
    let (call, bind, wrapping, work): (Function, Function, Function, Function) =
        prelude.call((meter, k, coroutine, error))?;
    for library in ["string", "table", "math"] {
        let inner: Table = globals.raw_get(library)?;
        globals.raw_set(library, api::read_only(lua, inner)?)?;
    }
    lua.set_named_registry_value("call", call)?;
    lua.set_named_registry_value("bind", bind)?;
    lua.set_named_registry_value("wrapping", wrapping)?;
    Ok((decls, work))
}

/// What a value is, in words for a message.
fn words(frame: &Frame<'_>) -> mlua::Result<mlua::LuaString> {
    match frame.cx.lua_ffi.lua() {
        Some(lua) => lua.create_string(frame.words(1)),
        None => crate::context::fail("the VM is closed"),
    }
}

/// A table for the globals of a package, which reads those of what it builds on.
fn environment(lua: &Lua, above: &Table) -> mlua::Result<Table> {
    let env = lua.create_table()?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", above)?;
    env.set_metatable(Some(meta))?;
    Ok(env)
}

/// Moves the globals of a package behind a wall: read as before, never assigned again.
fn frozen(lua: &Lua, env: &Table) -> mlua::Result<Table> {
    let inner = lua.create_table()?;
    let mut keys = Vec::new();
    for pair in env.pairs::<Value, Value>() {
        let (key, value) = pair?;
        inner.raw_set(key.clone(), value)?;
        keys.push(key);
    }
    for key in keys {
        env.raw_set(key, Value::Nil)?;
    }
    // What the package builds on is copied, so that any name is found in one step.
    let above = env.metatable().map(|meta| meta.raw_get::<Option<Table>>("__index")).transpose()?.flatten();
    if let Some(above) = above {
        for pair in above.pairs::<Value, Value>() {
            let (key, value) = pair?;
            if inner.raw_get::<Value>(key.clone())?.is_nil() {
                inner.raw_set(key, value)?;
            }
        }
    }
    let names = sandbox::names(&inner)?;
    let missing = lua.create_table()?;
    missing.raw_set(
        "__index",
        lua.create_function(move |_, (_, key): (Value, Value)| -> mlua::Result<()> {
            let key = key.to_string().unwrap_or_default();
            let hint = ScriptContext::nearest(&key, names.iter().map(String::as_str));
            crate::context::fail(format!("there is no global `{key}`{hint}"))
        })?,
    )?;
    inner.set_metatable(Some(missing))?;
    let wall = lua.create_table()?;
    wall.raw_set("__index", &inner)?;
    wall.raw_set(
        "__newindex",
        lua.create_function(|_, (_, key): (Value, Value)| -> mlua::Result<()> {
            crate::context::fail(format!(
                "global `{}` cannot be assigned in play; declare an attribute to keep a value",
                key.to_string().unwrap_or_default()
            ))
        })?,
    )?;
    wall.raw_set("__metatable", false)?;
    env.set_metatable(Some(wall))?;
    Ok(inner)
}

/// What each script returned, by layer and name; nothing while it is still being run.
type Modules = Rc<RefCell<BTreeMap<(u16, String), Option<Value>>>>;

/// Loads the scripts of one package, each once, in order or when another requires it.
#[derive(Clone)]
struct Loader {
    cx: Rc<ScriptContext>,
    env: Table,
    scripts: Rc<Vec<Script>>,
    /// The scripts of the packages that this one needs, which have been run.
    beneath: Rc<Vec<Script>>,
    modules: Modules,
    /// Names that every script is given.
    given: Rc<BTreeSet<String>>,
}

impl Loader {
    fn run(&self, lua: &Lua, script: &Script) -> mlua::Result<Value> {
        let key = (script.layer, script.name.clone());
        match self.modules.borrow().get(&key) {
            Some(Some(value)) => return Ok(value.clone()),
            Some(None) => return crate::context::fail(format!("{} requires itself", script.name)),
            None => {}
        }
        self.modules.borrow_mut().insert(key.clone(), None);
        let meter: Function = lua.named_registry_value("meter")?;
        let value = sandbox::chunk(lua, (&script.name, &script.text), &self.env, &self.given)
            .and_then(|chunk| chunk.call::<Value>(meter));
        self.modules.borrow_mut().insert(key, Some(value.as_ref().map_or(Value::Nil, Clone::clone)));
        value
    }

    /// The function `require`: another script of the package by its path without `.lua`, or one of a package that it needs, by
    /// the id of that package and its path.
    fn require(self, lua: &Lua) -> mlua::Result<Function> {
        lua.create_function(move |lua, name: String| {
            if !self.cx.loading.get() {
                return crate::context::fail("require: scripts are loaded before the game, not in play");
            }
            let own = self.scripts.iter().filter_map(|script| Some((script.path()?.1, script)));
            let beneath =
                self.beneath.iter().filter_map(|script| Some((script.name.strip_suffix(".lua")?, script)));
            let mut names = Vec::new();
            for (path, script) in own.chain(beneath) {
                if path == name {
                    return self.run(lua, script);
                }
                names.push(path);
            }
            let hint = ScriptContext::nearest(&name, names);
            crate::context::fail(format!(
                "require: no script {name} in this package or one that it needs{hint}"
            ))
        })
    }
}

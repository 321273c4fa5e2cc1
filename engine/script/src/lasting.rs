//! What scripts hold for as long as the game is loaded: it may be read in play, never changed.
//!
//! A value that outlives a step and is not in the state would be lost by undo, saves and revivals, and seen by the wrong
//! side. So, once the scripts have run, everything that can be reached from their rules is walked: a function that assigns
//! a variable it shares with what stands around it is an error (its variables are as old as it is), and a table becomes
//! read-only where it lies. After that nothing new can be hung on what lasts: functions made in play can only change
//! variables of the call that made them, which go when the step does.

use crate::audit::Root;
use crate::bytecode;
use crate::context::ScriptContext;
use crate::error::{ErrorKind, ScriptError};
use crate::{api, meter};
use mlua::{Function, Lua, Table, Value};
use rustc_hash::FxHashSet;
use std::ffi::c_void;

/// What the prelude keeps for itself: the API, which scripts see through globals of their own, the kernel's functions, and what it has found
/// of procedures and events.
const OF_THE_PRELUDE: &[&str] = &["_ENV", "K", "coroutine", "procedures", "events"];
/// The script that is the host's own.
const PRELUDE: &str = "prelude.lua";

/// What looking at one value is taken for; a package may hold very many.
const LOOK: u64 = 20;

/// Makes everything that can be reached from some roots unchangeable; gives an error for each function that would change it.
pub(crate) fn settle(
    lua: &Lua,
    cx: &ScriptContext,
    upvalue: &Function,
    roots: Vec<Root>,
) -> mlua::Result<Vec<ScriptError>> {
    cx.refill();
    let open = lua.create_table()?;
    let mut walk = Walk { lua, cx, upvalue, seen: FxHashSet::default(), open, left: 0, errors: Vec::new() };
    for (_, value) in roots {
        walk.push(value)?;
    }
    while let Some(value) = walk.pop()? {
        match value {
            Value::Function(function) if walk.seen.insert(function.to_pointer()) => {
                walk.function(&function)?;
            }
            Value::Table(table) if walk.seen.insert(table.to_pointer()) => walk.table(&table)?,
            _ => {}
        }
    }
    walk.errors.sort_by(|a, b| (&a.place, &a.message).cmp(&(&b.place, &b.message)));
    walk.errors.dedup();
    Ok(walk.errors)
}

struct Walk<'l> {
    lua: &'l Lua,
    cx: &'l ScriptContext,
    upvalue: &'l Function,
    seen: FxHashSet<*const c_void>,
    /// What is still to be looked at. It lies in Lua, whose memory is bounded: a script may hold millions of tables.
    open: Table,
    left: i64,
    errors: Vec<ScriptError>,
}

impl Walk<'_> {
    fn push(&mut self, value: Value) -> mlua::Result<()> {
        self.cx.spend(LOOK)?;
        if matches!(value, Value::Function(_) | Value::Table(_)) {
            self.left += 1;
            self.open.raw_set(self.left, value)?;
        }
        Ok(())
    }

    fn pop(&mut self) -> mlua::Result<Option<Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        let value = self.open.raw_get(self.left)?;
        self.open.raw_set(self.left, Value::Nil)?;
        self.left -= 1;
        Ok(Some(value))
    }

    fn function(&mut self, function: &Function) -> mlua::Result<()> {
        let info = function.info();
        if info.what == "C" {
            return Ok(());
        }
        let file = info.source.as_deref().map_or("", |source| source.trim_start_matches('@')).to_string();
        self.assignments(function, &file);
        for number in 1..=255 {
            let (name, value): (Option<String>, Value) = self.upvalue.call((function, number))?;
            let Some(name) = name else { break };
            if file != PRELUDE || !OF_THE_PRELUDE.contains(&name.as_str()) {
                self.push(value)?;
            }
        }
        Ok(())
    }

    fn assignments(&mut self, function: &Function, file: &str) {
        let Some(found) = bytecode::assigns(&function.dump(false)) else {
            let error = format!("{file}: the host cannot read the bytecode of this Lua");
            return self.errors.push(ScriptError::new(error));
        };
        for set in found {
            if meter::RESERVED.contains(&set.name.as_str()) {
                continue;
            }
            self.errors.push(if file == PRELUDE {
                ScriptError::of_kind(ErrorKind::KeptValue, "scripts hold a walk by `pairs` that goes on in play; call `pairs` in the function that walks")
            } else {
                let error = ScriptError::of_kind(ErrorKind::KeptValue, format!(
                    "a function that outlives the step assigns `{}`, which would keep its value outside the state; declare an \
                     attribute and assign that, or make `{}` a local of the function",
                    set.name, set.name
                ));
                ScriptError { place: Some((file.to_string(), set.line)), ..error }
            });
        }
    }

    fn table(&mut self, table: &Table) -> mlua::Result<()> {
        let contents = match table.metatable() {
            // It is read-only already; what lies behind it may hold what is not.
            Some(meta) => meta.raw_get::<Value>("__index")?.as_table().cloned(),
            None => Some(api::freeze_in_place(self.lua, table)?),
        };
        let Some(contents) = contents else { return Ok(()) };
        self.seen.insert(contents.to_pointer());
        contents.for_each(|key: Value, value: Value| {
            self.push(key)?;
            self.push(value)
        })
    }
}

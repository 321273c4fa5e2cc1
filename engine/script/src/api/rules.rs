//! Registering handlers: the words with which scripts say what the rules are.

mod handler;
mod running;

pub(crate) use running::{active, bind_prelude, pure, spent};

use super::memo::memoised;
use super::{Api, Call, named, number};
use crate::context::{Reason, ScriptContext, fail};
use crate::lua_ffi::Out;
use crate::registry::{Kind, LayerChange};
use crate::val::Change;
use handler::{handler, register, room_for_one};
use mlua::{Function, Value};

/// Most changes that layers make to handlers: all are held against each other.
const CHANGES: usize = 2_000;

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add(
        "procedure(name: text, meta: table, run: function?) -> function",
        "Something that happens: may ask, roll and change the game. With `stages`, runs `name.stage` for each in turn.",
        |c| {
            let (name, meta) = (c.text(0)?, c.table(1)?);
            let func = if c.has(2) { Some(c.function(2)?) } else { None };
            let mut handler = handler(&c, Kind::Procedure, &name, &name, &meta)?;
            if func.is_none() && handler.stages.is_empty() {
                return c.wrong(2, "a procedure needs a function or `stages`");
            }
            handler.func = func;
            register(&c, handler)?;
            let lua = c.lua()?;
            let call: Function = lua.named_registry_value("call")?;
            let make: Function = lua.named_registry_value("bind")?;
            Ok(Out::Value(Value::Function(make.call((call, name))?)))
        },
    )?;
    let attach = |kind: Kind| {
        move |c: Call<'_>| {
            let (target, id, meta, func) = (c.text(0)?, c.text(1)?, c.table(2)?, c.function(3)?);
            let mut handler = handler(&c, kind, &target, &id, &meta)?;
            handler.func = Some(func);
            register(&c, handler)
        }
    };
    api.add(
        "before(procedure: text, id: text, meta: table, run: function)",
        "Runs before a procedure or a stage.",
        attach(Kind::Before),
    )?;
    api.add(
        "after(procedure: text, id: text, meta: table, run: function)",
        "Runs after a procedure or a stage.",
        attach(Kind::After),
    )?;
    api.add(
        "instead(procedure: text, id: text, meta: table, run: function)",
        "Runs instead of a procedure or a stage.",
        attach(Kind::Instead),
    )?;
    api.add("on(event: text, id: text, meta: table, run: function)", "Runs at an event.", attach(Kind::On))?;
    api.add(
        "modify(number: text, id: text, meta: table, run: function)",
        "Contributes to a number at its `stage`.",
        attach(Kind::Modify),
    )?;
    api.add(
        "forbid(prompt: text, id: text, meta: table, test: function)",
        "Refuses an option: test(value, ask) returns no(…) or nothing.",
        attach(Kind::Forbid),
    )?;
    api.add(
        "forbid_all(prompt: text, id: text, meta: table, test: function)",
        "Refuses options by the list: test(ask) returns the refused values and no(…).",
        |c| {
            let (target, id, meta, func) = (c.text(0)?, c.text(1)?, c.table(2)?, c.function(3)?);
            let mut handler = handler(&c, Kind::Forbid, &target, &id, &meta)?;
            handler.func = Some(func);
            handler.whole = true;
            register(&c, handler)
        },
    )?;
    api.add(
        "prefer(prompt: text, id: text, meta: table, test: function)",
        "Keeps the options that pass, if any does.",
        attach(Kind::Prefer),
    )?;
    api.add(
        "waive(forbid: text, id: text, meta: table, test: function)",
        "Lifts a refusal by its id.",
        attach(Kind::Waive),
    )?;
    api.add(
        "reroll(label: text, id: text, meta: table, test: function)",
        "Rolls a die of that label again, once, if test(value, sides) says so.",
        attach(Kind::Reroll),
    )?;
    api.add(
        "offer(menu: text, id: text, meta: table)",
        "An entry of a menu: `when`, `among`, `run`.",
        |c| {
            let (target, id, meta) = (c.text(0)?, c.text(1)?, c.table(2)?);
            let mut handler = handler(&c, Kind::Offer, &target, &id, &meta)?;
            handler.when = meta.raw_get("when")?;
            handler.among = meta.raw_get("among")?;
            let run: Option<String> = meta.raw_get("run")?;
            handler.run = c.cx.sym(&run.unwrap_or_else(|| id.clone()));
            register(&c, handler)
        },
    )?;
    api.add(
        "invariant(id: text, meta: table, test: function)",
        "Checked after every decision in tests and simulations.",
        |c| {
            let (id, meta, func) = (c.text(0)?, c.table(1)?, c.function(2)?);
            let mut handler = handler(&c, Kind::Invariant, "", &id, &meta)?;
            handler.func = Some(func);
            register(&c, handler)
        },
    )?;
    api.add(
        "number(name: text, meta: table, base: function) -> function",
        "A number made of contributions at declared `stages`; base(n, …) begins it.",
        |c| {
            let (name, meta, func) = (c.text(0)?, c.table(1)?, c.function(2)?);
            let mut handler = handler(&c, Kind::Number, &name, &name, &meta)?;
            handler.func = Some(func);
            register(&c, handler)?;
            let lua = c.lua()?;
            let make: Function = lua.named_registry_value("bind")?;
            let evaluate: Function = lua.named_registry_value("evaluate")?;
            Ok(Out::Value(Value::Function(make.call((evaluate, name))?)))
        },
    )?;
    api.add(
        "query(name: text, meta: table, f: function) -> function",
        "A pure function; called with at most three values, its answer is kept until something it read changes.",
        |c| {
            let (name, meta, func) = (c.text(0)?, c.table(1)?, c.function(2)?);
            let mut handler = handler(&c, Kind::Query, &name, &name, &meta)?;
            handler.func = Some(func);
            if !c.cx.loading.get() {
                return c.wrong(0, "rules are registered while scripts load, not in play");
            }
            room_for_one(&c)?;
            let number = c.cx.registry.borrow_mut().add(handler);
            let f = c.cx.bind(&c.lua()?, move |frame| memoised(frame, number))?;
            Ok(Out::Value(Value::Function(f)))
        },
    )?;
    for (name, doc) in [
        (
            "wrap(id: text, f: function)",
            "For layers: f(inner, …) runs instead of a handler and may call inner(…).",
        ),
        ("replace(id: text, f: function)", "For layers: f runs instead of a handler."),
        ("disable(id: text)", "For layers: takes a handler out."),
    ] {
        let op = name.split('(').next().unwrap_or_default();
        api.add(name, doc, move |c| {
            if !c.cx.loading.get() {
                return c.wrong(0, "rules are changed while scripts load, not in play");
            }
            let id = c.text(0)?;
            let bare = id.rsplit(':').next().unwrap_or(&id).to_string();
            let found = c.cx.registry.borrow().find(None, &bare);
            let Some(number) = found else {
                let registry = c.cx.registry.borrow();
                let ids = registry.handlers.iter().map(|handler| handler.id.as_str());
                return c.wrong(0, format!("no handler {id}{}", ScriptContext::nearest(&bare, ids)));
            };
            if c.cx.registry.borrow().changes.len() >= CHANGES {
                return c.wrong(0, format!("layers change handlers more than {CHANGES} times"));
            }
            let place = c.frame.place();
            let change = LayerChange { handler: number, verb: op, layer: c.cx.layer.get(), place };
            let at = c.cx.registry.borrow().changes.len();
            c.cx.registry.borrow_mut().changes.push(change);
            if c.cx.left_out.get() == Some(at) {
                return Ok(Out::NIL);
            }
            let inner = c.cx.registry.borrow().handlers[number as usize].func.clone();
            let func = match op {
                "disable" => {
                    c.cx.registry.borrow().handlers[number as usize].disabled.set(true);
                    return Ok(Out::NIL);
                }
                "wrap" => {
                    let make: Function = c.lua()?.named_registry_value("wrapping")?;
                    make.call((inner, c.function(1)?))?
                }
                _ => c.function(1)?,
            };
            let mut registry = c.cx.registry.borrow_mut();
            registry.handlers[number as usize].func = Some(func);
            Ok(Out::NIL)
        })?;
    }
    api.declare("call(name: text, ...: any) -> any", "Runs a procedure, with what is attached to it.");
    api.declare(
        "emit(event: text, ...: any)",
        "Raises an event: runs its handlers, then the effects scheduled for it.",
    );
    api.declare("is_procedure(name: text) -> bool", "Whether there is a procedure of that name.");
    api.declare(
        "evaluate(number: text, ...: any) -> int",
        "Works a number out; its parts go to the log of numbers.",
    );
    api.declare(
        "no(text: text, ...: any) -> bool",
        "A refusal with its reason: a text, or the id of one, and what it names.",
    );
    api.declare("log(text: text, ...: any)", "A line for people: the id of a text, and what it names.");
    let (lua, cx) = (api.lua, api.cx);
    let no = cx.bind(lua, |frame| {
        let Some(text) = frame.bytes(1) else { return fail("no: expected a text, or the id of one") };
        if frame.cx.explaining.get() {
            let args = named(frame, "no", 2)?;
            let text = String::from_utf8_lossy(text).into_owned();
            *frame.cx.reason.borrow_mut() = Some(Reason { handler: u32::MAX, text, args });
        }
        Ok(Out::truth(true))
    })?;
    api.globals.raw_set("no", no)?;
    let bound = cx.bind(lua, number::evaluate)?;
    lua.set_named_registry_value("evaluate", &bound)?;
    api.globals.raw_set("evaluate", bound)?;
    let log = cx.bind(lua, |frame| {
        frame.cx.changing("log")?;
        let Some(text) = frame.sym(1) else { return fail("log: expected a text, or the id of one") };
        let args = named(frame, "log", 2)?;
        frame.cx.play.borrow_mut().changes.push(Change::Log(text, args));
        Ok(Out::Pushed(0))
    })?;
    api.globals.raw_set("log", log)
}

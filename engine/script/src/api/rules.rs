//! Registering handlers, and what the prelude needs to run them.

use super::memo::memoised;
use super::{Api, Call, limit, number};
use crate::border::{Frame, Out};
use crate::cx::{Cx, Reason, fail};
use crate::registry::{Handler, Kind, LayerChange};
use crate::val::{Change, Val};
use mlua::{Function, Table, Value};
use sandtable_kernel::state::{EffectId, TableId, effect_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Datum, SideId};
use std::cell::Cell;
use std::rc::Rc;

/// The keys that a handler's meta table may have.
const META: &[&str] = &[
    "rule", "turns", "option", "without", "during", "side", "order", "stage", "stages", "when", "among",
    "run", "offer",
];

/// Handlers that may call each other before the chain is taken for an endless one.
pub(super) const DEPTH: usize = 150;

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
        "A pure function of up to three arguments, memoised until something it read changes.",
        |c| {
            let (name, meta, func) = (c.text(0)?, c.table(1)?, c.function(2)?);
            let mut handler = handler(&c, Kind::Query, &name, &name, &meta)?;
            handler.func = Some(func);
            if !c.cx.loading.get() {
                return c.wrong(0, "rules are registered while scripts load, not in play");
            }
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
                return c.wrong(0, format!("no handler {id}{}", Cx::nearest(&bare, ids)));
            };
            let place = c.frame.place().trim_end_matches(": ").to_string();
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
            let args = (2..=frame.top()).map(|at| frame.val(at)).collect::<Result<_, _>>().or_else(fail)?;
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
        let args = (2..=frame.top()).map(|at| frame.val(at)).collect::<Result<_, _>>().or_else(fail)?;
        frame.cx.play.borrow_mut().changes.push(Change::Log(text, args));
        Ok(Out::Pushed(0))
    })?;
    api.globals.raw_set("log", log)
}

fn register(c: &Call<'_>, handler: Handler) -> mlua::Result<Out> {
    if !c.cx.loading.get() {
        return c.wrong(0, "rules are registered while scripts load, not in play");
    }
    let mut registry = c.cx.registry.borrow_mut();
    if let Some(other) = registry.find(Some(handler.kind), &handler.id) {
        let other = &registry.handlers[other as usize];
        if other.target == handler.target {
            return fail(format!(
                "{} `{}` is registered twice; the first time at {}",
                handler.kind.name(),
                handler.id,
                other.place
            ));
        }
    }
    registry.add(handler);
    Ok(Out::NIL)
}

fn texts(table: &Table, key: &str) -> mlua::Result<Vec<String>> {
    match table.raw_get::<Value>(key)? {
        Value::Nil => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text.to_string_lossy()]),
        Value::Table(list) => list.sequence_values::<String>().collect(),
        other => fail(format!("`{key}`: expected a text or a list of texts, found a {}", other.type_name())),
    }
}

/// Reads the meta table that all handlers have.
fn handler(c: &Call<'_>, kind: Kind, target: &str, id: &str, meta: &Table) -> mlua::Result<Handler> {
    for pair in meta.pairs::<Value, Value>() {
        let key = pair?.0.to_string()?;
        if !META.contains(&key.as_str()) {
            return fail(format!(
                "{} `{id}`: no key `{key}`{}",
                kind.name(),
                Cx::nearest(&key, META.iter().copied())
            ));
        }
    }
    let text = |key: &str| meta.raw_get::<Option<String>>(key);
    let sym = |text: Option<String>| text.map_or(Sym::NONE, |text| c.cx.sym(&text));
    let side = match text("side")? {
        None => None,
        Some(name) => match c.cx.world.find_side(&name) {
            Some(side) => Some(side),
            None => return fail(format!("{} `{id}`: `{name}` is no side", kind.name())),
        },
    };
    let turns = match text("turns")? {
        None => None,
        Some(text) => match ranges(&text) {
            Some(bits) => Some(bits),
            None => {
                return fail(format!(
                    "{} `{id}`: turns = \"{text}\"; expected numbers such as \"1-3,5\"",
                    kind.name()
                ));
            }
        },
    };
    let (mut wanted, mut options) = (true, Vec::new());
    for (key, when) in [("option", true), ("without", false)] {
        if let Some(test) = text(key)? {
            options.push(test.split('=').next().unwrap_or_default().trim().to_string());
            wanted &=
                option_is(c.cx, &test).or_else(|why| fail(format!("{} `{id}`: {why}", kind.name())))? == when;
        }
    }
    let place = c.frame.place().trim_end_matches(": ").to_string();
    Ok(Handler {
        id: id.to_string(),
        sym: c.cx.sym(id),
        kind,
        target: c.cx.sym(target),
        rules: texts(meta, "rule")?,
        func: None,
        when: None,
        among: None,
        run: Sym::NONE,
        stages: texts(meta, "stages")?.iter().map(|stage| c.cx.sym(stage)).collect(),
        stage: sym(text("stage")?),
        turns,
        during: sym(text("during")?),
        offers: texts(meta, "offer")?.iter().map(|offer| c.cx.sym(offer)).collect(),
        side,
        wanted,
        options,
        whole: false,
        order: meta.raw_get::<Option<i32>>("order")?.unwrap_or(0),
        place,
        layer: c.cx.layer.get(),
        disabled: Cell::new(false),
        fired: Cell::new(0),
    })
}

/// Reads `1-3,5` as a bit set.
fn ranges(text: &str) -> Option<u64> {
    let mut bits = 0u64;
    for part in text.split(',') {
        let (low, high) = part.trim().split_once('-').unwrap_or((part.trim(), part.trim()));
        let (low, high): (u32, u32) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        for n in low..=high.min(63) {
            bits |= 1 << n;
        }
    }
    Some(bits)
}

/// Whether an option is on, or has the value after `=`.
fn option_is(cx: &Cx, test: &str) -> Result<bool, String> {
    let (id, want) = test.split_once('=').map_or((test, None), |(id, want)| (id.trim(), Some(want.trim())));
    let sym = cx.sym(id);
    let Some(option) = cx.world.options.iter().find(|option| option.id == sym) else {
        let ids = cx.world.options.iter().map(|option| cx.world.symbols.text(option.id));
        return Err(format!("no option {id}{}", Cx::nearest(id, ids)));
    };
    Ok(match (&option.value, want) {
        (Datum::Bool(b), None) => *b,
        (value, None) => {
            return Err(format!("option {id} is {value:?}; say which value is meant: \"{id}=…\""));
        }
        (Datum::Bool(b), Some(want)) => b.to_string() == want,
        (Datum::Int(n), Some(want)) => n.to_string() == want,
        (Datum::Text(text), Some(want)) => text == want,
        _ => false,
    })
}

/// Whether a handler's conditions hold now, for the side that decides (or whose half it is).
pub(crate) fn active(cx: &Cx, handler: &Handler, side: Option<SideId>) -> bool {
    if handler.unconditional() {
        return true;
    }
    let play = cx.play.borrow();
    let game = |col: Option<u16>| {
        let col = col?;
        cx.note(&play.state, TableId::GAME, col);
        Some(play.state.get(TableId::GAME, 0, col))
    };
    if let Some(turns) = handler.turns
        && !game(cx.keys.turn).is_some_and(|turn| (0..64).contains(&turn) && turns & (1 << turn) != 0)
    {
        return false;
    }
    if !handler.during.is_none() {
        cx.note(&play.state, TableId::EFFECT, effect_col::NAME);
        if !play.state.in_effect(handler.during) {
            return false;
        }
    }
    match handler.side {
        None => true,
        Some(wanted) => side.or_else(|| game(cx.keys.active).and_then(SideId::from_cell)) == Some(wanted),
    }
}

/// Runs something in which nothing may change.
pub(crate) fn pure<T>(cx: &Cx, f: impl FnOnce() -> mlua::Result<T>) -> mlua::Result<T> {
    cx.pure.set(cx.pure.get() + 1);
    let result = f();
    cx.pure.set(cx.pure.get().saturating_sub(1));
    result
}

/// The functions that only the prelude uses.
pub(crate) fn bind_prelude(lua: &mlua::Lua, cx: &Rc<Cx>, k: &Table) -> mlua::Result<()> {
    number::bind_methods(lua, cx)?;
    limit::bind_prelude(lua, cx, k)?;
    k.raw_set("enter", cx.bind(lua, enter)?)?;
    k.raw_set(
        "leave",
        cx.bind(lua, |frame| {
            frame.cx.play.borrow_mut().chain.pop();
            Ok(Out::Pushed(0))
        })?,
    )?;
    k.raw_set(
        "active",
        cx.bind(lua, |frame| {
            let number = frame.int(1).unwrap_or(-1);
            let registry = frame.cx.registry.borrow();
            let handler = usize::try_from(number).ok().and_then(|number| registry.handlers.get(number));
            Ok(Out::truth(handler.is_some_and(|handler| active(frame.cx, handler, None))))
        })?,
    )?;
    let shared = cx.clone();
    k.raw_set(
        "handlers",
        lua.create_function(move |lua, (kind, target): (String, String)| {
            let kind = match kind.as_str() {
                "on" => Kind::On,
                "before" => Kind::Before,
                "after" => Kind::After,
                _ => Kind::Instead,
            };
            let list = lua.create_table()?;
            let target = shared.sym(&target);
            let registry = shared.registry.borrow();
            for &number in registry.of(kind, target) {
                let handler = &registry.handlers[number as usize];
                let entry = lua.create_table()?;
                entry.raw_set("number", number)?;
                entry.raw_set("run", handler.func.clone())?;
                entry.raw_set("conditional", !handler.unconditional())?;
                list.raw_push(entry)?;
            }
            Ok(list)
        })?,
    )?;
    let shared = cx.clone();
    k.raw_set(
        "procedure",
        lua.create_function(move |lua, name: String| {
            let registry = shared.registry.borrow();
            let Some(&number) = registry.of(Kind::Procedure, shared.sym(&name)).first() else {
                let procedures = registry.handlers.iter().filter(|handler| handler.kind == Kind::Procedure);
                let hint = Cx::nearest(&name, procedures.map(|handler| handler.id.as_str()));
                return fail(format!("no procedure {name}{hint}"));
            };
            let handler = &registry.handlers[number as usize];
            let entry = lua.create_table()?;
            entry.raw_set("number", number)?;
            entry.raw_set("run", handler.func.clone())?;
            let stages = handler.stages.iter().map(|&stage| format!("{name}.{}", shared.text(stage)));
            entry.raw_set("stages", lua.create_sequence_from(stages)?)?;
            Ok(entry)
        })?,
    )?;
    let shared = cx.clone();
    k.raw_set(
        "is_procedure",
        lua.create_function(move |_, name: String| {
            Ok(!shared.registry.borrow().of(Kind::Procedure, shared.sym(&name)).is_empty())
        })?,
    )?;
    k.raw_set("due", cx.bind(lua, due)?)?;
    k.raw_set(
        "run_of",
        cx.bind(lua, |frame| {
            let (Some(menu), Some(offer)) = (frame.sym(1), frame.sym(2)) else { return Ok(Out::NIL) };
            let registry = frame.cx.registry.borrow();
            let offers = registry.of(Kind::Offer, menu).iter();
            let found = offers.copied().find(|&number| registry.handlers[number as usize].sym == offer);
            let Some(number) = found else { return Ok(Out::NIL) };
            frame.push(Val::Int(number as i32))?;
            frame.push(Val::Sym(registry.handlers[number as usize].run))?;
            Ok(Out::Pushed(2))
        })?,
    )
}

/// Notes that a handler begins.
fn enter(frame: &Frame<'_>) -> mlua::Result<Out> {
    let number = frame.int(1).and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
    let mut play = frame.cx.play.borrow_mut();
    play.chain.push(number);
    let registry = frame.cx.registry.borrow();
    if let Some(handler) = registry.handlers.get(number as usize) {
        handler.fired.set(handler.fired.get() + 1);
    }
    if play.chain.len() > DEPTH {
        let ids = play.chain.iter().rev().take(6).rev();
        let ids: Vec<&str> = ids
            .filter_map(|&number| registry.handlers.get(number as usize))
            .map(|handler| handler.id.as_str())
            .collect();
        return fail(format!("more than {DEPTH} handlers deep: … {}", ids.join(" -> ")));
    }
    Ok(Out::Pushed(0))
}

/// The scheduled effects that run at an event now; those that are not due yet come one nearer.
fn due(frame: &Frame<'_>) -> mlua::Result<Out> {
    let Some(event) = frame.sym(1) else { return Ok(Out::NIL) };
    let mut found = Vec::new();
    {
        let mut play = frame.cx.play.borrow_mut();
        play.end_effects_until(event, None);
        for effect in play.state.effects_where(effect_col::ON, event.cell()) {
            let after = play.state.get(TableId::EFFECT, effect.0, effect_col::AFTER);
            if after > 0 {
                play.state.set(TableId::EFFECT, effect.0, effect_col::AFTER, after - 1);
            } else {
                found.push(Val::Effect(effect.0));
            }
        }
    }
    Ok(if found.is_empty() { Out::NIL } else { Out::list(found) })
}

/// Counts one run of a scheduled effect and ends it after the last.
pub(crate) fn spent(cx: &Cx, effect: u32) {
    let mut play = cx.play.borrow_mut();
    let times = play.state.get(TableId::EFFECT, effect, effect_col::TIMES);
    if times > 1 {
        play.state.set(TableId::EFFECT, effect, effect_col::TIMES, times - 1);
    } else if times == 1 {
        play.end_effect(EffectId(effect));
    }
}

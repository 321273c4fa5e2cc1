//! What the prelude needs to run handlers: their conditions, the chain of those that run, what is due at an event.

use super::super::{limit, number};
use crate::context::{Play, ScriptContext, fail};
use crate::lua_ffi::{Frame, Out};
use crate::registry::{Handler, Kind};
use crate::val::Val;
use mlua::Table;
use sandtable_kernel::state::{EffectId, TableId, effect_col, game_col};
use sandtable_kernel::world::SideId;
use std::rc::Rc;

/// Handlers that may call each other before the chain is taken for an endless one.
const DEPTH: usize = 150;

/// Whether a handler's conditions hold now, for the side that decides (or whose half it is).
pub(crate) fn active(cx: &ScriptContext, handler: &Handler, side: Option<SideId>) -> bool {
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
        cx.charge(u64::from(play.state.rows(TableId::EFFECT)) / 8);
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
pub(crate) fn pure<T>(cx: &ScriptContext, f: impl FnOnce() -> mlua::Result<T>) -> mlua::Result<T> {
    cx.pure.set(cx.pure.get() + 1);
    let result = f();
    cx.pure.set(cx.pure.get().saturating_sub(1));
    result
}

/// The functions that only the prelude uses.
pub(crate) fn bind_prelude(lua: &mlua::Lua, cx: &Rc<ScriptContext>, k: &Table) -> mlua::Result<()> {
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
                let hint = ScriptContext::nearest(&name, procedures.map(|handler| handler.id.as_str()));
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
        "serial",
        cx.bind(lua, |frame| {
            let play = frame.cx.play.borrow();
            Ok(Out::Int(play.state.get(TableId::GAME, 0, game_col::EFFECT_SERIAL).into()))
        })?,
    )?;
    k.raw_set("in_branch", cx.bind(lua, |frame| Ok(Out::truth(frame.cx.branch.get() != 0)))?)?;
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

/// The scheduled effects that run at an event now; those that are not due yet come one nearer. What handlers of the event
/// began, those with a higher serial than the second argument, waits for the next one.
fn due(frame: &Frame<'_>) -> mlua::Result<Out> {
    let Some(event) = frame.sym(1) else { return Ok(Out::NIL) };
    let newest = frame.int(2).and_then(|serial| i32::try_from(serial).ok()).unwrap_or(i32::MAX);
    let mut found = Vec::new();
    {
        let mut play = frame.cx.play.borrow_mut();
        frame.cx.spend(u64::from(play.state.rows(TableId::EFFECT)) / 2)?;
        let older = |play: &Play, effect: &EffectId| {
            play.state.get(TableId::EFFECT, effect.0, effect_col::SERIAL) <= newest
        };
        for effect in play.state.effects_where(effect_col::UNTIL, event.cell()) {
            if older(&play, &effect) {
                play.end_effect(effect);
            }
        }
        for effect in play.state.effects_where(effect_col::ON, event.cell()) {
            if !older(&play, &effect) {
                continue;
            }
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
pub(crate) fn spent(cx: &ScriptContext, effect: u32) {
    let mut play = cx.play.borrow_mut();
    let times = play.state.get(TableId::EFFECT, effect, effect_col::TIMES);
    if times > 1 {
        play.state.set(TableId::EFFECT, effect, effect_col::TIMES, times - 1);
    } else if times == 1 {
        play.end_effect(EffectId(effect));
    }
}

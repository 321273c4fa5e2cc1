//! Verbs of time: effects that end, wait for an event, or are remembered.

use super::super::{Api, Call};
use super::AT_A_TIME;
use crate::context::ScriptContext;
use crate::handle::{arg_tag, val_cell};
use crate::lua_ffi::Out;
use crate::registry::Kind;
use crate::val::{Change, Val};
use mlua::{Table, Value};
use sandtable_kernel::state::{Arg, EffectId, KEPT, NewEffect, TableId, Type, effect_col};
use sandtable_kernel::symbol::Sym;

/// Most arguments of an effect.
const ARGS: usize = 64;

/// Reads the arguments of an effect, leaving out the keys that the kernel understands.
fn args(c: &Call<'_>, table: &Table) -> mlua::Result<Vec<Arg>> {
    let mut args = Vec::new();
    for pair in table.pairs::<String, Value>() {
        let (key, value) = pair?;
        if args.len() >= ARGS {
            return c.wrong(1, format!("an effect has at most {ARGS} arguments"));
        }
        if ["lasts", "on", "after", "times"].contains(&key.as_str()) {
            continue;
        }
        let val = c.cx.val(&value).or_else(|why| c.wrong(1, why.about(format_args!("`{key}`"))))?;
        if let Val::Sym(sym) = val
            && let Err(why) = val_cell(c.cx, &Type::Text, Val::Sym(sym))
        {
            return c.wrong(1, format!("`{key}`: {why}"));
        }
        let key = c.cx.new_name(&key)?;
        let (tag, cell) = arg_tag(val);
        args.push(Arg { key, tag, cell });
    }
    // Lua's own order of keys differs from run to run.
    args.sort_by_key(|arg| c.cx.text(arg.key));
    Ok(args)
}

fn word(c: &Call<'_>, table: &Table, key: &str) -> mlua::Result<Sym> {
    table.raw_get::<Option<String>>(key)?.map_or(Ok(Sym::NONE), |text| c.cx.new_name(&text))
}

/// The record with which an effect ends that lasts as long as one of that type: the innermost.
fn held(c: &Call<'_>, until: Sym) -> Option<u32> {
    let tables = &c.cx.world.schema.tables;
    let first = TableId::FIRST_RECORD.0 as usize;
    let table = (first..tables.len()).find(|&table| tables[table].name == until)?;
    // What happened is looked through from its end.
    c.cx.charge(c.cx.play.borrow().changes.len() as u64 / 16);
    c.cx.play.borrow().innermost(TableId(table as u16))
}

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add(
        "start_effect(name: text, how: table?) -> effect",
        "Begins a timed effect: `lasts` names the node or record type at whose end it ends, or the event that ends it; other keys are its arguments.",
        |c| {
            c.cx.changing("start_effect")?;
            let how = c.table_or_empty(1)?;
            let until = word(&c, &how, "lasts")?;
            let new = NewEffect {
                name: c.sym(0)?,
                until,
                record: held(&c, until),
                args: args(&c, &how)?,
                ..NewEffect::default()
            };
            start(&c, &new)
        },
    )?;
    api.add(
        "schedule(name: text, how: table) -> effect",
        "Runs procedure `name` with the effect at event `on`, after skipping `after` of them, `times` (1) times; 0 is without end.",
        |c| {
            c.cx.changing("schedule")?;
            let how = c.table(1)?;
            let until = word(&c, &how, "lasts")?;
            let new = NewEffect {
                name: c.sym(0)?,
                until,
                record: held(&c, until),
                on: word(&c, &how, "on")?,
                after: how.raw_get::<Option<i32>>("after")?.unwrap_or(0),
                times: how.raw_get::<Option<i32>>("times")?.unwrap_or(1),
                args: args(&c, &how)?,
            };
            if new.on.is_none() {
                return c.wrong(1, "`on` must name an event");
            }
            for (key, n) in [("after", new.after), ("times", new.times)] {
                if n < 0 {
                    return c.wrong(1, format!("`{key}`: expected a number from 0 on, found {n}"));
                }
            }
            // Found now, with the rule that schedules it, rather than when it is due.
            let procedures = c.cx.registry.borrow();
            if procedures.of(Kind::Procedure, new.name).is_empty() {
                let name = c.cx.text(new.name);
                let ids = procedures.handlers.iter().filter(|handler| handler.kind == Kind::Procedure);
                let hint = ScriptContext::nearest(&name, ids.map(|handler| handler.id.as_str()));
                return c.wrong(0, format!("no procedure {name}{hint}"));
            }
            drop(procedures);
            start(&c, &new)
        },
    )?;
    api.add("end_effect(effect: any)", "Ends an effect, or all effects of a name.", |c| {
        c.cx.changing("end_effect")?;
        let given = c.val(0);
        all_effects(&c)?;
        let mut play = c.cx.play.borrow_mut();
        let ending = match given {
            Ok(Val::Effect(row)) => vec![EffectId(row)],
            Ok(Val::Sym(name)) => play.state.effects_where(effect_col::NAME, name.cell()),
            Ok(Val::Nil) => Vec::new(),
            _ => {
                drop(play);
                return c.expected(0, "an effect, or the name of one");
            }
        };
        for effect in ending {
            let get = |col| play.state.get(TableId::EFFECT, effect.0, col);
            // What has happened has happened.
            if get(effect_col::NAME) != 0 && get(effect_col::TIMES) != KEPT {
                play.end_effect(effect);
            }
        }
        Ok(Out::NIL)
    })?;
    api.add(
        "effect(name: text) -> effect",
        "The oldest effect of a name in force; nil if there is none.",
        |c| {
            let name = c.sym(0)?;
            all_effects(&c)?;
            let found = {
                let play = c.cx.play.borrow();
                c.cx.note(&play.state, TableId::EFFECT, effect_col::NAME);
                play.state.effects_where(effect_col::NAME, name.cell()).first().copied()
            };
            found.map_or(Ok(Out::NIL), |effect| Ok(Out::Val(Val::Effect(effect.0))))
        },
    )?;
    api.add("effects(name: text) -> list", "All effects of a name in force, oldest first.", |c| {
        let name = c.sym(0)?;
        all_effects(&c)?;
        let found = {
            let play = c.cx.play.borrow();
            c.cx.note(&play.state, TableId::EFFECT, effect_col::NAME);
            play.state.effects_where(effect_col::NAME, name.cell())
        };
        Ok(Out::list(found.into_iter().map(|effect| Val::Effect(effect.0)).collect()))
    })?;
    let key = api.cx.sym("about");
    api.add(
        "remember(name: text, about: any?)",
        "Notes for the rest of the game that something happened, perhaps to a thing; no `end_effect` ends it.",
        move |c| {
            c.cx.changing("remember")?;
            let (name, about) = (c.sym(0)?, about(&c)?);
            all_effects(&c)?;
            if c.cx.play.borrow().state.is_remembered(name, about) {
                return Ok(Out::NIL);
            }
            let args = about.map(|(tag, cell)| Arg { key, tag, cell });
            let args = args.into_iter().collect();
            start(&c, &NewEffect { name, times: KEPT, args, ..NewEffect::default() })?;
            Ok(Out::NIL)
        },
    )?;
    api.add(
        "has_ever(name: text, about: any?) -> bool",
        "Whether `remember` was called with that name; with a thing, whether about that thing.",
        |c| {
            let (name, about) = (c.sym(0)?, about(&c)?);
            all_effects(&c)?;
            let play = c.cx.play.borrow();
            c.cx.note(&play.state, TableId::EFFECT, effect_col::NAME);
            Ok(Out::truth(play.state.is_remembered(name, about)))
        },
    )
}

/// Pays for looking through all effects.
fn all_effects(c: &Call<'_>) -> mlua::Result<()> {
    c.cx.spend(u64::from(c.cx.play.borrow().state.rows(TableId::EFFECT)))
}

/// What something is remembered about, as the state keeps it.
fn about(c: &Call<'_>) -> mlua::Result<Option<(i32, i32)>> {
    if !c.has(1) {
        return Ok(None);
    }
    let val = c.val(1)?;
    if matches!(val, Val::Sym(_)) {
        val_cell(c.cx, &Type::Text, val).or_else(|why| c.wrong(1, why))?;
    }
    Ok(Some(arg_tag(val)))
}

fn start(c: &Call<'_>, new: &NewEffect) -> mlua::Result<Out> {
    for name in [new.name, new.until, new.on] {
        val_cell(c.cx, &Type::Text, if name.is_none() { Val::Nil } else { Val::Sym(name) })
            .or_else(|why| c.wrong(0, why))?;
    }
    let there = c.cx.play.borrow().state.rows(TableId::EFFECT);
    if there > AT_A_TIME {
        return c.wrong(0, format!("there are {there} effects already: something starts them without end"));
    }
    c.cx.spend(u64::from(there))?;
    let effect = {
        let mut play = c.cx.play.borrow_mut();
        play.changes.push(Change::StartEffect(new.name));
        let free = play.free_row(TableId::EFFECT);
        play.state.start_effect(new, free)
    };
    Ok(Out::Val(Val::Effect(effect.0)))
}

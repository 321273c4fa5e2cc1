//! Handlers as scripts describe them: the meta table with its paragraph and conditions.

use super::super::Call;
use crate::context::{ScriptContext, fail};
use crate::lua_ffi::Out;
use crate::registry::{Handler, Kind};
use crate::wrong_value::{Given, WrongValue};
use mlua::{Table, Value};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::Datum;
use std::cell::Cell;

/// The keys that a handler's meta table may have.
const META: &[&str] = &[
    "rule", "turns", "option", "without", "during", "side", "order", "stage", "stages", "when", "among",
    "run", "offer",
];

/// The last turn that `turns` can name.
const LAST_TURN: u32 = 63;

/// Most handlers of a game with its layers.
const HANDLERS: usize = 20_000;

/// Fails if there are as many handlers as there may be; looking through them for one of the same id is paid for.
pub(super) fn room_for_one(c: &Call<'_>) -> mlua::Result<()> {
    let there = c.cx.registry.borrow().handlers.len();
    if there >= HANDLERS {
        return c.wrong(0, format!("there are {there} handlers already; at most {HANDLERS} are registered"));
    }
    c.cx.spend(there as u64 / 16)
}

pub(super) fn register(c: &Call<'_>, handler: Handler) -> mlua::Result<Out> {
    if !c.cx.loading.get() {
        return c.wrong(0, "rules are registered while scripts load, not in play");
    }
    room_for_one(c)?;
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
pub(super) fn handler(
    c: &Call<'_>,
    kind: Kind,
    target: &str,
    id: &str,
    meta: &Table,
) -> mlua::Result<Handler> {
    for pair in meta.pairs::<Value, Value>() {
        let key = pair?.0.to_string()?;
        if !META.contains(&key.as_str()) {
            return fail(format!(
                "{} `{id}`: no key `{key}`{}",
                kind.name(),
                ScriptContext::nearest(&key, META.iter().copied())
            ));
        }
    }
    let text = |key: &str| meta.raw_get::<Option<String>>(key);
    let sym = |text: Option<String>| text.map_or(Sym::NONE, |text| c.cx.sym(&text));
    let side = match text("side")? {
        None => None,
        Some(name) => match c.cx.world.find_side(&name) {
            Some(side) => Some(side),
            None => return fail(format!("{} `{id}`: `{name}` is not a side", kind.name())),
        },
    };
    let turns = match text("turns")? {
        None => None,
        Some(text) => match ranges(&text) {
            Some(bits) => Some(bits),
            None => {
                return fail(format!(
                    "{} `{id}`: turns = \"{text}\"; expected numbers up to {LAST_TURN} such as \"1-3,5\"",
                    kind.name()
                ));
            }
        },
    };
    let (mut wanted, mut options) = (true, Vec::new());
    for (key, when) in [("option", true), ("without", false)] {
        if let Some(test) = text(key)? {
            options.push(test.split('=').next().unwrap_or_default().trim().to_string());
            wanted &= option_is(c.cx, &test)
                .map_err(|why| why.about(format_args!("{} `{id}`", kind.name())))?
                == when;
        }
    }
    let place = c.frame.place();
    let library = c.cx.registry.borrow().library_at(&place);
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
        layer: library.unwrap_or_else(|| c.cx.layer.get()),
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
        if low > high || high > LAST_TURN {
            return None;
        }
        for n in low..=high {
            bits |= 1 << n;
        }
    }
    Some(bits)
}

/// Whether an option is on, or has the value after `=`.
fn option_is(cx: &ScriptContext, test: &str) -> Given<bool> {
    let (id, want) = test.split_once('=').map_or((test, None), |(id, want)| (id.trim(), Some(want.trim())));
    let sym = cx.sym(id);
    let Some(option) = cx.world.options.iter().find(|option| option.id == sym) else {
        let ids = cx.world.options.iter().map(|option| cx.world.symbols.text(option.id));
        let nearest = ScriptContext::nearest(id, ids);
        return Err(WrongValue::Unknown { what: "option", name: id.into(), nearest }.into());
    };
    Ok(match (&option.value, want) {
        (Datum::Bool(b), None) => *b,
        (value, None) => {
            return Err(WrongValue::ValueNotSaid { id: id.into(), value: format!("{value:?}") }.into());
        }
        (Datum::Bool(b), Some(want)) => b.to_string() == want,
        (Datum::Int(n), Some(want)) => n.to_string() == want,
        (Datum::Text(text), Some(want)) => text == want,
        _ => false,
    })
}

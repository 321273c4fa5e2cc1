//! The methods of lists, and of what `reach` gives.

use crate::context::{ScriptContext, fail};
use crate::fields;
use crate::filter::{Filter, Of};
use crate::list::{Contents, List};
use crate::lua_ffi::{Arg, Frame, Methods, Out};
use crate::val::Val;
use mlua::{Function, Lua, Value};
use sandtable_kernel::map::{SpaceId, SpaceSet};
use sandtable_kernel::search::Reach;
use sandtable_kernel::state::{Place, TableId, piece_col};
use std::rc::Rc;

/// A field, or what a function at a place of the stack makes, of a value.
fn part(frame: &Frame<'_>, val: Val, by: i32) -> mlua::Result<Val> {
    match frame.arg(by) {
        Arg::Text(name) => fields::read_field(frame.cx, val, name),
        Arg::Function => {
            frame.copy(by)?;
            frame.push(val)?;
            frame.call(1, 1)?;
            let made = frame.val(-1);
            frame.pop(1);
            Ok(made?)
        }
        Arg::Nil => Ok(val),
        _ => fail("expected the name of a field or a function"),
    }
}

/// What makes a value equal to others: the given fields, or everything the kernel knows of a piece.
fn class(frame: &Frame<'_>, val: Val, fields: i32) -> mlua::Result<Vec<Val>> {
    if let (1, Val::Piece(piece)) = (fields, val) {
        frame.cx.existing(val)?;
        let play = frame.cx.play.borrow();
        let columns = &frame.cx.world.schema.tables[TableId::PIECE.0 as usize].columns;
        let own =
            [piece_col::COMPONENT, piece_col::SIDE, piece_col::PLACE, piece_col::LEVEL, piece_col::FACING];
        let kept = own.into_iter().chain(piece_col::COUNT..columns.len() as u16);
        return Ok(kept
            .map(|col| {
                frame.cx.note(&play.state, TableId::PIECE, col);
                Val::Int(play.state.get(TableId::PIECE, piece, col))
            })
            .collect());
    }
    if !matches!(val, Val::Piece(_) | Val::Space(_) | Val::Record(..) | Val::Effect(_)) {
        return Ok(vec![val]);
    }
    (2..=fields).map(|at| part(frame, val, at)).collect()
}

/// Whether a value passes the test that a function at a place of the stack makes.
fn passes(frame: &Frame<'_>, val: Val, by: i32) -> mlua::Result<bool> {
    frame.copy(by)?;
    frame.push(val)?;
    frame.call(1, 1)?;
    let holds = frame.is_truthy(-1);
    frame.pop(1);
    Ok(holds)
}

/// The values that pass a filter table or a function.
fn filter(frame: &Frame<'_>, list: List<'_>) -> mlua::Result<Out> {
    // An empty list does not know whether it is of pieces or of spaces.
    if list.len() == 0 {
        return Ok(Out::list(Vec::new()));
    }
    let cx = frame.cx;
    list.exists()?;
    match frame.arg(2) {
        Arg::Table => {
            let filter = Filter::new(frame, list.kind(), 2)?;
            let play = cx.play.borrow();
            filter.note_within(cx, &play.state, list);
            let pieces = list.kind() == Of::Pieces;
            let mut rows = rows_of(list);
            cx.spend(filter.work(rows.len()))?;
            filter.select(cx, &play.state, &mut rows, false);
            if !pieces && list.words().is_some() {
                return Ok(Out::spaces(rows.into_iter().map(SpaceId).collect()));
            }
            let val = if pieces { Val::Piece } else { Val::Space };
            Ok(Out::list(rows.into_iter().map(val).collect()))
        }
        Arg::Function => {
            let mut kept = Vec::new();
            for &val in list.vals().iter() {
                if passes(frame, val, 2)? {
                    kept.push(val);
                }
            }
            Ok(Out::list(kept))
        }
        _ => fail("filter: expected a table of fields or a function"),
    }
}

/// The pieces, or the spaces, of a list.
fn rows_of(list: List<'_>) -> Vec<u32> {
    let (vals, pieces) = match list.contents {
        Contents::Set(_) => return list.to_set().iter().map(|space| space.0).collect(),
        Contents::Vals(vals) => (vals, list.kind() == Of::Pieces),
    };
    let row = |val: &Val| match val {
        Val::Piece(row) if pieces => Some(*row),
        Val::Space(row) if !pieces => Some(*row),
        _ => None,
    };
    vals.iter().filter_map(row).collect()
}

/// Whether any value, or every one, passes: whether there is one if nothing is asked.
fn test(frame: &Frame<'_>, list: List<'_>, all: bool) -> mlua::Result<Out> {
    let cx = frame.cx;
    list.exists()?;
    match frame.arg(2) {
        Arg::Nil => return Ok(Out::truth(list.len() > 0)),
        _ if list.len() == 0 => {}
        Arg::Function => {
            for &val in list.vals().iter() {
                if passes(frame, val, 2)? != all {
                    return Ok(Out::truth(!all));
                }
            }
        }
        Arg::Table => {
            let filter = Filter::new(frame, list.kind(), 2)?;
            let play = cx.play.borrow();
            filter.note_within(cx, &play.state, list);
            let mut rows = rows_of(list);
            let there = rows.len();
            cx.spend(filter.work(there))?;
            filter.select(cx, &play.state, &mut rows, false);
            return Ok(Out::truth(if all { rows.len() == there } else { !rows.is_empty() }));
        }
        _ => return fail("expected a table of fields or a function"),
    }
    Ok(Out::truth(all))
}

/// Fails if a text or a number is looked for among spaces or pieces, which are never equal to one.
fn same_sort(frame: &Frame<'_>, list: &List<'_>, val: Val) -> mlua::Result<()> {
    if !matches!(val, Val::Sym(_) | Val::Int(_)) {
        return Ok(());
    }
    let what = match list.vals().first() {
        _ if list.words().is_some() => "space",
        Some(Val::Space(_)) => "space",
        Some(Val::Piece(_)) => "piece",
        _ => return Ok(()),
    };
    let (found, name) = (frame.cx.describe(val), frame.cx.name(val));
    fail(format!("this list holds {what}s; found {found}; write {what} \"{name}\""))
}

/// Combines a list with another list, a table of values, or one value.
fn combine(
    frame: &Frame<'_>,
    list: List<'_>,
    bits: fn(u64, u64) -> u64,
    vals: fn(&[Val], &[Val]) -> Vec<Val>,
) -> mlua::Result<Out> {
    let join = |own: &[u64], others: &[u64]| {
        let word = |words: &[u64], at: usize| words.get(at).copied().unwrap_or(0);
        let length = own.len().max(others.len());
        let words = (0..length).map(|at| bits(word(own, at), word(others, at))).collect();
        Ok(Out::spaces(SpaceSet::from_words(words)))
    };
    let other = match frame.list(2) {
        Some(other) => {
            if let (Some(own), Some(others)) = (list.words(), other.words()) {
                return join(own, others);
            }
            other.vals().into_owned()
        }
        None => {
            let vals = frame.vals(2)?;
            let space = |val: &Val| if let Val::Space(space) = val { Some(SpaceId(*space)) } else { None };
            let others: Option<SpaceSet> = vals.iter().map(space).collect();
            if let (Some(own), Some(others)) = (list.words(), others) {
                return join(own, others.words());
            }
            for &val in &vals {
                same_sort(frame, &list, val)?;
            }
            vals
        }
    };
    frame.cx.spend(product(other.len(), list.len()))?;
    Ok(Out::list(vals(&list.vals(), &other)))
}

/// What comparing each value of one list with each of another takes, in instructions.
fn product(a: usize, b: usize) -> u64 {
    (a as u64).saturating_mul(b as u64) / 16
}

/// What reading a field of one value of a list takes, in instructions.
const EACH: u64 = 4;

type Method = fn(&Frame<'_>, List<'_>) -> mlua::Result<Out>;

/// The methods of lists; the list is at 1, arguments from 2 on.
const METHODS: &[(&str, Method)] = &[
    ("filter", filter),
    ("any", |frame, list| test(frame, list, false)),
    ("all", |frame, list| test(frame, list, true)),
    ("has", |frame, list| {
        let val = frame.val(2)?;
        same_sort(frame, &list, val)?;
        frame.cx.spend(list.len() as u64 / 16)?;
        Ok(Out::truth(list.has(val)))
    }),
    ("first", |_, list| Ok(list.element(1).into())),
    ("last", |_, list| Ok(list.element(list.len() as i64).into())),
    ("plus", |frame, list| {
        combine(
            frame,
            list,
            |own, others| own | others,
            |own, others| {
                let new = others.iter().filter(|val| !own.contains(val));
                own.iter().chain(new).copied().collect()
            },
        )
    }),
    ("minus", |frame, list| {
        combine(
            frame,
            list,
            |own, others| own & !others,
            |own, others| own.iter().filter(|val| !others.contains(val)).copied().collect(),
        )
    }),
    ("both", |frame, list| {
        combine(
            frame,
            list,
            |own, others| own & others,
            |own, others| own.iter().filter(|val| others.contains(val)).copied().collect(),
        )
    }),
    ("take", |frame, list| match frame.int(2).map(usize::try_from) {
        Some(Ok(n)) => Ok(Out::list(list.vals().iter().take(n).copied().collect())),
        _ => fail("take: expected how many"),
    }),
    ("map", |frame, list| {
        let mut found = Vec::new();
        for &val in list.vals().iter() {
            frame.cx.spend(EACH)?;
            let made = part(frame, val, 2)?;
            if made != Val::Nil {
                found.push(made);
            }
        }
        Ok(Out::list(found))
    }),
    ("sum", |frame, list| {
        let mut sum = 0i64;
        for &val in list.vals().iter() {
            frame.cx.spend(EACH)?;
            match part(frame, val, 2)? {
                Val::Int(n) => sum = sum.saturating_add(n.into()),
                Val::Nil => {}
                other => return fail(format!("sum: expected numbers, found {}", frame.cx.describe(other))),
            }
        }
        Ok(Out::Int(sum))
    }),
    ("unique", |frame, list| {
        let mut vals: Vec<Val> = Vec::new();
        for &val in list.vals().iter() {
            frame.cx.spend(vals.len() as u64 / 16)?;
            if !vals.contains(&val) {
                vals.push(val);
            }
        }
        Ok(Out::list(vals))
    }),
    ("spaces", |frame, list| {
        list.exists()?;
        list.note(piece_col::PLACE);
        frame.cx.spend(list.len() as u64)?;
        let Some(least) = frame.int(2).and_then(|n| usize::try_from(n).ok()).filter(|&least| least > 1)
        else {
            return Ok(Out::spaces(list.to_set()));
        };
        let play = frame.cx.play.borrow();
        let space = |val: &Val| play.state.space_of(val.piece()?);
        let mut held: Vec<SpaceId> = list.vals().iter().filter_map(space).collect();
        held.sort_unstable();
        let full = held.chunk_by(SpaceId::eq).filter(|same| same.len() >= least).map(|same| same[0]);
        Ok(Out::spaces(full.collect()))
    }),
    ("distinct", |frame, list| {
        let fields = frame.top();
        let mut seen: Vec<Vec<Val>> = Vec::new();
        let mut vals = Vec::new();
        for &val in list.vals().iter() {
            frame.cx.spend(EACH * fields.unsigned_abs() as u64 + seen.len() as u64 / 4)?;
            let class = class(frame, val, fields)?;
            if !seen.contains(&class) {
                seen.push(class);
                vals.push(val);
            }
        }
        Ok(Out::list(vals))
    }),
    ("pieces", |frame, list| {
        list.exists()?;
        let play = frame.cx.play.borrow();
        frame.cx.note(&play.state, TableId::PIECE, piece_col::PLACE);
        let mut vals = Vec::new();
        for space in &list.to_set() {
            vals.extend(play.state.contents(Place::Space(space)).map(|piece| Val::Piece(piece.0)));
        }
        Ok(Out::list(vals))
    }),
];

type OfReach = fn(&Reach, SpaceId) -> Out;

/// The methods of what `reach` gives; the space is at 2.
const REACH: &[(&str, OfReach)] = &[
    ("cost", |reach, space| reach.cost(space).map_or(Val::Nil, Val::Int).into()),
    ("path", |reach, space| {
        let path = reach.path_to(space).into_iter().map(|space| Val::Space(space.0));
        Out::list(path.collect())
    }),
];

/// Walks lists, and tables as Lua does: the function that scripts know as `ipairs`.
pub(crate) fn walker(lua: &Lua, cx: &Rc<ScriptContext>) -> mlua::Result<Function> {
    let next = cx.bind(lua, |frame| {
        let n = frame.int(2).unwrap_or(0).saturating_add(1);
        let Some(list) = frame.list(1) else { return fail("ipairs: expected a list") };
        // The bits of a set are counted from its beginning.
        frame.cx.spend(list.words().map_or(0, |words| words.len() as u64 / 16))?;
        if n > list.len() as i64 {
            return Ok(Out::NIL);
        }
        frame.push_int(n)?;
        frame.push(list.element(n))?;
        Ok(Out::Pushed(2))
    })?;
    cx.lua_ffi.keep_walker(&next)?;
    let plain = Value::Function(lua.globals().raw_get("ipairs")?);
    cx.bind(lua, move |frame| {
        if frame.list(1).is_some() {
            frame.push_walker()?;
            frame.copy(1)?;
            frame.push_int(0)?;
            return Ok(Out::Pushed(3));
        }
        frame.push_value(&plain)?;
        frame.copy(1)?;
        frame.call(1, 3)?;
        Ok(Out::Pushed(3))
    })
}

/// Gives lists their methods.
pub(crate) fn bind(lua: &Lua, cx: &Rc<ScriptContext>) -> mlua::Result<()> {
    for &(name, method) in METHODS {
        let bound = cx.bind(lua, move |frame| match frame.list(1) {
            Some(list) => method(frame, list),
            None => fail(format!("{name}: expected a list before the colon")),
        })?;
        cx.method(Methods::List, name, bound)?;
    }
    for &(name, method) in REACH {
        let bound =
            cx.bind(lua, move |frame| match (frame.list(1).and_then(|list| list.reach), frame.val(2)) {
                (Some(reach), Ok(Val::Space(space))) => Ok(method(reach, SpaceId(space))),
                _ => fail(format!("{name}: expected a reach before the colon, and a space")),
            })?;
        cx.method(Methods::Reach, name, bound)?;
    }
    let element = cx.bind(lua, |frame| match (frame.list(1), frame.arg(2)) {
        (Some(list), Arg::Int(n)) => Ok(list.element(n).into()),
        (_, Arg::Text(name)) => {
            let name = frame.cx.text(name);
            let hint = ScriptContext::nearest(&name, METHODS.iter().map(|(name, _)| *name));
            fail(format!("a list has no `{name}`{hint}"))
        }
        _ => fail("a list is read by a number or the name of a method"),
    })?;
    cx.meta(Methods::List, "__index", cx.index(lua, Methods::List, element)?)?;
    let index = cx.bind(lua, |frame| {
        if frame.method(Methods::Reach, 2)? {
            return Ok(Out::Pushed(1));
        }
        match (frame.list(1), frame.bytes(2)) {
            (Some(list), Some(b"spaces")) => Ok(Out::spaces(list.to_set())),
            (_, name) => {
                let name = String::from_utf8_lossy(name.unwrap_or_default());
                fail(format!("a reach has no `{name}`; it has spaces, cost and path"))
            }
        }
    })?;
    cx.meta(Methods::Reach, "__index", index)?;
    for of in [Methods::List, Methods::Reach] {
        let length = cx.bind(lua, |frame| match frame.list(1) {
            Some(list) => Ok(Out::Int(list.len() as i64)),
            None => fail("expected a list"),
        })?;
        cx.meta(of, "__len", length)?;
        cx.meta(of, "__name", "list")?;
        cx.meta(of, "__metatable", false)?;
    }
    Ok(())
}

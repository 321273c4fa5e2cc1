//! Limits on what may stand together, as scripts ask for them and as the prelude sees that they hold.

use super::{Api, Call, recall};
use crate::context::{CachedAnswer, ScriptContext, fail};
use crate::limit::{excess, words};
use crate::lua_ffi::{Frame, Out};
use crate::val::Val;
use mlua::{Lua, Table};
use sandtable_kernel::map::SpaceSet;
use sandtable_kernel::world::SideId;
use std::rc::Rc;

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add(
        "full(limit: text, side: side?, coming: any?) -> spaces",
        "The spaces where no more may stand under a limit of that side, or not so much more: `coming` is a number, or the piece that would come. Without a side if the limit counts all together.",
        |c| {
            let number = limit(&c)?;
            let coming = match c.val(2)? {
                Val::Nil => Val::Int(1),
                Val::Int(_) => Val::Int(c.int_from(2, 1, 1)?),
                _ => Val::Piece(c.piece(2)?),
            };
            spaces(&c, number, coming)
        },
    )?;
    api.add(
        "overfull(limit: text, side: side?) -> spaces",
        "The spaces that hold more than may stand there under a limit.",
        |c| spaces(&c, limit(&c)?, Val::Int(0)),
    )
}

/// The spaces that would hold too much if something came, as kept since the last time if nothing has changed.
fn spaces(c: &Call<'_>, number: usize, coming: Val) -> mlua::Result<Out> {
    if c.cx.loading.get() {
        return c.wrong(0, "a limit is asked for in play; there is no game yet while scripts load");
    }
    let side = side(c, number)?.map_or(Val::Nil, |side| Val::Sym(c.cx.side_sym(side)));
    if c.cx.is_left_out(number) {
        return Ok(Out::spaces(SpaceSet::default()));
    }
    let handler = c.cx.limits[number].handler.get();
    c.cx.count(handler, [1, 0, 0]);
    Ok(match recall(c.frame, handler, [side, coming, Val::Nil])? {
        CachedAnswer::Val(val) => Out::Val(val),
        CachedAnswer::Slot(slot) => Out::Slot(slot),
    })
}

/// The number of the limit that is named.
fn limit(c: &Call<'_>) -> mlua::Result<usize> {
    let id = c.sym(0)?;
    let limits = &c.cx.world.limits;
    match limits.iter().position(|limit| limit.id == id) {
        Some(number) => Ok(number),
        None => {
            let name = c.text(0)?;
            let names = limits.iter().map(|limit| c.cx.world.symbols.text(limit.id));
            c.wrong(0, format!("no limit {name}{}", ScriptContext::nearest(&name, names)))
        }
    }
}

fn side(c: &Call<'_>, number: usize) -> mlua::Result<Option<SideId>> {
    match (c.cx.world.limits[number].together, c.has(1)) {
        (true, false) => Ok(None),
        (true, true) => c.wrong(1, "this limit counts all sides together: leave it out, or give nil"),
        (false, _) => c.side(1).map(Some),
    }
}

/// What the prelude needs to see that limits hold at their moments.
pub(super) fn bind_prelude(lua: &Lua, cx: &Rc<ScriptContext>, k: &Table) -> mlua::Result<()> {
    let shared = cx.clone();
    k.raw_set(
        "limits",
        lua.create_function(move |lua, (moment, event): (String, bool)| {
            let moment = shared.sym(&moment);
            let found: Vec<usize> = shared.limits_at(moment, event).collect();
            if found.is_empty() {
                return Ok(None);
            }
            let list = lua.create_table()?;
            for number in found {
                let entry = lua.create_table()?;
                entry.raw_set("limit", number)?;
                entry.raw_set("number", shared.limits[number].handler.get())?;
                let over = shared.world.limits[number].mended_by(moment);
                entry.raw_set("over", over.map(|over| shared.text(over)))?;
                list.raw_push(entry)?;
            }
            Ok(Some(list))
        })?,
    )?;
    k.raw_set("excess", cx.bind(lua, look)?)
}

/// The first space that holds too much, with its side and a mark of the state; nothing if there is none. Takes the limit, the moment, the
/// procedure that mends it and the mark of the last time. Fails if nothing mends it, or if the state is as it was at that mark.
fn look(frame: &Frame<'_>) -> mlua::Result<Out> {
    let cx = frame.cx;
    let number = frame.int(1).and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX);
    let Some(def) = cx.world.limits.get(number) else { return fail("there is no such limit") };
    let Some(&(space, side)) = excess(frame, number)?.first() else { return Ok(Out::NIL) };
    let mark = cx.play.borrow().state.digest() as i64;
    let text = |at| frame.bytes(at).map(|text| String::from_utf8_lossy(text).into_owned());
    let how = match text(3) {
        Some(over) if frame.int(4) == Some(mark) => format!("`{over}` changes nothing, and "),
        Some(_) => {
            frame.push(Val::Space(space.0))?;
            frame.push(side.map_or(Val::Nil, |side| Val::Sym(cx.side_sym(side))))?;
            frame.push_int(mark)?;
            return Ok(Out::Pushed(3));
        }
        None => format!("after {} ", text(2).unwrap_or_default().trim_end_matches(".end")),
    };
    let rules = if def.rules.is_empty() { String::new() } else { format!(" [{}]", def.rules.join(", ")) };
    let words = words(frame, number, space, side)?;
    fail(format!("limit {}{rules}: {how}{words}", cx.text(def.id)))
}

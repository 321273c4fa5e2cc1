//! Memoised queries: an answer stands until a column it read, or the answer of a query it asked, has changed.

use super::rules::{DEPTH, pure};
use crate::border::{Frame, Out, Part};
use crate::cx::{Kept, Memo, fail};
use crate::registry::MemoKey;
use crate::val::Val;

/// Most arguments of a query.
const ARGS: usize = 3;
/// Answers that are kept for a game in play.
const KEPT: usize = 8192;

/// Runs a query, or gives the result it gave before if nothing it was made from has changed.
pub(super) fn memoised(frame: &Frame<'_>, number: u32) -> mlua::Result<Out> {
    let cx = frame.cx;
    if cx.loading.get() {
        return fail("a query is asked in play; there is no game yet while scripts load");
    }
    let mut args = [Val::Nil; ARGS];
    for (at, val) in (1..).zip(&mut args) {
        match frame.val(at) {
            Ok(found) => *val = found,
            // The table of an ask is no key: a query given as `among` depends on what stands before it.
            Err(_) if frame.is_table(at) && !frame.is_table(1) => {}
            // Lists and other tables are no keys; such a call is simply pure.
            Err(_) => return plain(frame, number),
        }
    }
    let key = MemoKey::new(number, args);
    cx.count(number, [1, 0, 0]);
    {
        let registry = cx.registry.borrow();
        let handler = &registry.handlers[number as usize];
        handler.fired.set(handler.fired.get() + 1);
    }
    let (value, stamp) = fetch(frame, key, 0)?;
    cx.note_asked(key, stamp);
    Ok(match value {
        Kept::Val(val) => Out::Val(val),
        Kept::Slot(slot) => Out::Slot(slot),
    })
}

/// Calls a query with what was given, and keeps nothing.
fn plain(frame: &Frame<'_>, number: u32) -> mlua::Result<Out> {
    if !frame.handler(number, Part::Run) {
        return Ok(Out::NIL);
    }
    let args = frame.top() - 1;
    for at in 1..=args {
        frame.copy(at);
    }
    pure(frame.cx, || frame.call(args, 1))?;
    Ok(Out::Pushed(1))
}

/// The answer of a query with its stamp, worked out again only if a column it read or an answer it used has changed.
fn fetch(frame: &Frame<'_>, key: MemoKey, depth: usize) -> mlua::Result<(Kept, u64)> {
    let cx = frame.cx;
    let writes = cx.play.borrow().state.writes();
    let asked = {
        let play = cx.play.borrow();
        match play.memos.get(&key).filter(|_| !cx.forgetful.get()) {
            Some(memo) if memo.checked == writes => {
                return Ok((memo.value.clone(), memo.stamp));
            }
            Some(memo) if play.state.unwritten(&memo.reads, memo.checked) => Some(memo.asked.clone()),
            _ => None,
        }
    };
    if let Some(asked) = asked
        && depth < DEPTH
    {
        let mut same = true;
        for &(inner, stamp) in asked.iter() {
            if fetch(frame, inner, depth + 1)?.1 != stamp {
                same = false;
                break;
            }
        }
        if same && let Some(memo) = cx.play.borrow_mut().memos.get_mut(&key) {
            memo.checked = writes;
            return Ok((memo.value.clone(), memo.stamp));
        }
    }
    if cx.registry.borrow().handlers[key.query() as usize].disabled.get()
        || !frame.handler(key.query(), Part::Run)
    {
        return Ok((Kept::Val(Val::Nil), 0));
    }
    for val in key.args() {
        frame.push(val)?;
    }
    cx.open_reads();
    let result = cx.measured(key.query(), || pure(cx, || frame.call(ARGS as i32, 1)));
    let (reads, asked) = cx.close_reads();
    result?;
    let value = match frame.val(-1) {
        Ok(val) => {
            frame.pop(1);
            Kept::Val(val)
        }
        Err(_) => Kept::Slot(frame.keep()?),
    };
    let mut play = cx.play.borrow_mut();
    let play = &mut *play;
    if play.memos.len() > KEPT {
        play.memos.clear();
    }
    // An equal answer keeps its stamp, so that what was made from it stays good.
    if let Some(memo) = play.memos.get_mut(&key)
        && same_answer(&memo.value, &value)
    {
        (memo.reads, memo.asked, memo.checked) = (reads, asked, writes);
        return Ok((memo.value.clone(), memo.stamp));
    }
    play.stamp += 1;
    let stamp = play.stamp;
    play.memos.insert(key, Memo { value: value.clone(), reads, asked, stamp, checked: writes });
    Ok((value, stamp))
}

/// Whether two answers are the same by content.
fn same_answer(a: &Kept, b: &Kept) -> bool {
    match (a, b) {
        (Kept::Val(a), Kept::Val(b)) => a == b,
        (Kept::Slot(a), Kept::Slot(b)) => match (a.list(), b.list()) {
            (Some(a), Some(b)) => std::ptr::eq(a, b) || a.same(b),
            _ => false,
        },
        _ => false,
    }
}

//! Memoised queries: an answer stands until a column it read, or the answer of a query it asked, has changed.

use super::data::{NO_FUNCTIONS, freeze};
use super::rules::pure;
use crate::context::{CachedAnswer, Memo, Memos, Reads, ScriptContext, fail};
use crate::lua_ffi::{Frame, Out, Part};
use crate::registry::MemoKey;
use crate::val::Val;
use mlua::Value;

/// Most arguments of a query.
const ARGS: usize = 3;
/// Answers that are kept for a game in play; while one is being worked out more may come, up to the second number.
const KEPT: usize = 8_192;
const MOST_KEPT: usize = 8 * KEPT;
/// Answers that are looked at again within each other, through however many queries. Each takes some of the machine's own stack.
const LOOKS: u32 = 600;

/// Runs a query, or gives the result it gave before if nothing it was made from has changed.
pub(super) fn memoised(frame: &Frame<'_>, number: u32) -> mlua::Result<Out> {
    let cx = frame.cx;
    if cx.loading.get() {
        return fail("a query is asked in play; there is no game yet while scripts load");
    }
    // More than a key holds: such a call is simply pure.
    if frame.top() > ARGS as i32 {
        return plain(frame, number);
    }
    let mut args = [Val::Nil; ARGS];
    for (at, val) in (1..=frame.top()).zip(&mut args) {
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
    {
        let play = cx.play.borrow();
        if play.memos.list.len() >= MOST_KEPT && cx.is_tracking() && !play.memos.numbers.contains_key(&key) {
            drop(play);
            return plain(frame, number);
        }
    }
    let memo = fetch(frame, key)?;
    let (value, stamp) = {
        let play = cx.play.borrow();
        let memo = &play.memos.list[memo as usize];
        (memo.value.clone(), memo.stamp)
    };
    cx.note_asked(memo, stamp);
    Ok(match value {
        CachedAnswer::Val(val) => Out::Val(val),
        CachedAnswer::Slot(slot) => Out::Slot(slot),
    })
}

/// Asks something that is memoised from Rust: a query, or a limit.
pub(crate) fn recall(frame: &Frame<'_>, number: u32, args: [Val; ARGS]) -> mlua::Result<CachedAnswer> {
    let memo = fetch(frame, MemoKey::new(number, args))?;
    let (value, stamp) = {
        let play = frame.cx.play.borrow();
        let memo = &play.memos.list[memo as usize];
        (memo.value.clone(), memo.stamp)
    };
    frame.cx.note_asked(memo, stamp);
    Ok(value)
}

/// Calls a query with what was given, and keeps nothing.
fn plain(frame: &Frame<'_>, number: u32) -> mlua::Result<Out> {
    if !frame.handler(number, Part::Run)? {
        return Ok(Out::NIL);
    }
    let args = frame.top() - 1;
    frame.copy_all(1, args)?;
    pure(frame.cx, || frame.call(args, 1))?;
    Ok(Out::Pushed(1))
}

/// The memo of a query, good as it is or worked out now.
fn fetch(frame: &Frame<'_>, key: MemoKey) -> mlua::Result<u32> {
    let cx = frame.cx;
    let known = cx.play.borrow().memos.numbers.get(&key).copied();
    if let Some(memo) = known {
        refresh(frame, memo)?;
        return Ok(memo);
    }
    // Answers know those they were made from by number, so all go at once, and not while one is being worked out.
    if cx.play.borrow().memos.list.len() > KEPT && !cx.is_tracking() {
        cx.play.borrow_mut().memos = Memos::default();
    }
    cx.spend(50)?;
    let (value, reads) = work_out(frame, key)?;
    let mut play = cx.play.borrow_mut();
    let play = &mut **play;
    play.stamp += 1;
    let (stamp, checked) = (play.stamp, play.state.writes());
    let number = play.memos.list.len() as u32;
    play.memos.list.push(Memo { key, value, reads, stamp, checked });
    play.memos.numbers.insert(key, number);
    Ok(number)
}

/// Works a memo out again if a column it read or an answer it used has changed; gives its stamp.
fn refresh(frame: &Frame<'_>, number: u32) -> mlua::Result<u64> {
    let looks = &frame.cx.looks;
    looks.set(looks.get() + 1);
    let stamp = refreshed(frame, number);
    looks.set(looks.get().saturating_sub(1));
    stamp
}

fn refreshed(frame: &Frame<'_>, number: u32) -> mlua::Result<u64> {
    let cx = frame.cx;
    let (writes, good, asked, key) = {
        let play = cx.play.borrow();
        let (memo, writes) = (&play.memos.list[number as usize], play.state.writes());
        let bypass_memo = cx.bypass_memo.get();
        // Nothing at all was written since, so even who works everything out anew need not ask again.
        if memo.checked == writes {
            return Ok(memo.stamp);
        }
        let good =
            !bypass_memo && cx.looks.get() < LOOKS && play.state.unwritten(&memo.reads.columns, memo.checked);
        (writes, good, memo.reads.asked.len(), memo.key)
    };
    if good && all_stand(frame, number, asked)? {
        let memo = &mut cx.play.borrow_mut().memos.list[number as usize];
        memo.checked = writes;
        return Ok(memo.stamp);
    }
    let (value, reads) = work_out(frame, key)?;
    let mut play = cx.play.borrow_mut();
    let play = &mut **play;
    let memo = &mut play.memos.list[number as usize];
    // An equal answer keeps its stamp, so that what was made from it stays good.
    if !same_answer(cx, &memo.value, &value) {
        play.stamp += 1;
        (memo.value, memo.stamp) = (value, play.stamp);
    }
    memo.checked = writes;
    cx.reuse_reads(std::mem::replace(&mut memo.reads, reads));
    Ok(memo.stamp)
}

/// Whether the answers that a memo was made from are still the same.
fn all_stand(frame: &Frame<'_>, number: u32, asked: usize) -> mlua::Result<bool> {
    for at in 0..asked {
        frame.cx.spend(2)?;
        // Rules that ask each other in a circle may have worked this one out anew meanwhile.
        let asked = frame.cx.play.borrow().memos.list[number as usize].reads.asked.get(at).copied();
        match asked {
            Some((inner, stamp)) if refresh(frame, inner)? == stamp => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Runs a query: its answer, and what it read.
fn work_out(frame: &Frame<'_>, key: MemoKey) -> mlua::Result<(CachedAnswer, Reads)> {
    let cx = frame.cx;
    if cx.registry.borrow().handlers[key.query() as usize].disabled.get()
        || !frame.handler(key.query(), Part::Run)?
    {
        return Ok((CachedAnswer::Val(Val::Nil), Reads::default()));
    }
    for val in key.args() {
        frame.push(val)?;
    }
    cx.open_reads();
    let result = cx.measured(key.query(), || pure(cx, || frame.call(ARGS as i32, 1)));
    let reads = cx.close_reads();
    result?;
    let value = match frame.val(-1) {
        Ok(val) => {
            frame.pop(1);
            CachedAnswer::Val(val)
        }
        Err(_) => {
            // Who gets it later must not find it changed.
            match frame.value(-1)? {
                Value::Table(table) => {
                    let Some(lua) = cx.lua_ffi.lua() else { return fail("the VM is closed") };
                    let frozen = freeze(cx, &lua, table, 0)?;
                    frame.pop(1);
                    frame.push_value(&frozen)?;
                }
                Value::Function(_) => return fail(NO_FUNCTIONS),
                _ => {}
            }
            CachedAnswer::Slot(frame.keep()?)
        }
    };
    Ok((value, reads))
}

/// Whether two answers are the same by content.
fn same_answer(cx: &ScriptContext, a: &CachedAnswer, b: &CachedAnswer) -> bool {
    match (a, b) {
        (CachedAnswer::Val(a), CachedAnswer::Val(b)) => a == b,
        (CachedAnswer::Slot(a), CachedAnswer::Slot(b)) => a.same_list(b, cx),
        _ => false,
    }
}

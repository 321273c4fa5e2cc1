//! Memoised queries: an answer stands until a column it read, or the answer of a query it asked, has changed.

use super::rules::{DEPTH, pure};
use crate::cx::{Cx, Memo};
use crate::list::List;
use crate::registry::MemoKey;
use crate::val::Val;
use mlua::{MultiValue, Value};
use std::rc::Rc;

/// Runs a query, or gives the result it gave before if nothing it was made from has changed.
pub(super) fn memoised(lua: &mlua::Lua, cx: &Rc<Cx>, number: u32, args: [Value; 3]) -> mlua::Result<Value> {
    let mut vals = [Val::Nil; 3];
    for (val, arg) in vals.iter_mut().zip(&args) {
        match cx.val(arg) {
            Ok(found) => *val = found,
            // The table of an ask is no key: a query given as `among` depends on what stands before it.
            Err(_) if matches!(arg, Value::Table(_)) && !matches!(args[0], Value::Table(_)) => {}
            Err(_) => {
                // Lists and other tables are no keys; such a call is simply pure.
                let func = cx.registry.borrow().handlers[number as usize].func.clone();
                let Some(func) = func else { return Ok(Value::Nil) };
                return pure(cx, || func.call::<Value>(MultiValue::from_iter(args)));
            }
        }
    }
    let key = MemoKey { query: number, args: vals };
    cx.count(number, [1, 0, 0]);
    {
        let registry = cx.registry.borrow();
        let handler = &registry.handlers[number as usize];
        handler.fired.set(handler.fired.get() + 1);
    }
    let (value, stamp) = fetch(lua, cx, key, 0)?;
    cx.note_asked(key, stamp);
    Ok(value)
}

/// The answer of a query with its stamp, worked out again only if a column it read or an answer it used has changed.
fn fetch(lua: &mlua::Lua, cx: &Rc<Cx>, key: MemoKey, depth: usize) -> mlua::Result<(Value, u64)> {
    let writes = cx.play.borrow().state.writes();
    let asked = {
        let play = cx.play.borrow();
        match play.memos.get(&key) {
            Some(memo) if memo.checked == writes => {
                return Ok((memo.value.clone(), memo.stamp));
            }
            Some(memo) if memo.reads.iter().all(|&(index, version)| play.state.version(index) == version) => {
                Some(memo.asked.clone())
            }
            _ => None,
        }
    };
    if let Some(asked) = asked
        && depth < DEPTH
    {
        let mut same = true;
        for (inner, stamp) in asked {
            if fetch(lua, cx, inner, depth + 1)?.1 != stamp {
                same = false;
                break;
            }
        }
        if same && let Some(memo) = cx.play.borrow_mut().memos.get_mut(&key) {
            memo.checked = writes;
            return Ok((memo.value.clone(), memo.stamp));
        }
    }
    let func = {
        let registry = cx.registry.borrow();
        let handler = &registry.handlers[key.query as usize];
        if handler.disabled.get() { None } else { handler.func.clone() }
    };
    let Some(func) = func else { return Ok((Value::Nil, 0)) };
    let mut args = MultiValue::new();
    for val in key.args {
        args.push_back(cx.lua(lua, val)?);
    }
    cx.open_reads();
    let result = cx.measured(key.query, || pure(cx, || func.call::<Value>(args)));
    let (reads, asked) = cx.close_reads();
    let value = result?;
    let mut play = cx.play.borrow_mut();
    let play = &mut *play;
    if play.memos.len() > 8192 {
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
fn same_answer(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::UserData(a), Value::UserData(b)) => {
            a == b
                || match (a.borrow::<List>(), b.borrow::<List>()) {
                    (Ok(a), Ok(b)) => a.same(&b),
                    _ => false,
                }
        }
        (Value::Table(_), Value::Table(_)) => false,
        (a, b) => a == b,
    }
}

//! Decisions: building the list of legal options, narrowing it by rules, and answering by itself where there is no choice.

use super::rules::pure;
use super::{Api, active};
use crate::cx::{Cx, Reason, fail};
use crate::list::List;
use crate::registry::Kind;
use crate::val::{Answer, Choice, Decision, Offered, Opt, Val};
use mlua::{Function, Lua, MultiValue, Table, Value};
use sandtable_kernel::selection::{self, Bounds, Item};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use std::rc::Rc;

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.declare(
        "ask(side: side, prompt: text, ask: table?) -> any",
        "One of `among` (a list, or a function that gives it), or of the numbers `from` to `to`; nil when `none` was chosen.",
    );
    api.declare(
        "choose(side: side, prompt: text, ask: table) -> list",
        "Several of `among`, within `min`, `max`, `at_least` and `at_most` of their `cost`, and `test`; with `many` a basket {{item, n}, …}.",
    );
    api.declare(
        "menu(side: side, name: text, ask: table?) -> any",
        "One decision over all offers of a menu; runs the one chosen and gives its result, or \"done\" for `none`.",
    );
    api.declare(
        "together(branches: table) -> table",
        "Asks several sides at once: a function for each; what they give, by side, is known when all have answered.",
    );
    // They live in the prelude, because they yield; these are their Rust halves.
    let lua = api.lua;
    let k: Table = lua.named_registry_value("kernel")?;
    for (name, how) in [("ask", How::Ask), ("choose", How::Choose), ("menu", How::Menu)] {
        let cx = api.cx.clone();
        let f = lua.create_function(move |lua, (side, prompt, spec): (Value, Value, Table)| {
            decide(lua, &cx, &side, &prompt, spec, how)
        })?;
        k.raw_set(name, f)?;
    }
    api.add(
        "narrow(side: side, prompt: text, ask: table) -> list",
        "The options that the rules of a prompt leave of `among`, without asking.",
        |c| {
            let (side, prompt, spec) = (c.side(0)?, c.sym(1)?, c.table(2)?);
            let vals = among(c.cx, &spec, MultiValue::new())?;
            let wide: Vec<Opt> = vals.into_iter().map(|val| Opt { tag: Sym::NONE, val }).collect();
            let left = narrow(c.lua, c.cx, side, prompt, &spec, &wide)?;
            List::new(left.into_iter().map(|opt| opt.val).collect(), c.cx).into_lua(c.lua)
        },
    )
}

/// Most options of a decision.
const OPTIONS: usize = 10_000;
/// Most things to choose among at once: a selection is searched through for a proof that it can be made.
const CHOOSABLE: usize = 2_000;
/// Most of one thing in a basket.
const LIMIT: i32 = 9_999;

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Ask,
    Choose,
    Menu,
}

/// Where a simultaneous decision keeps the number of its branch.
pub(crate) const BRANCH: &str = "branch";

/// Answers a decision from the record or by itself, or leaves it pending.
///
/// Gives `true` and the value if it is answered, `false` if the prelude must yield.
fn decide(
    lua: &Lua,
    cx: &Rc<Cx>,
    side: &Value,
    prompt: &Value,
    spec: Table,
    how: How,
) -> mlua::Result<MultiValue> {
    let word = match how {
        How::Ask => "ask",
        How::Choose => "choose",
        How::Menu => "menu",
    };
    cx.changing(word)?;
    let (Ok(Val::Sym(side_name)), Ok(Val::Sym(prompt))) = (cx.val(side), cx.val(prompt)) else {
        return fail(format!("{word}: expected a side, a prompt and a table"));
    };
    let Some(side) = cx.side(side_name) else {
        return fail(format!("{word}: `{}` is no side", cx.text(side_name)));
    };
    let branch: u32 = lua.named_registry_value(BRANCH)?;
    let fed = if branch == 0 { cx.play.borrow_mut().feed.pop_front() } else { None };
    if let Some(choice) = fed {
        let values = values(lua, cx, &choice, how == How::Menu)?;
        cx.play.borrow_mut().answered.push(Answer { side, prompt, choice, forced: false });
        return Ok(with_true(values));
    }
    let decision = match how {
        How::Choose => selection(lua, cx, side, prompt, spec, branch)?,
        _ => list(lua, cx, side, prompt, spec, branch, how)?,
    };
    let always: bool = match &decision.spec {
        Some(spec) => spec.raw_get::<Option<bool>>("always")?.unwrap_or(false),
        None => false,
    };
    let only = match &decision.offered {
        Offered::List(options) if options.is_empty() => {
            return fail(format!(
                "dead end: {} has no option at `{}`{}",
                cx.text(side_name),
                cx.text(prompt),
                if decision.wide.is_empty() { "" } else { "; every option is refused by a rule" }
            ));
        }
        Offered::List(options) if options.len() == 1 && !always => Some(Choice::One(options[0])),
        Offered::Selection { values, bounds, .. } if !always && (values.is_empty() || bounds.max == 0) => {
            Some(Choice::Many(Vec::new()))
        }
        Offered::Selection { values, items, bounds, .. }
            if !always && items.iter().map(|item| item.most).sum::<u32>() <= bounds.min =>
        {
            Some(Choice::Many(values.iter().zip(items).map(|(&val, item)| (val, item.most)).collect()))
        }
        _ => None,
    };
    if let Some(choice) = only {
        let values = values(lua, cx, &choice, how == How::Menu)?;
        cx.play.borrow_mut().answered.push(Answer { side, prompt, choice, forced: true });
        return Ok(with_true(values));
    }
    cx.play.borrow_mut().pending.push(decision);
    Ok(MultiValue::from_iter([Value::Boolean(false)]))
}

fn with_true(mut values: MultiValue) -> MultiValue {
    values.push_front(Value::Boolean(true));
    values
}

/// What a script gets for an answer: the value; for a menu the offer and the value; for a selection a list or a basket.
pub(crate) fn values(lua: &Lua, cx: &Rc<Cx>, choice: &Choice, menu: bool) -> mlua::Result<MultiValue> {
    match choice {
        Choice::One(opt) if opt.val == Val::Sym(opt.tag) => Ok(MultiValue::from_iter([Value::Nil])),
        Choice::One(opt) if menu => {
            Ok(MultiValue::from_iter([cx.lua_text(lua, opt.tag)?, cx.lua(lua, opt.val)?]))
        }
        Choice::One(opt) => Ok(MultiValue::from_iter([cx.lua(lua, opt.val)?])),
        Choice::Many(chosen) => {
            if chosen.iter().all(|(_, n)| *n == 1)
                && !chosen.iter().any(|(val, _)| matches!(val, Val::Sym(_)))
            {
                let vals = chosen.iter().map(|(val, _)| *val).collect();
                return Ok(MultiValue::from_iter([List::new(vals, cx).into_lua(lua)?]));
            }
            let basket = lua.create_table()?;
            for &(val, n) in chosen {
                let entry = lua.create_table()?;
                entry.raw_push(cx.lua(lua, val)?)?;
                entry.raw_push(n)?;
                basket.raw_push(entry)?;
            }
            Ok(MultiValue::from_iter([Value::Table(basket)]))
        }
    }
}

/// The value of `among`, called if it is a function.
fn among(cx: &Rc<Cx>, spec: &Table, args: MultiValue) -> mlua::Result<Vec<Val>> {
    let value = match spec.raw_get::<Value>("among")? {
        Value::Function(f) => pure(cx, || f.call::<Value>(args))?,
        value => value,
    };
    cx.vals(&value).or_else(|why| fail(format!("`among`: {why}")))
}

fn list(
    lua: &Lua,
    cx: &Rc<Cx>,
    side: SideId,
    prompt: Sym,
    spec: Table,
    branch: u32,
    how: How,
) -> mlua::Result<Decision> {
    let mut wide = Vec::new();
    if how == How::Menu {
        offers(lua, cx, side, prompt, &spec, &mut wide)?;
    } else if spec.raw_get::<Value>("among")?.is_nil() {
        let end = |key: &str| spec.raw_get::<Option<i32>>(key);
        let (Ok(Some(from)), Ok(to)) = (end("from"), end("to")) else {
            return fail(format!("ask `{}`: give `among`, or the numbers `from` and `to`", cx.text(prompt)));
        };
        let to = to.unwrap_or(from);
        if i64::from(to) - i64::from(from) >= OPTIONS as i64 {
            return fail(format!("ask `{}`: {from} to {to} is more than {OPTIONS} options", cx.text(prompt)));
        }
        wide.extend((from..=to).map(|n| Opt { tag: Sym::NONE, val: Val::Int(n) }));
    } else {
        let vals = among(cx, &spec, MultiValue::new())?;
        wide.extend(vals.into_iter().map(|val| Opt { tag: Sym::NONE, val }));
    }
    if wide.len() > OPTIONS {
        let (n, prompt) = (wide.len(), cx.text(prompt));
        return fail(format!(
            "`{prompt}` has {n} options; more than {OPTIONS} must be broken into smaller choices"
        ));
    }
    let mut options = narrow(lua, cx, side, prompt, &spec, &wide)?;
    if let Some(none) = spec.raw_get::<Option<String>>("none")? {
        // The option that stands for none carries its own name as tag, which no other option does.
        let none = cx.sym(&none);
        options.push(Opt { tag: none, val: Val::Sym(none) });
    }
    Ok(Decision {
        side,
        prompt,
        offered: Offered::List(options),
        wide,
        spec: Some(spec),
        branch,
        menu: how == How::Menu,
    })
}

/// The options of a menu: every offer that holds now, once for each value it offers.
fn offers(
    lua: &Lua,
    cx: &Rc<Cx>,
    side: SideId,
    menu: Sym,
    spec: &Table,
    wide: &mut Vec<Opt>,
) -> mlua::Result<()> {
    let numbers = cx.registry.borrow().of(Kind::Offer, menu).to_vec();
    let side_name = cx.lua_text(lua, cx.side_sym(side))?;
    for number in numbers {
        let (tag, when, among) = {
            let registry = cx.registry.borrow();
            let offer = &registry.handlers[number as usize];
            if !active(cx, offer, Some(side)) {
                continue;
            }
            offer.fired.set(offer.fired.get() + 1);
            (offer.sym, offer.when.clone(), offer.among.clone())
        };
        if let Some(when) = when {
            let holds =
                cx.measured(number, || pure(cx, || when.call::<Value>((side_name.clone(), spec.clone()))))?;
            if matches!(holds, Value::Nil | Value::Boolean(false)) {
                continue;
            }
        }
        match among {
            None => wide.push(Opt { tag, val: Val::Nil }),
            Some(among) => {
                let value = cx.measured(number, || {
                    pure(cx, || among.call::<Value>((side_name.clone(), spec.clone())))
                })?;
                let vals = cx.vals(&value).or_else(|why| fail(format!("`among`: {why}")))?;
                wide.extend(vals.into_iter().map(|val| Opt { tag, val }));
            }
        }
    }
    Ok(())
}

/// Narrows options by the `forbid` and `prefer` rules of a prompt.
pub(crate) fn narrow(
    lua: &Lua,
    cx: &Rc<Cx>,
    side: SideId,
    prompt: Sym,
    spec: &Table,
    wide: &[Opt],
) -> mlua::Result<Vec<Opt>> {
    let mut options = wide.to_vec();
    for (number, func, whole) in rules(cx, Kind::Forbid, prompt, side) {
        if whole {
            let mut kept = Vec::with_capacity(options.len());
            let mut refused = Vec::new();
            let mut asked: Option<Sym> = None;
            for opt in options {
                // Options of a menu come offer by offer; the rule is asked once for each.
                if asked != Some(opt.tag) {
                    asked = Some(opt.tag);
                    if !opt.tag.is_none() {
                        spec.raw_set("offer", cx.lua_text(lua, opt.tag)?)?;
                    }
                    refused = cx.measured(number, || refused_list(cx, &func, spec))?.0;
                }
                if !refused.contains(&opt.val) || waived(lua, cx, number, side, spec, opt)? {
                    kept.push(opt);
                }
            }
            options = kept;
            continue;
        }
        let mut kept = Vec::with_capacity(options.len());
        for opt in options {
            if !cx.measured(number, || call(lua, cx, &func, spec, opt))?
                || waived(lua, cx, number, side, spec, opt)?
            {
                kept.push(opt);
            }
        }
        options = kept;
    }
    for (_, func, _) in rules(cx, Kind::Prefer, prompt, side) {
        let mut liked = Vec::new();
        for &opt in &options {
            if call(lua, cx, &func, spec, opt)? {
                liked.push(opt);
            }
        }
        if !liked.is_empty() {
            options = liked;
        }
    }
    Ok(options)
}

/// The handlers of a kind for a prompt whose conditions hold, with their functions.
fn rules(cx: &Cx, kind: Kind, prompt: Sym, side: SideId) -> Vec<(u32, Function, bool)> {
    let registry = cx.registry.borrow();
    let mut found = Vec::new();
    for &number in registry.of(kind, prompt) {
        let handler = &registry.handlers[number as usize];
        if active(cx, handler, Some(side))
            && let Some(func) = &handler.func
        {
            handler.fired.set(handler.fired.get() + 1);
            found.push((number, func.clone(), handler.whole));
        }
    }
    found
}

fn call(lua: &Lua, cx: &Rc<Cx>, func: &Function, spec: &Table, opt: Opt) -> mlua::Result<bool> {
    if !opt.tag.is_none() {
        spec.raw_set("offer", cx.lua_text(lua, opt.tag)?)?;
    }
    let value = cx.lua(lua, opt.val)?;
    let answer = pure(cx, || func.call::<Value>((value, spec.clone())))?;
    Ok(!matches!(answer, Value::Nil | Value::Boolean(false)))
}

fn refused_list(cx: &Rc<Cx>, func: &Function, spec: &Table) -> mlua::Result<(Vec<Val>, bool)> {
    let (list, why): (Value, Value) = pure(cx, || func.call((spec.clone(),)))?;
    let vals = cx.vals(&list).or_else(fail)?;
    Ok((vals, !why.is_nil()))
}

fn waived(lua: &Lua, cx: &Rc<Cx>, forbid: u32, side: SideId, spec: &Table, opt: Opt) -> mlua::Result<bool> {
    let target = cx.registry.borrow().handlers[forbid as usize].sym;
    for (_, func, _) in rules(cx, Kind::Waive, target, side) {
        if call(lua, cx, &func, spec, opt)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Why an option is refused: every rule that refuses it and is not waived, and the preferences it fails.
pub(crate) fn explain(lua: &Lua, cx: &Rc<Cx>, decision: &Decision, opt: Opt) -> mlua::Result<Vec<Reason>> {
    let Some(spec) = &decision.spec else { return Ok(Vec::new()) };
    let mut reasons = Vec::new();
    cx.explaining.set(true);
    for (number, func, whole) in rules(cx, Kind::Forbid, decision.prompt, decision.side) {
        cx.reason.borrow_mut().take();
        if !opt.tag.is_none() {
            spec.raw_set("offer", cx.lua_text(lua, opt.tag)?)?;
        }
        let refused = if whole {
            refused_list(cx, &func, spec)?.0.contains(&opt.val)
        } else {
            call(lua, cx, &func, spec, opt)?
        };
        let reason = cx.reason.borrow_mut().take();
        if refused && !waived(lua, cx, number, decision.side, spec, opt)? {
            let reason = reason.unwrap_or(Reason { handler: 0, text: String::new(), args: Vec::new() });
            reasons.push(Reason { handler: number, ..reason });
        }
    }
    if reasons.is_empty() {
        for (number, func, _) in rules(cx, Kind::Prefer, decision.prompt, decision.side) {
            if !call(lua, cx, &func, spec, opt)? {
                let text = "others come first".to_string();
                reasons.push(Reason { handler: number, text, args: Vec::new() });
            }
        }
    }
    cx.explaining.set(false);
    Ok(reasons)
}

fn selection(
    lua: &Lua,
    cx: &Rc<Cx>,
    side: SideId,
    prompt: Sym,
    spec: Table,
    branch: u32,
) -> mlua::Result<Decision> {
    let wide: Vec<Opt> =
        among(cx, &spec, MultiValue::new())?.into_iter().map(|val| Opt { tag: Sym::NONE, val }).collect();
    if wide.len() > CHOOSABLE {
        let (n, prompt) = (wide.len(), cx.text(prompt));
        return fail(format!(
            "`{prompt}` chooses among {n} things; more than {CHOOSABLE} must be broken into smaller choices"
        ));
    }
    let options = narrow(lua, cx, side, prompt, &spec, &wide)?;
    let many = spec.raw_get::<Option<bool>>("many")?.unwrap_or(false);
    let number = |key: &str| spec.raw_get::<Option<i64>>(key);
    let (at_least, at_most) =
        (number("at_least")?.unwrap_or(0), number("at_most")?.unwrap_or(i32::MAX.into()));
    let per_item = |key: &str, val: Val| -> mlua::Result<Option<i32>> {
        Ok(match spec.raw_get::<Value>(key)? {
            Value::Nil => None,
            Value::Function(f) => Some(pure(cx, || f.call::<i32>(cx.lua(lua, val)?))?),
            Value::Integer(n) => Some(n as i32),
            field @ Value::String(_) => match cx.lua(lua, val)? {
                Value::UserData(handle) => mlua::ObjectLike::get::<Option<i32>>(&handle, field)?,
                _ => None,
            },
            _ => None,
        })
    };
    let mut items = Vec::new();
    for opt in &options {
        let cost = per_item("cost", opt.val)?.unwrap_or(0).max(0);
        let affordable = if cost > 0 { (at_most / i64::from(cost)).clamp(0, 999) as u32 } else { 999 };
        let most = match per_item("limit", opt.val)? {
            Some(n) => n.clamp(0, LIMIT) as u32,
            None if many => affordable,
            None => 1,
        };
        items.push(Item { cost, most });
    }
    let there: u32 = items.iter().fold(0u32, |sum, item| sum.saturating_add(item.most));
    let bounds = Bounds {
        min: number("min")?.unwrap_or(0).max(0) as u32,
        max: number("max")?.map_or(there, |n| (n.max(0) as u32).min(there)),
        at_least: at_least as i32,
        at_most: at_most.clamp(0, i32::MAX.into()) as i32,
    };
    let test: Option<Function> = spec.raw_get("test")?;
    let values: Vec<Val> = options.iter().map(|opt| opt.val).collect();
    let mut error = None;
    let proof = selection::complete(&items, &bounds, &mut |_, _| 0, &mut |chosen| {
        passes(lua, cx, &values, chosen, test.as_ref()).unwrap_or_else(|why| {
            error = Some(why);
            true
        })
    });
    if let Some(error) = error {
        return Err(error);
    }
    let Some(proof) = proof else {
        return fail(format!(
            "dead end: no selection at `{}` keeps to its bounds ({} to {} of {} things, cost {} to {})",
            cx.text(prompt),
            bounds.min,
            bounds.max,
            there,
            bounds.at_least,
            bounds.at_most
        ));
    };
    let offered = Offered::Selection { values, items, bounds, test, proof };
    Ok(Decision { side, prompt, offered, wide, spec: Some(spec), branch, menu: false })
}

/// Whether a selection passes the test of the whole.
pub(crate) fn passes(
    lua: &Lua,
    cx: &Rc<Cx>,
    values: &[Val],
    chosen: &[u32],
    test: Option<&Function>,
) -> mlua::Result<bool> {
    let Some(test) = test else { return Ok(true) };
    let chosen = values.iter().zip(chosen).filter(|(_, n)| **n > 0).map(|(val, n)| (*val, *n)).collect();
    let values = self::values(lua, cx, &Choice::Many(chosen), false)?;
    let answer = pure(cx, || test.call::<Value>(values))?;
    Ok(!matches!(answer, Value::Nil | Value::Boolean(false)))
}

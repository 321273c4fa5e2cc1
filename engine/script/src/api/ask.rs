//! Decisions: building the list of legal options, narrowing it by rules, and answering by itself where there is no choice.

use super::Api;
use super::asked::Asked;
use super::rules::pure;
use crate::context::{Reason, ScriptContext, fail};
use crate::error::ScriptError;
use crate::list::NewList;
use crate::lua_ffi::{Frame, Out, Slot};
use crate::registry::Kind;
use crate::val::{Answer, Choice, Decision, Offered, Opt, Test, Val};
use mlua::{Lua, MultiValue, Table, Value};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use std::rc::Rc;

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.declare(
        "ask(side: side, prompt: text, ask: table?) -> any",
        "One of `among` (a list, or a function that gives it), or of the numbers `from` to `to`; nil when `none` was chosen.",
    );
    api.declare(
        "ask_each(side: side, prompt: text, ask: table, take: function)",
        "Asks again and again and gives each choice to `take`, until `none` is chosen, which is offered from the `least` choice on.",
    );
    api.declare(
        "choose(side: side, prompt: text, ask: table) -> list",
        "Several of `among`, within `min`, `max`, `at_least` and `at_most` of their `cost`, and `test`. With `many`, or a `limit` of each, the same thing several times: a basket {{item, n}, …}.",
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
    let k: Table = api.lua.named_registry_value("kernel")?;
    for (name, how) in [("ask", How::Ask), ("choose", How::Choose), ("menu", How::Menu)] {
        k.raw_set(name, api.cx.bind(api.lua, move |frame| decide(frame, how))?)?;
    }
    api.add(
        "narrow(side: side, prompt: text, ask: table) -> list",
        "The options that the rules of a prompt leave of `among`, without asking.",
        |c| {
            let (side, prompt) = (c.side(0)?, c.sym(1)?);
            if !c.frame.is_table(SPEC) {
                return c.expected(2, "a table");
            }
            let asked = Asked::new(c.frame, side, prompt, SPEC);
            let candidates: Vec<Opt> =
                asked.among()?.into_iter().map(|val| Opt { tag: Sym::NONE, val }).collect();
            let left = asked.narrow(&candidates)?;
            Ok(Out::list(left.into_iter().map(|opt| opt.val).collect()))
        },
    )
}

/// Where the table of an ask lies on the stack.
const SPEC: i32 = 3;
/// Most options of a decision.
pub(super) const OPTIONS: usize = 10_000;
/// Most things to choose among at once: a selection is searched through for a proof that it can be made.
pub(super) const CHOOSABLE: usize = 2_000;
/// What an answer takes that nobody has to give, in instructions.
const FORCED: u64 = 2_000;
/// Most of one thing in a basket.
pub(super) const LIMIT: i32 = 9_999;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Ask,
    Choose,
    Menu,
}

/// Answers a decision from the record or by itself, or leaves it pending.
///
/// Gives `true` and the value if it is answered, `false` if the prelude must yield.
fn decide(frame: &Frame<'_>, how: How) -> mlua::Result<Out> {
    let cx = frame.cx;
    let word = match how {
        How::Ask => "ask",
        How::Choose => "choose",
        How::Menu => "menu",
    };
    cx.asking(word)?;
    let (Ok(Val::Sym(side_name)), Ok(Val::Sym(prompt)), true) =
        (frame.val(1), frame.val(2), frame.is_table(SPEC))
    else {
        return fail(format!("{word}: expected a side, a prompt and a table"));
    };
    let Some(side) = cx.side(side_name) else {
        let name = cx.text(side_name);
        let sides: Vec<&str> =
            (0..).zip(&cx.world.sides).map(|(at, _)| cx.world.side_name(SideId(at))).collect();
        return fail(format!("{word}: `{name}` is not a side; the sides are {}", sides.join(", ")));
    };
    let branch = cx.branch.get();
    if branch != 0 && branch != u32::from(side.0) + 1 {
        let (own, name) = (cx.world.side_name(SideId(branch as u8 - 1)), cx.text(side_name));
        return fail(format!(
            "{word}: the part of {own} in `together` asks {name}; each side's part asks that side alone"
        ));
    }
    let fed = if branch == 0 { cx.play.borrow_mut().feed.pop_front() } else { None };
    if let Some(choice) = fed {
        // It was given before, as any other answer: what may run until the next begins anew.
        cx.refill();
        return answered(frame, Answer { side, prompt, choice, forced: false }, how);
    }
    let asked = Asked::new(frame, side, prompt, SPEC);
    let (offered, candidates) = match how {
        How::Choose => asked.selection()?,
        _ => asked.list(how)?,
    };
    let always = asked.truth("always")? || cx.play.borrow().ask_forced;
    let only = match &offered {
        Offered::List(options) if options.is_empty() => {
            let (who, what) = (cx.text(side_name), cx.text(prompt));
            let why = refusals(&asked, &candidates)?;
            return ScriptError::dead_end(format!("{who} has no option at `{what}`{why}"));
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
        // Every answer is kept, forced ones too.
        cx.spend(FORCED)?;
        return answered(frame, Answer { side, prompt, choice, forced: true }, how);
    }
    frame.copy(SPEC)?;
    let spec = Some(frame.keep()?);
    let (menu, basket) = (how == How::Menu, how == How::Choose && asked.is_basket()?);
    let decision = Decision { side, prompt, offered, candidates, spec, branch, menu, basket };
    cx.play.borrow_mut().pending.push(decision);
    Ok(Out::truth(false))
}

/// Notes an answer and gives the script what it means.
fn answered(frame: &Frame<'_>, answer: Answer, how: How) -> mlua::Result<Out> {
    frame.push(Val::Bool(true))?;
    let pushed = match &answer.choice {
        Choice::One(opt) if opt.val == Val::Sym(opt.tag) => {
            frame.push(Val::Nil)?;
            2
        }
        Choice::One(opt) if how == How::Menu => {
            frame.push(Val::Sym(opt.tag))?;
            frame.push(opt.val)?;
            3
        }
        Choice::One(opt) => {
            frame.push(opt.val)?;
            2
        }
        Choice::Many(_) => {
            let Some(lua) = frame.cx.lua_ffi.lua() else { return fail("the VM is closed") };
            let asked = Asked::new(frame, answer.side, answer.prompt, SPEC);
            for value in values(&lua, frame.cx, &answer.choice, how == How::Menu, asked.is_basket()?)? {
                frame.push_value(&value)?;
            }
            2
        }
    };
    let mut play = frame.cx.play.borrow_mut();
    let at = play.mark();
    play.answered.push(answer);
    play.answered_at.push(at);
    Ok(Out::Pushed(pushed))
}

/// What a script gets for an answer: the value; for a menu the offer and the value; for a selection a list or a basket.
pub(crate) fn values(
    lua: &Lua,
    cx: &Rc<ScriptContext>,
    choice: &Choice,
    menu: bool,
    basket: bool,
) -> mlua::Result<MultiValue> {
    match choice {
        Choice::One(opt) if opt.val == Val::Sym(opt.tag) => Ok(MultiValue::from_iter([Value::Nil])),
        Choice::One(opt) if menu => {
            Ok(MultiValue::from_iter([cx.lua_text(lua, opt.tag)?, cx.lua(lua, opt.val)?]))
        }
        Choice::One(opt) => Ok(MultiValue::from_iter([cx.lua(lua, opt.val)?])),
        Choice::Many(chosen) => {
            if !basket {
                let vals = chosen.iter().map(|(val, _)| *val).collect();
                return Ok(MultiValue::from_iter([cx.make_list(NewList::Vals(vals))?]));
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

/// Why an option is refused: every rule that refuses it and is not waived, and the preferences it fails.
pub(crate) fn explain(
    cx: &Rc<ScriptContext>,
    decision: &Decision,
    spec: &Slot,
    opt: Opt,
) -> mlua::Result<Vec<Reason>> {
    cx.within((), |frame| {
        frame.push_slot(spec)?;
        let asked = Asked::new(frame, decision.side, decision.prompt, 1);
        cx.explaining.set(true);
        let reasons = reasons(&asked, opt);
        cx.explaining.set(false);
        reasons
    })
}

/// Which rules refuse the options of a dead end, in words.
pub(super) fn refusals(asked: &Asked<'_>, candidates: &[Opt]) -> mlua::Result<String> {
    let mut handlers: Vec<u32> = Vec::new();
    for &opt in candidates.iter().take(EXPLAINED) {
        handlers.extend(reasons(asked, opt)?.iter().map(|reason| reason.handler));
    }
    handlers.sort_unstable();
    handlers.dedup();
    let registry = asked.frame.cx.registry.borrow();
    let named = handlers.iter().filter_map(|&number| registry.handlers.get(number as usize)).map(|handler| {
        let rules = handler.rules.join(", ");
        if rules.is_empty() { handler.id.clone() } else { format!("{} [{rules}]", handler.id) }
    });
    let named: Vec<String> = named.collect();
    Ok(if named.is_empty() { String::new() } else { format!("; all are refused, by {}", named.join(", ")) })
}

/// Options of a dead end whose refusals are looked for.
const EXPLAINED: usize = 200;

fn reasons(asked: &Asked<'_>, opt: Opt) -> mlua::Result<Vec<Reason>> {
    let cx = asked.frame.cx;
    let mut reasons = Vec::new();
    for rule in asked.rules(Kind::Forbid, asked.prompt) {
        let number = rule.number;
        if !cx.registry.borrow().handlers[number as usize].is_about(opt.tag) {
            continue;
        }
        cx.reason.borrow_mut().take();
        asked.set_offer(opt.tag)?;
        let refused =
            if rule.whole { asked.refused_list(number)?.holds(opt.val) } else { asked.test(number, opt)? };
        let reason = cx.reason.borrow_mut().take();
        if refused && !asked.waived(number, opt)? {
            let reason = reason.unwrap_or(Reason { handler: 0, text: String::new(), args: Vec::new() });
            reasons.push(Reason { handler: number, ..reason });
        }
    }
    if reasons.is_empty() {
        for rule in asked.rules(Kind::Prefer, asked.prompt) {
            let number = rule.number;
            let about = cx.registry.borrow().handlers[number as usize].is_about(opt.tag);
            if about && !asked.test(number, opt)? {
                let text = "others come first".to_string();
                reasons.push(Reason { handler: number, text, args: Vec::new() });
            }
        }
    }
    Ok(reasons)
}

/// Whether a selection passes the test of the whole.
pub(crate) fn passes(
    lua: &Lua,
    cx: &Rc<ScriptContext>,
    values: &[Val],
    chosen: &[u32],
    test: Option<&Test>,
) -> mlua::Result<bool> {
    let Some(test) = test else { return Ok(true) };
    let chosen = values.iter().zip(chosen).filter(|(_, n)| **n > 0).map(|(val, n)| (*val, *n)).collect();
    let values = self::values(lua, cx, &Choice::Many(chosen), false, test.basket)?;
    let answer = pure(cx, || test.function.call::<Value>(values))?;
    Ok(!matches!(answer, Value::Nil | Value::Boolean(false)))
}

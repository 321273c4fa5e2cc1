//! Decisions: building the list of legal options, narrowing it by rules, and answering by itself where there is no choice.

use super::rules::pure;
use super::{Api, active};
use crate::border::{Arg, Frame, Out, Part};
use crate::cx::{Cx, Reason, fail};
use crate::handle;
use crate::list::List;
use crate::registry::Kind;
use crate::val::{Answer, Choice, Decision, Offered, Opt, Val};
use mlua::{Function, Lua, MultiValue, Table, Value};
use sandtable_kernel::map::{SpaceId, SpaceSet};
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
            let asked = Asked { frame: c.frame, side, prompt, spec: SPEC };
            let wide: Vec<Opt> = asked.among()?.into_iter().map(|val| Opt { tag: Sym::NONE, val }).collect();
            let left = asked.narrow(&wide)?;
            Ok(Out::List(List::new(left.into_iter().map(|opt| opt.val).collect(), c.cx)))
        },
    )
}

/// Where the table of an ask lies on the stack.
const SPEC: i32 = 3;
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
    cx.changing(word)?;
    let (Ok(Val::Sym(side_name)), Ok(Val::Sym(prompt)), true) =
        (frame.val(1), frame.val(2), frame.is_table(SPEC))
    else {
        return fail(format!("{word}: expected a side, a prompt and a table"));
    };
    let Some(side) = cx.side(side_name) else {
        return fail(format!("{word}: `{}` is no side", cx.text(side_name)));
    };
    let branch = cx.branch.get();
    let fed = if branch == 0 { cx.play.borrow_mut().feed.pop_front() } else { None };
    if let Some(choice) = fed {
        return answered(frame, Answer { side, prompt, choice, forced: false }, how);
    }
    let asked = Asked { frame, side, prompt, spec: SPEC };
    let (offered, wide) = match how {
        How::Choose => asked.selection()?,
        _ => asked.list(how)?,
    };
    let always = asked.truth("always");
    let only = match &offered {
        Offered::List(options) if options.is_empty() => {
            return fail(format!(
                "dead end: {} has no option at `{}`{}",
                cx.text(side_name),
                cx.text(prompt),
                if wide.is_empty() { "" } else { "; every option is refused by a rule" }
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
        return answered(frame, Answer { side, prompt, choice, forced: true }, how);
    }
    let Value::Table(spec) = frame.value(SPEC) else { return fail("the ask is no table") };
    let decision = Decision { side, prompt, offered, wide, spec: Some(spec), branch, menu: how == How::Menu };
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
            let Some(lua) = frame.cx.border.lua() else { return fail("the VM is closed") };
            for value in values(&lua, frame.cx, &answer.choice, how == How::Menu)? {
                frame.push_value(&value)?;
            }
            2
        }
    };
    frame.cx.play.borrow_mut().answered.push(answer);
    Ok(Out::Pushed(pushed))
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

/// A decision being made up: who is asked what, and where its table lies on the stack.
#[derive(Clone, Copy)]
struct Asked<'a> {
    frame: &'a Frame<'a>,
    side: SideId,
    prompt: Sym,
    spec: i32,
}

impl Asked<'_> {
    fn truth(&self, key: &str) -> bool {
        let found = self.frame.field(self.spec, key);
        let holds = found && self.frame.holds(-1);
        if found {
            self.frame.pop(1);
        }
        holds
    }

    fn int(&self, key: &str) -> mlua::Result<Option<i64>> {
        if !self.frame.field(self.spec, key) {
            return Ok(None);
        }
        let Some(n) = self.frame.int(-1) else {
            return fail(format!("`{}`: `{key}` is no whole number", self.frame.cx.text(self.prompt)));
        };
        self.frame.pop(1);
        Ok(Some(n))
    }

    /// The value of `among`, called if it is a function.
    fn among(&self) -> mlua::Result<Vec<Val>> {
        if !self.frame.field(self.spec, "among") {
            return Ok(Vec::new());
        }
        if self.frame.is_function(-1) {
            pure(self.frame.cx, || self.frame.call(0, 1))?;
        }
        self.take_vals("`among`")
    }

    /// The values on top of the stack, which are taken off.
    fn take_vals(&self, what: &str) -> mlua::Result<Vec<Val>> {
        let vals = self.frame.vals(self.frame.top()).or_else(|why| fail(format!("{what}: {why}")))?;
        self.frame.pop(1);
        Ok(vals)
    }

    fn list(&self, how: How) -> mlua::Result<(Offered, Vec<Opt>)> {
        let cx = self.frame.cx;
        let mut wide = Vec::new();
        if how == How::Menu {
            self.offers(&mut wide)?;
        } else if self.frame.field(self.spec, "among") {
            self.frame.pop(1);
            wide.extend(self.among()?.into_iter().map(|val| Opt { tag: Sym::NONE, val }));
        } else {
            let (Some(from), to) = (self.int("from")?, self.int("to")?) else {
                let prompt = cx.text(self.prompt);
                return fail(format!("ask `{prompt}`: give `among`, or the numbers `from` and `to`"));
            };
            let to = to.unwrap_or(from);
            let (Ok(low), Ok(high), true) =
                (i32::try_from(from), i32::try_from(to), to.saturating_sub(from) < OPTIONS as i64)
            else {
                let prompt = cx.text(self.prompt);
                return fail(format!("ask `{prompt}`: {from} to {to} is more than {OPTIONS} options"));
            };
            wide.extend((low..=high).map(|n| Opt { tag: Sym::NONE, val: Val::Int(n) }));
        }
        if wide.len() > OPTIONS {
            let (n, prompt) = (wide.len(), cx.text(self.prompt));
            return fail(format!(
                "`{prompt}` has {n} options; more than {OPTIONS} must be broken into smaller choices"
            ));
        }
        let mut options = self.narrow(&wide)?;
        if self.frame.field(self.spec, "none") {
            // The option that stands for none carries its own name as tag, which no other option does.
            let Some(none) = self.frame.sym(-1) else {
                return fail(format!("`{}`: `none` is no text", cx.text(self.prompt)));
            };
            self.frame.pop(1);
            options.push(Opt { tag: none, val: Val::Sym(none) });
        }
        Ok((Offered::List(options), wide))
    }

    /// The options of a menu: every offer that holds now, once for each value it offers.
    fn offers(&self, wide: &mut Vec<Opt>) -> mlua::Result<()> {
        let (frame, cx) = (self.frame, self.frame.cx);
        let numbers = cx.registry.borrow().of(Kind::Offer, self.prompt).to_vec();
        let side = Val::Sym(cx.side_sym(self.side));
        let ask = |number: u32| -> mlua::Result<()> {
            frame.push(side)?;
            frame.copy(self.spec);
            cx.measured(number, || pure(cx, || frame.call(2, 1)))
        };
        for number in numbers {
            let tag = {
                let registry = cx.registry.borrow();
                let offer = &registry.handlers[number as usize];
                if !active(cx, offer, Some(self.side)) {
                    continue;
                }
                offer.fired.set(offer.fired.get() + 1);
                offer.sym
            };
            if frame.handler(number, Part::When) {
                ask(number)?;
                let holds = frame.holds(-1);
                frame.pop(1);
                if !holds {
                    continue;
                }
            }
            if frame.handler(number, Part::Among) {
                ask(number)?;
                let vals = self.take_vals("`among`")?;
                wide.extend(vals.into_iter().map(|val| Opt { tag, val }));
            } else {
                wide.push(Opt { tag, val: Val::Nil });
            }
        }
        Ok(())
    }

    /// Tells rules of a menu which offer an option belongs to.
    fn set_offer(&self, tag: Sym) -> mlua::Result<()> {
        if tag.is_none() { Ok(()) } else { self.frame.set_field(self.spec, "offer", Val::Sym(tag)) }
    }

    /// Narrows options by the `forbid` and `prefer` rules of the prompt.
    fn narrow(&self, wide: &[Opt]) -> mlua::Result<Vec<Opt>> {
        let cx = self.frame.cx;
        let mut options = wide.to_vec();
        for (number, whole) in self.rules(Kind::Forbid, self.prompt) {
            let mut refused = Refused::default();
            let mut asked: Option<Sym> = None;
            let mut legal = |opt: Opt| -> mlua::Result<bool> {
                // Options of a menu come offer by offer; a rule for the whole list is asked once for each.
                if whole && asked != Some(opt.tag) {
                    asked = Some(opt.tag);
                    self.set_offer(opt.tag)?;
                    refused = cx.measured(number, || self.refused_list(number))?;
                }
                let no = if whole {
                    refused.holds(opt.val)
                } else {
                    cx.measured(number, || self.test(number, opt))?
                };
                Ok(!no || self.waived(number, opt)?)
            };
            let mut error = None;
            options.retain(|&opt| {
                error.is_none()
                    && legal(opt).unwrap_or_else(|why| {
                        error = Some(why);
                        false
                    })
            });
            if let Some(error) = error {
                return Err(error);
            }
        }
        for (number, _) in self.rules(Kind::Prefer, self.prompt) {
            let mut liked = Vec::new();
            for &opt in &options {
                if self.test(number, opt)? {
                    liked.push(opt);
                }
            }
            if !liked.is_empty() {
                options = liked;
            }
        }
        Ok(options)
    }

    /// The handlers of a kind for a target whose conditions hold, and whether they look at the whole list.
    fn rules(&self, kind: Kind, target: Sym) -> Vec<(u32, bool)> {
        let registry = self.frame.cx.registry.borrow();
        let mut found = Vec::new();
        for &number in registry.of(kind, target) {
            let handler = &registry.handlers[number as usize];
            if active(self.frame.cx, handler, Some(self.side)) && handler.func.is_some() {
                handler.fired.set(handler.fired.get() + 1);
                found.push((number, handler.whole));
            }
        }
        found
    }

    /// What a rule says to an option.
    fn test(&self, number: u32, opt: Opt) -> mlua::Result<bool> {
        let frame = self.frame;
        self.set_offer(opt.tag)?;
        if !frame.handler(number, Part::Run) {
            return Ok(false);
        }
        frame.push(opt.val)?;
        frame.copy(self.spec);
        pure(frame.cx, || frame.call(2, 1))?;
        let holds = frame.holds(-1);
        frame.pop(1);
        Ok(holds)
    }

    /// What a rule for the whole list refuses.
    fn refused_list(&self, number: u32) -> mlua::Result<Refused> {
        let frame = self.frame;
        if !frame.handler(number, Part::Run) {
            return Ok(Refused::default());
        }
        frame.copy(self.spec);
        pure(frame.cx, || frame.call(1, 1))?;
        let refused = match frame.list(-1) {
            Some(list) if list.is_set() => Refused::Spaces(list.to_set()),
            _ => Refused::Vals(frame.vals(frame.top()).or_else(fail)?),
        };
        frame.pop(1);
        Ok(refused)
    }

    fn waived(&self, forbid: u32, opt: Opt) -> mlua::Result<bool> {
        let target = self.frame.cx.registry.borrow().handlers[forbid as usize].sym;
        for (number, _) in self.rules(Kind::Waive, target) {
            if self.test(number, opt)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn selection(&self) -> mlua::Result<(Offered, Vec<Opt>)> {
        let (frame, cx) = (self.frame, self.frame.cx);
        let wide: Vec<Opt> = self.among()?.into_iter().map(|val| Opt { tag: Sym::NONE, val }).collect();
        if wide.len() > CHOOSABLE {
            let (n, prompt) = (wide.len(), cx.text(self.prompt));
            return fail(format!(
                "`{prompt}` chooses among {n} things; more than {CHOOSABLE} must be broken into smaller choices"
            ));
        }
        let options = self.narrow(&wide)?;
        let many = self.truth("many");
        let (at_least, at_most) =
            (self.int("at_least")?.unwrap_or(0), self.int("at_most")?.unwrap_or(i32::MAX.into()));
        let mut items = Vec::new();
        for opt in &options {
            let cost = self.per_item("cost", opt.val)?.unwrap_or(0).max(0);
            let affordable = if cost > 0 { (at_most / i64::from(cost)).clamp(0, 999) as u32 } else { 999 };
            let most = match self.per_item("limit", opt.val)? {
                Some(n) => n.clamp(0, LIMIT) as u32,
                None if many => affordable,
                None => 1,
            };
            items.push(Item { cost, most });
        }
        let there: u32 = items.iter().fold(0u32, |sum, item| sum.saturating_add(item.most));
        let bounds = Bounds {
            min: self.int("min")?.unwrap_or(0).max(0) as u32,
            max: self.int("max")?.map_or(there, |n| (n.max(0) as u32).min(there)),
            at_least: at_least as i32,
            at_most: at_most.clamp(0, i32::MAX.into()) as i32,
        };
        let test = if frame.field(self.spec, "test") {
            let Value::Function(test) = frame.value(frame.top()) else {
                return fail(format!("`{}`: `test` is no function", cx.text(self.prompt)));
            };
            frame.pop(1);
            Some(test)
        } else {
            None
        };
        let values: Vec<Val> = options.iter().map(|opt| opt.val).collect();
        let lua = cx.border.lua();
        let mut error = None;
        let mut test_of = |chosen: &[u32]| {
            let Some(lua) = &lua else { return true };
            passes(lua, cx, &values, chosen, test.as_ref()).unwrap_or_else(|why| {
                error = Some(why);
                true
            })
        };
        // Most tests ask for enough rather than for few: the fullest selection often is the proof.
        let fullest = selection::complete(&items, &bounds, &mut |_, most| most, &mut |_| true);
        let proof = match fullest.filter(|chosen| test_of(chosen)) {
            Some(proof) => Some(proof),
            None => selection::complete(&items, &bounds, &mut |_, _| 0, &mut test_of),
        };
        if let Some(error) = error {
            return Err(error);
        }
        let Some(proof) = proof else {
            return fail(format!(
                "dead end: no selection at `{}` keeps to its bounds ({} to {} of {} things, cost {} to {})",
                cx.text(self.prompt),
                bounds.min,
                bounds.max,
                there,
                bounds.at_least,
                bounds.at_most
            ));
        };
        Ok((Offered::Selection { values, items, bounds, test, proof }, wide))
    }

    /// The cost or the limit of one thing: a number for all, a field, or a function.
    fn per_item(&self, key: &str, val: Val) -> mlua::Result<Option<i32>> {
        let frame = self.frame;
        if !frame.field(self.spec, key) {
            return Ok(None);
        }
        let found = match frame.arg(-1) {
            Arg::Int(n) => i32::try_from(n).ok(),
            Arg::Text(name) if matches!(val, Val::Piece(_) | Val::Space(_) | Val::Record(..)) => {
                match handle::read_field(frame.cx, val, name)? {
                    Val::Int(n) => Some(n),
                    _ => None,
                }
            }
            Arg::Function => {
                frame.push(val)?;
                pure(frame.cx, || frame.call(1, 1))?;
                match frame.val(-1) {
                    Ok(Val::Int(n)) => Some(n),
                    _ => {
                        return fail(format!("`{}`: `{key}` gives no number", frame.cx.text(self.prompt)));
                    }
                }
            }
            _ => None,
        };
        frame.pop(1);
        Ok(found)
    }
}

/// What a rule for the whole list refuses.
enum Refused {
    Vals(Vec<Val>),
    Spaces(SpaceSet),
}

impl Default for Refused {
    fn default() -> Refused {
        Refused::Vals(Vec::new())
    }
}

impl Refused {
    fn holds(&self, val: Val) -> bool {
        match (self, val) {
            (Refused::Vals(vals), val) => vals.contains(&val),
            (Refused::Spaces(set), Val::Space(space)) => set.contains(SpaceId(space)),
            (Refused::Spaces(_), _) => false,
        }
    }
}

/// Why an option is refused: every rule that refuses it and is not waived, and the preferences it fails.
pub(crate) fn explain(cx: &Rc<Cx>, decision: &Decision, opt: Opt) -> mlua::Result<Vec<Reason>> {
    let Some(spec) = &decision.spec else { return Ok(Vec::new()) };
    cx.within(spec.clone(), |frame| {
        let asked = Asked { frame, side: decision.side, prompt: decision.prompt, spec: 1 };
        cx.explaining.set(true);
        let reasons = reasons(&asked, opt);
        cx.explaining.set(false);
        reasons
    })
}

fn reasons(asked: &Asked<'_>, opt: Opt) -> mlua::Result<Vec<Reason>> {
    let cx = asked.frame.cx;
    let mut reasons = Vec::new();
    for (number, whole) in asked.rules(Kind::Forbid, asked.prompt) {
        cx.reason.borrow_mut().take();
        asked.set_offer(opt.tag)?;
        let refused =
            if whole { asked.refused_list(number)?.holds(opt.val) } else { asked.test(number, opt)? };
        let reason = cx.reason.borrow_mut().take();
        if refused && !asked.waived(number, opt)? {
            let reason = reason.unwrap_or(Reason { handler: 0, text: String::new(), args: Vec::new() });
            reasons.push(Reason { handler: number, ..reason });
        }
    }
    if reasons.is_empty() {
        for (number, _) in asked.rules(Kind::Prefer, asked.prompt) {
            if !asked.test(number, opt)? {
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

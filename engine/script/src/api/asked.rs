//! A decision being made up: what may be chosen, narrowed by the rules of its prompt.

use super::active;
use super::ask::{CHOOSABLE, How, LIMIT, OPTIONS, passes, refusals};
use super::rules::pure;
use crate::context::fail;
use crate::error::ScriptError;
use crate::fields;
use crate::lua_ffi::{Arg, Frame, Out, Part};
use crate::registry::Kind;
use crate::val::{Offered, Opt, Test, Val};
use crate::wrong_value::WrongValue;
use mlua::Value;
use sandtable_kernel::map::{SpaceId, SpaceSet};
use sandtable_kernel::selection::{self, Bounds, Completion, Item};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use std::cell::Cell;

/// A decision being made up: who is asked what, and where its table lies on the stack.
pub(super) struct Asked<'a> {
    pub frame: &'a Frame<'a>,
    pub side: SideId,
    pub prompt: Sym,
    spec: i32,
    /// The offer that its table names at present.
    offer: Cell<Sym>,
}

impl<'a> Asked<'a> {
    pub fn new(frame: &'a Frame<'a>, side: SideId, prompt: Sym, spec: i32) -> Asked<'a> {
        Asked { frame, side, prompt, spec, offer: Cell::new(Sym::NONE) }
    }

    pub fn truth(&self, key: &'static str) -> mlua::Result<bool> {
        let found = self.frame.field(self.spec, key)?;
        let holds = found && self.frame.is_truthy(-1);
        if found {
            self.frame.pop(1);
        }
        Ok(holds)
    }

    /// Whether the same thing may be chosen several times, so that a script gets things with their numbers.
    pub fn is_basket(&self) -> mlua::Result<bool> {
        let limited = self.frame.field(self.spec, "limit")?;
        if limited {
            self.frame.pop(1);
        }
        Ok(limited || self.truth("many")?)
    }

    fn int(&self, key: &'static str) -> mlua::Result<Option<i64>> {
        if !self.frame.field(self.spec, key)? {
            return Ok(None);
        }
        let Some(n) = self.frame.int(-1) else {
            return fail(format!("`{}`: `{key}` is not a whole number", self.frame.cx.text(self.prompt)));
        };
        self.frame.pop(1);
        Ok(Some(n))
    }

    fn wrong<T>(&self, key: &str, why: impl Into<WrongValue>) -> mlua::Result<T> {
        Err(why.into().about(format_args!("`{}`: `{key}`", self.frame.cx.text(self.prompt))))
    }

    /// A bound on a selection as a whole.
    fn total(&self, key: &'static str) -> mlua::Result<Option<i32>> {
        match self.int(key)? {
            None => Ok(None),
            Some(n) => match i32::try_from(n) {
                Ok(n) => Ok(Some(n)),
                Err(_) => {
                    self.wrong(key, format!("expected a number from {} to {}, found {n}", i32::MIN, i32::MAX))
                }
            },
        }
    }

    /// The value of `among`, called if it is a function.
    pub fn among(&self) -> mlua::Result<Vec<Val>> {
        if !self.frame.field(self.spec, "among")? {
            return Ok(Vec::new());
        }
        if self.frame.is_function(-1) {
            pure(self.frame.cx, || self.frame.call(0, 1))?;
        }
        self.take_vals("`among`")
    }

    /// The values on top of the stack, which are taken off.
    fn take_vals(&self, what: &str) -> mlua::Result<Vec<Val>> {
        let vals = self.frame.vals(self.frame.top()).map_err(|why| why.about(what))?;
        self.frame.pop(1);
        Ok(vals)
    }

    pub fn list(&self, how: How) -> mlua::Result<(Offered, Vec<Opt>)> {
        let cx = self.frame.cx;
        let mut candidates = Vec::new();
        if how == How::Menu {
            self.offers(&mut candidates)?;
        } else if self.frame.field(self.spec, "among")? {
            self.frame.pop(1);
            candidates.extend(self.among()?.into_iter().map(|val| Opt { tag: Sym::NONE, val }));
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
            candidates.extend((low..=high).map(|n| Opt { tag: Sym::NONE, val: Val::Int(n) }));
        }
        if candidates.len() > OPTIONS {
            let (n, prompt) = (candidates.len(), cx.text(self.prompt));
            return fail(format!(
                "`{prompt}` has {n} options; more than {OPTIONS} must be broken into smaller choices"
            ));
        }
        let mut options = self.narrow(&candidates)?;
        if self.frame.field(self.spec, "none")? {
            // The option that stands for none carries its own name as tag, which no other option does.
            let Some(none) = self.frame.sym(-1) else {
                return fail(format!("`{}`: `none` is no text", cx.text(self.prompt)));
            };
            self.frame.pop(1);
            options.push(Opt { tag: none, val: Val::Sym(none) });
        }
        Ok((Offered::List(options), candidates))
    }

    /// The options of a menu: every offer that holds now, once for each value it offers.
    fn offers(&self, candidates: &mut Vec<Opt>) -> mlua::Result<()> {
        let (frame, cx) = (self.frame, self.frame.cx);
        let numbers = cx.registry.borrow().held(Kind::Offer, self.prompt);
        let side = Val::Sym(cx.side_sym(self.side));
        let ask = |number: u32| -> mlua::Result<()> {
            frame.push(side)?;
            frame.copy(self.spec)?;
            cx.measured(number, || pure(cx, || frame.call(2, 1)))
        };
        for &number in numbers.iter() {
            let tag = {
                let registry = cx.registry.borrow();
                let offer = &registry.handlers[number as usize];
                if !active(cx, offer, Some(self.side)) {
                    continue;
                }
                offer.fired.set(offer.fired.get() + 1);
                offer.sym
            };
            if frame.handler(number, Part::When)? {
                ask(number)?;
                let holds = frame.is_truthy(-1);
                frame.pop(1);
                if !holds {
                    continue;
                }
            }
            if frame.handler(number, Part::Among)? {
                ask(number)?;
                let vals = self.take_vals("`among`")?;
                if candidates.len() + vals.len() > OPTIONS {
                    let (n, menu) = (candidates.len() + vals.len(), cx.text(self.prompt));
                    return fail(format!(
                        "`{menu}` has {n} options or more; more than {OPTIONS} must be broken into smaller choices"
                    ));
                }
                candidates.extend(vals.into_iter().map(|val| Opt { tag, val }));
            } else {
                candidates.push(Opt { tag, val: Val::Nil });
            }
        }
        Ok(())
    }

    /// Tells rules of a menu which offer an option belongs to.
    pub fn set_offer(&self, tag: Sym) -> mlua::Result<()> {
        if self.offer.replace(tag) == tag || tag.is_none() {
            return Ok(());
        }
        self.frame.set_field(self.spec, "offer", Val::Sym(tag))
    }

    /// Narrows options by the `forbid` and `prefer` rules of the prompt.
    pub fn narrow(&self, candidates: &[Opt]) -> mlua::Result<Vec<Opt>> {
        let cx = self.frame.cx;
        cx.spend(4 * candidates.len() as u64)?;
        let mut options = candidates.to_vec();
        for rule in self.rules(Kind::Forbid, self.prompt) {
            let number = rule.number;
            let mut refused = Refused::default();
            let mut asked: Option<Sym> = None;
            let mut legal = |opt: Opt| -> mlua::Result<bool> {
                // Options of a menu come offer by offer; a rule for the whole list is asked once for each.
                if rule.choosy && !cx.registry.borrow().handlers[number as usize].is_about(opt.tag) {
                    return Ok(true);
                }
                if rule.whole && asked != Some(opt.tag) {
                    asked = Some(opt.tag);
                    self.set_offer(opt.tag)?;
                    refused = cx.measured(number, || self.refused_list(number))?;
                }
                let no = if rule.whole {
                    cx.spend(refused.work())?;
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
        for rule in self.rules(Kind::Prefer, self.prompt) {
            let (mut liked, mut any) = (Vec::new(), false);
            for &opt in &options {
                let about =
                    !rule.choosy || cx.registry.borrow().handlers[rule.number as usize].is_about(opt.tag);
                let passes = about && self.test(rule.number, opt)?;
                any |= passes;
                if passes || !about {
                    liked.push(opt);
                }
            }
            // It binds only if one of those it is about passes; the others are none of its business.
            if any {
                options = liked;
            }
        }
        Ok(options)
    }

    /// The handlers of a kind for a target whose conditions hold.
    pub fn rules(&self, kind: Kind, target: Sym) -> impl Iterator<Item = Rule> {
        let (cx, side) = (self.frame.cx, self.side);
        let numbers = cx.registry.borrow().held(kind, target);
        (0..numbers.len()).filter_map(move |at| {
            let registry = cx.registry.borrow();
            let number = numbers[at];
            let handler = &registry.handlers[number as usize];
            if !active(cx, handler, Some(side)) || handler.func.is_none() {
                return None;
            }
            handler.fired.set(handler.fired.get() + 1);
            Some(Rule { number, whole: handler.whole, choosy: !handler.offers.is_empty() })
        })
    }

    /// What a rule says to an option.
    pub fn test(&self, number: u32, opt: Opt) -> mlua::Result<bool> {
        let frame = self.frame;
        self.set_offer(opt.tag)?;
        if !frame.handler(number, Part::Run)? {
            return Ok(false);
        }
        frame.push(opt.val)?;
        frame.copy(self.spec)?;
        pure(frame.cx, || frame.call(2, 1))?;
        let holds = frame.is_truthy(-1);
        frame.pop(1);
        Ok(holds)
    }

    /// What a rule for the whole list refuses.
    pub fn refused_list(&self, number: u32) -> mlua::Result<Refused> {
        let frame = self.frame;
        if !frame.handler(number, Part::Run)? {
            return Ok(Refused::default());
        }
        frame.copy(self.spec)?;
        pure(frame.cx, || frame.call(1, 1))?;
        let refused = match frame.with_list(-1, |list| list.words().map(|_| list.to_set())).flatten() {
            Some(set) => Refused::Spaces(set),
            None => Refused::Vals(frame.vals(frame.top())?),
        };
        frame.pop(1);
        Ok(refused)
    }

    pub fn waived(&self, forbid: u32, opt: Opt) -> mlua::Result<bool> {
        let target = self.frame.cx.registry.borrow().handlers[forbid as usize].sym;
        for waiver in self.rules(Kind::Waive, target) {
            if self.test(waiver.number, opt)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub fn selection(&self) -> mlua::Result<(Offered, Vec<Opt>)> {
        let (frame, cx) = (self.frame, self.frame.cx);
        let candidates: Vec<Opt> = self.among()?.into_iter().map(|val| Opt { tag: Sym::NONE, val }).collect();
        if candidates.len() > CHOOSABLE {
            let (n, prompt) = (candidates.len(), cx.text(self.prompt));
            return fail(format!(
                "`{prompt}` chooses among {n} things; more than {CHOOSABLE} must be broken into smaller choices"
            ));
        }
        cx.spend(8 * candidates.len() as u64)?;
        let options = self.narrow(&candidates)?;
        let many = self.truth("many")?;
        let (at_least, at_most) =
            (self.total("at_least")?.unwrap_or(0), self.total("at_most")?.unwrap_or(i32::MAX));
        let mut items = Vec::new();
        for opt in &options {
            let cost = self.per_item("cost", opt.val)?.unwrap_or(0).max(0);
            let affordable = if cost > 0 { (at_most.max(0) / cost).min(999) as u32 } else { 999 };
            let most = match self.per_item("limit", opt.val)? {
                Some(n) if n > LIMIT => {
                    return self.wrong("limit", format!("expected at most {LIMIT}, found {n}"));
                }
                Some(n) => n.max(0) as u32,
                None if many => affordable,
                None => 1,
            };
            items.push(Item { cost, most });
        }
        let there: u32 = items.iter().fold(0u32, |sum, item| sum.saturating_add(item.most));
        let bounds = Bounds {
            min: self.total("min")?.unwrap_or(0).max(0) as u32,
            max: self.total("max")?.map_or(there, |n| (n.max(0) as u32).min(there)),
            at_least,
            at_most: at_most.max(0),
        };
        let test = if frame.field(self.spec, "test")? {
            let Value::Function(test) = frame.value(frame.top())? else {
                return fail(format!("`{}`: `test` is no function", cx.text(self.prompt)));
            };
            frame.pop(1);
            Some(Test { function: test, basket: self.is_basket()? })
        } else {
            None
        };
        let values: Vec<Val> = options.iter().map(|opt| opt.val).collect();
        let lua = cx.lua_ffi.lua();
        let mut error = None;
        let mut test_of = |chosen: &[u32]| {
            let Some(lua) = &lua else { return true };
            if error.is_some() {
                return true;
            }
            let paid = cx.spend(values.len() as u64 / 4);
            paid.and_then(|()| passes(lua, cx, &values, chosen, test.as_ref())).unwrap_or_else(|why| {
                error = Some(why);
                true
            })
        };
        // Most tests ask for enough rather than for few: the fullest selection often is the proof.
        let tried = Cell::new(0u64);
        let try_first = |n: u32| {
            tried.set(tried.get() + 1);
            n
        };
        let fullest =
            selection::complete(&items, &bounds, &mut |_, most| try_first(most), &mut |_| true).found();
        let completion = match fullest.filter(|chosen| test_of(chosen)) {
            Some(proof) => Completion::Found(proof),
            None => selection::complete(&items, &bounds, &mut |_, _| try_first(0), &mut test_of),
        };
        cx.spend(4 * tried.get())?;
        if let Some(error) = error {
            return Err(error);
        }
        let terms = || {
            let Bounds { min, max, at_least, at_most } = bounds;
            let cost = match (at_least, at_most) {
                (0, i32::MAX) => String::new(),
                (low, i32::MAX) => format!(", cost {low} or more"),
                (low, high) => format!(", cost {low} to {high}"),
            };
            if min > max {
                format!("at least {min} things, and {there} can be had{cost}")
            } else {
                format!("{min} to {max} of {there} things{cost}")
            }
        };
        let prompt = || cx.text(self.prompt);
        let proof = match completion {
            Completion::Found(proof) => proof,
            Completion::Impossible => {
                let also = if test.is_some() { " and passes its test" } else { "" };
                let (who, prompt, terms) = (cx.world.side_name(self.side), prompt(), terms());
                let gone: Vec<Opt> =
                    candidates.iter().copied().filter(|opt| !options.contains(opt)).collect();
                return ScriptError::dead_end(format!(
                    "{who} can make no selection at `{prompt}` that keeps to its bounds ({terms}){also}{}",
                    refusals(self, &gone)?.replace("all are", "some are")
                ));
            }
            Completion::Undecided => {
                return fail(format!(
                    "too many selections at `{}` keep to its bounds ({}) and fail its `test` to tell whether any passes: \
                     say more of it by `among`, `min`, `max` or `cost`",
                    prompt(),
                    terms()
                ));
            }
        };
        let test = test.map(|test| cx.held_here(test));
        Ok((Offered::Selection { values, items, bounds, test, proof }, candidates))
    }

    /// The cost or the limit of one thing: a number for all, a field, or a function.
    fn per_item(&self, key: &'static str, val: Val) -> mlua::Result<Option<i32>> {
        let frame = self.frame;
        if !frame.field(self.spec, key)? {
            return Ok(None);
        }
        let found = match frame.arg(-1) {
            Arg::Int(n) => i32::try_from(n).ok(),
            Arg::Text(name) if matches!(val, Val::Piece(_) | Val::Space(_) | Val::Record(..)) => {
                match fields::read_field(frame.cx, val, name)? {
                    Val::Int(n) => Some(n),
                    _ => None,
                }
            }
            // What is bought is named by its row, and costs what is printed there.
            Arg::Text(name) => {
                let row = if let Val::Sym(id) = val { frame.cx.row(id) } else { None };
                let Some(row) = row else {
                    let (prompt, key_name) = (frame.cx.text(self.prompt), frame.cx.text(name));
                    return fail(format!(
                        "`{prompt}`: `{key} = \"{key_name}\"` names a field, and {} has none; give a function",
                        frame.cx.describe(val)
                    ));
                };
                match fields::read_row(frame.cx, row, name)? {
                    Out::Val(Val::Int(n)) => Some(n),
                    Out::Int(n) => i32::try_from(n).ok(),
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

/// A rule that narrows a list of options.
pub(super) struct Rule {
    pub number: u32,
    /// Whether it looks at the whole list at once.
    pub whole: bool,
    /// Whether it is about some offers of a menu only.
    choosy: bool,
}

/// What a rule for the whole list refuses.
pub(super) enum Refused {
    Vals(Vec<Val>),
    Spaces(SpaceSet),
}

impl Default for Refused {
    fn default() -> Refused {
        Refused::Vals(Vec::new())
    }
}

impl Refused {
    /// What looking for a value takes, in instructions.
    fn work(&self) -> u64 {
        match self {
            Refused::Vals(vals) => vals.len() as u64 / 8,
            Refused::Spaces(_) => 0,
        }
    }

    pub fn holds(&self, val: Val) -> bool {
        match (self, val) {
            (Refused::Vals(vals), val) => vals.contains(&val),
            (Refused::Spaces(set), Val::Space(space)) => set.contains(SpaceId(space)),
            (Refused::Spaces(_), _) => false,
        }
    }
}

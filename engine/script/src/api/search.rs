//! Search over the map: reach, flood, paths and matching, described by a Lua table.

use super::{Api, Call, slot};
use crate::context::{ScriptContext, fail};
use crate::list::NewList;
use crate::lua_ffi::{Arg, Out};
use crate::val::Val;
use crate::wrong_value::WrongValue;
use mlua::{Function, Table, Value};
use rustc_hash::FxHashMap;
use sandtable_kernel::map::{BorderSet, Over, SpaceId, SpaceSet};
use sandtable_kernel::search::{
    BLOCKED, Cost, FloodOver, FloodSpec, PathSpec, Profile, Reach, ReachSpec, Scratch, WhyNot, best_paths,
    flood, matching, paths, reach, why_not,
};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{NIL, World};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most sets of spaces with a cost of their own in one search: each holds a bit for every space.
const EXTRAS: usize = 64;
/// Most searches that are noted for who wants to know of them.
const NOTED: usize = 1_000;
/// Most items, and most places for all of them together, of one matching.
const MATCHED: usize = 2_000;
const CHOICES: usize = 100_000;

/// A search for where a mover gets to, as a rule asked for it.
#[derive(Clone, Debug, Default)]
struct Asked {
    profile: Sym,
    from: SpaceId,
    points: Cost,
    blocked: Option<SpaceSet>,
    stop: Option<SpaceSet>,
    no_end: Option<SpaceSet>,
    first_step_only: Option<SpaceSet>,
    barrier: Option<Rc<BorderSet>>,
    enter: Vec<(SpaceSet, Cost)>,
    leave: Vec<(SpaceSet, Cost)>,
    between: Option<(SpaceSet, Cost)>,
    one_step: bool,
    steps: Option<u32>,
}

impl Asked {
    /// Reads the table of `reach` in one go, for it is asked for all the time.
    fn read(spec: &Spec<'_>) -> mlua::Result<Asked> {
        const KEYS: &[&str] = &[
            "profile",
            "from",
            "points",
            "blocked",
            "stop",
            "no_end",
            "enter",
            "leave",
            "between",
            "one_step",
            "first_step_only",
            "steps",
            "barrier",
        ];
        let (mut asked, mut from) = (Asked::default(), None);
        spec.read(KEYS, |key, at| {
            match key {
                b"profile" => asked.profile = spec.word_at("profile", at)?,
                b"from" => from = Some(spec.space_at("from", at)?),
                b"points" => asked.points = spec.int_at("points", at)?,
                b"blocked" => asked.blocked = Some(spec.set_at("blocked", at)?),
                b"stop" => asked.stop = Some(spec.set_at("stop", at)?),
                b"no_end" => asked.no_end = Some(spec.set_at("no_end", at)?),
                b"enter" => asked.enter = spec.extras_at("enter", at)?,
                b"leave" => asked.leave = spec.extras_at("leave", at)?,
                b"between" => asked.between = Some(spec.pair("between", at)?),
                b"one_step" => asked.one_step = spec.c.frame.is_truthy(at),
                b"first_step_only" => asked.first_step_only = Some(spec.set_at("first_step_only", at)?),
                b"steps" => asked.steps = Some(spec.int_at("steps", at)?.max(0) as u32),
                b"barrier" => asked.barrier = spec.barrier_at(at)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        if asked.profile.is_none() {
            return spec.wrong("profile", "expected its name");
        }
        let Some(from) = from else { return spec.wrong("from", "expected a space, found nothing") };
        Ok(Asked { from, ..asked })
    }

    fn with_spec<T>(&self, f: impl FnOnce(&ReachSpec<'_>) -> T) -> T {
        let enter: Vec<(&SpaceSet, Cost)> = self.enter.iter().map(|(set, cost)| (set, *cost)).collect();
        let leave: Vec<(&SpaceSet, Cost)> = self.leave.iter().map(|(set, cost)| (set, *cost)).collect();
        f(&ReachSpec {
            blocked: self.blocked.as_ref(),
            barrier: self.barrier.as_deref(),
            stop: self.stop.as_ref(),
            enter_extra: &enter,
            leave_extra: &leave,
            between: self.between.as_ref().map(|(set, cost)| (set, *cost)),
            one_step: self.one_step,
            first_step_only: self.first_step_only.as_ref(),
            max_steps: self.steps,
            no_end: self.no_end.as_ref(),
            ..ReachSpec::new(self.from, self.points)
        })
    }
}

/// A search that a rule made, with what it found.
#[derive(Clone, Debug)]
pub struct Search {
    /// What it found.
    pub reach: Reach,
    asked: Asked,
}

impl Search {
    /// Where the mover stands.
    pub fn from(&self) -> SpaceId {
        self.asked.from
    }

    /// Why a space is out of reach; nothing if it is not.
    pub fn why_not(&self, world: &World, to: SpaceId) -> Option<WhyNot> {
        let profile = world.profiles.get(&self.asked.profile)?;
        SCRATCH.with_borrow_mut(|scratch| {
            self.asked.with_spec(|spec| why_not(&world.board, profile, spec, to, scratch))
        })
    }
}

/// The table that describes a search, with checks that name the key.
pub(super) struct Spec<'a> {
    pub c: &'a Call<'a>,
    /// Where the table lies on the stack.
    pub at: i32,
}

impl<'a> Spec<'a> {
    /// The table that is the only argument of a call.
    pub fn new(c: &'a Call<'a>) -> mlua::Result<Spec<'a>> {
        if c.frame.is_table(slot(0)) { Ok(Spec { c, at: slot(0) }) } else { c.expected(0, "a table") }
    }

    pub fn wrong<T>(&self, key: &str, why: impl Into<WrongValue>) -> mlua::Result<T> {
        self.c.wrong(0, why.into().about(format_args!("`{key}`")))
    }

    /// Hands every key of the table, with the place of its value, to a function that says whether there is such a key.
    pub fn read(
        &self,
        keys: &[&str],
        mut take: impl FnMut(&[u8], i32) -> mlua::Result<bool>,
    ) -> mlua::Result<()> {
        let frame = self.c.frame;
        frame.each_text(self.at, |key, value| {
            if take(key, value)? {
                return Ok(());
            }
            let key = String::from_utf8_lossy(key);
            self.wrong(
                &key,
                format!("there is no such key{}", ScriptContext::nearest(&key, keys.iter().copied())),
            )
        })
    }

    pub fn known(&self, keys: &[&str]) -> mlua::Result<()> {
        self.read(keys, |found, _| Ok(keys.iter().any(|known| known.as_bytes() == found)))
    }

    /// What is made of a field at its place on the stack, if it is there.
    pub fn with<T>(
        &self,
        key: &'static str,
        f: impl FnOnce(i32) -> mlua::Result<T>,
    ) -> mlua::Result<Option<T>> {
        if !self.c.frame.field(self.at, key)? {
            return Ok(None);
        }
        let made = f(self.c.frame.top())?;
        self.c.frame.pop(1);
        Ok(Some(made))
    }

    pub fn set(&self, key: &'static str) -> mlua::Result<Option<SpaceSet>> {
        self.with(key, |at| self.set_at(key, at))
    }

    fn set_at(&self, key: &str, at: i32) -> mlua::Result<SpaceSet> {
        self.c.frame.space_set(at).or_else(|why| self.wrong(key, why))
    }

    pub fn int(&self, key: &'static str) -> mlua::Result<Option<i32>> {
        self.with(key, |at| self.int_at(key, at))
    }

    fn int_at(&self, key: &str, at: i32) -> mlua::Result<i32> {
        match self.c.frame.arg(at) {
            Arg::Int(n) => i32::try_from(n).or_else(|_| self.wrong(key, format!("{n} is too large"))),
            _ => self.wrong(key, "expected a whole number"),
        }
    }

    pub fn word(&self, key: &'static str) -> mlua::Result<Option<Sym>> {
        self.with(key, |at| self.word_at(key, at))
    }

    fn word_at(&self, key: &str, at: i32) -> mlua::Result<Sym> {
        self.c.frame.sym(at).map_or_else(|| self.wrong(key, "expected a text"), Ok)
    }

    fn space(&self, key: &'static str) -> mlua::Result<SpaceId> {
        let found = self.with(key, |at| self.space_at(key, at))?;
        found.map_or_else(|| self.wrong(key, "expected a space, found nothing"), Ok)
    }

    fn space_at(&self, key: &str, at: i32) -> mlua::Result<SpaceId> {
        let cx = self.c.cx;
        match self.c.frame.val(at) {
            Ok(Val::Space(space)) => Ok(SpaceId(space)),
            Ok(Val::Sym(sym)) => match cx.world.find_space(&cx.text(sym)) {
                Some(space) => Ok(space),
                None => self.wrong(key, format!("no space {} on this map", cx.text(sym))),
            },
            Ok(other) => self.wrong(key, format!("expected a space, found {}", cx.describe(other))),
            Err(why) => self.wrong(key, why),
        }
    }

    pub fn barrier(&self) -> mlua::Result<Option<Rc<BorderSet>>> {
        Ok(self.with("barrier", |at| self.barrier_at(at))?.flatten())
    }

    fn barrier_at(&self, at: i32) -> mlua::Result<Option<Rc<BorderSet>>> {
        self.c.barrier(at).or_else(|why| self.wrong("barrier", why))
    }

    pub fn truth(&self, key: &'static str) -> mlua::Result<bool> {
        Ok(self.with(key, |at| Ok(self.c.frame.is_truthy(at)))?.unwrap_or(false))
    }

    /// A cost, or "never".
    fn cost(&self, key: &str, at: i32) -> mlua::Result<Cost> {
        match self.c.frame.arg(at) {
            Arg::Int(n) => i32::try_from(n).or_else(|_| self.wrong(key, "the cost is too large")),
            _ if self.c.frame.text_is(at, b"never") => Ok(BLOCKED),
            _ => self.wrong(key, "expected a cost or \"never\""),
        }
    }

    /// A pair { spaces, cost } at a place of the stack.
    fn pair(&self, key: &str, at: i32) -> mlua::Result<(SpaceSet, Cost)> {
        let frame = self.c.frame;
        if !frame.is_table(at) || !frame.element(at, 1)? {
            return self.wrong(key, "expected { spaces, cost }");
        }
        let set = frame.space_set(frame.top()).or_else(|why| self.wrong(key, why))?;
        frame.pop(1);
        if !frame.element(at, 2)? {
            return self.wrong(key, "expected a cost or \"never\"");
        }
        let cost = self.cost(key, frame.top())?;
        frame.pop(1);
        Ok((set, cost))
    }

    /// A list of pairs { spaces, cost }.
    pub fn extras(&self, key: &'static str) -> mlua::Result<Vec<(SpaceSet, Cost)>> {
        Ok(self.with(key, |at| self.extras_at(key, at))?.unwrap_or_default())
    }

    fn extras_at(&self, key: &str, at: i32) -> mlua::Result<Vec<(SpaceSet, Cost)>> {
        let frame = self.c.frame;
        let mut extras = Vec::new();
        if !frame.is_table(at) {
            return self.wrong(key, "expected a list of { spaces, cost }");
        }
        while frame.element(at, extras.len() as i64 + 1)? {
            if extras.len() >= EXTRAS {
                return self.wrong(key, format!("at most {EXTRAS} sets of spaces can be given"));
            }
            extras.push(self.pair(key, frame.top())?);
            frame.pop(1);
        }
        Ok(extras)
    }

    /// The value of a printed field that tells which spaces a `hop` joins; nothing for those it leaves out.
    pub fn group(&self, field: Sym) -> mlua::Result<impl Fn(SpaceId) -> Option<i32>> {
        let fields = &self.c.cx.world.space_fields;
        match fields.column(field) {
            Some(col) => Ok(move |space: SpaceId| {
                Some(fields.get(space.0, col)).filter(|&group| group != NIL && group != 0)
            }),
            None => self.wrong("hop", format!("no printed field `{}` of spaces", self.c.cx.text(field))),
        }
    }

    fn profile(&self, name: Sym) -> mlua::Result<&Profile> {
        let profiles = &self.c.cx.world.profiles;
        match profiles.get(&name) {
            Some(profile) => {
                self.c.cx.touch(|| format!("profile.{}", self.c.cx.text(name)));
                Ok(profile)
            }
            None => {
                let name = self.c.cx.text(name);
                let mut names: Vec<&str> =
                    profiles.keys().map(|&sym| self.c.cx.world.symbols.text(sym)).collect();
                names.sort_unstable();
                self.wrong("profile", format!("no profile {name}{}", ScriptContext::nearest(&name, names)))
            }
        }
    }
}

thread_local! {
    /// Buffers of searches, used again; they hold nothing that a result depends on.
    pub(super) static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new());
}

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    super::trace::bind(api)?;
    api.add(
        "reach(how: table) -> reach",
        "Where a mover gets to, at what cost; see the manual for the keys.",
        |c| {
            let spec = Spec::new(&c)?;
            let asked = Asked::read(&spec)?;
            let profile = spec.profile(asked.profile)?;
            let found = SCRATCH.with_borrow_mut(|scratch| {
                asked.with_spec(|spec| reach(&c.cx.world.board, profile, spec, scratch))
            });
            c.cx.spend(found.ends().len() as u64 * (8 + asked.enter.len() + asked.leave.len()) as u64)?;
            if let Some(searches) = &mut *c.cx.searches.borrow_mut()
                && searches.len() < NOTED
            {
                searches.push(Search { reach: found.clone(), asked });
            }
            let found = c.cx.tallied(found, 12 * c.cx.world.spaces.len())?;
            Ok(Out::List(NewList::Reach(Box::new(found))))
        },
    )?;
    api.add(
        "flood(how: table) -> spaces",
        "All spaces that some spaces connect to; see the manual for the keys.",
        |c| {
            let spec = Spec::new(&c)?;
            let mut sources = SpaceSet::default();
            let (mut blocked, mut barrier, mut no_leave) = (None, None, None);
            let (mut along, mut hops, mut steps, mut cost) = (None, None, None, None);
            const KEYS: &[&str] = &["from", "over", "steps", "cost", "blocked", "barrier", "no_leave", "hop"];
            spec.read(KEYS, |key, at| {
                match key {
                    b"from" => sources = spec.set_at("from", at)?,
                    b"over" => along = Some(spec.word_at("over", at)?),
                    b"steps" => steps = Some(spec.int_at("steps", at)?),
                    b"cost" => cost = Some(spec.int_at("cost", at)?),
                    b"blocked" => blocked = Some(spec.set_at("blocked", at)?),
                    b"barrier" => barrier = spec.barrier_at(at)?,
                    b"no_leave" => no_leave = Some(spec.set_at("no_leave", at)?),
                    b"hop" => hops = Some(spec.word_at("hop", at)?),
                    _ => return Ok(false),
                }
                Ok(true)
            })?;
            if let Some(field) = hops {
                return hop(&spec, field, &sources, blocked.as_ref());
            }
            let board = &c.cx.world.board;
            let over = match along {
                None => FloodOver::Borders,
                Some(name) => match board.network(c.cx.symbols.borrow().text(name)) {
                    Some(network) => FloodOver::Network(network),
                    None => FloodOver::Profile(spec.profile(name)?),
                },
            };
            let limit = steps.or(cost);
            let spec = FloodSpec {
                over,
                limit: limit.map(|n| n.max(0) as u32),
                blocked: blocked.as_ref(),
                barrier: barrier.as_deref(),
                no_leave: no_leave.as_ref(),
            };
            let found = SCRATCH.with_borrow_mut(|scratch| flood(board, &sources, &spec, scratch));
            c.cx.spend(4 * found.len() as u64)?;
            c.spaces_out(found)
        },
    )?;
    api.add(
        "paths(how: table) -> list",
        "Paths `from` a space of `length` steps (from `least` on), within neither `blocked` spaces nor `barrier` borders, to `ends`, `over` a network; by `rank`, a function that gives numbers, only the best.",
        |c| {
            let spec = Spec::new(&c)?;
            spec.known(&["from", "length", "least", "blocked", "barrier", "ends", "rank", "over"])?;
            let (blocked, barrier, ends) = (spec.set("blocked")?, spec.barrier()?, spec.set("ends")?);
            let length = spec.int("length")?.unwrap_or(1).max(0) as u32;
            let over = match spec.word("over")? {
                None => Over::Borders,
                Some(name) => Over::Network(c.network_of(name).or_else(|why| spec.wrong("over", why))?),
            };
            let path_spec = PathSpec {
                min_steps: spec.int("least")?.map_or(length, |n| n.max(0) as u32),
                over,
                blocked: blocked.as_ref(),
                barrier: barrier.as_deref(),
                ends: ends.as_ref(),
                ..PathSpec::exact(spec.space("from")?, length)
            };
            let board = &c.cx.world.board;
            let rank = spec.with("rank", |at| match c.frame.value(at)? {
                Value::Function(rank) => Ok(rank),
                _ => spec.wrong("rank", "expected a function"),
            })?;
            let lua = c.lua()?;
            // What the search tries is paid for as it goes; without budget it ends.
            let mut tried = 0u64;
            let step = |_: &[SpaceId], _: SpaceId| {
                tried += 1;
                !tried.is_multiple_of(1_024) || c.cx.spend(4 * 1_024).is_ok()
            };
            let found = match rank {
                None => paths(board, &path_spec, step),
                Some(rank) => {
                    let mut error = None;
                    let score = |path: &[SpaceId]| -> Vec<i32> {
                        if error.is_some() {
                            return Vec::new();
                        }
                        ranked(&c, &rank, path).unwrap_or_else(|why| {
                            error = Some(why);
                            Vec::new()
                        })
                    };
                    let (best, _) = best_paths(board, &path_spec, step, score);
                    if let Some(error) = error {
                        return Err(error);
                    }
                    best
                }
            };
            c.cx.spend(tried % 1_024 * 4)?;
            if found.truncated {
                return fail(format!(
                    "paths: there are too many to list all of length {length}; bar some by `blocked`, `barrier` or `ends`"
                ));
            }
            let list = lua.create_table()?;
            for path in found.iter() {
                let entry = lua.create_table()?;
                let vals: Vec<Val> = path.iter().map(|space| Val::Space(space.0)).collect();
                entry.raw_set("space", c.cx.lua(&lua, vals.last().copied().unwrap_or(Val::Nil))?)?;
                entry.raw_set("path", c.cx.make_list(NewList::Vals(vals))?)?;
                list.raw_push(entry)?;
            }
            Ok(Out::Value(Value::Table(list)))
        },
    )?;
    api.add(
        "match(items: list, choices: function, room: function?) -> table",
        "Gives each item a place among choices(item), with room(place) (1) for each; nil if not all can have one.",
        |c| {
            let (items, choose, lua) = (c.vals(0)?, c.function(1)?, c.lua()?);
            if items.len() > MATCHED {
                return c.wrong(0, format!("at most {MATCHED} items can be matched, found {}", items.len()));
            }
            let mut places: Vec<Val> = Vec::new();
            let mut numbers: FxHashMap<Val, usize> = FxHashMap::default();
            let mut choices = Vec::new();
            let mut all = 0;
            for &item in &items {
                c.cx.spend(CALLED)?;
                let found: Value = choose.call(c.cx.lua(&lua, item)?)?;
                let mut own = Vec::new();
                for val in c.cx.vals(&found)? {
                    own.push(*numbers.entry(val).or_insert_with(|| {
                        places.push(val);
                        places.len() - 1
                    }));
                }
                all += own.len();
                if all > CHOICES {
                    return c.wrong(1, format!("at most {CHOICES} places can be given for all items together"));
                }
                choices.push(own);
            }
            let mut room = Vec::new();
            for &place in &places {
                c.cx.spend(CALLED)?;
                room.push(if c.has(2) { room_of(&c, &c.function(2)?.call(c.cx.lua(&lua, place)?)?)? } else { 1 });
            }
            // Each item may move all others on.
            c.cx.spend(items.len() as u64 * (places.len() + all) as u64 / 8)?;
            let found = matching(&choices, &room);
            if !found.is_complete() {
                return Ok(Out::NIL);
            }
            let result = lua.create_table()?;
            for (item, place) in items.iter().zip(&found.place) {
                if let Some(place) = place {
                    result.raw_set(c.cx.lua(&lua, *item)?, c.cx.lua(&lua, places[*place])?)?;
                }
            }
            Ok(Out::Value(Value::Table(result)))
        },
    )
}

/// What calling a function of a script takes, in instructions, besides what it does.
const CALLED: u64 = 20;
/// Most numbers by which a path is ranked.
const RANKS: usize = 16;

/// How many a place holds, as a rule says; less than none is none.
fn room_of(c: &Call<'_>, value: &Value) -> mlua::Result<u32> {
    match value {
        Value::Integer(n) => Ok(u32::try_from((*n).max(0)).unwrap_or(u32::MAX)),
        other => c.wrong(2, format!("it must give a whole number, but gave a {}", other.type_name())),
    }
}

fn ranked(c: &Call<'_>, rank: &Function, path: &[SpaceId]) -> mlua::Result<Vec<i32>> {
    let vals = path.iter().map(|space| Val::Space(space.0)).collect();
    c.cx.spend(CALLED)?;
    let table: Table = super::contents(rank.call(c.cx.make_list(NewList::Vals(vals))?)?)?;
    let ranks: Vec<i32> = table.sequence_values::<i32>().take(RANKS + 1).collect::<mlua::Result<_>>()?;
    if ranks.len() > RANKS {
        return fail(format!("paths: `rank` gives at most {RANKS} numbers"));
    }
    Ok(ranks)
}

/// One hop between spaces that share a value of a printed field (ports of one sea), from those in `from`.
fn hop(spec: &Spec<'_>, field: Sym, from: &SpaceSet, blocked: Option<&SpaceSet>) -> mlua::Result<Out> {
    let world = &spec.c.cx.world;
    let group = spec.group(field)?;
    spec.c.all_spaces(1)?;
    let groups: BTreeSet<i32> = from.iter().filter_map(&group).collect();
    let mut found = from.clone();
    for space in world.board.spaces() {
        if group(space).is_some_and(|own| groups.contains(&own))
            && !blocked.is_some_and(|blocked| blocked.contains(space))
        {
            found.insert(space);
        }
    }
    spec.c.spaces_out(found)
}

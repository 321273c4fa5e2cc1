//! Search over the map: reach, flood, paths and matching, described by a Lua table.

use super::{Api, Call};
use crate::cx::{Cx, fail};
use crate::list::List;
use crate::val::Val;
use mlua::{Function, LuaString, MetaMethod, Table, UserData, UserDataMethods, Value};
use sandtable_kernel::map::{BorderSet, Over, SpaceId, SpaceSet};
use sandtable_kernel::search::{
    BLOCKED, Cost, FloodOver, FloodSpec, PathSpec, Profile, Reach, ReachSpec, Scratch, best_paths, flood,
    matching, paths, reach,
};
use sandtable_kernel::symbol::Sym;
use std::cell::RefCell;
use std::rc::Rc;

/// The table that describes a search, with checks that name the key.
pub(super) struct Spec<'a> {
    pub c: &'a Call<'a>,
    pub table: Table,
}

impl<'a> Spec<'a> {
    /// The table that is the only argument of a call.
    pub fn new(c: &'a Call<'a>) -> mlua::Result<Spec<'a>> {
        Ok(Spec { c, table: c.table(0)? })
    }

    pub fn wrong<T>(&self, key: &str, why: impl std::fmt::Display) -> mlua::Result<T> {
        self.c.wrong(0, format!("`{key}`: {why}"))
    }

    pub fn known(&self, keys: &[&str]) -> mlua::Result<()> {
        let mut unknown = None;
        self.table.for_each(|key: Value, _: Value| {
            let known = matches!(&key, Value::String(key) if keys.iter().any(|known| known.as_bytes() == key.as_bytes().as_ref()));
            if !known {
                unknown = Some(key.to_string()?);
            }
            Ok(())
        })?;
        match unknown {
            Some(key) => {
                self.wrong(&key, format!("there is no such key{}", Cx::nearest(&key, keys.iter().copied())))
            }
            None => Ok(()),
        }
    }

    fn set(&self, key: &str) -> mlua::Result<Option<SpaceSet>> {
        match self.table.raw_get::<Value>(key)? {
            Value::Nil => Ok(None),
            value => self.c.cx.space_set(&value).map(Some).or_else(|why| self.wrong(key, why)),
        }
    }

    pub fn int(&self, key: &str) -> mlua::Result<Option<i32>> {
        match self.table.raw_get::<Value>(key)? {
            Value::Nil => Ok(None),
            Value::Integer(n) => Ok(i32::try_from(n).ok()),
            other => self.wrong(key, format!("expected a whole number, found a {}", other.type_name())),
        }
    }

    fn space(&self, key: &str) -> mlua::Result<SpaceId> {
        let value: Value = self.table.raw_get(key)?;
        match self.c.cx.val(&value) {
            Ok(Val::Space(space)) => Ok(SpaceId(space)),
            Ok(Val::Sym(sym)) if self.c.cx.world.find_space(&self.c.cx.text(sym)).is_some() => self
                .c
                .cx
                .world
                .find_space(&self.c.cx.text(sym))
                .map_or_else(|| self.wrong(key, "no such space"), Ok),
            Ok(other) => self.wrong(key, format!("expected a space, found {}", self.c.cx.describe(other))),
            Err(why) => self.wrong(key, why),
        }
    }

    fn barrier(&self) -> mlua::Result<Option<Rc<BorderSet>>> {
        let value: Value = self.table.raw_get("barrier")?;
        self.c.barrier(&value).or_else(|why| self.wrong("barrier", why))
    }

    fn truth(&self, key: &str) -> mlua::Result<bool> {
        Ok(self.table.raw_get::<Option<bool>>(key)?.unwrap_or(false))
    }

    /// A cost, or "never".
    fn cost(&self, key: &str, value: &Value) -> mlua::Result<Cost> {
        match value {
            Value::Integer(n) => i32::try_from(*n).or_else(|_| self.wrong(key, "the cost is too large")),
            Value::String(text) if text.as_bytes().as_ref() == b"never" => Ok(BLOCKED),
            _ => self.wrong(key, "expected a cost or \"never\""),
        }
    }

    /// A list of pairs { spaces, cost }.
    pub fn extras(&self, key: &str) -> mlua::Result<Vec<(SpaceSet, Cost)>> {
        let Some(pairs) = self.table.raw_get::<Option<Table>>(key)? else { return Ok(Vec::new()) };
        let mut extras = Vec::new();
        for pair in pairs.sequence_values::<Table>() {
            let pair = pair?;
            let set = self.c.cx.space_set(&pair.raw_get::<Value>(1)?).or_else(|why| self.wrong(key, why))?;
            extras.push((set, self.cost(key, &pair.raw_get::<Value>(2)?)?));
        }
        Ok(extras)
    }

    fn profile(&self, name: &str) -> mlua::Result<&Profile> {
        let profiles = &self.c.cx.world.profiles;
        let found = self.c.cx.world.symbols.get(name).and_then(|sym: Sym| profiles.get(&sym));
        match found {
            Some(profile) => {
                self.c.cx.touch(|| format!("profile.{name}"));
                Ok(profile)
            }
            None => {
                let mut names: Vec<&str> =
                    profiles.keys().map(|&sym| self.c.cx.world.symbols.text(sym)).collect();
                names.sort_unstable();
                self.wrong("profile", format!("no profile {name}{}", Cx::nearest(name, names)))
            }
        }
    }
}

thread_local! {
    /// Buffers of searches, used again; they hold nothing that a result depends on.
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch::new());
}

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add(
        "reach(how: table) -> reach",
        "Where a mover gets to, at what cost; see the manual for the keys.",
        |c| {
            let spec = Spec::new(&c)?;
            spec.known(&[
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
            ])?;
            let name: String = spec.table.raw_get("profile")?;
            let profile = spec.profile(&name)?;
            let (blocked, stop, no_end) = (spec.set("blocked")?, spec.set("stop")?, spec.set("no_end")?);
            let (first, barrier) = (spec.set("first_step_only")?, spec.barrier()?);
            let (enter, leave) = (spec.extras("enter")?, spec.extras("leave")?);
            let enter: Vec<(&SpaceSet, Cost)> = enter.iter().map(|(set, cost)| (set, *cost)).collect();
            let leave: Vec<(&SpaceSet, Cost)> = leave.iter().map(|(set, cost)| (set, *cost)).collect();
            let between = match spec.table.raw_get::<Option<Table>>("between")? {
                None => None,
                Some(pair) => {
                    let set =
                        c.cx.space_set(&pair.raw_get::<Value>(1)?)
                            .or_else(|why| spec.wrong("between", why))?;
                    Some((set, spec.cost("between", &pair.raw_get::<Value>(2)?)?))
                }
            };
            let found = SCRATCH.with_borrow_mut(|scratch| -> mlua::Result<Reach> {
                let spec = ReachSpec {
                    blocked: blocked.as_ref(),
                    barrier: barrier.as_deref(),
                    stop: stop.as_ref(),
                    enter_extra: &enter,
                    leave_extra: &leave,
                    between: between.as_ref().map(|(set, cost)| (set, *cost)),
                    one_step: spec.truth("one_step")?,
                    first_step_only: first.as_ref(),
                    max_steps: spec.int("steps")?.map(|n| n.max(0) as u32),
                    no_end: no_end.as_ref(),
                    ..ReachSpec::new(spec.space("from")?, spec.int("points")?.unwrap_or(0))
                };
                Ok(reach(&c.cx.world.board, profile, &spec, scratch))
            })?;
            Ok(Value::UserData(c.lua.create_userdata(ReachHandle { reach: found, cx: c.cx.clone() })?))
        },
    )?;
    api.add(
        "flood(how: table) -> spaces",
        "All spaces that some spaces connect to; see the manual for the keys.",
        |c| {
            let spec = Spec::new(&c)?;
            spec.known(&["from", "over", "steps", "cost", "blocked", "barrier", "no_leave", "hop"])?;
            let sources = spec.set("from")?.unwrap_or_default();
            let (blocked, barrier, no_leave) = (spec.set("blocked")?, spec.barrier()?, spec.set("no_leave")?);
            if let Some(field) = spec.table.raw_get::<Option<String>>("hop")? {
                return hop(&spec, &field, &sources, blocked.as_ref());
            }
            let name: Option<String> = spec.table.raw_get("over")?;
            let board = &c.cx.world.board;
            let over = match &name {
                None => FloodOver::Borders,
                Some(name) => match board.network(name) {
                    Some(network) => FloodOver::Network(network),
                    None => FloodOver::Profile(spec.profile(name)?),
                },
            };
            let limit = match spec.int("steps")? {
                Some(n) => Some(n),
                None => spec.int("cost")?,
            };
            let spec = FloodSpec {
                over,
                limit: limit.map(|n| n.max(0) as u32),
                blocked: blocked.as_ref(),
                barrier: barrier.as_deref(),
                no_leave: no_leave.as_ref(),
            };
            let found = SCRATCH.with_borrow_mut(|scratch| flood(board, &sources, &spec, scratch));
            c.spaces_out(found)
        },
    )?;
    api.add(
        "paths(how: table) -> list",
        "Paths of a given length, best ranked first; see the manual for the keys.",
        |c| {
            let spec = Spec::new(&c)?;
            spec.known(&["from", "length", "least", "blocked", "barrier", "ends", "rank", "over"])?;
            let (blocked, barrier, ends) = (spec.set("blocked")?, spec.barrier()?, spec.set("ends")?);
            let length = spec.int("length")?.unwrap_or(1).max(0) as u32;
            let over = match spec.table.raw_get::<Option<String>>("over")? {
                None => Over::Borders,
                Some(name) => match c.cx.world.board.network(&name) {
                    Some(network) => Over::Network(network),
                    None => return spec.wrong("over", format!("no network {name}")),
                },
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
            let found = match spec.table.raw_get::<Option<Function>>("rank")? {
                None => paths(board, &path_spec, |_, _| true),
                Some(rank) => {
                    let mut error = None;
                    let score = |path: &[SpaceId]| -> Vec<i32> {
                        ranked(&c, &rank, path).unwrap_or_else(|why| {
                            error = Some(why);
                            Vec::new()
                        })
                    };
                    let (best, _) = best_paths(board, &path_spec, |_, _| true, score);
                    if let Some(error) = error {
                        return Err(error);
                    }
                    best
                }
            };
            let list = c.lua.create_table()?;
            for path in found.iter() {
                let entry = c.lua.create_table()?;
                let vals: Vec<Val> = path.iter().map(|space| Val::Space(space.0)).collect();
                entry.raw_set("space", c.cx.lua(c.lua, vals.last().copied().unwrap_or(Val::Nil))?)?;
                entry.raw_set("path", List::new(vals, c.cx).into_lua(c.lua)?)?;
                list.raw_push(entry)?;
            }
            Ok(Value::Table(list))
        },
    )?;
    api.add(
        "match(items: list, choices: function, room: function?) -> table",
        "Gives each item a place among choices(item), with room(place) (1) for each; nil if not all can have one.",
        |c| {
            let (items, choose) = (c.vals(0)?, c.function(1)?);
            let mut places: Vec<Val> = Vec::new();
            let mut choices = Vec::new();
            for &item in &items {
                let found: Value = choose.call(c.cx.lua(c.lua, item)?)?;
                let mut own = Vec::new();
                for val in c.cx.vals(&found).or_else(fail)? {
                    let at = places.iter().position(|&place| place == val).unwrap_or_else(|| {
                        places.push(val);
                        places.len() - 1
                    });
                    own.push(at);
                }
                choices.push(own);
            }
            let mut room = Vec::new();
            for &place in &places {
                room.push(if c.has(2) { c.function(2)?.call::<u32>(c.cx.lua(c.lua, place)?)? } else { 1 });
            }
            let found = matching(&choices, &room);
            if !found.is_complete() {
                return Ok(Value::Nil);
            }
            let result = c.lua.create_table()?;
            for (item, place) in items.iter().zip(&found.place) {
                if let Some(place) = place {
                    result.raw_set(c.cx.lua(c.lua, *item)?, c.cx.lua(c.lua, places[*place])?)?;
                }
            }
            Ok(Value::Table(result))
        },
    )
}

fn ranked(c: &Call<'_>, rank: &Function, path: &[SpaceId]) -> mlua::Result<Vec<i32>> {
    let vals = path.iter().map(|space| Val::Space(space.0)).collect();
    let table: Table = rank.call(List::new(vals, c.cx).into_lua(c.lua)?)?;
    table.sequence_values::<i32>().collect()
}

/// One hop between spaces that share a value of a printed field (ports of one sea), from those in `from`.
fn hop(spec: &Spec<'_>, field: &str, from: &SpaceSet, blocked: Option<&SpaceSet>) -> mlua::Result<Value> {
    let world = &spec.c.cx.world;
    let fields = &world.space_fields;
    let Some(col) = world.symbols.get(field).and_then(|name| fields.column(name)) else {
        return spec.wrong("hop", format!("no printed field `{field}` of spaces"));
    };
    let group = |space: SpaceId| fields.get(space.0, col);
    let absent = sandtable_kernel::world::NIL;
    let groups: Vec<i32> = from.iter().map(group).filter(|&group| group != absent && group != 0).collect();
    let mut found = from.clone();
    for space in world.board.spaces() {
        if groups.contains(&group(space)) && !blocked.is_some_and(|blocked| blocked.contains(space)) {
            found.insert(space);
        }
    }
    spec.c.spaces_out(found)
}

/// The result of `reach`.
struct ReachHandle {
    reach: Reach,
    cx: Rc<Cx>,
}

fn space_of(this: &ReachHandle, value: &Value) -> mlua::Result<SpaceId> {
    match this.cx.val(value) {
        Ok(Val::Space(space)) => Ok(SpaceId(space)),
        _ => fail("reach: expected a space"),
    }
}

impl UserData for ReachHandle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: LuaString| {
            match key.as_bytes().as_ref() {
                b"spaces" => List::of_spaces(this.reach.ends().clone(), &this.cx).into_lua(lua),
                _ => {
                    fail(format!("a reach has no `{}`; it has spaces, cost and path", key.to_string_lossy()))
                }
            }
        });
        methods.add_method("cost", |_, this, space: Value| Ok(this.reach.cost(space_of(this, &space)?)));
        methods.add_method("path", |lua, this, space: Value| {
            let path = this.reach.path_to(space_of(this, &space)?);
            List::new(path.into_iter().map(|space| Val::Space(space.0)).collect(), &this.cx).into_lua(lua)
        });
    }
}

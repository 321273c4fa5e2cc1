//! Lines, arcs and sight over the hexes of the map.

use super::search::Spec;
use super::{Api, Call, slot};
use crate::context::{ScriptContext, SightKept, fail};
use crate::list::NewList;
use crate::lua_ffi::Out;
use crate::outside::Tallied;
use crate::val::Val;
use crate::wrong_value::{Given, WrongValue};
use mlua::{LuaString, MetaMethod, UserData, UserDataMethods, Value};
use sandtable_kernel::map::{
    Aspect, Blocker, Crossing, Cube, Direction, Heading, LineCache, LineStep, Sight, SightPicture,
    SightReason, SightRules, SpaceId, SpaceSet, aspect, bearing, crossings, heading, in_arc, line, sight,
    sight_all,
};
use sandtable_kernel::sight::{SightDef, SightLayer, SightNow, level};
use sandtable_kernel::state::{PieceId, TableId, piece_col};
use sandtable_kernel::symbol::Sym;
use std::cell::RefCell;
use std::rc::Rc;

/// What a step of a line takes that scripts get, in instructions.
const STEP: u64 = 20;

thread_local! {
    /// Lines between hexes, worked out once; they depend on nothing but the two ends.
    static LINES: RefCell<LineCache> = RefCell::new(LineCache::new());
}

impl ScriptContext {
    /// The space of a handle: a space, or where a piece lies.
    fn spot(&self, val: Given<Val>) -> Given<SpaceId> {
        match val? {
            Val::Space(space) => Ok(SpaceId(space)),
            Val::Piece(piece) => {
                let play = self.play.borrow();
                self.note(&play.state, TableId::PIECE, piece_col::PLACE);
                let found = play.state.space_of(PieceId(piece));
                drop(play);
                found.ok_or_else(|| WrongValue::NowhereOnTheMap(self.name(Val::Piece(piece))).into())
            }
            Val::Sym(sym) => {
                let name = self.text(sym);
                self.world.find_space(&name).ok_or_else(|| {
                    let ids = self.world.spaces.iter().map(|def| self.world.symbols.text(def.id));
                    let nearest = format!(" on this map{}", ScriptContext::nearest(&name, ids));
                    WrongValue::Unknown { what: "space", name: name.clone(), nearest }.into()
                })
            }
            other => {
                let found = self.describe(other);
                Err(WrongValue::Expected { expected: "a space or a piece", found }.into())
            }
        }
    }

    fn hex(&self, val: Given<Val>) -> Given<Cube> {
        let space = self.spot(val)?;
        let hex = self.world.board.hex(space);
        hex.ok_or_else(|| WrongValue::NotAHex(self.world.space_name(space).to_string()).into())
    }
}

impl Call<'_> {
    fn hex(&self, at: usize) -> mlua::Result<Cube> {
        self.cx.hex(self.frame.val(slot(at))).or_else(|why| self.wrong(at, why))
    }

    fn facing(&self, at: usize) -> mlua::Result<Direction> {
        let n = self.int(at)?;
        match u8::try_from(n).ok().and_then(Direction::new) {
            Some(direction) => Ok(direction),
            None => self.wrong(at, format!("expected a direction, 0 to 5, found {n}")),
        }
    }

    /// A half-angle in rays of 30 degrees.
    fn half(&self, at: usize) -> mlua::Result<u8> {
        let n = self.int(at)?;
        match u8::try_from(n) {
            Ok(half @ 0..=6) => Ok(half),
            _ => self.wrong(at, format!("expected a half-angle in steps of 30 degrees, 0 to 6, found {n}")),
        }
    }

    fn at_hex(&self, hex: Cube) -> Option<Val> {
        self.cx.world.board.at(hex).map(|space| Val::Space(space.0))
    }
}

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add(
        "line(a: hex, b: hex) -> lists",
        "The straight line between two hexes, both included: a list of one space for each step, of two where it runs along a hexside.",
        |c| {
            let lua = c.lua()?;
            let found = lua.create_table()?;
            for step in line(c.hex(0)?, c.hex(1)?) {
                c.cx.spend(STEP)?;
                let spaces: Vec<Val> = match step {
                    LineStep::Hex(hex) => c.at_hex(hex).into_iter().collect(),
                    LineStep::Tie(a, b) => [a, b].into_iter().filter_map(|hex| c.at_hex(hex)).collect(),
                };
                if !spaces.is_empty() {
                    found.raw_push(c.cx.make_list(NewList::Vals(spaces))?)?;
                }
            }
            Ok(Out::Value(Value::Table(found)))
        },
    )?;
    api.add(
        "crossed(a: hex, b: hex) -> tables",
        "The hexsides of the line between two hexes, in order: { from, to, features, along = true where the line runs along it }.",
        |c| {
            let lua = c.lua()?;
            let found = lua.create_table()?;
            for crossing in crossings(&line(c.hex(0)?, c.hex(1)?)) {
                c.cx.spend(STEP)?;
                let (a, b, along) = match crossing {
                    Crossing::Across(a, b) => (a, b, false),
                    Crossing::Along(a, b) => (a, b, true),
                };
                let board = &c.cx.world.board;
                let (Some(a), Some(b)) = (board.at(a), board.at(b)) else { continue };
                let features = board.border_between(a, b).map_or(&[][..], |border| c.cx.world.features(border));
                let features = features.iter().map(|&feature| Val::Sym(feature)).collect();
                let entry = lua.create_table()?;
                entry.raw_set("from", c.cx.lua(&lua, Val::Space(a.0))?)?;
                entry.raw_set("to", c.cx.lua(&lua, Val::Space(b.0))?)?;
                entry.raw_set("along", along)?;
                entry.raw_set("features", c.cx.make_list(NewList::Vals(features))?)?;
                found.raw_push(entry)?;
            }
            Ok(Out::Value(Value::Table(found)))
        },
    )?;
    arcs(api)?;
    api.add(
        "sight(how: table) -> sight",
        "Looks from one hex to another: `from`, `to`, `rules` (a row of `sight`); `range`, `viewer_level`, `height` and `haze` ({{spaces, n}, …}) add to the rules.",
        |c| {
            let spec = Spec::new(&c)?;
            spec.known(&["from", "to", "rules", "range", "viewer_level", "height", "haze"])?;
            let (from, to) = (spot(&spec, "from")?, spot(&spec, "to")?);
            let steps = c.cx.world.board.hex(from).zip(c.cx.world.board.hex(to));
            c.cx.spend(steps.map_or(0, |(from, to)| from.distance(to)).into())?;
            let found = look(&spec, |now, rules, lines| sight(&c.cx.world.board, &now.field(), rules, from, to, lines))?;
            let handle = SightHandle { sight: found, cx: c.cx.clone() };
            Ok(Out::Value(Value::UserData(c.lua()?.create_userdata(handle)?)))
        },
    )?;
    api.add(
        "sight_all(how: table) -> picture",
        "Looks from a hex to all others, with the keys of `sight`: `.spaces`, `:haze(space)`, `:has(space)`.",
        |c| {
            let spec = Spec::new(&c)?;
            spec.known(&["from", "rules", "range", "viewer_level", "height", "haze"])?;
            let from = spot(&spec, "from")?;
            // A line to each hex, as long as the map is wide.
            c.all_spaces(16)?;
            let found = look(&spec, |now, rules, lines| {
                sight_all(&c.cx.world.board, &now.field(), rules, from, lines)
            })?;
            let bytes = size_of_val(found.haze.as_slice()) + c.cx.world.spaces.len() / 8;
            let found = c.cx.tallied(found, bytes)?;
            let handle = Picture { picture: found, cx: c.cx.clone() };
            Ok(Out::Value(Value::UserData(c.lua()?.create_userdata(handle)?)))
        },
    )
}

fn arcs(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add(
        "bearing(a: hex, b: hex) -> int",
        "The bearing from one hex to another, 0 to 23 clockwise from direction 0, 15 degrees each; nil for the same hex.",
        |c| Ok(bearing(c.hex(0)?, c.hex(1)?).map_or(Out::NIL, |n| Out::Int(n.into()))),
    )?;
    api.add(
        "heading(a: hex, b: hex) -> ints",
        "The direction (0–5) nearest to the way from one hex to another; two of them if it lies exactly between.",
        |c| {
            let found = match heading(c.hex(0)?, c.hex(1)?) {
                None => Vec::new(),
                Some(Heading::One(direction)) => vec![direction],
                Some(Heading::Between(a, b)) => vec![a, b],
            };
            let vals = found.into_iter().map(|direction| Val::Int(direction.number().into())).collect();
            Ok(Out::list(vals))
        },
    )?;
    api.add(
        "in_arc(from: hex, facing: int, half: int, to: hex) -> bool",
        "Whether a hex lies within `half` steps of 30 degrees either side of a facing, edges included; 2 is the cone of the three front hexes.",
        |c| Ok(Out::truth(in_arc(c.hex(0)?, c.facing(1)?, c.half(2)?, c.hex(3)?))),
    )?;
    api.add(
        "arc(from: hex, facing: int, half: int, radius: int) -> spaces",
        "The hexes of such an arc at most `radius` away.",
        |c| {
            let (from, facing, half) = (c.hex(0)?, c.facing(1)?, c.half(2)?);
            let radius = c.int(3)?.max(0) as u32;
            c.all_spaces(2)?;
            let board = &c.cx.world.board;
            let inside = |space: &SpaceId| {
                let hex = board.hex(*space);
                hex.is_some_and(|hex| from.distance(hex) <= radius && in_arc(from, facing, half, hex))
            };
            let found: SpaceSet = board.spaces().filter(inside).collect();
            c.spaces_out(found)
        },
    )?;
    api.add(
        "aspect(from: hex, facing: int, front: int, rear: int, to: hex) -> text",
        "On which side of something that faces a way a hex lies: front, right, rear or left; `front` and `rear` are half-angles as in `in_arc`. Nil for the same hex.",
        |c| {
            let found = aspect(c.hex(0)?, c.facing(1)?, c.half(2)?, c.half(3)?, c.hex(4)?);
            let word = match found {
                None => return Ok(Out::NIL),
                Some(Aspect::Front) => "front",
                Some(Aspect::Right) => "right",
                Some(Aspect::Rear) => "rear",
                Some(Aspect::Left) => "left",
            };
            Ok(Val::Sym(c.cx.sym(word)).into())
        },
    )
}

/// The rules that a table names: by `rules`, or the only ones there are.
fn rules<'a>(spec: &Spec<'a>) -> mlua::Result<(Sym, &'a SightDef)> {
    let world = &spec.c.cx.world;
    let name = spec.word("rules")?;
    let found = match &name {
        Some(name) => world.sights.get(name).map(|def| (*name, def)),
        None if world.sights.len() == 1 => world.sights.iter().next().map(|(name, def)| (*name, def)),
        None => None,
    };
    match found {
        Some(found) => Ok(found),
        None => {
            let mut names: Vec<&str> = world.sights.keys().map(|&sym| world.symbols.text(sym)).collect();
            names.sort_unstable();
            let hint = if names.is_empty() {
                "; declare [sight.NAME] in TOML".to_string()
            } else {
                format!("; there are {}", names.join(", "))
            };
            spec.wrong(
                "rules",
                format!(
                    "no rules of sight {}{hint}",
                    name.map_or_else(String::new, |name| spec.c.cx.text(name))
                ),
            )
        }
    }
}

/// The hex that a key names: by a space, or a piece in it.
fn spot(spec: &Spec<'_>, key: &'static str) -> mlua::Result<SpaceId> {
    let found =
        spec.with(key, |at| spec.c.cx.spot(spec.c.frame.val(at)).or_else(|why| spec.wrong(key, why)))?;
    found.map_or_else(|| spec.wrong(key, "expected a space or a piece, found nothing"), Ok)
}

/// Looks with the rules, the state and the changes that a table asks for.
fn look<T>(
    spec: &Spec<'_>,
    ask: impl FnOnce(&SightNow<'_>, &SightRules, &mut LineCache) -> T,
) -> mlua::Result<T> {
    let (cx, (name, def)) = (spec.c.cx, rules(spec)?);
    cx.touch(|| "sight".into());
    let (high, thick) = (spec.extras("height")?, spec.extras("haze")?);
    let mut rules = def.rules;
    if let Some(range) = spec.int("range")? {
        rules.range = Some(range.max(0) as u32);
    }
    if let Some(n) = spec.int("viewer_level")? {
        rules.viewer_level = Some(level(n));
    }
    let mut play = cx.play.borrow_mut();
    let play = &mut *play;
    def.reads().for_each(|(table, col)| cx.note(&play.state, table, col));
    let good = |kept: &SightKept| play.state.unwritten(&kept.reads, kept.checked);
    if !play.sights.get(&name).is_some_and(good) {
        spec.c.all_spaces(4)?;
        let mut reads = vec![0; play.state.columns().div_ceil(64)];
        for (table, col) in def.reads() {
            let index = play.state.version_index(table, col) as usize;
            reads[index / 64] |= 1 << (index % 64);
        }
        let now = def.now(&cx.world, &play.state).into_owned();
        play.sights.insert(name, SightKept { now, reads, checked: play.state.writes() });
    }
    let now = &play.sights[&name].now;
    if high.is_empty() && thick.is_empty() {
        return Ok(LINES.with_borrow_mut(|lines| ask(now, &rules, lines)));
    }
    spec.c.all_spaces(1)?;
    let mut now = now.clone();
    for (layer, extras) in [(SightLayer::Obstacle, high), (SightLayer::Haze, thick)] {
        for (spaces, n) in &extras {
            cx.spend(spaces.len() as u64)?;
            spaces.iter().for_each(|space| now.add(layer, space, *n));
        }
    }
    Ok(LINES.with_borrow_mut(|lines| ask(&now, &rules, lines)))
}

/// The result of `sight`.
struct SightHandle {
    sight: Sight,
    cx: Rc<ScriptContext>,
}

impl SightHandle {
    /// The spaces that block: one, or the two of a hexside.
    fn blockers(&self) -> Vec<Val> {
        let spaces: Vec<SpaceId> = match self.sight.blocked {
            None => Vec::new(),
            Some((Blocker::Space(space), _)) => vec![space],
            Some((Blocker::Tie(a, b), _)) => [a, b].into_iter().flatten().collect(),
            Some((Blocker::Border(border), _)) => {
                self.cx.world.board.border_ends(border).into_iter().flatten().collect()
            }
        };
        spaces.into_iter().map(|space| Val::Space(space.0)).collect()
    }
}

/// The word for why something blocks.
fn why(reason: SightReason) -> &'static str {
    match reason {
        SightReason::Above => "above",
        SightReason::AtHigh => "at-high",
        SightReason::BlindSpot => "blind-spot",
        SightReason::AtLow => "at-low",
        SightReason::Below => "below",
        SightReason::Sunken => "sunken",
        SightReason::Haze => "haze",
        SightReason::Range => "range",
        SightReason::OffGrid => "off-map",
    }
}

impl UserData for SightHandle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: LuaString| {
            match key.as_bytes().as_ref() {
                b"clear" => Ok(Value::Boolean(this.sight.is_clear())),
                b"haze" => Ok(Value::Integer(this.sight.haze.into())),
                b"blocked" => this.cx.lua(lua, this.blockers().first().copied().unwrap_or(Val::Nil)),
                b"blockers" => this.cx.make_list(NewList::Vals(this.blockers())),
                b"why" => match this.sight.blocked {
                    None => Ok(Value::Nil),
                    Some((_, reason)) => Ok(Value::String(lua.create_string(why(reason))?)),
                },
                _ => fail(format!(
                    "a sight has no `{}`; it has clear, blocked, blockers, why and haze",
                    key.to_string_lossy()
                )),
            }
        });
    }
}

/// The result of `sight_all`.
struct Picture {
    picture: Tallied<SightPicture>,
    cx: Rc<ScriptContext>,
}

impl UserData for Picture {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |_, this, key: LuaString| match key.as_bytes().as_ref() {
            b"spaces" => this.cx.make_list(NewList::Set(this.picture.value.seen.clone())),
            _ => fail(format!("a picture has no `{}`; it has spaces, has and haze", key.to_string_lossy())),
        });
        methods.add_method("has", |_, this, space: Value| {
            Ok(this.picture.value.seen.contains(this.cx.spot(this.cx.val(&space))?))
        });
        methods.add_method("haze", |_, this, space: Value| {
            let space = this.cx.spot(this.cx.val(&space))?;
            let seen = this.picture.value.seen.contains(space);
            Ok(if seen { this.picture.value.haze.get(space.0 as usize).copied() } else { None })
        });
    }
}

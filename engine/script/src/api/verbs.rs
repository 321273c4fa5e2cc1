//! The verbs: the only ways, besides assigning fields, in which a script changes the game.

use super::data::place;
use super::rules::pure;
use super::{Api, Call, active, slot};
use crate::border::{Out, Part};
use crate::cx::{Cx, fail};
use crate::fields::assign;
use crate::handle::{arg_tag, val_cell};
use crate::registry::Kind;
use crate::val::{Change, Ending, Val};
use mlua::{Table, Value};
use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{
    Arg, EffectId, End, KEPT, Lists, NewEffect, PieceId, Place, See, TableId, Type, effect_col, piece_col,
};
use sandtable_kernel::symbol::{Sym, stable_hash};

/// Most pieces of a game, those destroyed included.
const PIECES: u32 = 50_000;
/// The bits of those who were shown a face; those above say from whom it is hidden although its place shows it.
const SHOWN: i32 = 0xff;
/// Most dice of one roll.
const ROLLS: i32 = 1_000;
/// Most effects, and most records of a type, at a time.
const AT_A_TIME: u32 = 5_000;

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    pieces(api)?;
    chance(api)?;
    effects(api)?;
    records(api)?;
    api.add(
        "end_game(how: table)",
        "Ends the game from any depth: winner (nil for a draw), reason, rule.",
        |c| {
            c.cx.changing("end_game")?;
            let how = c.table(0)?;
            const KEYS: [&str; 3] = ["winner", "reason", "rule"];
            let mut unknown = None;
            c.frame.each(slot(0), |key, _| {
                let key = c.frame.sym(key).map_or_else(String::new, |key| c.cx.text(key));
                if !KEYS.contains(&key.as_str()) {
                    unknown = Some(key);
                }
                Ok(())
            })?;
            if let Some(key) = unknown {
                return c.wrong(0, format!("there is no `{key}`{}", Cx::nearest(&key, KEYS)));
            }
            let winner = match c.cx.val(&how.raw_get::<Value>("winner")?).or_else(|why| c.wrong(0, why))? {
                Val::Nil => None,
                Val::Sym(sym) => match c.cx.side(sym) {
                    Some(side) => Some(side),
                    None => {
                        let (name, sides) = (c.cx.text(sym), (0u8..).zip(&c.cx.world.sides));
                        let sides =
                            sides.map(|(at, _)| c.cx.world.side_name(sandtable_kernel::world::SideId(at)));
                        let sides = sides.collect::<Vec<_>>().join(", ");
                        return c.wrong(0, format!("winner: `{name}` is no side; the sides are {sides}"));
                    }
                },
                other => {
                    return c.wrong(0, format!("winner: expected a side, found {}", c.cx.describe(other)));
                }
            };
            let reason: Option<String> = how.raw_get("reason")?;
            let rule: Option<String> = how.raw_get("rule")?;
            let ending = Ending {
                winner,
                reason: c.cx.sym(&reason.unwrap_or_default()),
                rule: rule.unwrap_or_default(),
            };
            let mut play = c.cx.play.borrow_mut();
            play.changes.push(Change::End(ending.clone()));
            play.ended = Some(ending);
            Ok(Out::NIL)
        },
    )
}

/// Moves a piece and notes the change.
fn move_to(c: &Call<'_>, piece: u32, to: Place, end: End) -> mlua::Result<()> {
    let mut play = c.cx.play.borrow_mut();
    let from = play.state.place(PieceId(piece));
    if !play.state.move_piece(PieceId(piece), to, end) {
        drop(play);
        return fail(format!("move: {} would come to lie on itself", c.cx.name(Val::Piece(piece))));
    }
    play.changes.push(Change::Move { piece, from: from.cell(), to: to.cell() });
    // A face that was shown is forgotten where faces are hidden: nobody follows a card into a deck.
    if let Place::Space(space) = to
        && from != to
        && c.cx.world.spaces[space.0 as usize].see != See::All
    {
        play.state.set(TableId::PIECE, piece, piece_col::SEEN, 0);
    }
    Ok(())
}

fn pieces(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add(
        "move(piece: piece, place: place, end: text?)",
        "Moves a piece, with its cargo, to the top (or \"bottom\") of a space or onto a piece; through the spaces of a list, one after the other.",
        |c| {
            c.cx.changing("move")?;
            let piece = c.live_piece(0)?;
            if let Some(way) = c.frame.list(slot(1)) {
                for &val in way.vals().iter() {
                    let Val::Space(space) = val else {
                        return c.wrong(1, format!("expected a way of spaces, found {}", c.cx.describe(val)));
                    };
                    c.cx.changing("move")?;
                    move_to(&c, piece, Place::Space(SpaceId(space)), End::Top)?;
                }
                return Ok(Out::NIL);
            }
            let to = place(&c, 1)?;
            if to == Place::Nowhere {
                return c.wrong(1, "expected a space or a piece; use `remove` to take a piece out of play");
            }
            let end = match c.has(2) {
                false => End::Top,
                true => match c.text(2)?.as_str() {
                    "top" => End::Top,
                    "bottom" => End::Bottom,
                    other => return c.wrong(2, format!("expected \"top\" or \"bottom\", found \"{other}\"")),
                },
            };
            move_to(&c, piece, to, end)?;
            Ok(Out::NIL)
        },
    )?;
    api.add("remove(piece: piece)", "Takes a piece out of all places.", |c| {
        c.cx.changing("remove")?;
        move_to(&c, c.live_piece(0)?, Place::Nowhere, End::Top)?;
        Ok(Out::NIL)
    })?;
    api.add(
        "create(type: text, side: side?, place: place, n: int?) -> piece",
        "Makes n (1) pieces of a component row in a place; returns the last.",
        |c| {
            c.cx.changing("create")?;
            let id = c.sym(0)?;
            let Some(proto) = c.cx.row(id).map(|row| row as usize) else {
                let name = c.text(0)?;
                let ids = c.cx.world.protos.iter().map(|proto| c.cx.world.symbols.text(proto.id));
                return c.wrong(
                    0,
                    format!("no row {name} in the component list{}", crate::cx::Cx::nearest(&name, ids)),
                );
            };
            let side = if c.has(1) { Some(c.side(1)?) } else { c.cx.world.protos[proto].side };
            let (to, n) = (place(&c, 2)?, c.int_from(3, 0, 1)?);
            let there = c.cx.play.borrow().state.rows(TableId::PIECE);
            if n > 0 && n.unsigned_abs() > PIECES.saturating_sub(there) {
                return c.wrong(3, format!("there are {there} pieces; {n} more would be over {PIECES}"));
            }
            let mut last = Val::Nil;
            for _ in 0..n {
                let piece = {
                    let mut play = c.cx.play.borrow_mut();
                    let piece = c.cx.world.push_piece(&mut play.state, proto as u32, side);
                    play.changes.push(Change::Create(piece));
                    piece
                };
                move_to(&c, piece, to, End::Top)?;
                last = Val::Piece(piece);
            }
            Ok(Out::Val(last))
        },
    )?;
    api.add(
        "destroy(piece: piece)",
        "Takes a piece, with what it carries, out of the game for good.",
        |c| {
            c.cx.changing("destroy")?;
            let mut gone = vec![c.live_piece(0)?];
            while let Some(piece) = gone.pop() {
                let mut play = c.cx.play.borrow_mut();
                let cargo: Vec<PieceId> = play.state.contents(Place::Piece(PieceId(piece))).collect();
                gone.extend(cargo.iter().map(|piece| piece.0));
                play.state.move_piece(PieceId(piece), Place::Nowhere, End::Top);
                play.state.set(TableId::PIECE, piece, piece_col::LEVEL, 0);
                play.changes.push(Change::Destroy(piece));
            }
            Ok(Out::NIL)
        },
    )?;
    let step = |c: &Call<'_>, direction: i32| -> mlua::Result<Out> {
        let (piece, n) = (c.live_piece(0)?, c.int_from(1, 0, 1)?);
        let (levels, level) = {
            let play = c.cx.play.borrow();
            let levels = c.cx.world.proto_of(&play.state, piece).map_or(1, |proto| i32::from(proto.levels));
            (levels, play.state.get(TableId::PIECE, piece, piece_col::LEVEL))
        };
        let to = level.saturating_add(direction.saturating_mul(n));
        if !(1..=levels).contains(&to) {
            return Ok(Out::truth(false));
        }
        c.cx.set_cell(TableId::PIECE, piece, piece_col::LEVEL, to);
        Ok(Out::truth(true))
    };
    api.add(
        "step_down(piece: piece, n: int?) -> bool",
        "Lowers a piece n (1) rungs; false, and nothing done, if its ladder ends before.",
        move |c| {
            c.cx.changing("step_down")?;
            step(&c, 1)
        },
    )?;
    api.add(
        "step_up(piece: piece, n: int?) -> bool",
        "Raises a piece n (1) rungs; false if its ladder ends.",
        move |c| {
            c.cx.changing("step_up")?;
            step(&c, -1)
        },
    )?;
    let show = |c: &Call<'_>, on: bool| -> mlua::Result<Out> {
        let piece = c.live_piece(0)?;
        let mask = if c.has(1) { 1 << c.side(1)?.0 } else { (1 << c.cx.world.sides.len()) - 1 };
        let mut play = c.cx.play.borrow_mut();
        let old = play.state.get(TableId::PIECE, piece, piece_col::SEEN);
        // Bits above the sides say from whom a face is hidden although its place shows it.
        let hidden = mask << 8;
        let new = if on { (old | mask) & !hidden } else { (old & !mask) | hidden };
        if new != old {
            play.state.set(TableId::PIECE, piece, piece_col::SEEN, new);
            play.changes.push(Change::Reveal { piece, seen: new });
            play.barrier |= on;
        }
        Ok(Out::NIL)
    };
    api.add(
        "reveal(piece: piece, side: side?)",
        "Shows the face of a piece to a side, or to all.",
        move |c| {
            c.cx.changing("reveal")?;
            show(&c, true)
        },
    )?;
    api.add(
        "conceal(piece: piece, side: side?)",
        "Hides the face of a piece from a side, or from all.",
        move |c| {
            c.cx.changing("conceal")?;
            show(&c, false)
        },
    )
}

/// A random number below `bound` for a label: forced, recorded, or derived from the seed.
fn random(c: &Call<'_>, label: Sym, bound: u32) -> mlua::Result<u32> {
    let text = c.cx.text(label);
    let mut play = c.cx.play.borrow_mut();
    c.cx.spend(play.rolls.len() as u64 / 8)?;
    let ordinal = play.rolls.iter().filter(|roll| roll.0 == label).count() as u32;
    let fed = play.roll_feed.iter().position(|roll| roll.0 == label);
    let value = match fed {
        Some(at) => {
            let value = play.roll_feed.remove(at).1;
            if value == 0 || value > bound {
                return fail(format!("the roll `{text}` was set to {value}; this die has 1 to {bound}"));
            }
            value
        }
        None if play.forced_only => {
            return fail(format!("no value is given for the roll `{text}` (1 to {bound})"));
        }
        None => {
            let key = DiceKey { seed: play.seed, path: play.path, label: stable_hash(&text), ordinal };
            Dice::new(key).die(bound)
        }
    };
    play.rolls.push((label, value));
    play.changes.push(Change::Roll { label, sides: bound, value });
    play.barrier = true;
    Ok(value)
}

/// A die, rolled again if a rule wants it; each roll is recorded.
fn die(c: &Call<'_>, label: Sym, sides: u32) -> mlua::Result<u32> {
    let mut value = random(c, label, sides)?;
    let rules = c.cx.registry.borrow().of(Kind::Reroll, label).to_vec();
    for number in rules {
        let active = active(c.cx, &c.cx.registry.borrow().handlers[number as usize], None);
        if !active || !c.frame.handler(number, Part::Run) {
            continue;
        }
        c.frame.push_int(value.into());
        c.frame.push_int(sides.into());
        c.cx.measured(number, || pure(c.cx, || c.frame.call(2, 1)))?;
        let again = c.frame.holds(-1);
        c.frame.pop(1);
        if again {
            let registry = c.cx.registry.borrow();
            let handler = &registry.handlers[number as usize];
            handler.fired.set(handler.fired.get() + 1);
            value = random(c, label, sides)?;
        }
    }
    Ok(value)
}

fn chance(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add("roll(label: text, sides: int?) -> int", "One die (6 sides unless told).", |c| {
        c.cx.changing("roll")?;
        let value = die(&c, c.sym(0)?, c.int_from(1, 1, 6)? as u32)?;
        Ok(Out::Int(value.into()))
    })?;
    api.add("rolls(label: text, n: int, sides: int?) -> ints", "n dice, as a list.", |c| {
        c.cx.changing("rolls")?;
        let (label, n, sides) = (c.sym(0)?, c.int_from(1, 0, 1)?, c.int_from(2, 1, 6)? as u32);
        if n > ROLLS {
            return c.wrong(1, format!("{n} dice at once; at most {ROLLS} are rolled"));
        }
        let mut vals = Vec::new();
        for _ in 0..n {
            c.cx.spend(100)?;
            vals.push(Val::Int(die(&c, label, sides)? as i32));
        }
        Ok(Out::list(vals))
    })?;
    api.add(
        "pick(label: text, list: list) -> any",
        "One item of a list at random; nil if it is empty.",
        |c| {
            c.cx.changing("pick")?;
            let vals = c.vals(1)?;
            if vals.is_empty() {
                return Ok(Out::NIL);
            }
            let at = random(&c, c.sym(0)?, vals.len() as u32)? as usize - 1;
            Ok(Out::Val(vals[at]))
        },
    )?;
    api.add(
        "shuffle(pile: space)",
        "Puts a pile into a random order; who was shown a card of a hidden pile no longer knows it.",
        |c| {
            c.cx.changing("shuffle")?;
            let pile = c.space(0)?;
            let place = Place::Space(pile);
            let mut play = c.cx.play.borrow_mut();
            let mut order: Vec<PieceId> = play.state.contents(place).collect();
            let name = c.cx.world.space_name(pile);
            c.cx.spend(order.len() as u64 * 10 + 1_000)?;
            let ordinal = play.changes.iter().rev().take_while(|change| !matches!(change, Change::Step(_)));
            let ordinal =
                ordinal.filter(|change| matches!(change, Change::Shuffle(space) if *space == pile.0)).count();
            let key = DiceKey {
                seed: play.seed,
                path: play.path,
                label: stable_hash(&format!("shuffle {name}")),
                ordinal: ordinal as u32,
            };
            Dice::new(key).shuffle(&mut order);
            if let Some(at) = play.shuffle_feed.iter().position(|(space, _)| *space == pile.0) {
                let (_, top) = play.shuffle_feed.remove(at);
                if let Some(stray) = top.iter().find(|piece| !order.contains(piece)) {
                    let stray = Val::Piece(stray.0);
                    drop(play);
                    return fail(format!(
                        "the shuffle of {name} was set to bring up {}, which is not in it",
                        c.cx.name(stray)
                    ));
                }
                order.retain(|piece| !top.contains(piece));
                order.splice(..0, top);
            }
            play.state.reorder(place, &order);
            // Nobody follows a card through a shuffle either.
            if c.cx.world.spaces[pile.0 as usize].see != See::All {
                for piece in &order {
                    let seen = play.state.get(TableId::PIECE, piece.0, piece_col::SEEN);
                    if seen & SHOWN != 0 {
                        play.state.set(TableId::PIECE, piece.0, piece_col::SEEN, seen & !SHOWN);
                    }
                }
            }
            play.changes.push(Change::Shuffle(pile.0));
            play.barrier = true;
            Ok(Out::NIL)
        },
    )?;
    api.add(
        "draw(pile: space, to: place, n: int?) -> pieces",
        "Moves the top n (1) pieces of a pile; returns those there were.",
        |c| {
            c.cx.changing("draw")?;
            let (pile, to, n) = (c.space(0)?, place(&c, 1)?, c.int_from(2, 0, 1)? as usize);
            let drawn: Vec<PieceId> = c.cx.play.borrow().state.contents(Place::Space(pile)).take(n).collect();
            for piece in &drawn {
                move_to(&c, piece.0, to, End::Bottom)?;
            }
            if c.cx.world.spaces[pile.0 as usize].see != sandtable_kernel::state::See::All {
                c.cx.play.borrow_mut().barrier |= !drawn.is_empty();
            }
            Ok(Out::list(drawn.into_iter().map(|piece| Val::Piece(piece.0)).collect()))
        },
    )
}

/// Reads the arguments of an effect, leaving out the keys that the kernel understands.
fn args(c: &Call<'_>, table: &Table) -> mlua::Result<Vec<Arg>> {
    let mut args = Vec::new();
    for pair in table.pairs::<String, Value>() {
        let (key, value) = pair?;
        if ["lasts", "on", "after", "times"].contains(&key.as_str()) {
            continue;
        }
        let val = c.cx.val(&value).or_else(|why| c.wrong(1, format!("`{key}`: {why}")))?;
        if let Val::Sym(sym) = val
            && let Err(why) = val_cell(c.cx, &Type::Text, Val::Sym(sym))
        {
            return c.wrong(1, format!("`{key}`: {why}"));
        }
        let key = c.cx.sym(&key);
        let (tag, cell) = arg_tag(val);
        args.push(Arg { key, tag, cell });
    }
    // Lua's own order of keys differs from run to run.
    args.sort_by_key(|arg| c.cx.text(arg.key));
    Ok(args)
}

fn word(c: &Call<'_>, table: &Table, key: &str) -> mlua::Result<Sym> {
    Ok(table.raw_get::<Option<String>>(key)?.map_or(Sym::NONE, |text| c.cx.sym(&text)))
}

/// The record with which an effect ends that lasts as long as one of that type: the innermost.
fn held(c: &Call<'_>, until: Sym) -> Option<u32> {
    let tables = &c.cx.world.schema.tables;
    let first = TableId::FIRST_RECORD.0 as usize;
    let table = (first..tables.len()).find(|&table| tables[table].name == until)?;
    c.cx.play.borrow().innermost(TableId(table as u16))
}

fn effects(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add(
        "start_effect(name: text, how: table?) -> effect",
        "Begins a timed effect: `lasts` names the node or record type at whose end it ends, or the event that ends it; other keys are its arguments.",
        |c| {
            c.cx.changing("start_effect")?;
            let how = c.table_or_empty(1)?;
            let until = word(&c, &how, "lasts")?;
            let new = NewEffect {
                name: c.sym(0)?,
                until,
                record: held(&c, until),
                args: args(&c, &how)?,
                ..NewEffect::default()
            };
            start(&c, &new)
        },
    )?;
    api.add(
        "schedule(name: text, how: table) -> effect",
        "Runs procedure `name` with the effect at event `on`, after skipping `after` of them, `times` (1) times; 0 is without end.",
        |c| {
            c.cx.changing("schedule")?;
            let how = c.table(1)?;
            let until = word(&c, &how, "lasts")?;
            let new = NewEffect {
                name: c.sym(0)?,
                until,
                record: held(&c, until),
                on: word(&c, &how, "on")?,
                after: how.raw_get::<Option<i32>>("after")?.unwrap_or(0),
                times: how.raw_get::<Option<i32>>("times")?.unwrap_or(1),
                args: args(&c, &how)?,
            };
            if new.on.is_none() {
                return c.wrong(1, "`on` must name an event");
            }
            for (key, n) in [("after", new.after), ("times", new.times)] {
                if n < 0 {
                    return c.wrong(1, format!("`{key}`: expected a number from 0 on, found {n}"));
                }
            }
            // Found now, with the rule that schedules it, rather than when it is due.
            let procedures = c.cx.registry.borrow();
            if procedures.of(Kind::Procedure, new.name).is_empty() {
                let name = c.cx.text(new.name);
                let ids = procedures.handlers.iter().filter(|handler| handler.kind == Kind::Procedure);
                let hint = Cx::nearest(&name, ids.map(|handler| handler.id.as_str()));
                return c.wrong(0, format!("no procedure {name}{hint}"));
            }
            drop(procedures);
            start(&c, &new)
        },
    )?;
    api.add("end_effect(effect: any)", "Ends an effect, or all effects of a name.", |c| {
        c.cx.changing("end_effect")?;
        let mut play = c.cx.play.borrow_mut();
        let ending = match c.val(0) {
            Ok(Val::Effect(row)) => vec![EffectId(row)],
            Ok(Val::Sym(name)) => play.state.effects_where(effect_col::NAME, name.cell()),
            Ok(Val::Nil) => Vec::new(),
            _ => {
                drop(play);
                return c.expected(0, "an effect, or the name of one");
            }
        };
        for effect in ending {
            let get = |col| play.state.get(TableId::EFFECT, effect.0, col);
            // What has happened has happened.
            if get(effect_col::NAME) != 0 && get(effect_col::TIMES) != KEPT {
                play.end_effect(effect);
            }
        }
        Ok(Out::NIL)
    })?;
    api.add(
        "effect(name: text) -> effect",
        "The oldest effect of a name in force; nil if there is none.",
        |c| {
            let name = c.sym(0)?;
            let found = {
                let play = c.cx.play.borrow();
                c.cx.note(&play.state, TableId::EFFECT, effect_col::NAME);
                play.state.effects_where(effect_col::NAME, name.cell()).first().copied()
            };
            found.map_or(Ok(Out::NIL), |effect| Ok(Out::Val(Val::Effect(effect.0))))
        },
    )?;
    api.add("effects(name: text) -> list", "All effects of a name in force, oldest first.", |c| {
        let name = c.sym(0)?;
        let found = {
            let play = c.cx.play.borrow();
            c.cx.note(&play.state, TableId::EFFECT, effect_col::NAME);
            play.state.effects_where(effect_col::NAME, name.cell())
        };
        Ok(Out::list(found.into_iter().map(|effect| Val::Effect(effect.0)).collect()))
    })?;
    let key = api.cx.sym("about");
    api.add(
        "remember(name: text, about: any?)",
        "Notes for the rest of the game that something happened, perhaps to a thing; no `end_effect` ends it.",
        move |c| {
            c.cx.changing("remember")?;
            let (name, about) = (c.sym(0)?, about(&c)?);
            if c.cx.play.borrow().state.is_remembered(name, about) {
                return Ok(Out::NIL);
            }
            let args = about.map(|(tag, cell)| Arg { key, tag, cell });
            let args = args.into_iter().collect();
            start(&c, &NewEffect { name, times: KEPT, args, ..NewEffect::default() })?;
            Ok(Out::NIL)
        },
    )?;
    api.add(
        "has_ever(name: text, about: any?) -> bool",
        "Whether `remember` was called with that name; with a thing, whether about that thing.",
        |c| {
            let (name, about) = (c.sym(0)?, about(&c)?);
            let play = c.cx.play.borrow();
            c.cx.note(&play.state, TableId::EFFECT, effect_col::NAME);
            Ok(Out::truth(play.state.is_remembered(name, about)))
        },
    )
}

/// What something is remembered about, as the state keeps it.
fn about(c: &Call<'_>) -> mlua::Result<Option<(i32, i32)>> {
    if !c.has(1) {
        return Ok(None);
    }
    let val = c.val(1)?;
    if matches!(val, Val::Sym(_)) {
        val_cell(c.cx, &Type::Text, val).or_else(|why| c.wrong(1, why))?;
    }
    Ok(Some(arg_tag(val)))
}

fn start(c: &Call<'_>, new: &NewEffect) -> mlua::Result<Out> {
    for name in [new.name, new.until, new.on] {
        val_cell(c.cx, &Type::Text, if name.is_none() { Val::Nil } else { Val::Sym(name) })
            .or_else(|why| c.wrong(0, why))?;
    }
    let there = c.cx.play.borrow().state.rows(TableId::EFFECT);
    if there > AT_A_TIME {
        return c.wrong(0, format!("there are {there} effects already: something starts them without end"));
    }
    c.cx.spend(u64::from(there))?;
    let effect = {
        let mut play = c.cx.play.borrow_mut();
        play.changes.push(Change::StartEffect(new.name));
        let free = play.free_row(TableId::EFFECT);
        play.state.start_effect(new, free)
    };
    Ok(Out::Val(Val::Effect(effect.0)))
}

fn records(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add("start_record(type: text, fields: table?) -> record", "Begins a record in play.", |c| {
        c.cx.changing("start_record")?;
        let name = c.sym(0)?;
        let tables = &c.cx.world.schema.tables;
        let first = TableId::FIRST_RECORD.0 as usize;
        let Some(table) = (first..tables.len()).find(|&table| tables[table].name == name) else {
            let text = c.text(0)?;
            let names = tables[first..].iter().map(|table| c.cx.world.symbols.text(table.name));
            return c.wrong(0, format!("no record type {text}{}", crate::cx::Cx::nearest(&text, names)));
        };
        let id = TableId(table as u16);
        let row = {
            let mut play = c.cx.play.borrow_mut();
            let there = play.state.rows(id);
            c.cx.spend(u64::from(there))?;
            let free = play.free_row(id);
            if free.is_none() && there > AT_A_TIME {
                return c.wrong(
                    0,
                    format!(
                        "there are {there} records of this type already: something starts them without end"
                    ),
                );
            }
            let row = free.unwrap_or_else(|| play.state.push_row(id));
            play.state.set(id, row, 0, 1);
            play.changes.push(Change::StartRecord(id.0, row));
            row
        };
        if !c.has(1) {
            return Ok(Val::Record(id.0, row).into());
        }
        // In the order of declaration, because Lua's own order differs from run to run.
        for (col, column) in (0u16..).zip(&tables[table].columns).skip(1) {
            if c.frame.field_of(slot(1), column.name) {
                assign(c.frame, (id, row, col), c.frame.top(), column.name)?;
                c.frame.pop(1);
            }
        }
        let names = || tables[table].columns.iter().skip(1).map(|column| column.name);
        let mut wrong = None;
        c.frame.each(slot(1), |key, _| {
            let key = c.frame.sym(key).unwrap_or(Sym::NONE);
            if !names().any(|name| name == key) {
                wrong = Some(c.cx.text(key));
            }
            Ok(())
        })?;
        if let Some(key) = wrong {
            let names = names().map(|name| c.cx.world.symbols.text(name));
            return c.wrong(1, format!("no field `{key}`{}", crate::cx::Cx::nearest(&key, names)));
        }
        Ok(Val::Record(id.0, row).into())
    })?;
    api.add(
        "finish_record(record: record)",
        "Ends a record in play, and the effects that last as long as it.",
        |c| {
            c.cx.changing("finish_record")?;
            let (id, row) = c.live_record(0)?;
            let schema = &c.cx.world.schema.tables[id.0 as usize];
            let mut play = c.cx.play.borrow_mut();
            for (col, column) in (0u16..).zip(&schema.columns) {
                let old = play.state.get(id, row, col);
                if matches!(column.ty, Type::List(_)) {
                    play.state.free_list(old);
                }
                play.state.set(id, row, col, column.default);
            }
            play.changes.push(Change::FinishRecord(id.0, row));
            play.end_effects_until(schema.name, Some(row));
            play.freed.insert((id, row));
            Ok(Out::NIL)
        },
    )?;
    api.add("is_live(record: record) -> bool", "Whether a record in play has not been finished.", |c| {
        let record @ Val::Record(table, _) = c.val(0)? else { return c.expected(0, "a record") };
        let play = c.cx.play.borrow();
        c.cx.note(&play.state, TableId(table), 0);
        Ok(Out::truth(!play.is_gone(record)))
    })
}

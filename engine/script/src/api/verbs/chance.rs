//! Verbs of chance: dice, random choice, shuffles and draws.

use super::super::data::place;
use super::super::rules::pure;
use super::super::{Api, Call, active};
use super::pieces::move_to;
use crate::context::fail;
use crate::lua_ffi::{Out, Part};
use crate::registry::Kind;
use crate::val::{Change, Val};
use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_kernel::state::{End, PieceId, Place, See, TableId, piece_col};
use sandtable_kernel::symbol::{Sym, stable_hash};

/// The bits of those who were shown a face; those above say from whom it is hidden although its place shows it.
const SHOWN: i32 = 0xff;
/// Most dice of one roll.
const ROLLS: i32 = 1_000;

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
        if !active || !c.frame.handler(number, Part::Run)? {
            continue;
        }
        c.frame.push_int(value.into())?;
        c.frame.push_int(sides.into())?;
        c.cx.measured(number, || pure(c.cx, || c.frame.call(2, 1)))?;
        let again = c.frame.is_truthy(-1);
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

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
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
            let in_step = play.changes.iter().rev().take_while(|change| !matches!(change, Change::Step(_)));
            let mut looked = 0u64;
            let ordinal = in_step
                .inspect(|_| looked += 1)
                .filter(|change| matches!(change, Change::Shuffle(space) if *space == pile.0))
                .count();
            c.cx.spend(looked / 8)?;
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
                c.cx.changing("draw")?;
                move_to(&c, piece.0, to, End::Bottom)?;
            }
            if c.cx.world.spaces[pile.0 as usize].see != sandtable_kernel::state::See::All {
                c.cx.play.borrow_mut().barrier |= !drawn.is_empty();
            }
            Ok(Out::list(drawn.into_iter().map(|piece| Val::Piece(piece.0)).collect()))
        },
    )
}

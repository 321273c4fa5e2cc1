//! Verbs of pieces: moving, making, destroying, stepping along ladders, showing faces.

use super::super::data::place;
use super::super::{Api, Call, slot};
use crate::context::fail;
use crate::lua_ffi::Out;
use crate::val::{Change, Val};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{End, PieceId, Place, See, TableId, piece_col};
use sandtable_kernel::world::PIECES;

/// How deep pieces may lie on each other.
const CARGO: usize = 32;

/// Fails if pieces would lie on each other deeper than they may: whoever asks where one is goes up from piece to piece.
fn aboard(c: &Call<'_>, piece: u32, carrier: PieceId) -> mlua::Result<()> {
    let play = c.cx.play.borrow();
    let (mut depth, mut at) = (2, play.state.place(carrier));
    while let Place::Piece(under) = at {
        depth += 1;
        if depth > CARGO {
            break;
        }
        at = play.state.place(under);
    }
    // What comes with it, level by level.
    let mut level = vec![PieceId(piece)];
    loop {
        c.cx.spend(level.len() as u64)?;
        level = level.iter().flat_map(|&piece| play.state.contents(Place::Piece(piece))).collect();
        if level.is_empty() || depth > CARGO {
            break;
        }
        depth += 1;
    }
    drop(play);
    if depth > CARGO {
        return fail(format!(
            "move: {} would lie more than {CARGO} pieces deep",
            c.cx.name(Val::Piece(piece))
        ));
    }
    Ok(())
}

/// Moves a piece and notes the change.
pub(super) fn move_to(c: &Call<'_>, piece: u32, to: Place, end: End) -> mlua::Result<()> {
    if let Place::Piece(carrier) = to {
        aboard(c, piece, carrier)?;
    }
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

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
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
            let Some(component) = c.cx.row(id).map(|row| row as usize) else {
                let name = c.text(0)?;
                let ids = c.cx.world.components.iter().map(|component| c.cx.world.symbols.text(component.id));
                return c.wrong(
                    0,
                    format!(
                        "no row {name} in the component list{}",
                        crate::context::ScriptContext::nearest(&name, ids)
                    ),
                );
            };
            let side = if c.has(1) { Some(c.side(1)?) } else { c.cx.world.components[component].side };
            let (to, n) = (place(&c, 2)?, c.int_from(3, 0, 1)?);
            let there = c.cx.play.borrow().state.rows(TableId::PIECE);
            if n > 0 && n.unsigned_abs() > PIECES.saturating_sub(there) {
                return c.wrong(3, format!("there are {there} pieces; {n} more would be over {PIECES}"));
            }
            let mut last = Val::Nil;
            for _ in 0..n {
                c.cx.changing("create")?;
                let piece = {
                    let mut play = c.cx.play.borrow_mut();
                    let piece = c.cx.world.push_piece(&mut play.state, component as u32, side);
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
                c.cx.changing("destroy")?;
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
            let levels =
                c.cx.world
                    .component_of(&play.state, piece)
                    .map_or(1, |component| i32::from(component.levels));
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
            play.changes.push(Change::Reveal { piece, seen: new, shown: on });
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

//! Other states that look the same to a viewer: what he cannot see is exchanged or changed.

use crate::view::{Viewer, is_open};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{Column, End, PieceId, Place, See, State, TableId, Type, piece_col};
use sandtable_kernel::world::{SideId, World};
use std::collections::BTreeMap;

/// Exchanges what a viewer cannot see: the places of two pieces of one kind and owner, both hidden from the viewer now
/// and later. Gives how many pairs were exchanged.
pub fn scramble(
    world: &World,
    state: &mut State,
    viewer: Viewer,
    hidden_later: &dyn Fn(PieceId) -> bool,
    swap: &mut dyn FnMut(u32) -> u32,
) -> usize {
    let mut groups: BTreeMap<(i32, i32), Vec<PieceId>> = BTreeMap::new();
    for row in 0..state.rows(TableId::PIECE) {
        let piece = PieceId(row);
        let Some(proto) = world.proto_of(state, row) else { continue };
        let in_space = matches!(state.place(piece), Place::Space(_));
        // What stacks hide is left alone: that a stack holds its ground is known, and that depends on what it is made of.
        if in_space && !is_open(world, state, viewer, piece) && hidden_later(piece) {
            let owner = state.get(TableId::PIECE, row, piece_col::SIDE);
            groups.entry((proto.kind.cell(), owner)).or_default().push(piece);
        }
    }
    let mut swapped = 0;
    for pieces in groups.into_values().filter(|pieces| pieces.len() > 1) {
        let a = pieces[swap(pieces.len() as u32) as usize];
        let b = pieces[swap(pieces.len() as u32) as usize];
        if a != b {
            exchange(state, a, b);
            swapped += 1;
        }
    }
    swapped
}

/// Lets two pieces change places, each to the other's position in the stack.
fn exchange(state: &mut State, a: PieceId, b: PieceId) {
    let (at, to) = (state.place(a), state.place(b));
    let swapped = |state: &State, place: Place| -> Vec<PieceId> {
        let other = |piece| match piece {
            piece if piece == a => b,
            piece if piece == b => a,
            piece => piece,
        };
        state.contents(place).map(other).collect()
    };
    let (first, second) = (swapped(state, at), swapped(state, to));
    if at != to {
        state.move_piece(a, to, End::Top);
        state.move_piece(b, at, End::Top);
        state.reorder(to, &second);
    }
    state.reorder(at, &first);
    // Who sees a face was said of the one that lies there.
    let [of_a, of_b] = [a, b].map(|piece| state.get(TableId::PIECE, piece.0, piece_col::SEEN));
    state.set(TableId::PIECE, a.0, piece_col::SEEN, of_b);
    state.set(TableId::PIECE, b.0, piece_col::SEEN, of_a);
}

/// Changes attributes that a viewer cannot see, of pieces and sides: values change places between pieces of one kind and
/// owner, those of a side become others. `touched` tells which cells play has used since. Gives how many were changed.
pub fn scramble_attributes(
    world: &World,
    state: &mut State,
    viewer: Viewer,
    touched: &dyn Fn(TableId, u32, u16) -> bool,
    pick: &mut dyn FnMut(u32) -> u32,
) -> usize {
    let columns = |table: TableId| {
        let columns = (0u16..).zip(&world.schema.tables[table.0 as usize].columns);
        columns.filter(|(_, column)| column.see != See::All).collect::<Vec<_>>()
    };
    let mut changed = 0;
    for (col, column) in columns(TableId::SIDE) {
        for row in 0..state.rows(TableId::SIDE) {
            let cell = state.get(TableId::SIDE, row, col);
            if viewer.sees(column.see, Some(SideId(row as u8))) || touched(TableId::SIDE, row, col) {
                continue;
            }
            if let Some(other) = another(world, column, cell, pick) {
                state.set(TableId::SIDE, row, col, other);
                changed += 1;
            }
        }
    }
    for (col, column) in columns(TableId::PIECE) {
        let mut groups: BTreeMap<(i32, i32), Vec<u32>> = BTreeMap::new();
        for row in 0..state.rows(TableId::PIECE) {
            let owner = state.get(TableId::PIECE, row, piece_col::SIDE);
            let hidden = !viewer.sees(column.see, SideId::from_cell(owner));
            let Some(proto) = world.proto_of(state, row).filter(|_| hidden) else { continue };
            if state.get(TableId::PIECE, row, col) != column.default && !touched(TableId::PIECE, row, col) {
                groups.entry((proto.kind.cell(), owner)).or_default().push(row);
            }
        }
        for rows in groups.into_values().filter(|rows| rows.len() > 1) {
            let [a, b] = [(); 2].map(|()| rows[pick(rows.len() as u32) as usize]);
            let [of_a, of_b] = [a, b].map(|row| state.get(TableId::PIECE, row, col));
            if of_a != of_b {
                state.set(TableId::PIECE, a, col, of_b);
                state.set(TableId::PIECE, b, col, of_a);
                changed += 1;
            }
        }
    }
    changed
}

/// Another value that a cell may hold.
fn another(world: &World, column: &Column, cell: i32, pick: &mut dyn FnMut(u32) -> u32) -> Option<i32> {
    let other = match &column.ty {
        Type::Bool => 1 - cell.clamp(0, 1),
        Type::Int { min, max } => {
            let (low, high) = ((*min).max(cell.saturating_sub(1)), (*max).min(cell.saturating_add(1)));
            low.checked_add_unsigned(pick(high.abs_diff(low) + 1))?
        }
        Type::Space if cell > 0 => {
            let spaces: Vec<SpaceId> = world.on_map().iter().collect();
            Place::Space(*spaces.get(pick(spaces.len() as u32) as usize)?).cell()
        }
        _ => return None,
    };
    (other != cell).then_some(other)
}

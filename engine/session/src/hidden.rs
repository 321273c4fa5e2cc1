//! Other states that look the same to a viewer: what he cannot see is exchanged or changed.

use crate::view::{Viewer, owner_of, sees_count, sees_face, sees_value};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{Column, End, PieceId, Place, See, State, TableId, Type, piece_col};
use sandtable_kernel::world::World;
use std::collections::BTreeMap;

/// What of a step that is run again a viewer saw: only what he never did is exchanged.
pub(crate) struct Unseen<'a> {
    /// Whether a piece stays hidden from the viewer until now.
    pub piece: &'a dyn Fn(PieceId) -> bool,
    /// Whether play has used a cell since.
    pub touched: &'a dyn Fn(TableId, u32, u16) -> bool,
}

/// The pieces that are hidden from a viewer now and later and could lie in each other's places: those of one kind and owner.
pub(crate) fn alike(world: &World, state: &State, viewer: Viewer, unseen: &Unseen<'_>) -> Vec<Vec<PieceId>> {
    let mut groups: BTreeMap<(i32, i32), Vec<PieceId>> = BTreeMap::new();
    for row in 0..state.rows(TableId::PIECE) {
        let piece = PieceId(row);
        let Some(component) = world.component_of(state, row) else { continue };
        let in_space = matches!(state.place(piece), Place::Space(_));
        if in_space && !sees_face(world, state, viewer, piece) && (unseen.piece)(piece) {
            let owner = state.get(TableId::PIECE, row, piece_col::SIDE);
            groups.entry((component.kind.cell(), owner)).or_default().push(piece);
        }
    }
    groups.into_values().filter(|pieces| pieces.len() > 1).collect()
}

/// Whether a piece lies where the viewer does not see how many there are.
fn is_uncounted(world: &World, state: &State, viewer: Viewer, piece: PieceId) -> bool {
    matches!(state.place(piece), Place::Space(space) if !sees_count(world, viewer, space))
}

/// Exchanges what a viewer cannot see: the places of two pieces of one kind and owner, both hidden from the viewer now
/// and later; where he does not see how many there are, one goes over to the other. Gives how many pairs there were.
pub(crate) fn scramble(
    world: &World,
    state: &mut State,
    viewer: Viewer,
    unseen: &Unseen<'_>,
    pick: &mut dyn FnMut(u32) -> u32,
) -> usize {
    let mut swapped = 0;
    for pieces in alike(world, state, viewer, unseen) {
        let a = pieces[pick(pieces.len() as u32) as usize];
        let b = pieces[pick(pieces.len() as u32) as usize];
        if a == b {
            continue;
        }
        let place = state.place(b);
        if [a, b].iter().all(|&piece| is_uncounted(world, state, viewer, piece)) && state.place(a) != place {
            state.move_piece(a, place, End::Bottom);
        } else {
            exchange(state, a, b);
        }
        swapped += 1;
    }
    swapped
}

/// Puts what a viewer cannot see into an order that depends on nothing but what he sees: the pieces in the order of their
/// numbers into the hidden places in the order of the map, hidden values at their defaults.
pub(crate) fn settle(world: &World, state: &mut State, viewer: Viewer, unseen: &Unseen<'_>) {
    for pieces in alike(world, state, viewer, unseen) {
        let uncounted = pieces.iter().copied().filter(|&piece| is_uncounted(world, state, viewer, piece));
        let (uncounted, mut spaces) = (uncounted.collect::<Vec<_>>(), world.board.spaces());
        if let Some(first) = spaces.find(|&space| !sees_count(world, viewer, space)) {
            for piece in uncounted {
                state.move_piece(piece, Place::Space(first), End::Bottom);
            }
        }
        let at = |state: &State, piece: PieceId| {
            let place = state.place(piece);
            let height = state.contents(place).position(|other| other == piece);
            (place.cell(), height)
        };
        let mut places: Vec<_> = pieces.iter().map(|&piece| at(state, piece)).collect();
        places.sort_unstable();
        for (&piece, &place) in pieces.iter().zip(&places) {
            let there = pieces.iter().copied().find(|&other| at(state, other) == place);
            if let Some(other) = there.filter(|&other| other != piece) {
                exchange(state, piece, other);
            }
        }
    }
    for (table, col, column) in hidden_columns(world) {
        for row in 0..state.rows(table) {
            let owner = owner_of(world, state, table, row);
            let cell = state.get(table, row, col);
            if !sees_value(world, state, viewer, column, owner, cell) && !(unseen.touched)(table, row, col) {
                state.set(table, row, col, column.default);
            }
        }
    }
}

/// The attributes that not everybody sees.
pub(crate) fn hidden_columns(world: &World) -> Vec<(TableId, u16, &Column)> {
    let tables = [TableId::GAME, TableId::SIDE, TableId::SPACE, TableId::PIECE];
    let of_table = |table: TableId| {
        let columns = (0u16..).zip(&world.schema.tables[table.0 as usize].columns);
        columns.filter(|(_, column)| column.see != See::All).map(move |(col, column)| (table, col, column))
    };
    tables.into_iter().flat_map(of_table).collect()
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

/// Changes attributes that a viewer cannot see: values change places between pieces of one kind and owner, all others
/// become other ones. Gives how many were changed.
pub(crate) fn scramble_attributes(
    world: &World,
    state: &mut State,
    viewer: Viewer,
    unseen: &Unseen<'_>,
    pick: &mut dyn FnMut(u32) -> u32,
) -> usize {
    let mut changed = 0;
    for (table, col, column) in hidden_columns(world) {
        let hidden = |state: &State, row: u32| {
            let (owner, cell) = (owner_of(world, state, table, row), state.get(table, row, col));
            !sees_value(world, state, viewer, column, owner, cell) && !(unseen.touched)(table, row, col)
        };
        if table != TableId::PIECE {
            for row in 0..state.rows(table) {
                let cell = state.get(table, row, col);
                if !hidden(state, row) {
                    continue;
                }
                if let Some(other) = another(world, column, cell, pick) {
                    state.set(table, row, col, other);
                    changed += 1;
                }
            }
            continue;
        }
        for rows in piece_groups(world, state, col, column.default, &hidden) {
            let [a, b] = [(); 2].map(|()| rows[pick(rows.len() as u32) as usize]);
            let [of_a, of_b] = [a, b].map(|row| state.get(table, row, col));
            if of_a != of_b {
                state.set(table, a, col, of_b);
                state.set(table, b, col, of_a);
                changed += 1;
            }
        }
    }
    changed
}

/// The pieces of one kind and owner whose hidden values may change places: of each group several hold one that is not the default.
pub(crate) fn piece_groups(
    world: &World,
    state: &State,
    col: u16,
    default: i32,
    hidden: &dyn Fn(&State, u32) -> bool,
) -> Vec<Vec<u32>> {
    let mut groups: BTreeMap<(i32, i32), Vec<u32>> = BTreeMap::new();
    for row in 0..state.rows(TableId::PIECE) {
        let Some(component) = world.component_of(state, row).filter(|_| hidden(state, row)) else {
            continue;
        };
        if state.get(TableId::PIECE, row, col) != default {
            let owner = state.get(TableId::PIECE, row, piece_col::SIDE);
            groups.entry((component.kind.cell(), owner)).or_default().push(row);
        }
    }
    groups.into_values().filter(|rows| rows.len() > 1).collect()
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

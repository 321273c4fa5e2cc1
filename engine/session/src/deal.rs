//! A state that a side may believe in: what it cannot see is put into an order that depends on nothing hidden.

use crate::hidden::{self, Unseen};
use crate::session::{Recorded, Session};
use crate::view::{self, Viewer, owner_of, sees_count, sees_face, sees_value};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{End, PieceId, Place, State, TableId, Type, piece_col};
use sandtable_kernel::world::World;
use sandtable_script::{Change, Choice, Val};
use std::collections::BTreeSet;

/// What a viewer saw since a step began.
pub(crate) struct Shown {
    /// Pieces that came into sight, if only for a moment.
    flashed: BTreeSet<u32>,
    /// Pieces whose faces are seen now.
    seen: BTreeSet<u32>,
    /// Cells that were written.
    cells: BTreeSet<(TableId, u32, u16)>,
}

impl Shown {
    /// What a viewer saw since there were so many changes.
    pub fn since(session: &Session, viewer: Viewer, changes: usize) -> Shown {
        let (world, state) = (&session.game.definition.world, &session.play.state);
        let since = session.play.changes.get(changes..).unwrap_or_default();
        let mut shown = Shown { flashed: BTreeSet::new(), seen: BTreeSet::new(), cells: BTreeSet::new() };
        for change in since {
            match change {
                Change::Move { piece, .. } | Change::Reveal { piece, .. }
                    if view::shows(world, viewer, change, PieceId(*piece)) =>
                {
                    shown.flashed.insert(*piece);
                }
                Change::Set { table, row, col, .. } => {
                    shown.cells.insert((*table, *row, *col));
                }
                _ => {}
            }
        }
        let seen_now =
            (0..state.rows(TableId::PIECE)).filter(|&row| sees_face(world, state, viewer, PieceId(row)));
        shown.seen.extend(seen_now);
        shown
    }

    fn has(&self, piece: PieceId) -> bool {
        self.flashed.contains(&piece.0) || self.seen.contains(&piece.0)
    }
}

/// Which answers of a step others gave in secret: the viewer sees nothing of what was chosen.
pub(crate) fn secret_answers(session: &Session, viewer: Viewer, given: &[Recorded]) -> Vec<bool> {
    let (world, play) = (&session.game.definition.world, &session.play);
    let hidden_piece = |val: Val| match val {
        Val::Piece(piece) => !sees_face(world, &play.state, viewer, PieceId(piece)),
        _ => false,
    };
    let hidden_set = |change: &Change| match change {
        Change::Set { table, row, col, new, .. } => {
            let owner = owner_of(world, &play.state, *table, *row);
            let column = world.schema.get(*table, *col);
            column.is_some_and(|column| !sees_value(world, &play.state, viewer, column, owner, *new))
        }
        _ => false,
    };
    let ends = given.iter().skip(1).map(|next| next.changes).chain([play.changes.len()]);
    let secret = given.iter().zip(ends).map(|(recorded, end)| {
        let answer = &recorded.answer;
        if viewer == Viewer::Side(answer.side) || answer.forced {
            return false;
        }
        let names_hidden = match &answer.choice {
            Choice::One(opt) => hidden_piece(opt.val),
            Choice::Many(chosen) => chosen.iter().any(|(val, _)| hidden_piece(*val)),
        };
        let followed = play.changes.get(recorded.changes..end.max(recorded.changes)).unwrap_or_default();
        recorded.simultaneous || names_hidden || followed.iter().any(hidden_set)
    });
    secret.collect()
}

/// Deals what a viewer cannot see: hidden pieces of one kind and owner into each other's places, hidden values of pieces among
/// them; other hidden values become any that may be.
pub(crate) fn deal(
    world: &World,
    state: &mut State,
    viewer: Viewer,
    shown: &Shown,
    pick: &mut dyn FnMut(u32) -> u32,
) {
    let stays_hidden = |piece: PieceId| !shown.has(piece);
    let touched = |table: TableId, row: u32, col: u16| {
        // Of a piece whose face is seen there may still be values that are not.
        shown.cells.contains(&(table, row, col)) || (table == TableId::PIECE && shown.flashed.contains(&row))
    };
    let unseen = Unseen { piece: &stays_hidden, touched: &touched };
    deal_values(world, state, viewer, &unseen, pick);
    for mut pieces in hidden::alike(world, state, viewer, &unseen) {
        gather_uncounted(world, state, viewer, &pieces);
        // Places in an order of their own, pieces in the order of their numbers, then by lot: nothing of the truth is left.
        let mut places: Vec<(Place, i32)> = pieces.iter().map(|&piece| slot(state, piece)).collect();
        places.sort_unstable_by_key(|(place, height)| (place.cell(), *height));
        let seen: Vec<i32> = places
            .iter()
            .map(|&(place, height)| {
                let there = state.contents(place).nth(height as usize);
                there.map_or(0, |piece| state.get(TableId::PIECE, piece.0, piece_col::SEEN))
            })
            .collect();
        shuffle(&mut pieces, pick);
        settle_in(state, &places, &pieces);
        for (piece, seen) in pieces.iter().zip(seen) {
            state.set(TableId::PIECE, piece.0, piece_col::SEEN, seen);
        }
    }
}

/// Where a piece lies, and how far from the top.
fn slot(state: &State, piece: PieceId) -> (Place, i32) {
    let place = state.place(piece);
    let height = state.contents(place).position(|other| other == piece).unwrap_or(0);
    (place, height as i32)
}

/// Puts pieces into places, each at its height; they are the pieces that lie there, in another order.
fn settle_in(state: &mut State, places: &[(Place, i32)], pieces: &[PieceId]) {
    let mut orders: Vec<(Place, Vec<PieceId>)> = Vec::new();
    for (&(place, height), &piece) in places.iter().zip(pieces) {
        if orders.last().is_none_or(|(last, _)| *last != place) {
            orders.push((place, state.contents(place).collect()));
        }
        if let Some(spot) = orders.last_mut().and_then(|(_, order)| order.get_mut(height as usize)) {
            *spot = piece;
        }
    }
    // Each is taken from wherever it lies; those that are dealt elsewhere leave when that place is put in order.
    for (place, order) in orders {
        if !state.contents(place).eq(order.iter().copied()) {
            state.reorder(place, &order);
        }
    }
}

/// Brings together what lies where the viewer does not see how many there are: how many lie where is hidden too.
fn gather_uncounted(world: &World, state: &mut State, viewer: Viewer, pieces: &[PieceId]) {
    let uncounted = |state: &State, piece: PieceId| match state.place(piece) {
        Place::Space(space) => !sees_count(world, viewer, space),
        _ => false,
    };
    let some: Vec<PieceId> = pieces.iter().copied().filter(|&piece| uncounted(state, piece)).collect();
    let Some(&first) = some.first() else { return };
    let owner = owner_of(world, state, TableId::PIECE, first.0);
    let mut spaces = (0u32..).zip(&world.spaces).map(|(at, def)| (SpaceId(at), def));
    let own = spaces.find(|(space, def)| def.side == owner && !sees_count(world, viewer, *space));
    if let Some((space, _)) = own {
        for piece in some {
            state.move_piece(piece, Place::Space(space), End::Bottom);
        }
    }
}

/// Puts things into an order by lot.
pub(crate) fn shuffle<T>(items: &mut [T], pick: &mut dyn FnMut(u32) -> u32) {
    for last in (1..items.len()).rev() {
        items.swap(last, pick(last as u32 + 1) as usize);
    }
}

fn deal_values(
    world: &World,
    state: &mut State,
    viewer: Viewer,
    unseen: &Unseen<'_>,
    pick: &mut dyn FnMut(u32) -> u32,
) {
    for (table, col, column) in hidden::hidden_columns(world) {
        let hidden = |state: &State, row: u32| {
            let (owner, cell) = (owner_of(world, state, table, row), state.get(table, row, col));
            !sees_value(world, state, viewer, column, owner, cell) && !(unseen.touched)(table, row, col)
        };
        if table != TableId::PIECE {
            for row in 0..state.rows(table) {
                if !hidden(state, row) {
                    continue;
                }
                let cell = state.get(table, row, col);
                let value = match &column.ty {
                    Type::Space if cell > 0 => {
                        let spaces: Vec<SpaceId> = world.on_map().iter().collect();
                        let space = spaces.get(pick(spaces.len().max(1) as u32) as usize).copied();
                        space.map_or(cell, |space| Place::Space(space).cell())
                    }
                    Type::Bool | Type::Int { .. } => column.default,
                    _ => cell,
                };
                state.set(table, row, col, value);
            }
            continue;
        }
        for rows in hidden::piece_groups(world, state, col, column.default, &hidden) {
            let mut cells: Vec<i32> = rows.iter().map(|&row| state.get(table, row, col)).collect();
            cells.sort_unstable();
            shuffle(&mut cells, pick);
            for (row, cell) in rows.iter().zip(cells) {
                state.set(table, *row, col, cell);
            }
        }
    }
}

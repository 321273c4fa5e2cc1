//! Pieces in ordered places: a space, or another piece that carries them.

use super::cells::State;
use super::schema::{TableId, piece_col as p, space_col as s};
use crate::map::SpaceId;

/// A piece: a unit, a card, a chit, a marker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceId(pub u32);

/// Where a piece lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In no place: not yet in the game, or out of it.
    Nowhere,
    /// In a space.
    Space(SpaceId),
    /// On another piece.
    Piece(PieceId),
}

/// The end of a place's order at which a piece is put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// First: the top of a stack or a deck.
    Top,
    /// Last.
    Bottom,
}

impl Place {
    /// The value under which the state stores a place.
    pub fn cell(self) -> i32 {
        match self {
            Place::Nowhere => 0,
            Place::Space(space) => space.0 as i32 + 1,
            Place::Piece(piece) => -(piece.0 as i32 + 1),
        }
    }

    /// The place stored as `cell`.
    pub fn from_cell(cell: i32) -> Place {
        match cell {
            0 => Place::Nowhere,
            1.. => Place::Space(SpaceId((cell - 1) as u32)),
            _ => Place::Piece(PieceId((-cell - 1) as u32)),
        }
    }

    /// Table, row and the columns of first, last and count for the contents of the place.
    fn ends(self) -> Option<(TableId, u32, u16, u16, u16)> {
        match self {
            Place::Nowhere => None,
            Place::Space(space) => Some((TableId::SPACE, space.0, s::HEAD, s::TAIL, s::COUNT_PIECES)),
            Place::Piece(piece) => Some((TableId::PIECE, piece.0, p::HEAD, p::TAIL, p::COUNT_PIECES)),
        }
    }
}

impl State {
    /// Where a piece lies.
    #[inline]
    pub fn place(&self, piece: PieceId) -> Place {
        Place::from_cell(self.get(TableId::PIECE, piece.0, p::PLACE))
    }

    /// The space a piece is in, through whatever carries it.
    #[inline]
    pub fn space_of(&self, piece: PieceId) -> Option<SpaceId> {
        let mut at = piece;
        // A piece cannot carry itself (`move_piece` refuses it), so this ends.
        loop {
            match self.place(at) {
                Place::Nowhere => return None,
                Place::Space(space) => return Some(space),
                Place::Piece(carrier) => at = carrier,
            }
        }
    }

    /// The pieces in a place, first to last.
    pub fn contents(&self, place: Place) -> Contents<'_> {
        let next = place.ends().map_or(0, |(table, row, head, _, _)| self.get(table, row, head));
        Contents { state: self, next }
    }

    /// How many pieces are in a place.
    pub fn count(&self, place: Place) -> i32 {
        place.ends().map_or(0, |(table, row, _, _, count)| self.get(table, row, count))
    }

    /// Whether `piece` lies, directly or not, on `carrier`, or is it.
    pub fn carried_by(&self, piece: PieceId, carrier: PieceId) -> bool {
        let mut at = piece;
        loop {
            if at == carrier {
                return true;
            }
            match self.place(at) {
                Place::Piece(next) => at = next,
                _ => return false,
            }
        }
    }

    /// Moves a piece, with what it carries, to an end of a place. False if it would come to lie on itself.
    pub fn move_piece(&mut self, piece: PieceId, to: Place, end: End) -> bool {
        if let Place::Piece(carrier) = to
            && self.carried_by(carrier, piece)
        {
            return false;
        }
        self.unlink(piece);
        self.link(piece, to, end);
        true
    }

    /// Puts the contents of a place into the given order, which must name each of them once.
    pub fn reorder(&mut self, place: Place, order: &[PieceId]) {
        for &piece in order {
            self.unlink(piece);
            self.link(piece, place, End::Bottom);
        }
    }

    /// Takes a piece out of the order of its place. Its own cells stay as they are: `link` follows.
    fn unlink(&mut self, piece: PieceId) {
        let place = self.place(piece);
        let Some((table, row, head, tail, count)) = place.ends() else { return };
        let prev = self.get(TableId::PIECE, piece.0, p::PREV);
        let next = self.get(TableId::PIECE, piece.0, p::NEXT);
        match prev {
            0 => self.set(table, row, head, next),
            _ => self.set(TableId::PIECE, (prev - 1) as u32, p::NEXT, next),
        };
        match next {
            0 => self.set(table, row, tail, prev),
            _ => self.set(TableId::PIECE, (next - 1) as u32, p::PREV, prev),
        };
        let n = self.get(table, row, count);
        self.set(table, row, count, n - 1);
    }

    fn link(&mut self, piece: PieceId, to: Place, end: End) {
        self.set(TableId::PIECE, piece.0, p::PLACE, to.cell());
        let Some((table, row, head, tail, count)) = to.ends() else {
            self.set(TableId::PIECE, piece.0, p::PREV, 0);
            self.set(TableId::PIECE, piece.0, p::NEXT, 0);
            return;
        };
        let name = piece.0 as i32 + 1;
        let (own_side, own_col, other_side, other_col) = match end {
            End::Top => (head, p::NEXT, tail, p::PREV),
            End::Bottom => (tail, p::PREV, head, p::NEXT),
        };
        let neighbour = self.get(table, row, own_side);
        self.set(TableId::PIECE, piece.0, own_col, neighbour);
        self.set(TableId::PIECE, piece.0, other_col, 0);
        match neighbour {
            0 => self.set(table, row, other_side, name),
            _ => self.set(TableId::PIECE, (neighbour - 1) as u32, other_col, name),
        };
        self.set(table, row, own_side, name);
        let n = self.get(table, row, count);
        self.set(table, row, count, n + 1);
    }
}

/// The pieces of a place, first to last.
pub struct Contents<'a> {
    state: &'a State,
    next: i32,
}

impl Iterator for Contents<'_> {
    type Item = PieceId;

    #[inline]
    fn next(&mut self) -> Option<PieceId> {
        if self.next == 0 {
            return None;
        }
        let piece = PieceId((self.next - 1) as u32);
        self.next = self.state.get(TableId::PIECE, piece.0, p::NEXT);
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::{Column, Schema, TableSchema, Type};
    use super::*;
    use crate::symbol::Sym;
    use proptest::prelude::*;

    fn state(pieces: u32, spaces: u32) -> State {
        let column = Column::new(Sym::NONE, Type::Text);
        let table = TableSchema { name: Sym::NONE, columns: vec![column; 12] };
        let mut state = State::new(&Schema { tables: vec![table; 6] });
        for _ in 0..pieces {
            state.push_row(TableId::PIECE);
        }
        for _ in 0..spaces {
            state.push_row(TableId::SPACE);
        }
        state
    }

    #[test]
    fn cargo_moves_with_its_carrier() {
        let mut state = state(3, 2);
        let (ship, tank) = (PieceId(0), PieceId(1));
        state.move_piece(ship, Place::Space(SpaceId(0)), End::Top);
        state.move_piece(tank, Place::Piece(ship), End::Top);
        state.move_piece(ship, Place::Space(SpaceId(1)), End::Top);
        assert_eq!(state.space_of(tank), Some(SpaceId(1)));
        assert!(!state.move_piece(ship, Place::Piece(tank), End::Top), "a piece cannot lie on its own cargo");
    }

    #[test]
    fn a_move_writes_the_place_once() {
        let mut state = state(1, 2);
        state.move_piece(PieceId(0), Place::Space(SpaceId(0)), End::Top);
        let index = state.version_index(TableId::PIECE, state.on_map_column());
        let before = state.version(index);
        state.move_piece(PieceId(0), Place::Space(SpaceId(1)), End::Top);
        assert_eq!(state.version(index), before, "on the way the piece was nowhere");
    }

    proptest! {
        #[test]
        fn places_behave_like_lists(moves in proptest::collection::vec((0u32..6, 0u32..4, any::<bool>()), 0..60)) {
            let mut state = state(6, 3);
            let mut model: Vec<Vec<PieceId>> = vec![Vec::new(); 4];
            let mark = state.mark();
            for (piece, to, top) in moves {
                let piece = PieceId(piece);
                model.iter_mut().for_each(|place| place.retain(|&other| other != piece));
                let (place, end) = match (to, top) {
                    (3, _) => (Place::Nowhere, End::Top),
                    (_, true) => (Place::Space(SpaceId(to)), End::Top),
                    (_, false) => (Place::Space(SpaceId(to)), End::Bottom),
                };
                let at = if end == End::Top { 0 } else { model[to as usize].len() };
                model[to as usize].insert(at, piece);
                prop_assert!(state.move_piece(piece, place, end));
                for (space, expected) in (0u32..3).zip(&model) {
                    let place = Place::Space(SpaceId(space));
                    prop_assert_eq!(&state.contents(place).collect::<Vec<_>>(), expected);
                    prop_assert_eq!(state.count(place) as usize, expected.len());
                }
            }
            state.revert(mark);
            prop_assert!((0..3).all(|space| state.count(Place::Space(SpaceId(space))) == 0));
        }
    }
}

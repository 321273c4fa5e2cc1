//! Limits on what may stand together in one space: what counts, how much there may be, and at which moments it must hold.
//!
//! Which pieces count is told by a filter that whoever asks has run; here they are weighed, space by space.

use crate::map::{SpaceId, SpaceSet};
use crate::state::{PieceId, State, TableId};
use crate::symbol::Sym;
use crate::world::{Datum, NIL, World};

/// A declared limit.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Its id.
    pub id: Sym,
    /// What must be true of a piece that counts.
    pub of: Vec<Trait>,
    /// How much one piece counts.
    pub weight: Weight,
    /// How much may stand in a space.
    pub most: Most,
    /// Whether the pieces of all sides count together; else each side is counted by itself.
    pub together: bool,
    /// The events at which it must hold: the ends of nodes of the sequence of play.
    pub events: Vec<Sym>,
    /// The procedures after which it must hold.
    pub procedures: Vec<Sym>,
    /// The procedures that mend what is over, by event or procedure at which it is found; where there is none it is an error.
    pub over: Vec<(Sym, Sym)>,
    /// Paragraphs of the rulebook.
    pub rules: Vec<String>,
    /// File and line where it is declared.
    pub place: String,
    /// The package that declares it.
    pub layer: u16,
}

/// One condition of the filter that says which pieces count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trait {
    /// The field, the attribute, or the word of filters (`at`, `on_map`, `has`).
    pub name: Sym,
    /// How it is compared.
    pub how: Compare,
    /// Whether the opposite is wanted.
    pub not: bool,
    /// What it is compared with.
    pub cells: Vec<i32>,
}

/// How a condition compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// With each of the cells; of tags, all must be there.
    Among,
    /// It must not be less.
    AtLeast,
    /// It must not be more.
    AtMost,
}

/// How much one piece counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// One.
    One,
    /// What an attribute says.
    Attribute(u16),
    /// What a printed field says.
    Field(u16),
}

/// A figure of a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The number itself.
    Number(i32),
    /// A figure of the rulebook: its id, and its key if the figure is a table of them.
    Value(Sym, Option<String>),
}

/// How much may stand in a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Most {
    /// The same everywhere.
    Everywhere(Figure),
    /// What an attribute of the space says.
    Attribute(u16),
    /// What is printed on the space; where nothing is, anything may stand.
    Field(u16),
    /// What a query says; it is asked only where there would be more than the figure.
    Query(Sym, Figure),
}

impl Figure {
    /// Its value in this game.
    pub fn get(&self, world: &World) -> i32 {
        let (id, key) = match self {
            Figure::Number(n) => return *n,
            Figure::Value(id, key) => (id, key),
        };
        let found = match (world.values.get(id), key) {
            (Some(Datum::Table(entries)), Some(key)) => {
                entries.iter().find(|(name, _)| name == key).map(|(_, datum)| datum)
            }
            (datum, None) => datum,
            _ => None,
        };
        // Loading has seen to it that there is a number.
        if let Some(Datum::Int(n)) = found { *n } else { i32::MAX }
    }
}

impl Limit {
    /// The procedure that mends what is over at an event, or after a procedure.
    pub fn mended_by(&self, moment: Sym) -> Option<Sym> {
        self.over.iter().find(|(at, _)| *at == moment).map(|(_, by)| *by)
    }

    /// How much a piece counts. What has no such number counts nothing.
    pub fn weight(&self, world: &World, state: &State, piece: u32) -> i32 {
        let weight = match self.weight {
            Weight::One => return 1,
            Weight::Attribute(col) => state.get(TableId::PIECE, piece, col),
            Weight::Field(col) => world.piece_field(state, piece, col),
        };
        if weight == NIL { 0 } else { weight }
    }

    /// How much of these pieces stands in each space of `domain`, in the order of the board; spaces with none are left out.
    pub fn loads(
        &self,
        world: &World,
        state: &State,
        domain: &SpaceSet,
        pieces: &[u32],
    ) -> Vec<(SpaceId, i32)> {
        let load = |&piece: &u32| {
            let space = state.space_of(PieceId(piece)).filter(|&space| domain.contains(space))?;
            Some((space, self.weight(world, state, piece)))
        };
        let mut held: Vec<(SpaceId, i32)> = pieces.iter().filter_map(load).collect();
        held.sort_unstable_by_key(|(space, _)| *space);
        held.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        held
    }

    /// How much may stand in a space without asking anybody; nothing if there is no bound.
    pub fn most(&self, world: &World, state: &State, space: SpaceId) -> Option<i32> {
        match &self.most {
            Most::Everywhere(figure) | Most::Query(_, figure) => Some(figure.get(world)),
            Most::Attribute(col) => Some(state.get(TableId::SPACE, space.0, *col)),
            Most::Field(col) => Some(world.space_fields.get(space.0, *col)).filter(|&most| most != NIL),
        }
    }

    /// The spaces among `domain` that would hold too much with so much more in each of them.
    pub fn packed(
        &self,
        world: &World,
        state: &State,
        domain: &SpaceSet,
        loads: &[(SpaceId, i32)],
        more: i32,
    ) -> SpaceSet {
        let over = |space: SpaceId, load: i32| {
            self.most(world, state, space).is_some_and(|most| load.saturating_add(more) > most)
        };
        let mut packed: SpaceSet =
            loads.iter().filter(|(space, load)| over(*space, *load)).map(|load| load.0).collect();
        // Where nothing stands there may still be no room, or not for so much.
        let uniform = matches!(self.most, Most::Everywhere(_) | Most::Query(..));
        let room = uniform && domain.iter().next().is_none_or(|space| !over(space, 0));
        if more > 0 && !room {
            let empty = |space: &SpaceId| loads.binary_search_by_key(space, |load| load.0).is_err();
            for space in domain.iter().filter(empty).filter(|&space| over(space, 0)) {
                packed.insert(space);
            }
        }
        packed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::BoardBuilder;
    use crate::state::{Column, End, Place, Schema, TableSchema, Type};
    use crate::world::Fields;

    /// A world of three spaces with room for 0, 2 and any number.
    fn world() -> World {
        let board = BoardBuilder::new().build().unwrap_or_else(|why| panic!("{why:?}"));
        let mut world = World::on(board);
        let int = Type::Int { min: i32::MIN, max: i32::MAX };
        let column = Column::new(Sym::NONE, int.clone());
        let table = TableSchema { name: Sym::NONE, columns: vec![column; 12] };
        world.schema = Schema { tables: vec![table; 6] };
        world.space_fields = Fields::new(vec![(Sym::NONE, int)]);
        for room in [0, 2, NIL] {
            let row = world.space_fields.push();
            world.space_fields.set(row, 0, room);
        }
        let stack = world.symbols.intern("stack");
        world.values.insert(stack, Datum::Table(vec![("units".into(), Datum::Int(2))]));
        world
    }

    /// Pieces with these weights (in column 11) in these spaces.
    fn state(world: &World, pieces: &[(u32, i32)]) -> State {
        let mut state = State::new(&world.schema);
        for _ in 0..3 {
            state.push_row(TableId::SPACE);
        }
        for (space, weight) in pieces {
            let row = state.push_row(TableId::PIECE);
            state.set(TableId::PIECE, row, 11, *weight);
            state.move_piece(PieceId(row), Place::Space(SpaceId(*space)), End::Top);
        }
        state
    }

    fn limit(most: Most, weight: Weight) -> Limit {
        Limit {
            id: Sym::NONE,
            of: Vec::new(),
            weight,
            most,
            together: true,
            events: Vec::new(),
            procedures: Vec::new(),
            over: Vec::new(),
            rules: Vec::new(),
            place: String::new(),
            layer: 0,
        }
    }

    fn packed(limit: &Limit, pieces: &[(u32, i32)], more: i32) -> Vec<u32> {
        let world = world();
        let state = state(&world, pieces);
        let all: Vec<u32> = (0..pieces.len() as u32).collect();
        let domain = (0..3).map(SpaceId).collect();
        let loads = limit.loads(&world, &state, &domain, &all);
        limit.packed(&world, &state, &domain, &loads, more).iter().map(|space| space.0).collect()
    }

    #[test]
    fn a_space_is_full_with_as_many_and_over_with_more() {
        let mut symbols = world().symbols;
        let figure = Figure::Value(symbols.intern("stack"), Some("units".into()));
        let limit = limit(Most::Everywhere(figure), Weight::One);
        let pieces = [(0, 9), (1, 9), (1, 9), (2, 9), (2, 9), (2, 9)];
        assert_eq!(packed(&limit, &pieces, 1), [1, 2]);
        assert_eq!(packed(&limit, &pieces, 0), [2]);
        assert_eq!(packed(&limit, &pieces, 3), [0, 1, 2], "three at once fit nowhere");
    }

    #[test]
    fn weights_add_up() {
        let limit = limit(Most::Everywhere(Figure::Number(5)), Weight::Attribute(11));
        let pieces = [(0, 3), (0, 2), (1, 6), (2, 4)];
        assert_eq!(packed(&limit, &pieces, 0), [1]);
        assert_eq!(packed(&limit, &pieces, 1), [0, 1]);
        assert_eq!(packed(&limit, &pieces, 2), [0, 1, 2]);
    }

    #[test]
    fn a_space_says_itself_how_much_it_holds() {
        let limit = limit(Most::Field(0), Weight::One);
        assert_eq!(packed(&limit, &[], 1), [0], "no room at all, and nothing stands there");
        assert_eq!(packed(&limit, &[], 0), [0; 0]);
        assert_eq!(packed(&limit, &[(0, 1), (1, 1), (1, 1), (1, 1), (2, 1)], 0), [0, 1]);
    }
}

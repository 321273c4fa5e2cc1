//! What each side values, as terms that are added up: numbers, pieces, spaces held, and how near pieces are to something.
//!
//! A term gives a number for each side. What a team thinks of a position is the weighted sum over its own sides less that over
//! the others. Everything that cannot change in play is looked up beforehand, so that a position is valued in one pass over the
//! pieces and one over the spaces that matter.

use crate::map::{DistanceField, SpaceId, SpaceSet};
use crate::state::{PieceId, Place, State, TableId, Type, piece_col};
use crate::symbol::Sym;
use crate::world::{NIL, SideId, World};

/// A declared term.
#[derive(Clone, Debug)]
pub struct Term {
    /// Its id.
    pub id: Sym,
    /// What it is called in an explanation.
    pub text: String,
    /// What it counts.
    pub what: What,
    /// The weight for each side, by seat.
    pub weights: Vec<i32>,
    /// Percent of the weight by turn, between the turns in proportion; empty for the same in all turns.
    pub turns: Vec<(i32, i32)>,
    /// If a number is to be reached or avoided: at which it is, and from how far it begins to count.
    pub towards: Option<Towards>,
}

/// A number that something happens at, such as the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Towards {
    /// The number.
    pub at: i32,
    /// How far below it the term begins to count; it grows with the square of what is left out of that.
    pub within: i32,
}

/// What a term counts.
#[derive(Clone, Debug)]
pub enum What {
    /// An attribute of the game, which speaks for one side.
    OfGame(u16, SideId),
    /// An attribute of each side.
    OfSide(u16),
    /// Pieces by owner.
    Pieces(Pieces),
    /// Spaces by holder.
    Spaces(Spaces),
    /// For each piece, how many steps it is nearer to the nearest target than `within`.
    Near {
        /// The pieces.
        pieces: Pieces,
        /// The targets.
        to: Spaces,
        /// Whose they are, seen from the owner of a piece.
        whose: Whose,
        /// From how far a target counts.
        within: i32,
    },
    /// What a query of the rules says, asked with the side.
    Query(Sym),
}

/// Whose spaces are targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those that the own team does not hold.
    Others,
    /// Those that the own team holds.
    Own,
    /// Those that another team holds.
    Enemies,
    /// All.
    Any,
}

/// Which pieces count, and how much.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// Conditions.
    pub of: Vec<Condition>,
    /// What one piece counts; one if nothing is said.
    pub sum: Option<Column>,
}

/// Which spaces count, and how much.
#[derive(Clone, Debug, Default)]
pub struct Spaces {
    /// Conditions.
    pub of: Vec<Condition>,
    /// The attributes or printed fields that say who holds a space, the first that names somebody; if there are none, whoever stands there.
    pub holder: Vec<Column>,
    /// What one space counts; one if nothing is said.
    pub sum: Option<Column>,
}

/// A value of a piece or space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// In the state.
    Attribute(u16),
    /// Printed.
    Field(u16),
    /// The kind.
    Kind,
    /// The row of the component list.
    Row,
    /// Steps left.
    StepsLeft,
    /// The space in which a piece is.
    At,
    /// Whether it is on the map.
    OnMap,
    /// Tags that are printed, in that column.
    Tags(u16),
}

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What is compared.
    pub column: Column,
    /// Whether it is a truth value: what is not printed is false.
    pub truth: bool,
    /// How it is compared.
    pub how: crate::limit::Compare,
    /// Whether the opposite is wanted.
    pub not: bool,
    /// With what.
    pub cells: Vec<i32>,
}

impl Condition {
    fn holds(&self, value: i32) -> bool {
        use crate::limit::Compare;
        let value = if self.truth && value == NIL { 0 } else { value };
        let first = self.cells.first().copied().unwrap_or(0);
        let holds = match self.how {
            Compare::Among => self.cells.contains(&value),
            Compare::AtLeast => value != NIL && value >= first,
            Compare::AtMost => value != NIL && value <= first,
        };
        holds != self.not
    }
}

/// What does not count.
const NONE: i32 = i32::MIN;

/// The pieces of a term, with what is known beforehand.
struct PieceTable {
    /// What a piece counts by the row of its printed fields, or `NONE`; with a sum over an attribute, 0.
    by_row: Vec<i32>,
    dynamic: Vec<Condition>,
    spaces: Option<SpaceSet>,
    attribute: Option<u16>,
}

/// The spaces of a term, with what is known beforehand.
struct SpaceTable {
    spaces: Vec<(SpaceId, i32)>,
    dynamic: Vec<Condition>,
    attribute: Option<u16>,
    holder: Vec<Column>,
    /// The team of a holder's cell, if the cell is the name of a side or team.
    by_name: Vec<(i32, u8)>,
    is_side: bool,
}

/// Values positions by the terms of a world.
pub struct Evaluator {
    terms: Vec<Known>,
    teams: Vec<u8>,
    turn: Option<u16>,
    sums: Vec<Vec<i64>>,
}

enum Body {
    OfGame(u16, usize),
    OfSide(u16),
    Pieces(PieceTable),
    Spaces(SpaceTable),
    Near { pieces: PieceTable, to: SpaceTable, whose: Whose, within: i32, fields: Vec<DistanceField> },
    Query(Sym),
}

struct Known {
    term: Term,
    body: Body,
}

/// A term that is counted over the pieces: its number, which pieces, and the distances by team with what counts as near.
type OverPieces<'a> = (usize, &'a PieceTable, Option<(&'a [DistanceField], i32)>);

/// No team.
const NOBODY: u8 = u8::MAX;

impl Evaluator {
    /// Values by the terms that the world declares or, if it declares none, by what every game has.
    pub fn new(world: &World) -> Evaluator {
        let terms = if world.outlook.is_empty() { fallback(world) } else { world.outlook.clone() };
        Evaluator::with(world, terms)
    }

    /// Values by other terms.
    pub fn with(world: &World, terms: Vec<Term>) -> Evaluator {
        let teams = teams(world);
        let column =
            |name: &str| world.symbols.get(name).and_then(|name| world.schema.column(TableId::GAME, name));
        let turn = column("turn").or_else(|| column("round"));
        let known = |term: Term| {
            let body = match &term.what {
                What::OfGame(col, side) => Body::OfGame(*col, usize::from(side.0)),
                What::OfSide(col) => Body::OfSide(*col),
                What::Pieces(pieces) => Body::Pieces(PieceTable::new(world, pieces)),
                What::Spaces(spaces) => Body::Spaces(SpaceTable::new(world, spaces, &teams)),
                What::Near { pieces, to, whose, within } => Body::Near {
                    pieces: PieceTable::new(world, pieces),
                    to: SpaceTable::new(world, to, &teams),
                    whose: *whose,
                    within: *within,
                    fields: vec![DistanceField::default(); world.sides.len()],
                },
                What::Query(name) => Body::Query(*name),
            };
            Known { term, body }
        };
        let terms: Vec<Known> = terms.into_iter().map(known).collect();
        let sums = vec![vec![0; world.sides.len()]; terms.len()];
        Evaluator { terms, teams, turn, sums }
    }

    /// The terms.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().map(|known| &known.term)
    }

    /// The team of a side, by number.
    pub fn team(&self, side: SideId) -> u8 {
        self.teams.get(usize::from(side.0)).copied().unwrap_or(NOBODY)
    }

    /// What a team thinks of a position. `query` answers a query of the rules for a side.
    pub fn value(
        &mut self,
        world: &World,
        state: &State,
        team: u8,
        query: &mut dyn FnMut(Sym, SideId) -> i32,
    ) -> i64 {
        self.add_up(world, state, query);
        (0..self.terms.len()).map(|at| self.weighed(at, state, team)).sum()
    }

    /// The same, term by term.
    pub fn values(
        &mut self,
        world: &World,
        state: &State,
        team: u8,
        query: &mut dyn FnMut(Sym, SideId) -> i32,
    ) -> Vec<i64> {
        self.add_up(world, state, query);
        (0..self.terms.len()).map(|at| self.weighed(at, state, team)).collect()
    }

    fn weighed(&self, at: usize, state: &State, team: u8) -> i64 {
        let (term, sums) = (&self.terms[at].term, &self.sums[at]);
        let percent = match (self.turn, term.turns.as_slice()) {
            (_, []) | (None, _) => 100,
            (Some(col), turns) => i64::from(between(turns, state.get(TableId::GAME, 0, col))),
        };
        let each = sums.iter().zip(&self.teams).zip(&term.weights).map(|((&sum, &of), &weight)| {
            let worth = term.towards.map_or(sum, |towards| towards.worth(sum)) * i64::from(weight);
            if of == team { worth } else { -worth }
        });
        each.sum::<i64>() * percent / 100
    }

    /// Works out what each term says for each side.
    fn add_up(&mut self, world: &World, state: &State, query: &mut dyn FnMut(Sym, SideId) -> i32) {
        let Evaluator { terms, teams, sums, .. } = self;
        let mut over_pieces: Vec<OverPieces<'_>> = Vec::new();
        for (at, known) in terms.iter_mut().enumerate() {
            let sums = &mut sums[at];
            sums.fill(0);
            match &mut known.body {
                Body::OfGame(col, side) => sums[*side] = i64::from(state.get(TableId::GAME, 0, *col)),
                Body::OfSide(col) => {
                    for (row, sum) in (0u32..).zip(sums.iter_mut()) {
                        *sum = i64::from(state.get(TableId::SIDE, row, *col));
                    }
                }
                Body::Spaces(spaces) => spaces.add_up(world, state, teams, sums),
                Body::Query(name) => {
                    for (seat, sum) in (0u8..).zip(sums.iter_mut()) {
                        *sum = i64::from(query(*name, SideId(seat)));
                    }
                }
                Body::Pieces(pieces) => over_pieces.push((at, pieces, None)),
                Body::Near { pieces, to, whose, within, fields } => {
                    let mut measured = 0u64;
                    for seat in 0..teams.len() {
                        // Sides of one team have the same targets.
                        let team = teams[seat];
                        let field = usize::from(team).min(fields.len() - 1);
                        if measured & (1 << field) == 0 {
                            measured |= 1 << field;
                            let targets = to.targets(world, state, team, teams, *whose);
                            fields[field].measure(&world.board, &targets);
                        }
                    }
                    over_pieces.push((at, pieces, Some((fields, *within))));
                }
            }
        }
        if over_pieces.is_empty() {
            return;
        }
        for row in 0..state.rows(TableId::PIECE) {
            let owner = state.get(TableId::PIECE, row, piece_col::SIDE);
            let level = state.get(TableId::PIECE, row, piece_col::LEVEL);
            let Some(component) = world.component_of(state, row).filter(|_| owner > 0 && level > 0) else {
                continue;
            };
            let seat = (owner - 1) as usize;
            let printed =
                component.first_row as usize + level.clamp(1, i32::from(component.levels)) as usize - 1;
            let mut space = None;
            for (at, pieces, near) in &over_pieces {
                let fixed = pieces.by_row.get(printed).copied().unwrap_or(NONE);
                if fixed == NONE {
                    continue;
                }
                let space = *space.get_or_insert_with(|| state.space_of(PieceId(row)));
                let Some(worth) = pieces.worth(state, row, space, fixed) else { continue };
                let times = match near {
                    None => 1,
                    Some((fields, within)) => {
                        let field = usize::from(teams.get(seat).copied().unwrap_or(0)).min(fields.len() - 1);
                        let steps = space.and_then(|space| fields[field].steps(space));
                        (*within - steps.and_then(|steps| i32::try_from(steps).ok()).unwrap_or(*within))
                            .max(0)
                    }
                };
                if let Some(sum) = sums[*at].get_mut(seat) {
                    *sum += i64::from(worth) * i64::from(times);
                }
            }
        }
    }
}

impl Towards {
    /// What a number is worth: nothing far from the mark, more and more as it comes near.
    fn worth(self, number: i64) -> i64 {
        let within = i64::from(self.within.max(1));
        let left = (i64::from(self.at) - number).clamp(0, within);
        (within - left) * (within - left)
    }
}

/// The percent at a turn, between two that are given in proportion.
fn between(turns: &[(i32, i32)], turn: i32) -> i32 {
    let after = turns.iter().position(|(at, _)| *at >= turn);
    match after {
        Some(0) => turns[0].1,
        None => turns.last().map_or(100, |last| last.1),
        Some(next) => {
            let ((t0, p0), (t1, p1)) = (turns[next - 1], turns[next]);
            p0 + (p1 - p0) * (turn - t0) / (t1 - t0).max(1)
        }
    }
}

/// The teams of the sides, by number, in the order in which they first appear.
fn teams(world: &World) -> Vec<u8> {
    let mut names: Vec<Sym> = Vec::new();
    let mut number = |team: Sym| {
        let at = names.iter().position(|name| *name == team).unwrap_or_else(|| {
            names.push(team);
            names.len() - 1
        });
        at as u8
    };
    world.sides.iter().map(|side| number(side.2)).collect()
}

impl PieceTable {
    fn new(world: &World, pieces: &Pieces) -> PieceTable {
        let mut by_row = vec![NONE; rows(world)];
        let fixed = |column: Column| !matches!(column, Column::Attribute(_) | Column::At | Column::OnMap);
        for component in &world.components {
            for rung in 0..u32::from(component.levels) {
                let row = component.first_row + rung;
                let value = |column: Column| match column {
                    Column::Field(col) => world.piece_fields.get(row, col),
                    Column::Kind => component.kind.cell(),
                    Column::Row => component.id.cell(),
                    Column::StepsLeft => i32::from(component.levels) - rung as i32,
                    _ => NIL,
                };
                let holds = |condition: &Condition| match condition.column {
                    Column::Tags(col) => {
                        let tags = world.piece_fields.list(world.piece_fields.get(row, col));
                        condition.cells.iter().all(|cell| tags.contains(cell)) != condition.not
                    }
                    column if fixed(column) => condition.holds(value(column)),
                    _ => true,
                };
                if pieces.of.iter().all(holds) {
                    let worth = pieces.sum.map_or(1, value);
                    by_row[row as usize] = if worth == NIL { 0 } else { worth };
                }
            }
        }
        let mut spaces: Option<SpaceSet> = None;
        for condition in &pieces.of {
            let set: SpaceSet = match condition.column {
                Column::At => {
                    let cells = condition.cells.iter().filter_map(|&cell| u32::try_from(cell - 1).ok());
                    cells.map(SpaceId).collect()
                }
                Column::OnMap => world.on_map(),
                _ => continue,
            };
            let not = condition.not != (condition.column == Column::OnMap && condition.cells == [0]);
            let all = (0..world.spaces.len() as u32).map(SpaceId);
            let before = spaces.take();
            let kept = all.filter(|&space| {
                set.contains(space) != not && before.as_ref().is_none_or(|before| before.contains(space))
            });
            spaces = Some(kept.collect());
        }
        let dynamic = |condition: &&Condition| matches!(condition.column, Column::Attribute(_));
        PieceTable {
            by_row,
            dynamic: pieces.of.iter().filter(dynamic).cloned().collect(),
            spaces,
            attribute: if let Some(Column::Attribute(col)) = pieces.sum { Some(col) } else { None },
        }
    }

    fn worth(&self, state: &State, row: u32, space: Option<SpaceId>, fixed: i32) -> Option<i32> {
        if let Some(spaces) = &self.spaces
            && !space.is_some_and(|space| spaces.contains(space))
        {
            return None;
        }
        for condition in &self.dynamic {
            let Column::Attribute(col) = condition.column else { continue };
            if !condition.holds(state.get(TableId::PIECE, row, col)) {
                return None;
            }
        }
        Some(self.attribute.map_or(fixed, |col| state.get(TableId::PIECE, row, col)))
    }
}

/// How many rows of printed fields pieces have.
fn rows(world: &World) -> usize {
    let ends = world.components.iter().map(|it| it.first_row as usize + usize::from(it.levels));
    ends.max().unwrap_or(0)
}

impl SpaceTable {
    fn new(world: &World, spaces: &Spaces, teams: &[u8]) -> SpaceTable {
        let value = |row: u32, column: Column| match column {
            Column::Field(col) => world.space_fields.get(row, col),
            Column::Kind => world.spaces[row as usize].kind.cell(),
            Column::OnMap => i32::from(world.spaces[row as usize].on_map),
            _ => NIL,
        };
        let holds = |row: u32, condition: &Condition| match condition.column {
            Column::Tags(col) => {
                let tags = world.space_fields.list(world.space_fields.get(row, col));
                condition.cells.iter().all(|cell| tags.contains(cell)) != condition.not
            }
            Column::At => condition.cells.contains(&(row as i32 + 1)) != condition.not,
            Column::Attribute(_) => true,
            column => condition.holds(value(row, column)),
        };
        let fitting = (0..world.spaces.len() as u32).filter(|&row| spaces.of.iter().all(|it| holds(row, it)));
        let worth = |row: u32| match spaces.sum {
            Some(column) => Some(value(row, column)).filter(|&worth| worth != NIL).unwrap_or(0),
            None => 1,
        };
        let ty = match spaces.holder.first() {
            Some(Column::Attribute(col)) => world.schema.get(TableId::SPACE, *col).map(|column| &column.ty),
            Some(Column::Field(col)) => world.space_fields.columns.get(usize::from(*col)).map(|it| &it.1),
            _ => None,
        };
        let named = world.sides.iter().zip(teams);
        let by_name =
            named.flat_map(|(side, &team)| [(side.0.cell(), team), (side.2.cell(), team)]).collect();
        let dynamic = |condition: &&Condition| matches!(condition.column, Column::Attribute(_));
        SpaceTable {
            spaces: fitting.map(|row| (SpaceId(row), worth(row))).collect(),
            dynamic: spaces.of.iter().filter(dynamic).cloned().collect(),
            attribute: if let Some(Column::Attribute(col)) = spaces.sum { Some(col) } else { None },
            holder: spaces.holder.clone(),
            by_name,
            is_side: matches!(ty, None | Some(Type::Side)),
        }
    }

    /// The team that holds a space, and the side if it is known.
    fn holder(
        &self,
        world: &World,
        state: &State,
        space: SpaceId,
        teams: &[u8],
    ) -> Option<(u8, Option<usize>)> {
        let named = |column: &Column| match column {
            Column::Attribute(col) => state.get(TableId::SPACE, space.0, *col),
            Column::Field(col) => world.space_fields.get(space.0, *col),
            _ => 0,
        };
        let cell = if self.holder.is_empty() {
            let owner = |piece: PieceId| state.get(TableId::PIECE, piece.0, piece_col::SIDE);
            state.contents(Place::Space(space)).map(owner).find(|&owner| owner > 0)
        } else {
            self.holder.iter().map(named).find(|&cell| cell > 0)
        }?;
        if self.is_side {
            let seat = usize::try_from(cell.checked_sub(1)?).ok()?;
            return teams.get(seat).map(|&team| (team, Some(seat)));
        }
        self.by_name.iter().find(|(name, _)| *name == cell && cell > 0).map(|&(_, team)| (team, None))
    }

    fn counts(&self, state: &State, space: SpaceId) -> bool {
        self.dynamic.iter().all(|condition| match condition.column {
            Column::Attribute(col) => condition.holds(state.get(TableId::SPACE, space.0, col)),
            _ => true,
        })
    }

    fn add_up(&self, world: &World, state: &State, teams: &[u8], sums: &mut [i64]) {
        for &(space, worth) in &self.spaces {
            if !self.counts(state, space) {
                continue;
            }
            let Some((team, seat)) = self.holder(world, state, space, teams) else { continue };
            // What a team holds counts for its first side.
            let seat = seat.or_else(|| teams.iter().position(|&other| other == team));
            let worth = self.attribute.map_or(worth, |col| state.get(TableId::SPACE, space.0, col));
            if let Some(sum) = seat.and_then(|seat| sums.get_mut(seat)) {
                *sum += i64::from(worth);
            }
        }
    }

    fn targets(&self, world: &World, state: &State, team: u8, teams: &[u8], whose: Whose) -> SpaceSet {
        let wanted = |space: SpaceId| {
            let holder = || self.holder(world, state, space, teams).map(|(team, _)| team);
            self.counts(state, space)
                && match whose {
                    Whose::Any => true,
                    Whose::Others => holder() != Some(team),
                    Whose::Own => holder() == Some(team),
                    Whose::Enemies => holder().is_some_and(|holder| holder != team),
                }
        };
        self.spaces.iter().map(|&(space, _)| space).filter(|&space| wanted(space)).collect()
    }
}

/// What is valued in a game that does not say: steps on the map, spaces held, what sides have, and coming near the enemy's spaces.
fn fallback(world: &World) -> Vec<Term> {
    use crate::limit::Compare;
    let even = |weight: i32| vec![weight; world.sides.len()];
    let term = |text: &str, what: What, weight: i32| Term {
        id: Sym::NONE,
        text: text.to_string(),
        what,
        weights: even(weight),
        turns: Vec::new(),
        towards: None,
    };
    let on_map =
        Condition { column: Column::OnMap, truth: true, how: Compare::Among, not: false, cells: vec![1] };
    let cards = world.symbols.get("card").map_or(0, Sym::cell);
    let markers = world.symbols.get("marker").map_or(0, Sym::cell);
    let units = Condition {
        column: Column::Kind,
        truth: false,
        how: Compare::Among,
        not: true,
        cells: vec![cards, markers],
    };
    let force = Pieces { of: vec![on_map.clone(), units], sum: Some(Column::StepsLeft) };
    let mut terms = vec![term("steps on the map", What::Pieces(force.clone()), 100)];
    let strength = world.piece_fields.columns.iter().enumerate().filter(|(_, (name, ty))| {
        let name = world.symbols.text(*name);
        matches!(ty, Type::Int { .. }) && ["strength", "attack", "defence", "combat"].contains(&name)
    });
    for (col, _) in strength {
        let sum = Some(Column::Field(col as u16));
        terms.push(term("printed strength", What::Pieces(Pieces { sum, ..force.clone() }), 30));
    }
    let columns = |table: TableId| {
        let columns = world.schema.tables.get(usize::from(table.0)).map_or(&[][..], |it| &it.columns);
        (0u16..).zip(columns)
    };
    for (col, column) in columns(TableId::SPACE) {
        if !matches!(column.ty, Type::Side) {
            continue;
        }
        let spaces = Spaces { of: Vec::new(), holder: vec![Column::Attribute(col)], sum: None };
        terms.push(term("spaces held", What::Spaces(spaces.clone()), 50));
        let numbers = world.space_fields.columns.iter().enumerate();
        for (field, _) in numbers.filter(|(_, (_, ty))| matches!(ty, Type::Int { .. })) {
            let sum = Some(Column::Field(field as u16));
            terms.push(term("worth of spaces held", What::Spaces(Spaces { sum, ..spaces.clone() }), 50));
        }
        let near = What::Near { pieces: force.clone(), to: spaces, whose: Whose::Enemies, within: 12 };
        terms.push(term("nearness to the enemy's spaces", near, 4));
    }
    for (col, column) in columns(TableId::SIDE) {
        let name = world.symbols.text(column.name);
        if matches!(column.ty, Type::Int { .. }) && !name.is_empty() {
            let score = ["vp", "points", "score", "stores"].contains(&name);
            terms.push(term("what a side has", What::OfSide(col), if score { 100 } else { 5 }));
        }
    }
    terms
}

//! Views: the picture of a game that one side, or a spectator, may see.
//!
//! A view is made from what the data declare: who sees what lies in a place (`see` of piles and boxes), who sees an
//! attribute, and which faces were shown or hidden. No script has a part in it.

use crate::changes;
use sandtable_kernel::map::{SpaceId, SpaceSet};
use sandtable_kernel::state::{
    Column, Lists, PieceId, Place, See, State, TableId, Type, piece_col, space_col,
};
use sandtable_kernel::world::{SideId, World};
use sandtable_script::{Change, ScriptContext, Val};
use serde::Serialize;
use std::collections::BTreeMap;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A side.
    Side(SideId),
    /// Somebody who belongs to no side.
    Spectator,
    /// One person for all sides, or a test: sees what any side sees, but not what nobody does.
    Everything,
}

impl Viewer {
    fn is(self, side: Option<SideId>) -> bool {
        match self {
            Viewer::Side(own) => side == Some(own),
            Viewer::Spectator => false,
            Viewer::Everything => true,
        }
    }

    /// Whether something that is seen so, and belongs to `owner`, is seen by this viewer.
    pub fn sees(self, see: See, owner: Option<SideId>) -> bool {
        match see {
            See::All => true,
            // Whose face somebody sees is for those to say who know the value: `sees_value`.
            See::Owner | See::Face => self.is(owner),
            See::Nobody => false,
        }
    }
}

/// Values by name; those at their default are left out.
type Values = BTreeMap<String, String>;

/// A piece as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceView {
    /// Its name; nothing if its face is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its kind, which its back shows.
    pub kind: String,
    /// Its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Its rung, if it has several and its face is seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<i32>,
    /// Its facing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<i32>,
    /// Attributes that the viewer sees.
    #[serde(skip_serializing_if = "Values::is_empty")]
    pub values: Values,
    /// What it carries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cargo: Vec<PieceView>,
}

/// A space as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpaceView {
    /// Attributes.
    #[serde(skip_serializing_if = "Values::is_empty")]
    pub values: Values,
    /// The pieces, first to last; empty for a pile whose contents the viewer does not see.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<PieceView>,
    /// How many pieces lie there, as far as the viewer sees it.
    pub count: i32,
}

/// The picture of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Attributes of the game.
    pub game: Values,
    /// Attributes of each side.
    pub sides: BTreeMap<String, Values>,
    /// Spaces that hold a piece or an attribute that is not at its default.
    pub spaces: BTreeMap<String, SpaceView>,
}

/// Whether the viewer sees the face of a piece.
pub fn sees_face(world: &World, state: &State, viewer: Viewer, piece: PieceId) -> bool {
    is_open(world, state, viewer, piece) && sees_into(world, state, viewer, piece)
}

/// Whether a viewer sees a value of an attribute.
pub fn sees_value(
    world: &World,
    state: &State,
    viewer: Viewer,
    column: &Column,
    owner: Option<SideId>,
    cell: i32,
) -> bool {
    let names_seen = || {
        let piece = u32::try_from(cell - 1).ok().filter(|&piece| piece < state.rows(TableId::PIECE));
        piece.is_some_and(|piece| sees_face(world, state, viewer, PieceId(piece)))
    };
    viewer.sees(column.see, owner) || column.see == See::Face && names_seen()
}

/// Whether the stack that a piece lies in hides it from the viewer: it does from other sides, unless it is the top
/// piece of one that shows it, or one of theirs is near.
fn sees_into(world: &World, state: &State, viewer: Viewer, piece: PieceId) -> bool {
    if world.stacks.is_empty() || viewer == Viewer::Everything {
        return true;
    }
    let (Some(component), Place::Space(space)) = (world.component_of(state, piece.0), state.place(piece))
    else {
        return true;
    };
    let Some(stack) = world.stacks.iter().find(|stack| stack.kind == component.kind) else { return true };
    let (of_kind, owner) = (
        |other: &PieceId| world.component_of(state, other.0).is_some_and(|other| other.kind == stack.kind),
        SideId::from_cell(state.get(TableId::PIECE, piece.0, piece_col::SIDE)),
    );
    let Some(owner) = owner.filter(|_| world.spaces[space.0 as usize].on_map) else { return true };
    if stack.top && state.contents(Place::Space(space)).find(of_kind) == Some(piece) {
        return true;
    }
    let team = |side: SideId| world.sides.get(side.0 as usize).map(|side| side.2);
    let mut near: SpaceSet = [space].into_iter().collect();
    for _ in 0..stack.near(world) {
        near.union_with(&world.board.around(&near, Some(&stack.barrier)));
    }
    let has_near = |side: SideId| {
        let pieces = near.iter().flat_map(|space| state.contents(Place::Space(space))).filter(of_kind);
        let mut owners = pieces.map(|other| state.get(TableId::PIECE, other.0, piece_col::SIDE));
        owners.any(|cell| SideId::from_cell(cell).and_then(team) == team(side))
    };
    match viewer {
        Viewer::Side(side) => team(side) == team(owner) || has_near(side),
        // What anybody may not see is not for bystanders either.
        _ => (0u8..)
            .take(world.sides.len())
            .map(SideId)
            .all(|side| team(side) == team(owner) || has_near(side)),
    }
}

/// Whether the face of a piece is open to the viewer, by the place it lies in and by who was shown it.
fn is_open(world: &World, state: &State, viewer: Viewer, piece: PieceId) -> bool {
    let seen = state.get(TableId::PIECE, piece.0, piece_col::SEEN);
    match viewer {
        Viewer::Side(side) => {
            if seen & (1 << side.0) != 0 {
                return true;
            }
            if seen & (1 << (side.0 + 8)) != 0 {
                return false;
            }
        }
        Viewer::Spectator | Viewer::Everything => {
            let all = (1 << world.sides.len()) - 1;
            if seen & all == all {
                return true;
            }
            let hidden = (seen >> 8) & all;
            if hidden == all || (hidden != 0 && viewer == Viewer::Spectator) {
                return false;
            }
        }
    }
    match state.place(piece) {
        Place::Space(space) => {
            let def = &world.spaces[space.0 as usize];
            viewer.sees(def.see, def.side)
        }
        // Who does not see the carrier does not see what it carries.
        Place::Piece(carrier) => sees_face(world, state, viewer, carrier),
        Place::Nowhere => true,
    }
}

/// Whether the viewer sees how many pieces lie in a space.
pub fn sees_count(world: &World, viewer: Viewer, space: SpaceId) -> bool {
    let def = &world.spaces[space.0 as usize];
    viewer.sees(def.see, def.side) || viewer.sees(def.see_count, def.side)
}

/// How many pieces lie in a space, as far as the viewer sees it: all, or those whose faces were shown.
pub fn seen_count(world: &World, state: &State, viewer: Viewer, space: SpaceId) -> i32 {
    let place = Place::Space(space);
    if sees_count(world, viewer, space) {
        return state.count(place);
    }
    state.contents(place).filter(|&piece| sees_face(world, state, viewer, piece)).count() as i32
}

/// Whether anything is hidden from a viewer: a face, or an attribute that not everybody sees.
pub(crate) fn hides(world: &World, state: &State, viewer: Viewer) -> bool {
    let mut attributes = world.schema.tables.iter().flat_map(|table| &table.columns);
    attributes.any(|column| column.see != See::All)
        || (0..state.rows(TableId::PIECE)).any(|row| !sees_face(world, state, viewer, PieceId(row)))
}

/// Makes the picture for a viewer.
pub fn view(cx: &ScriptContext, viewer: Viewer) -> View {
    let world = &cx.world;
    // Names of pieces need the play, so a copy of the state is looked at; it is a few flat vectors.
    let state = cx.play.borrow().state.snapshot();
    for stack in world.stacks.iter().filter(|stack| !stack.value.is_none()) {
        cx.touch(|| format!("value.{}", cx.text(stack.value)));
    }
    let sides = (0u8..).zip(&world.sides).map(|(seat, side)| {
        let owner = Some(SideId(seat));
        (cx.text(side.0), values(cx, &state, viewer, TableId::SIDE, seat.into(), owner, 0))
    });
    let mut spaces = BTreeMap::new();
    for (row, def) in (0u32..).zip(&world.spaces) {
        let space = SpaceView {
            values: values(cx, &state, viewer, TableId::SPACE, row, def.side, space_col::COUNT),
            pieces: pieces(cx, &state, viewer, Place::Space(SpaceId(row))),
            count: seen_count(world, &state, viewer, SpaceId(row)),
        };
        if space.count > 0 || !space.values.is_empty() {
            spaces.insert(cx.text(def.id), space);
        }
    }
    View { game: values(cx, &state, viewer, TableId::GAME, 0, None, 1), sides: sides.collect(), spaces }
}

fn values(
    cx: &ScriptContext,
    state: &State,
    viewer: Viewer,
    table: TableId,
    row: u32,
    owner: Option<SideId>,
    skip: u16,
) -> Values {
    let mut values = Values::new();
    for (col, column) in (0u16..).zip(&cx.world.schema.tables[table.0 as usize].columns).skip(skip as usize) {
        let cell = state.get(table, row, col);
        if cell == column.default || !sees_value(&cx.world, state, viewer, column, owner, cell) {
            continue;
        }
        let text = match &column.ty {
            Type::List(of) => {
                let cells = state.list(cell);
                cells.iter().map(|&cell| changes::cell_name(cx, of, cell)).collect::<Vec<_>>().join(" ")
            }
            ty => changes::cell_name(cx, ty, cell),
        };
        values.insert(cx.text(column.name), text);
    }
    values
}

fn pieces(cx: &ScriptContext, state: &State, viewer: Viewer, place: Place) -> Vec<PieceView> {
    if let Place::Space(space) = place {
        let def = &cx.world.spaces[space.0 as usize];
        // A pile that the viewer does not see shows how many there are, and the faces that were shown.
        if !viewer.sees(def.see, def.side) {
            let shown = state.contents(place).filter(|&piece| sees_face(&cx.world, state, viewer, piece));
            return shown.map(|piece| piece_view(cx, state, viewer, piece)).collect();
        }
    }
    state.contents(place).map(|piece| piece_view(cx, state, viewer, piece)).collect()
}

fn piece_view(cx: &ScriptContext, state: &State, viewer: Viewer, piece: PieceId) -> PieceView {
    let owner = SideId::from_cell(state.get(TableId::PIECE, piece.0, piece_col::SIDE));
    let (kind, levels) = match cx.world.component_of(state, piece.0) {
        Some(component) => (cx.text(component.kind), component.levels),
        None => (String::new(), 1),
    };
    let side = owner.map(|side| cx.text(cx.side_sym(side)));
    if !sees_face(&cx.world, state, viewer, piece) {
        return PieceView {
            id: None,
            kind,
            side,
            level: None,
            facing: None,
            values: Values::new(),
            cargo: Vec::new(),
        };
    }
    let facing = state.get(TableId::PIECE, piece.0, piece_col::FACING);
    PieceView {
        id: Some(cx.name(Val::Piece(piece.0))),
        kind,
        side,
        level: (levels > 1).then(|| state.get(TableId::PIECE, piece.0, piece_col::LEVEL)),
        facing: (facing > 0 && sees_facing(&cx.world, viewer, owner)).then(|| facing - 1),
        values: values(cx, state, viewer, TableId::PIECE, piece.0, owner, piece_col::COUNT),
        cargo: pieces(cx, state, viewer, Place::Piece(piece)),
    }
}

/// Whether the viewer sees which way the pieces of an owner face, if he sees their faces.
pub fn sees_facing(world: &World, viewer: Viewer, owner: Option<SideId>) -> bool {
    let column = world.schema.get(TableId::PIECE, piece_col::FACING);
    column.is_none_or(|column| viewer.sees(column.see, owner))
}

/// Whether a change showed a piece to the viewer, if only for a moment.
pub(crate) fn shows(world: &World, viewer: Viewer, change: &Change, piece: PieceId) -> bool {
    let seen_at = |cell: i32| match Place::from_cell(cell) {
        Place::Space(space) => {
            let def = &world.spaces[space.0 as usize];
            viewer.sees(def.see, def.side)
        }
        Place::Nowhere | Place::Piece(_) => false,
    };
    let all = (1 << world.sides.len()) - 1;
    match (change, viewer) {
        (Change::Move { piece: moved, from, to }, _) => *moved == piece.0 && (seen_at(*from) || seen_at(*to)),
        (Change::Reveal { piece: other, seen, .. }, Viewer::Side(side)) => {
            *other == piece.0 && seen & (1 << side.0) != 0
        }
        (Change::Reveal { piece: other, seen, .. }, _) => *other == piece.0 && seen & all == all,
        _ => false,
    }
}

/// Whom a row belongs to.
pub(crate) fn owner_of(world: &World, state: &State, table: TableId, row: u32) -> Option<SideId> {
    match table {
        TableId::PIECE => SideId::from_cell(state.get(TableId::PIECE, row, piece_col::SIDE)),
        TableId::SIDE => u8::try_from(row).ok().map(SideId),
        TableId::SPACE => world.spaces.get(row as usize).and_then(|def| def.side),
        _ => None,
    }
}

/// How much of a change a viewer may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All of it.
    Whole,
    /// That something of this kind moved, but not what.
    Faceless,
    /// Nothing.
    Nothing,
}

/// How much of a change a viewer may know, judged by what the viewer sees now.
pub fn sight(cx: &ScriptContext, viewer: Viewer, change: &Change) -> Sight {
    let play = cx.play.borrow();
    let hidden = |piece: u32| !sees_face(&cx.world, &play.state, viewer, PieceId(piece));
    let whole = |seen: bool| if seen { Sight::Whole } else { Sight::Nothing };
    match change {
        // Of what goes on between places whose number is not seen nothing is.
        Change::Move { piece, from, to } if hidden(*piece) => {
            let seen = |cell: i32| match Place::from_cell(cell) {
                Place::Space(space) => sees_count(&cx.world, viewer, space),
                Place::Piece(carrier) => !hidden(carrier.0),
                Place::Nowhere => false,
            };
            if seen(*from) || seen(*to) { Sight::Faceless } else { Sight::Nothing }
        }
        // To whom a face was shown is the business of those who see it.
        Change::Create(piece) | Change::Destroy(piece) | Change::Reveal { piece, .. } => {
            whole(!hidden(*piece))
        }
        Change::Set { table: TableId::PIECE, row, .. }
        | Change::SetList { table: TableId::PIECE, row, .. }
            if hidden(*row) =>
        {
            Sight::Nothing
        }
        Change::Set { table, row, col, .. } | Change::SetList { table, row, col, .. } => {
            let owner = owner_of(&cx.world, &play.state, *table, *row);
            whole(cx.world.schema.get(*table, *col).is_some_and(|column| viewer.sees(column.see, owner)))
        }
        _ => Sight::Whole,
    }
}

/// A value as people call it, as far as the viewer may know.
pub fn seen_title(cx: &ScriptContext, viewer: Viewer, val: Val) -> String {
    match val {
        Val::Piece(piece) if !sees_face(&cx.world, &cx.play.borrow().state, viewer, PieceId(piece)) => {
            "?".into()
        }
        val => changes::title(cx, val),
    }
}

/// A text with the things it names, as far as the viewer may know them.
pub fn seen_sentence(cx: &ScriptContext, viewer: Viewer, text: &str, args: &[Val]) -> String {
    let mut sentence = changes::sentence(cx, text, &[]);
    for (at, &arg) in args.iter().enumerate() {
        sentence = sentence.replace(&format!("{{{}}}", at + 1), &seen_title(cx, viewer, arg));
    }
    sentence
}

/// A change as a viewer may read it; nothing if it is none of the viewer's business.
pub fn seen_change(cx: &ScriptContext, viewer: Viewer, change: &Change) -> Option<String> {
    match (sight(cx, viewer, change), change) {
        (Sight::Nothing, _) => None,
        (Sight::Faceless, Change::Move { piece, from, to }) => {
            let play = cx.play.borrow();
            let kind = cx
                .world
                .component_of(&play.state, *piece)
                .map_or_else(String::new, |component| cx.text(component.kind));
            drop(play);
            let [from, to] = [from, to].map(|&cell| match Place::from_cell(cell) {
                Place::Space(space) if !sees_count(&cx.world, viewer, space) => "?".to_string(),
                _ => changes::place_name(cx, cell),
            });
            Some(format!("move a {kind} {from} {to}"))
        }
        (_, Change::Log(text, args)) => Some(seen_sentence(cx, viewer, &cx.text(*text), args)),
        (_, other) => changes::canonical(cx, other),
    }
}

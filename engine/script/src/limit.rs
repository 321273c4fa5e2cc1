//! Limits on what may stand together: which pieces count, where a limit is reached or broken, and what that is called.

use crate::api;
use crate::context::{ANY, Reason, ScriptContext, fail};
use crate::filter::{Filter, Of, Subject, Test, Want};
use crate::keys::{Key, Keys, Own, Word};
use crate::lua_ffi::{Frame, Out};
use crate::registry::{Handler, Kind};
use crate::val::Val;
use mlua::Lua;
use sandtable_kernel::limit::{self, Compare, Figure, Most, Trait, Weight};
use sandtable_kernel::map::{SpaceId, SpaceSet};
use sandtable_kernel::state::{PieceId, State, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{SideId, World};
use std::cell::Cell;
use std::rc::Rc;

/// A limit with what is needed to look at it often.
pub(crate) struct Limit {
    /// The handler that stands for it.
    pub handler: Cell<u32>,
    /// What must be true of pieces that count, wherever they are: of each side, or of all together.
    filters: Vec<Filter>,
    /// The spaces that it is about.
    domain: SpaceSet,
}

/// What would come to the spaces that are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coming {
    /// So much; 0 to find out where there is too much already.
    Amount(i32),
    /// This piece, from wherever it stands now.
    Piece(u32),
}

impl Limit {
    /// The limits of a world.
    pub fn all(world: &World, keys: &Keys) -> Vec<Limit> {
        let make = |def: &limit::Limit| {
            let seats = if def.together { 0..0 } else { 0..world.sides.len() as u8 };
            let sides = seats.map(|seat| Some(SideId(seat))).chain(def.together.then_some(None));
            Limit {
                handler: Cell::new(u32::MAX),
                filters: sides.map(|side| filter(world, keys, &def.of, side)).collect(),
                domain: domain(world, keys, &def.of),
            }
        };
        world.limits.iter().map(make).collect()
    }

    fn filter(&self, side: Option<SideId>) -> Option<&Filter> {
        self.filters.get(side.map_or(0, |side| usize::from(side.0)))
    }
}

/// The filter of the pieces of a side that count, or of all. Where they are is looked at when they are weighed.
fn filter(world: &World, keys: &Keys, of: &[Trait], side: Option<SideId>) -> Filter {
    let mut filter = Filter { of: Of::Pieces, tests: Vec::new(), at: None, place: ANY, key: [ANY; 3] };
    for part in of {
        let cells = || part.cells.clone();
        let (subject, want) = match (keys.word(part.name), keys.piece.get(part.name)) {
            (Some(Word::Has), _) => {
                let col = world.symbols.get("tags").and_then(|tags| world.piece_fields.column(tags));
                (Subject::Tag(col), Want::Holds(cells()))
            }
            (_, Some(key)) => {
                let truth = match key {
                    Key::Field(col) => matches!(world.piece_fields.columns[col as usize].1, Type::Bool),
                    _ => false,
                };
                let want = match (part.how, part.cells.as_slice()) {
                    (Compare::AtLeast, [n, ..]) => Want::AtLeast(*n),
                    (Compare::AtMost, [n, ..]) => Want::AtMost(*n),
                    (Compare::Among, [one]) if key != Key::Own(Own::Side) => {
                        match key {
                            Key::Own(Own::Kind) if !part.not => filter.key[1] = *one,
                            Key::Own(Own::Type) if !part.not => filter.key[2] = *one,
                            _ => {}
                        }
                        Want::One(*one)
                    }
                    _ => Want::Any(cells()),
                };
                (Subject::Key(key, truth), want)
            }
            _ => continue,
        };
        filter.tests.push(Test { subject, want, not: part.not });
    }
    if let Some(side) = side {
        filter.key[0] = side.cell();
        let subject = Subject::Key(Key::Own(Own::Side), false);
        filter.tests.push(Test { subject, want: Want::One(side.cell()), not: false });
    }
    filter.sort();
    filter
}

fn set(cells: &[i32]) -> SpaceSet {
    cells.iter().filter_map(|&cell| u32::try_from(cell - 1).ok()).map(SpaceId).collect()
}

/// The spaces that a filter leaves for pieces to stand in.
fn domain(world: &World, keys: &Keys, of: &[Trait]) -> SpaceSet {
    let mut domain: SpaceSet = (0..world.spaces.len() as u32).map(SpaceId).collect();
    let mut keep = |other: SpaceSet, not: bool| {
        let kept = domain.iter().filter(|&space| other.contains(space) != not);
        domain = kept.collect();
    };
    for part in of {
        match keys.word(part.name) {
            Some(Word::OnMap) => keep(world.on_map(), part.not != part.cells.contains(&0)),
            Some(Word::At) => keep(set(&part.cells), part.not),
            _ => {}
        }
    }
    domain
}

impl ScriptContext {
    /// Lets each limit be a handler: it cites paragraphs, is counted, can be left out, and its answers are kept as those of a query.
    pub(crate) fn register_limits(self: &Rc<ScriptContext>, lua: &Lua) -> mlua::Result<()> {
        for (number, (def, limit)) in self.world.limits.iter().zip(&self.limits).enumerate() {
            let handler = Handler {
                id: self.text(def.id),
                sym: def.id,
                kind: Kind::Limit,
                target: Sym::NONE,
                rules: def.rules.clone(),
                func: Some(self.bind(lua, move |frame| behind(frame, number))?),
                when: None,
                among: None,
                run: Sym::NONE,
                stages: Vec::new(),
                stage: Sym::NONE,
                turns: None,
                during: Sym::NONE,
                offers: Vec::new(),
                side: None,
                wanted: true,
                options: Vec::new(),
                whole: false,
                order: 0,
                place: def.place.clone(),
                layer: def.layer,
                disabled: Cell::new(false),
                fired: Cell::new(0),
            };
            limit.handler.set(self.registry.borrow_mut().add(handler));
        }
        Ok(())
    }

    /// The numbers of the limits that must hold at an event, or after a procedure.
    pub(crate) fn limits_at(&self, moment: Sym, event: bool) -> impl Iterator<Item = usize> {
        let at =
            move |def: &limit::Limit| if event { &def.events } else { &def.procedures }.contains(&moment);
        self.world.limits.iter().enumerate().filter(move |(_, def)| at(def)).map(|(number, _)| number)
    }

    /// The sides that a limit counts by themselves; nobody, once, if it counts all together.
    fn counted(&self, number: usize) -> Vec<Option<SideId>> {
        if self.world.limits[number].together {
            return vec![None];
        }
        (0..self.world.sides.len() as u8).map(|seat| Some(SideId(seat))).collect()
    }

    /// The pieces that count, wherever they are.
    fn counting(&self, number: usize, side: Option<SideId>) -> Vec<u32> {
        let Some(filter) = self.limits[number].filter(side) else { return Vec::new() };
        let mut play = self.play.borrow_mut();
        let mut rows = play.pieces_by(&self.world, filter.key).to_vec();
        let state = &play.state;
        rows.retain(|&piece| state.get(TableId::PIECE, piece, piece_col::LEVEL) > 0);
        filter.select(self, state, &mut rows, true);
        rows
    }

    /// Notes what a limit reads, for who is being memoised, and for who wants to know which cases touch what.
    fn note_limit(&self, number: usize, side: Option<SideId>, state: &State) {
        let (def, limit) = (&self.world.limits[number], &self.limits[number]);
        let figure = match &def.most {
            Most::Everywhere(figure) | Most::Query(_, figure) => Some(figure),
            Most::Attribute(_) | Most::Field(_) => None,
        };
        self.touch(|| match figure {
            Some(Figure::Value(id, _)) => format!("value.{}", self.text(*id)),
            _ => format!("limit.{}.most", self.text(def.id)),
        });
        for part in &def.of {
            self.touch(|| format!("fields.{}", self.text(part.name)));
        }
        if let Weight::Field(col) = def.weight {
            self.touch(|| format!("fields.{}", self.text(self.world.piece_fields.columns[col as usize].0)));
        }
        if !self.is_tracking() {
            return;
        }
        if let Some(filter) = limit.filter(side) {
            filter.note(self, state);
        }
        let read = |col| match side {
            Some(side) => self.note_side(state, col, side.cell()),
            None => self.note(state, TableId::PIECE, col),
        };
        read(piece_col::PLACE);
        match def.weight {
            Weight::Attribute(col) => read(col),
            Weight::Field(_) => read(piece_col::LEVEL),
            Weight::One => {}
        }
        if let Most::Attribute(col) = def.most {
            self.note(state, TableId::SPACE, col);
        }
    }

    /// How much something that comes counts for a side; nothing if it does not count at all.
    fn amount(&self, number: usize, side: Option<SideId>, coming: Coming) -> Option<i32> {
        let piece = match coming {
            Coming::Amount(n) => return Some(n),
            Coming::Piece(piece) => piece,
        };
        let (def, filter) = (&self.world.limits[number], self.limits[number].filter(side)?);
        let play = self.play.borrow();
        if self.is_tracking() {
            let owner = play.state.get(TableId::PIECE, piece, piece_col::SIDE);
            filter.note_owner(self, &play.state, owner);
            self.note_printed(&play.state, piece);
            if let Weight::Attribute(col) = def.weight {
                self.note_piece(&play.state, piece, col);
            }
        }
        let mut rows = vec![piece];
        filter.select(self, &play.state, &mut rows, false);
        (!rows.is_empty()).then(|| def.weight(&self.world, &play.state, piece))
    }
}

/// Where a limit is reached, before anybody is asked.
pub(crate) struct Looked {
    /// What stands where.
    loads: Vec<(SpaceId, i32)>,
    /// How much more would come.
    more: i32,
    /// The spaces that would then hold more than may stand there, or more than the least that a query may allow.
    pub packed: SpaceSet,
}

impl ScriptContext {
    /// Looks where there would be too much if something came; nothing if the limit is left out, or what comes does not count.
    pub(crate) fn look_at(&self, number: usize, side: Option<SideId>, coming: Coming) -> Option<Looked> {
        let (def, limit) = (&self.world.limits[number], &self.limits[number]);
        if self.is_left_out(number) {
            return None;
        }
        let more = self.amount(number, side, coming)?;
        let mut pieces = self.counting(number, side);
        // A piece takes no room from itself.
        pieces.retain(|&piece| coming != Coming::Piece(piece));
        let play = self.play.borrow();
        self.note_limit(number, side, &play.state);
        let loads = def.loads(&self.world, &play.state, &limit.domain, &pieces);
        let packed = def.packed(&self.world, &play.state, &limit.domain, &loads, more);
        Some(Looked { loads, more, packed })
    }

    /// Whether a mutation leaves a limit out; takes note that it was asked for.
    pub(crate) fn is_left_out(&self, number: usize) -> bool {
        let registry = self.registry.borrow();
        let handler = registry.handlers.get(self.limits[number].handler.get() as usize);
        handler.is_some_and(|handler| {
            handler.fired.set(handler.fired.get() + 1);
            handler.disabled.get()
        })
    }

    /// Whether there may be too much somewhere; whoever looks closer may find that a query allows it.
    pub(crate) fn may_be_broken(&self, number: usize) -> bool {
        let over = |side| self.look_at(number, side, Coming::Amount(0));
        self.counted(number).into_iter().filter_map(over).any(|looked| !looked.packed.is_empty())
    }
}

/// The spaces that would hold too much if something came to each of them.
pub(crate) fn packed(
    frame: &Frame<'_>,
    number: usize,
    side: Option<SideId>,
    coming: Coming,
) -> mlua::Result<SpaceSet> {
    let cx = frame.cx;
    let Some(looked) = cx.look_at(number, side, coming) else { return Ok(SpaceSet::default()) };
    let Most::Query(query, _) = &cx.world.limits[number].most else { return Ok(looked.packed) };
    let mut found = SpaceSet::default();
    for space in &looked.packed {
        let load = looked.loads.iter().find(|load| load.0 == space).map_or(0, |load| load.1);
        let most = asked(frame, number, *query, space, side, coming)?;
        if most.is_none_or(|most| load.saturating_add(looked.more) > most) {
            found.insert(space);
        }
    }
    Ok(found)
}

/// The function that stands behind a limit as one stands behind a query: of a side, or nil, and what would come.
fn behind(frame: &Frame<'_>, number: usize) -> mlua::Result<Out> {
    let side = frame.sym(1).and_then(|name| frame.cx.side(name));
    let coming = match frame.val(2) {
        Ok(Val::Piece(piece)) => Coming::Piece(piece),
        Ok(Val::Int(n)) => Coming::Amount(n),
        _ => Coming::Amount(0),
    };
    Ok(Out::spaces(packed(frame, number, side, coming)?))
}

/// What the query of a limit says of a space; nothing if it allows no more than there may be anywhere.
fn asked(
    frame: &Frame<'_>,
    number: usize,
    query: Sym,
    space: SpaceId,
    side: Option<SideId>,
    coming: Coming,
) -> mlua::Result<Option<i32>> {
    let cx = frame.cx;
    let name = cx.text(query);
    let Some(handler) = cx.registry.borrow().find(Some(Kind::Query), &name) else {
        return fail(format!("limit {}: there is no query {name}", cx.text(cx.world.limits[number].id)));
    };
    let side = side.map_or(Val::Nil, |side| Val::Sym(cx.side_sym(side)));
    let piece = if let Coming::Piece(piece) = coming { Val::Piece(piece) } else { Val::Nil };
    match api::recall(frame, handler, [Val::Space(space.0), side, piece])?.val() {
        Val::Int(most) => Ok(Some(most)),
        Val::Nil | Val::Bool(false) => Ok(None),
        other => fail(format!(
            "limit {}: the query {name} gives how much may stand in {}; expected a number, found {}",
            cx.text(cx.world.limits[number].id),
            cx.world.space_name(space),
            cx.describe(other)
        )),
    }
}

/// The spaces that hold too much, in the order of the board, each with the side that does.
pub(crate) fn excess(frame: &Frame<'_>, number: usize) -> mlua::Result<Vec<(SpaceId, Option<SideId>)>> {
    let mut found = Vec::new();
    for side in frame.cx.counted(number) {
        let spaces = packed(frame, number, side, Coming::Amount(0))?;
        found.extend(spaces.iter().map(|space| (space, side)));
    }
    found.sort_unstable_by_key(|(space, side)| (*space, side.map(|side| side.0)));
    Ok(found)
}

/// What stands in a space in excess of a limit, in words.
pub(crate) fn words(
    frame: &Frame<'_>,
    number: usize,
    space: SpaceId,
    side: Option<SideId>,
) -> mlua::Result<String> {
    let cx = frame.cx;
    let (def, limit) = (&cx.world.limits[number], &cx.limits[number]);
    let mut pieces = cx.counting(number, side);
    let (load, most) = {
        let play = cx.play.borrow();
        pieces.retain(|&piece| play.state.space_of(PieceId(piece)) == Some(space));
        let load = def.loads(&cx.world, &play.state, &limit.domain, &pieces).first().map_or(0, |load| load.1);
        (load, def.most(&cx.world, &play.state, space))
    };
    let asked = match def.most {
        Most::Query(query, _) => asked(frame, number, query, space, side, Coming::Amount(0))?,
        _ => None,
    };
    let play = cx.play.borrow();
    let names: Vec<String> = pieces.iter().map(|&piece| cx.world.piece_name(&play.state, piece)).collect();
    let most = asked.or(most).unwrap_or_default();
    Ok(format!("{} holds {load}, at most {most}: {}", cx.world.space_name(space), names.join(", ")))
}

/// The limits that are broken now, whatever their moments: for set-ups.
pub(crate) fn broken(frame: &Frame<'_>) -> mlua::Result<Vec<Reason>> {
    let mut found = Vec::new();
    for number in 0..frame.cx.limits.len() {
        for (space, side) in excess(frame, number)?.into_iter().take(1) {
            let text = words(frame, number, space, side)?;
            let handler = frame.cx.limits[number].handler.get();
            found.push(Reason { handler, text, args: vec![Val::Space(space.0)] });
        }
    }
    Ok(found)
}

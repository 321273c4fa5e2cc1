//! The picture of a game that one viewer may see, as JSON; what the viewer does not see is not in it.

use crate::json::{Items, Json, Members};
use crate::thing::{PieceNames, ViewerScope, label, plain, word};
use sandtable_data::definition::NodeKind;
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{EffectId, PieceId, Place, State, TableId, effect_col, piece_col, space_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use sandtable_script::{ScriptContext, Val};
use sandtable_session::view::{Viewer, seen_count, sees_face, sees_facing};
use sandtable_session::{Frame, Game};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A picture, and the rows of the component list that are seen in it.
pub struct Picture {
    /// Attributes, spaces with pieces, effects and records in play: members of an object.
    pub parts: String,
    /// What must be known to draw it.
    pub components: BTreeSet<u32>,
}

/// Makes the picture of the position that is in the VM.
pub fn picture(cx: &ScriptContext, viewer: Viewer) -> Picture {
    let world = &*cx.world;
    let play = cx.play.borrow();
    let state = &play.state;
    let names = PieceNames::new(world, state);
    let eyes = ViewerScope { cx, state, viewer, names: &names };
    let mut painter = Painter { eyes: &eyes, components: BTreeSet::new() };
    let parts = Json::members(|all| {
        all.object("game", |values| eyes.values(values, TableId::GAME, 0, None, 1));
        all.object("sides", |sides| {
            for (seat, side) in (0u8..).zip(&world.sides) {
                sides.object(world.symbols.text(side.0), |values| {
                    eyes.values(values, TableId::SIDE, seat.into(), Some(SideId(seat)), 0);
                });
            }
        });
        all.object("spaces", |spaces| painter.spaces(spaces));
        all.list("effects", |items| effects(&eyes, items));
        all.list("records", |items| records(&eyes, items));
    });
    Picture { parts, components: painter.components }
}

struct Painter<'a> {
    eyes: &'a ViewerScope<'a>,
    components: BTreeSet<u32>,
}

impl Painter<'_> {
    /// The spaces in which something is to be seen.
    fn spaces(&mut self, out: &mut Members<'_>) {
        let ViewerScope { cx, state, .. } = *self.eyes;
        let world = &*cx.world;
        for (row, def) in (0u32..).zip(&world.spaces) {
            let count = seen_count(world, state, self.eyes.viewer, SpaceId(row));
            if count == 0 && !self.eyes.any(TableId::SPACE, row, def.side, space_col::COUNT) {
                continue;
            }
            let id = world.symbols.text(def.id);
            out.object(id, |space| {
                space.put("count", &count);
                space.list("pieces", |pieces| self.pieces(pieces, Place::Space(SpaceId(row)), id));
                space.object("values", |values| {
                    self.eyes.values(values, TableId::SPACE, row, def.side, space_col::COUNT);
                });
            });
        }
    }

    /// The pieces in a place; of a pile that the viewer does not see only the faces that were shown.
    fn pieces(&mut self, out: &mut Items<'_>, place: Place, name: &str) {
        let ViewerScope { cx, state, viewer, .. } = *self.eyes;
        let open = match place {
            Place::Space(space) => {
                let def = &cx.world.spaces[space.0 as usize];
                viewer.sees(def.see, def.side)
            }
            Place::Piece(_) | Place::Nowhere => true,
        };
        for (at, piece) in state.contents(place).enumerate() {
            let face = sees_face(&cx.world, state, viewer, piece);
            if open || face {
                out.object(|out| self.piece(out, piece, face, name, at));
            }
        }
    }

    fn piece(&mut self, out: &mut Members<'_>, piece: PieceId, face: bool, place: &str, at: usize) {
        let ViewerScope { cx, state, names, .. } = *self.eyes;
        let world = &*cx.world;
        let get = |col| state.get(TableId::PIECE, piece.0, col);
        let owner = SideId::from_cell(get(piece_col::SIDE));
        if let Some(side) = owner {
            out.put("side", world.side_name(side));
        }
        let component = world.component_of(state, piece.0);
        if let Some(component) = component {
            out.put("kind", world.symbols.text(component.kind));
        }
        if !face {
            out.put("key", &format!("{place}#{at}"));
            return;
        }
        let name = &*names.get(piece.0);
        out.put("id", name);
        out.put("key", name);
        if let Some(component) = component {
            self.components.insert((get(piece_col::COMPONENT) - 1) as u32);
            out.put("proto", world.symbols.text(component.id));
            if component.levels > 1 {
                out.put("level", &get(piece_col::LEVEL));
            }
        }
        if get(piece_col::FACING) > 0 && sees_facing(world, self.eyes.viewer, owner) {
            out.put("facing", &(get(piece_col::FACING) - 1));
        }
        if self.eyes.any(TableId::PIECE, piece.0, owner, piece_col::COUNT) {
            out.object("values", |values| {
                self.eyes.values(values, TableId::PIECE, piece.0, owner, piece_col::COUNT);
            });
        }
        if get(piece_col::COUNT_PIECES) > 0 {
            out.list("cargo", |cargo| self.pieces(cargo, Place::Piece(piece), name));
        }
    }
}

/// The effects in force, with those of their arguments that are plain or seen.
fn effects(eyes: &ViewerScope<'_>, out: &mut Items<'_>) {
    let cx = eyes.cx;
    let get = |row, col| eyes.state.get(TableId::EFFECT, row, col);
    let mut rows: Vec<u32> =
        (0..eyes.state.rows(TableId::EFFECT)).filter(|&row| get(row, effect_col::NAME) != 0).collect();
    rows.sort_by_key(|&row| get(row, effect_col::SERIAL));
    // The tags are those under which the script crate stores values.
    let argument = |arg: &sandtable_kernel::state::Arg| {
        Some(match arg.tag {
            1 => json!(arg.cell != 0),
            2 => json!(arg.cell),
            // A name may be a secret that no data declare, such as a card; a side is none.
            3 if cx.side(Sym::from_cell(arg.cell)).is_some() => json!(cx.text(Sym::from_cell(arg.cell))),
            4 if sees_face(&cx.world, eyes.state, eyes.viewer, PieceId(arg.cell as u32)) => {
                json!(eyes.names.get(arg.cell as u32))
            }
            5 => json!(cx.name(Val::Space(arg.cell as u32))),
            _ => return None,
        })
    };
    for row in rows {
        let name = Sym::from_cell(get(row, effect_col::NAME));
        out.object(|out| {
            out.put("id", &cx.text(name));
            out.put("title", &word(cx, name));
            out.object("values", |values| {
                for arg in eyes.state.effect_args(EffectId(row)) {
                    if let Some(value) = argument(&arg) {
                        values.put(&cx.text(arg.key), &value);
                    }
                }
            });
        });
    }
}

/// The records in play: a combat, a move under way.
fn records(eyes: &ViewerScope<'_>, out: &mut Items<'_>) {
    let world = &*eyes.cx.world;
    for (table, schema) in (0u16..).zip(&world.schema.tables).skip(TableId::FIRST_RECORD.0.into()) {
        let id = TableId(table);
        for row in (0..eyes.state.rows(id)).filter(|&row| in_use(eyes.state, id, row)) {
            out.object(|out| {
                out.put("kind", world.symbols.text(schema.name));
                out.object("values", |values| eyes.values(values, id, row, None, 1));
            });
        }
    }
}

/// Whether a row of a table of records holds one; the first column says so.
fn in_use(state: &State, table: TableId, row: u32) -> bool {
    state.get(table, row, 0) != 0
}

/// Where the game is in its sequence of play.
pub fn place(cx: &ScriptContext, game: &Game, frames: &[Frame]) -> Vec<Value> {
    let nodes = &game.definition.sequence.nodes;
    let shown = |frame: &Frame| {
        let node = nodes.get(frame.node as usize)?;
        let mut shown = json!({ "node": node.name, "title": plain(&node.name) });
        if let NodeKind::Each { values, .. } = &node.kind {
            let value = values.get(frame.pass as usize);
            shown["value"] = match value {
                Some(sandtable_data::definition::LoopValue::Int(n)) => json!(n),
                Some(sandtable_data::definition::LoopValue::Side(seat)) => {
                    json!(cx.world.side_name(SideId(*seat)))
                }
                Some(sandtable_data::definition::LoopValue::Text(text)) => json!(text),
                None => Value::Null,
            };
        }
        Some(shown)
    };
    frames.iter().filter_map(shown).collect()
}

/// The name of something a viewer sees, for a label.
pub fn seen_label(cx: &ScriptContext, viewer: Viewer, val: Val) -> String {
    match val {
        Val::Piece(piece) if !sees_face(&cx.world, &cx.play.borrow().state, viewer, PieceId(piece)) => {
            "?".into()
        }
        val => label(cx, val),
    }
}

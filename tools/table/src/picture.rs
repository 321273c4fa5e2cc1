//! The picture of a game that one viewer may see, as JSON; what the viewer does not see is not in it.

use crate::thing::{Eyes, Object, PieceNames, label, plain, word};
use sandtable_data::definition::NodeKind;
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{EffectId, PieceId, Place, State, TableId, effect_col, piece_col, space_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use sandtable_script::{Cx, Val};
use sandtable_session::view::{Viewer, sees_face};
use sandtable_session::{Frame, Game};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A picture, and the rows of the component list that are seen in it.
pub struct Picture {
    /// Attributes, spaces with pieces, effects and records in play.
    pub parts: Object,
    /// What must be known to draw it.
    pub protos: BTreeSet<u32>,
}

/// Makes the picture of the position that is in the VM.
pub fn picture(cx: &Cx, viewer: Viewer) -> Picture {
    let world = &*cx.world;
    // Names need the play, so a copy of the state is looked at; it is a few flat vectors.
    let state = cx.play.borrow().state.snapshot();
    let names = PieceNames::new(world, &state);
    let eyes = Eyes { cx, state: &state, viewer, names: &names };
    let mut painter = Painter { eyes: &eyes, protos: BTreeSet::new() };
    let mut spaces = Object::new();
    for (row, def) in (0u32..).zip(&world.spaces) {
        let count = state.count(Place::Space(SpaceId(row)));
        let values = eyes.values(TableId::SPACE, row, def.side, space_col::COUNT);
        if count == 0 && values.is_empty() {
            continue;
        }
        let id = world.symbols.text(def.id);
        let pieces = painter.pieces(Place::Space(SpaceId(row)), id);
        spaces.insert(id.to_string(), json!({ "values": values, "pieces": pieces, "count": count }));
    }
    let sides = (0u8..).zip(&world.sides).map(|(seat, side)| {
        let values = eyes.values(TableId::SIDE, seat.into(), Some(SideId(seat)), 0);
        (world.symbols.text(side.0).to_string(), Value::from(values))
    });
    let parts = [
        ("game", Value::from(eyes.values(TableId::GAME, 0, None, 1))),
        ("sides", Value::from(sides.collect::<Object>())),
        ("spaces", spaces.into()),
        ("effects", effects(&eyes).into()),
        ("records", records(&eyes).into()),
    ];
    let parts = parts.into_iter().map(|(key, value)| (key.to_string(), value)).collect();
    Picture { parts, protos: painter.protos }
}

struct Painter<'a> {
    eyes: &'a Eyes<'a>,
    protos: BTreeSet<u32>,
}

impl Painter<'_> {
    /// The pieces in a place; of a pile that the viewer does not see only the faces that were shown.
    fn pieces(&mut self, place: Place, name: &str) -> Vec<Value> {
        let Eyes { cx, state, viewer, .. } = *self.eyes;
        let open = match place {
            Place::Space(space) => {
                let def = &cx.world.spaces[space.0 as usize];
                viewer.sees(def.see, def.side)
            }
            Place::Piece(_) | Place::Nowhere => true,
        };
        let contents: Vec<PieceId> = state.contents(place).collect();
        let mut pieces = Vec::with_capacity(contents.len());
        for (at, piece) in contents.into_iter().enumerate() {
            let face = sees_face(&cx.world, state, viewer, piece);
            if open || face {
                pieces.push(self.piece(piece, face, name, at));
            }
        }
        pieces
    }

    fn piece(&mut self, piece: PieceId, face: bool, place: &str, at: usize) -> Value {
        let Eyes { cx, state, names, .. } = *self.eyes;
        let world = &*cx.world;
        let get = |col| state.get(TableId::PIECE, piece.0, col);
        let owner = SideId::from_cell(get(piece_col::SIDE));
        let mut shown = Object::new();
        let mut put = |key: &str, value: Value| drop(shown.insert(key.to_string(), value));
        if let Some(side) = owner {
            put("side", json!(world.side_name(side)));
        }
        let proto = world.proto_of(state, piece.0);
        if let Some(proto) = proto {
            put("kind", json!(world.symbols.text(proto.kind)));
        }
        if !face {
            put("key", json!(format!("{place}#{at}")));
            return shown.into();
        }
        let name = names.get(piece.0);
        put("id", json!(name));
        put("key", json!(name));
        if let Some(proto) = proto {
            self.protos.insert((get(piece_col::PROTO) - 1) as u32);
            put("proto", json!(world.symbols.text(proto.id)));
            if proto.levels > 1 {
                put("level", json!(get(piece_col::LEVEL)));
            }
        }
        if get(piece_col::FACING) > 0 {
            put("facing", json!(get(piece_col::FACING) - 1));
        }
        let values = self.eyes.values(TableId::PIECE, piece.0, owner, piece_col::COUNT);
        if !values.is_empty() {
            put("values", values.into());
        }
        if get(piece_col::COUNT_PIECES) > 0 {
            let cargo = self.pieces(Place::Piece(piece), name);
            shown.insert("cargo".into(), cargo.into());
        }
        shown.into()
    }
}

/// The effects in force, with those of their arguments that are plain or seen.
fn effects(eyes: &Eyes<'_>) -> Vec<Value> {
    let cx = eyes.cx;
    let get = |row, col| eyes.state.get(TableId::EFFECT, row, col);
    let mut rows: Vec<u32> =
        (0..eyes.state.rows(TableId::EFFECT)).filter(|&row| get(row, effect_col::NAME) != 0).collect();
    rows.sort_by_key(|&row| get(row, effect_col::SERIAL));
    let effect = |row: u32| {
        let name = Sym::from_cell(get(row, effect_col::NAME));
        // The tags are those under which the script crate stores values.
        let argument = |arg: sandtable_kernel::state::Arg| {
            let value = match arg.tag {
                1 => json!(arg.cell != 0),
                2 => json!(arg.cell),
                // A name may be a secret that no data declare, such as a card; a side is none.
                3 if cx.side(Sym::from_cell(arg.cell)).is_some() => json!(cx.text(Sym::from_cell(arg.cell))),
                4 if sees_face(&cx.world, eyes.state, eyes.viewer, PieceId(arg.cell as u32)) => {
                    json!(eyes.names.get(arg.cell as u32))
                }
                5 => json!(cx.name(Val::Space(arg.cell as u32))),
                _ => return None,
            };
            Some((cx.text(arg.key), value))
        };
        let values: Object = eyes.state.effect_args(EffectId(row)).into_iter().filter_map(argument).collect();
        json!({ "id": cx.text(name), "title": word(cx, name), "values": values })
    };
    rows.into_iter().map(effect).collect()
}

/// The records in play: a combat, a move under way.
fn records(eyes: &Eyes<'_>) -> Vec<Value> {
    let world = &*eyes.cx.world;
    let mut found = Vec::new();
    for (table, schema) in (0u16..).zip(&world.schema.tables).skip(TableId::FIRST_RECORD.0.into()) {
        let id = TableId(table);
        for row in 0..eyes.state.rows(id) {
            if in_use(eyes.state, id, row) {
                let values = eyes.values(id, row, None, 1);
                found.push(json!({ "kind": world.symbols.text(schema.name), "values": values }));
            }
        }
    }
    found
}

/// Whether a row of a table of records holds one; the first column says so.
fn in_use(state: &State, table: TableId, row: u32) -> bool {
    state.get(table, row, 0) != 0
}

/// Where the game is in its sequence of play.
pub fn place(cx: &Cx, game: &Game, frames: &[Frame]) -> Vec<Value> {
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
pub fn seen_label(cx: &Cx, viewer: Viewer, val: Val) -> String {
    match val {
        Val::Piece(piece) if !sees_face(&cx.world, &cx.play.borrow().state, viewer, PieceId(piece)) => {
            "?".into()
        }
        val => label(cx, val),
    }
}

//! The component list: units, cards, chits and markers with their ladders and printed fields.

use super::schema::initial;
use super::space::{declared, fill, known_keys};
use super::{Builder, codes, keys};
use crate::diagnostic::Diagnostic;
use crate::diagnostic_codes::WRONG_TYPE;
use crate::tree::Node;
use crate::tree_read::Row;
use sandtable_kernel::state::{TableId, Type};
use sandtable_kernel::world::{Component, Fields, Named, PIECES, SideId, World};

/// Most pieces of one row.
const OF_A_ROW: u32 = 9_999;

/// How many pieces there are of a row.
fn count(b: &mut Builder<'_>, node: &Node, what: &str) -> u32 {
    let Some(given) = node.get("count") else { return 1 };
    match given.as_int().map(u32::try_from) {
        Some(Ok(count)) if count <= OF_A_ROW => count,
        Some(_) => {
            let message = format!("`count` of {what}: expected a number from 0 to {OF_A_ROW}");
            b.out.push(Diagnostic::error(&WRONG_TYPE, given.origin, message));
            0
        }
        None => {
            let message = format!("`count` of {what}: expected a whole number");
            b.out.push(Diagnostic::error(&WRONG_TYPE, given.origin, message));
            0
        }
    }
}

/// Takes up the ids of all pieces, so that other rows can refer to them.
pub(super) fn names(b: &mut Builder<'_>, world: &mut World) {
    let mut pieces = 0u32;
    for kind in b.piece_kinds() {
        let rows: Vec<(&str, &Node)> = b.catalog.rows(&kind).collect();
        for (id, node) in rows {
            let sym = world.symbols.intern(id);
            let number = world.components.len() as u32;
            if world.names.contains_key(&sym) {
                let message = format!("{kind}.{id}: there is another `{id}`");
                b.out.push(Diagnostic::error(&codes::DUPLICATE_NAME, node.origin, message));
                continue;
            }
            world.names.insert(sym, Named::Component(number));
            let count = count(b, node, &format!("{kind}.{id}"));
            pieces += count;
            if pieces > PIECES && pieces - count <= PIECES {
                let message = format!(
                    "{kind}.{id}: with its {count} there are {pieces} pieces; a game has at most {PIECES}"
                );
                b.out.push(Diagnostic::error(&WRONG_TYPE, node.origin, message));
            }
            let kind = world.symbols.intern(&kind);
            world.components.push(Component {
                id: sym,
                kind,
                name: id.to_string(),
                side: None,
                levels: 1,
                first_row: 0,
                count: if pieces > PIECES { 0 } else { count },
            });
        }
    }
}

/// Reads the printed fields, one row for each rung of a ladder.
pub(super) fn fields(b: &mut Builder<'_>, world: &mut World) {
    let columns = declared(b, world, "piece");
    let sides = declared(b, world, "side");
    let mut fields = Fields::new(columns.clone());
    for number in 0..world.components.len() {
        let (id, kind) = (world.components[number].id, world.components[number].kind);
        let (id, kind) = (world.symbols.text(id).to_string(), world.symbols.text(kind).to_string());
        let what = format!("{kind}.{id}");
        let first = fields.push();
        world.components[number].first_row = first;
        world.proto_initial.push(Vec::new());
        let Some(node) = b.catalog.row(&kind, &id) else { continue };
        let Some(row) = Row::new(what.clone(), node, &mut b.out) else { continue };
        known_keys(b, world, TableId::PIECE, &row, &columns, keys::PIECE);
        fill(b, world, &mut fields, first, &what, &row, &columns);
        let levels = row.array("levels", &mut b.out).unwrap_or_default();
        for (rung, node) in levels.iter().enumerate() {
            let what = format!("level {} of {what}", rung + 1);
            let Some(row) = Row::new(what.clone(), node, &mut b.out) else { continue };
            known_keys(b, world, TableId::PIECE, &row, &columns, keys::LEVEL);
            // Each rung begins as a copy of the plain row, which stands before them.
            let line = fields.push_like(first);
            fill(b, world, &mut fields, line, &what, &row, &columns);
        }
        let side =
            row.get("side").and_then(|node| b.cell(world, &Type::Side, node, &format!("`side` of {what}")));
        let found = initial(b, world, TableId::PIECE, &what, &row);
        let component = &mut world.components[number];
        if !levels.is_empty() {
            component.first_row = first + 1;
        }
        component.levels = u8::try_from(levels.len().max(1)).unwrap_or(u8::MAX);
        component.side = side.and_then(SideId::from_cell);
        if let Some(name) = row.str("name", &mut b.out) {
            component.name = name.to_string();
        }
        world.proto_initial[number] = found;
    }
    world.piece_fields = fields;
    let mut side_fields = Fields::new(sides.clone());
    for at in 0..world.sides.len() {
        let line = side_fields.push();
        let id = world.symbols.text(world.sides[at].0).to_string();
        let Some(node) = b.catalog.row("side", &id) else { continue };
        let what = format!("side.{id}");
        let Some(row) = Row::new(what.clone(), node, &mut b.out) else { continue };
        known_keys(b, world, TableId::SIDE, &row, &sides, keys::SIDE);
        fill(b, world, &mut side_fields, line, &what, &row, &sides);
    }
    world.side_fields = side_fields;
}

//! The tables of the state: the kernel's columns, the attributes a game declares, its records, its loop values.

use super::sequence::{LoopValue, NodeKind, Sequence};
use super::space::see;
use super::{Builder, codes, keys};
use crate::diagnostic::Diagnostic;
use crate::tree::{Node, Value};
use crate::tree_read::Row;
use sandtable_kernel::state::{
    Column, See, TableId, TableSchema, Type, effect_col, game_col, piece_col, space_col,
};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::World;

fn own(count: u16) -> Vec<Column> {
    let whole = Type::Int { min: i32::MIN, max: i32::MAX };
    let column = Column::new(Sym::NONE, whole);
    vec![column; count as usize]
}

pub(super) fn read(b: &mut Builder<'_>, world: &mut World, sequence: &Sequence) {
    let tables = [
        ("game", game_col::COUNT),
        ("side", 0),
        ("space", space_col::COUNT),
        ("piece", piece_col::COUNT),
        ("list", 2),
        ("effect", effect_col::COUNT),
    ];
    for (name, count) in tables {
        let mut schema = TableSchema { name: world.symbols.intern(name), columns: own(count) };
        let named: &[(&str, u16)] = match name {
            "piece" => {
                &[("side", piece_col::SIDE), ("level", piece_col::LEVEL), ("facing", piece_col::FACING)]
            }
            _ => &[],
        };
        for (column, at) in named {
            schema.columns[*at as usize].name = world.symbols.intern(column);
        }
        if name == "piece" {
            schema.columns[piece_col::SIDE as usize].ty = Type::Side;
        }
        if let Some(rows) =
            b.catalog.root.get("attribute").and_then(|kinds| kinds.get(name)).and_then(Node::as_table)
        {
            for (id, node) in rows.iter() {
                if name == "piece" && id == "facing" {
                    schema.columns[piece_col::FACING as usize].see = facing(b, node);
                    continue;
                }
                let column = column(b, world, &format!("attribute.{name}.{id}"), id, node);
                schema.columns.push(column);
            }
        }
        if name == "game" {
            loop_values(world, sequence, &mut schema);
        }
        world.schema.tables.push(schema);
    }
    if let Some(kinds) = b.catalog.root.get("attribute").and_then(Node::as_table) {
        for (kind, node) in kinds.iter() {
            if !tables.iter().any(|(name, _)| *name == kind) {
                let message = format!("attribute.{kind}: attributes belong to game, side, space or piece");
                b.unknown(node.origin, message, kind, ["game", "side", "space", "piece"]);
            }
        }
    }
    let records: Vec<(&str, &Node)> = b.catalog.rows("record").collect();
    for (name, node) in records {
        let mut schema = TableSchema { name: world.symbols.intern(name), columns: own(1) };
        for (id, node) in node.as_table().into_iter().flat_map(crate::tree::Table::iter) {
            if ["rule", "source", "note"].contains(&id) {
                continue;
            }
            let column = column(b, world, &format!("record.{name}.{id}"), id, node);
            schema.columns.push(column);
        }
        world.schema.tables.push(schema);
    }
}

/// A column from `name = "bool"` or `name = { type = "bool", default = …, reset = …, see = … }`.
fn column(b: &mut Builder<'_>, world: &mut World, what: &str, id: &str, node: &Node) -> Column {
    let name = world.symbols.intern(id);
    let plain = |ty| Column::new(name, ty);
    let long = node.as_table().is_some_and(|table| table.contains("type"));
    if !long {
        return plain(b.read_type(world, node, what));
    }
    let Some(row) = Row::new(what, node, &mut b.out) else { return plain(Type::Text) };
    row.unknown_keys(keys::ATTRIBUTE, &mut b.out);
    let mut ty = match row.get("type") {
        Some(node) => b.read_type(world, node, what),
        None => Type::Text,
    };
    if let Type::Int { min, max } = &mut ty {
        let bound = |n: i64| i32::try_from(n).unwrap_or(if n < 0 { i32::MIN } else { i32::MAX });
        *min = row.int("min", &mut b.out).map_or(*min, bound);
        *max = row.int("max", &mut b.out).map_or(*max, bound);
    }
    let default = match row.get("default") {
        Some(node) => b.cell(world, &ty, node, &format!("`default` of {what}")).unwrap_or(0),
        None => match ty {
            Type::Int { min, max } => 0.clamp(min, max),
            _ => 0,
        },
    };
    let reset = row.str("reset", &mut b.out).map_or(Sym::NONE, |node| world.symbols.intern(node));
    if !reset.is_none() && b.catalog.row("sequence", world.symbols.text(reset)).is_none() {
        let names: Vec<&str> = b.catalog.rows("sequence").map(|(name, _)| name).collect();
        let wrong = world.symbols.text(reset).to_string();
        let place = row.get("reset").map_or(row.origin(), |node| node.origin);
        b.unknown(place, format!("`reset` of {what} is `{wrong}`; there is no such node"), &wrong, names);
    }
    let words = if matches!(ty, Type::Piece) { keys::SEE_PIECE } else { keys::SEE };
    let see = see(row.word("see", words, &mut b.out));
    let quiet = row.bool("quiet", &mut b.out).unwrap_or(false);
    Column { name, ty, default, reset, see, quiet }
}

/// Every piece has a facing; a game may say who sees it.
fn facing(b: &mut Builder<'_>, node: &Node) -> See {
    let Some(row) = Row::new("attribute.piece.facing", node, &mut b.out) else { return See::All };
    row.unknown_keys(keys::FACING, &mut b.out);
    see(row.word("see", keys::SEE, &mut b.out))
}

/// Declares the values that loops of the sequence keep in the game, unless the game declares them itself.
fn loop_values(world: &mut World, sequence: &Sequence, schema: &mut TableSchema) {
    for node in &sequence.nodes {
        let NodeKind::Each { variable, values } = &node.kind else { continue };
        let name = world.symbols.intern(variable);
        if schema.columns.iter().any(|column| column.name == name) {
            continue;
        }
        let ty = match values.first() {
            Some(LoopValue::Side(_)) => Type::Side,
            Some(LoopValue::Text(_)) => Type::Text,
            _ => Type::Int { min: i32::MIN, max: i32::MAX },
        };
        schema.columns.push(Column::new(name, ty));
    }
}

/// First values that rows of components give to attributes: `area.poland.control = "second"`, or `from = "owner"`.
pub(super) fn initial(
    b: &mut Builder<'_>,
    world: &mut World,
    table: TableId,
    what: &str,
    row: &Row<'_>,
) -> Vec<(u16, i32)> {
    let kind = if table == TableId::SPACE { "space" } else { "piece" };
    let Some(rows) =
        b.catalog.root.get("attribute").and_then(|kinds| kinds.get(kind)).and_then(Node::as_table)
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (id, declared) in rows.iter() {
        let from = declared.get("from").and_then(Node::as_str);
        let Some(node) = row.get(id).or_else(|| from.and_then(|field| row.get(field))) else { continue };
        let Some(name) = world.symbols.get(id) else { continue };
        let Some(col) = world.schema.column(table, name) else { continue };
        let Some(ty) = world.schema.get(table, col).map(|column| column.ty.clone()) else { continue };
        if matches!(ty, Type::List(_)) {
            let message =
                format!("`{id}` of {what}: a list cannot be given here; set it when the game begins");
            b.out.push(Diagnostic::error(&codes::UNKNOWN_TYPE, node.origin, message));
            continue;
        }
        if matches!(&node.value, Value::Str(text) if text.is_empty()) {
            continue;
        }
        if let Some(cell) = b.cell(world, &ty, node, &format!("`{id}` of {what}")) {
            found.push((col, cell));
        }
    }
    found
}

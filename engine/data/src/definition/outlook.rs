//! What players value: `[outlook.NAME]` is a term that is counted for each side and weighed.

use super::cells::{Found, columns, find};
use super::{Builder, codes, keys};
use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;
use crate::tree::{Node, Value};
use crate::tree_read::{Row, expect_bool, expect_id, expect_int, expect_str, wrong_type};
use sandtable_kernel::limit::Compare;
use sandtable_kernel::outlook::{Column, Condition, Pieces, Spaces, Term, Towards, What, Whose};
use sandtable_kernel::state::{TableId, Type};
use sandtable_kernel::world::World;

/// Reads all terms; fields, attributes and sides must have been read before.
pub(super) fn read(b: &mut Builder<'_>, world: &mut World) {
    let rows: Vec<(&str, &Node)> = b.catalog.rows("outlook").filter(|(id, _)| *id != "source").collect();
    for (id, node) in rows {
        let Some(row) = Row::new(format!("outlook.{id}"), node, &mut b.out) else { continue };
        row.unknown_keys(keys::OUTLOOK, &mut b.out);
        let weights = weights(b, world, &row);
        let what = what(b, world, &row, node);
        let (turns, towards) = (turns(b, &row), towards(b, &row));
        let text = row.str("text", &mut b.out).unwrap_or(id).to_string();
        let Some(what) = what else { continue };
        world.outlook.push(Term { id: world.symbols.intern(id), text, what, weights, turns, towards });
    }
}

fn bad(b: &mut Builder<'_>, node: &Node, message: String) {
    b.out.push(Diagnostic::error(&codes::BAD_OUTLOOK, node.origin, message));
}

/// The weight for each side: one for all, or a table of them; a side that is not named has none.
fn weights(b: &mut Builder<'_>, world: &World, row: &Row<'_>) -> Vec<i32> {
    let none = vec![0; world.sides.len()];
    let Some(node) = row.need("weight", &mut b.out) else { return none };
    let what = format!("`weight` of {}", row.name());
    let Some(table) = node.as_table() else {
        return weight(b, node, &what).map_or(none, |weight| vec![weight; world.sides.len()]);
    };
    let mut weights = none;
    for (name, entry) in table.entries() {
        let weight = weight(b, &entry.node, &what).unwrap_or(0);
        match world.find_side(name) {
            Some(side) => weights[usize::from(side.0)] = weight,
            None => {
                let sides = world.sides.iter().map(|side| world.symbols.text(side.0));
                let message = format!("`weight` of {} names `{name}`; there is no such side", row.name());
                let help = did_you_mean(name, sides);
                b.out.push(Diagnostic::error(&codes::UNKNOWN_REFERENCE, entry.key, message).help(help));
            }
        }
    }
    weights
}

fn weight(b: &mut Builder<'_>, node: &Node, what: &str) -> Option<i32> {
    let weight = expect_int(node, what, &mut b.out)?;
    if weight.abs() > WEIGHT {
        bad(b, node, format!("{what} is {weight}; expected at most {WEIGHT}, more or less"));
        return None;
    }
    i32::try_from(weight).ok()
}

/// The heaviest weight: products with what is counted stay far from the bounds of numbers.
const WEIGHT: i64 = 100_000;

fn turns(b: &mut Builder<'_>, row: &Row<'_>) -> Vec<(i32, i32)> {
    let Some(node) = row.get("turns") else { return Vec::new() };
    let what = format!("`turns` of {}", row.name());
    let pair = |node: &Node| match node.as_array() {
        Some([turn, percent]) => Some((turn.as_int()?, percent.as_int()?)),
        _ => None,
    };
    let pairs: Option<Vec<(i64, i64)>> = node.as_array().map(|items| items.iter().filter_map(pair).collect());
    let expected = node.as_array().map_or(usize::MAX, <[Node]>::len);
    let fits = |pairs: &Vec<(i64, i64)>| {
        pairs.len() == expected
            && pairs.windows(2).all(|two| two[0].0 < two[1].0)
            && pairs.iter().all(|pair| pair.0.abs() < 10_000 && pair.1.abs() <= 10_000)
    };
    let Some(pairs) = pairs.filter(fits) else {
        wrong_type(
            node,
            what,
            "pairs of a turn and the percent of the weight, in the order of turns",
            &mut b.out,
        );
        return Vec::new();
    };
    pairs.into_iter().map(|(turn, percent)| (turn as i32, percent as i32)).collect()
}

fn towards(b: &mut Builder<'_>, row: &Row<'_>) -> Option<Towards> {
    let towards = row.get("towards").and_then(|_| row.row("towards", &mut b.out))?;
    towards.unknown_keys(&["at", "within"], &mut b.out);
    towards.need("at", &mut b.out)?;
    let (at, within) = (towards.int("at", &mut b.out)?, towards.int("within", &mut b.out).unwrap_or(1));
    if !(1..=1_000).contains(&within) || at.abs() > 1_000_000 {
        bad(b, row.get("towards")?, format!("`towards` of {}: expected `within` from 1 to 1000", row.name()));
        return None;
    }
    Some(Towards { at: at as i32, within: within as i32 })
}

/// What is counted: just one of the keys that say so.
fn what(b: &mut Builder<'_>, world: &mut World, row: &Row<'_>, node: &Node) -> Option<What> {
    let kinds = ["number", "pieces", "spaces", "near", "query"];
    let given: Vec<&str> = kinds.into_iter().filter(|key| row.get(key).is_some()).collect();
    let [kind] = given.as_slice() else {
        bad(b, node, format!("{} must say one of {}", row.name(), kinds.join(", ")));
        return None;
    };
    let only = match *kind {
        "number" => &["for"][..],
        "pieces" => &["sum"][..],
        "spaces" => &["sum", "holder"][..],
        _ => &[][..],
    };
    for key in ["for", "sum", "holder"] {
        if let Some(node) = row.get(key).filter(|_| !only.contains(&key)) {
            bad(b, node, format!("{}: `{key}` does not belong to `{kind}`", row.name()));
        }
    }
    match *kind {
        "number" => number(b, world, row),
        "pieces" => Some(What::Pieces(pieces(b, world, row)?)),
        "spaces" => Some(What::Spaces(spaces(b, world, row, "spaces")?)),
        "query" => Some(What::Query(world.symbols.intern(row.str("query", &mut b.out)?))),
        _ => near(b, world, row),
    }
}

fn number(b: &mut Builder<'_>, world: &World, row: &Row<'_>) -> Option<What> {
    let node = row.get("number")?;
    let name = expect_str(node, format!("`number` of {}", row.name()), &mut b.out)?;
    let found = name.split_once('.').and_then(|(table, name)| {
        let table = match table {
            "game" => TableId::GAME,
            "side" => TableId::SIDE,
            _ => return None,
        };
        let col = world.schema.column(table, world.symbols.get(name)?)?;
        let column = world.schema.get(table, col)?;
        matches!(column.ty, Type::Int { .. } | Type::Bool).then_some((table, col))
    });
    let Some((table, col)) = found else {
        let attribute = |table: TableId, of: &str| -> Vec<String> {
            let columns = world.schema.tables.get(usize::from(table.0)).map_or(&[][..], |it| &it.columns);
            columns.iter().map(|column| format!("{of}.{}", world.symbols.text(column.name))).collect()
        };
        let names = [attribute(TableId::GAME, "game"), attribute(TableId::SIDE, "side")].concat();
        let message = format!("`number` of {} is `{name}`; no such attribute is a number", row.name());
        b.unknown(node.origin, message, name, names.iter().map(String::as_str));
        return None;
    };
    if table == TableId::SIDE {
        return Some(What::OfSide(col));
    }
    row.need("for", &mut b.out)?;
    let side = row.id("for", &mut b.out)?;
    let Some(found) = world.find_side(&side) else {
        let names = world.sides.iter().map(|side| world.symbols.text(side.0));
        let origin = row.get("for").map_or(node.origin, |node| node.origin);
        b.unknown(
            origin,
            format!("`for` of {} is `{side}`; there is no such side", row.name()),
            &side,
            names,
        );
        return None;
    };
    Some(What::OfGame(col, found))
}

fn near(b: &mut Builder<'_>, world: &mut World, row: &Row<'_>) -> Option<What> {
    let near = row.row("near", &mut b.out)?;
    near.unknown_keys(keys::OUTLOOK_NEAR, &mut b.out);
    near.need("pieces", &mut b.out)?;
    near.need("to", &mut b.out)?;
    near.need("within", &mut b.out)?;
    let within = near.int("within", &mut b.out)?;
    if !(1..=1_000).contains(&within) {
        bad(b, near.get("within")?, format!("`within` of {} must be from 1 to 1000", row.name()));
        return None;
    }
    let whose = match near.word("whose", keys::OUTLOOK_WHOSE, &mut b.out) {
        Some("own") => Whose::Own,
        Some("enemies") => Whose::Enemies,
        Some("any") => Whose::Any,
        _ => Whose::Others,
    };
    let (pieces, to) = (pieces(b, world, &near)?, spaces(b, world, &near, "to")?);
    Some(What::Near { pieces, to, whose, within: within as i32 })
}

fn pieces(b: &mut Builder<'_>, world: &mut World, row: &Row<'_>) -> Option<Pieces> {
    let mut of = conditions(b, world, row, "pieces", TableId::PIECE)?;
    if !of.iter().any(|it| matches!(it.column, Column::At | Column::OnMap)) {
        let cells = vec![1];
        of.push(Condition { column: Column::OnMap, truth: true, how: Compare::Among, not: false, cells });
    }
    Some(Pieces { of, sum: sum(b, world, row, TableId::PIECE) })
}

fn spaces(b: &mut Builder<'_>, world: &mut World, row: &Row<'_>, key: &str) -> Option<Spaces> {
    let of = conditions(b, world, row, key, TableId::SPACE)?;
    let named: Vec<Node> = row.get("holder").map_or_else(Vec::new, |node| match node.as_array() {
        Some(items) => items.to_vec(),
        None => vec![node.clone()],
    });
    let holder: Vec<(Column, Type)> = named.iter().filter_map(|node| holder(b, world, row, node)).collect();
    if let Some(node) = row.get("holder")
        && holder.iter().any(|(_, ty)| (*ty == Type::Side) != (holder[0].1 == Type::Side))
    {
        bad(b, node, format!("`holder` of {} mixes sides with names of sides", row.name()));
    }
    let holder = holder.into_iter().map(|(column, _)| column).collect();
    // Of targets nothing is added up.
    let sum = if key == "spaces" { sum(b, world, row, TableId::SPACE) } else { None };
    Some(Spaces { of, holder, sum })
}

/// A value of spaces that says who holds one.
fn holder(b: &mut Builder<'_>, world: &World, row: &Row<'_>, node: &Node) -> Option<(Column, Type)> {
    let what = format!("`holder` of {}", row.name());
    let name = expect_str(node, &what, &mut b.out)?;
    let found = b.column(world, TableId::SPACE, node, name, &what)?;
    if !matches!(found.ty(), Type::Side | Type::Text | Type::Enum(_)) {
        bad(b, node, format!("{what}: `{name}` of spaces names neither a side nor a team"));
        return None;
    }
    Some(match found {
        Found::Attribute(col, ty) => (Column::Attribute(col), ty),
        Found::Field(col, ty) => (Column::Field(col), ty),
    })
}

fn sum(b: &mut Builder<'_>, world: &World, row: &Row<'_>, table: TableId) -> Option<Column> {
    let node = row.get("sum")?;
    let what = format!("`sum` of {}", row.name());
    let name = expect_str(node, &what, &mut b.out)?;
    if table == TableId::PIECE && name == "steps_left" {
        return Some(Column::StepsLeft);
    }
    match b.column(world, table, node, name, &what)? {
        Found::Attribute(col, Type::Int { .. }) => Some(Column::Attribute(col)),
        Found::Field(col, Type::Int { .. }) => Some(Column::Field(col)),
        _ => {
            bad(b, node, format!("{what}: `{name}` is not a number"));
            None
        }
    }
}

/// A filter, as scripts write one.
fn conditions(
    b: &mut Builder<'_>,
    world: &mut World,
    row: &Row<'_>,
    key: &str,
    table: TableId,
) -> Option<Vec<Condition>> {
    let filter = row.row(key, &mut b.out)?;
    let entries: Vec<(String, crate::origin::Origin, Node)> = filter
        .table()
        .entries()
        .map(|(name, entry)| (name.to_string(), entry.key, entry.node.clone()))
        .collect();
    let mut found = Vec::new();
    for (name, at, node) in entries {
        let what = format!("`{name}` in `{key}` of {}", row.name());
        let known = |name: &str| {
            ["kind", "type", "at", "on_map", "has", "steps_left"].contains(&name)
                || find(world, table, name).is_some()
        };
        let mode = keys::FILTER_MODES.iter().copied().find(|mode| name.starts_with(mode) && !known(&name));
        let field = mode.map_or(name.as_str(), |mode| &name[mode.len()..]);
        let Some((column, ty)) = column(world, table, field) else {
            let names = columns(world, table).into_iter().chain(["kind", "type", "at", "on_map", "has"]);
            let of = if table == TableId::SPACE { "spaces" } else { "pieces" };
            let help = did_you_mean(field, names);
            let message = format!("{what}: {of} have no `{field}`");
            b.out.push(Diagnostic::error(&codes::UNKNOWN_REFERENCE, at, message).help(help));
            continue;
        };
        let how = match mode {
            Some("min_") => Compare::AtLeast,
            Some("max_") => Compare::AtMost,
            _ => Compare::Among,
        };
        if how != Compare::Among && !matches!(ty, Type::Int { .. }) {
            wrong_type(&node, what, "the name of a number after `min_` or `max_`", &mut b.out);
            continue;
        }
        let cells = match column {
            Column::OnMap => expect_bool(&node, &what, &mut b.out).map(i32::from).into_iter().collect(),
            Column::Kind | Column::Row => names(b, world, column, table, &node, &what),
            _ => b.cells(world, &ty, &node, &what),
        };
        let truth = matches!(ty, Type::Bool);
        found.push(Condition { column, truth, how, not: mode == Some("not_"), cells });
    }
    Some(found)
}

fn column(world: &World, table: TableId, name: &str) -> Option<(Column, Type)> {
    let whole = Type::Int { min: i32::MIN, max: i32::MAX };
    let fields = if table == TableId::SPACE { &world.space_fields } else { &world.piece_fields };
    Some(match name {
        "kind" => (Column::Kind, Type::Text),
        "type" if table == TableId::PIECE => (Column::Row, Type::Text),
        "at" => (Column::At, Type::Space),
        "on_map" => (Column::OnMap, Type::Bool),
        "steps_left" if table == TableId::PIECE => (Column::StepsLeft, whole),
        "has" => (Column::Tags(fields.column(world.symbols.get("tags")?)?), Type::Text),
        name => match find(world, table, name)? {
            Found::Attribute(col, ty) => (Column::Attribute(col), ty),
            Found::Field(col, ty) => (Column::Field(col), ty),
        },
    })
}

/// Kinds of pieces or spaces, or rows of the component list.
fn names(
    b: &mut Builder<'_>,
    world: &mut World,
    column: Column,
    table: TableId,
    node: &Node,
    what: &str,
) -> Vec<i32> {
    let items = match &node.value {
        Value::Array(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let mut found = Vec::new();
    for item in items {
        let Some(id) = expect_id(item, what, &mut b.out) else { continue };
        let known: std::collections::BTreeSet<&str> = match (column, table) {
            (Column::Row, _) => world.components.iter().map(|it| world.symbols.text(it.id)).collect(),
            (_, TableId::SPACE) => world.spaces.iter().map(|it| world.symbols.text(it.kind)).collect(),
            _ => world.components.iter().map(|it| world.symbols.text(it.kind)).collect(),
        };
        if known.contains(id.as_str()) {
            found.push(world.symbols.intern(&id).cell());
        } else {
            b.unknown(item.origin, format!("{what} is `{id}`; there is nothing of that name"), &id, known);
        }
    }
    found
}

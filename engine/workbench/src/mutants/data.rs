//! Mutants of data: figures, results of tables, what is printed on components, options, nodes of the sequence.

use super::{Mutant, Shift};
use sandtable_data::catalog::Catalog;
use sandtable_data::origin::Provenance;
use sandtable_data::tree::{self, Value};
use sandtable_kernel::state::Type;
use sandtable_kernel::world::{Component, Datum, NIL, World};
use std::collections::BTreeSet;

/// Figures that the rulebook states or forces, or that are a game's own.
fn counts(provenance: Provenance) -> bool {
    matches!(provenance, Provenance::Text | Provenance::Inferred | Provenance::Own)
}

pub(super) fn figures(catalog: &Catalog, world: &World, mutants: &mut Vec<Mutant>) {
    for (id, node) in catalog.rows("value") {
        leaves(&format!("value.{id}"), node, mutants);
    }
    for (id, node) in catalog.rows("limit") {
        // The bound itself, or what a query is asked beyond.
        let most = node.get("most").map(|most| most.get("least").unwrap_or(most));
        if let Some(figure) = most.filter(|most| most.as_int().is_some()) {
            leaves(&format!("limit.{id}.most"), figure, mutants);
        }
    }
    for (id, node) in catalog.rows("table") {
        let Some(matrix) = world.symbols.get(id).and_then(|sym| world.matrices.get(&sym)) else { continue };
        let width = matrix.columns.len();
        for (row, (row_key, _)) in matrix.rows.iter().enumerate() {
            let Some(cells) = node
                .get("rows")
                .and_then(|rows| rows.get(world.symbols.text(*row_key)))
                .and_then(tree::Node::as_array)
            else {
                continue;
            };
            for (column, (column_key, _)) in matrix.columns.iter().enumerate() {
                if !cells.get(column).is_some_and(|cell| counts(cell.provenance)) {
                    continue;
                }
                let with = match &matrix.cells[row * width + column] {
                    Datum::Int(n) => Datum::Int(n + 1),
                    Datum::Bool(b) => Datum::Bool(!b),
                    own => {
                        // The nearest cell of the row that says something else.
                        let line = &matrix.cells[row * width..(row + 1) * width];
                        let mut others: Vec<(usize, &Datum)> =
                            line.iter().enumerate().filter(|(_, cell)| *cell != own).collect();
                        others.sort_by_key(|(at, _)| at.abs_diff(column));
                        match others.first() {
                            Some((_, other)) => (*other).clone(),
                            None => continue,
                        }
                    }
                };
                let key = format!(
                    "table.{id}.{}.{}",
                    world.symbols.text(*row_key),
                    world.symbols.text(*column_key)
                );
                mutants.push(Mutant::Datum { key, with });
            }
        }
    }
}

fn leaves(key: &str, node: &tree::Node, mutants: &mut Vec<Mutant>) {
    match &node.value {
        Value::Int(n) if counts(node.provenance) => {
            if let Ok(n) = i32::try_from(n + 1) {
                mutants.push(Mutant::Datum { key: key.to_string(), with: Datum::Int(n) });
            }
        }
        Value::Bool(b) if counts(node.provenance) => {
            mutants.push(Mutant::Datum { key: key.to_string(), with: Datum::Bool(!b) });
        }
        Value::Table(table) => {
            for (name, child) in table.iter() {
                match name {
                    "rule" | "source" | "sources" | "note" => {}
                    "is" => leaves(key, child, mutants),
                    _ => leaves(&format!("{key}.{name}"), child, mutants),
                }
            }
        }
        _ => {}
    }
}

/// Printed words that no rule goes by.
const FOR_PEOPLE: [&str; 4] = ["name", "title", "text", "source"];

/// The changes of what is printed on components: numbers, truth values and words of a list; of cards also that a name or a
/// list is not there, which takes their effect away.
pub(super) fn printed(catalog: &Catalog, world: &World, mutants: &mut Vec<Mutant>) {
    for component in &world.components {
        let (kind, id) = (world.symbols.text(component.kind), world.symbols.text(component.id));
        let Some(row) = catalog.row(kind, id) else { continue };
        for (col, (name, ty)) in (0u16..).zip(&world.piece_fields.columns) {
            let field = world.symbols.text(*name);
            let shift = match ty {
                _ if FOR_PEOPLE.contains(&field) => continue,
                Type::Int { .. } | Type::Bool => Shift::Next,
                Type::Enum(words) if words.len() > 1 => Shift::Next,
                _ if kind == "card" => Shift::Gone,
                _ => continue,
            };
            if given(world, component, col) && stated(row, field) {
                let row = format!("{kind}.{id}");
                mutants.push(Mutant::Field { row, field: field.to_string(), shift });
            }
        }
    }
}

/// Whether a row has a value in a column, on any rung.
fn given(world: &World, component: &Component, col: u16) -> bool {
    let rungs = component.first_row..component.first_row + u32::from(component.levels);
    rungs.into_iter().any(|row| world.piece_fields.get(row, col) != NIL)
}

/// Whether the rulebook states or forces a field of a row, or the game is our own.
fn stated(row: &tree::Node, field: &str) -> bool {
    let rungs = row.get("levels").and_then(tree::Node::as_array).unwrap_or_default();
    let mut nodes = row.get(field).into_iter().chain(rungs.iter().filter_map(|rung| rung.get(field)));
    nodes.any(|node| counts(node.provenance))
}

/// Each option held at each of its values; a number at its default and one beside it.
pub(super) fn options(catalog: &Catalog, world: &World, mutants: &mut Vec<Mutant>) {
    for option in &world.options {
        let id = world.symbols.text(option.id);
        let default = catalog.row("option", id).and_then(|row| row.get("default")).map(|node| &node.value);
        let values: Vec<String> = match (default, option.values.as_slice()) {
            (Some(Value::Bool(_)), _) => vec!["false".into(), "true".into()],
            (Some(Value::Int(n)), []) => vec![n.to_string(), beside(catalog, id, *n).to_string()],
            (_, values) => values.iter().filter_map(word).collect(),
        };
        mutants.extend(values.into_iter().map(|value| Mutant::Option { id: id.to_string(), value }));
    }
}

/// A number beside the default that the option allows.
fn beside(catalog: &Catalog, id: &str, n: i64) -> i64 {
    let range = catalog.row("option", id).and_then(|row| row.get("range")).and_then(tree::Node::as_array);
    let most = range.and_then(|ends| ends.get(1)).and_then(tree::Node::as_int);
    if most.is_some_and(|most| n >= most) { n - 1 } else { n + 1 }
}

/// A value of an option, as cases write it.
pub fn word(datum: &Datum) -> Option<String> {
    match datum {
        Datum::Int(n) => Some(n.to_string()),
        Datum::Bool(b) => Some(b.to_string()),
        Datum::Text(text) => Some(text.clone()),
        Datum::List(_) | Datum::Table(_) => None,
    }
}

/// Each node of the sequence of play left out, but the root.
pub(super) fn nodes(catalog: &Catalog, mutants: &mut Vec<Mutant>) {
    let rows = catalog.rows("sequence").filter(|(id, node)| *id != "game" && node.as_table().is_some());
    mutants.extend(rows.map(|(id, _)| Mutant::Node { node: id.to_string() }));
}

/// The values that the sequence of play itself reads: `from`, `to` and `of` of its loops.
pub fn walked(catalog: &Catalog) -> BTreeSet<String> {
    let read = |node: &tree::Node, key: &str| Some(format!("value.{}", node.get(key)?.as_str()?));
    let of = |node: &tree::Node| ["from", "to", "of"].iter().filter_map(|key| read(node, key)).collect();
    catalog.rows("sequence").flat_map(|(_, node)| -> Vec<String> { of(node) }).collect()
}

/// Mutants of rows of data that cite paragraphs, besides values and tables: components, spaces, nodes of the sequence.
/// Each comes with the key of its row.
pub fn rows(catalog: &Catalog, world: &World) -> Vec<(String, Mutant)> {
    let mut found = Vec::new();
    let pieces = world
        .components
        .iter()
        .map(|component| (component.kind, component.id, &world.piece_fields, component.first_row));
    let spaces = (0u32..).zip(&world.spaces).map(|(row, def)| (def.kind, def.id, &world.space_fields, row));
    for (kind, id, fields, first) in pieces.chain(spaces) {
        let key = format!("{}.{}", world.symbols.text(kind), world.symbols.text(id));
        if catalog
            .row(world.symbols.text(kind), world.symbols.text(id))
            .is_none_or(|row| row.get("rule").is_none())
        {
            continue;
        }
        for (col, (name, ty)) in (0u16..).zip(&fields.columns) {
            if matches!(ty, Type::Int { .. } | Type::Bool) && fields.get(first, col) != NIL {
                let field = world.symbols.text(*name).to_string();
                found.push((key.clone(), Mutant::Field { row: key.clone(), field, shift: Shift::Next }));
            }
        }
    }
    for (id, node) in catalog.rows("sequence") {
        if node.get("rule").is_some() {
            found.push((format!("sequence.{id}"), Mutant::Node { node: id.to_string() }));
        }
    }
    found
}

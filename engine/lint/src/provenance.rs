//! Provenance: every value of a printed game says on whose word it stands.

use crate::codes;
use sandtable_data::catalog::Catalog;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::origin::{LayerId, Provenance};
use sandtable_data::source::FileId;
use sandtable_data::tree::{Node, Value};
use std::collections::BTreeMap;

/// Kinds whose rows are not on any component and in no table of the printed game.
const OWN: &[&str] = &[
    "game",
    "option",
    "attribute",
    "field",
    "record",
    "prompt",
    "text",
    "layer",
    "view",
    "position",
    "side",
    "sequence",
    "box",
    "pile",
];
/// Keys that say something about a row, or name its parts.
const ABOUT: &[&str] =
    &["source", "sources", "rule", "note", "name", "title", "like", "view", "text", "columns"];

/// Reports values of a printed game without a source, once for each kind and file.
pub(crate) fn check(catalog: &Catalog, out: &mut Diagnostics) {
    let manifest = catalog.get("game.id").map_or(Provenance::Unstated, |id| id.provenance);
    let printed = !matches!(manifest, Provenance::Unstated | Provenance::Own);
    let Some(root) = catalog.root.as_table().filter(|_| printed) else { return };
    for (kind, node) in root.iter().filter(|(kind, _)| !OWN.contains(kind)) {
        let mut bare: BTreeMap<FileId, Vec<(String, &Node)>> = BTreeMap::new();
        for (id, row) in node.as_table().into_iter().flat_map(|table| table.iter()) {
            if !ABOUT.contains(&id) && row.origin.layer == LayerId(0) && unstated(row) {
                bare.entry(row.origin.file).or_default().push((format!("{kind}.{id}"), row));
            }
        }
        for rows in bare.values() {
            let [(name, row), more @ ..] = rows.as_slice() else { continue };
            let message = match more.len() {
                0 => format!("{name} has no source"),
                n => format!("{name} and {n} more rows of `{kind}` in this file have no source"),
            };
            out.push(Diagnostic::warning(&codes::NO_SOURCE, row.origin, message));
        }
    }
}

/// Whether a row has a value on nobody's word.
fn unstated(node: &Node) -> bool {
    match &node.value {
        Value::Table(table) => table.iter().any(|(key, child)| !ABOUT.contains(&key) && unstated(child)),
        Value::Array(items) if !items.is_empty() => items.iter().any(unstated),
        // A value that a layer gives is the layer's own unless it says otherwise.
        _ => node.provenance == Provenance::Unstated && node.origin.layer == LayerId(0),
    }
}

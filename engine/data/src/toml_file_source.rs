//! Provenance in TOML: `source` of a file, a kind and a row, and `sources` of a row's fields, taken out of the data.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::origin::{Citation, Origin, Provenance};
use crate::suggest::{alternatives, did_you_mean};
use crate::tree::{Node, Table, Value};

/// Reads the text of a `source`; what is not known is reported.
pub(crate) fn read_source(
    text: &str,
    origin: Origin,
    cited: &mut Vec<Citation>,
    out: &mut Diagnostics,
) -> Provenance {
    match Provenance::parse(text) {
        Some((provenance, name)) => {
            cited.extend(name.map(|name| Citation { provenance, name: name.to_owned(), origin }));
            provenance
        }
        None => {
            let shown = Value::Str(text.to_owned()).brief();
            let message = format!("`source` is {shown}; expected {}", alternatives(&Provenance::WORDS));
            out.push(
                Diagnostic::error(&codes::UNKNOWN_SOURCE, origin, message)
                    .help(did_you_mean(text, Provenance::WORDS)),
            );
            Provenance::Unstated
        }
    }
}

/// Stores in every value its provenance and removes the keys that stated it.
///
/// A text `source` counts at the top of a file, in a kind and in a row, a table `sources` in a row; elsewhere, and
/// with other types, they are ordinary keys.
pub(crate) fn resolve_sources(root: &mut Table, cited: &mut Vec<Citation>, out: &mut Diagnostics) {
    let file = take_source(root, Provenance::Unstated, cited, out);
    for (_, kind) in root.iter_mut() {
        let mut inherited = file;
        if let Value::Table(rows) = &mut kind.value {
            inherited = take_source(rows, file, cited, out);
            for (_, row) in rows.iter_mut() {
                let mut own = inherited;
                let mut fields = None;
                if let Value::Table(table) = &mut row.value {
                    own = take_source(table, inherited, cited, out);
                    let stated = table.get("sources").is_some_and(|node| node.as_table().is_some());
                    fields = if stated { table.remove("sources") } else { None };
                }
                paint(row, own);
                if let (Some(fields), Value::Table(table)) = (fields, &mut row.value) {
                    field_sources(fields.node, table, cited, out);
                }
            }
            kind.provenance = inherited;
        } else {
            paint(kind, inherited);
        }
    }
}

fn take_source(
    table: &mut Table,
    inherited: Provenance,
    cited: &mut Vec<Citation>,
    out: &mut Diagnostics,
) -> Provenance {
    let Some(text) = table.get("source").and_then(Node::as_str) else { return inherited };
    let text = text.to_owned();
    let origin = table.remove("source").map(|entry| entry.node.origin).unwrap_or_default();
    read_source(&text, origin, cited, out).or(inherited)
}

fn field_sources(sources: Node, row: &mut Table, cited: &mut Vec<Citation>, out: &mut Diagnostics) {
    let Value::Table(sources) = sources.value else { return };
    for (field, entry) in sources {
        let Some(text) = entry.node.as_str() else {
            let message =
                format!("the source of `{field}` is {}; expected a text", entry.node.value.type_words());
            out.push(Diagnostic::error(&codes::WRONG_TYPE, entry.node.origin, message));
            continue;
        };
        let provenance = read_source(text, entry.node.origin, cited, out);
        match row.get_mut(&field) {
            Some(node) => paint(node, provenance),
            None => {
                let message = format!("`sources` speaks of `{field}`, which the row does not have");
                let help = did_you_mean(&field, row.keys());
                out.push(Diagnostic::error(&codes::UNKNOWN_KEY, entry.key, message).help(help));
            }
        }
    }
}

fn paint(node: &mut Node, provenance: Provenance) {
    node.provenance = provenance;
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| paint(item, provenance)),
        Value::Table(table) => table.iter_mut().for_each(|(_, item)| paint(item, provenance)),
        Value::Bool(_) | Value::Int(_) | Value::Str(_) | Value::Float(_) => {}
    }
}

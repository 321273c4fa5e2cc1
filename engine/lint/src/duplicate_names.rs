//! Layers that add something named nearly as what is there: most often they mean to change it and misspell it.

use crate::codes;
use crate::context::LintContext;
use sandtable_data::definition::keys::KINDS;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::origin::{LayerId, Origin};
use sandtable_data::suggest::{distance, nearest};
use sandtable_data::tree::{Entry, Table};

/// Reports new rows of pieces and plain data that give less than a row of nearly the same name, and new keys of figures.
pub(crate) fn check(context: &LintContext<'_>, out: &mut Diagnostics) {
    if context.catalog.layers.len() < 2 {
        return;
    }
    let Some(root) = context.catalog.root.as_table() else { return };
    for (kind, node) in root.iter() {
        let Some(rows) = node.as_table() else { continue };
        // What the other kinds hold is told by what uses it, or, as hexes and nodes, by a place of its own.
        if !KINDS.contains(&kind) {
            for (id, entry) in rows.entries() {
                let Some(twin) = namesake(id, entry, rows) else { continue };
                if gives_less(entry, rows.get(twin).and_then(|row| row.as_table())) {
                    let what = format!("{kind}.{id}");
                    report(context, &what, entry, &format!("{kind}.{twin}"), rows.key_origin(twin), out);
                }
            }
        }
        if kind == "value" {
            for (id, entry) in rows.entries() {
                let Some(keys) = entry.node.as_table() else { continue };
                for (key, inner) in keys.entries().filter(|(_, inner)| inner.key.layer > entry.key.layer) {
                    if let Some(twin) = namesake(key, inner, keys) {
                        let what = format!("value.{id}.{key}");
                        report(context, &what, inner, &format!("`{twin}`"), keys.key_origin(twin), out);
                    }
                }
            }
        }
    }
}

/// The name of an earlier layer that differs in a letter or two; numbered things that differ in their number are meant so.
fn namesake<'t>(name: &str, entry: &Entry, all: &'t Table) -> Option<&'t str> {
    if entry.key.layer == LayerId(0) {
        return None;
    }
    let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let earlier = all.entries().filter(|(_, other)| other.key.layer < entry.key.layer).map(|(name, _)| name);
    let twin = nearest(name, earlier.filter(|other| letters(other) != letters(name))).first().copied()?;
    // A slip of the hand; what `nearest` takes for near would include names of the same pattern.
    let slip = if name.len() < 6 { 1 } else { 2 };
    (distance(name, twin) <= slip).then_some(twin)
}

/// Whether a row gives a part of what its namesake gives, as a change would; a new row gives all that it needs.
fn gives_less(entry: &Entry, twin: Option<&Table>) -> bool {
    let (Some(row), Some(twin)) = (entry.node.as_table(), twin) else { return false };
    let levels = || twin.get("levels").and_then(|levels| levels.as_array()).into_iter().flatten();
    let has = |key: &str| twin.contains(key) || levels().any(|level| level.get(key).is_some());
    row.len() < twin.len() && row.keys().all(has)
}

fn report(
    context: &LintContext<'_>,
    what: &str,
    entry: &Entry,
    twin: &str,
    place: Option<Origin>,
    out: &mut Diagnostics,
) {
    let layer = context.catalog.layer_name(entry.key.layer);
    let message = format!("layer {layer} adds {what}, named nearly as {twin}, which is there");
    let mut problem = Diagnostic::warning(&codes::NAMESAKE, entry.key, message)
        .help(format!("to change {twin}, write its name as it is"));
    if let Some(place) = place {
        problem = problem.label(place, "what is there");
    }
    out.push(problem);
}

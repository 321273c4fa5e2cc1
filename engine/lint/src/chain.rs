//! The chain of origins: where a layer changed or removed what a problem is about, the problem says so.

use sandtable_data::catalog::Catalog;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::origin::Origin;
use sandtable_data::source::Span;
use sandtable_data::tree::{Node, Value};
use std::collections::BTreeSet;

/// Adds to every problem what the value at its place was before, and who removed what it misses.
pub(crate) fn explain(catalog: &Catalog, found: Diagnostics) -> Diagnostics {
    if catalog.layers.len() < 2 {
        return found;
    }
    let mut merged = Vec::new();
    collect(&catalog.root, &mut merged);
    let mut out = Diagnostics::new();
    out.extend(found.into_iter().map(|problem| {
        let problem = history(catalog, &merged, problem);
        removed(catalog, problem)
    }));
    out
}

/// All values that a layer overrode.
fn collect<'a>(node: &'a Node, merged: &mut Vec<&'a Node>) {
    if node.history().next().is_some() {
        merged.push(node);
    }
    match &node.value {
        Value::Table(table) => table.iter().for_each(|(_, child)| collect(child, merged)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, merged)),
        _ => {}
    }
}

fn history(catalog: &Catalog, merged: &[&Node], mut problem: Diagnostic) -> Diagnostic {
    let Some(span) = problem.span else { return problem };
    let holds = |outer: Origin| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
    let Some(node) = merged.iter().find(|node| holds(node.origin)) else { return problem };
    for past in node.history() {
        let text = format!("was {}, from {}", past.value.brief(), catalog.layer_name(past.origin.layer));
        problem = with_label(problem, past.origin.span(), text);
    }
    problem
}

/// A problem that names something which a layer removed shows where.
fn removed(catalog: &Catalog, mut problem: Diagnostic) -> Diagnostic {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let words: BTreeSet<&str> = problem.message.split(|c| !is_part(c)).collect();
    let mut places = Vec::new();
    for (path, origin) in &catalog.removed {
        let Some(name) = path.last() else { continue };
        let there = catalog.at(path).is_some();
        if !there && words.contains(name.as_str()) && problem.span != Some(origin.span()) {
            let layer = catalog.layer_name(origin.layer);
            places.push((origin.span(), format!("{} is removed by {layer} here", path.join("."))));
        }
    }
    for (span, text) in places {
        problem = with_label(problem, span, text);
    }
    problem
}

fn with_label(problem: Diagnostic, span: Span, text: String) -> Diagnostic {
    if problem.labels.iter().any(|label| label.span == span) { problem } else { problem.label(span, text) }
}

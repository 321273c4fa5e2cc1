//! Texts for people: names and titles that are missing, and places in a text that nothing fills.

use crate::arg_roles::ArgRole;
use crate::codes;
use crate::context::LintContext;
use crate::facts::{Callee, Facts};
use crate::refs::inner;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::suggest::did_you_mean;
use sandtable_data::tree::{Node, Value};
use std::collections::BTreeSet;

/// Reports what people would miss.
pub(crate) fn check(context: &LintContext<'_>, out: &mut Diagnostics) {
    for kind in context.names.kinds.iter().map(String::as_str) {
        // Where a game shows pieces by their ids alone, none has a name; one among many without is forgotten.
        for key in ["name", "text"] {
            missing(context, kind, key, out);
        }
    }
    for kind in ["option", "scenario"] {
        missing(context, kind, "title", out);
    }
    for (id, node) in context.catalog.rows("text") {
        numbered(context, id, node, out);
    }
    for (id, node) in context.catalog.rows("prompt") {
        named(context, id, node, out);
    }
    rolls(context, out);
}

/// Labels of rolls without a text, where others have one: people would see the label.
fn rolls(context: &LintContext<'_>, out: &mut Diagnostics) {
    let given: BTreeSet<&str> =
        context.names.texts.iter().filter_map(|id| id.strip_prefix("roll.")).collect();
    if given.is_empty() {
        return;
    }
    for facts in context.scripts {
        for text in &facts.texts {
            let arg_roles =
                text.slot.as_ref().map(|slot| context.arg_roles.of(facts.file, slot)).unwrap_or_default();
            if arg_roles.as_slice() == [ArgRole::Roll] && !given.contains(text.value.as_str()) {
                let message =
                    format!("roll `{}` has no text.\"roll.{0}\"; people would see its label", text.value);
                let help = did_you_mean(&text.value, given.iter().copied());
                out.push(Diagnostic::warning(&codes::MISSING_TEXT, inner(text.span), message).help(help));
            }
        }
    }
}

/// Rows without a key that most rows of the kind have.
fn missing(context: &LintContext<'_>, kind: &str, key: &str, out: &mut Diagnostics) {
    let rows: Vec<(&str, &Node)> =
        context.catalog.rows(kind).filter(|(_, row)| row.as_table().is_some()).collect();
    let without: Vec<_> = rows.iter().filter(|(_, row)| row.get(key).is_none()).collect();
    let always = key == "title";
    if always || without.len() * 4 <= rows.len() {
        for (id, row) in without {
            let message = format!("{kind}.{id} has no `{key}`; people would see its id");
            out.push(Diagnostic::warning(&codes::MISSING_TEXT, row.origin, message));
        }
    }
}

/// The words in braces of a text, with the text's node.
fn gaps(node: &Node) -> Vec<String> {
    let text = match &node.value {
        Value::Str(text) => text.as_str(),
        _ => node.get("text").and_then(Node::as_str).unwrap_or_default(),
    };
    let parts = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
    parts.map(|(gap, _)| gap.to_string()).collect()
}

fn text_node(node: &Node) -> &Node {
    node.get("text").unwrap_or(node)
}

/// `{3}` in a text of `log` or `no` that is given two things.
fn numbered(context: &LintContext<'_>, id: &str, node: &Node, out: &mut Diagnostics) {
    let mut most: Option<usize> = None;
    for (facts, call) in context.scripts.iter().flat_map(|facts| uses(facts, id, 0)) {
        // The text is the first argument. What is handed on cannot be counted.
        let Some(Some(arity)) = facts.arities.get(&call) else { return };
        most = most.max(Some(arity.saturating_sub(1)));
    }
    let Some(most) = most else { return };
    for gap in gaps(node) {
        let Ok(number) = gap.parse::<usize>() else { continue };
        if number > most || number == 0 {
            let message = format!("text.{id} has a place for {{{gap}}}, and is given {most} at most");
            out.push(Diagnostic::warning(&codes::UNFILLED, text_node(node).origin, message));
        }
    }
}

/// `{unitt}` in a prompt whose question gives no `unitt`.
fn named(context: &LintContext<'_>, id: &str, node: &Node, out: &mut Diagnostics) {
    let mut given: BTreeSet<&str> = BTreeSet::new();
    let mut asked = false;
    for (facts, call) in context.scripts.iter().flat_map(|facts| uses(facts, id, 1)) {
        let keys: Vec<&str> =
            facts.keys.iter().filter(|key| key.slot.call == call).map(|key| key.name.as_str()).collect();
        // A question without a table of its own is put together elsewhere.
        if keys.is_empty() {
            return;
        }
        asked = true;
        given.extend(keys);
    }
    for gap in gaps(node).into_iter().filter(|_| asked) {
        let name = gap.split(['.', ':']).next().unwrap_or_default();
        if !given.contains(name) && name.parse::<usize>().is_err() {
            let message = format!("prompt.{id} has a place for {{{gap}}}, which no question gives");
            let help = did_you_mean(name, given.iter().copied());
            out.push(Diagnostic::warning(&codes::UNFILLED, text_node(node).origin, message).help(help));
        }
    }
}

/// The calls that use a text as that argument.
fn uses<'f>(facts: &'f Facts, id: &str, argument: usize) -> Vec<(&'f Facts, usize)> {
    let mut found = Vec::new();
    for text in facts.texts.iter().filter(|text| text.value == id) {
        match &text.slot {
            Some(slot) if slot.argument == argument && slot.key.is_none() => {
                if matches!(slot.callee, Callee::Global(_)) {
                    found.push((facts, slot.call));
                }
            }
            _ => {}
        }
    }
    found
}

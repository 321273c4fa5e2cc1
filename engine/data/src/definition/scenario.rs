//! Scenarios: set-up lines, options and patches of one way to begin a game.

use super::{codes, keys};
use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes::NOT_THERE;
use crate::merge::ABOUT;
use crate::origin::Origin;
use crate::suggest::{did_you_mean, near_or_all};
use crate::tree::{Node, Value};
use crate::tree_path::KeyPath;
use crate::tree_read::Row;
use std::borrow::Cow;

/// A set-up line with its place, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it does: one of [`keys::SETUP`].
    pub verb: &'static str,
    /// The rest of the line.
    pub text: String,
    /// Where it stands.
    pub origin: Origin,
}

/// One way to begin a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// Its id; empty for the bare game of a case.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// The set-up, in order.
    pub lines: Vec<Line>,
    /// The place in the sequence of play to begin at, `game > turn 3 > combat`; its beginning if none is given.
    pub begin: Option<(String, Origin)>,
    /// Values that it changes: key and value, as TOML writes them.
    pub patches: Vec<(String, String)>,
    /// Options it turns on.
    pub options: Vec<(String, String)>,
}

/// Reads a scenario and applies its patches to the tables.
pub(super) fn read(catalog: &mut Cow<'_, Catalog>, wanted: Option<&str>, out: &mut Diagnostics) -> Scenario {
    let ids: Vec<String> = catalog.rows("scenario").map(|(id, _)| id.to_string()).collect();
    let id = match wanted {
        Some("") => return Scenario::default(),
        Some(id) => id.to_string(),
        None => match first(catalog) {
            Some(id) => id,
            None => return Scenario::default(),
        },
    };
    let Some(node) = catalog.row("scenario", &id).cloned() else {
        let help = near_or_all(&id, ids.iter().map(String::as_str));
        out.push(
            Diagnostic::placeless(&codes::NO_SCENARIO, format!("there is no scenario `{id}`")).help(help),
        );
        return Scenario::default();
    };
    let Some(row) = Row::new(format!("scenario.{id}"), &node, out) else { return Scenario::default() };
    row.unknown_keys(keys::SCENARIO, out);
    let mut scenario = Scenario {
        title: row.str("title", out).unwrap_or(&id).to_string(),
        id,
        lines: Vec::new(),
        begin: None,
        patches: Vec::new(),
        options: Vec::new(),
    };
    if let Some(begin) = row.str("begin", out) {
        let origin = row.get("begin").map_or(node.origin, |node| node.origin);
        scenario.begin = Some((begin.to_string(), origin));
    }
    for &verb in keys::SETUP {
        for item in row.array(verb, out).unwrap_or_default() {
            match item.as_str() {
                Some(text) => scenario.lines.push(Line { verb, text: text.to_string(), origin: item.origin }),
                None => {
                    let message = format!(
                        "an item of `{verb}` of {} is {}; expected a line of text",
                        row.name(),
                        item.value.brief()
                    );
                    out.push(Diagnostic::error(&codes::BAD_LINE, item.origin, message));
                }
            }
        }
    }
    for (key, value) in
        row.get("options").and_then(Node::as_table).into_iter().flat_map(crate::tree::Table::iter)
    {
        let text = match &value.value {
            Value::Bool(b) => b.to_string(),
            Value::Int(n) => n.to_string(),
            Value::Str(text) => text.clone(),
            _ => continue,
        };
        scenario.options.push((key.to_string(), text));
    }
    for (path, value) in
        row.get("patch").and_then(Node::as_table).into_iter().flat_map(crate::tree::Table::iter)
    {
        let keys = KeyPath::parse(path).unwrap_or_else(|_| KeyPath(vec![path.to_string()]));
        patch(&mut catalog.to_mut().root, &keys, (value, true), row.name(), out);
        scenario.patches.push((path.to_string(), value.value.toml()));
    }
    scenario
}

/// The scenario that is played when none is named: the one with the least `order`, else the first.
fn first(catalog: &Catalog) -> Option<String> {
    let order = |node: &Node| node.get("order").and_then(Node::as_int).unwrap_or(99);
    let mut rows: Vec<(i64, &str)> = catalog.rows("scenario").map(|(id, node)| (order(node), id)).collect();
    rows.sort_by_key(|row| row.0);
    rows.first().map(|(_, id)| (*id).to_string())
}

/// Sets the value at a path as a layer does: of a table only the keys that are given.
fn patch(
    root: &mut Node,
    path: &KeyPath,
    (value, named): (&Node, bool),
    scenario: &str,
    out: &mut Diagnostics,
) {
    let mut node = &mut *root;
    for (at, key) in path.keys().iter().enumerate() {
        if node.get(key).is_some() {
            let Some(next) = node.as_table_mut().and_then(|table| table.get_mut(key)) else { return };
            node = next;
            continue;
        }
        let help = node.as_table().and_then(|table| did_you_mean(key, table.keys()));
        // Rows, their fields and keys of a whole table may be new; kinds, figures that are named, and what a longer
        // path goes through must be there.
        let last = at > 0 && at + 1 == path.keys().len() && !(is_figure(path.keys()) && (named || at == 1));
        match node.as_table_mut() {
            Some(table) if last => {
                table.insert(key.clone(), value.origin, value.clone());
            }
            _ => {
                let there = KeyPath(path.keys()[..=at].to_vec());
                let message = format!("`patch` of {scenario} changes {there}, which is not there");
                out.push(Diagnostic::error(&NOT_THERE, value.origin, message).help(help));
            }
        }
        return;
    }
    if let (Value::Table(given), Value::Table(_)) = (&value.value, &node.value) {
        for (key, part) in given.iter() {
            patch(root, &path.join(key), (part, false), scenario, out);
        }
    } else {
        node.override_with(value.value.clone(), value.origin, value.provenance);
    }
}

/// Whether a path leads to a figure of the rulebook, or to a part of one, rather than to what is said about it.
fn is_figure(path: &[String]) -> bool {
    let about = |key: &String| ABOUT.contains(&key.as_str());
    path[0] == "value" && !path.get(2).is_some_and(about)
}

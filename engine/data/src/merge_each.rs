//! The patch `each.KIND`: the same change to every row that matches.

use crate::conflict::Scan;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::merge::{Merge, key_text, lookup_mut};
use crate::merge_like::effective;
use crate::merge_patch::is_operand;
use crate::origin::Origin;
use crate::suggest::did_you_mean;
use crate::tree::{Node, Table, Value};
use crate::tree_read::unknown_keys;

const CHANGES: [&str; 5] = ["remove", "set", "scale", "add", "extend"];

impl Merge {
    /// Applies the entries of `each.KIND` in order, each to its rows in order of id.
    pub(crate) fn each(&mut self, kind: &str, node: &Node, key: Origin) {
        match self.root.get(kind).map(|node| &node.value) {
            Some(Value::Table(_)) => {}
            Some(other) => {
                let found = other.type_words();
                return self
                    .wrong_patch(key, format!("`each.{kind}`: {kind} is {found}; expected a table of rows"));
            }
            None => return self.not_there("each", &[kind.to_owned()], key),
        }
        let entries = match &node.value {
            Value::Array(entries) => entries.as_slice(),
            _ => std::slice::from_ref(node),
        };
        for entry in entries {
            let Some(table) = entry.as_table() else {
                let found = entry.value.type_words();
                self.wrong_patch(
                    entry.origin,
                    format!("`each.{kind}` holds {found}; expected {{ where = …, add = … }}"),
                );
                continue;
            };
            let what = format!("`each.{kind}`");
            unknown_keys(table, &what, &["where", "set", "add", "scale", "extend", "remove"], &mut self.out);
            if !CHANGES.iter().any(|change| table.contains(change)) {
                self.wrong_patch(
                    entry.origin,
                    format!("{what} changes nothing; expected set, add, scale, extend or remove"),
                );
            }
            self.each_entry(kind, table, entry.origin);
        }
    }

    fn each_entry(&mut self, kind: &str, entry: &Table, place: Origin) {
        let conditions = match entry.get("where").map(|node| (node, &node.value)) {
            None => &Table::new(),
            Some((_, Value::Table(conditions))) => conditions,
            Some((node, other)) => {
                let message = format!("`where` is {}; expected a table", other.type_words());
                return self.wrong_patch(node.origin, message);
            }
        };
        let rows = self.matching(kind, conditions);
        self.scans.push(Scan {
            kind: kind.to_owned(),
            fields: conditions.keys().map(str::to_owned).collect(),
            origin: place,
        });
        if rows.is_empty() {
            self.report_no_match(kind, conditions, place);
        }
        // Inherited values are copied into all rows first, so that no row sees the change of another.
        for id in &rows {
            for change in ["scale", "add", "extend"] {
                if let Some(node) = entry.get(change) {
                    self.own_operands(change, node, &mut vec![kind.to_owned(), id.clone()]);
                }
            }
        }
        let before = std::mem::take(&mut self.out);
        self.keys_from = 2;
        for id in rows {
            let mut path = vec![kind.to_owned(), id];
            for change in CHANGES {
                let Some(node) = entry.get(change) else { continue };
                match (change, &node.value) {
                    ("set", Value::Table(fields)) => self.set_row(fields.clone(), &mut path),
                    ("set", other) => {
                        let message = format!("`set` is {}; expected a table of fields", other.type_words());
                        self.wrong_patch(node.origin, message);
                    }
                    _ => self.patch(change, node, node.origin, &mut path),
                }
            }
        }
        self.keys_from = 0;
        let found = std::mem::replace(&mut self.out, before);
        self.out.extend(dedup_by_span(found));
    }

    fn own_operands(&mut self, change: &str, node: &Node, path: &mut Vec<String>) {
        match &node.value {
            Value::Table(table) if !is_operand(change, node) => {
                for (key, node) in table.iter() {
                    path.push(key.to_owned());
                    self.own_operands(change, node, path);
                    path.pop();
                }
            }
            _ => {
                self.take_over(path, node.origin);
            }
        }
    }

    fn set_row(&mut self, fields: Table, path: &mut Vec<String>) {
        let Some(row) = lookup_mut(&mut self.root, path).and_then(Node::as_table_mut) else { return };
        let mut row_table = std::mem::take(row);
        self.set_table(&mut row_table, fields, path);
        if let Some(row) = lookup_mut(&mut self.root, path).and_then(Node::as_table_mut) {
            *row = row_table;
        }
    }

    fn matching(&self, kind: &str, conditions: &Table) -> Vec<String> {
        let Some(rows) = self.root.get(kind).and_then(Node::as_table) else { return Vec::new() };
        let mut ids = rows.sorted_keys();
        ids.retain(|id| {
            rows.get(id).is_some_and(|row| row.as_table().is_some())
                && conditions.iter().all(|(field, wanted)| {
                    let path = vec![kind.to_owned(), id.clone(), field.to_owned()];
                    match (field, effective(&self.root, &path)) {
                        (_, Some(found)) => holds(found, wanted),
                        ("id", None) => is_id(id, wanted),
                        (_, None) => false,
                    }
                })
        });
        ids
    }

    fn report_no_match(&mut self, kind: &str, conditions: &Table, place: Origin) {
        let rows = self.root.get(kind).and_then(Node::as_table);
        let mut fields: Vec<&str> = rows
            .into_iter()
            .flat_map(|rows| rows.iter().filter_map(|(_, row)| row.as_table()).flat_map(Table::keys))
            .collect();
        fields.sort_unstable();
        fields.dedup();
        let unknown = conditions.keys().find(|key| *key != "id" && !fields.contains(key));
        let (message, help) = match unknown {
            Some(field) => (
                format!("`each.{kind}` matches no row: no row has `{field}`"),
                did_you_mean(field, fields.iter().copied()),
            ),
            None => (format!("`each.{kind}` matches no row"), None),
        };
        self.out.push(Diagnostic::warning(&codes::NO_MATCH, place, message).help(help));
    }
}

/// Keeps the first problem of each code and place: what is wrong with one row is often wrong with hundreds.
fn dedup_by_span(found: Diagnostics) -> Vec<Diagnostic> {
    let mut kept: Vec<(Diagnostic, usize)> = Vec::new();
    for problem in found {
        let same =
            |(first, _): &&mut (Diagnostic, usize)| first.code == problem.code && first.span == problem.span;
        match kept.iter_mut().find(same) {
            Some((_, more)) => *more += 1,
            None => kept.push((problem, 0)),
        }
    }
    let with_note = |(problem, more): (Diagnostic, usize)| match more {
        0 => problem,
        1 => problem.note("and so for 1 more row"),
        _ => problem.note(format!("and so for {more} more rows")),
    };
    kept.into_iter().map(with_note).collect()
}

/// Returns whether a row's value answers a condition.
fn holds(found: &Node, wanted: &Node) -> bool {
    match (&found.value, &wanted.value) {
        (Value::Table(row), Value::Table(conditions)) => {
            conditions.iter().all(|(key, wanted)| row.get(key).is_some_and(|found| holds(found, wanted)))
        }
        (found @ Value::Array(list), wanted) => {
            found.same(wanted) || list.iter().any(|item| item.value.same(wanted))
        }
        (found, Value::Array(alternatives)) => alternatives.iter().any(|wanted| found.same(&wanted.value)),
        (found, wanted) => found.same(wanted),
    }
}

fn is_id(id: &str, wanted: &Node) -> bool {
    match &wanted.value {
        Value::Array(alternatives) => alternatives.iter().any(|wanted| key_text(wanted) == id),
        _ => key_text(wanted) == id,
    }
}

//! The values that differ between two sets of tables, and which of them a game read.

use crate::blame::Suspect;
use crate::keys;
use sandtable_data::catalog::Catalog;
use sandtable_data::tree::Value;
use sandtable_session::Game;
use std::collections::{BTreeMap, BTreeSet};

/// Tables that are not looked at in play, because positions, the sequence of play and effects are made from them.
const BUILT: &[&str] = &["sequence", "effect", "ladder", "pile", "box", "hex", "area", "map", "side"];

/// Tables whose rows are single values, or are not about play at all.
const SINGLE: &[&str] = &["value", "option", "profile", "table", "text", "display", "layer", "game"];

/// The rows that tables have.
fn rows(catalog: &Catalog) -> BTreeSet<(&str, &str)> {
    let tables = catalog.root.as_table().into_iter().flat_map(|root| root.iter());
    tables
        .flat_map(|(kind, table)| {
            table.as_table().into_iter().flat_map(move |rows| rows.iter().map(move |(id, _)| (kind, id)))
        })
        .collect()
}

/// Whether a value belongs to a row that is not among these.
fn is_new(path: &[String], rows: &BTreeSet<(&str, &str)>) -> bool {
    matches!(path, [kind, row, _, ..] if !rows.contains(&(kind.as_str(), row.as_str())))
}

/// What became of a value; of a list, what came and what went.
fn shift(before: &Value, now: &Value) -> String {
    let (Value::Array(old), Value::Array(new)) = (before, now) else {
        return format!("{} -> {}", before.toml(), now.toml());
    };
    let (old, new): (Vec<String>, Vec<String>) = (
        old.iter().map(|item| item.value.toml()).collect(),
        new.iter().map(|item| item.value.toml()).collect(),
    );
    let less = |these: &[String], those: &[String]| {
        these.iter().filter(|item| !those.contains(item)).cloned().collect::<Vec<_>>().join(", ")
    };
    match (less(&old, &new), less(&new, &old)) {
        (gone, added) if gone.is_empty() && added.is_empty() => "in another order".into(),
        (gone, added) if gone.is_empty() => format!("with {added}"),
        (gone, added) if added.is_empty() => format!("without {gone}"),
        (gone, added) => format!("with {added} for {gone}"),
    }
}

/// The values that differ between two sets of tables.
pub struct Changed(Vec<(Vec<String>, Suspect)>);

impl Changed {
    /// Compares two sets of tables.
    pub fn between(then: &Catalog, now: &Catalog) -> Changed {
        let (mut old, rows) = (BTreeMap::new(), (rows(then), rows(now)));
        keys::leaves(then, &mut Vec::new(), &then.root, &mut |path, node| {
            old.insert(path.to_vec(), &node.value);
        });
        let mut found: Vec<(Vec<String>, Suspect)> = Vec::new();
        let mut add = |path: &[String], text: String, set: Option<String>| {
            found.push((path.to_vec(), Suspect::value(text, set)));
        };
        let mut whole: BTreeSet<Vec<String>> = BTreeSet::new();
        keys::leaves(now, &mut Vec::new(), &now.root, &mut |path, node| {
            let before = old.remove(path);
            if before.is_some_and(|before| before.toml() == node.value.toml()) {
                return;
            }
            let (key, place) = (keys::joined(path), now.sources.describe(node.origin));
            match before {
                Some(before) => {
                    let set = Some(format!("{key}={}", before.toml()));
                    add(path, format!("{key} {}  {place}", shift(before, &node.value)), set);
                }
                None if is_new(path, &rows.0) => {
                    // A row that is new as a whole is named once.
                    if whole.insert(path[..2].to_vec()) {
                        add(path, format!("{}, which is new  {place}", keys::joined(&path[..2])), None);
                    }
                }
                None => add(path, format!("{key} nothing -> {}  {place}", node.value.toml()), None),
            }
        });
        for (path, before) in &old {
            if !is_new(path, &rows.1) {
                let key = keys::joined(path);
                let set = Some(format!("{key}={}", before.toml()));
                add(path, format!("{key} {} -> nothing", before.toml()), set);
            } else if whole.insert(path[..2].to_vec()) {
                add(&path[..2], format!("{}, which is gone", keys::joined(&path[..2])), None);
            }
        }
        Changed(found)
    }

    /// All of them in words.
    pub fn lines(&self) -> Vec<String> {
        self.0.iter().filter(|(path, _)| path[0] != "layer").map(|(_, change)| change.text.clone()).collect()
    }

    /// Those of them that were read since reading was last noted.
    pub fn read(&self, game: &Game) -> Vec<Suspect> {
        let touched = game.host.cx().touched.borrow();
        let Some(touched) = &*touched else { return Vec::new() };
        let has = |key: String| touched.data.contains(&key);
        let read = |path: &[String]| match path {
            // What a game is built from holds from its beginning, and what is gone is missed from its beginning.
            [kind, id, ..] if kind == "scenario" => *id == game.definition.scenario.id,
            [kind, ..] if BUILT.contains(&kind.as_str()) => true,
            [kind, _] if !SINGLE.contains(&kind.as_str()) => true,
            [kind, id, ..] if kind == "value" || kind == "option" || kind == "profile" => {
                has(format!("{kind}.{id}"))
            }
            [kind, id, ..] if kind == "table" => {
                touched.data.iter().any(|key| key.starts_with(&format!("table.{id}.")))
            }
            // A ladder holds several fields.
            [_, row, field] if field == "levels" => {
                touched.data.iter().any(|key| key.starts_with(&format!("field.{row}.")))
            }
            [_, row, .., field] => has(format!("field.{row}.{field}")) || has(format!("fields.{field}")),
            _ => false,
        };
        self.0.iter().filter(|(path, _)| read(path)).map(|(_, change)| change.clone()).collect()
    }
}

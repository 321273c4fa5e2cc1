//! What is different after files have changed: in the position, and in the game's tables.

use crate::library::Loaded;
use crate::picture::Picture;
use crate::thing::Object;
use sandtable_data::tree::{Node, Value as Datum};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Most differences that are listed.
const MOST: usize = 60;

/// What a viewer knows: thing and attribute with the value.
pub type Facts = BTreeMap<(String, String), String>;

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The facts of a picture and of what is printed on its pieces.
pub fn facts(picture: &Picture, components: &Object) -> Facts {
    let mut facts = Facts::new();
    let parts: Value = serde_json::from_str(&format!("{{{}}}", picture.parts)).unwrap_or_default();
    let mut add = |thing: &str, values: Option<&Value>| {
        for (key, value) in values.and_then(Value::as_object).into_iter().flatten() {
            facts.insert((thing.to_string(), key.clone()), plain(value));
        }
    };
    add("game", parts.get("game"));
    for (side, values) in parts.get("sides").and_then(Value::as_object).into_iter().flatten() {
        add(side, Some(values));
    }
    let mut placed: Vec<(String, String, i64)> = Vec::new();
    for (space, held) in parts.get("spaces").and_then(Value::as_object).into_iter().flatten() {
        add(space, held.get("values"));
        for piece in held.get("pieces").and_then(Value::as_array).into_iter().flatten() {
            if let Some(id) = piece.get("id").and_then(Value::as_str) {
                add(id, piece.get("values"));
                placed.push((
                    id.into(),
                    space.clone(),
                    piece.get("level").and_then(Value::as_i64).unwrap_or(1),
                ));
            }
        }
    }
    for (id, component) in components {
        add(id, Some(&json!({ "name": component["name"], "text": component["text"] })));
        for (level, rung) in
            (1..).zip(component.get("levels").and_then(Value::as_array).into_iter().flatten())
        {
            let fields = rung.get("fields").and_then(Value::as_object).into_iter().flatten();
            let several = component["levels"].as_array().is_some_and(|levels| levels.len() > 1);
            let named: Object = fields
                .map(|(key, value)| {
                    (if several { format!("{key} (step {level})") } else { key.clone() }, value.clone())
                })
                .collect();
            add(id, Some(&named.into()));
        }
    }
    for (id, space, level) in placed {
        facts.insert((id.clone(), "place".into()), space);
        facts.insert((id, "level".into()), level.to_string());
    }
    facts
}

/// What is different between two.
pub fn differences(before: &Facts, after: &Facts) -> Vec<Value> {
    let keys: std::collections::BTreeSet<&(String, String)> = before.keys().chain(after.keys()).collect();
    let line = |key: &(String, String)| {
        let (then, now) = (before.get(key), after.get(key));
        (then != now).then(|| json!({ "thing": key.0, "attribute": key.1, "before": then, "after": now }))
    };
    keys.into_iter().filter_map(line).take(MOST).collect()
}

/// What is different between the files of two versions of a game, one line each.
pub fn changed(before: &Loaded, after: &Loaded) -> Vec<String> {
    let mut lines = Vec::new();
    compare(after, Some(&before.catalog.root), Some(&after.catalog.root), "", &mut lines);
    let texts = |loaded: &Loaded| -> BTreeMap<String, String> {
        let files = loaded.catalog.scripts.iter().chain(&loaded.catalog.books);
        let text = |file: &sandtable_data::catalog::LayerFile| {
            let sources = &loaded.catalog.sources;
            (sources.path(file.file).to_string(), sources.text(file.file).to_string())
        };
        files.map(text).collect()
    };
    let (then, now) = (texts(before), texts(after));
    for (path, text) in &now {
        match then.get(path) {
            Some(old) if old == text => {}
            Some(old) => {
                let line = old.lines().zip(text.lines()).take_while(|(a, b)| a == b).count() + 1;
                lines.push(format!("{path}: changed from line {line} on"));
            }
            None => lines.push(format!("{path}: new")),
        }
    }
    lines.extend(then.keys().filter(|path| !now.contains_key(*path)).map(|path| format!("{path}: gone")));
    lines.truncate(MOST);
    lines
}

fn compare(after: &Loaded, old: Option<&Node>, new: Option<&Node>, path: &str, lines: &mut Vec<String>) {
    if lines.len() >= MOST {
        return;
    }
    if let (Some(Datum::Table(then)), Some(Datum::Table(now))) =
        (old.map(|node| &node.value), new.map(|node| &node.value))
    {
        let keys: std::collections::BTreeSet<&str> =
            then.iter().map(|(key, _)| key).chain(now.iter().map(|(key, _)| key)).collect();
        for key in keys {
            let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
            compare(after, then.get(key), now.get(key), &path, lines);
        }
        return;
    }
    let text = |node: Option<&Node>| node.map(crate::thing::datum);
    let (then, now) = (text(old), text(new));
    if then != now {
        let brief = |node: Option<&Node>| node.map_or("nothing".to_string(), |node| node.value.brief());
        let place =
            new.map(|node| format!(" ({})", after.catalog.sources.describe(node.origin))).unwrap_or_default();
        lines.push(format!("{path}: {} → {}{place}", brief(old), brief(new)));
    }
}

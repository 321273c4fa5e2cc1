//! What the active layers change, for whoever joins: values with what they were before, and handlers.

use crate::library::Loaded;
use crate::thing::Object;
use sandtable_data::origin::LayerId;
use sandtable_data::tree::{Node, Value as Datum};
use sandtable_session::Game;
use serde_json::{Value, json};

/// Most changes of a layer that are listed.
const MOST: usize = 500;

/// The layers above the game.
pub fn layers(loaded: &Loaded, game: &Game) -> Vec<Value> {
    let catalog = &loaded.catalog;
    let mut found = Vec::new();
    for (number, layer) in (0u16..).zip(&catalog.layers).skip(1).filter(|(_, layer)| !layer.library) {
        let mut changes = Vec::new();
        changed(loaded, LayerId(number), &catalog.root, &mut String::new(), &mut changes);
        let registry = game.host.cx().registry.borrow();
        let handlers = registry.handlers.iter().filter(|handler| handler.layer == number).map(|handler| {
            let (file, line) = handler.place.rsplit_once(':').unwrap_or((&handler.place, ""));
            json!({
                "kind": handler.kind.name(), "id": handler.id, "rules": handler.rules,
                "file": file, "line": line.parse::<u32>().ok(),
            })
        });
        found.push(json!({
            "id": layer.id, "title": layer.title, "version": layer.version,
            "changes": changes, "handlers": handlers.collect::<Vec<_>>(),
        }));
    }
    found
}

/// Collects the values that a layer gave.
fn changed(loaded: &Loaded, layer: LayerId, node: &Node, path: &mut String, found: &mut Vec<Value>) {
    if found.len() >= MOST {
        return;
    }
    let before = node.history().next();
    if node.origin.layer == layer && (before.is_some() || !matches!(node.value, Datum::Table(_))) {
        let place = loaded.catalog.sources.describe(node.origin);
        let mut parts = place.split(':');
        let mut change = Object::from_iter([
            ("path".to_string(), json!(path)),
            ("before".to_string(), before.map_or(Value::Null, |past| json!(past.value.brief()))),
            ("after".to_string(), json!(node.value.brief())),
            ("file".to_string(), json!(parts.next())),
        ]);
        change.insert("line".into(), json!(parts.next().and_then(|line| line.parse::<u32>().ok())));
        found.push(change.into());
        return;
    }
    if let Datum::Table(table) = &node.value {
        for (key, node) in table.iter() {
            let length = path.len();
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(key);
            changed(loaded, layer, node, path, found);
            path.truncate(length);
        }
    }
}

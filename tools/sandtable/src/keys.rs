//! Keys of merged tables as people write them in layers, and the values at them.

use sandtable_data::catalog::Catalog;
use sandtable_data::tree::{Node, Value};

/// A key of TOML: in quotes if it has to be.
pub fn quoted(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if bare { key.to_string() } else { text(key) }
}

/// A text of TOML.
pub fn text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// A path of keys.
pub fn joined(path: &[String]) -> String {
    path.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(".")
}

/// A whole value as TOML writes it.
pub fn value(value: &Value) -> String {
    match value {
        Value::Str(string) => text(string),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| self::value(&item.value)).collect::<Vec<_>>().join(", "))
        }
        Value::Table(table) => {
            let rows =
                table.iter().map(|(key, node)| format!("{} = {}", quoted(key), self::value(&node.value)));
            format!("{{ {} }}", rows.collect::<Vec<_>>().join(", "))
        }
        other => other.brief(),
    }
}

/// Calls `f` with every value below a node that is no table, in the order of the files.
pub fn leaves<'a>(path: &mut Vec<String>, node: &'a Node, f: &mut dyn FnMut(&[String], &'a Node)) {
    match &node.value {
        Value::Table(table) => {
            for (key, child) in table.iter() {
                path.push(key.to_string());
                leaves(path, child, f);
                path.pop();
            }
        }
        _ => f(path, node),
    }
}

/// All keys of a game, for suggestions.
pub fn all(catalog: &Catalog) -> Vec<String> {
    let mut keys = Vec::new();
    leaves(&mut Vec::new(), &catalog.root, &mut |path, _| keys.push(joined(path)));
    keys
}

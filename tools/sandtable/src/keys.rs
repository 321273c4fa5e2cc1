//! Keys of merged tables as people write them in layers, and the values at them.

use sandtable_data::catalog::Catalog;
use sandtable_data::tree::{Node, Value, toml_key};

/// A path of keys.
pub fn joined(path: &[String]) -> String {
    path.iter().map(|key| toml_key(key)).collect::<Vec<_>>().join(".")
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

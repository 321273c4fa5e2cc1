//! Keys of merged tables as people write them in layers, and the values at them.

use sandtable_data::catalog::Catalog;
use sandtable_data::tree::{Node, Value, toml_key};

/// A path of keys.
pub fn joined(path: &[String]) -> String {
    path.iter().map(|key| toml_key(key)).collect::<Vec<_>>().join(".")
}

/// Calls `f` with every value below a node that is not a table, in the order of the files. Rows of a matrix are gone through cell
/// by cell, each under the key of its column.
pub fn leaves<'a>(
    catalog: &Catalog,
    path: &mut Vec<String>,
    node: &'a Node,
    f: &mut dyn FnMut(&[String], &'a Node),
) {
    match &node.value {
        Value::Table(table) => {
            for (key, child) in table.iter() {
                path.push(key.to_string());
                leaves(catalog, path, child, f);
                path.pop();
            }
        }
        Value::Array(cells) if !columns(catalog, path).is_empty() => {
            for (column, cell) in columns(catalog, path).into_iter().zip(cells) {
                path.push(column);
                f(path, cell);
                path.pop();
            }
        }
        _ => f(path, node),
    }
}

/// The keys of the columns at a path that is a row of a matrix; none elsewhere.
pub fn columns(catalog: &Catalog, path: &[String]) -> Vec<String> {
    let [kind, table, rows, _] = path else { return Vec::new() };
    if kind != "table" || rows != "rows" {
        return Vec::new();
    }
    let columns = catalog.row("table", table).and_then(|table| table.get("columns")).and_then(Node::as_array);
    let key = |node: &Node| node.as_str().map_or_else(|| node.value.toml(), str::to_string);
    columns.unwrap_or_default().iter().map(key).collect()
}

/// All keys of a game, for suggestions.
pub fn all(catalog: &Catalog) -> Vec<String> {
    let mut keys = Vec::new();
    leaves(catalog, &mut Vec::new(), &catalog.root, &mut |path, _| keys.push(joined(path)));
    keys
}

//! The files of one layer as one tree of values to set, and a list of patches.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::merge::columns_of;
use crate::merge_matrix::keyed_rows;
use crate::origin::{LayerId, Origin};
use crate::tree::{Node, Table, Value};
use crate::tree_path::KeyPath;

/// The keys at the top of a file that are patches and no kinds.
pub(crate) const OPERATIONS: [&str; 6] = ["add", "each", "extend", "insert", "remove", "scale"];

/// A patch: an operation with the tree of paths below it.
#[derive(Debug)]
pub(crate) struct Patch {
    pub operation: &'static str,
    pub key: Origin,
    pub node: Node,
}

/// All that one layer says.
#[derive(Debug)]
pub(crate) struct LayerTree {
    pub id: LayerId,
    pub set: Table,
    pub patches: Vec<Patch>,
}

impl LayerTree {
    pub(crate) fn new(id: LayerId) -> Self {
        Self { id, set: Table::new(), patches: Vec::new() }
    }

    /// Adds what one file says; a value that an earlier file of the layer gave is reported.
    pub(crate) fn add(&mut self, mut file: Table, out: &mut Diagnostics) {
        file.remove("layer");
        for operation in OPERATIONS {
            if let Some(entry) = file.remove(operation) {
                self.patches.push(Patch { operation, key: entry.key, node: entry.node });
            }
        }
        if let Some(Value::Table(tables)) = file.get_mut("table").map(|node| &mut node.value) {
            for (name, node) in tables.iter_mut() {
                if let Value::Table(table) = &mut node.value
                    && let Some(columns) = columns_of(table)
                    && let Some(rows) = table.get_mut("rows")
                {
                    keyed_rows(&columns, rows, name, out);
                }
            }
        }
        fold(&mut self.set, file, &mut Vec::new(), out);
    }
}

fn fold(target: &mut Table, incoming: Table, path: &mut Vec<String>, out: &mut Diagnostics) {
    for (key, entry) in incoming {
        let first = target.key_origin(&key);
        match (target.get_mut(&key), first) {
            (Some(existing), Some(first)) => {
                path.push(key);
                match (&mut existing.value, entry.node.value) {
                    (Value::Table(target), Value::Table(table)) => fold(target, table, path, out),
                    _ => {
                        let message = format!("{} is given twice in the same package", KeyPath(path.clone()));
                        out.push(
                            Diagnostic::error(&codes::DUPLICATE_KEY, entry.key, message)
                                .label(first, "first given here"),
                        );
                    }
                }
                path.pop();
            }
            _ => {
                target.insert(key, entry.key, entry.node);
            }
        }
    }
}

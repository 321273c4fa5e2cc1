//! Matrices: while layers are merged their rows are tables by column key, afterwards lists in column order.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::merge::{Merge, columns_of, key_text};
use crate::suggest::did_you_mean;
use crate::tree::{Node, Table, Value};

/// Turns rows that are lists into tables by column key; a row of the wrong length is reported.
pub(crate) fn keyed_rows(columns: &[String], rows: &mut Node, name: &str, out: &mut Diagnostics) {
    let Value::Table(rows) = &mut rows.value else { return };
    for (key, row) in rows.iter_mut() {
        let Value::Array(cells) = &mut row.value else { continue };
        let cells = std::mem::take(cells);
        if cells.len() != columns.len() {
            let (found, wanted) = (cells.len(), columns.len());
            let message = format!(
                "row `{key}` of table.{name} is a list of {found}; expected {wanted}, one for each column"
            );
            out.push(Diagnostic::error(&codes::MATRIX, row.origin, message));
        }
        let mut table = Table::new();
        for (column, cell) in columns.iter().zip(cells) {
            table.insert(column.as_str(), cell.origin, cell);
        }
        row.value = Value::Table(table);
    }
}

impl Merge {
    /// Turns the rows that a layer gives into tables by the columns of the matrix that it changes.
    pub(crate) fn keyed_rows(&mut self, columns: &[String], mut rows: Node, path: &[String]) -> Node {
        let name = path.get(1).cloned().unwrap_or_default();
        keyed_rows(columns, &mut rows, &name, &mut self.out);
        rows
    }

    /// Reports columns in a layer's matrix that the matrix does not have.
    pub(crate) fn check_columns(&mut self, columns: &[String], given: &Node, path: &[String]) {
        for cell in given.as_array().unwrap_or_default() {
            let column = key_text(cell);
            if !columns.contains(&column) {
                let name = path.get(1).map_or("", String::as_str);
                let message = format!("table.{name} has no column `{column}`");
                let help = did_you_mean(&column, columns.iter().map(String::as_str));
                self.out.push(Diagnostic::error(&codes::MATRIX, cell.origin, message).help(help));
            }
        }
    }

    /// Turns all matrices into their final form; a cell that nobody gave is an empty text.
    pub(crate) fn finish_matrices(&mut self) {
        let Some(Value::Table(tables)) = self.root.get_mut("table").map(|node| &mut node.value) else {
            return;
        };
        for (name, node) in tables.iter_mut() {
            let Value::Table(matrix) = &mut node.value else { continue };
            let Some(columns) = columns_of(matrix) else { continue };
            let Some(Value::Table(rows)) = matrix.get_mut("rows").map(|rows| &mut rows.value) else {
                continue;
            };
            for (_, row) in rows.iter_mut() {
                let Value::Table(cells) = &mut row.value else { continue };
                let mut cells = std::mem::take(cells);
                let empty = || Node::text("", row.origin).with_provenance(row.provenance);
                let list = columns.iter().map(|key| cells.remove(key).map_or_else(empty, |entry| entry.node));
                row.value = Value::Array(list.collect());
                for (column, entry) in cells {
                    let message = format!("table.{name} has no column `{column}`");
                    let help = did_you_mean(&column, columns.iter().map(String::as_str));
                    // A CSV column was already reported once, at its header.
                    if !self.out.iter().any(|d| d.message == message) {
                        self.out.push(Diagnostic::error(&codes::MATRIX, entry.key, message).help(help));
                    }
                }
            }
        }
    }
}

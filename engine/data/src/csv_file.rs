//! CSV into the tree: `KIND.csv` is a list of rows, `table.NAME.csv` a matrix with row and column keys.
//!
//! | file | becomes |
//! |---|---|
//! | `unit.csv` with a column `id` | one `[unit.ID]` a row; an empty cell leaves its key out |
//! | `hexside.csv` with columns `a` and `b` | `[hexside.A-B]`, or `[hexside.A-B-KIND]` with a column `kind` or `feature` |
//! | `unit.second.csv` | more rows of `unit` |
//! | `table.crt.csv` | `[table.crt]` with `columns` and `rows`, whose cells are found by row and column key |
//!
//! Cells that are whole numbers without leading zero become numbers, `true` and `false` truth values, all others
//! (and all in quotes) texts. A column `name[]` holds lists with `|` between the items. `# source: WORD` as first
//! comment, a column `source` and columns `X_source` give the provenance of file, row and field; in a matrix a column
//! `source` and a row `source` give that of its rows and columns.

use std::collections::BTreeMap;

use crate::csv_file_cells::{Cell, Line, read_cells};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::origin::{Citation, LayerId, Origin, Provenance};
use crate::source::{FileId, Span};
use crate::suggest::nearest;
use crate::toml_file_source::read_source;
use crate::tree::{Node, Table, Value};

/// Reads a CSV text; `name` is the file's name without folders.
pub fn read_csv(
    text: &str,
    name: &str,
    file: FileId,
    layer: LayerId,
    cited: &mut Vec<Citation>,
    out: &mut Diagnostics,
) -> Table {
    let stem = name.strip_suffix(".csv").unwrap_or(name);
    let (kind, rest) = stem.split_once('.').unwrap_or((stem, ""));
    let (lines, source) = read_cells(text, file, out);
    let mut reader = Reader { file, layer, cited, out, default: Provenance::Unstated };
    if let Some(source) = source {
        reader.default = reader.source(&source);
    }
    if kind == "table" && !rest.is_empty() { reader.matrix(rest, &lines) } else { reader.list(kind, &lines) }
}

struct Reader<'a> {
    file: FileId,
    layer: LayerId,
    cited: &'a mut Vec<Citation>,
    out: &'a mut Diagnostics,
    default: Provenance,
}

impl Reader<'_> {
    fn origin(&self, cell: &Cell) -> Origin {
        Origin::new(self.layer, Span { file: self.file, start: cell.start, end: cell.end })
    }

    fn line_origin(&self, line: &Line) -> Origin {
        let start = line.cells.first().map_or(0, |cell| cell.start);
        let end = line.cells.last().map_or(start, |cell| cell.end);
        Origin::new(self.layer, Span { file: self.file, start, end })
    }

    fn source(&mut self, cell: &Cell) -> Provenance {
        read_source(&cell.text, self.origin(cell), self.cited, self.out)
    }

    fn error(&mut self, code: crate::diagnostic::Code, cell: &Cell, message: String) {
        let origin = self.origin(cell);
        self.out.push(Diagnostic::error(code, origin, message));
    }

    /// Returns the header if it can be used: names that differ and are not empty.
    fn header<'l>(&mut self, lines: &'l [Line], skip: usize) -> Option<(&'l Line, &'l [Line])> {
        let (header, rows) = lines.split_first()?;
        let mut seen: BTreeMap<&str, &Cell> = BTreeMap::new();
        for (index, cell) in header.cells.iter().enumerate().skip(skip) {
            if cell.text.is_empty() {
                self.error(&codes::CSV_HEADER, cell, format!("column {} has no name", index + 1));
            } else if let Some(first) = seen.insert(&cell.text, cell) {
                let message = format!("the column `{}` is given twice", cell.text);
                let label = self.origin(first);
                let origin = self.origin(cell);
                self.out.push(
                    Diagnostic::error(&codes::DUPLICATE_KEY, origin, message)
                        .label(label, "first given here"),
                );
            }
        }
        Some((header, rows))
    }

    /// Reports a row with more or fewer cells than the header, and returns whether it fits.
    fn fits(&mut self, header: &Line, line: &Line) -> bool {
        let (found, expected) = (line.cells.len(), header.cells.len());
        if found != expected {
            let cells = if found == 1 { "cell" } else { "cells" };
            let message = format!("the row has {found} {cells}; expected {expected}, as in the header");
            let (row, head) = (self.line_origin(line), self.line_origin(header));
            self.out.push(Diagnostic::error(&codes::CSV_CELLS, row, message).label(head, "the header"));
        }
        found == expected
    }

    fn duplicate(&mut self, key: &str, place: Origin, first: Origin) {
        let message = format!("the row `{key}` is given twice");
        self.out
            .push(Diagnostic::error(&codes::DUPLICATE_KEY, place, message).label(first, "first given here"));
    }

    fn list(&mut self, kind: &str, lines: &[Line]) -> Table {
        let mut rows_table = Table::new();
        let Some((header, lines)) = self.header(lines, 0) else { return Table::new() };
        let column = |name: &str| header.cells.iter().position(|cell| cell.text == name);
        let keys: Vec<usize> = match (column("id"), column("a"), column("b")) {
            (Some(id), _, _) => vec![id],
            (None, Some(a), Some(b)) => {
                [Some(a), Some(b), column("kind").or(column("feature"))].into_iter().flatten().collect()
            }
            _ => {
                let origin = self.line_origin(header);
                let message =
                    format!("the list of `{kind}` has no key; expected a column `id`, or `a` and `b`");
                let near = nearest("id", header.cells.iter().map(|cell| cell.text.as_str()));
                let help = near.first().map(|name| format!("rename the column `{name}` to `id`"));
                self.out.push(Diagnostic::error(&codes::CSV_NO_KEY, origin, message).help(help));
                return Table::new();
            }
        };
        for line in lines {
            if !self.fits(header, line) {
                continue;
            }
            let parts: Vec<&str> = keys.iter().map(|&index| line.cells[index].text.as_str()).collect();
            let place = self.origin(&line.cells[keys[0]]);
            if let Some(&empty) = keys.iter().find(|&&index| line.cells[index].text.is_empty()) {
                let message =
                    format!("the cell `{}` is empty; it is the key of the row", header.cells[empty].text);
                self.error(&codes::CSV_NO_KEY, &line.cells[empty], message);
                continue;
            }
            let key = parts.join("-");
            let row = self.row(header, line);
            let first = rows_table.key_origin(&key);
            match first {
                Some(first) => self.duplicate(&key, place, first),
                None => {
                    rows_table.insert(key, place, row);
                }
            }
        }
        let origin = self.line_origin(header);
        let mut root = Table::new();
        root.insert(kind, origin, Node::new(Value::Table(rows_table), origin).with_provenance(self.default));
        root
    }

    fn row(&mut self, header: &Line, line: &Line) -> Node {
        let pairs =
            || header.cells.iter().zip(&line.cells).filter(|(_, cell)| !cell.text.is_empty() || cell.quoted);
        let mut provenance = self.default;
        let mut by_column: BTreeMap<&str, Provenance> = BTreeMap::new();
        for (head, cell) in pairs() {
            if head.text == "source" {
                provenance = self.source(cell);
            } else if let Some(column) = head.text.strip_suffix("_source") {
                let source = self.source(cell);
                by_column.insert(column, source);
            }
        }
        let mut table = Table::new();
        for (head, cell) in pairs() {
            let name = head.text.as_str();
            if name == "id" || name == "source" || name.ends_with("_source") || name.is_empty() {
                continue;
            }
            let origin = self.origin(cell);
            let (name, value) = match name.strip_suffix("[]") {
                Some(name) => {
                    let item = |text: &str| Node::new(plain(text.trim()), origin).with_provenance(provenance);
                    (name, Value::Array(cell.text.split('|').map(item).collect()))
                }
                None if cell.quoted || name == "a" || name == "b" => (name, Value::Str(cell.text.clone())),
                None => (name, plain(&cell.text)),
            };
            let own = by_column.get(name).copied().unwrap_or_default().or(provenance);
            table.insert(name, self.origin(head), Node::new(value, origin).with_provenance(own));
        }
        Node::new(Value::Table(table), self.line_origin(line)).with_provenance(provenance)
    }

    /// Reads a matrix; each row becomes a table by column key, which the merge turns into a list at its end.
    fn matrix(&mut self, name: &str, lines: &[Line]) -> Table {
        let Some((header, lines)) = self.header(lines, 1) else { return Table::new() };
        let default = self.default;
        let columns: Vec<Node> = (header.cells.iter().skip(1))
            .filter(|cell| cell.text != SOURCE)
            .map(|cell| Node::text(&*cell.text, self.origin(cell)).with_provenance(default))
            .collect();
        let of_columns = self.column_sources(header, lines);
        let mut rows = Table::new();
        for line in lines {
            let key = &line.cells[0];
            if key.text == SOURCE || !self.fits(header, line) {
                continue;
            }
            if key.text.is_empty() {
                self.error(
                    &codes::CSV_NO_KEY,
                    key,
                    "the first cell is empty; it is the key of the row".to_owned(),
                );
                continue;
            }
            let pairs = || header.cells.iter().zip(&line.cells).skip(1);
            let stated = pairs().find(|(head, cell)| head.text == SOURCE && !cell.text.is_empty());
            let own = stated.map_or(Provenance::Unstated, |(_, cell)| self.source(cell)).or(default);
            let mut cells = Table::new();
            for (head, cell) in pairs().filter(|(head, _)| head.text != SOURCE) {
                if !cell.text.is_empty() || cell.quoted {
                    let value = if cell.quoted { Value::Str(cell.text.clone()) } else { plain(&cell.text) };
                    let column = of_columns.get(head.text.as_str()).copied().unwrap_or_default();
                    let node = Node::new(value, self.origin(cell)).with_provenance(column.or(own));
                    cells.insert(&*head.text, self.origin(head), node);
                }
            }
            let place = self.origin(key);
            if let Some(first) = rows.key_origin(&key.text) {
                self.duplicate(&key.text, place, first);
                continue;
            }
            let row = Node::new(Value::Table(cells), self.line_origin(line)).with_provenance(own);
            rows.insert(&*key.text, place, row);
        }
        let origin = self.line_origin(header);
        let node = |value| Node::new(value, origin).with_provenance(default);
        let mut table = Table::new();
        table.insert("columns", origin, node(Value::Array(columns)));
        table.insert("rows", origin, node(Value::Table(rows)));
        let mut tables = Table::new();
        tables.insert(name, origin, node(Value::Table(table)));
        let mut root = Table::new();
        root.insert("table", origin, node(Value::Table(tables)));
        root
    }
}

/// The column, and the row of a matrix, that give provenance.
const SOURCE: &str = "source";

impl Reader<'_> {
    /// What the row `source` of a matrix says of its columns.
    fn column_sources<'h>(&mut self, header: &'h Line, lines: &[Line]) -> BTreeMap<&'h str, Provenance> {
        let mut found = BTreeMap::new();
        let row = lines.iter().find(|line| line.cells.first().is_some_and(|cell| cell.text == SOURCE));
        for (head, cell) in row.into_iter().flat_map(|row| header.cells.iter().zip(&row.cells).skip(1)) {
            if !cell.text.is_empty() {
                found.insert(head.text.as_str(), self.source(cell));
            }
        }
        found
    }
}

/// Reads an unquoted cell; a number with a leading zero or plus sign is a text, because ids look like that.
fn plain(text: &str) -> Value {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = digits == "0" && digits == text || digits.starts_with(|c: char| ('1'..='9').contains(&c));
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ if number => text.parse().map_or_else(|_| Value::Str(text.to_owned()), Value::Int),
        _ => Value::Str(text.to_owned()),
    }
}

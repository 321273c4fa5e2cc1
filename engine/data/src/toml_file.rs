//! Loading TOML with places: several errors a file, floats and dates refused where they stand.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::origin::{LayerId, Origin};
use crate::source::{FileId, Span};
use crate::toml_file_keys::first_definition;
use crate::tree::{Node, Table, Value};

/// Syntax errors reported for one file; a file that is no TOML at all would give thousands.
const MOST_ERRORS: usize = 20;

/// Tables and lists in each other; the parser bounds brackets and the parts of a key, but not their product.
const MOST_DEPTH: usize = 200;

/// Reads a TOML text into a tree; what cannot be read is reported and left out.
pub fn read_toml(text: &str, file: FileId, layer: LayerId, out: &mut Diagnostics) -> Table {
    let (table, mut errors) = DeTable::parse_recoverable(text);
    // What follows a mistake on its line is most often the same mistake again.
    let mut last = None;
    errors.retain(|error| {
        let line = text
            .get(..error.span().map_or(0, |range| range.start))
            .map(|before| before.matches('\n').count());
        let repeated = last == line && !error.message().starts_with("duplicate key");
        last = line;
        !repeated
    });
    let more = errors.len().saturating_sub(MOST_ERRORS);
    for (index, error) in errors.into_iter().take(MOST_ERRORS).enumerate() {
        let range = error.span().unwrap_or(0..0);
        let span = Span::new(file, range.start, range.end);
        let mut diagnostic = if error.message().starts_with("duplicate key") {
            let key = text.get(range.clone()).unwrap_or_default();
            let message = format!("the key {} is given twice", quoted(key));
            let diagnostic = Diagnostic::error(&codes::DUPLICATE_KEY, span, message);
            match first_definition(text, range.start) {
                Some((start, end)) => diagnostic.label(Span::new(file, start, end), "first given here"),
                None => diagnostic,
            }
        } else {
            Diagnostic::error(&codes::TOML_SYNTAX, span, syntax_message(error.message(), text, range))
        };
        if index + 1 == MOST_ERRORS && more > 0 {
            diagnostic = diagnostic.note(format!("{more} more syntax errors in this file are not shown"));
        }
        out.push(diagnostic);
    }
    let table = DeValue::Table(table.into_inner());
    if let Some(span) = deeper_than(&table, MOST_DEPTH) {
        let message = format!("tables and lists stand more than {MOST_DEPTH} deep in each other");
        out.push(Diagnostic::error(&codes::TOML_SYNTAX, Span::new(file, span.start, span.end), message));
        // Dropping it would recurse as deep as it is nested; a leak of a refused file does less harm.
        std::mem::forget(table);
        return Table::new();
    }
    match table {
        DeValue::Table(table) => Reader { file, layer, text }.table(table, out),
        _ => Table::new(),
    }
}

/// Returns the place of a value that is nested too deep, without recursion.
fn deeper_than(root: &DeValue<'_>, limit: usize) -> Option<std::ops::Range<usize>> {
    let mut stack = vec![(root, 0, 0..0)];
    while let Some((value, depth, span)) = stack.pop() {
        if depth > limit {
            return Some(span);
        }
        match value {
            DeValue::Array(items) => {
                stack.extend(items.iter().map(|item| (item.get_ref(), depth + 1, item.span())));
            }
            DeValue::Table(table) => {
                stack.extend(table.iter().map(|(_, item)| (item.get_ref(), depth + 1, item.span())));
            }
            _ => {}
        }
    }
    None
}

/// Rewords what the parser says where its words are about TOML's grammar and not about the text.
fn syntax_message(message: &str, text: &str, range: std::ops::Range<usize>) -> String {
    let found = text.get(range).unwrap_or_default();
    let says = |start: &str| message.starts_with(start);
    if says("string values must be quoted") && found.trim().is_empty() {
        "there is no value after the equals sign".to_owned()
    } else if says("string values must be quoted") || says("invalid boolean") {
        format!("{} is not a value; expected a number, true, false, or a text in quotes", quoted(found))
    } else if says("invalid basic string, expected `\"`") || says("invalid literal string, expected `'`") {
        "a text has no closing quote".to_owned()
    } else if says("recursion limit") {
        "a key has more than 80 parts".to_owned()
    } else {
        message.to_owned()
    }
}

fn quoted(key: &str) -> String {
    let key: String = key.chars().take(60).collect();
    format!("`{key}`")
}

struct Reader<'t> {
    file: FileId,
    layer: LayerId,
    text: &'t str,
}

impl Reader<'_> {
    fn origin(&self, range: std::ops::Range<usize>) -> Origin {
        Origin::new(self.layer, Span::new(self.file, range.start, range.end))
    }

    fn table(&self, table: DeTable<'_>, out: &mut Diagnostics) -> Table {
        let mut result = Table::new();
        for (key, value) in table {
            let place = self.origin(key.span());
            let node = self.node(value, out);
            result.insert(key.into_inner(), place, node);
        }
        result
    }

    fn node(&self, value: Spanned<DeValue<'_>>, out: &mut Diagnostics) -> Node {
        let origin = self.origin(value.span());
        let value = match value.into_inner() {
            DeValue::Boolean(value) => Value::Bool(value),
            DeValue::String(text) => Value::Str(text.into_owned()),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Value::Int(number),
                Err(_) => {
                    let shown: String = number.as_str().chars().take(40).collect();
                    let message = format!("the number {shown} is too large; expected a 64-bit whole number");
                    out.push(Diagnostic::error(&codes::NUMBER_RANGE, origin, message));
                    Value::Float(shown)
                }
            },
            DeValue::Float(number) => {
                let shown: String = number.as_str().chars().take(40).collect();
                let message = format!("{shown} is a number with a fraction; expected a whole number");
                out.push(Diagnostic::error(&codes::FLOAT, origin, message).help(
                    "count in halves or in hundredths, so that the game holds whole numbers".to_owned(),
                ));
                Value::Float(shown)
            }
            DeValue::Datetime(_) => {
                let written = self.text.get(origin.start as usize..origin.end as usize).unwrap_or_default();
                let message = format!("{written} is a date or a time; expected a text in quotes");
                out.push(Diagnostic::error(&codes::DATE, origin, message));
                Value::Float(written.to_owned())
            }
            DeValue::Array(items) => {
                Value::Array(items.into_iter().map(|item| self.node(item, out)).collect())
            }
            DeValue::Table(table) => Value::Table(self.table(table, out)),
        };
        Node::new(value, origin)
    }
}

//! The value tree that TOML and CSV files become: every value knows its origin, its provenance and what it overrode.

use crate::origin::{LayerId, Origin, Provenance};

pub use crate::tree_table::{Entry, Table};

/// A value with where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The place that gave it last.
    pub origin: Origin,
    /// On whose word it stands, already inherited from row, table and file.
    pub provenance: Provenance,
    past: Option<Box<Past>>,
}

/// A value that a later layer overrode.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// The value as it was.
    pub value: Value,
    /// The place that had given it.
    pub origin: Origin,
    earlier: Option<Box<Past>>,
}

/// A value. Floats are kept as text, so that they can be refused with a place and never reach the state.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Str(String),
    /// A number with a fraction, or a date, as it was written; already reported as an error.
    Float(String),
    /// A list.
    Array(Vec<Node>),
    /// A table.
    Table(Table),
}

/// A key of TOML: in quotes if it has to be.
pub fn toml_key(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if bare { key.to_string() } else { Value::toml_text(key) }
}

impl Value {
    /// Returns the type in the words of the error messages.
    pub fn type_words(&self) -> &'static str {
        match self {
            Self::Bool(_) => "a truth value",
            Self::Int(_) => "a whole number",
            Self::Str(_) => "a text",
            Self::Float(_) => "a number with a fraction",
            Self::Array(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    /// Returns whether two values are equal, whatever their origins.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Str(a), Self::Str(b)) | (Self::Float(a), Self::Float(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.value.same(&y.value))
            }
            (Self::Table(a), Self::Table(b)) => {
                a.len() == b.len() && a.iter().all(|(k, x)| b.get(k).is_some_and(|y| x.value.same(&y.value)))
            }
            _ => false,
        }
    }

    /// The whole value as TOML writes it in one line.
    pub fn toml(&self) -> String {
        match self {
            Value::Str(string) => Value::toml_text(string),
            Value::Array(items) => {
                format!("[{}]", items.iter().map(|item| item.value.toml()).collect::<Vec<_>>().join(", "))
            }
            Value::Table(table) => {
                let rows =
                    table.iter().map(|(key, node)| format!("{} = {}", toml_key(key), node.value.toml()));
                format!("{{ {} }}", rows.collect::<Vec<_>>().join(", "))
            }
            other => other.brief(),
        }
    }

    /// Returns a one-line text of the value as TOML would write it, cut to about sixty characters.
    pub fn brief(&self) -> String {
        const LIMIT: usize = 60;
        let mut out = String::new();
        self.write_brief(&mut out, LIMIT);
        if out.chars().count() > LIMIT {
            out = out.chars().take(LIMIT - 1).chain(['…']).collect();
        }
        out
    }

    /// Returns a text as TOML writes it: in double quotes, with escapes.
    pub fn toml_text(text: &str) -> String {
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
                c => out.push(c),
            }
        }
        out.push('"');
        out
    }

    fn write_brief(&self, out: &mut String, limit: usize) {
        if out.len() > limit * 4 {
            return;
        }
        match self {
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Int(value) => out.push_str(&value.to_string()),
            Self::Str(text) => {
                let start: String = text.chars().take(limit).collect();
                out.push_str(&format!("{start:?}"));
            }
            Self::Float(text) => out.extend(text.chars().take(limit)),
            Self::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().take(limit).enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    item.value.write_brief(out, limit);
                }
                out.push(']');
            }
            Self::Table(table) => {
                out.push('{');
                for (index, (key, item)) in table.iter().take(limit).enumerate() {
                    out.push_str(if index == 0 { " " } else { ", " });
                    out.push_str(key);
                    out.push_str(" = ");
                    item.value.write_brief(out, limit);
                }
                out.push_str(" }");
            }
        }
    }
}

impl Node {
    /// Makes a value without history.
    pub fn new(value: Value, origin: Origin) -> Self {
        Self { value, origin, provenance: Provenance::Unstated, past: None }
    }

    /// Makes a text.
    pub fn text(text: impl Into<String>, origin: Origin) -> Self {
        Self::new(Value::Str(text.into()), origin)
    }

    /// Sets the provenance.
    #[must_use]
    pub fn with_provenance(mut self, provenance: Provenance) -> Self {
        self.provenance = provenance;
        self
    }

    /// Replaces the value and remembers the old one.
    pub fn override_with(&mut self, value: Value, origin: Origin, provenance: Provenance) {
        let old = std::mem::replace(&mut self.value, value);
        let earlier = self.past.take();
        self.past = Some(Box::new(Past { value: old, origin: self.origin, earlier }));
        self.origin = origin;
        self.provenance = provenance;
    }

    /// Iterates over the values that were overridden, the latest first.
    pub fn history(&self) -> impl Iterator<Item = &Past> {
        std::iter::successors(self.past.as_deref(), |past| past.earlier.as_deref())
    }

    /// Returns the layer that made the value first.
    pub fn first_layer(&self) -> LayerId {
        self.history().last().map_or(self.origin, |past| past.origin).layer
    }

    /// Returns the truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self.value { Some(value) } else { None }
    }

    /// Returns the whole number, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        if let Value::Int(value) = self.value { Some(value) } else { None }
    }

    /// Returns the text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Str(value) = &self.value { Some(value) } else { None }
    }

    /// Returns the list, if it is one.
    pub fn as_array(&self) -> Option<&[Node]> {
        if let Value::Array(items) = &self.value { Some(items) } else { None }
    }

    /// Returns the table, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        if let Value::Table(table) = &self.value { Some(table) } else { None }
    }

    /// Returns the table for changing, if it is one.
    pub fn as_table_mut(&mut self) -> Option<&mut Table> {
        if let Value::Table(table) = &mut self.value { Some(table) } else { None }
    }

    /// Returns the value of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_table()?.get(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_lists_the_latest_override_first() {
        let at = |layer| Origin { layer: LayerId(layer), ..Origin::default() };
        let mut node = Node::new(Value::Int(2), at(0));
        node.override_with(Value::Int(3), at(1), Provenance::Own);
        node.override_with(Value::Int(4), at(2), Provenance::Own);
        let old: Vec<_> = node.history().map(|past| (past.value.brief(), past.origin.layer.0)).collect();
        assert_eq!(old, [("3".to_owned(), 1), ("2".to_owned(), 0)]);
        assert_eq!((node.as_int(), node.first_layer()), (Some(4), LayerId(0)));
    }

    #[test]
    fn a_brief_text_is_cut() {
        assert_eq!(Value::Str("a\nb".to_owned()).brief(), r#""a\nb""#);
        let long = Value::Array(vec![Node::text("x".repeat(1 << 20), Origin::default()); 100]);
        assert_eq!(long.brief().chars().count(), 60);
    }
}

//! Reading values out of the tree: every accessor reports what it found and what it expected.

use std::fmt::{self, Display};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::origin::Origin;
use crate::suggest::{alternatives, did_you_mean};
use crate::tree::{Node, Table, Value};

/// Reports a value of the wrong type or range: `` `ops` of card.lantern-16 is a text, "three"; expected a whole number ``.
pub fn wrong_type(node: &Node, what: impl Display, expected: &str, out: &mut Diagnostics) {
    // A float was reported where it was read; a second report would say the same.
    if !matches!(node.value, Value::Float(_)) {
        let found = match &node.value {
            Value::Table(_) => "a table".to_owned(),
            value => format!("{}, {}", value.type_words(), value.brief()),
        };
        let message = format!("{what} is {found}; expected {expected}");
        out.push(Diagnostic::error(&codes::WRONG_TYPE, node.origin, message));
    }
}

/// Returns a whole number, or reports what was found.
pub fn expect_int(node: &Node, what: impl Display, out: &mut Diagnostics) -> Option<i64> {
    let value = node.as_int();
    if value.is_none() {
        wrong_type(node, what, "a whole number", out);
    }
    value
}

/// Returns a truth value, or reports what was found.
pub fn expect_bool(node: &Node, what: impl Display, out: &mut Diagnostics) -> Option<bool> {
    let value = node.as_bool();
    if value.is_none() {
        wrong_type(node, what, "true or false", out);
    }
    value
}

/// Returns a text, or reports what was found.
pub fn expect_str<'a>(node: &'a Node, what: impl Display, out: &mut Diagnostics) -> Option<&'a str> {
    let value = node.as_str();
    if value.is_none() {
        wrong_type(node, what, "a text", out);
    }
    value
}

/// Returns an id: a text, or a whole number such as a CSV cell `1724` that stands for its digits.
pub fn expect_id(node: &Node, what: impl Display, out: &mut Diagnostics) -> Option<String> {
    match &node.value {
        Value::Str(text) if !text.is_empty() => Some(text.clone()),
        Value::Int(number) if *number >= 0 => Some(number.to_string()),
        _ => {
            wrong_type(node, what, "an id", out);
            None
        }
    }
}

/// Returns one of the allowed words, or reports what was found with the nearest of them.
pub fn expect_word<'w>(
    node: &Node,
    what: impl Display,
    words: &[&'w str],
    out: &mut Diagnostics,
) -> Option<&'w str> {
    let text = expect_str(node, &what, out)?;
    let found = words.iter().copied().find(|word| *word == text);
    if found.is_none() {
        let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let message = format!("{what} is {}; expected {}", node.value.brief(), alternatives(&quoted));
        out.push(
            Diagnostic::error(&codes::UNKNOWN_WORD, node.origin, message)
                .help(did_you_mean(text, words.iter().copied())),
        );
    }
    found
}

/// Returns a list, or reports what was found.
pub fn expect_array<'a>(node: &'a Node, what: impl Display, out: &mut Diagnostics) -> Option<&'a [Node]> {
    let value = node.as_array();
    if value.is_none() {
        wrong_type(node, what, "a list", out);
    }
    value
}

/// Returns a table, or reports what was found.
pub fn expect_table<'a>(node: &'a Node, what: impl Display, out: &mut Diagnostics) -> Option<&'a Table> {
    let value = node.as_table();
    if value.is_none() {
        wrong_type(node, what, "a table", out);
    }
    value
}

/// Reports every key of a table that is not allowed, with the nearest allowed ones.
pub fn unknown_keys(table: &Table, owner: impl Display, allowed: &[&str], out: &mut Diagnostics) {
    for (key, entry) in table.entries() {
        if !allowed.contains(&key) {
            let message = format!("{owner} has no key `{key}`");
            let help = did_you_mean(key, allowed.iter().copied())
                .unwrap_or_else(|| format!("known keys: {}", allowed.join(", ")));
            out.push(Diagnostic::error(&codes::UNKNOWN_KEY, entry.key, message).help(help));
        }
    }
}

/// A table with the name under which messages speak of it, such as `card.lantern-16`.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    name: String,
    table: &'a Table,
    origin: Origin,
}

struct Field<'a>(&'a str, &'a str);

impl Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of {}", self.0, self.1)
    }
}

impl<'a> Row<'a> {
    /// Makes a row of a table, or reports what was found instead of a table.
    pub fn new(name: impl Into<String>, node: &'a Node, out: &mut Diagnostics) -> Option<Self> {
        let name = name.into();
        let table = expect_table(node, &name, out)?;
        Some(Self { name, table, origin: node.origin })
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the table.
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// Returns the place of the row.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the value of a key, if there is one.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.table.get(key)
    }

    /// Returns the value of a key, or reports that it is missing.
    pub fn need(&self, key: &str, out: &mut Diagnostics) -> Option<&'a Node> {
        let node = self.table.get(key);
        if node.is_none() {
            let message = format!("{} has no `{key}`", self.name);
            let near = did_you_mean(key, self.table.keys());
            out.push(Diagnostic::error(&codes::MISSING_KEY, self.origin, message).help(near));
        }
        node
    }

    /// Returns an optional whole number.
    pub fn int(&self, key: &str, out: &mut Diagnostics) -> Option<i64> {
        expect_int(self.get(key)?, Field(key, &self.name), out)
    }

    /// Returns an optional truth value.
    pub fn bool(&self, key: &str, out: &mut Diagnostics) -> Option<bool> {
        expect_bool(self.get(key)?, Field(key, &self.name), out)
    }

    /// Returns an optional text.
    pub fn str(&self, key: &str, out: &mut Diagnostics) -> Option<&'a str> {
        expect_str(self.get(key)?, Field(key, &self.name), out)
    }

    /// Returns an optional id.
    pub fn id(&self, key: &str, out: &mut Diagnostics) -> Option<String> {
        expect_id(self.get(key)?, Field(key, &self.name), out)
    }

    /// Returns an optional word out of a list.
    pub fn word<'w>(&self, key: &str, words: &[&'w str], out: &mut Diagnostics) -> Option<&'w str> {
        expect_word(self.get(key)?, Field(key, &self.name), words, out)
    }

    /// Returns an optional list.
    pub fn array(&self, key: &str, out: &mut Diagnostics) -> Option<&'a [Node]> {
        expect_array(self.get(key)?, Field(key, &self.name), out)
    }

    /// Returns the ids of an optional list of ids; what is not an id is reported and left out.
    pub fn ids(&self, key: &str, out: &mut Diagnostics) -> Vec<String> {
        let items = self.array(key, out).unwrap_or_default();
        let what = format!("an item of `{key}` of {}", self.name);
        items.iter().filter_map(|item| expect_id(item, &what, out)).collect()
    }

    /// Returns an optional table as a row of its own, named `ROW.KEY`.
    pub fn row(&self, key: &str, out: &mut Diagnostics) -> Option<Row<'a>> {
        Row::new(format!("{}.{key}", self.name), self.get(key)?, out)
    }

    /// Reports every key that is not allowed.
    pub fn unknown_keys(&self, allowed: &[&str], out: &mut Diagnostics) {
        unknown_keys(self.table, &self.name, allowed, out);
    }
}

//! Optional rules: typed options that a game or a layer declares as rows of `option`.

use std::fmt;

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::origin::Origin;
use crate::suggest::{alternatives, did_you_mean};
use crate::tree::{Node, Value};
use crate::tree_read::{Row, wrong_type};

/// What an option may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionType {
    /// On or off.
    Bool,
    /// A whole number, perhaps within bounds.
    Int {
        /// The least and the greatest value.
        range: Option<(i64, i64)>,
    },
    /// One of some words.
    Enum {
        /// The words.
        values: Vec<String>,
    },
}

/// The value of an option.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OptionValue {
    /// On or off.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A word.
    Word(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Word(value) => value.fmt(f),
        }
    }
}

/// A declared option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// The paragraph that it belongs to.
    pub rule: Option<String>,
    /// What it may be.
    pub kind: OptionType,
    /// What it is if nobody says otherwise.
    pub default: OptionValue,
    /// Where it is declared.
    pub origin: Origin,
}

impl OptionDeclaration {
    /// Reads a value for this option, as in `--option fog=true`; the error says what was expected.
    pub fn parse(&self, text: &str) -> Result<OptionValue, String> {
        let text = text.trim();
        let value = match &self.kind {
            OptionType::Bool => match text {
                "true" | "on" | "yes" => Some(OptionValue::Bool(true)),
                "false" | "off" | "no" => Some(OptionValue::Bool(false)),
                _ => None,
            },
            OptionType::Int { .. } => text.parse().ok().map(OptionValue::Int),
            OptionType::Enum { .. } => Some(OptionValue::Word(text.to_owned())),
        };
        value.filter(|value| self.kind.allows(value)).ok_or_else(|| {
            let near = match &self.kind {
                OptionType::Enum { values } => did_you_mean(text, values.iter().map(String::as_str)),
                _ => None,
            };
            let near = near.map_or(String::new(), |near| format!(" ({near})"));
            format!("option {} is {text:?}; expected {}{near}", self.id, self.kind)
        })
    }
}

impl OptionType {
    /// Returns whether a value is of this type and within its bounds.
    pub fn allows(&self, value: &OptionValue) -> bool {
        match (self, value) {
            (Self::Bool, OptionValue::Bool(_)) => true,
            (Self::Int { range }, OptionValue::Int(value)) => {
                range.is_none_or(|(low, high)| (low..=high).contains(value))
            }
            (Self::Enum { values }, OptionValue::Word(word)) => values.contains(word),
            _ => false,
        }
    }
}

impl fmt::Display for OptionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("true or false"),
            Self::Int { range: None } => f.write_str("a whole number"),
            Self::Int { range: Some((low, high)) } => write!(f, "a whole number from {low} to {high}"),
            Self::Enum { values } => f.write_str(&alternatives(values)),
        }
    }
}

/// Returns the options of a catalog in order of id; wrong declarations are reported and left out.
pub fn options(catalog: &Catalog, out: &mut Diagnostics) -> Vec<OptionDeclaration> {
    let mut list: Vec<_> =
        catalog.rows("option").filter_map(|(id, node)| declaration(id, node, out)).collect();
    list.sort_by(|a, b| a.id.cmp(&b.id));
    list
}

fn declaration(id: &str, node: &Node, out: &mut Diagnostics) -> Option<OptionDeclaration> {
    let row = Row::new(format!("option.{id}"), node, out)?;
    row.unknown_keys(&["title", "rule", "type", "default", "values", "range", "about"], out);
    let values = row.ids("values", out);
    let range = match row.array("range", out) {
        Some([low, high]) => low.as_int().zip(high.as_int()),
        Some(_) => {
            wrong_type(row.get("range")?, format!("`range` of option.{id}"), "[LEAST, GREATEST]", out);
            None
        }
        None => None,
    };
    let default = row.need("default", out)?;
    let word = match (row.get("type"), &default.value) {
        (Some(_), _) => row.word("type", &["bool", "int", "enum"], out)?,
        (None, Value::Bool(_)) => "bool",
        (None, Value::Int(_)) => "int",
        (None, _) => "enum",
    };
    let kind = match word {
        "bool" => OptionType::Bool,
        "int" => OptionType::Int { range },
        _ => OptionType::Enum { values },
    };
    let value = match &default.value {
        Value::Bool(value) => OptionValue::Bool(*value),
        Value::Int(value) => OptionValue::Int(*value),
        Value::Str(value) => OptionValue::Word(value.clone()),
        _ => {
            wrong_type(default, format!("`default` of option.{id}"), &kind.to_string(), out);
            return None;
        }
    };
    if !kind.allows(&value) {
        let message = format!("`default` of option.{id} is {}; expected {kind}", default.value.brief());
        out.push(Diagnostic::error(&codes::BAD_OPTION, default.origin, message));
        return None;
    }
    Some(OptionDeclaration {
        id: id.to_owned(),
        title: row.str("title", out).unwrap_or(id).to_owned(),
        rule: row.str("rule", out).map(str::to_owned),
        kind,
        default: value,
        origin: node.origin,
    })
}

//! The sequence of play: a tree of named nodes that the session walks.

use super::{Builder, codes, keys};
use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;
use crate::tree::{Node as Tree, Value};
use crate::tree_read::Row;
use sandtable_kernel::symbol::stable_hash;
use sandtable_kernel::world::{Datum, World};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value that a loop gives to its variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopValue {
    /// A number.
    Int(i32),
    /// A side, by its seat.
    Side(u8),
    /// A name.
    Text(String),
}

/// What a node does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Runs its steps once.
    Once,
    /// Runs its steps for each value.
    Each {
        /// The attribute of the game that holds the value.
        variable: String,
        /// The values in order.
        values: Vec<LoopValue>,
    },
    /// Runs its steps, or its procedure, until the last one says "done".
    Repeat,
}

/// A node of the sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name; also the name of its procedure if it has no steps.
    pub name: String,
    /// What it does.
    pub kind: NodeKind,
    /// Its steps, by number of node.
    pub steps: Vec<usize>,
    /// A query that must hold, else the node is skipped.
    pub when: Option<String>,
    /// What the walk needs of its name at every step.
    pub names: NodeNames,
}

/// What follows from the name of a node, made once: the walk needs it at every step of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeNames {
    /// Its procedure.
    pub run: Arc<str>,
    /// The event at the start of a pass.
    pub start: Arc<str>,
    /// The event at the end of a pass.
    pub end: Arc<str>,
    /// A stable hash of the name.
    pub hash: u64,
}

impl Node {
    /// A node that runs its procedure once.
    fn new(name: &str) -> Node {
        let names = NodeNames {
            run: name.into(),
            start: format!("{name}.start").into(),
            end: format!("{name}.end").into(),
            hash: stable_hash(name),
        };
        Node { name: name.to_string(), kind: NodeKind::Once, steps: Vec::new(), when: None, names }
    }
}

/// The sequence of play; the first node is the root.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sequence {
    /// The nodes.
    pub nodes: Vec<Node>,
}

impl Sequence {
    /// The number of the node of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }
}

pub(super) fn read(b: &mut Builder<'_>, world: &mut World) -> Sequence {
    let mut sequence = Sequence::default();
    let rows: Vec<(&str, &Tree)> = b.catalog.rows("sequence").filter(|(id, _)| *id != "source").collect();
    let Some(&(root, _)) = rows.iter().find(|(id, _)| *id == "game").or(rows.first()) else {
        let message = "the game has no sequence of play; give sequence.game = { steps = [...] }";
        b.out.push(Diagnostic::placeless(&codes::BAD_SEQUENCE, message));
        return sequence;
    };
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    add(b, world, &mut sequence, &mut numbers, root, &mut Vec::new());
    for (id, node) in rows {
        if !numbers.contains_key(id) {
            let message = format!("sequence.{id} is a step of no node");
            b.out.push(Diagnostic::warning(&codes::BAD_SEQUENCE, node.origin, message));
        }
    }
    sequence
}

/// Adds a node and what is below it; gives its number.
fn add(
    b: &mut Builder<'_>,
    world: &World,
    sequence: &mut Sequence,
    numbers: &mut BTreeMap<String, usize>,
    name: &str,
    above: &mut Vec<String>,
) -> usize {
    if let Some(&number) = numbers.get(name) {
        return number;
    }
    let number = sequence.nodes.len();
    numbers.insert(name.to_string(), number);
    sequence.nodes.push(Node::new(name));
    let Some(tree) = b.catalog.row("sequence", name) else { return number };
    let Some(row) = Row::new(format!("sequence.{name}"), tree, &mut b.out) else { return number };
    row.unknown_keys(keys::NODE, &mut b.out);
    above.push(name.to_string());
    let mut steps = Vec::new();
    for step in row.ids("steps", &mut b.out) {
        if above.contains(&step) {
            let message = format!("sequence.{name}: the step `{step}` contains itself");
            b.out.push(Diagnostic::error(&codes::BAD_SEQUENCE, row.origin(), message));
            continue;
        }
        steps.push(add(b, world, sequence, numbers, &step, above));
    }
    above.pop();
    let kind = if row.bool("repeat", &mut b.out).unwrap_or(false) {
        NodeKind::Repeat
    } else if let Some(variable) = row.str("each", &mut b.out) {
        NodeKind::Each { variable: variable.to_string(), values: values(b, world, &row) }
    } else {
        NodeKind::Once
    };
    let when = row.str("when", &mut b.out).map(str::to_string);
    let node = &mut sequence.nodes[number];
    (node.kind, node.steps, node.when) = (kind, steps, when);
    number
}

/// The values of a loop: `from` and `to`, or `of`.
fn values(b: &mut Builder<'_>, world: &World, row: &Row<'_>) -> Vec<LoopValue> {
    let name = |text: &str| match world.find_side(text) {
        Some(side) => LoopValue::Side(side.0),
        None => LoopValue::Text(text.to_string()),
    };
    let list = |items: &[Tree]| -> Vec<LoopValue> {
        items
            .iter()
            .filter_map(|item| match &item.value {
                Value::Str(text) => Some(name(text)),
                Value::Int(n) => i32::try_from(*n).ok().map(LoopValue::Int),
                _ => None,
            })
            .collect()
    };
    match row.get("of").map(|node| &node.value) {
        Some(Value::Str(text)) if text == "sides" => {
            return (0..world.sides.len())
                .filter_map(|seat| u8::try_from(seat).ok())
                .map(LoopValue::Side)
                .collect();
        }
        Some(Value::Str(text)) => {
            if let Some(items) = b
                .catalog
                .row("value", text)
                .and_then(|node| node.get("is").or(Some(node)))
                .and_then(Tree::as_array)
            {
                return list(items);
            }
            let message = format!(
                "`of` of {} is \"{text}\"; expected \"sides\", a list, or the id of a value that is a list",
                row.name()
            );
            let names = b.catalog.rows("value").map(|(id, _)| id).chain(["sides"]);
            let help = did_you_mean(text, names);
            let place = row.get("of").map_or(row.origin(), |node| node.origin);
            b.out.push(Diagnostic::error(&codes::BAD_SEQUENCE, place, message).help(help));
            return Vec::new();
        }
        Some(Value::Array(items)) => return list(items),
        _ => {}
    }
    let number = |b: &mut Builder<'_>, key: &str| -> Option<i64> {
        let node = row.need(key, &mut b.out)?;
        match &node.value {
            Value::Int(n) => Some(*n),
            Value::Str(text) => {
                let value = b.catalog.row("value", text);
                let value =
                    value.and_then(|node| node.as_int().or_else(|| node.get("is").and_then(Tree::as_int)));
                let option =
                    world.options.iter().find(|option| world.symbols.text(option.id) == text.as_str());
                let found = value.or_else(|| match option?.value {
                    Datum::Int(n) => Some(n.into()),
                    _ => None,
                });
                if found.is_none() {
                    let message = format!(
                        "`{key}` of {} is \"{text}\"; expected a number or the id of a value",
                        row.name()
                    );
                    let names = ["value", "option"].into_iter().flat_map(|kind| b.catalog.rows(kind));
                    let help = did_you_mean(text, names.map(|(id, _)| id));
                    b.out.push(Diagnostic::error(&codes::BAD_SEQUENCE, node.origin, message).help(help));
                }
                found
            }
            _ => None,
        }
    };
    match (number(b, "from"), number(b, "to")) {
        (Some(from), Some(to)) => {
            (from..=to.min(from + 9999)).filter_map(|n| i32::try_from(n).ok()).map(LoopValue::Int).collect()
        }
        _ => Vec::new(),
    }
}

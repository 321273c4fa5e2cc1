//! The patches that name their target by a path: remove, scale, add, extend and insert.

use crate::conflict::{Act, is_list_of_lines};
use crate::diagnostic::Diagnostic;
use crate::diagnostic_codes as codes;
use crate::merge::{Merge, lookup, lookup_mut};
use crate::merge_like::{effective_paths, make_own};
use crate::merge_lists::{Changed, Refusal};
use crate::origin::Origin;
use crate::suggest::did_you_mean;
use crate::tree::{Node, Value};
use crate::tree_path::KeyPath;

/// Returns whether a node below an operation's key is its operand and no further part of the path.
pub(crate) fn is_operand(operation: &str, node: &Node) -> bool {
    match &node.value {
        Value::Table(table) if operation == "insert" => ["step", "after", "before"]
            .iter()
            .any(|key| table.get(key).is_some_and(|n| n.as_table().is_none())),
        Value::Table(_) => false,
        _ => true,
    }
}

impl Merge {
    /// Applies an operation to everything below its key; `path` is where the node stands.
    pub(crate) fn patch(
        &mut self,
        operation: &'static str,
        node: &Node,
        key: Origin,
        path: &mut Vec<String>,
    ) {
        if is_operand(operation, node) {
            return match path.is_empty() {
                true => self.wrong_patch(
                    key,
                    format!(
                        "`{operation}` is {}; expected a path below it, as in {operation}.card.ID",
                        node.value.type_words()
                    ),
                ),
                false => self.apply(operation, node, key, path),
            };
        }
        let Some(table) = node.as_table() else { return };
        for (name, entry) in table.entries() {
            if operation == "each" {
                self.each(name, &entry.node, entry.key);
                continue;
            }
            path.push(name.to_owned());
            self.keys.push(entry.key);
            self.patch(operation, &entry.node, entry.key, path);
            self.keys.pop();
            path.pop();
        }
    }

    fn apply(&mut self, operation: &'static str, operand: &Node, key: Origin, path: &[String]) {
        if operation == "remove" {
            return self.remove(operand, key, path);
        }
        let mut path = path.to_vec();
        if operation == "insert"
            && lookup(&self.root, &path).is_some_and(|target| target.get("steps").is_some())
        {
            path.push("steps".to_owned());
        }
        if !self.take_over(&path, operand.origin) {
            return self.not_there(operation, &path, key);
        }
        let Some(target) = lookup(&self.root, &path).cloned() else { return };
        let changed = match operation {
            "add" => add(&target.value, operand),
            "scale" => scale(&target.value, operand),
            "extend" => self.extend(&path, &target.value, operand, is_list_of_lines(&path)),
            _ => self.insert(&path, &target.value, operand),
        };
        let (target_origin, shown) = (target.origin, target.value.brief());
        match changed {
            Ok(changes) => {
                for Changed { value, origin, act } in changes {
                    self.touch(&path, origin, act);
                    if let Some(target) = lookup_mut(&mut self.root, &path) {
                        target.override_with(value, origin, operand.provenance);
                    }
                }
            }
            Err(Refusal::Range) => {
                let message = format!("`{operation}` leads {} out of the 64-bit range", KeyPath(path));
                self.out.push(
                    Diagnostic::error(&codes::NUMBER_RANGE, operand.origin, message)
                        .label(target_origin, format!("the value is {shown}")),
                );
            }
            Err(Refusal::Shape(place, message)) => {
                let message = format!("`{operation}` of {}: {message}", KeyPath(path));
                self.out.push(
                    Diagnostic::error(&codes::WRONG_PATCH, place.unwrap_or(operand.origin), message)
                        .label(target_origin, format!("the value is {shown}")),
                );
            }
            Err(Refusal::Missing { place, item, near, added }) => {
                let message = format!("`{operation}` of {}: the list has no {item}", KeyPath(path));
                let problem = Diagnostic::error(&codes::NOT_THERE, place, message)
                    .label(target_origin, format!("the list is {shown}"));
                self.out.push(match added {
                    Some(added) => problem
                        .label(added, "another layer adds it here")
                        .help("let this layer need the one that adds it".to_owned()),
                    None => problem.help(near),
                });
            }
        }
    }

    /// Makes sure that a row itself gives the value at a path if it inherits one, and notes the fields it builds on; returns
    /// whether there is a value.
    pub(crate) fn take_over(&mut self, path: &[String], origin: Origin) -> bool {
        let mut inherited = effective_paths(&self.root, path).unwrap_or_default();
        if inherited.len() > 1 {
            self.taken_over.insert(path.to_vec(), inherited.split_off(1));
        }
        // What another layer has made the row's own already is built on the same fields.
        for source in self.taken_over.get(path).cloned().unwrap_or_default() {
            self.touch(&source, origin, Act::Read);
        }
        make_own(&mut self.root, path)
    }

    fn remove(&mut self, operand: &Node, key: Origin, path: &[String]) {
        let items = match &operand.value {
            Value::Array(items) => items.as_slice(),
            _ => std::slice::from_ref(operand),
        };
        self.take_over(path, operand.origin);
        let Some(target) = lookup(&self.root, path) else {
            return self.not_there("remove", path, key);
        };
        match &target.value {
            Value::Table(_) => items.iter().for_each(|item| self.remove_key(item, path)),
            Value::Array(list) => {
                let list = list.clone();
                let (kept, missing) = self.take_out(path, &list, items);
                for item in missing {
                    let shown = item.value.brief();
                    let message = format!("`remove` of {}: the list has no {shown}", KeyPath(path.to_vec()));
                    let near =
                        item.as_str().and_then(|s| did_you_mean(s, kept.iter().filter_map(Node::as_str)));
                    self.out.push(Diagnostic::error(&codes::NOT_THERE, item.origin, message).help(near));
                }
                let gone = items.iter().map(|item| item.value.clone()).collect();
                self.touch(path, operand.origin, Act::TakeOut(gone));
                if let Some(target) = lookup_mut(&mut self.root, path) {
                    target.override_with(Value::Array(kept), operand.origin, operand.provenance);
                }
            }
            other => {
                let found = other.type_words();
                let whole = KeyPath(path.to_vec());
                self.wrong_patch(
                    key,
                    format!("`remove` of {whole}: it is {found}; expected a table or a list"),
                );
            }
        }
    }

    fn remove_key(&mut self, item: &Node, path: &[String]) {
        let name = match &item.value {
            Value::Str(name) => name.clone(),
            Value::Int(number) => number.to_string(),
            other => {
                let found = other.type_words();
                let whole = KeyPath(path.to_vec());
                return self
                    .wrong_patch(item.origin, format!("`remove` of {whole} names {found}; expected an id"));
            }
        };
        let mut full = path.to_vec();
        full.push(name.clone());
        let gone = lookup_mut(&mut self.root, path)
            .and_then(Node::as_table_mut)
            .and_then(|table| table.remove(&name));
        if gone.is_some() {
            self.touch(&full, item.origin, Act::Remove);
            self.items.retain(|path, _| !path.starts_with(&full));
            self.removed.insert(full, item.origin);
        } else if self.removed_by_sibling(&full) {
            self.touch(&full, item.origin, Act::Remove);
        } else {
            self.not_there("remove", &full, item.origin);
        }
    }
}

fn shape<T>(message: String) -> Result<T, Refusal> {
    Err(Refusal::Shape(None, message))
}

type Outcome = Result<Vec<Changed>, Refusal>;

fn changed(number: i64, operand: &Node) -> Changed {
    Changed { value: Value::Int(number), origin: operand.origin, act: Act::Change }
}

fn add(target: &Value, operand: &Node) -> Outcome {
    let (Value::Int(old), Value::Int(by)) = (target, &operand.value) else {
        return shape(format!(
            "{} cannot be added to {}; both must be whole numbers",
            operand.value.type_words(),
            target.type_words()
        ));
    };
    let sum = old.checked_add(*by).ok_or(Refusal::Range)?;
    Ok(vec![changed(sum, operand)])
}

fn scale(target: &Value, operand: &Node) -> Outcome {
    let Value::Int(old) = target else {
        return shape(format!("{} cannot be scaled; expected a whole number", target.type_words()));
    };
    let number = |node: Option<&Node>| node.and_then(Node::as_int);
    let (times, by, rounding) = match &operand.value {
        Value::Int(times) => (Some(*times), Some(1), "down"),
        Value::Array(list) if list.len() == 2 => (number(list.first()), number(list.get(1)), "down"),
        Value::Array(list) if list.len() == 3 => {
            (number(list.first()), number(list.get(1)), list[2].as_str().unwrap_or_default())
        }
        _ => (None, None, ""),
    };
    let (Some(times), Some(by @ 1..), "down" | "up" | "nearest") = (times, by, rounding) else {
        let shown = operand.value.brief();
        return shape(format!(
            "found {shown}; expected [TIMES, BY] or [TIMES, BY, \"up\"], with BY at least 1"
        ));
    };
    let (product, by) = (i128::from(*old) * i128::from(times), i128::from(by));
    let result = match rounding {
        "up" => -(-product).div_euclid(by),
        "nearest" => (2 * product + by).div_euclid(2 * by),
        _ => product.div_euclid(by),
    };
    let result = i64::try_from(result).map_err(|_| Refusal::Range)?;
    Ok(vec![changed(result, operand)])
}

//! Merging layers into one tree, in one ordered pass.
//!
//! The order is by depth of dependency, then id. Layers of the same depth are applied phase by phase, so that
//! what one adds is seen by an `each` of the other, whatever their names. A path is a row's field (`card.x.ops`),
//! a cell of a matrix (`table.crt.rows.3-1.b`, by column key) or anything deeper.
//!
//! | phase | written in a layer | does | is an error when |
//! |---|---|---|---|
//! | 1 | `remove.card = ["x"]` | removes rows | the row is not there |
//! | 1 | `remove.card.x = ["ops"]` | removes fields | the field is not there |
//! | 1 | `remove.card.x.tags = ["a"]` | removes items of a list | the item is not there |
//! | 2 | `card.x.ops = 3` | sets a field; the rest of the row stays | the path goes through a value |
//! | 2 | `[card.new]` | adds a row | |
//! | 2 | `card.x.tags = ["a"]` | sets the whole list | |
//! | 2 | a CSV of the same name | sets the cells that are not empty | a matrix has no such column |
//! | 3 | `scale.card.x.ops = [3, 2]` | times 3, divided by 2, rounded down; `"up"` or `"nearest"` as third item | no number |
//! | 4 | `add.card.x.ops = -1` | adds to a number | no number, or too large |
//! | 5 | `extend.card.x.tags = ["b"]` | appends to a list | no list |
//! | 6 | `insert.sequence.turn = { after = "draw", step = "weather" }` | inserts into a list, or into the `steps` of a table | no list, no such item |
//! | 7 | `each.unit = [{ where = { plated = true }, add = { mp = 1 } }]` | `remove`, `set`, `scale`, `add`, `extend` on every row that matches, in order of id | malformed; matching nothing is a warning |
//! | end | `like = "ID"` | the row inherits what it does not give | unknown row, circle |
//!
//! `remove` comes first, so a layer replaces a whole row by removing and giving it. A patch on a field that a row
//! inherits through `like` changes that row only; a patch on the row it inherits from reaches both. `where` compares
//! for equality; a list in the row must hold the value, a list in `where` holds alternatives, and `id` is the row's id.

use std::collections::BTreeMap;

use crate::conflict::{Act, Scan, Touch};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::merge_fold::LayerTree;
use crate::merge_lists::Item;
use crate::origin::{LayerId, Origin};
use crate::suggest::did_you_mean;
use crate::tree::{Node, Table, Value};
use crate::tree_path::KeyPath;

/// Keys that say something about a figure and are none.
pub(crate) const ABOUT: [&str; 4] = ["rule", "source", "sources", "note"];

/// The tree under construction, with what was touched by which layer.
#[derive(Debug, Default)]
pub(crate) struct Merge {
    pub root: Table,
    pub touches: Vec<Touch>,
    pub scans: Vec<Scan>,
    pub out: Diagnostics,
    /// What was removed, and where; a later layer's patch on it is explained by this.
    pub removed: BTreeMap<Vec<String>, Origin>,
    /// Inherited values that a patch made a row's own, with the fields they came from.
    pub taken_over: BTreeMap<Vec<String>, Vec<Vec<String>>>,
    /// The phase under way, in the numbering of the table above.
    pub phase: u8,
    /// The places of the keys of the patch under way; the first belongs to the path's key number `keys_from`.
    pub keys: Vec<Origin>,
    pub keys_from: usize,
    /// Whose the items of the lists are that layers changed item by item.
    pub items: BTreeMap<Vec<String>, Vec<Item>>,
    /// Items that were taken out of lists, and by whom.
    pub taken_out: Vec<(Vec<String>, Value, LayerId)>,
    /// The layers of the depth under way.
    siblings: Vec<LayerId>,
    /// The layer of `--set`, which may change rows but not add them: a new row there is a misspelt one.
    command_line: Option<LayerId>,
}

/// Merges the layers, given in order as groups of the same depth; the first group is the game alone.
pub(crate) fn merge(groups: Vec<Vec<LayerTree>>, command_line: Option<LayerId>) -> Merge {
    let mut merge = Merge { command_line, ..Merge::default() };
    for group in groups {
        merge.group(group);
    }
    merge.finish();
    merge
}

impl Merge {
    fn group(&mut self, mut group: Vec<LayerTree>) {
        self.siblings = group.iter().map(|layer| layer.id).collect();
        for (phase, operation) in (1..).zip(["remove", "set", "scale", "add", "extend", "insert", "each"]) {
            self.phase = phase;
            for layer in &mut group {
                if operation == "set" {
                    self.set_layer(std::mem::take(&mut layer.set), layer.id);
                }
                for patch in layer.patches.iter().filter(|patch| patch.operation == operation) {
                    self.patch(operation, &patch.node, patch.key, &mut Vec::new());
                }
            }
        }
    }

    fn set_layer(&mut self, table: Table, layer: LayerId) {
        if self.root.is_empty() && layer == LayerId(0) {
            self.root = table;
            return;
        }
        let mut root = std::mem::take(&mut self.root);
        self.set_table(&mut root, table, &mut Vec::new());
        self.root = root;
    }

    /// Sets all values of `incoming` in `target`, which stands at `path`.
    pub(crate) fn set_table(&mut self, target: &mut Table, incoming: Table, path: &mut Vec<String>) {
        let columns = (path.len() == 2 && path[0] == "table").then(|| columns_of(target)).flatten();
        for (key, entry) in incoming {
            path.push(key.clone());
            match target.get_mut(&key) {
                None if Some(entry.key.layer) == self.command_line && is_fixed(path) => {
                    let message = format!("--set changes {}, which is not there", KeyPath(path.clone()));
                    let help = did_you_mean(&key, target.keys());
                    self.out.push(Diagnostic::error(&codes::NOT_THERE, entry.key, message).help(help));
                }
                None => {
                    self.touch_all(&entry.node, path, path.len() <= 2);
                    target.insert(key, entry.key, entry.node);
                }
                Some(_) if columns.is_some() && key == "columns" => {
                    self.check_columns(columns.as_deref().unwrap_or_default(), &entry.node, path);
                }
                Some(existing) => {
                    let node = match (&columns, key.as_str()) {
                        (Some(columns), "rows") => self.keyed_rows(columns, entry.node, path),
                        _ => entry.node,
                    };
                    self.set_node(existing, node, path);
                }
            }
            path.pop();
        }
    }

    fn set_node(&mut self, existing: &mut Node, node: Node, path: &mut Vec<String>) {
        let Node { value, origin, provenance, .. } = node;
        match (&mut existing.value, value) {
            (Value::Table(target), Value::Table(incoming)) => self.set_table(target, incoming, path),
            (Value::Table(_), value) | (_, value @ Value::Table(_)) => {
                let path = KeyPath(path.clone());
                let message = format!(
                    "{path} is set to {}, but it is {}",
                    value.type_words(),
                    existing.value.type_words()
                );
                self.out.push(
                    Diagnostic::error(&codes::THROUGH_VALUE, origin, message)
                        .label(existing.origin, "given here")
                        .help(format!("remove {path} first if it is to become something else")),
                );
            }
            (_, value) => {
                self.check_type(existing, &value, origin, path);
                self.touch(path, origin, Act::Set(value.clone()));
                self.items.remove(path);
                existing.override_with(value, origin, provenance);
            }
        }
    }

    /// Reports a figure that becomes something else; of all other values a declaration says what they are.
    fn check_type(&mut self, existing: &Node, value: &Value, origin: Origin, path: &[String]) {
        let is_figure = path[0] == "value" && path.get(2).is_none_or(|key| !ABOUT.contains(&key.as_str()));
        let float = matches!(value, Value::Float(_)) || matches!(existing.value, Value::Float(_));
        let (old, new) = (existing.value.type_words(), value.type_words());
        if is_figure && !float && old != new {
            let path = KeyPath(path.to_vec());
            let message = format!("{path} is {new}, {}; expected {old}, as it was", value.brief());
            self.out.push(
                Diagnostic::error(&codes::WRONG_TYPE, origin, message)
                    .label(existing.origin, format!("it was {}", existing.value.brief())),
            );
        }
    }

    pub(crate) fn touch(&mut self, path: &[String], origin: Origin, act: Act) {
        if origin.layer > LayerId(0) {
            self.touches.push(Touch { path: path.to_vec(), origin, act, phase: self.phase, new_row: false });
        }
    }

    /// Notes every leaf of a new value.
    fn touch_all(&mut self, node: &Node, path: &mut Vec<String>, new_row: bool) {
        if node.origin.layer == LayerId(0) {
            return;
        }
        match &node.value {
            Value::Table(table) if !table.is_empty() => {
                for (key, entry) in table.iter() {
                    path.push(key.to_owned());
                    self.touch_all(entry, path, new_row);
                    path.pop();
                }
            }
            value => {
                self.touch(path, node.origin, Act::Set(value.clone()));
                if let Some(touch) = self.touches.last_mut() {
                    touch.new_row = new_row;
                }
            }
        }
    }

    /// Returns whether a layer is of the depth under way.
    pub(crate) fn is_sibling(&self, layer: LayerId) -> bool {
        self.siblings.contains(&layer)
    }

    /// Returns whether a layer of the same depth removed a path or what it stands in.
    pub(crate) fn removed_by_sibling(&self, path: &[String]) -> bool {
        (1..=path.len())
            .filter_map(|length| self.removed.get(&path[..length]))
            .any(|origin| self.is_sibling(origin.layer))
    }

    /// Reports that a patch names something that is not there, with the nearest names.
    pub(crate) fn not_there(&mut self, operation: &str, path: &[String], place: Origin) {
        if self.removed_by_sibling(path) {
            // The conflict between the two layers is reported in its stead.
            return self.touch(path, place, Act::Change);
        }
        let mut table = Some(&self.root);
        let mut at = 0;
        while let Some(next) = table.and_then(|table| table.get(&path[at])) {
            at += 1;
            table = next.as_table();
            if at == path.len() {
                return;
            }
        }
        let missing = &path[at];
        let place =
            at.checked_sub(self.keys_from).and_then(|key| self.keys.get(key)).copied().unwrap_or(place);
        let whole = KeyPath(path.to_vec());
        let message = match at {
            0 => format!("`{operation}` changes {whole}, but there is no `{missing}`"),
            _ => {
                let inside = KeyPath(path[..at].to_vec());
                format!("`{operation}` changes {whole}, but {inside} has no `{missing}`")
            }
        };
        let help = table.and_then(|table| did_you_mean(missing, table.keys()));
        let mut diagnostic = Diagnostic::error(&codes::NOT_THERE, place, message).help(help);
        let gone = (1..=path.len()).find_map(|length| self.removed.get(&path[..length]));
        if let Some(gone) = gone {
            diagnostic = diagnostic.label(*gone, "removed here");
        }
        self.out.push(diagnostic);
    }

    pub(crate) fn wrong_patch(&mut self, place: Origin, message: String) {
        self.out.push(Diagnostic::error(&codes::WRONG_PATCH, place, message));
    }
}

/// Returns whether the command line may change but not add such a path: rows, and all of figures and tables of results. A row of
/// pieces may get a field that it did not have; whether there is such a field is known elsewhere.
fn is_fixed(path: &[String]) -> bool {
    path.len() <= 2 || ["value", "table"].contains(&path[0].as_str())
}

/// Returns the column keys of a matrix.
pub(crate) fn columns_of(matrix: &Table) -> Option<Vec<String>> {
    let columns = matrix.get("columns")?.as_array()?;
    matrix.get("rows")?.as_table()?;
    Some(columns.iter().map(key_text).collect())
}

/// Returns a text or number as the key that it stands for.
pub(crate) fn key_text(node: &Node) -> String {
    match &node.value {
        Value::Str(text) => text.clone(),
        value => value.brief(),
    }
}

/// Returns the value at a path.
pub(crate) fn lookup<'a>(root: &'a Table, path: &[String]) -> Option<&'a Node> {
    let (last, init) = path.split_last()?;
    let table = init.iter().try_fold(root, |table, key| table.get(key)?.as_table())?;
    table.get(last)
}

/// Returns the value at a path for changing.
pub(crate) fn lookup_mut<'a>(root: &'a mut Table, path: &[String]) -> Option<&'a mut Node> {
    let (last, init) = path.split_last()?;
    let table = init.iter().try_fold(root, |table, key| table.get_mut(key)?.as_table_mut())?;
    table.get_mut(last)
}

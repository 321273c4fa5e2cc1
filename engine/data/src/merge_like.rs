//! `like = "ID"`: a row inherits what it does not give, after all layers are merged.

use crate::diagnostic::Diagnostic;
use crate::diagnostic_codes as codes;
use crate::merge::{Merge, lookup};
use crate::suggest::did_you_mean;
use crate::tree::{Node, Table, Value};

impl Merge {
    /// Ends the merge: resolves `like` and gives matrices their final form.
    pub(crate) fn finish(&mut self) {
        for kind in self.root.sorted_keys() {
            let Some(Value::Table(rows)) = self.root.get_mut(&kind).map(|node| &mut node.value) else {
                continue;
            };
            let mut rows = std::mem::take(rows);
            self.resolve_likes(&kind, &mut rows);
            if let Some(node) = self.root.get_mut(&kind) {
                node.value = Value::Table(rows);
            }
        }
        self.finish_matrices();
    }

    fn resolve_likes(&mut self, kind: &str, rows: &mut Table) {
        let waiting: Vec<String> =
            rows.iter().filter(|(_, row)| like_of(row).is_some()).map(|(id, _)| id.to_owned()).collect();
        for id in waiting {
            // The chain from this row up to the first row without `like`, then filled from there down.
            let mut chain = vec![id];
            while let Some(like) = rows.get(&chain[chain.len() - 1]).and_then(like_of) {
                let (parent, place) = (key(like), like.origin);
                let child = &chain[chain.len() - 1];
                if !rows.contains(&parent) {
                    let message = format!("{kind}.{child} is like `{parent}`, but {kind} has no such row");
                    let help = did_you_mean(&parent, rows.keys().filter(|id| id != child));
                    let mut diagnostic = Diagnostic::error(&codes::UNKNOWN_LIKE, place, message).help(help);
                    if let Some(gone) = self.removed.get(&[kind.to_owned(), parent][..]) {
                        diagnostic = diagnostic.label(*gone, "removed here");
                    }
                    self.out.push(diagnostic);
                    forget_like(rows, child);
                    break;
                }
                if let Some(first) = chain.iter().position(|id| *id == parent) {
                    let circle: Vec<String> =
                        chain[first..].iter().chain([&parent]).map(|id| format!("{kind}.{id}")).collect();
                    let message = format!("rows inherit in a circle: {}", circle.join(" is like "));
                    self.out.push(Diagnostic::error(&codes::LIKE_CYCLE, place, message));
                    forget_like(rows, child);
                    break;
                }
                chain.push(parent);
            }
            for pair in (1..chain.len()).rev() {
                let Some(parent) = rows.get(&chain[pair]).cloned() else { continue };
                if let Some(child) = rows.get_mut(&chain[pair - 1]) {
                    inherit(child, &parent);
                }
                forget_like(rows, &chain[pair - 1]);
            }
        }
    }
}

/// Returns the `like` of a row.
pub(crate) fn like_of(row: &Node) -> Option<&Node> {
    row.get("like").filter(|like| matches!(like.value, Value::Str(_) | Value::Int(_)))
}

fn key(like: &Node) -> String {
    crate::merge::key_text(like)
}

fn forget_like(rows: &mut Table, id: &str) {
    if let Some(table) = rows.get_mut(id).and_then(Node::as_table_mut) {
        table.remove("like");
    }
}

fn inherit(child: &mut Node, parent: &Node) {
    let (Value::Table(child), Value::Table(parent)) = (&mut child.value, &parent.value) else { return };
    for (key, entry) in parent.entries() {
        match child.get_mut(key) {
            Some(own) => inherit(own, &entry.node),
            None => {
                child.insert(key, entry.key, entry.node.clone());
            }
        }
    }
}

/// Returns the paths that were tried to find a value, looking through `like` where a row does not give it; the value
/// stands at the last of them. Nothing if it is nowhere.
pub(crate) fn effective_paths(root: &Table, path: &[String]) -> Option<Vec<Vec<String>>> {
    let mut tried = vec![path.to_vec()];
    // A circle is reported at the end of the merge; here it only must not hang.
    for _ in 0..64 {
        let path = &tried[tried.len() - 1];
        if lookup(root, path).is_some() {
            return Some(tried);
        }
        if path.len() < 3 {
            return None;
        }
        let mut parent = path.clone();
        parent[1] = key(like_of(lookup(root, &path[..2])?)?);
        tried.push(parent);
    }
    None
}

/// Returns the value at a path, looking through `like` where the row itself does not give it.
pub(crate) fn effective<'a>(root: &'a Table, path: &[String]) -> Option<&'a Node> {
    lookup(root, effective_paths(root, path)?.last()?)
}

/// Makes sure that a row itself gives the value at a path if it inherits one; returns whether there is a value.
pub(crate) fn make_own(root: &mut Table, path: &[String]) -> bool {
    if lookup(root, path).is_some() {
        return true;
    }
    let Some(node) = effective(root, path).cloned() else { return false };
    let Some((last, init)) = path.split_last() else { return false };
    let mut table = root;
    for (depth, key) in init.iter().enumerate() {
        if depth >= 2 && !table.contains(key) {
            table.insert(key.as_str(), node.origin, Node::new(Value::Table(Table::new()), node.origin));
        }
        let Some(next) = table.get_mut(key).and_then(Node::as_table_mut) else { return false };
        table = next;
    }
    table.insert(last.as_str(), node.origin, node);
    true
}

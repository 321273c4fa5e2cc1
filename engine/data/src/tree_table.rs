//! Tables that keep the order of their files and the place of every key.

use indexmap::IndexMap;

use crate::origin::Origin;
use crate::tree::Node;

/// A table in the order of its files, with the place of every key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    entries: IndexMap<String, Entry>,
}

/// A value in a table, with the place of its key.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The place of the key.
    pub key: Origin,
    /// The value.
    pub node: Node,
}

impl Table {
    /// Makes an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.get(key).map(|entry| &entry.node)
    }

    /// Returns the value of a key for changing.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.get_mut(key).map(|entry| &mut entry.node)
    }

    /// Returns the place of a key.
    pub fn key_origin(&self, key: &str) -> Option<Origin> {
        self.entries.get(key).map(|entry| entry.key)
    }

    /// Returns whether the key exists.
    pub fn contains(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Puts a value under a key; an older value is returned.
    pub fn insert(&mut self, key: impl Into<String>, place: Origin, node: Node) -> Option<Node> {
        self.entries.insert(key.into(), Entry { key: place, node }).map(|entry| entry.node)
    }

    /// Removes a key; the order of the others stays.
    pub fn remove(&mut self, key: &str) -> Option<Entry> {
        self.entries.shift_remove(key)
    }

    /// Removes every key for which the function says so, in one pass.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &mut Entry) -> bool) {
        self.entries.retain(|key, entry| keep(key, entry));
    }

    /// Iterates over keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.entries.iter().map(|(key, entry)| (key.as_str(), &entry.node))
    }

    /// Iterates over keys and values for changing.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Node)> {
        self.entries.iter_mut().map(|(key, entry)| (key.as_str(), &mut entry.node))
    }

    /// Iterates over keys, their places and values.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.entries.iter().map(|(key, entry)| (key.as_str(), entry))
    }

    /// Iterates over the keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Returns the keys in sorted order.
    pub fn sorted_keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.entries.keys().cloned().collect();
        keys.sort_unstable();
        keys
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Sorts the keys.
    pub fn sort(&mut self) {
        self.entries.sort_unstable_keys();
    }
}

impl IntoIterator for Table {
    type Item = (String, Entry);
    type IntoIter = indexmap::map::IntoIter<String, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

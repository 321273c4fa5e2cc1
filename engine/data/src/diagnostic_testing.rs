//! Small packages in memory for the tests of this crate.

use std::fmt::Write as _;

use crate::catalog::{Catalog, load};
use crate::diagnostic::Diagnostics;
use crate::package::MemoryFiles;
use crate::package_search::SearchPath;
use crate::render::{Colour, full};
use crate::tree::{Node, Value};

/// A game `g` with one table file, and layers of one file each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    files: Vec<(String, String)>,
    layers: Vec<String>,
    sets: Vec<String>,
}

impl Scene {
    /// Makes a game whose tables are the given TOML.
    pub(crate) fn game(tables: &str) -> Self {
        Self::bare()
            .file("rules/g/game.toml", "[game]\nid = \"g\"\nversion = \"1.0\"\n")
            .file("rules/g/tables.toml", tables)
    }

    pub(crate) fn bare() -> Self {
        Self::default()
    }

    pub(crate) fn file(mut self, path: &str, text: &str) -> Self {
        self.files.push((path.to_owned(), text.to_owned()));
        self
    }

    /// Adds a layer of one file and loads it.
    pub(crate) fn layer(self, id: &str, needs: &[&str], patches: &str) -> Self {
        let needs = if needs.is_empty() { String::new() } else { format!("needs = {needs:?}\n") };
        let text = format!("{patches}\n[layer]\nid = \"{id}\"\nversion = \"1.0\"\n{needs}");
        self.file(&format!("layers/{id}.toml"), &text).with_layer(id)
    }

    pub(crate) fn with_layer(mut self, id: &str) -> Self {
        self.layers.push(id.to_owned());
        self
    }

    pub(crate) fn set(mut self, set: &str) -> Self {
        self.sets.push(set.to_owned());
        self
    }

    pub(crate) fn load(&self) -> (Catalog, Diagnostics) {
        let mut files = MemoryFiles::new();
        for (path, text) in &self.files {
            files.add(path.clone(), text.clone().into_bytes());
        }
        load("g", &self.layers, &self.sets, &SearchPath::new().with(files))
    }

    /// Loads what must have no problem.
    pub(crate) fn clean(&self) -> Catalog {
        let (catalog, problems) = self.load();
        assert!(problems.is_empty(), "{}", render(&catalog, &problems));
        catalog
    }

    /// Loads and renders all problems.
    pub(crate) fn problems(&self) -> String {
        let (catalog, problems) = self.load();
        render(&catalog, &problems)
    }

    /// Returns the value at a path, as TOML in one line.
    pub(crate) fn value(&self, path: &str) -> String {
        self.clean().get(path).map_or("nothing".to_owned(), show)
    }
}

pub(crate) fn render(catalog: &Catalog, problems: &Diagnostics) -> String {
    problems.iter().map(|problem| full(problem, &catalog.sources, Colour::Never)).collect()
}

/// Writes a value with all that is in it, sorted by key and without origins.
pub(crate) fn show(node: &Node) -> String {
    let mut out = String::new();
    match &node.value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(show).collect();
            let _ = write!(out, "[{}]", items.join(", "));
        }
        Value::Table(table) => {
            let keys = table.sorted_keys();
            let items: Vec<String> =
                keys.iter().filter_map(|key| Some(format!("{key} = {}", show(table.get(key)?)))).collect();
            let _ = write!(out, "{{{}}}", items.join(", "));
        }
        value => out.push_str(&value.brief()),
    }
    out
}

//! The merged tables of a game with its layers: what everything else reads.

use crate::layer::LayerInfo;
use crate::merge::key_text;
use crate::origin::{Citation, LayerId, Origin, Provenance};
use crate::source::{FileId, Sources};
use crate::tree::{Node, Table, Value};
use crate::tree_path::KeyPath;
use std::collections::BTreeMap;

pub use crate::catalog_load::{load, load_found};

/// A text that came with a layer: a Lua script or a Markdown book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerFile {
    /// The layer.
    pub layer: LayerId,
    /// The path inside the package, such as `lua/combat.lua`.
    pub path: String,
    /// The text in [`Catalog::sources`].
    pub file: FileId,
}

/// The merged tables, with all texts and layers behind them.
#[derive(Debug, Clone)]
pub struct Catalog {
    /// The table of kinds; each kind is a table of rows.
    pub root: Node,
    /// All texts.
    pub sources: Sources,
    /// The packages: the game, its libraries, and the layers in the order of merging.
    pub layers: Vec<LayerInfo>,
    /// The Lua files, in order of layer and path.
    pub scripts: Vec<LayerFile>,
    /// The Markdown files, in order of layer and path.
    pub books: Vec<LayerFile>,
    /// Sources that are named, such as `public: Army List 1942`.
    pub citations: Vec<Citation>,
    /// Rows and fields that layers removed, and where; what is missing is explained by this.
    pub removed: BTreeMap<Vec<String>, Origin>,
}

/// A value that a layer gave to a path.
#[derive(Debug, Clone, PartialEq)]
pub struct OriginEntry<'a> {
    /// The value.
    pub value: &'a Value,
    /// The layer and place.
    pub origin: Origin,
}

impl Default for Catalog {
    fn default() -> Self {
        Self {
            root: Node::new(Value::Table(Table::new()), Origin::default()),
            sources: Sources::new(),
            layers: Vec::new(),
            scripts: Vec::new(),
            books: Vec::new(),
            citations: Vec::new(),
            removed: BTreeMap::new(),
        }
    }
}

impl Catalog {
    /// Iterates over the rows of a kind in the order of the files; an unknown kind has none.
    pub fn rows(&self, kind: &str) -> impl Iterator<Item = (&str, &Node)> {
        self.root.get(kind).and_then(Node::as_table).into_iter().flat_map(Table::iter)
    }

    /// Returns a row.
    pub fn row(&self, kind: &str, id: &str) -> Option<&Node> {
        self.root.get(kind)?.get(id)
    }

    /// Returns the value at a dotted path, such as `card.lantern-16.ops` or `hex."17.24".terrain`.
    ///
    /// In a list a key is a place counted from 0; in a row of a matrix it is also the key of a column.
    pub fn get(&self, path: &str) -> Option<&Node> {
        self.at(KeyPath::parse(path).ok()?.keys())
    }

    /// Returns the value at a path of keys.
    pub fn at(&self, path: &[String]) -> Option<&Node> {
        let mut node = &self.root;
        for (depth, key) in path.iter().enumerate() {
            node = match &node.value {
                Value::Table(table) => table.get(key)?,
                Value::Array(items) => {
                    let in_matrix = depth == 4 && path[0] == "table" && path[2] == "rows";
                    let columns = || self.root.get("table")?.get(&path[1])?.get("columns")?.as_array();
                    let column = match columns() {
                        Some(columns) if in_matrix => {
                            columns.iter().position(|column| key_text(column) == *key)
                        }
                        _ => None,
                    };
                    items.get(column.or_else(|| key.parse().ok())?)?
                }
                _ => return None,
            };
        }
        Some(node)
    }

    /// Returns what each layer gave to a path, the latest first; empty if there is no such value.
    pub fn origins(&self, path: &str) -> Vec<OriginEntry<'_>> {
        let Some(node) = self.get(path) else { return Vec::new() };
        let latest = OriginEntry { value: &node.value, origin: node.origin };
        let earlier = node.history().map(|past| OriginEntry { value: &past.value, origin: past.origin });
        std::iter::once(latest).chain(earlier).collect()
    }

    /// Returns the id of a layer.
    pub fn layer_name(&self, layer: LayerId) -> &str {
        self.layers.get(usize::from(layer.0)).map_or("?", |layer| layer.id.as_str())
    }

    /// Returns on whose word the value at a path stands.
    pub fn provenance(&self, path: &str) -> Option<Provenance> {
        Some(self.get(path)?.provenance)
    }
}

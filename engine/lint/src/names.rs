//! All names of a game that scripts may use: what its tables declare, what the API offers, what its scripts define.

use sandtable_data::catalog::Catalog;
use sandtable_data::definition::Definition;
use sandtable_data::tree::{Node, Value};
use sandtable_kernel::state::{TableId, Type};
use sandtable_kernel::world::Named;
use sandtable_script::{CLASSES, declarations};
use std::collections::{BTreeMap, BTreeSet};

/// Libraries of scripts with what is in them.
pub(crate) const LIBRARIES: &[(&str, &[&str])] = &[
    ("math", &["min", "max", "abs", "tointeger", "maxinteger", "mininteger"]),
    ("table", &["pack", "concat", "insert", "remove", "unpack", "sort"]),
    ("string", &["len", "sub", "upper", "lower", "rep", "reverse", "byte", "char", "format", "find"]),
];

/// Keys of filters that are not fields.
pub(crate) const FILTERS: &[&str] = &["at", "not_at", "on_map", "empty", "has", "not_has"];

pub(crate) type Set = BTreeSet<String>;

/// The names of a game, by what they name.
#[derive(Default)]
pub(crate) struct Names {
    pub spaces: Set,
    pub pieces: Set,
    pub sides: Set,
    pub kinds: Set,
    pub values: Set,
    pub tables: Set,
    pub options: Set,
    pub prompts: Set,
    pub texts: Set,
    pub networks: Set,
    pub profiles: Set,
    pub sights: Set,
    pub limits: Set,
    pub nodes: Set,
    pub records: Set,
    pub features: Set,
    /// Fields and attributes with the types that they have somewhere.
    pub fields: BTreeMap<String, Vec<Type>>,
    /// Attributes of the game and of sides.
    pub game: Set,
    pub side: Set,
    pub api: Set,
    pub methods: Set,
    /// Fields of the API's own values.
    pub members: Set,
    /// Keys of figures and plain data.
    pub keys: Set,
    /// Texts that stand in tables, apart from those for people.
    pub data: Set,
    /// Columns of tables.
    pub columns: BTreeMap<String, Set>,
}

impl Names {
    pub fn new(catalog: &Catalog, definition: &Definition) -> Self {
        let world = &definition.world;
        let text = |sym| world.symbols.text(sym).to_string();
        let mut names = Self {
            values: world.values.keys().map(|&sym| text(sym)).collect(),
            tables: world.matrices.keys().map(|&sym| text(sym)).collect(),
            options: world.options.iter().map(|option| text(option.id)).collect(),
            prompts: catalog.rows("prompt").map(|row| row.0.to_string()).collect(),
            texts: catalog.rows("text").map(|row| row.0.to_string()).collect(),
            profiles: catalog.rows("profile").map(|row| row.0.to_string()).collect(),
            sights: catalog.rows("sight").map(|row| row.0.to_string()).collect(),
            limits: catalog.rows("limit").map(|row| row.0.to_string()).collect(),
            records: catalog.rows("record").map(|row| row.0.to_string()).collect(),
            nodes: definition.sequence.nodes.iter().map(|node| node.name.clone()).collect(),
            kinds: world.components.iter().map(|component| text(component.kind)).collect(),
            ..Self::default()
        };
        names.networks = world
            .board
            .networks()
            .filter_map(|id| world.board.network_name(id))
            .map(str::to_string)
            .collect();
        names.features = world.border_features.iter().flatten().map(|&sym| text(sym)).collect();
        let mut all: Vec<_> = world.names.iter().collect();
        all.sort_by_key(|(sym, _)| **sym);
        for (&sym, named) in all {
            match named {
                Named::Space(_) => names.spaces.insert(text(sym)),
                Named::Side(_) => names.sides.insert(text(sym)),
                Named::Component(_) => names.pieces.insert(text(sym)),
            };
        }
        names.columns = world
            .matrices
            .iter()
            .map(|(id, matrix)| (text(*id), matrix.columns.iter().map(|column| text(column.0)).collect()))
            .collect();
        names.declared(definition);
        for class in CLASSES {
            names.members.extend(class.fields.iter().map(|member| member.0.to_string()));
            names.methods.extend(class.methods.iter().map(|member| member.0.to_string()));
        }
        // Of sides, of what `crossed` and `paths` give, and of the ask of a menu.
        names.members.extend(["team", "from", "to", "features", "along", "path", "offer"].map(String::from));
        names.methods.extend(
            LIBRARIES
                .iter()
                .filter(|library| library.0 == "string")
                .flat_map(|library| library.1)
                .map(ToString::to_string),
        );
        names.api = declarations().iter().map(|decl| decl.name.to_string()).collect();
        names.api.extend(["game", "sides", "none", "_VERSION"].map(String::from));
        names.api.extend(LIBRARIES.iter().map(|library| library.0.to_string()));
        if let Some(root) = catalog.root.as_table() {
            for (kind, node) in root.iter() {
                names.scan(kind, node, kind == "text" || kind == "prompt");
            }
        }
        names
    }

    fn declared(&mut self, definition: &Definition) {
        let world = &definition.world;
        for (at, table) in world.schema.tables.iter().enumerate() {
            for column in table.columns.iter().filter(|column| !column.name.is_none()) {
                let name = world.symbols.text(column.name).to_string();
                match at {
                    at if at == usize::from(TableId::GAME.0) => self.game.insert(name.clone()),
                    at if at == usize::from(TableId::SIDE.0) => self.side.insert(name.clone()),
                    _ => false,
                };
                self.fields.entry(name).or_default().push(column.ty.clone());
            }
        }
        for fields in [&world.piece_fields, &world.space_fields, &world.side_fields] {
            for (name, ty) in &fields.columns {
                self.fields.entry(world.symbols.text(*name).to_string()).or_default().push(ty.clone());
            }
        }
        self.side
            .extend(world.side_fields.columns.iter().map(|(name, _)| world.symbols.text(*name).to_string()));
        self.side.extend(["id", "name", "team"].map(String::from));
    }

    /// Takes up keys and texts of tables.
    fn scan(&mut self, key: &str, node: &Node, for_people: bool) {
        match &node.value {
            Value::Table(table) => {
                for (key, child) in table.iter() {
                    self.keys.insert(key.to_string());
                    self.scan(key, child, for_people);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.scan(key, item, for_people)),
            Value::Str(text)
                if !for_people && !["name", "title", "note", "text", "rule", "source"].contains(&key) =>
            {
                self.data.insert(text.clone());
            }
            _ => {}
        }
    }
}

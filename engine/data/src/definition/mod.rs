//! From merged tables to a game: the static world, the sequence of play and the scenario.

mod cells;
pub mod codes;
mod components;
mod display;
pub mod keys;
mod limits;
mod outlook;
pub mod references;
mod scenario;
mod schema;
mod sequence;
mod sight;
mod space;
mod stacks;
mod tables;

pub use scenario::{Line, Scenario};
pub use sequence::{LoopValue, Node, NodeKind, Sequence};

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::merge_fold::OPERATIONS;
use crate::origin::Origin;
use crate::suggest::did_you_mean;
use crate::tree;
use crate::tree_read::Row;
use sandtable_kernel::state::Type;
use sandtable_kernel::world::{Named, World};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most sides of a game: who sees a face is kept in that many bits.
const SIDES: usize = 8;

/// A game ready to be played: everything but the scripts, which are texts of the catalog.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Id of the game.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// The static world.
    pub world: Arc<World>,
    /// The sequence of play.
    pub sequence: Arc<Sequence>,
    /// The scenario that was asked for.
    pub scenario: Scenario,
    /// Ids and titles of all scenarios.
    pub scenarios: Vec<(String, String)>,
    /// Which fields, attributes and figures name something, with the texts that do.
    pub references: Vec<references::Reference>,
    /// How a table draws the game: the checked `display` tables, for whoever draws.
    pub display: serde_json::Value,
}

/// Builds a game from its merged tables.
///
/// `scenario` is the id of one, or nothing for the first; `options` are pairs of id and value.
pub fn build(
    catalog: &Catalog,
    scenario: Option<&str>,
    options: &[(String, String)],
) -> (Option<Definition>, Diagnostics) {
    let (definition, out) = sketch(catalog, scenario, options);
    let fine = !out.has_errors();
    (definition.filter(|_| fine), out)
}

/// Builds as much of a game as its tables allow, errors or not: for looking at, not for playing.
pub fn sketch(
    catalog: &Catalog,
    scenario: Option<&str>,
    options: &[(String, String)],
) -> (Option<Definition>, Diagnostics) {
    let mut out = Diagnostics::new();
    let mut catalog = Cow::Borrowed(catalog);
    let scenario = scenario::read(&mut catalog, scenario, &mut out);
    let mut builder = Builder { catalog: &catalog, out: Diagnostics::new(), left_out: BTreeSet::new() };
    let mut world = match space::board(&mut builder) {
        Some(world) => world,
        None => {
            out.append(builder.out);
            return (None, out);
        }
    };
    builder.manifest();
    builder.sides(&mut world);
    tables::options(&mut builder, &mut world, &scenario, options);
    components::names(&mut builder, &mut world);
    let sequence = sequence::read(&mut builder, &mut world);
    schema::read(&mut builder, &mut world, &sequence);
    space::fields(&mut builder, &mut world);
    components::fields(&mut builder, &mut world);
    space::profiles(&mut builder, &mut world);
    sight::read(&mut builder, &mut world);
    tables::read(&mut builder, &mut world);
    stacks::read(&mut builder, &mut world);
    limits::read(&mut builder, &mut world, &sequence);
    outlook::read(&mut builder, &mut world);
    let references = references::read(&mut builder, &world);
    let display = display::read(&mut builder, &world);
    builder.unknown_kinds();
    out.append(builder.out);
    let manifest = |key: &str| {
        catalog.get(&format!("game.{key}")).and_then(tree::Node::as_str).unwrap_or_default().to_string()
    };
    let scenarios = catalog.rows("scenario").map(|(id, row)| {
        (id.to_string(), row.get("title").and_then(tree::Node::as_str).unwrap_or(id).to_string())
    });
    let definition = Definition {
        id: manifest("id"),
        title: manifest("title"),
        scenarios: scenarios.collect(),
        world: Arc::new(world),
        sequence: Arc::new(sequence),
        scenario,
        references,
        display,
    };
    (Some(definition), out)
}

/// What the parts of the definition share while it is built.
pub(crate) struct Builder<'a> {
    pub catalog: &'a Catalog,
    pub out: Diagnostics,
    /// Hexes of boards that the scenario leaves out.
    pub left_out: BTreeSet<String>,
}

impl<'a> Builder<'a> {
    /// The kinds whose rows are pieces: those of every game, and those the manifest adds.
    pub fn piece_kinds(&self) -> Vec<String> {
        let mut kinds: Vec<String> = keys::PIECE_KINDS.iter().map(ToString::to_string).collect();
        kinds.extend(self.manifest_list("piece-kinds"));
        kinds
    }

    fn manifest_list(&self, key: &str) -> Vec<String> {
        let list = self.catalog.get(&format!("game.{key}")).and_then(tree::Node::as_array);
        list.into_iter().flatten().filter_map(|node| node.as_str().map(str::to_string)).collect()
    }

    pub fn data_kinds(&self) -> Vec<String> {
        self.manifest_list("data-kinds")
    }

    /// Reports a name that refers to nothing.
    pub fn unknown<'n>(
        &mut self,
        place: Origin,
        message: String,
        wrong: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) {
        let help = did_you_mean(wrong, names);
        self.out.push(Diagnostic::error(&codes::UNKNOWN_REFERENCE, place, message).help(help));
    }

    fn manifest(&mut self) {
        if let Some(node) = self.catalog.root.get("game")
            && let Some(row) = Row::new("game", node, &mut self.out)
        {
            row.unknown_keys(keys::GAME, &mut self.out);
        }
    }

    fn sides(&mut self, world: &mut World) {
        let rows: Vec<(&str, &tree::Node)> = self.catalog.rows("side").collect();
        let listed = self.manifest_list("sides");
        let ids: Vec<String> =
            if listed.is_empty() { rows.iter().map(|(id, _)| (*id).to_string()).collect() } else { listed };
        if ids.len() > SIDES {
            let place = self.catalog.get("game.sides").or_else(|| self.catalog.get("side"));
            let message = format!("there are {} sides; expected at most {SIDES}", ids.len());
            self.out.push(match place {
                Some(node) => Diagnostic::error(&codes::TOO_MANY_SIDES, node.origin, message),
                None => Diagnostic::placeless(&codes::TOO_MANY_SIDES, message),
            });
        }
        for (at, id) in ids.iter().enumerate() {
            let row = self.catalog.row("side", id);
            let text = |key: &str| row.and_then(|row| row.get(key)).and_then(tree::Node::as_str);
            let sym = world.symbols.intern(id);
            let name = text("name").unwrap_or(id).to_string();
            let team = world.symbols.intern(text("team").unwrap_or(id));
            world.sides.push((sym, name, team));
            if let Ok(seat) = u8::try_from(at) {
                world.names.insert(sym, Named::Side(sandtable_kernel::world::SideId(seat)));
            }
        }
        for (id, row) in rows {
            if !ids.iter().any(|known| known == id) {
                let message = format!("side.{id} is not listed in game.sides");
                self.unknown(row.origin, message, id, ids.iter().map(String::as_str));
            }
        }
    }

    fn unknown_kinds(&mut self) {
        let mut known: Vec<String> = keys::KINDS.iter().map(ToString::to_string).collect();
        known.extend(self.piece_kinds());
        known.extend(self.data_kinds());
        let Some(root) = self.catalog.root.as_table() else { return };
        for (kind, node) in root.iter() {
            if !known.iter().any(|other| other == kind) {
                let names = || known.iter().map(String::as_str).chain(OPERATIONS);
                // Kinds are in the singular.
                let help = did_you_mean(kind, names())
                    .or_else(|| did_you_mean(kind.strip_suffix('s')?, names()))
                    .or_else(|| {
                        kind.strip_suffix('s')
                            .filter(|kind| names().any(|name| name == *kind))
                            .map(|kind| format!("did you mean `{kind}`?"))
                    });
                let message = format!("`{kind}` is not a kind of table");
                self.out.push(Diagnostic::error(&codes::UNKNOWN_KIND, node.origin, message).help(help));
            }
        }
    }

    /// Reads the name of a type: a word, or a table with `enum`.
    pub fn read_type(&mut self, world: &mut World, node: &tree::Node, what: &str) -> Type {
        let whole = Type::Int { min: i32::MIN, max: i32::MAX };
        if let Some(values) = node.get("enum").and_then(tree::Node::as_array) {
            let names = values.iter().filter_map(tree::Node::as_str).map(|value| world.symbols.intern(value));
            return Type::Enum(names.collect());
        }
        match node.as_str() {
            Some("bool") => Type::Bool,
            Some("int") => whole,
            Some("text") => Type::Text,
            Some("side") => Type::Side,
            Some("piece") => Type::Piece,
            Some("space") => Type::Space,
            Some("pieces") => Type::List(Box::new(Type::Piece)),
            Some("spaces") => Type::List(Box::new(Type::Space)),
            Some("texts") => Type::List(Box::new(Type::Text)),
            Some("sides") => Type::List(Box::new(Type::Side)),
            Some("ints") => Type::List(Box::new(whole)),
            other => {
                if let Some(name) = other
                    && let Some(at) = self.catalog.rows("record").position(|(id, _)| id == name)
                {
                    let first = sandtable_kernel::state::TableId::FIRST_RECORD.0;
                    return Type::Record(sandtable_kernel::state::TableId(
                        first + u16::try_from(at).unwrap_or(0),
                    ));
                }
                let message = format!("the type of {what} is {}; expected a type", node.value.brief());
                let help = other.and_then(|wrong| did_you_mean(wrong, keys::TYPES.iter().copied()));
                self.out.push(Diagnostic::error(&codes::UNKNOWN_TYPE, node.origin, message).help(help));
                Type::Text
            }
        }
    }
}

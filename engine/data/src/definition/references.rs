//! Declared references: fields whose texts name something, such as `brings = { type = "text", of = "unit" }`.

use super::{Builder, codes, keys};
use crate::catalog::Catalog;
use crate::diagnostic::Diagnostic;
use crate::origin::Origin;
use crate::suggest::{alternatives, did_you_mean};
use crate::tree::{Node, Table, Value};
use crate::tree_read::{Row, expect_str, unknown_keys};
use sandtable_kernel::world::World;
use std::collections::BTreeSet;

/// A text in the tables of a game that is declared to name something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedText {
    /// What messages call it: `` `brings` of card.drums ``.
    pub owner: String,
    /// The text.
    pub text: String,
    /// Where it stands.
    pub origin: Origin,
}

/// A declaration that the texts of a field, an attribute or a figure name something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The field, attribute, key or figure.
    pub field: String,
    /// What it names: a kind of rows, `piece`, `space`, `effect`, or `table.ID` for the rows of a table.
    pub of: String,
    /// Where that is declared.
    pub declared: Origin,
    /// The texts that rows and defaults give.
    pub given: Vec<NamedText>,
}

/// The ids that a reference may name; nothing for effects, which only scripts know.
pub fn names(catalog: &Catalog, world: &World, of: &str) -> Option<BTreeSet<String>> {
    let ids = |kind: &str| catalog.rows(kind).map(|row| row.0.to_string()).collect::<BTreeSet<String>>();
    Some(match of {
        "effect" => return None,
        "piece" => {
            world.components.iter().map(|component| world.symbols.text(component.id).to_string()).collect()
        }
        "space" => world.spaces.iter().map(|space| world.symbols.text(space.id).to_string()).collect(),
        "side" => world.sides.iter().map(|side| world.symbols.text(side.0).to_string()).collect(),
        _ => match of.strip_prefix("table.") {
            Some(table) => {
                let rows = catalog.row("table", table).and_then(|table| table.get("rows"));
                rows.and_then(Node::as_table).into_iter().flat_map(Table::keys).map(str::to_string).collect()
            }
            None => ids(of),
        },
    })
}

/// `infantry.3` is one of the pieces of the row `infantry`.
pub fn row_of(text: &str) -> &str {
    text.rsplit_once('.').filter(|(_, n)| n.parse::<u32>().is_ok()).map_or(text, |(id, _)| id)
}

/// Reads the declarations, and reports texts that name nothing.
pub(super) fn read(b: &mut Builder<'_>, world: &World) -> Vec<Reference> {
    let mut found = Vec::new();
    let catalog = b.catalog;
    let pieces = b.piece_kinds();
    let data = b.data_kinds();
    let declared = |root: &str| {
        let table = catalog.root.get(root).and_then(Node::as_table);
        table.into_iter().flat_map(Table::iter).filter_map(|(kind, node)| Some((kind, node.as_table()?)))
    };
    let rows = |kind: &str| -> Vec<(String, &Node)> {
        let kinds: Vec<&str> = match kind {
            "piece" => pieces.iter().map(String::as_str).collect(),
            "space" => keys::SPACE_KINDS.to_vec(),
            kind => vec![kind],
        };
        let rows = kinds.iter().flat_map(|kind| catalog.rows(kind).map(move |row| (*kind, row)));
        rows.map(|(kind, (id, row))| (format!("{kind}.{id}"), row)).collect()
    };
    for (kind, fields) in declared("field") {
        if !["piece", "space", "side", "value"].contains(&kind) && !data.iter().any(|other| other == kind) {
            let place = catalog.root.get("field").and_then(|all| all.get(kind));
            let message =
                format!("field.{kind}: fields belong to piece, space, side, value or a kind of plain data");
            let names =
                ["piece", "space", "side", "value"].into_iter().chain(data.iter().map(String::as_str));
            b.unknown(place.map_or(Origin::default(), |node| node.origin), message, kind, names);
            continue;
        }
        for (field, node) in fields.iter() {
            let what = format!("field.{kind}.{field}");
            b.known(node, &what, keys::FIELD);
            // Figures and plain data are what they are; all that can be said of them is what they name.
            if !["piece", "space", "side"].contains(&kind) {
                Row::new(what.clone(), node, &mut b.out).and_then(|row| row.need("of", &mut b.out));
            }
            let Some((of, declared)) = b.of(world, node, &what) else { continue };
            let given = match kind {
                "value" => figures(b, field, node.origin),
                kind => rows(kind).iter().flat_map(|(owner, row)| texts(owner, row, field)).collect(),
            };
            found.push(Reference { field: field.to_string(), of, declared, given });
        }
    }
    for (root, kind, field, node) in ["attribute", "record"].iter().flat_map(|root| {
        declared(root).flat_map(move |(kind, all)| all.iter().map(move |(f, n)| (*root, kind, f, n)))
    }) {
        let what = format!("{root}.{kind}.{field}");
        let Some((of, declared)) = b.of(world, node, &what) else { continue };
        let mut given = Vec::new();
        if let Some(default) = node.get("default") {
            collect(default, &format!("`default` of {what}"), true, &mut given);
        }
        if root == "attribute" && kind != "game" {
            given.extend(rows(kind).iter().flat_map(|(owner, row)| texts(owner, row, field)));
        }
        found.push(Reference { field: field.to_string(), of, declared, given });
    }
    for reference in &found {
        b.named(world, reference);
    }
    found
}

/// The texts of a field of a row and of its rungs.
fn texts(owner: &str, row: &Node, field: &str) -> Vec<NamedText> {
    let rungs = row.get("levels").and_then(Node::as_array).unwrap_or_default();
    let mut given = Vec::new();
    for node in std::iter::once(row).chain(rungs).filter_map(|row| row.get(field)) {
        collect(node, &format!("`{field}` of {owner}"), true, &mut given);
    }
    given
}

/// The texts of a figure, or of the key of that name in all figures that have it.
fn figures(b: &mut Builder<'_>, name: &str, place: Origin) -> Vec<NamedText> {
    let mut given = Vec::new();
    let mut there = false;
    for (id, row) in b.catalog.rows("value") {
        let row = row.get("is").unwrap_or(row);
        let (owner, node) = match row.get(name) {
            _ if id == name => (format!("value.{id}"), Some(row)),
            node => (format!("`{name}` of value.{id}"), node),
        };
        if let Some(node) = node {
            there = true;
            collect(node, &owner, false, &mut given);
        }
    }
    if !there {
        let ids = b.catalog.rows("value").map(|row| row.0);
        let keys = b.catalog.rows("value").filter_map(|(_, row)| row.as_table()).flat_map(Table::keys);
        let names: Vec<&str> = ids.chain(keys).collect();
        b.unknown(place, format!("field.value.{name}: no value has this id or key"), name, names);
    }
    given
}

/// The texts of a value. An empty text and `none` are how data says that there is nothing. Digits in a CSV file are read as a
/// number; in a figure a number is one.
fn collect(node: &Node, owner: &str, digits: bool, given: &mut Vec<NamedText>) {
    let mut take =
        |text: String| given.push(NamedText { owner: owner.to_string(), text, origin: node.origin });
    match &node.value {
        Value::Str(text) if !text.is_empty() && text != "none" => take(text.clone()),
        Value::Int(n) if digits => take(n.to_string()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, owner, digits, given)),
        Value::Table(table) => {
            let entries =
                table.iter().filter(|(key, _)| !["rule", "source", "sources", "note"].contains(key));
            entries.for_each(|(_, item)| collect(item, owner, digits, given));
        }
        _ => {}
    }
}

impl Builder<'_> {
    fn known(&mut self, node: &Node, what: &str, keys: &[&str]) {
        if let Some(table) = node.as_table().filter(|table| table.contains("type") || table.contains("of")) {
            unknown_keys(table, what, keys, &mut self.out);
        }
    }

    /// What a declaration says that its texts name, if it says so and there can be such things.
    fn of(&mut self, world: &World, node: &Node, what: &str) -> Option<(String, Origin)> {
        let declared = node.get("of")?;
        let of = expect_str(declared, format!("`of` of {what}"), &mut self.out)?;
        if let Some(ty) =
            node.get("type").filter(|ty| !ty.as_str().is_some_and(|ty| keys::NAMING.contains(&ty)))
        {
            let message = format!("`of` of {what}: only {} name something", alternatives(keys::NAMING));
            self.out.push(Diagnostic::error(&codes::UNKNOWN_TYPE, ty.origin, message));
            return None;
        }
        let mut kinds: Vec<String> = keys::REFERRED.iter().map(ToString::to_string).collect();
        kinds.extend(self.piece_kinds());
        kinds.extend(self.data_kinds());
        kinds.extend(self.catalog.rows("table").map(|row| format!("table.{}", row.0)));
        if !kinds.iter().any(|kind| kind == of) {
            let message = format!("`of` of {what} is `{of}`; expected what its texts name");
            let help = did_you_mean(of, kinds.iter().map(String::as_str))
                .unwrap_or_else(|| format!("one of {}, or table.ID for its rows", keys::REFERRED.join(", ")));
            self.out.push(Diagnostic::error(&codes::UNKNOWN_TYPE, declared.origin, message).help(help));
            return None;
        }
        // Nothing of this kind could be read: that is said elsewhere.
        let none = names(self.catalog, world, of).is_some_and(|names| names.is_empty());
        (!none || self.catalog.root.get(of).is_some()).then(|| (of.to_string(), declared.origin))
    }

    /// Reports the texts of a reference that name nothing; a text that many rows inherit, once.
    fn named(&mut self, world: &World, reference: &Reference) {
        let Some(names) = names(self.catalog, world, &reference.of) else { return };
        let mut seen = BTreeSet::new();
        for NamedText { owner, text, origin } in &reference.given {
            let known = names.contains(text) || names.contains(row_of(text));
            if known || !seen.insert((origin.span(), text)) {
                continue;
            }
            let what = match reference.of.strip_prefix("table.") {
                Some(table) => format!("row of table.{table}"),
                None => reference.of.clone(),
            };
            self.out.push(
                Diagnostic::error(
                    &codes::UNKNOWN_REFERENCE,
                    *origin,
                    format!("{owner} is `{text}`; there is no such {what}"),
                )
                .help(did_you_mean(text, names.iter().map(String::as_str)))
                .label(reference.declared, "declared here"),
            );
        }
    }
}

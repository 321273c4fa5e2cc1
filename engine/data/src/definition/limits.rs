//! Limits: `[limit.NAME]` says how many pieces may stand together in one space, and at which moments that must hold.

use super::cells::{Found, columns, find};
use super::sequence::Sequence;
use super::{Builder, codes, keys};
use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;
use crate::tree::{Node, Table, Value};
use crate::tree_read::{Row, expect_bool, expect_id, expect_str, wrong_type};
use sandtable_kernel::limit::{Compare, Figure, Limit, Most, Trait, Weight};
use sandtable_kernel::state::{TableId, Type};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Datum, Named, World};
use std::collections::BTreeSet;

/// What `most` may be.
const MOST: &str = "a number, the id of a value, { field = FIELD } or { query = QUERY, least = NUMBER }";

/// Reads all limits; fields, values and the sequence of play must have been read before.
pub(super) fn read(b: &mut Builder<'_>, world: &mut World, sequence: &Sequence) {
    let rows: Vec<(&str, &Node)> = b.catalog.rows("limit").filter(|(id, _)| *id != "source").collect();
    for (id, node) in rows {
        let Some(row) = Row::new(format!("limit.{id}"), node, &mut b.out) else { continue };
        row.unknown_keys(keys::LIMIT, &mut b.out);
        let of = row.need("of", &mut b.out).map(|node| traits(b, world, &row, node)).unwrap_or_default();
        let most = row.need("most", &mut b.out).and_then(|node| most(b, world, &row, node));
        let weight = row.get("count").map_or(Some(Weight::One), |node| weight(b, world, &row, node));
        let together = row.word("per", keys::LIMIT_PER, &mut b.out) == Some("all");
        let moments = moments(b, world, &row, sequence);
        let over = over(b, world, &row, &moments);
        let (Some(most), Some(weight)) = (most, weight) else { continue };
        let limit = Limit {
            id: world.symbols.intern(id),
            of,
            weight,
            most,
            together,
            events: moments.iter().filter(|moment| moment.is_event).map(|moment| moment.sym).collect(),
            procedures: moments.iter().filter(|moment| !moment.is_event).map(|moment| moment.sym).collect(),
            over,
            rules: rules(&row),
            place: place(b, node),
            layer: node.origin.layer.0,
        };
        world.limits.push(limit);
    }
}

/// A moment at which a limit must hold.
struct Moment {
    name: String,
    /// The event at the end of a node of the sequence of play, or a procedure.
    sym: Sym,
    is_event: bool,
}

fn moments(b: &mut Builder<'_>, world: &mut World, row: &Row<'_>, sequence: &Sequence) -> Vec<Moment> {
    let Some(at) = row.need("at", &mut b.out) else { return Vec::new() };
    if at.as_array().is_some_and(<[Node]>::is_empty) {
        bad(b, at, format!("`at` of {} names no moment", row.name()));
    }
    let mut moment = |name: String| {
        let is_event = sequence.find(&name).is_some();
        let sym = world.symbols.intern(&if is_event { format!("{name}.end") } else { name.clone() });
        Moment { name, sym, is_event }
    };
    row.ids("at", &mut b.out).into_iter().map(&mut moment).collect()
}

/// The procedures that mend what is over: one for all moments, or a table of them by moment.
fn over(b: &mut Builder<'_>, world: &mut World, row: &Row<'_>, moments: &[Moment]) -> Vec<(Sym, Sym)> {
    let Some(node) = row.get("over") else { return Vec::new() };
    let what = format!("`over` of {}", row.name());
    let mut found = Vec::new();
    for moment in moments {
        let by = if node.as_table().is_some() { node.get(&moment.name) } else { Some(node) };
        let Some(by) = by else { continue };
        let Some(name) = expect_str(by, &what, &mut b.out) else { break };
        if let Some(own) = moments.iter().find(|moment| moment.name == name) {
            bad(b, by, format!("{} must hold after `{}`, which is there to mend it", row.name(), own.name));
            break;
        }
        found.push((moment.sym, world.symbols.intern(name)));
    }
    for (name, entry) in node.as_table().into_iter().flat_map(Table::entries) {
        if !moments.iter().any(|moment| moment.name == name) {
            let message = format!("{what} speaks of `{name}`, which is not a moment in `at`");
            let help = did_you_mean(name, moments.iter().map(|moment| moment.name.as_str()));
            b.out.push(Diagnostic::error(&codes::BAD_LIMIT, entry.key, message).help(help));
        }
    }
    found
}

fn bad(b: &mut Builder<'_>, node: &Node, message: String) {
    b.out.push(Diagnostic::error(&codes::BAD_LIMIT, node.origin, message));
}

fn rules(row: &Row<'_>) -> Vec<String> {
    let Some(rule) = row.get("rule") else { return Vec::new() };
    let items = rule.as_array().unwrap_or(std::slice::from_ref(rule));
    items.iter().filter_map(Node::as_str).map(str::to_string).collect()
}

/// File and line, as errors of scripts name them.
fn place(b: &Builder<'_>, node: &Node) -> String {
    let sources = &b.catalog.sources;
    let line = sources.get(node.origin.file).map_or(1, |file| file.position(node.origin.start).line);
    format!("{}:{line}", sources.path(node.origin.file))
}

/// The filter of the pieces that count.
fn traits(b: &mut Builder<'_>, world: &mut World, row: &Row<'_>, node: &Node) -> Vec<Trait> {
    let Some(filter) = row.row("of", &mut b.out) else { return Vec::new() };
    let mut traits: Vec<Trait> = filter
        .table()
        .entries()
        .filter_map(|(key, entry)| {
            let what = format!("`{key}` in `of` of {}", row.name());
            let mode = keys::FILTER_MODES.iter().find(|mode| key.starts_with(**mode)).copied();
            let known = keys::FILTER_WORDS.contains(&key) || find(world, TableId::PIECE, key).is_some();
            // A field may begin as a mode does.
            let (name, mode) = match mode {
                Some(mode) if !known => (&key[mode.len()..], mode),
                _ => (key, ""),
            };
            let (name, mode) = match name {
                "not_at" | "not_has" => (&name["not_".len()..], "not_"),
                name => (name, mode),
            };
            let Some(cells) = cells(b, world, name, mode, &entry.node, &what) else {
                let names =
                    columns(world, TableId::PIECE).into_iter().chain(keys::FILTER_WORDS.iter().copied());
                let message = format!("{what}: pieces have no `{name}`");
                let help = did_you_mean(name, names);
                b.out.push(Diagnostic::error(&codes::UNKNOWN_REFERENCE, entry.key, message).help(help));
                return None;
            };
            let how = match mode {
                "min_" => Compare::AtLeast,
                "max_" => Compare::AtMost,
                _ => Compare::Among,
            };
            Some(Trait { name: world.symbols.intern(name), how, not: mode == "not_", cells })
        })
        .collect();
    // Boxes and piles hold what they hold, unless a limit speaks of places itself.
    if !["at", "on_map"].iter().any(|key| node.get(key).is_some()) {
        let name = world.symbols.intern("on_map");
        traits.push(Trait { name, how: Compare::Among, not: false, cells: vec![1] });
    }
    traits
}

/// The cells that a condition compares with; nothing if there is no such field.
fn cells(
    b: &mut Builder<'_>,
    world: &mut World,
    name: &str,
    mode: &str,
    node: &Node,
    what: &str,
) -> Option<Vec<i32>> {
    let whole = Type::Int { min: i32::MIN, max: i32::MAX };
    let ty = match name {
        "on_map" => return Some(expect_bool(node, what, &mut b.out).map(i32::from).into_iter().collect()),
        "kind" | "type" => return Some(named(b, world, name, node, what)),
        "has" => Type::Text,
        "at" => Type::Space,
        "steps_left" => whole,
        name => find(world, TableId::PIECE, name)?.ty().clone(),
    };
    if ["min_", "max_"].contains(&mode) && !matches!(ty, Type::Int { .. }) {
        wrong_type(node, what, "the name of a number after `min_` or `max_`", &mut b.out);
        return Some(Vec::new());
    }
    Some(b.cells(world, &ty, node, what))
}

/// Kinds of pieces, or rows of the component list.
fn named(b: &mut Builder<'_>, world: &mut World, name: &str, node: &Node, what: &str) -> Vec<i32> {
    let items = node.as_array().unwrap_or(std::slice::from_ref(node));
    let mut found = Vec::new();
    for item in items {
        let Some(id) = expect_id(item, what, &mut b.out) else { continue };
        let sym = world.symbols.get(&id);
        let (fits, of) = match name {
            "kind" => {
                (world.components.iter().any(|component| Some(component.kind) == sym), "kind of pieces")
            }
            _ => {
                let named = sym.and_then(|sym| world.names.get(&sym));
                (matches!(named, Some(Named::Component(_))), "row of the component list")
            }
        };
        if fits {
            found.push(world.symbols.intern(&id).cell());
            continue;
        }
        let known = world
            .components
            .iter()
            .map(|component| if name == "kind" { component.kind } else { component.id });
        let known: BTreeSet<&str> = known.map(|sym| world.symbols.text(sym)).collect();
        b.unknown(item.origin, format!("{what} is `{id}`; there is no such {of}"), &id, known);
    }
    found
}

/// The field or attribute of pieces that is added up.
fn weight(b: &mut Builder<'_>, world: &World, row: &Row<'_>, node: &Node) -> Option<Weight> {
    let what = format!("`count` of {}", row.name());
    let name = expect_str(node, &what, &mut b.out)?;
    match b.column(world, TableId::PIECE, node, name, &what)? {
        Found::Attribute(col, Type::Int { .. }) => Some(Weight::Attribute(col)),
        Found::Field(col, Type::Int { .. }) => Some(Weight::Field(col)),
        _ => {
            bad(b, node, format!("{what}: `{name}` of pieces is not a number"));
            None
        }
    }
}

/// How much may stand in a space.
fn most(b: &mut Builder<'_>, world: &mut World, row: &Row<'_>, node: &Node) -> Option<Most> {
    let what = format!("`most` of {}", row.name());
    let Value::Table(_) = &node.value else {
        return figure(b, world, node, &what, MOST).map(Most::Everywhere);
    };
    let table = Row::new(what.clone(), node, &mut b.out)?;
    match (table.get("field"), table.get("query")) {
        (Some(field), None) => {
            table.unknown_keys(&["field"], &mut b.out);
            let name = expect_str(field, &what, &mut b.out)?;
            match b.column(world, TableId::SPACE, field, name, &what)? {
                Found::Attribute(col, Type::Int { .. }) => Some(Most::Attribute(col)),
                Found::Field(col, Type::Int { .. }) => Some(Most::Field(col)),
                _ => {
                    bad(b, field, format!("{what}: `{name}` of spaces is not a number"));
                    None
                }
            }
        }
        (None, Some(query)) => {
            table.unknown_keys(&["query", "least"], &mut b.out);
            let name = expect_str(query, &what, &mut b.out)?;
            let least = table.need("least", &mut b.out)?;
            let least = figure(b, world, least, &what, "a number, or the id of a value")?;
            Some(Most::Query(world.symbols.intern(name), least))
        }
        _ => {
            wrong_type(node, what, MOST, &mut b.out);
            None
        }
    }
}

/// A number, or the id of a value that is one: `stack` or, in a table of them, `stack.units`.
fn figure(b: &mut Builder<'_>, world: &mut World, node: &Node, what: &str, expected: &str) -> Option<Figure> {
    let text = match &node.value {
        Value::Int(n) if *n >= 0 => return i32::try_from(*n).ok().map(Figure::Number),
        Value::Str(text) => text,
        _ => {
            wrong_type(node, what, expected, &mut b.out);
            return None;
        }
    };
    let value = |id: &str| world.symbols.get(id).and_then(|sym| world.values.get(&sym));
    // Ids of values may hold dots.
    if let Some(Datum::Int(_)) = value(text) {
        return Some(Figure::Value(world.symbols.intern(text), None));
    }
    let parts = text.rsplit_once('.');
    if let Some((id, key)) = parts
        && let Some(Datum::Table(entries)) = value(id)
        && entries.iter().any(|(name, datum)| name == key && matches!(datum, Datum::Int(_)))
    {
        return Some(Figure::Value(world.symbols.intern(id), Some(key.to_string())));
    }
    let numbers = |(id, datum): (&Sym, &Datum)| -> Vec<String> {
        let id = world.symbols.text(*id);
        match datum {
            Datum::Int(_) => vec![id.to_string()],
            Datum::Table(entries) => {
                let numbers = entries.iter().filter(|(_, datum)| matches!(datum, Datum::Int(_)));
                numbers.map(|(key, _)| format!("{id}.{key}")).collect()
            }
            _ => Vec::new(),
        }
    };
    let names: BTreeSet<String> = world.values.iter().flat_map(numbers).collect();
    let message = format!("{what} is \"{text}\"; no value of that id is a number");
    b.unknown(node.origin, message, text, names.iter().map(String::as_str));
    None
}

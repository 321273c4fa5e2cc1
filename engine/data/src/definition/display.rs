//! How a table draws the game: `[display.…]` tables, checked here and handed on as JSON; nothing in play depends on them.
//!
//! A text of these tables may be a choice, `{ by = FIELD, WORD = TEXT, otherwise = TEXT }`: what a field of the piece or space says.

use super::{Builder, codes, keys};
use crate::catalog::Catalog;
use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;
use crate::tree::{Node, Table, Value};
use crate::tree_read::{Row, expect_word};
use sandtable_kernel::state::TableId;
use sandtable_kernel::world::{Named, World};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// Checks the tables and returns them: rows as lists in the order of the files, each with its `id`.
pub(super) fn read(b: &mut Builder<'_>, world: &World) -> Json {
    let mut display = serde_json::Map::new();
    let common = symbols();
    let known = Known::of(b.catalog, world, &common);
    let tables = b.catalog.root.get("display").and_then(Node::as_table);
    for (table, node) in tables.into_iter().flat_map(Table::iter) {
        let Some((_, allowed)) = keys::DISPLAY.iter().find(|(name, _)| *name == table) else {
            let message = format!("`display.{table}` is not a table of the display");
            let help = did_you_mean(table, keys::DISPLAY.iter().map(|(name, _)| *name));
            b.out.push(Diagnostic::error(&codes::UNKNOWN_KIND, node.origin, message).help(help));
            continue;
        };
        let Some(rows) = Row::new(format!("display.{table}"), node, &mut b.out) else { continue };
        if table == "map" {
            check(b, &known, table, &rows, allowed);
            display.insert(table.into(), json(node));
            continue;
        }
        let mut list = Vec::new();
        for (id, node) in rows.table().iter() {
            let Some(row) = Row::new(format!("display.{table}.{id}"), node, &mut b.out) else { continue };
            refers(b, world, &known, table, id, node);
            if let Some(near) = row.id("near", &mut b.out)
                && !matches!(named(world, &near), Some(Named::Space(_)))
                && !b.left_out.contains(&near)
            {
                let message = format!("`near` of {} is `{near}`, which is not a space", row.name());
                let spaces = world.spaces.iter().map(|space| world.symbols.text(space.id));
                b.unknown(row.origin(), message, &near, spaces);
            }
            check(b, &known, table, &row, allowed);
            let mut row = json(node);
            if let Some(row) = row.as_object_mut() {
                row.insert("id".into(), json!(id));
            }
            list.push(row);
        }
        display.insert(table.into(), Json::Array(list));
    }
    if let Some(drawn) = display.entry("symbol").or_insert_with(|| json!([])).as_array_mut() {
        let own: BTreeSet<String> =
            drawn.iter().filter_map(|row| row["id"].as_str().map(str::to_string)).collect();
        drawn.extend(common.into_iter().filter(|(id, _)| !own.contains(id)).map(|(id, mut row)| {
            row["id"] = json!(id);
            row
        }));
    }
    Json::Object(display)
}

/// The symbols that every game has: the page draws them like those of a game.
fn symbols() -> BTreeMap<String, Json> {
    // A test reads the file; it cannot be broken where this runs.
    toml::from_str(include_str!("symbols.toml")).unwrap_or_default()
}

/// The names that display tables may use.
struct Known {
    space: BTreeSet<String>,
    piece: BTreeSet<String>,
    features: BTreeSet<String>,
    networks: BTreeSet<String>,
    prompts: BTreeSet<String>,
    /// Drawings: those of every game, and the game's own.
    symbols: BTreeSet<String>,
}

impl Known {
    fn of(catalog: &Catalog, world: &World, common: &BTreeMap<String, Json>) -> Known {
        // The files are asked, not the board: a scenario may leave out the only hexes with a feature.
        let said = |catalog: &Catalog, kind: &str, key: &str| {
            let values = catalog.rows(kind).filter_map(|(_, row)| row.get(key));
            let words = values.flat_map(|node| match node.as_array() {
                Some(list) => list.iter().collect(),
                None => vec![node],
            });
            words.filter_map(Node::as_str).map(str::to_string).collect()
        };
        let drawn =
            catalog.root.get("display").and_then(|tables| tables.get("symbol")).and_then(Node::as_table);
        let text = |sym| world.symbols.text(sym).to_string();
        let columns = |table: TableId| {
            let columns = &world.schema.tables[table.0 as usize].columns;
            columns.iter().map(|column| text(column.name)).filter(|name| !name.is_empty())
        };
        let own = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<String>>();
        let mut space = own(&["id", "kind", "name", "side"]);
        space.extend(columns(TableId::SPACE));
        space.extend(world.space_fields.columns.iter().map(|(name, _)| text(*name)));
        let mut piece = own(&["id", "kind", "type", "name", "side", "level", "levels", "facing"]);
        piece.extend(columns(TableId::PIECE));
        piece.extend(world.piece_fields.columns.iter().map(|(name, _)| text(*name)));
        Known {
            space,
            piece,
            features: said(catalog, "border", "feature"),
            networks: said(catalog, "link", "kind"),
            prompts: catalog.rows("prompt").map(|(id, _)| id.to_string()).collect(),
            symbols: drawn
                .into_iter()
                .flat_map(Table::keys)
                .map(str::to_string)
                .chain(common.keys().cloned())
                .collect(),
        }
    }

    /// The drawings that a row may name: plain marks, and symbols.
    fn drawings<'a>(&'a self, common: &[&'a str]) -> Vec<&'a str> {
        common.iter().copied().chain(self.symbols.iter().map(String::as_str)).collect()
    }
}

fn named<'w>(world: &'w World, id: &str) -> Option<&'w Named> {
    world.symbols.get(id).and_then(|sym| world.names.get(&sym))
}

/// Reports a row about something that does not exist.
fn refers(b: &mut Builder<'_>, world: &World, known: &Known, table: &str, id: &str, node: &Node) {
    let named = named(world, id);
    let fine = match table {
        "side" => matches!(named, Some(Named::Side(_))),
        "place" | "area" => matches!(named, Some(Named::Space(_))),
        "border" => known.features.contains(id),
        "link" => known.networks.contains(id),
        "prompt" => known.prompts.contains(id),
        _ => true,
    };
    if fine {
        return;
    }
    let message = format!("display.{table}.{id}: there is no such {table}");
    let names: Vec<&str> = match table {
        "border" => known.features.iter().map(String::as_str).collect(),
        "link" => known.networks.iter().map(String::as_str).collect(),
        "prompt" => known.prompts.iter().map(String::as_str).collect(),
        "side" => world.sides.iter().map(|side| world.symbols.text(side.0)).collect(),
        _ => world.spaces.iter().map(|space| world.symbols.text(space.id)).collect(),
    };
    b.unknown(node.origin, message, id, names);
}

fn check(b: &mut Builder<'_>, known: &Known, table: &str, row: &Row<'_>, allowed: &[&str]) {
    row.unknown_keys(allowed, &mut b.out);
    let fields = match table {
        "counter" | "card" | "badge" => &known.piece,
        _ => &known.space,
    };
    for (key, node) in row.table().iter() {
        let what = format!("`{key}` of {}", row.name());
        match key {
            "when" => {
                let Some(conditions) = row.row(key, &mut b.out) else { continue };
                let names: Vec<&str> = fields.iter().map(String::as_str).collect();
                conditions.unknown_keys(&names, &mut b.out);
            }
            "pattern" => words(b, fields, node, &what, keys::DISPLAY_PATTERNS),
            "style" => words(b, fields, node, &what, keys::DISPLAY_STYLES),
            "mark" => words(b, fields, node, &what, &known.drawings(keys::DISPLAY_MARKS)),
            "symbol" => words(b, fields, node, &what, &known.drawings(&["none"])),
            "shape" => words(b, fields, node, &what, keys::DISPLAY_SHAPES),
            "tone" => words(b, fields, node, &what, keys::DISPLAY_TONES),
            "form" => words(b, fields, node, &what, keys::DISPLAY_FORMS),
            _ => words(b, fields, node, &what, &[]),
        }
    }
}

/// Checks a text, or each text of a choice, against the known words; no list means that any text will do.
fn words(b: &mut Builder<'_>, fields: &BTreeSet<String>, node: &Node, what: &str, list: &[&str]) {
    match &node.value {
        Value::Table(choice) => {
            by(b, fields, choice, node, what);
            for (key, node) in choice.iter().filter(|(key, _)| *key != "by") {
                words(b, fields, node, &format!("`{key}` in {what}"), list);
            }
        }
        Value::Str(text) if !list.is_empty() && text.split(' ').any(|word| !list.contains(&word)) => {
            expect_word(node, what, list, &mut b.out);
        }
        _ => {}
    }
}

fn by(b: &mut Builder<'_>, fields: &BTreeSet<String>, choice: &Table, node: &Node, what: &str) {
    match choice.get("by").map(|by| (by, by.as_str())) {
        Some((_, Some(name))) if fields.contains(name) => {}
        Some((by, name)) => {
            let message = format!("{what} goes by {}, which is not a field", by.value.brief());
            b.unknown(by.origin, message, name.unwrap_or_default(), fields.iter().map(String::as_str));
        }
        None => {
            let message = format!("{what} is a choice without `by`");
            b.out.push(Diagnostic::error(&codes::BAD_DISPLAY, node.origin, message));
        }
    }
}

fn json(node: &Node) -> Json {
    match &node.value {
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Str(text) | Value::Float(text) => json!(text),
        Value::Array(items) => Json::Array(items.iter().map(json).collect()),
        Value::Table(table) => {
            Json::Object(table.iter().map(|(key, node)| (key.to_string(), json(node))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog;
    use crate::definition::build;
    use crate::package::MemoryFiles;
    use crate::package_search::SearchPath;

    const GAME: &str = "
[game]
id = 'duel'
title = 'Duel'
version = '1.0'
sides = ['red', 'blue']
[field.piece]
arm = { type = 'text' }
[sequence.game]
steps = ['start']
[box.field]
name = 'Field'
[unit.horse]
arm = 'horse'
[prompt.turn]
text = 'Where does it look?'
";

    fn display(text: &str) -> (String, Vec<String>) {
        let files =
            MemoryFiles::new().with("rules/duel/game.toml", GAME).with("rules/duel/display.toml", text);
        let (catalog, _) = catalog::load("duel", &[], &[], &SearchPath::new().with(files));
        let (built, problems) = build(&catalog, Some(""), &[]);
        let messages = problems.iter().map(|problem| problem.message.clone()).collect();
        let own = |built: crate::definition::Definition| {
            let mut display = built.display;
            // The symbols of every game are looked at below.
            display.as_object_mut().map(|tables| tables.remove("symbol"));
            display.to_string()
        };
        (built.map_or_else(String::new, own), messages)
    }

    #[test]
    fn rows_become_lists_in_the_order_of_the_file() {
        let (json, problems) = display(
            "[display.counter.unit]\nwhen = { kind = 'unit' }\nsymbol = { by = 'arm', horse = 'cavalry tracks' }
             [display.counter.a]\nwhen = { arm = 'x' }\n[display.side.red]\ncolour = '#a00000'
             [display.prompt.turn]\nfacing = 'unit'",
        );
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(
            json,
            r##"{"counter":[{"id":"unit","symbol":{"by":"arm","horse":"cavalry tracks"},"when":{"kind":"unit"}},{"id":"a","when":{"arm":"x"}}],"prompt":[{"facing":"unit","id":"turn"}],"side":[{"colour":"#a00000","id":"red"}]}"##
        );
    }

    #[test]
    fn every_game_has_the_common_symbols_and_may_draw_its_own_instead() {
        let common = super::symbols();
        assert!(common.len() > 20, "the file can be read");
        let keys =
            super::keys::DISPLAY.iter().find(|(table, _)| *table == "symbol").map_or(&[][..], |row| row.1);
        for (id, row) in &common {
            let row = row.as_object().expect("a table");
            assert!(row.keys().all(|key| keys.contains(&key.as_str())), "{id}");
        }
        let files = MemoryFiles::new()
            .with("rules/duel/game.toml", GAME)
            .with("rules/duel/display.toml", "[display.symbol.infantry]\nline = 'M0 0V1'");
        let (catalog, _) = catalog::load("duel", &[], &[], &SearchPath::new().with(files));
        let (built, _) = build(&catalog, Some(""), &[]);
        let display = built.expect("a sound game").display;
        let rows = display["symbol"].as_array().expect("a list");
        let drawn = |id: &str| rows.iter().filter(|row| row["id"] == id).collect::<Vec<_>>();
        assert_eq!(rows.len(), common.len());
        assert_eq!(drawn("infantry")[0]["line"], "M0 0V1");
        assert_eq!(drawn("cavalry")[0]["frame"], true);
    }

    #[test]
    fn what_cannot_be_drawn_is_reported() {
        let wrong = [
            ("[display.conuter.x]\nsymbol = 'foot'", "`display.conuter` is not a table of the display"),
            ("[display.side.green]\ncolour = '#0a0'", "display.side.green: there is no such side"),
            ("[display.counter.x]\nsymbl = 'foot'", "display.counter.x has no key `symbl`"),
            ("[display.counter.x]\nwhen = { amr = 'x' }", "display.counter.x.when has no key `amr`"),
            (
                "[display.counter.x]\nsymbol = { horse = 'cavalry' }",
                "`symbol` of display.counter.x is a choice without `by`",
            ),
            (
                "[display.place.field]\nnear = 'feild'",
                "`near` of display.place.field is `feild`, which is not a space",
            ),
            ("[display.place.feild]\nform = 'hand'", "display.place.feild: there is no such place"),
            ("[display.prompt.trun]\nfacing = 'unit'", "display.prompt.trun: there is no such prompt"),
        ];
        for (text, message) in wrong {
            assert_eq!(display(text).1, vec![message.to_string()], "{text}");
        }
        let own = "[display.symbol.lance]\nline = 'M0 9V-9'\n[display.counter.x]\nsymbol = 'cavalry lance'
                   [display.spot.x]\nmark = 'lance'";
        assert_eq!(display(own).1, Vec::<String>::new(), "a drawing of the game's own may be named");
        let (_, problems) = display("[display.counter.x]\nsymbol = { by = 'arm', horse = 'cavlary' }");
        assert!(problems[0].starts_with("`horse` in `symbol` of display.counter.x is \"cavlary\"; expected"));
    }
}

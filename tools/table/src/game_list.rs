//! The list of games that can be played, and the set-up of a record.

use crate::library::{Library, Problem, Setup};
use crate::thing::datum;
use sandtable_data::catalog::Catalog;
use sandtable_session::Record;
use serde_json::{Value, json};

/// Every game with its scenarios, sides, options and layers; one that cannot be loaded says why.
pub fn games(library: &dyn Library) -> Vec<Value> {
    let game = |listed: crate::library::Listed| {
        let setup = Setup { game: listed.id.clone(), ..Setup::default() };
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| library.load(&setup)));
        let loaded = match read.unwrap_or_else(|panic| Err(Problem::of_panic(&*panic))) {
            Ok(loaded) => loaded,
            Err(problem) => return json!({ "id": listed.id, "title": listed.title, "problem": problem.text }),
        };
        let (catalog, definition) = (&loaded.catalog, &loaded.definition);
        let world = &definition.world;
        let scenarios: Vec<Value> =
            definition.scenarios.iter().map(|(id, title)| scenario(catalog, id, title)).collect();
        let sides = world.sides.iter().map(|(id, name, _)| {
            let id = world.symbols.text(*id);
            let plain = catalog.row("side", id).and_then(|row| row.get("colour")).map(datum);
            let rows = definition.display["side"].as_array();
            let drawn = rows.and_then(|rows| rows.iter().find(|row| row["id"] == *id));
            let colour = drawn.and_then(|row| row.get("colour").cloned()).or(plain);
            let pattern = drawn.and_then(|row| row.get("pattern").cloned());
            json!({ "id": id, "name": name, "colour": colour, "pattern": pattern })
        });
        let options = catalog.rows("option").map(|(id, row)| {
            let mut option = json!({ "id": id });
            for key in ["title", "type", "values", "rule"] {
                if let Some(node) = row.get(key) {
                    option[key] = datum(node);
                }
            }
            option["value"] = row.get("default").map_or(Value::Null, datum);
            option
        });
        json!({
            "id": listed.id, "title": listed.title, "scenarios": scenarios, "scenario": definition.scenario.id,
            "sides": sides.collect::<Vec<_>>(), "options": options.collect::<Vec<_>>(),
            "layers": library.layers(&listed.id), "about": about(catalog), "map": crate::board::thumbnail(&loaded),
        })
    };
    library.games().into_iter().map(game).collect()
}

/// A scenario with what its row and the game's `view` table say of it.
fn scenario(catalog: &Catalog, id: &str, title: &str) -> Value {
    let mut scenario = json!({ "id": id, "title": title });
    let told = catalog.root.get("view").and_then(|view| view.get("scenario")).and_then(|all| all.get(id));
    for row in [catalog.row("scenario", id), told].into_iter().flatten() {
        for key in ["text", "length", "period"] {
            if let Some(node) = row.get(key) {
                scenario[key] = datum(node);
            }
        }
    }
    scenario
}

/// What the game says of itself in its `view` table; without one, how its rulebook begins.
pub fn about(catalog: &Catalog) -> Value {
    let told = catalog.root.get("view").and_then(|view| view.get("about")).map_or_else(|| json!({}), datum);
    if told.get("text").is_some() {
        return told;
    }
    let words = |file: &sandtable_data::catalog::LayerFile| beginning(catalog.sources.text(file.file));
    let mut told = told;
    if let Some(text) = catalog.books.first().and_then(words) {
        told["text"] = json!(text);
    }
    told
}

/// The first paragraph of a book in plain words.
fn beginning(book: &str) -> Option<String> {
    let paragraphs = book.split("\n\n").map(|part| {
        let lines = part.lines().filter(|line| !line.starts_with('#')).map(str::trim);
        lines.collect::<Vec<_>>().join(" ").trim().to_string()
    });
    let plain = |text: &String| text.chars().next().is_some_and(char::is_alphanumeric) && !text.contains('`');
    paragraphs.into_iter().find(plain)
}

/// What a record was played with.
pub fn setup_of(record: &Record) -> Setup {
    Setup {
        game: record.game.id.clone(),
        scenario: Some(record.scenario.clone()),
        layers: record.layers.iter().map(|layer| layer.id.clone()).collect(),
        sets: record.sets.clone(),
        options: record.options.clone(),
        ..Setup::default()
    }
}

//! Small games made of texts, for the tests of the host.

#![expect(clippy::unwrap_used, reason = "a test that cannot load its game has failed")]
#![allow(dead_code, reason = "each test program uses a part of it")]

use sandtable_data::catalog::{self, Catalog};
use sandtable_data::definition::{self, Definition};
use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_script::{ScriptBounds, ScriptError, Task, Val};
use sandtable_session::{Game, Session, SessionError};
use std::rc::Rc;

/// Two sides, a grid of 40 by 20 hexes with a few pieces, and what attacks like to get at.
pub const TABLES: &str = r#"
[game]
id = "probe"
title = "Probe"
version = "1.0.0"
sides = ["red", "blue"]

[side]
red = { name = "Red" }
blue = { name = "Blue" }

[attribute.game]
vp = "int"
word = "text"

[attribute.piece]
moved = "bool"

[attribute.space]
smoke = "int"
crop = { type = { enum = ["none", "corn"] }, default = "none" }

[field.space]
terrain = "text"
level = "int"

[field.piece]
strength = "int"
fume = "int"

[record.fight]
odds = "int"

[map]
grid = { shape = "pointy", shifted = "odd", numbering = "{col:2}{row:2}" }

[value]
limits = { low = 1, high = 3 }

[unit]
a = { side = "red", strength = 3 }
b = { side = "blue", strength = 2 }

[marker]
chit = { count = 0 }
fire = { count = 0, fume = 2 }

[pile.deck]
name = "Deck"

[sequence]
game = { steps = ["main"] }
main = { repeat = true }

[scenario.base]
title = "Base"
place = ["a 0501", "b 1001"]
"#;

/// The hexes of the map, with more columns for some of them.
pub fn hexes(rows: &[(&str, &str)]) -> String {
    let mut text = String::from("id,terrain,level\n");
    for col in 1..=40 {
        for row in 1..=15 {
            let id = format!("{col:02}{row:02}");
            let more = rows.iter().find(|(own, _)| *own == id).map_or("clear,0", |(_, more)| more);
            text.push_str(&format!("{id},{more}\n"));
        }
    }
    text
}

/// Loads a game: the tables above with more of them, and scripts by name.
pub fn load(tables: &str, hexes: &str, scripts: &[(&str, &str)]) -> Result<Rc<Game>, Vec<ScriptError>> {
    load_as(tables, hexes, scripts, false)
}

/// The same, audited or not.
pub fn load_as(
    tables: &str,
    hexes: &str,
    scripts: &[(&str, &str)],
    audited: bool,
) -> Result<Rc<Game>, Vec<ScriptError>> {
    let (definition, catalog) = built(tables, hexes, scripts);
    let make = if audited { Game::audited } else { Game::new };
    make(definition, &catalog).map(Rc::new)
}

/// A game with one script `main.lua`, under other bounds than the usual ones.
pub fn bounded(script: &str, bounds: ScriptBounds) -> Result<Rc<Game>, Vec<ScriptError>> {
    let (definition, catalog) = built("", &hexes(&[]), &[("main.lua", script)]);
    Game::bounded(definition, &catalog, bounds).map(Rc::new)
}

fn built(tables: &str, hexes: &str, scripts: &[(&str, &str)]) -> (Definition, Catalog) {
    let mut files = MemoryFiles::new()
        .with("rules/probe/game.toml", &format!("{TABLES}\n{tables}"))
        .with("rules/probe/hex.csv", hexes);
    for (name, text) in scripts {
        files = files.with(&format!("rules/probe/{name}"), text);
    }
    let search = SearchPath::new().with(files);
    let (catalog, mut problems) = catalog::load("probe", &[], &[], &search);
    let (definition, more) = definition::build(&catalog, None, &[]);
    problems.append(more);
    let shown: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
    assert!(!problems.has_errors(), "{}", shown.join("\n"));
    (definition.unwrap(), catalog)
}

/// A game with one script `main.lua`.
pub fn game(script: &str) -> Result<Rc<Game>, Vec<ScriptError>> {
    load("", &hexes(&[]), &[("main.lua", script)])
}

/// Calls a procedure of a game in its first position.
pub fn call(game: &Rc<Game>, name: &str, args: Vec<Val>) -> (Session, Result<(), SessionError>) {
    let mut session = Session::bare(game, 1).unwrap();
    let result = session.begin_task(Task::Call(name.into(), args));
    (session, result)
}

/// What the scripts of a game print when procedure `main` runs.
pub fn printed(game: &Rc<Game>) -> Vec<String> {
    let (_, result) = call(game, "main", Vec::new());
    result.unwrap();
    game.host.printed()
}

//! Scripts that require each other, within a package and in those that it needs.

mod support;

use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::{catalog, definition};
use sandtable_script::ScriptError;
use sandtable_session::Game;
use std::rc::Rc;
use support::{TABLES, hexes, printed};

/// A game with a module, and two layers that need it but not each other.
fn load(script: &str) -> Result<Rc<Game>, Vec<ScriptError>> {
    let layer = |id: &str| {
        format!("[layer]\nid = \"{id}\"\ntitle = \"{id}\"\nversion = \"1.0.0\"\nneeds = [\"probe 1\"]\n")
    };
    let files = MemoryFiles::new()
        .with("rules/probe/game.toml", TABLES)
        .with("rules/probe/hex.csv", &hexes(&[]))
        .with("rules/probe/main.lua", "procedure('main', {}, function() print(value 'limits'.low) end)")
        .with("rules/probe/core/odds.lua", "return { best = 6 }")
        .with("layers/early/layer.toml", &layer("early"))
        .with("layers/early/secret.lua", "return { key = 1 }")
        .with("layers/late/layer.toml", &layer("late"))
        .with("layers/late/own.lua", "return { worst = 1 }")
        .with("layers/late/main.lua", script);
    let search = SearchPath::new().with(files);
    let (catalog, mut problems) = catalog::load("probe", &["early".into(), "late".into()], &[], &search);
    let (built, more) = definition::build(&catalog, None, &[]);
    problems.append(more);
    let shown: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
    Game::new(built.unwrap_or_else(|| panic!("{}", shown.join("\n"))), &catalog).map(Rc::new)
}

#[test]
fn a_layer_requires_its_own_scripts_and_those_of_the_game() {
    let script = "local own, odds = require 'own', require 'probe/core/odds'
        before('main', 'show', {}, function() print(own.worst, odds.best) end)";
    let game = load(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(printed(&game), ["1\t6", "1"]);
}

#[test]
fn what_is_not_needed_is_out_of_reach() {
    for name in ["early/secret", "secret", "core/odds", "early"] {
        let errors = load(&format!("require '{name}'")).err().unwrap_or_default();
        let text = errors.first().map_or_else(String::new, ToString::to_string);
        assert!(text.contains(&format!("no script {name} in this package or one that it needs")), "{text}");
    }
}

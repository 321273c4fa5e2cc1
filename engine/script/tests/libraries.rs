//! Libraries: scripts that games share, beneath the game, with their own globals and the game's paragraphs.

mod support;

use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::{catalog, definition};
use sandtable_script::ScriptError;
use sandtable_session::{Game, Record, Session};
use std::rc::Rc;
use support::{TABLES, hexes, printed};

const DICE: &str = "faces = 6
return function(rule) return query('best', { rule = rule }, function() return faces end) end";

/// A game that needs the library `dice`, which needs `cup`; a layer of the game, which needs nothing else.
fn load(main: &str, dice: &str, layer: &str) -> Result<Rc<Game>, Vec<ScriptError>> {
    let manifest = |id: &str, more: &str| format!("[library]\nid = \"{id}\"\nversion = \"1.0\"\n{more}");
    let tables = TABLES.replacen("version = \"1.0.0\"", "version = \"1.0.0\"\nneeds = [\"dice@1\"]", 1);
    let files = MemoryFiles::new()
        .with("rules/probe/game.toml", &tables)
        .with("rules/probe/hex.csv", &hexes(&[]))
        .with("rules/probe/main.lua", main)
        .with("rules/lib/dice/library.toml", &manifest("dice", "needs = [\"cup\"]\n"))
        .with("rules/lib/dice/best.lua", dice)
        .with("rules/lib/dice/README.md", "For people.")
        .with("rules/lib/cup/library.toml", &manifest("cup", ""))
        .with("rules/lib/cup/full.lua", "return { dice = 5 }")
        .with("rules/lib/unused/library.toml", &manifest("unused", ""))
        .with("rules/lib/unused/never.lua", "error('nobody needs this')")
        .with("layers/late/layer.toml", "[layer]\nid = \"late\"\nversion = \"1.0\"\ngame = \"probe\"\n")
        .with("layers/late/main.lua", layer);
    let (catalog, mut problems) =
        catalog::load("probe", &["late".into()], &[], &SearchPath::new().with(files));
    let (built, more) = definition::build(&catalog, None, &[]);
    problems.append(more);
    let shown: Vec<&String> = problems.iter().map(|problem| &problem.message).collect();
    assert!(!problems.has_errors(), "{shown:?}");
    Game::new(built.unwrap_or_else(|| panic!("{shown:?}")), &catalog).map(Rc::new)
}

fn sound() -> Rc<Game> {
    let main = "local best = require 'dice/best' '1.1'
        procedure('main', { rule = '1' }, function() print(best()) ask('red', 'go', { from = 1, to = 2 }) end)";
    let layer = "local full = require 'cup/full'
        before('main', 'show', { rule = '2' }, function() print(full.dice) end)";
    load(main, DICE, layer).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn error(main: &str, dice: &str, layer: &str) -> String {
    load(main, dice, layer).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn a_game_and_its_layers_reach_the_libraries_that_are_needed() {
    assert_eq!(printed(&sound()), ["5", "6"]);
}

#[test]
fn what_a_library_registers_is_its_own_with_the_paragraph_of_the_caller() {
    let game = sound();
    let registry = game.host.cx().registry.borrow();
    let of = |id: &str| {
        let handler = registry.handlers.iter().find(|handler| handler.id == id).expect("a handler");
        (game.stamps[usize::from(handler.layer)].id.as_str(), handler.rules.join(" "), handler.place.as_str())
    };
    assert_eq!(of("best"), ("dice", "1.1".into(), "dice/best.lua:2"));
    assert_eq!(of("main"), ("probe", "1".into(), "probe/main.lua:2"));
    assert_eq!(of("show"), ("late", "2".into(), "late/main.lua:2"));
}

#[test]
fn globals_stay_on_their_side() {
    let main = "procedure('main', {}, function() end)";
    let said = error(&format!("{main} x = faces"), DICE, "");
    assert_eq!(said, "", "a global that is not there is nil while scripts load");
    let said = error(main, "function f() return 1 end local x = vp.y", "");
    assert!(said.starts_with("dice/best.lua:1: "), "{said}");
    let game = load(
        "secret = 7 local peek = require 'dice/best' procedure('main', {}, function() print(peek()) end)",
        "return function() return secret end",
        "",
    )
    .unwrap_or_else(|errors| panic!("{errors:?}"));
    let (_, result) = support::call(&game, "main", Vec::new());
    let said = result.map_err(|error| error.to_string()).err().unwrap_or_default();
    assert!(said.contains("dice/best.lua:1: there is no global `secret`"), "{said}");
}

#[test]
fn what_is_wrong_has_a_place() {
    let main = "procedure('main', {}, function() end)";
    assert!(error(main, "error('no luck')", "").starts_with("dice/best.lua:1: no luck"));
    assert!(error(main, "return = 1", "").starts_with("dice/best.lua:1: "));
    let said = error(&format!("{main} require 'dice/bset'"), DICE, "");
    assert!(said.contains("probe/main.lua:1: ") && said.contains("nearest: dice/best"), "{said}");
    let said = error(main, "require 'probe/main'", "");
    assert!(said.contains("no script probe/main in this package or one that it needs"), "{said}");
    let said = error(&format!("{main} require 'unused/never'"), DICE, "");
    assert!(said.contains("no script unused/never"), "{said}");
}

#[test]
fn a_record_holds_the_hash_of_each_library() {
    let mut session = Session::new(&sound(), 1).expect("it begins");
    let record = session.record();
    let names = |stamps: &[sandtable_session::Stamp]| -> Vec<String> {
        stamps.iter().map(|stamp| stamp.id.clone()).collect()
    };
    assert_eq!(
        (names(&record.libraries), names(&record.layers)),
        (vec!["cup".into(), "dice".into()], vec!["late".into()])
    );
    assert_eq!(Record::parse(&record.to_string()).as_ref(), Ok(&record));
    let mut other = record.clone();
    other.libraries[1].hash ^= 1;
    assert!(!record.same_contents(&other), "another library is another game");
    let twice = record.to_string().replace("library cup", "library dice");
    assert!(Record::parse(&twice).is_err());
}

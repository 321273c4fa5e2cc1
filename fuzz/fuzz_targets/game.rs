//! The small game that the targets break: one file of it is the fuzzer's.

use sandtable_data::catalog;
use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::render::{Colour, full, to_json};

/// Checks the game with one file replaced, and renders all problems.
pub fn check(path: &str, bytes: &[u8]) {
    let mut files = MemoryFiles::new();
    for (path, text) in FILES {
        files.add(*path, text.as_bytes());
    }
    files.add(format!("rules/g/{path}"), bytes.to_vec());
    let (catalog, merged) = catalog::load("g", &[], &[], &SearchPath::new().with(files));
    for problem in sandtable_lint::check(&catalog, merged, &[]).iter() {
        full(problem, &catalog.sources, Colour::Ansi);
        to_json(problem, &catalog.sources);
    }
}

macro_rules! base {
    ($($path:literal),* $(,)?) => {
        const FILES: &[(&str, &str)] =
            &[$(($path, include_str!(concat!("../../engine/lint/tests/broken/base/", $path)))),*];
    };
}

base!(
    "rules/g/game.toml",
    "rules/g/map.toml",
    "rules/g/border.csv",
    "rules/g/link.csv",
    "rules/g/pieces.toml",
    "rules/g/table.combat.csv",
    "rules/g/texts.toml",
    "rules/g/values.toml",
    "rules/g/sequence.toml",
    "rules/g/rules.lua",
    "rules/g/rulebook/book.md",
    "scenarios/g/first.toml",
);

//! What a stranger's text may do: nothing but give problems. The properties and the fuzz targets share this file.
#![allow(dead_code, clippy::expect_used, reason = "each of them uses some of it")]

use sandtable_data::catalog;
use sandtable_data::diagnostic::Diagnostic;
use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::render::{Colour, concise, full, to_json};
use sandtable_session::Record;

macro_rules! base {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../broken/base/", $path)))),*]
    };
}

/// The sound game that is damaged.
pub const FILES: &[(&str, &str)] = base!(
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

/// The problems of the game with one file replaced, one line each; every one lies inside its file.
pub fn check(path: &str, bytes: &[u8]) -> Vec<String> {
    let mut files = MemoryFiles::new();
    for (path, text) in FILES {
        files.add(*path, text.as_bytes());
    }
    files.add(path, bytes.to_vec());
    let (catalog, merged) = catalog::load("g", &[], &[], &SearchPath::new().with(files));
    let problems = sandtable_lint::check(&catalog, merged, &[]);
    let line = |problem: &Diagnostic| {
        if let Some(span) = problem.span {
            let text = catalog.sources.text(span.file);
            assert!(
                span.start <= span.end && span.end as usize <= text.len() + 3,
                "{problem:?} lies outside of its file"
            );
        }
        full(problem, &catalog.sources, Colour::Ansi);
        to_json(problem, &catalog.sources);
        concise(problem, &catalog.sources)
    };
    problems.iter().map(line).collect()
}

/// Reads a record; what can be read is written and read again without a difference.
pub fn record(bytes: &[u8]) {
    if let Ok(record) = Record::from_bytes(bytes) {
        let text = record.to_string();
        let again = Record::from_bytes(text.as_bytes()).expect("what was written can be read");
        assert_eq!(text, again.to_string());
    }
}

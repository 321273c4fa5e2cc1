//! Properties of the check: whatever becomes of a file, it ends without a panic, every problem lies inside its file, and the same
//! input gives the same problems.

use proptest::prelude::*;
use sandtable_data::catalog;
use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::render::{Colour, concise, full, to_json};

macro_rules! base {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("broken/base/", $path)))),*]
    };
}

const FILES: &[(&str, &str)] = base!(
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

/// The problems, one line each, with one file replaced.
fn check(path: &str, bytes: &[u8]) -> Vec<String> {
    let mut files = MemoryFiles::new();
    for (path, text) in FILES {
        files.add(*path, text.as_bytes());
    }
    files.add(path, bytes.to_vec());
    let (catalog, merged) = catalog::load("g", &[], &[], &SearchPath::new().with(files));
    let problems = sandtable_lint::check(&catalog, merged, &[]);
    let line = |problem: &sandtable_data::diagnostic::Diagnostic| {
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

/// One change of a text: bytes from a place on are replaced.
fn change() -> impl Strategy<Value = (usize, usize, usize, Vec<u8>)> {
    let pieces = prop::sample::select(vec![
        "", "\"", "'", "[", "]", "{", "}", "(", ")", "=", ",", ".", "\n", "-", "--", "#", "\\", "end",
        "then", "0", "1.5", "\u{0}", "ö", "[[", "like", "rule", "nil", "x", "..", " ",
    ]);
    let bytes = prop_oneof![
        pieces.prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..4)
    ];
    (0..FILES.len(), any::<prop::sample::Index>(), 0usize..12, bytes)
        .prop_map(|(file, at, length, bytes)| (file, at.index(FILES[file].1.len()), length, bytes))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_gives_the_same_problems_twice_and_no_panic((file, at, length, bytes) in change()) {
        let (path, text) = FILES[file];
        let mut damaged = text.as_bytes().to_vec();
        damaged.splice(at..(at + length).min(text.len()), bytes);
        prop_assert_eq!(check(path, &damaged), check(path, &damaged));
    }

    #[test]
    fn any_bytes_in_place_of_any_file_give_no_panic(file in 0..FILES.len(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(FILES[file].0, &bytes);
    }
}

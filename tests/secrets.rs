//! What takes too long for every run: nobody is told what is hidden from him, over a thousand random games of each game that hides
//! something; and ten thousand games of the small game survive all that can be done with a game. It runs when asked:
//!
//!     cargo test --release --test secrets -- --ignored --nocapture
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../tools/sandtable/tests/support/mod.rs"]
mod support;

use serde_json::Value;
use std::path::Path;
use support::{json, sandtable};

/// Games that hide something, with the scenario that hides most, and every how many answers secrets are looked for.
const HIDING: &[(&str, &str, &str)] = &[
    ("skirmish", "fords", "1"),
    ("stalins-war", "campaign", "40"),
    ("traces-of-war", "campaign", "40"),
    ("models-counterattack", "campaign", "40"),
    ("conflict-of-heroes", "s05", "20"),
    // Secret simultaneous choices, of which the shipped games have few.
    ("sealed", "start", "1"),
    ("council", "start", "4"),
    // Places of which nobody knows how much lies there, and pieces that are known from near only.
    ("cellar", "start", "1"),
];

/// Runs the command at the root of the repository, with the small packages beside the games.
fn totals(args: &[&str]) -> Value {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let all: Vec<&str> = args.iter().copied().chain(["--path", "tests/packages", "--json"]).collect();
    json(&sandtable(root, &all, ""))
}

#[test]
#[ignore = "it takes the better part of an hour"]
fn nobody_is_told_what_is_hidden_from_him() {
    for (game, scenario, every) in HIDING {
        let said =
            totals(&["sim", game, scenario, "--games", "1000", "--invariants", "--secrets-every", every]);
        println!("{game}: {} looks, {} not comparable", said["hidden_checked"], said["hidden_incomparable"]);
        assert_eq!((&said["finished"], &said["dead_ends"]), (&1000.into(), &0.into()), "{game}");
        assert!(said["errors"].as_array().unwrap().is_empty(), "{game}: {}", said["errors"]);
        assert!(said["hidden_checked"].as_u64().unwrap() > 1000, "{game} hides nothing: {said}");
    }
}

/// Each is written, read and played again, forked, taken back move by move to its start and played again, to the same bytes; and other
/// processes come to the same games.
#[test]
#[ignore = "it takes some minutes"]
fn ten_thousand_games_survive() {
    for scenario in ["fords", "bridgehead"] {
        let games = ["sim", "skirmish", scenario, "--games", "5000", "--seed", "1"];
        let said = totals(&[&games[..], &["--survive"]].concat());
        assert_eq!((&said["games"], &said["finished"]), (&5000.into(), &5000.into()), "{scenario}");
        assert_eq!(said["dead_ends"], 0, "{scenario}");
        assert!(said["errors"].as_array().unwrap().is_empty(), "{scenario}: {}", said["errors"]);
        let again = totals(&[&games[..], &["--jobs", "1"]].concat());
        assert_eq!(said["records_hash"], again["records_hash"], "{scenario}");
    }
}

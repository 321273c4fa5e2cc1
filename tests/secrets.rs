//! Nobody is told what is hidden from them: everything that the table would send a seat or a spectator is compared, byte by byte,
//! with what it would send if hidden things were otherwise. Over twenty random games of each game that hides something, and of
//! every small package; over a thousand of each when asked. Also when asked, ten thousand games of the small game survive all
//! that can be done with a game:
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

/// Games that hide nothing, or next to nothing.
const OPEN: &[&str] = &["heights", "islands", "lanes", "survey", "axis-allies-europe"];

/// Runs the command at the root of the repository, with the small packages beside the games.
fn totals(args: &[&str]) -> Value {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let all: Vec<&str> = args.iter().copied().chain(["--path", "tests/packages", "--json"]).collect();
    json(&sandtable(root, &all, ""))
}

/// Plays games and compares what the table sends; gives how often there was something to compare.
fn looks(game: &str, scenario: Option<&str>, games: u64, every: &str) -> u64 {
    let count = games.to_string();
    let mut args = vec!["sim", game];
    args.extend(scenario);
    args.extend(["--games", &count, "--invariants", "--secrets-every", every]);
    let said = totals(&args);
    println!("{game}: {} looks, {} not comparable", said["hidden_checked"], said["hidden_incomparable"]);
    assert!(said["errors"].as_array().unwrap().is_empty(), "{game}: {}", said["errors"]);
    assert_eq!((&said["finished"], &said["dead_ends"]), (&games.into(), &0.into()), "{game}");
    said["hidden_checked"].as_u64().unwrap()
}

fn nobody_is_told(games: u64) {
    for (game, scenario, every) in HIDING {
        let looks = looks(game, Some(scenario), games, every);
        assert!(looks > games, "{game} hides nothing: {looks} looks in {games} games");
    }
    for game in OPEN {
        looks(game, None, games, "40");
    }
}

#[test]
fn nobody_is_sent_what_is_hidden_from_them() {
    nobody_is_told(20);
}

#[test]
#[ignore = "it takes hours"]
fn nobody_is_sent_what_is_hidden_from_them_in_a_thousand_games() {
    nobody_is_told(1000);
}

/// Every package is looked at.
#[test]
fn no_package_is_left_out() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packages");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let hiding = HIDING.iter().any(|(game, ..)| *game == name);
        assert!(hiding || OPEN.contains(&name.as_str()), "{name} is in neither list");
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

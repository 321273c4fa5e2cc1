//! The shipped games as a whole: their files are sound, every case passes, random games end.

use std::process::{Command, Output};

const GAMES: &[&str] = &[
    "skirmish",
    "stalins-war",
    "axis-allies-europe",
    "traces-of-war",
    "models-counterattack",
    "conflict-of-heroes",
];

fn sandtable(args: &[&str]) -> Output {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .args(args)
        .current_dir(root)
        .output()
        .expect("the command runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn the_files_of_every_game_are_sound() {
    let output = sandtable(&["check"]);
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
fn every_case_of_every_rulebook_passes() {
    let mut args = vec!["test"];
    args.extend(GAMES);
    let output = sandtable(&args);
    println!("{}", text(&output));
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
fn random_games_end_without_error_and_keep_the_invariants() {
    for game in GAMES {
        let output =
            sandtable(&["sim", game, "--games", "4", "--seed", "7", "--invariants", "--survive", "--json"]);
        assert!(output.status.success(), "{game}: {}", text(&output));
        let totals: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(totals["finished"], totals["games"], "{game}");
        assert_eq!(totals["dead_ends"], 0, "{game}");
    }
}

#[test]
fn the_same_seed_gives_the_same_games_in_another_process_and_with_other_threads() {
    let hash = |jobs: &str| {
        let output =
            sandtable(&["sim", "skirmish", "--games", "20", "--seed", "3", "--jobs", jobs, "--json"]);
        let totals: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        totals["records_hash"].to_string()
    };
    assert_eq!(hash("1"), hash("2"));
}

#[test]
fn the_layers_of_the_small_game_pass_their_own_cases_alone_and_together() {
    for layers in [
        &["errata"][..],
        &["field-hospital"],
        &["wary-scouts"],
        &["errata", "field-hospital"],
        &["errata", "wary-scouts"],
        &["field-hospital", "wary-scouts"],
    ] {
        let mut args = vec!["test", "skirmish"];
        for layer in layers {
            args.extend(["--layer", layer]);
        }
        let output = sandtable(&args);
        assert!(output.status.success(), "{layers:?}: {}", text(&output));
        let mut args = vec!["sim", "skirmish", "--games", "3", "--json"];
        for layer in layers {
            args.extend(["--layer", layer]);
        }
        let output = sandtable(&args);
        assert!(output.status.success(), "{layers:?}: {}", text(&output));
    }
}

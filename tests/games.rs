//! The shipped games as a whole, and the small packages for primitives: their files are sound, every case
//! passes, random games end.

#[path = "../tools/sandtable/tests/support/mod.rs"]
mod support;

use std::process::{Command, Output};
use support::GAMES;

/// Where the small packages stand, from the root of the repository.
const PACKAGES: &str = "tests/packages";

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
        // The proof of hidden information is the work of `secrets`; here it looks at some moments only.
        let few = ["--invariants", "--secrets-every", "25", "--survive", "--json"];
        all_finish(&[&["sim", game, "--games", "4", "--seed", "7"], &few[..]].concat());
    }
}

fn all_finish(args: &[&str]) {
    let output = sandtable(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output));
    let totals: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(totals["finished"], totals["games"], "{args:?}");
    assert_eq!(totals["dead_ends"], 0, "{args:?}");
}

/// The folders under `tests/packages`, each named as its game.
fn packages() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/packages");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of packages")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no package in {folder}");
    names
}

#[test]
fn the_packages_for_primitives_are_without_a_warning_and_pass_their_cases() {
    for package in packages() {
        let output = sandtable(&["check", "--path", PACKAGES, &package]);
        assert!(output.status.success(), "{}", text(&output));
        assert!(text(&output).contains("0 errors, 0 warnings"), "{}", text(&output));
        let output = sandtable(&["test", "--path", PACKAGES, "--verify", &package]);
        assert!(output.status.success(), "{}", text(&output));
        assert!(!text(&output).starts_with("0 passed"), "{package} has no cases");
    }
}

#[test]
fn random_games_of_the_packages_end_and_keep_the_invariants() {
    for package in packages() {
        all_finish(&[
            "sim",
            &package,
            "--path",
            PACKAGES,
            "--games",
            "20",
            "--seed",
            "7",
            "--invariants",
            "--survive",
            "--json",
        ]);
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

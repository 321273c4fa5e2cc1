//! Wrong use: every command that takes a game says what is wrong with what it is given, and names what was meant.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Folder, json, sandtable};

/// A call of every command that takes a game; the folder has a record.
const CALLS: &[&str] = &[
    "list skirmish",
    "check skirmish",
    "sim skirmish --games 1",
    "play skirmish --terminal --seed 1",
    "play --load game.record --terminal",
    "replay game.record",
    "rerun game.record",
    "explain game.record --at 5",
    "export game.record --at 5 --as case",
    "bench skirmish --millis 20",
    "test skirmish --only 4.2",
    "coverage skirmish",
    "mutate skirmish --most 1",
    "docs skirmish --quick --out x.html",
    "find skirmish battery",
    "origin skirmish unit.h-battery.moves",
    "diff skirmish wary-scouts",
    "stubs skirmish --out stubs",
    "new cases my-cases --game skirmish",
    "odds skirmish:6.2 --times 5",
];

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let typed = "auto 20\nsave game.record\nquit\n";
    assert_eq!(sandtable(&folder.0, &["play", "skirmish", "--terminal", "--seed", "7"], typed).code, 0);
    folder
}

#[test]
fn every_command_tells_wrong_layers_options_keys_and_folders() {
    let folder = folder("wrong");
    for call in CALLS {
        for (more, told) in [
            ("--layer erata", "did you mean `errata`?"),
            ("--layer no-such-thing", "there are errata, field-hospital, wary-scouts"),
            ("--option mits=true", "did you mean `mist`?"),
            ("--option mist=perhaps", "option mist is perhaps; expected true or false"),
            ("--option mist", "--option mist: expected ID=VALUE"),
            ("--set unit.h-batery.moves=1", "did you mean `h-battery`?"),
            ("--set unit.h-battery.moves=x", "expected a whole number"),
            ("--set nonsense", "expected KEY=VALUE"),
            ("--path no-such-folder", "there is no such folder"),
            ("--path game.record", "it is not a folder"),
        ] {
            let args: Vec<&str> = call.split(' ').chain(more.split(' ')).collect();
            let said = sandtable(&folder.0, &args, "quit\n");
            // What is wrong with files is what `check` looks for: it prints it, and has found something.
            let checks = call.starts_with("check") && !said.out.is_empty();
            let (code, told_in) = if checks { (1, &said.out) } else { (2, &said.error) };
            assert_eq!(said.code, code, "{call} {more}\n{}{}", said.out, said.error);
            assert!(
                told_in.contains(told),
                "{call} {more}: `{told}` is missing in\n{}{}",
                said.out,
                said.error
            );
            assert!(checks || said.out.is_empty(), "{call} {more} prints\n{}", said.out);
        }
    }
    assert!(!folder.0.join("my-cases.md").exists(), "nothing is written by what is refused");
}

#[test]
fn every_command_takes_layers_options_settings_and_folders() {
    let folder = folder("right");
    let root = format!("{}/../..", env!("CARGO_MANIFEST_DIR"));
    let more = [
        "--layer",
        "errata",
        "--option",
        "mist=true",
        "--set",
        "unit.h-reds.moves=1",
        "--path",
        root.as_str(),
    ];
    for call in CALLS {
        let args: Vec<&str> = call.split(' ').chain(more).collect();
        let said = sandtable(&folder.0, &args, "quit\n");
        // Records part and cases fail under changed rules; with layers only their own cases are run.
        let fine = said.code < 2 || said.error.contains("--all looks at those of skirmish too");
        assert!(fine, "{call}\n{}{}", said.out, said.error);
    }
}

#[test]
fn names_that_are_near_to_none_are_answered_with_those_there_are() {
    let folder = Folder::new("names");
    for (call, told) in [
        ("list bogus", "there are axis-allies-europe, conflict-of-heroes"),
        ("find bogus x", "there are axis-allies-europe, conflict-of-heroes"),
        ("sim skirmish nope", "there is no scenario `nope`\n  = help: there are bridgehead, fords"),
        ("sim skirmish brigdehead", "did you mean `bridgehead`?"),
        ("play skirmish --terminal --random valley", "the sides are harrow, vale"),
        ("sim skirmish --games 0", "0 is not in 1.."),
        ("lits", "similar subcommand exists: 'list'"),
    ] {
        let said = sandtable(&folder.0, &call.split(' ').collect::<Vec<_>>(), "");
        assert!(said.code == 2 && said.out.is_empty(), "{call}: {} {}", said.code, said.out);
        assert!(said.error.contains(told), "{call}: `{told}` is missing in\n{}", said.error);
    }
}

#[test]
fn seeds_may_be_as_large_as_numbers_are() {
    let folder = Folder::new("seeds");
    let last = u64::MAX.to_string();
    let args = ["sim", "skirmish", "--games", "2", "--seed", &last, "--json"];
    assert_eq!(json(&sandtable(&folder.0, &args, ""))["finished"], 2);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_utf8_are_errors_or_names_of_files() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("bytes");
    let odd = std::ffi::OsStr::from_bytes(b"\xff\xfe");
    for call in ["list", "sim", "replay", "find skirmish", "test", "play --terminal --load", "list --path"] {
        let mut command = support::command(&folder.0, &call.split(' ').collect::<Vec<_>>());
        let output = command.arg(odd).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && !error.contains("panicked"), "{call}: {error}");
    }
}

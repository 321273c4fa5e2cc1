//! The game on the terminal: what is typed wrongly, `why` and `look` for anything, and texts that would steer the terminal.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Folder, Said, sandtable};

fn play(name: &str, typed: &str) -> Said {
    let folder = Folder::new(name);
    sandtable(&folder.0, &["play", "skirmish", "--terminal", "--seed", "1"], typed)
}

fn has(said: &Said, expected: &[&str]) {
    for expected in expected {
        assert!(said.out.contains(expected), "`{expected}` is missing in\n{}", said.out);
    }
}

#[test]
fn why_answers_for_anything() {
    // Six markers, then the question for a card.
    let typed = "1\n".repeat(6)
        + "why attack/0602\nwhy event/h-storm\nwhy h-lancers\nwhy vale\nwhy Brack\nwhy h-lancer\nwhy event\nwhy event/\nwhy march\n"
        + "1\nwhy Brack\n1\nwhy march\nwhy march/\nwhy Brack\nquit\n";
    let said = play("why", &typed);
    has(
        &said,
        &[
            "`attack/0602` is not among the options; attack is offered when combat",
            "`event/h-storm` is not among the options; event [",
            "] can take h-march",
            "h-lancers (Count's Lancers) is a unit, and this decision does not list it",
            "vale (the Vale) is a side, and this decision does not list it",
            "Brack (0303) is a hex, and this decision does not list it; such things were chosen at marker.hex",
            "Harrow, orders: march 0303 is offered",
            "nothing has that name; nearest: h-lancers",
            "is offered, with h-march",
            "march is offered when orders",
            "is offered, with 0102, 0103",
        ],
    );
    let twice = |wanted: &str| said.out.lines().filter(|line| line.contains(wanted)).count();
    assert_eq!(twice("is offered, with 0102, 0103"), 2, "march and march/ are answered alike\n{}", said.out);
    assert_eq!(twice("is offered, with h-march"), 2, "{}", said.out);
}

#[test]
fn look_finds_sides_titles_and_the_game() {
    let said = play("look", &("1\n".repeat(6) + "look vale\nlook game\nlook Brack\nlook h-lancer\nquit\n"));
    has(
        &said,
        &[
            "vale (the Vale): nothing is counted",
            "game: active harrow, turn 1",
            "Brack (0303)",
            "`h-lancer`; nearest: h-lancers",
        ],
    );
}

#[test]
fn numbers_that_no_option_has_are_answered_alike() {
    let said = play("count", &("1\n".repeat(6) + "0\n99\n-1\n99999999999999999999999\nquit\n"));
    for wrong in ["0", "99", "-1", "99999999999999999999999"] {
        has(&said, &[&format!("there are options 1 to 3, not {wrong} (`why")]);
    }
}

#[test]
fn taking_back_says_what_it_can_and_cannot() {
    let said = play("back", "undo\n1\nundo 99999\nundo 0\nretract\nretract 0\nundo\nundo! 1\nquit\n");
    has(
        &said,
        &[
            "there is no answer to take back",
            "there is only 1 answer to take back",
            "undo: expected a number from 1 on, not 0",
            "retract: expected how many answers ago",
            "retract: expected a number from 1 on, not 0",
            "a die was rolled or something was shown since: `undo!`",
            "taken back\n",
        ],
    );
}

const MANIFEST: &str = "[game]\nid = \"tiny\"\ntitle = \"Tiny\"\nversion = \"1\"\nsource = \"own\"\nsides = [\"red\"]\n\
    [side]\nred = { name = \"Red\" }\n[sequence]\ngame = { steps = [\"add\"] }\nadd = { repeat = true }\n\
    [text]\nwhat = \"What?\\u001b[2J\\nVale: hidden\"\n[scenario.only]\ntitle = \"Only\"\n";

#[test]
fn what_packages_say_does_not_steer_the_terminal_and_options_may_be_called_like_commands() {
    let folder = Folder::new("steer");
    let rules = folder.0.join("rules/tiny");
    std::fs::create_dir_all(&rules).unwrap();
    let script = "procedure(\"add\", {}, function()\n  local what = ask(\"red\", \"what\", { among = { \"map\", \"save\", \"fail\" } })\n\
        if what == \"fail\" then error(\"broken\\nsandtable: all is well\\27[2J\") end\n  log(what)\nend)\n";
    std::fs::write(rules.join("game.toml"), MANIFEST).unwrap();
    std::fs::write(rules.join("rules.lua"), script).unwrap();
    let typed = "answer map\nanswer save\nfail\nsave game.record\nquit\n";
    let said = sandtable(&folder.0, &["play", "tiny", "--terminal", "--seed", "1"], typed);
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(!said.out.contains('\u{1b}'), "{}", said.out);
    assert!(said.out.contains("broken\n  sandtable: all is well\\u{1b}[2J"), "{}", said.out);
    assert!(!said.out.lines().any(|line| line.starts_with("sandtable:") || line.starts_with("Vale:")));
    let failed = said.out.lines().skip_while(|line| !line.contains("broken"));
    assert!(!failed.take(6).any(|line| line.contains("`why OPTION`")), "{}", said.out);
    let record = std::fs::read_to_string(folder.0.join("game.record")).unwrap();
    assert!(record.contains("red: what map @") && record.contains("red: what save @"), "{record}");

    // Without scripts there is no line to name, but a place in the sequence of play.
    std::fs::write(rules.join("rules.lua"), "").unwrap();
    let said = sandtable(&folder.0, &["play", "tiny", "--terminal", "--seed", "1"], "");
    assert!(said.code == 2 && said.error.contains("at game > add: no procedure add"), "{}", said.error);
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .args(["sim", "skirmish", "--games", "1", "--json"])
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && error.contains("cannot be written"), "{error}");
}

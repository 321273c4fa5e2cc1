//! The game on the terminal: what is typed wrongly, `why` and `look` for anything, and texts that would steer the terminal.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Folder, Said, on_screen, sandtable};

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

#[test]
fn maps_lists_and_sentences_fit_the_screen() {
    for size in [(80, 24), (120, 40)] {
        for (game, near) in [
            ("skirmish", "0602"),
            ("stalins-war", "1623"),
            ("traces-of-war", "1631"),
            ("conflict-of-heroes", "7-H08"),
        ] {
            let folder = Folder::new("fits");
            let typed = format!("map {near}\nhelp\nauto 20\nlog\nwhy {near}\nquit\n");
            let said = on_screen(&folder.0, &["play", game, "--terminal", "--seed", "3"], &typed, size);
            assert_eq!(said.code, 0, "{}", said.error);
            let long = said.out.lines().find(|line| line.chars().count() > size.0);
            assert_eq!(long, None, "{game} at {size:?}");
            // Around a hex everything has its id.
            let drawn = said.out.lines().filter(|line| line.contains(near));
            assert!(drawn.count() > 0, "{game}: {near} is not drawn\n{}", said.out);
        }
    }
    let folder = Folder::new("overview");
    let play = ["play", "stalins-war", "--terminal", "--seed", "3"];
    let said = on_screen(&folder.0, &play, "quit\n", (80, 24));
    has(
        &said,
        &[
            "\n1020 r   c   c   c   A3  c   f   s ",
            "`map HEX` draws what lies around",
            "between hexes: caucasus-line, kerch",
        ],
    );
    let close = on_screen(&folder.0, &play, "map 1623\nquit\n", (80, 24));
    let (_, map) = close.out.rsplit_once("(Nordlicht, at axis-hand)\n").unwrap();
    assert!(map.lines().count() <= 24, "the close-up does not fit\n{map}");
    assert!(map.contains("1623c") && map.contains("\nriver: 1522|1623 "), "{map}");
}

#[test]
fn many_options_stand_side_by_side_and_their_question_stays_in_sight() {
    let folder = Folder::new("columns");
    let play = ["play", "skirmish", "--terminal", "--seed", "1"];
    let said = on_screen(&folder.0, &play, "quit\n", (80, 24));
    assert!(
        said.out.lines().any(|line| line.starts_with("    1. 0101  ") && line.contains("  9. 0203 ")),
        "{}",
        said.out
    );
    assert!(said.out.contains("0303  (Brack)") && !said.out.contains("(Brack (0303))\n"), "{}", said.out);
    // Too narrow for two beside each other, and too low for all: the question is repeated.
    let said = on_screen(&folder.0, &play, "quit\n", (20, 24));
    let asked = said.out.lines().filter(|line| line.starts_with("Harrow: Where is")).count();
    assert_eq!(asked, 2, "{}", said.out);
}

#[test]
fn what_is_typed_wrongly_is_answered_with_what_was_meant() {
    let said = play(
        "typed",
        &("1\n".repeat(6)
            + "maps\nwhy\nlook\nlog x\nlook h-lancers\nmap vale-hand\nsave\nsave a.record\nsave\nquit\n"),
    );
    has(
        &said,
        &[
            "`maps` is not among the options (`map` is a command, `help` lists all)",
            "why: expected an option, or anything else by its name",
            "look: expected the name of a space",
            "log: `x` is not a number",
            "h-lancers (Count's Lancers): harrow, at 0503, level 1, arm horse, strength 2, moves 5, aim 1",
            "Vale hand: hidden",
            "save: expected the name of a file",
        ],
    );
    assert_eq!(said.out.matches("saved as a.record").count(), 2, "{}", said.out);
}

/// A game at a terminal of its own: what is typed, and how it ends.
#[cfg(target_os = "linux")]
fn at_terminal(folder: &Folder, args: &[&str], typed: &[u8]) -> Said {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&near).unwrap();
    unlockpt(&near).unwrap();
    let name = ptsname(&near, Vec::new()).unwrap();
    let far = std::fs::OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut child = support::command(&folder.0, args);
    child.env("SANDTABLE_HOME", folder.0.join("home")).stdin(far);
    let child = child.spawn().unwrap();
    let mut near = std::fs::File::from(near);
    std::io::Write::write_all(&mut near, typed).unwrap();
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        error: String::from_utf8(output.stderr).unwrap(),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_game_that_is_left_without_being_saved_is_kept() {
    let folder = Folder::new("kept");
    let kept = folder.0.join("home/unsaved/skirmish-5.record");
    let play = ["play", "skirmish", "--terminal", "--seed", "5"];
    // Ctrl-D at the beginning of a line.
    let said = at_terminal(&folder, &play, b"auto 5\n\x04");
    let on = format!("sandtable play --load {} --terminal", kept.display());
    assert!(
        said.code == 0 && said.out.contains(&format!("not saved, but kept; this goes on with it:\n  {on}\n")),
        "{}",
        said.out
    );
    let whole = support::json(&sandtable(&folder.0, &["replay", kept.to_str().unwrap(), "--json"], ""));
    assert_eq!(whole["choices"], 5);
    // The next game is told of it, and has a file of its own.
    let said = at_terminal(&folder, &play, b"auto 2\nquit\n");
    assert!(
        said.out.starts_with("not saved the last time") && said.out.contains("skirmish-5-2.record"),
        "{}",
        said.out
    );
    // Going on with it and saving it ends the keeping; so does taking everything back.
    let said = at_terminal(
        &folder,
        &["play", "--load", kept.to_str().unwrap(), "--terminal"],
        b"auto 1\nsave game.record\nquit\n",
    );
    assert!(said.code == 0 && !kept.exists() && !said.out.contains("not saved"), "{}", said.out);
    let said = at_terminal(&folder, &play, b"auto 1\nundo!\nquit\n");
    assert!(said.code == 0 && !kept.exists() && !said.out.contains("but kept"), "{}", said.out);
    // A game from a file that is not changed is not kept.
    at_terminal(&folder, &["play", "--load", "game.record", "--terminal"], b"quit\n");
    let left: Vec<_> = std::fs::read_dir(folder.0.join("home/unsaved")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn several_of_a_kind_are_chosen_at_once() {
    let folder = Folder::new("several");
    let typed = "1*3\n1 1 1*2\nundo!\n1*x\n1*4\nquit\n";
    let said = sandtable(&folder.0, &["play", "axis-allies-europe", "--terminal", "--seed", "3"], typed);
    has(
        &said,
        &["`1*3` for three of the first, `none` for none", "Germany buys 3 infantry", "`1*x` is not among"],
    );
    // A title that is the id in other letters says nothing.
    has(&said, &["   12. northern-italy\n"]);
}

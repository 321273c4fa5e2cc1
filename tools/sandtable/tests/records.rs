//! Records that were changed by hand, or are read under other rules: what is said of them, and with which code the command ends.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use support::{Folder, json, sandtable};

/// A folder with `game.record`, forty answers of the small game, and its text.
fn saved(name: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let typed = "auto 40\nsave game.record\nquit\n";
    let said = sandtable(&folder.0, &["play", "skirmish", "--terminal", "--seed", "3"], typed);
    assert_eq!(said.code, 0, "{}", said.error);
    let text = std::fs::read_to_string(folder.0.join("game.record")).unwrap();
    (folder, text)
}

#[test]
fn what_the_command_line_names_must_be_what_the_record_holds() {
    let (folder, _) = saved("named");
    let load = |more: &[&str]| {
        let args: Vec<&str> =
            ["play", "--load", "game.record", "--terminal"].iter().chain(more).copied().collect();
        sandtable(&folder.0, &args, "quit\n")
    };
    assert_eq!(load(&["skirmish", "fords", "--seed", "3"]).code, 0);
    for (more, found, wanted) in [
        (&["stalins-war"][..], "`skirmish`", "`stalins-war`"),
        (&["skirmish", "bridgehead"], "`fords`", "`bridgehead`"),
        (&["--seed", "4"], "`3`", "`4`"),
    ] {
        let said = load(more);
        assert_eq!(said.code, 2, "{more:?}: {}", said.out);
        assert!(said.error.contains(found) && said.error.contains(wanted), "{}", said.error);
    }
}

#[test]
fn a_forged_missing_or_additional_roll_is_named() {
    let (folder, text) = saved("rolls");
    let line = text.lines().find(|line| line.starts_with("roll combat ")).unwrap();
    let value: u32 = line.rsplit(' ').next().unwrap().parse().unwrap();
    let other = value % 6 + 1;
    let replay = |name: &str, text: &str| {
        std::fs::write(folder.0.join(name), text).unwrap();
        let said = sandtable(&folder.0, &["replay", name], "");
        (said.code, said.error, json(&sandtable(&folder.0, &["replay", name, "--json"], "")))
    };
    let (code, error, whole) = replay("whole", &text);
    assert!(code == 0 && error.is_empty() && whole["rolls"].as_array().unwrap().is_empty(), "{error}{whole}");

    let forged = text.replacen(line, &format!("roll combat {other}"), 1);
    let (code, error, found) = replay("forged", &forged);
    let named = format!("the record has {other}, the seed gives {value}");
    assert!(code == 1 && error.contains("roll combat after choice ") && error.contains(&named), "{error}");
    assert_eq!((&found["rolls"][0]["record"], &found["rolls"][0]["seed"]), (&other.into(), &value.into()));

    // Played on and saved, it is still told.
    let typed = "save again\nquit\n";
    let on = sandtable(&folder.0, &["play", "--load", "forged", "--terminal"], typed);
    assert!(on.out.contains(&named) && on.out.contains("the dice of the record hold"), "{}", on.out);
    let again = sandtable(&folder.0, &["replay", "again"], "");
    assert!(again.code == 1 && again.error.contains(&named), "{}", again.error);

    let (code, error, _) = replay("missing", &text.replacen(&format!("{line}\n"), "", 1));
    assert!(code == 1 && error.contains("the record has none"), "{error}");
    let (code, error, _) = replay("more", &text.replacen(line, &format!("{line}\n{line}"), 1));
    assert!(code == 1 && error.contains("no such roll is made"), "{error}");
}

#[test]
fn loading_under_changed_rules_says_what_changed_and_who_is_to_blame() {
    let folder = Folder::new("blame");
    assert_eq!(sandtable(&folder.0, &["sim", "skirmish", "--games", "4", "--records", "."], "").code, 0);
    let mut blamed = false;
    for seed in 1..=4 {
        let file = format!("{seed:08}.record");
        let said = sandtable(&folder.0, &["replay", &file, "--layer", "wary-scouts"], "");
        assert!(said.error.contains("changed since: wary-scouts is new"), "{}", said.error);
        if said.error.contains("wary-scouts is new: the same to the end") {
            assert_eq!(said.code, 0);
            continue;
        }
        assert!(said.error.contains("the state differs") || said.error.contains("cannot be followed"));
        assert!(said.error.contains("\n  by ") && said.error.contains("of wary-scouts"), "{}", said.error);
        let json = json(&sandtable(&folder.0, &["replay", &file, "--layer", "wary-scouts", "--json"], ""));
        assert!(json["by"].to_string().contains("of wary-scouts"), "{json}");
        let on = ["play", "--load", &file, "--layer", "wary-scouts", "--terminal"];
        let on = sandtable(&folder.0, &on, "quit\n");
        assert!(on.out.contains("\n  by ") && on.out.contains("of wary-scouts"), "{}", on.out);
        blamed = true;
    }
    assert!(blamed, "the layer made no difference");
    // Other contents that lead to the same game are told in one line.
    let text = std::fs::read_to_string(folder.0.join("00000001.record")).unwrap();
    let hash = text.lines().nth(1).unwrap().rsplit(' ').next().unwrap().to_string();
    std::fs::write(folder.0.join("older"), text.replacen(&hash, "0123456789abcdef", 1)).unwrap();
    let said = sandtable(&folder.0, &["replay", "older"], "");
    let told = format!("changed since: skirmish is {}…, was 01234567… (version", &hash[..8]);
    assert!(said.code == 0 && said.error.contains(&told), "{}", said.error);
    assert!(said.error.contains(": the same to the end"), "{}", said.error);
}

#[test]
fn what_the_head_names_wrongly_is_told_with_its_line_and_what_there_is() {
    let (folder, text) = saved("head");
    let replay = |text: String| {
        std::fs::write(folder.0.join("wrong"), text).unwrap();
        let said = sandtable(&folder.0, &["replay", "wrong"], "");
        assert_eq!(said.code, 2, "{}", said.error);
        said.error
    };
    for (from, to, expected) in [
        ("option mist", "option fog", "wrong: line 5: there is no option `fog`; there are mist"),
        ("mist false", "mist maybe", "wrong: line 5: option mist is maybe; expected true or false"),
        ("scenario fords", "scenario forts", "wrong: line 4: there is no scenario `forts`; there are "),
        ("game skirmish", "game skirmisch", "wrong: line 2: there is no game `skirmisch`; there are "),
        (
            "scenario fords",
            "layer nosuch 1 0123456789abcdef\nscenario fords",
            "wrong: line 4: there is no layer `nosuch`; there are ",
        ),
        ("record 1", "record 2", "wrong: line 1, column 18: found `2`; expected `1`"),
        ("seed 3", "option mist true\nseed 3", "expected each option only once"),
    ] {
        let error = replay(text.replacen(from, to, 1));
        assert!(error.contains(expected), "`{expected}` is missing in\n{error}");
    }
    let wrong = ["play", "skirmish", "--terminal", "--option", "mist=maybe"];
    let said = sandtable(&folder.0, &wrong, "");
    assert!(said.error.contains("option mist is maybe; expected true or false"), "{}", said.error);
    assert!(!said.error.contains("-->"), "the value does not stand in a file: {}", said.error);
}

/// A copy of the small game with one change in one of its files, in a folder of its own.
fn changed(folder: &Folder, name: &str, file: &str, from: &str, to: &str) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let copy = folder.0.join(name);
    for top in ["rules", "scenarios"] {
        copy_all(&root.join(top).join("skirmish"), &copy.join(top).join("skirmish"));
    }
    for path in file.split(' ') {
        let path = copy.join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from} is not in {}", path.display());
        std::fs::write(&path, text.replace(from, to)).unwrap();
    }
}

fn copy_all(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_all(&path, &to);
        } else {
            std::fs::copy(path, to).unwrap();
        }
    }
}

#[test]
fn of_a_game_that_was_changed_only_the_change_is_to_blame() {
    let folder = Folder::new("changed");
    assert_eq!(
        sandtable(&folder.0, &["sim", "skirmish", "--games", "1", "--seed", "5", "--records", "."], "").code,
        0
    );
    let movement = "rules/skirmish/movement.lua";
    let march = "function(hex, _, order) go(";
    let slow = "function(hex, side, order) ask(side, \"gait\", { among = { \"slow\", \"fast\" } }) go(";
    let hills = "forbid_all(\"orders\", \"no-hills\", { rule = \"5.5\" }, function() return spaces{ terrain = \"hill\" }, no(\"crowded\") end)\n\n\
        forbid_all(\"orders\", \"full-hex\"";
    let rest = "-- 5.8 Reaction fire.\nprocedure(\"rest\", { rule = \"5.1\" }, function()\n\
        ask(game.active, \"rest\", { among = idle(game.active), none = \"none-rests\" })\nend)\n";
    for (name, file, from, to, told, by) in [
        (
            "figure",
            "rules/skirmish/pieces.toml",
            "moves = 3",
            "moves = 2",
            "`march/0802` is not among the options",
            "unit.v-bargemen.moves 3 -> 2  figure/rules/skirmish/pieces.toml:17:72",
        ),
        (
            "refusal",
            movement,
            "forbid_all(\"orders\", \"full-hex\"",
            hills,
            "[no-hills, 5.5]",
            "forbid no-hills (§ 5.5) of skirmish  refusal/rules/skirmish/movement.lua:32",
        ),
        (
            "question",
            movement,
            march,
            slow,
            "it is not asked; harrow is asked gait",
            "procedure march (§ 5.1) of skirmish  question/rules/skirmish/movement.lua:42",
        ),
        (
            "card",
            "rules/skirmish/pieces.toml",
            "h-smoke = { side = \"harrow\", name = \"Powder Smoke\", sort = \"combat\", role = \"either\", bonus = 1, rule = \"4.4\", text = \"+1 in any combat.\" }\n",
            "",
            "the state differs from the record after choice 1",
            "card.h-smoke, which is gone",
        ),
        (
            "step",
            "rules/skirmish/sequence.toml",
            "\"card\", \"movement\"",
            "\"card\", \"rest\", \"movement\"",
            "it is not asked; harrow is asked rest",
            "sequence.half.steps with \"rest\"  step/rules/skirmish/sequence.toml:10:49",
        ),
    ] {
        changed(&folder, name, file, from, to);
        if name == "card" {
            let scenario = folder.0.join("card/scenarios/skirmish/fords.toml");
            let text = std::fs::read_to_string(&scenario).unwrap();
            std::fs::write(&scenario, text.replace("h-storm h-smoke", "h-storm")).unwrap();
        }
        if name == "step" {
            let script = folder.0.join("step").join(movement);
            let text = std::fs::read_to_string(&script).unwrap();
            std::fs::write(&script, text.replace("-- 5.8 Reaction fire.\n", rest)).unwrap();
        }
        let said = sandtable(&folder.0, &["replay", "00000005.record", "--path", name], "");
        assert_eq!(said.code, 1, "{name}: {}", said.error);
        assert!(said.error.starts_with("changed since: skirmish is "), "{name}: {}", said.error);
        assert!(said.error.contains(told), "{name}: {}", said.error);
        let last = said.error.lines().last().unwrap();
        assert!(last.starts_with("  by ") && last.ends_with(by), "{name}: {}", said.error);
    }
    // What is nowhere any more cannot be compared, and no rule is blamed that may be as it was.
    let text = std::fs::read_to_string(folder.0.join("00000005.record")).unwrap();
    let hash = text.lines().nth(1).unwrap().rsplit(' ').next().unwrap();
    std::fs::write(folder.0.join("older"), text.replacen(hash, "0123456789abcdef", 1)).unwrap();
    let said = sandtable(&folder.0, &["replay", "older", "--path", "question"], "");
    assert!(said.error.contains("are not at hand") && !said.error.contains("\n  by "), "{}", said.error);
}

#[test]
fn rules_on_disk_keep_the_scenarios_in_the_binary_unless_they_have_their_own() {
    let folder = Folder::new("half");
    changed(&folder, "copy", "rules/skirmish/pieces.toml", "moves = 3", "moves = 2");
    let list = |wanted: bool| {
        let said = sandtable(&folder.0, &["list", "skirmish", "--path", "copy"], "");
        assert_eq!((said.code, said.out.contains("bridgehead")), (0, wanted), "{}{}", said.out, said.error);
    };
    std::fs::remove_file(folder.0.join("copy/scenarios/skirmish/bridgehead.toml")).unwrap();
    list(false);
    std::fs::remove_dir_all(folder.0.join("copy/scenarios")).unwrap();
    list(true);
}

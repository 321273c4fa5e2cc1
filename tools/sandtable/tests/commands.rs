//! The commands about games in play, run as people run them: far from the sources, with the embedded games.
#![allow(clippy::unwrap_used, reason = "tests")]

use sandtable_kernel::symbol::mix;
mod support;

use std::io::Write;
use support::{Folder, json, sandtable, start};

#[test]
fn the_shipped_games_are_in_the_binary() {
    let folder = Folder::new("list");
    let said = sandtable(&folder.0, &["list"], "");
    assert!(said.code == 0 && said.out.contains("skirmish"), "{}{}", said.out, said.error);
}

#[test]
fn a_game_is_played_saved_taken_back_and_replayed() {
    let folder = Folder::new("play");
    let typed =
        "help\nmap\nwhy 1\nwhy nonsense\nauto 6\nsave game.record\nundo! 2\nlog\nlook harrow\nbogus\nquit\n";
    let said = sandtable(&folder.0, &["play", "skirmish", "--terminal", "--seed", "7"], typed);
    assert_eq!(said.code, 0, "{}", said.error);
    let log = ["  Vale marker cup is shuffled.", "  A marker: Harrow marker cup → 0505"];
    let answers = ["saved as game.record", "taken back", "is offered", "`bogus` is not among the options"];
    for expected in log.iter().chain(&answers) {
        assert!(said.out.contains(expected), "`{expected}` is missing in\n{}", said.out);
    }
    let files: Vec<_> =
        std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files, ["game.record"], "nothing is left beside the save");

    let whole = json(&sandtable(&folder.0, &["replay", "game.record", "--json"], ""));
    assert_eq!((&whole["unchanged"], &whole["choices"]), (&true.into(), &6.into()));
    let part = json(&sandtable(&folder.0, &["replay", "game.record", "--to", "2", "--json"], ""));
    assert_eq!(part["choices"], 2);
    assert_ne!(part["digest"], whole["digest"]);

    let on = sandtable(&folder.0, &["play", "--load", "game.record", "--terminal"], "auto 1\nquit\n");
    assert_eq!(on.code, 0, "{}", on.error);
    let again = sandtable(&folder.0, &["rerun", "game.record"], "");
    assert!(again.out.contains("the same to the end"), "{}", again.out);
    let why = sandtable(&folder.0, &["explain", "game.record", "--at", "3", "1"], "");
    assert!(why.code == 0 && why.out.contains("is offered"), "{}{}", why.out, why.error);
    for (form, wanted) in [("case", "\nstep "), ("scenario", "[scenario.")] {
        let said = sandtable(&folder.0, &["export", "game.record", "--at", "3", "--as", form], "");
        assert!(said.code == 0 && said.out.contains(wanted), "{}{}", said.out, said.error);
    }
}

#[test]
fn the_hash_of_a_simulation_is_that_of_its_records() {
    let folder = Folder::new("sim");
    let args = ["sim", "skirmish", "--games", "4", "--seed", "11", "--records", "games", "--json"];
    let sim = json(&sandtable(&folder.0, &args, ""));
    let two = json(&sandtable(
        &folder.0,
        &["sim", "skirmish", "--games", "4", "--seed", "11", "--jobs", "2", "--json"],
        "",
    ));
    assert_eq!(sim["records_hash"], two["records_hash"], "neither jobs nor writing records matter");
    let mut hash = 0;
    for seed in 11..15u64 {
        let file = format!("games/{seed:08}.record");
        let replayed = json(&sandtable(&folder.0, &["replay", &file, "--json"], ""));
        let digest = u64::from_str_radix(replayed["digest"].as_str().unwrap(), 16).unwrap();
        hash = mix(hash, mix(seed, digest));
    }
    assert_eq!(sim["records_hash"], format!("{hash:016x}"));
}

#[test]
fn a_simulation_prints_one_object_with_all_its_figures() {
    let folder = Folder::new("figures");
    let sim = json(&sandtable(&folder.0, &["sim", "skirmish", "--games", "1", "--json"], ""));
    for (name, kind) in [
        ("games", "number"),
        ("finished", "number"),
        ("errors", "array"),
        ("dead_ends", "number"),
        ("decisions", "number"),
        ("decisions_per_second", "number"),
        ("games_per_second", "number"),
        ("options_mean", "number"),
        ("turns", "number"),
        ("wins", "object"),
        ("ends", "object"),
        ("fired", "object"),
        ("records_hash", "string"),
    ] {
        let found = match &sim[name] {
            serde_json::Value::Number(_) => "number",
            serde_json::Value::Array(_) => "array",
            serde_json::Value::Object(_) => "object",
            serde_json::Value::String(_) => "string",
            _ => "nothing",
        };
        assert_eq!(found, kind, "{name} in {sim}");
    }
    // Of one game one side has won, and the other has its interval all the same.
    let wins = sim["wins"].as_object().unwrap();
    assert_eq!(wins.keys().map(String::as_str).collect::<Vec<_>>(), ["harrow", "vale"]);
    let won: u64 = wins.values().map(|side| side["games"].as_u64().unwrap()).sum();
    assert_eq!(won, 1, "{sim}");
    assert!(wins.values().all(|side| side["interval"][0].as_f64() < side["interval"][1].as_f64()), "{sim}");
}

#[test]
fn a_damaged_record_is_an_error_with_a_place() {
    let folder = Folder::new("damaged");
    sandtable(&folder.0, &["play", "skirmish", "--terminal", "--seed", "7"], "auto 3\nsave whole\nquit\n");
    let whole = std::fs::read_to_string(folder.0.join("whole")).unwrap();
    std::fs::write(folder.0.join("cut"), &whole[..whole.len() - 4]).unwrap();
    let said = sandtable(&folder.0, &["replay", "cut"], "");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("cut: line ") && said.error.contains("expected"), "{}", said.error);
    let absent = sandtable(&folder.0, &["replay", "absent"], "");
    assert!(absent.code == 2 && absent.error.contains("absent cannot be read"), "{}", absent.error);
}

#[test]
fn a_benchmark_prints_its_figures() {
    let folder = Folder::new("bench");
    let figures = json(&sandtable(&folder.0, &["bench", "skirmish", "--millis", "50", "--json"], ""));
    let wanted = [
        "decisions_per_second",
        "create_ms",
        "create_again_ms",
        "undo_ms",
        "replay_ms",
        "snapshot_us",
        "reference_us",
    ];
    for name in wanted {
        assert!(figures[name].as_f64().is_some_and(|n| n > 0.0), "{name} in {figures}");
    }
}

#[test]
fn a_benchmark_of_no_time_is_refused() {
    let folder = Folder::new("no-time");
    let said = sandtable(&folder.0, &["bench", "skirmish", "--millis", "0"], "");
    assert!(said.code == 2 && said.error.contains("--millis"), "{}", said.error);
}

#[test]
fn every_card_that_comes_into_play_is_counted() {
    let folder = Folder::new("fired");
    let totals = json(&sandtable(&folder.0, &["sim", "skirmish", "--games", "40", "--json"], ""));
    let fired = totals["fired"].as_object().unwrap();
    let (_, cards) = include_str!("../../../rules/skirmish/pieces.toml").split_once("[card]").unwrap();
    let cards = cards.lines().filter(|line| line.contains("sort = "));
    let ids: Vec<&str> = cards.filter_map(|line| Some(line.split_once(" = {")?.0)).collect();
    assert_eq!(ids.len(), 12, "{ids:?}");
    for id in ids {
        assert!(fired.get(id).and_then(serde_json::Value::as_u64) > Some(0), "{id} is not in {fired:?}");
    }
    // A card is played at most as often as it can be drawn again.
    let most = fired["h-storm"].as_u64().unwrap();
    assert!(most < 40 * 20, "h-storm was played {most} times in 40 games");
}

#[test]
fn the_house_rule_of_the_readme_passes_its_check() {
    let folder = Folder::new("readme");
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once("```lua\n").unwrap();
    std::fs::write(folder.0.join("careful-horse.lua"), rest.split_once("```").unwrap().0).unwrap();
    let said = sandtable(&folder.0, &["check", "careful-horse.lua"], "");
    assert!(said.code == 0 && said.out.contains("0 errors, 0 warnings"), "{}{}", said.out, said.error);
    let call = ["sim", "skirmish", "--games", "2", "--layer", "careful-horse.lua"];
    assert_eq!(sandtable(&folder.0, &call, "").code, 0);
}

#[test]
fn watching_a_game_follows_changed_rules_and_survives_broken_ones() {
    let folder = Folder::new("watch");
    let rules = folder.0.join("rules/tiny");
    std::fs::create_dir_all(&rules).unwrap();
    let manifest = "[game]\nid = \"tiny\"\ntitle = \"Tiny\"\nversion = \"1\"\nsource = \"own\"\nsides = [\"red\"]\n\
        [side]\nred = { name = \"Red\" }\n[attribute.game]\nsum = { type = \"int\" }\n[value]\nstep = 1\n\
        [sequence]\ngame = { steps = [\"add\"] }\nadd = { repeat = true }\n[scenario.only]\ntitle = \"Only\"\n";
    let script = "procedure(\"add\", {}, function()\n  local n = ask(\"red\", \"n\", { from = 1, to = 3 })\n  game.sum = game.sum + n * value \"step\"\nend)\n";
    std::fs::write(rules.join("game.toml"), manifest).unwrap();
    std::fs::write(rules.join("rules.lua"), script).unwrap();
    let mut child = start(&folder.0, &["play", "tiny", "--terminal", "--seed", "1", "--watch"]);
    let mut typed = child.stdin.take().unwrap();
    let pause = || std::thread::sleep(std::time::Duration::from_millis(1500));
    typed.write_all(b"2\n").unwrap();
    pause();
    std::fs::write(rules.join("rules.lua"), "procedure(").unwrap();
    pause();
    typed.write_all(b"1\n").unwrap();
    pause();
    std::fs::write(rules.join("rules.lua"), format!("{script}\n")).unwrap();
    std::fs::write(rules.join("game.toml"), manifest.replace("step = 1", "step = 10")).unwrap();
    pause();
    std::fs::write(rules.join("rules.lua"), script.replace("from = 1", "from = 2")).unwrap();
    pause();
    typed.write_all(b"look red\nquit\n").unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    for expected in [
        "the game goes on as it was",
        "game: sum 3 -> sum 30",
        "value.step 1 -> 10  rules/tiny/game.toml:12",
        "procedure add of tiny  rules/tiny/rules.lua:1",
        "cannot be followed at choice 2",
    ] {
        assert!(said.contains(expected), "`{expected}` is missing in\n{said}");
    }
}

#[test]
fn reruns_name_the_rule_or_the_value_that_makes_the_difference() {
    let folder = Folder::new("rerun");
    let played = sandtable(&folder.0, &["sim", "skirmish", "--games", "4", "--records", "."], "");
    assert_eq!(played.code, 0, "{}", played.error);
    let records: Vec<String> = (1..=4).map(|seed| format!("{seed:08}.record")).collect();
    let rerun = |more: &[&str]| {
        let mut args = vec!["rerun"];
        args.extend(records.iter().map(String::as_str));
        args.extend(more);
        args.push("--json");
        json(&sandtable(&folder.0, &args, ""))
    };
    let same = rerun(&[]);
    assert_eq!((&same["touching"], &same["differing"], &same["parted"]), (&0.into(), &0.into(), &0.into()));

    // A layer of rules: what differs is put down to its handler, and its paragraph is named.
    let rules = rerun(&["--layer", "wary-scouts"]);
    assert_eq!(rules["games"], 4);
    assert!(
        rules["differing"].as_u64().unwrap() >= 1
            && rules["touching"].as_u64() >= rules["differing"].as_u64()
    );
    for record in rules["records"].as_array().unwrap().iter().filter(|record| !record["differs"].is_null()) {
        let (choice, by) = (&record["differs"]["choice"], &record["differs"]["rules"][0]);
        assert!(choice.as_u64() <= record["choices"].as_u64() && choice.as_u64() > Some(0), "{record}");
        assert!(by.as_str().unwrap().contains("of wary-scouts"), "{record}");
    }

    // A layer of values: the games that read them touch the change, whether or not they differ.
    let values = rerun(&["--layer", "errata"]);
    let touches = values["records"][2]["touches"].to_string();
    assert!(touches.contains("unit.h-battery.moves 2 -> 3"), "{values}");
    // Only what makes the difference is named: either change alone, or both.
    for record in values["records"].as_array().unwrap().iter().filter(|record| !record["differs"].is_null()) {
        let by = &record["differs"]["rules"];
        let seed = record["file"].as_str().unwrap();
        for (named, set) in [("h-battery", "unit.h-battery.moves=3"), ("v-stand", "card.v-stand.bonus=1")] {
            let alone = json(&sandtable(&folder.0, &["rerun", seed, "--set", set, "--json"], ""));
            let differs = &alone["records"][0]["differs"];
            if by.as_array().unwrap().len() == 1 && by.to_string().contains(named) {
                assert_eq!(differs["choice"], record["differs"]["choice"], "{record}");
            }
        }
        assert!(!by.as_array().unwrap().is_empty(), "{record}");
    }
    let fast = rerun(&["--set", "unit.h-reds.moves=1"]);
    assert!(fast["differing"].as_u64().unwrap() >= 1, "{fast}");
    let said = sandtable(&folder.0, &["rerun", &records[0], "--set", "unit.h-reds.moves=1"], "");
    assert!(said.out.contains("1 games: 1 touch the change"), "{}", said.out);
}

#[test]
fn a_rerun_leaves_each_wrap_out_alone() {
    let folder = Folder::new("rerun-wraps");
    let played = sandtable(&folder.0, &["sim", "skirmish", "--games", "3", "--records", "."], "");
    assert_eq!(played.code, 0, "{}", played.error);
    let layer = r#"--- layer: walls
--- version: 1.0
--- game: skirmish
wrap("attack", function(inner, n, fight) inner(n, fight) end)
wrap("defence", function(inner, n, fight) inner(n, fight) n:add(9) end)
"#;
    std::fs::write(folder.0.join("walls.lua"), layer).unwrap();
    let args =
        ["rerun", "00000001.record", "00000002.record", "00000003.record", "--layer", "walls", "--json"];
    let found = json(&sandtable(&folder.0, &args, ""));
    let differing: Vec<_> =
        found["records"].as_array().unwrap().iter().filter(|record| !record["differs"].is_null()).collect();
    assert!(!differing.is_empty(), "{found}");
    for record in differing {
        assert_eq!(record["differs"]["rules"], serde_json::json!(["wrap of defence by walls  walls.lua:5"]));
    }
}

#[test]
fn numbers_are_explained_with_paragraph_and_layer() {
    let folder = Folder::new("numbers");
    let played = sandtable(
        &folder.0,
        &["sim", "skirmish", "--games", "1", "--layer", "wary-scouts", "--records", "."],
        "",
    );
    assert_eq!(played.code, 0, "{}", played.error);
    let mut all = String::new();
    for at in 1..120 {
        let said =
            sandtable(&folder.0, &["explain", "00000001.record", "--at", &at.to_string(), "--numbers"], "");
        assert_eq!(said.code, 0, "{}", said.error);
        all.push_str(&said.out);
    }
    for wanted in [
        "allowance (h-",
        "attack (",
        "defence (",
        "+1 barricades [house.1], layer wary-scouts",
        "no number was worked out after choice",
    ] {
        assert!(all.contains(wanted), "`{wanted}` is missing in\n{all}");
    }
    // The layer that has the last word on a rule of the game is named, with its place.
    let layer = "--- layer: shout\n--- version: 1.0\n--- game: skirmish\nwrap(\"allowance\", function(inner, n, unit) inner(n, unit) end)\n";
    std::fs::create_dir_all(folder.0.join("layers")).unwrap();
    std::fs::write(folder.0.join("layers/shout.lua"), layer).unwrap();
    let call = ["sim", "skirmish", "--games", "1", "--seed", "2", "--layer", "shout", "--records", "."];
    assert_eq!(sandtable(&folder.0, &call, "").code, 0);
    let wrapped = (1..40).any(|at| {
        let call = ["explain", "00000002.record", "--at", &at.to_string(), "--numbers"];
        sandtable(&folder.0, &call, "").out.contains("allowance [5.1], layer shout  shout.lua:4")
    });
    assert!(wrapped, "the layer of a wrap is not named");
    let refused = sandtable(&folder.0, &["explain", "00000001.record", "--at", "7", "h-nobody"], "");
    assert!(refused.code != 0 && refused.out.contains("h-nobody"), "{}{}", refused.out, refused.error);
}

#[test]
fn what_is_out_of_reach_is_explained_with_its_way() {
    let folder = Folder::new("reach");
    let typed = format!("{}why march 1006\nwhy 1006\nwhy nonsense\nquit\n", "1\n".repeat(14));
    let said = sandtable(&folder.0, &["play", "skirmish", "--terminal", "--seed", "1"], &typed);
    for expected in [
        "march 1006 is out of reach: a mover has to stop in 0502 (the way is 0303 0402 0502",
        "1006 is out of reach: ",
        "[5.1, 5.2, 5.3, 5.4]",
        "`nonsense` is not among the options; nothing has that name",
    ] {
        assert!(said.out.contains(expected), "`{expected}` is missing in\n{}", said.out);
    }
}

#[test]
fn actions_are_cancelled_and_retracted() {
    let folder = Folder::new("retract");
    let typed = "1\n".repeat(14) + "stay\n1\nretract 1\nretract x\nundo x\ncancel\nmap\nlook 0501\nquit\n";
    let said = sandtable(&folder.0, &["play", "skirmish", "--terminal", "--seed", "1"], &typed);
    for expected in [
        "retract: `x` is not a number",
        "undo: `x` is not a number",
        "taken back",
        "river: ",
        "Brack (0303)",
        "; river to ",
    ] {
        assert!(said.out.contains(expected), "`{expected}` is missing in\n{}", said.out);
    }
}

#[test]
fn the_random_player_answers_for_its_sides_on_the_terminal_too() {
    let folder = Folder::new("random");
    let play = |args: &[&str], typed: &str| {
        let all: Vec<&str> =
            ["play", "skirmish", "--terminal", "--seed", "3"].iter().chain(args).copied().collect();
        sandtable(&folder.0, &all, typed)
    };
    let both = play(&["--random", "harrow", "--random", "vale"], "save whole.record\nquit\n");
    assert_eq!(both.code, 0, "{}", both.error);
    let whole = json(&sandtable(&folder.0, &["replay", "whole.record", "--json"], ""));
    assert!(whole["choices"].as_u64().unwrap() > 20, "{whole}");
    let wrong = play(&["--random", "harow"], "");
    assert!(wrong.code == 2 && wrong.error.contains("the sides are harrow, vale"), "{}", wrong.error);
}

#[test]
fn numbers_of_jobs_and_folders_are_checked() {
    let folder = Folder::new("args");
    for args in [["--jobs", "0"], ["--jobs", "9999999"], ["--path", "nowhere"]] {
        let said = sandtable(&folder.0, &["sim", "skirmish", "--games", "1", args[0], args[1]], "");
        assert_eq!(said.code, 2, "{args:?}: {}{}", said.out, said.error);
    }
}

#[test]
fn a_process_killed_while_it_saves_leaves_a_whole_record() {
    let folder = Folder::new("killed");
    let saved = folder.0.join("game.record");
    for round in 0..12u64 {
        let mut child = start(&folder.0, &["play", "skirmish", "--terminal", "--seed", "5"]);
        let mut typed = child.stdin.take().unwrap();
        let mut shown = child.stdout.take().unwrap();
        std::thread::spawn(move || std::io::copy(&mut shown, &mut std::io::sink()));
        let lines = "auto 3\nsave game.record\n".repeat(400);
        let writer = std::thread::spawn(move || typed.write_all(lines.as_bytes()));
        std::thread::sleep(std::time::Duration::from_millis(40 + round * 15));
        child.kill().unwrap();
        child.wait().unwrap();
        let _ = writer.join();
        if saved.exists() {
            let replayed = sandtable(&folder.0, &["replay", "game.record", "--json"], "");
            assert_eq!(json(&replayed)["parted"], serde_json::Value::Null, "{}", replayed.error);
        }
    }
    assert!(saved.exists(), "nothing was ever saved");
}

#[cfg(unix)]
#[test]
fn a_save_goes_through_links_and_replaces_no_device() {
    let folder = Folder::new("links");
    std::fs::write(folder.0.join("there.record"), "old").unwrap();
    std::os::unix::fs::symlink("there.record", folder.0.join("link.record")).unwrap();
    std::fs::create_dir(folder.0.join("folder")).unwrap();
    let typed = "save link.record\nsave folder\nquit\n";
    let said = sandtable(&folder.0, &["play", "skirmish", "--terminal", "--seed", "5"], typed);
    assert!(said.out.contains("saved as link.record") && said.out.contains("is not a file"), "{}", said.out);
    assert!(folder.0.join("link.record").is_symlink());
    let text = std::fs::read_to_string(folder.0.join("there.record")).unwrap();
    assert!(text.starts_with("sandtable record"), "{text}");
}

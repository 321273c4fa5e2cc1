//! Commands for people who write layers: new, find, origin, diff, pack, add, docs; and the shipped layers in pairs.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::path::Path;
use support::{Folder, GAMES, Said, json, sandtable};

fn fine(folder: &Path, args: &[&str]) -> Said {
    let said = sandtable(folder, args, "");
    assert_eq!(said.code, 0, "{args:?}\n{}{}", said.out, said.error);
    said
}

#[test]
fn what_is_new_passes_its_own_check_and_test() {
    let folder = Folder::new("new");
    let here = &folder.0;
    let said = fine(here, &["new", "game", "my-game"]);
    let files: Vec<&str> = said.out.lines().take_while(|line| !line.is_empty()).collect();
    let lines: usize =
        files.iter().map(|file| std::fs::read_to_string(here.join(file)).unwrap().lines().count()).sum();
    assert!(files.len() <= 4 && lines <= 80, "{} files, {lines} lines", files.len());
    let checked = fine(here, &["check", "my-game"]);
    assert!(checked.out.contains("0 errors"), "{}", checked.out);
    fine(here, &["test", "my-game"]);
    fine(here, &["sim", "my-game", "--games", "20", "--invariants"]);
    for game in ["my-game", "skirmish", "stalins-war"] {
        let layer = format!("rule-of-{game}");
        fine(here, &["new", "layer", &layer, "--game", game]);
        let checked = fine(here, &["check", game, "--layer", &layer]);
        assert!(checked.out.contains("0 errors, 0 warnings"), "{}", checked.out);
        let said = fine(here, &["test", game, "--layer", &layer]);
        assert!(said.out.contains("1 passed"), "{}", said.out);
        let scenario = format!("start-of-{game}");
        fine(here, &["new", "scenario", &scenario, "--game", game]);
        fine(here, &["play", game, &scenario, "--terminal", "--seed", "1"]);
        let cases = format!("cases-of-{game}");
        fine(here, &["new", "cases", &cases, "--game", game]);
        fine(here, &["test", &format!("{cases}.md")]);
    }
    for (game, side, cards) in [("skirmish", "vale", 6), ("stalins-war", "axis", 55)] {
        let cases = format!("cards-of-{game}");
        fine(here, &["new", "cases", &cases, "--game", game, "--cards", side]);
        let totals = json(&fine(here, &["test", &format!("{cases}.md"), "--json"]));
        assert_eq!(totals["passed"], cards, "{game}");
    }
    // A new scenario does not become the one that is played when none is named.
    let listed = fine(here, &["list", "my-game"]).out;
    assert!(listed.find("  start ").unwrap() < listed.find("  start-of-my-game ").unwrap(), "{listed}");
    let listed = fine(here, &["list", "skirmish"]).out;
    assert!(listed.find("  fords ").unwrap() < listed.find("  bridgehead ").unwrap(), "{listed}");
    // Cards of nobody can come to every side.
    fine(here, &["new", "cases", "cards-of-heroes", "--game", "conflict-of-heroes", "--cards", "german"]);
    fine(here, &["test", "cards-of-heroes.md"]);
    let odd = sandtable(here, &["new", "cases", "odd", "--game", "skirmish", "--cards", "harow"], "");
    assert!(odd.error.contains("did you mean") && odd.error.contains("harrow"), "{}", odd.error);
    for (kind, id) in [("game", "skirmish"), ("layer", "errata")] {
        let said = sandtable(here, &["new", kind, id, "--game", "skirmish"], "");
        assert!(
            said.code == 2 && said.error.contains("is there already, inside the program"),
            "{}",
            said.error
        );
    }
    let twice = sandtable(here, &["new", "game", "my-game"], "");
    assert!(twice.code == 2 && twice.error.contains("is there already"), "{}", twice.error);
    let odd = sandtable(here, &["new", "game", "My Game"], "");
    assert!(odd.error.contains("is not an id"), "{}", odd.error);
}

#[test]
fn a_layer_is_packed_added_and_works() {
    let folder = Folder::new("pack");
    let (here, there) = (folder.0.join("here"), folder.0.join("there"));
    std::fs::create_dir_all(&here).unwrap();
    std::fs::create_dir_all(&there).unwrap();
    fine(&here, &["new", "layer", "my-rule", "--game", "skirmish"]);
    fine(&here, &["pack", "layers/my-rule", "--out", "../shared.sandtable"]);
    fine(&there, &["add", "../shared.sandtable"]);
    assert!(fine(&there, &["test", "skirmish", "--layer", "my-rule"]).out.contains("1 passed"));
    assert!(fine(&there, &["list", "skirmish"]).out.contains("my-rule"));
    let again = sandtable(&there, &["add", "../shared.sandtable"], "");
    assert!(again.error.contains("--replace"), "{}", again.error);
    fine(&there, &["add", "../shared.sandtable", "--replace"]);
    // A layer of one file, with its cases.
    std::fs::write(here.join("one.lua"), "--- layer: one\n--- version: 2\n--- game: skirmish\n").unwrap();
    std::fs::write(here.join("one.md"), "### one.1 One\n```case\nis h-reds.level 1\n```\n").unwrap();
    fine(&here, &["pack", "one.lua"]);
    fine(&there, &["add", "../here/one-2.sandtable"]);
    assert!(fine(&there, &["test", "skirmish", "--layer", "one"]).out.contains("1 passed"));
    let elsewhere = fine(&there, &["add", "../shared.sandtable", "--to", "elsewhere"]);
    assert!(elsewhere.out.contains("--layer my-rule --path elsewhere"), "{}", elsewhere.out);
    // What fails its check is not shared.
    let bad = "[layer]\nid = \"bad\"\nversion = \"1.0\"\ngame = \"skirmish\"\n\n[unit.h-battery]\nmove = 3\n";
    std::fs::write(here.join("bad.toml"), bad).unwrap();
    let refused = sandtable(&here, &["pack", "bad.toml"], "");
    assert!(refused.code == 2 && refused.error.contains("bad.toml:7:"), "{}", refused.error);
    // Nothing leaves the folder.
    let bad = "sandtable layer 1\nx 1 skirmish\nfile 2 ../../out.toml\nab\nend 0\n";
    std::fs::write(folder.0.join("bad.sandtable"), bad).unwrap();
    let said = sandtable(&there, &["add", "../bad.sandtable"], "");
    assert!(said.code == 2 && said.error.contains("refused"), "{}", said.error);
    assert!(!folder.0.join("out.toml").exists());
}

#[test]
fn values_are_found_with_their_origin_and_their_changes() {
    let folder = Folder::new("find");
    let said = fine(&folder.0, &["find", "skirmish", "old", "battery", "moves"]);
    assert!(said.out.contains("unit.h-battery.moves = 2"), "{}", said.out);
    assert!(fine(&folder.0, &["find", "skirmish", "reaction", "fire"]).out.contains("§ 5.8"));
    assert_eq!(sandtable(&folder.0, &["find", "skirmish", "zeppelin"], "").code, 1);
    // Whole words before parts of words, rules before the map; fields of a ladder; what a cited paragraph is about.
    let rain = fine(&folder.0, &["find", "skirmish", "rain"]).out;
    assert!(rain.find("card.v-rain").unwrap() < rain.find("terrain").unwrap_or(usize::MAX), "{rain}");
    let ladder = fine(&folder.0, &["find", "skirmish", "red", "company", "strength"]).out;
    assert!(ladder.contains("unit.h-reds.levels = ["), "{ladder}");
    assert!(fine(&folder.0, &["find", "skirmish", "stacking"]).out.contains("limit.units.most = 2"));
    let given =
        json(&fine(&folder.0, &["origin", "skirmish", "card.v-stand.bonus", "--layer", "errata", "--json"]));
    let values: Vec<&str> =
        given["given"].as_array().unwrap().iter().map(|row| row["value"].as_str().unwrap()).collect();
    assert_eq!(values, ["1", "2"]);
    assert!(given["given"][0]["place"].as_str().unwrap().contains("errata.toml:"));
    let near = sandtable(&folder.0, &["origin", "skirmish", "unit.h-batery.moves"], "");
    assert!(near.error.contains("unit.h-battery.moves"), "{}", near.error);
    // A table has no origin of its own; each value in it has.
    let layer = "[layer]\nid = \"big-hands\"\nversion = \"1.0\"\ngame = \"skirmish\"\n\n[value.hand]\nlimit = 6\n\n[table.combat.rows]\n3 = { 0 = \"dr\" }\n";
    std::fs::create_dir_all(folder.0.join("layers")).unwrap();
    std::fs::write(folder.0.join("layers/big-hands.toml"), layer).unwrap();
    let hand = fine(&folder.0, &["origin", "skirmish", "value.hand", "--layer", "big-hands"]).out;
    assert!(
        hand.contains("value.hand.limit\n    big-hands  is  6") && hand.contains("skirmish   was 3"),
        "{hand}"
    );
    assert!(hand.contains("value.hand.opening\n    skirmish  is  2"), "{hand}");
    let row = fine(&folder.0, &["origin", "skirmish", "table.combat.rows.3", "--layer", "big-hands"]).out;
    assert!(row.contains("big-hands  is  \"dr\"") && row.matches("big-hands  is").count() == 1, "{row}");
    let sheet = fine(&folder.0, &["diff", "skirmish", "big-hands"]).out;
    assert!(
        sheet.contains("combat.rows.3.0: \"ex\" -> \"dr\"") && !sheet.contains("combat.rows.3:"),
        "{sheet}"
    );
    let sheet = fine(&folder.0, &["diff", "skirmish", "errata"]).out;
    assert!(
        sheet.contains("h-battery.moves (Old Battery): 2 -> 3")
            && sheet.contains("v-stand.bonus (Stand Fast): 2 -> 1"),
        "{sheet}"
    );
    let sheet = fine(&folder.0, &["diff", "skirmish", "wary-scouts"]).out;
    assert!(sheet.contains("trap.mine is wrapped") && sheet.contains("barricades of defence"), "{sheet}");
}

#[test]
fn the_living_rulebook_is_one_page() {
    let folder = Folder::new("docs");
    let said = fine(&folder.0, &["docs", "skirmish"]);
    assert!(said.out.contains("0 unproved"), "{}", said.out);
    let page = std::fs::read_to_string(folder.0.join("skirmish.html")).unwrap();
    for wanted in [
        "id=\"6.3\"",
        "proved",
        "class=\"case passes\"",
        "Storming Party",
        "value.hand.limit",
        "<style>",
        "implemented by",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert!(!page.contains("src=\"") && !page.contains("<link"), "the page needs nothing else");
}

/// Every shipped layer, alone and with every other of its game: their cases pass, and random games keep the invariants.
#[test]
fn layers_pass_their_cases_alone_and_in_pairs() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let (mut layers, mut pairs) = (0, 0);
    for &game in GAMES {
        let listed = fine(root, &["list", game]).out;
        let own: Vec<String> = listed
            .split("\nlayers\n")
            .nth(1)
            .unwrap_or_default()
            .lines()
            .filter_map(|line| line.split_whitespace().next().map(str::to_string))
            .collect();
        assert!(own.len() >= 3, "{game} has {own:?}");
        layers += own.len();
        for (number, one) in own.iter().enumerate() {
            let alone = cases(root, game, &["--layer", one]);
            assert!(alone > 0, "{game}: {one} has no case");
            fine(root, &["check", game, "--layer", one]);
            plays(root, game, &["--layer", one, "--invariants", "--secrets-every", "40"]);
            for other in &own[number + 1..] {
                pairs += 1;
                let both = cases(root, game, &["--layer", one, "--layer", other]);
                let turned = cases(root, game, &["--layer", other, "--layer", one]);
                assert!(both > alone && both == turned, "{game}: {one} with {other}: {both} cases");
                plays(root, game, &["--layer", one, "--layer", other]);
            }
        }
    }
    assert!(layers >= 20 && pairs >= 30, "{layers} layers, {pairs} pairs");
}

/// Runs the cases of layers, all of which must pass; gives how many there are.
fn cases(root: &Path, game: &str, layers: &[&str]) -> u64 {
    let args: Vec<&str> = ["test", game, "--json"].iter().chain(layers).copied().collect();
    let totals = json(&fine(root, &args));
    assert_eq!(totals["failed"], 0, "{game} {layers:?}: {totals}");
    totals["cases"].as_u64().unwrap()
}

/// Plays a random game with layers to its end.
fn plays(root: &Path, game: &str, layers: &[&str]) {
    let args: Vec<&str> = ["sim", game, "--games", "1", "--json"].iter().chain(layers).copied().collect();
    let totals = json(&fine(root, &args));
    assert_eq!(totals["finished"], 1, "{game} {layers:?}: {totals}");
}

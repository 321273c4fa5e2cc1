//! What proves a rule: `coverage` names the cases that notice, `mutate` changes what is printed, options and the sequence too.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::path::Path;
use support::{Folder, json, sandtable};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn a_paragraph_is_proved_by_the_cases_that_notice() {
    let folder = Folder::new("coverage");
    assert_eq!(sandtable(&folder.0, &["new", "game", "my-game"], "").code, 0);
    // The first case runs the rule and expects nothing of it.
    let book = folder.0.join("rules/my-game/rulebook.md");
    let idle = "or stays.\n\n```case\nset game.active red\nplace red-foot west\ncall march\nred: stay\n```\n";
    let text = std::fs::read_to_string(&book).unwrap().replacen("or stays.\n", idle, 1);
    std::fs::write(&book, &text).unwrap();
    let line = |wanted: &str| {
        let at = text.find(wanted).unwrap();
        text[..at].rfind("```case").map(|start| text[..start].lines().count() + 1).unwrap()
    };
    let found = json(&sandtable(&folder.0, &["coverage", "my-game", "--json"], ""));
    assert_eq!((&found["proved"], &found["missing"]), (&2.into(), &0.into()), "{found}");
    let rows = found["paragraphs"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    let first = &rows[0];
    assert_eq!(first["id"], "1.1");
    assert!(first["cited_by"].to_string().contains("procedure march  my-game/rules.lua:2"), "{first}");
    let proved = first["proved_by"].to_string();
    assert!(proved.contains(&format!("rulebook.md:{}\"", line("=> move"))), "{first}");
    let all = sandtable(&folder.0, &["coverage", "my-game", "--all"], "").out;
    assert!(all.contains("implemented by procedure march") && all.contains("proved by"), "{all}");
    let page = sandtable(&folder.0, &["docs", "my-game"], "");
    assert_eq!(page.code, 0, "{}", page.error);
    let html = std::fs::read_to_string(folder.0.join("my-game.html")).unwrap();
    assert!(html.contains("proves it"), "the page names the cases that prove");
}

#[test]
fn every_paragraph_of_the_small_game_is_listed_with_its_proof() {
    let found = json(&sandtable(Path::new(ROOT), &["coverage", "skirmish", "--json"], ""));
    for row in found["paragraphs"].as_array().unwrap() {
        let (cited, proved) = (row["cited_by"].as_array().unwrap(), row["proved_by"].as_array().unwrap());
        assert!(row["exempt"].is_string() || !cited.is_empty() && !proved.is_empty(), "{row}");
    }
}

#[test]
fn printed_figures_card_effects_options_and_nodes_are_mutated() {
    let judged = |only: &str| {
        let found = json(&sandtable(Path::new(ROOT), &["mutate", "skirmish", "--only", only, "--json"], ""));
        (found["mutants"].as_u64().unwrap(), found["caught"].as_u64().unwrap(), found["survivors"].clone())
    };
    for (only, mutants) in [
        ("unit.h-scouts.moves is another", 1),
        ("unit.v-levy.aim is another", 1),
        ("card.h-march.starts is not there", 1),
        ("card.h-storm.bonus is another", 1),
        ("option.mist is always", 2),
        ("sequence.movement left out", 1),
        ("value.last-turn =", 1),
    ] {
        let (found, caught, survivors) = judged(only);
        assert_eq!((found, caught), (mutants, mutants), "{only}: {survivors}");
    }
}

#[test]
fn a_figure_that_no_case_reads_survives() {
    let folder = Folder::new("mutate");
    assert_eq!(sandtable(&folder.0, &["new", "game", "my-game"], "").code, 0);
    let found = json(&sandtable(&folder.0, &["mutate", "my-game", "--only", "moves", "--json"], ""));
    assert_eq!((&found["mutants"], &found["caught"]), (&2.into(), &0.into()), "{found}");
}

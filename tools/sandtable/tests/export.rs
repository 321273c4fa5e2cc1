//! A moment of a game as a scenario: the same position, the same place in the sequence of play, and the same game from there on.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use sandtable_data::catalog;
use sandtable_data::definition;
use sandtable_data::package::DiskFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_session::{Game, RandomPlayer, Session, Status, export, names};
use std::path::Path;
use std::rc::Rc;
use support::{Folder, GAMES, json, sandtable};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A game with what lies in a folder on top.
fn game(id: &str, scenario: Option<&str>, folder: &Path) -> Rc<Game> {
    let search = SearchPath::new().with(DiskFiles::new(folder)).with(DiskFiles::new(ROOT));
    let (catalog, problems) = catalog::load(id, &[], &[], &search);
    assert!(!problems.has_errors(), "{id}: {problems:?}");
    let (definition, problems) = definition::build(&catalog, scenario, &[]);
    assert!(!problems.has_errors(), "{id}: {problems:?}");
    Rc::new(Game::new(definition.unwrap(), &catalog).unwrap_or_else(|errors| panic!("{errors:?}")))
}

/// Plays the answers of one session from number `from` on in another.
fn follow(one: &mut Session, other: &mut Session, from: usize) {
    let given: Vec<_> = one.answers()[from..].to_vec();
    for recorded in given.iter().filter(|recorded| !recorded.answer.forced) {
        let answer = &recorded.answer;
        let which = other
            .decisions()
            .iter()
            .position(|decision| decision.side == answer.side && decision.prompt == answer.prompt)
            .unwrap_or_else(|| panic!("the scenario asks {:?}, not {answer:?}", other.decisions()));
        let text = one.look(|host| names::exact_choice(host.cx(), &answer.choice));
        other.answer_text(which, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn any_moment_of_any_game_is_a_scenario_that_goes_on_as_the_game_did() {
    for &id in GAMES {
        let folder = Folder::new(&format!("export-{id}"));
        let own = game(id, None, &folder.0);
        let mut session = Session::new(&own, 5).unwrap();
        let mut player = RandomPlayer::new(5);
        let mut marks = Vec::new();
        for number in 1..=400 {
            if *session.status() != Status::Asking {
                break;
            }
            player.play(&mut session).unwrap();
            if number % 67 == 0 {
                marks.push((number, session.answers().len()));
            }
        }
        let record = session.record();
        let scenarios = folder.0.join("scenarios").join(id);
        std::fs::create_dir_all(&scenarios).unwrap();
        for (at, to) in marks {
            let text = export::scenario(&session, &record, at, to);
            std::fs::write(scenarios.join("moment.toml"), &text).unwrap();
            let there = game(id, Some(&format!("{}-{at}", record.scenario)), &folder.0);
            let mut other = Session::bare(&there, 5).unwrap_or_else(|error| panic!("{id} at {at}: {error}"));
            let (digest, before) = session.digest_at_step(to).unwrap();
            assert_eq!(there.digest(&other.play().state), digest, "{id} at {at}: another position\n{text}");
            other.begin().unwrap_or_else(|error| panic!("{id} at {at}: {error}"));
            follow(&mut session, &mut other, before);
            assert_eq!(
                there.digest(&other.play().state),
                own.digest(&session.play().state),
                "{id} from {at}: another game"
            );
        }
    }
}

#[test]
fn an_exported_case_passes_as_a_file_of_its_own() {
    let folder = Folder::new("export-case");
    let done = sandtable(
        &folder.0,
        &["sim", "skirmish", "--games", "1", "--seed", "3", "--layer", "errata", "--records", "."],
        "",
    );
    assert_eq!(done.code, 0, "{}", done.error);
    let said = sandtable(&folder.0, &["export", "00000003.record", "--at", "20", "--as", "case"], "");
    assert_eq!(said.code, 0, "{}", said.error);
    // The position, not the whole game; and what may be answered.
    assert!(
        said.out.contains("\nstep ") && said.out.contains("\nplace ") && !said.out.contains("\ngo\n"),
        "{}",
        said.out
    );
    assert!(said.out.lines().any(|line| line.contains("? ")), "{}", said.out);
    let scenario = sandtable(&folder.0, &["export", "00000003.record", "--to", "20", "--as", "scenario"], "");
    assert!(scenario.out.contains("--layer errata"), "{}", scenario.out);
    std::fs::write(folder.0.join("moment.md"), &said.out).unwrap();
    let tested = json(&sandtable(&folder.0, &["test", "moment.md", "--json"], ""));
    assert_eq!((&tested["passed"], &tested["failed"]), (&1.into(), &0.into()), "{}", said.out);
    let far = sandtable(&folder.0, &["export", "00000003.record", "--at", "99999", "--as", "scenario"], "");
    assert!(far.code == 2 && far.error.contains("choices"), "{}", far.error);
}

#[test]
fn a_wrong_place_in_the_sequence_is_an_error_with_a_place() {
    let folder = Folder::new("export-wrong");
    let scenarios = folder.0.join("scenarios/skirmish");
    std::fs::create_dir_all(&scenarios).unwrap();
    for (begin, wanted) in [
        ("game > trun 2", "nearest: turn"),
        ("turn 2", "expected `game` as the first node"),
        ("game > turn 99", "passes"),
        ("game > movement", "step of `game`"),
    ] {
        let text = format!("[scenario.late]\ntitle = \"Late\"\nlike = \"fords\"\nbegin = \"{begin}\"\n");
        std::fs::write(scenarios.join("late.toml"), text).unwrap();
        let said = sandtable(&folder.0, &["check", "skirmish", "--format", "concise"], "");
        assert!(
            said.code != 0 && said.out.contains("late.toml:4:") && said.out.contains(wanted),
            "{begin}: {}{}",
            said.out,
            said.error
        );
    }
    let text = "[scenario.late]\ntitle = \"Late\"\nlike = \"fords\"\nbegin = \"game > turn 3\"\n";
    std::fs::write(scenarios.join("late.toml"), text).unwrap();
    let said = sandtable(
        &folder.0,
        &["play", "skirmish", "late", "--terminal", "--seed", "1"],
        "look harrow\nquit\n",
    );
    assert!(said.out.contains("turn 3"), "{}", said.out);
}

//! How long the commands take that people wait for. Figures mean something on a quiet machine only, so these tests run when asked:
//!
//!     cargo test --release --test measure -- --ignored --nocapture --test-threads 1
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../tools/sandtable/tests/support/mod.rs"]
mod support;

use sandtable_data::catalog;
use sandtable_data::definition::{self, Definition};
use sandtable_data::package::DiskFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_kernel::map::{
    Board, BoardBuilder, Grid, LineCache, Offset, Orientation, Shifted, SpaceId, SpaceSet, sight_all,
};
use sandtable_kernel::search::{Profile, ProfileSpec, ReachSpec, Scratch, UNLIMITED, reach};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use support::{Folder, json, sandtable, start};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Copies a folder; gives the number of files.
fn copy(from: &Path, to: &Path) -> usize {
    std::fs::create_dir_all(to).unwrap();
    let mut files = 0;
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            files += copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
            files += 1;
        }
    }
    files
}

/// A folder with a copy of the largest game.
fn largest(name: &str) -> (Folder, usize) {
    let folder = Folder::new(name);
    let files = ["rules/stalins-war", "scenarios/stalins-war"]
        .map(|part| copy(&Path::new(ROOT).join(part), &folder.0.join(part)));
    (folder, files.iter().sum())
}

/// The least of several times, which disturbs the figure least.
fn least(times: usize, mut f: impl FnMut() -> Duration) -> Duration {
    (0..times).map(|_| f()).min().unwrap()
}

fn report(what: &str, took: Duration, bound: Duration) {
    println!("{what}: {took:.1?} (at most {bound:?})");
    assert!(took <= bound, "{what} takes {took:?}");
}

/// A map of 50 by 50 hexes.
fn plain() -> Board {
    let grid = Grid::new(Orientation::Flat, Shifted::Even);
    let mut builder = BoardBuilder::on_grid(grid);
    for (col, row) in (0..50).flat_map(|col| (0..50).map(move |row| (col, row))) {
        builder.add_hex(grid.to_cube(Offset::new(col, row)));
    }
    builder.build().unwrap()
}

#[test]
#[ignore = "a measurement"]
fn a_search_over_a_large_map_with_zones_of_control() {
    let board = plain();
    let enter: Vec<i32> = (0..2500).map(|at| 2 + at * 7 % 5).collect();
    let profile = Profile::new(&board, &ProfileSpec { enter: &enter, ..ProfileSpec::default() });
    // A piece in every 23rd hex holds its own hex and the six around it.
    let held: SpaceSet = board.spaces().filter(|space| space.0 % 23 == 7).collect();
    let zone: SpaceSet = held.iter().flat_map(|space| board.neighbours(space)).collect();
    let spec = ReachSpec {
        blocked: Some(&held),
        enter_extra: &[(&zone, 2)],
        leave_extra: &[(&zone, 1)],
        between: Some((&zone, 4)),
        ..ReachSpec::new(SpaceId(1275), UNLIMITED)
    };
    let mut scratch = Scratch::new();
    let took = least(200, || {
        let start = Instant::now();
        let found = black_box(reach(&board, &profile, black_box(&spec), &mut scratch));
        let took = start.elapsed();
        assert!(found.ends().len() > 2000, "{} hexes were reached", found.ends().len());
        took
    });
    report("reach over 2,500 hexes with zones of control", took, Duration::from_micros(300));
}

fn scenario(id: &str, scenario: &str) -> Definition {
    let search = SearchPath::new().with(DiskFiles::new(ROOT));
    let (catalog, problems) = catalog::load(id, &[], &[], &search);
    assert!(!problems.has_errors(), "{id}: {problems:?}");
    definition::build(&catalog, Some(scenario), &[]).0.unwrap()
}

#[test]
#[ignore = "a measurement"]
fn a_picture_of_all_that_is_in_sight() {
    let bound = Duration::from_micros(100);
    for number in 1..=13 {
        let definition = scenario("conflict-of-heroes", &format!("s{number:02}"));
        let (world, state) = (&definition.world, definition.world.new_state());
        let mut lines = LineCache::default();
        let viewers: Vec<SpaceId> =
            world.board.spaces().filter(|&at| world.board.hex(at).is_some()).collect();
        let mut sights: Vec<_> = world.sights.iter().collect();
        sights.sort_by_key(|(name, _)| **name);
        for (name, sight) in sights {
            let now = sight.now(world, &state);
            let took = least(20, || {
                let start = Instant::now();
                for &from in &viewers {
                    black_box(sight_all(&world.board, &now.field(), &sight.rules, from, &mut lines));
                }
                start.elapsed() / viewers.len() as u32
            });
            let name = world.symbols.text(*name);
            report(
                &format!("sight ({name}) from one of {} hexes to all, s{number:02}", viewers.len()),
                took,
                bound,
            );
        }
    }
}

#[test]
#[ignore = "a measurement"]
fn a_clean_game_of_a_hundred_files_is_checked() {
    let (folder, files) = largest("measure-check");
    for number in files..100 {
        std::fs::write(folder.0.join(format!("rules/stalins-war/more-{number}.toml")), "# nothing\n")
            .unwrap();
    }
    let took = least(5, || {
        let start = Instant::now();
        let said = sandtable(&folder.0, &["check", "stalins-war"], "");
        assert!(said.code == 0 && said.out.contains("0 errors, 0 warnings"), "{}{}", said.out, said.error);
        start.elapsed()
    });
    report("check of 100 files", took, Duration::from_millis(500));
}

#[test]
#[ignore = "a measurement"]
fn a_thousand_cases_are_run() {
    let took = least(3, || {
        let start = Instant::now();
        let said = json(&sandtable(
            Path::new(ROOT),
            &["test", "stalins-war", "skirmish", "--jobs", "2", "--json"],
            "",
        ));
        let cases = said["cases"].as_u64().unwrap();
        assert!(cases >= 1000 && said["failed"] == 0, "{said}");
        start.elapsed() * 1000 / cases as u32
    });
    report("1,000 cases", took, Duration::from_secs(3));
}

#[test]
#[ignore = "a measurement"]
fn a_saved_file_is_on_the_screen() {
    let (folder, _) = largest("measure-watch");
    // Few random games of this scenario are that long; where rules have changed, look for another seed.
    let args = ["sim", "stalins-war", "campaign", "--games", "1", "--seed", "499", "--records", "."];
    assert_eq!(sandtable(&folder.0, &args, "").code, 0);
    let replayed = json(&sandtable(&folder.0, &["replay", "00000499.record", "--json"], ""));
    let (count, wanted) = (replayed["choices"].as_u64().unwrap(), 1100);
    assert!(count >= wanted, "the game has {count} choices");
    let typed = format!("undo! {}\nsave middle.record\nquit\n", count - wanted);
    let cut = sandtable(&folder.0, &["play", "--load", "00000499.record", "--terminal"], &typed);
    assert!(cut.out.contains("saved as middle.record"), "{}{}", cut.out, cut.error);
    let mut child = start(&folder.0, &["play", "--terminal", "--watch", "--load", "middle.record"]);
    let mut typed = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    typed.write_all(b"help\n").unwrap();
    lines.find(|line| line.contains("undo")).unwrap();
    let file = folder.0.join("rules/stalins-war/core/movement.lua");
    let script = std::fs::read_to_string(&file).unwrap();
    let took = least(5, || {
        std::thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        std::fs::write(&file, format!("{script}-- saved\n")).unwrap();
        lines.find(|line| line.contains("the position is the same under the new rules")).unwrap();
        let took = start.elapsed();
        std::thread::sleep(Duration::from_millis(300));
        std::fs::write(&file, &script).unwrap();
        lines.find(|line| line.contains("the position is the same under the new rules")).unwrap();
        took
    });
    typed.write_all(b"quit\n").unwrap();
    child.wait().unwrap();
    report(&format!("from save to screen after {wanted} choices"), took, Duration::from_millis(300));
}

#[test]
#[ignore = "a measurement"]
fn the_largest_game_is_mutated() {
    let start = Instant::now();
    let said = json(&sandtable(Path::new(ROOT), &["mutate", "stalins-war", "--jobs", "2", "--json"], ""));
    assert!(said["mutants"].as_u64().unwrap() >= 2000, "{said}");
    report("mutate stalins-war", start.elapsed(), Duration::from_secs(120));
}

/// What a bench of a game must reach, in the units of its figures; they hold for a yardstick of 37 µs and scale with it.
struct Promised {
    game: &'static str,
    decisions: f64,
    create_ms: f64,
    again_ms: f64,
    undo_ms: f64,
    replay_ms: f64,
}

const SMALL: Promised = Promised {
    game: "skirmish",
    decisions: 50_000.0,
    create_ms: 30.0,
    again_ms: 3.0,
    undo_ms: 2.0,
    replay_ms: 20.0,
};

/// The printed games have one set of bounds.
const fn printed(game: &'static str) -> Promised {
    Promised { game, decisions: 20_000.0, create_ms: 100.0, again_ms: 10.0, undo_ms: 5.0, replay_ms: 150.0 }
}

const PROMISED: [Promised; 6] = [
    SMALL,
    printed("stalins-war"),
    printed("axis-allies-europe"),
    printed("traces-of-war"),
    printed("models-counterattack"),
    printed("conflict-of-heroes"),
];

#[test]
#[ignore = "a measurement"]
fn the_games_are_as_fast_as_promised() {
    let mut missed = Vec::new();
    for promised in PROMISED {
        let bench = || json(&sandtable(Path::new(ROOT), &["bench", promised.game, "--json"], ""));
        // The median of five by what the yardstick makes of them.
        let mut runs: Vec<serde_json::Value> = (0..5).map(|_| bench()).collect();
        let figure = |run: &serde_json::Value, name: &str| run[name].as_f64().unwrap();
        let scale = |run: &serde_json::Value| figure(run, "reference_us") / 37.0;
        let rate = |run: &serde_json::Value| figure(run, "decisions_per_second") * scale(run);
        runs.sort_by(|a, b| rate(a).total_cmp(&rate(b)));
        let run = &runs[2];
        println!("{}: {:.0} decisions/s at 37 µs; {run}", promised.game, rate(run));
        let at_most = [
            ("create_ms", promised.create_ms),
            ("create_again_ms", promised.again_ms),
            ("undo_ms", promised.undo_ms),
            ("replay_ms", promised.replay_ms),
            ("snapshot_us", 20.0),
        ];
        for (name, bound) in at_most {
            if figure(run, name) > bound * scale(run) {
                missed.push(format!("{} {name} {}", promised.game, run[name]));
            }
        }
        if rate(run) < promised.decisions {
            missed.push(format!("{} {:.0} decisions/s", promised.game, rate(run)));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("; "));
}

#[test]
#[ignore = "a measurement"]
fn two_jobs_play_faster_than_one() {
    let play = |jobs: &str| {
        let games = ["sim", "skirmish", "--games", "4000", "--seed", "1", "--json", "--jobs", jobs];
        let said = json(&sandtable(Path::new(ROOT), &games, ""));
        (said["games_per_second"].as_f64().unwrap(), said["records_hash"].clone())
    };
    let mut ratios: Vec<f64> = (0..5)
        .map(|_| {
            let ((one, hash), (two, same)) = (play("1"), play("2"));
            assert_eq!(hash, same, "what is played does not depend on who plays it");
            two / one
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!("two jobs against one: {ratios:.2?}");
    assert!(ratios[2] >= 1.6, "{ratios:?}");
}

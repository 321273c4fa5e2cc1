//! How long the commands take that people wait for. Figures mean something on a quiet machine only, so these tests run when asked:
//!
//!     cargo test --release --test measure -- --ignored --nocapture --test-threads 1
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../tools/sandtable/tests/support/mod.rs"]
mod support;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, json, sandtable};

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
    println!("{what}: {} ms (at most {} ms)", took.as_millis(), bound.as_millis());
    assert!(took <= bound, "{what} takes {took:?}");
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
    let args = ["sim", "stalins-war", "campaign", "--games", "1", "--seed", "255", "--records", "."];
    assert_eq!(sandtable(&folder.0, &args, "").code, 0);
    let replayed = json(&sandtable(&folder.0, &["replay", "00000255.record", "--json"], ""));
    let (count, wanted) = (replayed["choices"].as_u64().unwrap(), 1100);
    assert!(count >= wanted, "the game has {count} choices");
    let typed = format!("undo! {}\nsave middle.record\nquit\n", count - wanted);
    let cut = sandtable(&folder.0, &["play", "--load", "00000255.record", "--terminal"], &typed);
    assert!(cut.out.contains("saved as middle.record"), "{}{}", cut.out, cut.error);
    let mut child = Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .args(["play", "--terminal", "--watch", "--load", "middle.record"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
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

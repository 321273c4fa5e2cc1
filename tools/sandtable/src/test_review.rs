//! Accepting what failing cases should say: all at once, case by case, or by groups of equal differences.

use crate::paint::Paint;
use crate::store;
use crate::test_show;
use crate::test_suite::Suite;
use sandtable_data::file::{LARGEST_FILE, read_text};
use sandtable_workbench::revision::{self, Group};
use sandtable_workbench::{Edit, Outcome};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;

/// The failing cases of a suite.
pub type Failed<'a> = (&'a Suite, Vec<Outcome>);

/// Whether anything may be written: not where a machine builds.
pub fn may_write() -> bool {
    !std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

/// Shows and writes what the cases meant by `which` should say (all if it is empty). Returns how many lines were written.
pub fn accept(failed: &[Failed<'_>], which: &str, paint: Paint) -> Result<usize, String> {
    let mut edits: BTreeMap<PathBuf, Vec<Edit>> = BTreeMap::new();
    let (mut meant, mut by_hand) = (0, 0);
    for (suite, outcomes) in failed {
        for outcome in outcomes.iter().filter(|outcome| fits(suite, outcome, which)) {
            let Some(failure) = &outcome.failure else { continue };
            meant += 1;
            by_hand += usize::from(failure.edits.is_empty());
            let place = suite.places.get(&outcome.file);
            outln!("{}\n", test_show::failure(outcome, &suite.opened(&outcome.file), paint));
            if let Some(place) = place {
                edits.entry(place.clone()).or_default().extend(failure.edits.iter().cloned());
            } else {
                outln!("{} is inside the program and cannot be written", outcome.file);
            }
        }
    }
    if meant == 0 {
        outln!("no failing case is meant by `{which}`: name a game, a file, FILE:LINE or a paragraph");
    }
    if by_hand > 0 {
        outln!(
            "{by_hand} of {meant} cases can only be edited by hand: an answer, a roll or the position is wrong"
        );
    }
    write(edits)
}

/// Whether a failing case is meant: by game, file, file and line, or paragraph.
fn fits(suite: &Suite, outcome: &Outcome, which: &str) -> bool {
    let line = outcome.failure.as_ref().map_or(0, |failure| failure.line);
    let shown = suite.opened(&outcome.file);
    let file = |name: &str| outcome.file.ends_with(name) || shown.ends_with(name);
    which.is_empty()
        || suite.game == which
        || outcome.paragraph == which
        || file(which)
        || which.rsplit_once(':').is_some_and(|(name, number)| {
            file(name) && number.parse::<u32>().is_ok_and(|number| number == outcome.line || number == line)
        })
}

/// Goes through the groups and asks for each: accept, reject or skip. Returns lines written and groups not accepted.
pub fn review(failed: &[Failed<'_>], paint: Paint) -> Result<(usize, usize), String> {
    let all: Vec<Outcome> = failed.iter().flat_map(|(_, outcomes)| outcomes.iter().cloned()).collect();
    let places: BTreeMap<String, PathBuf> =
        failed.iter().flat_map(|(suite, _)| suite.places.clone()).collect();
    let groups = revision::groups(&all);
    let by_hand = all.iter().filter(|o| o.failure.as_ref().is_some_and(|f| f.edits.is_empty())).count();
    let mut edits: BTreeMap<PathBuf, Vec<Edit>> = BTreeMap::new();
    let mut rejected = Vec::new();
    let mut skipped = 0;
    let mut lines = std::io::stdin().lock().lines();
    'groups: for (number, group) in (1..).zip(&groups) {
        outln!("{}", heading(number, groups.len(), group, paint));
        show(group, 1, &places, paint);
        loop {
            print!("accept, reject, skip, list all, quit? [a/r/s/l/q] ");
            let _ = std::io::stdout().flush();
            let Some(Ok(answer)) = lines.next() else {
                outln!();
                skipped += groups.len() + 1 - number;
                break 'groups;
            };
            match answer.trim() {
                "a" | "accept" => {
                    for (file, edit) in &group.edits {
                        if let Some(place) = places.get(file) {
                            edits.entry(place.clone()).or_default().push(edit.clone());
                        }
                    }
                }
                "r" | "reject" => rejected.push(group),
                "s" | "skip" => skipped += 1,
                "l" | "list" => {
                    show(group, usize::MAX, &places, paint);
                    continue;
                }
                "q" | "quit" => {
                    skipped += groups.len() + 1 - number;
                    break 'groups;
                }
                other => {
                    outln!("`{other}`: expected a, r, s, l or q");
                    continue;
                }
            }
            break;
        }
    }
    let written = write(edits)?;
    for group in &rejected {
        outln!("rejected: {} in {} cases: the rules are wrong, not the cases", group.what, group.cases.len());
    }
    if skipped > 0 {
        outln!("{skipped} groups left for another time");
    }
    if by_hand > 0 {
        outln!("{by_hand} cases can only be edited by hand");
    }
    Ok((written, rejected.len() + skipped + by_hand))
}

fn heading(number: usize, of: usize, group: &Group, paint: Paint) -> String {
    let n = group.cases.len();
    paint.bold(&format!("[{number} of {of}] {} in {n} {}", group.what, if n == 1 { "case" } else { "cases" }))
}

fn show(group: &Group, most: usize, places: &BTreeMap<String, PathBuf>, paint: Paint) {
    for (file, edit) in group.edits.iter().take(most) {
        let shown = places.get(file).map_or_else(|| file.clone(), |place| test_show::tidy(place));
        outln!("{}\n{}", paint.dim(&format!("  {shown}:{}", edit.line)), test_show::difference(edit, paint));
    }
}

/// Writes edits into files. Returns how many lines.
fn write(edits: BTreeMap<PathBuf, Vec<Edit>>) -> Result<usize, String> {
    let mut written = 0;
    for (place, mut edits) in edits {
        if edits.is_empty() {
            continue;
        }
        edits.dedup();
        if !may_write() {
            outln!(
                "{}: {} lines would change; nothing is written while CI is set",
                test_show::tidy(&place),
                edits.len()
            );
            continue;
        }
        let text = read_text(&place, LARGEST_FILE)
            .map_err(|error| format!("{} cannot be read: {error}", place.display()))?;
        let (new, stale) = revision::apply(&text, &edits);
        if stale > 0 {
            outln!("{}: {stale} lines have changed meanwhile and are left alone", test_show::tidy(&place));
        }
        store::write(&place, new.as_bytes())?;
        outln!("{}: {} lines written", test_show::tidy(&place), edits.len() - stale);
        written += edits.len() - stale;
    }
    Ok(written)
}

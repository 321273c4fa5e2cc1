//! `sandtable test --watch`: on saving a file, the cases that it may affect first, then all others.

use crate::args::TestArgs;
use crate::paint::Paint;
use crate::test_suite::Suite;
use crate::watch::{self, Watch};
use crate::{load, test};
use sandtable_data::catalog::Catalog;
use sandtable_workbench::case::Needs;
use sandtable_workbench::{Bench, CaseText, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

/// Cases whose outcome is shown before the others are run.
const AT_ONCE: usize = 12;

/// A suite with what its cases came to.
struct Known {
    suite: Suite,
    outcomes: Vec<Outcome>,
    /// Script and line of each handler.
    handlers: Vec<(String, u32)>,
}

/// Runs the command until it is stopped.
pub fn run(args: &TestArgs) -> Result<bool, String> {
    let options = load::options(&args.with)?;
    let paint = Paint::out();
    let mut known = Vec::new();
    for suite in test::suites(args)? {
        let outcomes = test::run_all(&suite.catalog, &options, &suite.cases, args.jobs);
        known.push(with_handlers(suite, outcomes, &options));
    }
    show(&known, paint);
    let mut folders: Vec<PathBuf> = args.games.iter().map(PathBuf::from).collect();
    folders.extend(known.iter().flat_map(|known| watch::folders(&known.suite.game, &args.with)));
    let mut watch = Watch::new(folders);
    outln!("{}", paint.dim("waiting for files to change; Ctrl-C ends"));
    loop {
        std::thread::sleep(watch::POLL_INTERVAL);
        let changed = watch.changed();
        if changed.is_empty() {
            continue;
        }
        let start = Instant::now();
        let names: Vec<String> = changed.iter().map(|path| crate::test_show::tidy(path)).collect();
        outln!("\n{}", paint.bold(&names.join(", ")));
        match watch::guarded(|| again(args, &options, &known, (start, paint))).flatten() {
            Ok(fresh) => known = fresh,
            Err(error) => outln!("{error}"),
        }
    }
}

/// Loads what has changed and runs its cases: those that the change may affect first.
fn again(
    args: &TestArgs,
    options: &[(String, String)],
    known: &[Known],
    (start, paint): (Instant, Paint),
) -> Result<Vec<Known>, String> {
    let mut fresh = Vec::new();
    for suite in test::suites(args)? {
        let before = known.iter().find(|known| known.suite.game == suite.game);
        if before.is_some_and(|before| {
            same_files(&before.suite.catalog, &suite.catalog) && before.suite.cases == suite.cases
        }) {
            let outcomes = before.map(|before| before.outcomes.clone()).unwrap_or_default();
            fresh.push(with_handlers(suite, outcomes, options));
            continue;
        }
        let first = before.map_or_else(BTreeMap::new, |before| affected(before, &suite));
        let rank = |case: &CaseText| first.get(&(case.file.clone(), case.line)).copied();
        let (mut soon, later): (Vec<_>, Vec<_>) =
            suite.cases.iter().cloned().partition(|case| rank(case).is_some());
        soon.sort_by_key(rank);
        let mut outcomes = Vec::new();
        // The most specific first, and shown at once, however many there are.
        let (at_once, next) = soon.split_at(soon.len().min(AT_ONCE));
        for batch in [at_once, next].into_iter().filter(|batch| !batch.is_empty()) {
            let more = test::run_all(&suite.catalog, options, batch, args.jobs);
            test::show(&suite, &failing(&more), paint);
            outcomes.extend(more);
            let (run, failed) = (cases(&outcomes), cases(&failing(&outcomes)));
            outln!(
                "{run} of {} cases affected: {} passed, {failed} failed ({} ms)",
                soon.len(),
                run - failed,
                start.elapsed().as_millis()
            );
        }
        let rest = test::run_all(&suite.catalog, options, &later, args.jobs);
        test::show(&suite, &failing(&rest), paint);
        outcomes.extend(rest);
        fresh.push(with_handlers(suite, outcomes, options));
    }
    let all: usize = fresh.iter().map(|known| known.outcomes.len()).sum();
    let failed: usize = fresh.iter().map(|known| failing(&known.outcomes).len()).sum();
    outln!("{} passed, {failed} failed ({} ms)", all - failed, start.elapsed().as_millis());
    Ok(fresh)
}

fn failing(outcomes: &[Outcome]) -> Vec<Outcome> {
    outcomes.iter().filter(|outcome| outcome.failure.is_some()).cloned().collect()
}

/// How many cases stand behind outcomes: a loop is one case with many.
fn cases(outcomes: &[Outcome]) -> usize {
    outcomes.iter().map(|outcome| (&outcome.file, outcome.line)).collect::<BTreeSet<_>>().len()
}

fn show(known: &[Known], paint: Paint) {
    let (mut all, mut failed) = (0, 0);
    for known in known {
        let own = failing(&known.outcomes);
        test::show(&known.suite, &own, paint);
        (all, failed) = (all + known.outcomes.len(), failed + own.len());
    }
    outln!("{} passed, {failed} failed", all - failed);
}

fn with_handlers(suite: Suite, outcomes: Vec<Outcome>, options: &[(String, String)]) -> Known {
    let game = Bench::new(&suite.catalog, options.to_vec()).game(&Needs::default());
    let handlers = game.map_or_else(
        |_| Vec::new(),
        |game| {
            let registry = game.host.cx().registry.borrow();
            registry.handlers.iter().map(|handler| place(&handler.place)).collect()
        },
    );
    Known { suite, outcomes, handlers }
}

/// Script and line of a handler.
pub fn place(place: &str) -> (String, u32) {
    let (file, line) = place.rsplit_once(':').unwrap_or((place, "0"));
    (file.to_string(), line.parse().unwrap_or(0))
}

fn same_files(one: &Catalog, other: &Catalog) -> bool {
    one.layers.iter().map(|layer| layer.content_hash).eq(other.layers.iter().map(|layer| layer.content_hash))
}

/// The cases that a change may affect, with the order in which they are run: first those that are new or failed, then
/// those that ran a handler in the lines changed, the fewer others the sooner.
fn affected(before: &Known, now: &Suite) -> BTreeMap<(String, u32), usize> {
    let is_new = |case: &&CaseText| !before.suite.cases.contains(case);
    let place = |case: &CaseText| ((case.file.clone(), case.line), 0);
    let mut found: BTreeMap<_, _> = now.cases.iter().filter(is_new).map(place).collect();
    let mut touched: BTreeSet<u32> = BTreeSet::new();
    let catalog = &before.suite.catalog;
    for script in &catalog.scripts {
        let path = catalog.sources.path(script.file);
        let old = catalog.sources.text(script.file);
        let same = now.catalog.scripts.iter().find(|other| now.catalog.sources.path(other.file) == path);
        let new = same.map_or("", |other| now.catalog.sources.text(other.file));
        if let Some(lines) = changed_lines(old, new) {
            touched.extend(handlers_in(&before.handlers, path, lines));
        }
    }
    for outcome in &before.outcomes {
        let rank = match outcome.fired.iter().any(|handler| touched.contains(handler)) {
            _ if outcome.failure.is_some() => 1,
            true => 1 + outcome.fired.len(),
            false => continue,
        };
        found.entry((outcome.file.clone(), outcome.line)).or_insert(rank);
    }
    found
}

/// First and last line of the old text that the new one does not have.
pub fn changed_lines(old: &str, new: &str) -> Option<(u32, u32)> {
    if old == new {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    Some((start as u32 + 1, ((old.len() - end) as u32).max(start as u32 + 1)))
}

/// The handlers whose lines, up to the next handler of the file, overlap with some lines.
pub fn handlers_in(handlers: &[(String, u32)], file: &str, (first, last): (u32, u32)) -> Vec<u32> {
    let own = || (0u32..).zip(handlers).filter(|(_, (path, _))| path == file);
    let end =
        |line: u32| own().map(|(_, place)| place.1).filter(|&other| other > line).min().unwrap_or(u32::MAX);
    own().filter(|(_, (_, line))| *line <= last && end(*line) > first).map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_one_case_however_many_outcomes_it_has() {
        let outcome = |line| Outcome {
            file: "a.md".into(),
            line,
            paragraph: String::new(),
            name: String::new(),
            lines: Vec::new(),
            failure: None,
            fired: Vec::new(),
        };
        assert_eq!(cases(&[outcome(3), outcome(3), outcome(9)]), 2);
    }

    #[test]
    fn the_handlers_around_changed_lines_are_found() {
        assert_eq!(changed_lines("a\nb\nc\n", "a\nx\ny\nc\n"), Some((2, 2)));
        assert_eq!(changed_lines("a\nb\n", "a\nb\n"), None);
        assert_eq!(changed_lines("a\n", "a\nb\n"), Some((2, 2)));
        let handlers =
            [("f".to_string(), 1), ("f".to_string(), 5), ("g".to_string(), 2), ("f".to_string(), 9)];
        assert_eq!(handlers_in(&handlers, "f", (3, 3)), [0]);
        assert_eq!(handlers_in(&handlers, "f", (4, 6)), [0, 1]);
        assert_eq!(handlers_in(&handlers, "f", (40, 60)), [3]);
    }
}

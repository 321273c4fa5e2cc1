//! `sandtable test`: runs the cases of rulebooks, layers and folders.

use crate::args::TestArgs;
use crate::paint::Paint;
use crate::test_review::{self, Failed};
use crate::test_suite::{self, Suite};
use crate::{load, test_show, test_watch};
use sandtable_data::catalog::Catalog;
use sandtable_workbench::case::{self, Needs};
use sandtable_workbench::{Bench, CaseText, Outcome};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cases with the same needs that a thread takes at once.
const CHUNK: usize = 20;

/// Runs the command. False if a case failed.
pub fn run(args: &TestArgs) -> Result<bool, String> {
    if args.watch {
        return test_watch::run(args);
    }
    let suites = suites(args)?;
    let options = load::options(&args.with)?;
    let outcomes: Vec<(&Suite, Vec<Outcome>)> = suites
        .iter()
        .map(|suite| (suite, run_as(&suite.catalog, &options, &suite.cases, args.jobs, args.verify)))
        .collect();
    let all: usize = outcomes.iter().map(|(_, own)| own.len()).sum();
    let failed: Vec<Failed<'_>> = outcomes
        .into_iter()
        .map(|(suite, own)| (suite, own.into_iter().filter(|outcome| outcome.failure.is_some()).collect()))
        .collect();
    let failing: usize = failed.iter().map(|(_, own)| own.len()).sum();
    let paint = Paint::out();
    if all == 0 {
        if args.json {
            report_json(0, &failed);
        }
        return Err(nothing(args, &suites));
    }
    if args.json {
        report_json(all, &failed);
    } else if args.review && failing > 0 {
        let (written, left) = test_review::review(&failed, paint)?;
        return Ok(left == 0 && written > 0);
    } else if let Some(which) = args.accept.as_deref().filter(|_| failing > 0) {
        let written = test_review::accept(&failed, which, paint)?;
        return Ok(written > 0 && rerun(args)?);
    } else {
        for (suite, own) in &failed {
            show(suite, own, paint);
        }
        outln!("{} passed, {failing} failed", all - failing);
        if failed.iter().flat_map(|(_, own)| own).any(editable) {
            outln!("`--accept [CASE]` writes the lines marked +, `--review` goes through them in groups");
        }
    }
    Ok(failing == 0)
}

/// The suites of a command line, with only the cases wanted.
pub fn suites(args: &TestArgs) -> Result<Vec<Suite>, String> {
    let mut suites = test_suite::suites(&args.games, &args.with, args.all)?;
    if let Some(only) = &args.only {
        for suite in &mut suites {
            suite.cases.retain(|case| {
                case.paragraph.starts_with(only.as_str()) || case.file.contains(only.as_str())
            });
        }
    }
    Ok(suites)
}

/// Why there is no case to run.
fn nothing(args: &TestArgs, suites: &[Suite]) -> String {
    let games: Vec<&str> = suites.iter().map(|suite| suite.game.as_str()).collect();
    let is_layered = |suite: &Suite| suite.catalog.layers.iter().skip(1).any(|layer| !layer.library);
    let layered = suites.iter().any(is_layered) && !args.all;
    if let Some(only) = &args.only {
        let more = if layered {
            format!("; --all looks at those of {} too", games.join(", "))
        } else {
            String::new()
        };
        return format!(
            "no case is meant by --only {only}: name the beginning of a paragraph's id, or a part of a file's name{more}"
        );
    }
    match layered {
        true => format!("the layers bring no cases; --all runs those of {} under them", games.join(", ")),
        false => format!("{} has no cases", games.join(", ")),
    }
}

/// Prints failures.
pub fn show(suite: &Suite, failed: &[Outcome], paint: Paint) {
    for outcome in failed {
        outln!("{}", test_show::failure(outcome, &suite.opened(&outcome.file), paint));
    }
}

fn editable(outcome: &Outcome) -> bool {
    outcome.failure.as_ref().is_some_and(|failure| !failure.edits.is_empty())
}

/// What is left after lines were accepted.
fn rerun(args: &TestArgs) -> Result<bool, String> {
    let options = load::options(&args.with)?;
    let mut left = 0;
    for suite in suites(args)? {
        let outcomes = run_all(&suite.catalog, &options, &suite.cases, args.jobs);
        left += outcomes.iter().filter(|outcome| outcome.failure.is_some()).count();
    }
    outln!("{left} cases fail now");
    Ok(left == 0)
}

fn report_json(all: usize, failed: &[Failed<'_>]) {
    let failures: Vec<_> = failed
        .iter()
        .flat_map(|(suite, own)| own.iter().map(move |outcome| (suite, outcome)))
        .filter_map(|(suite, outcome)| {
            let failure = outcome.failure.as_ref()?;
            let edits: Vec<_> = failure
                .edits
                .iter()
                .map(|edit| json!({ "line": edit.line, "old": edit.old, "new": edit.new }))
                .collect();
            Some(json!({
                "game": suite.game, "file": suite.opened(&outcome.file), "line": failure.line, "paragraph": outcome.paragraph,
                "name": outcome.name, "message": failure.message, "edits": edits,
            }))
        })
        .collect();
    outln!(
        "{}",
        json!({ "cases": all, "passed": all - failures.len(), "failed": failures.len(), "failures": failures })
    );
}

/// Runs cases on several threads; the outcomes come in the order of the cases.
pub fn run_all(
    catalog: &Catalog,
    options: &[(String, String)],
    cases: &[CaseText],
    jobs: usize,
) -> Vec<Outcome> {
    run_as(catalog, options, cases, jobs, false)
}

fn run_as(
    catalog: &Catalog,
    options: &[(String, String)],
    cases: &[CaseText],
    jobs: usize,
    verify: bool,
) -> Vec<Outcome> {
    let chunks = chunks(cases);
    let next = AtomicUsize::new(0);
    let mut all: Vec<(usize, Vec<Outcome>)> = Vec::new();
    std::thread::scope(|scope| {
        let work = || {
            let mut bench = Bench::new(catalog, options.to_vec());
            bench.verify = verify;
            let mut own = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(chunk) = chunks.get(number) else { return own };
                own.extend(chunk.iter().map(|&at| (at, bench.run(&cases[at]))));
            }
        };
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            all.extend(worker.join().unwrap_or_default());
        }
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().flat_map(|(_, outcomes)| outcomes).collect()
}

/// Cases by what they need, so that a game is loaded once for many of them.
fn chunks(cases: &[CaseText]) -> Vec<Vec<usize>> {
    let needs = |case: &CaseText| {
        let read = case::read(case).ok().and_then(|cases| cases.into_iter().next());
        read.map_or_else(Needs::default, |case| case.needs)
    };
    let mut order: Vec<(Needs, usize)> = cases.iter().map(needs).zip(0..).collect();
    order.sort();
    let same = order.chunk_by(|(one, _), (two, _)| one == two);
    same.flat_map(|run| run.chunks(CHUNK)).map(|run| run.iter().map(|(_, at)| *at).collect()).collect()
}

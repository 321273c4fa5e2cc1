//! `sandtable test`: runs the cases of rulebooks.

use crate::args::TestArgs;
use crate::load;
use sandtable_data::catalog::{self, Catalog};
use sandtable_workbench::{Bench, CaseText, Outcome, runner};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the command. False if a case failed.
pub fn run(args: &TestArgs) -> Result<bool, String> {
    let search = load::search_path(&args.with);
    let games = load::games(&args.games, &search);
    let options = load::options(&args.with)?;
    let mut outcomes = Vec::new();
    for game in games {
        let (catalog, problems) = catalog::load(&game, &args.with.layer, &args.with.set, &search);
        if problems.has_errors() {
            return Err(format!("{game} cannot be loaded; see `sandtable check {game}`"));
        }
        let wanted = |case: &CaseText| {
            args.only.as_ref().is_none_or(|only| {
                case.paragraph.starts_with(only.as_str()) || case.file.contains(only.as_str())
            })
        };
        let books =
            if args.with.layer.is_empty() { runner::books(&catalog) } else { runner::layer_books(&catalog) };
        let cases: Vec<CaseText> = books.into_iter().flat_map(|book| book.cases).filter(wanted).collect();
        outcomes.extend(run_all(&catalog, &options, &cases, args.jobs));
    }
    let failed = outcomes.iter().filter(|outcome| outcome.failure.is_some()).count();
    if args.json {
        let failures: Vec<_> = outcomes
            .iter()
            .filter_map(|outcome| {
                let failure = outcome.failure.as_ref()?;
                Some(json!({ "file": outcome.file, "line": failure.line, "paragraph": outcome.paragraph, "name": outcome.name, "message": failure.message }))
            })
            .collect();
        say!(
            "{}",
            json!({ "cases": outcomes.len(), "passed": outcomes.len() - failed, "failed": failed, "failures": failures })
        );
        return Ok(failed == 0);
    }
    for outcome in &outcomes {
        if let Some(failure) = &outcome.failure {
            say!(
                "{}:{}: {} {}\n  {}",
                outcome.file,
                failure.line,
                outcome.paragraph,
                outcome.name,
                failure.message
            );
        }
    }
    say!("{} passed, {failed} failed", outcomes.len() - failed);
    Ok(failed == 0)
}

/// Runs cases on several threads; the outcomes come in the order of the cases.
pub fn run_all(
    catalog: &Catalog,
    options: &[(String, String)],
    cases: &[CaseText],
    jobs: usize,
) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let mut all: Vec<(usize, Vec<Outcome>)> = Vec::new();
    std::thread::scope(|scope| {
        let work = || {
            let mut bench = Bench::new(catalog, options.to_vec());
            let mut own = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(case) = cases.get(number) else { return own };
                own.push((number, bench.run(case)));
            }
        };
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            all.extend(worker.join().unwrap_or_default());
        }
    });
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().flat_map(|(_, outcomes)| outcomes).collect()
}

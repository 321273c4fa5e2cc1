//! `sandtable mutate`: mutation testing of rules.

use crate::args::MutateArgs;
use crate::{load, progress};
use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_workbench::{Baseline, Mutant, Verdict, runner};
use serde_json::json;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the command. True if at least 95 of 100 mutants were caught.
pub fn run(args: &MutateArgs) -> Result<bool, String> {
    let (catalog, options) = load::catalog(&args.game, &args.with)?;
    let cases: Vec<_> = runner::books(&catalog).into_iter().flat_map(|book| book.cases).collect();
    let base = Baseline::new(&catalog, &options, &cases)?;
    let mut mutants = base.mutants()?;
    if let Some(only) = &args.only {
        mutants.retain(|mutant| mutant.describe().contains(only.as_str()));
    }
    let all = mutants.len();
    if all > args.most {
        Dice::new(DiceKey { seed: args.seed, path: 0, label: 0, ordinal: 0 }).shuffle(&mut mutants);
        mutants.truncate(args.most);
    }
    let verdicts = in_parallel(&mutants, args.jobs, |mutant| base.judge(mutant, None));
    let is_caught = |verdict: &Verdict| matches!(verdict, Verdict::Caught(_));
    let caught = verdicts.iter().filter(|verdict| is_caught(verdict)).count();
    let survivors: Vec<(&Mutant, &Verdict)> =
        mutants.iter().zip(&verdicts).filter(|(_, verdict)| !is_caught(verdict)).collect();
    let shown = |mutant: &Mutant| catalog.sources.opened(&mutant.describe());
    if args.json {
        let rows: Vec<_> = survivors
            .iter()
            .map(|(mutant, verdict)| json!({ "mutant": shown(mutant), "why": why(verdict) }))
            .collect();
        outln!(
            "{}",
            json!({ "mutants": mutants.len(), "of": all, "caught": caught, "survivors": rows, "failing_cases": base.failing })
        );
    } else {
        let mut lines: Vec<String> = survivors
            .iter()
            .map(|(mutant, verdict)| format!("{} ({})", shown(mutant), why(verdict)))
            .collect();
        lines.sort();
        for line in lines {
            outln!("{line}");
        }
        outln!(
            "{caught} of {} mutants caught (of {all} in all); {} cases fail without any change",
            mutants.len(),
            base.failing
        );
    }
    // Where cases fail anyway, it says nothing that they fail with a mutant.
    Ok(base.failing == 0 && caught * 100 >= mutants.len() * 95)
}

fn why(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Caught(_) => "caught".into(),
        Verdict::Survived(n) => format!("{n} cases touch it, none fails"),
        Verdict::Untouched => "no case touches it".into(),
    }
}

/// Judges mutants on several threads, with a bar; the verdicts come in the order of the items.
pub fn in_parallel<T: Sync>(items: &[T], jobs: usize, f: impl Fn(&T) -> Verdict + Sync) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let bar = progress::bar(items.len() as u64, "mutants");
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let verdict = f(item);
                    bar.inc(1);
                    if let Ok(mut done) = done.lock() {
                        done.push((at, verdict));
                    }
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, verdict)| verdict).collect()
}

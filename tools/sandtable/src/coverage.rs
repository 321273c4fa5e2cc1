//! `sandtable coverage`: which paragraphs are proved.

use crate::args::CoverageArgs;
use crate::load;
use crate::mutate::in_parallel;
use sandtable_workbench::{Baseline, Coverage, Proof, coverage, runner};
use serde_json::json;

/// Runs the command. False if a paragraph is neither proved nor exempt.
pub fn run(args: &CoverageArgs) -> Result<bool, String> {
    let (catalog, options) = load::catalog(&args.game, &args.with)?;
    let books = runner::books(&catalog);
    let cases: Vec<_> = books.iter().flat_map(|book| book.cases.iter().cloned()).collect();
    let base = Baseline::new(&catalog, &options, &cases)?;
    let judge = |work: &[coverage::Work]| {
        in_parallel(work, args.jobs, |(_, mutant, cases)| base.judge(mutant, Some(cases)))
    };
    let coverage = coverage::cover(&catalog, &books, &base, &judge)?;
    let count = |test: fn(&Proof) -> bool| coverage.iter().filter(|row| test(&row.proof)).count();
    let proved = count(|proof| matches!(proof, Proof::Proved(..)));
    let exempt = count(|proof| matches!(proof, Proof::Exempt(_)));
    let missing: Vec<&Coverage> =
        coverage.iter().filter(|row| !matches!(row.proof, Proof::Proved(..) | Proof::Exempt(_))).collect();
    if args.json {
        let rows: Vec<_> = missing.iter().map(|row| json!({ "id": row.id, "title": row.title, "why": why(&row.proof), "cited_by": row.cited_by })).collect();
        say!(
            "{}",
            json!({ "rules": coverage.len(), "proved": proved, "exempt": exempt, "missing": missing.len(), "failing_cases": base.failing, "unproved": rows })
        );
        return Ok(missing.is_empty());
    }
    for row in &missing {
        say!("{:16} {}: {}", row.id, why(&row.proof), row.title);
    }
    say!(
        "{} paragraphs: {proved} proved, {exempt} exempt, {} missing; {} cases fail",
        coverage.len(),
        missing.len(),
        base.failing
    );
    Ok(missing.is_empty())
}

fn why(proof: &Proof) -> &'static str {
    match proof {
        Proof::Proved(..) => "proved",
        Proof::Exempt(_) => "exempt",
        Proof::NotImplemented => "nothing cites it",
        Proof::NoCase => "no case",
        Proof::NotTouched => "its cases run nothing that cites it",
        Proof::NotNoticed => "its cases do not notice when the rule is gone",
    }
}

//! `sandtable coverage`: which paragraphs are proved.

use crate::args::CoverageArgs;
use crate::load;
use crate::mutate::in_parallel;
use sandtable_data::catalog::Catalog;
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
    let lacks = |row: &&Coverage| !matches!(row.proof, Proof::Proved(..) | Proof::Exempt(_));
    let missing: Vec<&Coverage> = coverage.iter().filter(lacks).collect();
    if args.json {
        let rows = |rows: &[&Coverage]| rows.iter().map(|row| to_json(&catalog, row)).collect::<Vec<_>>();
        outln!(
            "{}",
            json!({
                "rules": coverage.len(), "proved": proved, "exempt": exempt, "missing": missing.len(), "failing_cases": base.failing,
                "unproved": rows(&missing), "paragraphs": rows(&coverage.iter().collect::<Vec<_>>()),
            })
        );
        return Ok(missing.is_empty());
    }
    for row in coverage.iter().filter(|row| args.all || lacks(row)) {
        outln!("{:16} {}: {}", row.id, why(&row.proof), row.title);
        if args.all {
            row.cited_by.iter().for_each(|by| outln!("    implemented by {by}"));
            proved_by(&catalog, row).iter().for_each(|place| outln!("    proved by {place}"));
            if let Proof::Exempt(reason) = &row.proof {
                outln!("    {reason}");
            }
        }
    }
    outln!(
        "{} paragraphs: {proved} proved, {exempt} exempt, {} missing; {} cases fail",
        coverage.len(),
        missing.len(),
        base.failing
    );
    Ok(missing.is_empty())
}

fn proved_by(catalog: &Catalog, row: &Coverage) -> Vec<String> {
    match &row.proof {
        Proof::Proved(places) => {
            places.iter().map(|(file, line)| catalog.sources.opened(&format!("{file}:{line}"))).collect()
        }
        _ => Vec::new(),
    }
}

fn to_json(catalog: &Catalog, row: &Coverage) -> serde_json::Value {
    let exempt = if let Proof::Exempt(reason) = &row.proof { Some(reason) } else { None };
    json!({
        "id": row.id, "title": row.title, "why": why(&row.proof), "cited_by": row.cited_by,
        "proved_by": proved_by(catalog, row), "exempt": exempt,
    })
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

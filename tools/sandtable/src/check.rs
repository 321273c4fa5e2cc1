//! `sandtable check`: every problem of a game's files, with its place.

use crate::args::{CheckArgs, Format};
use crate::load;
use sandtable_data::diagnostic::Severity;
use sandtable_data::{catalog, diagnostic_codes, render};

/// Runs the command. False if there is an error among the problems.
pub fn run(args: &CheckArgs) -> Result<bool, String> {
    if let Some(code) = &args.explain {
        let Some(info) = diagnostic_codes::explain(code, sandtable_lint::CODES) else {
            return Err(format!("there is no code {code}"));
        };
        say!(
            "{} {}: {}\n\n{}\n\nExample:\n  {}\n\nRepair: {}",
            info.code,
            info.name,
            info.title,
            info.cause,
            info.example.replace('\n', "\n  "),
            info.repair
        );
        return Ok(true);
    }
    let search = load::search_path(&args.with);
    let games = load::games(&args.games, &search);
    let options = load::options(&args.with)?;
    let mut all = Vec::new();
    let mut fine = true;
    for game in games {
        let (catalog, merged) = catalog::load(&game, &args.with.layer, &args.with.set, &search);
        let problems = sandtable_lint::check(&catalog, merged, &options);
        fine &= !problems.has_errors();
        if args.json {
            all.extend(problems.iter().map(|problem| render::to_json(problem, &catalog.sources)));
            continue;
        }
        for problem in problems.iter() {
            match args.format {
                Format::Full => say!("{}", render::full(problem, &catalog.sources, render::Colour::Never)),
                Format::Concise => say!("{}", render::concise(problem, &catalog.sources)),
            }
        }
        let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
        say!("{game}: {errors} errors, {} warnings", problems.len() - errors);
    }
    if args.json {
        say!("{}", serde_json::json!({ "problems": all }));
    }
    Ok(fine)
}

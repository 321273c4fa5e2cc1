//! `sandtable check`: every problem of a game's files, with its place.

use crate::args::{CheckArgs, Format};
use crate::load;
use sandtable_data::diagnostic::{Code, Diagnostics, Severity};
use sandtable_data::{catalog, definition, diagnostic_codes, render};
use sandtable_session::{Game, Session};
use std::rc::Rc;

const TABLES: &[&[Code]] = &[diagnostic_codes::ALL, definition::codes::ALL];

/// Runs the command. False if there is an error among the problems.
pub fn run(args: &CheckArgs) -> Result<bool, String> {
    if let Some(code) = &args.explain {
        let Some(info) = diagnostic_codes::explain(code, TABLES) else {
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
        let (catalog, mut problems) = catalog::load(&game, &args.with.layer, &args.with.set, &search);
        let mut scripts = Vec::new();
        if !problems.has_errors() {
            let ids: Vec<String> = catalog.rows("scenario").map(|(id, _)| id.to_string()).collect();
            let (bare, more) = definition::build(&catalog, Some(""), &options);
            problems.append(more);
            if let Some(bare) = bare {
                match Game::new(bare, &catalog) {
                    Err(errors) => scripts.extend(errors.iter().map(ToString::to_string)),
                    Ok(_) => scripts.extend(scenarios(&catalog, &ids, &options, &mut problems)),
                }
            }
        }
        problems.sort(&catalog.sources);
        fine &= !problems.has_errors() && scripts.is_empty();
        if args.json {
            all.extend(problems.iter().map(|problem| render::to_json(problem, &catalog.sources)));
            all.extend(
                scripts
                    .iter()
                    .map(|text| serde_json::json!({ "code": "E0801", "severity": "error", "message": text })),
            );
            continue;
        }
        for problem in problems.iter() {
            match args.format {
                Format::Full => {
                    say!("{}", render::full(problem, &catalog.sources, render::Colour::Never));
                }
                Format::Concise => say!("{}", render::concise(problem, &catalog.sources)),
            }
        }
        for text in &scripts {
            say!("script error: {text}");
        }
        let errors =
            problems.iter().filter(|problem| problem.severity == Severity::Error).count() + scripts.len();
        say!("{game}: {errors} errors, {} warnings", problems.len() + scripts.len() - errors);
    }
    if args.json {
        say!("{}", serde_json::json!({ "problems": all }));
    }
    Ok(fine)
}

/// Sets every scenario up and plays to its first decision.
fn scenarios(
    catalog: &catalog::Catalog,
    ids: &[String],
    options: &[(String, String)],
    problems: &mut Diagnostics,
) -> Vec<String> {
    let mut errors = Vec::new();
    for id in ids {
        let (built, more) = definition::build(catalog, Some(id), options);
        if built.is_none() {
            problems.append(more);
        }
        let Some(built) = built else { continue };
        match Game::new(built, catalog) {
            Err(more) => errors.extend(more.iter().map(|error| format!("scenario {id}: {error}"))),
            Ok(game) => {
                if let Err(error) = Session::new(&Rc::new(game), 1) {
                    errors.push(format!("scenario {id}: {error}"));
                }
            }
        }
    }
    errors
}

//! What `sandtable check` knows beyond files and tables: scripts, references, maps, set-ups and provenance.
//!
//! [`check`] takes a merged game and gives all problems. It looks at scripts twice: as syntax trees, which give names, texts and
//! figures with their places, and as the handlers that they register when they are loaded, which say what hangs on what.

mod allow;
mod books;
mod cards;
pub mod codes;
mod facts;
mod figures;
mod globals;
mod guard;
mod layers;
mod look;
mod map;
mod mentions;
mod names;
mod place;
mod provenance;
mod refs;
mod rules;
mod setup;
mod syntax;
mod unused;
mod walk;
mod wants;

use facts::Facts;
use look::Look;
use sandtable_data::catalog::Catalog;
use sandtable_data::definition;
use sandtable_data::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use sandtable_data::diagnostic_codes;
use sandtable_session::Game;
use std::collections::BTreeSet;

/// The codes of all problems that a check can find.
pub static CODES: &[&[Code]] = &[diagnostic_codes::ALL, definition::codes::ALL, codes::ALL];

/// Threads that set scenarios up beside the one that looks at everything else.
const THREADS: usize = 2;

/// Looks at a merged game, after the problems of its merge; gives all there are, sorted by place.
pub fn check(catalog: &Catalog, merged: Diagnostics, options: &[(String, String)]) -> Diagnostics {
    let readable = !merged.has_errors();
    let mut out = merged;
    let mut found = Diagnostics::new();
    let scripts = syntax::parse(catalog, &mut out);
    figures::numbers(&scripts, &mut found);
    layers::conflicts(catalog, &scripts, &mut found);
    let paragraphs = books::paragraphs(catalog, &mut found);
    if readable {
        books::cited(catalog, &paragraphs, &mut found);
        provenance::check(catalog, &mut found);
        // Where a script cannot be read, its names are missing everywhere else.
        let whole = scripts.len() == catalog.scripts.len();
        tables_and_rules(catalog, options, &scripts, whole, &paragraphs, &mut found);
    }
    let found = without_consequences(catalog, found);
    out.append(allow::apply(catalog, found, CODES));
    out.sort(&catalog.sources);
    out
}

/// Leaves out errors of running scripts on lines whose error is known already.
fn without_consequences(catalog: &Catalog, found: Diagnostics) -> Diagnostics {
    let runs = |code: Code| code == &codes::LOAD_ERROR || code == &codes::START_ERROR;
    let line = |problem: &Diagnostic| problem.span.map(|span| (span.file, place::line(catalog, span)));
    let errors = found.iter().filter(|problem| problem.severity == Severity::Error && !runs(problem.code));
    let known: BTreeSet<_> = errors.filter_map(line).collect();
    let mut out = Diagnostics::new();
    out.extend(
        found
            .into_iter()
            .filter(|problem| !runs(problem.code) || line(problem).is_none_or(|at| !known.contains(&at))),
    );
    out
}

fn tables_and_rules(
    catalog: &Catalog,
    options: &[(String, String)],
    scripts: &[Facts],
    whole: bool,
    paragraphs: &BTreeSet<String>,
    found: &mut Diagnostics,
) {
    std::thread::scope(|scope| {
        let set_up = |first| scope.spawn(move || setup::scenarios(catalog, options, first, THREADS));
        let threads: Vec<_> = (0..THREADS).filter(|_| whole).map(set_up).collect();
        let (bare, problems) = definition::build(catalog, Some(""), options);
        found.append(problems);
        let mut playable = false;
        if let Some(bare) = bare {
            map::check(catalog, &bare.world, found);
            if whole {
                playable = names_and_rules(&Look::new(catalog, &bare, scripts), paragraphs, found);
            }
        }
        // Of a game that cannot be loaded each scenario would say the same again.
        for problems in threads.into_iter().filter_map(|thread| thread.join().ok()).filter(|_| playable) {
            found.append(problems);
        }
    });
}

/// Returns whether the scripts can be loaded.
fn names_and_rules(look: &Look<'_>, paragraphs: &BTreeSet<String>, found: &mut Diagnostics) -> bool {
    globals::globals(look, found);
    globals::members(look, found);
    refs::references(look, found);
    unused::rows(look, found);
    match Game::new(look.definition.clone(), look.catalog) {
        Err(errors) => {
            found.extend(errors.iter().map(|error| setup::script_error(look.catalog, error)));
            false
        }
        Ok(game) => {
            rules::handlers(look, game.host.cx(), paragraphs, found);
            cards::families(look, game.host.cx(), found);
            true
        }
    }
}

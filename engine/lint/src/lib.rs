//! What `sandtable check` knows beyond files and tables: scripts, references, maps, set-ups and provenance.
//!
//! [`check`] takes a merged game and gives all problems. It looks at scripts twice: as syntax trees, which give names, texts and
//! figures with their places, and as the handlers that they register when they are loaded, which say what hangs on what.

mod allow;
mod arg_roles;
mod books;
mod card_procedures;
mod case_names;
mod cases;
mod certain;
mod chain;
pub mod codes;
mod context;
mod data_refs;
mod duplicate_names;
mod facts;
mod figures;
mod globals;
mod guard;
mod map;
mod mentions;
mod modifiers;
mod names;
mod place;
mod provenance;
mod refs;
mod rules;
mod setup;
mod syntax;
mod texts;
mod unused;
mod walk;

use context::LintContext;
use facts::Facts;
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
///
/// Nothing stops it but a game that is not there: what could be read is looked at, and what is wrong only because
/// something else could not be read is left out (`certain`).
pub fn check(catalog: &Catalog, merged: Diagnostics, options: &[(String, String)]) -> Diagnostics {
    let mut out = merged;
    let mut found = Diagnostics::new();
    let scripts = syntax::parse(catalog, &mut out);
    figures::numbers(&scripts, &mut found);
    let paragraphs = books::paragraphs(catalog, &mut found);
    let unread = certain::UnreadFilter::new(catalog, &out);
    let (mut whole, mut declared) = (!out.has_errors() && scripts.len() == catalog.scripts.len(), true);
    if !catalog.layers.is_empty() {
        books::cited(catalog, &paragraphs, &mut found);
        provenance::check(catalog, &mut found);
        (whole, declared) = tables_and_rules(catalog, options, &scripts, whole, &paragraphs, &mut found);
    }
    let found = unread.certain(without_consequences(catalog, found), declared);
    out.append(allow::apply(catalog, found, CODES, whole));
    let mut out = chain::explain(catalog, out);
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

/// Returns whether everything was looked at, and whether the tables are sound; `whole` says whether all files could be read and merged.
fn tables_and_rules(
    catalog: &Catalog,
    options: &[(String, String)],
    scripts: &[Facts],
    whole: bool,
    paragraphs: &BTreeSet<String>,
    found: &mut Diagnostics,
) -> (bool, bool) {
    std::thread::scope(|scope| {
        let set_up = |first| scope.spawn(move || setup::scenarios(catalog, options, first, THREADS));
        let threads: Vec<_> = (0..THREADS).filter(|_| whole).map(set_up).collect();
        let (sketch, problems) = definition::sketch(catalog, Some(""), options);
        let declared = !problems.has_errors();
        found.append(problems);
        let mut playable = false;
        if let Some(sketch) = sketch {
            map::check(catalog, &sketch.world, found);
            let context = LintContext::new(catalog, &sketch, scripts);
            names(&context, found);
            playable = whole && declared && rules(&context, paragraphs, found);
            if !playable {
                books::cited_by_scripts(&context, paragraphs, found);
            }
        }
        let set_ups: Vec<_> = threads.into_iter().filter_map(|thread| thread.join().ok()).collect();
        // Of a game that cannot be loaded each scenario would say the same again: then only its lines are followed.
        match playable {
            true => found.append(setup::once_a_line(set_ups)),
            false => found.append(setup::once_a_line([setup::lines(catalog, options)])),
        }
        (playable, declared)
    })
}

fn names(context: &LintContext<'_>, found: &mut Diagnostics) {
    globals::globals(context, found);
    globals::members(context, found);
    refs::references(context, found);
    unused::rows(context, found);
    unused::keys(context, found);
    unused::attributes(context, found);
    texts::check(context, found);
    data_refs::check(context, found);
    duplicate_names::check(context, found);
}

/// Returns whether the scripts can be loaded.
fn rules(context: &LintContext<'_>, paragraphs: &BTreeSet<String>, found: &mut Diagnostics) -> bool {
    match Game::loose(context.definition.clone(), context.catalog) {
        Err(errors) => {
            let problems = errors.iter().map(|error| setup::script_error(context.catalog, error));
            // What the syntax tree showed at a name need not be told again of its whole line.
            let line = |problem: &Diagnostic| {
                problem.span.map(|span| (span.file, place::line(context.catalog, span)))
            };
            let kept = |problem: &&Diagnostic| problem.code == &codes::KEPT_STATE;
            let known: BTreeSet<_> = found.iter().filter(kept).filter_map(line).collect();
            let is_new =
                |problem: &Diagnostic| !kept(&problem) || line(problem).is_none_or(|at| !known.contains(&at));
            found.extend(problems.filter(is_new).collect::<Vec<_>>());
            false
        }
        Ok(game) => {
            rules::handlers(context, game.host.cx(), paragraphs, found);
            card_procedures::families(context, game.host.cx(), found);
            cases::check(context, game.host.cx(), found);
            modifiers::check(context, game.host.cx(), found);
            true
        }
    }
}

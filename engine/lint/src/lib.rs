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

use look::Look;
use sandtable_data::catalog::Catalog;
use sandtable_data::definition;
use sandtable_data::diagnostic::{Code, Diagnostics};
use sandtable_data::diagnostic_codes;
use sandtable_session::Game;

/// The codes of all problems that a check can find.
pub static CODES: &[&[Code]] = &[diagnostic_codes::ALL, definition::codes::ALL, codes::ALL];

/// Looks at a merged game, after the problems of its merge; gives all there are, sorted by place.
pub fn check(catalog: &Catalog, merged: Diagnostics, options: &[(String, String)]) -> Diagnostics {
    let mut out = merged;
    let readable = !out.has_errors();
    let scripts = syntax::parse(catalog, &mut out);
    let whole = scripts.len() == catalog.scripts.len();
    let mut found = Diagnostics::new();
    figures::numbers(&scripts, &mut found);
    layers::conflicts(catalog, &scripts, &mut found);
    let paragraphs = books::paragraphs(catalog, &mut found);
    if readable {
        books::cited(catalog, &paragraphs, &mut found);
        provenance::check(catalog, &mut found);
        let (bare, problems) = definition::build(catalog, Some(""), options);
        found.append(problems);
        if let Some(bare) = bare {
            map::check(catalog, &bare.world, &mut found);
            let look = Look::new(catalog, &bare, &scripts);
            if whole {
                globals::globals(&look, &mut found);
                globals::members(&look, &mut found);
                refs::references(&look, &mut found);
                unused::rows(&look, &mut found);
                match Game::new(bare.clone(), catalog) {
                    Err(errors) => {
                        found.extend(errors.iter().map(|error| setup::script_error(catalog, error)));
                    }
                    Ok(game) => {
                        rules::handlers(&look, game.host.cx(), &paragraphs, &mut found);
                        cards::families(&look, game.host.cx(), &mut found);
                        setup::scenarios(catalog, options, &mut found);
                    }
                }
            }
        }
    }
    out.append(allow::apply(catalog, found, CODES));
    out.sort(&catalog.sources);
    out
}

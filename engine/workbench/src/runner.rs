//! Runs cases: one game loaded for each set of needs, kept for the cases that follow.

use crate::book::{Book, CaseText};
use crate::case::{self, Case, Failure, Needs};
use sandtable_data::catalog::Catalog;
use sandtable_data::definition;
use sandtable_session::Game;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What came of a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// File of the case.
    pub file: String,
    /// Line of its fence.
    pub line: u32,
    /// The paragraph it proves.
    pub paragraph: String,
    /// Its name.
    pub name: String,
    /// Its lines with their numbers, if it failed.
    pub lines: Vec<(u32, String)>,
    /// Why it failed, if it did.
    pub failure: Option<Failure>,
    /// Numbers of the handlers that ran.
    pub fired: Vec<u32>,
}

/// A bench on which cases of one game are run; it belongs to one thread.
pub struct Bench<'a> {
    catalog: &'a Catalog,
    options: Vec<(String, String)>,
    games: BTreeMap<Needs, Result<Rc<Game>, String>>,
    /// Whether every case is run a second time without memoised queries.
    pub verify: bool,
}

/// The rulebooks of a catalog.
pub fn books(catalog: &Catalog) -> Vec<Book> {
    catalog
        .books
        .iter()
        .map(|file| Book::read(catalog.sources.path(file.file), catalog.sources.text(file.file)))
        .collect()
}

/// The rulebooks of the layers on top of the game: their cases are meant for the game as they change it.
pub fn layer_books(catalog: &Catalog) -> Vec<Book> {
    let own = catalog.books.iter().filter(|file| file.layer.0 > 0);
    own.map(|file| Book::read(catalog.sources.path(file.file), catalog.sources.text(file.file))).collect()
}

impl<'a> Bench<'a> {
    /// A bench for a game as data.
    pub fn new(catalog: &'a Catalog, options: Vec<(String, String)>) -> Bench<'a> {
        Bench { catalog, options, games: BTreeMap::new(), verify: false }
    }

    /// The game loaded for some needs.
    pub fn game(&mut self, needs: &Needs) -> Result<Rc<Game>, String> {
        if let Some(game) = self.games.get(needs) {
            return game.clone();
        }
        let mut options = self.options.clone();
        options.extend(needs.options.iter().cloned());
        let (definition, problems) = definition::build(self.catalog, Some(&needs.scenario), &options);
        let game = match definition {
            Some(definition) => Game::new(definition, self.catalog)
                .map(Rc::new)
                .map_err(|errors| errors.first().map_or_else(String::new, ToString::to_string)),
            None => {
                let texts: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
                Err(format!("the game cannot be loaded: {}", texts.join("; ")))
            }
        };
        // A handful of sets of needs is common; a VM for each of hundreds would be too much.
        if self.games.len() > 24 {
            self.games.clear();
        }
        self.games.insert(needs.clone(), game.clone());
        game
    }

    /// Runs a case as written: several if it has loops.
    pub fn run(&mut self, text: &CaseText) -> Vec<Outcome> {
        let outcome = |name: String, failure: Option<Failure>, fired: Vec<u32>| Outcome {
            file: text.file.clone(),
            line: text.line,
            paragraph: text.paragraph.clone(),
            name,
            lines: if failure.is_some() { text.lines.clone() } else { Vec::new() },
            failure,
            fired,
        };
        match case::read(text) {
            Err(failure) => vec![outcome(String::new(), Some(failure), Vec::new())],
            Ok(cases) => {
                let run = |case: &Case| {
                    let (failure, fired) = self.run_one(case, text);
                    outcome(case.name.clone(), failure, fired)
                };
                let mut outcomes: Vec<Outcome> = cases.iter().map(run).collect();
                agree(&mut outcomes);
                outcomes
            }
        }
    }

    fn run_one(&mut self, case: &Case, text: &CaseText) -> (Option<Failure>, Vec<u32>) {
        let game = match self.game(&case.needs) {
            Ok(game) => game,
            Err(message) => return (Some(Failure::new(text.line, message)), Vec::new()),
        };
        for handler in &game.host.cx().registry.borrow().handlers {
            handler.fired.set(0);
        }
        let run = if self.verify { case::verify } else { case::run };
        let failure = run(case, &game)
            .map_err(|failure| Failure { edits: case::revise(case, text, &game), ..failure })
            .err();
        let registry = game.host.cx().registry.borrow();
        let fired = (0u32..).zip(&registry.handlers).filter(|(_, handler)| handler.fired.get() > 0);
        (failure, fired.map(|(number, _)| number).collect())
    }
}

/// Lines of a loop are shared: they can be edited only if every case of it wants the same.
fn agree(outcomes: &mut [Outcome]) {
    let edits = |outcome: &Outcome| outcome.failure.as_ref().map_or_else(Vec::new, |f| f.edits.clone());
    let differ = outcomes.windows(2).any(|pair| edits(&pair[0]) != edits(&pair[1]));
    for failure in outcomes.iter_mut().filter_map(|outcome| outcome.failure.as_mut()) {
        if differ && !failure.edits.is_empty() {
            failure.edits.clear();
            failure.message.push_str(" (the cases of this loop differ from each other: edit by hand)");
        }
    }
}

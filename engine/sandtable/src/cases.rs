//! Running the cases of rulebooks.

use sandtable_data::catalog::Catalog;
use sandtable_workbench::{Bench, runner};

/// What came of the cases of a game.
#[derive(Clone, Debug, Default)]
pub struct CaseResults {
    results: Vec<CaseResult>,
}

/// What came of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseResult {
    /// The file.
    pub file: String,
    /// The line of its fence.
    pub line: u32,
    /// The paragraph that it proves.
    pub paragraph: String,
    /// Its name.
    pub name: String,
    /// Why it failed: the line, and what was found and expected there; nothing if it passed.
    pub failure: Option<(u32, String)>,
}

impl CaseResults {
    /// All cases, in the order of the files.
    pub fn all(&self) -> &[CaseResult] {
        &self.results
    }

    /// Those that failed.
    pub fn failed(&self) -> impl Iterator<Item = &CaseResult> {
        self.results.iter().filter(|result| result.failure.is_some())
    }
}

pub(crate) fn run(catalog: &Catalog, options: &[(String, String)]) -> CaseResults {
    let mut bench = Bench::new(catalog, options.to_vec());
    let books = runner::books(catalog);
    let outcomes = books.iter().flat_map(|book| &book.cases).flat_map(|case| bench.run(case));
    let results = outcomes.map(|outcome| CaseResult {
        file: outcome.file,
        line: outcome.line,
        paragraph: outcome.paragraph,
        name: outcome.name,
        failure: outcome.failure.map(|failure| (failure.line, failure.message)),
    });
    CaseResults { results: results.collect() }
}

//! What is certain although some files could not be read, or some tables are wrong: much is missing only because of that.

use sandtable_data::catalog::Catalog;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics, Severity};
use sandtable_data::source::FileId;
use sandtable_data::tree::{Node, Value};
use std::collections::BTreeSet;

/// What is missing where files of tables are unread: references, texts, what nothing uses.
const OF_TABLES: &[&str] =
    &["E0203", "E0206", "E05", "E07", "E0903", "E0904", "E0905", "E0906", "E0907", "E0913"];
/// The same for scripts.
const OF_SCRIPTS: &[&str] = &["E0901", "E0902", "E0903", "E0908"];
/// What hangs on declarations; where these are wrong, it says nothing.
const OF_DECLARATIONS: &[&str] = &["E0913", "E0903", "E0905", "E0906", "E0908", "E0909", "E10", "E11"];
/// What is said of the whole.
const OF_ALL: &[&str] = &["E0908", "E0909", "E10", "E11", "E0912"];

/// What could not be read.
pub(crate) struct UnreadFilter<'a> {
    tables: bool,
    scripts: bool,
    /// Whether a file of tables gave nothing at all, so that not even its words are known.
    blind: bool,
    /// All words of these files.
    words: BTreeSet<&'a str>,
}

impl<'a> UnreadFilter<'a> {
    /// Takes up the files that problems of reading are about.
    pub fn new(catalog: &'a Catalog, problems: &Diagnostics) -> Self {
        let mut unread = Self { tables: false, scripts: false, blind: false, words: BTreeSet::new() };
        let mut gave = BTreeSet::new();
        files_of(&catalog.root, &mut gave);
        for problem in problems.iter() {
            let code = problem.code.code;
            let of_script = code.starts_with("E08");
            if !(of_script || (code.starts_with("E01") && problem.severity == Severity::Error)) {
                continue;
            }
            unread.scripts |= of_script;
            unread.tables |= !of_script;
            match problem.span.map(|span| span.file) {
                Some(file) => {
                    unread.blind |= !of_script && (code <= "E0103" || !gave.contains(&file));
                    unread.words.extend(words(catalog.sources.text(file)));
                }
                None => unread.blind = true,
            }
        }
        unread
    }

    /// Leaves out what may be so only because something could not be read; `declared` says whether the declarations are sound.
    pub fn certain(&self, found: Diagnostics, declared: bool) -> Diagnostics {
        if declared && !self.tables && !self.scripts {
            return found;
        }
        let mut out = Diagnostics::new();
        out.extend(found.into_iter().filter(|problem| !self.is_doubtful(problem, declared)));
        out
    }

    fn is_doubtful(&self, problem: &Diagnostic, declared: bool) -> bool {
        let is_of = |codes: &[&str]| codes.iter().any(|head| problem.code.code.starts_with(head));
        let unread = self.tables || self.scripts;
        !declared && is_of(OF_DECLARATIONS)
            || unread && is_of(OF_ALL)
            || self.tables && is_of(OF_TABLES) && (self.blind || self.names(problem))
            || self.scripts && is_of(OF_SCRIPTS) && self.names(problem)
    }

    /// Whether a problem speaks of a name that stands in what could not be read.
    fn names(&self, problem: &Diagnostic) -> bool {
        let quoted = problem.message.split('`').skip(1).step_by(2).flat_map(words);
        let dotted = problem.message.split([' ', ',', ';', ':']).filter(|word| word.contains('.'));
        quoted.chain(dotted.flat_map(|word| words(word).skip(1))).any(|name| self.words.contains(name))
    }
}

fn files_of(node: &Node, files: &mut BTreeSet<FileId>) {
    match &node.value {
        Value::Table(table) => table.iter().for_each(|(_, child)| files_of(child, files)),
        _ => {
            files.insert(node.origin.file);
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).filter(|word| !word.is_empty())
}

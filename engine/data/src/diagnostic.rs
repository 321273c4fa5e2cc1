//! The one diagnostic type of the project: a code, a message that stands alone, places, notes and help.
//! How a diagnostic looks is the business of [`crate::render`].

use std::collections::BTreeMap;

use crate::source::{FileId, Sources, Span};

/// What is known about one stable code, for `sandtable check --explain CODE`.
#[derive(Debug, PartialEq, Eq)]
pub struct CodeInfo {
    /// The stable code, such as `E0105`.
    pub code: &'static str,
    /// The short name, such as `duplicate-key`.
    pub name: &'static str,
    /// One line that says what the code means.
    pub title: &'static str,
    /// What leads to it.
    pub cause: &'static str,
    /// Input that produces it.
    pub example: &'static str,
    /// What to do.
    pub repair: &'static str,
}

/// A reference to a code of any crate's table.
pub type Code = &'static CodeInfo;

/// Declares a table of codes: a static for each, and `ALL` with all of them in order.
///
/// ```
/// sandtable_data::diagnostic_codes! {
///     NO_DICE = "E9901", "no-dice", "a roll without dice",
///         cause: "A roll names no die.",
///         example: "roll()",
///         repair: "Name at least one die.";
/// }
/// assert_eq!(ALL[0].name, "no-dice");
/// ```
#[macro_export]
macro_rules! diagnostic_codes {
    ($($ident:ident = $code:literal, $name:literal, $title:literal,
        cause: $cause:literal, example: $example:literal, repair: $repair:literal;)*) => {
        $(
            #[doc = concat!($code, " `", $name, "`: ", $title, ".")]
            pub static $ident: $crate::diagnostic::CodeInfo = $crate::diagnostic::CodeInfo {
                code: $code, name: $name, title: $title, cause: $cause, example: $example, repair: $repair,
            };
        )*
        /// All codes of this table, in order.
        pub static ALL: &[$crate::diagnostic::Code] = &[$(&$ident),*];
    };
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The package cannot be played as it is.
    Error,
    /// Suspicious, but playable.
    Warning,
}

impl Severity {
    /// Returns the word that is printed.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A second place, with what it has to do with the problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// A few words.
    pub text: String,
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What was found and what was expected; lower case, no full stop, understandable without the source line.
    pub message: String,
    /// The place, if there is one.
    pub span: Option<Span>,
    /// Further places.
    pub labels: Vec<Label>,
    /// Where a value came from, and other facts.
    pub notes: Vec<String>,
    /// What could be done, such as the nearest valid names.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// Makes an error at a place.
    pub fn error(code: Code, span: impl Into<Span>, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, Some(span.into()), message.into())
    }

    /// Makes a warning at a place.
    pub fn warning(code: Code, span: impl Into<Span>, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, Some(span.into()), message.into())
    }

    /// Makes an error that belongs to no text, such as a game that is not found.
    pub fn placeless(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, None, message.into())
    }

    fn new(code: Code, severity: Severity, span: Option<Span>, message: String) -> Self {
        Self { code, severity, message, span, labels: Vec::new(), notes: Vec::new(), help: Vec::new() }
    }

    /// Adds a second place.
    #[must_use]
    pub fn label(mut self, span: impl Into<Span>, text: impl Into<String>) -> Self {
        self.labels.push(Label { span: span.into(), text: text.into() });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds help, if there is any.
    #[must_use]
    pub fn help(mut self, text: impl Into<Option<String>>) -> Self {
        self.help.extend(text.into());
        self
    }
}

/// Problems of one code kept for one file; a broken file of megabytes would give millions.
const MOST_OF_A_KIND: usize = 100;

/// All problems of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    counts: BTreeMap<(Option<FileId>, &'static str), usize>,
}

impl Diagnostics {
    /// Makes an empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem; beyond a hundred of one code in one file they are only counted.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let kind = (diagnostic.span.map(|span| span.file), diagnostic.code.code);
        let count = self.counts.entry(kind).or_insert(0);
        *count += 1;
        if *count <= MOST_OF_A_KIND {
            self.list.push(diagnostic);
        }
    }

    /// Adds all problems of another collector.
    pub fn append(&mut self, other: Diagnostics) {
        self.extend(other.list);
        for (kind, count) in other.counts {
            // What the other kept was counted by `push`; this counts what it did not keep.
            *self.counts.entry(kind).or_insert(0) += count.saturating_sub(MOST_OF_A_KIND);
        }
    }

    /// Returns how many problems were counted and not kept.
    pub fn hidden(&self) -> usize {
        self.counts.values().map(|count| count.saturating_sub(MOST_OF_A_KIND)).sum()
    }

    /// Returns whether any problem is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// Returns whether there is no problem at all.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the number of problems.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Iterates over the problems in the order in which they were found, or sorted after [`Self::sort`].
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Sorts by path, place and code, drops exact repetitions, and notes at the last of a kind how many are hidden.
    pub fn sort(&mut self, sources: &Sources) {
        let place = |d: &Diagnostic| d.span.map(|s| (sources.path(s.file).to_owned(), s.start, s.end));
        self.list.sort_by_cached_key(|d| (place(d), d.code.code, d.message.clone()));
        self.list.dedup();
        // Rows that inherit a wrong value all complain of the one place where it stands.
        self.list.dedup_by(|later, first| {
            later.code.code.starts_with("E02")
                && later.code == first.code
                && later.span.is_some()
                && later.span == first.span
        });
        for ((file, code), count) in std::mem::take(&mut self.counts) {
            let more = count.saturating_sub(MOST_OF_A_KIND);
            let of_kind = |d: &&mut Diagnostic| d.code.code == code && d.span.map(|span| span.file) == file;
            let last = self.list.iter_mut().rev().find(of_kind).filter(|_| more > 0);
            if let Some(last) = last {
                last.notes.push(format!("{more} more problems of this kind in this file are not shown"));
            }
        }
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, iter: T) {
        iter.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic_codes as codes;

    #[test]
    fn a_flood_of_one_kind_is_counted_and_not_kept() {
        let mut sources = Sources::new();
        let file = sources.add("x", "");
        let mut first = Diagnostics::new();
        for n in 0..250 {
            first.push(Diagnostic::error(&codes::FLOAT, Span::new(file, n, n), format!("{n}")));
        }
        let mut all = Diagnostics::new();
        all.append(first);
        assert_eq!((all.len(), all.hidden()), (100, 150));
        all.sort(&sources);
        let notes: Vec<_> = all.iter().flat_map(|d| &d.notes).collect();
        assert_eq!(notes, ["150 more problems of this kind in this file are not shown"]);
    }
}

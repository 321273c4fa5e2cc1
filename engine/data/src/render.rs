//! Diagnostics as text for people: full, with the source line and carets, or one line each.

use std::fmt::Write as _;

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Position, SourceFile, Sources, Span};

pub use crate::render_json::to_json;

/// Characters of a source line that are shown; longer lines are cut around the caret.
const WIDTH: usize = 110;

/// Whether to use terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI escape sequences.
    Ansi,
    /// The same sequences with this before their code, for who prints them to tell them from what a text holds.
    Marked(&'static str),
}

struct Paint(Colour);

impl Paint {
    fn wrap(&self, sequence: &str, text: &str) -> String {
        let mark = match self.0 {
            Colour::Never => return text.to_owned(),
            Colour::Ansi => "\u{1b}[",
            Colour::Marked(mark) => mark,
        };
        format!("{mark}{sequence}m{text}{mark}0m")
    }

    fn severity(&self, severity: Severity, text: &str) -> String {
        let sequence = if severity == Severity::Error { "1;31" } else { "1;33" };
        self.wrap(sequence, text)
    }

    fn frame(&self, text: &str) -> String {
        self.wrap("1;34", text)
    }

    fn bold(&self, text: &str) -> String {
        self.wrap("1", text)
    }
}

/// Returns `file:line:column: code: message`, or `code: message` without a place.
pub fn concise(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let Diagnostic { code, message, span, .. } = diagnostic;
    let message = clean(message);
    match span {
        Some(span) => format!("{}: {}: {message}", sources.describe(*span), code.code),
        None => format!("{}: {message}", code.code),
    }
}

/// Returns the message with its source lines, notes and help, ending in a line end.
pub fn full(diagnostic: &Diagnostic, sources: &Sources, colour: Colour) -> String {
    let paint = Paint(colour);
    let severity = diagnostic.severity;
    let head = format!("{}[{}]", severity.word(), diagnostic.code.code);
    let message = paint.bold(&format!(": {}", clean(&diagnostic.message)));
    let mut out = format!("{}{message}\n", paint.severity(severity, &head));

    let mut places: Vec<(Span, &str)> = diagnostic.span.iter().map(|span| (*span, "")).collect();
    places.extend(diagnostic.labels.iter().map(|label| (label.span, label.text.as_str())));
    let places: Vec<_> =
        places.iter().filter_map(|(span, text)| Some((*span, *text, sources.get(span.file)?))).collect();
    let last_line = places.iter().map(|(span, _, file)| file.position(span.start).line).max().unwrap_or(1);
    let gutter = last_line.to_string().len();

    for (index, (span, label, file)) in places.iter().enumerate() {
        let first = index == 0 && diagnostic.span.is_some();
        let position = file.position(span.start);
        let arrow = if first { "-->" } else { ":::" };
        let _ = writeln!(out, "{:gutter$}{} {}:{position}", "", paint.frame(arrow), file.shown());
        let excerpt = Excerpt::new(file, *span, position);
        let bar = paint.frame("|");
        let number = paint.frame(&format!("{:>gutter$}", position.line));
        let marks = excerpt.marks(if first { '^' } else { '-' });
        let marks = if first { paint.severity(severity, &marks) } else { paint.frame(&marks) };
        let label = if label.is_empty() { String::new() } else { format!(" {}", clean(label)) };
        let _ = writeln!(out, "{:gutter$} {bar}", "");
        let _ = writeln!(out, "{number} {bar} {}", excerpt.line);
        let _ = writeln!(out, "{:gutter$} {bar} {:indent$}{marks}{label}", "", "", indent = excerpt.indent);
    }
    let notes = diagnostic.notes.iter().map(|note| ("note", note));
    for (kind, text) in notes.chain(diagnostic.help.iter().map(|help| ("help", help))) {
        let mark = paint.frame("=");
        let _ = writeln!(out, "{:gutter$} {mark} {}: {}", "", paint.bold(kind), clean(text));
    }
    out
}

/// Returns all diagnostics in full, with a closing line that counts them.
pub fn full_report<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &Sources,
    colour: Colour,
) -> String {
    let mut out = String::new();
    let (mut errors, mut warnings) = (0, 0);
    for diagnostic in diagnostics {
        match diagnostic.severity {
            Severity::Error => errors += 1,
            Severity::Warning => warnings += 1,
        }
        out.push_str(&full(diagnostic, sources, colour));
        out.push('\n');
    }
    let count = |number: usize, word: &str| match number {
        1 => format!("1 {word}"),
        _ => format!("{number} {word}s"),
    };
    let _ = writeln!(out, "{}, {}", count(errors, "error"), count(warnings, "warning"));
    out
}

/// A source line cut to the width around a span, with the columns to mark.
struct Excerpt {
    line: String,
    indent: usize,
    length: usize,
}

impl Excerpt {
    fn new(file: &SourceFile, span: Span, position: Position) -> Self {
        let (line_start, line_end) = file.line_range(position.line);
        let start = file.boundary(span.start as usize).clamp(line_start, line_end);
        let end = file.boundary(span.end as usize).clamp(start, line_end);
        let text = file.text();
        let marked = text[start..end].chars().take(WIDTH).count().max(1);

        // Only the neighbourhood of the span is looked at: a line may be megabytes long.
        let before: Vec<char> = text[line_start..start].chars().rev().take(WIDTH).collect();
        let room = WIDTH.saturating_sub(marked.min(WIDTH / 2));
        let keep_before = if before.len() < room { before.len() } else { room / 2 };
        let cut_left = text[line_start..start].chars().rev().nth(keep_before).is_some();
        let mut shown: Vec<char> = before[..keep_before].iter().rev().copied().collect();
        let mut after = text[start..line_end].chars();
        shown.extend(after.by_ref().take(WIDTH - keep_before));
        let cut_right = after.next().is_some();

        let left: String = if cut_left { "…".to_owned() } else { String::new() };
        let indent = shown.iter().take(keep_before).map(|&c| width(c)).sum::<usize>() + left.chars().count();
        let length = shown.iter().skip(keep_before).take(marked).map(|&c| width(c)).sum::<usize>().max(1);
        let mut line = left;
        shown.iter().for_each(|&c| push_clean(&mut line, c));
        if cut_right {
            line.push('…');
        }
        Self { line: line.trim_end().to_owned(), indent, length }
    }

    fn marks(&self, mark: char) -> String {
        std::iter::repeat_n(mark, self.length).collect()
    }
}

fn width(c: char) -> usize {
    if c == '\t' { 4 } else { 1 }
}

/// Replaces what a terminal would obey: texts come from strangers' packages.
fn push_clean(out: &mut String, c: char) {
    let obeyed = c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    match c {
        '\t' => out.push_str("    "),
        _ if obeyed => out.push('\u{fffd}'),
        c => out.push(c),
    }
}

fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        line.chars().for_each(|c| push_clean(&mut out, c));
    }
    out
}

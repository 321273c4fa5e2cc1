//! Splits a CSV text into lines and cells with their places; knows nothing of headers and keys.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::source::{FileId, Span};

/// One cell, with the byte range of what was written, quotes included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    pub text: String,
    pub quoted: bool,
    pub start: u32,
    pub end: u32,
}

/// The cells of one line that is neither empty nor a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub cells: Vec<Cell>,
}

/// Returns the lines, and what the first comment says after `# source:`.
pub(crate) fn read_cells(text: &str, file: FileId, out: &mut Diagnostics) -> (Vec<Line>, Option<Cell>) {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut splitter = Splitter { text, at: start, file, out };
    let mut lines = Vec::new();
    let mut source = None;
    let mut first_comment = true;
    while splitter.at < text.len() {
        let rest = &text[splitter.at..];
        let line = rest.split('\n').next().unwrap_or_default();
        if line.starts_with('#') || line.trim().is_empty() {
            if line.starts_with('#') && std::mem::take(&mut first_comment) {
                source = source_comment(line, splitter.at);
            }
            splitter.at += (line.len() + 1).min(rest.len());
        } else {
            lines.push(splitter.line());
        }
    }
    (lines, source)
}

fn source_comment(line: &str, at: usize) -> Option<Cell> {
    let (_, said) =
        line.strip_prefix('#')?.trim_start().split_once("source:").filter(|(b, _)| b.is_empty())?;
    let start = at + line.len() - said.trim_start().len();
    Some(cell(said.trim().to_owned(), false, start, start + said.trim().len()))
}

fn cell(text: String, quoted: bool, start: usize, end: usize) -> Cell {
    let Span { start, end, .. } = Span::new(FileId(0), start, end);
    Cell { text, quoted, start, end }
}

struct Splitter<'t, 'o> {
    text: &'t str,
    at: usize,
    file: FileId,
    out: &'o mut Diagnostics,
}

impl Splitter<'_, '_> {
    /// Reads one line up to and over its end.
    fn line(&mut self) -> Line {
        let mut cells = Vec::new();
        loop {
            self.skip_blanks();
            let cell = if self.text[self.at..].starts_with('"') { self.quoted() } else { self.plain() };
            cells.push(cell);
            let rest = &self.text[self.at..];
            if rest.starts_with(',') {
                self.at += 1;
            } else {
                self.at += if rest.starts_with("\r\n") { 2 } else { 1 };
                self.at = self.at.min(self.text.len());
                return Line { cells };
            }
        }
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    fn plain(&mut self) -> Cell {
        let rest = &self.text[self.at..];
        let end = rest.find([',', '\n']).unwrap_or(rest.len());
        let written = rest[..end].trim_end();
        let result = cell(written.to_owned(), false, self.at, self.at + written.len());
        // A carriage return before the line end was trimmed with the blanks.
        self.at += end;
        result
    }

    fn quoted(&mut self) -> Cell {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find('"') else {
                return self.unclosed(start);
            };
            text.push_str(&rest[..end]);
            self.at += end + 1;
            if !self.text[self.at..].starts_with('"') {
                break;
            }
            text.push('"');
            self.at += 1;
        }
        let end = self.at;
        let rest = &self.text[self.at..];
        let gap = rest.find([',', '\n']).unwrap_or(rest.len());
        if !rest[..gap].trim().is_empty() {
            let span = Span::new(self.file, end, end + rest[..gap].trim_end().len());
            let message = "text after a closing quote; expected a comma or the end of the line";
            self.out.push(
                Diagnostic::error(&codes::CSV_QUOTE, span, message)
                    .help("write two quotes for a quote inside a cell".to_owned()),
            );
        }
        self.at += gap;
        cell(text, true, start, end)
    }

    /// Reports the quote and takes the rest of its line as the cell, so that later lines are still read.
    fn unclosed(&mut self, start: usize) -> Cell {
        let rest = &self.text[start..];
        let end = start + rest.find('\n').unwrap_or(rest.len());
        let written = self.text[start..end].trim_end();
        let span = Span::new(self.file, start, start + written.len());
        let message = "a cell begins with a quote that is never closed";
        self.out.push(Diagnostic::error(&codes::CSV_QUOTE, span, message));
        self.at = end;
        cell(written[1..].to_owned(), true, start, start + written.len())
    }
}

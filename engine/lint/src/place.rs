//! Finding the place of something that is known only by file and line.

use sandtable_data::catalog::Catalog;
use sandtable_data::source::{FileId, Span};

/// The span of a line without the blanks at its start.
pub(crate) fn of_line(catalog: &Catalog, file: FileId, line: u32) -> Span {
    let Some(source) = catalog.sources.get(file) else { return Span::new(file, 0, 0) };
    let (start, end) = source.line_range(line);
    let text = &source.text()[start..end];
    Span::new(
        file,
        end - text.trim_start().len(),
        start + text.trim_end().len().max(text.len() - text.trim_start().len()),
    )
}

/// The file of a path as messages show it.
pub(crate) fn of_path(catalog: &Catalog, path: &str) -> Option<FileId> {
    catalog.sources.iter().find(|(_, source)| source.path() == path).map(|(file, _)| file)
}

/// The line of a span.
pub(crate) fn line(catalog: &Catalog, span: Span) -> u32 {
    catalog.sources.get(span.file).map_or(1, |source| source.position(span.start).line)
}

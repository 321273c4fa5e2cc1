//! The texts that were read, and places in them; knows nothing of what the texts mean.

use std::fmt;
use std::sync::Arc;

/// A file in [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Makes a span; offsets beyond `u32` are held at its limit (files that large are refused on reading).
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end.max(start)) }
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One text with the index of its lines.
#[derive(Debug, Clone)]
pub struct SourceFile {
    path: String,
    place: Option<String>,
    shown: Option<String>,
    text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Returns the path inside the packages, such as `skirmish/units.toml`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns where the file was read from, if it came from a disk.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// Returns the path for messages: the one that opens the file, where that is known, else the one inside the packages.
    pub fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.path)
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of lines; an empty file has one.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// Returns the byte range of a line (counted from 1) without its line end.
    pub fn line_range(&self, line: u32) -> (usize, usize) {
        let index = (line.max(1) as usize - 1).min(self.line_starts.len() - 1);
        let start = self.line_starts[index] as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let line = &self.text[start..end];
        let trimmed = line.strip_suffix('\n').unwrap_or(line);
        let trimmed = trimmed.strip_suffix('\r').unwrap_or(trimmed);
        (start, start + trimmed.len())
    }

    /// Returns the text of a line (counted from 1) without its line end.
    pub fn line(&self, line: u32) -> &str {
        let (start, end) = self.line_range(line);
        &self.text[start..end]
    }

    /// Returns the line and column of an offset; an offset past the end gives the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.boundary(offset as usize);
        let index = self.line_starts.partition_point(|&start| start as usize <= offset).max(1) - 1;
        let start = self.line_starts[index] as usize;
        let column = self.text[start..offset].chars().count();
        Position { line: to_u32(index + 1), column: to_u32(column + 1) }
    }

    /// Returns the text of a span, cut to what exists.
    pub fn slice(&self, span: Span) -> &str {
        let start = self.boundary(span.start as usize);
        let end = self.boundary(span.end as usize).max(start);
        &self.text[start..end]
    }

    /// Moves an offset back to the nearest character boundary inside the text.
    pub(crate) fn boundary(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The table of all texts of one load.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    // Shared, because definitions of scenarios with patches copy the catalog.
    files: Vec<Arc<SourceFile>>,
}

impl Sources {
    /// Makes an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under its path inside the packages.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        self.add_at(path, None, text)
    }

    /// Adds a text and where it was read from.
    pub fn add_at(
        &mut self,
        path: impl Into<String>,
        place: Option<String>,
        text: impl Into<String>,
    ) -> FileId {
        let text = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| to_u32(i + 1)));
        self.files.push(Arc::new(SourceFile { path: path.into(), place, shown: None, text, line_starts }));
        FileId(to_u32(self.files.len() - 1))
    }

    /// Lets messages name files as they are opened from a folder: the current one, with all its parents spelt out.
    pub fn show_from(&mut self, folder: &str) {
        for file in &mut self.files {
            let Some(place) = file.place.as_deref() else { continue };
            let inside = place.strip_prefix(folder).map(|rest| rest.trim_start_matches(['/', '\\']));
            let shown = inside.filter(|rest| !rest.is_empty()).unwrap_or(place);
            let shown = shown.strip_prefix("./").unwrap_or(shown).to_owned();
            Arc::make_mut(file).shown = Some(shown);
        }
    }

    /// Returns a place such as `g/a.lua:12` with the path that opens the file.
    pub fn opened(&self, place: &str) -> String {
        let (path, rest) = place.split_at(place.find(':').unwrap_or(place.len()));
        let file = self.files.iter().find(|file| file.path == path);
        file.map_or_else(|| place.to_owned(), |file| format!("{}{rest}", file.shown()))
    }

    /// Returns a file.
    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize).map(|file| &**file)
    }

    /// Returns the text of a file, or nothing for an unknown one.
    pub fn text(&self, file: FileId) -> &str {
        self.get(file).map_or("", SourceFile::text)
    }

    /// Returns the path of a file, or `?` for an unknown one.
    pub fn path(&self, file: FileId) -> &str {
        self.get(file).map_or("?", SourceFile::path)
    }

    /// Returns the text of a span.
    pub fn slice(&self, span: impl Into<Span>) -> &str {
        let span = span.into();
        self.get(span.file).map_or("", |file| file.slice(span))
    }

    /// Returns `path:line:column` of the start of a span.
    pub fn describe(&self, span: impl Into<Span>) -> String {
        let span = span.into();
        match self.get(span.file) {
            Some(file) => format!("{}:{}", file.shown(), file.position(span.start)),
            None => "?:1:1".to_owned(),
        }
    }

    /// Iterates over all files in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(to_u32(index)), &**file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_end_without_carriage_return() {
        let mut sources = Sources::new();
        let id = sources.add("a.toml", "größe = 1\r\nb = 2");
        let file = sources.get(id).expect("added above");
        assert_eq!(file.position(0), Position { line: 1, column: 1 });
        assert_eq!(file.position("größe".len() as u32), Position { line: 1, column: 6 });
        assert_eq!(file.line(1), "größe = 1");
        assert_eq!(file.line(2), "b = 2");
        assert_eq!(file.line(99), "b = 2");
        assert_eq!(file.position(9999), Position { line: 2, column: 6 });
        assert_eq!(file.slice(Span { file: id, start: 1, end: 9999 }).chars().next(), Some('r'));
        assert_eq!(sources.describe(Span::new(id, 13, 14)), "a.toml:2:1");
    }

    #[test]
    fn messages_name_files_as_they_are_opened() {
        let mut sources = Sources::new();
        let inside = sources.add_at("g/a.toml", Some("/home/me/rules/g/a.toml".to_owned()), "");
        let outside = sources.add_at("g/b.toml", Some("/srv/g/b.toml".to_owned()), "");
        let nowhere = sources.add("g/c.toml", "");
        sources.show_from("/home/me");
        let at = |file| sources.describe(Span::new(file, 0, 0));
        assert_eq!(at(inside), "rules/g/a.toml:1:1");
        assert_eq!(at(outside), "/srv/g/b.toml:1:1");
        assert_eq!(at(nowhere), "g/c.toml:1:1");
        assert_eq!(sources.opened("g/a.toml:7"), "rules/g/a.toml:7");
        assert_eq!(sources.opened("elsewhere.lua:7"), "elsewhere.lua:7");
    }

    #[test]
    fn an_offset_inside_a_character_is_moved_back() {
        let mut sources = Sources::new();
        let id = sources.add("a.toml", "ö");
        assert_eq!(sources.slice(Span::new(id, 1, 1)), "");
        assert_eq!(sources.describe(Span::new(id, 1, 1)), "a.toml:1:1");
        assert_eq!(sources.describe(Span::new(FileId(7), 1, 1)), "?:1:1");
    }
}

//! Numbering schemes as data: how a printed name such as `1724` or `7-G08` tells a board, a column and a row.

use std::fmt::Write as _;

use thiserror::Error;

use super::grid::Offset;

/// The largest column or row that a name can tell.
const LARGEST: i32 = 9_999;

/// A hex as its printed name tells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HexName {
    /// The board's name; empty when the scheme has no boards.
    pub board: String,
    /// The column and row printed on that board.
    pub at: Offset,
}

/// A numbering pattern that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("pattern `{pattern}`, character {at}: found {found}, expected {expected}")]
pub struct PatternError {
    /// The whole pattern.
    pub pattern: String,
    /// The character, counted from 1.
    pub at: usize,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

/// A name that does not fit its scheme.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{name}`, character {at}: found {found}, expected {expected}")]
pub struct NameError {
    /// The whole name.
    pub name: String,
    /// The character, counted from 1.
    pub at: usize,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Col,
    Row,
}

impl Axis {
    const fn word(self) -> &'static str {
        match self {
            Self::Col => "column",
            Self::Row => "row",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Number(Axis, Option<usize>),
    Letter(Axis),
    Board,
}

/// A numbering scheme, read from a pattern.
///
/// A pattern is text with fields in braces: `{col:2}` and `{row:2}` are numbers of so many digits (without a
/// width: as many as follow); `{letter}` or `{col:letter}` is a column as a letter, A = 1, doubled after Z
/// (AA = 27, BB = 28); `{row:letter}` likewise; `{board}` is all up to the next text.
///
/// ```
/// use sandtable_kernel::map::{Numbering, Offset};
///
/// let by_column: Numbering = "{col:2}{row:2}".parse().expect("a pattern");
/// assert_eq!(by_column.read("1724").expect("a name").at, Offset::new(17, 24));
/// let by_row: Numbering = "{row:2}{col:2}".parse().expect("a pattern");
/// assert_eq!(by_row.read("1631").expect("a name").at, Offset::new(31, 16));
/// let boards: Numbering = "{board}-{letter}{row:2}".parse().expect("a pattern");
/// let name = boards.read("7-G08").expect("a name");
/// assert_eq!((name.board.as_str(), name.at), ("7", Offset::new(7, 8)));
/// assert_eq!(boards.write(&name), Some("7-G08".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    pattern: String,
    parts: Vec<Part>,
}

impl std::str::FromStr for Numbering {
    type Err = PatternError;

    fn from_str(pattern: &str) -> Result<Self, PatternError> {
        let fail = |byte: usize, found: String, expected: &str| PatternError {
            pattern: pattern.to_owned(),
            at: pattern[..byte].chars().count() + 1,
            found,
            expected: expected.to_owned(),
        };
        let mut parts: Vec<Part> = Vec::new();
        let mut at = 0;
        while let Some(rest) = pattern.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(inner) = rest.strip_prefix('{') else {
                let text = &rest[..rest.find('{').unwrap_or(rest.len())];
                if let Some(brace) = text.find('}') {
                    return Err(fail(at + brace, "`}`".into(), "`{` before it"));
                }
                parts.push(Part::Text(text.to_owned()));
                at += text.len();
                continue;
            };
            let Some(end) = inner.find('}') else {
                return Err(fail(pattern.len(), "the end".into(), "`}`"));
            };
            let field = &inner[..end];
            let part = read_field(field).ok_or_else(|| {
                fail(
                    at,
                    format!("`{{{field}}}`"),
                    "{col:N}, {row:N}, {letter}, {row:letter} or {board}, N from 1 to 4",
                )
            })?;
            let clash = match (parts.last(), &part) {
                (Some(Part::Number(_, None)), Part::Number(..)) => Some("a width on the number before it"),
                (Some(Part::Letter(_)), Part::Letter(_)) => Some("text between two letters"),
                (Some(Part::Board), _) => Some("text after {board}"),
                _ => None,
            };
            if let Some(expected) = clash {
                return Err(fail(at, format!("`{{{field}}}`"), expected));
            }
            parts.push(part);
            at += end + 2;
        }
        for axis in [Axis::Col, Axis::Row] {
            let count = parts.iter().filter(|part| part.axis() == Some(axis)).count();
            if count != 1 {
                let expected = format!("one {} in the pattern, not {count}", axis.word());
                return Err(fail(pattern.len(), "the end".into(), &expected));
            }
        }
        if parts.iter().filter(|part| **part == Part::Board).count() > 1 {
            return Err(fail(pattern.len(), "the end".into(), "at most one {board}"));
        }
        Ok(Self { pattern: pattern.to_owned(), parts })
    }
}

impl Part {
    const fn axis(&self) -> Option<Axis> {
        match self {
            Self::Number(axis, _) | Self::Letter(axis) => Some(*axis),
            Self::Text(_) | Self::Board => None,
        }
    }
}

fn read_field(field: &str) -> Option<Part> {
    let (name, format) = field.split_once(':').map_or((field, None), |(name, format)| (name, Some(format)));
    let axis = match (name, format) {
        ("board", None) => return Some(Part::Board),
        ("letter", None) => return Some(Part::Letter(Axis::Col)),
        ("col", _) => Axis::Col,
        ("row", _) => Axis::Row,
        _ => return None,
    };
    match format {
        None => Some(Part::Number(axis, None)),
        Some("letter") => Some(Part::Letter(axis)),
        Some(width) => width
            .parse()
            .ok()
            .filter(|width| (1..=4).contains(width))
            .map(|width| Part::Number(axis, Some(width))),
    }
}

impl Numbering {
    /// Returns the pattern that the scheme was read from.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Tells whether names carry a board.
    pub fn has_boards(&self) -> bool {
        self.parts.contains(&Part::Board)
    }

    /// Reads a printed name.
    ///
    /// # Errors
    /// The first character that does not fit, with what was expected there.
    pub fn read(&self, name: &str) -> Result<HexName, NameError> {
        let mut found = HexName { board: String::new(), at: Offset::default() };
        let mut rest = name;
        for (i, part) in self.parts.iter().enumerate() {
            let fail = |expected: String| name_error(name, rest, expected);
            let (taken, number) = match part {
                Part::Text(text) => {
                    if !rest.starts_with(text.as_str()) {
                        return Err(fail(format!("`{text}`")));
                    }
                    (text.len(), 0)
                }
                Part::Board => {
                    let end = match self.parts.get(i + 1) {
                        Some(Part::Text(text)) => rest.find(text.as_str()).unwrap_or(rest.len()),
                        _ => rest.len(),
                    };
                    if end == 0 {
                        return Err(fail("a board".into()));
                    }
                    rest[..end].clone_into(&mut found.board);
                    (end, 0)
                }
                Part::Number(axis, width) => read_number(rest, *width).ok_or_else(|| {
                    fail(match width {
                        Some(width) => format!("{width} digits of the {}", axis.word()),
                        None => format!("the number of the {}, at most {LARGEST}", axis.word()),
                    })
                })?,
                Part::Letter(axis) => read_letters(rest)
                    .ok_or_else(|| fail(format!("the letter of the {}, such as B or BB", axis.word())))?,
            };
            match part.axis() {
                Some(Axis::Col) => found.at.col = number,
                Some(Axis::Row) => found.at.row = number,
                None => {}
            }
            rest = &rest[taken..];
        }
        if rest.is_empty() { Ok(found) } else { Err(name_error(name, rest, "the end".into())) }
    }

    /// Writes the printed name, or `None` when a number does not fit its field.
    pub fn write(&self, hex: &HexName) -> Option<String> {
        let mut name = String::new();
        for part in &self.parts {
            let number = match part.axis() {
                Some(Axis::Col) => hex.at.col,
                Some(Axis::Row) => hex.at.row,
                None => 0,
            };
            match part {
                Part::Text(text) => name.push_str(text),
                Part::Board => name.push_str(&hex.board),
                Part::Number(_, width) => {
                    let most = width.map_or(LARGEST, |width| 10_i32.pow(width as u32) - 1);
                    if !(0..=most).contains(&number) {
                        return None;
                    }
                    write!(name, "{number:0width$}", width = width.unwrap_or(0)).ok()?;
                }
                Part::Letter(_) => {
                    if !(1..=LARGEST).contains(&number) {
                        return None;
                    }
                    let letter = char::from(b'A' + ((number - 1) % 26) as u8);
                    name.extend(std::iter::repeat_n(letter, ((number - 1) / 26 + 1) as usize));
                }
            }
        }
        Some(name)
    }
}

fn name_error(name: &str, rest: &str, expected: String) -> NameError {
    let before = &name[..name.len() - rest.len()];
    let found = rest.chars().next().map_or_else(|| "the end".to_owned(), |c| format!("`{c}`"));
    NameError { name: name.to_owned(), at: before.chars().count() + 1, found, expected }
}

/// Reads digits: exactly `width` of them, or all.
fn read_number(text: &str, width: Option<usize>) -> Option<(usize, i32)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let taken = width.unwrap_or(digits);
    if taken == 0 || taken > digits {
        return None;
    }
    text[..taken].parse().ok().filter(|number| *number <= LARGEST).map(|number| (taken, number))
}

/// Reads one capital letter, repeated any number of times.
fn read_letters(text: &str) -> Option<(usize, i32)> {
    let first = text.bytes().next().filter(u8::is_ascii_uppercase)?;
    let taken = text.bytes().take_while(|byte| *byte == first).count();
    let number = i32::try_from(taken - 1).ok()?.checked_mul(26)?.checked_add(i32::from(first - b'A') + 1)?;
    (number <= LARGEST).then_some((taken, number))
}

#[cfg(test)]
mod tests;

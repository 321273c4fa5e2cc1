//! Where a value came from: its layer and place (origin), and on whose word it stands (provenance).

use std::fmt;

use crate::source::{FileId, Span};

/// A layer by its place in the order of merging; 0 is the game itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LayerId(pub u16);

/// The place that gave a value: layer, file and byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Origin {
    /// The layer.
    pub layer: LayerId,
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Origin {
    /// Makes the origin of a span in a layer.
    pub fn new(layer: LayerId, span: Span) -> Self {
        Self { layer, file: span.file, start: span.start, end: span.end }
    }

    /// Returns the place without the layer.
    pub fn span(self) -> Span {
        Span { file: self.file, start: self.start, end: self.end }
    }
}

impl From<Origin> for Span {
    fn from(origin: Origin) -> Self {
        origin.span()
    }
}

/// On whose word a value stands; inherited from file to table to row to field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Provenance {
    /// Nothing was said.
    #[default]
    Unstated,
    /// The rulebook states it.
    Text,
    /// A named public source states it.
    Public,
    /// The text forces it.
    Inferred,
    /// Authored, because the printed component is not available.
    StandIn,
    /// A layer's or game's own design.
    Own,
}

impl Provenance {
    /// The words that a `source` may hold.
    pub const WORDS: [&'static str; 5] = ["text", "public", "inferred", "stand-in", "own"];

    /// Reads `WORD` or `WORD: NAME`, such as `public: Army List 1942`; the name is returned too.
    pub fn parse(text: &str) -> Option<(Self, Option<&str>)> {
        let (word, name) = match text.split_once(':') {
            Some((word, name)) => (word.trim(), Some(name.trim())),
            None => (text.trim(), None),
        };
        let provenance = match word {
            "text" => Self::Text,
            "public" => Self::Public,
            "inferred" => Self::Inferred,
            "stand-in" => Self::StandIn,
            "own" => Self::Own,
            _ => return None,
        };
        Some((provenance, name.filter(|name| !name.is_empty())))
    }

    /// Returns the word, or `unstated`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unstated => "unstated",
            Self::Text => "text",
            Self::Public => "public",
            Self::Inferred => "inferred",
            Self::StandIn => "stand-in",
            Self::Own => "own",
        }
    }

    /// Returns this, or `inherited` where nothing was said.
    #[must_use]
    pub fn or(self, inherited: Self) -> Self {
        if self == Self::Unstated { inherited } else { self }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A `source` that names its source, such as `public: Army List 1942`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The kind of source.
    pub provenance: Provenance,
    /// Its name.
    pub name: String,
    /// Where it is said.
    pub origin: Origin,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back() {
        for word in Provenance::WORDS {
            let (provenance, name) = Provenance::parse(word).expect("a listed word");
            assert_eq!((provenance.word(), name), (word, None));
        }
        assert_eq!(Provenance::parse("public: Army List"), Some((Provenance::Public, Some("Army List"))));
        assert_eq!(Provenance::parse("standin"), None);
        assert_eq!(Provenance::Unstated.or(Provenance::Text), Provenance::Text);
        assert_eq!(Provenance::Own.or(Provenance::Text), Provenance::Own);
    }
}

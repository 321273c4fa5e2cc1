//! Dotted paths such as `card.lantern-16.ops`, with quotes around keys that hold dots: `hex."17.24".terrain`.

use std::fmt;

/// A path of keys from the root of the merged tables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct KeyPath(pub Vec<String>);

impl KeyPath {
    /// Reads a dotted path; keys with dots stand in double or single quotes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut keys = Vec::new();
        let mut rest = text.trim();
        loop {
            let key = match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let inner = &rest[1..];
                    let end =
                        inner.find(quote).ok_or_else(|| format!("unclosed {quote} in the path `{text}`"))?;
                    rest = &inner[end + 1..];
                    &inner[..end]
                }
                _ => {
                    let end = rest.find('.').unwrap_or(rest.len());
                    let key = rest[..end].trim();
                    if key.is_empty() {
                        return Err(format!("empty key in the path `{text}`"));
                    }
                    rest = &rest[end..];
                    key
                }
            };
            keys.push(key.to_owned());
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(Self(keys));
            }
            rest = rest
                .strip_prefix('.')
                .ok_or_else(|| format!("expected a dot after `{key}` in the path `{text}`"))?
                .trim_start();
        }
    }

    /// Returns the keys.
    pub fn keys(&self) -> &[String] {
        &self.0
    }

    /// Returns this path with one more key.
    #[must_use]
    pub fn join(&self, key: &str) -> Self {
        let mut keys = self.0.clone();
        keys.push(key.to_owned());
        Self(keys)
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, key) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            let plain = !key.is_empty()
                && !key.contains(|c: char| c.is_whitespace() || c.is_control() || ".\"'=".contains(c));
            if plain {
                f.write_str(key)?;
            } else if key.contains('"') {
                write!(f, "'{key}'")?;
            } else {
                write!(f, "\"{key}\"")?;
            }
        }
        Ok(())
    }
}

impl<S: Into<String>> FromIterator<S> for KeyPath {
    fn from_iter<T: IntoIterator<Item = S>>(iter: T) -> Self {
        Self(iter.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_quotes_read_back() {
        for text in ["card.lantern-16.ops", "hex.\"17.24\".terrain", "\"a b\"", "x.\"\""] {
            assert_eq!(KeyPath::parse(text).expect("a valid path").to_string(), text);
        }
        assert_eq!(KeyPath::parse("hex.'17.24'").expect("valid").keys(), ["hex", "17.24"]);
        for text in ["", ".", "a.", "a..b", "\"a", "\"a\"b"] {
            assert!(KeyPath::parse(text).is_err(), "{text}");
        }
    }
}

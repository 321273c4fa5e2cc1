//! Finds where a TOML key was given first, for the second place of a duplicate; the parser only tells the later one.

use std::collections::BTreeMap;

/// Returns the place of the first key with the same full path as the key that starts at `offset`.
pub(crate) fn first_definition(text: &str, offset: usize) -> Option<(usize, usize)> {
    let mut scanner = Scanner::new(text);
    scanner.run();
    let this = scanner.keys.iter().find(|key| key.start == offset)?;
    scanner
        .keys
        .iter()
        .find(|key| key.start < offset && key.path == this.path)
        .map(|key| (key.start, key.end))
}

struct Key {
    path: Vec<String>,
    start: usize,
    end: usize,
}

/// What encloses the current place: an inline table (whose keys are wanted) or an array.
struct Container {
    path: Vec<String>,
    table: bool,
}

/// A tolerant scanner: on wrong syntax it may miss keys, it never fails.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
    header: Vec<String>,
    containers: Vec<Container>,
    arrays: BTreeMap<Vec<String>, usize>,
    unique: usize,
    keys: Vec<Key>,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            header: Vec::new(),
            containers: Vec::new(),
            arrays: BTreeMap::new(),
            unique: 0,
            keys: Vec::new(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn run(&mut self) {
        let mut wants_key = true;
        let mut value_path = Vec::new();
        while let Some(byte) = self.peek() {
            match byte {
                b'#' => self.skip_line(),
                b'\n' => {
                    self.at += 1;
                    wants_key |= self.containers.is_empty();
                }
                b' ' | b'\t' | b'\r' | b'.' => self.at += 1,
                b'[' if wants_key && self.containers.is_empty() => self.read_header(),
                b'[' | b'{' => {
                    let mut path = std::mem::take(&mut value_path);
                    if byte == b'[' || path.is_empty() {
                        path.push(format!("#{}", self.unique));
                        self.unique += 1;
                    }
                    self.containers.push(Container { path, table: byte == b'{' });
                    self.at += 1;
                    wants_key = byte == b'{';
                }
                b']' | b'}' => {
                    self.containers.pop();
                    self.at += 1;
                    wants_key = false;
                }
                b',' => {
                    self.at += 1;
                    wants_key = self.containers.last().is_some_and(|container| container.table);
                }
                b'=' => self.at += 1,
                _ if wants_key => {
                    let base =
                        self.containers.last().map_or(&self.header, |container| &container.path).clone();
                    value_path = self.read_keys(base);
                    wants_key = false;
                }
                _ => {
                    self.token();
                }
            }
        }
    }

    fn read_header(&mut self) {
        let array = self.text[self.at..].starts_with("[[");
        self.at += if array { 2 } else { 1 };
        self.header = self.read_keys(Vec::new());
        if array {
            let count = self.arrays.entry(self.header.clone()).or_insert(0);
            *count += 1;
            self.header.push(format!("#a{count}"));
        }
        self.skip_line();
    }

    /// Reads a dotted key, noting every part of it, and returns its full path.
    fn read_keys(&mut self, mut path: Vec<String>) -> Vec<String> {
        loop {
            while matches!(self.peek(), Some(b' ' | b'\t')) {
                self.at += 1;
            }
            let start = self.at;
            let name = self.token();
            if name.is_empty() {
                return path;
            }
            path.push(name);
            self.keys.push(Key { path: path.clone(), start, end: self.at });
            while matches!(self.peek(), Some(b' ' | b'\t')) {
                self.at += 1;
            }
            if self.peek() != Some(b'.') {
                return path;
            }
            self.at += 1;
            if let Some(count) = self.arrays.get(&path) {
                path.push(format!("#a{count}"));
            }
        }
    }

    /// Reads a string or a bare word and returns it without quotes; escapes stay as they are written.
    fn token(&mut self) -> String {
        let rest = &self.text[self.at..];
        for quote in ["\"\"\"", "'''"] {
            if let Some(inner) = rest.strip_prefix(quote) {
                let end = inner.find(quote).map_or(inner.len(), |end| end + 3);
                self.at += 3 + end;
                return inner[..end].to_owned();
            }
        }
        match rest.as_bytes().first() {
            Some(quote @ (b'"' | b'\'')) => {
                let bytes = rest.as_bytes();
                let mut end = 1;
                while end < bytes.len() && bytes[end] != *quote && bytes[end] != b'\n' {
                    end += if bytes[end] == b'\\' && *quote == b'"' { 2 } else { 1 };
                }
                let end = rest.floor_char_boundary(end.min(rest.len()));
                let closed = end < rest.len() && bytes[end] == *quote;
                self.at += end + usize::from(closed);
                rest[1..end].to_owned()
            }
            _ => {
                let stop = |c: char| c.is_whitespace() || "=.,[]{}#\"'".contains(c);
                let end = rest.find(stop).unwrap_or(rest.len());
                // A stray character is passed over, so that the scan always moves on.
                self.at += if end == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { end };
                rest[..end].to_owned()
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find('\n').unwrap_or(rest.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<&str> {
        let (start, _) = first_definition(text, text.rfind('x')?)?;
        Some(text[..start].lines().last().unwrap_or_default())
    }

    #[test]
    fn the_first_place_of_a_key_is_found() {
        assert_eq!(first("\"x\" = 1\nx = 2").map(str::len), Some(0));
        let text = "[a]\nx = 1 # x\n[b]\nx = 2\n'x' = 3";
        let (start, end) = first_definition(text, text.len() - 7).expect("given before");
        assert_eq!((&text[start..end], text[..start].lines().count()), ("x", 3));
        let text = "[card.x]\nops = 1\n[card.x]";
        assert_eq!(first_definition(text, text.len() - 2), Some((6, 7)));
        let text = "v = [{ k = 1 }, { k = 2, k = 3 }]";
        assert_eq!(first_definition(text, 25), Some((18, 19)));
        let text = "[[a]]\nk = 1\n[[a]]\nk = 1";
        assert_eq!(first_definition(text, text.len() - 5), None);
    }
}

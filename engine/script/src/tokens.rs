//! The tokens of a Lua source, as far as the host looks at it: words, texts and signs, with their places.

use std::ops::Range;

/// A piece of a source that is neither space nor comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or a keyword.
    Word(Range<usize>),
    /// What stands between the quotes or brackets of a text; escapes are left as they are written.
    Text(Range<usize>),
    /// Any other byte.
    Sign(usize),
}

/// The tokens of a source in order. Whatever the bytes are, this comes to an end; what is no Lua is for Lua to refuse.
pub(crate) fn tokens(source: &str) -> impl Iterator<Item = Token> {
    let bytes = source.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            match bytes[at] {
                b'-' if bytes[at..].starts_with(b"--") => {
                    at = match long_bracket(bytes, at + 2) {
                        Some(level) => close(bytes, at + 2, level).1,
                        None => bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n),
                    };
                }
                quote @ (b'"' | b'\'') => {
                    at += 1;
                    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                        at += if bytes[at] == b'\\' { 2 } else { 1 };
                    }
                    let end = at.min(bytes.len());
                    at += 1;
                    return Some(Token::Text((start + 1).min(end)..end));
                }
                b'[' if let Some(level) = long_bracket(bytes, at) => {
                    let (end, after) = close(bytes, at, level);
                    at = after;
                    return Some(Token::Text((start + level + 2).min(end)..end));
                }
                b if b.is_ascii_alphanumeric() || b == b'_' => {
                    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
                    at += bytes[at..].iter().take_while(|b| word(b)).count();
                    return Some(Token::Word(start..at));
                }
                b if b.is_ascii_whitespace() => at += 1,
                _ => {
                    at += 1;
                    return Some(Token::Sign(start));
                }
            }
        }
        None
    })
}

/// The string literals of a source: they are interned before play, so that the state can hold them by number.
pub(crate) fn literals(source: &str) -> impl Iterator<Item = String> {
    tokens(source).filter_map(|token| match token {
        Token::Text(range) => Some(String::from_utf8_lossy(&source.as_bytes()[range]).into_owned()),
        _ => None,
    })
}

/// The level of a long bracket that opens at `at`, if one does.
fn long_bracket(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'[') {
        return None;
    }
    let level = bytes[at + 1..].iter().take_while(|&&b| b == b'=').count();
    (bytes.get(at + 1 + level) == Some(&b'[')).then_some(level)
}

/// Where the text of a long bracket ends, and where the source goes on.
fn close(bytes: &[u8], at: usize, level: usize) -> (usize, usize) {
    let mut end = vec![b']'];
    end.extend(std::iter::repeat_n(b'=', level));
    end.push(b']');
    let from = (at + level + 2).min(bytes.len());
    match bytes[from..].windows(end.len()).position(|window| window == end) {
        Some(n) => (from + n, from + n + end.len()),
        None => (bytes.len(), bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_texts() {
        let texts = |source| literals(source).collect::<Vec<_>>();
        let source = "local a = 'x' -- 'not'\n--[[ 'nor' ]] b = \"y\\\"z\" c = [==[ long ]] ]==]";
        assert_eq!(texts(source), ["x", "y\\\"z", " long ]] "]);
        assert_eq!(texts("'open\n'next'"), ["open", "next"]);
        assert_eq!(texts("[[never closed"), ["never closed"]);
        assert_eq!(texts("'\\"), [""; 1].map(|_| "\\".to_string()));
    }
}

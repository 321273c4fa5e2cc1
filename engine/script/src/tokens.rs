//! The tokens of a Lua source: words, texts, numbers and signs, found exactly where Lua 5.4 finds them.
//!
//! The meter puts its counters between tokens, so a text that ended here before it ends for Lua would hide whatever
//! follows it from the meter. This follows `llex.c` function by function, and `oracle` holds it against Lua itself.

#[cfg(test)]
mod oracle;

use std::ops::Range;

/// A piece of a source that is neither space nor comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or a keyword.
    Word(Range<usize>),
    /// What stands between the quotes or brackets of a text; escapes are left as they are written.
    Text(Range<usize>),
    Number(Range<usize>),
    /// Any other byte.
    Sign(usize),
    /// From here on Lua refuses the source. Always the last token.
    Broken(usize),
}

/// The tokens of a source in order.
pub(crate) fn tokens(source: &str) -> impl Iterator<Item = Token> {
    let mut lexer = Lexer { bytes: source.as_bytes(), at: 0 };
    std::iter::from_fn(move || {
        let token = lexer.token()?;
        if matches!(token, Token::Broken(_)) {
            lexer.at = lexer.bytes.len();
        }
        Some(token)
    })
}

/// The string literals of a source: they are interned before play, so that the state can hold them by number.
pub(crate) fn literals(source: &str) -> impl Iterator<Item = String> {
    tokens(source).filter_map(|token| match token {
        Token::Text(range) => Some(String::from_utf8_lossy(&source.as_bytes()[range]).into_owned()),
        _ => None,
    })
}

/// The line of a place, as Lua counts lines: a line feed and a carriage return beside each other end one line.
pub(crate) fn line(source: &str, at: usize) -> usize {
    let mut lexer = Lexer { bytes: &source.as_bytes()[..at], at: 0 };
    let mut line = 1;
    while let Some(byte) = lexer.current() {
        if is_newline(byte) {
            lexer.skip_newline();
            line += 1;
        } else {
            lexer.at += 1;
        }
    }
    line
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn is_newline(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

impl Lexer<'_> {
    fn current(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips the byte if it is one of these.
    fn skip_one_of(&mut self, set: &[u8]) -> bool {
        let found = self.current().is_some_and(|byte| set.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn skip_while(&mut self, fits: impl Fn(u8) -> bool) {
        while self.current().is_some_and(&fits) {
            self.at += 1;
        }
    }

    /// A line ends in a line feed, a carriage return, or both in either order.
    fn skip_newline(&mut self) {
        let first = self.current();
        self.at += 1;
        if self.current().is_some_and(is_newline) && self.current() != first {
            self.at += 1;
        }
    }

    /// The next token; nothing at the end of the source.
    fn token(&mut self) -> Option<Token> {
        loop {
            let start = self.at;
            match self.current()? {
                byte if is_space(byte) => self.at += 1,
                b'-' if self.bytes[start..].starts_with(b"--") => {
                    self.at += 2;
                    match self.long_bracket() {
                        Some(level) => {
                            if self.long_text(level).is_none() {
                                return Some(Token::Broken(start));
                            }
                        }
                        None => self.skip_while(|byte| !is_newline(byte)),
                    }
                }
                b'[' => {
                    if let Some(level) = self.long_bracket() {
                        return Some(self.long_text(level).map_or(Token::Broken(start), Token::Text));
                    }
                    self.at += 1;
                    // `[=` without a second bracket is an error to Lua; `[` is not.
                    let broken = self.current() == Some(b'=');
                    return Some(if broken { Token::Broken(start) } else { Token::Sign(start) });
                }
                quote @ (b'"' | b'\'') => {
                    return Some(self.text(quote).map_or(Token::Broken(start), Token::Text));
                }
                b'.' => {
                    self.at += 1;
                    if self.current().is_some_and(|byte| byte.is_ascii_digit()) {
                        return Some(self.number(start));
                    }
                    // Three dots, two or one: what follows them begins a token of its own.
                    let _ = self.skip_one_of(b".") && self.skip_one_of(b".");
                    return Some(Token::Sign(start));
                }
                byte if byte.is_ascii_digit() => return Some(self.number(start)),
                byte if is_letter(byte) => {
                    self.skip_while(|byte| is_letter(byte) || byte.is_ascii_digit());
                    return Some(Token::Word(start..self.at));
                }
                _ => {
                    self.at += 1;
                    return Some(Token::Sign(start));
                }
            }
        }
    }

    /// A number, liberally: one that Lua finds malformed is for Lua to refuse.
    fn number(&mut self, start: usize) -> Token {
        let first = self.current();
        self.at += 1;
        let exponent: &[u8] = if first == Some(b'0') && self.skip_one_of(b"xX") { b"Pp" } else { b"Ee" };
        loop {
            if self.skip_one_of(exponent) {
                self.skip_one_of(b"-+");
            } else if self.current().is_some_and(|byte| byte.is_ascii_hexdigit() || byte == b'.') {
                self.at += 1;
            } else {
                break;
            }
        }
        Token::Number(start..self.at)
    }

    /// The level of a long bracket that opens here, if one does.
    fn long_bracket(&self) -> Option<usize> {
        let rest = self.bytes[self.at..].strip_prefix(b"[")?;
        let level = rest.iter().take_while(|&&byte| byte == b'=').count();
        (rest.get(level) == Some(&b'[')).then_some(level)
    }

    /// Skips a text in long brackets of that level and gives what is in it; nothing if it is never closed.
    fn long_text(&mut self, level: usize) -> Option<Range<usize>> {
        let mut end = vec![b'='; level + 2];
        (end[0], end[level + 1]) = (b']', b']');
        let from = self.at + level + 2;
        let length = self.bytes[from..].windows(end.len()).position(|window| window == end)?;
        self.at = from + length + end.len();
        Some(from..from + length)
    }

    /// Skips a text in quotes and gives what is between them; nothing if Lua refuses it.
    fn text(&mut self, quote: u8) -> Option<Range<usize>> {
        self.at += 1;
        let start = self.at;
        loop {
            match self.current()? {
                byte if byte == quote => break,
                byte if is_newline(byte) => return None,
                b'\\' => {
                    self.at += 1;
                    self.escape()?;
                }
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(start..self.at - 1)
    }

    /// Skips what stands behind a backslash.
    fn escape(&mut self) -> Option<()> {
        match self.current()? {
            b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'"' | b'\'' => self.at += 1,
            byte if is_newline(byte) => self.skip_newline(),
            b'z' => {
                self.at += 1;
                self.skip_while(is_space);
            }
            b'x' => {
                self.at += 1;
                let digits = self.bytes.get(self.at..self.at + 2)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                self.at += 2;
            }
            b'u' => {
                self.at += 1;
                let digits = self.bytes[self.at..].strip_prefix(b"{")?;
                let count = digits.iter().take_while(|digit| digit.is_ascii_hexdigit()).count();
                if count == 0 || digits.get(count) != Some(&b'}') {
                    return None;
                }
                self.at += count + 2;
            }
            byte if byte.is_ascii_digit() => {
                let digits = self.bytes[self.at..].iter().take(3);
                self.at += digits.take_while(|digit| digit.is_ascii_digit()).count();
            }
            _ => return None,
        }
        Some(())
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
        assert_eq!(texts("-- 'not'\r'text'"), ["text"]);
        assert_eq!(texts("'a\\z \n\r\x0b 'b'"), ["a\\z \n\r\x0b "]);
        assert_eq!(texts("'a\\\r\nb\\\n\rc'"), ["a\\\r\nb\\\n\rc"]);
    }

    #[test]
    fn what_lua_refuses_ends_the_tokens() {
        for source in [
            "'open\n'next'",
            "'open\r'",
            "'\\\r\r'",
            "[[never closed",
            "'\\",
            "--[[",
            "[=x",
            "'\\q'",
            "'\\x1'",
        ] {
            let broken = |token: &Token| matches!(token, Token::Broken(_));
            assert!(tokens(source).last().is_some_and(|token| broken(&token)), "{source:?}");
            assert_eq!(tokens(source).filter(broken).count(), 1, "{source:?}");
        }
    }

    #[test]
    fn lines_are_those_of_lua() {
        let source = "a\nb\rc\r\nd\n\re\n\nf";
        let lines: Vec<usize> =
            "abcdef".bytes().map(|byte| line(source, source.find(byte as char).unwrap_or(0))).collect();
        assert_eq!(lines, [1, 2, 3, 4, 5, 7]);
    }
}

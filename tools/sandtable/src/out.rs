//! What the command prints: nothing that a package or a record says can steer the terminal, and what cannot be written is an error.

use crate::{paint, screen};
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Why something could not be written, the first time.
static FAILED: OnceLock<String> = OnceLock::new();

/// Longest line that is printed; 0 for any.
static WIDTH: AtomicUsize = AtomicUsize::new(0);

/// Breaks lines at spaces from now on that are longer than this.
pub fn fit(width: Option<usize>) {
    WIDTH.store(width.unwrap_or(0), Ordering::Relaxed);
}

/// Prints a text.
pub fn put(text: &str) {
    let text = clean(text);
    let text = match WIDTH.load(Ordering::Relaxed) {
        0 => text,
        width => {
            let lines = text.split('\n').map(|line| screen::wrap(line, width));
            Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
        }
    };
    note(io::stdout().write_all(text.as_bytes()));
}

/// Writes out what was printed.
pub fn flush() {
    note(io::stdout().flush());
}

/// Why not all that was printed could be written.
pub fn failed() -> Option<&'static String> {
    flush();
    FAILED.get()
}

fn note(written: io::Result<()>) {
    // A reader that has gone away, such as `head`, is not an error.
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = FAILED.set(error.to_string());
    }
}

/// A text without control characters, but for line ends, tabs and our own colours. What stands for them is understood in JSON too.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((code, after)) = paint::colour(rest) {
            out.push_str(&format!("\u{1b}[{code}m"));
            rest = after;
            continue;
        }
        if steers(c) {
            escape(&mut out, c);
        } else {
            out.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

/// A text of a package or a record that must stay in its line.
pub fn line(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| c == '\n' || c == '\t' || steers(c);
    if !text.contains(breaks) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if breaks(c) { escape(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

fn escape(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c => out.push_str(&format!("\\u{:04x}", u32::from(c))),
    }
}

/// Whether a terminal takes a character for an order, or for another direction of writing.
fn steers(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_to_the_terminal_are_shown_and_not_followed() {
        assert_eq!(clean("a\u{1b}[2Jb\rc\u{9b}"), "a\\u001b[2Jb\\rc\\u009b");
        assert_eq!(clean("two\nlines\t\u{1b}[1mbold\u{1b}[0m"), "two\nlines\t\\u001b[1mbold\\u001b[0m");
        let mark = paint::mark();
        assert_eq!(clean(&format!("{mark}1mbold{mark}0m\u{1b}[31m")), "\u{1b}[1mbold\u{1b}[0m\\u001b[31m");
        assert_eq!(line("one\ntwo"), "one\\ntwo");
    }
}

//! Colours of the terminal, where there is one.

use std::io::IsTerminal;

/// The codes of colours that are used here, and the one that ends them.
const CODES: &[&str] = &["0", "1", "2", "31", "32", "1;4;31", "1;4;32"];

/// The colour with which a text begins, if it is one of ours.
pub fn colour(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let (code, _) = rest.split_once('m')?;
    CODES.contains(&code).then(|| &text[..code.len() + 3])
}

/// Paints texts, or leaves them plain.
#[derive(Clone, Copy, Debug)]
pub struct Paint(bool);

impl Paint {
    /// For standard output: `NO_COLOR` forbids colours, `CLICOLOR_FORCE` demands them.
    pub fn out() -> Paint {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        Paint(!set("NO_COLOR") && (set("CLICOLOR_FORCE") || std::io::stdout().is_terminal()))
    }

    fn wrap(self, code: &str, text: &str) -> String {
        debug_assert!(CODES.contains(&code), "{code} is not among the codes");
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_string() }
    }

    /// What is no more, or wrong.
    pub fn red(self, text: &str) -> String {
        self.wrap("31", text)
    }

    /// What is new, or right.
    pub fn green(self, text: &str) -> String {
        self.wrap("32", text)
    }

    /// What catches the eye.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// What stays in the background.
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// A part of a red line that differs.
    pub fn loud_red(self, text: &str) -> String {
        self.wrap("1;4;31", text)
    }

    /// A part of a green line that differs.
    pub fn loud_green(self, text: &str) -> String {
        self.wrap("1;4;32", text)
    }
}

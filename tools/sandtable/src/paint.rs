//! Colours of the terminal, where there is one.
//!
//! A text of a package may hold the same bytes as a colour of ours. So ours travel with a mark that nobody can guess, and become
//! orders to the terminal only where they are printed (`out`); everything else that looks like one is shown.

use sandtable_data::render::Colour;
use std::hash::{BuildHasher, RandomState};
use std::io::IsTerminal;
use std::sync::OnceLock;

/// What a colour of ours begins with; its code and `m` follow.
pub fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| format!("\u{1b}{:016x}[", RandomState::new().hash_one("colour")))
}

/// The code of the colour with which a text begins, if it is one of ours, and what follows it.
pub fn colour(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(mark())?.split_once('m')
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

    /// The same for problems, which paint themselves.
    pub fn of_problems(self) -> Colour {
        if self.0 { Colour::Marked(mark()) } else { Colour::Never }
    }

    fn wrap(self, code: &str, text: &str) -> String {
        let mark = mark();
        if self.0 { format!("{mark}{code}m{text}{mark}0m") } else { text.to_string() }
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

//! Bars that show how far a long run has come.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many things. It is drawn only if somebody looks: not where stderr is not a terminal.
pub fn bar(things: u64, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}} of {{len}} {name}, {{eta}} to go"));
    ProgressBar::new(things).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

//! Failures of cases as people read them: what was found, and the lines to edit.

use crate::paint::Paint;
use sandtable_workbench::{Edit, Outcome};
use std::path::Path;

/// A failure with the lines around it; `shown` is the path that opens its file.
pub fn failure(outcome: &Outcome, shown: &str, paint: Paint) -> String {
    let Some(failure) = &outcome.failure else { return String::new() };
    let head = format!("{shown}:{}: {} {}", failure.line, outcome.paragraph, outcome.name);
    let mut lines = vec![paint.bold(head.trim_end()), format!("  {}", failure.message)];
    if failure.edits.is_empty() {
        let line = outcome.lines.iter().find(|(number, _)| *number == failure.line);
        lines.extend(line.map(|(number, text)| format!("  {number:>5} | {}", paint.red(text))));
    }
    lines.extend(failure.edits.iter().map(|edit| difference(edit, paint)));
    lines.join("\n")
}

/// An edit as a difference of lines.
pub fn difference(edit: &Edit, paint: Paint) -> String {
    let line = |sign: &str, number: &str, text: &str| format!("{sign} {number:>5} | {text}");
    let (old, new) = match (&edit.old, &edit.new) {
        (Some(old), Some(new)) => {
            let (old, new) = marked(old, new, paint);
            (Some(old), Some(new))
        }
        (old, new) => (old.as_ref().map(|old| paint.red(old)), new.as_ref().map(|new| paint.green(new))),
    };
    let number = edit.line.to_string();
    let old = old.map(|old| line(&paint.red("-"), &number, &old));
    let new = new.map(|new| line(&paint.green("+"), if edit.old.is_some() { "" } else { &number }, &new));
    old.into_iter().chain(new).collect::<Vec<_>>().join("\n")
}

/// Both lines with the words that differ made loud.
fn marked(old: &str, new: &str, paint: Paint) -> (String, String) {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let most = a.len().min(b.len()) - start;
    let end = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let paint_line = |words: &[&str], plain: &dyn Fn(&str) -> String, loud: &dyn Fn(&str) -> String| {
        let mut parts = Vec::new();
        for (words, paint) in [
            (&words[..start], plain),
            (&words[start..words.len() - end], loud),
            (&words[words.len() - end..], plain),
        ] {
            if !words.is_empty() {
                parts.push(paint(&words.join(" ")));
            }
        }
        parts.join(" ")
    };
    (
        paint_line(&a, &|text| paint.red(text), &|text| paint.loud_red(text)),
        paint_line(&b, &|text| paint.green(text), &|text| paint.loud_green(text)),
    )
}

/// A path without the dot that stands for the current folder.
pub fn tidy(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

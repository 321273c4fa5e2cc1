//! Revising a case that fails: what its expected lines would have to say.

use super::align::{self, Wanted};
use super::run::Run;
use super::{Case, Edit, Line};
use crate::book::CaseText;
use sandtable_session::Game;
use std::rc::Rc;

/// Runs a case through, mistaken expectations and all, and says what these should be. Empty if the case cannot be
/// run to its end: then an answer or a roll is wrong, and only a person knows which is meant.
pub fn revise(case: &Case, text: &CaseText, game: &Rc<Game>) -> Vec<Edit> {
    let Ok(mut run) = Run::new(case, game) else { return Vec::new() };
    let mut edits = Vec::new();
    let mut wanted: Vec<Wanted> = Vec::new();
    let (mut may_stop, mut opaque) = (false, false);
    for (at, line) in &case.lines {
        let limit = run.session.play().changes.len();
        let found = match line {
            Line::Expect(text) => {
                wanted.push(Wanted { line: *at, text: Some(text.clone()), limit });
                continue;
            }
            Line::Skip => {
                wanted.push(Wanted { line: *at, text: None, limit });
                continue;
            }
            Line::Is(path, value) => match run.value(path) {
                Ok(found) if found == *value => continue,
                Ok(found) => Some((format!("is {path} {value}"), format!("is {path} {found}"))),
                Err(_) => None,
            },
            Line::Sees(side, thing, what) => match run.seen(side, thing) {
                Ok(found) if found == *what => continue,
                Ok(found) => {
                    Some((format!("sees {side} {thing} {what}"), format!("sees {side} {thing} {found}")))
                }
                Err(_) => None,
            },
            Line::Outcome(name, value) => match run.outcome(name) {
                Ok(found) if found == *value => continue,
                Ok(found) => Some((format!("outcome {name} {value}"), format!("outcome {name} {found}"))),
                Err(_) => None,
            },
            Line::Options(side, names, open) => match run.options(side, names, *open) {
                Ok(()) => continue,
                Err(_) => options(&mut run, side, names, *open),
            },
            Line::Refused(side, option, rule) => match run.refused(side, option, rule) {
                Ok(()) => continue,
                Err(_) => match run.refusing(side, option) {
                    Ok(ids) if !ids.is_empty() => Some((
                        format!("{side}! {option} {rule}"),
                        format!("{side}! {option} {}", ids.first().map_or("-", String::as_str)),
                    )),
                    _ => None,
                },
            },
            Line::Error(_) => return Vec::new(),
            other => {
                may_stop |= matches!(other, Line::Go | Line::Until(_) | Line::Stop);
                if run.act(other).is_err() {
                    return Vec::new();
                }
                continue;
            }
        };
        match found {
            Some((old, new)) => edits.push(Edit { line: *at, old: Some(old), new: Some(new) }),
            None => opaque = true,
        }
    }
    if opaque || run.complete(may_stop).is_err() {
        return Vec::new();
    }
    if wanted.iter().any(|line| line.text.is_some()) {
        let mut found = Vec::new();
        let mut limits = vec![0];
        // Limits count all changes; the lines that cases can name are fewer.
        for number in 0..run.session.play().changes.len() {
            found.extend(run.named(number));
            limits.push(found.len());
        }
        for line in &mut wanted {
            line.limit = limits.get(line.limit).copied().unwrap_or(found.len());
        }
        let end = text.lines.last().map_or(text.line, |(number, _)| *number) + 1;
        match align::align(&wanted, &found, end) {
            Some(more) => edits.extend(more),
            None => return Vec::new(),
        }
    }
    edits.sort_by_key(|edit| edit.line);
    edits.into_iter().map(|edit| general(edit, case, text)).collect()
}

/// The line of options as it should be: all there are, or of an open list those that are there.
fn options(run: &mut Run, side: &str, names: &[String], open: bool) -> Option<(String, String)> {
    let found = run.decision(side).ok().map(|at| run.options_of(at))?;
    let line = |names: &[&str]| {
        let spaced = names.iter().any(|name| name.contains(' '));
        let list = names.join(if spaced { ", " } else { " " });
        let comma = if spaced && names.len() == 1 { "," } else { "" };
        format!("{side}? {}{list}{comma}", if open { "… " } else { "" })
    };
    let old: Vec<&str> = names.iter().map(String::as_str).collect();
    let new: Vec<&str> = if open {
        let there = |name: &&str| found.iter().any(|(plain, exact)| plain == name || exact == name);
        old.iter().copied().filter(there).collect()
    } else {
        found.iter().map(|(plain, _)| plain.as_str()).collect()
    };
    (!new.is_empty()).then(|| (line(&old), line(&new)))
}

/// An edit as the file needs it: names of a loop in braces again, the old text as it stands there.
fn general(mut edit: Edit, case: &Case, text: &CaseText) -> Edit {
    let written = text.lines.iter().find(|(number, _)| *number == edit.line).map(|(_, line)| content(line));
    for (name, value) in &case.variant {
        let named = edit.old.is_none() || written.is_some_and(|written| written.contains(name.as_str()));
        edit.new = edit.new.map(|new| if named { replace_word(&new, value, name) } else { new });
    }
    if edit.old.is_some() {
        edit.old = written.map(str::to_string);
    }
    edit
}

/// Replaces a word wherever it stands whole.
fn replace_word(text: &str, word: &str, with: &str) -> String {
    let inside = |c: char| c.is_alphanumeric() || c == '-';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let whole = !before.ends_with(inside) && !after.starts_with(inside);
        let whole = whole && (!before.is_empty() || !out.ends_with(inside));
        out.push_str(before);
        out.push_str(if whole { with } else { word });
        rest = after;
    }
    out + rest
}

/// A line of a case without indentation and comment.
pub fn content(line: &str) -> &str {
    line.split(" # ").next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_replaced_whole() {
        assert_eq!(replace_word("set h-1.level 1; h-11 1", "1", "{n}"), "set h-1.level {n}; h-11 {n}");
        assert_eq!(replace_word("move h-reds h-reds-2", "h-reds", "{u}"), "move {u} h-reds-2");
    }
}

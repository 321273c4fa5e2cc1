//! Revisions: what failing cases would have to say, grouped by what changes, and written into their files.

use crate::case::{Edit, content};
use crate::runner::Outcome;
use std::collections::{BTreeMap, BTreeSet};

/// Equal differences in any number of cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What changes, in a line: `number combat.shift: 1 -> 2`.
    pub what: String,
    /// The file of each edit and the edit.
    pub edits: Vec<(String, Edit)>,
    /// Files and lines of the cases.
    pub cases: BTreeSet<(String, u32)>,
}

/// Groups the edits of all failing cases, the most frequent first.
pub fn groups(outcomes: &[Outcome]) -> Vec<Group> {
    let mut found: BTreeMap<String, Group> = BTreeMap::new();
    for outcome in outcomes {
        let Some(failure) = &outcome.failure else { continue };
        for edit in &failure.edits {
            let what = difference(edit);
            let group = found.entry(what.clone()).or_insert_with(|| Group {
                what,
                edits: Vec::new(),
                cases: BTreeSet::new(),
            });
            let own = (outcome.file.clone(), edit.clone());
            // Cases of a loop share their lines.
            if !group.edits.contains(&own) {
                group.edits.push(own);
            }
            group.cases.insert((outcome.file.clone(), outcome.line));
        }
    }
    let mut groups: Vec<Group> = found.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.cases.len()));
    groups
}

/// What an edit changes, without what stays the same.
fn difference(edit: &Edit) -> String {
    match (&edit.old, &edit.new) {
        (Some(old), Some(new)) => {
            // Of a number the value counts; which contributions made it is shown with the lines.
            let (old, new) = match (old.split_once(" = "), new.split_once(" = ")) {
                (Some((old, _)), Some((new, _))) if old != new => (old, new),
                _ => (old.as_str(), new.as_str()),
            };
            let (old, new): (Vec<&str>, Vec<&str>) =
                (old.split_whitespace().collect(), new.split_whitespace().collect());
            let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
            let rest = old.len().min(new.len()) - start;
            let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
            let part = |words: &[&str]| match &words[start..words.len() - end] {
                [] => "nothing".to_string(),
                words => words.join(" "),
            };
            // The subject is what the line is about: a number or attribute, not the piece that happens to have it.
            let subject = match old[..] {
                ["=>", "set", thing, ..] | ["is", thing, ..] => {
                    thing.rsplit('.').next().unwrap_or(thing).to_string()
                }
                ["=>", verb, name, ..] => format!("{verb} {name}"),
                _ => old[..start.min(2)].join(" "),
            };
            format!("{subject}: {} -> {}", part(&old), part(&new))
        }
        (Some(old), None) => format!("no longer {}", old.trim_start_matches("=> ")),
        (None, Some(new)) => format!("now also {}", new.trim_start_matches("=> ")),
        (None, None) => String::new(),
    }
}

/// The text of a file with edits in it. An edit whose line does not say what it said is left out and counted.
pub fn apply(text: &str, edits: &[Edit]) -> (String, usize) {
    let mut by_line: BTreeMap<u32, Vec<&Edit>> = BTreeMap::new();
    for edit in edits {
        let own = by_line.entry(edit.line).or_default();
        if !own.contains(&edit) {
            own.push(edit);
        }
    }
    let (mut out, mut stale) = (String::with_capacity(text.len()), 0);
    for (number, line) in (1u32..).zip(text.split_inclusive('\n')) {
        let ending = &line[line.trim_end_matches(['\r', '\n']).len()..];
        let bare = &line[..line.len() - ending.len()];
        let indent = &bare[..bare.len() - bare.trim_start().len()];
        let mut kept = Some(bare.to_string());
        for edit in by_line.remove(&number).unwrap_or_default() {
            match (&edit.old, &edit.new) {
                (None, Some(new)) => {
                    let ending = if ending.is_empty() { "\n" } else { ending };
                    out.push_str(&format!("{indent}{new}{ending}"));
                }
                (Some(old), new) if content(bare) == old => {
                    let comment = &bare[indent.len() + old.len()..];
                    kept = new.as_ref().map(|new| format!("{indent}{new}{comment}"));
                }
                _ => stale += 1,
            }
        }
        if let Some(kept) = kept {
            out.push_str(&kept);
            out.push_str(ending);
        }
    }
    stale += by_line.values().map(Vec::len).sum::<usize>();
    (out, stale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(line: u32, old: Option<&str>, new: Option<&str>) -> Edit {
        Edit { line, old: old.map(str::to_string), new: new.map(str::to_string) }
    }

    #[test]
    fn edits_keep_indentation_comments_and_line_ends() {
        let text = "a\r\n  is x 1 # why\r\n=> gone\r\n```\r\n";
        let edits = [
            edit(2, Some("is x 1"), Some("is x 2")),
            edit(3, Some("=> gone"), None),
            edit(4, None, Some("=> new")),
        ];
        assert_eq!(apply(text, &edits), ("a\r\n  is x 2 # why\r\n=> new\r\n```\r\n".into(), 0));
    }

    #[test]
    fn a_line_that_has_changed_since_is_left_alone() {
        let edits = [edit(1, Some("is x 1"), Some("is x 2")), edit(9, None, Some("y"))];
        assert_eq!(apply("is x 3\n", &edits), ("is x 3\n".into(), 2));
    }

    #[test]
    fn equal_differences_have_one_name() {
        let line = |old, new| difference(&edit(1, old, new));
        assert_eq!(
            line(Some("=> number shift 1 = +1 a"), Some("=> number shift 2 = +2 a")),
            "number shift: 1 -> 2"
        );
        assert_eq!(line(Some("=> set ge-1.level 1"), Some("=> set ge-1.level 2")), "level: 1 -> 2");
        assert_eq!(line(Some("is ge-1.level 1"), Some("is ge-1.level 2")), "level: 1 -> 2");
        assert_eq!(line(None, Some("=> roll fire 2")), "now also roll fire 2");
    }
}

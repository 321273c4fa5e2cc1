//! Alignment of expected lines with what happened: the fewest changes that make a case right again.

use super::Edit;

/// An expected line of a case.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its line in the file.
    pub line: u32,
    /// The change it names; nothing for `...`.
    pub text: Option<String>,
    /// How many changes had happened when its turn came.
    pub limit: usize,
}

/// Tables larger than this are not filled: such a case is edited by hand.
const MOST: usize = 4_000_000;

const CHANGE: u32 = 2;
const REPLACE: u32 = 5;
const MOVE: u32 = 3;

#[derive(Clone, Copy)]
enum Step {
    /// The line and the change belong together.
    Pair,
    /// The line goes.
    Drop,
    /// The change is passed over by `...`.
    Pass,
    /// The change needs a line.
    Insert,
    /// The line is `...`.
    Open,
    End,
}

/// Whether an expected line names a change; numbers may be given without their parts.
pub fn names(wanted: &str, found: &str) -> bool {
    found == wanted || (found.starts_with("number ") && found.split(" = ").next() == Some(wanted))
}

/// The edits that make the lines fit; nothing if there are too many of both.
pub fn align(wanted: &[Wanted], found: &[String], end: u32) -> Option<Vec<Edit>> {
    let width = found.len() + 1;
    if (wanted.len() + 1) * width * 2 > MOST {
        return None;
    }
    // costs[line][change][whether `...` is open], filled from the end.
    let at = |line: usize, change: usize, open: usize| (line * width + change) * 2 + open;
    let mut table = vec![(0u32, Step::End); (wanted.len() + 1) * width * 2];
    for line in (0..=wanted.len()).rev() {
        for change in (0..width).rev() {
            for open in [1, 0] {
                let mut best: Option<(u32, Step)> = None;
                let mut offer = |cost: u32, step: Step| {
                    if best.is_none_or(|(least, _)| cost < least) {
                        best = Some((cost, step));
                    }
                };
                match wanted.get(line) {
                    None if change == found.len() || open == 1 => offer(0, Step::End),
                    None => offer(MOVE + table[at(line, change + 1, 0)].0, Step::Insert),
                    Some(Wanted { text: None, .. }) => offer(table[at(line + 1, change, 1)].0, Step::Open),
                    Some(Wanted { text: Some(text), limit, .. }) => {
                        if change < found.len().min(*limit) {
                            let cost = pair(text, &found[change]);
                            offer(cost + table[at(line + 1, change + 1, 0)].0, Step::Pair);
                            if open == 1 {
                                offer(table[at(line, change + 1, 1)].0, Step::Pass);
                            } else {
                                offer(MOVE + table[at(line, change + 1, 0)].0, Step::Insert);
                            }
                        }
                        offer(MOVE + table[at(line + 1, change, open)].0, Step::Drop);
                    }
                }
                table[at(line, change, open)] = best.unwrap_or((0, Step::End));
            }
        }
    }
    let mut edits = Vec::new();
    let (mut line, mut change, mut open) = (0, 0, 0);
    loop {
        let step = table[at(line, change, open)].1;
        match step {
            Step::End => return Some(edits),
            Step::Open => (line, open) = (line + 1, 1),
            Step::Pass => change += 1,
            Step::Insert => {
                let before = wanted.get(line).map_or(end, |wanted| wanted.line);
                edits.push(Edit { line: before, old: None, new: Some(format!("=> {}", found[change])) });
                change += 1;
            }
            Step::Drop => {
                edits.push(Edit { line: wanted[line].line, old: old(&wanted[line]), new: None });
                line += 1;
            }
            Step::Pair => {
                let text = wanted[line].text.as_deref().unwrap_or_default();
                if !names(text, &found[change]) {
                    let short = found[change].starts_with("number ") && !text.contains(" = ");
                    let new = if short {
                        found[change].split(" = ").next().unwrap_or_default()
                    } else {
                        &found[change]
                    };
                    let new = Some(format!("=> {new}"));
                    edits.push(Edit { line: wanted[line].line, old: old(&wanted[line]), new });
                }
                (line, change, open) = (line + 1, change + 1, 0);
            }
        }
    }
}

fn old(wanted: &Wanted) -> Option<String> {
    wanted.text.as_ref().map(|text| format!("=> {text}"))
}

/// What it costs to let a line name a change: little if both are about the same thing.
fn pair(wanted: &str, found: &str) -> u32 {
    if names(wanted, found) {
        return 0;
    }
    if wanted.split(' ').take(2).eq(found.split(' ').take(2)) { CHANGE } else { REPLACE }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(wanted: &[&str], found: &[&str]) -> Vec<String> {
        let found: Vec<String> = found.iter().map(|text| (*text).to_string()).collect();
        let wanted: Vec<Wanted> = (1..)
            .zip(wanted)
            .map(|(line, text)| Wanted {
                line,
                text: (*text != "...").then(|| (*text).to_string()),
                limit: found.len(),
            })
            .collect();
        let show = |edit: &Edit| {
            format!(
                "{} {} -> {}",
                edit.line,
                edit.old.as_deref().unwrap_or("-"),
                edit.new.as_deref().unwrap_or("-")
            )
        };
        align(&wanted, &found, 99).expect("small").iter().map(show).collect()
    }

    #[test]
    fn what_fits_needs_no_edit() {
        assert!(shown(&["a 1", "...", "b 2"], &["a 1", "x", "a 1", "b 2"]).is_empty());
        assert!(shown(&["...", "number n 3", "..."], &["x", "number n 3 = +3 m", "y"]).is_empty());
        assert!(shown(&["...", "a 1", "b 2"], &["a 1", "x", "a 1", "b 2"]).is_empty());
    }

    #[test]
    fn a_line_about_the_same_thing_is_changed_others_come_and_go() {
        insta::assert_snapshot!(shown(&["set a.x 1", "set b.x 2"], &["set a.x 1", "set b.x 3"]).join("\n"), @"2 => set b.x 2 -> => set b.x 3");
        insta::assert_snapshot!(shown(&["...", "number n 3", "..."], &["x", "number n 4 = +4 m", "y"]).join("\n"), @"2 => number n 3 -> => number n 4");
        insta::assert_snapshot!(shown(&["set a.x 1"], &["move p q r", "set a.x 1"]).join("\n"), @"1 - -> => move p q r");
        insta::assert_snapshot!(shown(&["set a.x 1", "move p q r"], &["set a.x 1"]).join("\n"), @"2 => move p q r -> -");
        insta::assert_snapshot!(shown(&["set a.x 1"], &["set a.x 1", "set a.x 0"]).join("\n"), @"99 - -> => set a.x 0");
    }
}

//! How large the terminal is, and texts and lists made to fit it.

use console::Term;

/// Columns and lines of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    pub width: usize,
    pub height: usize,
}

/// Nothing is laid out for less, so that something is always shown.
const LEAST: usize = 20;

impl Screen {
    /// The terminal that is printed to; where there is none, what `COLUMNS` and `LINES` say, if they say something.
    pub fn now() -> Option<Screen> {
        let said = |name: &str| std::env::var(name).ok()?.parse::<usize>().ok();
        let size = Term::stdout().size_checked().map(|(height, width)| (width.into(), height.into()));
        let (width, height) = size.or_else(|| Some((said("COLUMNS")?, said("LINES").unwrap_or(24))))?;
        (width > 0).then(|| Screen { width: width.max(LEAST), height: height.max(LEAST) })
    }
}

/// A line broken at spaces to be no longer than a width; what follows the first is indented.
pub fn wrap(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_string();
    }
    let lead = line.chars().take_while(|c| *c == ' ').count();
    let indent = " ".repeat((lead + 4).min(width / 4));
    let (mut done, mut now, mut used) = (String::new(), String::new(), 0);
    for word in line.split_inclusive(' ') {
        let long = word.trim_end().chars().count();
        if used + long > width && used > indent.len() {
            done.push_str(now.trim_end());
            done.push('\n');
            now = indent.clone();
            used = indent.len();
        }
        now.push_str(word);
        used += word.chars().count();
    }
    done + now.trim_end()
}

/// Entries in columns, read downwards; one a line where there are few, where two would not fit beside each other, or where there is
/// no screen.
pub fn columns(entries: &[String], screen: Option<Screen>) -> String {
    const FEW: usize = 8;
    const GAP: usize = 2;
    let long: Vec<usize> = entries.iter().map(|entry| entry.chars().count()).collect();
    let widths = |lines: usize| -> Vec<usize> {
        long.chunks(lines).map(|column| column.iter().copied().max().unwrap_or(0)).collect()
    };
    let fits = |lines: &usize| {
        let widths = widths(*lines);
        screen.is_some_and(|screen| widths.iter().sum::<usize>() + GAP * (widths.len() - 1) <= screen.width)
    };
    let lines = (FEW.div_ceil(2)..entries.len()).find(fits).filter(|_| entries.len() > FEW);
    let lines = lines.unwrap_or(entries.len());
    let widths = widths(lines.max(1));
    let line = |line: usize| {
        let row = entries.iter().skip(line).step_by(lines).zip(&widths);
        let row: Vec<String> = row.map(|(entry, width)| format!("{entry:<width$}")).collect();
        format!("{}\n", row.join("  ").trim_end())
    };
    (0..lines).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_what_follows_is_indented() {
        assert_eq!(wrap("  one two three four", 12), "  one two\n   three\n   four");
        assert_eq!(wrap("short", 12), "short");
        assert_eq!(wrap("averyveryverylongword next", 12), "averyveryverylongword\n   next");
    }

    #[test]
    fn many_entries_stand_in_columns_that_are_read_downwards() {
        let entries: Vec<String> = (1..=10).map(|n| format!("{n:>2}. x")).collect();
        let screen = Some(Screen { width: 22, height: 24 });
        assert_eq!(
            columns(&entries, screen),
            " 1. x   5. x   9. x\n 2. x   6. x  10. x\n 3. x   7. x\n 4. x   8. x\n"
        );
        assert_eq!(columns(&entries, None).lines().count(), 10);
        assert_eq!(columns(&entries[..8], screen).lines().count(), 8);
    }
}

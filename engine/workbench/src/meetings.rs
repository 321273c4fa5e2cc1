//! The meeting table: for each pair of a game's mechanisms, the case that proves what happens where they meet, or why they cannot.
//!
//! It stands in any file of a rulebook. `| mechanism | paragraphs |` lists the mechanisms, all of whose pairs must then be there;
//! `| mechanism A | mechanism B | case or reason |` says of a pair `case PARAGRAPH: NAME`, a reason, or `open`.

use crate::book::{Book, CaseText};
use sandtable_data::catalog::Catalog;
use std::collections::{BTreeMap, BTreeSet};

/// How the pairs of a game's mechanisms stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meetings {
    /// Pairs in the table.
    pub pairs: usize,
    /// Pairs that name cases.
    pub by_case: usize,
    /// Pairs of which a reason says that they cannot meet.
    pub by_reason: usize,
    /// Pairs that are said to be open, or are not in the table.
    pub open: Vec<(String, String)>,
    /// Rows that name what is not there: the file, the line and what is wrong.
    pub broken: Vec<(String, u32, String)>,
}

/// The cases of rulebooks by paragraph, with the names they have.
type Cases<'a> = BTreeMap<&'a str, Vec<String>>;

/// Reads the tables of all rulebooks of a game; nothing if there are none.
pub fn read(catalog: &Catalog, books: &[Book]) -> Option<Meetings> {
    let mut cases: Cases<'_> = BTreeMap::new();
    for book in books {
        for paragraph in &book.paragraphs {
            cases.entry(&paragraph.id).or_default();
        }
        for case in &book.cases {
            cases.entry(&case.paragraph).or_default().push(case_name(case));
        }
    }
    let texts = catalog.books.iter().map(|file| (file.path.as_str(), catalog.sources.text(file.file)));
    of(texts, &cases)
}

fn case_name(case: &CaseText) -> String {
    let name = case.lines.iter().find_map(|(_, line)| line.trim().strip_prefix("case "));
    name.map(|name| name.split(" # ").next().unwrap_or_default().trim().to_string()).unwrap_or_default()
}

fn of<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>, cases: &Cases<'_>) -> Option<Meetings> {
    let mut mechanisms: Vec<&str> = Vec::new();
    let mut pairs: Vec<(&str, u32, [&str; 3])> = Vec::new();
    for (file, text) in texts {
        let mut table = Table::Other;
        for (number, line) in (1..).zip(text.lines()) {
            let cells: Vec<&str> = match line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'))
            {
                Some(row) => row.split('|').map(str::trim).collect(),
                None => {
                    table = Table::Other;
                    continue;
                }
            };
            match (cells.as_slice(), &table) {
                (["mechanism", "paragraphs"], _) => table = Table::Mechanisms,
                (["mechanism A", "mechanism B", ..], _) => table = Table::Pairs,
                (row, _) if row.iter().all(|cell| cell.chars().all(|c| "-:".contains(c))) => {}
                ([name, ..], Table::Mechanisms) => mechanisms.push(name),
                (&[a, b, what], Table::Pairs) => pairs.push((file, number, [a, b, what])),
                _ => {}
            }
        }
    }
    if pairs.is_empty() && mechanisms.is_empty() {
        return None;
    }
    let mut meetings = Meetings { pairs: pairs.len(), ..Meetings::default() };
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (file, line, [a, b, what]) in pairs {
        let mut broken = |message: String| meetings.broken.push((file.to_string(), line, message));
        for name in [a, b] {
            if !mechanisms.is_empty() && !mechanisms.contains(&name) {
                broken(format!("`{name}` is not in the list of mechanisms"));
            }
        }
        if !seen.insert((a.min(b), a.max(b))) {
            broken(format!("`{a}` and `{b}` stand in the table twice"));
        }
        if what.is_empty() || what == "open" {
            meetings.open.push((a.to_string(), b.to_string()));
            continue;
        }
        let cited: Vec<(&str, &str)> = what.split(';').filter_map(|part| citation(part, cases)).collect();
        if cited.is_empty() {
            meetings.by_reason += 1;
            continue;
        }
        meetings.by_case += 1;
        for (paragraph, name) in cited {
            match cases.get(paragraph) {
                None => broken(format!("there is no paragraph `{paragraph}`")),
                Some(names) if names.is_empty() => broken(format!("paragraph `{paragraph}` has no case")),
                Some(names) if !name.is_empty() && !names.iter().any(|own| own == name) => {
                    broken(format!("paragraph `{paragraph}` has no case `{name}`"));
                }
                Some(_) => {}
            }
        }
    }
    for (at, a) in mechanisms.iter().enumerate() {
        for b in &mechanisms[at + 1..] {
            if !seen.contains(&(*a.min(b), *a.max(b))) {
                meetings.open.push(((*a).to_string(), (*b).to_string()));
            }
        }
    }
    Some(meetings)
}

enum Table {
    Mechanisms,
    Pairs,
    Other,
}

/// The paragraph and the name of a case that a part of a row cites: `case 7.3: NAME`, or `7.3: NAME` where there is such a paragraph.
fn citation<'t>(part: &'t str, cases: &Cases<'_>) -> Option<(&'t str, &'t str)> {
    let part = part.trim();
    let cited = part.strip_prefix("case ");
    let (paragraph, name) = cited.unwrap_or(part).split_once(':').unwrap_or((cited.unwrap_or_default(), ""));
    let paragraph = paragraph.trim();
    (cited.is_some() || cases.contains_key(paragraph)).then_some((paragraph, name.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MECHANISMS: &str =
        "| mechanism | paragraphs |\n|---|---|\n| march | 1 |\n| fire | 2 |\n| mud | 3 |\n\n";
    const HEAD: &str = "| mechanism A | mechanism B | case or reason |\n|---|---|---|\n";

    fn read(rows: &str, mechanisms: &str) -> Meetings {
        let cases: Cases<'_> = [("1.1", vec!["halts".to_string()]), ("2.1", Vec::new())].into();
        of([("m.md", format!("{mechanisms}{HEAD}{rows}").as_str())].into_iter(), &cases).expect("a table")
    }

    #[test]
    fn a_pair_is_closed_by_a_case_or_a_reason() {
        let rows = "| march | fire | case 1.1: halts; case 1.1 |\n| march | mud | cannot: no |\n| fire | mud | 1.1: halts |\n";
        let found = read(rows, MECHANISMS);
        assert_eq!((found.pairs, found.by_case, found.by_reason), (3, 2, 1));
        assert_eq!((found.open, found.broken), (vec![], vec![]));
    }

    #[test]
    fn what_is_open_or_missing_is_listed() {
        let found = read("| march | fire | open |\n", MECHANISMS);
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(found.open, [pair("march", "fire"), pair("march", "mud"), pair("fire", "mud")]);
        assert_eq!(read("| march | fire | open |\n", "").open, [pair("march", "fire")]);
    }

    #[test]
    fn names_of_nothing_are_told_with_their_line() {
        let rows =
            "| march | fire | case 1.1: stops |\n| fire | march | case 9.9 |\n| march | snow | case 2.1 |\n";
        let told: Vec<String> =
            read(rows, MECHANISMS).broken.iter().map(|(_, line, text)| format!("{line} {text}")).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        9 paragraph `1.1` has no case `stops`
        10 `fire` and `march` stand in the table twice
        10 there is no paragraph `9.9`
        11 `snow` is not in the list of mechanisms
        11 paragraph `2.1` has no case
        ");
    }

    #[test]
    fn a_rulebook_without_tables_has_none() {
        assert_eq!(of([("m.md", "| a | b |\n|---|---|\n| c | d |\n")].into_iter(), &BTreeMap::new()), None);
    }
}

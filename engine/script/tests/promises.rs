//! The figures of docs/untrusted.md are those of the code.

use std::path::Path;

/// The value of a constant as it is written: whole numbers, shifts of them, and seconds.
fn value(written: &str) -> Option<u64> {
    let written = written.replace('_', "");
    let number = |text: &str| text.trim().parse::<u64>().ok();
    if let Some(seconds) = written.strip_prefix("Duration::fromsecs(").and_then(|rest| rest.strip_suffix(')'))
    {
        return number(seconds);
    }
    match written.split_once("<<") {
        Some((what, by)) => number(what)?.checked_shl(by.trim().parse().ok()?),
        None => number(&written),
    }
}

/// A figure as people write it: `50,000,000`, `128 MiB`, `60 s`.
fn figure(written: &str) -> Option<u64> {
    let (number, unit) = written.split_once(' ').unwrap_or((written, ""));
    let number: u64 = number.replace(',', "").parse().ok()?;
    match unit {
        "" | "s" => Some(number),
        "MiB" => Some(number << 20),
        _ => None,
    }
}

#[test]
fn the_page_on_untrusted_rules_has_the_figures_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/untrusted.md")).expect("the page");
    let mut compared = 0;
    let mut wrong = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| bound")) {
        let told = row.split('|').nth(2).unwrap_or_default().trim();
        let source = row.split_once("<!-- ").and_then(|(_, rest)| rest.split_once(" -->"));
        let Some((path, name)) = source.and_then(|(source, _)| source.split_once(' ')) else {
            wrong.push(format!("no source: {row}"));
            continue;
        };
        let code = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        // `NAME`, or `NAME.part` of one that has parts.
        let (constant, part) = name.split_once('.').unwrap_or((name, ""));
        let line = code.lines().find(|line| line.contains(&format!("const {constant}: ")));
        let written =
            line.and_then(|line| line.split_once(" = ")).map(|(_, rest)| rest.trim_end_matches(';'));
        let written = match part {
            "" => written,
            part => written
                .and_then(|written| written.split_once(&format!("{part}: ")))
                .and_then(|(_, rest)| rest.split([',', '}']).next())
                .map(str::trim),
        };
        let found = written.and_then(value);
        if found.is_none() || found != figure(told) {
            wrong.push(format!("{name} in {path} is {written:?}; the page says {told}"));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 15, "{compared} figures");
}

#[test]
fn figures_are_read_as_they_are_written() {
    assert_eq!(value("50_000_000"), Some(50_000_000));
    assert_eq!(value("128 << 20"), Some(128 << 20));
    assert_eq!(value("Duration::from_secs(60)"), Some(60));
    assert_eq!(figure("128 MiB"), Some(128 << 20));
    assert_eq!(figure("5,000"), Some(5_000));
    assert_eq!(figure("60 s"), Some(60));
    assert_eq!(figure("many"), None);
}

//! The page of the living rulebook: its frame, and how a paragraph with its cases looks.

use super::markdown::{blocks, escape, inline};
use sandtable_workbench::Proof;

/// A paragraph with everything known of it.
pub struct Shown<'a> {
    /// Its id, which is its anchor.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub text: &'a str,
    /// How it stands; nothing if that was not worked out.
    pub proof: Option<&'a Proof>,
    /// Why it states no behaviour.
    pub exempt: Option<&'a str>,
    /// Handlers and rows that cite it, with their places.
    pub cited: &'a [String],
    /// Its cases.
    pub cases: Vec<ShownCase>,
}

/// A case of a paragraph.
pub struct ShownCase {
    /// Its name.
    pub name: String,
    /// Its lines.
    pub lines: String,
    /// Why it fails.
    pub failure: Option<String>,
    /// Whether it was seen to notice when the rule is gone.
    pub proves: bool,
}

/// A paragraph.
pub fn paragraph(shown: &Shown<'_>) -> String {
    let (class, badge) = badge(shown);
    let id = escape(shown.id);
    let mut out = format!(
        "<section class=\"rule\" id=\"{id}\">\n<h3><a class=\"number\" href=\"#{id}\">{id}</a> {} <span class=\"badge {class}\">{badge}</span></h3>\n{}",
        inline(shown.title),
        blocks(shown.text)
    );
    if let Some(reason) = shown.exempt {
        out.push_str(&format!("<p class=\"note\">States no behaviour: {}</p>\n", inline(reason)));
    }
    for ShownCase { name, lines, failure, proves } in &shown.cases {
        let mark = if failure.is_some() { "fails" } else { "passes" };
        let notices = if *proves { " <span class=\"badge good\">proves it</span>" } else { "" };
        let name = if name.is_empty() { "case" } else { name.as_str() };
        out.push_str(&format!(
            "<details class=\"case {mark}\"{}><summary>{}{notices}</summary><pre>{}</pre>",
            if failure.is_some() { " open" } else { "" },
            escape(name),
            escape(lines)
        ));
        if let Some(failure) = failure {
            out.push_str(&format!("<p class=\"failure\">{}</p>", escape(failure)));
        }
        out.push_str("</details>\n");
    }
    if !shown.cited.is_empty() {
        let items: String = shown.cited.iter().map(|by| format!("<li>{}</li>", escape(by))).collect();
        out.push_str(&format!(
            "<details class=\"cited\"><summary>implemented by {}</summary><ul>{items}</ul></details>\n",
            shown.cited.len()
        ));
    }
    out.push_str("</section>\n");
    out
}

fn badge(shown: &Shown<'_>) -> (&'static str, &'static str) {
    if shown.cases.iter().any(|case| case.failure.is_some()) {
        return ("bad", "a case fails");
    }
    match shown.proof {
        _ if shown.exempt.is_some() => ("plain", "exempt"),
        Some(Proof::Proved(..)) => ("good", "proved"),
        Some(Proof::Exempt(_)) => ("plain", "exempt"),
        Some(Proof::NotImplemented) => ("bad", "unproved: nothing cites it"),
        Some(Proof::NoCase) => ("bad", "unproved: no case"),
        Some(Proof::NotTouched) => ("bad", "unproved: its cases run nothing that cites it"),
        Some(Proof::NotNoticed) => ("bad", "unproved: its cases do not notice when it is gone"),
        None if shown.cases.is_empty() => ("bad", "no case"),
        None => ("plain", "not judged"),
    }
}

/// The whole page.
pub fn frame(title: &str, lead: &str, contents: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{}</style>\n</head>\n<body>\n<nav>\n<p class=\"title\">{title}</p>\n{contents}</nav>\n<main>\n<header>\n<h1>{title}</h1>\n{lead}</header>\n{body}</main>\n</body>\n</html>\n",
        include_str!("page.css"),
        title = escape(title),
    )
}

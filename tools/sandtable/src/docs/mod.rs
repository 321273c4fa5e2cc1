//! `sandtable docs`: the living rulebook as one page: paragraphs in order with their cases and how they stand, then
//! cards, units, tables and figures with their provenance. The id of a paragraph is its anchor.

mod markdown;
mod page;
mod tables;

use crate::args::DocsArgs;
use crate::mutate::in_parallel;
use crate::{load, store, test};
use page::{Shown, ShownCase};
use sandtable_data::catalog::Catalog;
use sandtable_workbench::case::Needs;
use sandtable_workbench::{Baseline, Bench, Book, CaseText, Coverage, Outcome, Proof, coverage, runner};
use std::collections::BTreeMap;
use std::path::PathBuf;
pub use tables::source_word;

/// What is known of paragraphs besides their text.
struct Known {
    coverage: BTreeMap<String, Coverage>,
    cited: BTreeMap<String, Vec<String>>,
    /// By file and line of the case.
    outcomes: BTreeMap<(String, u32), Outcome>,
}

/// Runs the command.
pub fn run(args: &DocsArgs) -> Result<bool, String> {
    let (catalog, options) = load::catalog(&args.game, &args.with)?;
    let books = runner::books(&catalog);
    let cases: Vec<CaseText> = books.iter().flat_map(|book| book.cases.iter().cloned()).collect();
    let mut outcomes = BTreeMap::new();
    for outcome in test::run_all(&catalog, &options, &cases, args.jobs) {
        let place = (outcome.file.clone(), outcome.line);
        // One failing case of a loop is enough.
        if outcome.failure.is_some() || !outcomes.contains_key(&place) {
            outcomes.insert(place, outcome);
        }
    }
    let mut known = Known { coverage: BTreeMap::new(), cited: citations(&catalog, &options)?, outcomes };
    if !args.quick {
        let base = Baseline::new(&catalog, &options, &cases)?;
        let judge = |work: &[coverage::Work]| {
            in_parallel(work, args.jobs, |(_, mutant, cases)| base.judge(mutant, Some(cases)))
        };
        let rows = coverage::cover(&catalog, &books, &base, &judge)?;
        known.coverage = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
    }
    let html = html(&catalog, &books, &known);
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", args.game)));
    store::write(&out, html.as_bytes())?;
    let unproved = known
        .coverage
        .values()
        .filter(|row| !matches!(row.proof, Proof::Proved(..) | Proof::Exempt(_)))
        .count();
    let judged = if args.quick { String::new() } else { format!(", {unproved} unproved") };
    outln!(
        "{}: {} paragraphs, {} cases{judged}",
        out.display(),
        books.iter().map(|book| book.paragraphs.len()).sum::<usize>(),
        cases.len()
    );
    Ok(true)
}

/// Handlers and rows that cite each paragraph.
fn citations(
    catalog: &Catalog,
    options: &[(String, String)],
) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut cited: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let game = Bench::new(catalog, options.to_vec()).game(&Needs::default())?;
    for handler in &game.host.cx().registry.borrow().handlers {
        for rule in &handler.rules {
            let by = format!("{} {} ({})", handler.kind.name(), handler.id, handler.place);
            cited.entry(rule.clone()).or_default().push(by);
        }
    }
    for (key, rules) in coverage::data_rules(catalog) {
        for rule in rules {
            cited.entry(rule).or_default().push(key.clone());
        }
    }
    Ok(cited)
}

fn html(catalog: &Catalog, books: &[Book], known: &Known) -> String {
    let title =
        catalog.get("game.title").and_then(|node| node.as_str()).unwrap_or("The rulebook").to_string();
    let mut contents = Vec::new();
    let mut body = String::new();
    for (file, book) in catalog.books.iter().zip(books) {
        body.push_str(&chapter(catalog.sources.text(file.file), book, known, &mut contents));
    }
    let parts = [
        ("options", "Options", tables::options(catalog), "option"),
        ("cards", "Cards", tables::cards(catalog), "card"),
        ("units", "Units", tables::units(catalog), "unit"),
        ("tables", "Tables", tables::tables(catalog), "table"),
        ("figures", "Figures", tables::values(catalog), "value"),
    ];
    for (id, name, html, kind) in parts {
        if catalog.rows(kind).next().is_some() {
            contents.push((format!("part.{id}"), name.to_string()));
            body.push_str(&format!("<h2 id=\"part.{id}\">{name}</h2>\n{html}"));
        }
    }
    let layers: Vec<String> =
        catalog.layers.iter().map(|layer| format!("{} {}", layer.id, layer.version)).collect();
    let all = books.iter().map(|book| book.paragraphs.len()).sum::<usize>();
    let proved = known.coverage.values().filter(|row| matches!(row.proof, Proof::Proved(..))).count();
    let failing = known.outcomes.values().filter(|outcome| outcome.failure.is_some()).count();
    let mut lead = format!("<p class=\"lead\">{}. {all} paragraphs", markdown::escape(&layers.join(", ")));
    if !known.coverage.is_empty() {
        lead.push_str(&format!(", {proved} proved by a case"));
    }
    lead.push_str(&format!(
        "; {} cases, {failing} of them failing.</p>\n{}",
        known.outcomes.len(),
        tables::provenance(catalog)
    ));
    let items: String = contents
        .iter()
        .map(|(id, name)| {
            format!("<li><a href=\"#{}\">{}</a></li>\n", markdown::escape(id), markdown::escape(name))
        })
        .collect();
    page::frame(&title, &lead, &format!("<ol>\n{items}</ol>\n"), &body)
}

/// One file of the rulebook: its headings and what stands before the first paragraph, then the paragraphs.
fn chapter(text: &str, book: &Book, known: &Known, contents: &mut Vec<(String, String)>) -> String {
    let mut out = String::new();
    let mut paragraphs = book.paragraphs.iter().peekable();
    let (mut free, mut fenced) = (String::new(), false);
    let mut in_paragraph = false;
    for (number, line) in (1u32..).zip(text.lines()) {
        fenced ^= line.trim_start().starts_with("```");
        if paragraphs.next_if(|paragraph| paragraph.line == number).is_some() {
            out.push_str(&markdown::blocks(&std::mem::take(&mut free)));
            in_paragraph = true;
            let Some(paragraph) = book.paragraphs.iter().find(|paragraph| paragraph.line == number) else {
                continue;
            };
            out.push_str(&one(paragraph, book, known));
            continue;
        }
        let heading =
            (!fenced).then(|| line.strip_prefix("# ").or_else(|| line.strip_prefix("## "))).flatten();
        if let Some(heading) = heading {
            out.push_str(&markdown::blocks(&std::mem::take(&mut free)));
            in_paragraph = false;
            let id = format!("part.{}", contents.len() + 1);
            out.push_str(&format!("<h2 id=\"{id}\">{}</h2>\n", markdown::inline(heading)));
            contents.push((id, heading.to_string()));
        } else if !in_paragraph && !fenced && !line.starts_with("```") {
            free.push_str(line);
            free.push('\n');
        }
    }
    out.push_str(&markdown::blocks(&free));
    out
}

fn one(paragraph: &sandtable_workbench::Paragraph, book: &Book, known: &Known) -> String {
    // The text of a paragraph may name itself as often as it likes; its cases are those up to the next heading.
    let next = book.paragraphs.iter().map(|other| other.line).filter(|&line| line > paragraph.line).min();
    let own = book
        .cases
        .iter()
        .filter(|case| case.line > paragraph.line && next.is_none_or(|next| case.line < next));
    let cases = own
        .map(|case| {
            let name =
                case.lines.iter().find_map(|(_, line)| line.trim().strip_prefix("case ")).unwrap_or("");
            let lines: Vec<&str> = case.lines.iter().map(|(_, line)| line.as_str()).collect();
            let outcome = known.outcomes.get(&(case.file.clone(), case.line));
            let failure =
                outcome.and_then(|outcome| outcome.failure.as_ref()).map(|failure| failure.message.clone());
            let proves = matches!(known.coverage.get(&paragraph.id).map(|row| &row.proof), Some(Proof::Proved(places)) if places.contains(&(case.file.clone(), case.line)));
            ShownCase { name: name.to_string(), lines: lines.join("\n"), failure, proves }
        })
        .collect();
    page::paragraph(&Shown {
        id: &paragraph.id,
        title: &paragraph.title,
        text: &paragraph.text,
        proof: known.coverage.get(&paragraph.id).map(|row| &row.proof),
        exempt: paragraph.exempt.as_deref(),
        cited: known.cited.get(&paragraph.id).map_or(&[], Vec::as_slice),
        cases,
    })
}

//! Rulebooks: the paragraphs there are, headings that come twice, and rows of tables that cite what is not there.

use crate::arg_roles::ArgRole;
use crate::context::LintContext;
use crate::{codes, place, refs};
use sandtable_data::catalog::Catalog;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::suggest::did_you_mean;
use sandtable_data::tree::Node;
use sandtable_workbench::book::Book;
use std::collections::{BTreeMap, BTreeSet};

/// The ids of all paragraphs; headings that come twice are reported.
pub(crate) fn paragraphs(catalog: &Catalog, out: &mut Diagnostics) -> BTreeSet<String> {
    let mut first = BTreeMap::new();
    for file in &catalog.books {
        let book = Book::read(&file.path, catalog.sources.text(file.file));
        for paragraph in book.paragraphs {
            let span = place::of_line(catalog, file.file, paragraph.line);
            // A layer may state a paragraph of the game anew.
            if let Some((other, layer)) = first.get(&paragraph.id)
                && *layer == file.layer
            {
                let message = format!("the heading {} comes twice", paragraph.id);
                out.push(
                    Diagnostic::warning(&codes::DUPLICATE_PARAGRAPH, span, message)
                        .label(*other, "the first"),
                );
            }
            first.entry(paragraph.id).or_insert((span, file.layer));
        }
    }
    first.into_keys().collect()
}

/// The same for what scripts cite, in their own words: for scripts that cannot be loaded.
pub(crate) fn cited_by_scripts(
    context: &LintContext<'_>,
    paragraphs: &BTreeSet<String>,
    out: &mut Diagnostics,
) {
    for facts in context.scripts {
        for text in &facts.texts {
            let Some(slot) = &text.slot else { continue };
            if context.arg_roles.of(facts.file, slot).contains(&ArgRole::Rule)
                && !paragraphs.contains(&text.value)
            {
                let message =
                    format!("a rule cites paragraph {}, which the rulebook does not have", text.value);
                let help = did_you_mean(&text.value, paragraphs.iter().map(String::as_str));
                let span = refs::inner(text.span);
                out.push(Diagnostic::error(&codes::UNKNOWN_PARAGRAPH, span, message).help(help));
            }
        }
    }
}

/// Reports rows of tables that cite a paragraph which the rulebook does not have.
pub(crate) fn cited(catalog: &Catalog, paragraphs: &BTreeSet<String>, out: &mut Diagnostics) {
    let Some(root) = catalog.root.as_table() else { return };
    for (kind, node) in root.iter() {
        let mut seen = BTreeSet::new();
        walk(kind, node, paragraphs, &mut seen, 0, out);
    }
}

fn walk(
    name: &str,
    node: &Node,
    paragraphs: &BTreeSet<String>,
    seen: &mut BTreeSet<sandtable_data::source::Span>,
    depth: usize,
    out: &mut Diagnostics,
) {
    let Some(table) = node.as_table() else { return };
    for (rule, span) in refs::cited(node) {
        // Rows that inherit show the same place again.
        if !paragraphs.contains(rule) && seen.insert(span) {
            let message = format!("{name} cites paragraph {rule}, which the rulebook does not have");
            let help = did_you_mean(rule, paragraphs.iter().map(String::as_str));
            out.push(Diagnostic::error(&codes::UNKNOWN_PARAGRAPH, span, message).help(help));
        }
    }
    if depth < 6 {
        for (key, child) in table.iter() {
            walk(&format!("{name}.{key}"), child, paragraphs, seen, depth + 1, out);
        }
    }
}

//! Components, tables and figures of a game as HTML, each with its key and on whose word it stands.

use super::markdown::{escape, inline};
use crate::keys;
use sandtable_data::catalog::Catalog;
use sandtable_data::origin::Provenance;
use sandtable_data::tree::{Node, Value};
use std::collections::BTreeMap;

/// The word for a provenance.
pub fn source_word(source: Provenance) -> &'static str {
    match source {
        Provenance::Unstated => "unstated",
        Provenance::Text => "text",
        Provenance::Public => "public",
        Provenance::Inferred => "inferred",
        Provenance::StandIn => "stand-in",
        Provenance::Own => "own",
    }
}

fn badge(source: Provenance) -> String {
    let class = if source == Provenance::StandIn || source == Provenance::Unstated { "bad" } else { "plain" };
    format!("<span class=\"badge {class}\">{}</span>", source_word(source))
}

/// Links to the paragraphs that a row cites.
fn rules(row: &Node) -> String {
    let ids: Vec<&str> = match row.get("rule").map(|node| &node.value) {
        Some(Value::Str(id)) => vec![id.as_str()],
        Some(Value::Array(items)) => items.iter().filter_map(Node::as_str).collect(),
        _ => Vec::new(),
    };
    ids.iter().map(|id| format!("<a href=\"#{0}\">{0}</a>", escape(id))).collect::<Vec<_>>().join(" ")
}

/// How many values stand on whose word.
pub fn provenance(catalog: &Catalog) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for kind in ["value", "table", "unit", "card", "marker", "chit", "hex", "area"] {
        for (id, row) in catalog.rows(kind) {
            keys::leaves(catalog, &mut vec![kind.to_string(), id.to_string()], row, &mut |path, node| {
                if !matches!(path.last().map(String::as_str), Some("rule" | "source" | "note")) {
                    *counts.entry(source_word(node.provenance)).or_default() += 1;
                }
            });
        }
    }
    let words: Vec<String> = counts.iter().map(|(word, n)| format!("{n} {word}")).collect();
    format!(
        "<p class=\"lead\">On whose word the figures stand: {}. A stand-in is not the printed game's value.</p>\n",
        words.join(", ")
    )
}

/// Cards, or another kind of component with a text.
pub fn cards(catalog: &Catalog) -> String {
    let mut out = String::new();
    for (id, row) in catalog.rows("card") {
        let word = |key: &str| row.get(key).and_then(Node::as_str).unwrap_or_default();
        let name = if word("name").is_empty() { id } else { word("name") };
        let mut fields = Vec::new();
        for (key, node) in row.as_table().into_iter().flat_map(|table| table.iter()) {
            if !matches!(key, "name" | "text" | "rule" | "source" | "note" | "view" | "side") {
                fields.push(format!("{} {}", escape(key), escape(&node.value.toml().replace('"', ""))));
            }
        }
        out.push_str(&format!(
            "<section class=\"rule\" id=\"component.{0}\">\n<h3>{1} {2}</h3>\n<p>{3}</p>\n<p class=\"key\"><code>card.{0}</code> {4} {5} {6}</p>\n</section>\n",
            escape(id),
            escape(name),
            badge(row.provenance),
            inline(word("text")),
            escape(word("side")),
            fields.join(", "),
            rules(row)
        ));
    }
    out
}

/// Units as one table for each side.
pub fn units(catalog: &Catalog) -> String {
    let mut columns: Vec<&str> = Vec::new();
    for (_, row) in catalog.rows("unit") {
        for (key, node) in row.as_table().into_iter().flat_map(|table| table.iter()) {
            let plain = matches!(node.value, Value::Int(_) | Value::Str(_) | Value::Bool(_));
            if plain
                && !columns.contains(&key)
                && !matches!(key, "name" | "rule" | "source" | "note" | "view" | "like" | "text")
            {
                columns.push(key);
            }
        }
    }
    columns.truncate(9);
    let head: String = columns.iter().map(|key| format!("<th>{}</th>", escape(key))).collect();
    let mut out = format!("<div class=\"wide\"><table>\n<tr><th>unit</th>{head}<th>source</th></tr>\n");
    for (id, row) in catalog.rows("unit") {
        let name = row.get("name").and_then(Node::as_str).unwrap_or(id);
        let cell = |key: &&str| {
            row.get(key).map_or_else(String::new, |node| escape(node.value.toml().trim_matches('"')))
        };
        let cells: String = columns.iter().map(|key| format!("<td>{}</td>", cell(key))).collect();
        out.push_str(&format!(
            "<tr><td title=\"unit.{}\">{}</td>{cells}<td>{}</td></tr>\n",
            escape(id),
            escape(name),
            badge(row.provenance)
        ));
    }
    out.push_str("</table></div>\n");
    out
}

/// Matrix tables, and tables of rows.
pub fn tables(catalog: &Catalog) -> String {
    let mut out = String::new();
    for (id, table) in catalog.rows("table") {
        out.push_str(&format!(
            "<section class=\"rule\" id=\"figure.{0}\">\n<h3><code>table.{0}</code> {1} {2}</h3>\n<div class=\"wide\"><table>\n",
            escape(id),
            rules(table),
            badge(table.provenance)
        ));
        let text = |node: &Node| escape(node.value.toml().trim_matches('"'));
        let columns = table.get("columns").and_then(Node::as_array);
        if let Some(columns) = columns {
            let head: String = columns.iter().map(|node| format!("<th>{}</th>", text(node))).collect();
            out.push_str(&format!("<tr><th></th>{head}</tr>\n"));
        }
        let rows = table.get("rows").unwrap_or(table);
        for (key, row) in rows.as_table().into_iter().flat_map(|table| table.iter()) {
            if matches!(key, "rule" | "source" | "note" | "columns") {
                continue;
            }
            let cells: Vec<String> = match &row.value {
                Value::Array(items) => items.iter().map(&text).collect(),
                _ => vec![text(row)],
            };
            let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            out.push_str(&format!("<tr><th>{}</th>{cells}</tr>\n", escape(key)));
        }
        out.push_str("</table></div>\n</section>\n");
    }
    out
}

/// The figures of the rulebook.
pub fn values(catalog: &Catalog) -> String {
    let mut out = String::from(
        "<div class=\"wide\"><table>\n<tr><th>figure</th><th>value</th><th>paragraphs</th><th>source</th></tr>\n",
    );
    for (id, row) in catalog.rows("value") {
        keys::leaves(catalog, &mut vec!["value".into(), id.to_string()], row, &mut |path, node| {
            if path.iter().skip(1).any(|key| matches!(key.as_str(), "rule" | "source" | "note")) {
                return;
            }
            out.push_str(&format!(
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                escape(&keys::joined(path)),
                escape(&node.value.toml()),
                rules(row),
                badge(node.provenance)
            ));
        });
    }
    out.push_str("</table></div>\n");
    out
}

/// Options that players may turn on.
pub fn options(catalog: &Catalog) -> String {
    let mut out = String::new();
    for (id, row) in catalog.rows("option") {
        let title = row.get("title").and_then(Node::as_str).unwrap_or(id);
        let usual = row.get("default").map_or_else(|| "false".to_string(), |node| node.value.toml());
        out.push_str(&format!(
            "<p><code>{}</code> {} <span class=\"key\">(usually {}) {}</span></p>\n",
            escape(id),
            inline(title),
            escape(&usual),
            rules(row)
        ));
    }
    out
}

//! `sandtable find`: values, components and paragraphs by words, with the line that a layer would write.
//! `sandtable origin`: what each layer gave to a value. Both answer "where does this stand, and how do I change it".

use crate::args::{FindArgs, OriginArgs};
use crate::docs::source_word;
use crate::paint::Paint;
use crate::{keys, load};
use sandtable_data::catalog::Catalog;
use sandtable_data::origin::Provenance;
use sandtable_data::suggest;
use sandtable_data::tree::{Node, Value};
use sandtable_data::tree_path::KeyPath;
use sandtable_workbench::{coverage, runner};
use serde_json::json;
use std::collections::BTreeMap;

/// Values shown of one row.
const FIELDS: usize = 12;

/// Something that was found.
struct Found {
    /// Key of a row or value, or id of a paragraph.
    key: String,
    title: String,
    place: String,
    lines: Vec<String>,
    /// Words that stand only inside others, and how far from what people look for: the less the better.
    rank: (usize, usize),
}

/// Kinds in the order in which people look for them; paragraphs come with the first, maps and pictures last.
const KINDS: [&[&str]; 3] = [
    &["value", "card", "unit", "marker", "chit", "option", "table", "profile"],
    &["prompt", "text", "sequence", "attribute", "field", "record", "side", "pile", "box", "scenario"],
    &["hex", "area", "border", "link", "map", "display"],
];

/// Words to look for.
struct Words(Vec<String>);

impl Words {
    /// Whether all are in a text.
    fn all_in(&self, text: &str) -> bool {
        self.0.iter().all(|word| text.contains(word.as_str()))
    }

    /// How many of them are no whole word of a text.
    fn partial(&self, text: &str) -> usize {
        let parts: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let whole = |word: &&String| {
            let mut own = word.split(|c: char| !c.is_alphanumeric());
            own.all(|part| parts.contains(&part))
        };
        self.0.len() - self.0.iter().filter(whole).count()
    }
}

/// Runs `find`. False if nothing was found.
pub fn run(args: &FindArgs) -> Result<bool, String> {
    let (catalog, _) = load::catalog(&args.game, &args.with)?;
    let words =
        Words(args.words.iter().flat_map(|word| word.split_whitespace()).map(str::to_lowercase).collect());
    let books = runner::books(&catalog);
    let titles: BTreeMap<&str, &str> = books
        .iter()
        .flat_map(|book| &book.paragraphs)
        .map(|paragraph| (paragraph.id.as_str(), paragraph.title.as_str()))
        .collect();
    let cited = coverage::data_rules(&catalog);
    let mut found = Vec::new();
    let kinds = catalog.root.as_table().into_iter().flat_map(|table| table.iter());
    for (kind, rows) in kinds.filter(|(kind, _)| !matches!(*kind, "game" | "layer" | "view")) {
        for (id, row) in rows.as_table().into_iter().flat_map(|table| table.iter()) {
            let path = vec![kind.to_string(), id.to_string()];
            let place = catalog.sources.describe(row.origin);
            // A row is also about what the paragraphs are about that it cites.
            let about: Vec<&str> = cited
                .get(&format!("{kind}.{id}"))
                .into_iter()
                .flatten()
                .filter_map(|rule| titles.get(rule.as_str()).copied())
                .collect();
            found.extend(in_row(&catalog, &path, row, (place, &about.join(" ")), &words));
        }
    }
    for (book, file) in books.iter().zip(&catalog.books) {
        for paragraph in &book.paragraphs {
            let text = format!("{} {} {}", paragraph.id, paragraph.title, paragraph.text).to_lowercase();
            if words.all_in(&text) {
                found.push(Found {
                    key: format!("§ {}", paragraph.id),
                    title: paragraph.title.clone(),
                    place: catalog.sources.opened(&format!(
                        "{}:{}",
                        catalog.sources.path(file.file),
                        paragraph.line
                    )),
                    lines: Vec::new(),
                    rank: (words.partial(&text), 0),
                });
            }
        }
    }
    found.sort_by_key(|found| found.rank);
    if args.json {
        let rows: Vec<_> = found
            .iter()
            .map(|found| json!({ "key": found.key, "title": found.title, "place": found.place, "lines": found.lines }))
            .collect();
        outln!("{}", json!({ "found": rows }));
        return Ok(!found.is_empty());
    }
    let paint = Paint::out();
    for found in found.iter().take(args.most) {
        outln!("{}  {}  {}", paint.bold(&found.key), found.title, paint.dim(&found.place));
        found.lines.iter().take(FIELDS).for_each(|line| outln!("    {}", paint.green(line)));
        if found.lines.len() > FIELDS {
            outln!("    … and {} more", found.lines.len() - FIELDS);
        }
    }
    if found.len() > args.most {
        outln!("… and {} more; give more words, or --most {}", found.len() - args.most, found.len());
    }
    if found.is_empty() {
        outln!("nothing of {} has all of these words: {}", args.game, words.0.join(", "));
    } else {
        outln!("{}", paint.dim("\nA line in green, with another value, is what a layer would write."));
    }
    Ok(!found.is_empty())
}

/// A row that fits, with the values in it that do, or with all if the row as a whole fits.
fn in_row(
    catalog: &Catalog,
    path: &[String],
    row: &Node,
    (place, about): (String, &str),
    words: &Words,
) -> Option<Found> {
    let title = ["name", "title", "text"].iter().find_map(|key| row.get(key)?.as_str()).unwrap_or_default();
    let whole =
        format!("{} {title} {} {about}", path.join("."), row.as_str().unwrap_or_default()).to_lowercase();
    let is_whole = words.all_in(&whole);
    let (mut lines, mut texts) = (Vec::new(), whole.clone());
    keys::leaves(catalog, &mut path.to_vec(), row, &mut |path, node| {
        let key = keys::joined(path);
        // A ladder holds fields of its own.
        let inside = if node.as_array().is_some() { node.value.toml() } else { String::new() };
        let text = format!("{key} {} {inside}", node.as_str().unwrap_or_default()).to_lowercase();
        let about = matches!(path.last().map(String::as_str), Some("rule" | "source" | "sources" | "note"));
        if !about && (is_whole || words.all_in(&format!("{whole} {text}"))) {
            lines.push(format!("{key} = {}", node.value.toml()));
            if !is_whole {
                texts.push_str(&text);
            }
        }
    });
    let kind = KINDS.iter().position(|kinds| kinds.contains(&path[0].as_str())).unwrap_or(1);
    // Long rows such as maps of terrain are no answer to a question about one of them.
    (is_whole || !lines.is_empty()).then(|| Found {
        key: keys::joined(path),
        title: title.to_string(),
        place,
        lines,
        rank: (words.partial(&texts), kind),
    })
}

/// Runs `origin`.
pub fn origin(args: &OriginArgs) -> Result<bool, String> {
    let (catalog, _) = load::catalog(&args.game, &args.with)?;
    let given = catalog.origins(&args.key);
    if given.is_empty() {
        let all = keys::all(&catalog);
        let near = suggest::nearest(&args.key, all.iter().map(String::as_str));
        let hint = if near.is_empty() {
            format!("`sandtable find {} WORDS` looks for keys", args.game)
        } else {
            format!("nearest: {}", near.join(", "))
        };
        return Err(format!("{} has no value {}; {hint}", args.game, args.key));
    }
    let keys = below(&catalog, &args.key);
    if args.json {
        let rows: Vec<_> = given_rows(&catalog, &args.key)
            .iter()
            .map(|(layer, value, place)| json!({ "layer": layer, "value": value, "place": place }))
            .collect();
        let parts: Vec<_> = keys
            .iter()
            .map(|key| {
                let rows: Vec<_> = given_rows(&catalog, key)
                    .iter()
                    .map(|(layer, value, place)| json!({ "layer": layer, "value": value, "place": place }))
                    .collect();
                json!({ "key": key, "given": rows })
            })
            .collect();
        outln!(
            "{}",
            json!({ "key": args.key, "source": catalog.provenance(&args.key).map(source_word), "given": rows, "parts": parts })
        );
        return Ok(true);
    }
    // What holds other values has no origin of its own: each of them has.
    if keys.is_empty() {
        show_given(&catalog, &args.key, "");
    }
    for key in &keys {
        outln!("{key}");
        show_given(&catalog, key, "    ");
    }
    let source = catalog.provenance(&args.key).filter(|source| *source != Provenance::Unstated);
    if let Some(source) = source {
        outln!("source: {}", source_word(source));
    }
    Ok(true)
}

/// The keys of the values below a table or a row of a matrix; none for a plain value.
fn below(catalog: &Catalog, key: &str) -> Vec<String> {
    let (Some(node), Ok(path)) = (catalog.get(key), KeyPath::parse(key)) else { return Vec::new() };
    let mut found = Vec::new();
    keys::leaves(catalog, &mut path.keys().to_vec(), node, &mut |path, _| found.push(path.to_vec()));
    found.iter().filter(|inner| inner.len() > path.keys().len()).map(|inner| keys::joined(inner)).collect()
}

/// Layer, value and place of everything that was given to a key, the latest first.
fn given_rows(catalog: &Catalog, key: &str) -> Vec<(String, String, String)> {
    catalog
        .origins(key)
        .iter()
        .map(|given| {
            let layer = catalog.layer_name(given.origin.layer).to_string();
            (layer, given.value.toml(), catalog.sources.describe(given.origin))
        })
        .collect()
}

fn show_given(catalog: &Catalog, key: &str, indent: &str) {
    let rows = given_rows(catalog, key);
    let width = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
    for (number, (layer, value, place)) in rows.iter().enumerate() {
        let word = if number == 0 { "is" } else { "was" };
        outln!("{indent}{layer:width$}  {word:3} {value}  {place}");
    }
}

/// A value that is a table, cut short: for sheets of what changes.
pub fn brief(value: &Value) -> String {
    let text = value.toml();
    if text.chars().count() > 100 { text.chars().take(99).chain(['…']).collect() } else { text }
}

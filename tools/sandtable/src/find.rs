//! `sandtable find`: values, components and paragraphs by words, with the line that a layer would write.
//! `sandtable origin`: what each layer gave to a value. Both answer "where does this stand, and how do I change it".

use crate::args::{FindArgs, OriginArgs};
use crate::docs::source_word;
use crate::paint::Paint;
use crate::{keys, load};
use sandtable_data::origin::Provenance;
use sandtable_data::suggest;
use sandtable_data::tree::{Node, Value};
use sandtable_workbench::runner;
use serde_json::json;

/// Values shown of one row.
const FIELDS: usize = 12;

/// Something that was found.
struct Found {
    /// Key of a row or value, or id of a paragraph.
    key: String,
    title: String,
    place: String,
    lines: Vec<String>,
}

/// Runs `find`. False if nothing was found.
pub fn run(args: &FindArgs) -> Result<bool, String> {
    let (catalog, _) = load::catalog(&args.game, &args.with)?;
    let words: Vec<String> =
        args.words.iter().flat_map(|word| word.split_whitespace()).map(str::to_lowercase).collect();
    let mut found = Vec::new();
    let kinds = catalog.root.as_table().into_iter().flat_map(|table| table.iter());
    for (kind, rows) in kinds.filter(|(kind, _)| !matches!(*kind, "game" | "layer" | "view")) {
        for (id, row) in rows.as_table().into_iter().flat_map(|table| table.iter()) {
            let path = vec![kind.to_string(), id.to_string()];
            let place = catalog.sources.describe(row.origin);
            found.extend(in_row(&path, row, place, &words));
        }
    }
    let books = runner::books(&catalog);
    for (book, file) in books.iter().zip(&catalog.books) {
        for paragraph in &book.paragraphs {
            let text = format!("{} {} {}", paragraph.id, paragraph.title, paragraph.text).to_lowercase();
            if words.iter().all(|word| text.contains(word.as_str())) {
                found.push(Found {
                    key: format!("§ {}", paragraph.id),
                    title: paragraph.title.clone(),
                    place: format!("{}:{}", catalog.sources.path(file.file), paragraph.line),
                    lines: Vec::new(),
                });
            }
        }
    }
    if args.json {
        let rows: Vec<_> = found
            .iter()
            .map(|found| json!({ "key": found.key, "title": found.title, "place": found.place, "lines": found.lines }))
            .collect();
        say!("{}", json!({ "found": rows }));
        return Ok(!found.is_empty());
    }
    let paint = Paint::out();
    for found in found.iter().take(args.most) {
        say!("{}  {}  {}", paint.bold(&found.key), found.title, paint.dim(&found.place));
        found.lines.iter().take(FIELDS).for_each(|line| say!("    {}", paint.green(line)));
        if found.lines.len() > FIELDS {
            say!("    … and {} more", found.lines.len() - FIELDS);
        }
    }
    if found.len() > args.most {
        say!("… and {} more; give more words, or --most {}", found.len() - args.most, found.len());
    }
    if found.is_empty() {
        say!("nothing of {} has all of these words: {}", args.game, words.join(", "));
    } else {
        say!("{}", paint.dim("\nA line in green, with another value, is what a layer would write."));
    }
    Ok(!found.is_empty())
}

/// A row that fits, with the values in it that do, or with all if the row as a whole fits.
fn in_row(path: &[String], row: &Node, place: String, words: &[String]) -> Option<Found> {
    let title = ["name", "title", "text"].iter().find_map(|key| row.get(key)?.as_str()).unwrap_or_default();
    let whole = format!("{} {title} {}", path.join("."), row.as_str().unwrap_or_default()).to_lowercase();
    let is_whole = words.iter().all(|word| whole.contains(word.as_str()));
    let mut lines = Vec::new();
    keys::leaves(&mut path.to_vec(), row, &mut |path, node| {
        let key = keys::joined(path);
        let fits = || {
            let text = format!("{whole} {key} {}", node.as_str().unwrap_or_default()).to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        };
        let about = matches!(path.last().map(String::as_str), Some("rule" | "source" | "sources" | "note"));
        if !about && (is_whole || fits()) {
            lines.push(format!("{key} = {}", node.value.toml()));
        }
    });
    // Long rows such as maps of terrain are no answer to a question about one of them.
    (is_whole || !lines.is_empty()).then(|| Found {
        key: keys::joined(path),
        title: title.to_string(),
        place,
        lines,
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
    let rows: Vec<(String, String, String)> = given
        .iter()
        .map(|given| {
            (
                catalog.layer_name(given.origin.layer).to_string(),
                given.value.toml(),
                catalog.sources.describe(given.origin),
            )
        })
        .collect();
    if args.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(layer, value, place)| json!({ "layer": layer, "value": value, "place": place }))
            .collect();
        say!(
            "{}",
            json!({ "key": args.key, "source": catalog.provenance(&args.key).map(source_word), "given": rows })
        );
        return Ok(true);
    }
    let width = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
    for (number, (layer, value, place)) in rows.iter().enumerate() {
        let word = if number == 0 { "is" } else { "was" };
        say!("{layer:width$}  {word:3} {value}  {place}");
    }
    let source = catalog.provenance(&args.key).filter(|source| *source != Provenance::Unstated);
    if let Some(source) = source {
        say!("source: {}", source_word(source));
    }
    Ok(true)
}

/// A value that is a table, cut short: for sheets of what changes.
pub fn brief(value: &Value) -> String {
    let text = value.toml();
    if text.chars().count() > 100 { text.chars().take(99).chain(['…']).collect() } else { text }
}

//! `sandtable diff`: a sheet of what a layer changes, for people who know the game.

use crate::args::{DiffArgs, WithArgs};
use crate::find::brief;
use crate::paint::Paint;
use crate::{keys, load};
use sandtable_data::catalog::Catalog;
use sandtable_data::definition;
use sandtable_data::tree::{Node, Value};
use sandtable_session::Game;
use sandtable_workbench::runner;
use std::collections::BTreeMap;

/// Runs the command.
pub fn run(args: &DiffArgs) -> Result<bool, String> {
    let with = |layers: Vec<String>| WithArgs { layer: layers, ..args.with.clone() };
    let (base, options) = load::catalog(&args.base, &with(args.with.layer.clone()))?;
    let layers: Vec<String> = args.with.layer.iter().chain(&args.layers).cloned().collect();
    let (changed, _) = load::catalog(&args.base, &with(layers))?;
    let paint = Paint::out();
    for layer in changed.layers.iter().skip(base.layers.len()) {
        outln!("{}", paint.bold(&format!("{} {}: {}", layer.id, layer.version, layer.title)));
    }
    let mut sheet = Sheet { changed: &changed, paint, sections: BTreeMap::new() };
    sheet.compare(&mut Vec::new(), &base.root, &changed.root);
    for (kind, lines) in &sheet.sections {
        outln!("\n{}", paint.bold(kind));
        lines.iter().for_each(|line| outln!("{line}"));
    }
    let rules = rules(&base, &changed, &options)?;
    if !rules.is_empty() {
        outln!("\n{}", paint.bold("rules"));
        rules.iter().for_each(|line| outln!("  {line}"));
    }
    let new: Vec<_> = runner::layer_books(&changed).into_iter().flat_map(|book| book.paragraphs).collect();
    let known: Vec<_> = runner::layer_books(&base).into_iter().flat_map(|book| book.paragraphs).collect();
    let new: Vec<_> = new.iter().filter(|paragraph| !known.contains(paragraph)).collect();
    if !new.is_empty() {
        outln!("\n{}", paint.bold("paragraphs"));
    }
    for paragraph in new {
        outln!("  {} {}", paragraph.id, paragraph.title);
        let text = paragraph.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            outln!("      {text}");
        }
    }
    if sheet.sections.is_empty() && rules.is_empty() {
        outln!("nothing changes");
    }
    Ok(true)
}

struct Sheet<'a> {
    changed: &'a Catalog,
    paint: Paint,
    sections: BTreeMap<String, Vec<String>>,
}

impl Sheet<'_> {
    fn compare(&mut self, path: &mut Vec<String>, old: &Node, new: &Node) {
        match (&old.value, &new.value) {
            (Value::Table(a), Value::Table(b)) => {
                for (key, node) in a.iter() {
                    path.push(key.to_string());
                    match b.get(key) {
                        Some(now) => self.compare(path, node, now),
                        None => self.add(path, "-", &self.paint.red(&brief(&node.value)), None),
                    }
                    path.pop();
                }
                for (key, node) in b.iter().filter(|(key, _)| !a.contains(key)) {
                    path.push(key.to_string());
                    self.add(path, "+", &self.paint.green(&brief(&node.value)), Some(node));
                    path.pop();
                }
            }
            (a, b) if a.same(b) => {}
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() && !self.columns(path).is_empty() => {
                for ((column, old), new) in self.columns(path).into_iter().zip(a).zip(b) {
                    path.push(column);
                    self.compare(path, old, new);
                    path.pop();
                }
            }
            (a, b) => {
                let text = format!("{} -> {}", self.paint.red(&brief(a)), self.paint.green(&brief(b)));
                self.add(path, " ", &text, Some(new));
            }
        }
    }

    /// The columns of a row of a matrix, which is compared cell by cell.
    fn columns(&self, path: &[String]) -> Vec<String> {
        keys::columns(self.changed, path)
    }

    fn add(&mut self, path: &[String], sign: &str, text: &str, node: Option<&Node>) {
        let [kind, rest @ ..] = path else { return };
        if kind == "layer" {
            return;
        }
        // The name that people know stands beside the key.
        let row = self.changed.row(kind, rest.first().map_or("", String::as_str));
        let name = row.and_then(|row| row.get("name").or_else(|| row.get("title"))).and_then(Node::as_str);
        let name = name.map_or_else(String::new, |name| format!(" ({name})"));
        let place = node.map_or_else(String::new, |node| {
            format!("  {}", self.paint.dim(&self.changed.sources.describe(node.origin)))
        });
        let line = format!("{sign} {}{name}: {text}{place}", keys::joined(rest));
        self.sections.entry(kind.clone()).or_default().push(line);
    }
}

/// Handlers that the layers add, and those of the game that they wrap, replace or take out.
fn rules(base: &Catalog, changed: &Catalog, options: &[(String, String)]) -> Result<Vec<String>, String> {
    let first_new = base.layers.len() as u16;
    let (definition, problems) = definition::build(changed, Some(""), options);
    let Some(definition) = definition else { return Err(load::report(&problems, changed)) };
    let game = Game::new(definition, changed)
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    let registry = game.host.cx().registry.borrow();
    let mut lines: Vec<String> = registry
        .handlers
        .iter()
        .filter(|handler| handler.layer >= first_new)
        .map(|handler| {
            let about = game.host.cx().text(handler.target);
            let about =
                if about == handler.id || about.is_empty() { String::new() } else { format!(" of {about}") };
            let rule = if handler.rules.is_empty() {
                String::new()
            } else {
                format!(" (§ {})", handler.rules.join(", "))
            };
            format!(
                "new {} {}{about}{rule}  {}",
                handler.kind.name(),
                handler.id,
                changed.sources.opened(&handler.place)
            )
        })
        .collect();
    for file in changed.scripts.iter().filter(|file| file.layer.0 >= first_new) {
        let place = changed.sources.opened(changed.sources.path(file.file));
        for (number, line) in (1..).zip(changed.sources.text(file.file).lines()) {
            for (word, done) in [("wrap", "wrapped"), ("replace", "replaced"), ("disable", "taken out")] {
                if let Some(id) = called_with(line, word) {
                    lines.push(format!("{id} is {done}  {place}:{number}"));
                }
            }
        }
    }
    Ok(lines)
}

/// The text that a line's first call of a function is given: `wrap("mine", …` gives `mine`.
fn called_with<'a>(line: &'a str, function: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix(function)?.trim_start();
    let rest = rest.strip_prefix('(').unwrap_or(rest).trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest[1..].split(quote).next()
}

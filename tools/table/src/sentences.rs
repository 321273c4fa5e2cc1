//! Lines of the log as sentences, for whoever has no page: the words are those of the page's language file.

use crate::lines::{self, Told};
use crate::page;
use crate::thing::{Object, plain};
use sandtable_kernel::world::World;
use sandtable_script::ScriptContext;
use sandtable_session::view::Viewer;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What happened since a number of changes, one sentence each, as far as a viewer may know.
pub fn told(cx: &ScriptContext, viewer: Viewer, from: usize) -> Vec<String> {
    let sentences = Sentences::new(&cx.world);
    let lines = lines::objects(cx, viewer, &Told { from, choices: &[], answers: &[] });
    lines.iter().filter_map(|(_, line)| sentences.of(line)).map(|text| capital(&text)).collect()
}

/// The words of the page, and the names of a game's sides.
struct Sentences {
    words: Map<String, Value>,
    sides: BTreeMap<String, String>,
}

impl Sentences {
    /// Reads the words in English, the only language so far.
    fn new(world: &World) -> Self {
        let words = page::embedded("lang/en.json").and_then(|bytes| serde_json::from_slice(bytes).ok());
        let name = |(id, name, _): &(_, String, _)| (world.symbols.text(*id).to_string(), name.clone());
        Self { words: words.unwrap_or_default(), sides: world.sides.iter().map(name).collect() }
    }

    /// A line in words; nothing for the beginning of a step.
    fn of(&self, line: &Object) -> Option<String> {
        let text = |key: &str| line.get(key).map(|value| self.value(value)).unwrap_or_default();
        Some(match text("kind").as_str() {
            "step" => return None,
            "log" => text("text"),
            "move" => self.moved(line),
            "set" => {
                let name = plain(&text("attribute"));
                let id = if text("title").is_empty() { "log.set-game" } else { "log.set" };
                self.fill(id, &[("title", text("title")), ("name", name), ("value", text("new"))])
            }
            "roll" => format!("{}: {}", text("title"), text("value")),
            "number" => self.number(line),
            "end" => {
                let side = text("winner");
                let id = if line.get("winner").is_none_or(Value::is_null) { "log.draw" } else { "log.won" };
                self.fill(id, &[("side", side), ("reason", text("reason"))])
            }
            kind => {
                let known = ["title", "old", "new", "line"].map(|key| (key, text(key)));
                self.fill(&format!("log.{kind}"), &known)
            }
        })
    }

    /// A text of the page with its places filled; its id if there is none.
    fn fill(&self, id: &str, given: &[(&str, String)]) -> String {
        let mut text = self.words.get(id).and_then(Value::as_str).unwrap_or(id).to_string();
        for (name, value) in given {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }

    fn moved(&self, line: &Object) -> String {
        let title = match line.get("title").and_then(Value::as_str) {
            Some(title) => title.to_string(),
            None => {
                let kind = line.get("of").and_then(Value::as_str).unwrap_or_default();
                self.fill("log.unseen", &[("kind", plain(kind))])
            }
        };
        let place = |key: &str| match line.get(key).and_then(Value::as_str) {
            Some("") => Some(self.fill("log.carrier", &[])),
            other => other.map(str::to_string),
        };
        let (from, to) = (place("from_title"), place("to_title"));
        let id = match (&from, &to) {
            (Some(_), Some(_)) => "log.move",
            (None, Some(_)) => "log.comes",
            _ => "log.leaves",
        };
        self.fill(id, &[("title", title), ("from", from.unwrap_or_default()), ("to", to.unwrap_or_default())])
    }

    /// A number with what it is made of.
    fn number(&self, line: &Object) -> String {
        let parts = line.get("parts").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let parts: Vec<String> = parts.iter().map(|part| self.part(part)).collect();
        let [title, value] =
            ["title", "value"].map(|key| line.get(key).map(|it| self.value(it)).unwrap_or_default());
        let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
        format!("{title}: {value}{parts}")
    }

    fn part(&self, part: &Value) -> String {
        let (n, over) = (part["n"].as_i64().unwrap_or_default(), part["over"].as_i64().unwrap_or(1));
        let bound = |id: &str| self.fill(id, &[("n", n.to_string())]);
        let op = match part["op"].as_str().unwrap_or_default() {
            "add" => format!("{n:+}"),
            "times" if over == 1 => format!("×{n}"),
            "times" => format!("×{n}/{over}"),
            "set" => format!("={n}"),
            "at-least" => bound("number.at-least"),
            "at-most" => bound("number.at-most"),
            "round-up" => bound("number.up"),
            _ => bound("number.down"),
        };
        format!("{op} {}", part["title"].as_str().unwrap_or_default())
    }

    /// A value in words.
    fn value(&self, value: &Value) -> String {
        match value {
            Value::Null => "–".into(),
            Value::Bool(truth) => self.fill(if *truth { "yes" } else { "no" }, &[]),
            Value::String(text) => self.sides.get(text).unwrap_or(text).clone(),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect::<Vec<_>>().join(", "),
            other => other.to_string(),
        }
    }
}

/// With a capital letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

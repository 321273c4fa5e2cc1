//! References: texts in scripts that name spaces, pieces, figures, texts, parts of the map, or words of a field.

use crate::arg_roles::ArgRole;
use crate::codes;
use crate::context::LintContext;
use crate::facts::{Callee, Slot, Text};
use crate::names::Set;
use sandtable_data::definition::references::names;
use sandtable_data::diagnostic::{Code, Diagnostic, Diagnostics};
use sandtable_data::source::{FileId, Span};
use sandtable_data::suggest::did_you_mean;
use sandtable_data::tree::Node;
use sandtable_kernel::state::Type;
use std::collections::BTreeSet;

/// Reports every text in a place where a name is wanted that names nothing.
pub(crate) fn references(context: &LintContext<'_>, out: &mut Diagnostics) {
    for facts in context.scripts {
        for text in &facts.texts {
            let arg_roles =
                text.slot.as_ref().map(|slot| context.arg_roles.of(facts.file, slot)).unwrap_or_default();
            // A parameter that is handed on as two kinds of thing is right if it is one of them.
            let wrong: Vec<Option<Diagnostic>> =
                arg_roles.iter().map(|&role| context.reference(facts.file, role, text)).collect();
            if !wrong.is_empty() && wrong.iter().all(Option::is_some) {
                out.extend(wrong.into_iter().flatten().take(1));
            }
            context.word(text, out);
        }
        for (id, key) in &facts.figures {
            let Some(node) = context.catalog.row("value", id) else { continue };
            let table = node.get("is").unwrap_or(node).as_table();
            if table.is_none_or(|table| !table.contains(&key.name)) {
                let message = format!("value.{id} has no `{}`", key.name);
                let keys: Vec<&str> = table.map(|table| table.keys().collect()).unwrap_or_default();
                out.push(
                    Diagnostic::error(&codes::UNKNOWN_FIGURE, key.span, message)
                        .help(did_you_mean(&key.name, keys))
                        .label(node.origin, "the value"),
                );
            }
        }
    }
}

impl LintContext<'_> {
    /// What is wrong with a text that names something, if anything is. What hangs on other rules is looked at with these.
    fn reference(&self, file: FileId, role: ArgRole, text: &Text) -> Option<Diagnostic> {
        let names = &self.names;
        let thing = &codes::UNKNOWN_THING;
        let figure = &codes::UNKNOWN_FIGURE;
        let map = &codes::UNKNOWN_ON_MAP;
        let (code, what, sets): (Code, &str, Vec<&Set>) = match role {
            ArgRole::Piece => (thing, "piece", vec![&names.pieces]),
            ArgRole::Space => (thing, "space", vec![&names.spaces]),
            ArgRole::Place => (thing, "space or piece", vec![&names.spaces, &names.pieces]),
            ArgRole::Row => (thing, "row of the component list", vec![&names.pieces]),
            ArgRole::Kind => (thing, "kind of pieces", vec![&names.kinds]),
            ArgRole::Side => (thing, "side", vec![&names.sides]),
            ArgRole::Value => (figure, "value", vec![&names.values]),
            ArgRole::Table => (figure, "table", vec![&names.tables]),
            ArgRole::Option | ArgRole::OptionTest => (figure, "option", vec![&names.options]),
            ArgRole::Record => (thing, "type of record", vec![&names.records]),
            ArgRole::Network => (map, "network", vec![&names.networks]),
            ArgRole::Way => (map, "network or profile", vec![&names.networks, &names.profiles]),
            ArgRole::Profile => (map, "profile", vec![&names.profiles]),
            ArgRole::Sight => (map, "rules of sight", vec![&names.sights]),
            ArgRole::Limit => (figure, "limit", vec![&names.limits]),
            ArgRole::Lasts if self.mentions.has(&text.value, &[ArgRole::Event]) => return None,
            ArgRole::Lasts => {
                (map, "node of the sequence, type of record or event", vec![&names.nodes, &names.records])
            }
            ArgRole::Feature => (map, "feature of a border", vec![&names.features]),
            ArgRole::Prompt => (&codes::MISSING_TEXT, "prompt", vec![&names.prompts]),
            ArgRole::Text => (&codes::MISSING_TEXT, "text", vec![&names.texts]),
            ArgRole::Sentence if !text.value.contains(' ') => {
                (&codes::MISSING_TEXT, "text", vec![&names.texts])
            }
            ArgRole::Column => return self.column(file, text),
            _ => return None,
        };
        let name = match role {
            ArgRole::OptionTest => text.value.split('=').next().unwrap_or_default().trim(),
            // One of several equal pieces: `infantry.3`.
            ArgRole::Piece | ArgRole::Place => text
                .value
                .rsplit_once('.')
                .filter(|(_, n)| n.parse::<u32>().is_ok())
                .map_or(text.value.as_str(), |(id, _)| id),
            // A node raises events when it begins and ends.
            ArgRole::Lasts => text.value.trim_end_matches(".start").trim_end_matches(".end"),
            _ => &text.value,
        };
        if sets.iter().any(|set| set.contains(name)) {
            return None;
        }
        let help = did_you_mean(name, sets.iter().flat_map(|set| set.iter().map(String::as_str)));
        Some(Diagnostic::error(code, inner(text.span), format!("there is no {what} `{name}`")).help(help))
    }

    fn column(&self, file: FileId, text: &Text) -> Option<Diagnostic> {
        let call = text.slot.as_ref()?.call;
        let facts = self.scripts.iter().find(|facts| facts.file == file)?;
        let is_table = |slot: &Slot| slot.call == call && slot.argument == 0;
        let table = facts.texts.iter().find(|other| other.slot.as_ref().is_some_and(is_table))?;
        let columns = self.names.columns.get(&table.value)?;
        if columns.contains(&text.value) {
            return None;
        }
        let message = format!("table.{} has no column `{}`", table.value, text.value);
        let help = did_you_mean(&text.value, columns.iter().map(String::as_str));
        Some(Diagnostic::error(&codes::UNKNOWN_FIGURE, inner(text.span), message).help(help))
    }

    /// Reports a word that its field never holds.
    fn word(&self, text: &Text, out: &mut Diagnostics) {
        let filter = |slot: &Slot| match &slot.callee {
            Callee::Global(name) => name == "pieces" || name == "spaces",
            Callee::Method(name) => ["filter", "any", "all"].contains(&name.as_str()),
            _ => false,
        };
        let field = match (&text.field, &text.slot) {
            (Some(field), _) => field.clone(),
            (None, Some(slot)) if filter(slot) => {
                let Some(key) = slot.key.clone() else { return };
                if self.names.fields.contains_key(&key) {
                    key
                } else {
                    key.strip_prefix("not_").map_or(key.clone(), str::to_string)
                }
            }
            _ => return,
        };
        let mut types = self.names.fields.get(&field).cloned().unwrap_or_default();
        if field == "side" {
            types.push(Type::Side);
        }
        let symbols = &self.definition.world.symbols;
        let named = self.named(&field);
        let mut words: BTreeSet<&str> = named.iter().map(String::as_str).collect();
        for ty in types.iter().filter(|ty| named.is_empty() || !matches!(ty, Type::Text)) {
            match ty {
                Type::Enum(values) => words.extend(values.iter().map(|&value| symbols.text(value))),
                Type::Side => words.extend(self.names.sides.iter().map(String::as_str)),
                _ => return,
            }
        }
        // A plain table of a script may have a field of the same name.
        let in_tables = self.scripts.iter().any(|facts| facts.given.contains(&field)) && text.field.is_some();
        if types.is_empty() || words.contains(text.value.as_str()) || in_tables && !self.only_handles(&field)
        {
            return;
        }
        let message = format!("`{field}` is never \"{}\"; it is one of {}", text.value, brief(&words));
        out.push(
            Diagnostic::error(&codes::UNKNOWN_WORD, inner(text.span), message)
                .help(did_you_mean(&text.value, words)),
        );
    }

    /// The ids that a field can hold whose declarations all say what it names.
    fn named(&self, field: &str) -> BTreeSet<String> {
        let types = self.names.fields.get(field).into_iter().flatten();
        let texts = types.filter(|ty| matches!(ty, Type::Text)).count();
        let declared: Vec<_> =
            self.definition.references.iter().filter(|reference| reference.field == field).collect();
        let sets: Option<Vec<BTreeSet<String>>> =
            declared.iter().map(|found| names(self.catalog, &self.definition.world, &found.of)).collect();
        let mut ids: BTreeSet<String> =
            sets.filter(|_| declared.len() == texts).into_iter().flatten().flatten().collect();
        if !ids.is_empty() {
            ids.insert("none".to_string());
        }
        ids
    }

    /// Whether the tables that scripts make with such a key are all filters and arguments of the API.
    fn only_handles(&self, field: &str) -> bool {
        let keys: usize =
            self.scripts.iter().map(|facts| facts.keys.iter().filter(|key| key.name == field).count()).sum();
        keys > 0
            && self.scripts.iter().all(|facts| {
                facts.keys.iter().filter(|key| key.name == field).all(|key| match &key.slot.callee {
                    Callee::Method(name) => ["filter", "any", "all"].contains(&name.as_str()),
                    Callee::Global(name) => self.names.api.contains(name),
                    _ => false,
                })
            })
    }
}

/// The place of a text without its quotes.
pub(crate) fn inner(span: Span) -> Span {
    Span { start: span.start + 1, end: span.end.saturating_sub(1).max(span.start + 1), ..span }
}

fn brief(words: &BTreeSet<&str>) -> String {
    let shown: Vec<&str> = words.iter().take(8).copied().collect();
    if words.len() > shown.len() { format!("{} …", shown.join(", ")) } else { shown.join(", ") }
}

/// The paragraphs that a row cites, with their places.
pub(crate) fn cited(node: &Node) -> Vec<(&str, Span)> {
    let Some(rule) = node.get("rule") else { return Vec::new() };
    let one = |node: &'_ Node| node.origin.span();
    match rule.as_array() {
        Some(items) => items.iter().filter_map(|item| Some((item.as_str()?, one(item)))).collect(),
        None => rule.as_str().map(|text| (text, one(rule))).into_iter().collect(),
    }
}

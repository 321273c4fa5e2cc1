//! Options, texts, figures and keys of figures that nothing reads.

use crate::arg_roles::ArgRole;
use crate::codes;
use crate::context::LintContext;
use sandtable_data::diagnostic::{Code, Diagnostic, Diagnostics};
use sandtable_data::suggest::did_you_mean;
use sandtable_kernel::limit::{Figure, Most};
use std::collections::{BTreeMap, BTreeSet};

/// Reports rows of tables that no script and no other table names.
pub(crate) fn rows(context: &LintContext<'_>, out: &mut Diagnostics) {
    let kinds: &[(&str, Code, &[ArgRole], &str)] = &[
        (
            "option",
            &codes::OPTION_UNUSED,
            &[ArgRole::Option, ArgRole::OptionTest],
            "is never read, so that it changes nothing",
        ),
        ("prompt", &codes::TEXT_UNUSED, &[ArgRole::Prompt], "is never asked"),
        ("text", &codes::TEXT_UNUSED, &[ArgRole::Text, ArgRole::Sentence], "is never shown"),
        ("value", &codes::FIGURE_UNUSED, &[ArgRole::Value], "is never read"),
        ("table", &codes::FIGURE_UNUSED, &[ArgRole::Table], "is never read"),
    ];
    for (kind, code, arg_roles, what) in kinds {
        let Some(table) = context.catalog.root.get(kind).and_then(|node| node.as_table()) else { continue };
        for (id, entry) in table.entries() {
            if entry.node.as_table().is_none() && ["source", "rule", "note"].contains(&id) {
                continue;
            }
            let roll = id.strip_prefix("roll.").filter(|_| *kind == "text");
            let rolled = roll.is_some_and(|label| context.mentions.has(label, &[ArgRole::Roll]));
            let limits = *kind == "value" && in_limits(context).any(|(value, _)| value == id);
            if !rolled && !limits && !context.mentions.has(id, arg_roles) && !context.names.data.contains(id)
            {
                out.push(Diagnostic::warning(code, entry.key, format!("{kind}.{id} {what}")));
            }
        }
    }
}

/// The figures of the rulebook that limits read: id, and key if it is one of several.
fn in_limits<'a>(context: &'a LintContext<'_>) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
    let world = &context.definition.world;
    world.limits.iter().filter_map(|limit| match &limit.most {
        Most::Everywhere(Figure::Value(id, key)) | Most::Query(_, Figure::Value(id, key)) => {
            Some((world.symbols.text(*id), key.as_deref()))
        }
        _ => None,
    })
}

/// Reports attributes that no script, display or scenario names.
pub(crate) fn attributes(context: &LintContext<'_>, out: &mut Diagnostics) {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for facts in context.scripts {
        used.extend(facts.fields.iter().chain(&facts.assigned).map(|field| field.name.as_str()));
        used.extend(facts.given.iter().map(String::as_str));
        used.extend(facts.texts.iter().map(|text| text.value.as_str()));
        for key in &facts.keys {
            used.insert(&key.name);
            used.extend(["not_", "min_", "max_"].iter().filter_map(|mode| key.name.strip_prefix(mode)));
        }
    }
    let world = &context.definition.world;
    used.extend(world.limits.iter().flat_map(|limit| &limit.of).map(|part| world.symbols.text(part.name)));
    let parts = |text: &'_ String| {
        text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    let in_data: BTreeSet<String> = context.names.data.iter().flat_map(parts).collect();
    for (owner, node) in context.catalog.rows("attribute") {
        for (name, entry) in node.as_table().into_iter().flat_map(|table| table.entries()) {
            let joined =
                context.scripts.iter().flat_map(|facts| &facts.joined).any(|joined| joined.fits(name));
            let by_name = used.contains(name) || in_data.contains(name) || joined;
            let looped = context.definition.sequence.nodes.iter().any(|node| {
                matches!(&node.kind, sandtable_data::definition::NodeKind::Each { variable, .. } if variable == name)
            });
            if !by_name && !looped {
                let message = format!("attribute.{owner}.{name} is never read or set");
                out.push(Diagnostic::warning(&codes::ATTRIBUTE_UNUSED, entry.key, message));
            }
        }
    }
}

/// Keys that say something about a figure and are none.
const ABOUT: &[&str] = &["rule", "source", "sources", "note", "is"];

/// Reports keys of values that no script and no limit reads. Only of values that scripts read key by key, `value "stack".units`: what becomes of a whole
/// table that is handed on cannot be told.
pub(crate) fn keys(context: &LintContext<'_>, out: &mut Diagnostics) {
    let mut read: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for (id, key) in context.scripts.iter().flat_map(|facts| &facts.figures) {
        let (count, keys) = read.entry(id).or_default();
        *count += 1;
        keys.insert(&key.name);
    }
    for (id, key) in in_limits(context) {
        read.entry(id).or_default().1.extend(key);
    }
    for (id, row) in context.catalog.rows("value") {
        let (Some((count, read)), Some(table)) = (read.get(id), row.as_table()) else { continue };
        let texts = context.scripts.iter().flat_map(|facts| &facts.texts);
        let joined = context.mentions.joined(&[ArgRole::Value]).any(|joined| joined.fits(id));
        let forwarded = texts.filter(|text| text.value == id).count() > *count;
        // A misspelt key is reported where it is read.
        let misspelt = read.iter().any(|key| !table.contains(key));
        if joined || forwarded || misspelt || context.names.data.contains(id) {
            continue;
        }
        for (key, entry) in table.entries().filter(|(key, _)| !ABOUT.contains(key) && !read.contains(key)) {
            let help = did_you_mean(key, read.iter().copied());
            let message = format!("value.{id}.{key} is never read");
            out.push(Diagnostic::warning(&codes::FIGURE_UNUSED, entry.key, message).help(help));
        }
    }
}

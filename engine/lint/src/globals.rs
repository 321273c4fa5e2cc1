//! Names that scripts use: globals, methods and fields that nothing defines, and values kept outside the state.

use crate::codes;
use crate::context::LintContext;
use crate::facts::{Callee, Facts, Field, Name};
use crate::names::{FILTERS, LIBRARIES, Set};
use sandtable_data::diagnostic::{Code, Diagnostic, Diagnostics};
use sandtable_data::suggest::did_you_mean;
use std::collections::BTreeSet;

/// Methods of lists whose argument names a field.
const BY_FIELD: &[&str] = &["sum", "map", "distinct"];

/// Reports unknown globals; a layer sees those of what comes before it, a library its own only.
pub(crate) fn globals(context: &LintContext<'_>, out: &mut Diagnostics) {
    let library =
        |layer: u16| context.catalog.layers.get(usize::from(layer)).is_some_and(|found| found.library);
    for facts in context.scripts {
        let apart = |other: &Facts| library(other.layer) || library(facts.layer);
        let sees = |other: &&Facts| other.layer == facts.layer || other.layer < facts.layer && !apart(other);
        let visible = context.scripts.iter().filter(sees);
        let own: BTreeSet<&str> =
            visible.flat_map(|other| other.sets.iter().map(|(name, _)| name.name.as_str())).collect();
        for name in &facts.reads {
            if own.contains(name.name.as_str()) || context.names.api.contains(&name.name) {
                continue;
            }
            let names = own.iter().copied().chain(context.names.api.iter().map(String::as_str));
            out.push(unknown(&codes::UNKNOWN_GLOBAL, name, "is not defined anywhere", names));
        }
        for (name, in_function) in &facts.sets {
            if *in_function {
                let message = format!(
                    "a function assigns the global `{}`; it would keep its value outside the state",
                    name.name
                );
                out.push(Diagnostic::error(&codes::KEPT_STATE, name.span, message));
            } else if context.names.api.contains(&name.name)
                && !context.scripts.iter().any(|other| other.layer < facts.layer)
            {
                let message = format!(
                    "`{}` is a function of the API; a global of this name hides it from all scripts",
                    name.name
                );
                out.push(Diagnostic::warning(&codes::KEPT_STATE, name.span, message));
            }
        }
        for name in &facts.kept_tables {
            let message = format!(
                "a rule writes into `{}`, a table that is made while scripts load; it would keep values outside the state",
                name.name
            );
            out.push(Diagnostic::error(&codes::KEPT_STATE, name.span, message));
        }
        for name in &facts.kept {
            let message = format!(
                "a function assigns `{}`, a local of the whole script; it would keep its value outside the state",
                name.name
            );
            out.push(Diagnostic::error(&codes::KEPT_STATE, name.span, message));
        }
    }
}

fn unknown<'n>(code: Code, name: &Name, what: &str, names: impl Iterator<Item = &'n str>) -> Diagnostic {
    Diagnostic::error(code, name.span, format!("`{}` {what}", name.name))
        .help(did_you_mean(&name.name, names))
}

/// Reports methods, fields and keys of filters that nothing has.
pub(crate) fn members(context: &LintContext<'_>, out: &mut Diagnostics) {
    let names = &context.names;
    let given: Set = context.scripts.iter().flat_map(|facts| facts.given.iter().cloned()).collect();
    let read: BTreeSet<&str> = context
        .scripts
        .iter()
        .flat_map(|facts| facts.fields.iter().map(|field| field.name.as_str()))
        .collect();
    let assigned: BTreeSet<&str> = context
        .scripts
        .iter()
        .flat_map(|facts| facts.assigned.iter().map(|field| field.name.as_str()))
        .collect();
    let declared = |name: &str| names.fields.contains_key(name) || names.members.contains(name);
    let elsewhere = |name: &str| given.contains(name) || names.keys.contains(name);
    for facts in context.scripts {
        for method in &facts.methods {
            if !names.methods.contains(&method.name) && !given.contains(&method.name) {
                let all = names.methods.iter().map(String::as_str);
                out.push(unknown(&codes::UNKNOWN_METHOD, method, "is not a method of any value", all));
            }
        }
        for field in facts.fields.iter().chain(&facts.assigned) {
            if let Some(strict) = strict(context, field) {
                if !strict.names.contains(&field.name.as_str()) {
                    let message = format!("{} has no `{}`", strict.owner, field.name);
                    let help = did_you_mean(&field.name, strict.names.iter().copied());
                    out.push(Diagnostic::error(&codes::UNKNOWN_FIELD, field.span, message).help(help));
                }
                continue;
            }
            let is_read = read.contains(field.name.as_str());
            let known = declared(&field.name)
                || elsewhere(&field.name)
                || is_read && assigned.contains(field.name.as_str());
            if !known {
                let what = if is_read {
                    "is a field of nothing"
                } else {
                    "is assigned, but declared nowhere and never read"
                };
                let name = Name { name: field.name.clone(), span: field.span };
                let all = names.fields.keys().chain(&names.members).chain(&given).map(String::as_str);
                out.push(unknown(&codes::UNKNOWN_FIELD, &name, what, all));
            }
        }
        for text in &facts.texts {
            let by_field = text.slot.as_ref().is_some_and(|slot| {
                slot.argument == 0
                    && slot.key.is_none()
                    && matches!(&slot.callee, Callee::Method(name) if BY_FIELD.contains(&name.as_str()))
            });
            if by_field && !declared(&text.value) && !given.contains(&text.value) {
                let span = crate::refs::inner(text.span);
                let name = Name { name: text.value.clone(), span };
                let all = names.fields.keys().chain(&names.members).map(String::as_str);
                out.push(unknown(&codes::UNKNOWN_FIELD, &name, "is a field of nothing", all));
            }
        }
        for key in &facts.keys {
            let filter = match &key.slot.callee {
                Callee::Global(name) => name == "pieces" || name == "spaces",
                Callee::Method(name) => ["filter", "any", "all"].contains(&name.as_str()),
                _ => false,
            };
            let bare = ["not_", "min_", "max_"]
                .iter()
                .find_map(|mode| key.name.strip_prefix(mode))
                .unwrap_or(&key.name);
            if filter && !FILTERS.contains(&key.name.as_str()) && !declared(&key.name) && !declared(bare) {
                let name = Name { name: key.name.clone(), span: key.span };
                let all = names
                    .fields
                    .keys()
                    .chain(&names.members)
                    .map(String::as_str)
                    .chain(FILTERS.iter().copied());
                out.push(unknown(
                    &codes::UNKNOWN_FIELD,
                    &name,
                    "is not a field that a filter could look at",
                    all,
                ));
            }
        }
    }
}

/// A value whose fields are all known.
struct Strict<'n> {
    owner: String,
    names: Vec<&'n str>,
}

fn strict<'n>(context: &'n LintContext<'_>, field: &Field) -> Option<Strict<'n>> {
    let names = |set: &'n Set| set.iter().map(String::as_str).collect();
    if field.of_side {
        return Some(Strict { owner: "a side".into(), names: names(&context.names.side) });
    }
    match field.of.as_deref()? {
        "game" => Some(Strict { owner: "`game`".into(), names: names(&context.names.game) }),
        "sides" => Some(Strict { owner: "`sides`".into(), names: names(&context.names.sides) }),
        of => LIBRARIES
            .iter()
            .find(|library| library.0 == of)
            .map(|library| Strict { owner: format!("`{of}`"), names: library.1.to_vec() }),
    }
}

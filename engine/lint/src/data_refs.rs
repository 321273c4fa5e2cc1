//! References in data: a value that a script takes for the id of a piece, space or effect must be one.
//!
//! `piece(card.brings)` says what the field `brings` holds, `space(value "barges".town)` what that figure holds.

use crate::arg_roles::ArgRole;
use crate::codes;
use crate::context::LintContext;
use crate::facts::Passed;
use crate::names::Set;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::suggest::did_you_mean;
use sandtable_data::tree::{Node, Value};
use sandtable_kernel::state::Type;
use std::collections::BTreeSet;

/// Reports values of rows and figures that name nothing. Where a game declares what a field names, that is what counts: loading
/// looks at what tables know, here are the effects, which scripts know.
pub(crate) fn check(context: &LintContext<'_>, out: &mut Diagnostics) {
    declared(context, out);
    let mut seen = BTreeSet::new();
    for facts in context.scripts {
        for passed in &facts.passed {
            let arg_roles = context.arg_roles.of(facts.file, &passed.slot);
            let [role] = arg_roles[..] else { continue };
            let Some((what, sets)) = names(context, role) else { continue };
            let name = passed.key.as_ref().or(passed.figure.as_ref());
            if context.definition.references.iter().any(|reference| Some(&reference.field) == name) {
                continue;
            }
            if !seen.insert((passed.figure.clone(), passed.key.clone(), what)) {
                continue;
            }
            for (owner, node) in values(context, passed) {
                // `none` is how data says that there is nothing.
                let Some(text) = node.as_str().filter(|text| !text.is_empty() && *text != "none") else {
                    continue;
                };
                let known = sets.iter().any(|set| set.contains(text))
                    || role == ArgRole::Effect
                        && context.mentions.has(text, &[ArgRole::EffectRead, ArgRole::Effect]);
                if !known {
                    let message = format!("{owner} is \"{text}\"; there is no such {what}");
                    let mentioned =
                        context.mentions.of(ArgRole::EffectRead).filter(|_| role == ArgRole::Effect);
                    let all = sets.iter().flat_map(|set| set.iter().map(String::as_str)).chain(mentioned);
                    out.push(
                        Diagnostic::error(&codes::UNKNOWN_IN_DATA, node.origin, message)
                            .help(did_you_mean(text, all))
                            .label(passed.span, format!("taken for a {what} here")),
                    );
                }
            }
        }
    }
}

/// Reports texts that are declared to name an effect and name none.
fn declared(context: &LintContext<'_>, out: &mut Diagnostics) {
    let arg_roles = [ArgRole::EffectRead, ArgRole::Effect];
    for reference in context.definition.references.iter().filter(|reference| reference.of == "effect") {
        let mut seen = BTreeSet::new();
        for given in &reference.given {
            if context.mentions.has(&given.text, &arg_roles)
                || !seen.insert((given.origin.span(), &given.text))
            {
                continue;
            }
            let message = format!("{} is \"{}\"; no rule looks for such an effect", given.owner, given.text);
            let names = arg_roles.iter().flat_map(|&role| context.mentions.of(role));
            out.push(
                Diagnostic::error(&codes::UNKNOWN_IN_DATA, given.origin, message)
                    .help(did_you_mean(&given.text, names))
                    .label(reference.declared, "declared here"),
            );
        }
    }
}

/// What a place wants that data can name, and all there are.
fn names<'a>(context: &'a LintContext<'_>, role: ArgRole) -> Option<(&'static str, Vec<&'a Set>)> {
    let names = &context.names;
    Some(match role {
        ArgRole::Piece | ArgRole::Row => ("piece", vec![&names.pieces]),
        ArgRole::Space => ("space", vec![&names.spaces]),
        ArgRole::Place => ("space or piece", vec![&names.spaces, &names.pieces]),
        ArgRole::Effect => ("effect that a rule waits for", Vec::new()),
        _ => return None,
    })
}

/// The values in question: of a figure, or of all rows with a text in that field.
fn values<'a>(context: &LintContext<'a>, passed: &Passed) -> Vec<(String, &'a Node)> {
    if let Some(figure) = &passed.figure {
        let row = context.catalog.row("value", figure);
        let node = match &passed.key {
            Some(key) => row.and_then(|row| row.get("is").unwrap_or(row).get(key)),
            None => row.map(|row| row.get("is").unwrap_or(row)),
        };
        let name =
            passed.key.as_ref().map_or(format!("value.{figure}"), |key| format!("value.{figure}.{key}"));
        return node.map(|node| (name, node)).into_iter().collect();
    }
    let Some(field) = &passed.key else { return Vec::new() };
    let is_text = |types: &Vec<Type>| types.iter().all(|ty| matches!(ty, Type::Text));
    if !context.names.fields.get(field).is_some_and(is_text) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for kind in context.names.kinds.iter().map(String::as_str).chain(["hex", "area", "box", "pile"]) {
        for (id, row) in context.catalog.rows(kind) {
            if let Some(node) = row.get(field).filter(|node| matches!(node.value, Value::Str(_))) {
                found.push((format!("`{field}` of {kind}.{id}"), node));
            }
        }
    }
    found
}

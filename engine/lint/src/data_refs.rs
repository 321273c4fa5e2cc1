//! References in data: a value that a script takes for the id of a piece, space or effect must be one.
//!
//! `piece(card.brings)` says what the field `brings` holds, `space(value "barges".town)` what that figure holds.

use crate::codes;
use crate::facts::Passed;
use crate::look::Look;
use crate::names::Set;
use crate::wants::Want;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::suggest::did_you_mean;
use sandtable_data::tree::{Node, Value};
use sandtable_kernel::state::Type;
use std::collections::BTreeSet;

/// Reports values of rows and figures that name nothing. Where a game declares what a field names, that is what counts: loading
/// looks at what tables know, here are the effects, which scripts know.
pub(crate) fn check(look: &Look<'_>, out: &mut Diagnostics) {
    declared(look, out);
    let mut seen = BTreeSet::new();
    for facts in look.scripts {
        for passed in &facts.passed {
            let wants = look.wants.of(facts.file, &passed.slot);
            let [want] = wants[..] else { continue };
            let Some((what, sets)) = names(look, want) else { continue };
            let name = passed.key.as_ref().or(passed.figure.as_ref());
            if look.definition.references.iter().any(|reference| Some(&reference.field) == name) {
                continue;
            }
            if !seen.insert((passed.figure.clone(), passed.key.clone(), what)) {
                continue;
            }
            for (owner, node) in values(look, passed) {
                // `none` is how data says that there is nothing.
                let Some(text) = node.as_str().filter(|text| !text.is_empty() && *text != "none") else {
                    continue;
                };
                let known = sets.iter().any(|set| set.contains(text))
                    || want == Want::Effect && look.mentions.has(text, &[Want::EffectRead, Want::Effect]);
                if !known {
                    let message = format!("{owner} is \"{text}\"; there is no such {what}");
                    let mentioned = look.mentions.of(Want::EffectRead).filter(|_| want == Want::Effect);
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
fn declared(look: &Look<'_>, out: &mut Diagnostics) {
    let wants = [Want::EffectRead, Want::Effect];
    for reference in look.definition.references.iter().filter(|reference| reference.of == "effect") {
        let mut seen = BTreeSet::new();
        for given in &reference.given {
            if look.mentions.has(&given.text, &wants) || !seen.insert((given.origin.span(), &given.text)) {
                continue;
            }
            let message = format!("{} is \"{}\"; no rule looks for such an effect", given.owner, given.text);
            let names = wants.iter().flat_map(|&want| look.mentions.of(want));
            out.push(
                Diagnostic::error(&codes::UNKNOWN_IN_DATA, given.origin, message)
                    .help(did_you_mean(&given.text, names))
                    .label(reference.declared, "declared here"),
            );
        }
    }
}

/// What a place wants that data can name, and all there are.
fn names<'a>(look: &'a Look<'_>, want: Want) -> Option<(&'static str, Vec<&'a Set>)> {
    let names = &look.names;
    Some(match want {
        Want::Piece | Want::Row => ("piece", vec![&names.pieces]),
        Want::Space => ("space", vec![&names.spaces]),
        Want::Place => ("space or piece", vec![&names.spaces, &names.pieces]),
        Want::Effect => ("effect that a rule waits for", Vec::new()),
        _ => return None,
    })
}

/// The values in question: of a figure, or of all rows with a text in that field.
fn values<'a>(look: &Look<'a>, passed: &Passed) -> Vec<(String, &'a Node)> {
    if let Some(figure) = &passed.figure {
        let row = look.catalog.row("value", figure);
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
    if !look.names.fields.get(field).is_some_and(is_text) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for kind in look.names.kinds.iter().map(String::as_str).chain(["hex", "area", "box", "pile"]) {
        for (id, row) in look.catalog.rows(kind) {
            if let Some(node) = row.get(field).filter(|node| matches!(node.value, Value::Str(_))) {
                found.push((format!("`{field}` of {kind}.{id}"), node));
            }
        }
    }
    found
}

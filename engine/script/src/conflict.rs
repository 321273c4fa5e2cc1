//! Layers that change the same handler although neither needs the other.
//!
//! | one layer | another | conflict |
//! |---|---|---|
//! | wraps | wraps | no: the two chain |
//! | disables | disables | no |
//! | replaces or disables | replaces, wraps, or disables what the first replaces | yes |
//!
//! A third layer that needs both and replaces or disables the handler resolves it.

use crate::error::ScriptError;
use crate::host::Script;
use crate::registry::{LayerChange, Registry};

/// Most conflicts that are told at a time.
const TOLD: usize = 100;

/// Returns an error for every pair of changes that no order between their layers makes right.
pub(crate) fn conflicts(registry: &Registry, scripts: &[Script]) -> Vec<ScriptError> {
    let needs = |a: u16, b: u16| scripts.iter().any(|script| script.layer == a && script.needs.contains(&b));
    let changes = &registry.changes;
    let mut errors = Vec::new();
    for (at, one) in changes.iter().enumerate() {
        for other in changes[at + 1..].iter().filter(|other| other.handler == one.handler) {
            let settled =
                one.layer == other.layer || needs(one.layer, other.layer) || needs(other.layer, one.layer);
            let resolved = || {
                changes.iter().any(|third| {
                    third.handler == one.handler
                        && third.verb != "wrap"
                        && needs(third.layer, one.layer)
                        && needs(third.layer, other.layer)
                })
            };
            if !settled && (one.verb != other.verb || one.verb == "replace") && !resolved() {
                errors.push(error(registry, scripts, one, other));
                if errors.len() >= TOLD {
                    return errors;
                }
            }
        }
    }
    errors
}

fn error(registry: &Registry, scripts: &[Script], one: &LayerChange, other: &LayerChange) -> ScriptError {
    let id = registry.handlers.get(one.handler as usize).map_or("?", |handler| handler.id.as_str());
    let message = format!(
        "layer {} {}s `{id}`, layer {} {}s it, and neither needs the other",
        layer_name(scripts, one.layer),
        one.verb,
        layer_name(scripts, other.layer),
        other.verb,
    );
    ScriptError { place: place(&other.place), other: place(&one.place), ..ScriptError::new(message) }
}

fn place(text: &str) -> Option<(String, u32)> {
    let (file, line) = text.rsplit_once(':')?;
    Some((file.to_string(), line.parse().ok()?))
}

/// The package that the scripts of a layer are named after.
fn layer_name(scripts: &[Script], layer: u16) -> &str {
    let name = scripts.iter().find(|script| script.layer == layer).map_or("?", |script| script.name.as_str());
    name.split_once('/').map_or(name.trim_end_matches(".lua"), |(package, _)| package)
}

//! Layers that change the same handler although neither needs the other.
//!
//! | one layer | another | conflict |
//! |---|---|---|
//! | wraps | wraps | no: the two chain |
//! | disables | disables | no |
//! | replaces or disables | replaces, wraps, or disables what the first replaces | yes |

use crate::codes;
use crate::facts::{Callee, Facts, Text};
use crate::refs::inner;
use sandtable_data::catalog::Catalog;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::origin::LayerId;
use std::collections::BTreeMap;

/// Reports every pair of independent layers that cannot both have their way with a handler.
pub(crate) fn conflicts(catalog: &Catalog, scripts: &[Facts], out: &mut Diagnostics) {
    let mut changes: BTreeMap<&str, Vec<(u16, &str, &Text)>> = BTreeMap::new();
    for facts in scripts {
        for text in &facts.texts {
            let Some(slot) = text.slot.as_ref().filter(|slot| slot.argument == 0 && slot.key.is_none())
            else {
                continue;
            };
            if let Callee::Global(verb) = &slot.callee
                && ["wrap", "replace", "disable"].contains(&verb.as_str())
            {
                let id = text.value.rsplit(':').next().unwrap_or_default();
                changes.entry(id).or_default().push((facts.layer, verb, text));
            }
        }
    }
    let needs = |a: u16, b: u16| {
        catalog.layers.get(usize::from(a)).is_some_and(|layer| layer.needs.contains(&LayerId(b)))
    };
    for (id, changes) in changes {
        for (at, (one, verb, text)) in changes.iter().enumerate() {
            for (other, second, place) in &changes[at + 1..] {
                let settled = one == other || needs(*one, *other) || needs(*other, *one);
                if settled || verb == second && *verb != "replace" {
                    continue;
                }
                let (first, later) = (catalog.layer_name(LayerId(*one)), catalog.layer_name(LayerId(*other)));
                let message = format!(
                    "layer {first} {verb}s `{id}`, layer {later} {second}s it, and neither needs the other"
                );
                out.push(
                    Diagnostic::error(&codes::HANDLER_CONFLICT, inner(place.span), message)
                        .label(inner(text.span), format!("layer {first}")),
                );
            }
        }
    }
}

//! Cards without effect, and effects without card.
//!
//! A script that runs `"card." .. card.id` declares a family of procedures: one for each row by the value of that field. A
//! row needs no procedure of its own if data says all. So one without is reported only if it is of the same sort as rows with one: has none
//! but fields that these have, words that occur among theirs, and truth values where conditions around the call look at them. A procedure of
//! the family is reported if no row runs it.

use crate::arg_roles::ArgRole;
use crate::codes;
use crate::context::LintContext;
use crate::facts::Joined;
use crate::place;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::source::Span;
use sandtable_data::suggest::did_you_mean;
use sandtable_data::tree::{Node, Value};
use sandtable_kernel::state::Type;
use sandtable_script::{Kind, ScriptContext};
use std::collections::{BTreeMap, BTreeSet};

/// A row that may run a procedure: its kind, id, place and the value of the field.
struct Row<'a> {
    kind: &'a str,
    name: String,
    node: &'a Node,
    value: String,
}

/// Looks at every family of procedures.
pub(crate) fn families(context: &LintContext<'_>, cx: &ScriptContext, out: &mut Diagnostics) {
    let registry = cx.registry.borrow();
    let procedures: BTreeMap<&str, &str> = registry
        .handlers
        .iter()
        .filter(|handler| handler.kind == Kind::Procedure)
        .map(|handler| (handler.id.as_str(), handler.place.as_str()))
        .collect();
    let mut seen = BTreeSet::new();
    for joined in context.mentions.joined(&[ArgRole::Procedure]) {
        let in_call = joined.slot.as_ref().is_some_and(|slot| slot.argument == 0 && slot.key.is_none());
        let Some(field) = joined.field.as_deref().filter(|_| in_call && joined.suffix.is_empty()) else {
            continue;
        };
        if joined.prefix.len() < 3 || !seen.insert((joined.prefix.clone(), field.to_string())) {
            continue;
        }
        let rows = rows(context, field);
        without_effect(context, joined, field, &rows, &procedures, out);
        without_card(context, joined, field, &rows, &procedures, out);
    }
}

fn without_effect(
    context: &LintContext<'_>,
    joined: &Joined,
    field: &str,
    rows: &[Row<'_>],
    procedures: &BTreeMap<&str, &str>,
    out: &mut Diagnostics,
) {
    let runs = |row: &&Row<'_>| procedures.contains_key(format!("{}{}", joined.prefix, row.value).as_str());
    let with: Vec<&Row<'_>> = rows.iter().filter(runs).collect();
    // A script that names the row, by itself or in the name of a rule, does something with it.
    let about_it = |arg_roles: &[ArgRole]| {
        arg_roles.is_empty()
            || arg_roles.iter().any(|role| {
                matches!(
                    role,
                    ArgRole::Piece | ArgRole::Row | ArgRole::Place | ArgRole::Procedure | ArgRole::Defined
                )
            })
    };
    let names_it = |text: &str, row: &Row<'_>| {
        text.strip_suffix(&row.value).is_some_and(|head| head.is_empty() || head.ends_with('.'))
    };
    let named = |row: &&Row<'_>| {
        context.scripts.iter().any(|facts| {
            facts.texts.iter().filter(|text| names_it(&text.value, row)).any(|text| {
                about_it(
                    &text
                        .slot
                        .as_ref()
                        .map(|slot| context.arg_roles.of(facts.file, slot))
                        .unwrap_or_default(),
                )
            })
        })
    };
    for row in rows.iter().filter(|row| !runs(row) && !named(row)) {
        let kin: Vec<&Row<'_>> = with.iter().filter(|other| other.kind == row.kind).copied().collect();
        let Some(twin) = kin.first().filter(|_| same_sort(context, &joined.tested, row, &kin)) else {
            continue;
        };
        let wanted = format!("{}{}", joined.prefix, row.value);
        let message = format!(
            "{} has no effect: there is no procedure `{wanted}`, and {}, of the same sort, has one",
            row.name, twin.name
        );
        let help = did_you_mean(&wanted, procedures.keys().copied());
        out.push(
            Diagnostic::warning(&codes::NO_EFFECT, row.node.origin, message)
                .label(joined.span, format!("run here, by `{field}`"))
                .help(help),
        );
    }
}

fn without_card(
    context: &LintContext<'_>,
    joined: &Joined,
    field: &str,
    rows: &[Row<'_>],
    procedures: &BTreeMap<&str, &str>,
    out: &mut Diagnostics,
) {
    let values: BTreeSet<&str> = rows.iter().map(|row| row.value.as_str()).collect();
    let family: Vec<(&str, &str, &str)> = procedures
        .iter()
        .filter_map(|(id, place)| Some((*id, *place, id.strip_prefix(joined.prefix.as_str())?)))
        .collect();
    // Where few of them belong to rows the prefix is used for other things too.
    let owned = family.iter().filter(|(.., value)| values.contains(value)).count();
    if owned * 2 < family.len() {
        return;
    }
    for (id, at, value) in family {
        // Stages of one of them, and what is called by its own name.
        let part = family_part(value, &values);
        if values.contains(value) || part || named(context, id) {
            continue;
        }
        let message = format!("procedure `{id}` belongs to no row: none has `{value}` as its `{field}`");
        let help = did_you_mean(value, values.iter().copied());
        out.push(Diagnostic::warning(&codes::NO_CARD, text_place(context, id, at), message).help(help));
    }
}

fn family_part(value: &str, values: &BTreeSet<&str>) -> bool {
    value.rsplit_once('.').is_some_and(|(whole, _)| values.contains(whole))
}

/// Whether scripts or tables name it in full.
fn named(context: &LintContext<'_>, id: &str) -> bool {
    context.mentions.of(ArgRole::Procedure).any(|name| name == id)
        || context.names.nodes.contains(id)
        || context.names.data.contains(id)
}

fn text_place(context: &LintContext<'_>, text: &str, at: &str) -> Span {
    let found = context.scripts.iter().flat_map(|facts| &facts.texts).find(|found| found.value == text);
    if let Some(found) = found {
        return crate::refs::inner(found.span);
    }
    let (path, line) = at.rsplit_once(':').unwrap_or((at, "1"));
    place::of_path(context.catalog, path)
        .map_or(Span::default(), |file| place::of_line(context.catalog, file, line.parse().unwrap_or(1)))
}

/// All rows of pieces that have a value of the field.
fn rows<'a>(context: &'a LintContext<'_>, field: &str) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for kind in &context.names.kinds {
        for (id, node) in context.catalog.rows(kind) {
            let value = match field {
                "id" | "type" => Some(id.to_string()),
                _ => node.get(field).and_then(word),
            };
            if let Some(value) = value {
                rows.push(Row { kind, name: format!("{kind}.{id}"), node, value });
            }
        }
    }
    rows
}

fn word(node: &Node) -> Option<String> {
    match &node.value {
        Value::Str(text) => Some(text.clone()),
        Value::Int(n) => Some(n.to_string()),
        _ => None,
    }
}

/// Whether a row has nothing that rows with a procedure do not have too.
fn same_sort(context: &LintContext<'_>, tested: &[String], row: &Row<'_>, kin: &[&Row<'_>]) -> bool {
    context.names.fields.iter().filter(|(field, _)| !["side", "text", "count"].contains(&field.as_str())).all(
        |(field, types)| {
            let of = |row: &Row<'_>| row.node.get(field).map(|node| node.value.brief());
            let is_tested = tested.contains(field);
            let mine = of(row);
            let mut theirs = kin.iter().map(|row| of(row));
            if types.iter().any(|ty| matches!(ty, Type::Enum(_))) {
                theirs.any(|other| other == mine)
            } else if types.iter().any(|ty| matches!(ty, Type::Bool)) {
                !is_tested || theirs.any(|other| is_true(&other) == is_true(&mine))
            } else if is_tested {
                theirs.any(|other| other.is_some() == mine.is_some())
            } else {
                mine.is_none() || theirs.any(|other| other.is_some())
            }
        },
    )
}

fn is_true(value: &Option<String>) -> bool {
    value.as_deref() == Some("true")
}

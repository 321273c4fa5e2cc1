//! Options, texts and figures that nothing reads.

use crate::codes;
use crate::look::Look;
use crate::wants::Want;
use sandtable_data::diagnostic::{Code, Diagnostic, Diagnostics};

/// Reports rows of tables that no script and no other table names.
pub(crate) fn rows(look: &Look<'_>, out: &mut Diagnostics) {
    let kinds: &[(&str, Code, &[Want], &str)] = &[
        (
            "option",
            &codes::OPTION_UNUSED,
            &[Want::Option, Want::OptionTest],
            "is never read, so that it changes nothing",
        ),
        ("prompt", &codes::TEXT_UNUSED, &[Want::Prompt], "is never asked"),
        ("text", &codes::TEXT_UNUSED, &[Want::Text, Want::Sentence], "is never shown"),
        ("value", &codes::FIGURE_UNUSED, &[Want::Value], "is never read"),
        ("table", &codes::FIGURE_UNUSED, &[Want::Table], "is never read"),
    ];
    for (kind, code, wants, what) in kinds {
        let Some(table) = look.catalog.root.get(kind).and_then(|node| node.as_table()) else { continue };
        for (id, entry) in table.entries() {
            if entry.node.as_table().is_none() && ["source", "rule", "note"].contains(&id) {
                continue;
            }
            if !look.mentions.has(id, wants) && !look.names.data.contains(id) {
                out.push(Diagnostic::warning(code, entry.key, format!("{kind}.{id} {what}")));
            }
        }
    }
}

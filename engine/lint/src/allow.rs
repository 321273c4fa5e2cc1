//! `allow NAME: REASON`: comments that say why a warning is none, and `game.allow` for a whole game.

use crate::codes;
use sandtable_data::catalog::Catalog;
use sandtable_data::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use sandtable_data::diagnostic_codes;
use sandtable_data::source::{FileId, Span};
use sandtable_data::suggest::did_you_mean;
use sandtable_data::tree::Node;
use std::collections::BTreeMap;

/// A comment that allows something.
struct Allow {
    code: Option<Code>,
    name: String,
    reason: bool,
    span: Span,
    used: bool,
}

/// Takes allowed warnings out, and reports comments that allow nothing.
///
/// `whole` says whether everything was looked at; if not, what a comment allows may not have been found.
pub(crate) fn apply(catalog: &Catalog, found: Diagnostics, tables: &[&[Code]], whole: bool) -> Diagnostics {
    let mut allows = comments(catalog, tables);
    let mut out = Diagnostics::new();
    for problem in found {
        if problem.severity == Severity::Warning
            && (is_allowed(catalog, &problem, &mut allows) || for_all(catalog, &problem))
        {
            continue;
        }
        out.push(problem);
    }
    let names: Vec<&str> = tables.iter().flat_map(|table| table.iter().map(|code| code.name)).collect();
    for allow in allows.into_values() {
        let message = match (allow.code, allow.reason, allow.used) {
            (None, ..) => format!("`allow {}`: there is no warning of this name", allow.name),
            (_, false, _) => format!("`allow {}` gives no reason", allow.name),
            (_, _, false) if whole => format!("`allow {}`: there is nothing here to allow", allow.name),
            _ => continue,
        };
        let help = if allow.code.is_none() { did_you_mean(&allow.name, names.iter().copied()) } else { None };
        out.push(Diagnostic::warning(&codes::BAD_ALLOW, allow.span, message).help(help));
    }
    out
}

/// The comments by file and line.
fn comments(catalog: &Catalog, tables: &[&[Code]]) -> BTreeMap<(FileId, u32), Allow> {
    let mut allows = BTreeMap::new();
    for (file, source) in catalog.sources.iter() {
        let mark = if source.path().ends_with(".lua") {
            "-- allow "
        } else if source.path().ends_with(".toml") {
            "# allow "
        } else {
            continue;
        };
        for (at, rest) in source.text().match_indices(mark) {
            let rest = rest.len() + at;
            let comment = source.text()[rest..].lines().next().unwrap_or_default();
            let (name, reason) = comment.split_once(':').unwrap_or((comment, ""));
            let name = name.trim();
            if name.contains(' ') || name.is_empty() {
                continue;
            }
            let span = Span::new(file, at, rest + comment.trim_end().len());
            let line = source.position(span.start).line;
            let code = diagnostic_codes::explain(name, tables);
            allows.insert(
                (file, line),
                Allow { code, name: name.into(), reason: !reason.trim().is_empty(), span, used: false },
            );
        }
    }
    allows
}

fn is_allowed(catalog: &Catalog, problem: &Diagnostic, allows: &mut BTreeMap<(FileId, u32), Allow>) -> bool {
    let Some(span) = problem.span else { return false };
    let line = crate::place::line(catalog, span);
    for line in [line, line.saturating_sub(1)] {
        if let Some(allow) = allows.get_mut(&(span.file, line))
            && allow.code == Some(problem.code)
        {
            allow.used = true;
            return allow.reason;
        }
    }
    false
}

/// `game.allow.NAME = "REASON"`.
fn for_all(catalog: &Catalog, problem: &Diagnostic) -> bool {
    let reason = catalog.at(&["game".into(), "allow".into(), problem.code.name.into()]);
    reason.and_then(Node::as_str).is_some_and(|reason| !reason.trim().is_empty())
}

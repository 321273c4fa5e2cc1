//! Reading scripts: syntax errors with line and column, and the facts of what can be read.

use crate::facts::Facts;
use crate::{codes, guard, walk};
use full_moon::LuaVersion;
use sandtable_data::catalog::Catalog;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::source::Span;
use sandtable_script::{Script, ScriptError, syntax_errors};
use sandtable_session::Game;

/// Syntax errors reported for one file; what follows them is often their consequence.
const MOST_OF_A_FILE: usize = 5;

/// Parses all scripts of a catalog. The facts of a script with errors are left out.
pub(crate) fn parse(catalog: &Catalog, out: &mut Diagnostics) -> Vec<Facts> {
    let scripts = Game::scripts(catalog);
    let refused = syntax_errors(&scripts);
    let mut found = Vec::new();
    for ((file, script), refused) in catalog.scripts.iter().zip(&scripts).zip(refused) {
        let place = |start, end| Span::new(file.file, start, end);
        if !guard::is_shallow(&script.text) {
            match refused {
                Some(error) => out.push(from_lua(catalog, script, file.file, &error)),
                None => {
                    let message = format!("{} is nested too deep to be looked at", script.name);
                    out.push(Diagnostic::warning(&codes::TOO_DEEP, place(0, 0), message));
                }
            }
            continue;
        }
        let parsed = full_moon::parse_fallible(&script.text, LuaVersion::lua54());
        let Some(error) = refused else {
            // What Lua takes is Lua, whatever the parser says; its tree is then good enough for names.
            found.push(walk::facts(parsed.ast(), file.file, file.layer.0));
            continue;
        };
        if parsed.errors().is_empty() {
            out.push(from_lua(catalog, script, file.file, &error));
        }
        let mut last = None;
        for error in parsed.errors().iter().take(MOST_OF_A_FILE) {
            let (start, end) = error.range();
            // Several complaints about one line have one cause.
            if last.replace(start.line()) == Some(start.line()) {
                continue;
            }
            let (from, to) = (start.bytes(), end.bytes());
            let found = script.text.get(from..to).unwrap_or_default().trim();
            let found = if found.is_empty() {
                "the end of the script".into()
            } else {
                format!("`{}`", shorten(found))
            };
            let message = format!("found {found}: {}", error.error_message());
            out.push(Diagnostic::error(&codes::LUA_SYNTAX, place(from, to), message));
        }
    }
    found
}

fn from_lua(
    catalog: &Catalog,
    script: &Script,
    file: sandtable_data::source::FileId,
    error: &ScriptError,
) -> Diagnostic {
    let line = error.place.as_ref().map_or(1, |place| place.1);
    let span = crate::place::of_line(catalog, file, line);
    let message = error.message.replace(&format!("{}:", script.name), "line ");
    Diagnostic::error(&codes::LUA_SYNTAX, span, message)
}

fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() > 30 { line.chars().take(29).chain(['…']).collect() } else { line.to_string() }
}

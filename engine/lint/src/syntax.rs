//! Reading scripts: syntax errors with line and column, and the facts of what can be read.

use crate::facts::Facts;
use crate::{codes, guard, place, walk};
use full_moon::LuaVersion;
use sandtable_data::catalog::{Catalog, LayerFile};
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::source::Span;
use sandtable_script::{Script, ScriptError, syntax_errors};
use sandtable_session::Game;

/// Syntax errors reported for one file.
const MOST_OF_A_FILE: usize = 5;

/// Parses all scripts of a catalog. The facts of a script with errors are left out.
pub(crate) fn parse(catalog: &Catalog, out: &mut Diagnostics) -> Vec<Facts> {
    let scripts = Game::scripts(catalog);
    let refused = syntax_errors(&scripts);
    let mut found = Vec::new();
    for ((file, script), refused) in catalog.scripts.iter().zip(scripts).zip(refused) {
        match (refused, guard::too_deep(&script.text)) {
            (Some(error), Some(at)) => {
                let span = Span::new(file.file, at, at + 1);
                out.push(Diagnostic::error(&codes::LUA_SYNTAX, span, message(&error)));
            }
            (Some(error), None) => errors(catalog, file, script, error, out),
            (None, Some(at)) => {
                let text = format!("{} is nested too deep to be looked at", script.name);
                out.push(Diagnostic::warning(&codes::TOO_DEEP, Span::new(file.file, at, at + 1), text));
            }
            (None, None) => {
                // What Lua takes is Lua, whatever the parser says; its tree is then good enough for names.
                let parsed = full_moon::parse_fallible(&script.text, LuaVersion::lua54());
                found.push(walk::facts(parsed.ast(), &script.text, file.file, file.layer.0));
            }
        }
    }
    found
}

/// Reports what Lua says, and goes on after it: with the next line that begins a statement of the whole script.
fn errors(
    catalog: &Catalog,
    file: &LayerFile,
    mut script: Script,
    error: ScriptError,
    out: &mut Diagnostics,
) {
    let mut next = Some(error);
    for _ in 0..MOST_OF_A_FILE {
        let Some(error) = next else { return };
        let line = line_of(&error);
        let whole = place::of_line(catalog, file.file, line);
        let span = near(catalog, whole, &error).unwrap_or(whole);
        out.push(Diagnostic::error(&codes::LUA_SYNTAX, span, message(&error)));
        let Some(rest) = after(&script.text, line) else { return };
        script.text = rest;
        next = syntax_errors(std::slice::from_ref(&script)).into_iter().next().flatten();
    }
}

/// The place of the word that Lua complains of: `'then' expected near 'return'`. The parser that knows columns is not asked: it is made
/// for sound scripts, and stops the program at some that are not.
fn near(catalog: &Catalog, line: Span, error: &ScriptError) -> Option<Span> {
    let word = error.message.lines().next()?.rsplit_once(" near '")?.1.strip_suffix('\'')?;
    let at = catalog.sources.slice(line).find(word).filter(|_| !word.is_empty())?;
    let start = line.start as usize + at;
    Some(Span::new(line.file, start, start + word.len()))
}

/// The line that an error is about; Lua notices some things only at the end of the script, and names the line.
fn line_of(error: &ScriptError) -> u32 {
    let named = error.message.split_once(" at line ").map(|(_, rest)| rest);
    let digits = named.map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
    let near_end = error.message.contains("<eof>");
    digits
        .filter(|_| near_end)
        .and_then(|digits| digits.parse().ok())
        .or(error.place.as_ref().map(|place| place.1))
        .unwrap_or(1)
}

fn message(error: &ScriptError) -> String {
    error.message.lines().next().unwrap_or_default().replace("<eof>", "the end of the script")
}

/// The script with everything blank up to the next line after `line` that begins a statement; nothing if there is none.
fn after(text: &str, line: u32) -> Option<String> {
    let begins = |line: &str| {
        line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && !line.starts_with("end")
            && !line.starts_with("until")
    };
    let skip = text.lines().skip(line as usize).position(begins)? + line as usize;
    let kept: Vec<&str> = text.lines().skip(skip).collect();
    Some(format!("{}{}", "\n".repeat(skip), kept.join("\n")))
}

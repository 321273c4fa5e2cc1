//! Set-ups: every scenario is set up and played to its first decision, and the game's invariants and limits must hold there.

use crate::{codes, place};
use sandtable_data::catalog::Catalog;
use sandtable_data::definition::codes as definition_codes;
use sandtable_data::definition::{self, Definition};
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::source::Span;
use sandtable_kernel::map::SpaceId;
use sandtable_script::{ErrorKind, Reason, ScriptError, Val};
use sandtable_session::{Game, Session, SessionError};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Wrong lines reported for one scenario.
const MOST_LINES: usize = 20;

/// Sets the scenarios up, every one of `step` from the `first` on: the others are another thread's.
pub(crate) fn scenarios(
    catalog: &Catalog,
    options: &[(String, String)],
    first: usize,
    step: usize,
) -> Diagnostics {
    let mut out = Diagnostics::new();
    for (id, _) in catalog.rows("scenario").skip(first).step_by(step) {
        let (built, problems) = definition::build(catalog, Some(id), options);
        let Some(built) = built else {
            out.append(problems);
            continue;
        };
        let lines = built.clone();
        match Game::loose(built, catalog) {
            Err(errors) => out.extend(errors.iter().map(|error| script_error(catalog, error))),
            Ok(game) => begin(catalog, id, &lines, &Rc::new(game), &mut out),
        }
    }
    out
}

/// Follows the set-up lines of all scenarios without the scripts; every line that cannot be followed is reported.
pub(crate) fn lines(catalog: &Catalog, options: &[(String, String)]) -> Diagnostics {
    let mut out = Diagnostics::new();
    let bare = Catalog { scripts: Vec::new(), ..catalog.clone() };
    for (id, _) in catalog.rows("scenario") {
        let (sketch, problems) = definition::sketch(catalog, Some(id), options);
        // What is wrong with the tables was said without the scenario.
        let row = catalog.row("scenario", id).map(|row| row.origin.file);
        let own = |problem: &Diagnostic| problem.span.map(|span| span.file) == row;
        let given =
            |problem: &Diagnostic| problem.code == &definition_codes::BAD_OPTION && !options.is_empty();
        out.extend(problems.into_iter().filter(|problem| own(problem) && !given(problem)));
        if let Some(sketch) = sketch {
            wrong_lines(catalog, &bare, id, sketch, &mut out);
        }
    }
    out
}

/// Follows the lines, leaving out one after the other that cannot be followed.
fn wrong_lines(
    catalog: &Catalog,
    bare: &Catalog,
    id: &str,
    mut definition: Definition,
    out: &mut Diagnostics,
) {
    for _ in 0..MOST_LINES {
        let Ok(game) = Game::loose(definition.clone(), bare) else { return };
        let Err(SessionError::Setup { line, error }) = Session::bare(&Rc::new(game), 1) else { return };
        out.push(wrong_line(catalog, id, &definition, &line, &error.to_string()));
        let scenario = &mut definition.scenario;
        scenario.begin = scenario.begin.take().filter(|begin| begin.0 != line);
        scenario.lines.retain(|other| other.text != line);
    }
}

fn wrong_line(catalog: &Catalog, id: &str, definition: &Definition, line: &str, error: &str) -> Diagnostic {
    let row = catalog.row("scenario", id).map_or(Span::default(), |row| row.origin.span());
    let scenario = &definition.scenario;
    let place = scenario.lines.iter().find(|other| other.text == line).map(|line| line.origin);
    let begin = scenario.begin.as_ref().filter(|begin| begin.0 == line).map(|begin| begin.1);
    let span = place.or(begin).map_or(row, |origin| origin.span());
    Diagnostic::error(&definition_codes::BAD_LINE, span, format!("scenario {id}: {error}"))
}

/// Joins the problems of set-ups; a line that several scenarios inherit is reported for the first of them.
pub(crate) fn once_a_line(found: impl IntoIterator<Item = Diagnostics>) -> Diagnostics {
    let mut seen = BTreeSet::new();
    let mut out = Diagnostics::new();
    for problem in found.into_iter().flatten() {
        if problem.code != &definition_codes::BAD_LINE || problem.span.is_none() || seen.insert(problem.span)
        {
            out.push(problem);
        }
    }
    out
}

fn begin(catalog: &Catalog, id: &str, definition: &Definition, game: &Rc<Game>, out: &mut Diagnostics) {
    let row = catalog.row("scenario", id).map_or(Span::default(), |row| row.origin.span());
    let mut session = match Session::bare(game, 1) {
        Ok(session) => session,
        Err(SessionError::Setup { .. }) => {
            let bare = Catalog { scripts: Vec::new(), ..catalog.clone() };
            return wrong_lines(catalog, &bare, id, definition.clone(), out);
        }
        Err(error) => {
            return out.push(Diagnostic::error(&codes::START_ERROR, row, format!("scenario {id}: {error}")));
        }
    };
    if let Err(error) = session.begin() {
        let problem = match &error {
            SessionError::Script(error) => started(catalog, id, error, row),
            other => Diagnostic::error(&codes::START_ERROR, row, format!("scenario {id}: {other}")),
        };
        return out.push(problem);
    }
    let broken = session.look(|host| {
        let mut broken = host.broken_invariants()?;
        broken.extend(host.broken_limits()?);
        Ok(broken)
    });
    match broken {
        Ok(broken) => {
            for reason in broken {
                out.push(broken_limit(catalog, id, definition, game, &session, &reason, row));
            }
        }
        Err(error) => out.push(started(catalog, id, &error, row)),
    }
}

fn broken_limit(
    catalog: &Catalog,
    id: &str,
    definition: &Definition,
    game: &Game,
    session: &Session,
    reason: &Reason,
    row: Span,
) -> Diagnostic {
    let world = &definition.world;
    let registry = game.host.cx().registry.borrow();
    let (rule, at) = registry
        .handlers
        .get(reason.handler as usize)
        .map_or(("?", ""), |handler| (handler.id.as_str(), handler.place.as_str()));
    let names: Vec<String> = reason
        .args
        .iter()
        .map(|arg| match arg {
            Val::Space(space) => world.space_name(SpaceId(*space)).to_string(),
            Val::Piece(piece) => world.piece_name(&session.play().state, *piece),
            other => format!("{other:?}"),
        })
        .collect();
    // The last line that puts something where the limit is broken.
    let at_fault = definition.scenario.lines.iter().rev().find(|line| {
        line.text
            .split(|c: char| c.is_whitespace() || c == ';')
            .any(|word| names.iter().any(|name| name == word))
    });
    let text = world.symbols.get(&reason.text).and_then(|sym| world.texts.get(&sym)).unwrap_or(&reason.text);
    let text = names
        .iter()
        .enumerate()
        .fold(text.clone(), |text, (n, name)| text.replace(&format!("{{{}}}", n + 1), name));
    let span = at_fault.map_or(row, |line| line.origin.span());
    let mut problem =
        Diagnostic::error(&codes::BAD_SET_UP, span, format!("scenario {id} breaks `{rule}`: {text}"));
    if let Some((path, line)) = at.rsplit_once(':')
        && let Some(file) = place::of_path(catalog, path)
    {
        problem = problem.label(place::of_line(catalog, file, line.parse().unwrap_or(1)), "the limit");
    }
    problem
}

fn started(catalog: &Catalog, id: &str, error: &ScriptError, row: Span) -> Diagnostic {
    let mut problem = script_error(catalog, error);
    problem.code = &codes::START_ERROR;
    problem.message = format!("scenario {id}: {}", problem.message);
    if problem.span.is_none() {
        problem.span = Some(row);
        return problem;
    }
    problem.label(row, "the scenario")
}

/// An error of a script, at its line.
pub(crate) fn script_error(catalog: &Catalog, error: &ScriptError) -> Diagnostic {
    let mut lines = error.message.lines();
    let message = lines.next().unwrap_or_default().to_string();
    let mut problem = match &error.place {
        Some((path, line)) => match place::of_path(catalog, path) {
            Some(file) => {
                Diagnostic::error(&codes::LOAD_ERROR, place::of_line(catalog, file, *line), message)
            }
            None => Diagnostic::placeless(&codes::LOAD_ERROR, format!("{path}:{line}: {message}")),
        },
        None => Diagnostic::placeless(&codes::LOAD_ERROR, message),
    };
    if let Some((path, line)) = &error.other {
        problem.code = &codes::HANDLER_CONFLICT;
        if let Some(file) = place::of_path(catalog, path) {
            problem = problem.label(place::of_line(catalog, file, *line), "the other layer");
        }
    }
    if error.kind == ErrorKind::KeptValue {
        problem.code = &codes::KEPT_STATE;
    }
    problem.notes.extend(lines.map(str::to_string));
    if !error.chain.is_empty() {
        problem.notes.push(format!("in {}", error.chain.join(" > ")));
    }
    problem
}

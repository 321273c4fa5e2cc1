//! What a stranger's text may do: nothing but give problems. The properties and the fuzz targets share this file.
#![allow(dead_code, clippy::expect_used, reason = "each of them uses some of it")]

use sandtable_data::catalog::{self, Catalog};
use sandtable_data::definition;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::render::{Colour, concise, full, to_json};
use sandtable_script::ScriptBounds;
use sandtable_session::{Game, RandomPlayer, Record, Session, Status};
use std::rc::Rc;
use std::time::Duration;

macro_rules! base {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../broken/base/", $path)))),*]
    };
}

/// The sound game that is damaged.
pub const FILES: &[(&str, &str)] = base!(
    "rules/g/game.toml",
    "rules/g/map.toml",
    "rules/g/border.csv",
    "rules/g/link.csv",
    "rules/g/pieces.toml",
    "rules/g/table.combat.csv",
    "rules/g/texts.toml",
    "rules/g/values.toml",
    "rules/g/sequence.toml",
    "rules/g/rules.lua",
    "rules/g/rulebook/book.md",
    "scenarios/g/first.toml",
);

/// Answers that are given in a game under a stranger's script.
const ANSWERS: usize = 30;
/// Most lines of edits that are tried in one go.
const EDITS: usize = 20;

fn load(path: &str, bytes: &[u8]) -> (Catalog, Diagnostics) {
    let mut files = MemoryFiles::new();
    for (path, text) in FILES {
        files.add(*path, text.as_bytes());
    }
    files.add(path, bytes.to_vec());
    catalog::load("g", &[], &[], &SearchPath::new().with(files))
}

/// The game with one file replaced, if it can be played; scripts are held to a fiftieth of what they may do.
fn game(path: &str, bytes: &[u8]) -> Option<Rc<Game>> {
    let (catalog, merged) = load(path, bytes);
    let definition = definition::build(&catalog, None, &[]).0.filter(|_| !merged.has_errors())?;
    let time = Duration::from_secs(5);
    let bounds = ScriptBounds { instructions: 1_000_000, time, ..ScriptBounds::default() };
    Game::bounded(definition, &catalog, bounds).ok().map(Rc::new)
}

/// Plays some answers of a game under a stranger's script: the game comes to an end or to errors, an error leaves the position as
/// it was, and the record leads to the same position again.
pub fn play(script: &[u8]) {
    let Some(game) = game("rules/g/rules.lua", script) else { return };
    let Ok(mut session) = Session::new(&game, 1) else { return };
    let mut player = RandomPlayer::new(1);
    for _ in 0..ANSWERS {
        if matches!(session.status(), Status::Ended(_)) {
            break;
        }
        let before = (session.answers().len(), session.play().state.digest());
        if player.play(&mut session).is_err() {
            assert_eq!(
                before,
                (session.answers().len(), session.play().state.digest()),
                "an error leaves no trace"
            );
            break;
        }
    }
    let (digest, record) = (game.digest(&session.play().state), session.record());
    // What a session cost in time or memory may differ in another VM, so that an answer fails there; it never leads elsewhere.
    if let Ok(replayed) = Session::from_record(&game, &record, None)
        && replayed.parted.is_none()
    {
        assert_eq!(
            digest,
            game.digest(&replayed.session.play().state),
            "the record leads to the same position"
        );
    }
}

/// Follows lines of edits in the sound game, one after the other: a line that is refused changes nothing.
pub fn edits(bytes: &[u8]) {
    thread_local! {
        static GAME: Rc<Game> = game(FILES[0].0, FILES[0].1.as_bytes()).expect("the game is sound");
    }
    let game = GAME.with(Rc::clone);
    let mut session = Session::new(&game, 1).expect("it can be played");
    for line in String::from_utf8_lossy(bytes).lines().take(EDITS) {
        let before = session.play().state.digest();
        if session.edit(line).is_err() {
            assert_eq!(before, session.play().state.digest(), "{line:?} was refused but changed something");
        }
    }
    let _ = RandomPlayer::new(1).play(&mut session);
    let text = session.record().to_string();
    let again = Record::from_bytes(text.as_bytes()).expect("what was written can be read");
    assert_eq!(text, again.to_string());
}

/// The problems of the game with one file replaced, one line each; every one lies inside its file.
pub fn check(path: &str, bytes: &[u8]) -> Vec<String> {
    let (catalog, merged) = load(path, bytes);
    let problems = sandtable_lint::check(&catalog, merged, &[]);
    let line = |problem: &Diagnostic| {
        if let Some(span) = problem.span {
            let text = catalog.sources.text(span.file);
            assert!(
                span.start <= span.end && span.end as usize <= text.len() + 3,
                "{problem:?} lies outside of its file"
            );
        }
        full(problem, &catalog.sources, Colour::Ansi);
        to_json(problem, &catalog.sources);
        concise(problem, &catalog.sources)
    };
    problems.iter().map(line).collect()
}

/// Reads a record; what can be read is written and read again without a difference.
pub fn record(bytes: &[u8]) {
    if let Ok(record) = Record::from_bytes(bytes) {
        let text = record.to_string();
        let again = Record::from_bytes(text.as_bytes()).expect("what was written can be read");
        assert_eq!(text, again.to_string());
    }
}

//! Whether an attack has harmed anything: the game it is made in, or another of the same rules.

#![allow(dead_code, reason = "each test program uses a part of it")]

use crate::cage;
use crate::support::{self, hexes};
use sandtable_data::package::MemoryFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::{catalog, definition};
use sandtable_kernel::world::SideId;
use sandtable_script::ScriptBounds;
use sandtable_session::view::Viewer;
use sandtable_session::{Game, RandomPlayer, Record, Session, SessionError};
use std::rc::Rc;
use std::time::Duration;

/// The rules around an attack: it is one of two answers, the other of which is always good. Loaded first, so that nothing of
/// them hangs on what the attack does.
const FRAME: &str = "
procedure('main', { rule = '1.1' }, function()
  if ask('red', 'go', { among = { 'attack', 'behave' } }) == 'attack' then call('attack') else game.vp = game.vp + roll('luck') end
end)";

/// What attacks like to get at, beside the tables of every test.
const TABLES: &str = r#"
[attribute.game.memo]
type = "piece"
[attribute.game.held]
type = "fight"
[attribute.side.ops]
type = "int"
[attribute.piece.mark]
type = "int"
see = "owner"
[attribute.piece.friend]
type = "piece"
[record.plan]
who = "piece"
where = "space"
friends = "pieces"
words = "texts"
inner = "fight"
[unit.guard]
side = "red"
count = 3
levels = [{ strength = 3 }, { strength = 2 }, { strength = 1 }]
[unit.foe]
side = "blue"
count = 3
strength = 4
[card]
ace = { side = "red" }
king = { side = "blue" }
[pile.hand]
name = "Hand"
side = "red"
see = "owner"
[pile.cup]
name = "Cup"
see = "nobody"
[box.camp]
name = "Camp"
[limit.stack]
of = { kind = "unit" }
most = { query = "room", least = 2 }
at = ["crowd"]
[sight.plain]
level = "level"
haze = ["smoke", { pieces = "fume" }]
[profile.foot]
terrain = { clear = 1, wood = 2 }
[option.fog]
title = "Fog"
type = "bool"
default = true
[value.ladder]
rungs = [1, 2, 3]
names = { first = "one" }
[text]
said = "{1} said {2}"
"#;

/// The time that an answer may take, as a server allows it; a debug build beside other work is given more.
const TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 15 } else { 5 });

/// The game around an attack, or why its scripts are refused while they load.
pub fn arena(script: &str) -> Result<Rc<Game>, Vec<String>> {
    cage::step();
    let files = MemoryFiles::new()
        .with("rules/probe/game.toml", &format!("{}\n{TABLES}", support::TABLES))
        .with("rules/probe/hex.csv", &hexes(&[]))
        .with("rules/probe/a-frame.lua", FRAME)
        .with("rules/probe/hostile.lua", script);
    let search = SearchPath::new().with(files);
    let (catalog, _) = catalog::load("probe", &[], &[], &search);
    let (definition, problems) = definition::build(&catalog, None, &[]);
    let Some(definition) = definition else { panic!("{problems:?}") };
    let bounds = ScriptBounds { time: TIME, ..ScriptBounds::default() };
    let game = Game::bounded(definition, &catalog, bounds);
    game.map(Rc::new).map_err(|errors| errors.iter().map(ToString::to_string).collect())
}

/// A game before its first answer.
pub fn start(game: &Rc<Game>, seed: u64) -> Result<Session, String> {
    Session::new(game, seed).map_err(|error| format!("no game could be begun: {error}"))
}

/// Plays a game that does not attack, and gives what comes of it.
pub fn neighbour(game: &Game, session: &mut Session) -> Result<Vec<u64>, String> {
    let mut digests = Vec::new();
    for _ in 0..3 {
        session
            .answer_text(0, "behave")
            .map_err(|error| format!("a game that behaves was refused: {error}"))?;
        digests.push(game.digest(&session.play().state));
    }
    Ok(digests)
}

/// An error must be one that an author can do something about.
pub fn sane(error: &str) -> Result<(), String> {
    for words in ["an error in the engine", "panicked", "prelude.lua"] {
        if error.contains(words) {
            return Err(format!("the error is the engine's: {error}"));
        }
    }
    if error.len() > 20_000 {
        return Err(format!("an error of {} bytes", error.len()));
    }
    Ok(())
}

/// A moment of a session: its state by digest, and how many answers and changes led there.
#[derive(PartialEq, Eq, Debug)]
pub struct Moment(u64, usize, usize);

pub fn moment(session: &Session) -> Result<Moment, String> {
    let play = session.play();
    let digest = play.state.digest();
    if play.state.digest_again() != digest {
        return Err("the digest is not that of the cells".into());
    }
    Ok(Moment(digest, session.answers().len(), play.changes.len()))
}

/// Does something with a session; if it is refused, the session is as before, and the error is given.
pub fn attempt(
    session: &mut Session,
    f: impl FnOnce(&mut Session) -> Result<(), SessionError>,
) -> Result<Option<String>, String> {
    let before = moment(session)?;
    let result = f(session);
    let after = moment(session)?;
    let Err(error) = result else { return Ok(None) };
    let error = error.to_string();
    sane(&error)?;
    if before != after {
        return Err(format!("{before:?} became {after:?} although this was refused: {error}"));
    }
    Ok(Some(error))
}

/// What may fail, but only with an error that makes sense.
fn tolerated<T>(result: Result<T, SessionError>) -> Result<Option<T>, String> {
    match result {
        Ok(done) => Ok(Some(done)),
        Err(error) => sane(&error.to_string()).map(|()| None),
    }
}

/// Answers with the attack, twice, and shows that the game is as before and goes on. Gives the errors with which it was refused.
pub fn attacked(game: &Rc<Game>) -> Result<Vec<String>, String> {
    let mut session = start(game, 1)?;
    let begin = moment(&session)?;
    let mut refused = Vec::new();
    for round in 0..2 {
        cage::step();
        match attempt(&mut session, |session| session.answer_text(0, "attack"))? {
            Some(error) => refused.push(error),
            None => play_on(&mut session, round, &mut refused)?,
        }
        cage::step();
        // A script that keeps something may refuse to be taken back; then there is nothing more to be shown.
        if !session.answers().is_empty() && tolerated(session.undo(0, true))?.is_none() {
            moment(&session)?;
            return Ok(refused);
        }
        let now = moment(&session)?;
        if now != begin {
            return Err(format!("taken back, {begin:?} has become {now:?}"));
        }
    }
    cage::step();
    if let Some(error) = attempt(&mut session, |session| session.answer_text(0, "behave"))? {
        return Err(format!("after an attack the game does not go on: {error}"));
    }
    Ok(refused)
}

/// Answers at random, and looks at everything that anybody may be told.
fn play_on(session: &mut Session, round: u64, refused: &mut Vec<String>) -> Result<(), String> {
    let mut player = RandomPlayer::new(round);
    for answer in 0..6 {
        if answer % 3 == 0 {
            for viewer in
                [Viewer::Side(SideId(0)), Viewer::Side(SideId(1)), Viewer::Spectator, Viewer::Everything]
            {
                cage::step();
                tolerated(session.disclosure(viewer))?;
            }
        }
        if session.decisions().is_empty() {
            break;
        }
        cage::step();
        if let Some(error) = attempt(session, |session| player.play(session))? {
            refused.push(error);
            break;
        }
    }
    cage::step();
    let record = session.record();
    if Record::parse(&record.to_string()).as_ref() != Ok(&record) {
        return Err("its record is read as another".into());
    }
    cage::step();
    let game = session.game().clone();
    tolerated(Session::from_record(&game, &record, None))?;
    cage::step();
    tolerated(session.fork())?;
    Ok(())
}

//! Changes of a position outside the rules: a counter put where it belongs, a track set right, a card dealt.

use crate::session::{Recorded, Session, SessionError, Status};
use crate::setup::{SetupError, apply_line, piece, space};
use crate::setup_export::show;
use crate::view::{Viewer, sees_face};
use sandtable_kernel::state::{End, PieceId, Place, State, TableId, piece_col};
use sandtable_kernel::world::{SideId, World};
use sandtable_script::{Change, Play, ScriptContext};

/// The verbs of edits.
const VERBS: &[&str] = &["place", "set", "pile", "deal", "reveal", "conceal"];

/// Whether a line can be followed.
pub(crate) fn check(cx: &ScriptContext, play: &Play, line: &str) -> Result<(), SetupError> {
    let mut copy = Play { state: play.state.snapshot(), ..Play::default() };
    apply(cx, &mut copy, line)
}

/// Follows a line and takes note of it.
pub(crate) fn apply(cx: &ScriptContext, play: &mut Play, line: &str) -> Result<(), SetupError> {
    let world = &*cx.world;
    let line = line.trim();
    let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let words: Vec<&str> = rest.split_whitespace().collect();
    match (verb, words.as_slice()) {
        // What is put somewhere by hand lies on top, and may be put aside.
        ("place", [name, at]) if world.find_piece(&play.state, name).is_some() => {
            let moved = PieceId(piece(world, play, name)?);
            let to = match (*at, world.find_piece(&play.state, at)) {
                ("-", _) => Place::Nowhere,
                (_, Some(carrier)) => Place::Piece(PieceId(carrier)),
                (at, None) => Place::Space(space(world, at)?),
            };
            if to == Place::Piece(moved) {
                return Err(SetupError::new(format!("`{name}` cannot lie on itself")));
            }
            if !play.state.move_piece(moved, to, End::Top) {
                return Err(SetupError::new(format!("`{name}` cannot lie on `{at}`, which lies on it")));
            }
        }
        ("pile", [at, names @ ..]) => {
            let to = Place::Space(space(world, at)?);
            for name in names.iter().rev() {
                let moved = PieceId(piece(world, play, name)?);
                play.state.move_piece(moved, to, End::Top);
            }
        }
        // From the top, so that whoever deals need not know what lies there.
        ("deal", [from, to, number @ ..]) => {
            let (from, to) = (space(world, from)?, Place::Space(space(world, to)?));
            let number: usize = match number {
                [] => 1,
                [n] => n.parse().map_err(|_| SetupError::new(format!("`{n}` is no number of pieces")))?,
                _ => return Err(SetupError::new(format!("`{line}`: too many words"))),
            };
            let dealt: Vec<PieceId> = play.state.contents(Place::Space(from)).take(number).collect();
            if dealt.len() < number {
                let message = format!("`{line}`: there are only {}", dealt.len());
                return Err(SetupError::new(message));
            }
            for piece in dealt {
                play.state.move_piece(piece, to, End::Top);
            }
        }
        ("deal", _) => return Err(SetupError::new(format!("`{line}`: expected from where and to where"))),
        ("reveal" | "conceal", words) => show(world, play, words, verb == "reveal")?,
        // Scenarios write 0 for what was destroyed, which is done by rules only.
        ("set", [path, "0" | "nil" | "none"]) if path.ends_with(".level") => {
            let simultaneous = "level 1 is the highest; `place PIECE -` puts a piece aside";
            return Err(SetupError::new(format!("`{line}`: {simultaneous}")));
        }
        ("place" | "set", _) => apply_line(cx, play, verb, rest)?,
        _ => {
            let expected = format!("`{verb}` is no edit; expected one of {}", VERBS.join(", "));
            return Err(SetupError::new(expected));
        }
    }
    play.changes.push(Change::Edit(line.into()));
    Ok(())
}

/// A line of an edit as somebody may read it: a `?` stands for a piece whose face they do not see, and for the value of an
/// attribute that they do not see.
pub fn seen_line(world: &World, state: &State, viewer: Viewer, line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let unseen = |word: &str| {
        let thing = word.rsplit_once('.').map_or(word, |(thing, _)| thing);
        let piece = world.find_piece(state, word).or_else(|| world.find_piece(state, thing));
        piece.is_some_and(|piece| !sees_face(world, state, viewer, PieceId(piece)))
    };
    let secret = matches!(words.as_slice(), ["set", path, ..] if !sees_attribute(world, state, viewer, path));
    let shown = words.iter().enumerate().map(|(at, word)| match at {
        0 => *word,
        _ if unseen(word) || (secret && at > 1) => "?",
        _ => *word,
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Whether somebody sees an attribute that a line sets, `THING.ATTRIBUTE`.
fn sees_attribute(world: &World, state: &State, viewer: Viewer, path: &str) -> bool {
    let path = path.strip_prefix("sides.").unwrap_or(path);
    let Some((thing, attribute)) = path.rsplit_once('.') else { return true };
    let (table, owner) = match (thing, world.find_side(thing), world.find_space(thing)) {
        ("game", _, _) => (TableId::GAME, None),
        (_, Some(side), _) => (TableId::SIDE, Some(side)),
        (_, _, Some(space)) => (TableId::SPACE, world.spaces[space.0 as usize].side),
        _ => {
            let cell = |piece| state.get(TableId::PIECE, piece, piece_col::SIDE);
            (TableId::PIECE, world.find_piece(state, thing).and_then(|piece| SideId::from_cell(cell(piece))))
        }
    };
    let name = world.symbols.get(attribute);
    let column = name.and_then(|name| world.schema.get(table, world.schema.column(table, name)?));
    column.is_none_or(|column| viewer.sees(column.see, owner))
}

impl Session {
    /// A line of an edit as somebody may read it now.
    pub fn seen_edit(&self, viewer: Viewer, line: &str) -> String {
        seen_line(&self.game.definition.world, &self.play.state, viewer, line)
    }

    /// Changes the position outside the rules: the step under way begins again with the change in it.
    ///
    /// Answers that were given in the step are given again as far as they are still legal. The line is `place`, `set` or
    /// `pile` as in scenarios, or `reveal PIECE` or `conceal PIECE`.
    pub fn edit(&mut self, line: &str) -> Result<(), SessionError> {
        if matches!(self.status, Status::Ended(_)) {
            return Err(SessionError::Over);
        }
        let Some(at) = self.steps.len().checked_sub(1) else { return Err(SessionError::Over) };
        let step = self.steps[at].clone();
        let before = self.answers.len();
        let given = self.answers.get(step.answers..).unwrap_or_default().to_vec();
        let rolls = self.rolls_again(&step, before);
        // A line that cannot be followed is found before anything is touched.
        check(self.game.host.cx(), &self.play, line)
            .map_err(|error| SessionError::Setup { line: line.to_string(), error })?;
        self.restore(at, &step, &rolls);
        self.edits = step.edits.iter().cloned().chain([line.into()]).collect();
        let run = self.inside(|session, host| session.start(host, step.task.clone()));
        if let Err(error) = run {
            self.restore(at, &step, &rolls);
            self.edits.clone_from(&step.edits);
            self.inside(|session, host| session.start(host, step.task.clone()))?;
            self.give_again(&given);
            return Err(error.into());
        }
        self.give_again(&given);
        Ok(())
    }

    /// Whether the last thing that happened is a change outside the rules.
    pub fn just_edited(&self) -> bool {
        let Some(step) = self.steps.last() else { return false };
        let answers = self.answers.get(step.answers..).unwrap_or_default();
        !step.edits.is_empty() && answers.iter().all(|recorded| recorded.answer.forced)
    }

    /// Takes back the last change outside the rules, if nothing was answered since. False if there is none.
    pub fn unedit(&mut self) -> Result<bool, SessionError> {
        let Some(at) = self.steps.len().checked_sub(1).filter(|_| self.just_edited()) else {
            return Ok(false);
        };
        let mut step = self.steps[at].clone();
        step.edits.pop();
        let rolls = self.rolls_again(&step, self.answers.len());
        self.restore(at, &step, &rolls);
        self.edits.clone_from(&step.edits);
        self.inside(|session, host| session.start(host, step.task.clone()))?;
        Ok(true)
    }

    /// Gives answers again, up to the first that is no longer legal.
    fn give_again(&mut self, given: &[Recorded]) {
        for Recorded { answer, .. } in given.iter().filter(|recorded| !recorded.answer.forced) {
            let Some(which) = self.asked_again(answer) else { return };
            if self.answer(which, &answer.choice).is_err() {
                return;
            }
        }
    }

    /// The changes outside the rules, each with the number of answers and rolls before it.
    pub(crate) fn edits(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        self.steps.iter().flat_map(|step| step.edits.iter().map(|line| (step.answers, step.rolls, &**line)))
    }
}

//! From a session to its record and back.
//!
//! Under the contents it was made with, a record is played again fast: answers are fed where they are asked, without
//! lists of options. Under other contents, or if that fails, it is played strictly: answer by answer, each tested
//! against the options, up to the one at which record and rules part (see `replay_checked`).

use crate::changes;
use crate::game::Game;
use crate::names;
use crate::record::{AnswerLine, Line, Record};
use crate::record_rolls::OddRoll;
use crate::replay_checked::replay_checked;
use crate::session::{Session, SessionError, Status, Written};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Datum, Named};
use sandtable_script::{Choice, Decision, Host, Play, Reason, ScriptContext, ScriptError, Val};
use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;
use thiserror::Error;

/// Answers that are fed ahead of the decision under way. A piece made in between has no name yet, so not too many.
const AHEAD: usize = 16;

/// A record, played again.
pub struct Replayed {
    /// The session: at the end of the record, or before the answer at which the two part.
    pub session: Session,
    /// Whether game, layers and settings are those of the record.
    pub unchanged: bool,
    /// The first choice (from 1) after which the state is not that of the record.
    pub differs: Option<usize>,
    /// The choice that could not be made.
    pub parted: Option<Divergence>,
    /// Rolls that are not those of the seed, under the contents of the record: under others the dice of the record are given again.
    pub rolls: Vec<OddRoll>,
}

/// The answer at which record and rules part.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// Number of the choice, from 1; forced answers do not count.
    pub choice: usize,
    /// The answer as the record has it.
    pub line: AnswerLine,
    /// Why it cannot be given.
    pub why: DivergenceReason,
}

/// Why an answer of a record cannot be given.
#[derive(Clone, Debug, Error)]
pub enum DivergenceReason {
    /// Something else is asked.
    #[error("it is not asked; {0}")]
    NotAsked(String),
    /// Rules refuse it.
    #[error("{}", .0.join("; "))]
    Refused(Vec<String>),
    /// It is not among what is listed.
    #[error("{0}")]
    NotOffered(names::NameError),
    /// There is no other option now than this, and why.
    #[error("the only option is `{only}`{}", because(refusals))]
    Forced {
        /// The option.
        only: String,
        /// Why what the record says is refused.
        refusals: Vec<String>,
    },
    /// The game is over before it.
    #[error("the game is over before it")]
    Over,
    /// A script failed after it.
    #[error("{0}")]
    Failed(SessionError),
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnswerLine { side, prompt, choice, .. } = &self.line;
        // A record may be damaged, and its lines of any length.
        let (prompt, choice) = (short(prompt), short(choice));
        write!(f, "choice {} (`{side}: {prompt} {choice}`): {}", self.choice, self.why)
    }
}

fn because(refusals: &[String]) -> String {
    if refusals.is_empty() { String::new() } else { format!("; {}", refusals.join("; ")) }
}

/// A text for a message, cut where it is too long to read.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// An option's value as a record writes it.
fn option_text(value: &Datum) -> Option<String> {
    match value {
        Datum::Int(n) => Some(n.to_string()),
        Datum::Bool(b) => Some(b.to_string()),
        Datum::Text(text) => Some(text.clone()),
        Datum::List(_) | Datum::Table(_) => None,
    }
}

/// A refusal in words, with the rule that refuses and its paragraphs.
pub fn reason_text(cx: &ScriptContext, reason: &Reason) -> String {
    let (id, rules) = match cx.registry.borrow().handlers.get(reason.handler as usize) {
        Some(handler) => (handler.id.clone(), handler.rules.join(", ")),
        None => (String::new(), String::new()),
    };
    let sentence = changes::sentence(cx, &reason.text, &reason.args);
    let by = if rules.is_empty() { id } else { format!("{id}, {rules}") };
    match (sentence.is_empty(), by.is_empty()) {
        (true, _) => format!("refused by {by}"),
        // What the engine itself refuses has no rule.
        (false, true) => sentence,
        (false, false) => format!("{sentence} [{by}]"),
    }
}

impl Record {
    /// The record up to a number of choices, with the rolls that follow the last.
    pub fn first(&self, choices: usize) -> Record {
        Record { lines: up_to(&self.lines, Some(choices)).to_vec(), ..self.clone() }
    }
}

impl Game {
    /// The head of a record of this game.
    pub fn head(&self, seed: u64) -> Record {
        let world = &self.definition.world;
        let option = |option: &sandtable_kernel::world::OptionDef| {
            Some((world.symbols.text(option.id).to_string(), option_text(&option.value)?))
        };
        let above = self.stamps.get(1..).unwrap_or_default();
        let (libraries, layers) = above.split_at(self.libraries.min(above.len()));
        Record {
            game: self.stamps.first().cloned().unwrap_or_default(),
            libraries: libraries.to_vec(),
            layers: layers.to_vec(),
            scenario: self.definition.scenario.id.clone(),
            sets: self.sets.clone(),
            options: world.options.iter().filter_map(option).collect(),
            seed,
            lines: Vec::new(),
        }
    }
}

impl Session {
    /// The record of the game so far.
    pub fn record(&mut self) -> Record {
        self.write_answers();
        let mut record = self.game.head(self.play.seed);
        let game = self.game.clone();
        let cx = game.host.cx();
        let roll = |&(label, value): &(Sym, u32)| Line::Roll { label: cx.text(label), value };
        let mut rolled = 0;
        let mut rolls_to = |to: usize, lines: &mut Vec<Line>| {
            lines.extend(self.rolls.get(rolled..to).unwrap_or_default().iter().map(roll));
            rolled = rolled.max(to);
        };
        let mut edits = self.edits().peekable();
        for (number, recorded) in self.answers.iter().enumerate() {
            while let Some((_, rolls, line)) = edits.next_if(|edit| edit.0 <= number) {
                rolls_to(rolls, &mut record.lines);
                record.lines.push(Line::Edit(line.to_string()));
            }
            rolls_to(recorded.rolls, &mut record.lines);
            let written = recorded.written.as_ref();
            record.lines.push(Line::Answer(AnswerLine {
                side: cx.text(cx.side_sym(recorded.answer.side)),
                prompt: cx.text(recorded.answer.prompt),
                choice: written.map_or_else(String::new, |written| written.choice.to_string()),
                simultaneous: recorded.simultaneous,
                digest: if recorded.answer.forced { None } else { written.map(|written| written.digest) },
                closed: recorded.barrier,
            }));
        }
        for (_, rolls, line) in edits {
            rolls_to(rolls, &mut record.lines);
            record.lines.push(Line::Edit(line.to_string()));
        }
        rolls_to(self.rolls.len(), &mut record.lines);
        record
    }

    /// Works out how the answers since the last time are written, going back through the journal of a copy.
    fn write_answers(&mut self) {
        let Some(first) = self.answers.iter().position(|recorded| recorded.written.is_none()) else { return };
        let game = self.game.clone();
        let mut past = Box::new(Play { state: self.play.state.clone(), ..Play::default() });
        game.host.during(&mut past, || {
            let cx = game.host.cx();
            let digest = || game.digest(&cx.play.borrow().state) as u32;
            let mut now = digest();
            for recorded in self.answers.iter_mut().skip(first).rev() {
                let after = now;
                if !recorded.answer.forced {
                    cx.play.borrow_mut().state.revert(recorded.mark);
                    now = digest();
                }
                if recorded.written.is_none() {
                    let choice = names::exact_choice(cx, &recorded.answer.choice).into();
                    recorded.written = Some(Written { choice, digest: after });
                }
            }
        });
    }

    /// Plays a record again, all of it or its first `to` choices.
    ///
    /// An error is returned only if the game cannot even be set up; everything later is told in the result.
    pub fn from_record(
        game: &Rc<Game>,
        record: &Record,
        to: Option<usize>,
    ) -> Result<Replayed, SessionError> {
        let lines = up_to(&record.lines, to);
        let head = game.head(record.seed);
        let unchanged = head.same_contents(record);
        // Answers are fed in one go from step to step, which an edit between them would break.
        if unchanged
            && !record.edited()
            && let Some(mut session) = fast(game, record.seed, lines)
        {
            let differs = session.differing_digest(lines);
            return Ok(Replayed { session, unchanged, differs, parted: None, rolls: Vec::new() });
        }
        replay_checked(game, record.seed, lines, unchanged, &mut |_| {})
    }

    /// The first choice after which the position is another than the record says.
    fn differing_digest(&mut self, lines: &[Line]) -> Option<usize> {
        self.write_answers();
        let digests = lines.iter().filter_map(|line| match line {
            Line::Answer(answer) => Some(answer.digest),
            Line::Roll { .. } | Line::Edit(_) => None,
        });
        let mut choices = 0;
        for (recorded, digest) in self.answers.iter().zip(digests) {
            let Some(digest) = digest else { continue };
            choices += 1;
            if recorded.written.as_ref().is_some_and(|written| written.digest != digest) {
                return Some(choices);
            }
        }
        None
    }

    /// Plays a record again answer by answer, and shows every position at which something is asked.
    ///
    /// Slower than `from_record`, but what happened before each answer is then known exactly, as it is in a game that
    /// was played here.
    pub fn follow(
        game: &Rc<Game>,
        record: &Record,
        seen: &mut dyn FnMut(&mut Session),
    ) -> Result<Replayed, SessionError> {
        let unchanged = game.head(record.seed).same_contents(record);
        replay_checked(game, record.seed, &record.lines, unchanged, seen)
    }

    /// Puts the answers that come next where the scripts find them.
    pub(crate) fn load_feed(&mut self, host: &Host, from: usize) {
        let Some(script) = &self.script else { return };
        let cx = host.cx();
        let next = script.iter().skip(from).take(AHEAD).take_while(|line| !line.simultaneous);
        let choices = next.map(|line| names::read_choice(cx, &line.choice));
        let feed = choices.take_while(|choice| !unborn(cx, choice)).collect();
        cx.play.borrow_mut().feed = feed;
    }
}

/// The lines up to a number of choices, with the rolls that follow the last.
fn up_to(lines: &[Line], to: Option<usize>) -> &[Line] {
    let Some(to) = to else { return lines };
    let mut choices = 0;
    let beyond = lines.iter().position(|line| {
        let choice = matches!(line, Line::Answer(answer) if answer.digest.is_some());
        choices += usize::from(choice);
        choices > to
    });
    lines.get(..beyond.unwrap_or(lines.len())).unwrap_or_default()
}

/// Whether a decision is the one that a line answers.
pub(crate) fn asks(cx: &ScriptContext, decision: &Decision, line: &AnswerLine) -> bool {
    let symbols = cx.symbols.borrow();
    symbols.text(decision.prompt) == line.prompt && cx.world.side_name(decision.side) == line.side
}

/// Whether a choice names a piece that is not yet made, so that it cannot be fed before the decision is reached.
fn unborn(cx: &ScriptContext, choice: &Choice) -> bool {
    let symbols = cx.symbols.borrow();
    let missing = |val: Val| {
        let Val::Sym(sym) = val else { return false };
        let Some((id, number)) = symbols.text(sym).rsplit_once('.') else { return false };
        let kind = symbols.get(id).and_then(|id| cx.world.names.get(&id));
        number.parse::<u32>().is_ok() && matches!(kind, Some(Named::Component(_)))
    };
    match choice {
        Choice::One(opt) => missing(opt.val),
        Choice::Many(chosen) => chosen.iter().any(|(val, _)| missing(*val)),
    }
}

/// Plays answers under the rules that they were given under. Nothing if anything is not as the record says.
fn fast(game: &Rc<Game>, seed: u64, lines: &[Line]) -> Option<Session> {
    let mut session = Session::bare(game, seed).ok()?;
    let answers: Rc<[AnswerLine]> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Answer(answer) => Some(answer.clone()),
            Line::Roll { .. } | Line::Edit(_) => None,
        })
        .collect();
    session.script = Some(answers.clone());
    session.begin().ok()?;
    while session.answers.len() < answers.len() && *session.status() == Status::Asking {
        let at = session.answers.len();
        let line = &answers[at];
        session
            .inside(|session, host| {
                let cx = host.cx();
                let decision = cx.play.borrow_mut().take_pending(|decision| asks(cx, decision, line));
                let decision = decision.ok_or_else(|| ScriptError::new("something else is asked"))?;
                session.load_feed(host, at + 1);
                let choice = names::read_choice(cx, &line.choice);
                session.give(host, &decision, &choice)
            })
            .ok()?;
    }
    session.script = None;
    session.play.feed.clear();
    take_over(&mut session, lines).then_some(session)
}

/// Gives the answers of a session what the record knows of them. False if the two do not agree.
fn take_over(session: &mut Session, lines: &[Line]) -> bool {
    let game = session.game.clone();
    let cx = game.host.cx();
    let (mut at, mut rolled, mut last) = (0, 0, None);
    let mut same = true;
    let mut answers = std::mem::take(&mut session.answers);
    session.inside(|session, _| {
        for line in lines {
            match line {
                Line::Roll { label, value } => {
                    let fits = |(sym, n): &(Sym, u32)| n == value && cx.symbols.borrow().text(*sym) == label;
                    same &= session.rolls.get(rolled).is_some_and(fits);
                    rolled += 1;
                }
                Line::Edit(_) => same = false,
                Line::Answer(line) => {
                    let Some(recorded) = answers.get_mut(at) else {
                        same = false;
                        break;
                    };
                    let answer = &mut recorded.answer;
                    same &= cx.world.side_name(answer.side) == line.side
                        && cx.symbols.borrow().text(answer.prompt) == line.prompt
                        && names::read_choice(cx, &line.choice) == answer.choice;
                    answer.forced = line.digest.is_none();
                    recorded.simultaneous = line.simultaneous;
                    recorded.barrier = line.closed;
                    recorded.rolls = rolled;
                    last = line.digest.or(last);
                    at += 1;
                }
            }
            if !same {
                break;
            }
        }
    });
    session.answers = answers;
    // Forced answers may follow a record that was cut, but no rolls or choices that it does not know.
    let state = game.digest(&session.play.state) as u32;
    same && rolled == session.rolls.len() && last.is_none_or(|last| last == state)
}

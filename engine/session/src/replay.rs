//! From a session to its record and back.
//!
//! Under the contents it was made with, a record is played again fast: answers are fed where they are asked, without
//! lists of options. Under other contents, or if that fails, it is played strictly: answer by answer, each tested
//! against the options, up to the one at which record and rules part.

use crate::changes;
use crate::names;
use crate::record::{AnswerLine, Line, Record, Stamp};
use crate::session::{Game, Session, SessionError, Status, Written};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Datum, Named};
use sandtable_script::{Choice, Cx, Decision, Host, Opt, Play, Reason, ScriptError, Val};
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
    pub parted: Option<Parted>,
}

/// The answer at which record and rules part.
#[derive(Clone, Debug)]
pub struct Parted {
    /// Number of the choice, from 1; forced answers do not count.
    pub choice: usize,
    /// The answer as the record has it.
    pub line: AnswerLine,
    /// Why it cannot be given.
    pub why: PartedWhy,
}

/// Why an answer of a record cannot be given.
#[derive(Clone, Debug, Error)]
pub enum PartedWhy {
    /// Something else is asked.
    #[error("it is not asked; {0}")]
    NotAsked(String),
    /// Rules refuse it.
    #[error("{}", .0.join("; "))]
    Refused(Vec<String>),
    /// It is not among what is listed.
    #[error("{0}")]
    NotOffered(names::NameError),
    /// There is no other option now than this.
    #[error("the only option is `{0}`")]
    Forced(String),
    /// The game is over before it.
    #[error("the game is over before it")]
    Over,
    /// A script failed after it.
    #[error("{0}")]
    Failed(SessionError),
}

impl fmt::Display for Parted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnswerLine { side, prompt, choice, .. } = &self.line;
        write!(f, "choice {} (`{side}: {prompt} {choice}`): {}", self.choice, self.why)
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
pub fn reason_text(cx: &Cx, reason: &Reason) -> String {
    let (id, rules) = match cx.registry.borrow().handlers.get(reason.handler as usize) {
        Some(handler) => (handler.id.clone(), handler.rules.join(", ")),
        None => (String::new(), String::new()),
    };
    let sentence = changes::sentence(cx, &reason.text, &reason.args);
    let by = if rules.is_empty() { id } else { format!("{id}, {rules}") };
    if sentence.is_empty() { format!("refused by {by}") } else { format!("{sentence} [{by}]") }
}

impl Game {
    /// The head of a record of this game.
    pub fn head(&self, seed: u64) -> Record {
        let world = &self.definition.world;
        let option = |option: &sandtable_kernel::world::OptionDef| {
            Some((world.symbols.text(option.id).to_string(), option_text(&option.value)?))
        };
        Record {
            game: self.stamps.first().cloned().unwrap_or_default(),
            layers: self.stamps.get(1..).unwrap_or_default().to_vec(),
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
        for recorded in &self.answers {
            let before = self.rolls.get(rolled..recorded.rolls).unwrap_or_default();
            record.lines.extend(before.iter().map(roll));
            rolled = rolled.max(recorded.rolls);
            let written = recorded.written.as_ref();
            record.lines.push(Line::Answer(AnswerLine {
                side: cx.text(cx.side_sym(recorded.answer.side)),
                prompt: cx.text(recorded.answer.prompt),
                choice: written.map_or_else(String::new, |written| written.choice.to_string()),
                aside: recorded.aside,
                digest: if recorded.answer.forced { None } else { written.map(|written| written.digest) },
                closed: recorded.barrier,
            }));
        }
        record.lines.extend(self.rolls.get(rolled..).unwrap_or_default().iter().map(roll));
        record
    }

    /// Works out how the answers since the last time are written, going back through the journal of a copy.
    fn write_answers(&mut self) {
        let Some(first) = self.answers.iter().position(|recorded| recorded.written.is_none()) else { return };
        let game = self.game.clone();
        let mut past = Play { state: self.play.state.clone(), ..Play::default() };
        game.host.swap(&mut past);
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
        game.host.swap(&mut past);
    }

    /// Plays a record again, all of it or its first `to` choices.
    ///
    /// An error is returned only if the game cannot even be set up; everything later is told in the result.
    pub fn from_record(game: &Rc<Game>, record: &Record, to: Option<usize>) -> Result<Replayed, SessionError> {
        let lines = up_to(&record.lines, to);
        let head = game.head(record.seed);
        let unchanged = head.same_contents(record);
        if unchanged && let Some(session) = fast(game, record.seed, lines) {
            return Ok(Replayed { session, unchanged, differs: None, parted: None });
        }
        strict(game, record.seed, lines, unchanged)
    }

    /// Puts the answers that come next where the scripts find them.
    pub(crate) fn load_feed(&mut self, host: &Host, from: usize) {
        let Some(script) = &self.script else { return };
        let cx = host.cx();
        let next = script.iter().skip(from).take(AHEAD).take_while(|line| !line.aside);
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
fn asks(cx: &Cx, decision: &Decision, line: &AnswerLine) -> bool {
    let symbols = cx.symbols.borrow();
    symbols.text(decision.prompt) == line.prompt && cx.world.side_name(decision.side) == line.side
}

/// Whether a choice names a piece that is not yet made, so that it cannot be fed before the decision is reached.
fn unborn(cx: &Cx, choice: &Choice) -> bool {
    let symbols = cx.symbols.borrow();
    let missing = |val: Val| {
        let Val::Sym(sym) = val else { return false };
        let Some((id, number)) = symbols.text(sym).rsplit_once('.') else { return false };
        let kind = symbols.get(id).and_then(|id| cx.world.names.get(&id));
        number.parse::<u32>().is_ok() && matches!(kind, Some(Named::Proto(_)))
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
            Line::Roll { .. } => None,
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
                let pending = cx.play.borrow().pending.clone();
                let which = pending.iter().position(|decision| asks(cx, decision, line));
                let which = which.ok_or_else(|| ScriptError::new("something else is asked"))?;
                session.load_feed(host, at + 1);
                let choice = names::read_choice(cx, &line.choice);
                session.give(host, which, &pending[which], &choice)
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
                    recorded.aside = line.aside;
                    recorded.barrier = line.closed;
                    recorded.rolls = rolled;
                    recorded.written =
                        Some(Written { choice: line.choice.as_str().into(), digest: line.digest.unwrap_or_default() });
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
    same && last.is_none_or(|last| last == state)
}

/// A choice of the record with the forced answers and rolls that follow it.
struct Strict<'a> {
    session: Session,
    lines: std::collections::VecDeque<&'a AnswerLine>,
    /// Answers of the session that were compared with lines.
    seen: usize,
    choices: usize,
    differs: Option<usize>,
}

/// Plays answers one by one, each tested against the options.
fn strict(game: &Rc<Game>, seed: u64, lines: &[Line], unchanged: bool) -> Result<Replayed, SessionError> {
    let mut session = Session::bare(game, seed)?;
    let rolls_after = |from: usize| -> Vec<(Sym, u32)> {
        let after = lines.iter().skip(from);
        let until = after.take_while(|line| !matches!(line, Line::Answer(answer) if answer.digest.is_some()));
        let cx = game.host.cx();
        until
            .filter_map(|line| match line {
                Line::Roll { label, value } => Some((cx.sym(label), *value)),
                Line::Answer(_) => None,
            })
            .collect()
    };
    session.play.roll_feed = rolls_after(0);
    session.begin()?;
    let places = lines.iter().enumerate().filter_map(|(at, line)| match line {
        Line::Answer(answer) => Some((at, answer)),
        Line::Roll { .. } => None,
    });
    let (places, lines): (Vec<usize>, Vec<&AnswerLine>) = places.unzip();
    let total = lines.len();
    let mut run = Strict { session, lines: lines.into(), seen: 0, choices: 0, differs: None };
    let parted = loop {
        match run.next() {
            Err((line, why)) => break Some(Parted { choice: run.choices + 1, line, why }),
            Ok(None) => break None,
            Ok(Some((which, choice, line))) => {
                let at = places[total - run.lines.len() - 1];
                // Rolls that the last answer did not use are of no use to this one.
                run.session.play.roll_feed = rolls_after(at + 1);
                if let Err(error) = run.session.answer(which, &choice) {
                    break Some(Parted { choice: run.choices + 1, line: line.clone(), why: PartedWhy::Failed(error) });
                }
                run.choices += 1;
                let state = game.digest(&run.session.play.state) as u32;
                if run.differs.is_none() && line.digest.is_some_and(|digest| digest != state) {
                    run.differs = Some(run.choices);
                }
            }
        }
    };
    run.session.play.roll_feed.clear();
    Ok(Replayed { session: run.session, unchanged, differs: run.differs, parted })
}

impl<'a> Strict<'a> {
    /// Takes the lines of answers that the rules gave by themselves, and finds the next answer to give.
    #[expect(clippy::type_complexity, reason = "a decision, what to answer, and the line that says so")]
    fn next(&mut self) -> Result<Option<(usize, Choice, &'a AnswerLine)>, (AnswerLine, PartedWhy)> {
        let game = self.session.game.clone();
        let cx = game.host.cx();
        let name = |session: &mut Session, choice: &Choice| session.look(|host| names::exact_choice(host.cx(), choice));
        while let Some(recorded) = self.session.answers.get(self.seen).cloned() {
            self.seen += 1;
            let Some(line) = self.lines.front().copied().filter(|_| recorded.answer.forced) else { continue };
            let same = cx.world.side_name(recorded.answer.side) == line.side
                && cx.symbols.borrow().text(recorded.answer.prompt) == line.prompt;
            // A forced answer that the record does not know is a decision that the rules have added.
            if same {
                let only = name(&mut self.session, &recorded.answer.choice);
                if only != line.choice {
                    return Err((line.clone(), PartedWhy::Forced(only)));
                }
                self.lines.pop_front();
                self.choices += usize::from(line.digest.is_some());
            }
        }
        let pending = self.session.decisions().to_vec();
        loop {
            let Some(line) = self.lines.pop_front() else { return Ok(None) };
            let which = pending.iter().position(|decision| asks(cx, decision, line));
            match which {
                Some(which) => return self.choose(which, &pending[which], line).map(Some),
                // A forced answer that is no longer asked changes nothing.
                None if line.digest.is_none() => {}
                None if pending.is_empty() => return Err((line.clone(), PartedWhy::Over)),
                None => {
                    let asked = |decision: &Decision| {
                        format!("{} is asked {}", cx.world.side_name(decision.side), cx.text(decision.prompt))
                    };
                    let asked: Vec<String> = pending.iter().map(asked).collect();
                    return Err((line.clone(), PartedWhy::NotAsked(asked.join(" and "))));
                }
            }
        }
    }

    /// Finds the choice that a line means among the options of a decision, or why it is not among them.
    fn choose(
        &mut self,
        which: usize,
        decision: &Decision,
        line: &'a AnswerLine,
    ) -> Result<(usize, Choice, &'a AnswerLine), (AnswerLine, PartedWhy)> {
        self.seen += 1;
        let found = self.session.look(|host| names::find_choice(host.cx(), decision, &line.choice));
        match found {
            Ok(choice) => Ok((which, choice, line)),
            Err(missing) => {
                let meant = self.session.look(|host| match names::read_choice(host.cx(), &line.choice) {
                    Choice::One(opt) => vec![opt],
                    Choice::Many(chosen) => chosen.iter().map(|&(val, _)| Opt { tag: Sym::NONE, val }).collect(),
                });
                let mut refusals = Vec::new();
                for opt in meant {
                    let reasons = self.session.why(which, opt).unwrap_or_default();
                    refusals.extend(self.session.look(|host| {
                        reasons.iter().map(|reason| reason_text(host.cx(), reason)).collect::<Vec<_>>()
                    }));
                }
                let why = if refusals.is_empty() { PartedWhy::NotOffered(missing) } else { PartedWhy::Refused(refusals) };
                Err((line.clone(), why))
            }
        }
    }
}

impl Stamp {
    /// Whether two stamps are of the same package, whatever its contents.
    pub fn same_package(&self, other: &Stamp) -> bool {
        self.id == other.id
    }
}

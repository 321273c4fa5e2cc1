//! Playing a record answer by answer under rules that may have changed, up to the one at which the two part.

use crate::game::Game;
use crate::names;
use crate::record::{AnswerLine, Line};
use crate::record_rolls::odd_rolls;
use crate::replay::{Divergence, DivergenceReason, Replayed, asks, reason_text};
use crate::session::{Session, SessionError};
use sandtable_kernel::symbol::Sym;
use sandtable_script::{Choice, Decision, Offered, Opt};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;

/// The next answer: which decision it answers, and how.
struct Next<'a> {
    which: usize,
    choice: Choice,
    line: &'a AnswerLine,
}

/// Why the next answer cannot be given.
struct Stop<'a> {
    line: Cow<'a, AnswerLine>,
    why: Box<DivergenceReason>,
}

impl<'a> Stop<'a> {
    fn new(line: &'a AnswerLine, why: DivergenceReason) -> Stop<'a> {
        Stop { line: Cow::Borrowed(line), why: Box::new(why) }
    }
}

/// A record being followed.
struct Strict<'a> {
    session: Session,
    /// Answers of the record that are still to come.
    lines: VecDeque<&'a AnswerLine>,
    /// Edits that are still to come, each with the number of answers before it.
    edits: VecDeque<(usize, &'a str)>,
    /// Answers of the record.
    total: usize,
    /// Answers of the session that were compared with lines.
    seen: usize,
    /// Choices of the record that were made.
    choices: usize,
    differs: Option<usize>,
}

/// Plays answers one by one, each tested against the options.
pub(crate) fn replay_checked(
    game: &Rc<Game>,
    seed: u64,
    lines: &[Line],
    unchanged: bool,
    seen: &mut dyn FnMut(&mut Session),
) -> Result<Replayed, SessionError> {
    let mut session = Session::bare(game, seed)?;
    let rolls_after = |from: usize| -> Vec<(Sym, u32)> {
        let after = lines.iter().skip(from);
        let until = after.take_while(|line| !matches!(line, Line::Answer(answer) if answer.digest.is_some()));
        let cx = game.host.cx();
        until
            .filter_map(|line| match line {
                Line::Roll { label, value } => Some((cx.sym(label), *value)),
                Line::Answer(_) | Line::Edit(_) => None,
            })
            .collect()
    };
    session.play.roll_feed = rolls_after(0);
    session.begin()?;
    seen(&mut session);
    let (mut places, mut answers, mut edits) = (Vec::new(), VecDeque::new(), VecDeque::new());
    for (at, line) in lines.iter().enumerate() {
        match line {
            Line::Answer(answer) => {
                places.push(at);
                answers.push_back(answer);
            }
            Line::Edit(line) => edits.push_back((places.len(), line.as_str())),
            Line::Roll { .. } => {}
        }
    }
    let total = places.len();
    let mut run = Strict { session, lines: answers, edits, total, seen: 0, choices: 0, differs: None };
    // The choice made last, and what the record says of the state at the next one, before or after the edits that come there.
    let mut says: Option<(usize, u32)> = None;
    let parted = loop {
        // Which of the two a record says depends on whether it was written before the edit or after it.
        let here = |run: &Strict<'_>| game.digest(&run.session.play.state) as u32;
        let unlike = says.take().filter(|(_, digest)| run.differs.is_none() && *digest != here(&run));
        let next = run.next();
        if let Some((choice, digest)) = unlike
            && digest != here(&run)
        {
            run.differs = Some(choice);
        }
        match next {
            Err(Stop { line, why }) => {
                break Some(Divergence { choice: run.choices + 1, line: line.into_owned(), why: *why });
            }
            Ok(None) => break None,
            Ok(Some(Next { which, choice, line })) => {
                let at = places[total - run.lines.len() - 1];
                // Rolls that the last answer did not use are of no use to this one.
                run.session.play.roll_feed = rolls_after(at + 1);
                if let Err(error) = run.session.answer(which, &choice) {
                    break Some(Divergence {
                        choice: run.choices + 1,
                        line: line.clone(),
                        why: DivergenceReason::Failed(error),
                    });
                }
                run.choices += 1;
                seen(&mut run.session);
                says = line.digest.map(|digest| (run.choices, digest));
            }
        }
    };
    run.session.play.roll_feed.clear();
    let rolls = if unchanged { odd_rolls(&run.session, lines) } else { Vec::new() };
    Ok(Replayed { session: run.session, unchanged, differs: run.differs, parted, rolls })
}

impl<'a> Strict<'a> {
    /// Takes the lines of answers that the rules gave by themselves, and finds the next answer to give.
    fn next(&mut self) -> Result<Option<Next<'a>>, Stop<'a>> {
        let game = self.session.game.clone();
        let cx = game.host.cx();
        let name = |session: &mut Session, choice: &Choice| {
            session.look(|host| names::exact_choice(host.cx(), choice))
        };
        self.edit_now()?;
        while let Some(recorded) = self.session.answers.get(self.seen).cloned() {
            self.seen += 1;
            let Some(line) = self.lines.front().copied().filter(|_| recorded.answer.forced) else { continue };
            let same = cx.world.side_name(recorded.answer.side) == line.side
                && cx.symbols.borrow().text(recorded.answer.prompt) == line.prompt;
            // A forced answer that the record does not know is a decision that the rules have added.
            if same {
                let only = name(&mut self.session, &recorded.answer.choice);
                if only != line.choice {
                    let refusals = self.refusals_of_forced(line);
                    return Err(Stop::new(line, DivergenceReason::Forced { only, refusals }));
                }
                self.lines.pop_front();
                self.choices += usize::from(line.digest.is_some());
                self.edit_now()?;
            }
        }
        let mut pending = self.session.decisions().to_vec();
        loop {
            if self.edit_now()? {
                pending = self.session.decisions().to_vec();
            }
            let Some(line) = self.lines.pop_front() else { return Ok(None) };
            let which = pending.iter().position(|decision| asks(cx, decision, line));
            match which {
                Some(which) => return self.choose(which, &pending[which], line).map(Some),
                // A forced answer that is no longer asked changes nothing.
                None if line.digest.is_none() => {}
                None if pending.is_empty() => return Err(Stop::new(line, DivergenceReason::Over)),
                None => {
                    let asked = |decision: &Decision| {
                        format!("{} is asked {}", cx.world.side_name(decision.side), cx.text(decision.prompt))
                    };
                    let asked: Vec<String> = pending.iter().map(asked).collect();
                    return Err(Stop::new(line, DivergenceReason::NotAsked(asked.join(" and "))));
                }
            }
        }
    }

    /// Why the answer of a line is refused where the rules now leave one option: the decision is asked again, openly.
    fn refusals_of_forced(&mut self, line: &AnswerLine) -> Vec<String> {
        let Ok(mut asked) = self.session.fork() else { return Vec::new() };
        asked.play.ask_forced = true;
        if asked.rewind(self.seen - 1).is_err() {
            return Vec::new();
        }
        let game = self.session.game.clone();
        let fits = |decision: &Decision| asks(game.host.cx(), decision, line);
        let Some(which) = asked.decisions().iter().position(fits) else { return Vec::new() };
        refusals(&mut asked, which, line)
    }

    /// Makes the edits that come before the next answer. True if there were any.
    fn edit_now(&mut self) -> Result<bool, Stop<'a>> {
        let consumed = self.total - self.lines.len();
        let mut any = false;
        while let Some((_, text)) = self.edits.pop_front_if(|edit| edit.0 <= consumed) {
            // The step under way runs again, so what it answered by itself comes once more.
            let first = self.session.step_answers();
            if let Err(error) = self.session.edit(text) {
                let line = AnswerLine {
                    side: String::new(),
                    prompt: "edit".into(),
                    choice: text.to_string(),
                    simultaneous: false,
                    digest: None,
                    closed: false,
                };
                return Err(Stop { line: Cow::Owned(line), why: Box::new(DivergenceReason::Failed(error)) });
            }
            self.seen = self.seen.min(first);
            any = true;
        }
        Ok(any)
    }

    /// Finds the choice that a line means among the options of a decision, or why it is not among them.
    fn choose(
        &mut self,
        which: usize,
        decision: &Decision,
        line: &'a AnswerLine,
    ) -> Result<Next<'a>, Stop<'a>> {
        self.seen += 1;
        let found = self.session.look(|host| {
            let cx = host.cx();
            // An exact name comes before a plain one that looks the same.
            let exact = match &decision.offered {
                Offered::List(options) => {
                    options.iter().find(|opt| names::exact_option(cx, **opt) == line.choice)
                }
                Offered::Selection { .. } => None,
            };
            exact.map_or_else(|| names::find_choice(cx, decision, &line.choice), |opt| Ok(Choice::One(*opt)))
        });
        match found {
            Ok(choice) => Ok(Next { which, choice, line }),
            Err(missing) => {
                let refusals = refusals(&mut self.session, which, line);
                let why = if refusals.is_empty() {
                    DivergenceReason::NotOffered(missing)
                } else {
                    DivergenceReason::Refused(refusals)
                };
                Err(Stop::new(line, why))
            }
        }
    }
}

/// Why a decision refuses what a line says.
fn refusals(session: &mut Session, which: usize, line: &AnswerLine) -> Vec<String> {
    let meant: Vec<Opt> = session.look(|host| match names::read_choice(host.cx(), &line.choice) {
        Choice::One(opt) => vec![opt],
        Choice::Many(chosen) => chosen.iter().map(|&(val, _)| Opt { tag: Sym::NONE, val }).collect(),
    });
    let mut refusals = Vec::new();
    for opt in meant {
        let reasons = session.why(which, opt).unwrap_or_default();
        refusals
            .extend(session.look(|host| {
                reasons.iter().map(|reason| reason_text(host.cx(), reason)).collect::<Vec<_>>()
            }));
    }
    refusals
}

//! Running cases: line by line, strictly; the first line that does not hold fails the case.

use super::policy::{Answering, Policy};
use super::{Case, Failure, Line, align, odds};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::symbol::Sym;
use sandtable_script::{Change, Task, Val};
use sandtable_session::{Game, Session, SessionError, Status, apply_line, changes, names};
use std::rc::Rc;

/// Runs a case twice, the second time with every query worked out anew: what happens must be the same.
pub fn verify(case: &Case, game: &Rc<Game>) -> Result<(), Failure> {
    let (usual, changes) = followed(case, game);
    game.host.cx().bypass_memo.set(true);
    let (anew, others) = followed(case, game);
    game.host.cx().bypass_memo.set(false);
    let last = case.lines.last().map_or(0, |line| line.0);
    if usual != anew {
        let text = |result: &Result<(), Failure>| match result {
            Ok(()) => "passes".to_string(),
            Err(failure) => failure.message.clone(),
        };
        let message = format!("with memoised queries: {}; without: {}", text(&usual), text(&anew));
        return Err(Failure::new(last, message));
    }
    if changes != others {
        let at = changes.iter().zip(&others).take_while(|(a, b)| a == b).count();
        let text =
            |all: &[Option<String>]| all.get(at).cloned().flatten().unwrap_or_else(|| "nothing".into());
        let message = format!(
            "memoised queries lead to `{}`, queries worked out anew to `{}`",
            text(&changes),
            text(&others)
        );
        return Err(Failure::new(last, message));
    }
    usual
}

/// Runs a case and keeps what happened.
fn followed(case: &Case, game: &Rc<Game>) -> (Result<(), Failure>, Vec<Option<String>>) {
    let mut happened = Vec::new();
    let result = run_with(case, game, &mut |run| {
        happened = (0..run.session.play().changes.len()).map(|number| run.named(number)).collect();
    });
    (result, happened)
}

/// Runs a case on a game loaded for its needs.
pub fn run(case: &Case, game: &Rc<Game>) -> Result<(), Failure> {
    run_with(case, game, &mut |_| {})
}

fn run_with(case: &Case, game: &Rc<Game>, last_look: &mut dyn FnMut(&mut Run)) -> Result<(), Failure> {
    let mut run = Run::new(case, game)
        .map_err(|message| Failure::new(case.lines.first().map_or(0, |line| line.0), message))?;
    let result = follow(case, &mut run);
    last_look(&mut run);
    result
}

fn follow(case: &Case, run: &mut Run) -> Result<(), Failure> {
    let last = case.lines.last().map_or(0, |line| line.0);
    let has = |test: fn(&Line) -> bool| case.lines.iter().any(|(_, line)| test(line));
    let error = case.lines.iter().find_map(|(at, line)| match line {
        Line::Error(text) => Some((*at, text.as_str())),
        _ => None,
    });
    for (at, line) in &case.lines {
        match (run.act(line), error) {
            (Ok(()), _) => {}
            (Err(message), None) => return Err(Failure::new(*at, message)),
            (Err(message), Some((_, text))) if message.contains(text) => return Ok(()),
            (Err(message), Some((_, text))) => {
                return Err(Failure::new(*at, format!("expected an error with `{text}`, found: {message}")));
            }
        }
    }
    if let Some((at, text)) = error {
        return Err(Failure::new(at, format!("expected an error with `{text}`; there was none")));
    }
    let runs = has(|line| matches!(line, Line::Call(..) | Line::Step(_) | Line::Go | Line::Raise(_)));
    if !runs && !has(|line| matches!(line, Line::Is(..) | Line::Sees(..) | Line::Outcome(..))) {
        return Err(Failure::new(last, "the case runs nothing: give `call`, `step`, `raise` or `go`"));
    }
    let may_stop = has(|line| matches!(line, Line::Go | Line::Until(_) | Line::Stop));
    run.finish(may_stop).map_err(|message| Failure::new(last, message))
}

/// A case being run.
pub(super) struct Run {
    pub(super) session: Session,
    /// Changes that expected lines have been compared with.
    seen: usize,
    /// Changes that expected sentences of the log have been looked for in.
    heard: usize,
    /// How prompts are answered where the case plays on by itself.
    players: Vec<(String, Policy)>,
    skipping: bool,
    expects: bool,
    /// The arguments of the last call.
    pub(super) args: Vec<Val>,
}

impl Run {
    /// The position of a case, with its rolls at hand: a die may be rolled before the line that names it.
    pub(super) fn new(case: &Case, game: &Rc<Game>) -> Result<Run, String> {
        let mut session = Session::bare(game, case.seed).map_err(|error| error.to_string())?;
        session.play_mut().forced_only = !case.free_dice;
        let mut forced = Vec::new();
        for (_, line) in &case.lines {
            if let Line::Rolls(rolls) = line {
                session.look(|host| {
                    forced.extend(rolls.iter().map(|(label, n)| (host.cx().sym(label), *n)));
                });
            }
        }
        session.force_rolls(forced);
        let expects = case.lines.iter().any(|(_, line)| matches!(line, Line::Expect(_)));
        Ok(Run {
            session,
            seen: 0,
            heard: 0,
            players: case.players.clone(),
            skipping: false,
            expects,
            args: Vec::new(),
        })
    }

    /// The value of an outcome that the game declares: the query `outcome.NAME`, asked with the arguments of the call.
    pub(super) fn outcome(&mut self, name: &str) -> Result<String, String> {
        let args = self.args.clone();
        let query = format!("{}{name}", odds::PREFIX);
        self.session
            .look(|host| host.answer(&query, &args).map(|val| host.cx().name(val)))
            .map_err(|error| error.to_string())
    }

    /// Follows a line.
    pub(super) fn act(&mut self, line: &Line) -> Result<(), String> {
        match line {
            Line::Setup(verb, text) => {
                let game = self.session.game().clone();
                apply_line(game.host.cx(), self.session.play_mut(), verb, text)
                    .map_err(|error| error.to_string())
            }
            Line::Rolls(_) | Line::Error(_) | Line::Stop => Ok(()),
            Line::Call(name, args) => self.call(name, args),
            Line::Step(name) => {
                let game = self.session.game().clone();
                match game.definition.sequence.find(name) {
                    Some(node) => self.begin(|session| session.begin_node(node)),
                    None => Err(format!("the sequence has no node `{name}`")),
                }
            }
            Line::Go => self.begin(|session| session.begin()),
            Line::Raise(event) => self.begin(|session| session.begin_task(Task::Emit(event.as_str().into()))),
            Line::Until(node) => self.play_until(node),
            Line::AskAll => {
                self.session.play_mut().ask_forced = true;
                Ok(())
            }
            Line::Log(sentence) => self.logged(sentence),
            Line::Answer(side, text) => self.answer(side, text),
            Line::Options(side, wanted, open) => self.options(side, wanted, *open),
            Line::Refused(side, option, rule) => self.refused(side, option, rule),
            Line::Expect(text) => self.expect(text),
            Line::Skip => {
                self.skipping = true;
                Ok(())
            }
            Line::Is(path, value) => {
                let found = self.value(path)?;
                if found == *value { Ok(()) } else { Err(format!("`{path}` is {found}, expected {value}")) }
            }
            Line::Outcome(name, value) => {
                let found = self.outcome(name)?;
                if found == *value {
                    Ok(())
                } else {
                    Err(format!("outcome {name} is {found}, expected {value}"))
                }
            }
            Line::Sees(side, thing, what) => {
                let found = self.seen(side, thing)?;
                if found == *what {
                    Ok(())
                } else {
                    Err(format!("{side} sees {found} of {thing}, expected {what}"))
                }
            }
        }
    }

    fn begin(&mut self, f: impl FnOnce(&mut Session) -> Result<(), SessionError>) -> Result<(), String> {
        // A node walked alone ends with the sequence, which is not an end of the game.
        f(&mut self.session).map_err(|error| error.to_string())
    }

    /// Plays on until a decision is asked in a node of the sequence, or after it. Who is asked on the way declines where they can, and
    /// else takes the first option, unless the case has a `player` for the prompt.
    fn play_until(&mut self, node: &str) -> Result<(), String> {
        let game = self.session.game().clone();
        if game.definition.sequence.find(node).is_none() {
            return Err(format!("the sequence has no node `{node}`"));
        }
        let starts = [node.to_string(), format!("{node}.start")];
        let from = self.session.play().changes.len();
        let mut reached = |session: &mut Session| {
            let steps: Vec<_> = session.play().changes.iter().skip(from).filter_map(step_name).collect();
            session.look(|host| steps.iter().any(|&name| starts.contains(&host.cx().text(name))))
        };
        let players = self.players.clone();
        let mut answering = Answering::new(&players, &Policy::Decline, 1);
        answering.play_on(&mut self.session, &mut reached)?;
        if reached(&mut self.session) {
            return Ok(());
        }
        Err(match self.session.status() {
            Status::Ended(_) => format!("the game ended before `{node}` was reached"),
            _ => format!("`{node}` was not reached; {}", self.asked()),
        })
    }

    /// Looks for a sentence among the lines of the log since the last that was found.
    fn logged(&mut self, sentence: &str) -> Result<(), String> {
        let mut others = Vec::new();
        for number in self.heard..self.session.play().changes.len() {
            let Some(Change::Log(text, args)) = self.session.play().changes.get(number).cloned() else {
                continue;
            };
            let said = self.session.look(|host| {
                let cx = host.cx();
                changes::sentence(cx, &cx.text(text), &args)
            });
            if said == sentence {
                self.heard = number + 1;
                return Ok(());
            }
            others.push(format!("`{said}`"));
        }
        Err(match others.as_slice() {
            [] => format!("expected the log to say `{sentence}`; it says nothing more"),
            others => format!("expected the log to say `{sentence}`; it says {}", others.join(", ")),
        })
    }

    fn call(&mut self, name: &str, args: &[String]) -> Result<(), String> {
        let args = self.values(args);
        self.args.clone_from(&args);
        self.begin(|session| session.begin_task(Task::Call(name.into(), args)))
    }

    /// The values that the words of a call stand for.
    pub(super) fn values(&mut self, args: &[String]) -> Vec<Val> {
        self.session.look(|host| {
            let cx = host.cx();
            args.iter()
                .map(|arg| match names::read_name(cx, arg) {
                    Val::Sym(_) if arg == "nil" => Val::Nil,
                    Val::Sym(_) if arg == "true" => Val::Bool(true),
                    Val::Sym(_) if arg == "false" => Val::Bool(false),
                    Val::Sym(sym) => arg.parse().map_or(Val::Sym(sym), Val::Int),
                    val => val,
                })
                .collect()
        })
    }

    /// A change as cases name it, by its number.
    pub(super) fn named(&mut self, number: usize) -> Option<String> {
        let change = self.session.play().changes.get(number).cloned()?;
        self.session.look(|host| changes::canonical(host.cx(), &change))
    }

    /// The next change that a case can name.
    fn next_change(&mut self) -> Option<String> {
        while self.seen < self.session.play().changes.len() {
            self.seen += 1;
            let named = self.named(self.seen - 1);
            if named.is_some() {
                return named;
            }
        }
        None
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let mut passed = Vec::new();
        let start = self.seen;
        while let Some(found) = self.next_change() {
            if align::names(wanted, &found) {
                self.skipping = false;
                return Ok(());
            }
            passed.push(found);
            if !self.skipping {
                break;
            }
        }
        self.seen = start;
        Err(match (self.skipping, passed.as_slice()) {
            (_, []) => format!("expected `{wanted}`; nothing more happened"),
            (false, [found, ..]) => format!("expected `{wanted}`, found `{found}`"),
            (true, passed) => format!("expected `{wanted}` somewhere among: {}", passed.join("; ")),
        })
    }

    fn finish(&mut self, may_stop: bool) -> Result<(), String> {
        if self.expects
            && !self.skipping
            && let Some(found) = self.next_change()
        {
            return Err(format!("something more happened: `{found}` (write it, or end with `...`)"));
        }
        self.complete(may_stop)
    }

    /// Whether every roll was made and nothing is left to answer.
    pub(super) fn complete(&mut self, may_stop: bool) -> Result<(), String> {
        let unused = self.session.unused_rolls();
        if !unused.is_empty() {
            let texts: Vec<String> = self.session.look(|host| {
                unused.iter().map(|(label, n)| format!("{} {n}", host.cx().text(*label))).collect()
            });
            return Err(format!("rolls that nobody made: {}", texts.join(", ")));
        }
        let game = self.session.game().clone();
        if let Some((pile, _)) = self.session.play_mut().shuffle_feed.first() {
            let pile = game.definition.world.space_name(SpaceId(*pile));
            return Err(format!("a shuffle of {pile} that nobody made"));
        }
        if !may_stop
            && matches!(self.session.status(), Status::Asking)
            && !self.session.decisions().is_empty()
        {
            return Err(format!("an answer is missing: {}", self.asked()));
        }
        Ok(())
    }
}

/// The name of the step that a change begins.
fn step_name(change: &Change) -> Option<Sym> {
    if let Change::Step(name) = change { Some(*name) } else { None }
}

//! A game being played at a table: its session, what is stored of it, and the log of each viewer.

use crate::lines::{self, Line, LoggedAnswer, Told};
use crate::refusal::Refusal;
use crate::worker::CachedGame;
use sandtable_kernel::world::SideId;
use sandtable_session::record::Line as RecordLine;
use sandtable_session::view::Viewer;
use sandtable_session::{Record, Session, SessionError, Status, changes, export};
use serde_json::{Value, json};
use std::rc::Rc;

/// What to do with a record that leads to another position than it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differing {
    /// Say so, and do not go on.
    Stop,
    /// Go on from there: the rules were changed on purpose, or somebody said so.
    GoOn,
}

/// A game being played.
pub struct Live {
    /// The game.
    pub shelved: Rc<CachedGame>,
    /// The session.
    pub session: Session,
    /// The lines of its record that are stored.
    pub stored: Vec<RecordLine>,
    /// The log of each side, then that of spectators.
    logs: Vec<Log>,
    /// Changes that are in the logs.
    told: usize,
}

/// The log of one viewer.
#[derive(Clone, Debug, Default)]
struct Log {
    lines: Vec<Line>,
    /// The number of the first line that was not there before, or read otherwise, when the log was last brought up to date.
    new_from: usize,
}

impl Log {
    /// Puts lines in place of those from a change on.
    fn replace(&mut self, from: usize, make: impl FnOnce(usize) -> Vec<Line>) {
        let keep = self.lines.partition_point(|line| line.change < from);
        let before = self.lines.split_off(keep);
        self.lines.extend(make(keep));
        // What reads as before is not new: which changes lie between is not for everybody to know.
        let now = self.lines.iter().skip(keep);
        self.new_from = keep + before.iter().zip(now).take_while(|(a, b)| a.json == b.json).count();
    }
}

impl Live {
    fn with(shelved: &Rc<CachedGame>, session: Session) -> Live {
        let viewers = shelved.loaded.definition.world.sides.len() + 1;
        Live {
            shelved: shelved.clone(),
            session,
            stored: Vec::new(),
            logs: vec![Log::default(); viewers],
            told: 0,
        }
    }

    /// Begins a game.
    pub fn new(shelved: &Rc<CachedGame>, seed: u64) -> Result<Live, Refusal> {
        let mut live = Live::with(shelved, Session::new(&shelved.game, seed)?);
        live.tell(0);
        Ok(live)
    }

    /// A game in the middle of a step, with what was told of that step only.
    pub fn in_step(shelved: &Rc<CachedGame>, session: Session) -> Live {
        let mut live = Live::with(shelved, session);
        live.told = live.session.changes_before_step();
        live.tell(live.told);
        live
    }

    /// Goes on with a game from its record.
    pub fn from_record(
        shelved: &Rc<CachedGame>,
        record: &Record,
        differing: Differing,
    ) -> Result<Live, Refusal> {
        Live::again(shelved, record, differing).map_err(|(refusal, _)| refusal)
    }

    /// The same; where record and rules part, the number of the choice comes with the refusal.
    pub fn again(
        shelved: &Rc<CachedGame>,
        record: &Record,
        differing: Differing,
    ) -> Result<Live, (Refusal, Option<usize>)> {
        // The log of a viewer is made at every stop, with what the viewer saw then.
        let mut logs = vec![Log::default(); shelved.loaded.definition.world.sides.len() + 1];
        let mut told = 0;
        let replayed =
            Session::follow(&shelved.game, record, &mut |session| tell(session, &mut logs, &mut told))
                .map_err(|error| (Refusal::from(error), None))?;
        if let Some(parted) = replayed.parted {
            let text = format!("The rules do not lead to where this game was: {parted}");
            return Err((Refusal::refused("parted", text), Some(parted.choice)));
        }
        if let (Some(choice), Differing::Stop) = (replayed.differs, differing) {
            return Err((differs(record, choice, replayed.unchanged), Some(choice)));
        }
        let mut live = Live::with(shelved, replayed.session);
        (live.logs, live.told) = (logs, told);
        live.tell(live.told);
        live.logs.iter_mut().for_each(|log| log.new_from = 0);
        live.stored.clone_from(&record.lines);
        Ok(live)
    }

    /// The head of its record as text.
    pub fn head(&self) -> String {
        self.shelved.game.head(self.session.play().seed).to_string()
    }

    /// The indices of the answers that somebody chose.
    pub fn choices(&self) -> Vec<usize> {
        let answers = self.session.answers().iter().enumerate();
        answers.filter(|(_, recorded)| !recorded.answer.forced).map(|(at, _)| at).collect()
    }

    /// How many changes there are.
    pub fn changes(&self) -> usize {
        self.session.play().changes.len()
    }

    /// Brings the logs up to date: what was told from change `from` on is told again.
    pub fn tell(&mut self, from: usize) {
        self.told = from.min(self.told).min(self.changes());
        tell(&mut self.session, &mut self.logs, &mut self.told);
    }

    /// The log of a viewer, and the number of its first line that was new when it was last brought up to date.
    pub fn log(&self, viewer: Viewer) -> (&[Line], usize) {
        let at = match viewer {
            Viewer::Side(side) => usize::from(side.0),
            // A spectator's log names nothing that was hidden when it happened.
            Viewer::Spectator | Viewer::Everything => self.logs.len().saturating_sub(1),
        };
        self.logs.get(at).map_or((&[], 0), |log| (&log.lines, log.new_from))
    }

    /// Ids of the sides that owe a decision.
    pub fn owing(&self) -> Vec<String> {
        let world = &self.shelved.loaded.definition.world;
        let mut sides: Vec<String> = Vec::new();
        for decision in self.session.decisions() {
            let side = world.side_name(decision.side).to_string();
            if !sides.contains(&side) {
                sides.push(side);
            }
        }
        sides
    }

    /// How the game ended.
    pub fn ended(&self) -> Value {
        let Status::Ended(ending) = self.session.status() else { return Value::Null };
        let cx = self.shelved.game.host.cx();
        let world = &self.shelved.loaded.definition.world;
        json!({
            "winner": ending.winner.map(|side| world.side_name(side)),
            "reason": changes::sentence(cx, &cx.text(ending.reason), &[]),
            "rule": ending.rule,
        })
    }

    /// How the game ended, in the game's own words: who won, and why.
    pub fn ended_text(&self) -> Option<String> {
        let Status::Ended(ending) = self.session.status() else { return None };
        let cx = self.shelved.game.host.cx();
        let reason = changes::sentence(cx, &cx.text(ending.reason), &[]);
        let name = |side: SideId| self.shelved.loaded.definition.world.sides.get(usize::from(side.0));
        Some(match ending.winner.and_then(name) {
            Some(side) => format!("{}: {reason}", side.1),
            None => reason,
        })
    }

    /// The lines of the record that are not yet stored: the number of the first, and the lines.
    pub fn unstored(&mut self) -> (usize, Vec<String>) {
        let lines = self.session.record().lines;
        let same = lines.iter().zip(&self.stored).take_while(|(a, b)| a == b).count();
        let new = lines.get(same..).unwrap_or_default().iter().map(ToString::to_string).collect();
        self.stored = lines;
        (same, new)
    }

    /// Takes back everything after the first `to` choices.
    pub fn undo(&mut self, to: usize) -> Result<usize, Refusal> {
        let choices = self.choices();
        let Some(&answer) = choices.get(to) else { return Err(SessionError::NoAnswer(to).into()) };
        self.session.undo(answer, false).map_err(|error| match error {
            SessionError::Barrier(_) => Refusal::refused(
                "barred",
                "A die was rolled or something was shown since; that cannot be taken back.",
            ),
            error => error.into(),
        })?;
        Ok(self.changes().min(self.told))
    }

    /// Changes the position outside the rules. Gives from which change on the log is new.
    pub fn edit(&mut self, line: &str) -> Result<usize, Refusal> {
        if line.len() > 1000 || line.contains(['\n', '\r', ';']) {
            return Err(Refusal::bad("An edit is one short line."));
        }
        // The step under way runs again, so its part of the log is new.
        let from = self.session.changes_before_step();
        self.session.edit(line)?;
        Ok(from)
    }

    /// A point of the game as text.
    pub fn export(&mut self, form: &str, at: Option<usize>) -> Result<String, Refusal> {
        let choices = self.choices();
        let at = at.unwrap_or(choices.len());
        if at > choices.len() {
            return Err(Refusal::missing(format!("There are {} choices, not {at}.", choices.len())));
        }
        let record = self.session.record().first(at);
        let here =
            |f: &dyn Fn(&sandtable_script::ScriptContext) -> String, session: &mut Session| match choices
                .get(at)
            {
                Some(answer) => session.at(*answer, |host| f(host.cx())).unwrap_or_default(),
                None => session.look(|host| f(host.cx())),
            };
        match form {
            "record" => Ok(record.to_string()),
            // Answers alone do not lead to a position that somebody has edited.
            "case" if record.edited() => {
                Ok(here(&|cx| export::position_case(cx, &record), &mut self.session))
            }
            "case" => Ok(export::case(&record, at)),
            "scenario" => {
                let to = choices.get(at).copied().unwrap_or(self.session.answers().len());
                Ok(export::scenario(&self.session, &record, at, to))
            }
            other => Err(Refusal::bad(format!("`{other}` is no form; expected record, case or scenario."))),
        }
    }
}

/// Says that a record leads to another position than it says, from which choice on, and what may be the reason.
fn differs(record: &Record, choice: usize, unchanged: bool) -> Refusal {
    let mut chosen = record
        .lines
        .iter()
        .filter(|line| matches!(line, RecordLine::Answer(answer) if answer.digest.is_some()));
    let line = chosen.nth(choice.saturating_sub(1)).map(ToString::to_string).unwrap_or_default();
    let why = if unchanged {
        "its files are those it was played with, so its rules keep something that no record holds"
    } else {
        "its files are not those it was played with"
    };
    let text = format!(
        "Played again from its record, this game comes to another position than it had after choice {choice} (`{line}`): {why}. \
         It stays as it is stored; its record can be exported, and it can go on from where the rules lead now if you say so."
    );
    Refusal::refused("differs", text)
}

/// Adds to the logs what has happened since they were last brought up to date.
fn tell(session: &mut Session, logs: &mut [Log], told: &mut usize) {
    let (from, now) = (*told, session.play().changes.len());
    let chosen = session.answers().iter().filter(|recorded| !recorded.answer.forced);
    let choices: Vec<usize> = chosen.clone().map(|recorded| recorded.changes).collect();
    let given = (1..=choices.len()).rev().zip(chosen.rev());
    let given = given.take_while(|(_, recorded)| recorded.changes >= from);
    // While sides still answer at once, what was answered in this step is a secret.
    let at_once = session.decisions().iter().any(|decision| decision.branch > 0);
    let step = session.action().filter(|_| at_once);
    let open = step.map_or(choices.len(), |step| {
        session.answers().iter().take(step).filter(|recorded| !recorded.answer.forced).count()
    });
    let mut answers: Vec<LoggedAnswer> = given
        .map(|(choice, recorded)| LoggedAnswer {
            change: recorded.changes,
            choice,
            answer: recorded.answer.clone(),
            secret: choice > open && recorded.simultaneous,
        })
        .collect();
    answers.reverse();
    if from >= now && answers.is_empty() {
        logs.iter_mut().for_each(|log| log.replace(from, |_| Vec::new()));
        *told = now;
        return;
    }
    let sides = session.game().definition.world.sides.len();
    session.look(|host| {
        for (seat, log) in logs.iter_mut().enumerate() {
            let viewer = match u8::try_from(seat) {
                Ok(seat) if usize::from(seat) < sides => Viewer::Side(SideId(seat)),
                _ => Viewer::Spectator,
            };
            // Answers after which nothing has changed yet were told before, and are told again.
            let told = Told { from, choices: &choices, answers: &answers };
            log.replace(from, |first| lines::lines(host.cx(), viewer, &told, first));
        }
    });
    // What is a secret now is told to all when the last side has answered.
    *told = answers.iter().find(|given| given.secret).map_or(now, |given| given.change.min(now));
}

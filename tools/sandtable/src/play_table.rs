//! The game on the terminal, line by line: answers, and commands beside them.

use crate::play::Table;
use crate::{advise, out, terminal, terminal_look, terminal_why};
use sandtable_data::suggest;
use sandtable_player::Stop;
use sandtable_script::Decision;
use sandtable_session::{Session, SessionError, Status};
use std::path::PathBuf;

const HELP: &str = "  \
  NUMBER or NAME    answers; several numbers for a selection, `SIDE: NAME` where several are asked
  answer NAME       answers with an option that is called like one of these commands
  why OPTION        which rules refuse it, with their paragraphs: anything, offered or not
  options           asks again
  map [PLACE]       draws the map, or what lies around a hex or a piece
  look NAME         what is known of a space, a piece, a side or `game`
  log [N]           the last N things that happened (20)
  undo [N]          takes back the last N answers
  undo! [N]         the same, even where a die was rolled or something shown
  cancel            takes back all of the action under way
  retract N         takes back the action N answers ago (1 is the last), keeps what came after
  auto [N]          answers N times at random
  save [FILE]       writes the game into a file; without one, into that of the last time
  help              this
  quit              ends; a game that is not saved is kept";

/// What is said when nothing is asked any more.
const OVER: &str = "the game is over; `undo` takes back the last answer";

/// What can be typed beside answers.
const COMMANDS: &[&str] = &[
    "answer", "why", "options", "map", "look", "log", "undo", "undo!", "cancel", "retract", "auto", "save",
    "help", "quit",
];

/// How often something is to be done: once if nothing is said.
fn times(text: &str) -> Result<usize, String> {
    match text {
        "" => Ok(1),
        text => match text.parse() {
            Ok(0) => Err("expected a number from 1 on, not 0".into()),
            Ok(times) => Ok(times),
            Err(_) => Err(format!("`{text}` is not a number")),
        },
    }
}

impl Table<'_> {
    /// Follows one line. False to end.
    pub fn obey(&mut self, line: &str) -> bool {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "quit" | "exit" => return false,
            "help" | "?" => outln!("{HELP}"),
            "map" if rest.is_empty() => put!("{}", terminal::board(&mut self.session)),
            "map" => put!("{}", terminal::surroundings(&mut self.session, rest)),
            "options" => put!("{}", terminal::asked(&mut self.session)),
            "look" => outln!("{}", terminal_look::look(&mut self.session, rest)),
            "why" if rest.is_empty() => outln!("why: expected an option, or anything else by its name"),
            "why" if self.session.decisions().is_empty() => outln!("{OVER}"),
            "why" => {
                for which in 0..self.session.decisions().len() {
                    outln!("{}", terminal_why::why(&mut self.session, which, rest).1);
                }
            }
            "log" => match times(if rest.is_empty() { "20" } else { rest }) {
                Ok(wanted) => {
                    let all = terminal::log(&mut self.session, 0);
                    all.iter().skip(all.len().saturating_sub(wanted)).for_each(|line| outln!("  {line}"));
                }
                Err(error) => outln!("{word}: {error}"),
            },
            "save" => self.save(rest),
            "undo" | "undo!" => match times(rest) {
                Ok(times) => self.undo(times, word == "undo!"),
                Err(error) => outln!("{word}: {error}"),
            },
            "cancel" => match self.session.action() {
                Some(first) => self.take_back(|session| session.undo(first, false).map(|()| String::new())),
                None => outln!("nothing was decided in this action"),
            },
            "retract" if rest.is_empty() => {
                outln!("retract: expected how many answers ago the action is (1 is the last)");
            }
            "answer" => self.answer(rest),
            "retract" => match times(rest) {
                Ok(times) => self.retract(times),
                Err(error) => outln!("{word}: {error}"),
            },
            "auto" => match times(rest) {
                Ok(times) => self.auto(times),
                Err(error) => outln!("{word}: {error}"),
            },
            _ => self.answer(line),
        }
        true
    }

    /// Saves the game; without a name, where it was saved last.
    fn save(&mut self, name: &str) {
        let path = if name.is_empty() { self.keep.last.clone() } else { Some(PathBuf::from(name)) };
        let Some(path) = path else {
            outln!("save: expected the name of a file");
            return;
        };
        match self.keep.save(&path, self.session.record().to_string()) {
            Ok(()) => outln!("saved as {}", path.display()),
            Err(error) => outln!("{error}"),
        }
    }

    /// Answers for the sides that computers play. True if there was something to answer.
    pub fn answer_for_random(&mut self) -> bool {
        let mut any = false;
        loop {
            let owed = |decision: &Decision| {
                self.random.contains(&decision.side) || self.computers[usize::from(decision.side.0)].is_some()
            };
            let Some(which) = self.session.decisions().iter().position(owed) else { return any };
            any = true;
            if let Err(error) = self.answer_by_computer(which) {
                outln!("{error}");
                return any;
            }
        }
    }

    fn answer_by_computer(&mut self, which: usize) -> Result<(), SessionError> {
        let side = self.session.decisions()[which].side;
        let Some(computer) = &mut self.computers[usize::from(side.0)] else {
            return self.player.play_for(&mut self.session, which);
        };
        let chosen = computer.choose(&mut self.session, which, &Stop::default())?;
        if self.args.reasons {
            let name = self.session.game().definition.world.side_name(side).to_string();
            advise::words(&mut self.session, &name, &chosen).iter().for_each(|line| outln!("{line}"));
        }
        self.session.answer(which, &chosen.choice)
    }

    /// Shows what happened and what is asked next.
    pub fn show(&mut self) {
        self.answer_for_random();
        for line in terminal::log(&mut self.session, self.shown) {
            outln!("  {line}");
        }
        self.shown = self.session.play().changes.len();
        outln!();
        if matches!(self.session.status(), Status::Ended(_)) {
            put!("{}", terminal::board(&mut self.session));
        }
        put!("{}", terminal::asked(&mut self.session));
    }

    fn answer(&mut self, line: &str) {
        let world = self.session.game().definition.world.clone();
        let named =
            line.split_once(':').and_then(|(side, rest)| Some((world.find_side(side.trim())?, rest.trim())));
        let (which, text) = match named {
            Some((side, text)) => {
                match self.session.decisions().iter().position(|decision| decision.side == side) {
                    Some(which) => (which, text),
                    None => {
                        outln!("{} is not asked", world.side_name(side));
                        return;
                    }
                }
            }
            None => (0, line),
        };
        if self.session.decisions().is_empty() {
            outln!("{OVER}");
            return;
        }
        let choice = match terminal::choice(&mut self.session, which, text) {
            Ok(choice) => choice,
            Err(error) => {
                let word = text.split_whitespace().next().unwrap_or_default();
                let near = suggest::nearest(word, COMMANDS.iter().copied());
                let more = match near.first() {
                    Some(command) if !error.contains("nearest") => {
                        format!("`{command}` is a command, `help` lists all")
                    }
                    _ => "`why OPTION` says more, `help` lists commands".into(),
                };
                outln!("{} ({more})", out::line(&error));
                return;
            }
        };
        match self.session.answer(which, &choice) {
            Ok(()) => self.show(),
            // What a script stumbles over is no matter of legality.
            Err(error @ SessionError::Script(_)) => outln!("{error}\nthe answer is not given"),
            Err(error) => outln!("{error} (`why OPTION` says more, `help` lists commands)"),
        }
    }

    /// The number of the choice so many choices ago, or what to say if there are fewer.
    fn ago(&self, times: usize) -> Result<usize, String> {
        let answers = self.session.answers().iter().enumerate();
        let choices: Vec<usize> =
            answers.filter(|(_, recorded)| !recorded.answer.forced).map(|(at, _)| at).collect();
        match (choices.len().checked_sub(times).and_then(|at| choices.get(at)), choices.len()) {
            (Some(at), _) => Ok(*at),
            (None, 0) => Err("there is no answer to take back".into()),
            (None, 1) => Err("there is only 1 answer to take back".into()),
            (None, n) => Err(format!("there are only {n} answers to take back")),
        }
    }

    fn undo(&mut self, times: usize, lift: bool) {
        match self.ago(times) {
            Ok(to) => self.take_back(|session| session.undo(to, lift).map(|()| String::new())),
            Err(error) => outln!("{error}"),
        }
    }

    fn retract(&mut self, times: usize) {
        let at = match self.ago(times) {
            Ok(at) => at,
            Err(error) => {
                outln!("{error}");
                return;
            }
        };
        self.take_back(|session| {
            let (kept, stopped) = session.retract(at, false)?;
            Ok(match (kept, stopped) {
                (0, None) => String::new(),
                (kept, None) => format!("; {kept} later answers were given again"),
                (kept, Some(why)) => {
                    format!("; {kept} later answers were given again, the next could not be: {why}")
                }
            })
        });
    }

    /// Takes something back, and says what else came of it.
    fn take_back(&mut self, f: impl FnOnce(&mut Session) -> Result<String, SessionError>) {
        match f(&mut self.session) {
            Ok(more) => {
                self.shown = self.session.play().changes.len();
                outln!("taken back{more}\n");
                put!("{}", terminal::asked(&mut self.session));
            }
            Err(SessionError::Barrier(_)) => {
                outln!("a die was rolled or something was shown since: `undo!` takes it back all the same");
            }
            Err(error) => outln!("{error}"),
        }
    }

    fn auto(&mut self, times: usize) {
        for _ in 0..times {
            if *self.session.status() != Status::Asking {
                break;
            }
            if let Err(error) = self.player.play(&mut self.session) {
                outln!("{error}");
                break;
            }
        }
        self.show();
    }
}

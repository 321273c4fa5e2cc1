//! `sandtable play`: a game on the terminal, one line an answer or a command.

use crate::args::PlayArgs;
use crate::blame::{self, Extra, Suspect};
use crate::blame_values::Changed;
use crate::load::{self, Loaded};
use crate::parting::{self, Again};
use crate::watch::{self, Watch};
use crate::{blame_scripts, out, serve, store, terminal, terminal_why};
use sandtable_kernel::world::{SideId, World};
use sandtable_script::{Decision, Touched};
use sandtable_session::{Game, RandomPlayer, Record, Session, SessionError, Status};
use std::io::{BufRead, IsTerminal};
use std::path::Path;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::SystemTime;

const HELP: &str = "\
  NUMBER or NAME    answers (several numbers for a selection; `SIDE: NAME` where several sides are asked)
  answer NAME       answers with an option that is called like one of these commands
  why OPTION        which rules refuse it, with their paragraphs; works for anything, offered or not
  map               draws the map              look NAME         what is known of a space, piece, side or `game`
  options           asks again                 log [N]           the last N things that happened
  undo [N]          takes back the last N answers; `undo! [N]` even where a die was rolled or something shown
  cancel            takes back all of the action under way
  retract N         takes back the action N answers ago (1 is the last), and keeps what was done since
  auto [N]          answers N times at random  save FILE         writes the game into a file
  help              this                       quit              ends";

/// Changes of the rules that are shown when files are saved.
const MOST: usize = 8;

/// A game at the table.
struct Table<'a> {
    args: &'a PlayArgs,
    session: Session,
    player: RandomPlayer,
    /// The sides that it plays.
    random: Vec<SideId>,
    /// Changes that were shown.
    shown: usize,
    watch: Watch,
    /// The rules as they were when the game was last played under them.
    rules: Loaded,
}

/// Runs the command.
pub fn run(args: &PlayArgs) -> Result<bool, String> {
    if let Some(path) = &args.load {
        fits(args, path)?;
    }
    if !args.terminal {
        return serve::run(args);
    }
    let (game, session, seed, rules) = match &args.load {
        Some(path) => {
            let record = store::read_record(path)?;
            let rules = store::load(&record, &args.with)?;
            let game = load::game(&rules)?;
            let replayed = Session::from_record(&game, &record, None).map_err(|error| error.to_string())?;
            let told =
                Again { record: &record, loaded: &rules, game: &game, with: &args.with, replayed: &replayed }
                    .told()?;
            told.iter().for_each(|line| say!("{line}"));
            if !replayed.rolls.is_empty() {
                say!("the dice of the record hold");
            }
            (game, replayed.session, record.seed, rules)
        }
        None => {
            let Some(id) = args.game.as_deref() else {
                return Err("name a game; `sandtable list` lists them".into());
            };
            let rules = load::load_as(id, args.scenario.as_deref(), &args.with)?;
            let game = load::game(&rules)?;
            let seed = args.seed.unwrap_or_else(|| {
                // A new game wants new dice; the seed is in its record.
                SystemTime::now()
                    .duration_since(SystemTime::UNIX_EPOCH)
                    .map_or(1, |since| since.as_secs() % 1_000_000)
            });
            let session = Session::new(&game, seed).map_err(|error| error.to_string())?;
            (game, session, seed, rules)
        }
    };
    let title = &game.definition.title;
    say!("{title}, {} (seed {seed}). `help` lists what you can type.\n", game.definition.scenario.title);
    let watch = Watch::game(&game.definition.id, &args.with);
    let random = random_sides(&game.definition.world, &args.random)?;
    let mut table = Table { args, session, player: RandomPlayer::new(seed), random, shown: 0, watch, rules };
    table.shown = table.session.play().changes.len();
    put!("{}", terminal::position(&mut table.session));
    if table.answer_for_random() {
        table.show();
    }
    let lines = args.watch.then(typed);
    let stdin = std::io::stdin();
    loop {
        if stdin.is_terminal() {
            put!("> ");
        }
        out::flush();
        let line = match &lines {
            Some(lines) => table.wait(lines),
            None => next_line(&mut stdin.lock()),
        };
        let Some(line) = line else { return Ok(true) };
        if !table.obey(line.trim()) {
            return Ok(true);
        }
    }
}

/// Whether what the command line names is what a record holds.
fn fits(args: &PlayArgs, path: &Path) -> Result<(), String> {
    let record = store::read_record(path)?;
    let seed = (args.seed.map(|seed| seed.to_string()), record.seed.to_string());
    let named = [
        ("game", args.game.clone(), record.game.id.clone()),
        ("scenario", args.scenario.clone(), record.scenario.clone()),
        ("seed", seed.0, seed.1),
    ];
    for (what, wanted, held) in named {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != held) {
            let path = path.display();
            return Err(format!(
                "{path}: the {what} of this record is `{held}`, not `{wanted}`; leave it out, or load another"
            ));
        }
    }
    Ok(())
}

/// The sides that the random player plays.
fn random_sides(world: &World, names: &[String]) -> Result<Vec<SideId>, String> {
    let side = |name: &String| {
        let all =
            || (0..world.sides.len() as u8).map(|seat| world.side_name(SideId(seat))).collect::<Vec<_>>();
        world.find_side(name).ok_or_else(|| format!("--random {name}: the sides are {}", all().join(", ")))
    };
    names.iter().map(side).collect()
}

/// The next line that was typed; what is no UTF-8 in it becomes a mark. Nothing at the end.
fn next_line(from: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    match from.read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// How often something is to be done: once if nothing is said.
fn times(text: &str) -> Result<usize, String> {
    match text {
        "" => Ok(1),
        text => match text.parse() {
            Ok(0) => Err("expected a number from 1 on, not 0".into()),
            Ok(times) => Ok(times),
            Err(_) => Err(format!("`{text}` is no number")),
        },
    }
}

/// Reads lines on a thread of its own, so that files can be watched meanwhile.
fn typed() -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        while let Some(line) = next_line(&mut std::io::stdin().lock()) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

impl Table<'_> {
    /// Follows one line. False to end.
    fn obey(&mut self, line: &str) -> bool {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "quit" | "exit" => return false,
            "help" | "?" => say!("{HELP}"),
            "map" => put!("{}", terminal::board(&mut self.session)),
            "options" => put!("{}", terminal::asked(&mut self.session)),
            "look" => say!("{}", terminal::look(&mut self.session, rest)),
            "why" => {
                for which in 0..self.session.decisions().len() {
                    say!("{}", terminal_why::why(&mut self.session, which, rest).1);
                }
            }
            "log" => {
                let all = terminal::log(&mut self.session, 0);
                let wanted = rest.parse().unwrap_or(20);
                all.iter().skip(all.len().saturating_sub(wanted)).for_each(|line| say!("  {line}"));
            }
            "save" if rest.is_empty() => say!("save: expected the name of a file"),
            "save" => match store::write_record(Path::new(rest), &self.session.record()) {
                Ok(()) => say!("saved as {rest}"),
                Err(error) => say!("{error}"),
            },
            "undo" | "undo!" => match times(rest) {
                Ok(times) => self.undo(times, word == "undo!"),
                Err(error) => say!("{word}: {error}"),
            },
            "cancel" => match self.session.action() {
                Some(first) => self.take_back(|session| session.undo(first, false).map(|()| String::new())),
                None => say!("nothing was decided in this action"),
            },
            "retract" if rest.is_empty() => {
                say!("retract: expected how many answers ago the action is (1 is the last)");
            }
            "answer" => self.answer(rest),
            "retract" => match times(rest) {
                Ok(times) => self.retract(times),
                Err(error) => say!("{word}: {error}"),
            },
            "auto" => match times(rest) {
                Ok(times) => self.auto(times),
                Err(error) => say!("{word}: {error}"),
            },
            _ => self.answer(line),
        }
        true
    }

    /// Answers for the sides that the random player plays. True if there was something to answer.
    fn answer_for_random(&mut self) -> bool {
        let mut any = false;
        loop {
            let owed = |decision: &Decision| self.random.contains(&decision.side);
            let Some(which) = self.session.decisions().iter().position(owed) else { return any };
            any = true;
            if let Err(error) = self.player.play_for(&mut self.session, which) {
                say!("{error}");
                return any;
            }
        }
    }

    /// Shows what happened and what is asked next.
    fn show(&mut self) {
        self.answer_for_random();
        for line in terminal::log(&mut self.session, self.shown) {
            say!("  {line}");
        }
        self.shown = self.session.play().changes.len();
        say!();
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
                        say!("{} is not asked", world.side_name(side));
                        return;
                    }
                }
            }
            None => (0, line),
        };
        if self.session.decisions().is_empty() {
            say!("the game is over; `undo` takes back the last answer");
            return;
        }
        let choice = match terminal::choice(&mut self.session, which, text) {
            Ok(choice) => choice,
            Err(error) => {
                say!("{} (`why OPTION` says more, `help` lists commands)", out::line(&error));
                return;
            }
        };
        match self.session.answer(which, &choice) {
            Ok(()) => self.show(),
            // What a script stumbles over is no matter of legality.
            Err(error @ SessionError::Script(_)) => say!("{error}\nthe answer is not given"),
            Err(error) => say!("{error} (`why OPTION` says more, `help` lists commands)"),
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
            Err(error) => say!("{error}"),
        }
    }

    fn retract(&mut self, times: usize) {
        let at = match self.ago(times) {
            Ok(at) => at,
            Err(error) => {
                say!("{error}");
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
                say!("taken back{more}\n");
                put!("{}", terminal::asked(&mut self.session));
            }
            Err(SessionError::Barrier(_)) => {
                say!("a die was rolled or something was shown since: `undo!` takes it back all the same");
            }
            Err(error) => say!("{error}"),
        }
    }

    fn auto(&mut self, times: usize) {
        for _ in 0..times {
            if *self.session.status() != Status::Asking {
                break;
            }
            if let Err(error) = self.player.play(&mut self.session) {
                say!("{error}");
                break;
            }
        }
        self.show();
    }

    /// Waits for a line and meanwhile for changed files. Nothing when no more lines come.
    fn wait(&mut self, lines: &Receiver<String>) -> Option<String> {
        loop {
            match lines.recv_timeout(watch::PATIENCE) {
                Ok(line) => {
                    self.reload();
                    return Some(line);
                }
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    if self.reload() {
                        put!("> ");
                        out::flush();
                    }
                }
            }
        }
    }

    /// Loads changed files and plays the game again under them. True if something was said.
    fn reload(&mut self) -> bool {
        if self.watch.changed().is_empty() {
            return false;
        }
        let record = self.session.record();
        say!("\nfiles have changed");
        let (rules, game) =
            match self.loaded(&Extra::default()).and_then(|rules| Ok((load::game(&rules)?, rules))) {
                Ok((game, rules)) => (rules, game),
                Err(error) => {
                    say!("{error}\nthe game goes on as it was");
                    return true;
                }
            };
        let changed = Changed::between(&self.rules.catalog, &rules.catalog);
        let mut lines = changed.lines();
        let scripts = blame_scripts::suspects(&self.rules, &rules, &game);
        lines.extend(scripts.iter().map(|suspect| suspect.text.clone()));
        lines.iter().take(MOST).for_each(|line| say!("  {line}"));
        if lines.len() > MOST {
            say!("  … and {} more changes", lines.len() - MOST);
        }
        *game.host.cx().touched.borrow_mut() = Some(Touched::default());
        match Session::from_record(&game, &record, None) {
            Err(error) => say!("{error}\nthe game goes on as it was"),
            Ok(replayed) if replayed.parted.is_some() => {
                parting::report(&replayed).iter().for_each(|line| say!("{line}"));
                let choice = replayed.parted.as_ref().map_or(0, |parted| parted.choice);
                let suspects = scripts.iter().cloned().chain(changed.read(&game)).collect();
                self.blame(&record, &rules, suspects, choice);
                say!("the game goes on under the rules it had");
            }
            Ok(mut replayed) => {
                let before = terminal::facts(&mut self.session);
                let after = terminal::facts(&mut replayed.session);
                let different = terminal::differences(&before, &after);
                parting::report(&replayed).iter().for_each(|line| say!("{line}"));
                different.iter().take(20).for_each(|line| say!("  {line}"));
                if different.len() > 20 {
                    say!("  … and {} more", different.len() - 20);
                }
                if different.is_empty() {
                    say!("the position is the same under the new rules");
                }
                if let Some(choice) = replayed.differs {
                    let suspects = scripts.iter().cloned().chain(changed.read(&game)).collect();
                    self.blame(&record, &rules, suspects, choice);
                }
                self.session = replayed.session;
                self.rules = rules;
                self.shown = self.session.play().changes.len();
                put!("{}", terminal::asked(&mut self.session));
            }
        }
        true
    }

    /// Says which of the changed values is to blame that the game goes another way.
    fn blame(&self, record: &Record, rules: &Loaded, suspects: Vec<Suspect>, choice: usize) {
        let by = blame::responsible(record, rules, suspects, choice, &|extra| self.loaded(extra));
        if !by.is_empty() {
            say!("by {}", by.join("; "));
        }
    }

    fn loaded(&self, extra: &Extra) -> Result<Loaded, String> {
        let game: &Rc<Game> = self.session.game();
        let scenario = game.definition.scenario.id.clone();
        let record = game.head(0);
        let with = store::with(
            &record,
            &crate::args::WithArgs { path: self.args.with.path.clone(), ..Default::default() },
        );
        // Layers given by path are found by path again.
        let mut with = with;
        if self.args.load.is_none() {
            with.layer.clone_from(&self.args.with.layer);
        }
        with.set.extend(extra.set.clone());
        with.option.extend(extra.option.clone());
        load::load_as(&game.definition.id, Some(&scenario), &with)
    }
}

//! `sandtable play`: a game on the terminal, one line an answer or a command.

use crate::args::PlayArgs;
use crate::divergence::Again;
use crate::load::{self, Loaded};
use crate::play_keep::Keep;
use crate::screen::Screen;
use crate::seats::Seats;
use crate::watch::Watch;
use crate::{out, serve, store, terminal};
use sandtable_data::suggest;
use sandtable_kernel::world::{SideId, World};
use sandtable_player::Player;
use sandtable_session::{RandomPlayer, Session};
use std::io::{BufRead, IsTerminal};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::SystemTime;

/// A game at the table.
pub struct Table<'a> {
    pub args: &'a PlayArgs,
    pub session: Session,
    pub player: RandomPlayer,
    /// The sides that it plays.
    pub random: Vec<SideId>,
    /// The computers that play sides, by seat.
    pub computers: Vec<Option<Box<dyn Player>>>,
    /// Changes that were shown.
    pub shown: usize,
    pub watch: Watch,
    /// The rules as they were when the game was last played under them.
    pub rules: Loaded,
    pub keep: Keep,
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
            told.iter().for_each(|line| outln!("{line}"));
            if !replayed.rolls.is_empty() {
                outln!("the dice of the record hold");
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
    let random = random_sides(&game.definition.world, &args.random)?;
    let mut session = session;
    let played = std::io::stdin().is_terminal();
    let keep =
        Keep::new(&game.definition.id, seed, args.load.as_deref(), session.record().to_string(), played);
    out::fit(Screen::now().map(|screen| screen.width));
    let title = &game.definition.title;
    outln!("{title}, {} (seed {seed}). `help` lists what you can type.\n", game.definition.scenario.title);
    let watch = Watch::game(&game.definition.id, &args.with);
    let player = RandomPlayer::new(seed);
    let mut computers = Seats::sides(&game.definition.world, &args.computer)?.players(seed);
    computers.iter_mut().flatten().for_each(|computer| computer.explain(args.reasons));
    let mut table = Table { args, session, player, random, computers, shown: 0, watch, rules, keep };
    table.shown = table.session.play().changes.len();
    put!("{}", terminal::position(&mut table.session));
    if table.answer_for_random() {
        table.show();
    }
    let lines = args.watch.then(typed);
    let stdin = std::io::stdin();
    loop {
        table.keep.keep(table.session.record().to_string());
        if stdin.is_terminal() {
            put!("> ");
        }
        out::flush();
        let line = match &lines {
            Some(lines) => table.wait(lines),
            None => next_line(&mut stdin.lock()),
        };
        // The window may have become another size.
        out::fit(Screen::now().map(|screen| screen.width));
        if line.is_none() && stdin.is_terminal() {
            outln!();
        }
        if !line.is_some_and(|line| table.obey(line.trim())) {
            out::fit(None);
            match table.keep.farewell() {
                none if none.is_empty() => {}
                said => outln!("{said}"),
            }
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
        world.find_side(name).ok_or_else(|| {
            let near =
                suggest::did_you_mean(name, all()).map_or_else(String::new, |near| format!("; {near}"));
            format!("--random {name}: the sides are {}{near}", all().join(", "))
        })
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

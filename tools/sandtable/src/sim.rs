//! `sandtable sim`: games with random or other computer players, for finding errors, dead ends and how often each rule fires.

use crate::args::SimArgs;
use crate::load::{self, Loaded};
use crate::seats::Seats;
use crate::sim_cards::Cards;
use crate::{out, progress, store};
use indicatif::ProgressBar;
use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_kernel::symbol::mix;
use sandtable_kernel::world::SideId;
use sandtable_player::Stop;
use sandtable_session::view::Viewer;
use sandtable_session::{Game, LeakCheck, RandomPlayer, Session, SessionError, Status};
use sandtable_table::sent::Wire;
use serde_json::json;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What many games added up to.
#[derive(Default)]
struct Totals {
    games: u64,
    finished: u64,
    errors: Vec<(u64, String)>,
    dead_ends: u64,
    decisions: u64,
    options: u64,
    turns: i64,
    wins: BTreeMap<String, u64>,
    ends: BTreeMap<String, u64>,
    fired: BTreeMap<String, u64>,
    /// Seed and final digest of every game that ended.
    digests: Vec<(u64, u64)>,
    broken: u64,
    /// Moments at which hidden things were exchanged and a side was told the same.
    blind: u64,
    incomparable: u64,
}

impl Totals {
    fn add(&mut self, other: Totals) {
        self.games += other.games;
        self.finished += other.finished;
        self.errors.extend(other.errors);
        self.dead_ends += other.dead_ends;
        self.decisions += other.decisions;
        self.options += other.options;
        self.turns += other.turns;
        self.broken += other.broken;
        self.blind += other.blind;
        self.incomparable += other.incomparable;
        for (mine, theirs) in
            [(&mut self.wins, other.wins), (&mut self.ends, other.ends), (&mut self.fired, other.fired)]
        {
            for (key, n) in theirs {
                *mine.entry(key).or_default() += n;
            }
        }
        self.digests.extend(other.digests);
    }

    /// A hash of where every game came to, in the order of seeds: what replaying the records gives.
    fn records_hash(&self) -> u64 {
        self.digests.iter().fold(0, |hash, (seed, digest)| mix(hash, mix(*seed, *digest)))
    }
}

/// Runs the command. False if any game failed.
pub fn run(args: &SimArgs) -> Result<bool, String> {
    let loaded = load::load(&args.game)?;
    // Wrong names of players are found before anything is played.
    Seats::levels(&loaded.definition.world, &args.player)?;
    // Load once here so that errors of scripts are shown once.
    load::game(&loaded)?;
    // What the table sends is compared, which wants the game as the table has it.
    let Loaded { catalog, definition } = load::load(&args.game)?;
    let tabled = Arc::new(sandtable_table::library::Loaded { catalog, definition });
    if let Some(folder) = &args.records {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    }
    let next = AtomicU64::new(0);
    let bar = progress::bar(args.games, "games");
    let start = Instant::now();
    let mut totals = Totals::default();
    // A side that never wins has its interval too.
    let world = &loaded.definition.world;
    let sides = (0..world.sides.len() as u8).map(|seat| world.side_name(SideId(seat)).to_string());
    totals.wins.extend(sides.map(|side| (side, 0)));
    std::thread::scope(|scope| {
        let work = || worker(args, &loaded, &tabled, &next, &bar);
        let workers: Vec<_> = (0..args.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            match worker.join() {
                Ok(Ok(more)) => totals.add(more),
                Ok(Err(error)) => totals.errors.push((0, error)),
                Err(_) => totals.errors.push((0, "a worker died".into())),
            }
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    totals.errors.sort();
    totals.digests.sort_unstable();
    report(args, &totals, seconds);
    Ok(totals.errors.is_empty() && totals.broken == 0)
}

fn worker(
    args: &SimArgs,
    loaded: &Loaded,
    tabled: &Arc<sandtable_table::library::Loaded>,
    next: &AtomicU64,
    bar: &ProgressBar,
) -> Result<Totals, String> {
    let game = load::game_as(loaded, args.invariants)?;
    let seats = Seats::levels(&loaded.definition.world, &args.player)?;
    let wire = Wire::new(&game, tabled);
    if args.profile {
        *game.host.cx().profile.borrow_mut() = Some(Vec::new());
    }
    let mut totals = Totals::default();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= args.games {
            break;
        }
        let seed = args.seed.wrapping_add(number);
        totals.games += 1;
        bar.inc(1);
        if let Err(error) = play(args, &seats, &wire, &game, seed, &mut totals) {
            if let SessionError::Script(script) = &error
                && script.is_dead_end()
            {
                totals.dead_ends += 1;
            }
            totals.errors.push((seed, error.to_string()));
        }
    }
    if let Some(profile) = &*game.host.cx().profile.borrow() {
        show_profile(&game, profile);
    }
    for handler in &game.host.cx().registry.borrow().handlers {
        let fired = handler.fired.get();
        for rule in &handler.rules {
            *totals.fired.entry(rule.clone()).or_default() += fired;
        }
    }
    Ok(totals)
}

/// Plays one game and keeps its record, also of one that failed.
fn play(
    args: &SimArgs,
    seats: &Seats,
    wire: &Wire,
    game: &Rc<Game>,
    seed: u64,
    totals: &mut Totals,
) -> Result<(), SessionError> {
    let mut session = Session::new(game, seed)?;
    let result = play_on(args, seats, wire, &mut session, seed, totals);
    if args.survive
        && result.is_ok()
        && let Some(why) = sandtable_session::check_round_trip(&mut session)?
    {
        totals.broken += 1;
        totals.errors.push((seed, why.into()));
    }
    if args.verify && result.is_ok() {
        let cx = game.host.cx();
        cx.bypass_memo.set(true);
        let again = Session::new(game, seed).and_then(|mut again| {
            play_on(args, seats, wire, &mut again, seed, &mut Totals::default())?;
            Ok(game.digest(&again.play().state))
        });
        cx.bypass_memo.set(false);
        if again? != game.digest(&session.play().state) {
            totals
                .errors
                .push((seed, "memoised queries led to another end than queries worked out anew".into()));
        }
    }
    totals.digests.push((seed, game.digest(&session.play().state)));
    if let Some(folder) = &args.records
        && let Err(error) = store::write_record(&folder.join(format!("{seed:08}.record")), &session.record())
    {
        totals.errors.push((seed, error));
    }
    result
}

fn play_on(
    args: &SimArgs,
    seats: &Seats,
    wire: &Wire,
    session: &mut Session,
    seed: u64,
    totals: &mut Totals,
) -> Result<(), SessionError> {
    let game = session.game().clone();
    let mut player = RandomPlayer::new(seed);
    let mut computers = seats.players(seed);
    let stop = Stop::default();
    let mut cards = Cards::new(session);
    for _ in 0..args.limit {
        if let Status::Ended(ending) = session.status().clone() {
            totals.finished += 1;
            let winner = ending.winner.map_or("nobody", |side| game.definition.world.side_name(side));
            *totals.wins.entry(winner.to_string()).or_default() += 1;
            let reason = game.host.cx().text(ending.reason);
            *totals.ends.entry(reason).or_default() += 1;
            let world = &game.definition.world;
            let column = world
                .symbols
                .get("turn")
                .and_then(|name| world.schema.column(sandtable_kernel::state::TableId::GAME, name));
            if let Some(column) = column {
                totals.turns +=
                    i64::from(session.play().state.get(sandtable_kernel::state::TableId::GAME, 0, column));
            }
            return Ok(());
        }
        totals.decisions += 1;
        totals.options += session.decisions().first().map_or(0, |decision| decision.count() as u64);
        let owner = session.decisions().first().map_or(0, |decision| usize::from(decision.side.0));
        match computers.get_mut(owner).and_then(Option::as_mut) {
            Some(computer) => {
                let chosen = computer.choose(session, 0, &stop)?;
                session.answer(0, &chosen.choice)?;
            }
            None => player.play(session)?,
        }
        cards.count(session, &mut totals.fired);
        // Another answer in each game, so that in many games every kind of moment is looked at.
        if args.invariants
            && totals.decisions.wrapping_add(seed).is_multiple_of(args.secrets_every)
            && let Some(why) = hidden(wire, session, seed, totals)?
        {
            totals.broken += 1;
            totals.errors.push((seed, format!("{why} (answer {})", session.answers().len())));
            return Ok(());
        }
        if args.invariants {
            if let Some(name) = session.ambiguous() {
                totals.broken += 1;
                let why = format!("two options are called {name} (answer {})", session.answers().len());
                totals.errors.push((seed, why));
                return Ok(());
            }
            let broken = session.look(|host| host.broken_invariants())?;
            if let Some(reason) = broken.first() {
                totals.broken += 1;
                let id = game.host.cx().registry.borrow().handlers[reason.handler as usize].id.clone();
                totals.errors.push((
                    seed,
                    format!("invariant {id}: {} (answer {})", reason.text, session.answers().len()),
                ));
                return Ok(());
            }
        }
    }
    totals.errors.push((seed, format!("not over after {} answers", args.limit)));
    Ok(())
}

/// The 95 % interval of a share, after Wilson, in percent.
#[expect(clippy::float_arithmetic, reason = "statistics for people, never state")]
fn interval(n: u64, of: u64) -> [f64; 2] {
    if of == 0 {
        return [0.0, 100.0];
    }
    let (n, of, z) = (n as f64, of as f64, 1.96f64);
    let share = n / of;
    let centre = share + z * z / (2.0 * of);
    let spread = z * (share * (1.0 - share) / of + z * z / (4.0 * of * of)).sqrt();
    let scale = 1.0 + z * z / of;
    [(centre - spread) / scale, (centre + spread) / scale].map(|end| (end * 10_000.0).round() / 100.0)
}

#[expect(clippy::float_arithmetic, reason = "rates for people, never state")]
fn report(args: &SimArgs, totals: &Totals, seconds: f64) {
    let per_second = totals.decisions as f64 / seconds.max(1e-9);
    if args.json {
        let wins: BTreeMap<&String, serde_json::Value> = totals
            .wins
            .iter()
            .map(|(side, n)| (side, json!({ "games": n, "interval": interval(*n, totals.finished) })))
            .collect();
        outln!(
            "{}",
            json!({
                "games": totals.games,
                "finished": totals.finished,
                "errors": totals.errors.iter().map(|(seed, text)| json!({ "seed": seed, "message": text })).collect::<Vec<_>>(),
                "dead_ends": totals.dead_ends,
                "hidden_checked": totals.blind,
                "hidden_incomparable": totals.incomparable,
                "decisions": totals.decisions,
                "decisions_per_second": per_second.round(),
                "games_per_second": totals.games as f64 / seconds.max(1e-9),
                "options_mean": totals.options as f64 / totals.decisions.max(1) as f64,
                "turns": totals.turns as f64 / totals.finished.max(1) as f64,
                "wins": wins,
                "ends": totals.ends,
                "fired": totals.fired,
                "records_hash": format!("{:016x}", totals.records_hash()),
            })
        );
        return;
    }
    outln!(
        "{} games, {} finished, {} errors, {} dead ends",
        totals.games,
        totals.finished,
        totals.errors.len(),
        totals.dead_ends
    );
    outln!(
        "{} decisions, {per_second:.0} a second, {:.1} options on average",
        totals.decisions,
        totals.options as f64 / totals.decisions.max(1) as f64
    );
    for (side, n) in &totals.wins {
        let [low, high] = interval(*n, totals.finished);
        outln!("  {side} won {n} ({low} to {high} %)");
    }
    for (end, n) in &totals.ends {
        outln!("  ended by {end}: {n}");
    }
    for (seed, text) in totals.errors.iter().take(5) {
        eprintln!("\nseed {seed}: {}", out::clean(text));
    }
}

/// Prints the handlers that took most time, with what they called.
fn show_profile(game: &Game, profile: &[[u64; 3]]) {
    let registry = game.host.cx().registry.borrow();
    let mut rows: Vec<(u64, String)> = profile
        .iter()
        .zip(&registry.handlers)
        .filter(|(counts, _)| counts[2] > 0)
        .map(|([calls, runs, nanos], handler)| {
            let each = nanos / (*runs).max(1);
            (
                *nanos,
                format!(
                    "{:>9} us {calls:>9} calls {runs:>9} runs {each:>9} ns each  {} {}",
                    nanos / 1000,
                    handler.kind.name(),
                    handler.id
                ),
            )
        })
        .collect();
    rows.sort();
    for (_, row) in rows.iter().rev().take(30) {
        eprintln!("{}", out::clean(row));
    }
}

/// Exchanges what each side cannot see and compares what the table sends it: nothing may differ.
fn hidden(
    wire: &Wire,
    session: &mut Session,
    seed: u64,
    totals: &mut Totals,
) -> Result<Option<String>, SessionError> {
    let sides = session.game().definition.world.sides.len() as u8;
    let mut dice = Dice::new(DiceKey { seed, path: session.answers().len() as u64, label: 0, ordinal: 0 });
    let viewers = (0..sides).map(|seat| Viewer::Side(SideId(seat))).chain([Viewer::Spectator]);
    for viewer in viewers {
        match session.leaks_by(viewer, &mut |n| dice.below(n), &mut |session| {
            Ok(wire.sent(session, viewer).into_iter().map(|sent| sent.text).collect())
        })? {
            LeakCheck::NotComparable => totals.incomparable += 1,
            LeakCheck::Same => totals.blind += 1,
            LeakCheck::Told(before, after) => {
                let name = match viewer {
                    Viewer::Side(side) => session.game().definition.world.side_name(side).to_string(),
                    _ => "a spectator".into(),
                };
                return Ok(Some(format!("{name} is told what is hidden: `{before}`, else `{after}`")));
            }
        }
    }
    Ok(None)
}

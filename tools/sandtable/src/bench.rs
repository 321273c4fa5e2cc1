//! `sandtable bench`: how fast a game is, measured as the project defines its targets.

use crate::args::BenchArgs;
use crate::{bench_tries, load};
use sandtable_session::{Game, RandomPlayer, Record, Session, SessionError, Status};
use serde_json::json;
use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A point of the processor's time that this thread has used; of the wall's where a system does not count that.
pub struct Spent(Duration);

impl Spent {
    /// Now.
    #[cfg(unix)]
    pub fn now() -> Spent {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ThreadCPUTime);
        let part = |n: i64| u64::try_from(n).unwrap_or_default();
        Spent(Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec)))
    }

    /// Now.
    #[cfg(not(unix))]
    pub fn now() -> Spent {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        Spent(START.get_or_init(Instant::now).elapsed())
    }

    /// What was used since.
    pub fn elapsed(&self) -> Duration {
        Spent::now().0.saturating_sub(self.0)
    }
}

/// Answers after which a game is given up.
const LONGEST: usize = 200_000;

/// Runs the command.
pub fn run(args: &BenchArgs) -> Result<bool, String> {
    let figures = measure(args)?;
    if args.json {
        outln!("{figures}");
    } else if let Some(figures) = figures.as_object() {
        for (name, value) in figures {
            outln!("{name:24} {value}");
        }
    }
    Ok(true)
}

fn measure(args: &BenchArgs) -> Result<serde_json::Value, String> {
    let told = |error: SessionError| error.to_string();
    let create = median(5, || {
        let start = Spent::now();
        let game = load::game(&load::load(&args.game)?)?;
        black_box(Session::new(&game, args.seed).map_err(told)?);
        Ok(start.elapsed())
    })?;
    let game = load::game(&load::load(&args.game)?)?;
    let again = median(21, || {
        let start = Spent::now();
        black_box(Session::new(&game, args.seed).map_err(told)?);
        Ok(start.elapsed())
    })?;
    let (decisions, games, spent, reference) = throughput(args, &game)?;
    let mut session = Session::new(&game, args.seed).map_err(told)?;
    let mut player = RandomPlayer::new(args.seed);
    for _ in 0..LONGEST {
        if *session.status() != Status::Asking {
            break;
        }
        player.play(&mut session).map_err(told)?;
    }
    let text = session.record().to_string();
    let choices = session.answers().iter().filter(|recorded| !recorded.answer.forced).count();
    let snapshot = median(1001, || {
        let start = Spent::now();
        black_box(session.play().state.snapshot());
        Ok(start.elapsed())
    })?;
    let replay = median(5, || {
        let start = Spent::now();
        let record = Record::parse(&text).map_err(|error| error.to_string())?;
        let replayed = Session::from_record(&game, &record, None).map_err(told)?;
        if replayed.parted.is_some() || replayed.differs.is_some() {
            return Err("the record of a random game does not replay".to_string());
        }
        black_box(replayed.session);
        Ok(start.elapsed())
    })?;
    let (tries, trying) =
        bench_tries::tries(&game, args.seed, Duration::from_millis(args.millis / 4)).map_err(told)?;
    let (undo, undo_median) = worst_undo(&mut session).map_err(told)?;
    Ok(json!({
        "game": game.definition.id,
        "scenario": game.definition.scenario.id,
        "decisions_per_second": rate(decisions, spent),
        "tries_per_second": rate(tries, trying),
        "games": games,
        "decisions": decisions,
        "create_ms": ms(create),
        "create_again_ms": ms(again),
        "undo_ms": ms(undo),
        "undo_median_ms": ms(undo_median),
        "replay_ms": ms(replay),
        "replay_choices": choices,
        "record_bytes": text.len(),
        "snapshot_us": us(snapshot),
        "reference_us": us(reference),
    }))
}

/// Time of play between two looks at the yardstick.
const APART: Duration = Duration::from_millis(20);

/// Plays games until the time is up: decisions, games, time, and the yardstick. The option list of each decision is
/// built in full.
///
/// The speed of a machine wavers, so the yardstick is timed again and again between decisions, and its mean is given. Both are
/// timed by the processor's time of this thread: others that have the processor in between slow neither, and what slows the
/// processor itself slows both.
fn throughput(args: &BenchArgs, game: &Rc<Game>) -> Result<(u64, u64, Duration, Duration), String> {
    let (mut decisions, mut games) = (0, 0);
    let (wanted, yardstick) = (Duration::from_millis(args.millis), Yardstick::new());
    let (mut spent, mut references, mut looks) = (Duration::ZERO, yardstick.time(), 1);
    // The clock of the wall is cheap to look at, and says when it is time for the other.
    let (mut start, mut wall) = (Spent::now(), Instant::now());
    while spent + start.elapsed() < wanted {
        let seed = args.seed + games;
        let mut session = Session::new(game, seed).map_err(|error| format!("seed {seed}: {error}"))?;
        let mut player = RandomPlayer::new(seed);
        for _ in 0..LONGEST {
            if wall.elapsed() > APART {
                spent += start.elapsed();
                references += yardstick.time();
                looks += 1;
                (start, wall) = (Spent::now(), Instant::now());
            }
            if *session.status() != Status::Asking || spent > wanted * 2 {
                break;
            }
            player.play(&mut session).map_err(|error| format!("seed {seed}: {error}"))?;
            decisions += 1;
        }
        games += 1;
    }
    Ok((decisions, games, spent + start.elapsed(), references / looks))
}

/// Takes a game back answer by answer: the worst and the median time. Each is taken back twice and the better time
/// counts, so that a pause of the machine is not taken for the engine's.
fn worst_undo(session: &mut Session) -> Result<(Duration, Duration), SessionError> {
    let mut times = Vec::new();
    while let Some(last) = session.last_choice() {
        let answer = session.answers()[last].answer.clone();
        let start = Spent::now();
        session.undo(last, true)?;
        let first = start.elapsed();
        let Some(which) = session.asked_again(&answer) else {
            return Err(SessionError::NoAnswer(last));
        };
        session.answer(which, &answer.choice)?;
        let start = Spent::now();
        session.undo(last, true)?;
        times.push(first.min(start.elapsed()));
    }
    times.sort();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    Ok((times.last().copied().unwrap_or_default(), middle))
}

fn median(times: usize, mut f: impl FnMut() -> Result<Duration, String>) -> Result<Duration, String> {
    let mut taken = Vec::with_capacity(times);
    for _ in 0..times {
        taken.push(f()?);
    }
    taken.sort();
    Ok(taken[times / 2])
}

#[expect(clippy::float_arithmetic, reason = "rates for people, never state")]
fn rate(n: u64, spent: Duration) -> f64 {
    (n as f64 / spent.as_secs_f64().max(1e-9)).round()
}

#[expect(clippy::float_arithmetic, reason = "times for people, never state")]
fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[expect(clippy::float_arithmetic, reason = "times for people, never state")]
fn us(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e8).round() / 1e2
}

/// The yardstick: one flood over a map of 50 by 40 hexes with a plain table of costs.
///
/// It uses nothing of the engine, so that it stays what it is when the engine gets faster.
struct Yardstick {
    first: Vec<u32>,
    links: Vec<u16>,
    cost: Vec<u8>,
}

/// Columns and rows of the yardstick's map.
const MAP: (usize, usize) = (50, 40);

impl Yardstick {
    fn new() -> Yardstick {
        let (columns, rows) = MAP;
        let mut first = vec![0u32];
        let mut links: Vec<u16> = Vec::new();
        for col in 0..columns {
            for row in 0..rows {
                let down = col % 2;
                let beside = |col: usize, row: usize| {
                    (row + down).checked_sub(1).into_iter().chain([row + down]).map(move |row| (col, row))
                };
                let mut near: Vec<(usize, usize)> = Vec::new();
                near.extend(row.checked_sub(1).map(|row| (col, row)));
                near.push((col, row + 1));
                near.extend(col.checked_sub(1).into_iter().flat_map(|col| beside(col, row)));
                near.extend(beside(col + 1, row));
                near.retain(|&(col, row)| col < columns && row < rows);
                links.extend(near.iter().map(|&(col, row)| (col * rows + row) as u16));
                first.push(links.len() as u32);
            }
        }
        let cost: Vec<u8> = (0..columns * rows).map(|hex| 1 + (hex * 7 % 11 % 4) as u8).collect();
        Yardstick { first, links, cost }
    }

    /// The median of a few floods: the first of them finds the caches full of other things.
    fn time(&self) -> Duration {
        let (columns, rows) = MAP;
        let mut taken = [Duration::ZERO; 9];
        for time in &mut taken {
            let start = Spent::now();
            black_box(flood(&self.first, &self.links, &self.cost, (columns / 2) * rows + rows / 2));
            *time = start.elapsed();
        }
        taken.sort();
        taken[taken.len() / 2]
    }
}

/// The cost to reach every hex, with buckets of equal cost.
fn flood(first: &[u32], links: &[u16], cost: &[u8], from: usize) -> Vec<u32> {
    let mut best = vec![u32::MAX; cost.len()];
    let mut buckets: Vec<Vec<u16>> = vec![vec![from as u16]];
    best[from] = 0;
    let mut at = 0;
    while at < buckets.len() {
        while let Some(hex) = buckets[at].pop() {
            let hex = hex as usize;
            if best[hex] < at as u32 {
                continue;
            }
            for &next in &links[first[hex] as usize..first[hex + 1] as usize] {
                let total = at as u32 + u32::from(cost[next as usize]);
                if total < best[next as usize] {
                    best[next as usize] = total;
                    if buckets.len() <= total as usize {
                        buckets.resize(total as usize + 1, Vec::new());
                    }
                    buckets[total as usize].push(next);
                }
            }
        }
        at += 1;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_yardstick_takes_time() {
        assert!(Yardstick::new().time() > Duration::ZERO);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_do_meanwhile_does_not_count() {
        let start = Spent::now();
        std::thread::sleep(Duration::from_millis(200));
        assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
    }
}

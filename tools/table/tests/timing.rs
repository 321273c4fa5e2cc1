//! How long the server takes to answer does not depend on what is hidden, as far as one can measure.
//!
//! At moments of random games everything that a side may ask for is timed in the position as it is and in one that looks the same
//! to that side (the proof of hidden information makes it), in turn, many times over; the two lists of times are compared by
//! their ranks (Mann and Whitney). The same is done with two copies of one position, which shows what the machine alone does.
//! Giving an answer is timed too, up to the next question. Run by hand, because it takes minutes and a quiet machine:
//!
//!     cargo test --release -p sandtable-table --test timing -- --ignored --nocapture
//!
//! `GAME`, `SCENARIO`, `MOMENTS` and `ROUNDS` change how much of what.
#![expect(clippy::float_arithmetic, reason = "statistics for people, never state")]

mod common;

use common::{Folder, shipped};
use sandtable_kernel::world::SideId;
use sandtable_session::view::Viewer;
use sandtable_session::{Game, RandomPlayer, Session, Status};
use sandtable_table::library::{Library, Setup};
use sandtable_table::sent::Wire;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn setting(name: &str, usual: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| usual.into())
}

/// How far apart two lists of times lie, in standard deviations of the sum of ranks; about normal if they do not.
fn apart(a: &[Duration], b: &[Duration]) -> f64 {
    let wins = |x: &Duration| b.iter().map(|y| if x > y { 2 } else { i64::from(x == y) }).sum::<i64>();
    let (n, m) = (a.len() as f64, b.len() as f64);
    let u = a.iter().map(wins).sum::<i64>() as f64 / 2.0;
    (u - n * m / 2.0) / (n * m * (n + m + 1.0) / 12.0).sqrt()
}

fn median(times: &[Duration]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).map_or(0.0, Duration::as_secs_f64)
}

/// Comparisons of one kind of answer.
#[derive(Default)]
struct Compared {
    apart: Vec<f64>,
    /// Difference of the medians, as a share of the larger.
    shares: Vec<f64>,
}

impl Compared {
    fn add(&mut self, a: &[Duration], b: &[Duration]) {
        let (x, y) = (median(a), median(b));
        self.apart.push(apart(a, b).abs());
        self.shares.push((x - y).abs() / x.max(y).max(1e-9));
    }

    fn line(&self) -> String {
        let beyond = |z: f64| {
            100.0 * self.apart.iter().filter(|apart| **apart > z).count() as f64
                / self.apart.len().max(1) as f64
        };
        let mut shares = self.shares.clone();
        shares.sort_by(f64::total_cmp);
        let at = |part: usize| 100.0 * shares.get(shares.len() * part / 100).copied().unwrap_or(0.0);
        format!(
            "{:>6} pairs, {:>5.1} % beyond 2, {:>5.1} % beyond 3; medians differ by {:.1} % (half of them), {:.1} % (9 of 10)",
            self.apart.len(),
            beyond(2.0),
            beyond(3.0),
            at(50),
            at(90)
        )
    }
}

/// Times by what was asked for.
type Times = BTreeMap<String, Vec<Duration>>;

/// Times everything that a side may ask for, and an answer if it owes one.
fn time(wire: &Wire, session: &mut Session, viewer: Viewer, times: &mut Times) {
    for (number, sent) in wire.sent(session, viewer).into_iter().enumerate() {
        times.entry(format!("{} {number}", sent.what)).or_default().push(sent.time);
    }
    let owed = session.decisions().iter().position(|decision| Viewer::Side(decision.side) == viewer);
    let Some(which) = owed else { return };
    let mut fork = session.fork().expect("a copy of the game");
    let begun = Instant::now();
    RandomPlayer::new(1).play_for(&mut fork, which).expect("an answer");
    times.entry("answered".into()).or_default().push(begun.elapsed());
}

#[test]
#[ignore = "takes minutes of a quiet machine"]
fn answers_take_as_long_whatever_is_hidden() {
    let (moments, rounds): (usize, usize) = (
        setting("MOMENTS", "60").parse().expect("a number"),
        setting("ROUNDS", "20").parse().expect("a number"),
    );
    let setup = Setup {
        game: setting("GAME", "skirmish"),
        scenario: Some(setting("SCENARIO", "fords")),
        ..Setup::default()
    };
    let loaded = Arc::new(Folder(shipped()).load(&setup).expect("a game"));
    let game = Rc::new(Game::new(loaded.definition.clone(), &loaded.catalog).expect("its rules"));
    let wire = Wire::new(&game, &loaded);
    let (mut hidden, mut machine): (BTreeMap<String, Compared>, BTreeMap<String, Compared>) =
        Default::default();
    let (mut looked, mut seed, mut pick) = (0, 0u64, 0u32);
    while looked < moments {
        seed += 1;
        let mut session = Session::new(&game, seed).expect("a game");
        let mut player = RandomPlayer::new(seed);
        for answer in 0..400 {
            if matches!(session.status(), Status::Ended(_)) || looked >= moments {
                break;
            }
            player.play(&mut session).expect("an answer");
            if answer % 37 != 17 {
                continue;
            }
            for side in 0..game.definition.world.sides.len() as u8 {
                let viewer = Viewer::Side(SideId(side));
                let others = session.lookalikes(viewer, &mut |most| {
                    pick = pick.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (pick >> 8) % most.max(1)
                });
                for mut other in others {
                    looked += 1;
                    // Both have been run again just now, as the one that is compared with them has.
                    let mut own = [session.fork().expect("a copy"), session.fork().expect("a copy")];
                    let mut times: [Times; 3] = Default::default();
                    for round in 0..=rounds {
                        // The first time warms what is remembered; then each comes first as often as the others.
                        let mut once: [Times; 3] = Default::default();
                        for turn in 0..3 {
                            let at = (round + turn) % 3;
                            let [first, second] = &mut own;
                            let session =
                                [first, second, &mut other].into_iter().nth(at).expect("one of three");
                            time(&wire, session, viewer, &mut once[at]);
                        }
                        for (all, once) in times.iter_mut().zip(once).filter(|_| round > 0) {
                            once.into_iter().for_each(|(what, new)| all.entry(what).or_default().extend(new));
                        }
                    }
                    let [one, two, other] = &times;
                    for (what, own) in one {
                        let kind = what.split(' ').next().unwrap_or_default();
                        let (Some(again), Some(instead)) = (two.get(what), other.get(what)) else { continue };
                        machine.entry(kind.into()).or_default().add(own, again);
                        hidden.entry(kind.into()).or_default().add(own, instead);
                    }
                }
            }
        }
    }
    println!("{} {}: {looked} moments, {rounds} rounds", setup.game, setting("SCENARIO", "fords"));
    for (kind, compared) in &hidden {
        println!("{kind:>9}: hidden things differ  {}", compared.line());
        println!("{:>9}  the same position    {}", "", machine[kind].line());
    }
    // Of times that do not depend on what is hidden three in a thousand lie beyond 3 by chance; a machine that does other things
    // brings more, in both alike.
    let beyond = |all: &BTreeMap<String, Compared>| {
        let apart: Vec<f64> = all.values().flat_map(|compared| compared.apart.iter().copied()).collect();
        apart.iter().filter(|apart| **apart > 3.0).count() as f64 / apart.len().max(1) as f64
    };
    let (with, without) = (beyond(&hidden), beyond(&machine));
    println!("beyond 3: {:.2} % where hidden things differ, {:.2} % without", 100.0 * with, 100.0 * without);
    assert!(looked > 0, "nothing was hidden");
    assert!(with < without + 0.02, "times tell what is hidden");
}

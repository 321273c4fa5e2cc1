//! Many games played in Rust, on several threads, with the interpreter's lock released.

use crate::game::Spec;
use crate::session::Session;
use crate::{SandtableError, raised};
use pyo3::prelude::*;
use sandtable_engine::{Error, Game, Player};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// What is to be played.
struct Plan {
    spec: Spec,
    /// The level of each side's player; nothing where all answer at random.
    players: Vec<(String, String)>,
    limit: usize,
}

/// What came of a game: its seed, the number of the winner among the sides (-1 if nobody has won), the number of answers, whether it
/// ended, and the digest of its last state.
type Outcome = (u64, i32, u64, bool, u64);

/// Plays `games` games with the seeds from `seed` on; the outcomes in the order of their seeds, whatever the number of threads.
#[pyfunction]
pub fn playouts(
    py: Python<'_>,
    spec: Spec,
    players: Vec<(String, String)>,
    games: u64,
    seed: u64,
    jobs: usize,
    limit: usize,
) -> PyResult<Vec<Outcome>> {
    let plan = Plan { spec, players, limit };
    py.detach(|| play_all(&plan, games, seed, jobs))
}

fn play_all(plan: &Plan, games: u64, seed: u64, jobs: usize) -> PyResult<Vec<Outcome>> {
    let next = AtomicU64::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                // A virtual machine belongs to its thread, so each loads the game for itself.
                let game = match plan.spec.load() {
                    Ok(game) => game,
                    Err(error) => return drop(sender.send(Err(error))),
                };
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        return;
                    }
                    let outcome =
                        play(plan, &game, seed.wrapping_add(number)).map(|outcome| (number, outcome));
                    let failed = outcome.is_err();
                    if sender.send(outcome).is_err() || failed {
                        return;
                    }
                }
            });
        }
    });
    drop(sender);
    let mut outcomes = receiver.into_iter().collect::<Result<Vec<_>, Error>>().map_err(raised)?;
    if outcomes.len() as u64 != games {
        return Err(SandtableError::new_err("a thread that played games ended early"));
    }
    outcomes.sort_unstable();
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

fn play(plan: &Plan, game: &Game, seed: u64) -> Result<Outcome, Error> {
    let mut session = game.session(seed)?;
    if plan.players.is_empty() {
        Session::finish(&mut session, plan.limit)?;
    } else {
        let mut players = plan
            .players
            .iter()
            .map(|(side, level)| Ok((side.as_str(), Player::new(level, seed)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        for _ in 0..plan.limit {
            let Some(question) = session.questions().into_iter().next() else { break };
            match players.iter_mut().find(|(side, _)| *side == question.side) {
                Some((side, player)) => {
                    let advice = session.advise(side, player)?;
                    session.answer(side, &advice.answer)?;
                }
                None => session.answer_at_random()?,
            }
        }
    }
    let ending = session.ending();
    let sides = game.sides();
    let winner = ending.as_ref().and_then(|ending| ending.winner.as_deref());
    let winner = winner.and_then(|winner| sides.iter().position(|side| side == winner));
    let winner = winner.and_then(|at| i32::try_from(at).ok()).unwrap_or(-1);
    Ok((seed, winner, session.answers() as u64, ending.is_some(), session.digest()))
}

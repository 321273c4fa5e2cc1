//! How many answers a second can be tried: given, looked at and taken back.

use crate::bench::Spent;
use sandtable_kernel::outlook::Evaluator;
use sandtable_script::{Choice, Offered};
use sandtable_session::{Game, RandomPlayer, Session, SessionError, Status};
use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

/// Answers that are tried at one decision.
const EACH: usize = 24;

/// Plays random games and tries the options of every list; gives how many were tried, and the time of trying.
pub fn tries(game: &Rc<Game>, seed: u64, wanted: Duration) -> Result<(u64, Duration), SessionError> {
    let world = game.definition.world.clone();
    let mut evaluator = Evaluator::new(&world);
    let (mut tried, mut spent) = (0, Duration::ZERO);
    for seed in seed.. {
        let mut session = Session::new(game, seed)?;
        let mut player = RandomPlayer::new(seed);
        while session.status() == &Status::Asking {
            if spent > wanted {
                return Ok((tried, spent));
            }
            let decision = &session.decisions()[0];
            let team = evaluator.team(decision.side);
            let options: Vec<Choice> = match &decision.offered {
                Offered::List(options) => options.iter().take(EACH).map(|&opt| Choice::One(opt)).collect(),
                Offered::Selection { .. } => Vec::new(),
            };
            let start = Spent::now();
            if let Some(mut thought) = session.think(0).filter(|_| !options.is_empty()) {
                for (at, option) in options.iter().enumerate() {
                    thought.trial(at as u64, std::slice::from_ref(option))?;
                    let state = &thought.session().play().state;
                    black_box(evaluator.value(&world, state, team, &mut |_, _| 0));
                    tried += 1;
                }
            }
            spent += start.elapsed();
            player.play(&mut session)?;
        }
    }
    Ok((tried, spent))
}

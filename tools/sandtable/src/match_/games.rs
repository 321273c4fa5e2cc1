//! The games of a match: who plays what, and how each came out.

use crate::bench::Spent;
use sandtable_kernel::outlook::Evaluator;
use sandtable_kernel::state::TableId;
use sandtable_kernel::symbol::mix;
use sandtable_kernel::world::SideId;
use sandtable_player::{Level, Player, Stop};
use sandtable_session::{Game, Session, Status};
use std::rc::Rc;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    pub number: usize,
    pub seed: u64,
    /// The players of the first team and of the others.
    pub players: [usize; 2],
}

impl Meeting {
    /// All games of a match: each two players meet so many times, every seed with the sides exchanged.
    pub fn all(players: usize, games: u64, seed: u64) -> Vec<Meeting> {
        let pairs = (0..players).flat_map(|one| (one + 1..players).map(move |two| (one, two)));
        let each = pairs.flat_map(|(one, two)| {
            (0..games).map(move |game| {
                let players = if game % 2 == 0 { [one, two] } else { [two, one] };
                (seed.wrapping_add(game / 2), players)
            })
        });
        each.enumerate().map(|(number, (seed, players))| Meeting { number, seed, players }).collect()
    }
}

/// What a player did in a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub decisions: u64,
    pub trials: u64,
    pub nanos: u128,
    /// Trials that a script broke off.
    pub failures: u64,
    /// Choices for which no world could be imagined.
    pub blind: u64,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    pub number: usize,
    pub players: [usize; 2],
    /// Which of the two won: 0 or 1.
    pub winner: Option<usize>,
    pub finished: bool,
    /// What the end is worth to the first team, by the outlook.
    pub margin: i64,
    pub turns: i32,
    pub reason: String,
    pub digest: u64,
    pub effort: [Effort; 2],
    pub error: Option<String>,
    /// The first trial that failed, in words.
    pub failure: Option<String>,
}

/// Plays a game.
pub fn play(game: &Rc<Game>, meeting: &Meeting, levels: &[Level], limit: usize) -> Played {
    let mut played = Played {
        number: meeting.number,
        players: meeting.players,
        winner: None,
        finished: false,
        margin: 0,
        turns: 0,
        reason: String::new(),
        digest: 0,
        effort: [Effort::default(); 2],
        error: None,
        failure: None,
    };
    if let Err(error) = play_on(game, meeting, levels, limit, &mut played) {
        played.error = Some(format!("seed {}: {error}", meeting.seed));
    }
    played
}

fn play_on(
    game: &Rc<Game>,
    meeting: &Meeting,
    levels: &[Level],
    limit: usize,
    played: &mut Played,
) -> Result<(), sandtable_session::SessionError> {
    let world = game.definition.world.clone();
    let mut evaluator = Evaluator::new(&world);
    let mut players: Vec<Box<dyn Player>> = (0u64..)
        .zip(meeting.players)
        .map(|(seat, player)| levels[player].player(mix(meeting.seed, mix(seat, player as u64))))
        .collect();
    let mut session = Session::new(game, meeting.seed)?;
    let stop = Stop::default();
    for _ in 0..limit {
        if let Status::Ended(ending) = session.status().clone() {
            played.finished = true;
            played.winner = ending.winner.map(|side| usize::from(evaluator.team(side) != 0));
            played.reason = game.host.cx().text(ending.reason);
            break;
        }
        let Some(decision) = session.decisions().first() else { break };
        let seat = usize::from(evaluator.team(decision.side) != 0);
        let start = Spent::now();
        let chosen = players[seat].choose(&mut session, 0, &stop)?;
        let effort = &mut played.effort[seat];
        effort.decisions += 1;
        effort.nanos += start.elapsed().as_nanos();
        effort.trials += chosen.why.trials;
        effort.failures += chosen.why.failures;
        effort.blind += u64::from(chosen.why.blind);
        if played.failure.is_none() {
            played.failure = chosen.why.failure;
        }
        session.answer(0, &chosen.choice)?;
    }
    let ask = |name, side: SideId| {
        let side = sandtable_script::Val::Sym(world.sides[usize::from(side.0)].0);
        (name, side)
    };
    let mut asked = Vec::new();
    let state = session.play().state.snapshot();
    let _ = evaluator.value(&world, &state, 0, &mut |name, side| {
        asked.push((name, side));
        0
    });
    let answers: Vec<i32> = session.look(|host| {
        let answer = |(name, side)| {
            let (name, side) = ask(name, side);
            match host.answer(world.symbols.text(name), &[side]) {
                Ok(sandtable_script::Val::Int(n)) => n,
                _ => 0,
            }
        };
        asked.iter().copied().map(answer).collect()
    });
    played.margin = evaluator.value(&world, &state, 0, &mut |name, side| {
        asked.iter().position(|known| *known == (name, side)).map_or(0, |at| answers[at])
    });
    let turn = ["turn", "round"]
        .iter()
        .find_map(|name| world.symbols.get(name).and_then(|name| world.schema.column(TableId::GAME, name)));
    played.turns = turn.map_or(0, |col| state.get(TableId::GAME, 0, col));
    played.digest = game.digest(&state);
    Ok(())
}

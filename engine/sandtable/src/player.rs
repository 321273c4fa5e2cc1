//! Computer players: somebody who chooses for a side, and says why.

use crate::error::Error;
use crate::session::Session;
use sandtable_player::{Level, Stop};
use sandtable_session::names;

/// A computer player. It knows no game and keeps to what its side may know.
///
/// ```
/// # use sandtable_engine::{Game, Player};
/// # let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
/// let mut session = game.session(7)?;
/// let mut player = Player::new("greedy:1", 3)?;
/// let side = session.questions()[0].side.clone();
/// let advice = session.advise(&side, &mut player)?;
/// session.answer(&side, &advice.answer)?;
/// # Ok::<(), sandtable_engine::Error>(())
/// ```
pub struct Player {
    level: Level,
    inner: Box<dyn sandtable_player::Player>,
}

impl Player {
    /// A player of a level: `random`, `greedy`, `standard` or `strong`, with a number of trials after a colon if wanted. The same seed
    /// chooses the same answers everywhere.
    pub fn new(level: &str, seed: u64) -> Result<Player, Error> {
        let level: Level = level.parse()?;
        Ok(Player { level, inner: level.player(seed) })
    }

    /// Its level, as it is written.
    pub fn level(&self) -> String {
        self.level.to_string()
    }
}

/// What a player would answer, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The answer, as [`Session::answer`] takes it.
    pub answer: String,
    /// How many answers were compared.
    pub options: usize,
    /// How many answers were tried in play.
    pub trials: u64,
    /// What the answer is worth to the side, in the units of the game's outlook.
    pub value: i64,
    /// The chance to win as the player sees it, in percent.
    pub winning: u32,
    /// The next best answer and its worth.
    pub next: Option<(String, i64)>,
}

impl Session {
    /// What a player would answer for a side. The game stays as it is.
    pub fn advise(&mut self, side: &str, player: &mut Player) -> Result<Advice, Error> {
        let which = self.asked(side)?;
        let chosen = player.inner.choose(&mut self.inner, which, &Stop::default())?;
        let mut name = |choice| self.inner.look(|host| names::exact_choice(host.cx(), choice));
        let next = chosen.why.next.as_ref().map(|(next, worth)| (name(next), *worth));
        Ok(Advice {
            answer: name(&chosen.choice),
            options: chosen.why.options,
            trials: chosen.why.trials,
            value: chosen.why.value,
            winning: chosen.why.winning,
            next,
        })
    }
}

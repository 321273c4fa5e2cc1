//! Random positions: games played at random by their seeds, looked at after a random number of answers.

use sandtable_engine::{Game, PieceView, Question, Seat, Session, View};
use std::path::Path;

/// How many positions are compared unless `SANDTABLE_SUMS` says otherwise.
const FEW: usize = 30;
/// The greatest number of answers between two positions of a game.
const GAP: u64 = 120;
/// How many games may pass without a position that is wanted.
const PATIENCE: u64 = 400;

/// A position of a game, with what is asked in it.
pub struct Position<'a> {
    /// The seed of the game.
    pub seed: u64,
    /// How often somebody has answered.
    pub answer: usize,
    /// The game, in case that its queries are asked.
    pub session: &'a mut Session,
    /// Everything that anybody sees.
    pub view: View,
    /// What is asked.
    pub question: Question,
}

/// Loads a game of this repository; `layer` is a folder in this crate, with queries that show what no menu offers.
pub fn load(id: &str, scenario: Option<&str>, layer: Option<&str>) -> Game {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut builder = Game::builder(id).path(here.join("../.."));
    if let Some(scenario) = scenario {
        builder = builder.scenario(scenario);
    }
    if let Some(layer) = layer {
        builder = builder.layer(&here.join(layer).to_string_lossy());
    }
    builder.load().unwrap_or_else(|error| panic!("{id}: {error}"))
}

/// How many positions are to be compared.
pub fn wanted() -> usize {
    std::env::var("SANDTABLE_SUMS").ok().and_then(|number| number.parse().ok()).unwrap_or(FEW)
}

/// Compares in random positions in which one of the prompts is asked (any prompt if none is named). `compare` gives the number of
/// values that it compared, 0 where the position has nothing to compare and does not count, or what differs.
pub fn compare(
    game: &Game,
    prompts: &[&str],
    mut compare: impl FnMut(&mut Position<'_>) -> Result<usize, String>,
) {
    let (mut positions, mut values, mut wrong, mut last) = (0, 0, Vec::new(), 0);
    for seed in 1.. {
        if positions >= wanted() || wrong.len() >= 8 {
            break;
        }
        assert!(seed - last < PATIENCE, "{}: no position asks {prompts:?} in {PATIENCE} games", game.id());
        let mut session = game.session(seed).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let mut dice = Dice(seed);
        let mut at = dice.below(GAP);
        while session.ending().is_none() && positions < wanted() && wrong.len() < 8 {
            let questions = session.questions();
            let asked =
                questions.into_iter().find(|asked| prompts.is_empty() || prompts.contains(&&*asked.prompt));
            if let Some(question) = asked.filter(|_| session.answers() as u64 >= at) {
                let view =
                    session.view(&Seat::Everyone).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                let answer = session.answers();
                let mut position = Position { seed, answer, session: &mut session, view, question };
                match compare(&mut position) {
                    Ok(0) => {}
                    Ok(compared) => {
                        (positions, values, last) = (positions + 1, values + compared, seed);
                        at = session.answers() as u64 + 1 + dice.below(GAP);
                    }
                    Err(found) => {
                        wrong.push(format!("seed {seed}, answer {answer}: {found}"));
                        at = session.answers() as u64 + 1 + dice.below(GAP);
                    }
                }
            }
            session.answer_at_random().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}: {} differ\n{}", game.id(), wrong.len(), wrong.join("\n"));
    println!("{}: {positions} positions, {values} values agree", game.id());
}

/// Says what differs between two sets of names, or how many there are.
pub fn same<'a>(
    what: &str,
    offered: impl IntoIterator<Item = &'a str>,
    computed: impl IntoIterator<Item = &'a str>,
) -> Result<usize, String> {
    use std::collections::BTreeSet;
    let (offered, computed): (BTreeSet<&str>, BTreeSet<&str>) =
        (offered.into_iter().collect(), computed.into_iter().collect());
    if offered == computed {
        return Ok(offered.len().max(1));
    }
    let more: Vec<_> = offered.difference(&computed).collect();
    let less: Vec<_> = computed.difference(&offered).collect();
    Err(format!("{what}: offered beyond the sum {more:?}, missing {less:?}"))
}

impl Position<'_> {
    /// All pieces that somebody sees, with the space that they lie in; what is carried lies where its carrier does.
    pub fn pieces(&self) -> Vec<(&str, &PieceView)> {
        let mut found = Vec::new();
        for (space, contents) in &self.view.spaces {
            let mut open: Vec<&PieceView> = contents.pieces.iter().rev().collect();
            while let Some(piece) = open.pop() {
                found.push((space.as_str(), piece));
                open.extend(piece.cargo.iter().rev());
            }
        }
        found
    }

    /// What a query of the rules answers.
    pub fn query(&mut self, query: &str, args: &[&str]) -> Result<String, String> {
        self.session.query(query, args).map_err(|error| format!("{query} {args:?}: {error}"))
    }
}

/// A small generator of numbers (splitmix64), so that positions depend on nothing but their seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

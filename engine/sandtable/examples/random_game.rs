//! Plays a game at random to its end: `cargo run --release -p sandtable-engine --example random_game -- rules/skirmish 7`.

use sandtable_engine::{Error, Game};

fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let folder =
        args.next().unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish").into());
    let seed = args.next().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let game = Game::load(folder)?;
    let mut session = game.session(seed)?;
    while session.ending().is_none() {
        session.answer_at_random()?;
    }
    let ending = session.ending().map(|ending| (ending.winner.unwrap_or("nobody".into()), ending.reason));
    println!("{}: {ending:?} after {} answers", game.title(), session.answers());
    Ok(())
}

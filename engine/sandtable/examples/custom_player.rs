//! A player of one's own against the random one: it takes whatever option brings the most of its pieces onto the map.
//! `cargo run --release -p sandtable-engine --example custom_player`

use sandtable_engine::{Answers, Error, Game, Question, Seat, Session};

/// How many pieces of a side are seen on the board.
fn strength(session: &mut Session, side: &str) -> Result<usize, Error> {
    let view = session.view(&Seat::Side(side.into()))?;
    let pieces = view.spaces.values().flat_map(|space| &space.pieces);
    Ok(pieces.filter(|piece| piece.side.as_deref() == Some(side)).count())
}

/// Tries every option, looks at what comes of it, and takes it back.
fn choose(session: &mut Session, question: &Question) -> Result<Option<String>, Error> {
    let Answers::One(options) = &question.answers else { return Ok(None) };
    let mut best = None;
    for option in options.iter().take(20) {
        session.answer(&question.side, option)?;
        let worth = strength(session, &question.side)?;
        session.undo()?;
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, option.clone()));
        }
    }
    Ok(best.map(|(_, option)| option))
}

fn main() -> Result<(), Error> {
    let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
    let mut session = game.session(11)?;
    let own = game.sides().remove(0);
    while let Some(question) = session.questions().into_iter().next() {
        let choice = if question.side == own { choose(&mut session, &question)? } else { None };
        match choice {
            Some(option) => session.answer(&question.side, &option)?,
            None => session.answer_at_random()?,
        }
    }
    println!("{own} played by hand: {:?}", session.ending());
    Ok(())
}

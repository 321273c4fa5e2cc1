//! How a tester snapshots with insta what comes of an answer: the lines change the day a rule does something else.

use sandtable_engine::{Error, Game};

#[test]
fn the_first_answer_of_a_game_does_what_it_did() -> Result<(), Error> {
    let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
    let mut session = game.session(7)?;
    let question = session.questions().remove(0);
    let before = session.change_count();
    session.answer(&question.side, &question.options()[0])?;
    insta::assert_snapshot!(format!(
        "{} {}\n{}",
        question.prompt,
        question.options()[0],
        session.changes(before).join("\n")
    ));
    Ok(())
}

#[test]
fn what_is_wrong_is_said() -> Result<(), Error> {
    let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
    let mut session = game.session(7)?;
    let asked = session.questions().remove(0).side;
    let other = game.sides().into_iter().find(|side| *side != asked).unwrap_or_default();
    let digest = session.digest();
    let said = [
        session.answer("nobody", "x").map_err(|error| error.to_string()),
        session.answer(&other, "x").map_err(|error| error.to_string()),
        session.undo().map_err(|error| error.to_string()),
    ];
    insta::assert_debug_snapshot!(said);
    assert!(session.answer(&asked, "no-such-option").is_err());
    assert_eq!(session.digest(), digest, "nothing has changed");
    Ok(())
}

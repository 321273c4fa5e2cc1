//! Computer players in a shipped game: the same seed gives the same game, no choice depends on what is hidden, and they win.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use sandtable_data::package::DiskFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::{catalog, definition};
use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_player::{Level, Player, Stop};
use sandtable_session::view::Viewer;
use sandtable_session::{Game, Session, Status};
use std::rc::Rc;

fn shipped(id: &str) -> Rc<Game> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let search = SearchPath::new().with(DiskFiles::new(root));
    let (catalog, problems) = catalog::load(id, &[], &[], &search);
    assert!(!problems.has_errors(), "{id} does not load");
    let (definition, problems) = definition::build(&catalog, None, &[]);
    let definition = definition.unwrap_or_else(|| panic!("{id}: {problems:?}"));
    Rc::new(Game::new(definition, &catalog).unwrap_or_else(|errors| panic!("{id}: {errors:?}")))
}

/// Plays a game between two levels; gives the winner's seat and the digest of the end.
fn played(game: &Rc<Game>, seed: u64, levels: [&str; 2]) -> (Option<u8>, u64) {
    let mut players: Vec<Box<dyn Player>> =
        levels.iter().map(|level| level.parse::<Level>().unwrap().player(seed)).collect();
    let mut session = Session::new(game, seed).unwrap();
    loop {
        if let Status::Ended(ending) = session.status() {
            return (ending.winner.map(|side| side.0), session.play().state.digest());
        }
        let seat = usize::from(session.decisions()[0].side.0);
        let chosen = players[seat].choose(&mut session, 0, &Stop::default()).unwrap();
        assert_eq!((chosen.why.failures, chosen.why.blind), (0, false), "{:?}", chosen.why);
        session.answer(0, &chosen.choice).unwrap();
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let (one, two) = (shipped("skirmish"), shipped("skirmish"));
    for levels in [["greedy", "random"], ["standard:60", "greedy:1"]] {
        assert_eq!(played(&one, 5, levels), played(&two, 5, levels));
    }
    assert_ne!(played(&one, 5, ["greedy", "greedy"]).1, played(&one, 6, ["greedy", "greedy"]).1);
}

#[test]
fn greedy_beats_random_from_either_side() {
    let game = shipped("skirmish");
    let won = |seat: u8, levels| (0..10).filter(|&seed| played(&game, seed, levels).0 == Some(seat)).count();
    let wins = won(0, ["greedy", "random"]) + won(1, ["random", "greedy"]);
    assert!(wins >= 15, "{wins} of 20");
}

#[test]
fn a_choice_does_not_depend_on_what_is_hidden() {
    let game = shipped("skirmish");
    let mut compared = 0;
    for seed in 0..4 {
        let mut session = Session::new(&game, seed).unwrap();
        let mut player = Level::Random.player(seed);
        while session.status() == &Status::Asking {
            let viewer = Viewer::Side(session.decisions()[0].side);
            let ordinal = session.answers().len() as u32;
            let mut dice = Dice::new(DiceKey { seed, path: 1, label: 2, ordinal });
            let choose = |session: &mut Session| {
                Level::Standard(40).player(9).choose(session, 0, &Stop::default()).unwrap().choice
            };
            for mut other in session.lookalikes(viewer, &mut |n| dice.below(n)) {
                assert_eq!(choose(&mut session), choose(&mut other), "seed {seed}, answer {ordinal}");
                compared += 1;
            }
            let chosen = player.choose(&mut session, 0, &Stop::default()).unwrap();
            session.answer(0, &chosen.choice).unwrap();
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_player_that_is_asked_to_stop_answers_at_once() {
    let game = shipped("skirmish");
    let mut session = Session::new(&game, 1).unwrap();
    let stop = Stop::default();
    stop.stop();
    let chosen = Level::Strong(1_000_000).player(1).choose(&mut session, 0, &stop).unwrap();
    assert!(chosen.why.trials < 20, "{}", chosen.why.trials);
    session.answer(0, &chosen.choice).unwrap();
}

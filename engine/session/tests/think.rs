//! Thinking ahead: it leaves no trace, and what it imagines depends on nothing hidden.
#![allow(missing_docs, clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod common;

use common::duel;
use sandtable_data::package::DiskFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::{catalog, definition};
use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_kernel::state::{State, TableId};
use sandtable_session::view::Viewer;
use sandtable_session::{Game, RandomPlayer, Session, Status, any_choice};
use std::rc::Rc;

/// A shipped game.
fn shipped(id: &str) -> Rc<Game> {
    let (id, scenario) = id.split_once(' ').map_or((id, None), |(id, scenario)| (id, Some(scenario)));
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let search = SearchPath::new().with(DiskFiles::new(root));
    let (catalog, problems) = catalog::load(id, &[], &[], &search);
    assert!(!problems.has_errors(), "{id} does not load");
    let (definition, problems) = definition::build(&catalog, scenario, &[]);
    let definition = definition.unwrap_or_else(|| panic!("{id}: {problems:?}"));
    Rc::new(Game::new(definition, &catalog).unwrap_or_else(|errors| panic!("{id}: {errors:?}")))
}

fn lot(seed: u64, ordinal: u32) -> Dice {
    Dice::new(DiceKey { seed, path: 5, label: 6, ordinal })
}

/// How many games, `SANDTABLE_DEALS` for more.
fn games(usual: u64) -> u64 {
    std::env::var("SANDTABLE_DEALS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn fired(game: &Game) -> Vec<u64> {
    game.host.cx().registry.borrow().handlers.iter().map(|handler| handler.fired.get()).collect()
}

/// Plays a game at random and thinks at every so many decisions: deals, tries and plays on.
fn leaves_no_trace(game: &Rc<Game>, seed: u64, every: usize, most: usize, sound: bool) -> u32 {
    let mut session = Session::new(game, seed).unwrap();
    let mut player = RandomPlayer::new(seed);
    let mut thought_of = 0;
    for number in 0..most {
        if session.status() != &Status::Asking {
            break;
        }
        if number % every == 0 {
            let which = session.decisions().len() - 1;
            let before = (session.play().state.digest(), session.record().to_string(), fired(game));
            let options = format!("{:?}", session.decisions()[which].offered.clone()).len();
            let mut dice = lot(seed, number as u32);
            let choices: Vec<_> =
                (0..3).map(|_| any_choice(&mut session, which, &mut |n| dice.below(n)).unwrap()).collect();
            let fired_before = fired(game);
            let mut thought = session.think(which).unwrap();
            thought.deal(&mut |n| dice.below(n));
            for (at, choice) in choices.iter().enumerate() {
                let tried = thought.trial(at as u64, std::slice::from_ref(choice));
                // The small game has an answer at which its rules fail.
                assert!(tried.is_ok() || !sound, "seed {seed}, decision {number}: {tried:?}");
                if tried.is_err() {
                    continue;
                }
                for _ in 0..8 {
                    if thought.session().status() != &Status::Asking {
                        break;
                    }
                    let choice = any_choice(thought.session_mut(), 0, &mut |n| dice.below(n)).unwrap();
                    let answered = thought.answer(0, &choice);
                    assert!(answered.is_ok() || !sound, "seed {seed}, decision {number}: {answered:?}");
                    if answered.is_err() {
                        break;
                    }
                }
            }
            drop(thought);
            assert_eq!(session.play().state.digest(), before.0, "seed {seed}, decision {number}");
            assert_eq!(session.play().state.digest_again(), before.0);
            assert_eq!(session.record().to_string(), before.1, "seed {seed}, decision {number}");
            assert_eq!(fired(game), fired_before, "what is only thought of does not count");
            assert_eq!(format!("{:?}", session.decisions()[which].offered.clone()).len(), options);
            thought_of += 1;
        }
        let played = player.play(&mut session);
        assert!(played.is_ok() || !sound, "{played:?}");
    }
    thought_of
}

#[test]
fn a_thought_leaves_no_trace_in_a_small_game() {
    let game = duel();
    for seed in 0..games(20) {
        assert!(leaves_no_trace(&game, seed, 1, 200, false) > 3);
    }
}

#[test]
fn a_thought_leaves_no_trace_in_shipped_games() {
    for id in ["skirmish", "stalins-war", "conflict-of-heroes", "traces-of-war", "axis-allies-europe"] {
        let game = shipped(id);
        for seed in 0..games(2) {
            assert!(leaves_no_trace(&game, seed, 7, 300, true) > 3, "{id}");
        }
    }
}

#[test]
fn the_same_trial_comes_to_the_same_and_other_dice_to_others() {
    let game = shipped("skirmish");
    let mut session = Session::new(&game, 3).unwrap();
    let mut player = RandomPlayer::new(3);
    let mut differ = 0;
    for _ in 0..120 {
        let mut dice = lot(3, session.answers().len() as u32);
        if session.status() != &Status::Asking {
            break;
        }
        let choice = any_choice(&mut session, 0, &mut |n| dice.below(n)).unwrap();
        let mut thought = session.think(0).unwrap();
        let mut after = |seed: u64| {
            thought.trial(seed, std::slice::from_ref(&choice)).unwrap();
            thought.session().play().state.digest()
        };
        let (one, two, other) = (after(1), after(1), after(2));
        assert_eq!(one, two);
        differ += u32::from(one != other);
        drop(thought);
        player.play(&mut session).unwrap();
    }
    assert!(differ > 0, "no trial rolled a die");
}

/// The first cells in which two states differ.
fn unlike(game: &Game, one: &State, two: &State) -> Vec<String> {
    let mut found = Vec::new();
    for (id, table) in (0u16..).zip(&game.definition.world.schema.tables) {
        let rows = one.rows(TableId(id)).min(two.rows(TableId(id)));
        for (row, (col, column)) in
            (0..rows).flat_map(|row| (0u16..).zip(&table.columns).map(move |it| (row, it)))
        {
            let [a, b] = [one, two].map(|state| state.get(TableId(id), row, col));
            if a != b {
                let name = game.definition.world.symbols.text(column.name);
                found.push(format!("table {id} row {row} {name} (column {col}): {a} and {b}"));
            }
        }
    }
    found.truncate(6);
    found
}

/// Deals in the game as it is and in games that look the same to a side: the same deal must come of it.
fn deals_depend_on_nothing_hidden(id: &str) {
    let game = shipped(id);
    let (mut compared, mut failed) = (0, 0);
    for seed in 0..games(2) {
        let mut session = Session::new(&game, seed).unwrap();
        let mut player = RandomPlayer::new(seed);
        for number in 0..300 {
            if session.status() != &Status::Asking {
                break;
            }
            if (number + seed as usize).is_multiple_of(5) {
                let viewer = Viewer::Side(session.decisions()[0].side);
                let mut dice = lot(seed, number as u32);
                let others = session.lookalikes(viewer, &mut |n| dice.below(n));
                let dealt = |session: &mut Session| {
                    let mut dice = lot(seed ^ 0xdea1, number as u32);
                    let mut thought = session.think(0)?;
                    let fine = thought.deal(&mut |n| dice.below(n));
                    fine.then(|| {
                        thought.rest().unwrap();
                        thought.session().play().state.snapshot()
                    })
                };
                let own = dealt(&mut session);
                failed += u32::from(own.is_none());
                for mut other in others {
                    let theirs = dealt(&mut other);
                    let where_ = format!("{id}, seed {seed}, decision {number}");
                    match (&own, &theirs) {
                        (Some(a), Some(b)) if a.digest() == b.digest() => {}
                        (Some(a), Some(b)) => panic!("{where_}: {:?}", unlike(&game, a, b)),
                        (None, None) => {}
                        _ => panic!("{where_}: a deal in one of the two only"),
                    }
                    compared += 1;
                }
            }
            player.play(&mut session).unwrap();
        }
    }
    assert!(compared > 0, "{id}: nothing was compared");
    assert_eq!(failed, 0, "{id}: {failed} without a deal");
}

#[test]
fn deals_of_the_small_game_are_the_same_whatever_is_hidden() {
    deals_depend_on_nothing_hidden("skirmish");
}

#[test]
fn deals_of_card_decks_are_the_same_whatever_is_hidden() {
    deals_depend_on_nothing_hidden("stalins-war");
}

#[test]
fn deals_of_hidden_counters_are_the_same_whatever_is_hidden() {
    deals_depend_on_nothing_hidden("conflict-of-heroes s05");
}

#[test]
fn deals_of_chits_are_the_same_whatever_is_hidden() {
    deals_depend_on_nothing_hidden("traces-of-war");
}

#[test]
fn deals_of_stacks_are_the_same_whatever_is_hidden() {
    deals_depend_on_nothing_hidden("models-counterattack");
}

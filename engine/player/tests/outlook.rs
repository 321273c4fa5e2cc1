//! What players value: read from every shipped game, zero in sum, changed by layers, by turn and near a mark.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use sandtable_data::definition::Definition;
use sandtable_data::package::DiskFiles;
use sandtable_data::package_search::SearchPath;
use sandtable_data::{catalog, definition};
use sandtable_kernel::outlook::{Evaluator, Term, Towards, What};
use sandtable_kernel::state::TableId;
use sandtable_kernel::symbol::Sym;
use sandtable_session::{Game, RandomPlayer, Session, Status};
use std::rc::Rc;

const GAMES: [&str; 6] = [
    "skirmish",
    "stalins-war",
    "axis-allies-europe",
    "traces-of-war",
    "models-counterattack",
    "conflict-of-heroes",
];

fn loaded(id: &str, sets: &[String]) -> (Definition, Rc<Game>) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let search = SearchPath::new().with(DiskFiles::new(root));
    let (catalog, problems) = catalog::load(id, &[], sets, &search);
    assert!(!problems.has_errors(), "{id} does not load: {problems:?}");
    let (definition, problems) = definition::build(&catalog, None, &[]);
    let definition = definition.unwrap_or_else(|| panic!("{id}: {problems:?}"));
    let game = Game::new(definition.clone(), &catalog).unwrap_or_else(|errors| panic!("{id}: {errors:?}"));
    (definition, Rc::new(game))
}

#[test]
fn what_one_team_gains_the_other_loses() {
    for id in GAMES {
        let (definition, game) = loaded(id, &[]);
        let world = &definition.world;
        assert!(!world.outlook.is_empty(), "{id} says what players value");
        let mut session = Session::new(&game, 1).unwrap();
        let mut player = RandomPlayer::new(1);
        // The same without a word of the game's own.
        let mut bare = (**world).clone();
        bare.outlook.clear();
        for mut evaluator in [Evaluator::new(world), Evaluator::new(&bare)] {
            let mut seen = Vec::new();
            for _ in 0..60 {
                if session.status() != &Status::Asking {
                    break;
                }
                player.play(&mut session).unwrap();
                let state = &session.play().state;
                let mut value = |team| evaluator.value(world, state, team, &mut |_, _| 0);
                let (one, two) = (value(0), value(1));
                assert_eq!(one, -two, "{id}");
                seen.push(one);
            }
            seen.dedup();
            assert!(seen.len() > 1, "{id}: play changes what a position is worth: {seen:?}");
        }
    }
}

#[test]
fn a_setting_changes_a_weight() {
    let towns = |sets: &[String]| {
        let (definition, _) = loaded("skirmish", sets);
        let evaluator = Evaluator::new(&definition.world);
        let term = evaluator.terms().find(|term| term.text == "market towns held").unwrap();
        term.weights.clone()
    };
    assert_eq!(towns(&["outlook.towns.weight = 1220".into()]), [1220, 1220]);
    assert_ne!(towns(&[]), [1220, 1220]);
}

#[test]
fn weights_follow_the_turn_and_grow_near_a_mark() {
    let (definition, game) = loaded("skirmish", &[]);
    let world = &definition.world;
    let column = |table, name: &str| world.schema.column(table, world.symbols.get(name).unwrap()).unwrap();
    let (stores, turn) = (column(TableId::SIDE, "stores"), column(TableId::GAME, "turn"));
    let mut session = Session::new(&game, 1).unwrap();
    let mut value = |held: i32, now: i32, towards: Option<Towards>, turns: &[(i32, i32)]| {
        let state = &mut session.play_mut().state;
        state.set(TableId::SIDE, 0, stores, held);
        state.set(TableId::GAME, 0, turn, now);
        let term = Term {
            id: Sym::NONE,
            text: String::new(),
            what: What::OfSide(stores),
            weights: vec![10, 10],
            turns: turns.to_vec(),
            towards,
        };
        Evaluator::with(world, vec![term]).value(world, state, 0, &mut |_, _| 0)
    };
    assert_eq!(value(3, 1, None, &[]), 30);
    let turns = [(2, 100), (6, 300)];
    assert_eq!([1, 2, 4, 6, 9].map(|now| value(3, now, None, &turns)), [30, 30, 60, 90, 90]);
    let mark = Some(Towards { at: 5, within: 3 });
    assert_eq!([0, 2, 3, 4, 5, 7].map(|held| value(held, 1, mark, &[])), [0, 0, 10, 40, 90, 90]);
}

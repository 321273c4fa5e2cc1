//! Selections built item by item end in legal answers, and each is reached in one way.

use sandtable_engine::{Answers, Game, Session};

/// Builds a selection by taking the first item that can be added, `skip` times another, until it may stay as it is.
fn built(session: &mut Session, side: &str, names: &[String], eager: bool) -> String {
    let mut taken = vec![0; names.len()];
    loop {
        let next = session.next_items(side, &taken).expect("a selection is asked");
        let more = next.items.iter().position(|&can| can);
        match more {
            Some(at) if eager || !next.complete => taken[at] += 1,
            _ => {
                assert!(next.complete, "a selection that cannot go on is legal as it is");
                break;
            }
        }
    }
    let chosen = names.iter().zip(&taken).filter(|(_, n)| **n > 0);
    chosen.map(|(name, n)| format!("{name}*{n}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_built_item_by_item_is_legal() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut selections = 0;
    for (id, seed) in [("skirmish", 5), ("axis-allies-europe", 3)] {
        let game = Game::builder(id).path(root).load().expect("loads");
        let mut session = game.session(seed).expect("begins");
        for turn in 0..400 {
            let Some(question) = session.questions().into_iter().next() else { break };
            if let Answers::Many { items, .. } = &question.answers {
                let names: Vec<String> = items.iter().map(|item| item.name.clone()).collect();
                let answer = built(&mut session, &question.side, &names, turn % 2 == 0);
                session.answer(&question.side, &answer).unwrap_or_else(|error| panic!("{answer}: {error}"));
                selections += 1;
            } else {
                session.answer_at_random().expect("plays");
            }
        }
    }
    assert!(selections > 20, "{selections} selections were tried");
}

#[test]
fn nothing_before_what_is_taken_can_be_added() {
    let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish")).expect("loads");
    let mut session = game.session(5).expect("begins");
    for _ in 0..300 {
        let Some(question) = session.questions().into_iter().next() else { return };
        if let Answers::Many { items, .. } = &question.answers
            && items.len() > 1
        {
            let none = session.next_items(&question.side, &[]).expect("a selection is asked");
            if let Some(last) = none.items.iter().rposition(|&can| can).filter(|&at| at > 0) {
                let mut taken = vec![0; items.len()];
                taken[last] = 1;
                let next = session.next_items(&question.side, &taken).expect("a selection is asked");
                assert!(next.items[..last].iter().all(|&can| !can));
                return;
            }
        }
        session.answer_at_random().expect("plays");
    }
    panic!("no selection of several items was asked");
}

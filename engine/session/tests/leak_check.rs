//! What a side is told does not depend on what it cannot see; a rule that lets it through is found out.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod common;

use common::small;
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use sandtable_script::{Choice, Opt, Val};
use sandtable_session::view::Viewer;
use sandtable_session::{Cut, LeakCheck, Session, names};

const CARDS: &str = r#"
[pile]
deck = { see = "nobody", side = "blue" }
hand = { see = "owner", side = "blue" }

[field.piece]
worth = { type = "int" }

[card]
king = { worth = 9, side = "blue" }
page = { worth = 3, side = "blue" }

[text]
secret = "That is what he holds."

[sequence]
game = { steps = ["guess"] }

[scenario.only]
title = "The only one"
pile = ["deck page", "hand king"]
"#;

/// Rules that ask red for a number, with one of their own.
fn asking(rule: &str) -> String {
    format!(
        r#"
        {rule}
        procedure("guess", {{ rule = "1" }}, function() ask("red", "guess", {{ from = 1, to = 9 }}) end)
        "#
    )
}

fn one(number: i32) -> Choice {
    Choice::One(Opt { tag: Sym::NONE, val: Val::Int(number) })
}

/// What comes of exchanging the two hidden cards when red is asked for a number.
fn told(rule: &str) -> LeakCheck {
    let game = small(CARDS, &asking(rule));
    let mut session = Session::new(&game, 1).unwrap();
    let mut next = 0;
    // The two hidden cards change places.
    session
        .leaks(Viewer::Side(SideId(0)), &mut |_| {
            next += 1;
            next - 1
        })
        .unwrap()
}

#[test]
fn a_rule_that_looks_at_nothing_hidden_tells_nothing() {
    assert_eq!(told(""), LeakCheck::Same);
    assert_eq!(
        told("forbid('guess', 'odd', { rule = '2' }, function(n) return n % 2 == 1 end)"),
        LeakCheck::Same
    );
}

#[test]
fn options_that_depend_on_a_hidden_card_are_found_out() {
    let rule = "forbid('guess', 'peek', { rule = '2' }, function(n)
      if n > space('hand').pieces:first().worth then return no('secret') end
    end)";
    assert!(matches!(told(rule), LeakCheck::Told(..)), "{:?}", told(rule));
}

#[test]
fn a_line_of_the_log_that_names_a_hidden_card_does_not_name_it_to_the_other_side() {
    let rule = "before('guess', 'gossip', { rule = '2' }, function() log('He holds {1}', space('hand').pieces:first()) end)";
    assert_eq!(told(rule), LeakCheck::Same);
    let rule = "before('guess', 'gossip', { rule = '2' }, function() log('He holds {1}', space('hand').pieces:first().worth) end)";
    assert!(matches!(told(rule), LeakCheck::Told(..)), "{:?}", told(rule));
}

#[test]
fn a_reason_that_names_a_hidden_card_does_not_name_it() {
    let rule = "forbid('guess', 'small', { rule = '2' }, function(n)
      if n < 5 then return no('He holds {1}', space('hand').pieces:first()) end
    end)";
    assert_eq!(told(rule), LeakCheck::Same);
    assert!(matches!(told(&rule.replace(":first()", ":first().worth")), LeakCheck::Told(..)));
}

#[test]
fn nothing_is_said_of_a_hidden_card_that_is_asked_about() {
    let rule = "forbid('guess', 'where', { rule = '2' }, function(n)
      if type(n) ~= 'number' and n.kind == 'card' and n.place == space('hand') then return no('secret') end
    end)";
    assert_eq!(told(rule), LeakCheck::Same);
    let game = small(CARDS, &asking(rule));
    let mut session = Session::new(&game, 1).unwrap();
    let king = Opt { tag: Sym::NONE, val: session.look(|host| names::read_name(host.cx(), "king")) };
    let reasons = session.why(0, king).unwrap();
    assert_eq!(
        reasons.iter().map(|reason| reason.text.as_str()).collect::<Vec<_>>(),
        ["it is nothing that this side sees"]
    );
}

#[test]
fn a_script_that_fails_tells_where_and_not_what() {
    let rule = "forbid('guess', 'fails', { rule = '2' }, function(n)
      if type(n) ~= 'number' then error('he holds ' .. space('hand').pieces:first().name) end
    end)";
    assert_eq!(told(rule), LeakCheck::Same);
    let game = small(CARDS, &asking(rule));
    let mut session = Session::new(&game, 1).unwrap();
    let error = session.why(0, Opt { tag: Sym::NONE, val: Val::Space(0) }).unwrap_err();
    assert!(error.to_string().contains("he holds king"), "{error}");
    let seen = session.seen_error(Viewer::Side(SideId(0)), error.clone());
    insta::assert_snapshot!(seen, @"
    duel/rules.lua:3: a script failed; what it said may name things hidden from you, so only who runs the game is told
      in procedure guess [1]
    ");
    // Who sees everything reads it whole.
    assert_eq!(session.seen_error(Viewer::Everything, error.clone()).to_string(), error.to_string());
}

#[test]
fn what_follows_from_an_answer_is_shown_as_the_side_may_imagine_it() {
    let game = |rest: &str| {
        let rules = format!(
            "procedure('guess', {{ rule = '1' }}, function()
              ask('red', 'guess', {{ from = 1, to = 9 }})
              {rest}
              ask('red', 'again', {{ from = 1, to = 2 }})
            end)"
        );
        small(CARDS, &rules)
    };
    let first = |session: &Session| session.imagined(0).unwrap().foresee(0, &one(1)).unwrap();
    let leak = "log('He holds {1}', space('hand').pieces:first().worth)";
    let mut session = Session::new(&game(leak), 1).unwrap();
    let mut next = 0;
    let mut in_turn = |_| {
        next += 1;
        next - 1
    };
    assert_eq!(session.leaks(Viewer::Side(SideId(0)), &mut in_turn).unwrap(), LeakCheck::Same);
    assert_eq!(first(&session).cut, None);
    // It goes as far as the first roll or reveal.
    let session = Session::new(&game("roll('luck', 6) log('over')"), 1).unwrap();
    let seen = first(&session);
    assert_eq!((seen.cut, seen.changes.len()), (Some(Cut::Roll), 0));
    let session = Session::new(&game("log('well') reveal(space('hand').pieces:first(), 'red')"), 1).unwrap();
    let seen = first(&session);
    assert_eq!((seen.cut, seen.changes.len()), (Some(Cut::Reveal), 1));
}

#[test]
fn what_lies_deep_in_a_far_stack_is_exchanged() {
    let game = "
        [area]
        a = { name = 'A' }
        b = { name = 'B' }
        c = { name = 'C' }
        d = { name = 'D' }
        [border]
        a-b = { a = 'a', b = 'b' }
        b-c = { a = 'b', b = 'c' }
        c-d = { a = 'c', b = 'd' }
        [field.piece]
        worth = { type = 'int' }
        [stack.unit]
        seen-from = 1
        [unit]
        watch = { side = 'red', worth = 1 }
        top = { side = 'blue', worth = 1 }
        low = { side = 'blue', worth = 2 }
        over = { side = 'blue', worth = 3 }
        under = { side = 'blue', worth = 4 }
        [sequence]
        game = { steps = ['guess'] }
        [scenario.only]
        title = 'The only one'
        place = ['watch a', 'top c', 'low c', 'over d', 'under d']
    ";
    let blind = |bound: &str, place: &str| {
        let rules = format!(
            "procedure('guess', {{}}, function() ask('red', 'guess', {{ from = 1, to = {bound} }}) end)"
        );
        let game = game.replace("watch a", place);
        let mut session = Session::new(&small(&game, &rules), 1).unwrap();
        let mut next = 0;
        let in_turn = &mut |_| {
            next += 1;
            next - 1
        };
        session.leaks(Viewer::Side(SideId(0)), in_turn).unwrap()
    };
    assert_eq!(blind("5", "watch a"), LeakCheck::Same);
    let peeping = "space('c').pieces:sum 'worth'";
    assert!(matches!(blind(peeping, "watch a"), LeakCheck::Told(..)));
    // From near he sees what it is made of.
    assert_eq!(blind(peeping, "watch b"), LeakCheck::NotComparable);
}

#[test]
fn a_card_that_was_shown_in_between_is_not_exchanged() {
    let rule =
        "before('guess', 'show', { rule = '2' }, function() reveal(space('hand').pieces:first(), 'red') end)";
    assert_eq!(told(rule), LeakCheck::NotComparable);
}

const SEALED: &str = r#"
[attribute.side]
coins = { type = "int", default = 5, see = "owner" }

[attribute.game]
last = { type = "int", default = 0 }

[sequence]
game = { steps = ["bid"] }

[scenario.only]
title = "The only one"
"#;

/// What comes of exchanging what `viewer` cannot see after some answers.
fn sealed(rules: &str, viewer: Viewer, answers: &[(usize, &str)]) -> LeakCheck {
    let game = small(SEALED, rules);
    let mut session = Session::new(&game, 1).unwrap();
    for (which, answer) in answers {
        session.answer_text(*which, answer).unwrap();
    }
    session.leaks(viewer, &mut |_| 0).unwrap()
}

#[test]
fn an_attribute_that_only_its_owner_sees_is_changed() {
    let red = Viewer::Side(SideId(0));
    let fair = "procedure('bid', {}, function() ask('red', 'bid', { from = 1, to = sides.red.coins }) end)";
    assert_eq!(sealed(fair, red, &[]), LeakCheck::Same);
    assert_eq!(sealed(fair, Viewer::Spectator, &[]), LeakCheck::Same);
    let peeping = fair.replace("sides.red", "sides.blue");
    assert!(matches!(sealed(&peeping, red, &[]), LeakCheck::Told(..)));
    let gossip = "procedure('bid', {}, function()
      log('Red has {1}', sides.red.coins)
      ask('red', 'bid', { from = 1, to = 3 })
    end)";
    assert!(matches!(sealed(gossip, Viewer::Spectator, &[]), LeakCheck::Told(..)));
}

#[test]
fn a_secret_answer_is_given_otherwise() {
    let bids = |leak: &str| {
        format!(
            "procedure('bid', {{}}, function()
              together {{
                red = function() {leak} ask('red', 'bid', {{ from = 1, to = 3 }}) end,
                blue = function() ask('blue', 'bid', {{ from = 1, to = 3 }}) end,
              }}
            end)"
        )
    };
    // Blue has answered; red still owes his part.
    let blue_first = [(1, "2")];
    assert_eq!(sealed(&bids(""), Viewer::Side(SideId(0)), &blue_first), LeakCheck::Same);
    assert_eq!(sealed(&bids(""), Viewer::Spectator, &blue_first), LeakCheck::Same);
    assert_eq!(sealed(&bids(""), Viewer::Side(SideId(1)), &blue_first), LeakCheck::NotComparable);
}

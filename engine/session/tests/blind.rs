//! What a side is told does not depend on what it cannot see; a rule that lets it through is found out.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod common;

use common::load;
use sandtable_kernel::world::SideId;
use sandtable_session::view::Viewer;
use sandtable_session::{Blind, Session};

const CARDS: &str = r#"
[game]
id = "duel"
title = "Cards"
version = "1.0.0"
sides = ["red", "blue"]
source = "own"

[side]
red = { name = "Red" }
blue = { name = "Blue" }

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

/// Asks red for a number, with a rule of its own.
fn told(rule: &str) -> Blind {
    let rules = format!(
        r#"
        {rule}
        procedure("guess", {{ rule = "1" }}, function() ask("red", "guess", {{ from = 1, to = 9 }}) end)
        "#
    );
    let game = load(&[("game.toml", CARDS), ("rules.lua", &rules)]);
    let mut session = Session::new(&game, 1).unwrap();
    let mut next = 0;
    // The two hidden cards change places.
    session
        .blind(Viewer::Side(SideId(0)), &mut |_| {
            next += 1;
            next - 1
        })
        .unwrap()
}

#[test]
fn a_rule_that_looks_at_nothing_hidden_tells_nothing() {
    assert_eq!(told(""), Blind::Same);
    assert_eq!(
        told("forbid('guess', 'odd', { rule = '2' }, function(n) return n % 2 == 1 end)"),
        Blind::Same
    );
}

#[test]
fn options_that_depend_on_a_hidden_card_are_found_out() {
    let rule = "forbid('guess', 'peek', { rule = '2' }, function(n)
      if n > space('hand').pieces:first().worth then return no('secret') end
    end)";
    assert!(matches!(told(rule), Blind::Told(..)), "{:?}", told(rule));
}

#[test]
fn a_line_of_the_log_that_names_a_hidden_card_does_not_name_it_to_the_other_side() {
    let rule = "before('guess', 'gossip', { rule = '2' }, function() log('He holds {1}', space('hand').pieces:first()) end)";
    assert_eq!(told(rule), Blind::Same);
    let rule = "before('guess', 'gossip', { rule = '2' }, function() log('He holds {1}', space('hand').pieces:first().worth) end)";
    assert!(matches!(told(rule), Blind::Told(..)), "{:?}", told(rule));
}

#[test]
fn a_card_that_was_shown_in_between_is_not_exchanged() {
    let rule =
        "before('guess', 'show', { rule = '2' }, function() reveal(space('hand').pieces:first(), 'red') end)";
    assert_eq!(told(rule), Blind::NotComparable);
}

const SEALED: &str = r#"
[game]
id = "duel"
title = "Sealed"
version = "1.0.0"
sides = ["red", "blue"]

[side]
red = { name = "Red" }
blue = { name = "Blue" }

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
fn sealed(rules: &str, viewer: Viewer, answers: &[(usize, &str)]) -> Blind {
    let game = load(&[("game.toml", SEALED), ("rules.lua", rules)]);
    let mut session = Session::new(&game, 1).unwrap();
    for (which, answer) in answers {
        session.answer_text(*which, answer).unwrap();
    }
    session.blind(viewer, &mut |_| 0).unwrap()
}

#[test]
fn an_attribute_that_only_its_owner_sees_is_changed() {
    let red = Viewer::Side(SideId(0));
    let fair = "procedure('bid', {}, function() ask('red', 'bid', { from = 1, to = sides.red.coins }) end)";
    assert_eq!(sealed(fair, red, &[]), Blind::Same);
    assert_eq!(sealed(fair, Viewer::Spectator, &[]), Blind::Same);
    let peeping = fair.replace("sides.red", "sides.blue");
    assert!(matches!(sealed(&peeping, red, &[]), Blind::Told(..)));
    let gossip = "procedure('bid', {}, function()
      log('Red has {1}', sides.red.coins)
      ask('red', 'bid', { from = 1, to = 3 })
    end)";
    assert!(matches!(sealed(gossip, Viewer::Spectator, &[]), Blind::Told(..)));
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
    assert_eq!(sealed(&bids(""), Viewer::Side(SideId(0)), &blue_first), Blind::Same);
    assert_eq!(sealed(&bids(""), Viewer::Spectator, &blue_first), Blind::Same);
    assert_eq!(sealed(&bids(""), Viewer::Side(SideId(1)), &blue_first), Blind::NotComparable);
}

//! What a side is told does not depend on what it cannot see; a rule that lets it through is found out.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod common;

use common::load;
use sandtable_kernel::world::SideId;
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
        .blind(SideId(0), &mut |_| {
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

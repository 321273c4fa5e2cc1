//! What rules leave of the options of a decision.

mod support;

use sandtable_script::Offered;
use sandtable_session::{Session, names};
use support::game;

/// The options of a menu with two offers, under the rule given.
fn offered(rule: &str) -> Vec<String> {
    let script = format!(
        "offer('orders', 'march', {{ among = function() return {{ 1, 2, 3 }} end, run = 'go' }})
        offer('orders', 'wait', {{ among = function() return {{ 7, 8 }} end, run = 'go' }})
        procedure('go', {{}}, function() end)
        procedure('main', {{}}, function() return menu('red', 'orders') end)
        {rule}"
    );
    let game = game(&script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut session = Session::new(&game, 1).unwrap_or_else(|error| panic!("{error}"));
    let decision = session.decisions()[0].clone();
    let Offered::List(options) = &decision.offered else { panic!("a menu offers a list") };
    session.look(|host| options.iter().map(|&opt| names::plain_option(host.cx(), opt)).collect())
}

#[test]
fn a_preference_narrows_the_offer_it_is_about_and_leaves_the_others() {
    let rule = "prefer('orders', 'far', { offer = 'march' }, function(n) return n == 3 end)";
    assert_eq!(offered(rule), ["march 3", "wait 7", "wait 8"]);
}

#[test]
fn a_preference_that_no_option_of_its_offer_meets_is_void() {
    let rule = "prefer('orders', 'far', { offer = 'march' }, function(n) return n > 3 end)";
    assert_eq!(offered(rule), ["march 1", "march 2", "march 3", "wait 7", "wait 8"]);
}

#[test]
fn a_refusal_concerns_its_offer_only() {
    let rule = "forbid('orders', 'no-luck', { offer = 'wait' }, function(n) return n == 7 or n == 3 end)";
    assert_eq!(offered(rule), ["march 1", "march 2", "march 3", "wait 8"]);
}

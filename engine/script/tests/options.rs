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

/// What is chosen one after another, with the prompts offered each time.
fn one_by_one(spec: &str, answers: &[&str]) -> Vec<String> {
    let script = format!(
        "procedure('main', {{}}, function()
          ask_each('red', 'pick', {spec}, function(n) print(n) end)
          print('end')
          return 'done'
        end)"
    );
    let game = game(&script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut session = Session::new(&game, 1).unwrap_or_else(|error| panic!("{error}"));
    for answer in answers {
        session.answer_text(0, answer).unwrap_or_else(|error| panic!("{error}"));
    }
    game.host.printed()
}

#[test]
fn choices_are_asked_one_by_one_until_there_are_enough() {
    let spec = "{ among = { 'a', 'b', 'c' }, none = 'enough', least = 1 }";
    assert_eq!(one_by_one(spec, &["b", "c", "enough"]), ["b", "c", "end"]);
    // The last is left: `none` is the only other option, and with nothing left it is taken by itself.
    assert_eq!(one_by_one(spec, &["b", "c", "a"]), ["b", "c", "a", "end"]);
}

#[test]
fn a_function_says_itself_what_is_left() {
    let spec = "{ among = function() return { 'a', 'b' } end, none = 'enough' }";
    assert_eq!(one_by_one(spec, &["a", "a", "enough"]), ["a", "a", "end"]);
}

#[test]
#[should_panic(expected = "`enough` is not among the options")]
fn the_least_choices_must_be_made() {
    one_by_one("{ among = { 'a', 'b' }, none = 'enough', least = 1 }", &["enough"]);
}

#[test]
fn a_dead_end_names_the_rules_that_refuse() {
    let script = "
        forbid('pick', 'not-a', { rule = '2.1' }, function(x) return x == 'a' end)
        forbid('pick', 'not-b', { rule = { '2.2', '2.3' } }, function(x) return x == 'b' end)
        forbid('pick', 'never', { rule = '2.4', turns = '9' }, function(x) return true end)
        procedure('main', {}, function() ask('red', 'pick', { among = { 'a', 'b' } }) end)";
    let game = game(script).unwrap_or_else(|errors| panic!("{errors:?}"));
    let error = Session::new(&game, 1).err().map_or_else(String::new, |error| error.to_string());
    let expected = "red has no option at `pick`; all are refused, by not-a [2.1], not-b [2.2, 2.3]";
    assert!(error.contains(expected), "{error}");
}

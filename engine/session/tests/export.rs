//! A moment written as a scenario keeps what things, numbers and texts of the same name are.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod common;

use common::small;
use sandtable_session::{Session, export};

const GAME: &str = r#"
[area]
12 = { name = "Twelve" }

[sequence]
game = { steps = ["begin", "main"] }

[scenario.only]
title = "The only one"
"#;

const RULES: &str = "
procedure('begin', {}, function()
  start_effect('fog', { lasts = 'game', where = space '12', count = 12, plain = 7, word = '12' })
end)
procedure('main', {}, function() ask('red', 'n', { from = 1, to = 3 }) end)
";

#[test]
fn the_arguments_of_an_effect_stay_what_they_are() {
    let game = small(GAME, RULES);
    let mut session = Session::new(&game, 1).unwrap();
    let record = session.record();
    let text = export::scenario(&session, &record, 0, session.answers().len());
    let line = r#"fog lasts game count=#12 plain=7 where=12 word=\"12\""#;
    assert!(text.contains(line), "{text}");
    let scenario = text.replace("[scenario.only-0]", "[scenario.only]");
    let again = GAME.replace("[scenario.only]\ntitle = \"The only one\"\n", &scenario);
    let there = small(&again, RULES);
    let other = Session::bare(&there, 1).unwrap();
    let (digest, _) = session.digest_at_step(session.answers().len()).unwrap();
    assert_eq!(there.digest(&other.play().state), digest, "{text}");
}

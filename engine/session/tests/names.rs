//! The names of options tell them apart.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod common;

use common::{DUEL, small};
use sandtable_session::Session;

fn ambiguous(among: &str) -> Option<String> {
    let rules = format!(
        "procedure('setup', {{}}, function() ask('red', 'which', {{ among = {{ {among} }} }}) end)
        procedure('bid', {{}}, function() end) procedure('act', {{}}, function() return 'done' end)
        procedure('fight', {{}}, function() end)"
    );
    let game = small(DUEL, &rules);
    Session::new(&game, 1).unwrap().ambiguous()
}

#[test]
fn options_that_share_a_name_are_found() {
    assert_eq!(ambiguous("space 'field', space 'camp', 'go', 1, 2"), None);
    assert_eq!(ambiguous("space 'field', 'field'"), Some("field".into()));
    assert_eq!(ambiguous("1, 2, 1"), Some("#1".into()));
}

//! Properties of the check: whatever becomes of a file, it ends without a panic, every problem lies inside its file, and the same
//! input gives the same problems.

mod attempt;

use attempt::{FILES, check, edits, play, record};
use proptest::prelude::*;

/// A game as its record is written.
const RECORD: &str = include_str!("attempt/game.record");

/// One change of a text: bytes from a place on are replaced.
fn change() -> impl Strategy<Value = (usize, usize, usize, Vec<u8>)> {
    let pieces = prop::sample::select(vec![
        "", "\"", "'", "[", "]", "{", "}", "(", ")", "=", ",", ".", "\n", "-", "--", "#", "\\", "end",
        "then", "0", "1.5", "\u{0}", "ö", "[[", "like", "rule", "nil", "x", "..", " ",
    ]);
    let bytes = prop_oneof![
        pieces.prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..4)
    ];
    (0..FILES.len(), any::<prop::sample::Index>(), 0usize..12, bytes)
        .prop_map(|(file, at, length, bytes)| (file, at.index(FILES[file].1.len()), length, bytes))
}

/// A change outside the rules: words that fit and words that do not.
fn edit_line() -> impl Strategy<Value = String> {
    let words = vec![
        "place",
        "set",
        "pile",
        "deal",
        "reveal",
        "conceal",
        "r-foot",
        "b-foot",
        "r-horse",
        "0101",
        "0302",
        "lost",
        "-",
        "0",
        "1",
        "-1",
        "2147483647",
        "99999999999",
        "game.turn",
        "side.red.points",
        "r-foot.level",
        "r-foot.side",
        "red",
        "nobody",
        "=",
        "",
    ];
    prop::collection::vec(prop::sample::select(words), 1..6).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_gives_the_same_problems_twice_and_no_panic((file, at, length, bytes) in change()) {
        let (path, text) = FILES[file];
        let mut damaged = text.as_bytes().to_vec();
        damaged.splice(at..(at + length).min(text.len()), bytes);
        prop_assert_eq!(check(path, &damaged), check(path, &damaged));
    }

    #[test]
    fn a_damaged_script_is_refused_or_played((_, at, length, bytes) in change()) {
        let script = FILES.iter().find(|(path, _)| path.ends_with("rules.lua")).map_or("", |(_, text)| *text);
        let mut damaged = script.as_bytes().to_vec();
        let at = at.min(damaged.len());
        damaged.splice(at..(at + length).min(script.len()), bytes);
        play(&damaged);
    }

    #[test]
    fn changes_outside_the_rules_are_followed_or_refused(lines in prop::collection::vec(edit_line(), 1..6)) {
        edits(lines.join("\n").as_bytes());
    }

    #[test]
    fn a_damaged_record_is_read_or_refused(at in any::<prop::sample::Index>(), length in 0usize..12, bytes in prop::collection::vec(any::<u8>(), 0..6)) {
        let mut damaged = RECORD.as_bytes().to_vec();
        let at = at.index(damaged.len());
        damaged.splice(at..(at + length).min(RECORD.len()), bytes);
        record(&damaged);
    }

    #[test]
    fn any_bytes_in_place_of_any_file_give_no_panic(file in 0..FILES.len(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(FILES[file].0, &bytes);
    }
}

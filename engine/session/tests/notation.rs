//! The notation of records: it round-trips, and wrong text is an error with a place, never a panic.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use sandtable_session::Record;
use sandtable_session::record::{AnswerLine, Line, Stamp};

const SMALL: &str = "sandtable record 1
game duel 1.0.0 0123456789abcdef
layer errata 2 00000000000000ff
scenario campaign
set value.prize = 3
option long true
seed 7
--
roll set-up 4
axis: move ge-16a/1820 @0123abcd
+ soviet: bid #3 @0123abce
. axis: losses [a b*2]
roll fire.axis 4
axis: movement (done) @00000000!
. axis: nod x @!
";

fn error(text: &str) -> String {
    Record::parse(text).map_or_else(|error| error.to_string(), |_| "no error".into())
}

#[test]
fn a_record_is_read_and_written_exactly() {
    let record = Record::parse(SMALL).unwrap();
    assert_eq!(record.to_string(), SMALL);
    assert_eq!(record.layers.len(), 1);
    assert_eq!(record.choices().count(), 3);
    assert_eq!(record.answers().count(), 5);
}

#[test]
fn errors_have_a_place_what_was_found_and_what_was_expected() {
    insta::assert_snapshot!(error(""), @"line 1, column 1: found the end of the file; expected `sandtable record 1`");
    insta::assert_snapshot!(error("hello\n"), @"line 1, column 1: found `hello`; expected `sandtable record 1`");
    insta::assert_snapshot!(error("sandtable record 1\ngame duel 1.0.0 0123\n"), @"line 2, column 17: found `0123`; expected a hash of 16 hexadecimal digits");
    insta::assert_snapshot!(error("sandtable record 1\ncolour red\n"), @"line 2, column 1: found `colour`; expected game, library, layer, scenario, set, option, seed or --");
    insta::assert_snapshot!(error("sandtable record 1\n--\n"), @"line 2, column 1: found `--`; expected a line `game` before it");
    insta::assert_snapshot!(error(&SMALL.replace("seed 7", "seed x")), @"line 7, column 6: found `x`; expected a number as seed");
    insta::assert_snapshot!(error(&SMALL.replace("seed 7", "seed 99999999999999999999")), @"line 7, column 6: found `99999999999999999999`; expected a number as seed");
    insta::assert_snapshot!(error(&SMALL.replace("seed 7", "seed 7\nseed 8")), @"line 8, column 1: found `seed`; expected this line only once");
    insta::assert_snapshot!(error(&SMALL.replace("option long true", "option long true\noption long false")), @"line 7, column 1: found `option`; expected each option only once");
    insta::assert_snapshot!(error(&SMALL.replace("scenario", "layer errata 3 00000000000000ff\nscenario")), @"line 4, column 1: found `layer`; expected each layer only once");
    insta::assert_snapshot!(error(&SMALL.replace("record 1", "record 2")), @"line 1, column 18: found `2`; expected `1`, the version of the notation that is read here");
    insta::assert_snapshot!(error(&SMALL.replace(" @0123abcd", "")), @"line 10, column 23: found the end of the line; expected a space and a digest such as @0123abcd");
    insta::assert_snapshot!(error(&SMALL.replace(" @0123abcd", " @0123abXd")), @"line 10, column 25: found `0123abXd`; expected a digest of 8 hexadecimal digits");
    insta::assert_snapshot!(error(&SMALL.replace(" @0123abcd", " @0123abcd and more")), @"line 10, column 34: found `and`; expected the end of the line");
    insta::assert_snapshot!(error(&SMALL.replace("axis: move", "axis move")), @"line 10, column 1: found `axis`; expected a side with a colon, or `roll`");
    insta::assert_snapshot!(error(&SMALL.replace("fire.axis 4", "fire.axis four")), @"line 13, column 16: found `four`; expected the value of a roll");
    insta::assert_snapshot!(error(&SMALL.replace("ge-16a/1820", "ge-16a\\q")), @r"line 10, column 19: found `q`; expected one of \e \n \r \t \a \s \\");
    insta::assert_snapshot!(error(SMALL.trim_end()), @"line 15, column 17: found the end of the file: it was cut off; expected the end of the line");
    insta::assert_snapshot!(Record::from_bytes(b"sandtable record 1\ngame \xff\n").unwrap_err().to_string(), @"line 2, column 6: found the byte 0xff; expected UTF-8 text");
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z-]{1,8}", "[ -~\\n\\r\\té]{0,6}", any::<String>()]
}

fn line() -> impl Strategy<Value = Line> {
    let answer = (text(), text(), text(), any::<bool>(), any::<Option<u32>>(), any::<bool>()).prop_map(
        |(side, prompt, choice, simultaneous, digest, closed)| {
            Line::Answer(AnswerLine { side, prompt, choice, simultaneous, digest, closed })
        },
    );
    let roll = (text(), any::<u32>()).prop_map(|(label, value)| Line::Roll { label, value });
    prop_oneof![answer, roll]
}

fn stamp() -> impl Strategy<Value = Stamp> {
    (text(), text(), any::<u64>()).prop_map(|(id, version, hash)| Stamp { id, version, hash })
}

prop_compose! {
    fn record()(
        game in stamp(),
        layers in proptest::collection::vec(stamp(), 0..3),
        scenario in text(),
        sets in proptest::collection::vec(text(), 0..3),
        options in proptest::collection::vec((text(), text()), 0..3),
        seed in any::<u64>(),
        lines in proptest::collection::vec(line(), 0..12),
    ) -> Record {
        let (mut layers, mut options): (Vec<Stamp>, Vec<(String, String)>) = (layers, options);
        // Nothing is named twice.
        layers.sort_by(|a, b| a.id.cmp(&b.id));
        layers.dedup_by(|a, b| a.id == b.id);
        options.sort();
        options.dedup_by(|a, b| a.0 == b.0);
        let libraries = layers.iter().take(1).cloned().collect();
        Record { game, libraries, layers, scenario, sets, options, seed, lines }
    }
}

proptest! {
    #[test]
    fn every_record_round_trips(record in record()) {
        let text = record.to_string();
        let read = Record::parse(&text);
        prop_assert_eq!(read.as_ref(), Ok(&record), "{}", text);
        prop_assert_eq!(read.unwrap().to_string(), text);
    }

    #[test]
    fn a_record_that_was_cut_is_shorter_or_wrong(at in 0..SMALL.len()) {
        match Record::parse(&SMALL[..at]) {
            Ok(record) => prop_assert!(SMALL.starts_with(&record.to_string())),
            Err(error) => prop_assert!(error.line >= 1 && error.column >= 1),
        }
    }

    #[test]
    fn a_damaged_record_never_panics(at in 0..SMALL.len(), bytes in proptest::collection::vec(any::<u8>(), 0..6)) {
        let mut damaged = SMALL.as_bytes().to_vec();
        damaged.splice(at..(at + 2).min(SMALL.len()), bytes);
        let _ = Record::from_bytes(&damaged);
    }

    #[test]
    fn any_text_is_a_record_or_an_error(text in any::<String>()) {
        let _ = Record::parse(&text);
        let _ = Record::parse(&format!("sandtable record 1\n{text}\n"));
        let _ = Record::parse(&SMALL.replace("roll set-up 4", &text));
    }
}

#[test]
fn a_line_of_ten_million_bytes_is_an_error_with_a_short_message() {
    let long = "x".repeat(10 << 20);
    for text in [
        long.clone(),
        SMALL.replace("seed 7", &long),
        SMALL.replace("#3", &long),
        SMALL.replace("bid", &format!("{long}\\")),
    ] {
        if let Err(error) = Record::parse(&text) {
            assert!(error.to_string().len() < 200, "{}", error.to_string().len());
        }
    }
}

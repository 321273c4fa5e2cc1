//! How diagnostics look.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::origin::LayerId;
use crate::render::{Colour, concise, full, full_report, to_json};
use crate::source::{Sources, Span};
use crate::toml_file::read_toml;
use crate::tree::{Node, Value};
use crate::tree_read::{Row, expect_id};

fn one() -> (Sources, Diagnostic) {
    let mut sources = Sources::new();
    let cards = sources.add("skirmish/cards.toml", "[card.a]\nops = \"three\"\n");
    let other = sources.add("night/layer.toml", "\tadd = 1");
    let diagnostic =
        Diagnostic::error(&codes::WRONG_TYPE, Span::new(cards, 15, 22), "`ops` of card.a is a text")
            .label(Span::new(other, 1, 4), "wanted here")
            .note("given by skirmish")
            .help("write 3".to_owned());
    (sources, diagnostic)
}

#[test]
fn full_concise_and_json() {
    let (sources, diagnostic) = one();
    assert_snapshot!(full(&diagnostic, &sources, Colour::Never), @r#"
    error[E0201]: `ops` of card.a is a text
     --> skirmish/cards.toml:2:7
      |
    2 | ops = "three"
      |       ^^^^^^^
     ::: night/layer.toml:1:2
      |
    1 |     add = 1
      |     --- wanted here
      = note: given by skirmish
      = help: write 3
    "#);
    assert_snapshot!(concise(&diagnostic, &sources), @r#"
    skirmish/cards.toml:2:7: E0201: `ops` of card.a is a text
    "#);
    assert_snapshot!(serde_json::to_string_pretty(&to_json(&diagnostic, &sources)).expect("plain values"), @r#"
    {
      "code": "E0201",
      "column": 7,
      "end_column": 14,
      "end_line": 2,
      "file": "skirmish/cards.toml",
      "help": [
        "write 3"
      ],
      "labels": [
        {
          "column": 2,
          "end_column": 5,
          "end_line": 1,
          "file": "night/layer.toml",
          "line": 1,
          "place": null,
          "source_line": "\tadd = 1",
          "text": "wanted here"
        }
      ],
      "line": 2,
      "message": "`ops` of card.a is a text",
      "name": "wrong-type",
      "notes": [
        "given by skirmish"
      ],
      "place": null,
      "severity": "error",
      "source_line": "ops = \"three\""
    }
    "#);
    assert_snapshot!(full(&diagnostic, &sources, Colour::Ansi).replace('\u{1b}', "ESC"), @r#"
    ESC[1;31merror[E0201]ESC[0mESC[1m: `ops` of card.a is a textESC[0m
     ESC[1;34m-->ESC[0m skirmish/cards.toml:2:7
      ESC[1;34m|ESC[0m
    ESC[1;34m2ESC[0m ESC[1;34m|ESC[0m ops = "three"
      ESC[1;34m|ESC[0m       ESC[1;31m^^^^^^^ESC[0m
     ESC[1;34m:::ESC[0m night/layer.toml:1:2
      ESC[1;34m|ESC[0m
    ESC[1;34m1ESC[0m ESC[1;34m|ESC[0m     add = 1
      ESC[1;34m|ESC[0m     ESC[1;34m---ESC[0m wanted here
      ESC[1;34m=ESC[0m ESC[1mnoteESC[0m: given by skirmish
      ESC[1;34m=ESC[0m ESC[1mhelpESC[0m: write 3
    "#);
    let placeless = Diagnostic::placeless(&codes::NO_GAME, "there is no game `x`");
    assert_snapshot!(full_report([&placeless, &diagnostic], &Sources::new(), Colour::Never), @r#"
    error[E0301]: there is no game `x`

    error[E0201]: `ops` of card.a is a text
      = note: given by skirmish
      = help: write 3

    2 errors, 0 warnings
    "#);
}

#[test]
fn a_line_of_ten_megabytes_is_cut_around_the_place() {
    let mut sources = Sources::new();
    let text = format!("{}HERE{}", "a".repeat(5 << 20), "b".repeat(5 << 20));
    let file = sources.add("long.toml", text);
    let at = 5 << 20;
    let diagnostic = Diagnostic::error(&codes::TOML_SYNTAX, Span::new(file, at, at + 4), "found HERE");
    assert_snapshot!(full(&diagnostic, &sources, Colour::Never), @r#"
    error[E0104]: found HERE
     --> long.toml:1:5242881
      |
    1 | …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaHEREbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…
      |                                                       ^^^^
    "#);
    assert!(to_json(&diagnostic, &sources).to_string().len() < 2000);
    let whole = Diagnostic::error(&codes::TOML_SYNTAX, Span::new(file, 0, 10 << 20), "all of it");
    assert!(full(&whole, &sources, Colour::Never).len() < 1000);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let mut sources = Sources::new();
    let file = sources.add("evil.toml", "x = \"\u{1b}[2J\"");
    let diagnostic = Diagnostic::error(&codes::TOML_SYNTAX, Span::new(file, 4, 9), "found \u{1b}[2J");
    assert!(!full(&diagnostic, &sources, Colour::Never).contains('\u{1b}'));
    assert!(!concise(&diagnostic, &sources).contains('\u{1b}'));
}

#[test]
fn accessors_say_what_was_found_and_what_was_expected() {
    let mut sources = Sources::new();
    let text = "ops = \"three\"\ncc = 1\ntags = 5\nside = \"esat\"\nopps = 2\nhex = 1724\nrow = [1]\n";
    let file = sources.add("g/card.toml", text);
    let mut out = Diagnostics::new();
    let table = read_toml(text, file, LayerId(0), &mut out);
    let node = Node::new(Value::Table(table), crate::origin::Origin::default());
    let row = Row::new("card.lantern-16", &node, &mut out).expect("a table");
    assert_eq!(row.int("ops", &mut out), None);
    assert_eq!(row.int("absent", &mut out), None);
    assert_eq!(row.bool("cc", &mut out), None);
    assert_eq!(row.array("tags", &mut out), None);
    assert_eq!(row.word("side", &["east", "west"], &mut out), None);
    assert_eq!(row.id("hex", &mut out).as_deref(), Some("1724"));
    assert!(row.row("row", &mut out).is_none());
    assert!(row.need("title", &mut out).is_none());
    row.unknown_keys(&["ops", "cc", "tags", "side", "hex", "row"], &mut out);
    assert_eq!(expect_id(&node, "the place", &mut out), None);
    let lines: Vec<String> = out.iter().map(|d| format!("{} {:?}", concise(d, &sources), d.help)).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    g/card.toml:1:7: E0201: `ops` of card.lantern-16 is a text, "three"; expected a whole number []
    g/card.toml:2:6: E0201: `cc` of card.lantern-16 is a whole number, 1; expected true or false []
    g/card.toml:3:8: E0201: `tags` of card.lantern-16 is a whole number, 5; expected a list []
    g/card.toml:4:8: E0204: `side` of card.lantern-16 is "esat"; expected `east` or `west` ["did you mean `east`?"]
    g/card.toml:7:7: E0201: card.lantern-16.row is a list, [1]; expected a table []
    g/card.toml:1:1: E0203: card.lantern-16 has no `title` []
    g/card.toml:5:1: E0202: card.lantern-16 has no key `opps` ["did you mean `ops`?"]
    g/card.toml:1:1: E0201: the place is a table; expected an id []
    "#);
}

proptest! {
    #[test]
    fn any_span_in_any_text_is_rendered(text in r"(\PC|\n|\r|\t){0,40}", start in 0..60usize, end in 0..60usize) {
        let mut sources = Sources::new();
        let file = sources.add("x", text);
        let diagnostic = Diagnostic::error(&codes::TOML_SYNTAX, Span::new(file, start, end), "m")
            .label(Span::new(file, end, start), "l");
        full(&diagnostic, &sources, Colour::Ansi);
        concise(&diagnostic, &sources);
        to_json(&diagnostic, &sources);
    }
}

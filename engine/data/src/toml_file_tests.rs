//! What TOML files are refused for, with input and message together.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::diagnostic::Diagnostics;
use crate::diagnostic_testing::Scene;
use crate::origin::{LayerId, Provenance};
use crate::source::FileId;
use crate::toml_file::read_toml;

#[test]
fn several_syntax_errors_are_reported_at_once() {
    assert_snapshot!(Scene::game("[card.x]\nops = \ntitle = \"Fire\n[card.y\nrp = one").problems(), @r#"
    error[E0104]: there is no value after the equals sign
     --> g/tables.toml:2:7
      |
    2 | ops =
      |       ^
    error[E0104]: a text has no closing quote
     --> g/tables.toml:3:14
      |
    3 | title = "Fire
      |              ^
    error[E0104]: unclosed table, expected `]`
     --> g/tables.toml:4:8
      |
    4 | [card.y
      |        ^
    "#);
}

#[test]
fn a_text_without_quotes_is_named() {
    assert_snapshot!(Scene::game("[card.x]\ntitle = Fire\nops = 1, 2").problems(), @r#"
    error[E0104]: `Fire` is not a value; expected a number, true, false, or a text in quotes
     --> g/tables.toml:2:9
      |
    2 | title = Fire
      |         ^^^^
    error[E0104]: unexpected key or value, expected newline, `#`
     --> g/tables.toml:3:8
      |
    3 | ops = 1, 2
      |        ^
    "#);
}

#[test]
fn a_duplicate_key_shows_both_places() {
    assert_snapshot!(Scene::game("[card.x]\nops = 1\nrp = 2\nops = 3\n[card.x]\nq = { a = 1, a = 2 }").problems(), @r#"
    error[E0105]: the key `ops` is given twice
     --> g/tables.toml:4:1
      |
    4 | ops = 3
      | ^^^
     ::: g/tables.toml:2:1
      |
    2 | ops = 1
      | --- first given here
    error[E0105]: the key `x` is given twice
     --> g/tables.toml:5:7
      |
    5 | [card.x]
      |       ^
     ::: g/tables.toml:1:7
      |
    1 | [card.x]
      |       - first given here
    error[E0105]: the key `a` is given twice
     --> g/tables.toml:6:14
      |
    6 | q = { a = 1, a = 2 }
      |              ^
     ::: g/tables.toml:6:7
      |
    6 | q = { a = 1, a = 2 }
      |       - first given here
    "#);
    let twice = Scene::game("card.x.ops = 1").file("rules/g/more.toml", "[card.x]\nops = 2\nrp = 1");
    assert_snapshot!(twice.problems(), @r#"
    error[E0105]: card.x.ops is given twice in the same package
     --> g/tables.toml:1:8
      |
    1 | card.x.ops = 1
      |        ^^^
     ::: g/more.toml:2:1
      |
    2 | ops = 2
      | --- first given here
    "#);
}

#[test]
fn fractions_dates_and_huge_numbers_are_refused_where_they_stand() {
    assert_snapshot!(Scene::game("a.b = { c = 0.5, d = 1942-06-28 }\ne.f = 99999999999999999999").problems(), @r#"
    error[E0106]: 0.5 is a number with a fraction; expected a whole number
     --> g/tables.toml:1:13
      |
    1 | a.b = { c = 0.5, d = 1942-06-28 }
      |             ^^^
      = help: count in halves or in hundredths, so that the game holds whole numbers
    error[E0107]: 1942-06-28 is a date or a time; expected a text in quotes
     --> g/tables.toml:1:22
      |
    1 | a.b = { c = 0.5, d = 1942-06-28 }
      |                      ^^^^^^^^^^
    error[E0108]: the number 99999999999999999999 is too large; expected a 64-bit whole number
     --> g/tables.toml:2:7
      |
    2 | e.f = 99999999999999999999
      |       ^^^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn provenance_is_inherited_from_file_to_table_to_row_to_field() {
    let catalog = Scene::game(
        "source = 'stand-in'\n[card]\nsource = 'text'\n[card.x]\nops = 1\nrp = 2\nsources = { rp = 'inferred' }\n\
         [card.y]\nsource = 'public: Army List'\nops = [1]\n[unit.a]\nmp = 1",
    )
    .clean();
    let of = |path| catalog.provenance(path);
    assert_eq!(of("unit.a.mp"), Some(Provenance::StandIn));
    assert_eq!(of("card.x.ops"), Some(Provenance::Text));
    assert_eq!(of("card.x.rp"), Some(Provenance::Inferred));
    assert_eq!(of("card.y.ops.0"), Some(Provenance::Public));
    assert_eq!(catalog.get("card.x.sources"), None);
    assert_eq!(catalog.rows("card").count(), 2);
    assert_eq!(catalog.citations.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["Army List"]);
}

#[test]
fn an_unknown_source_is_refused_with_the_nearest() {
    assert_snapshot!(Scene::game("source = 'standin'\n[card.x]\nops = 1\nsources = { opps = 'text' }").problems(), @r#"
    error[E0205]: `source` is "standin"; expected text, public, inferred, stand-in or own
     --> g/tables.toml:1:10
      |
    1 | source = 'standin'
      |          ^^^^^^^^^
      = help: did you mean `stand-in`?
    error[E0202]: `sources` speaks of `opps`, which the row does not have
     --> g/tables.toml:4:13
      |
    4 | sources = { opps = 'text' }
      |             ^^^^
      = help: did you mean `ops`?
    "#);
}

#[test]
fn a_source_that_is_no_text_or_stands_deeper_is_an_ordinary_key() {
    let scene =
        Scene::game("[unit.x]\nsource = true\nsources = ['1724']\n[unit.y]\nroad = { source = 'rail' }");
    assert_eq!(scene.value("unit.x"), r#"{source = true, sources = ["1724"]}"#);
    assert_eq!(scene.value("unit.y.road.source"), r#""rail""#);
}

#[test]
fn nesting_is_bounded() {
    let deep = format!("x = {}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let dotted = format!("{}x = 1", "a.".repeat(100_000));
    let inline = format!("a = {}1{}", format!("{{{}x = ", "b.".repeat(70)).repeat(60), "}".repeat(60));
    for text in [deep, dotted, inline] {
        let mut out = Diagnostics::new();
        read_toml(&text, FileId(0), LayerId(0), &mut out);
        assert!(out.has_errors());
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in r#"([a-c."'=\[\]{},#\n 0-9]|\PC){0,80}"#) {
        Scene::game(&text).load();
    }

    #[test]
    fn nearly_valid_text_is_read_without_panic(
        parts in proptest::collection::vec(prop_oneof![
            Just("[a]\n"), Just("[[a]]\n"), Just("[a.b]\n"), Just("a = 1\n"), Just("a.b = { c = 1, c = 2 }\n"),
            Just("b = [1, {x = 2}]\n"), Just("'"), Just("\"\"\""), Just("x.y.z = 0.5\n"), Just("}"), Just("["),
            Just("add.a.b = 1\n"), Just("remove.a = ['b']\n"), Just("each.a = [{ add = { b = 1 } }]\n"),
            Just("like = 'b'\n"), Just("source = 'text'\n"), Just("table.t = { columns = ['a'], rows = { r = [1] } }\n"),
            Just("table.t.rows.r = 1\n"), Just("insert.a = { after = 1, step = 2 }\n"), Just("[layer]\n"),
        ], 0..12),
    ) {
        let text = parts.concat();
        Scene::game(&text).layer("l", &[], &text).layer("m", &["l"], &text).load();
    }
}

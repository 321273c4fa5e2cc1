//! Tests of numbering.

use proptest::prelude::*;

use super::*;

fn scheme(pattern: &str) -> Numbering {
    pattern.parse().expect("a pattern")
}

#[test]
fn names_that_do_not_fit_are_told_where() {
    let numbers = scheme("{col:2}{row:2}");
    let boards = scheme("{board}-{letter}{row:2}");
    let told: Vec<_> =
        [("17x4", &numbers), ("17", &numbers), ("17245", &numbers), ("7G08", &boards), ("7-g08", &boards)]
            .into_iter()
            .map(|(name, scheme)| scheme.read(name).expect_err("a bad name").to_string())
            .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    `17x4`, character 3: found `x`, expected 2 digits of the row
    `17`, character 3: found the end, expected 2 digits of the row
    `17245`, character 5: found `5`, expected the end
    `7G08`, character 5: found the end, expected `-`
    `7-g08`, character 3: found `g`, expected the letter of the column, such as B or BB
    ");
}

#[test]
fn patterns_that_cannot_be_read_are_told_where() {
    let told: Vec<_> =
        ["{col}{row}", "{col:2}", "{col:9}{row}", "{col:2}-{row", "{board}{col}{row:2}", "x}{col}-{row}"]
            .into_iter()
            .map(|pattern| pattern.parse::<Numbering>().expect_err("a bad pattern").to_string())
            .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    pattern `{col}{row}`, character 6: found `{row}`, expected a width on the number before it
    pattern `{col:2}`, character 8: found the end, expected one row in the pattern, not 0
    pattern `{col:9}{row}`, character 1: found `{col:9}`, expected {col:N}, {row:N}, {letter}, {row:letter} or {board}, N from 1 to 4
    pattern `{col:2}-{row`, character 13: found the end, expected `}`
    pattern `{board}{col}{row:2}`, character 8: found `{col}`, expected text after {board}
    pattern `x}{col}-{row}`, character 2: found `}`, expected `{` before it
    ");
}

#[test]
fn letters_double_after_z() {
    let letters = scheme("{letter}{row}");
    assert_eq!(letters.read("BB3").expect("a name").at, Offset::new(28, 3));
    let name = HexName { board: String::new(), at: Offset::new(52, 10) };
    assert_eq!(letters.write(&name).as_deref(), Some("ZZ10"));
}

#[test]
fn numbers_too_large_for_their_field_are_not_written() {
    let name = HexName { board: String::new(), at: Offset::new(100, 1) };
    assert_eq!(scheme("{col:2}{row:2}").write(&name), None);
}

proptest! {
    #[test]
    fn names_round_trip(
        pattern in prop::sample::select(vec![
            "{col:2}{row:2}", "{row:2}{col:2}", "{letter}{row:2}", "{col}.{row}", "{row:letter}{col}", "x{col:3}/{row:2}",
        ]),
        col in 1i32..=99,
        row in 1i32..=99,
    ) {
        let scheme = scheme(pattern);
        let name = HexName { board: String::new(), at: Offset::new(col, row) };
        let text = scheme.write(&name).expect("it fits");
        prop_assert_eq!(scheme.read(&text), Ok(name));
    }

    #[test]
    fn no_text_makes_reading_panic(pattern in ".{0,20}", name in ".{0,12}") {
        if let Ok(scheme) = pattern.parse::<Numbering>() {
            let _ = scheme.read(&name);
        }
        let _ = scheme("{board}-{letter}{row:2}").read(&name);
    }
}

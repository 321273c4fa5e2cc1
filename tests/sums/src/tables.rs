//! The files of a game as they lie on disk: tables of CSV and of TOML.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// A row of a CSV file by the names of its columns.
pub type Row = BTreeMap<String, String>;

fn path(file: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", file].iter().collect()
}

/// The rows of a CSV file, such as `rules/skirmish/table.combat.csv`; lines that begin with `#` are comments.
pub fn rows(file: &str) -> Vec<Row> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_path(path(file))
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    reader.deserialize().map(|row| row.unwrap_or_else(|error| panic!("{file}: {error}"))).collect()
}

/// A TOML file.
pub fn toml(file: &str) -> toml::Table {
    let text = std::fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    text.parse().unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// A number of a row; empty cells are nothing.
pub fn number(row: &Row, column: &str) -> Option<i32> {
    let text = row.get(column)?;
    (!text.is_empty()).then(|| text.parse().unwrap_or_else(|_| panic!("{column}: `{text}` is not a number")))
}

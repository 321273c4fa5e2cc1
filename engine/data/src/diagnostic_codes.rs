//! The codes of files, tables, packages and layers: E01 reading, E02 shape, E03 packages, E04 merging.
//! Other modules and crates keep tables of their own; `sandtable check --explain` searches all of them.

crate::diagnostic_codes! {
    UNREADABLE = "E0101", "unreadable-file", "a file cannot be read",
        cause: "The file or folder exists but the system refused to read it.",
        example: "a folder without permission to list it",
        repair: "Correct the permissions, or remove the file from the package.";
    INVALID_UTF8 = "E0102", "invalid-utf8", "a file is not UTF-8 text",
        cause: "The file holds bytes that are no UTF-8, often because an editor saved it as Latin-1 or UTF-16.",
        example: "title = \"Gro\\xDF\"",
        repair: "Save the file again as UTF-8.";
    TOO_LARGE = "E0103", "file-too-large", "a file or package is too large",
        cause: "A single file is larger than 64 MB, or a package has more than 10,000 files or folders 16 deep.",
        example: "a video that ended up in the package as notes.md",
        repair: "Move what is neither rules nor tables nor text out of the package.";
    TOML_SYNTAX = "E0104", "toml-syntax", "the text is not valid TOML",
        cause: "A quote, bracket, comma or equals sign is missing or misplaced.",
        example: "ops = ",
        repair: "Look at the marked place and just before it; texts stand in double quotes.";
    DUPLICATE_KEY = "E0105", "duplicate-key", "the same thing is given twice",
        cause: "One package gives the same key, row or column twice, in one file or in two.",
        example: "ops = 1\nops = 2",
        repair: "Keep one of the two marked places.";
    FLOAT = "E0106", "fraction", "a number has a fraction",
        cause: "State and tables hold whole numbers only, so that every machine computes the same.",
        example: "cost = 0.5",
        repair: "Count in halves (or hundredths): cost = 1, with limits counted the same way.";
    DATE = "E0107", "date", "a value is a TOML date",
        cause: "A date or time without quotes is a type of its own in TOML; games have no use for it.",
        example: "start = 1942-06-28",
        repair: "Put it in quotes: start = \"1942-06-28\".";
    NUMBER_RANGE = "E0108", "number-range", "a number does not fit",
        cause: "A whole number is larger than 64 bits, or arithmetic of a layer led beyond that.",
        example: "limit = 99999999999999999999",
        repair: "Use a smaller number; for \"no limit\" leave the key out.";
    CSV_CELLS = "E0110", "csv-cells", "a CSV row has the wrong number of cells",
        cause: "A comma is missing or too many; often a text with a comma stands without quotes.",
        example: "id,title\nx,Fire, and move",
        repair: "Put texts with commas in double quotes.";
    CSV_QUOTE = "E0111", "csv-quote", "a quote in a CSV cell is not closed, or text follows it",
        cause: "A cell that begins with a quote must end with one; a quote inside is written twice.",
        example: "id,title\nx,\"Fire",
        repair: "Close the quote, or write \"\" for a quote inside.";
    CSV_NO_KEY = "E0112", "csv-no-key", "a CSV list or row has no key",
        cause: "A list needs a column `id`, or `a` and `b` for links and hexsides, and each row must fill it.",
        example: "name,ops\nx,1",
        repair: "Add the column or fill the cell; a matrix must be named table.NAME.csv.";
    CSV_HEADER = "E0113", "csv-header", "a CSV column has no name",
        cause: "The first line names the columns; one name is empty, often after a comma at the end.",
        example: "id,ops,\nx,1,",
        repair: "Name the column or remove its comma in every line.";
    WRONG_TYPE = "E0201", "wrong-type", "a value has the wrong type",
        cause: "The key exists, but holds a text where a number is wanted, or the like.",
        example: "card.a = { ops = \"three\" }",
        repair: "Write the expected type; numbers stand without quotes.";
    UNKNOWN_KEY = "E0202", "unknown-key", "a key is not known",
        cause: "The key is misspelt, or belongs to another table.",
        example: "card.a = { opps = 3 }",
        repair: "Use one of the suggested keys.";
    MISSING_KEY = "E0203", "missing-key", "a needed key is missing",
        cause: "The table must have this key and neither gives it nor inherits it.",
        example: "[game]\ntitle = \"Skirmish\"",
        repair: "Add the key.";
    UNKNOWN_WORD = "E0204", "unknown-word", "a text is not one of the allowed words",
        cause: "The key takes one of a few words, and this is none of them.",
        example: "option.fog = { type = \"boolean\", default = true }",
        repair: "Use one of the words in the message.";
    UNKNOWN_SOURCE = "E0205", "unknown-source", "a `source` is not one of the five words",
        cause: "Values stand on `text`, `public`, `inferred`, `stand-in` or `own`; a name may follow after a colon.",
        example: "source = \"standin\"",
        repair: "Use one of the five words, such as \"public: Army List 1942\".";
    UNKNOWN_LIKE = "E0206", "unknown-like", "a row inherits from a row that is not there",
        cause: "`like` names no row of the same kind, perhaps because a layer removed it.",
        example: "unit.a = { like = \"nobody\" }",
        repair: "Name an existing row of the same kind.";
    LIKE_CYCLE = "E0207", "like-cycle", "rows inherit from each other in a circle",
        cause: "Following `like` from a row leads back to it.",
        example: "unit.a = { like = \"b\" }\nunit.b = { like = \"a\" }",
        repair: "Give the values in one of the rows and drop its `like`.";
    BAD_OPTION = "E0208", "bad-option", "an option's declaration contradicts itself",
        cause: "The default of an option is not of its type, or not among its values or in its range.",
        example: "option.fog = { type = \"int\", default = 9, range = [0, 3] }",
        repair: "Correct the default, the values or the range.";
    NO_GAME = "E0301", "no-such-game", "no game has this id",
        cause: "None of the folders that are searched holds a game with this id.",
        example: "sandtable check skirmsh",
        repair: "Use an id of `sandtable list`, or name the folder above with --path.";
    NO_LAYER = "E0302", "no-such-layer", "no layer has this id",
        cause: "None of the folders that are searched holds a layer with this id, and it is not a path either.",
        example: "sandtable play skirmish --layer nigth",
        repair: "Use an id of `sandtable list`, or give the path of the layer.";
    BAD_MANIFEST = "E0303", "bad-manifest", "a manifest is missing or incomplete",
        cause: "A package needs game.toml with [game] or layer.toml with [layer], each with id and version.",
        example: "[layer]\ntitle = \"Night\"",
        repair: "Add what the message names; `sandtable new layer NAME` writes a complete one.";
    WRONG_GAME = "E0304", "wrong-game", "a layer is for another game",
        cause: "The layer's manifest names a game that is not the one being loaded.",
        example: "[layer]\nid = \"night\"\nversion = \"1.0\"\ngame = \"other\"",
        repair: "Load it with its own game, or correct `game` in its manifest.";
    NEEDS = "E0305", "needs", "a layer needs something that is not there",
        cause: "`needs` names a layer that is not found, or a major version other than the one found.",
        example: "needs = [\"errata@2\"]",
        repair: "Install the needed layer, or correct the name or version.";
    NEEDS_CYCLE = "E0306", "needs-cycle", "layers need each other in a circle",
        cause: "Following `needs` from a layer leads back to it.",
        example: "a needs b, b needs a",
        repair: "Remove one of the needs.";
    CLASH = "E0307", "clash", "two layers refuse to be loaded together",
        cause: "One of the layers lists the other under `clashes`.",
        example: "clashes = [\"night\"]",
        repair: "Leave one of the two out.";
    DUPLICATE_LAYER = "E0308", "duplicate-layer", "two packages have the same id",
        cause: "Two different packages with the same id were asked for.",
        example: "--layer a/night --layer b/night",
        repair: "Load only one, or give one another id.";
    BAD_SET = "E0309", "bad-set", "a --set cannot be read",
        cause: "--set takes KEY=VALUE with a dotted key; the value is TOML, or else a text.",
        example: "--set card.a.ops",
        repair: "Write --set card.a.ops=3.";
    NOT_THERE = "E0401", "not-there", "a patch changes what is not there",
        cause: "add, scale, extend, insert or remove names a row, field or item that no earlier layer has.",
        example: "add.card.suply-16.ops = 1",
        repair: "Use one of the suggested names; look at `sandtable origin GAME KEY`.";
    WRONG_PATCH = "E0402", "wrong-patch", "a patch does not fit its target",
        cause: "add and scale need a number, extend and insert a list, remove a table or a list.",
        example: "add.card.lantern-16.title = 1",
        repair: "Use the operation that fits, or set the value.";
    NO_MATCH = "E0403", "no-match", "an each-patch matches no row",
        cause: "No row of the kind has the values that `where` asks for.",
        example: "each.unit = [{ where = { platd = true }, add = { mp = 1 } }]",
        repair: "Compare `where` with the rows; keys and values must be equal.";
    CONFLICT = "E0404", "layer-conflict", "two independent layers touch the same thing",
        cause: "Neither layer needs the other, so no order between them is right.",
        example: "layer a: card.x.ops = 3, layer b: card.x.ops = 4",
        repair: "Let one need the other, leave one out, or load a third layer that needs both and sets the value.";
    THROUGH_VALUE = "E0405", "through-value", "a key goes through something that is not a table",
        cause: "The path of a value leads through a number, text or list.",
        example: "card.x = 1, and in a layer card.x.ops = 3",
        repair: "Correct the path; to replace a value by a table, remove it first.";
    MATRIX = "E0406", "matrix-shape", "a row or column does not fit its matrix",
        cause: "A layer names a column that the table does not have, or gives a row of the wrong length.",
        example: "table.crt.rows.3-1 = [1, 2] in a table with three columns",
        repair: "Use the table's own column keys; to add a column, extend.table.NAME.columns.";
}

/// Returns what is known about a code or a name, searching the given tables.
pub fn explain(code: &str, tables: &[&[crate::diagnostic::Code]]) -> Option<crate::diagnostic::Code> {
    let wanted = code.trim();
    tables
        .iter()
        .flat_map(|table| table.iter().copied())
        .find(|info| info.code.eq_ignore_ascii_case(wanted) || info.name == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_names_differ_and_nothing_is_empty() {
        assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
        let mut names: Vec<_> = ALL.iter().map(|info| info.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        for info in ALL {
            assert!(info.code.len() == 5 && info.code.starts_with('E'));
            assert!([info.title, info.cause, info.example, info.repair].iter().all(|text| !text.is_empty()));
            assert!(!info.title.ends_with('.') && info.cause.ends_with('.') && info.repair.ends_with('.'));
        }
    }

    #[test]
    fn a_code_is_found_by_code_or_name() {
        assert_eq!(explain("e0105", &[ALL]), Some(&DUPLICATE_KEY));
        assert_eq!(explain("duplicate-key", &[ALL]), Some(&DUPLICATE_KEY));
        assert_eq!(explain("E9999", &[ALL]), None);
    }
}

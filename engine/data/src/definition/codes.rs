//! The codes of definitions: E05 names and references, E06 map, E07 sequence and scenarios.

crate::diagnostic_codes! {
    UNKNOWN_KIND = "E0501", "unknown-kind", "a table is of no known kind",
        cause: "The first part of a key names the kind of thing: unit, card, hex … A game may add kinds in its manifest.",
        example: "[crad.lantern-16]",
        repair: "Correct the name, or declare it: game.piece-kinds for pieces, game.data-kinds for plain data.";
    UNKNOWN_REFERENCE = "E0502", "unknown-reference", "a name refers to nothing",
        cause: "A value names a side, space, piece, field or node that does not exist, or what its field is declared to name (`of`) is not there.",
        example: "unit.x = { side = \"esat\" }",
        repair: "Use one of the suggested names.";
    DUPLICATE_NAME = "E0503", "duplicate-name", "two things have the same id",
        cause: "Spaces, pieces and sides share one set of ids, so that an answer of a record names one thing.",
        example: "a hex and a unit both called market",
        repair: "Rename one of them.";
    UNKNOWN_TYPE = "E0504", "unknown-type", "a type is not known",
        cause: "A type is bool, int, text, side, piece, space, a list of them (ints, texts, sides, pieces, spaces), { enum = [...] }, or the name of a record; `of` says what texts name, such as unit, effect or table.ID.",
        example: "field.piece.attack = \"integer\"",
        repair: "Use one of the types, or one of the suggested kinds for `of`.";
    BAD_OPTION = "E0505", "bad-option", "an option has a value it may not have",
        cause: "The value is not of the option's type, or not among its `values` or within its `range`.",
        example: "--option players=7",
        repair: "Use one of the values that `sandtable list GAME` shows.";
    TOO_MANY_SIDES = "E0506", "too-many-sides", "a game has too many sides",
        cause: "Who sees the face of a piece is kept for at most eight sides.",
        example: "sides = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"]",
        repair: "Let one side play for several powers: give its pieces and spaces a field that says which.";
    BAD_GRID = "E0601", "bad-grid", "the grid or a hex name cannot be read",
        cause: "map.grid needs shape, shifted and numbering, and every hex id must fit the numbering.",
        example: "map.grid = { shape = \"round\" }",
        repair: "Write e.g. { shape = \"flat\", shifted = \"odd\", numbering = \"{col:2}{row:2}\" }.";
    BAD_BORDER = "E0602", "bad-border", "a border or link does not join two spaces",
        cause: "The two ends are the same, unknown, or hexes that are not adjacent.",
        example: "a,b,feature\n1724,1924,river",
        repair: "Correct the ids; use a link for things that join spaces further apart.";
    BAD_PROFILE = "E0603", "bad-profile", "a profile of movement cannot be read",
        cause: "A profile has terrain, border and network tables of costs; a cost is a whole number or \"never\".",
        example: "profile.foot.terrain.clear = \"one\"",
        repair: "Write costs as whole numbers (of halves, if the game has half points).";
    BAD_SIGHT = "E0604", "bad-sight", "rules of sight cannot be read",
        cause: "`level`, `height` and `haze` name a number of spaces, or are { by = FIELD, WORD = n } or { pieces = FIELD }.",
        example: "sight.ground.height = { woods = 1 }",
        repair: "Say where the words come from: { by = \"terrain\", woods = 1 }.";
    BAD_DISPLAY = "E0605", "bad-display", "a choice of the display cannot be read",
        cause: "A choice says by which field it goes, and what each of its words gives.",
        example: "display.counter.unit.symbol = { foot = \"infantry\" }",
        repair: "Name the field: { by = \"arm\", foot = \"infantry\" }.";
    BAD_LIMIT = "E0606", "bad-limit", "a limit on what may stand together cannot be read",
        cause: "A limit says which pieces count (`of`), how many may stand together (`most`) and when that must hold (`at`).",
        example: "[limit.units]\nof = { kind = \"unit\" }\nmost = 2\nat = []",
        repair: "Name at least one moment, a node of the sequence of play or a procedure, other than the one that mends it (`over`).";
    BAD_SEE = "E0607", "bad-see", "what is hidden can be seen in another way",
        cause: "A place shows all what lies in it, so it cannot hide how many there are.",
        example: "box.camp = { see-count = \"owner\" }",
        repair: "Hide the contents as well: see = \"owner\", see-count = \"owner\".";
    BAD_OUTLOOK = "E0608", "bad-outlook", "a term of what players value cannot be read",
        cause: "A term counts one thing (`number`, `pieces`, `spaces`, `near` or `query`) and says how much it weighs.",
        example: "[outlook.towns]\nspaces = { min_prize = 1 }\npieces = { kind = \"unit\" }\nweight = 10",
        repair: "Make two terms of it, each with a weight of its own.";
    BAD_SEQUENCE = "E0701", "bad-sequence", "the sequence of play cannot be read",
        cause: "A node has `steps`, or `repeat`, or `each` with from and to, or of.",
        example: "sequence.turn = { each = \"turn\" }",
        repair: "Give `from` and `to`, or `of = \"sides\"` or a list.";
    NO_SCENARIO = "E0702", "no-scenario", "there is no such scenario",
        cause: "The name given is not among the game's scenarios.",
        example: "sandtable play skirmish nowhere",
        repair: "`sandtable list GAME` shows the scenarios.";
    BAD_LINE = "E0703", "bad-line", "a set-up line cannot be read",
        cause: "A line of `place`, `set` or `pile` names something unknown or has the wrong number of words.",
        example: "place = [\"guard-2\"]",
        repair: "place: piece and space; set: thing.attribute value; pile: pile and pieces.";
}

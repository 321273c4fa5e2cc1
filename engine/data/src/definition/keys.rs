//! The keys that rows may have, by kind: what loading checks and what the schema for editors says.

/// A row of the component list; declared fields and attributes come on top.
pub const PIECE: &[&str] =
    &["name", "side", "count", "levels", "like", "source", "sources", "rule", "note", "view", "text"];
/// A rung of a ladder; declared fields come on top.
pub const LEVEL: &[&str] = &["note", "source", "name"];
/// The manifest of a game.
pub const GAME: &[&str] = &[
    "id",
    "title",
    "version",
    "needs",
    "sides",
    "piece-kinds",
    "data-kinds",
    "allow",
    "author",
    "licence",
    "about",
    "rule",
    "source",
    "sources",
    "note",
];
/// An option.
pub const OPTION: &[&str] =
    &["title", "rule", "type", "default", "values", "range", "about", "source", "sources", "note"];
/// A prompt or text in its long form.
pub const TEXT: &[&str] = &["text", "rule", "source", "sources", "note"];
/// A side; declared fields come on top.
pub const SIDE: &[&str] = &["name", "team", "colour", "source", "sources", "rule", "note", "view"];
/// A hex, area, box or pile; declared fields and attributes come on top.
pub const SPACE: &[&str] = &[
    "name",
    "side",
    "see",
    "see-count",
    "source",
    "sources",
    "rule",
    "note",
    "like",
    "lat",
    "lon",
    "x",
    "y",
    "view",
];
/// `map.grid`.
pub const GRID: &[&str] = &["shape", "shifted", "numbering", "source", "note", "rule"];
/// A board of a map that is joined of several: `map.board.ID`.
pub const BOARD: &[&str] = &[
    "first", "last", "anchor", "at", "turned", "shifted", "used", "source", "sources", "note", "rule", "name",
];
/// A profile of movement.
pub const PROFILE: &[&str] =
    &["by", "terrain", "border", "network", "otherwise", "leave", "rule", "source", "note", "pay-crossing"];
/// An attribute, or a field of a record, in its long form.
pub const ATTRIBUTE: &[&str] = &[
    "type", "of", "default", "reset", "see", "quiet", "min", "max", "from", "rule", "source", "note",
    "track", "title",
];
/// `attribute.piece.facing`, which every piece has without being declared.
pub const FACING: &[&str] = &["see", "rule", "source", "note"];
/// A field in its long form.
pub const FIELD: &[&str] = &["type", "of", "rule", "source", "note", "title"];
/// The types that can say `of`: what their texts name.
pub const NAMING: &[&str] = &["text", "texts", "piece", "pieces", "space", "spaces"];
/// What `of` can name besides kinds of pieces, kinds of plain data and, as `table.ID`, the rows of a table.
pub const REFERRED: &[&str] = &[
    "piece", "space", "side", "effect", "hex", "area", "box", "pile", "option", "table", "value", "sequence",
    "prompt", "text", "scenario", "record", "profile", "sight",
];
/// A node of the sequence of play.
pub const NODE: &[&str] =
    &["steps", "each", "from", "to", "of", "repeat", "when", "rule", "source", "note", "title"];
/// A scenario.
pub const SCENARIO: &[&str] = &[
    "title", "like", "begin", "make", "record", "place", "set", "pile", "reveal", "conceal", "effect",
    "options", "patch", "source", "sources", "note", "rule", "players", "text", "order",
];
/// The set-up lines of a scenario, in the order in which they are followed.
pub const SETUP: &[&str] = &["make", "record", "place", "set", "pile", "reveal", "conceal", "effect"];
/// The lines of a case that say beforehand what chance brings, besides `roll`.
pub const FORCED: &[&str] = &["shuffle"];
/// Rules of sight.
pub const SIGHT: &[&str] = &[
    "level",
    "height",
    "haze",
    "wall",
    "bare",
    "obstacle",
    "walls",
    "walls-at-ends",
    "walls-along",
    "ties",
    "sunken",
    "haze-limit",
    "range",
    "viewer-level",
    "rule",
    "source",
    "sources",
    "note",
];
/// Who sees into stacks.
pub const STACK: &[&str] = &["seen-from", "barrier", "top", "rule", "source", "sources", "note"];
/// A limit on what may stand together in one space.
pub const LIMIT: &[&str] =
    &["of", "most", "count", "per", "at", "over", "rule", "source", "sources", "note", "title"];
/// Whose pieces count together under a limit.
pub const LIMIT_PER: &[&str] = &["side", "all"];
/// A term of what players value.
pub const OUTLOOK: &[&str] = &[
    "text", "weight", "turns", "towards", "number", "for", "pieces", "spaces", "near", "query", "sum",
    "holder", "rule", "source", "sources", "note",
];
/// The keys of `near` of such a term.
pub const OUTLOOK_NEAR: &[&str] = &["pieces", "to", "holder", "whose", "within", "sum"];
/// Whose spaces a term wants to be near.
pub const OUTLOOK_WHOSE: &[&str] = &["others", "own", "enemies", "any"];
/// The words that filters of pieces know besides fields and attributes.
pub const FILTER_WORDS: &[&str] = &["kind", "type", "at", "not_at", "on_map", "has", "not_has", "steps_left"];
/// What may stand before a field or attribute in a filter.
pub const FILTER_MODES: &[&str] = &["not_", "min_", "max_"];
/// The keys of `bare`, `obstacle` and `walls` of rules of sight: how a top compares with the two ends of a line.
pub const SIGHT_HEIGHTS: &[&str] = &["above", "at-high", "between", "at-low", "below"];
/// What something at such a height does.
pub const SIGHT_EFFECTS: &[&str] = &["clear", "blocks", "near-low", "near-high", "near-ends"];
/// How low ground is seen: `sunken = { level = -1, seen = … }`.
pub const SIGHT_SUNKEN: &[&str] = &["adjacent", "past-rim"];
/// What a line along a hexside is blocked by.
pub const SIGHT_TIES: &[&str] = &["both", "either"];
/// Who sees a value, or what lies in a place.
pub const SEE: &[&str] = &["all", "owner", "nobody"];
/// The same for an attribute that names a piece.
pub const SEE_PIECE: &[&str] = &["all", "owner", "nobody", "face"];
/// The types of attributes and fields, besides `{ enum = […] }` and the names of records.
pub const TYPES: &[&str] =
    &["bool", "int", "text", "side", "piece", "space", "pieces", "spaces", "texts", "sides", "ints"];
/// Kinds of spaces.
pub const SPACE_KINDS: &[&str] = &["hex", "area", "box", "pile"];
/// Kinds that hold pieces in every game.
pub const PIECE_KINDS: &[&str] = &["unit", "card", "marker", "chit"];
/// Kinds that are read besides those of pieces and those that a manifest adds.
pub const KINDS: &[&str] = &[
    "game",
    "side",
    "option",
    "attribute",
    "field",
    "record",
    "map",
    "hex",
    "area",
    "box",
    "pile",
    "border",
    "link",
    "profile",
    "table",
    "value",
    "sequence",
    "prompt",
    "text",
    "scenario",
    "position",
    "view",
    "layer",
    "sight",
    "stack",
    "limit",
    "outlook",
    "display",
];
/// The tables of `display` and the keys of their rows; `map` has no rows but keys of its own.
pub const DISPLAY: &[(&str, &[&str])] = &[
    (
        "map",
        &[
            "background",
            "paper",
            "grid",
            "ink",
            "terrain",
            "label",
            "numbers",
            "tint",
            "flip",
            "note",
            "source",
        ],
    ),
    ("backdrop", &["outline", "fill", "note", "source"]),
    ("side", &["colour", "ink", "pattern", "tint", "note", "source"]),
    ("terrain", &["fill", "ink", "pattern", "name", "note", "source"]),
    ("border", &["style", "colour", "width", "dash", "name", "note", "source"]),
    ("link", &["style", "colour", "width", "dash", "name", "note", "source"]),
    ("spot", &["when", "mark", "colour", "size", "text", "name", "offset", "note", "source"]),
    (
        "counter",
        &[
            "when", "symbol", "echelon", "title", "corner", "factors", "colour", "ink", "band", "shape",
            "note", "source",
        ],
    ),
    ("symbol", &["fill", "white", "line", "width", "dash", "text", "frame", "at", "note", "source"]),
    ("badge", &["when", "text", "name", "tone", "note", "source"]),
    ("card", &["when", "corner", "title", "text", "foot", "colour", "note", "source"]),
    ("track", &["value", "title", "from", "to", "labels", "side", "note", "source"]),
    ("place", &["tray", "form", "title", "near", "offset", "size", "note", "source"]),
    ("prompt", &["facing", "note", "source"]),
    ("area", &["outline", "label", "label-size", "lines", "slots", "slot-size", "water", "note", "source"]),
];
/// What fills a space, and what tells sides apart besides their colour.
pub const DISPLAY_PATTERNS: &[&str] = &[
    "plain",
    "woods",
    "thicket",
    "hills",
    "rough",
    "mountains",
    "marsh",
    "crops",
    "rows",
    "sand",
    "village",
    "town",
    "city",
    "water",
    "stripe",
    "dots",
    "cross",
    "bars",
];
/// How a border or link is drawn.
pub const DISPLAY_STYLES: &[&str] =
    &["none", "line", "water", "bank", "wall", "bridge", "arrow", "road", "rail", "dots"];
/// What marks a space, besides the drawings in `display.symbol`.
pub const DISPLAY_MARKS: &[&str] =
    &["none", "dot", "square", "star", "flag", "ring", "arrow", "text", "edge", "cross"];
/// Shapes of counters.
pub const DISPLAY_SHAPES: &[&str] = &["square", "round", "wide", "bare"];
/// Tones of badges.
pub const DISPLAY_TONES: &[&str] = &["quiet", "good", "bad", "busy"];
/// How the contents of a box or pile are laid out.
pub const DISPLAY_FORMS: &[&str] = &["hand", "deck", "row", "count", "track", "hidden"];

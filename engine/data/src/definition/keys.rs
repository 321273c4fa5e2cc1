//! The keys that rows may have, by kind: what loading checks and what the schema for editors says.

/// A row of the component list; declared fields and attributes come on top.
pub const PIECE: &[&str] =
    &["name", "side", "count", "levels", "like", "source", "sources", "rule", "note", "view", "text"];
/// A rung of a ladder; declared fields come on top.
pub const LEVEL: &[&str] = &["note", "source", "name"];
/// A side; declared fields come on top.
pub const SIDE: &[&str] = &["name", "team", "colour", "source", "sources", "rule", "note", "view"];
/// A hex, area, box or pile; declared fields and attributes come on top.
pub const SPACE: &[&str] =
    &["name", "side", "see", "source", "sources", "rule", "note", "like", "lat", "lon", "x", "y", "view"];
/// `map.grid`.
pub const GRID: &[&str] = &["shape", "shifted", "numbering", "source", "note", "rule"];
/// A profile of movement.
pub const PROFILE: &[&str] =
    &["by", "terrain", "border", "network", "otherwise", "leave", "rule", "source", "note", "pay-crossing"];
/// An attribute, or a field of a record, in its long form.
pub const ATTRIBUTE: &[&str] =
    &["type", "default", "reset", "see", "min", "max", "from", "rule", "source", "note", "track", "title"];
/// A node of the sequence of play.
pub const NODE: &[&str] =
    &["steps", "each", "from", "to", "of", "repeat", "when", "rule", "source", "note", "title"];
/// A scenario.
pub const SCENARIO: &[&str] = &[
    "title", "like", "place", "set", "pile", "options", "patch", "source", "sources", "note", "rule",
    "players", "text", "order",
];
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
];

//! The JSON schema of a game's TOML files, made of the key lists that loading checks, and settings that point editors to it.

use crate::stubs::Subject;
use sandtable_data::definition::keys;
use sandtable_kernel::state::{TableId, Type};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::World;
use serde_json::{Map, Value, json};

/// Any of some words.
fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Value {
    let words: Vec<&str> = words.into_iter().collect();
    json!({ "enum": words })
}

/// A side of the game, or of any.
fn side(world: &World) -> Value {
    match world.sides.as_slice() {
        [] => json!({ "type": "string" }),
        sides => words(sides.iter().map(|side| world.symbols.text(side.0))),
    }
}

/// What a key that means the same everywhere may hold.
fn common(world: &World, key: &str) -> Option<Value> {
    Some(match key {
        "source" => {
            json!({ "type": "string", "description": "text, public, inferred, stand-in or own, with a citation after a colon" })
        }
        "rule" => {
            json!({ "type": ["string", "array"], "items": { "type": "string" }, "description": "paragraph, or list of them" })
        }
        "note" | "name" | "title" | "like" | "text" | "colour" | "team" | "when" | "numbering" => {
            json!({ "type": "string" })
        }
        "side" => side(world),
        "see" => words(keys::SEE_PIECE.iter().copied()),
        "count" | "order" | "min" | "max" | "haze-limit" | "range" | "viewer-level" => {
            json!({ "type": "integer" })
        }
        "repeat" | "walls-at-ends" | "walls-along" | "pay-crossing" => json!({ "type": "boolean" }),
        "levels" => json!({ "type": "array", "items": { "type": "object" } }),
        "steps" | "make" | "record" | "place" | "set" | "pile" | "reveal" | "conceal" | "effect" => {
            json!({ "type": "array", "items": { "type": "string" } })
        }
        "ties" => words(keys::SIGHT_TIES.iter().copied()),
        "shape" => words(["flat", "pointy"]),
        "shifted" => words(["odd", "even"]),
        _ => return None,
    })
}

/// What a declared field or attribute may hold.
fn held(world: &World, ty: &Type) -> Value {
    match ty {
        Type::Bool => json!({ "enum": [true, false, 0, 1] }),
        Type::Int { min, max } => {
            let mut schema = json!({ "type": "integer" });
            if *min > i32::MIN {
                schema["minimum"] = json!(min);
            }
            if *max < i32::MAX {
                schema["maximum"] = json!(max);
            }
            schema
        }
        Type::Enum(values) => words(values.iter().map(|&value| world.symbols.text(value))),
        Type::Side => side(world),
        Type::List(of) => {
            json!({ "anyOf": [held(world, of), { "type": "array", "items": held(world, of) }] })
        }
        Type::Text | Type::Piece | Type::Space | Type::Record(_) => json!({ "type": ["string", "integer"] }),
    }
}

/// A row with these keys and no others, besides declared columns.
fn row(world: &World, known: &[&str], declared: &[(Sym, Type)]) -> Value {
    let mut properties = Map::new();
    // Whatever the kind, a row may be like another.
    for key in known.iter().chain(&["like"]) {
        properties.insert((*key).to_string(), common(world, key).unwrap_or_else(|| json!({})));
    }
    for (name, ty) in declared {
        let name = world.symbols.text(*name);
        if !name.is_empty() && !properties.contains_key(name) {
            properties.insert(name.to_string(), held(world, ty));
        }
    }
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// Rows by their id. `source` is that of them all, unless it is itself the name of a row, as of a field.
fn rows(of: Value) -> Value {
    let source = json!({ "anyOf": [{ "type": "string" }, of] });
    json!({ "type": "object", "properties": { "source": source }, "additionalProperties": of })
}

/// The columns of a table of the state that a game declares.
fn attributes(world: &World, table: TableId) -> Vec<(Sym, Type)> {
    let schema = world.schema.tables.get(table.0 as usize);
    let columns = schema.into_iter().flat_map(|schema| &schema.columns);
    columns.filter(|column| !column.name.is_none()).map(|column| (column.name, column.ty.clone())).collect()
}

/// An attribute or a field: the name of a type, an enum, or the long form. Without a game nobody knows which records there are.
fn declaration(world: &World, open: bool) -> Value {
    let records = world.schema.tables.iter().skip(TableId::FIRST_RECORD.0 as usize);
    let records: Vec<&str> = records.map(|schema| world.symbols.text(schema.name)).collect();
    let name =
        if open { json!({ "type": "string" }) } else { words(keys::TYPES.iter().copied().chain(records)) };
    let ty = json!({ "anyOf": [
        name,
        { "type": "object", "required": ["enum"], "properties": { "enum": { "type": "array", "items": { "type": "string" } } } },
    ] });
    let mut long = row(world, keys::ATTRIBUTE, &[]);
    long["properties"]["type"] = ty.clone();
    long["required"] = json!(["type"]);
    json!({ "anyOf": [ty, long] })
}

/// A limit on what may stand together: a filter of pieces, a bound, moments.
fn limit(world: &World, pieces: &[(Sym, Type)], open: bool) -> Value {
    let names = pieces
        .iter()
        .map(|(name, _)| world.symbols.text(*name))
        .chain(["side", "level", "facing", "kind", "type"]);
    let modes =
        |name: &str| keys::FILTER_MODES.iter().map(|mode| format!("{mode}{name}")).collect::<Vec<_>>();
    let fields = names.flat_map(|name| modes(name).into_iter().chain([name.to_string()]));
    let known = fields.chain(keys::FILTER_WORDS.iter().map(ToString::to_string));
    let filter: Map<String, Value> = known.map(|key| (key, json!({}))).collect();
    let text = || json!({ "type": "string" });
    let figure = || json!({ "type": ["integer", "string"], "description": "a number, or the id of a value" });
    let table = |properties: Value, required: Value| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    let mut limit = row(world, keys::LIMIT, &[]);
    let own = [
        ("of", json!({ "type": "object", "properties": filter, "additionalProperties": open })),
        (
            "most",
            json!({ "anyOf": [
                figure(),
                table(json!({ "field": text() }), json!(["field"])),
                table(json!({ "query": text(), "least": figure() }), json!(["query", "least"])),
            ] }),
        ),
        ("count", text()),
        ("per", words(keys::LIMIT_PER.iter().copied())),
        ("at", json!({ "type": "array", "items": text(), "minItems": 1 })),
        ("over", json!({ "anyOf": [text(), { "type": "object", "additionalProperties": text() }] })),
    ];
    for (key, schema) in own {
        limit["properties"][key] = schema;
    }
    limit
}

/// The schema of the TOML files of a game, which may stand in any file.
pub fn schema(subject: &Subject<'_>) -> Value {
    let world = subject.world;
    let mut pieces = world.piece_fields.columns.clone();
    pieces.extend(attributes(world, TableId::PIECE));
    let mut spaces = world.space_fields.columns.clone();
    spaces.extend(attributes(world, TableId::SPACE));
    let mut sides = world.side_fields.columns.clone();
    sides.extend(attributes(world, TableId::SIDE));
    let manifest = |key: &str| -> Vec<String> {
        let list = subject.game.and_then(|(catalog, _)| catalog.get(&format!("game.{key}")));
        let list = list.and_then(sandtable_data::tree::Node::as_array);
        list.into_iter().flatten().filter_map(|node| node.as_str().map(str::to_string)).collect()
    };
    // Without a game nobody knows which fields and kinds it declares.
    let open = subject.game.is_none();
    let row = |world: &World, known: &[&str], declared: &[(Sym, Type)]| {
        let mut row = row(world, known, declared);
        row["additionalProperties"] = json!(open);
        row
    };
    let mut kinds = Map::new();
    for kind in
        keys::KINDS.iter().copied().chain(["add", "remove", "each", "insert", "extend", "source", "sources"])
    {
        kinds.insert(kind.to_string(), json!({}));
    }
    for kind in manifest("data-kinds") {
        kinds.insert(kind, json!({}));
    }
    let piece = row(world, keys::PIECE, &pieces);
    for kind in keys::PIECE_KINDS.iter().map(ToString::to_string).chain(manifest("piece-kinds")) {
        kinds.insert(kind, rows(piece.clone()));
    }
    for kind in keys::SPACE_KINDS {
        kinds.insert((*kind).to_string(), rows(row(world, keys::SPACE, &spaces)));
    }
    let declarations = rows(declaration(world, open));
    for (kind, of) in
        [("attribute", &["game", "side", "space", "piece"][..]), ("field", &["side", "space", "piece"])]
    {
        let mut tables: Map<String, Value> =
            of.iter().map(|of| ((*of).to_string(), declarations.clone())).collect();
        if kind == "field" {
            let mut naming = row(world, keys::FIELD, &[]);
            naming["required"] = json!(["of"]);
            for of in manifest("data-kinds").into_iter().chain(["value".to_string()]) {
                tables.insert(of, rows(naming.clone()));
            }
        }
        kinds.insert(
            kind.into(),
            json!({ "type": "object", "properties": tables, "additionalProperties": false }),
        );
    }
    kinds.insert("record".into(), rows(declarations));
    kinds.insert("side".into(), rows(row(world, keys::SIDE, &sides)));
    kinds.insert("profile".into(), rows(row(world, keys::PROFILE, &[])));
    kinds.insert("sequence".into(), rows(row(world, keys::NODE, &[])));
    kinds.insert("scenario".into(), rows(row(world, keys::SCENARIO, &[])));
    let mut sight = row(world, keys::SIGHT, &[]);
    for key in ["bare", "obstacle", "walls"] {
        let effects = keys::SIGHT_HEIGHTS
            .iter()
            .map(|height| ((*height).to_string(), words(keys::SIGHT_EFFECTS.iter().copied())));
        let effects: Map<String, Value> = effects.collect();
        sight["properties"][key] =
            json!({ "type": "object", "properties": effects, "additionalProperties": false });
    }
    sight["properties"]["sunken"] = json!({ "type": "object", "required": ["level"], "additionalProperties": false,
        "properties": { "level": { "type": "integer" }, "seen": words(keys::SIGHT_SUNKEN.iter().copied()) } });
    kinds.insert("sight".into(), rows(sight));
    kinds.insert("limit".into(), rows(limit(world, &pieces, open)));
    let texts = json!({ "anyOf": [{ "type": "string" }, { "type": "object", "required": ["text"],
        "properties": { "text": { "type": "string" }, "rule": common(world, "rule"), "source": common(world, "source") } }] });
    kinds.insert("prompt".into(), rows(texts.clone()));
    kinds.insert("text".into(), rows(texts));
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": format!("Tables of {}", subject.title),
        "type": "object",
        "properties": kinds,
        "additionalProperties": open,
    })
}

/// Settings of lua-language-server: Lua 5.4 without what the sandbox takes away.
pub fn lua_settings(folder: &str) -> Value {
    let gone = ["io", "os", "debug", "coroutine", "package", "utf8", "ffi", "jit", "bit", "bit32"];
    let gone: Map<String, Value> = gone.iter().map(|name| ((*name).to_string(), json!("disable"))).collect();
    json!({
        "runtime": { "version": "Lua 5.4", "builtin": gone },
        "workspace": { "library": [folder], "checkThirdParty": false },
        "diagnostics": { "disable": ["lowercase-global"] },
    })
}

/// Settings of EmmyLua. What a field of a handle holds may change from line to line, so what the analyser concludes from an
/// earlier line is not said.
pub fn emmylua_settings(folder: &str) -> Value {
    json!({
        "runtime": { "version": "Lua5.4" },
        "workspace": { "library": [folder] },
        "diagnostics": { "disable": ["need-check-nil", "unnecessary-if"] },
    })
}

/// Settings of taplo, and of editors that use it.
pub fn toml_settings(folder: &str) -> String {
    let here = if folder.starts_with(['/', '.']) { "" } else { "./" };
    format!("[[rule]]\ninclude = [\"**/*.toml\"]\n\n[rule.schema]\npath = \"{here}{folder}/schema.json\"\n")
}

/// Settings of Visual Studio Code, to be copied into `.vscode/settings.json`; `folder` is where the stubs are.
pub fn editor_settings(folder: &str) -> Value {
    let here = if folder.starts_with('/') { "" } else { "./" };
    let schema = format!("{here}{folder}/schema.json");
    json!({
        "Lua.runtime.version": "Lua 5.4",
        "Lua.workspace.library": [folder],
        "evenBetterToml.schema.associations": { ".*\\.toml": schema },
    })
}

//! `sandtable stubs`: what editors need to know of a game: annotated Lua stubs, a JSON schema for its tables, settings.

use crate::args::StubsArgs;
use crate::load;
use crate::stubs_schema;
use sandtable_data::catalog::Catalog;
use sandtable_data::definition::Sequence;
use sandtable_data::file::{LARGEST_FILE, read_text};
use sandtable_kernel::map::BoardBuilder;
use sandtable_kernel::state::{TableId, TableSchema, Type, game_col, piece_col, space_col};
use sandtable_kernel::world::{Fields, World};
use sandtable_script::{CLASSES, Class, Decl, Host, Kind, Param, declarations, manual};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What stubs are written for: a game, or no game in particular.
pub struct Subject<'a> {
    /// Its title.
    pub title: &'a str,
    pub world: &'a World,
    pub host: &'a Host,
    /// Its tables and its sequence of play; none without a game.
    pub game: Option<(&'a Catalog, &'a Sequence)>,
}

/// Runs the command.
pub fn run(args: &StubsArgs) -> Result<bool, String> {
    if args.manual {
        print!("{}", manual());
        return Ok(true);
    }
    let folder = |name: &str| args.out.clone().unwrap_or_else(|| PathBuf::from(".sandtable").join(name));
    let Some(game) = &args.game else {
        let board = BoardBuilder::new().build().map_err(|_| "the engine cannot start")?;
        let world = Arc::new(World::on(board));
        let host = Host::new(world.clone(), &[]).map_err(|_| "the engine cannot start")?;
        return files(&folder("any"), &Subject { title: "any game", world: &world, host: &host, game: None });
    };
    let loaded = load::load_as(game, None, &args.with)?;
    let host = load::game(&loaded)?;
    let definition = &loaded.definition;
    let subject = Subject {
        title: &definition.title,
        world: &definition.world,
        host: &host.host,
        game: Some((&loaded.catalog, &definition.sequence)),
    };
    files(&folder(game), &subject)?;
    at_root(&folder(game), args.here)
}

/// Editors read their settings at the root of the folder that they open: writes them there, or says how to have them.
fn at_root(folder: &Path, wanted: bool) -> Result<bool, String> {
    let stubs = folder.to_string_lossy().replace('\\', "/");
    let files = [
        (".luarc.json", pretty(&stubs_schema::lua_settings(&stubs))),
        (".emmyrc.json", pretty(&stubs_schema::emmylua_settings(&stubs))),
        (".taplo.toml", stubs_schema::toml_settings(&stubs)),
    ];
    if !wanted {
        outln!(
            "editors read {} at the root of the folder that they open: --here writes them into this one",
            files.map(|(name, _)| name).join(", ")
        );
        return Ok(true);
    }
    for (name, text) in files {
        let path = Path::new(name);
        match read_text(path, LARGEST_FILE) {
            Ok(old) if old != text => outln!("{name} is there already and is left as it is"),
            Ok(_) => {}
            Err(_) => {
                write(path, &text)?;
                outln!("{name} points to {stubs}");
            }
        }
    }
    Ok(true)
}

/// Writes all files.
fn files(folder: &Path, subject: &Subject<'_>) -> Result<bool, String> {
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let here = folder.to_string_lossy().replace('\\', "/");
    let files = [
        ("api.lua", api()),
        ("game.lua", names(subject)),
        ("schema.json", pretty(&stubs_schema::schema(subject))),
        (".emmyrc.json", pretty(&stubs_schema::emmylua_settings("."))),
        (".luarc.json", pretty(&stubs_schema::lua_settings("."))),
        (".taplo.toml", stubs_schema::toml_settings(".")),
        ("settings.json", pretty(&stubs_schema::editor_settings(&here))),
    ];
    // Without a game there is no folder whose editor could be told.
    let wanted = if subject.game.is_some() { files.len() } else { 3 };
    for (name, text) in files.iter().take(wanted) {
        write(&folder.join(name), text)?;
    }
    if subject.game.is_none() {
        outln!("{here}: api.lua, game.lua and schema.json");
        return Ok(true);
    }
    outln!("{here}: api.lua, game.lua and schema.json, with settings for editors that read them");
    Ok(true)
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// The type of a parameter or of what a function gives, as annotations write it.
fn annotation(ty: &str) -> String {
    // Editors do not follow what a handle holds from one line to the next, so nil is in the description only.
    let plain = match ty.trim_end_matches('?') {
        "text" => "string",
        "int" => "whole",
        "bool" => "boolean",
        "side" => "side_id",
        "place" => "space|piece|space_id|piece_id|string",
        "hex" => "space|piece|space_id|string",
        "lists" => "list[]",
        "tables" => "table[]",
        other => other,
    };
    plain.to_string()
}

/// The same for a parameter, which takes ids, tables and single things for handles and lists.
fn accepted(function: &str, param: &Param) -> String {
    let named = match (function, param.name) {
        ("piece", "id") => Some("piece_id"),
        ("space", "id") => Some("space_id|string"),
        ("row", "id") => Some("row_id|string"),
        ("create", "type") => Some("row_id"),
        ("rows", "kind") => Some("piece_kind"),
        ("value", "id") => Some("value_id"),
        ("option", "id") => Some("option_id"),
        ("lookup" | "column" | "columns", "table") => Some("table_id"),
        ("start_record", "type") => Some("record_id"),
        ("emit" | "on", "event") => Some("event_id|string"),
        ("call" | "before" | "after" | "instead", "name" | "procedure") => Some("procedure_id|string"),
        (_, "network") => Some("network_id"),
        (_, "prompt") => Some("prompt_id|string"),
        _ => None,
    };
    if let Some(named) = named {
        return named.to_string();
    }
    match param.ty {
        "space" => "space|space_id|string".into(),
        "piece" => "piece|piece_id".into(),
        "spaces" => "spaces|space[]|space".into(),
        "list" | "texts" => "list|any[]".into(),
        ty => annotation(ty),
    }
}

/// A name that Lua allows for a parameter.
fn parameter(name: &str) -> String {
    if ["end", "for", "in", "then", "repeat", "until"].contains(&name) {
        format!("{name}_")
    } else {
        name.to_string()
    }
}

fn function(text: &mut String, decl: &Decl) {
    let _ = writeln!(text, "---{}", decl.doc);
    for param in &decl.params {
        let optional = if param.optional { "?" } else { "" };
        let _ =
            writeln!(text, "---@param {}{optional} {}", parameter(param.name), accepted(decl.name, param));
    }
    if !decl.returns.is_empty() {
        let _ = writeln!(text, "---@return {}", annotation(decl.returns));
    }
    let params: Vec<String> = decl.params.iter().map(|param| parameter(param.name)).collect();
    let _ = write!(text, "function {}({}) end\n\n", decl.name, params.join(", "));
}

fn class(text: &mut String, class: &Class) {
    let _ = writeln!(text, "---{}\n---@class {}", class.doc, class.name);
    for (name, ty, doc) in class.fields {
        let _ = writeln!(text, "---@field {name} {} {doc}", annotation(ty));
    }
    match class.name {
        // An effect has its arguments as fields.
        "effect" => text.push_str("---@field [string] any\n"),
        "list" => text.push_str("---@field [integer] any\n"),
        _ => {}
    }
    let _ = writeln!(text, "local {} = {{}}\n", class.name);
    for (name, signature, doc) in class.methods {
        let (params, gives) = signature.split_once(" -> ").unwrap_or((signature, ""));
        let params: Vec<(&str, &str)> =
            params.trim_matches(['(', ')']).split(", ").filter_map(|param| param.split_once(": ")).collect();
        let _ = writeln!(text, "---{doc}");
        for (param, ty) in &params {
            let (ty, optional) = ty.strip_suffix('?').map_or((*ty, ""), |ty| (ty, "?"));
            let _ = writeln!(text, "---@param {param}{optional} {}", annotation(ty));
        }
        if !gives.is_empty() {
            let same = class.name == "list" && SAME.contains(name);
            let gives = if same { "self".to_string() } else { annotation(gives) };
            let _ = writeln!(text, "---@return {gives}");
        }
        let names: Vec<&str> = params.iter().map(|(param, _)| *param).collect();
        let _ = writeln!(text, "function {}:{name}({}) end\n", class.name, names.join(", "));
    }
}

/// Methods of lists that give a list of the same things.
const SAME: &[&str] = &["filter", "take", "plus", "minus", "both", "unique", "distinct"];

/// Lists by what they hold, so that an editor knows what `ipairs` gives.
const LISTS: &[(&str, &str)] =
    &[("pieces", "piece"), ("spaces", "space"), ("texts", "string"), ("ints", "whole")];

/// The stubs that all games share.
pub fn api() -> String {
    let mut text = String::from(
        "---@meta\n-- The API of Sandtable, written by `sandtable stubs`.\n\n---A whole number.\n---@alias whole number\n\n",
    );
    for own in CLASSES {
        class(&mut text, own);
    }
    for (name, item) in LISTS {
        let _ = write!(text, "---@class {name}: list\n---@field [integer] {item}\n\n");
    }
    text.push_str("---A record in play.\n---@class record\n---@field kind string Its type.\n\n");
    text.push_str("---The printed values of a row of the component list.\n---@class row: piece\n\n");
    text.push_str(
        "---Stands for nil in a filter.\n---@type any\nnone = nil\n\n---@type game\ngame = nil\n\n",
    );
    text.push_str("---The sides by their id, and their ids by seat.\n---@type sides\nsides = nil\n\n");
    // Editors know Lua's own library already.
    let own = |decl: &&Decl| decl.section != "Lua" || ["error", "require"].contains(&decl.name);
    declarations().iter().filter(own).for_each(|decl| function(&mut text, decl));
    text
}

/// An alias for ids: one of these texts.
fn alias<'n>(text: &mut String, name: &str, ids: impl IntoIterator<Item = &'n str>) {
    let ids: BTreeSet<&str> = ids.into_iter().collect();
    let _ = writeln!(text, "---@alias {name}");
    if ids.is_empty() {
        let _ = writeln!(text, "---| string");
    }
    for id in ids {
        let _ = writeln!(text, "---| \"{id}\"");
    }
    text.push('\n');
}

/// A type of the game's tables, as annotations write it.
fn held(world: &World, ty: &Type) -> String {
    match ty {
        Type::Bool => "boolean".into(),
        Type::Int { .. } => "whole".into(),
        Type::Text => "string".into(),
        Type::Enum(values) => {
            let values: Vec<String> =
                values.iter().map(|&value| format!("\"{}\"", world.symbols.text(value))).collect();
            values.join("|")
        }
        Type::Side => "side_id".into(),
        Type::Piece => "piece".into(),
        Type::Space => "space".into(),
        Type::Record(table) => {
            let name =
                world.schema.tables.get(table.0 as usize).map_or("", |table| world.symbols.text(table.name));
            record_class(name)
        }
        Type::List(of) => match **of {
            Type::Piece => "pieces".into(),
            Type::Space => "spaces".into(),
            Type::Int { .. } => "ints".into(),
            _ => "texts".into(),
        },
    }
}

fn record_class(name: &str) -> String {
    format!("record_{}", name.replace('-', "_"))
}

/// Fields of a class out of declared attributes and printed fields. Names that Lua cannot write after a dot are left out.
fn members(
    text: &mut String,
    world: &World,
    attributes: Option<(&TableSchema, u16)>,
    fields: Option<&Fields>,
) {
    let mut line = |name: &str, ty: &Type, doc: &str| {
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let _ = writeln!(text, "---@field {name} {} {doc}", held(world, ty));
        }
    };
    if let Some((schema, skip)) = attributes {
        for column in schema.columns.iter().skip(skip as usize) {
            line(world.symbols.text(column.name), &column.ty, "attribute, kept in the state");
        }
    }
    for (name, ty) in fields.into_iter().flat_map(|fields| &fields.columns) {
        line(world.symbols.text(*name), ty, "printed on the component");
    }
}

/// The stubs of one game: its ids, attributes, fields and records.
pub fn names(subject: &Subject<'_>) -> String {
    let Subject { title, world, host, game } = subject;
    let symbol = |sym| world.symbols.text(sym);
    let mut text = format!("---@meta\n-- The names of {title}, written by `sandtable stubs`.\n\n");
    alias(&mut text, "side_id", world.sides.iter().map(|side| symbol(side.0)));
    alias(&mut text, "space_id", world.spaces.iter().map(|space| symbol(space.id)));
    alias(&mut text, "row_id", world.components.iter().map(|component| symbol(component.id)));
    alias(&mut text, "piece_kind", world.components.iter().map(|component| symbol(component.kind)));
    // Pieces of which there are several carry a number, so any text may name one.
    let single = world.components.iter().filter(|component| component.count == 1);
    alias(&mut text, "piece_id", single.map(|component| symbol(component.id)).chain(["…"]));
    text = text.replace("---| \"…\"", "---| string");
    let mut values: Vec<&str> = world.values.keys().map(|&sym| symbol(sym)).collect();
    values.sort_unstable();
    alias(&mut text, "value_id", values);
    alias(&mut text, "option_id", world.options.iter().map(|option| symbol(option.id)));
    let mut tables: Vec<&str> = world.matrices.keys().map(|&sym| symbol(sym)).collect();
    tables.sort_unstable();
    alias(&mut text, "table_id", tables);
    let board = &world.board;
    alias(&mut text, "network_id", board.networks().filter_map(|network| board.network_name(network)));
    alias(
        &mut text,
        "prompt_id",
        game.iter().flat_map(|(catalog, _)| catalog.rows("prompt")).map(|(id, _)| id),
    );
    let registry = host.cx().registry.borrow();
    let of = |kind: Kind| registry.handlers.iter().filter(move |handler| handler.kind == kind);
    alias(&mut text, "procedure_id", of(Kind::Procedure).map(|handler| handler.id.as_str()));
    let mut events: Vec<String> = game
        .iter()
        .flat_map(|(_, sequence)| &sequence.nodes)
        .flat_map(|node| [format!("{}.start", node.name), format!("{}.end", node.name)])
        .collect();
    events.extend(of(Kind::On).map(|handler| host.cx().text(handler.target)));
    alias(&mut text, "event_id", events.iter().map(String::as_str));
    let table = |id: TableId, skip: u16| world.schema.tables.get(id.0 as usize).map(|schema| (schema, skip));
    text.push_str("---@class piece\n");
    members(&mut text, world, table(TableId::PIECE, piece_col::COUNT), Some(&world.piece_fields));
    text.push_str("\n---@class space\n");
    members(&mut text, world, table(TableId::SPACE, space_col::COUNT), Some(&world.space_fields));
    text.push_str("\n---@class side\n---@field id side_id\n---@field name string\n---@field team string\n");
    members(&mut text, world, table(TableId::SIDE, 0), Some(&world.side_fields));
    text.push_str("\n---@class game\n");
    members(&mut text, world, table(TableId::GAME, game_col::COUNT), None);
    text.push_str("\n---@class sides\n---@field [integer] side_id\n");
    for side in &world.sides {
        let name = symbol(side.0);
        let key = if name.contains('-') { format!("[\"{name}\"]") } else { name.to_string() };
        let _ = writeln!(text, "---@field {key} side");
    }
    text.push('\n');
    let records = world.schema.tables.iter().skip(TableId::FIRST_RECORD.0 as usize);
    let names: Vec<&str> = records.clone().map(|schema| symbol(schema.name)).collect();
    alias(&mut text, "record_id", names.iter().copied());
    for schema in records {
        let _ = writeln!(text, "---@class {}: record", record_class(symbol(schema.name)));
        members(&mut text, world, Some((schema, 1)), None);
        text.push('\n');
    }
    if !names.is_empty() {
        for name in &names {
            let _ =
                writeln!(text, "---@overload fun(type: \"{name}\", fields?: table): {}", record_class(name));
        }
        text.push_str("---@param type record_id\n---@param fields? table\n---@return any\nfunction start_record(type, fields) end\n");
    }
    text
}

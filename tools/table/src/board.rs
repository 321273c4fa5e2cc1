//! The board as JSON: what is printed and never changes in play, with the game's own hints on how to show it.

use crate::library::Loaded;
use crate::thing::{Object, datum, fields};
use sandtable_data::catalog::Catalog;
use sandtable_data::tree::Node;
use sandtable_kernel::map::{BorderId, Cube, NetworkId, Orientation, SpaceId};
use sandtable_kernel::state::{See, TableId, Type, piece_col, space_col};
use sandtable_kernel::symbol::stable_hash;
use sandtable_kernel::world::{Component, Datum, World};
use sandtable_session::Game;
use serde_json::{Value, json};

/// Half the width of a hex from corner to corner.
const RADIUS: i32 = 1000;
/// The same from side to side, times √3/2.
const APOTHEM: i32 = 866;

/// The board of a game.
pub fn board(loaded: &Loaded, game: &Game) -> Value {
    let (catalog, definition) = (&loaded.catalog, &loaded.definition);
    let world = &*definition.world;
    let row = |kind: &str, id: &str| catalog.row(kind, id);
    let sides = (0u32..).zip(&world.sides).map(|(seat, (id, name, team))| {
        let id = world.symbols.text(*id);
        let mut side = json!({
            "id": id, "name": name, "team": world.symbols.text(*team),
            "fields": if world.side_fields.columns.is_empty() { Object::new() } else { fields(world, &world.side_fields, seat) },
        });
        copy(&mut side, row("side", id), &["colour", "view"]);
        side
    });
    let sides: Vec<Value> = sides.collect();
    let scenario = &definition.scenario;
    let mut about = json!({ "id": scenario.id, "title": scenario.title });
    copy(&mut about, row("scenario", &scenario.id), &["text"]);
    let networks: Object = world.board.networks().filter_map(|network| links(world, network)).collect();
    let columns =
        |table: TableId, skip: u16, kind: &str| -> Vec<Value> { columns(world, catalog, table, skip, kind) };
    let options = world.options.iter().map(|option| {
        json!({ "id": world.symbols.text(option.id), "title": option.title, "value": plain(&option.value) })
    });
    let mut texts: Vec<(String, &String)> = Vec::new();
    for kind in ["text", "prompt"] {
        for (id, _) in catalog.rows(kind) {
            let text = world.symbols.get(id).and_then(|sym| world.texts.get(&sym));
            texts.extend(text.map(|text| (id.to_string(), text)));
        }
    }
    let texts: Object = texts.into_iter().map(|(id, text)| (id, json!(text))).collect();
    let names = |columns: &[(sandtable_kernel::symbol::Sym, Type)]| -> Vec<Value> {
        columns.iter().map(|(name, _)| json!(world.symbols.text(*name))).collect()
    };
    json!({
        "game": definition.id,
        "title": definition.title,
        "version": game.stamps.first().map(|stamp| stamp.version.clone()),
        "scenario": about,
        "about": crate::game_list::about(catalog),
        "sides": sides,
        "grid": world.board.grid().map(|grid| json!({
            "shape": if grid.orientation == Orientation::Flat { "flat" } else { "pointy" }, "radius": RADIUS,
        })),
        "spaces": (0u32..).zip(&world.spaces).map(|(at, _)| space(world, catalog, SpaceId(at))).collect::<Vec<_>>(),
        "borders": borders(world),
        "networks": networks,
        "columns": {
            "game": columns(TableId::GAME, 1, "game"),
            "side": columns(TableId::SIDE, 0, "side"),
            "space": columns(TableId::SPACE, space_col::COUNT, "space"),
            "piece": columns(TableId::PIECE, piece_col::COUNT, "piece"),
        },
        "fields": { "piece": names(&world.piece_fields.columns), "space": names(&world.space_fields.columns) },
        "display": definition.display,
        "view": catalog.root.get("view").map_or_else(|| json!({}), datum),
        "texts": texts,
        "options": options.collect::<Vec<_>>(),
        "layers": crate::layers::layers(loaded, game),
    })
}

/// A short word that differs when the board does.
pub fn hash(board: &str) -> String {
    format!("{:016x}", stable_hash(board))
}

/// Copies keys of a row of the game's tables.
fn copy(into: &mut Value, row: Option<&Node>, keys: &[&str]) {
    for key in keys {
        if let Some(node) = row.and_then(|row| row.get(key)) {
            into[*key] = datum(node);
        }
    }
}

fn see(see: See) -> &'static str {
    match see {
        See::All => "all",
        See::Owner => "owner",
        See::Nobody => "nobody",
        See::Face => "face",
    }
}

/// The centre of a hex, in whole numbers.
fn centre(orientation: Orientation, hex: Cube) -> (i32, i32) {
    match orientation {
        Orientation::Flat => (hex.q * RADIUS * 3 / 2, (hex.q + 2 * hex.r) * APOTHEM),
        Orientation::Pointy => ((hex.q - hex.r) * APOTHEM, (hex.q + hex.r) * RADIUS * 3 / 2),
    }
}

fn space(world: &World, catalog: &Catalog, at: SpaceId) -> Value {
    let def = &world.spaces[at.0 as usize];
    let (id, kind) = (world.symbols.text(def.id), world.symbols.text(def.kind));
    let mut space = json!({
        "id": id, "kind": kind, "name": def.name, "see": see(def.see),
        "fields": fields(world, &world.space_fields, at.0),
    });
    if let Some(side) = def.side {
        space["side"] = json!(world.side_name(side));
    }
    copy(&mut space, catalog.row(kind, id), &["x", "y", "lat", "lon", "view"]);
    if let (Some(grid), Some(hex)) = (world.board.grid(), world.board.hex(at)) {
        let (x, y) = centre(grid.orientation, hex);
        (space["x"], space["y"]) = (json!(x), json!(y));
    }
    space
}

/// A small picture of the map, for lists of games: what is filled and what is drawn as a line, each as one path. Nothing for a game
/// without a map.
pub fn thumbnail(loaded: &Loaded) -> Option<Value> {
    let (world, display) = (&*loaded.definition.world, &loaded.definition.display);
    let row = |table: &str, id: &str| {
        let rows = display[table].as_array().into_iter().flatten();
        rows.into_iter().find(|row| row["id"] == *id).cloned().unwrap_or_default()
    };
    let colour = |value: &Value, plain: &str| value.as_str().unwrap_or(plain).to_string();
    let ground = display["map"]["terrain"].as_str().unwrap_or("terrain").to_string();
    let holders: Vec<&str> =
        display["map"]["tint"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let (mut fills, mut lines): (Paths, Paths) = (Vec::new(), Vec::new());
    for at in world.board.spaces() {
        let id = world.space_name(at);
        let known = fields(world, &world.space_fields, at.0);
        if let (Some(grid), Some(hex)) = (world.board.grid(), world.board.hex(at)) {
            let (x, y) = small(centre(grid.orientation, hex));
            let word = known.get(&ground).and_then(Value::as_str).unwrap_or_default();
            path(
                &mut fills,
                colour(&row("terrain", word)["fill"], "#efe8cf"),
                &corners(grid.orientation, x, y),
            );
        } else if let Some(outline) = row("area", id)["outline"].as_str() {
            let holder = holders.iter().find_map(|name| known.get(*name).and_then(Value::as_str));
            let side = holder.map(|side| row("side", side)).unwrap_or_default();
            let land = colour(&side["tint"], side["colour"].as_str().unwrap_or("#e4d8b8"));
            let fill = if row("area", id)["water"] == true { "#a9c6d8".to_string() } else { land };
            path(&mut fills, fill, outline);
        }
    }
    for border in (0..world.board.border_count() as u32).map(BorderId) {
        let features =
            world.features(border).iter().map(|feature| row("border", world.symbols.text(*feature)));
        let wet = |row: &Value| row["style"].as_str().is_some_and(|style| style.contains("water"));
        let Some(water) = features.into_iter().find(wet) else { continue };
        let (Some(grid), Some(ends)) = (world.board.grid(), world.board.border_ends(border)) else {
            continue;
        };
        let [Some(a), Some(b)] = ends.map(|end| world.board.hex(end)) else { continue };
        let ((ax, ay), (bx, by)) = (small(centre(grid.orientation, a)), small(centre(grid.orientation, b)));
        // The side between two hexes lies across the way from one to the other.
        let (dx, dy) = ((bx - ax) * 289 / 1000, (by - ay) * 289 / 1000);
        let (x, y) = ((ax + bx) / 2, (ay + by) / 2);
        path(
            &mut lines,
            colour(&water["colour"], "#3f78a5"),
            &format!("M{} {}L{} {}", x - dy, y + dx, x + dy, y - dx),
        );
    }
    let drawn = |paths: Paths, key: &str| -> Vec<Value> {
        paths.into_iter().map(|(colour, d)| json!({ key: colour, "d": d })).collect()
    };
    let parts = [drawn(fills, "fill"), drawn(lines, "stroke")].concat();
    (!parts.is_empty()).then(|| json!(parts))
}

/// Paths, each of one colour.
type Paths = Vec<(String, String)>;
/// Half the width of a hex in a small picture.
const SMALL: i32 = RADIUS / 50;

/// Adds to the path of a colour.
fn path(paths: &mut Paths, colour: String, d: &str) {
    match paths.iter_mut().find(|(known, _)| *known == colour) {
        Some((_, path)) => path.push_str(d),
        None => paths.push((colour, d.to_string())),
    }
}

fn small((x, y): (i32, i32)) -> (i32, i32) {
    (x / 50, y / 50)
}

/// The outline of a hex in a small picture.
fn corners(orientation: Orientation, x: i32, y: i32) -> String {
    let (far, near, half) = (SMALL, SMALL / 2, APOTHEM / 50);
    match orientation {
        Orientation::Flat => {
            format!("M{} {y}l{near} {half}h{far}l{near}-{half}l-{near}-{half}h-{far}z", x - far)
        }
        Orientation::Pointy => {
            format!("M{x} {}l{half} {near}v{far}l-{half} {near}l-{half}-{near}v-{far}z", y - far)
        }
    }
}

/// The borders of hexes that have features, and all borders of other spaces.
fn borders(world: &World) -> Vec<Value> {
    let border = |border: u32| {
        let features: Vec<&str> =
            world.features(BorderId(border)).iter().map(|feature| world.symbols.text(*feature)).collect();
        let [a, b] = world.board.border_ends(BorderId(border))?;
        let hexes = world.board.hex(a).is_some() && world.board.hex(b).is_some();
        (!hexes || !features.is_empty()).then(|| json!([world.space_name(a), world.space_name(b), features]))
    };
    (0..world.board.border_count() as u32).filter_map(border).collect()
}

/// The links of a network; both ways of a link that goes both ways are one.
fn links(world: &World, network: NetworkId) -> Option<(String, Value)> {
    let name = world.board.network_name(network)?.to_string();
    let reaches = |from: SpaceId, to: SpaceId| {
        world.board.network_links(network, from).iter().any(|link| link.to == to)
    };
    let (mut links, mut directed) = (Vec::new(), false);
    for from in world.board.spaces() {
        for link in world.board.network_links(network, from) {
            let back = reaches(link.to, from);
            directed |= !back;
            if !back || from < link.to {
                links.push(json!([world.space_name(from), world.space_name(link.to)]));
            }
        }
    }
    Some((name, json!({ "directed": directed, "links": links })))
}

/// The attributes of a table.
fn columns(world: &World, catalog: &Catalog, table: TableId, skip: u16, kind: &str) -> Vec<Value> {
    let Some(schema) = world.schema.tables.get(table.0 as usize) else { return Vec::new() };
    let declared = catalog.root.get("attribute").and_then(|kinds| kinds.get(kind));
    let column = |column: &sandtable_kernel::state::Column| {
        let id = world.symbols.text(column.name);
        let mut shown = json!({ "id": id, "type": column.ty.name(), "see": see(column.see) });
        match &column.ty {
            Type::Int { min, max } => {
                shown["default"] = json!(column.default);
                if *min > i32::MIN {
                    shown["min"] = json!(min);
                }
                if *max < i32::MAX {
                    shown["max"] = json!(max);
                }
            }
            Type::Bool => shown["default"] = json!(column.default != 0),
            Type::Enum(values) => {
                shown["values"] = values.iter().map(|value| json!(world.symbols.text(*value))).collect();
            }
            _ => {}
        }
        copy(&mut shown, declared.and_then(|kind| kind.get(id)), &["title", "track"]);
        shown
    };
    schema.columns.iter().skip(skip.into()).map(column).collect()
}

fn plain(value: &Datum) -> Value {
    match value {
        Datum::Int(n) => json!(n),
        Datum::Bool(truth) => json!(truth),
        Datum::Text(text) => json!(text),
        Datum::List(items) => items.iter().map(plain).collect(),
        Datum::Table(entries) => {
            entries.iter().map(|(key, item)| (key.clone(), plain(item))).collect::<Object>().into()
        }
    }
}

/// What is printed on the components of a row of the component list.
pub fn component(world: &World, catalog: &Catalog, component: &Component) -> Value {
    let (id, kind) = (world.symbols.text(component.id), world.symbols.text(component.kind));
    let row = catalog.row(kind, id);
    let rungs = row.and_then(|row| row.get("levels")).and_then(Node::as_array);
    let levels = (0..u32::from(component.levels)).map(|rung| {
        let mut level = json!({ "fields": fields(world, &world.piece_fields, component.first_row + rung) });
        copy(&mut level, rungs.and_then(|rungs| rungs.get(rung as usize)), &["name"]);
        level
    });
    let mut shown = json!({ "name": component.name, "kind": kind, "levels": levels.collect::<Vec<_>>() });
    if let Some(side) = component.side {
        shown["side"] = json!(world.side_name(side));
    }
    copy(&mut shown, row, &["text", "rule", "view"]);
    shown
}

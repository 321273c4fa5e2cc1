//! Spaces: hexes, areas, boxes and piles, their borders and networks, their printed fields, and profiles of movement.

use super::schema::initial;
use super::{Builder, codes, keys};
use crate::diagnostic::Diagnostic;
use crate::origin::Origin;
use crate::tree::{Node, Value};
use crate::tree_read::Row;
use sandtable_kernel::map::{
    BoardBuilder, Grid, MapPlan, NetworkId, Numbering, Offset, Orientation, Placement, Shifted, SpaceId,
};
use sandtable_kernel::search::{BLOCKED, Cost, NetworkRate, Profile, ProfileSpec, crossing_costs};
use sandtable_kernel::state::{See, TableId, Type};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Fields, NIL, Named, SpaceDef, World};
use std::collections::{BTreeMap, BTreeSet};

/// Builds the graph and the list of spaces; the world begins with it.
pub(super) fn board(b: &mut Builder<'_>) -> Option<World> {
    let plan = plan(b);
    let mut builder = match &plan {
        Some(plan) => BoardBuilder::on_grid(plan.grid()),
        None => BoardBuilder::new(),
    };
    let mut spaces: Vec<(String, &'static str, Origin)> = Vec::new();
    for &kind in keys::SPACE_KINDS {
        let rows: Vec<(&str, &Node)> = b.catalog.rows(kind).collect();
        for (id, node) in rows {
            if kind == "hex" && on_left_out_board(b, plan.as_ref(), id) {
                b.left_out.insert(id.to_string());
                continue;
            }
            match (kind, &plan) {
                ("hex", Some(plan)) => match plan.hex(id) {
                    Ok(hex) => {
                        builder.add_hex(hex);
                    }
                    Err(error) => {
                        b.out.push(Diagnostic::error(
                            &codes::BAD_GRID,
                            node.origin,
                            format!("hex.{id}: {error}"),
                        ));
                        builder.add_space();
                    }
                },
                ("hex", None) => {
                    // Once; and a grid that cannot be read was reported itself.
                    if b.catalog.get("map.grid").is_none() && spaces.is_empty() {
                        let message = format!("hex.{id}: the map has no grid; give map.grid");
                        b.out.push(Diagnostic::error(&codes::BAD_GRID, node.origin, message));
                    }
                    builder.add_space();
                }
                _ => {
                    builder.add_space();
                }
            }
            spaces.push((id.to_string(), kind, node.origin));
        }
    }
    let index: BTreeMap<&str, SpaceId> =
        (0u32..).zip(&spaces).map(|(at, (id, ..))| (id.as_str(), SpaceId(at))).collect();
    let mut features: Vec<(SpaceId, SpaceId, Vec<String>, Origin)> = Vec::new();
    let mut joined: Vec<(SpaceId, SpaceId)> = Vec::new();
    let rows: Vec<(&str, &Node)> = b.catalog.rows("border").collect();
    for (id, node) in rows {
        let Some((a, c, row)) = ends(b, &index, "border", id, node) else { continue };
        let names = match row.get("feature").map(|node| &node.value) {
            Some(Value::Str(text)) if !text.is_empty() => vec![text.clone()],
            Some(Value::Array(items)) => {
                items.iter().filter_map(|item| item.as_str().map(str::to_string)).collect()
            }
            _ => Vec::new(),
        };
        let hexes = [a, c].iter().all(|space| spaces[space.0 as usize].1 == "hex");
        let key = (a.min(c), a.max(c));
        if !hexes && !joined.contains(&key) {
            joined.push(key);
            builder.add_border(a, c);
        }
        features.push((a, c, names, node.origin));
    }
    let mut networks: BTreeMap<String, Vec<(SpaceId, SpaceId, bool)>> = BTreeMap::new();
    let rows: Vec<(&str, &Node)> = b.catalog.rows("link").collect();
    for (id, node) in rows {
        let Some((a, c, row)) = ends(b, &index, "link", id, node) else { continue };
        let Some(kind) = row.need("kind", &mut b.out).and_then(Node::as_str) else { continue };
        let oneway =
            row.get("oneway").is_some_and(|node| matches!(node.value, Value::Bool(true) | Value::Int(1)));
        networks.entry(kind.to_string()).or_default().push((a, c, oneway));
    }
    for (name, links) in &networks {
        let directed = links.iter().any(|link| link.2);
        let network: NetworkId = builder.add_network(name.clone(), directed);
        let mut joined = BTreeSet::new();
        for &(a, c, oneway) in links {
            let ways = if directed && !oneway { vec![(a, c), (c, a)] } else { vec![(a, c)] };
            for (from, to) in ways {
                // A link that is given from both sides is one link.
                if joined.insert(if directed { (from, to) } else { (from.min(to), from.max(to)) }) {
                    builder.add_network_link(network, from, to);
                }
            }
        }
    }
    let board = match builder.build() {
        Ok(board) => board,
        Err(errors) => {
            for error in errors {
                b.out.push(Diagnostic::placeless(&codes::BAD_BORDER, error.to_string()));
            }
            return None;
        }
    };
    let mut world = World::on(board);
    world.border_features = vec![Vec::new(); world.board.border_count()];
    for (a, c, names, place) in features {
        match world.board.border_between(a, c) {
            Some(border) => {
                for name in names {
                    let sym = world.symbols.intern(&name);
                    let own = &mut world.border_features[border.0 as usize];
                    if !own.contains(&sym) {
                        own.push(sym);
                    }
                }
            }
            None if plan.is_none() => {}
            None => {
                let message =
                    format!("{} and {} are not adjacent", spaces[a.0 as usize].0, spaces[c.0 as usize].0);
                b.out.push(Diagnostic::error(&codes::BAD_BORDER, place, message));
            }
        }
    }
    for (at, (id, kind, place)) in (0u32..).zip(&spaces) {
        let sym = world.symbols.intern(id);
        let kind_sym = world.symbols.intern(kind);
        if world.names.insert(sym, Named::Space(SpaceId(at))).is_some() {
            b.out.push(Diagnostic::error(
                &codes::DUPLICATE_NAME,
                *place,
                format!("{kind}.{id}: there is another `{id}`"),
            ));
        }
        world.spaces.push(SpaceDef {
            id: sym,
            kind: kind_sym,
            name: id.clone(),
            side: None,
            see: See::All,
            see_count: See::All,
            on_map: matches!(*kind, "hex" | "area"),
        });
    }
    Some(world)
}

/// The two ends of a border or a link.
fn ends<'a>(
    b: &mut Builder<'a>,
    index: &BTreeMap<&str, SpaceId>,
    kind: &str,
    id: &str,
    node: &'a Node,
) -> Option<(SpaceId, SpaceId, Row<'a>)> {
    let row = Row::new(format!("{kind}.{id}"), node, &mut b.out)?;
    let names = ["a", "b"].map(|key| row.get(key).and_then(Node::as_str).unwrap_or_default());
    if names.iter().any(|name| b.left_out.contains(*name)) {
        return None;
    }
    let mut found = [None, None];
    for (slot, key) in found.iter_mut().zip(["a", "b"]) {
        let place = row.need(key, &mut b.out)?.origin;
        let name = row.id(key, &mut b.out)?;
        // Cells such as 0305 lose their zero as numbers; the row's id has kept it.
        let padded =
            id.split('-').find(|part| part.trim_start_matches('0') == name && index.contains_key(part));
        *slot = index.get(name.as_str()).or_else(|| padded.and_then(|name| index.get(name))).copied();
        if slot.is_none() {
            b.unknown(
                place,
                format!("`{key}` of {kind}.{id}: there is no space `{name}`"),
                &name,
                index.keys().copied(),
            );
        }
    }
    match found {
        [Some(a), Some(c)] if a != c => Some((a, c, row)),
        [Some(_), Some(_)] => {
            b.out.push(Diagnostic::error(
                &codes::BAD_BORDER,
                row.origin(),
                format!("{kind}.{id} joins a space to itself"),
            ));
            None
        }
        _ => None,
    }
}

/// Whether a hex lies on a board that is not placed: `map.board.9.used = false`.
fn on_left_out_board(b: &Builder<'_>, plan: Option<&MapPlan>, id: &str) -> bool {
    let board = plan.and_then(|plan| plan.numbering().read(id).ok()).map(|name| name.board);
    let used = board.and_then(|board| b.catalog.at(&["map".into(), "board".into(), board, "used".into()]));
    used.and_then(Node::as_bool) == Some(false)
}

/// How hex ids map to the grid.
fn plan(b: &mut Builder<'_>) -> Option<MapPlan> {
    let node = b.catalog.get("map.grid")?;
    let row = Row::new("map.grid", node, &mut b.out)?;
    row.unknown_keys(keys::GRID, &mut b.out);
    // All that is missing is told at once, and a map without neighbours is never what was meant.
    let missing = ["shape", "shifted", "numbering"].map(|key| row.need(key, &mut b.out).is_none());
    if missing.contains(&true) {
        return None;
    }
    let orientation = match row.word("shape", &["flat", "pointy"], &mut b.out)? {
        "flat" => Orientation::Flat,
        _ => Orientation::Pointy,
    };
    let shifted = match row.word("shifted", &["odd", "even"], &mut b.out)? {
        "odd" => Shifted::Odd,
        _ => Shifted::Even,
    };
    let numbering_node = row.get("numbering")?;
    let numbering: Numbering = match numbering_node.as_str().unwrap_or_default().parse() {
        Ok(numbering) => numbering,
        Err(error) => {
            b.out.push(Diagnostic::error(
                &codes::BAD_GRID,
                numbering_node.origin,
                format!("map.grid: {error}"),
            ));
            return None;
        }
    };
    let grid = Grid::new(orientation, shifted);
    let mut placements = Vec::new();
    let boards: Vec<(String, &Node)> = b
        .catalog
        .get("map.board")
        .and_then(Node::as_table)
        .into_iter()
        .flat_map(|boards| boards.iter().map(|(id, node)| (id.to_string(), node)))
        .collect();
    for (id, node) in boards {
        let Some(row) = Row::new(format!("map.board.{id}"), node, &mut b.out) else { continue };
        row.unknown_keys(keys::BOARD, &mut b.out);
        if row.bool("used", &mut b.out) == Some(false) {
            continue;
        }
        let offset = |key: &str, b: &mut Builder<'_>| -> Option<Offset> {
            let items = row.array(key, &mut b.out)?;
            let numbers: Option<Vec<i32>> =
                items.iter().map(|item| i32::try_from(item.as_int()?).ok()).collect();
            if let Some([col, row]) = numbers.as_deref() {
                return Some(Offset::new(*col, *row));
            }
            let message = format!("`{key}` of {}: expected [column, row]", row.name());
            let place = row.get(key).map_or(node.origin, |node| node.origin);
            b.out.push(Diagnostic::error(&codes::BAD_GRID, place, message));
            None
        };
        let parity = match row.word("shifted", &["odd", "even"], &mut b.out) {
            Some("odd") => Shifted::Odd,
            Some(_) => Shifted::Even,
            None => shifted,
        };
        let first = offset("first", b).unwrap_or(Offset::new(1, 1));
        let last = offset("last", b).unwrap_or(Offset::new(99, 99));
        placements.push(Placement {
            board: id,
            grid: Grid::new(orientation, parity),
            first,
            last,
            anchor: offset("anchor", b).unwrap_or(first),
            at: offset("at", b).unwrap_or(first),
            turned: row.bool("turned", &mut b.out).unwrap_or(false),
        });
    }
    match MapPlan::new(grid, numbering, placements) {
        Ok(plan) => Some(plan),
        Err(error) => {
            b.out.push(Diagnostic::error(&codes::BAD_GRID, node.origin, format!("map: {error}")));
            None
        }
    }
}

/// Printed fields of the spaces, names, owners and first values of attributes.
pub(super) fn fields(b: &mut Builder<'_>, world: &mut World) {
    let columns = declared(b, world, "space");
    world.space_fields = Fields::new(columns.clone());
    let mut at = 0u32;
    for &kind in keys::SPACE_KINDS {
        let rows: Vec<(&str, &Node)> = b.catalog.rows(kind).collect();
        for (id, node) in rows {
            if b.left_out.contains(id) {
                continue;
            }
            let space = at;
            at += 1;
            let line = world.space_fields.push();
            let what = format!("{kind}.{id}");
            let Some(row) = Row::new(what.clone(), node, &mut b.out) else { continue };
            let mut fields = std::mem::take(&mut world.space_fields);
            fill(b, world, &mut fields, line, &what, &row, &columns);
            world.space_fields = fields;
            known_keys(b, world, TableId::SPACE, &row, &columns, keys::SPACE);
            let side = row
                .get("side")
                .and_then(|node| b.cell(world, &Type::Side, node, &format!("`side` of {what}")));
            let def = &mut world.spaces[space as usize];
            def.side = side.and_then(sandtable_kernel::world::SideId::from_cell);
            if let Some(name) = row.str("name", &mut b.out) {
                def.name = name.to_string();
            }
            def.see = see(row.word("see", keys::SEE, &mut b.out));
            def.see_count = see(row.word("see-count", keys::SEE, &mut b.out));
            if def.see == See::All && def.see_count != See::All {
                let message = format!(
                    "`see-count` of {what}: all see what lies there, and so how many; hide that with `see` too"
                );
                let place = row.get("see-count").map_or(node.origin, |node| node.origin);
                b.out.push(Diagnostic::error(&codes::BAD_SEE, place, message));
            }
            for (col, cell) in initial(b, world, TableId::SPACE, &what, &row) {
                world.space_initial.push((space, col, cell));
            }
        }
    }
}

/// What a word says of who sees something.
pub(super) fn see(word: Option<&str>) -> See {
    match word {
        Some("owner") => See::Owner,
        Some("nobody") => See::Nobody,
        Some("face") => See::Face,
        _ => See::All,
    }
}

/// The fields that a game declares for a kind of component.
pub(super) fn declared(b: &mut Builder<'_>, world: &mut World, kind: &str) -> Vec<(Sym, Type)> {
    let rows: Vec<(String, &Node)> = b
        .catalog
        .root
        .get("field")
        .and_then(|kinds| kinds.get(kind))
        .and_then(Node::as_table)
        .into_iter()
        .flat_map(|rows| rows.iter().map(|(id, node)| (id.to_string(), node)))
        .collect();
    let mut columns = Vec::new();
    for (id, node) in rows {
        let what = format!("field.{kind}.{id}");
        let node = node.get("type").unwrap_or(node);
        let ty = b.read_type(world, node, &what);
        columns.push((world.symbols.intern(&id), ty));
    }
    columns
}

/// Writes the declared fields that a row has.
pub(super) fn fill(
    b: &mut Builder<'_>,
    world: &mut World,
    fields: &mut Fields,
    line: u32,
    what: &str,
    row: &Row<'_>,
    columns: &[(Sym, Type)],
) {
    for (col, (name, ty)) in (0u16..).zip(columns) {
        let key = world.symbols.text(*name).to_string();
        let Some(node) = row.get(&key) else { continue };
        if matches!(&node.value, Value::Str(text) if text.is_empty()) {
            continue;
        }
        let what = format!("`{key}` of {what}");
        match ty {
            Type::List(of) => {
                let cells = b.cells(world, of, node, &what);
                fields.set_list(line, col, cells);
            }
            ty => {
                if let Some(cell) = b.cell(world, ty, node, &what) {
                    fields.set(line, col, cell);
                }
            }
        }
    }
}

/// Reports keys of a row that are neither fields nor attributes nor known to every game.
pub(super) fn known_keys(
    b: &mut Builder<'_>,
    world: &World,
    table: TableId,
    row: &Row<'_>,
    columns: &[(Sym, Type)],
    always: &[&str],
) {
    let mut allowed: Vec<&str> = always.to_vec();
    allowed.extend(columns.iter().map(|(name, _)| world.symbols.text(*name)));
    let attributes = &world.schema.tables[table.0 as usize].columns;
    allowed.extend(
        attributes.iter().map(|column| world.symbols.text(column.name)).filter(|name| !name.is_empty()),
    );
    row.unknown_keys(&allowed, &mut b.out);
}

/// Profiles: costs of one way of moving, folded into one table.
pub(super) fn profiles(b: &mut Builder<'_>, world: &mut World) {
    let rows: Vec<(&str, &Node)> = b.catalog.rows("profile").collect();
    for (id, node) in rows {
        let what = format!("profile.{id}");
        let Some(row) = Row::new(what.clone(), node, &mut b.out) else { continue };
        row.unknown_keys(keys::PROFILE, &mut b.out);
        let by = row.str("by", &mut b.out).unwrap_or("terrain").to_string();
        let terrain = costs(b, &row, "terrain");
        let leave = costs(b, &row, "leave");
        let borders = costs(b, &row, "border");
        let networks = costs(b, &row, "network");
        let otherwise = match row.get("otherwise") {
            Some(node) => cost(b, node, &format!("`otherwise` of {what}")).unwrap_or(BLOCKED),
            None => BLOCKED,
        };
        let column = world.symbols.get(&by).and_then(|name| world.space_fields.column(name));
        if column.is_none() && !(terrain.is_empty() && leave.is_empty()) {
            let names: Vec<&str> =
                world.space_fields.columns.iter().map(|column| world.symbols.text(column.0)).collect();
            let place = row.get("by").map_or(row.origin(), |node| node.origin);
            b.unknown(place, format!("`by` of {what} is `{by}`; spaces have no such field"), &by, names);
            continue;
        }
        let lookup = |table: &BTreeMap<String, Cost>, space: u32, absent: Cost| -> Cost {
            let Some(column) = column else { return absent };
            let cell = world.space_fields.get(space, column);
            if cell == NIL {
                return absent;
            }
            let names: Vec<i32> = match &world.space_fields.columns[column as usize].1 {
                Type::List(_) => world.space_fields.list(cell).to_vec(),
                _ => vec![cell],
            };
            let cost = |name: &i32| table.get(world.symbols.text(Sym::from_cell(*name))).copied();
            names.iter().filter_map(cost).max().unwrap_or(absent)
        };
        let spaces = 0..world.spaces.len() as u32;
        let enter: Vec<Cost> = spaces.clone().map(|space| lookup(&terrain, space, otherwise)).collect();
        let leave: Vec<Cost> = spaces.map(|space| lookup(&leave, space, 0)).collect();
        let by_border: Vec<Cost> = world
            .border_features
            .iter()
            .map(|features| {
                let parts =
                    features.iter().filter_map(|&feature| borders.get(world.symbols.text(feature)).copied());
                parts.fold(
                    0,
                    |sum: Cost, part| if part == BLOCKED { BLOCKED } else { sum.saturating_add(part) },
                )
            })
            .collect();
        let mut rates = Vec::new();
        for (name, cost) in &networks {
            match world.board.network(name) {
                Some(network) => rates.push(NetworkRate {
                    network,
                    cost: *cost,
                    pay_crossing: row.bool("pay-crossing", &mut b.out).unwrap_or(false),
                    pay_leaving: false,
                }),
                None => {
                    let names: Vec<&str> = world
                        .board
                        .networks()
                        .filter_map(|network| world.board.network_name(network))
                        .collect();
                    b.unknown(
                        row.origin(),
                        format!("`network` of {what}: there is no network `{name}`"),
                        name,
                        names,
                    );
                }
            }
        }
        let cross = crossing_costs(&world.board, &by_border);
        let profile = Profile::new(
            &world.board,
            &ProfileSpec { enter: &enter, leave: &leave, cross: &cross, rates: &rates },
        );
        let sym = world.symbols.intern(id);
        world.profiles.insert(sym, profile);
    }
}

fn cost(b: &mut Builder<'_>, node: &Node, what: &str) -> Option<Cost> {
    match &node.value {
        Value::Int(n) if (0..10_000).contains(n) => Some(*n as Cost),
        Value::Str(text) if text == "never" => Some(BLOCKED),
        other => {
            let message = format!("{what} is {}; expected a cost or \"never\"", other.brief());
            b.out.push(Diagnostic::error(&codes::BAD_PROFILE, node.origin, message));
            None
        }
    }
}

fn costs(b: &mut Builder<'_>, row: &Row<'_>, key: &str) -> BTreeMap<String, Cost> {
    let Some(table) = row.row(key, &mut b.out) else { return BTreeMap::new() };
    let entries: Vec<(String, &Node)> =
        table.table().iter().map(|(name, node)| (name.to_string(), node)).collect();
    let mut found = BTreeMap::new();
    for (name, node) in entries {
        if let Some(cost) = cost(b, node, &format!("`{name}` of {}", table.name())) {
            found.insert(name, cost);
        }
    }
    found
}

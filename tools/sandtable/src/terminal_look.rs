//! `look` on the terminal: what is known of a thing, and what differs between two positions.

use crate::out;
use crate::terminal::{ground, viewer};
use crate::terminal_map::terrain;
use crate::terminal_names::{Thing, find, nearest, titled};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{PieceId, Place, See, TableId, Type, piece_col};
use sandtable_kernel::world::{NIL, SideId, World};
use sandtable_script::{ScriptContext, Val};
use sandtable_session::view::{self, Viewer};
use sandtable_session::{Session, changes};
use std::collections::BTreeMap;

/// What is known of a thing by its name: an id, a title, or `game`.
pub fn look(session: &mut Session, name: &str) -> String {
    if name.is_empty() {
        return "look: expected the name of a space, piece or side, or `game`".into();
    }
    let (viewer, ground) = (viewer(session), ground(session));
    session.look(|host| {
        let cx = host.cx();
        let Some(thing) = find(cx, name) else {
            return format!("there is no space, piece or side `{name}`{}", nearest(cx, name));
        };
        let head = out::line(&titled(cx, thing)).into_owned();
        let (table, row) = match thing {
            Thing::Game => (TableId::GAME, 0),
            Thing::Side(side) => (TableId::SIDE, side.0.into()),
            Thing::Space(space) => return space_text(cx, viewer, &ground, space),
            Thing::Piece(piece) => {
                if !view::sees_face(&cx.world, &cx.play.borrow().state, viewer, PieceId(piece)) {
                    return format!("{name}: its face is hidden");
                }
                (TableId::PIECE, piece)
            }
        };
        let mut known = describe(cx, table, row);
        if let Thing::Piece(piece) = thing {
            known.extend(on_piece(cx, piece));
        }
        match known.join(", ") {
            none if none.is_empty() => format!("{head}: nothing is counted"),
            text => format!("{head}: {}", out::line(&text)),
        }
    })
}

/// What is printed on a piece at its present step.
fn on_piece(cx: &ScriptContext, piece: u32) -> Vec<String> {
    let play = cx.play.borrow();
    let columns = (0u16..).zip(&cx.world.piece_fields.columns);
    let shown = columns.filter_map(|(col, (name, ty))| {
        let cell = cx.world.piece_field(&play.state, piece, col);
        let said = cell != NIL && !matches!(ty, Type::List(_) | Type::Record(_));
        said.then(|| format!("{} {}", cx.text(*name), changes::cell_name(cx, ty, cell)))
    });
    shown.collect()
}

/// A space with its ground, what lies in it and what lies around it.
fn space_text(cx: &ScriptContext, viewer: Viewer, ground: &str, row: u32) -> String {
    let text = describe(cx, TableId::SPACE, row).join(", ");
    let play = cx.play.borrow();
    let shown = |piece: PieceId| {
        let seen = view::sees_face(&cx.world, &play.state, viewer, piece);
        if seen { cx.world.piece_name(&play.state, piece.0) } else { "hidden".into() }
    };
    let held: Vec<String> = play.state.contents(Place::Space(SpaceId(row))).map(shown).collect();
    let held = if held.is_empty() { "empty".into() } else { held.join(", ") };
    let title = changes::title(cx, Val::Space(row));
    let kind =
        terrain(&cx.world, ground, SpaceId(row)).map_or_else(String::new, |kind| format!(" ({})", kind.1));
    let between = if text.is_empty() { "" } else { "; " };
    let sides = hexsides(&cx.world, SpaceId(row));
    out::line(&format!("{title}{kind}: {held}{between}{text}{sides}")).into_owned()
}

/// What lies between a space and its neighbours.
fn hexsides(world: &World, space: SpaceId) -> String {
    let mut text = String::new();
    for next in world.board.neighbours(space) {
        let Some(border) = world.board.border_between(space, next) else { continue };
        for feature in world.features(border) {
            text.push_str(&format!("; {} to {}", world.symbols.text(*feature), world.space_name(next)));
        }
    }
    text
}

/// The attributes of a row that everybody sees.
fn describe(cx: &ScriptContext, table: TableId, row: u32) -> Vec<String> {
    let play = cx.play.borrow();
    let own = [piece_col::SIDE, piece_col::PLACE, piece_col::LEVEL];
    let kernel = match table {
        TableId::PIECE => piece_col::COUNT,
        TableId::SPACE => sandtable_kernel::state::space_col::COUNT,
        _ => 0,
    };
    let columns = (0u16..).zip(&cx.world.schema.tables[table.0 as usize].columns);
    columns
        .filter(|(col, column)| {
            (*col >= kernel || (table == TableId::PIECE && own.contains(col))) && column.see == See::All
        })
        .filter_map(|(col, column)| {
            let cell = play.state.get(table, row, col);
            let name = cx.text(column.name);
            match col {
                piece_col::SIDE if table == TableId::PIECE => Some(
                    SideId::from_cell(cell)
                        .map_or_else(String::new, |side| cx.world.side_name(side).to_string()),
                ),
                piece_col::PLACE if table == TableId::PIECE => {
                    Some(format!("at {}", changes::place_name(cx, cell)))
                }
                piece_col::LEVEL if table == TableId::PIECE => Some(format!("level {cell}")),
                _ if cell == column.default || matches!(column.ty, Type::List(_)) => None,
                _ => Some(format!("{name} {}", changes::cell_name(cx, &column.ty, cell))),
            }
        })
        .collect()
}

/// Every attribute of a position by name that the side to move may know, for comparing two.
pub fn facts(session: &mut Session) -> BTreeMap<String, String> {
    let viewer = viewer(session);
    session.look(|host| {
        let cx = host.cx();
        let mut facts = BTreeMap::new();
        for table in [TableId::GAME, TableId::SIDE, TableId::SPACE, TableId::PIECE] {
            let rows = cx.play.borrow().state.rows(table);
            for row in 0..rows {
                let hidden = || !view::sees_face(&cx.world, &cx.play.borrow().state, viewer, PieceId(row));
                if table == TableId::PIECE && hidden() {
                    continue;
                }
                let name = match table {
                    TableId::GAME => "game".to_string(),
                    TableId::SIDE => cx.world.side_name(SideId(row as u8)).to_string(),
                    TableId::SPACE => cx.name(Val::Space(row)),
                    _ => cx.name(Val::Piece(row)),
                };
                let known = describe(cx, table, row).join(", ");
                if !known.is_empty() {
                    facts.insert(name, known);
                }
            }
        }
        facts
    })
}

/// What is different between two positions, one line each.
pub fn differences(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let line = |name: &String| {
        let (then, now) = (before.get(name), after.get(name));
        let shown = |text: Option<&String>| text.map_or("-".to_string(), String::clone);
        (then != now).then(|| format!("{name}: {} -> {}", shown(then), shown(now)))
    };
    names.into_iter().filter_map(line).collect()
}

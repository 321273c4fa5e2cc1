//! What cases say of a position: values of attributes and fields, and what a side sees.

use super::run::Run;
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{Lists, PieceId, Place, TableId, Type};
use sandtable_kernel::world::NIL;
use sandtable_script::Val;
use sandtable_session::changes;
use sandtable_session::view::{self, PieceView, Viewer};

impl Run {
    /// The value of `THING.ATTRIBUTE`; for a piece also `.place` and `.level`, for a space `.pieces` and `.count`.
    pub(super) fn value(&mut self, path: &str) -> Result<String, String> {
        let Some((thing, attribute)) = path.rsplit_once('.') else {
            return Err(format!("`{path}`: expected THING.ATTRIBUTE"));
        };
        let thing = thing.strip_prefix("sides.").unwrap_or(thing).to_string();
        let attribute = attribute.to_string();
        self.session.look(|host| {
            let cx = host.cx();
            let world = &cx.world;
            let play = cx.play.borrow();
            let (table, row) = if thing == "game" {
                (TableId::GAME, 0)
            } else if let Some(side) = world.find_side(&thing) {
                (TableId::SIDE, side.0.into())
            } else if let Some(space) = world.find_space(&thing) {
                (TableId::SPACE, space.0)
            } else if let Some(piece) = world.find_piece(&play.state, &thing) {
                (TableId::PIECE, piece)
            } else if attribute == "effect" {
                let active = cx.symbols.borrow().get(&thing).is_some_and(|name| play.state.in_effect(name));
                return Ok(active.to_string());
            } else {
                return Err(format!("there is no `{thing}`"));
            };
            match (table, attribute.as_str()) {
                (TableId::PIECE, "place") => {
                    let cell = play.state.place(PieceId(row)).cell();
                    drop(play);
                    return Ok(changes::place_name(cx, cell));
                }
                (TableId::PIECE, "levels") => {
                    return Ok(world
                        .component_of(&play.state, row)
                        .map_or(1, |component| component.levels)
                        .to_string());
                }
                (TableId::PIECE, "name") => {
                    return Ok(world
                        .component_of(&play.state, row)
                        .map_or_else(String::new, |component| component.name.clone()));
                }
                (TableId::SPACE, "name") => return Ok(world.spaces[row as usize].name.clone()),
                (TableId::SIDE, "team") => {
                    return Ok(world.symbols.text(world.sides[row as usize].2).to_string());
                }
                (TableId::SPACE, "count" | "pieces") => {
                    let place = Place::Space(SpaceId(row));
                    let pieces: Vec<u32> = play.state.contents(place).map(|piece| piece.0).collect();
                    drop(play);
                    if attribute == "count" {
                        return Ok(pieces.len().to_string());
                    }
                    return Ok(pieces
                        .iter()
                        .map(|&piece| cx.name(Val::Piece(piece)))
                        .collect::<Vec<_>>()
                        .join(" "));
                }
                _ => {}
            }
            let Some(col) = world.symbols.get(&attribute).and_then(|name| world.schema.column(table, name))
            else {
                let printed = world.symbols.get(&attribute).and_then(|name| match table {
                    TableId::PIECE => {
                        let col = world.piece_fields.column(name)?;
                        let component = world
                            .component_of(&play.state, row)
                            .map(|component| world.symbols.text(component.id));
                        cx.touch(|| format!("field.{}.{attribute}", component.unwrap_or_default()));
                        Some((&world.piece_fields, col, world.piece_field(&play.state, row, col)))
                    }
                    TableId::SPACE => {
                        let col = world.space_fields.column(name)?;
                        Some((&world.space_fields, col, world.space_fields.get(row, col)))
                    }
                    TableId::SIDE => {
                        let col = world.side_fields.column(name)?;
                        Some((&world.side_fields, col, world.side_fields.get(row, col)))
                    }
                    _ => None,
                });
                if let Some((fields, col, cell)) = printed {
                    drop(play);
                    return Ok(match &fields.columns[col as usize].1 {
                        Type::Bool => (cell == 1).to_string(),
                        _ if cell == NIL => "nil".into(),
                        Type::List(of) => {
                            let names: Vec<String> = fields
                                .list(cell)
                                .iter()
                                .map(|&cell| changes::cell_name(cx, of, cell))
                                .collect();
                            names.join(" ")
                        }
                        ty => changes::cell_name(cx, ty, cell),
                    });
                }
                let names = world.schema.tables[table.0 as usize]
                    .columns
                    .iter()
                    .map(|column| world.symbols.text(column.name));
                let near = sandtable_data::suggest::nearest(&attribute, names).join(", ");
                return Err(format!("`{thing}` has no attribute `{attribute}`; nearest: {near}"));
            };
            let cell = play.state.get(table, row, col);
            let Some(column) = world.schema.get(table, col) else { return Err("no such column".into()) };
            if let Type::List(of) = &column.ty {
                let cells = play.state.list(cell);
                drop(play);
                return Ok(cells
                    .iter()
                    .map(|&cell| changes::cell_name(cx, of, cell))
                    .collect::<Vec<_>>()
                    .join(" "));
            }
            drop(play);
            let cell = if table == TableId::PIECE && attribute == "facing" { cell - 1 } else { cell };
            Ok(changes::cell_name(cx, &column.ty, cell))
        })
    }

    /// What a side sees: `SPACE` gives its pieces in order, hidden ones as their kind in brackets, or how many there are
    /// where none is seen, or `?` if not even that is; `SPACE.ATTRIBUTE`, `SIDE.ATTRIBUTE` or `game.ATTRIBUTE` gives a value, `?` if it is hidden or at its default.
    pub(super) fn seen(&mut self, side: &str, thing: &str) -> Result<String, String> {
        let world = self.session.game().definition.world.clone();
        let viewer = match world.find_side(side) {
            Some(side) => Viewer::Side(side),
            None if side == "spectator" => Viewer::Spectator,
            None => return Err(format!("there is no side `{side}`")),
        };
        let view = self.session.look(|host| view::view(host.cx(), viewer));
        if world.find_space(thing).is_some() {
            let found = view.spaces.get(thing);
            let (empty, at) = (found.is_none_or(|space| space.pieces.is_empty()), world.find_space(thing));
            if empty && at.is_some_and(|space| !view::sees_count(&world, viewer, space)) {
                return Ok("?".into());
            }
            let Some(space) = found else { return Ok("0".into()) };
            if empty {
                return Ok(space.count.to_string());
            }
            let name = |piece: &PieceView| piece.id.clone().unwrap_or_else(|| format!("({})", piece.kind));
            return Ok(space.pieces.iter().map(name).collect::<Vec<_>>().join(" "));
        }
        let Some((owner, attribute)) = thing.rsplit_once('.') else {
            return Err(format!("`{thing}`: expected SPACE or THING.ATTRIBUTE"));
        };
        self.value(thing)?;
        let values = match owner {
            "game" => Some(&view.game),
            other => view.sides.get(other.strip_prefix("sides.").unwrap_or(other)),
        };
        let values = values.or_else(|| view.spaces.get(owner).map(|space| &space.values));
        if let Some(values) = values {
            return Ok(values.get(attribute).cloned().unwrap_or_else(|| "?".into()));
        }
        let mut pieces = view.spaces.values().flat_map(|space| &space.pieces);
        let Some(piece) = pieces.find_map(|piece| named(piece, owner)) else { return Ok("?".into()) };
        let seen = match attribute {
            "level" => piece.level.map(|level| level.to_string()),
            "facing" => piece.facing.map(|facing| facing.to_string()),
            "side" => piece.side.clone(),
            other => piece.values.get(other).cloned(),
        };
        Ok(seen.unwrap_or_else(|| "?".into()))
    }
}

/// The piece of that name, here or in what a piece carries.
fn named<'a>(piece: &'a PieceView, name: &str) -> Option<&'a PieceView> {
    if piece.id.as_deref() == Some(name) {
        return Some(piece);
    }
    piece.cargo.iter().find_map(|carried| named(carried, name))
}

//! Set-up lines, shared by scenarios and cases: `place`, `set` and `pile`; the others are in `setup_export`.

use crate::setup_export::{effect, make, record, record_named, show};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{End, Lists, PieceId, Place, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Named, SideId, World};
use sandtable_script::{Play, ScriptContext};
use thiserror::Error;

/// Pieces that one line makes at most.
const AT_ONCE: u32 = 1_000;
/// Pieces that a game may have for a line to make more of them; every view looks at all.
const PIECES: u32 = 20_000;

/// Why a set-up line cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}{hint}")]
pub struct SetupError {
    /// What is wrong.
    pub message: String,
    /// The nearest valid names.
    pub hint: String,
}

impl SetupError {
    /// An error without names to suggest.
    pub(crate) fn new(message: String) -> SetupError {
        SetupError { message, hint: String::new() }
    }
}

pub(crate) fn wrong<T>(message: String) -> Result<T, SetupError> {
    Err(SetupError { message, hint: String::new() })
}

pub(crate) fn unknown<'a, T>(
    what: &str,
    name: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<T, SetupError> {
    let near = sandtable_data::suggest::nearest(name, names);
    let hint = if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) };
    Err(SetupError { message: format!("there is no {what} `{name}`"), hint })
}

pub(crate) fn space(world: &World, name: &str) -> Result<SpaceId, SetupError> {
    match world.find_space(name) {
        Some(space) => Ok(space),
        None => unknown("space", name, world.spaces.iter().map(|def| world.symbols.text(def.id))),
    }
}

fn place_of(world: &World, play: &Play, name: &str) -> Result<Place, SetupError> {
    if let Some(piece) = world.find_piece(&play.state, name) {
        return Ok(Place::Piece(PieceId(piece)));
    }
    Ok(Place::Space(space(world, name)?))
}

pub(crate) fn piece(world: &World, play: &Play, name: &str) -> Result<u32, SetupError> {
    match world.find_piece(&play.state, name) {
        Some(piece) => Ok(piece),
        None => {
            unknown("piece", name, world.components.iter().map(|component| world.symbols.text(component.id)))
        }
    }
}

/// Reads how many pieces a line makes, if the game has room for so many.
pub(crate) fn how_many(play: &Play, text: &str) -> Result<u32, SetupError> {
    let Ok(n) = text.parse::<u32>() else { return wrong(format!("`{text}` is not a number of pieces")) };
    if n > AT_ONCE {
        return wrong(format!("`{text}`: one line makes at most {AT_ONCE} pieces"));
    }
    if play.state.rows(TableId::PIECE) > PIECES {
        return wrong(format!("`{text}`: there are more than {PIECES} pieces already"));
    }
    Ok(n)
}

/// Splits a text outside of quotes.
pub(crate) fn split(text: &str, at: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let parts = text.split(move |c: char| {
        quoted ^= c == '"';
        !quoted && at(c)
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// A text without its quotes.
pub(crate) fn plain(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

/// Follows one set-up line; several may stand in it, parted by semicolons.
pub fn apply_line(cx: &ScriptContext, play: &mut Play, verb: &str, text: &str) -> Result<(), SetupError> {
    let world = &*cx.world;
    for part in split(text, |c| c == ';') {
        let words: Vec<&str> = split(part, char::is_whitespace).collect();
        match verb {
            "place" => place(cx, play, &words)?,
            "set" => set(cx, play, &words)?,
            "pile" => pile(world, play, &words)?,
            "shuffle" => shuffle(world, play, &words)?,
            "make" => make(world, play, &words)?,
            "record" => record(cx, play, &words)?,
            "reveal" | "conceal" => show(world, play, &words, verb == "reveal")?,
            "effect" => effect(cx, play, &words)?,
            other => {
                let verbs = sandtable_data::definition::keys::SETUP.join(", ");
                return wrong(format!("`{other}` is no set-up line; expected one of {verbs}"));
            }
        }
    }
    Ok(())
}

/// `PIECE PLACE`, or `TYPE PLACE SIDE [N]` for pieces that are made.
fn place(cx: &ScriptContext, play: &mut Play, words: &[&str]) -> Result<(), SetupError> {
    let world = &*cx.world;
    let &[name, at, ref rest @ ..] = words else {
        return wrong(format!("`{}`: expected a piece and a place", words.join(" ")));
    };
    let to = place_of(world, play, at)?;
    let component = world.symbols.get(name).and_then(|sym| match world.names.get(&sym) {
        Some(Named::Component(component)) if world.components[*component as usize].count != 1 => {
            Some(*component)
        }
        _ => None,
    });
    let Some(component) = component else {
        let piece = piece(world, play, name)?;
        if !play.state.move_piece(PieceId(piece), to, End::Bottom) {
            return wrong(format!("`{name}` cannot lie on `{at}`, which lies on it"));
        }
        if let [level] = rest {
            return set(cx, play, &[&format!("{name}.level"), level]);
        }
        return Ok(());
    };
    let (side, n) = match rest {
        [] => (world.components[component as usize].side, 1),
        [number] if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            (world.components[component as usize].side, how_many(play, number)?)
        }
        [side, rest @ ..] => {
            let Some(found) = world.find_side(side) else {
                return unknown("side", side, world.sides.iter().map(|side| world.symbols.text(side.0)));
            };
            let n = match rest {
                [] => 1,
                [n] => how_many(play, n)?,
                _ => return wrong(format!("`{}`: too many words", words.join(" "))),
            };
            (Some(found), n)
        }
    };
    // Pieces of the box first, then new ones.
    let count = world.components[component as usize].count;
    let first = world.first_piece(component).unwrap_or(0);
    let mut free: Vec<u32> =
        (first..first + count).filter(|&piece| play.state.place(PieceId(piece)) == Place::Nowhere).collect();
    free.reverse();
    for _ in 0..n {
        let piece = free.pop().unwrap_or_else(|| world.push_piece(&mut play.state, component, side));
        if let Some(side) = side {
            play.state.set(TableId::PIECE, piece, piece_col::SIDE, side.cell());
        }
        play.state.move_piece(PieceId(piece), to, End::Bottom);
    }
    Ok(())
}

/// `PILE PIECE…`: puts pieces on a pile, the first on top.
fn pile(world: &World, play: &mut Play, words: &[&str]) -> Result<(), SetupError> {
    let &[at, ref names @ ..] = words else { return wrong("expected a pile and pieces".into()) };
    let to = Place::Space(space(world, at)?);
    for name in names {
        let piece = piece(world, play, name)?;
        play.state.move_piece(PieceId(piece), to, End::Bottom);
    }
    Ok(())
}

/// `PILE PIECE…`: what the next shuffle of a pile brings to its top.
fn shuffle(world: &World, play: &mut Play, words: &[&str]) -> Result<(), SetupError> {
    let &[at, ref names @ ..] = words else { return wrong("expected a pile and pieces".into()) };
    let pile = space(world, at)?;
    let top: Result<Vec<PieceId>, SetupError> =
        names.iter().map(|name| Ok(PieceId(piece(world, play, name)?))).collect();
    play.shuffle_feed.push((pile.0, top?));
    Ok(())
}

/// `THING.ATTRIBUTE VALUE`, where the thing is `game`, `SIDE` or `sides.SIDE`, a space or a piece.
fn set(cx: &ScriptContext, play: &mut Play, words: &[&str]) -> Result<(), SetupError> {
    let world = &*cx.world;
    let &[path, ref values @ ..] = words else { return wrong("expected an attribute and a value".into()) };
    let path = path.strip_prefix("sides.").unwrap_or(path);
    let Some((thing, attribute)) = path.rsplit_once('.') else {
        return wrong(format!("`{path}`: expected THING.ATTRIBUTE, such as game.turn"));
    };
    let (table, row) = if thing == "game" {
        (TableId::GAME, 0)
    } else if let Some(side) = world.find_side(thing) {
        (TableId::SIDE, side.0.into())
    } else if let Some(space) = world.find_space(thing) {
        (TableId::SPACE, space.0)
    } else {
        (TableId::PIECE, piece(world, play, thing)?)
    };
    let column = world.symbols.get(attribute).and_then(|name| world.schema.column(table, name));
    let Some(col) = column else {
        let names = world.schema.tables[table.0 as usize]
            .columns
            .iter()
            .map(|column| world.symbols.text(column.name));
        return unknown("attribute", attribute, names.filter(|name| !name.is_empty()));
    };
    let Some(ty) = world.schema.get(table, col).map(|column| column.ty.clone()) else { return Ok(()) };
    if let Type::List(of) = &ty {
        let mut cells = Vec::new();
        for value in values {
            cells.push(cell(cx, play, of, value)?);
        }
        let list = play.state.make_list(&cells);
        play.state.set(table, row, col, list);
        return Ok(());
    }
    let [text] = values else { return wrong(format!("`{}`: expected one value", words.join(" "))) };
    let value = cell(cx, play, &ty, text)?;
    let value = match (table, col) {
        (TableId::PIECE, piece_col::LEVEL) => {
            let levels =
                world.component_of(&play.state, row).map_or(1, |component| i32::from(component.levels));
            // What was destroyed has none.
            if !(0..=levels).contains(&value) {
                return wrong(format!("`{path} {text}`: expected a level from 1 to {levels}"));
            }
            value
        }
        (TableId::PIECE, piece_col::FACING) if matches!(*text, "nil" | "none") => 0,
        (TableId::PIECE, piece_col::FACING) if (0..=5).contains(&value) => value + 1,
        (TableId::PIECE, piece_col::FACING) => {
            return wrong(format!("`{path} {text}`: expected a facing from 0 to 5, or none"));
        }
        _ => value,
    };
    play.state.set(table, row, col, value);
    Ok(())
}

/// Reads a value of a type.
pub(crate) fn cell(cx: &ScriptContext, play: &Play, ty: &Type, text: &str) -> Result<i32, SetupError> {
    let world = &*cx.world;
    if text == "nil" || text == "none" {
        return Ok(0);
    }
    let text = plain(text);
    let symbol = |text: &str| cx.symbols.borrow().get(text).map(Sym::cell);
    match ty {
        Type::Bool => match text {
            "true" | "1" => Ok(1),
            "false" | "0" => Ok(0),
            _ => wrong(format!("`{text}`: expected true or false")),
        },
        Type::Int { min, max } => match text.parse::<i32>() {
            Ok(n) if (*min..=*max).contains(&n) => Ok(n),
            _ => wrong(format!("`{text}`: expected a number from {min} to {max}")),
        },
        Type::Text => symbol(text).map_or_else(|| wrong(format!("`{text}` is no name of this game")), Ok),
        Type::Enum(values) => match world.symbols.get(text).filter(|sym| values.contains(sym)) {
            Some(sym) => Ok(sym.cell()),
            None => unknown("value", text, values.iter().map(|&sym| world.symbols.text(sym))),
        },
        Type::Side => match world.find_side(text) {
            Some(side) => Ok(SideId::cell(side)),
            None => unknown("side", text, world.sides.iter().map(|side| world.symbols.text(side.0))),
        },
        Type::Piece => Ok(piece(world, play, text)? as i32 + 1),
        Type::Space => Ok(space(world, text)?.0 as i32 + 1),
        Type::Record(_) => match record_named(world, text) {
            Some((_, row)) => Ok(row as i32 + 1),
            None => wrong(format!("`{text}`: expected a record, such as fight.0")),
        },
        Type::List(_) => wrong(format!("`{text}`: such a value cannot be set here")),
    }
}

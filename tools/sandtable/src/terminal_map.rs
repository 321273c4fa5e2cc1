//! The map as text: hexes by their place on the grid, other spaces as a list.

use sandtable_kernel::map::{BorderId, Orientation, Shifted, SpaceId};
use sandtable_kernel::state::{Place, State, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{NIL, SideId, World};
use sandtable_session::view::{self, Viewer};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Widest line that the map may fill before it is drawn without ids.
const WIDE: usize = 200;

/// Who lies in a space: a letter of each side with how many; a small letter for what is no unit.
fn garrison(world: &World, state: &State, space: SpaceId) -> String {
    let mut count = BTreeMap::new();
    for piece in state.contents(Place::Space(space)) {
        let side = state.get(TableId::PIECE, piece.0, piece_col::SIDE);
        let unit =
            world.proto_of(state, piece.0).is_some_and(|proto| world.symbols.text(proto.kind) == "unit");
        *count.entry((!unit, side)).or_insert(0u32) += 1;
    }
    let one = |((small, side), n): ((bool, i32), u32)| {
        let letter = SideId::from_cell(side).map_or("·".to_string(), |side| initial(world, side));
        let letter = if small { letter.to_lowercase() } else { letter };
        format!("{letter}{n}")
    };
    count.into_iter().map(one).collect::<Vec<_>>().join("")
}

/// The letter of a side: the first of its id that no side before it has.
fn initial(world: &World, side: SideId) -> String {
    let mut taken = Vec::new();
    for seat in 0..=side.0 {
        let name = world.side_name(SideId(seat)).to_uppercase();
        let letter = name.chars().find(|letter| !taken.contains(letter)).unwrap_or('?');
        taken.push(letter);
    }
    taken.last().map_or_else(String::new, char::to_string)
}

/// The terrain of a space in one letter.
pub fn terrain(world: &World, space: SpaceId) -> Option<(char, String)> {
    let column = world.space_fields.column(world.symbols.get("terrain")?)?;
    let cell = world.space_fields.get(space.0, column);
    if cell == NIL {
        return None;
    }
    let name = match &world.space_fields.columns.get(column as usize)?.1 {
        Type::Text | Type::Enum(_) => world.symbols.text(Sym::from_cell(cell)).to_string(),
        _ => return None,
    };
    Some((name.chars().next()?, name))
}

/// The hexes by their place on the grid, with a legend.
pub fn hexes(world: &World, state: &State) -> String {
    let Some(grid) = world.board.grid() else { return String::new() };
    let placed = world.board.spaces().filter_map(|space| {
        let at = grid.to_offset(world.board.hex(space)?);
        let line = if grid.orientation == Orientation::Flat { at.col } else { at.row };
        let low = (line & 1 == 1) == (grid.shifted == Shifted::Odd);
        Some((space, at, low))
    });
    let placed: Vec<_> = placed.collect();
    let (Some(left), Some(top)) =
        (placed.iter().map(|p| p.1.col).min(), placed.iter().map(|p| p.1.row).min())
    else {
        return String::new();
    };
    let columns = placed.iter().map(|p| p.1.col - left + 1).max().unwrap_or(0) as usize;
    let ids = placed.iter().map(|p| world.space_name(p.0).chars().count()).max().unwrap_or(0);
    let wide = columns * (ids + 3) <= WIDE;
    let width = if wide { ids + 3 } else { 4 };
    let mut lines: BTreeMap<usize, BTreeMap<usize, String>> = BTreeMap::new();
    let mut legend = BTreeMap::new();
    for (space, at, low) in placed {
        let (col, row) = ((at.col - left) as usize, (at.row - top) as usize);
        let kind = terrain(world, space);
        let letter = kind.as_ref().map_or('.', |kind| kind.0);
        if let Some((letter, name)) = kind {
            legend.entry(letter).or_insert_with(Vec::new).push(name);
        }
        let held = garrison(world, state, space);
        let (x, y) = match grid.orientation {
            Orientation::Flat => (col * width, row * 2 + usize::from(low)),
            Orientation::Pointy => (col * width + usize::from(low) * (width / 2), row * 2),
        };
        if wide {
            lines.entry(y).or_default().insert(x, format!("{}{letter}", world.space_name(space)));
            lines.entry(y + 1).or_default().insert(x, format!(" {held}"));
        } else {
            let shown = if held.is_empty() { letter.to_string() } else { held };
            let y = if grid.orientation == Orientation::Flat { y } else { y / 2 };
            lines.entry(y).or_default().insert(x, shown);
        }
    }
    let mut text = String::new();
    for line in lines.values() {
        let mut shown = String::new();
        for (&x, part) in line {
            let used = shown.chars().count();
            shown.extend(std::iter::repeat_n(' ', x.saturating_sub(used)));
            shown.extend(part.chars().take(width - 1));
        }
        let _ = writeln!(text, "{}", shown.trim_end());
    }
    let mut key: Vec<String> = Vec::new();
    for (letter, mut names) in legend {
        names.sort();
        names.dedup();
        key.push(format!("{letter} {}", names.join("/")));
    }
    let sides = (0..world.sides.len() as u8)
        .map(|seat| format!("{} {}", initial(world, SideId(seat)), world.sides[seat as usize].1));
    let _ = writeln!(
        text,
        "({}; {}; capitals for units, small letters for the rest)",
        key.join(", "),
        sides.collect::<Vec<_>>().join(", ")
    );
    text.push_str(&printed(world));
    text
}

/// Most borders of a kind that are listed one by one.
const LISTED: usize = 60;

/// What the grid does not show: named hexes, and what lies between hexes.
fn printed(world: &World) -> String {
    let mut text = String::new();
    let named = world.board.spaces().filter(|&space| world.board.hex(space).is_some()).filter_map(|space| {
        let name = &world.spaces.get(space.index())?.name;
        (name != world.space_name(space)).then(|| format!("{name} ({})", world.space_name(space)))
    });
    let named: Vec<String> = named.collect();
    if !named.is_empty() && named.len() <= LISTED {
        let _ = writeln!(text, "{}", named.join(", "));
    }
    let mut borders: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (number, features) in (0u32..).zip(&world.border_features) {
        let Some([a, b]) = world.board.border_ends(BorderId(number)) else { continue };
        for feature in features {
            let between = format!("{}|{}", world.space_name(a), world.space_name(b));
            borders.entry(world.symbols.text(*feature)).or_default().push(between);
        }
    }
    for (feature, between) in borders {
        if between.len() <= LISTED {
            let _ = writeln!(text, "{feature}: {}", between.join(" "));
        } else {
            let _ = writeln!(text, "{feature}: {} hexsides (`look HEX` lists them)", between.len());
        }
    }
    text
}

/// Areas, boxes and piles that hold something.
pub fn areas(world: &World, state: &State, viewer: Viewer) -> String {
    let mut text = String::new();
    for (number, def) in (0u32..).zip(&world.spaces) {
        let space = SpaceId(number);
        let hex = world.board.grid().is_some() && world.board.hex(space).is_some();
        if hex || view::seen_count(world, state, viewer, space) == 0 {
            continue;
        }
        let open = viewer.sees(def.see, def.side);
        let mut held: BTreeMap<(i32, String), u32> = BTreeMap::new();
        for piece in state.contents(Place::Space(space)) {
            let face = view::sees_face(world, state, viewer, piece);
            if !face && !view::sees_count(world, viewer, space) {
                continue;
            }
            // Whose it is shows on the back of what lies open, not on what lies in a closed pile.
            let side = if face || open { state.get(TableId::PIECE, piece.0, piece_col::SIDE) } else { 0 };
            let proto = world.proto_of(state, piece.0).filter(|_| face);
            let name = proto.map_or("hidden".to_string(), |proto| proto.name.clone());
            *held.entry((side, name)).or_default() += 1;
        }
        let one = |((side, name), n): (&(i32, String), &u32)| {
            let side = SideId::from_cell(*side)
                .map_or_else(String::new, |side| format!("{} ", initial(world, side)));
            if *n == 1 { format!("{side}{name}") } else { format!("{side}{n} {name}") }
        };
        let _ = writeln!(text, "  {:24} {}", def.name, held.iter().map(one).collect::<Vec<_>>().join(", "));
    }
    text
}

//! The map as text: hexes by their place on the grid, other spaces as a list.

use crate::screen::Screen;
use sandtable_kernel::map::{BorderId, Offset, Orientation, Shifted, SpaceId};
use sandtable_kernel::state::{Place, State, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{NIL, SideId, World};
use sandtable_session::view::{self, Viewer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Widest line that the map may fill where there is no screen to fit.
const WIDE: usize = 200;

/// Who lies in a space: a letter of each side with how many; a small letter for what is not a unit.
fn garrison(world: &World, state: &State, space: SpaceId) -> String {
    let mut count = BTreeMap::new();
    for piece in state.contents(Place::Space(space)) {
        let side = state.get(TableId::PIECE, piece.0, piece_col::SIDE);
        let unit = world
            .component_of(state, piece.0)
            .is_some_and(|component| world.symbols.text(component.kind) == "unit");
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

/// How the hexes are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// What they must fit.
    pub screen: Option<Screen>,
    /// The hex around which they are drawn; all of them if none is named.
    pub around: Option<SpaceId>,
    /// The field that says what ground a hex is.
    pub terrain: &'a str,
}

/// The terrain of a space in one letter, and its name.
pub fn terrain(world: &World, field: &str, space: SpaceId) -> Option<(char, String)> {
    let column = world.space_fields.column(world.symbols.get(field)?)?;
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

/// A hex in its column and row; in every other column, or row, they lie half a hex lower, or further right.
#[derive(Clone, Copy)]
struct Placed {
    space: SpaceId,
    col: usize,
    row: usize,
    shifted: bool,
}

/// The hexes by their place on the grid, with a legend.
pub fn hexes(world: &World, state: &State, frame: &Frame) -> String {
    let Some(grid) = world.board.grid() else { return String::new() };
    let place = |space: SpaceId| {
        let at = grid.to_offset(world.board.hex(space)?);
        let line = if grid.orientation == Orientation::Flat { at.col } else { at.row };
        Some((space, at, (line & 1 == 1) == (grid.shifted == Shifted::Odd)))
    };
    let mut found: Vec<_> = world.board.spaces().filter_map(place).collect();
    let ids = found.iter().map(|hex| world.space_name(hex.0).chars().count()).max().unwrap_or(0);
    let width = frame.screen.map_or(WIDE, |screen| screen.width);
    if let Some((_, centre, _)) = frame.around.and_then(place) {
        let lines = frame.screen.map_or(24, |screen| screen.height);
        let (across, down) =
            ((width / (ids + 3)).max(3) as i32 - 1, (lines / 2).saturating_sub(5).max(3) as i32);
        let near = |at: i32, from: i32, all: i32| (at - from).abs() <= all / 2;
        found.retain(|(_, at, _)| near(at.col, centre.col, across) && near(at.row, centre.row, down));
    }
    let (Some(left), Some(top)) = (found.iter().map(|p| p.1.col).min(), found.iter().map(|p| p.1.row).min())
    else {
        return String::new();
    };
    let placed = |&(space, at, shifted): &(SpaceId, Offset, bool)| Placed {
        space,
        col: (at.col - left) as usize,
        row: (at.row - top) as usize,
        shifted,
    };
    let placed: Vec<Placed> = found.iter().map(placed).collect();
    let columns = placed.iter().map(|hex| hex.col + 1).max().unwrap_or(0);
    let full = columns * (ids + 3) <= width;
    let mut text = if full {
        with_ids(world, state, frame, &placed, ids + 3)
    } else {
        overview(world, state, frame, &placed, width - ids - 1)
    };
    text.push_str(&legend(world, frame, &placed));
    if !full {
        text.push_str("(left of each line the id of its first hex; `map HEX` draws what lies around one, with all ids)\n");
    }
    let shown: BTreeSet<SpaceId> = placed.iter().map(|hex| hex.space).collect();
    text.push_str(&printed(world, &shown, full, frame.around));
    text
}

/// Lines of parts, each at a place in its line and cut to a length.
fn drawn(lines: &BTreeMap<usize, BTreeMap<usize, String>>, longest: usize) -> Vec<String> {
    let line = |parts: &BTreeMap<usize, String>| {
        let mut shown = String::new();
        for (&x, part) in parts {
            let used = shown.chars().count();
            shown.extend(std::iter::repeat_n(' ', x.saturating_sub(used)));
            shown.extend(part.chars().take(longest));
        }
        shown.trim_end().to_string()
    };
    lines.values().map(line).collect()
}

/// Every hex with its id, its ground, and below it who is there.
fn with_ids(world: &World, state: &State, frame: &Frame, placed: &[Placed], width: usize) -> String {
    let flat = world.board.grid().is_some_and(|grid| grid.orientation == Orientation::Flat);
    let mut lines: BTreeMap<usize, BTreeMap<usize, String>> = BTreeMap::new();
    for hex in placed {
        let (x, y) = match flat {
            true => (hex.col * width, hex.row * 2 + usize::from(hex.shifted)),
            false => (hex.col * width + usize::from(hex.shifted) * (width / 2), hex.row * 2),
        };
        let letter = terrain(world, frame.terrain, hex.space).map_or('.', |kind| kind.0);
        lines.entry(y).or_default().insert(x, format!("{}{letter}", world.space_name(hex.space)));
        lines.entry(y + 1).or_default().insert(x, format!(" {}", garrison(world, state, hex.space)));
    }
    drawn(&lines, width - 1).iter().map(|line| format!("{line}\n")).collect()
}

/// Every hex as its ground or who is there, in as many strips below each other as the width asks for.
fn overview(world: &World, state: &State, frame: &Frame, placed: &[Placed], width: usize) -> String {
    let flat = world.board.grid().is_some_and(|grid| grid.orientation == Orientation::Flat);
    // Where hexes of neighbouring columns lie in different lines they need only half the room.
    let (narrow, room) = if flat { (2, 4) } else { (3, 4) };
    let columns = placed.iter().map(|hex| hex.col + 1).max().unwrap_or(0);
    let fits = |step: &usize| (columns + 1) * step <= width;
    let step = (narrow..=room).rev().find(fits).unwrap_or(narrow);
    let strip = (width / step).saturating_sub(1).max(1);
    let mut text = String::new();
    for first in (0..columns).step_by(strip) {
        let mut lines: BTreeMap<usize, BTreeMap<usize, String>> = BTreeMap::new();
        let mut named: BTreeMap<usize, (usize, &str)> = BTreeMap::new();
        for hex in placed.iter().filter(|hex| (first..first + strip).contains(&hex.col)) {
            let col = hex.col - first;
            let (x, y) = match flat {
                true => (col * step, hex.row * 2 + usize::from(hex.shifted)),
                false => (col * step + usize::from(hex.shifted) * (step / 2), hex.row),
            };
            let held = garrison(world, state, hex.space);
            let ground = || terrain(world, frame.terrain, hex.space).map_or('.', |kind| kind.0).to_string();
            lines.entry(y).or_default().insert(x, if held.is_empty() { ground() } else { held });
            let name = (x, world.space_name(hex.space));
            let known = named.entry(y).or_insert(name);
            *known = (*known).min(name);
        }
        if first > 0 {
            text.push('\n');
        }
        let ids = named.values().map(|name| name.1.chars().count()).max().unwrap_or(0);
        for (line, (_, name)) in
            drawn(&lines, if flat { 2 * step - 1 } else { step - 1 }).iter().zip(named.values())
        {
            let _ = writeln!(text, "{name:<ids$} {line}");
        }
    }
    text
}

/// What the letters on the map mean.
fn legend(world: &World, frame: &Frame, placed: &[Placed]) -> String {
    let mut grounds: BTreeMap<char, BTreeSet<String>> = BTreeMap::new();
    for (letter, name) in placed.iter().filter_map(|hex| terrain(world, frame.terrain, hex.space)) {
        grounds.entry(letter).or_default().insert(name);
    }
    let grounds = grounds
        .into_iter()
        .map(|(letter, names)| format!("{letter} {}", names.into_iter().collect::<Vec<_>>().join("/")));
    let sides = (0..world.sides.len() as u8)
        .map(|seat| format!("{} {}", initial(world, SideId(seat)), world.sides[seat as usize].1));
    let parts = [grounds.collect::<Vec<_>>().join(", "), sides.collect::<Vec<_>>().join(", ")];
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    format!("({}; capitals for units, small letters for the rest)\n", parts.join("; "))
}

/// Most borders of a kind that are listed one by one.
const LISTED: usize = 60;

/// What the grid does not show: named hexes, and what lies between hexes, or only what lies around one.
fn printed(world: &World, shown: &BTreeSet<SpaceId>, full: bool, around: Option<SpaceId>) -> String {
    let mut text = String::new();
    let named = shown.iter().filter_map(|&space| {
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
        if around.is_some_and(|hex| a != hex && b != hex) {
            continue;
        }
        for feature in features {
            let between = format!("{}|{}", world.space_name(a), world.space_name(b));
            borders.entry(world.symbols.text(*feature)).or_default().push(between);
        }
    }
    if !full && !borders.is_empty() {
        let all: Vec<&str> = borders.keys().copied().collect();
        let _ = writeln!(text, "between hexes: {} (`look HEX` says where)", all.join(", "));
        return text;
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
            let component = world.component_of(state, piece.0).filter(|_| face);
            let name = component.map_or("hidden".to_string(), |component| component.name.clone());
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

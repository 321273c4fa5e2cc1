//! Things by the names that people type at the terminal: ids, titles, and what is nearest to a mistyped one.

use sandtable_data::suggest;
use sandtable_kernel::world::SideId;
use sandtable_script::{ScriptContext, Val};
use sandtable_session::{changes, names};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    Game,
    Side(SideId),
    Space(u32),
    Piece(u32),
}

impl Thing {
    /// As scripts know it; the game itself is not a value.
    pub fn val(self, cx: &ScriptContext) -> Option<Val> {
        match self {
            Thing::Game => None,
            Thing::Side(side) => Some(Val::Sym(cx.side_sym(side))),
            Thing::Space(space) => Some(Val::Space(space)),
            Thing::Piece(piece) => Some(Val::Piece(piece)),
        }
    }
}

/// Finds a thing by its id, or else by its title, whatever its case.
pub fn find(cx: &ScriptContext, text: &str) -> Option<Thing> {
    match names::read_name(cx, text) {
        Val::Space(space) => return Some(Thing::Space(space)),
        Val::Piece(piece) => return Some(Thing::Piece(piece)),
        _ => {}
    }
    if let Some(side) = cx.world.find_side(text) {
        return Some(Thing::Side(side));
    }
    let wanted = text.to_lowercase();
    let called = |name: &str| name.to_lowercase() == wanted;
    let world = &cx.world;
    if let Some(side) = world.sides.iter().position(|side| called(&side.1)) {
        return Some(Thing::Side(SideId(side as u8)));
    }
    if let Some(space) = world.spaces.iter().position(|space| called(&space.name)) {
        return Some(Thing::Space(space as u32));
    }
    let play = cx.play.borrow();
    let pieces = play.state.rows(sandtable_kernel::state::TableId::PIECE);
    let named = |piece: &u32| world.component_of(&play.state, *piece).is_some_and(|row| called(&row.name));
    let piece = (0..pieces).find(named).map(Thing::Piece);
    piece.or_else(|| (wanted == "game").then_some(Thing::Game))
}

/// A thing by its id, with its title where that says more.
pub fn titled(cx: &ScriptContext, thing: Thing) -> String {
    let Some(val) = thing.val(cx) else { return "game".into() };
    let (id, title) = (cx.name(val), changes::title(cx, val));
    match title {
        none if none.is_empty() => id,
        title if title.contains(&id) => title,
        title => format!("{id} ({title})"),
    }
}

/// The names nearest to one that nothing has, as the end of a sentence.
pub fn nearest(cx: &ScriptContext, text: &str) -> String {
    let (world, play) = (&cx.world, cx.play.borrow());
    let mut known: Vec<String> = Vec::new();
    for (id, title, _) in &world.sides {
        known.extend([world.symbols.text(*id).to_string(), title.clone()]);
    }
    for space in &world.spaces {
        known.extend([world.symbols.text(space.id).to_string(), space.name.clone()]);
    }
    for row in &world.components {
        known.extend([world.symbols.text(row.id).to_string(), row.name.clone()]);
    }
    drop(play);
    for handler in &cx.registry.borrow().handlers {
        if handler.kind == sandtable_script::Kind::Offer {
            known.push(handler.id.clone());
        }
    }
    let near = suggest::nearest(text, known.iter().map(String::as_str));
    if near.is_empty() { String::new() } else { format!("; nearest: {}", near.join(", ")) }
}

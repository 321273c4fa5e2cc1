//! A game as text for a terminal: map, position, decisions, refusals, log. Draws and words; asks and answers nothing.

use crate::out;
use crate::terminal_map::{areas, hexes, terrain};
use crate::terminal_names::{Thing, find, nearest, titled};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{PieceId, Place, See, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{SideId, World};
use sandtable_script::{Choice, Cx, Decision, Host, Offered, Opt, Val};
use sandtable_session::view::{self, Viewer};
use sandtable_session::{Session, Status, changes, names};
use sandtable_table::sentences;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How a game ended, in words; nothing while it goes on.
pub fn ending(session: &Session) -> Option<String> {
    let Status::Ended(ending) = session.status() else { return None };
    let game = session.game();
    let winner =
        ending.winner.map_or("nobody", |side| game.definition.world.sides[side.0 as usize].1.as_str());
    let cx = game.host.cx();
    let reason = changes::sentence(cx, &cx.text(ending.reason), &[]);
    let rule = if ending.rule.is_empty() { String::new() } else { format!(" [{}]", ending.rule) };
    Some(out::line(&format!("{winner} won: {reason}{rule}")).into_owned())
}

/// Who looks at the terminal: the side whose turn it is; after the end, everybody.
fn viewer(session: &Session) -> Viewer {
    match (session.to_move(), session.status()) {
        (Some(side), _) => Viewer::Side(side),
        (None, Status::Ended(_)) => Viewer::Everything,
        (None, Status::Asking) => Viewer::Spectator,
    }
}

/// Everything a player sees at a stop: the map, what the game counts, and what is asked.
pub fn position(session: &mut Session) -> String {
    let mut text = board(session);
    let _ = writeln!(text, "{}", counts(session));
    text.push_str(&asked(session));
    text
}

/// The attributes of the game and of its sides that are not at their default.
pub fn counts(session: &mut Session) -> String {
    session.look(|host| {
        let cx = host.cx();
        let play = cx.play.borrow();
        let mut parts = Vec::new();
        for (table, from) in [(TableId::GAME, 1usize), (TableId::SIDE, 0)] {
            for row in 0..play.state.rows(table) {
                let own: Vec<String> = (0u16..)
                    .zip(&cx.world.schema.tables[table.0 as usize].columns)
                    .skip(from)
                    .filter(|(_, column)| {
                        column.see == See::All && !matches!(column.ty, Type::List(_) | Type::Record(_))
                    })
                    .filter_map(|(col, column)| {
                        let cell = play.state.get(table, row, col);
                        let shown =
                            (cell != column.default).then(|| changes::cell_name(cx, &column.ty, cell))?;
                        Some(format!("{} {shown}", cx.text(column.name)))
                    })
                    .collect();
                if !own.is_empty() {
                    let thing =
                        if table == TableId::GAME { "game" } else { cx.world.sides[row as usize].1.as_str() };
                    parts.push(format!("{thing}: {}", own.join(", ")));
                }
            }
        }
        parts.join("  |  ")
    })
}

/// The map: hexes by their place on the grid, areas as a list.
pub fn board(session: &mut Session) -> String {
    let viewer = viewer(session);
    session.look(|host| {
        let cx = host.cx();
        let play = cx.play.borrow();
        let mut text = hexes(&cx.world, &play.state);
        text.push_str(&areas(&cx.world, &play.state, viewer));
        text
    })
}

/// What is asked now, with numbered options.
pub fn asked(session: &mut Session) -> String {
    if let Some(ending) = ending(session) {
        return format!("The game is over: {ending}.\n");
    }
    // A step that cannot be run again is shown without what it is about; giving an answer says why.
    let _ = session.wake();
    let decisions = session.decisions().to_vec();
    let mut text = String::new();
    for decision in &decisions {
        text.push_str(&session.look(|host| question(host, decision)));
    }
    text
}

fn question(host: &Host, decision: &Decision) -> String {
    let cx = host.cx();
    let side = &cx.world.sides[decision.side.0 as usize].1;
    let asked = format!("{side}: {}", changes::question(host, decision));
    let mut text = format!("{}\n", out::line(&asked));
    match &decision.offered {
        Offered::List(options) => {
            for (number, opt) in (1..).zip(options) {
                let _ = writeln!(text, "  {number:>3}. {}", option(cx, *opt));
            }
        }
        Offered::Selection { values, items, bounds, .. } => {
            for ((number, &val), item) in (1..).zip(values).zip(items) {
                let cost = if item.cost > 0 { format!(", costs {}", item.cost) } else { String::new() };
                let most = if item.most > 1 { format!(" (up to {}{cost})", item.most) } else { cost };
                let _ = writeln!(text, "  {number:>3}. {}{most}", option(cx, Opt { tag: Sym::NONE, val }));
            }
            let mut how = format!("choose {} to {}", bounds.min, bounds.max);
            if bounds.at_least > 0 || bounds.at_most < i32::MAX {
                let _ = write!(how, ", for {} to {} in all", bounds.at_least, bounds.at_most);
            }
            let _ = writeln!(text, "  ({how}; several numbers in one line, `none` for none)");
        }
    }
    text
}

/// An option for people: its name, and its title where that says more.
fn option(cx: &Cx, opt: Opt) -> String {
    let plain = names::plain_option(cx, opt);
    let title = changes::title(cx, opt.val);
    let sym = |sym: Sym| cx.world.texts.get(&sym).cloned();
    let more = match opt {
        Opt { val: Val::Nil, tag } => sym(tag),
        Opt { val: Val::Sym(name), .. } => sym(name),
        Opt { val: Val::Piece(piece), .. } => {
            let place = cx.play.borrow().state.space_of(PieceId(piece));
            Some(match place {
                Some(space) => format!("{title}, at {}", cx.world.space_name(space)),
                None => title,
            })
        }
        _ => Some(title),
    };
    let all = match more {
        Some(more) if more != plain && !plain.ends_with(&more) => format!("{plain}  ({more})"),
        _ => plain,
    };
    out::line(&all).into_owned()
}

/// Whether a word is a number, if perhaps one that no option has.
fn numeral(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads a line as an answer: numbers of options, or their names.
pub fn choice(session: &mut Session, which: usize, text: &str) -> Result<Choice, String> {
    let Some(decision) = session.decisions().get(which).cloned() else {
        return Err("nothing is asked".into());
    };
    session.look(|host| {
        let by_name = names::find_choice(host.cx(), &decision, text);
        if let Ok(choice) = by_name {
            return Ok(choice);
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() || !words.iter().all(|word| numeral(word)) {
            return by_name.map_err(|error| error.to_string());
        }
        // The number of an option, from 0; nothing for one that is not there, however long.
        let at = |word: &str, count: usize| {
            let at = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            at.filter(|at| *at < count).ok_or_else(|| format!("there are options 1 to {count}, not {word}"))
        };
        match (words.as_slice(), &decision.offered) {
            (&[word], Offered::List(options)) => Ok(Choice::One(options[at(word, options.len())?])),
            (words, Offered::Selection { values, .. }) => {
                let mut counts = vec![0u32; values.len()];
                for word in words {
                    counts[at(word, values.len())?] += 1;
                }
                let chosen = values.iter().zip(counts).filter(|(_, n)| *n > 0).map(|(&val, n)| (val, n));
                Ok(Choice::Many(chosen.collect()))
            }
            _ => by_name.map_err(|error| error.to_string()),
        }
    })
}

/// What happened since a number of changes, in the page's sentences, as far as the side to move may know.
pub fn log(session: &mut Session, from: usize) -> Vec<String> {
    let viewer = viewer(session);
    let told = session.look(|host| sentences::told(host.cx(), viewer, from));
    told.iter().map(|line| out::line(line).into_owned()).collect()
}

/// What is known of a thing by its name: an id, a title, or `game`.
pub fn look(session: &mut Session, name: &str) -> String {
    let viewer = viewer(session);
    session.look(|host| {
        let cx = host.cx();
        let Some(thing) = find(cx, name) else {
            return format!("there is no space, piece or side `{name}`{}", nearest(cx, name));
        };
        let head = out::line(&titled(cx, thing)).into_owned();
        let (table, row) = match thing {
            Thing::Game => (TableId::GAME, 0),
            Thing::Side(side) => (TableId::SIDE, side.0.into()),
            Thing::Space(space) => return space_text(cx, viewer, space),
            Thing::Piece(piece) => {
                if !view::sees_face(&cx.world, &cx.play.borrow().state, viewer, PieceId(piece)) {
                    return format!("{name}: its face is hidden");
                }
                (TableId::PIECE, piece)
            }
        };
        match describe(cx, table, row).join(", ") {
            none if none.is_empty() => format!("{head}: nothing is counted"),
            text => format!("{head}: {}", out::line(&text)),
        }
    })
}

/// A space with its ground, what lies in it and what lies around it.
fn space_text(cx: &Cx, viewer: Viewer, row: u32) -> String {
    let text = describe(cx, TableId::SPACE, row).join(", ");
    let play = cx.play.borrow();
    let shown = |piece: PieceId| {
        let seen = view::sees_face(&cx.world, &play.state, viewer, piece);
        if seen { cx.world.piece_name(&play.state, piece.0) } else { "hidden".into() }
    };
    let held: Vec<String> = play.state.contents(Place::Space(SpaceId(row))).map(shown).collect();
    let held = if held.is_empty() { "empty".into() } else { held.join(", ") };
    let title = changes::title(cx, Val::Space(row));
    let ground = terrain(&cx.world, SpaceId(row)).map_or_else(String::new, |kind| format!(" ({})", kind.1));
    let between = if text.is_empty() { "" } else { "; " };
    let sides = hexsides(&cx.world, SpaceId(row));
    out::line(&format!("{title}{ground}: {held}{between}{text}{sides}")).into_owned()
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
fn describe(cx: &Cx, table: TableId, row: u32) -> Vec<String> {
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

//! A game as text for a terminal: map, position, decisions, refusals, log. Draws and words; asks and answers nothing.

use crate::out;
use crate::screen::{self, Screen};
use crate::terminal_look::look;
use crate::terminal_map::{Frame, areas, hexes};
use crate::terminal_names::{Thing, find};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::selection::Item;
use sandtable_kernel::state::{PieceId, See, TableId, Type};
use sandtable_kernel::symbol::Sym;
use sandtable_script::{Choice, Decision, Host, Offered, Opt, ScriptContext, Val};
use sandtable_session::view::Viewer;
use sandtable_session::{Session, Status, changes, names};
use sandtable_table::sentences;
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
pub fn viewer(session: &Session) -> Viewer {
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
    let (viewer, ground) = (viewer(session), ground(session));
    session.look(|host| {
        let cx = host.cx();
        let play = cx.play.borrow();
        let frame = Frame { screen: Screen::now(), around: None, terrain: &ground };
        let mut text = hexes(&cx.world, &play.state, &frame);
        text.push_str(&areas(&cx.world, &play.state, viewer));
        text
    })
}

/// The part of the map around a hex, or around a piece; of a place that is not a hex, what is known of it.
pub fn surroundings(session: &mut Session, name: &str) -> String {
    let ground = ground(session);
    let drawn = session.look(|host| {
        let cx = host.cx();
        let play = cx.play.borrow();
        let around = match find(cx, name)? {
            Thing::Space(space) => SpaceId(space),
            Thing::Piece(piece) => play.state.space_of(PieceId(piece))?,
            Thing::Game | Thing::Side(_) => return None,
        };
        cx.world.board.hex(around)?;
        let frame = Frame { screen: Screen::now(), around: Some(around), terrain: &ground };
        Some(hexes(&cx.world, &play.state, &frame))
    });
    drawn.unwrap_or_else(|| look(session, name) + "\n")
}

/// The field that says what ground a space is, as the page draws it.
pub fn ground(session: &Session) -> String {
    let display = &session.game().definition.display;
    display["map"]["terrain"].as_str().unwrap_or("terrain").to_string()
}

/// What is asked now, with numbered options.
pub fn asked(session: &mut Session) -> String {
    if let Some(ending) = ending(session) {
        return format!("The game is over: {ending}.\n");
    }
    // A step that cannot be run again is shown without what it is about; giving an answer says why.
    let _ = session.wake();
    let (decisions, screen) = (session.decisions().to_vec(), Screen::now());
    let mut text = String::new();
    for decision in &decisions {
        text.push_str(&session.look(|host| question(host, decision, screen)));
    }
    text
}

fn question(host: &Host, decision: &Decision, screen: Option<Screen>) -> String {
    let cx = host.cx();
    let side = &cx.world.sides[decision.side.0 as usize].1;
    let asked = format!("{side}: {}", changes::question(host, decision));
    let mut text = format!("{}\n", out::line(&asked));
    match &decision.offered {
        Offered::List(options) => {
            let entries =
                (1..).zip(options).map(|(number, opt)| format!("  {number:>3}. {}", option(cx, *opt)));
            text.push_str(&screen::columns(&entries.collect::<Vec<_>>(), screen));
        }
        Offered::Selection { values, items, bounds, .. } => {
            let entry = |((number, &val), item): ((usize, &Val), &Item)| {
                let cost = if item.cost > 0 { format!(", costs {}", item.cost) } else { String::new() };
                let most = if item.most > 1 { format!(" (up to {}{cost})", item.most) } else { cost };
                format!("  {number:>3}. {}{most}", option(cx, Opt { tag: Sym::NONE, val }))
            };
            let entries: Vec<String> = (1..).zip(values).zip(items).map(entry).collect();
            text.push_str(&screen::columns(&entries, screen));
            let range = |least: i64, most: i64| match least == most {
                true => least.to_string(),
                false => format!("{least} to {most}"),
            };
            let mut how = format!("choose {}", range(bounds.min.into(), bounds.max.into()));
            if bounds.at_least > 0 || bounds.at_most < i32::MAX {
                let all = range(bounds.at_least.into(), bounds.at_most.into());
                let _ = write!(how, ", for {all} in all");
            }
            let many =
                if items.iter().any(|item| item.most > 1) { ", `1*3` for three of the first" } else { "" };
            let _ = writeln!(text, "  ({how}; several numbers in one line{many}, `none` for none)");
        }
    }
    // What is asked must not have left the screen when the last option is read.
    if screen.is_some_and(|screen| text.lines().count() >= screen.height) {
        let _ = writeln!(text, "{}", out::line(&asked));
    }
    text
}

/// An option for people: its name, and its title where that says more.
fn option(cx: &ScriptContext, opt: Opt) -> String {
    let plain = names::plain_option(cx, opt);
    let title = changes::title(cx, opt.val);
    let sym = |sym: Sym| cx.world.texts.get(&sym).cloned();
    let more = match opt {
        Opt { val: Val::Nil, tag } => sym(tag),
        Opt { val: Val::Sym(name), .. } => sym(name),
        // Its id stands before it already.
        Opt { val: Val::Space(space), .. } => cx.world.spaces.get(space as usize).map(|def| def.name.clone()),
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
        Some(more) if !letters(&plain).ends_with(&letters(&more)) => format!("{plain}  ({more})"),
        _ => plain,
    };
    out::line(&all).into_owned()
}

/// What two names that say the same have in common: `northern-italy` and `Northern Italy`.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a word is a number, if perhaps one that no option has.
fn numeral(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A word as a number and how often it is meant: `3`, `3*2`.
fn counted(word: &str) -> Option<(&str, u32)> {
    let (word, times) = match word.split_once('*') {
        Some((word, times)) => (word, times.parse().ok().filter(|times| (1..=MOST).contains(times))?),
        None => (word, 1),
    };
    numeral(word).then_some((word, times))
}

/// Most often that one thing is chosen in a line.
const MOST: u32 = 1000;

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
        let counted: Option<Vec<(&str, u32)>> = words.iter().map(|word| counted(word)).collect();
        let Some(words) = counted.filter(|words| !words.is_empty()) else {
            return by_name.map_err(|error| error.to_string());
        };
        // The number of an option, from 0; nothing for one that is not there, however long.
        let at = |word: &str, count: usize| {
            let at = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            at.filter(|at| *at < count).ok_or_else(|| format!("there are options 1 to {count}, not {word}"))
        };
        match (words.as_slice(), &decision.offered) {
            (&[(word, 1)], Offered::List(options)) => Ok(Choice::One(options[at(word, options.len())?])),
            (words, Offered::Selection { values, .. }) => {
                let mut counts = vec![0u32; values.len()];
                for &(word, times) in words {
                    counts[at(word, values.len())?] += times;
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

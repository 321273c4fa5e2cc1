//! A point of a game as text for its authors: a case for a rulebook, or a scenario.

use crate::record::{Line, Record};
use crate::session::Session;
use crate::{changes, setup_export};
use sandtable_data::tree::{Value, toml_key};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{
    EffectId, KEPT, Lists, PieceId, Place, State, TableId, Type, effect_col, game_col, piece_col, space_col,
};
use sandtable_kernel::symbol::Sym;
use sandtable_script::{Play, ScriptContext, Val, arg_val};

/// The choices of a record as a case that plays the sequence from its beginning.
pub fn case(record: &Record, at: usize) -> String {
    let mut lines = vec![format!("scenario {}", record.scenario)];
    lines.extend(record.options.iter().map(|(id, value)| format!("option {id} = {value}")));
    lines.push(format!("seed {}", record.seed));
    lines.push("go".into());
    let choices = record.lines.iter().filter_map(|line| match line {
        Line::Answer(answer) if answer.digest.is_some() => {
            Some(format!("{}: {} {}", answer.side, answer.prompt, answer.choice))
        }
        _ => None,
    });
    lines.extend(choices.take(at));
    lines.push("stop".into());
    format!("```case\n{}\n```\n", lines.join("\n"))
}

/// Set-up lines by their verb, in the order in which they are followed.
type Position = Vec<(&'static str, Vec<String>)>;

/// The position in the VM as a case of its own, for a game in which something was changed outside the rules.
pub fn position_case(cx: &ScriptContext, record: &Record) -> String {
    let mut lines: Vec<String> =
        record.options.iter().map(|(id, value)| format!("option {id} = {value}")).collect();
    for (verb, texts) in position(cx) {
        lines.extend(texts.iter().map(|text| format!("{verb} {text}")));
    }
    format!("```case\n{}\n```\n", lines.join("\n"))
}

/// A position at the beginning of a step, for a case of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Its set-up lines, with their verbs.
    pub lines: Vec<String>,
    /// The node of the sequence that the step belongs to.
    pub node: String,
    /// How many answers were given before.
    pub before: usize,
}

/// The beginning of the step that answer number `to` belongs to.
pub fn moment(session: &Session, to: usize) -> Option<Moment> {
    session.at_step(to, |host, begin, before| {
        let written = |(verb, texts): (&str, Vec<String>)| {
            texts.into_iter().map(|text| format!("{verb} {text}")).collect::<Vec<_>>()
        };
        let lines = position(host.cx()).into_iter().flat_map(written).collect();
        let last = begin.rsplit(" > ").next().unwrap_or_default();
        let node = last.split_whitespace().next().unwrap_or_default().to_string();
        Moment { lines, node, before }
    })
}

/// A text that the kernel holds, in quotes where set-up lines need them.
fn worded(text: String) -> String {
    let bare = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || ";,=\"".contains(c));
    if bare { text } else { format!("\"{text}\"") }
}

/// Everything that is not as it is before any set-up.
fn position(cx: &ScriptContext) -> Position {
    let world = &*cx.world;
    let play = cx.play.borrow();
    let state = &play.state;
    let mut fresh = Play::new(world, 0);
    let mut make: Vec<(&str, u32)> = Vec::new();
    let (mut place, mut pile) = (Vec::new(), Vec::new());
    // Pieces that were made in play, in order, so that all keep their numbers.
    for piece in fresh.state.rows(TableId::PIECE)..state.rows(TableId::PIECE) {
        let component = state.get(TableId::PIECE, piece, piece_col::COMPONENT) - 1;
        if let Some(row) = world.components.get(component as usize) {
            world.push_piece(&mut fresh.state, component as u32, row.side);
            let name = world.symbols.text(row.id);
            match make.last_mut() {
                Some((last, n)) if *last == name => *n += 1,
                _ => make.push((name, 1)),
            }
        }
    }
    for space in 0..world.spaces.len() as u32 {
        let names: Vec<String> = state
            .contents(Place::Space(SpaceId(space)))
            .map(|piece| world.piece_name(state, piece.0))
            .collect();
        let id = world.space_name(SpaceId(space));
        if world.symbols.text(world.spaces[space as usize].kind) == "pile" && !names.is_empty() {
            pile.push(format!("{id} {}", names.join(" ")));
        } else {
            place.extend(names.iter().map(|name| format!("{name} {id}")));
        }
    }
    let carriers = (0..state.rows(TableId::PIECE)).flat_map(|piece| {
        let carrier = world.piece_name(state, piece);
        let carried = state.contents(Place::Piece(PieceId(piece)));
        carried.map(move |cargo| format!("{} {carrier}", world.piece_name(state, cargo.0)))
    });
    place.extend(carriers);
    let (reveal, conceal) = shown(cx, state);
    vec![
        ("make", make.iter().map(|(name, n)| format!("{name} {n}")).collect()),
        ("record", records(cx, state)),
        ("place", place),
        ("set", cells(cx, state, &fresh.state)),
        ("pile", pile),
        ("reveal", reveal),
        ("conceal", conceal),
        ("effect", effects(cx, state)),
    ]
}

/// Attributes that are not as they are at first.
fn cells(cx: &ScriptContext, state: &State, fresh: &State) -> Vec<String> {
    let world = &*cx.world;
    let mut lines = Vec::new();
    let tables = [
        (TableId::GAME, game_col::COUNT),
        (TableId::SIDE, 0),
        (TableId::SPACE, space_col::COUNT),
        (TableId::PIECE, piece_col::SIDE),
    ];
    for (table, from) in tables {
        let columns = &world.schema.tables[table.0 as usize].columns;
        for row in 0..state.rows(table) {
            for (col, column) in (0u16..).zip(columns).skip(from as usize) {
                let own = table != TableId::PIECE
                    || [piece_col::SIDE, piece_col::LEVEL, piece_col::FACING].contains(&col)
                    || col >= piece_col::COUNT;
                let cell = state.get(table, row, col);
                if own && !same(&column.ty, (state, cell), (fresh, fresh.get(table, row, col))) {
                    let thing = match table {
                        TableId::GAME => "game".to_string(),
                        TableId::SIDE => world.symbols.text(world.sides[row as usize].0).to_string(),
                        TableId::SPACE => world.space_name(SpaceId(row)).to_string(),
                        _ => world.piece_name(state, row),
                    };
                    // The kernel counts facings from 1.
                    let facing = table == TableId::PIECE && col == piece_col::FACING && cell > 0;
                    let value =
                        if facing { (cell - 1).to_string() } else { value(cx, state, &column.ty, cell, " ") };
                    lines.push(format!("{thing}.{} {value}", world.symbols.text(column.name)));
                }
            }
        }
    }
    lines
}

/// Whether two cells hold the same.
fn same(ty: &Type, (a, one): (&State, i32), (b, two): (&State, i32)) -> bool {
    if matches!(ty, Type::List(_)) { a.list(one) == b.list(two) } else { one == two }
}

/// A cell as set-up lines write it.
fn value(cx: &ScriptContext, state: &State, ty: &Type, cell: i32, between: &str) -> String {
    match ty {
        Type::List(of) => {
            let items = state.list(cell);
            items.iter().map(|&cell| value(cx, state, of, cell, between)).collect::<Vec<_>>().join(between)
        }
        Type::Text | Type::Enum(_) if cell != 0 => worded(changes::cell_name(cx, ty, cell)),
        ty => changes::cell_name(cx, ty, cell),
    }
}

/// Records in play.
fn records(cx: &ScriptContext, state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    let first = TableId::FIRST_RECORD.0;
    for (table, schema) in (first..).zip(cx.world.schema.tables.iter().skip(first as usize)) {
        let table = TableId(table);
        for row in (0..state.rows(table)).filter(|&row| state.get(table, row, 0) != 0) {
            let mut line = format!("{} {row}", cx.text(schema.name));
            for (col, column) in (0u16..).zip(&schema.columns).skip(1) {
                let cell = state.get(table, row, col);
                if cell != column.default {
                    line.push_str(&format!(
                        " {}={}",
                        cx.text(column.name),
                        value(cx, state, &column.ty, cell, ",")
                    ));
                }
            }
            lines.push(line);
        }
    }
    lines
}

/// Who sees the face of a piece, and who does not although its place shows it.
fn shown(cx: &ScriptContext, state: &State) -> (Vec<String>, Vec<String>) {
    let world = &*cx.world;
    let (mut reveal, mut conceal) = (Vec::new(), Vec::new());
    for piece in 0..state.rows(TableId::PIECE) {
        let seen = state.get(TableId::PIECE, piece, piece_col::SEEN);
        for (bits, lines) in [(seen, &mut reveal), (seen >> 8, &mut conceal)] {
            let sides = (0..world.sides.len()).filter(|side| bits & (1 << side) != 0);
            let sides: Vec<&str> = sides.map(|side| world.symbols.text(world.sides[side].0)).collect();
            if !sides.is_empty() {
                lines.push(format!("{} {}", world.piece_name(state, piece), sides.join(" ")));
            }
        }
    }
    (reveal, conceal)
}

/// Effects in force, oldest first.
fn effects(cx: &ScriptContext, state: &State) -> Vec<String> {
    let get = |row, col| state.get(TableId::EFFECT, row, col);
    let mut rows: Vec<u32> =
        (0..state.rows(TableId::EFFECT)).filter(|&row| get(row, effect_col::NAME) != 0).collect();
    rows.sort_by_key(|&row| get(row, effect_col::SERIAL));
    let word = |cell: i32| worded(cx.text(Sym::from_cell(cell)));
    let line = |row: u32| {
        let mut line = word(get(row, effect_col::NAME));
        for (name, col) in [("lasts", effect_col::UNTIL), ("on", effect_col::ON)] {
            if get(row, col) != 0 {
                line.push_str(&format!(" {name} {}", word(get(row, col))));
            }
        }
        for (name, col) in [("after", effect_col::AFTER), ("times", effect_col::TIMES)] {
            if get(row, col) == KEPT {
                line.push_str(" kept");
            } else if get(row, col) != 0 {
                line.push_str(&format!(" {name} {}", get(row, col)));
            }
        }
        for arg in state.effect_args(EffectId(row)) {
            let val = arg_val(arg.tag, arg.cell);
            let mut text = cx.name(val);
            // Quotes tell a text, and `#` a number, from the thing of that name.
            if setup_export::argument(cx, &cx.play.borrow(), &text) != Some(val) {
                text = match val {
                    Val::Int(_) => format!("#{text}"),
                    _ => format!("\"{text}\""),
                };
            }
            line.push_str(&format!(" {}={text}", cx.text(arg.key)));
        }
        line
    };
    rows.into_iter().map(line).collect()
}

/// The moment before answer number `to` as a scenario: the position at the beginning of the step that it belongs to, and the
/// place in the sequence of play. `at` is the number of choices before it.
pub fn scenario(session: &Session, record: &Record, at: usize, to: usize) -> String {
    let scenario = &session.game().definition.scenario;
    let patches: Vec<String> =
        scenario.patches.iter().map(|(key, value)| format!("{} = {value}", toml_key(key))).collect();
    let patches = match patches.as_slice() {
        [] => String::new(),
        patches => format!("patch = {{ {} }}\n", patches.join(", ")),
    };
    let text = session.at_step(to, |host, begin, before| {
        scenario_at(host.cx(), record, (at, to - before), begin, &patches)
    });
    text.unwrap_or_default()
}

fn scenario_at(
    cx: &ScriptContext,
    record: &Record,
    (at, since): (usize, usize),
    begin: &str,
    patches: &str,
) -> String {
    let options: Vec<String> = record
        .options
        .iter()
        .map(|(id, value)| {
            let plain = value.parse::<i64>().is_ok() || value == "true" || value == "false";
            format!("{id} = {}", if plain { value.clone() } else { Value::toml_text(value) })
        })
        .collect();
    let mut text = format!(
        "# A game of {} with seed {} after {at} choices, from the beginning of its step on",
        record.game.id, record.seed
    );
    text.push_str(&match since {
        0 => ".\n".to_string(),
        n => format!(" ({n} answers were given in it).\n"),
    });
    let id = format!("{}-{at}", record.scenario);
    text.push_str(&format!(
        "[scenario.{id}]\ntitle = {}\nbegin = {}\noptions = {{ {} }}\n{patches}",
        Value::toml_text(&format!("{} after {at} choices", record.scenario)),
        Value::toml_text(begin),
        options.join(", ")
    ));
    for (verb, lines) in position(cx).into_iter().filter(|(_, lines)| !lines.is_empty()) {
        let lines: Vec<String> = lines.iter().map(|line| Value::toml_text(line)).collect();
        text.push_str(&format!("{verb} = [\n    {},\n]\n", lines.join(",\n    ")));
    }
    text
}

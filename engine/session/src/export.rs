//! A point of a game as text for its authors: a case for a rulebook, or a scenario.

use crate::changes;
use crate::record::{Line, Record};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{Lists, PieceId, Place, TableId, Type, piece_col, space_col};
use sandtable_script::Cx;

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

/// A quoted text of TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A position as set-up lines.
#[derive(Default)]
struct Position {
    set: Vec<String>,
    place: Vec<String>,
    pile: Vec<String>,
}

/// The position in the VM as a case of its own, for a game in which something was changed outside the rules.
pub fn position_case(cx: &Cx, record: &Record) -> String {
    let Position { set, place, pile } = position(cx);
    let mut lines: Vec<String> =
        record.options.iter().map(|(id, value)| format!("option {id} = {value}")).collect();
    for (verb, texts) in [("set", set), ("place", place), ("pile", pile)] {
        lines.extend(texts.iter().map(|text| format!("{verb} {text}")));
    }
    format!("```case\n{}\n```\n", lines.join("\n"))
}

/// Where every piece lies, and every attribute that is not at its default.
fn position(cx: &Cx) -> Position {
    let world = &cx.world;
    let Position { mut place, mut pile, mut set } = Position::default();
    let play = cx.play.borrow();
    let state = &play.state;
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
    for piece in 0..state.rows(TableId::PIECE) {
        let carried: Vec<String> = state
            .contents(Place::Piece(PieceId(piece)))
            .map(|cargo| world.piece_name(state, cargo.0))
            .collect();
        let carrier = world.piece_name(state, piece);
        place.extend(carried.iter().map(|name| format!("{name} {carrier}")));
    }
    let tables = [
        (TableId::GAME, 1),
        (TableId::SIDE, 0),
        (TableId::SPACE, space_col::COUNT),
        (TableId::PIECE, piece_col::LEVEL),
    ];
    for (table, from) in tables {
        let columns = &world.schema.tables[table.0 as usize].columns;
        for row in 0..state.rows(table) {
            let thing = match table {
                TableId::GAME => "game".to_string(),
                TableId::SIDE => world.symbols.text(world.sides[row as usize].0).to_string(),
                TableId::SPACE => world.space_name(SpaceId(row)).to_string(),
                _ => world.piece_name(state, row),
            };
            for (col, column) in (0u16..).zip(columns).skip(from as usize) {
                let cell = state.get(table, row, col);
                let usual =
                    if table == TableId::PIECE && col == piece_col::LEVEL { 1 } else { column.default };
                if cell == usual
                    || (table == TableId::PIECE && (piece_col::FACING..piece_col::COUNT).contains(&col))
                {
                    continue;
                }
                let value = match &column.ty {
                    Type::List(of) => {
                        let items = state.list(cell);
                        items
                            .iter()
                            .map(|&cell| changes::cell_name(cx, of, cell))
                            .collect::<Vec<_>>()
                            .join(" ")
                    }
                    Type::Record(_) => continue,
                    ty => changes::cell_name(cx, ty, cell),
                };
                set.push(format!("{thing}.{} {value}", world.symbols.text(column.name)));
            }
        }
    }
    Position { set, place, pile }
}

/// The position in the VM as a scenario; the sequence of play begins anew.
pub fn scenario(cx: &Cx, record: &Record, at: usize) -> String {
    let Position { set, place, pile } = position(cx);
    let options: Vec<String> = record
        .options
        .iter()
        .map(|(id, value)| {
            let plain = value.parse::<i64>().is_ok() || value == "true" || value == "false";
            format!("{id} = {}", if plain { value.clone() } else { quoted(value) })
        })
        .collect();
    let list = |name: &str, items: &[String]| match items {
        [] => String::new(),
        items => {
            let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
            format!("{name} = [\n    {},\n]\n", items.join(",\n    "))
        }
    };
    format!(
        "# The position of a {} game of seed {} after {at} choices. The sequence of play begins anew.\n[scenario.{}-{at}]\ntitle = \"{} after {at} choices\"\noptions = {{ {} }}\n{}{}{}",
        record.game.id,
        record.seed,
        record.scenario,
        record.scenario,
        options.join(", "),
        list("set", &set),
        list("place", &place),
        list("pile", &pile)
    )
}

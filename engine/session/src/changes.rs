//! Change records in canonical form: what cases expect and what people read in a log.

use sandtable_kernel::map::SpaceId;
use sandtable_kernel::number::{Op, Part};
use sandtable_kernel::state::{PieceId, Place, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Named, SideId};
use sandtable_script::{Change, Decision, Host, ScriptContext, Val};

/// The name of a place, `-` for none.
pub fn place_name(cx: &ScriptContext, cell: i32) -> String {
    match Place::from_cell(cell) {
        Place::Nowhere => "-".into(),
        Place::Space(SpaceId(space)) => cx.name(Val::Space(space)),
        Place::Piece(PieceId(piece)) => cx.name(Val::Piece(piece)),
    }
}

/// A cell in words.
pub fn cell_name(cx: &ScriptContext, ty: &Type, cell: i32) -> String {
    match ty {
        Type::Bool => (cell != 0).to_string(),
        Type::Int { .. } => cell.to_string(),
        _ if cell == 0 => "nil".into(),
        Type::Text | Type::Enum(_) => cx.text(Sym::from_cell(cell)),
        Type::Side => SideId::from_cell(cell).map_or_else(String::new, |side| cx.text(cx.side_sym(side))),
        Type::Piece => cx.name(Val::Piece((cell - 1) as u32)),
        Type::Space => cx.name(Val::Space((cell - 1) as u32)),
        Type::Record(table) => cx.name(Val::Record(table.0, (cell - 1) as u32)),
        Type::List(_) => String::new(),
    }
}

/// The thing that a row of a table stands for.
fn thing(cx: &ScriptContext, table: TableId, row: u32) -> String {
    match table {
        TableId::GAME => "game".into(),
        TableId::SIDE => cx.text(cx.side_sym(SideId(row as u8))),
        TableId::SPACE => cx.name(Val::Space(row)),
        TableId::PIECE => cx.name(Val::Piece(row)),
        other => cx.name(Val::Record(other.0, row)),
    }
}

/// One operation of a number with the id of its handler.
pub fn part_name(cx: &ScriptContext, part: &Part) -> String {
    let registry = cx.registry.borrow();
    let id = registry.handlers.get(part.handler as usize).map_or("?", |handler| handler.id.as_str());
    match part.op {
        Op::Add(n) => format!("{n:+} {id}"),
        Op::Times(n, 1) => format!("x{n} {id}"),
        Op::Times(n, d) => format!("x{n}/{d} {id}"),
        Op::RoundDown => format!("round down {id}"),
        Op::RoundUp => format!("round up {id}"),
        Op::AtLeast(n) => format!("at least {n} {id}"),
        Op::AtMost(n) => format!("at most {n} {id}"),
        Op::Set(n) => format!("={n} {id}"),
    }
}

/// A change as cases write it; nothing for what only concerns the inside of a procedure.
pub fn canonical(cx: &ScriptContext, change: &Change) -> Option<String> {
    Some(match change {
        Change::Move { piece, from, to } => {
            format!("move {} {} {}", cx.name(Val::Piece(*piece)), place_name(cx, *from), place_name(cx, *to))
        }
        Change::Set { table, .. } | Change::SetList { table, .. } if *table >= TableId::FIRST_RECORD => {
            return None;
        }
        Change::Set { table, row, col, new, .. } => {
            let column = cx.world.schema.get(*table, *col)?;
            let value = match (*table, *col, *new) {
                // Scripts and cases count directions from 0; a cell has none of them as 0.
                (TableId::PIECE, piece_col::FACING, 1..) => (new - 1).to_string(),
                (TableId::PIECE, piece_col::FACING, _) => "nil".into(),
                _ => cell_name(cx, &column.ty, *new),
            };
            format!("set {}.{} {value}", thing(cx, *table, *row), cx.text(column.name))
        }
        Change::SetList { table, row, col, new } => {
            let column = cx.world.schema.get(*table, *col)?;
            let Type::List(of) = &column.ty else { return None };
            let values: Vec<String> = new.iter().map(|&cell| cell_name(cx, of, cell)).collect();
            format!("set {}.{} {}", thing(cx, *table, *row), cx.text(column.name), values.join(" "))
        }
        Change::Create(piece) => format!("create {}", cx.name(Val::Piece(*piece))),
        Change::Destroy(piece) => format!("destroy {}", cx.name(Val::Piece(*piece))),
        Change::Shuffle(space) => format!("shuffle {}", cx.name(Val::Space(*space))),
        Change::Reveal { piece, shown, .. } => {
            let verb = if *shown { "reveal" } else { "conceal" };
            format!("{verb} {}", cx.name(Val::Piece(*piece)))
        }
        Change::Roll { label, value, .. } => format!("roll {} {value}", cx.text(*label)),
        Change::Number { name, value, parts, .. } => {
            let parts: Vec<String> = parts.iter().map(|part| part_name(cx, part)).collect();
            format!("number {} {value} = {}", cx.text(*name), parts.join(", "))
        }
        Change::StartEffect(name) => format!("effect {}", cx.text(*name)),
        Change::EndEffect(name) => format!("end-effect {}", cx.text(*name)),
        Change::End(ending) => {
            let winner = ending.winner.map_or_else(|| "nobody".into(), |side| cx.text(cx.side_sym(side)));
            format!("end {winner} {}", cx.text(ending.reason))
        }
        Change::Edit(line) => format!("edit {line}"),
        Change::StartRecord(..) | Change::FinishRecord(..) | Change::Log(..) | Change::Step(_) => {
            return None;
        }
    })
}

/// A text of the game with its arguments filled in.
pub fn sentence(cx: &ScriptContext, text: &str, args: &[Val]) -> String {
    let known = cx.symbols.borrow().get(text).and_then(|sym| cx.world.texts.get(&sym).cloned());
    let mut sentence = known.unwrap_or_else(|| text.to_string());
    for (at, &arg) in args.iter().enumerate() {
        sentence = sentence.replace(&format!("{{{}}}", at + 1), &title(cx, arg));
    }
    sentence
}

/// What a roll is for: the text `roll.LABEL`, else its label, in which a side stands by its name.
pub fn roll_title(cx: &ScriptContext, label: Sym) -> String {
    let label = cx.text(label);
    let text = cx.symbols.borrow().get(&format!("roll.{label}"));
    if let Some(text) = text.and_then(|sym| cx.world.texts.get(&sym)) {
        return text.clone();
    }
    let side = |word: &str| cx.world.find_side(word).map(|side| cx.world.sides[side.0 as usize].1.clone());
    let words: Vec<String> =
        label.split('.').map(|word| side(word).unwrap_or_else(|| word.replace(['-', '_'], " "))).collect();
    words.join(", ")
}

/// What a decision asks, with what it is about filled in.
pub fn question(host: &Host, decision: &Decision) -> String {
    let cx = host.cx();
    let id = cx.text(decision.prompt);
    let mut text = sentence(cx, &id, &[]);
    if text.contains('{') {
        for (name, val) in host.subjects(decision) {
            text = text.replace(&format!("{{{name}}}"), &title(cx, val));
        }
    }
    text
}

/// A value as people call it: names rather than ids.
pub fn title(cx: &ScriptContext, val: Val) -> String {
    match val {
        Val::Piece(piece) => {
            let play = cx.play.borrow();
            cx.world
                .component_of(&play.state, piece)
                .map_or_else(String::new, |component| component.name.clone())
        }
        Val::Space(space) => {
            let def = &cx.world.spaces[space as usize];
            let id = cx.world.symbols.text(def.id);
            // Only a hex is known by its number too.
            let hex = cx.world.board.hex(SpaceId(space)).is_some();
            if hex && def.name != id { format!("{} ({id})", def.name) } else { def.name.clone() }
        }
        Val::Sym(sym) => match (cx.side(sym), cx.world.names.get(&sym)) {
            (Some(side), _) => cx.world.sides[side.0 as usize].1.clone(),
            (None, Some(Named::Component(component))) => {
                cx.world.components[*component as usize].name.clone()
            }
            (None, _) => cx.text(sym),
        },
        other => cx.name(other),
    }
}

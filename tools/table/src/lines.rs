//! The log as JSON: what happened, one line each, as far as a viewer may know it. The page puts it into sentences of its language.

use crate::picture::seen_label;
use crate::thing::{Object, PieceNames, ViewerScope, plain, reference, word};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::number::{Op, Part};
use sandtable_kernel::state::{PieceId, Place, See, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use sandtable_script::{Answer, Change, Choice, Opt, ScriptContext, Val};
use sandtable_session::changes;
use sandtable_session::view::{self, Sight, Viewer, sees_face};
use serde_json::{Value, json};

/// One line, made at the stop after it happened, with what the viewer saw then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Number of the change it tells; an answer has that of the first change after it. Nobody is told it, because it counts
    /// what is hidden too.
    pub change: usize,
    /// The line as JSON, with its number among the lines of this viewer.
    pub json: Box<str>,
}

/// What is told: changes and answers from a number of changes on.
pub struct Told<'a> {
    /// The number of the first change.
    pub from: usize,
    /// For each choice so far the number of changes before it.
    pub choices: &'a [usize],
    /// The answers that somebody gave.
    pub answers: &'a [LoggedAnswer],
}

/// An answer that somebody gave.
pub struct LoggedAnswer {
    /// The number of changes before it.
    pub change: usize,
    /// Which choice of the game it is, from 1.
    pub choice: usize,
    /// The answer.
    pub answer: Answer,
    /// Whether others have yet to answer at the same time: until then it is known to its own side only.
    pub secret: bool,
}

/// What has happened, as a viewer may know it; the first line of this viewer's log that is made here has the number `first`.
pub fn lines(cx: &ScriptContext, viewer: Viewer, told: &Told<'_>, first: usize) -> Vec<Line> {
    let finish = |(n, (change, mut json)): (usize, (usize, Object))| {
        json.insert("n".into(), json!(n));
        // An answer knows its own number: how many follow it before anything changes may be a secret.
        json.entry("choice")
            .or_insert_with(|| json!(told.choices.partition_point(|before| *before <= change)));
        Line { change, json: Value::from(json).to_string().into() }
    };
    (first..).zip(objects(cx, viewer, told)).map(finish).collect()
}

/// The same as values, with the numbers of the changes.
pub fn objects(cx: &ScriptContext, viewer: Viewer, told: &Told<'_>) -> Vec<(usize, Object)> {
    let play = cx.play.borrow();
    let names = PieceNames::new(&cx.world, &play.state);
    let eyes = ViewerScope { cx, state: &play.state, viewer, names: &names };
    let open = !told.answers.is_empty() && open(&eyes);
    let known = |given: &&LoggedAnswer| (open && !given.secret) || viewer == Viewer::Side(given.answer.side);
    let mut answers = told.answers.iter().filter(known).peekable();
    let mut lines = Vec::new();
    let changes = play.changes.get(told.from..).unwrap_or_default();
    for (n, change) in (told.from..).zip(changes) {
        while let Some(given) = answers.next_if(|given| given.change <= n) {
            lines.push((given.change, answer(cx, given)));
        }
        lines.extend(line(&eyes, change).map(|line| (n, line)));
    }
    lines.extend(answers.map(|given| (given.change, answer(cx, given))));
    lines
}

/// Whether nothing is hidden from anybody, by the data or on the table. Everybody may then know what the others answered.
///
/// What somebody chose may be a secret even if all it names can be seen, so no more is told than that.
fn open(eyes: &ViewerScope<'_>) -> bool {
    let world = &eyes.cx.world;
    let mut columns = world.schema.tables.iter().flat_map(|table| &table.columns);
    let seen = |piece: u32| sees_face(world, eyes.state, Viewer::Spectator, PieceId(piece));
    columns.all(|column| column.see == See::All)
        && world.spaces.iter().all(|space| space.see == See::All)
        && (0..eyes.state.rows(TableId::PIECE)).all(seen)
}

fn answer(cx: &ScriptContext, LoggedAnswer { choice, answer, .. }: &LoggedAnswer) -> Object {
    let text = crate::asked::choice_label(cx, &answer.choice);
    let (side, prompt) = (cx.world.side_name(answer.side), cx.text(answer.prompt));
    let mut line =
        object("answer", json!({ "side": side, "prompt": prompt, "text": text, "choice": choice }));
    if let Choice::One(Opt { val: Val::Bool(truth), .. }) = answer.choice {
        line.insert("truth".into(), json!(truth));
    }
    line
}

fn object(kind: &str, more: Value) -> Object {
    let mut line = match more {
        Value::Object(more) => more,
        _ => Object::new(),
    };
    line.insert("kind".into(), json!(kind));
    line
}

fn line(eyes: &ViewerScope<'_>, change: &Change) -> Option<Object> {
    let cx = eyes.cx;
    let sight = view::sight(cx, eyes.viewer, change);
    if sight == Sight::Nothing {
        return None;
    }
    let title = |piece: u32| seen_label(cx, eyes.viewer, Val::Piece(piece));
    let name = |piece: u32| eyes.names.get(piece).to_string();
    Some(match change {
        Change::Move { piece, from, to } => return moved(eyes, sight, *piece, *from, *to),
        Change::Set { table, row, col, old, new } => return set(eyes, *table, *row, *col, *old, Some(*new)),
        Change::SetList { table, row, col, .. } => return set(eyes, *table, *row, *col, 0, None),
        Change::Create(piece) => object("create", json!({ "piece": name(*piece), "title": title(*piece) })),
        Change::Destroy(piece) => object("destroy", json!({ "piece": name(*piece), "title": title(*piece) })),
        Change::Shuffle(space) => {
            let space = Val::Space(*space);
            object("shuffle", json!({ "space": cx.name(space), "title": changes::title(cx, space) }))
        }
        Change::Reveal { piece, shown, .. } => {
            let kind = if *shown { "reveal" } else { "conceal" };
            object(kind, json!({ "piece": name(*piece), "title": title(*piece) }))
        }
        Change::Roll { label, sides, value } => object(
            "roll",
            json!({ "label": cx.text(*label), "title": changes::roll_title(cx, *label), "value": value, "sides": sides }),
        ),
        Change::Number { name, value, parts, .. } => object("number", number(cx, *name, *value, parts)),
        Change::StartEffect(name) => {
            object("effect", json!({ "id": cx.text(*name), "title": word(cx, *name) }))
        }
        Change::EndEffect(name) => {
            object("end-effect", json!({ "id": cx.text(*name), "title": word(cx, *name) }))
        }
        Change::Log(text, _) => {
            let told = view::seen_change(cx, eyes.viewer, change)?;
            object("log", json!({ "id": cx.text(*text), "text": told }))
        }
        Change::Step(name) => {
            let id = cx.text(*name);
            // Events and procedures inside a step are the engine's business.
            let node = id.split('.').next().unwrap_or_default().to_string();
            object("step", json!({ "node": node, "id": id, "title": plain(&id) }))
        }
        Change::End(ending) => {
            let reason = changes::sentence(cx, &cx.text(ending.reason), &[]);
            let winner = ending.winner.map(|side| cx.world.side_name(side));
            object("end", json!({ "winner": winner, "reason": reason, "rule": ending.rule }))
        }
        Change::Edit(line) => {
            // Whoever may not see a piece may not read its name in an edit either.
            let hidden = |word: &str| {
                let piece = cx.world.find_piece(eyes.state, word.split('.').next().unwrap_or(word));
                let piece = cx.world.find_piece(eyes.state, word).or(piece);
                piece.is_some_and(|piece| !sees_face(&cx.world, eyes.state, eyes.viewer, PieceId(piece)))
            };
            let words = line.split_whitespace().map(|word| if hidden(word) { "?" } else { word });
            let shown = words.collect::<Vec<_>>().join(" ");
            object("edit", json!({ "line": shown }))
        }
        Change::StartRecord(..) | Change::FinishRecord(..) => return None,
    })
}

/// A place as the page knows it: a space, or a piece that carries; with its name, which is empty for a carrier that is not seen, and
/// for a space of which the viewer may not know that something hidden went there.
fn place(eyes: &ViewerScope<'_>, sight: Sight, cell: i32) -> (Value, Option<String>) {
    let cx = eyes.cx;
    match Place::from_cell(cell) {
        Place::Nowhere => (Value::Null, None),
        Place::Space(space) if sight != Sight::Whole && !view::sees_count(&cx.world, eyes.viewer, space) => {
            (Value::Null, Some(String::new()))
        }
        Place::Space(SpaceId(space)) => {
            (json!(cx.name(Val::Space(space))), Some(changes::title(cx, Val::Space(space))))
        }
        Place::Piece(carrier) => {
            let seen = sees_face(&cx.world, eyes.state, eyes.viewer, carrier);
            let at =
                eyes.state.space_of(carrier).map_or(Value::Null, |space| json!(cx.world.space_name(space)));
            (at, Some(if seen { changes::title(cx, Val::Piece(carrier.0)) } else { String::new() }))
        }
    }
}

fn moved(eyes: &ViewerScope<'_>, sight: Sight, piece: u32, from: i32, to: i32) -> Option<Object> {
    if from == to {
        // It only came to the top of its stack.
        return None;
    }
    let cx = eyes.cx;
    let ((from, from_title), (to, to_title)) = (place(eyes, sight, from), place(eyes, sight, to));
    if from_title.is_none() && to_title.is_none() {
        return None;
    }
    let component = cx.world.component_of(eyes.state, piece)?;
    let mut more = json!({ "from": from, "to": to, "from_title": from_title, "to_title": to_title });
    if sight == Sight::Whole {
        more["piece"] = json!(eyes.names.get(piece));
        more["title"] = json!(component.name);
    } else {
        more["of"] = json!(cx.world.symbols.text(component.kind));
    }
    let side = SideId::from_cell(eyes.state.get(TableId::PIECE, piece, piece_col::SIDE));
    if let Some(side) = side {
        more["side"] = json!(cx.world.side_name(side));
    }
    Some(object("move", more))
}

fn set(
    eyes: &ViewerScope<'_>,
    table: TableId,
    row: u32,
    col: u16,
    old: i32,
    new: Option<i32>,
) -> Option<Object> {
    if table >= TableId::FIRST_RECORD {
        return None;
    }
    let cx = eyes.cx;
    let column = cx.world.schema.get(table, col)?;
    let attribute = cx.text(column.name);
    let (thing, title) = match table {
        TableId::GAME => (json!("game"), String::new()),
        TableId::SIDE => {
            let side = cx.world.sides.get(row as usize)?;
            (json!({ "side": cx.text(side.0) }), side.1.clone())
        }
        TableId::SPACE => (reference(cx, Val::Space(row)).into(), changes::title(cx, Val::Space(row))),
        TableId::PIECE => {
            (json!({ "piece": eyes.names.get(row) }), seen_label(cx, eyes.viewer, Val::Piece(row)))
        }
        _ => return None,
    };
    if table == TableId::PIECE && col == piece_col::LEVEL {
        let new = new?;
        return Some(object(
            "level",
            json!({ "piece": eyes.names.get(row), "title": title, "old": old, "new": new }),
        ));
    }
    let (before, after) = match (&column.ty, new) {
        (Type::List(_), _) | (_, None) => {
            (Value::Null, eyes.cell(&column.ty, eyes.state.get(table, row, col)))
        }
        (ty, Some(new)) => (eyes.cell(ty, old), eyes.cell(ty, new)),
    };
    Some(object(
        "set",
        json!({ "thing": thing, "title": title, "attribute": attribute, "old": before, "new": after }),
    ))
}

/// A number with the operations it is made of.
pub fn number(cx: &ScriptContext, name: Sym, value: i32, parts: &[Part]) -> Value {
    let registry = cx.registry.borrow();
    let part = |part: &Part| {
        let (op, n, over) = match part.op {
            Op::Add(n) => ("add", n, 1),
            Op::Times(n, over) => ("times", n, over),
            Op::RoundDown => ("round-down", 0, 1),
            Op::RoundUp => ("round-up", 0, 1),
            Op::AtLeast(n) => ("at-least", n, 1),
            Op::AtMost(n) => ("at-most", n, 1),
            Op::Set(n) => ("set", n, 1),
        };
        let handler = registry.handlers.get(part.handler as usize);
        let id = handler.map_or("", |handler| handler.id.as_str());
        let title = cx.symbols.borrow().get(id).map_or_else(|| plain(id), |sym| word(cx, sym));
        let (top, bottom) = part.after;
        let after = if bottom == 1 { top.to_string() } else { format!("{top}/{bottom}") };
        json!({
            "op": op, "n": n, "over": over, "after": after, "handler": id, "title": title,
            "rule": handler.map(|handler| handler.rules.clone()),
        })
    };
    let parts: Vec<Value> = parts.iter().map(part).collect();
    json!({ "name": cx.text(name), "title": word(cx, name), "value": value, "parts": parts })
}

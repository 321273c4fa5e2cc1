//! The walk through the sequence of play: which task comes next, and what happens between tasks.

use sandtable_data::definition::{LoopValue, NodeKind, Sequence};
use sandtable_kernel::state::TableId;
use sandtable_kernel::symbol::mix;
use sandtable_kernel::world::{SideId, World};
use sandtable_script::{Change, Host, ScriptError, Task};

/// Where the walk is within a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// About to be entered.
    Enter,
    /// A pass begins.
    Begin,
    /// Before the step of that number.
    Inside(u16),
    /// The start of a node without steps has been told; its procedure comes next.
    Told,
    /// The procedure of a node without steps.
    Run,
    /// A pass ends.
    Finish,
    /// The pass has ended: attributes go back, effects end.
    Close,
}

/// A node that the walk is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Number of the node.
    pub node: u32,
    /// How many passes came before.
    pub pass: u32,
    /// Where in the pass.
    pub stage: Stage,
}

impl Frame {
    /// A node about to be entered.
    pub fn enter(node: usize) -> Frame {
        Frame { node: node as u32, pass: 0, stage: Stage::Enter }
    }
}

/// A hash of the place in the sequence, on which dice depend.
pub(crate) fn path_hash(sequence: &Sequence, frames: &[Frame]) -> u64 {
    frames.iter().fold(0, |hash, frame| {
        let name = sequence.nodes.get(frame.node as usize).map_or(0, |node| node.names.hash);
        let stage = match frame.stage {
            Stage::Enter => 0,
            Stage::Begin => 1,
            Stage::Run => 2,
            Stage::Finish => 3,
            Stage::Close => 4,
            // Above all numbers of steps.
            Stage::Told => 1 << 15,
            Stage::Inside(step) => 5 + u64::from(step),
        };
        mix(mix(hash, name), u64::from(frame.pass) << 16 | stage)
    })
}

/// Steps that may follow each other without a decision.
pub(crate) const STEPS: usize = 5_000;

/// The names of the nodes that the walk is in, outermost first.
pub(crate) fn place(sequence: &Sequence, frames: &[Frame]) -> String {
    let names = frames.iter().filter_map(|frame| sequence.nodes.get(frame.node as usize));
    names.map(|node| node.name.as_str()).collect::<Vec<_>>().join(" > ")
}

/// Walks on to the next task. `done` says whether the last procedure said so. Nothing left gives nothing.
pub(crate) fn advance(
    host: &Host,
    sequence: &Sequence,
    frames: &mut Vec<Frame>,
    done: &mut bool,
) -> Result<Option<Task>, ScriptError> {
    let mut nodes = 0;
    while let Some(frame) = frames.last_mut() {
        nodes += 1;
        if nodes > 100 * STEPS {
            let name = place(sequence, frames);
            return Err(ScriptError::new(format!(
                "the sequence of play turns in a circle without a step, at {name}"
            )));
        }
        let Some(node) = sequence.nodes.get(frame.node as usize) else { return Ok(None) };
        match frame.stage {
            Stage::Enter => {
                let empty = matches!(&node.kind, NodeKind::Each { values, .. } if values.is_empty());
                if empty || !holds(host, node.when.as_deref())? {
                    frames.pop();
                    continue;
                }
                frame.stage = Stage::Begin;
            }
            Stage::Begin => {
                if let NodeKind::Each { variable, values } = &node.kind
                    && let Some(value) = values.get(frame.pass as usize)
                {
                    assign(host, variable, value);
                    // The condition of a loop is tested at each pass.
                    if frame.pass > 0 && !holds(host, node.when.as_deref())? {
                        frame.stage = Stage::Close;
                        continue;
                    }
                }
                frame.stage = if node.steps.is_empty() { Stage::Told } else { Stage::Inside(0) };
                if host.has_event(&node.names.start) {
                    return Ok(Some(Task::Emit(node.names.start.clone())));
                }
            }
            Stage::Inside(step) => match node.steps.get(step as usize) {
                Some(&child) => {
                    frame.stage = Stage::Inside(step + 1);
                    frames.push(Frame::enter(child));
                }
                None => frame.stage = Stage::Finish,
            },
            Stage::Told => frame.stage = Stage::Run,
            Stage::Run => return Ok(Some(Task::Call(node.names.run.clone(), Vec::new()))),
            Stage::Finish => {
                frame.stage = Stage::Close;
                if host.has_event(&node.names.end) {
                    return Ok(Some(Task::Emit(node.names.end.clone())));
                }
            }
            Stage::Close => {
                close(host, &node.name)?;
                let again = match &node.kind {
                    NodeKind::Once => false,
                    NodeKind::Each { values, .. } => (frame.pass as usize + 1) < values.len(),
                    NodeKind::Repeat => !node.steps.is_empty() && !*done,
                };
                if again {
                    frame.pass += 1;
                    frame.stage = Stage::Begin;
                } else {
                    // A "done" concerns the nearest node that repeats.
                    if node.kind == NodeKind::Repeat {
                        *done = false;
                    }
                    frames.pop();
                }
            }
        }
    }
    Ok(None)
}

/// Takes note of the end of a task: a node without steps is left, or run again.
pub(crate) fn finished(sequence: &Sequence, frames: &mut [Frame], done: bool) {
    let Some(frame) = frames.last_mut() else { return };
    if frame.stage != Stage::Run {
        return;
    }
    let repeat = sequence.nodes.get(frame.node as usize).is_some_and(|node| node.kind == NodeKind::Repeat);
    if repeat && !done {
        frame.pass += 1;
    } else {
        frame.stage = Stage::Finish;
    }
}

fn holds(host: &Host, query: Option<&str>) -> Result<bool, ScriptError> {
    query.map_or(Ok(true), |query| host.test(query))
}

/// The column of a loop's variable, and the cell of its value.
pub(crate) fn loop_cell(world: &World, variable: &str, value: &LoopValue) -> Option<(u16, i32)> {
    let col = world.schema.column(TableId::GAME, world.symbols.get(variable).unwrap_or_default())?;
    let cell = match value {
        LoopValue::Int(n) => *n,
        LoopValue::Side(seat) => SideId(*seat).cell(),
        LoopValue::Text(text) => world.symbols.get(text).unwrap_or_default().cell(),
    };
    Some((col, cell))
}

/// Gives a loop's variable its value.
fn assign(host: &Host, variable: &str, value: &LoopValue) {
    let cx = host.cx();
    let Some((col, cell)) = loop_cell(&cx.world, variable, value) else { return };
    let mut play = cx.play.borrow_mut();
    let old = play.state.set(TableId::GAME, 0, col, cell);
    if old != cell {
        play.changes.push(Change::Set { table: TableId::GAME, row: 0, col, old, new: cell });
    }
}

/// Ends a pass of a node: attributes that go back with it, effects that last as long.
fn close(host: &Host, node: &str) -> Result<(), ScriptError> {
    let cx = host.cx();
    let Some(name) = cx.world.symbols.get(node) else { return Ok(()) };
    let mut looked = 0;
    let mut play = cx.play.borrow_mut();
    let play = &mut *play;
    for table in [TableId::GAME, TableId::SIDE, TableId::SPACE, TableId::PIECE] {
        for (col, column) in (0u16..).zip(&cx.world.schema.tables[table.0 as usize].columns) {
            if column.reset != name || column.reset.is_none() {
                continue;
            }
            looked += u64::from(play.state.rows(table));
            let unlike: Vec<u32> = play.state.rows_unlike(table, col, column.default).collect();
            for row in unlike {
                let old = play.state.set(table, row, col, column.default);
                play.changes.push(Change::Set { table, row, col, old, new: column.default });
            }
        }
    }
    looked += u64::from(play.state.rows(TableId::EFFECT));
    play.end_effects_until(name, None);
    cx.pay(looked / 4)
}

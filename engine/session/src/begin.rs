//! A place in the sequence of play as text, `game > turn 3 > half 2 > movement 5`: written by exports, read from scenarios.
//!
//! Each node stands with the number of its pass. Where a node has the same step twice, `turn 3.4` says that it is the fourth. After the
//! last node, `start` or `end` says that its event comes next, and `done` that the step before said so; without a word it
//! is the procedure of a node without steps, and else the beginning of the pass.

use crate::flow::{self, Frame, Stage};
use crate::setup::SetupError;
use sandtable_data::definition::{NodeKind, Sequence};
use sandtable_kernel::state::State;
use sandtable_kernel::world::World;
use sandtable_script::Task;

/// The text of the place at which a step began.
pub(crate) fn write(sequence: &Sequence, frames: &[Frame], task: &Task, done: bool) -> String {
    let mut words = Vec::new();
    for (at, frame) in frames.iter().enumerate() {
        let Some(node) = sequence.nodes.get(frame.node as usize) else { continue };
        let mut text = node.name.clone();
        let step = match (frame.stage, frames.get(at + 1)) {
            (Stage::Inside(step), Some(inner)) => {
                let same = node.steps.iter().filter(|&&child| child == inner.node as usize).count();
                if same > 1 { format!(".{step}") } else { String::new() }
            }
            _ => String::new(),
        };
        if frame.pass > 0 || !step.is_empty() || matches!(node.kind, NodeKind::Each { .. }) {
            text.push_str(&format!(" {}{step}", frame.pass + 1));
        }
        words.push(text);
    }
    let mut text = words.join(" > ");
    if let Task::Emit(event) = task {
        text.push_str(if event.ends_with(".end") { " end" } else { " start" });
    }
    if done {
        text.push_str(" done");
    }
    text
}

/// Reads a place: the frames, and whether the last procedure said `done`.
pub(crate) fn read(sequence: &Sequence, text: &str) -> Result<(Vec<Frame>, bool), SetupError> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut done = false;
    for part in text.split('>').map(str::trim) {
        let mut words = part.split_whitespace();
        let name = words.next().unwrap_or_default();
        let Some(node) = sequence.find(name) else {
            return crate::setup::unknown("node", name, sequence.nodes.iter().map(|node| node.name.as_str()));
        };
        match frames.last_mut() {
            None if node != 0 => {
                let root = sequence.nodes.first().map_or("", |node| node.name.as_str());
                return Err(SetupError::new(format!("`{text}`: expected `{root}` as the first node")));
            }
            None => {}
            Some(outer) => enter(sequence, outer, node)?,
        }
        let steps = !sequence.nodes[node].steps.is_empty();
        let mut frame = Frame::enter(node);
        frame.stage = if steps { Stage::Begin } else { Stage::Run };
        for word in words {
            match word {
                "start" => frame.stage = Stage::Begin,
                "end" => frame.stage = Stage::Finish,
                "done" => done = true,
                number => {
                    let (pass, step) = number.split_once('.').unwrap_or((number, ""));
                    let wrong =
                        || SetupError::new(format!("`{part}`: expected a node and the number of its pass"));
                    frame.pass = pass.parse::<u32>().ok().filter(|&pass| pass > 0).ok_or_else(wrong)? - 1;
                    if !step.is_empty() {
                        frame.stage = Stage::Inside(step.parse().map_err(|_| wrong())?);
                    }
                }
            }
        }
        if let NodeKind::Each { values, .. } = &sequence.nodes[node].kind
            && frame.pass as usize >= values.len()
        {
            let passes = values.len();
            return Err(SetupError::new(format!("`{part}`: `{name}` has {passes} passes")));
        }
        frames.push(frame);
    }
    Ok((frames, done))
}

/// Goes from a node into one of its steps.
fn enter(sequence: &Sequence, outer: &mut Frame, inner: usize) -> Result<(), SetupError> {
    let node = &sequence.nodes[outer.node as usize];
    let step = match outer.stage {
        Stage::Inside(step) => {
            node.steps.get((step as usize).wrapping_sub(1)).filter(|&&child| child == inner).map(|_| step)
        }
        _ => node.steps.iter().position(|&child| child == inner).map(|step| step as u16 + 1),
    };
    let Some(step) = step else {
        let name = &sequence.nodes[inner].name;
        let steps =
            node.steps.iter().filter_map(|&step| sequence.nodes.get(step)).map(|node| node.name.as_str());
        return crate::setup::unknown(&format!("step of `{}`", node.name), name, steps);
    };
    outer.stage = Stage::Inside(step);
    Ok(())
}

/// Gives the variables of loops the values that they have at a place.
pub(crate) fn assign(world: &World, state: &mut State, sequence: &Sequence, frames: &[Frame]) {
    for frame in frames {
        if let Some(NodeKind::Each { variable, values }) =
            sequence.nodes.get(frame.node as usize).map(|node| &node.kind)
            && let Some(value) = values.get(frame.pass as usize)
            && let Some((col, cell)) = flow::loop_cell(world, variable, value)
        {
            state.set(sandtable_kernel::state::TableId::GAME, 0, col, cell);
        }
    }
}

//! Where a step, a turn and a side's share of it end, for whoever looks ahead.

use crate::flow::Frame;
use crate::session::Session;
use sandtable_data::definition::{LoopValue, NodeKind, Sequence};

/// A stretch of play that one side has for itself: a pass of the innermost loop over sides that the walk is in or, in a game
/// without one, of the outermost node that repeats or counts within the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn(Vec<(u32, u32)>);

impl Session {
    /// How many steps of the sequence of play have begun: it changes when a step is over.
    pub fn steps_begun(&self) -> usize {
        self.steps.len()
    }

    /// The turn that the walk through the sequence of play is in.
    pub fn turn(&self) -> Turn {
        let (sequence, frames) = (&self.game.definition.sequence, self.frames.as_slice());
        let depth = turn_depth(sequence, frames).map_or(frames.len(), |at| at + 1);
        Turn(frames.iter().take(depth).map(|frame| (frame.node, frame.pass)).collect())
    }
}

fn kind_of<'a>(sequence: &'a Sequence, frame: &Frame) -> Option<&'a NodeKind> {
    sequence.nodes.get(frame.node as usize).map(|node| &node.kind)
}

fn turn_depth(sequence: &Sequence, frames: &[Frame]) -> Option<usize> {
    let over_sides = |frame: &Frame| {
        matches!(kind_of(sequence, frame), Some(NodeKind::Each { values, .. })
            if matches!(values.first(), Some(LoopValue::Side(_))))
    };
    let repeats = |frame: &Frame| kind_of(sequence, frame) == Some(&NodeKind::Repeat);
    let counts = |frame: &Frame| matches!(kind_of(sequence, frame), Some(NodeKind::Each { .. }));
    frames
        .iter()
        .rposition(over_sides)
        .or_else(|| frames.iter().position(repeats))
        .or_else(|| frames.iter().position(counts))
}

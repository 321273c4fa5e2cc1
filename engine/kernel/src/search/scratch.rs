//! Buffers that searches use again.

use super::profile::{BLOCKED, Cost};
use super::queue::CostQueue;
use crate::map::SpaceSet;

/// Reusable buffers of the searches; any search may follow any other.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) queue: CostQueue,
    /// One byte of marks for each space.
    pub(super) marks: Vec<u8>,
    /// The extra cost of entering each space; empty when there is none.
    pub(super) enter: Vec<Cost>,
    /// The extra cost of leaving each space; empty when there is none.
    pub(super) leave: Vec<Cost>,
    /// The best cost of each space so far.
    pub(super) best: Vec<Cost>,
    pub(super) distance: Vec<u32>,
    pub(super) open: Vec<u32>,
    pub(super) next: Vec<u32>,
}

impl Scratch {
    /// Makes empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn clear_marks(&mut self, spaces: usize) {
        self.marks.clear();
        self.marks.resize(spaces, 0);
    }

    pub(super) fn mark(&mut self, set: Option<&SpaceSet>, bit: u8) {
        for space in set.into_iter().flatten() {
            if let Some(mark) = self.marks.get_mut(space.index()) {
                *mark |= bit;
            }
        }
    }
}

/// Adds up extra costs by space into `table` and returns how much they can be together, not counting what is blocked.
pub(super) fn add_extras(table: &mut Vec<Cost>, spaces: usize, extras: &[(&SpaceSet, Cost)]) -> Cost {
    table.clear();
    if extras.is_empty() {
        return 0;
    }
    table.resize(spaces, 0);
    for (set, cost) in extras {
        for space in *set {
            if let Some(total) = table.get_mut(space.index()) {
                *total =
                    if *total == BLOCKED || *cost == BLOCKED { BLOCKED } else { total.saturating_add(*cost) };
            }
        }
    }
    let open = extras.iter().map(|(_, cost)| *cost).filter(|cost| *cost != BLOCKED && *cost > 0);
    open.fold(0, Cost::saturating_add)
}

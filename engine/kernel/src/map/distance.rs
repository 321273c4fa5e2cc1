//! How far all spaces are from the nearest of some: one flood along the borders answers for the whole map.

use super::board::Board;
use super::ids::SpaceId;
use super::set::SpaceSet;

/// Distances to the nearest of some spaces, by space.
#[derive(Clone, Debug, Default)]
pub struct DistanceField {
    from: SpaceSet,
    steps: Vec<u16>,
    queue: Vec<SpaceId>,
}

/// The distance of a space from which no border leads to any of them.
const FAR: u16 = u16::MAX;

impl DistanceField {
    /// Measures from these spaces, unless that is what was measured last.
    pub fn measure(&mut self, board: &Board, from: &SpaceSet) {
        if self.steps.len() == board.len() && self.from == *from {
            return;
        }
        self.from.clone_from(from);
        self.steps.clear();
        self.steps.resize(board.len(), FAR);
        self.queue.clear();
        for space in from.iter().filter(|&space| board.has(space)) {
            self.steps[space.index()] = 0;
            self.queue.push(space);
        }
        let mut next = 0;
        while let Some(&space) = self.queue.get(next) {
            next += 1;
            let steps = self.steps[space.index()].saturating_add(1);
            for link in board.links(space) {
                if self.steps[link.to.index()] == FAR {
                    self.steps[link.to.index()] = steps;
                    self.queue.push(link.to);
                }
            }
        }
    }

    /// The number of borders to cross to the nearest of them; nothing if no way leads there.
    pub fn steps(&self, space: SpaceId) -> Option<u32> {
        self.steps.get(space.index()).copied().filter(|&steps| steps != FAR).map(u32::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::BoardBuilder;

    #[test]
    fn the_nearest_of_several_counts_and_islands_are_far() {
        let mut builder = BoardBuilder::new();
        let spaces: Vec<SpaceId> = (0..6).map(|_| builder.add_space()).collect();
        for pair in spaces[..5].windows(2) {
            builder.add_border(pair[0], pair[1]);
        }
        let board = builder.build().unwrap_or_else(|why| panic!("{why:?}"));
        let mut field = DistanceField::default();
        field.measure(&board, &[spaces[0], spaces[4]].into_iter().collect());
        let steps: Vec<Option<u32>> = spaces.iter().map(|&space| field.steps(space)).collect();
        assert_eq!(steps, [Some(0), Some(1), Some(2), Some(1), Some(0), None]);
        field.measure(&board, &[spaces[1]].into_iter().collect());
        assert_eq!(field.steps(spaces[4]), Some(3));
    }
}

//! Connected sets, components and what lies around a set.

use super::board::Board;
use super::ids::{NetworkId, SpaceId};
use super::set::{BorderSet, SpaceSet};

/// What a walk over the board follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Over {
    /// All borders.
    #[default]
    Borders,
    /// The links of one network, each in its own direction.
    Network(NetworkId),
    /// The links of one network, each against its direction.
    NetworkAgainst(NetworkId),
}

impl Board {
    /// Calls `visit` with every space one step away, in a fixed order, unless a barrier lies between.
    #[inline]
    pub fn each_step(
        &self,
        over: Over,
        from: SpaceId,
        barrier: Option<&BorderSet>,
        mut visit: impl FnMut(SpaceId),
    ) {
        let shut = |border| barrier.is_some_and(|set| set.contains(border));
        let links = match over {
            Over::Borders => {
                self.links(from).iter().filter(|link| !shut(link.border)).for_each(|link| visit(link.to));
                return;
            }
            Over::Network(network) => self.network_links(network, from),
            Over::NetworkAgainst(network) => self.network_links_into(network, from),
        };
        links.iter().filter(|link| !link.border.is_some_and(shut)).for_each(|link| visit(link.to));
    }

    /// Returns the part of `within` that can be reached from `space` without leaving it.
    ///
    /// The result is empty when `space` itself is not in the set.
    pub fn component(
        &self,
        space: SpaceId,
        within: &SpaceSet,
        over: Over,
        barrier: Option<&BorderSet>,
    ) -> SpaceSet {
        let mut found = SpaceSet::with_room(self.len());
        if !self.has(space) || !within.contains(space) {
            return found;
        }
        found.insert(space);
        let mut open = vec![space];
        while let Some(from) = open.pop() {
            self.each_step(over, from, barrier, |to| {
                if within.contains(to) && found.insert(to) {
                    open.push(to);
                }
            });
        }
        found
    }

    /// Tells whether a set hangs together; the empty set does.
    ///
    /// Over a directed network everything must be reachable from the lowest space of the set.
    pub fn connected(&self, set: &SpaceSet, over: Over, barrier: Option<&BorderSet>) -> bool {
        match set.first() {
            Some(first) => self.component(first, set, over, barrier) == *set,
            None => true,
        }
    }

    /// Splits a set into its components, each with the lowest space first among those left.
    pub fn components(&self, set: &SpaceSet, over: Over, barrier: Option<&BorderSet>) -> Vec<SpaceSet> {
        let mut left = set.intersect(&SpaceSet::full(self.len()));
        let mut parts = Vec::new();
        while let Some(first) = left.first() {
            let part = self.component(first, &left, over, barrier);
            left.subtract(&part);
            parts.push(part);
        }
        parts
    }

    /// Returns the spaces that have no border and no network link.
    pub fn isolated(&self) -> SpaceSet {
        let linked = self.networks().filter_map(|network| self.network_spaces(network));
        let mut bare: SpaceSet = self.spaces().filter(|space| self.links(*space).is_empty()).collect();
        linked.for_each(|set| bare.subtract(set));
        bare
    }

    /// Returns every space one step from a member of `set`, not crossing the barrier.
    ///
    /// Members of the set appear when another member is next to them; subtract the set to be rid of them.
    pub fn around(&self, set: &SpaceSet, barrier: Option<&BorderSet>) -> SpaceSet {
        let mut found = SpaceSet::with_room(self.len());
        for space in set {
            self.each_step(Over::Borders, space, barrier, |to| {
                found.insert(to);
            });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::builder::BoardBuilder;
    use super::super::grid::{Grid, Orientation, Shifted};
    use super::super::hex::{Cube, Direction};
    use super::*;

    fn set(ids: &[u32]) -> SpaceSet {
        ids.iter().map(|id| SpaceId(*id)).collect()
    }

    /// Areas 0-1-2-3 in a row, 4 alone, and a one-way ferry 3 -> 0.
    fn areas() -> Board {
        let mut builder = BoardBuilder::new();
        let spaces: Vec<_> = (0..5).map(|_| builder.add_space()).collect();
        for pair in spaces[..4].windows(2) {
            builder.add_border(pair[0], pair[1]);
        }
        let ferry = builder.add_network("ferry", true);
        builder.add_network_link(ferry, spaces[3], spaces[0]);
        builder.build().expect("a sound board")
    }

    #[test]
    fn a_set_with_a_gap_is_not_connected() {
        let board = areas();
        assert!(board.connected(&set(&[0, 1, 2]), Over::Borders, None));
        assert!(!board.connected(&set(&[0, 2]), Over::Borders, None));
        assert!(board.connected(&set(&[]), Over::Borders, None));
        assert_eq!(board.components(&set(&[0, 1, 3]), Over::Borders, None), [set(&[0, 1]), set(&[3])]);
    }

    #[test]
    fn a_barrier_splits_a_set() {
        let board = areas();
        let barrier = board.border_between(SpaceId(1), SpaceId(2)).into_iter().collect();
        assert_eq!(
            board.component(SpaceId(0), &set(&[0, 1, 2, 3]), Over::Borders, Some(&barrier)),
            set(&[0, 1])
        );
        assert_eq!(board.around(&set(&[1]), Some(&barrier)), set(&[0]));
        assert_eq!(board.around(&set(&[1, 2]), None), set(&[0, 1, 2, 3]));
    }

    #[test]
    fn directed_links_lead_one_way() {
        let board = areas();
        let ferry = board.network("ferry").expect("a network");
        let all = SpaceSet::full(board.len());
        assert_eq!(board.component(SpaceId(3), &all, Over::Network(ferry), None), set(&[0, 3]));
        assert_eq!(board.component(SpaceId(0), &all, Over::Network(ferry), None), set(&[0]));
        assert_eq!(board.component(SpaceId(0), &all, Over::NetworkAgainst(ferry), None), set(&[0, 3]));
        assert_eq!(board.isolated(), set(&[4]));
    }

    #[test]
    fn distance_is_by_grid_for_hexes_and_by_borders_else() {
        let mut builder = BoardBuilder::on_grid(Grid::new(Orientation::Flat, Shifted::Odd));
        let a = builder.add_hex(Cube::new(0, 0));
        let b = builder.add_hex(Cube::new(0, 1));
        let far = builder.add_hex(Cube::new(0, 5));
        let box_ = builder.add_space();
        builder.add_border(b, box_);
        let board = builder.build().expect("a sound board");
        assert_eq!(board.distance(a, far), Some(5));
        assert_eq!(board.border_distance(a, far), None);
        assert_eq!(board.distance(a, box_), Some(2));
        assert_eq!(board.distance(a, a), Some(0));
        assert_eq!(board.distance(a, SpaceId(77)), None);
        assert_eq!(board.direction(b, a), Direction::new(0));
        assert_eq!(board.neighbour_in(a, Direction::ALL[3]), Some(b));
        assert_eq!(board.border_in(a, Direction::ALL[3]), board.border_between(b, a));
        assert!(board.links(SpaceId(77)).is_empty());
    }
}

//! The board: one graph of spaces with borders, networks and, for hexes, geometry.

use super::coords::{CoordIndex, Shape};
use super::grid::Grid;
use super::hex::{Cube, Direction};
use super::ids::{BorderId, LinkId, NetworkId, SpaceId};
use super::network::{Network, NetworkLink};
use super::set::SpaceSet;

/// One way across a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The space that the link leads to.
    pub to: SpaceId,
    /// The border that it crosses.
    pub border: BorderId,
    /// The direction on the grid, when both ends are adjacent hexes.
    pub direction: Option<Direction>,
}

/// A graph of spaces, immutable once built; see [`BoardBuilder`](super::BoardBuilder).
#[derive(Clone, Debug)]
pub struct Board {
    grid: Option<Grid>,
    coords: Vec<Option<Cube>>,
    index: CoordIndex,
    borders: Vec<[SpaceId; 2]>,
    first: Vec<u32>,
    links: Vec<Link>,
    networks: Vec<Network>,
}

impl Board {
    /// Puts checked parts together; `links` are sorted by their first space.
    pub(super) fn assemble(
        grid: Option<Grid>,
        coords: Vec<Option<Cube>>,
        index: CoordIndex,
        borders: Vec<[SpaceId; 2]>,
        links: &[(SpaceId, Link)],
    ) -> Self {
        let mut first = vec![0; coords.len() + 1];
        for (from, _) in links {
            first[from.index() + 1] += 1;
        }
        for i in 0..coords.len() {
            first[i + 1] += first[i];
        }
        let links = links.iter().map(|(_, link)| *link).collect();
        Self { grid, coords, index, borders, first, links, networks: Vec::new() }
    }

    pub(super) fn push_network(&mut self, network: Network) {
        self.networks.push(network);
    }

    /// Counts the spaces.
    pub fn len(&self) -> usize {
        self.coords.len()
    }

    /// Tells whether there is no space at all.
    pub fn is_empty(&self) -> bool {
        self.coords.is_empty()
    }

    /// Counts the borders.
    pub fn border_count(&self) -> usize {
        self.borders.len()
    }

    /// Counts the links: two for each border.
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// Iterates over all spaces in ascending order.
    pub fn spaces(&self) -> impl ExactSizeIterator<Item = SpaceId> + use<> {
        (0..self.coords.len() as u32).map(SpaceId)
    }

    /// Tells whether the id names a space of this board.
    pub fn has(&self, space: SpaceId) -> bool {
        space.index() < self.coords.len()
    }

    /// Returns the grid, if the board has one.
    pub fn grid(&self) -> Option<Grid> {
        self.grid
    }

    /// Returns the hex coordinate of a space.
    #[inline]
    pub fn hex(&self, space: SpaceId) -> Option<Cube> {
        self.coords.get(space.index()).copied().flatten()
    }

    /// Returns the space at a hex coordinate.
    #[inline]
    pub fn at(&self, hex: Cube) -> Option<SpaceId> {
        self.index.get(hex)
    }

    /// Returns the shape of the table over all hexes, unless the map is too scattered to have one.
    pub(super) fn shape(&self) -> Option<Shape> {
        self.index.shape()
    }

    /// Returns the range of link ids that leave a space.
    #[inline]
    fn link_range(&self, space: SpaceId) -> std::ops::Range<usize> {
        match self.first.get(space.index()..=space.index() + 1) {
            Some([from, to]) => *from as usize..*to as usize,
            _ => 0..0,
        }
    }

    /// Returns the links that leave a space: grid neighbours clockwise from direction 0, then others by id.
    #[inline]
    pub fn links(&self, space: SpaceId) -> &[Link] {
        &self.links[self.link_range(space)]
    }

    /// Iterates over the ids of the links that leave a space, in the order of [`links`](Board::links).
    pub fn link_ids(&self, space: SpaceId) -> impl Iterator<Item = LinkId> + use<> {
        self.link_range(space).map(|i| LinkId(i as u32))
    }

    /// Returns a link by its id.
    pub fn link(&self, link: LinkId) -> Option<Link> {
        self.links.get(link.index()).copied()
    }

    /// Iterates over the adjacent spaces, in the order of [`links`](Board::links).
    pub fn neighbours(&self, space: SpaceId) -> impl Iterator<Item = SpaceId> + '_ {
        self.links(space).iter().map(|link| link.to)
    }

    /// Returns the link from one space to an adjacent one.
    pub fn link_between(&self, from: SpaceId, to: SpaceId) -> Option<LinkId> {
        self.link_ids(from).find(|id| self.links[id.index()].to == to)
    }

    /// Returns the border between two adjacent spaces.
    pub fn border_between(&self, a: SpaceId, b: SpaceId) -> Option<BorderId> {
        self.links(a).iter().find(|link| link.to == b).map(|link| link.border)
    }

    /// Returns the border of a hex in a direction.
    pub fn border_in(&self, space: SpaceId, direction: Direction) -> Option<BorderId> {
        self.links(space).iter().find(|link| link.direction == Some(direction)).map(|link| link.border)
    }

    /// Returns the adjacent hex in a direction.
    pub fn neighbour_in(&self, space: SpaceId, direction: Direction) -> Option<SpaceId> {
        self.links(space).iter().find(|link| link.direction == Some(direction)).map(|link| link.to)
    }

    /// Returns the two spaces of a border, the lower id first.
    pub fn border_ends(&self, border: BorderId) -> Option<[SpaceId; 2]> {
        self.borders.get(border.index()).copied()
    }

    /// Tells whether two spaces share a border.
    pub fn adjacent(&self, a: SpaceId, b: SpaceId) -> bool {
        self.border_between(a, b).is_some()
    }

    /// Returns the direction from one hex to an adjacent one.
    pub fn direction(&self, from: SpaceId, to: SpaceId) -> Option<Direction> {
        self.links(from).iter().find(|link| link.to == to).and_then(|link| link.direction)
    }

    /// Counts the steps between two spaces: on the grid when both are hexes, else along borders.
    ///
    /// Grid distance ignores holes in the map. `None` means that no borders lead from one to the other.
    pub fn distance(&self, a: SpaceId, b: SpaceId) -> Option<u32> {
        match (self.hex(a), self.hex(b)) {
            (Some(from), Some(to)) => Some(from.distance(to)),
            _ => self.border_distance(a, b),
        }
    }

    /// Counts the borders to cross from one space to another.
    pub fn border_distance(&self, a: SpaceId, b: SpaceId) -> Option<u32> {
        if !self.has(a) || !self.has(b) {
            return None;
        }
        let mut seen = SpaceSet::with_room(self.len());
        seen.insert(a);
        let (mut frontier, mut next, mut steps) = (vec![a], Vec::new(), 0);
        while !frontier.is_empty() {
            if frontier.contains(&b) {
                return Some(steps);
            }
            for space in frontier.drain(..) {
                next.extend(self.neighbours(space).filter(|to| seen.insert(*to)));
            }
            std::mem::swap(&mut frontier, &mut next);
            steps += 1;
        }
        None
    }

    /// Iterates over the networks in the order in which they were added.
    pub fn networks(&self) -> impl ExactSizeIterator<Item = NetworkId> + use<> {
        (0..self.networks.len() as u16).map(NetworkId)
    }

    /// Finds a network by name.
    pub fn network(&self, name: &str) -> Option<NetworkId> {
        self.networks().find(|id| self.networks[id.index()].name == name)
    }

    /// Returns the name of a network.
    pub fn network_name(&self, network: NetworkId) -> Option<&str> {
        self.networks.get(network.index()).map(|network| network.name.as_str())
    }

    /// Returns the spaces that a network touches.
    pub fn network_spaces(&self, network: NetworkId) -> Option<&SpaceSet> {
        self.networks.get(network.index()).map(|network| &network.spaces)
    }

    /// Returns the links of a network that leave a space, ascending.
    #[inline]
    pub fn network_links(&self, network: NetworkId, space: SpaceId) -> &[NetworkLink] {
        self.networks.get(network.index()).map_or(&[], |network| network.along.of(space))
    }

    /// Returns the links of a network that arrive at a space, each with the space it comes from.
    #[inline]
    pub fn network_links_into(&self, network: NetworkId, space: SpaceId) -> &[NetworkLink] {
        self.networks.get(network.index()).map_or(&[], |network| network.against.of(space))
    }
}

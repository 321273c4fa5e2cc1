//! Building a board: adding spaces, borders and networks, and reporting all that is wrong at once.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Board, Link};
use super::board_error::BoardError;
use super::coords::{COORD_LIMIT, CoordIndex};
use super::grid::Grid;
use super::hex::{Cube, Direction};
use super::ids::{BorderId, NetworkId, SpaceId};
use super::network::Network;

#[derive(Clone, Debug)]
struct NetworkPlan {
    name: String,
    directed: bool,
    links: Vec<(SpaceId, SpaceId)>,
}

/// Collects the parts of a [`Board`].
///
/// Adding never fails; [`build`](BoardBuilder::build) reports every mistake.
///
/// ```
/// use sandtable_kernel::map::{BoardBuilder, Grid, Offset, Orientation, Shifted};
///
/// let grid = Grid::new(Orientation::Flat, Shifted::Even);
/// let mut builder = BoardBuilder::on_grid(grid);
/// let a = builder.add_hex(grid.to_cube(Offset::new(1, 1)));
/// let b = builder.add_hex(grid.to_cube(Offset::new(1, 2)));
/// let city = builder.add_space();
/// builder.add_border(b, city);
/// let road = builder.add_network("road", false);
/// builder.add_network_link(road, a, b);
/// let board = builder.build().expect("a sound board");
/// assert_eq!(board.distance(a, city), Some(2));
/// assert!(board.border_between(a, city).is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct BoardBuilder {
    grid: Option<Grid>,
    coords: Vec<Option<Cube>>,
    borders: Vec<(SpaceId, SpaceId)>,
    networks: Vec<NetworkPlan>,
}

impl BoardBuilder {
    /// Starts a board without a grid: areas, boxes and tracks only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a board with a hex grid, on which adjacent hexes border each other by themselves.
    pub fn on_grid(grid: Grid) -> Self {
        Self { grid: Some(grid), ..Self::default() }
    }

    /// Adds a space without a coordinate.
    pub fn add_space(&mut self) -> SpaceId {
        self.coords.push(None);
        SpaceId(self.coords.len() as u32 - 1)
    }

    /// Adds a hex.
    pub fn add_hex(&mut self, hex: Cube) -> SpaceId {
        self.coords.push(Some(hex));
        SpaceId(self.coords.len() as u32 - 1)
    }

    /// Adds a border between two spaces.
    pub fn add_border(&mut self, a: SpaceId, b: SpaceId) {
        self.borders.push((a, b));
    }

    /// Adds an empty network; links of a directed one lead one way only.
    pub fn add_network(&mut self, name: impl Into<String>, directed: bool) -> NetworkId {
        self.networks.push(NetworkPlan { name: name.into(), directed, links: Vec::new() });
        NetworkId((self.networks.len() - 1) as u16)
    }

    /// Adds a link to a network; its ends need not be adjacent.
    ///
    /// A network that was never added is reported by [`build`](BoardBuilder::build).
    pub fn add_network_link(&mut self, network: NetworkId, from: SpaceId, to: SpaceId) {
        // Links of an unknown network are kept under a nameless plan, so that `build` can tell.
        while self.networks.len() <= network.index() {
            self.networks.push(NetworkPlan { name: String::new(), directed: false, links: Vec::new() });
        }
        self.networks[network.index()].links.push((from, to));
    }

    /// Builds the board, or returns everything that is wrong with it.
    ///
    /// # Errors
    /// All mistakes, in the order of the parts: hexes, borders, networks.
    pub fn build(self) -> Result<Board, Vec<BoardError>> {
        let mut errors = Vec::new();
        let count = self.coords.len();
        let index = self.index_hexes(&mut errors);
        // Wrong hexes have no neighbours; the rest is still checked.
        let sound = errors.is_empty();

        let mut links: Vec<(SpaceId, Link)> = Vec::new();
        let mut borders: Vec<[SpaceId; 2]> = Vec::new();
        for (i, hex) in self.coords.iter().enumerate() {
            let Some(hex) = hex.filter(|_| sound) else { continue };
            let space = SpaceId(i as u32);
            for direction in Direction::ALL {
                if let Some(to) = index.get(hex.neighbour(direction))
                    && space < to
                {
                    let border = BorderId(borders.len() as u32);
                    borders.push([space, to]);
                    links.push((space, Link { to, border, direction: Some(direction) }));
                    links.push((to, Link { to: space, border, direction: Some(direction.opposite()) }));
                }
            }
        }
        let mut known: BTreeSet<[SpaceId; 2]> = borders.iter().copied().collect();
        for &(a, b) in &self.borders {
            if !check_ends(a, b, count, &mut errors) {
                continue;
            }
            let pair = [a.min(b), a.max(b)];
            if !known.insert(pair) {
                errors.push(BoardError::DuplicateBorder { a, b });
                continue;
            }
            let border = BorderId(borders.len() as u32);
            borders.push(pair);
            links.push((a, Link { to: b, border, direction: None }));
            links.push((b, Link { to: a, border, direction: None }));
        }
        // Grid neighbours first and clockwise, then the others by id.
        links.sort_by_key(|(from, link)| (*from, link.direction.map_or(6, Direction::number), link.to));

        let networks = self.check_networks(count, &mut errors);
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut board = Board::assemble(self.grid, self.coords, index, borders, &links);
        for plan in networks {
            let network = Network::new(plan.name, count, &plan.links, |a, b| board.border_between(a, b));
            board.push_network(network);
        }
        Ok(board)
    }

    fn index_hexes(&self, errors: &mut Vec<BoardError>) -> CoordIndex {
        let mut places: BTreeMap<Cube, SpaceId> = BTreeMap::new();
        for (i, hex) in self.coords.iter().enumerate() {
            let Some(hex) = *hex else { continue };
            let space = SpaceId(i as u32);
            let limit = -COORD_LIMIT..=COORD_LIMIT;
            if self.grid.is_none() {
                errors.push(BoardError::NoGrid { space });
            } else if !limit.contains(&hex.q) || !limit.contains(&hex.r) {
                errors.push(BoardError::FarHex { space });
            } else if let Some(&first) = places.get(&hex) {
                errors.push(BoardError::DuplicateHex { first, second: space, hex });
            } else {
                places.insert(hex, space);
            }
        }
        if errors.is_empty() {
            CoordIndex::new(places.into_iter().collect())
        } else {
            CoordIndex::Sorted(Vec::new())
        }
    }

    fn check_networks(&self, count: usize, errors: &mut Vec<BoardError>) -> Vec<NetworkPlan> {
        let mut names = BTreeSet::new();
        let mut plans = Vec::new();
        let named = self.networks.iter().filter(|plan| !plan.name.is_empty()).count();
        for (i, plan) in self.networks.iter().enumerate() {
            if plan.name.is_empty() {
                errors.push(BoardError::UnknownNetwork { network: NetworkId(i as u16), count: named });
                continue;
            }
            if !names.insert(plan.name.as_str()) {
                errors.push(BoardError::DuplicateNetwork { name: plan.name.clone() });
            }
            let mut seen = BTreeSet::new();
            let mut links = Vec::new();
            for &(from, to) in &plan.links {
                if !check_ends(from, to, count, errors) {
                    continue;
                }
                if !seen.insert((from, to)) || (!plan.directed && !seen.insert((to, from))) {
                    errors.push(BoardError::DuplicateNetworkLink { name: plan.name.clone(), from, to });
                    continue;
                }
                links.push((from, to));
                if !plan.directed {
                    links.push((to, from));
                }
            }
            plans.push(NetworkPlan { name: plan.name.clone(), directed: plan.directed, links });
        }
        plans
    }
}

fn check_ends(a: SpaceId, b: SpaceId, count: usize, errors: &mut Vec<BoardError>) -> bool {
    let before = errors.len();
    for space in [a, b] {
        if space.index() >= count {
            errors.push(BoardError::UnknownSpace { space, count });
        }
    }
    if errors.len() == before && a == b {
        errors.push(BoardError::SelfLoop { space: a });
    }
    errors.len() == before
}

#[cfg(test)]
mod tests {
    use super::super::grid::{Orientation, Shifted};
    use super::*;

    #[test]
    fn every_mistake_is_reported() {
        let mut builder = BoardBuilder::on_grid(Grid::new(Orientation::Flat, Shifted::Odd));
        let a = builder.add_hex(Cube::new(0, 0));
        let b = builder.add_hex(Cube::new(0, 1));
        let c = builder.add_space();
        builder.add_border(a, b);
        builder.add_border(c, c);
        builder.add_border(a, SpaceId(9));
        let rail = builder.add_network("rail", false);
        builder.add_network("rail", true);
        builder.add_network_link(rail, a, c);
        builder.add_network_link(rail, c, a);
        builder.add_network_link(NetworkId(2), a, b);
        let errors = builder.build().expect_err("six mistakes");
        let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "spaces 0 and 1 already have a border",
                "space 2 cannot border itself",
                "no space 9; the board has 3 spaces",
                "network `rail` already links 2 to 0",
                "there is already a network `rail`",
                "no network 2; the board has 2 networks",
            ]
        );
    }

    #[test]
    fn hexes_need_a_grid_a_place_of_their_own_and_a_limit() {
        let mut bare = BoardBuilder::new();
        let space = bare.add_hex(Cube::default());
        assert_eq!(bare.build().err(), Some(vec![BoardError::NoGrid { space }]));

        let mut builder = BoardBuilder::on_grid(Grid::new(Orientation::Pointy, Shifted::Odd));
        let first = builder.add_hex(Cube::new(1, 1));
        let second = builder.add_hex(Cube::new(1, 1));
        let far = builder.add_hex(Cube::new(0, i32::MIN));
        let hex = Cube::new(1, 1);
        assert_eq!(
            builder.build().err(),
            Some(vec![BoardError::DuplicateHex { first, second, hex }, BoardError::FarHex { space: far }])
        );
    }
}

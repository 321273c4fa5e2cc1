//! Named networks: links of a kind between spaces, directed or not, along borders or not.

use super::ids::{BorderId, SpaceId};
use super::set::SpaceSet;

/// One link of a network, seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkLink {
    /// The space at the other end.
    pub to: SpaceId,
    /// The border that the link runs across, when its two ends are adjacent.
    pub border: Option<BorderId>,
}

/// A list of links for each space, stored flat.
#[derive(Clone, Debug, Default)]
pub(super) struct NetworkLists {
    first: Vec<u32>,
    links: Vec<NetworkLink>,
}

impl NetworkLists {
    /// Builds the lists from `(from, link)` pairs sorted by `from`.
    fn new(spaces: usize, pairs: &[(SpaceId, NetworkLink)]) -> Self {
        let mut first = vec![0; spaces + 1];
        for (from, _) in pairs {
            first[from.index() + 1] += 1;
        }
        for i in 0..spaces {
            first[i + 1] += first[i];
        }
        Self { first, links: pairs.iter().map(|(_, link)| *link).collect() }
    }

    #[inline]
    pub(super) fn of(&self, space: SpaceId) -> &[NetworkLink] {
        match self.first.get(space.index()..=space.index() + 1) {
            Some([from, to]) => &self.links[*from as usize..*to as usize],
            _ => &[],
        }
    }
}

/// A network with its links in both readings.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub(super) name: String,
    pub(super) along: NetworkLists,
    pub(super) against: NetworkLists,
    pub(super) spaces: SpaceSet,
}

impl Network {
    /// Builds a network from directed links.
    pub(super) fn new(
        name: String,
        spaces: usize,
        links: &[(SpaceId, SpaceId)],
        border: impl Fn(SpaceId, SpaceId) -> Option<BorderId>,
    ) -> Self {
        let lists = |turn: bool| {
            let mut pairs: Vec<_> = links
                .iter()
                .map(|&(a, b)| if turn { (b, a) } else { (a, b) })
                .map(|(from, to)| (from, NetworkLink { to, border: border(from, to) }))
                .collect();
            pairs.sort_by_key(|(from, link)| (*from, link.to));
            NetworkLists::new(spaces, &pairs)
        };
        let touched = links.iter().flat_map(|&(a, b)| [a, b]).collect();
        Self { name, along: lists(false), against: lists(true), spaces: touched }
    }
}

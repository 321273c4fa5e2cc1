//! Geometry of the map: neighbours, distances, borders, networks.

use super::{Api, Call, slot};
use crate::lua_ffi::Out;
use crate::val::Val;
use crate::wrong_value::{Given, WrongValue};
use sandtable_kernel::map::{BorderId, BorderSet, Cube, NetworkId, SpaceId, SpaceSet};
use sandtable_kernel::symbol::Sym;
use std::rc::Rc;

impl Call<'_> {
    /// The network of a name.
    pub(super) fn network(&self, at: usize) -> mlua::Result<NetworkId> {
        self.network_of(self.sym(at)?).or_else(|why| self.wrong(at, why))
    }

    /// The same for a name that was read.
    pub(super) fn network_of(&self, name: Sym) -> Given<NetworkId> {
        let (board, name) = (&self.cx.world.board, self.cx.text(name));
        board.network(&name).ok_or_else(|| {
            let names = board.networks().filter_map(|network| board.network_name(network));
            let nearest = crate::context::ScriptContext::nearest(&name, names);
            WrongValue::Unknown { what: "network", name: name.clone(), nearest }.into()
        })
    }

    /// Pays for looking at every space so often.
    pub(super) fn all_spaces(&self, times: usize) -> mlua::Result<()> {
        self.cx.spend((self.cx.world.spaces.len() as u64).saturating_mul(times as u64) / 2)
    }

    pub(super) fn spaces_out(&self, spaces: SpaceSet) -> mlua::Result<Out> {
        Ok(Out::spaces(spaces))
    }

    /// The borders that have one of the features named in a list of texts.
    pub(super) fn barrier(&self, at: i32) -> Given<Option<Rc<BorderSet>>> {
        if self.frame.is_nil(at) {
            return Ok(None);
        }
        let mut features = Vec::new();
        let vals = self.frame.vals(at)?;
        if vals.is_empty() && self.frame.is_table(at) && !self.frame.is_empty(at) {
            return Err(WrongValue::Expected {
                expected: "a list of names of border features",
                found: "a table with keys".into(),
            }
            .into());
        }
        for val in vals {
            match val {
                Val::Sym(sym) => features.push(sym),
                other => {
                    return Err(WrongValue::Expected {
                        expected: "names of border features",
                        found: self.cx.describe(other),
                    }
                    .into());
                }
            }
        }
        // What is asked for in another order is the same, and kept once.
        features.sort_unstable();
        features.dedup();
        if let Some(found) = self.cx.barriers.borrow().get(&features) {
            return Ok(Some(found.clone()));
        }
        let known = &self.cx.world.border_features;
        for &feature in &features {
            if !known.iter().flatten().any(|&other| other == feature) {
                let name = self.cx.text(feature);
                let names = known.iter().flatten().map(|&feature| self.cx.world.symbols.text(feature));
                let nearest = crate::context::ScriptContext::nearest(&name, names);
                return Err(WrongValue::Unknown { what: "border has the feature", name, nearest }.into());
            }
        }
        let found = Rc::new(borders_with(&self.cx.world.border_features, &features));
        self.cx.charge(self.cx.world.border_features.len() as u64 * (1 + features.len() as u64 / 4));
        let mut barriers = self.cx.barriers.borrow_mut();
        if barriers.len() >= BARRIERS {
            barriers.clear();
        }
        barriers.insert(features, found.clone());
        Ok(Some(found))
    }
}

/// Sets of borders that are kept.
const BARRIERS: usize = 256;

fn borders_with(all: &[Vec<Sym>], features: &[Sym]) -> BorderSet {
    let with = (0u32..).zip(all).filter(|(_, own)| own.iter().any(|feature| features.contains(feature)));
    with.map(|(border, _)| BorderId(border)).collect()
}

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    api.add("neighbours(space: space) -> spaces", "The spaces that share a border with one.", |c| {
        let space = c.space(0)?;
        let found = c.cx.world.board.neighbours(space).collect();
        c.spaces_out(found)
    })?;
    api.add("adjacent(a: space, b: space) -> bool", "Whether two spaces share a border.", |c| {
        Ok(Out::truth(c.cx.world.board.adjacent(c.space(0)?, c.space(1)?)))
    })?;
    api.add(
        "distance(a: space, b: space) -> int",
        "How many steps apart two spaces are; nil if not connected.",
        |c| {
            let (from, to) = (c.space(0)?, c.space(1)?);
            if c.cx.world.board.hex(from).is_none() || c.cx.world.board.hex(to).is_none() {
                c.all_spaces(1)?;
            }
            let found = c.cx.world.board.distance(from, to);
            Ok(found.map_or(Out::NIL, |n| Out::Int(n.into())))
        },
    )?;
    api.add(
        "direction(a: space, b: space) -> int",
        "The direction (0–5) from a hex to its neighbour.",
        |c| {
            let found = c.cx.world.board.direction(c.space(0)?, c.space(1)?);
            Ok(found.map_or(Out::NIL, |direction| Out::Int(direction.number().into())))
        },
    )?;
    api.add(
        "within(space: space, n: int) -> spaces",
        "The spaces at most n steps away, itself included.",
        |c| {
            let (space, n) = (c.space(0)?, c.int(1)?.max(0) as u32);
            let board = &c.cx.world.board;
            let found: SpaceSet = match board.hex(space) {
                Some(hex) if n <= NEAR => hex.disc(n).into_iter().filter_map(|hex| board.at(hex)).collect(),
                Some(hex) => hexes(&c, |other| hex.distance(other) <= n)?,
                None => steps(&c, space, n)?,
            };
            c.spaces_out(found)
        },
    )?;
    api.add("ring(space: space, n: int) -> spaces", "The spaces exactly n steps away.", |c| {
        let (space, n) = (c.space(0)?, c.int(1)?.max(0) as u32);
        let board = &c.cx.world.board;
        let found: SpaceSet = match board.hex(space) {
            Some(hex) if n <= NEAR => hex.ring(n).into_iter().filter_map(|hex| board.at(hex)).collect(),
            Some(hex) => hexes(&c, |other| hex.distance(other) == n)?,
            None if n == 0 => [space].into_iter().collect(),
            None => steps(&c, space, n)?.minus(&steps(&c, space, n - 1)?),
        };
        c.spaces_out(found)
    })?;
    api.add("border(a: space, b: space) -> texts", "The features of the border between two spaces.", |c| {
        let features = match c.cx.world.board.border_between(c.space(0)?, c.space(1)?) {
            Some(border) => c.cx.world.features(border).iter().map(|&feature| Val::Sym(feature)).collect(),
            None => Vec::new(),
        };
        Ok(Out::list(features))
    })?;
    api.add(
        "linked(network: text, a: space, b: space) -> bool",
        "Whether a network leads from a to b directly.",
        |c| {
            let (network, a, b) = (c.network(0)?, c.space(1)?, c.space(2)?);
            let links = c.cx.world.board.network_links(network, a);
            Ok(Out::truth(links.iter().any(|link| link.to == b)))
        },
    )?;
    api.add("on_network(network: text, space: space) -> bool", "Whether a space lies on a network.", |c| {
        let (network, space) = (c.network(0)?, c.space(1)?);
        let spaces = c.cx.world.board.network_spaces(network);
        Ok(Out::truth(spaces.is_some_and(|spaces| spaces.contains(space))))
    })?;
    api.add(
        "around(spaces: spaces, barrier: texts?) -> spaces",
        "All neighbours of some spaces, not looking across borders with the given features.",
        |c| {
            let set = c.spaces(0)?;
            let barrier = c.barrier(slot(1)).or_else(|why| c.wrong(1, why))?;
            c.cx.spend(2 * set.len() as u64)?;
            c.spaces_out(c.cx.world.board.around(&set, barrier.as_deref()))
        },
    )?;
    api.add("connected(spaces: spaces) -> bool", "Whether some spaces hang together.", |c| {
        let set = c.spaces(0)?;
        c.cx.spend(2 * set.len() as u64)?;
        Ok(Out::truth(c.cx.world.board.connected(&set, sandtable_kernel::map::Over::Borders, None)))
    })
}

/// The spaces at most n borders away.
fn steps(c: &Call<'_>, from: SpaceId, n: u32) -> mlua::Result<SpaceSet> {
    let mut found: SpaceSet = [from].into_iter().collect();
    let mut size = 0;
    for _ in 0..n {
        // Once nothing is added nothing ever will be.
        if found.len() == size {
            break;
        }
        size = found.len();
        c.cx.spend(2 * size as u64)?;
        found.union_with(&c.cx.world.board.around(&found, None));
    }
    Ok(found)
}

/// Discs of at most this radius are walked hex by hex; for larger ones the map is the shorter list.
const NEAR: u32 = 12;

/// The hexes of the map that pass.
fn hexes(c: &Call<'_>, passes: impl Fn(Cube) -> bool) -> mlua::Result<SpaceSet> {
    c.all_spaces(1)?;
    let board = &c.cx.world.board;
    Ok(board.spaces().filter(|&space| board.hex(space).is_some_and(&passes)).collect())
}

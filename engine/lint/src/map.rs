//! The map: spaces without neighbours, borders given twice, networks with gaps.

use crate::codes;
use sandtable_data::catalog::Catalog;
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::tree::Node;
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::world::World;
use std::collections::{BTreeMap, BTreeSet};

/// A part of a network of at most so many spaces is taken for a slip where the network has ten times as many.
const FRAGMENT: usize = 3;

/// Links of a network from which on its dead ends are looked at.
const LARGE: usize = 20;

/// Reports spaces, borders and networks that cannot be meant so.
pub(crate) fn check(catalog: &Catalog, world: &World, out: &mut Diagnostics) {
    lonely(catalog, world, out);
    for kind in ["border", "link"] {
        two_sided(catalog, kind, out);
    }
    networks(catalog, world, out);
}

fn lonely(catalog: &Catalog, world: &World, out: &mut Diagnostics) {
    let board = &world.board;
    for (at, def) in (0u32..).map(SpaceId).zip(&world.spaces) {
        let linked = || {
            board.networks().any(|net| {
                !board.network_links(net, at).is_empty() || !board.network_links_into(net, at).is_empty()
            })
        };
        if def.on_map && board.neighbours(at).next().is_none() && !linked() {
            let (kind, id) = (world.symbols.text(def.kind), world.symbols.text(def.id));
            let Some(row) = catalog.row(kind, id) else { continue };
            let message = format!("{kind}.{id} has no neighbour and lies on no network");
            out.push(Diagnostic::warning(&codes::NO_NEIGHBOUR, row.origin, message));
        }
    }
}

/// The two ends of a row, as they are written.
fn ends(node: &Node) -> Option<(String, String)> {
    let text = |key: &str| match node.get(key)? {
        node if node.as_int().is_some() => node.as_int().map(|n| n.to_string()),
        node => node.as_str().map(str::to_string),
    };
    Some((text("a")?, text("b")?))
}

fn two_sided(catalog: &Catalog, kind: &str, out: &mut Diagnostics) {
    let mut first: BTreeMap<(String, String, String), &Node> = BTreeMap::new();
    let word = |node: &Node, key: &str| node.get(key).map(|node| node.value.brief()).unwrap_or_default();
    for (id, node) in catalog.rows(kind) {
        let Some((a, b)) = ends(node) else { continue };
        let group = if kind == "link" { word(node, "kind") } else { String::new() };
        if let Some(other) = first.get(&(b.clone(), a.clone(), group.clone())) {
            let key = if kind == "link" { "oneway" } else { "feature" };
            let (one, two) = (word(other, key), word(node, key));
            if one != two {
                let shown =
                    |text: &str| if text.is_empty() { "nothing".to_string() } else { text.to_string() };
                let message = format!(
                    "{kind}.{id} gives {} from {a} to {b}; from {b} to {a} it is {}",
                    shown(&two),
                    shown(&one)
                );
                out.push(
                    Diagnostic::warning(&codes::TWO_SIDED, node.origin, message)
                        .label(other.origin, "the other way round"),
                );
            }
        }
        first.entry((a, b, group)).or_insert(node);
    }
}

fn networks(catalog: &Catalog, world: &World, out: &mut Diagnostics) {
    let mut links: BTreeMap<&str, Vec<(SpaceId, SpaceId, &Node)>> = BTreeMap::new();
    for (_, node) in catalog.rows("link") {
        let Some((a, b)) = ends(node) else { continue };
        if let (Some(kind), Some(a), Some(b)) =
            (node.get("kind").and_then(Node::as_str), world.find_space(&a), world.find_space(&b))
        {
            links.entry(kind).or_default().push((a, b, node));
        }
    }
    for (kind, links) in links {
        let leaps: Vec<_> = links.iter().filter(|(a, b, _)| !world.board.adjacent(*a, *b)).collect();
        if leaps.len() * 20 <= links.len() {
            for (a, b, node) in leaps {
                let message = format!(
                    "the {kind} from {} to {} leaps: the two are not neighbours, and nearly all its other links join neighbours",
                    world.space_name(*a),
                    world.space_name(*b)
                );
                out.push(Diagnostic::warning(&codes::BROKEN_NETWORK, node.origin, message));
            }
        }
        for part in fragments(world, &links) {
            let Some((a, b, node)) = links.iter().find(|(a, _, _)| part.contains(a)) else { continue };
            let message = format!(
                "the {kind} from {} to {} hangs on nothing: {} spaces that the rest of the network does not reach",
                world.space_name(*a),
                world.space_name(*b),
                part.len()
            );
            out.push(Diagnostic::warning(&codes::BROKEN_NETWORK, node.origin, message));
        }
        for (a, b, node, other) in gaps(catalog, world, &links) {
            let message = format!(
                "the {kind} ends at {} and begins again at {}, its neighbour",
                world.space_name(a),
                world.space_name(b)
            );
            out.push(
                Diagnostic::warning(&codes::BROKEN_NETWORK, node.origin, message)
                    .label(other.origin, "where it begins again"),
            );
        }
    }
}

/// Two dead ends that face each other across one side: a line from which a link was left out. A line may end in a place with a
/// name, and at the edge of the map.
fn gaps<'a>(
    catalog: &Catalog,
    world: &World,
    links: &[(SpaceId, SpaceId, &'a Node)],
) -> Vec<(SpaceId, SpaceId, &'a Node, &'a Node)> {
    let mut ends: BTreeMap<SpaceId, Vec<(SpaceId, &Node)>> = BTreeMap::new();
    for (a, b, node) in links {
        ends.entry(*a).or_default().push((*b, node));
        ends.entry(*b).or_default().push((*a, node));
    }
    let board = &world.board;
    let open_ground = |space: SpaceId| {
        let row = world
            .spaces
            .get(space.0 as usize)
            .and_then(|def| catalog.row(world.symbols.text(def.kind), world.symbols.text(def.id)));
        row.is_some_and(|row| row.get("name").is_none()) && board.neighbours(space).count() == 6
    };
    let dead = |space: SpaceId| match ends.get(&space).map(Vec::as_slice) {
        Some(&[(before, node)]) if open_ground(space) => Some((before, node)),
        _ => None,
    };
    let mut found = Vec::new();
    for &a in ends.keys().filter(|_| links.len() >= LARGE) {
        let Some((before, node)) = dead(a) else { continue };
        for b in board.neighbours(a).filter(|b| *b > a) {
            let Some((after, other)) = dead(b) else { continue };
            if before != b && before != after && !board.adjacent(before, b) && !board.adjacent(a, after) {
                found.push((a, b, node, other));
            }
        }
    }
    found
}

/// The small parts of a network beside a large one.
fn fragments(world: &World, links: &[(SpaceId, SpaceId, &Node)]) -> Vec<BTreeSet<SpaceId>> {
    let mut near: BTreeMap<SpaceId, Vec<SpaceId>> = BTreeMap::new();
    for (a, b, _) in links {
        near.entry(*a).or_default().push(*b);
        near.entry(*b).or_default().push(*a);
    }
    let mut parts: Vec<BTreeSet<SpaceId>> = Vec::new();
    for &start in near.keys() {
        if parts.iter().any(|part| part.contains(&start)) {
            continue;
        }
        let mut part = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(space) = open.pop() {
            open.extend(near[&space].iter().copied().filter(|next| part.insert(*next)));
        }
        parts.push(part);
    }
    let Some(largest) = parts.iter().max_by_key(|part| part.len()).cloned() else { return parts };
    let beside = |part: &BTreeSet<SpaceId>| {
        part.iter().any(|&a| world.board.neighbours(a).any(|b| largest.contains(&b)))
    };
    parts.retain(|part| part.len() <= FRAGMENT && part.len() * 10 <= largest.len() && beside(part));
    parts
}

//! Layers: what was loaded, in which order, and which depends on which.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::origin::LayerId;
use crate::package_manifest::{Manifest, PackageKind};

/// A stable hash over the names and bytes of a layer's files; it is written into records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ContentHash(pub [u8; 8]);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl ContentHash {
    /// Hashes files in the order of their names: FNV-1a of 128 bits over lengths, names and bytes, folded to 64.
    pub fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        let files: BTreeMap<&str, &[u8]> = files.into_iter().collect();
        let mut hash = BASIS;
        let mut feed = |bytes: &[u8]| {
            for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
                hash = (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
            }
        };
        for (name, bytes) in files {
            feed(name.as_bytes());
            feed(bytes);
        }
        let low = hash.to_be_bytes();
        let mut folded = [0; 8];
        for (index, byte) in folded.iter_mut().enumerate() {
            *byte = low[index] ^ low[index + 8];
        }
        Self(folded)
    }
}

/// A loaded package: the game, a library or a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerInfo {
    /// Its id; `command line` for the settings of `--set`.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Its version.
    pub version: String,
    /// The hash of its files.
    pub content_hash: ContentHash,
    /// Its depth of dependency: 0 for the game and libraries, 1 for a layer that needs only the game.
    pub depth: u16,
    /// Whether it is a library: scripts that games share.
    pub library: bool,
    /// All packages that it needs, directly or through others; for a layer the game is always among them.
    pub needs: BTreeSet<LayerId>,
}

/// The order of merging: indices into the manifests, with depth and all needs (as places in this order).
#[derive(Debug, Default)]
pub(crate) struct Order {
    pub steps: Vec<Step>,
}

/// One layer in the order of merging.
#[derive(Debug)]
pub(crate) struct Step {
    pub manifest: usize,
    pub depth: u16,
    pub needs: BTreeSet<LayerId>,
}

/// Orders the manifests (the first is the game's): the game, its libraries, each after those that it needs, then the layers by depth and
/// id; reports what does not fit together.
pub(crate) fn order(manifests: &[&Manifest], out: &mut Diagnostics) -> Order {
    let by_id: BTreeMap<&str, usize> =
        manifests.iter().enumerate().map(|(i, m)| (m.id.as_str(), i)).collect();
    check(manifests, &by_id, out);
    let mut direct: Vec<BTreeSet<usize>> = Vec::new();
    for (index, manifest) in manifests.iter().enumerate() {
        let mut needs: BTreeSet<usize> =
            manifest.needs.iter().filter_map(|need| by_id.get(need.id.as_str()).copied()).collect();
        if manifest.kind == PackageKind::Layer {
            needs.remove(&index);
            needs.insert(0);
        } else {
            needs.retain(|&need| is_library(manifests[need]));
        }
        direct.push(needs);
    }
    // Libraries are beneath all of it: what needs one is no deeper for that.
    let mut below = direct.clone();
    for (index, needs) in below.iter_mut().enumerate() {
        needs.retain(|&need| is_library(manifests[index]) == is_library(manifests[need]));
    }
    let depths = depths(manifests, &mut below, out);
    let mut places: Vec<usize> = (0..manifests.len()).collect();
    places.sort_by_key(|&index| {
        let rank = match manifests[index].kind {
            PackageKind::Game => 0,
            PackageKind::Library => 1,
            PackageKind::Layer => 2,
        };
        (rank, depths[index], &manifests[index].id)
    });
    let place_of: BTreeMap<usize, u16> = (0..).zip(&places).map(|(place, &index)| (index, place)).collect();
    let step = |&index: &usize| {
        let mut all = BTreeSet::new();
        let mut open: Vec<usize> = direct[index].iter().copied().collect();
        while let Some(need) = open.pop() {
            if need != index && all.insert(need) {
                open.extend(&direct[need]);
            }
        }
        let depth = if is_library(manifests[index]) { 0 } else { depths[index] };
        Step { manifest: index, depth, needs: all.iter().map(|need| LayerId(place_of[need])).collect() }
    };
    Order { steps: places.iter().map(step).collect() }
}

fn is_library(manifest: &Manifest) -> bool {
    manifest.kind == PackageKind::Library
}

/// Returns each package's depth; a need that closes a circle is reported and dropped.
fn depths(manifests: &[&Manifest], direct: &mut [BTreeSet<usize>], out: &mut Diagnostics) -> Vec<u16> {
    let mut depths: Vec<Option<u16>> = vec![None; manifests.len()];
    loop {
        let mut moved = false;
        for index in 0..manifests.len() {
            if depths[index].is_none() {
                let below: Option<Vec<u16>> = direct[index].iter().map(|&need| depths[need]).collect();
                if let Some(below) = below {
                    depths[index] = Some(below.iter().max().map_or(0, |depth| depth + 1));
                    moved = true;
                }
            }
        }
        let stuck: Vec<usize> = (0..manifests.len()).filter(|&index| depths[index].is_none()).collect();
        let Some(&victim) = stuck.iter().min_by_key(|&&index| &manifests[index].id) else { break };
        if !moved {
            let circle = circle_from(victim, direct, &depths);
            let names: Vec<&str> = circle.iter().map(|&index| manifests[index].id.as_str()).collect();
            if names.len() > 1 {
                let who = if is_library(manifests[circle[0]]) { "libraries" } else { "layers" };
                let message = format!("{who} need each other in a circle: {}", names.join(" needs "));
                out.push(Diagnostic::error(&codes::NEEDS_CYCLE, manifests[circle[0]].span, message));
            }
            let first = circle[0];
            direct[first].retain(|need| !circle.contains(need));
        }
    }
    depths.into_iter().map(Option::unwrap_or_default).collect()
}

/// Follows needs that are not yet placed until one comes twice; returns the circle with its start repeated.
fn circle_from(start: usize, direct: &[BTreeSet<usize>], depths: &[Option<u16>]) -> Vec<usize> {
    let mut path = vec![start];
    loop {
        let last = path[path.len() - 1];
        let Some(&next) = direct[last].iter().find(|&&need| depths[need].is_none()) else { return path };
        if let Some(first) = path.iter().position(|&index| index == next) {
            path.push(next);
            return path.split_off(first);
        }
        path.push(next);
    }
}

fn check(manifests: &[&Manifest], by_id: &BTreeMap<&str, usize>, out: &mut Diagnostics) {
    let Some(game) = manifests.first() else { return };
    for manifest in manifests {
        for need in &manifest.needs {
            let found = by_id.get(need.id.as_str()).map(|&index| manifests[index]);
            if let (Some(found), Some(major)) = (found, need.major)
                && found.major() != Some(major)
            {
                let message = format!(
                    "{} {} needs {} in version {major}; found version {}",
                    manifest.kind.word(),
                    manifest.id,
                    need.id,
                    found.version
                );
                let label = format!("{} says its version here", found.id);
                out.push(Diagnostic::error(&codes::NEEDS, need.span, message).label(found.span, label));
            }
        }
        for (id, span) in &manifest.clashes {
            if let Some(&other) = by_id.get(id.as_str()) {
                let message = format!("layer {} cannot be combined with layer {id}", manifest.id);
                out.push(
                    Diagnostic::error(&codes::CLASH, *span, message)
                        .label(manifests[other].span, "the other layer"),
                );
            }
        }
        let other =
            manifest.game.as_ref().filter(|other| **other != game.id && manifest.kind == PackageKind::Layer);
        if let Some(other) = other {
            let message = format!("layer {} is for the game {other}; this is {}", manifest.id, game.id);
            out.push(Diagnostic::error(&codes::WRONG_GAME, manifest.span, message));
        }
    }
}

//! Reach with a limit on steps: cheapest ways by number of steps, layer by layer.

use super::profile::{BLOCKED, Cost, Profile, UNLIMITED};
use super::reach::{NONE, Ways};
use super::scratch::Scratch;
use super::spec::{FIRST, ReachSpec, SHUT, STOP, step_cost};

/// Walks at most `steps` steps from the start, lowering `cost`.
///
/// A label is one way to one space. In each layer a space gets a new label only if it got cheaper than with
/// fewer steps, so a dearer but shorter way stays known to those that need its spare steps.
pub(super) fn walk(
    profile: &Profile,
    spec: &ReachSpec<'_>,
    steps: u32,
    scratch: &mut Scratch,
    cost: &mut [Cost],
) -> Ways {
    let points = spec.points.min(UNLIMITED);
    let start = spec.from.0;
    let mut best = vec![NONE; cost.len()];
    best[start as usize] = 0;
    let mut labels = vec![(start, NONE)];
    let mut spent: Vec<Cost> = vec![0];
    let mut layer = 0..1;
    for _ in 0..steps {
        if layer.is_empty() {
            break;
        }
        let fresh = labels.len();
        for label in layer {
            let at = labels[label].0;
            let from = at as usize;
            let first = at == start;
            if !first && scratch.marks[from] & (STOP | FIRST) != 0 {
                continue;
            }
            let closed = if first { SHUT } else { SHUT | FIRST };
            for (edge, border) in profile.edges_with_borders(from) {
                let to = edge.to as usize;
                if scratch.marks[to] & closed != 0 {
                    continue;
                }
                let step = step_cost(spec, scratch, from, edge, border);
                let total = if step == BLOCKED { BLOCKED } else { spent[label].saturating_add(step) };
                if total > points || total >= cost[to] {
                    continue;
                }
                cost[to] = total;
                // A label of this layer has not been walked from and can be overwritten.
                if best[to] != NONE && best[to] as usize >= fresh {
                    labels[best[to] as usize].1 = label as u32;
                    spent[best[to] as usize] = total;
                } else {
                    best[to] = labels.len() as u32;
                    labels.push((edge.to, label as u32));
                    spent.push(total);
                }
            }
        }
        layer = fresh..labels.len();
    }
    Ways::Labels { best, labels }
}

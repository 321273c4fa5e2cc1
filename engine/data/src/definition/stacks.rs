//! Stacks: `[stack.KIND]` says from how near a side sees what lies under the top piece of another's stack, or with `top = false` the top piece too.

use super::{Builder, keys};
use crate::diagnostic::Diagnostic;
use crate::diagnostic_codes::WRONG_TYPE;
use crate::tree::Node;
use crate::tree_read::Row;
use sandtable_kernel::map::BorderId;
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Datum, StackSight, World};

/// Reads who sees into stacks; values must have been read before.
pub(super) fn read(b: &mut Builder<'_>, world: &mut World) {
    let rows: Vec<(&str, &Node)> = b.catalog.rows("stack").collect();
    for (id, node) in rows {
        let Some(row) = Row::new(format!("stack.{id}"), node, &mut b.out) else { continue };
        row.unknown_keys(keys::STACK, &mut b.out);
        let kinds = b.piece_kinds();
        if !kinds.iter().any(|kind| kind == id) {
            let message = format!("{} is about no kind of pieces", row.name());
            b.unknown(node.origin, message, id, kinds.iter().map(String::as_str));
        }
        let Some(near) = row.need("seen-from", &mut b.out) else { continue };
        let value = near.as_str().map_or(Sym::NONE, |id| world.symbols.intern(id));
        let steps = match (near.as_int(), world.values.get(&value)) {
            (Some(n), _) => Some(n),
            (None, Some(Datum::Int(n))) => Some((*n).into()),
            _ => None,
        };
        let Some(steps) = steps.and_then(|n| u32::try_from(n).ok()) else {
            let message =
                format!("`seen-from` of {}: expected a number of spaces, or the id of one", row.name());
            b.out.push(Diagnostic::error(&WRONG_TYPE, near.origin, message));
            continue;
        };
        let names = row.get("barrier").and_then(Node::as_array).into_iter().flatten();
        let names: Vec<Sym> = names.filter_map(Node::as_str).map(|name| world.symbols.intern(name)).collect();
        let borders = (0u32..).zip(&world.border_features);
        let shut = borders.filter(|(_, features)| features.iter().any(|feature| names.contains(feature)));
        let barrier = shut.map(|(at, _)| BorderId(at)).collect();
        let top = row.bool("top", &mut b.out).unwrap_or(true);
        world.stacks.push(StackSight { kind: world.symbols.intern(id), near: steps, barrier, top, value });
    }
}

//! Skirmish, the small game: shows how a module of this crate is made.

use crate::position::{compare, load};
use crate::tables::rows;
use std::collections::BTreeSet;

/// Every piece on the map stands in a hex of the map's file.
#[test]
fn pieces_stand_on_the_map() {
    let hexes: BTreeSet<String> =
        rows("rules/skirmish/map/hex.csv").into_iter().filter_map(|row| row.get("id").cloned()).collect();
    compare(&load("skirmish", None, None), &[], |position| {
        let hexes = position.view.spaces.keys().filter(|space| {
            space.len() == 4 && space.bytes().all(|byte| byte.is_ascii_digit()) && !hexes.contains(*space)
        });
        match hexes.count() {
            0 => Ok(position.pieces().len()),
            unknown => Err(format!("{unknown} hexes are not in the file")),
        }
    });
}

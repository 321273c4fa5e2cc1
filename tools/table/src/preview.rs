//! What would follow from an answer, up to the first roll, reveal or question.
//!
//! The answer is tried in a copy of the game in which everything that the decider cannot see was mixed up, so that a
//! preview tells nothing that a rule has not told.

use crate::lines::{self, Told};
use crate::refusal::Refusal;
use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{PieceId, TableId};
use sandtable_kernel::world::SideId;
use sandtable_script::{Change, Choice, Opt, Search, Val};
use sandtable_session::Session;
use sandtable_session::hidden::scramble;
use sandtable_session::view::{Viewer, sees_face};
use serde_json::{Value, json};

/// How often hidden things change places.
const MIXED: usize = 16;
/// Most lines of a preview.
const MOST: usize = 60;

/// Tries an answer to decision number `which`.
pub fn preview(session: &mut Session, which: usize, side: SideId, choice: &Choice) -> Result<Value, Refusal> {
    session.check_answer(which, choice)?;
    let viewer = Viewer::Side(side);
    let world = session.game().definition.world.clone();
    let rows = session.play().state.rows(TableId::PIECE);
    let seen: Vec<bool> =
        (0..rows).map(|row| sees_face(&world, &session.play().state, viewer, PieceId(row))).collect();
    let begins = session.subject_spaces(which);
    let game = session.game().clone();
    let (copy, searches) = game.host.searched(|| session.fork());
    let mut copy = copy?;
    let way = way(&searches, &begins, choice);
    let mut dice = Dice::new(DiceKey { seed: 1, path: 1, label: 1, ordinal: 1 });
    for _ in 0..MIXED {
        scramble(&world, &mut copy.play_mut().state, viewer, &|_| true, &mut |most| dice.below(most));
    }
    let from = copy.play().changes.len();
    if copy.answer(which, choice).is_err() {
        // What cannot be worked out without what is hidden has no preview.
        return Ok(json!({ "lines": [], "moves": [], "numbers": [], "cut": "unknown" }));
    }
    let state = &copy.play().state;
    let shown = |piece: u32| {
        let known = seen.get(piece as usize).copied().unwrap_or(true);
        !known && sees_face(&world, state, viewer, PieceId(piece))
    };
    let cut = (from..).zip(copy.play().changes.iter().skip(from)).find_map(|(n, change)| match change {
        Change::Roll { .. } => Some((n, "roll")),
        Change::Shuffle(_) | Change::Reveal { .. } => Some((n, "reveal")),
        Change::Move { piece, .. } if shown(*piece) => Some((n, "reveal")),
        _ => None,
    });
    let (end, why) = cut.map_or((usize::MAX, Value::Null), |(n, why)| (n, json!(why)));
    let told = Told { from, choices: &[], answers: &[] };
    let lines = copy.look(|host| lines::objects(host.cx(), viewer, &told));
    let lines: Vec<Value> =
        lines.into_iter().filter(|(n, _)| *n < end).take(MOST).map(|(_, line)| line.into()).collect();
    let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).cloned().collect::<Vec<_>>();
    let mut preview = json!({ "moves": of("move"), "numbers": of("number"), "lines": lines, "cut": why });
    if let Some((path, cost)) = way {
        preview["path"] = path.iter().map(|space| json!(world.space_name(*space))).collect();
        preview["cost"] = json!(cost);
    }
    Ok(preview)
}

/// How a mover gets to the space that was chosen, and at what cost: as the rules found it when they made the options.
fn way(searches: &[Search], from: &[SpaceId], choice: &Choice) -> Option<(Vec<SpaceId>, i32)> {
    let Choice::One(Opt { val: Val::Space(to), .. }) = choice else { return None };
    let to = SpaceId(*to);
    let found = searches.iter().rev().map(|search| &search.reach).filter(|reach| reach.can_end(to));
    found
        .map(|reach| (reach.path_to(to), reach.cost(to)))
        .find(|(path, _)| path.len() > 1 && path.first().is_some_and(|start| from.contains(start)))
        .and_then(|(path, cost)| Some((path, cost?)))
}

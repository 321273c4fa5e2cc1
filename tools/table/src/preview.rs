//! What would follow from an answer, up to the first roll, reveal or question.
//!
//! The answer is tried in the game as the decider may imagine it, so that a preview tells nothing that a rule has not told.

use crate::lines::{self, Told};
use crate::refusal::Refusal;
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::world::SideId;
use sandtable_script::{Choice, Opt, Search, Val};
use sandtable_session::view::Viewer;
use sandtable_session::{Cut, Foreseen, Session};
use serde_json::{Value, json};

/// Most lines of a preview.
const MOST: usize = 60;

/// Tries an answer to decision number `which`.
pub fn preview(session: &mut Session, which: usize, side: SideId, choice: &Choice) -> Result<Value, Refusal> {
    session.check_answer(which, choice)?;
    let game = session.game().clone();
    let world = &game.definition.world;
    let begins = session.subject_spaces(which);
    let (imagined, searches) = game.host.searched(|| session.imagined(which));
    let Some(Foreseen { mut after, changes, cut }) =
        imagined.and_then(|imagined| imagined.foresee(which, choice))
    else {
        // What cannot be worked out without what is hidden has no preview.
        return Ok(json!({ "lines": [], "moves": [], "numbers": [], "cut": "unknown" }));
    };
    let told = Told { from: changes.start, choices: &[], answers: &[] };
    let lines = after.look(|host| lines::objects(host.cx(), Viewer::Side(side), &told));
    let lines: Vec<Value> = lines
        .into_iter()
        .filter(|(n, _)| changes.contains(n))
        .take(MOST)
        .map(|(_, line)| line.into())
        .collect();
    let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).cloned().collect::<Vec<_>>();
    let cut = match cut {
        Some(Cut::Roll) => json!("roll"),
        Some(Cut::Reveal) => json!("reveal"),
        None => Value::Null,
    };
    let mut preview = json!({ "moves": of("move"), "numbers": of("number"), "lines": lines, "cut": cut });
    if let Some((path, cost)) = way(&searches, &begins, choice) {
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

//! What would follow from an answer, up to the first roll, reveal or question.
//!
//! Where the same side is asked again in the same action, as for the units of an attack, the next question is told, and what
//! would follow if it took all that it may.
//!
//! The answer is tried in the game as the decider may imagine it, so that a preview tells nothing that a rule has not told.

use crate::lines::{self, Told};
use crate::refusal::Refusal;
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::world::SideId;
use sandtable_script::{Choice, Decision, Offered, Opt, Search, Val};
use sandtable_session::view::Viewer;
use sandtable_session::{Cut, Foreseen, Session, changes};
use serde_json::{Value, json};

/// Most lines of a preview.
const MOST: usize = 60;
/// Most questions that are answered on the way to the dice.
const MOST_ASKED: usize = 8;

/// Tries an answer to decision number `which`.
pub fn preview(session: &mut Session, which: usize, side: SideId, choice: &Choice) -> Result<Value, Refusal> {
    session.check_answer(which, choice)?;
    let game = session.game().clone();
    let world = &game.definition.world;
    let begins = session.subject_spaces(which);
    let (imagined, searches) = game.host.searched(|| session.imagined(which));
    let viewer = Viewer::Side(side);
    let Some(foreseen) = imagined.and_then(|imagined| imagined.foresee(which, choice)) else {
        // What cannot be worked out without what is hidden has no preview.
        return Ok(json!({ "lines": [], "moves": [], "numbers": [], "cut": "unknown" }));
    };
    let (after, mut preview) = told(foreseen, viewer);
    if preview["cut"].is_null() {
        preview["then"] = then(after, side);
    }
    if let Some((path, cost)) = way(&searches, &begins, choice) {
        preview["path"] = path.iter().map(|space| json!(world.space_name(*space))).collect();
        preview["cost"] = json!(cost);
    }
    Ok(preview)
}

/// What a look ahead shows, as lines of the log.
fn told(foreseen: Foreseen, viewer: Viewer) -> (Session, Value) {
    let Foreseen { mut after, changes, cut } = foreseen;
    let told = Told { from: changes.start, choices: &[], answers: &[] };
    let lines = after.look(|host| lines::objects(host.cx(), viewer, &told));
    let lines = lines.into_iter().filter(|(n, _)| changes.contains(n)).take(MOST);
    let lines: Vec<Value> = lines.map(|(_, line)| line.into()).collect();
    let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).cloned().collect::<Vec<_>>();
    let cut = match cut {
        Some(Cut::Roll) => json!("roll"),
        Some(Cut::Reveal) => json!("reveal"),
        None => Value::Null,
    };
    let told = json!({ "moves": of("move"), "numbers": of("number"), "lines": lines, "cut": cut });
    (after, told)
}

/// What the side is asked next in the same action, and what would follow if it then took all that it may, and nobody added
/// anything that need not be.
fn then(mut after: Session, side: SideId) -> Value {
    let action = after.action();
    let text = match after.decisions() {
        [decision] if decision.side == side && action.is_some() => {
            let decision = decision.clone();
            after.look(|host| changes::question(host, &decision))
        }
        _ => return Value::Null,
    };
    let mut next = json!({ "text": text, "lines": [], "moves": [], "numbers": [], "cut": null });
    for asked in 0..MOST_ASKED {
        let [decision] = after.decisions() else { break };
        let choice = everything(decision).or_else(|| nothing(decision).filter(|_| asked > 0));
        let Some(choice) = choice.filter(|_| after.action() == action) else { break };
        let Some(foreseen) = after.foresee(0, &choice) else { break };
        let (on, more) = told(foreseen, Viewer::Side(side));
        after = on;
        for key in ["lines", "moves", "numbers"] {
            let more = more[key].as_array().cloned().unwrap_or_default();
            if let Some(all) = next[key].as_array_mut() {
                all.extend(more);
            }
        }
        next["cut"] = more["cut"].clone();
        if !next["cut"].is_null() {
            break;
        }
    }
    next
}

/// The option of a list that adds nothing: to be done, to pass.
fn nothing(decision: &Decision) -> Option<Choice> {
    let Offered::List(options) = &decision.offered else { return None };
    options.iter().find(|opt| opt.val == Val::Sym(opt.tag)).map(|opt| Choice::One(*opt))
}

/// The answer that takes as much of a set as its bounds allow; none for a basket, whose things stand against each other.
fn everything(decision: &Decision) -> Option<Choice> {
    let Offered::Selection { values, items, bounds, .. } = &decision.offered else { return None };
    if items.iter().any(|item| item.most > 1) {
        return None;
    }
    let mut left = i64::from(bounds.at_most);
    let mut chosen = Vec::new();
    for (&val, item) in values.iter().zip(items) {
        if chosen.len() < bounds.max as usize && i64::from(item.cost) <= left {
            left -= i64::from(item.cost);
            chosen.push((val, 1));
        }
    }
    Some(Choice::Many(chosen))
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

//! The verbs: the only ways, besides assigning fields, in which a script changes the game.

mod chance;
mod effects;
mod pieces;
mod records;

use super::{Api, slot};
use crate::context::ScriptContext;
use crate::lua_ffi::Out;
use crate::val::{Change, Ending, Val};
use mlua::Value;

/// Most effects, and most records of a type, at a time.
const AT_A_TIME: u32 = 5_000;

pub(super) fn bind(api: &mut Api<'_>) -> mlua::Result<()> {
    pieces::bind(api)?;
    chance::bind(api)?;
    effects::bind(api)?;
    records::bind(api)?;
    api.add(
        "end_game(how: table)",
        "Ends the game from any depth: winner (nil for a draw), reason, rule.",
        |c| {
            c.cx.changing("end_game")?;
            let how = c.table(0)?;
            const KEYS: [&str; 3] = ["winner", "reason", "rule"];
            let mut unknown = None;
            c.frame.each(slot(0), |key, _| {
                let key = c.frame.sym(key).map_or_else(String::new, |key| c.cx.text(key));
                if !KEYS.contains(&key.as_str()) {
                    unknown = Some(key);
                }
                Ok(())
            })?;
            if let Some(key) = unknown {
                return c.wrong(0, format!("there is no `{key}`{}", ScriptContext::nearest(&key, KEYS)));
            }
            let winner = match c.cx.val(&how.raw_get::<Value>("winner")?).or_else(|why| c.wrong(0, why))? {
                Val::Nil => None,
                Val::Sym(sym) => match c.cx.side(sym) {
                    Some(side) => Some(side),
                    None => {
                        let (name, sides) = (c.cx.text(sym), (0u8..).zip(&c.cx.world.sides));
                        let sides =
                            sides.map(|(at, _)| c.cx.world.side_name(sandtable_kernel::world::SideId(at)));
                        let sides = sides.collect::<Vec<_>>().join(", ");
                        return c.wrong(0, format!("winner: `{name}` is not a side; the sides are {sides}"));
                    }
                },
                other => {
                    return c.wrong(0, format!("winner: expected a side, found {}", c.cx.describe(other)));
                }
            };
            let reason: Option<String> = how.raw_get("reason")?;
            let rule: Option<String> = how.raw_get("rule")?;
            let ending = Ending {
                winner,
                reason: c.cx.new_name(&reason.unwrap_or_default())?,
                rule: rule.unwrap_or_default(),
            };
            let mut play = c.cx.play.borrow_mut();
            play.changes.push(Change::End(ending.clone()));
            play.ended = Some(ending);
            Ok(Out::NIL)
        },
    )
}

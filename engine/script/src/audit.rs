//! Proof that scripts keep nothing between steps: what their functions hold is compared with what they held after loading.
//!
//! Loading leaves nothing that could be changed (`lasting`); tests and simulations look whether that is so.

use crate::context::ScriptContext;
use crate::handle::Target;
use crate::sandbox::text_of;
use crate::val::Val;
use mlua::{Function, Table, Value};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// Names of the prelude's own caches, which fill as a game goes on.
const CACHES: &[&str] = &["procedures", "events"];
/// Values that are looked at; a package that holds more is looked at in part.
const MOST: usize = 100_000;
/// Looks that pass between two that are taken when invariants are checked: what scripts keep stays there.
const EVERY: u32 = 64;

/// What scripts held when they were loaded, and how to look again.
pub(crate) struct Audit {
    upvalue: Function,
    held: RefCell<BTreeMap<String, String>>,
    looks: Cell<u32>,
}

/// A place where scripts keep values: its name for messages, and the value.
pub(crate) type Root = (String, Value);

impl Audit {
    /// An audit that looks with the function of the `debug` library.
    pub fn new(upvalue: Function) -> Audit {
        Audit { upvalue, held: RefCell::default(), looks: Cell::new(0) }
    }

    /// Remembers what is held now.
    pub fn remember(&self, cx: &ScriptContext, roots: &[Root]) -> mlua::Result<()> {
        *self.held.borrow_mut() = self.look(cx, roots)?;
        Ok(())
    }

    /// Whether it is time to look again.
    pub fn due(&self) -> bool {
        let looks = self.looks.get();
        self.looks.set(looks.wrapping_add(1));
        looks.is_multiple_of(EVERY)
    }

    /// What has changed since `remember`, in words; nothing if all is as it was.
    pub fn changed(&self, cx: &ScriptContext, roots: &[Root]) -> mlua::Result<Option<String>> {
        let (before, now) = (self.held.borrow(), self.look(cx, roots)?);
        let gone = before.iter().find(|(path, value)| now.get(*path) != Some(value));
        let (path, old, new) = match gone {
            Some((path, old)) => (path, old.as_str(), now.get(path).map_or("nothing", String::as_str)),
            None => match now.iter().find(|(path, _)| !before.contains_key(*path)) {
                Some((path, new)) => (path, "nothing", new.as_str()),
                None => return Ok(None),
            },
        };
        Ok(Some(format!(
            "{path} was {old} after loading and is {new} now: scripts keep nothing between steps; declare an attribute"
        )))
    }

    fn look(&self, cx: &ScriptContext, roots: &[Root]) -> mlua::Result<BTreeMap<String, String>> {
        let mut found = BTreeMap::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<Root> = roots.iter().rev().cloned().collect();
        while let Some((path, value)) = open.pop() {
            if found.len() >= MOST {
                break;
            }
            let text = match &value {
                Value::Function(f) => {
                    if seen.insert(f.to_pointer()) {
                        self.inside(f, &path, &mut open)?;
                    }
                    "a function".to_string()
                }
                Value::Table(table) => {
                    if seen.insert(table.to_pointer()) {
                        entries(cx, table, &path, &mut open)?;
                    }
                    "a table".to_string()
                }
                other => match Target::of(other) {
                    // Its name depends on the game that is played, if there is one.
                    Some(Target::Val(Val::Piece(number))) => format!("piece number {number}"),
                    _ => text_of(cx, other)?,
                },
            };
            found.insert(path, text);
        }
        Ok(found)
    }

    /// The variables that a function shares with those around it.
    fn inside(&self, f: &Function, path: &str, open: &mut Vec<Root>) -> mlua::Result<()> {
        let info = f.info();
        if info.what == "C" {
            return Ok(());
        }
        let own = info.short_src.as_deref() == Some("prelude.lua");
        for number in 1..=255 {
            let (name, value): (Option<String>, Value) = self.upvalue.call((f, number))?;
            let Some(name) = name else { break };
            let metering = crate::meter::RESERVED.contains(&name.as_str());
            if name != "_ENV" && !metering && !(own && CACHES.contains(&name.as_str())) {
                open.push((format!("`{name}` of {}", path.replace('`', "")), value));
            }
        }
        Ok(())
    }
}

/// The entries of a table, by what their keys are called.
fn entries(cx: &ScriptContext, table: &Table, path: &str, open: &mut Vec<Root>) -> mlua::Result<()> {
    let mut found: Vec<Root> = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let name = text_of(cx, &key)?;
        found.push((format!("`{name}` in {}", path.replace('`', "")), value));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    open.append(&mut found);
    Ok(())
}

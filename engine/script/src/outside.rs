//! Memory that hangs on a Lua value without Lua knowing: what searches and looks over the map found.
//!
//! Lua counts its own memory and collects by it. What hangs on it outside is counted here, and goes when Lua's collector
//! finds the value that holds it.

use crate::context::{ScriptContext, fail};
use std::cell::Cell;
use std::rc::Rc;

/// Bytes that may hang on the values of a VM.
const MOST: usize = 128 << 20;
/// Bytes that have come since Lua's collector last looked, before it is told to look for some to free.
const HELD: usize = 64 << 20;

/// The bytes of one thing, counted for as long as it lives.
pub(crate) struct Tally {
    all: Rc<Cell<usize>>,
    bytes: usize,
}

impl Drop for Tally {
    fn drop(&mut self) {
        self.all.set(self.all.get() - self.bytes);
    }
}

/// Something with its bytes.
pub(crate) struct Tallied<T> {
    pub value: T,
    _tally: Tally,
}

impl ScriptContext {
    /// Counts the memory of something that is to hang on a Lua value.
    pub(crate) fn tallied<T>(&self, value: T, bytes: usize) -> mlua::Result<Tallied<T>> {
        self.spend(bytes as u64 / 4)?;
        let held = self.held.get() + bytes;
        self.held.set(held);
        if held > HELD || self.outside.get() + bytes > MOST {
            self.held.set(0);
            self.lua_ffi.lua().map_or(Ok(()), |lua| lua.gc_collect())?;
            if self.outside.get() + bytes > MOST {
                return fail(format!("what searches found is kept, and takes more than {MOST} bytes"));
            }
        }
        self.outside.set(self.outside.get() + bytes);
        Ok(Tallied { value, _tally: Tally { all: self.outside.clone(), bytes } })
    }
}

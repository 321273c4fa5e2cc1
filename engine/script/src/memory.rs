//! The memory of a VM: how much its scripts may hold, and how large their tables may be.
//!
//! Lua puts keys that are not 1, 2, 3 and so on into the hash part of a table, numbers by their remainder and fractions by some
//! of their bits. A script that chooses keys which all come to the same place makes Lua walk past all of them for each, and when
//! the table grows, for all of them together within one instruction: a hundred thousand keys take most of a minute, which
//! neither the meter nor the watchdog can end. So the hash part has a bound, at which growing takes a fraction of a second. It is
//! kept where Lua asks for memory, for nothing else sees a table grow.

#![expect(unsafe_code, reason = "Lua's allocator has no safe interface; see `allocate`")]

use mlua::Lua;
use mlua::ffi::{self, lua_Alloc, lua_State};
use std::cell::Cell;
use std::ffi::c_void;

/// Keys that a table may have beside those in sequence from 1 on.
pub(crate) const KEYS: usize = 32_768;
/// The size of an entry of the hash part. The test below fails should Lua's be another.
const ENTRY: usize = 24;

/// The memory of one VM. While it lives the bounds are kept.
pub(crate) struct Memory {
    lua: Lua,
    /// What Lua's allocator is given, at an address that stays.
    own: *mut Own,
}

/// What the allocator knows.
struct Own {
    /// That of mlua, which counts bytes and keeps to the bound on them.
    inner: (lua_Alloc, *mut c_void),
    /// Whether a table was not allowed to grow.
    refused: Cell<bool>,
}

impl Memory {
    /// Bounds the memory of a VM to so many bytes, and the size of its tables.
    pub fn bounded(lua: &Lua, bytes: usize) -> mlua::Result<Memory> {
        lua.set_memory_limit(bytes)?;
        let own = with_state(lua, |state| {
            let mut data = std::ptr::null_mut();
            // SAFETY: the state lives. Blocks come from the allocator before and go back to it, with the same data as ever.
            unsafe {
                let inner = (ffi::lua_getallocf(state, &raw mut data), data);
                let own = Box::into_raw(Box::new(Own { inner, refused: Cell::new(false) }));
                ffi::lua_setallocf(state, allocate, own.cast());
                own
            }
        });
        Ok(Memory { lua: lua.clone(), own })
    }

    /// Whether a table was not allowed to grow since this was last asked.
    pub fn refused(&self) -> bool {
        // SAFETY: it is freed when this is dropped.
        unsafe { (*self.own).refused.take() }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // Somebody may hold the VM for longer.
        with_state(&self.lua, |state| {
            // SAFETY: the allocator before takes all blocks, and the box is not known to Lua any more.
            unsafe {
                let own = Box::from_raw(self.own);
                ffi::lua_setallocf(state, own.inner.0, own.inner.1);
            }
        });
    }
}

fn with_state<T>(lua: &Lua, f: impl FnOnce(*mut lua_State) -> T) -> T {
    lua.exec_raw_lua(|raw| f(raw.state()))
}

/// What is said of a table that may not grow.
pub(crate) fn words() -> String {
    format!("a table has more than {KEYS} keys beside 1, 2, 3 and so on")
}

/// Whether a new block is the hash part of a table that is too large: its entries are a power of two. Of other blocks that are
/// asked for in this way none has so many bytes but by chance; such a one is refused as if there were no memory.
fn is_too_large(bytes: usize) -> bool {
    bytes > KEYS * ENTRY && bytes.is_multiple_of(ENTRY) && (bytes / ENTRY).is_power_of_two()
}

/// The allocator: refuses the hash part of a table that is too large, and leaves all else to the one before.
unsafe extern "C" fn allocate(own: *mut c_void, block: *mut c_void, old: usize, new: usize) -> *mut c_void {
    // SAFETY: Lua hands on what it was given; see `Memory::bounded`. For a new block `old` says what kind of object it is for, and
    // 0 if it is part of one.
    unsafe {
        let own = &*own.cast::<Own>();
        if block.is_null() && old == 0 && is_too_large(new) {
            own.refused.set(true);
            return std::ptr::null_mut();
        }
        (own.inner.0)(own.inner.1, block, old, new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(keys: &str) -> (Option<String>, bool) {
        let lua = Lua::new();
        let memory = Memory::bounded(&lua, 64 << 20).expect("an allocator");
        let error = lua.load(keys).exec().err().map(|error| error.to_string());
        (error, memory.refused())
    }

    #[test]
    fn the_hash_part_of_a_table_is_bounded() {
        let full = format!("local t = {{}} for i = 1, {KEYS} do t[-i] = true end");
        assert_eq!(run(&full), (None, false));
        let (error, refused) = run(&format!("{full} t[0] = true"));
        assert!(error.is_some_and(|error| error.contains("not enough memory")) && refused);
        // What is in sequence is bounded by memory alone.
        assert_eq!(run("local t = {} for i = 1, 1000000 do t[i] = true end"), (None, false));
        let (error, refused) = run("local t = {} while true do t[#t + 1] = 1 end");
        assert!(error.is_some_and(|error| error.contains("not enough memory")) && !refused);
    }
}

//! Lua's stack as one call of the border sees it: the only place of the crate where a value is put on it.
//!
//! Lua gives a function of C 20 free places above its arguments, and writes past the end of its memory when more are used
//! without being asked for. So the state of Lua is known to this module alone, and everything that pushes goes through
//! [`Stack::reserve`]. Two figures are kept for it, because a decision crosses the border some forty times: where the stack ends
//! now, and up to where Lua has given places. A debug build compares the first with Lua's own at every step.
//!
//! What lies among the arguments stays there until the call ends: nothing here takes an argument off or writes over it. That is
//! what makes borrowing a text or a list from an argument sound, whatever is called and collected meanwhile. From other places
//! nothing is borrowed.
//!
//! None of these functions raises an error of Lua, for one would jump over Rust's frames; [`Stack::call`] runs what may raise
//! under protection.

#![expect(unsafe_code, reason = "Lua's own interface, which is reached through this module only")]

use super::blocks;
use crate::context::ScriptContext;
use crate::list::List;
use mlua::ffi::{self, lua_State};
use mlua::{Lua, Value};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::slice;

/// Why a value cannot be put on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Full {
    /// Lua has no more places to give: its stack is bounded.
    #[error(
        "stack overflow: too many calls or values at once; call less deeply, or put the values into a table"
    )]
    Stack,
    /// Lua has no memory for the value.
    #[error("there is no memory left")]
    Memory,
}

impl From<Full> for mlua::Error {
    #[cold]
    fn from(full: Full) -> mlua::Error {
        match full {
            Full::Stack => mlua::Error::RuntimeError(full.to_string()),
            Full::Memory => mlua::Error::MemoryError(full.to_string()),
        }
    }
}

/// Places that are kept free for what follows a body: its list with a metatable, or its message.
const REST: c_int = 3;
/// Places that are asked for at a time, so that this is done rarely.
const GROWTH: c_int = 20;
/// Places that moving a value to or from mlua may take.
const MOVE: c_int = 5;

/// The stack of one call.
pub(super) struct Stack {
    l: *mut lua_State,
    /// How many arguments there are.
    args: c_int,
    /// How many values stay where they are: the arguments, and what a walk through a table stands at.
    floor: Cell<c_int>,
    /// How many values lie on it.
    top: Cell<c_int>,
    /// How many may lie on it.
    limit: Cell<c_int>,
    /// Whether a table is being walked, during which nothing may be called or assigned.
    walking: Cell<bool>,
}

impl Stack {
    /// # Safety
    /// A function of C was just entered with this state, and uses it through this only until it returns.
    pub unsafe fn new(l: *mut lua_State) -> Stack {
        // SAFETY: as demanded.
        let args = unsafe { ffi::lua_gettop(l) };
        let limit = Cell::new(args + ffi::LUA_MINSTACK - REST);
        Stack { l, args, floor: Cell::new(args), top: Cell::new(args), limit, walking: Cell::new(false) }
    }

    /// How many values lie on the stack.
    #[inline]
    pub fn top(&self) -> c_int {
        self.top.get()
    }

    /// Makes sure that so many values can be pushed: the one guard of all pushes.
    #[inline]
    fn reserve(&self, n: c_int) -> Result<(), Full> {
        if n <= self.limit.get() - self.top.get() { Ok(()) } else { self.grow(n) }
    }

    #[cold]
    fn grow(&self, n: c_int) -> Result<(), Full> {
        let more = n.saturating_add(GROWTH);
        // SAFETY: gives places or says that it has none, and does not raise.
        if unsafe { ffi::lua_checkstack(self.l, more.saturating_add(REST)) } == 0 {
            return Err(Full::Stack);
        }
        self.limit.set(self.top.get() + more);
        Ok(())
    }

    /// Pushes one value by a function of Lua that does nothing else.
    #[inline]
    fn push<T>(&self, push: impl FnOnce(*mut lua_State) -> T) -> Result<T, Full> {
        self.reserve(1)?;
        let made = push(self.l);
        self.moved(1);
        Ok(made)
    }

    /// Notes that there are so many values more.
    #[inline]
    fn moved(&self, by: c_int) {
        self.top.set(self.top.get() + by);
        debug_assert_eq!(
            self.top.get(),
            unsafe { ffi::lua_gettop(self.l) },
            "the stack is not as it was noted"
        );
    }

    /// A place as Lua takes it: counted from 1 on, or from the top down if it is negative. What lies nowhere is nil.
    #[inline]
    fn place(&self, at: c_int) -> c_int {
        if at > 0 {
            return at.min(self.limit.get() + 1);
        }
        let from_top = self.top.get() + 1 + at;
        if at < 0 && from_top > 0 { from_top } else { self.top.get() + 1 }
    }

    /// Whether so many values on top may be taken off.
    #[inline]
    fn is_free(&self, n: c_int) -> bool {
        n <= self.top.get() - self.floor.get()
    }

    /// Takes values off the top; arguments stay.
    #[inline]
    pub fn pop(&self, n: c_int) {
        self.cut(self.top.get() - n);
    }

    /// Takes everything off above a place; arguments stay.
    pub fn cut(&self, top: c_int) {
        debug_assert!(
            (self.floor.get()..=self.top.get()).contains(&top),
            "what stays on the stack is taken off"
        );
        let top = top.min(self.top.get()).max(self.floor.get());
        if top == self.top.get() {
            return;
        }
        // SAFETY: the stack becomes shorter.
        unsafe { ffi::lua_settop(self.l, top) };
        self.top.set(top);
    }

    pub fn push_nil(&self) -> Result<(), Full> {
        self.push(|l| unsafe { ffi::lua_pushnil(l) })
    }

    pub fn push_bool(&self, b: bool) -> Result<(), Full> {
        self.push(|l| unsafe { ffi::lua_pushboolean(l, c_int::from(b)) })
    }

    #[inline]
    pub fn push_int(&self, n: i64) -> Result<(), Full> {
        self.push(|l| unsafe { ffi::lua_pushinteger(l, n) })
    }

    /// Pushes a number in the guise of an address.
    #[inline]
    pub fn push_address(&self, address: usize) -> Result<(), Full> {
        self.push(|l| unsafe { ffi::lua_pushlightuserdata(l, std::ptr::without_provenance_mut(address)) })
    }

    /// Pushes a copy of a value.
    #[inline]
    pub fn push_copy(&self, at: c_int) -> Result<(), Full> {
        let at = self.place(at);
        self.push(|l| unsafe { ffi::lua_pushvalue(l, at) })
    }

    /// Pushes copies of values that follow each other.
    pub fn push_copies(&self, first: c_int, count: c_int) -> Result<(), Full> {
        self.reserve(count)?;
        (first..first + count).try_for_each(|at| self.push_copy(at))
    }

    /// Pushes an element of a table that is an upvalue of every function of the border; gives its type.
    #[inline]
    pub fn push_kept(&self, upvalue: Upvalue, n: i64) -> Result<c_int, Full> {
        // SAFETY: without metamethods; that upvalue is a table.
        self.push(|l| unsafe { ffi::lua_rawgeti(l, ffi::lua_upvalueindex(upvalue as c_int), n) })
    }

    /// Replaces the key on top by what such a table has for it; gives its type.
    #[inline]
    pub fn look_up(&self, upvalue: Upvalue) -> c_int {
        self.replace_key(|l| unsafe { ffi::lua_rawget(l, ffi::lua_upvalueindex(upvalue as c_int)) })
    }

    /// Replaces the key on top by what the table at a place has for it, metamethods aside; gives its type. What is not a table
    /// has nothing.
    #[inline]
    pub fn look_up_in(&self, table: c_int) -> c_int {
        let table = self.place(table);
        if !self.is_table(table) {
            return self.replace_key(|l| unsafe {
                ffi::lua_settop(l, -2);
                ffi::lua_pushnil(l);
                ffi::LUA_TNIL
            });
        }
        self.replace_key(|l| unsafe { ffi::lua_rawget(l, table) })
    }

    #[inline]
    fn replace_key(&self, f: impl FnOnce(*mut lua_State) -> c_int) -> c_int {
        debug_assert!(self.is_free(1), "there is no key");
        if !self.is_free(1) {
            return ffi::LUA_TNIL;
        }
        let kind = f(self.l);
        self.moved(0);
        kind
    }

    /// Pushes the n-th element of the table at a place, metamethods aside; gives its type. What is not a table has none.
    #[inline]
    pub fn push_element(&self, table: c_int, n: i64) -> Result<c_int, Full> {
        let table = self.place(table);
        if !self.is_table(table) {
            return self.push_nil().map(|()| ffi::LUA_TNIL);
        }
        self.push(|l| unsafe { ffi::lua_rawgeti(l, table, n) })
    }

    /// Pushes the metatable of a value; false, and nothing pushed, if it has none.
    pub fn push_metatable(&self, at: c_int) -> Result<bool, Full> {
        let at = self.place(at);
        self.reserve(1)?;
        // SAFETY: a place is reserved; it is used only if there is one.
        let found = unsafe { ffi::lua_getmetatable(self.l, at) != 0 };
        self.moved(c_int::from(found));
        Ok(found)
    }

    /// Writes the value on top over one that was pushed before, and takes it off.
    pub fn put(&self, at: c_int) {
        let at = self.place(at);
        let free = at > self.floor.get() && at < self.top.get();
        debug_assert!(free, "what stays on the stack is written over");
        if free {
            // SAFETY: both lie on the stack.
            unsafe { ffi::lua_copy(self.l, -1, at) };
        }
        self.pop(1);
    }

    /// Walks the table at a place. Nothing may be called or assigned meanwhile, for Lua raises an error if a table that is being
    /// walked gets new keys; [`Stack::call`] and [`Stack::set`] refuse.
    pub fn walk(&self, table: c_int, mut f: impl FnMut(&Entry<'_>)) -> Result<(), Full> {
        let table = self.place(table);
        if !self.is_table(table) {
            return Ok(());
        }
        let start = self.top.get();
        self.push_nil()?;
        let (walking, floor) = (self.walking.replace(true), self.floor.get());
        let mut result = self.reserve(1);
        // SAFETY: the key is replaced by the next one and its value, for which there is room. It is one of the table's, as
        // nothing can have changed either of them.
        while result.is_ok() && unsafe { ffi::lua_next(self.l, table) } != 0 {
            self.moved(1);
            self.floor.set(start + 2);
            f(&Entry { stack: self, key: start + 1 });
            self.floor.set(floor);
            self.cut(start + 1);
            result = self.reserve(1);
        }
        self.walking.set(walking);
        // SAFETY: only looks. At the end of a table Lua has taken the key off already.
        self.top.set(unsafe { ffi::lua_gettop(self.l) });
        self.cut(start);
        result
    }

    /// Sets a field of the table at a place to the value on top, with its key below; takes both off. False, and nothing done, if
    /// the table has no such field yet: a new one takes memory, for the want of which Lua raises.
    pub fn set(&self, table: c_int) -> Result<bool, Full> {
        let table = self.place(table);
        if !self.is_table(table) || self.walking.get() || !self.is_free(2) {
            return Ok(false);
        }
        self.push_copy(-2)?;
        let there = self.look_up_in(table) != ffi::LUA_TNIL;
        self.pop(1);
        if there {
            // SAFETY: the field is there, so nothing is allocated.
            unsafe { ffi::lua_rawset(self.l, table) };
            self.moved(-2);
        }
        Ok(there)
    }

    /// Puts the value on top into an element, which must be there, of a table that is an upvalue; takes it off.
    pub fn keep(&self, upvalue: Upvalue, n: i64) -> Result<(), Full> {
        let there = self.push_kept(upvalue, n)? != ffi::LUA_TNIL;
        self.pop(1);
        debug_assert!(there && self.kind(-1) > ffi::LUA_TNIL, "a slot that was not made, or nothing to keep");
        if there && self.is_free(1) {
            // SAFETY: the element is there, so nothing is allocated.
            unsafe { ffi::lua_rawseti(self.l, ffi::lua_upvalueindex(upvalue as c_int), n) };
            self.moved(-1);
        }
        Ok(())
    }

    /// Calls the function below so many arguments, and leaves so many results in their stead; the error in their stead if it
    /// fails, and its kind.
    pub fn call(&self, args: c_int, results: c_int) -> Result<Called, Full> {
        if self.walking.get() || args < 0 || results < 0 || !self.is_free(args + 1) {
            return Ok(Called::Misused);
        }
        self.reserve((results - args).max(1))?;
        // SAFETY: function and arguments lie above the arguments of this call, there is room for the results, and an error is
        // caught.
        let status = unsafe { ffi::lua_pcallk(self.l, args, results, 0, 0, None) };
        if status == ffi::LUA_OK {
            self.moved(results - args - 1);
            return Ok(Called::Done);
        }
        self.moved(-args);
        Ok(if status == ffi::LUA_ERRMEM { Called::OutOfMemory } else { Called::Failed })
    }

    /// Pushes any value, as mlua knows it.
    pub fn push_value(&self, lua: &Lua, value: &Value) -> Result<(), Full> {
        self.reserve(MOVE)?;
        lua.exec_raw_lua(|raw| {
            let other = raw.state();
            // SAFETY: both stacks have room; what mlua pushed, or left behind, is taken from the stack that it pushed to.
            unsafe {
                let before = ffi::lua_gettop(other);
                if other != self.l && ffi::lua_checkstack(other, MOVE) == 0 {
                    return Err(Full::Stack);
                }
                if raw.push_value(value).is_err() {
                    ffi::lua_settop(other, before);
                    return Err(Full::Memory);
                }
                // The VM runs a coroutine that mlua does not count as the running one.
                if other != self.l {
                    ffi::lua_xmove(other, self.l, 1);
                }
            }
            self.moved(1);
            Ok(())
        })
    }

    /// Any value, as mlua knows it.
    pub fn value(&self, lua: &Lua, at: c_int) -> Result<Value, Full> {
        let at = self.place(at);
        self.reserve(MOVE)?;
        lua.exec_raw_lua(|raw| {
            let other = raw.state();
            // SAFETY: both stacks have room, and mlua takes off what was pushed.
            unsafe {
                if other != self.l && ffi::lua_checkstack(other, MOVE) == 0 {
                    return Err(Full::Stack);
                }
                ffi::lua_pushvalue(self.l, at);
                if other != self.l {
                    ffi::lua_xmove(self.l, other, 1);
                }
                Ok(raw.pop_value())
            }
        })
    }

    /// The type of a value.
    #[inline]
    pub fn kind(&self, at: c_int) -> c_int {
        unsafe { ffi::lua_type(self.l, self.place(at)) }
    }

    #[inline]
    pub fn is_table(&self, at: c_int) -> bool {
        self.kind(at) == ffi::LUA_TTABLE
    }

    /// Whether a value counts as true.
    #[inline]
    pub fn is_truthy(&self, at: c_int) -> bool {
        unsafe { ffi::lua_toboolean(self.l, self.place(at)) != 0 }
    }

    #[inline]
    pub fn int(&self, at: c_int) -> Option<i64> {
        let at = self.place(at);
        let is_int = unsafe { ffi::lua_isinteger(self.l, at) != 0 };
        is_int.then(|| unsafe { ffi::lua_tointegerx(self.l, at, std::ptr::null_mut()) })
    }

    /// A number that is not whole.
    pub fn fraction(&self, at: c_int) -> f64 {
        unsafe { ffi::lua_tonumberx(self.l, self.place(at), std::ptr::null_mut()) }
    }

    /// The number that a light userdata is.
    #[inline]
    pub fn address(&self, at: c_int) -> usize {
        unsafe { ffi::lua_touserdata(self.l, self.place(at)) }.addr()
    }

    /// Where the bytes of a text lie: it is the same text as long as that is kept.
    #[inline]
    pub fn text_address(&self, at: c_int) -> Option<usize> {
        let at = self.place(at);
        // SAFETY: a text is not converted.
        unsafe {
            (ffi::lua_type(self.l, at) == ffi::LUA_TSTRING)
                .then(|| ffi::lua_tolstring(self.l, at, std::ptr::null_mut()).addr())
        }
    }

    /// The bytes of a text among the arguments. Elsewhere see [`Stack::with_bytes`].
    pub fn bytes(&self, at: c_int) -> Option<&[u8]> {
        debug_assert!(at > 0, "only arguments are borrowed from");
        // SAFETY: an argument stays where it is until the call ends, and this cannot outlive it.
        if (1..=self.args).contains(&at) { unsafe { self.bytes_at(at) } } else { None }
    }

    /// Looks at the bytes of a text anywhere. What looks must not use the stack.
    pub fn with_bytes<T>(&self, at: c_int, look: fn(&[u8]) -> T) -> Option<T> {
        // SAFETY: a plain function that is given nothing of this stack cannot take the text off it.
        unsafe { self.bytes_at(self.place(at)) }.map(look)
    }

    /// Whether a value is that text.
    pub fn text_is(&self, at: c_int, text: &[u8]) -> bool {
        // SAFETY: nothing happens to the stack while they are compared.
        unsafe { self.bytes_at(self.place(at)) }.is_some_and(|found| found == text)
    }

    /// # Safety
    /// The text stays on the stack as long as the bytes are used.
    unsafe fn bytes_at<'a>(&self, at: c_int) -> Option<&'a [u8]> {
        let mut length = 0;
        // SAFETY: a text is not converted, and its bytes stay where they are while it lies on the stack.
        unsafe {
            if ffi::lua_type(self.l, at) != ffi::LUA_TSTRING {
                return None;
            }
            let start: *const c_char = ffi::lua_tolstring(self.l, at, &raw mut length);
            Some(slice::from_raw_parts(start.cast(), length))
        }
    }

    /// The block of an object and its size; of anything else there is none.
    #[inline]
    pub fn block(&self, at: c_int) -> (*const c_void, usize) {
        let at = self.place(at);
        // SAFETY: only looks.
        unsafe {
            match ffi::lua_type(self.l, at) {
                ffi::LUA_TUSERDATA => {
                    (ffi::lua_touserdata(self.l, at).cast_const(), ffi::lua_rawlen(self.l, at))
                }
                _ => (std::ptr::null(), 0),
            }
        }
    }

    /// Whether an object is a list.
    #[inline]
    pub fn is_list(&self, at: c_int) -> bool {
        let (block, size) = self.block(at);
        // SAFETY: the block is that of a value on the stack.
        unsafe { blocks::is_list(block, size) }
    }

    /// The list among the arguments. Elsewhere see [`Stack::with_list`].
    #[inline]
    pub fn list<'a>(&'a self, cx: &'a ScriptContext, at: c_int) -> Option<List<'a>> {
        debug_assert!(at > 0, "only arguments are borrowed from");
        if !(1..=self.args).contains(&at) {
            return None;
        }
        let (block, size) = self.block(at);
        // SAFETY: an argument stays where it is until the call ends, and this cannot outlive it.
        unsafe { blocks::read(cx, block, size) }
    }

    /// Looks at a list anywhere. What looks must not use the stack.
    pub fn with_list<T>(&self, cx: &ScriptContext, at: c_int, look: fn(List<'_>) -> T) -> Option<T> {
        let (block, size) = self.block(at);
        // SAFETY: a plain function that is given nothing of this stack cannot take the list off it.
        unsafe { blocks::read(cx, block, size) }.map(look)
    }

    /// Script and line of the function so many levels up; nothing beyond the outermost. A function of Rust has no line.
    pub fn level(&self, level: c_int) -> Option<(String, c_int)> {
        // SAFETY: Lua fills the record in before it is read, and pushes nothing for these parts of it.
        unsafe {
            let mut record: ffi::lua_Debug = std::mem::zeroed();
            if ffi::lua_getstack(self.l, level, &raw mut record) == 0 {
                return None;
            }
            ffi::lua_getinfo(self.l, c"Sl".as_ptr(), &raw mut record);
            let source = CStr::from_ptr(record.short_src.as_ptr()).to_string_lossy().into_owned();
            Some((source, record.currentline))
        }
    }

    /// Whether the value at a place is a coroutine that ended because there was no memory left.
    pub fn ran_out_of_memory(&self, at: c_int) -> bool {
        // SAFETY: only looks; what is not a coroutine gives null.
        unsafe {
            let thread = ffi::lua_tothread(self.l, self.place(at));
            !thread.is_null() && ffi::lua_status(thread) == ffi::LUA_ERRMEM
        }
    }
}

/// Where a walk through a table stands. Key and value stay on the stack as long as this is lent.
pub(super) struct Entry<'a> {
    stack: &'a Stack,
    key: c_int,
}

impl Entry<'_> {
    pub fn key(&self) -> c_int {
        self.key
    }

    pub fn value(&self) -> c_int {
        self.key + 1
    }

    /// The bytes of the key, none if it is not a text.
    pub fn text(&self) -> &[u8] {
        // SAFETY: the key is below the floor of the stack until the walk goes on.
        unsafe { self.stack.bytes_at(self.key) }.unwrap_or_default()
    }
}

/// How a call ended.
pub(super) enum Called {
    Done,
    /// The error lies on top.
    Failed,
    OutOfMemory,
    /// Nothing was called: a table was being walked, or there was nothing to call.
    Misused,
}

/// Tables that all functions of the border have as upvalues, after what is their own.
#[derive(Clone, Copy)]
pub(super) enum Upvalue {
    Texts = 3,
    Handlers = 4,
    /// Answers of queries.
    Kept = 6,
    ReachMethods = 7,
    NumberMethods = 8,
}

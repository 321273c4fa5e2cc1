//! Where Lua enters Rust: functions of C that run a body and do, when nothing of it is left, what may raise an error.

#![expect(unsafe_code, reason = "Lua's own interface; the rules in `border` keep it sound")]

use super::stack::{Stack, Upvalue};
use super::{Frame, Methods, OUT_OF_MEMORY, Out, Tables, blocks};
use crate::context::{ScriptContext, fail};
use crate::list::NewList;
use mlua::ffi::{self, lua_State};
use mlua::{Function, Lua};
use std::ffi::{c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::rc::Rc;

/// The upvalues of every function of the border: its entry, the metatables of what `reach` gives and of lists, and those that
/// [`super::stack::Upvalue`] names.
const OWN: c_int = ffi::lua_upvalueindex(1);
const REACHES: c_int = ffi::lua_upvalueindex(2);
const LISTS: c_int = ffi::lua_upvalueindex(5);

/// What it comes to is small, so that nothing large is moved about at each call.
type Body = dyn Fn(&Frame<'_>) -> CallResult;

/// A function of the border.
struct Entry {
    cx: *const ScriptContext,
    body: Box<Body>,
}

/// The functions of a VM. Lua holds the address of each, so they are known by that alone until all are dropped.
#[derive(Default)]
pub(super) struct Entries(Vec<NonNull<Entry>>);

impl Entries {
    fn add(&mut self, entry: Entry) -> NonNull<Entry> {
        let entry = NonNull::from(Box::leak(Box::new(entry)));
        self.0.push(entry);
        entry
    }
}

impl Drop for Entries {
    fn drop(&mut self) {
        for entry in self.0.drain(..) {
            // SAFETY: each was a box, which is made again once; the VM that held its address is closed.
            drop(unsafe { Box::from_raw(entry.as_ptr()) });
        }
    }
}

/// What a body leaves for [`enter`] to do.
pub(super) enum CallResult {
    /// So many values on top of the stack are the results.
    Count(c_int),
    /// The list that waits in the context is the result.
    List,
    /// The message that waits in the context is raised.
    Failed,
    /// The error on top of the stack is raised.
    Raised,
    /// The error of memory is raised, which was made when there was some.
    OutOfMemory,
}

/// Runs a body, and does what may raise when nothing of it is left. The stack has kept a few places free for that.
unsafe extern "C-unwind" fn enter(l: *mut lua_State) -> c_int {
    // SAFETY: the first upvalue is an entry, which lives as long as the VM.
    unsafe {
        let entry = ffi::lua_touserdata(l, OWN).cast::<Entry>();
        match run(l, entry) {
            CallResult::Count(n) => n,
            CallResult::List => {
                // The list waits in the context: should this raise, for want of memory, nothing is lost.
                let block = ffi::lua_newuserdatauv(l, parked_size((*entry).cx), 0);
                let meta = if place_list((*entry).cx, block) { REACHES } else { LISTS };
                ffi::lua_pushvalue(l, meta);
                ffi::lua_setmetatable(l, -2);
                1
            }
            CallResult::Failed => {
                let (text, len) = message_of(&*(*entry).cx);
                ffi::lua_pushlstring(l, text, len);
                ffi::lua_error(l)
            }
            CallResult::Raised => ffi::lua_error(l),
            CallResult::OutOfMemory => {
                ffi::lua_rawgeti(l, ffi::lua_upvalueindex(Upvalue::Handlers as c_int), OUT_OF_MEMORY);
                ffi::lua_error(l)
            }
        }
    }
}

/// The size of the block for the list that waits.
unsafe fn parked_size(cx: *const ScriptContext) -> usize {
    // SAFETY: the context lives.
    let parked = unsafe { &(*cx).lua_ffi.parked };
    parked.borrow().as_ref().map_or(blocks::size(&NewList::Vals(Vec::new())), blocks::size)
}

/// Moves the list that waits into its block; says whether it is one of a reach.
unsafe fn place_list(cx: *const ScriptContext, block: *mut c_void) -> bool {
    // SAFETY: the context lives, and the block was made for this list.
    unsafe {
        let list = (*cx).lua_ffi.parked.take().unwrap_or_else(|| NewList::Vals(Vec::new()));
        blocks::write(block, list)
    }
}

fn message_of(cx: &ScriptContext) -> (*const c_char, usize) {
    let message = cx.lua_ffi.message.borrow();
    (message.as_ptr().cast(), message.len())
}

/// Runs a body; what it returns has nothing to drop.
unsafe fn run(l: *mut lua_State, entry: *const Entry) -> CallResult {
    // SAFETY: entries and context live until the VM is closed; the state is that of the function just entered.
    let (body, cx, stack) =
        unsafe { (&(*entry).body, ManuallyDrop::new(Rc::from_raw((*entry).cx)), Stack::new(l)) };
    let frame = Frame { cx: &cx, stack };
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| body(&frame)));
    result.unwrap_or_else(|_| {
        frame.failed(&mlua::Error::RuntimeError("an error in the engine itself; please report it".into()))
    })
}

/// The index of objects with methods: one of these is found at once, and all else is left to another function.
///
/// It uses three places of the twenty that Lua gives a function of C.
unsafe extern "C-unwind" fn index(l: *mut lua_State) -> c_int {
    const METHODS: c_int = ffi::lua_upvalueindex(1);
    const REST: c_int = ffi::lua_upvalueindex(2);
    // SAFETY: the call may raise, but nothing of Rust's waits here.
    unsafe {
        ffi::lua_settop(l, 2);
        ffi::lua_pushvalue(l, 2);
        if ffi::lua_rawget(l, METHODS) == ffi::LUA_TNIL {
            ffi::lua_settop(l, 2);
            ffi::lua_pushvalue(l, REST);
            ffi::lua_rotate(l, 1, 1);
            ffi::lua_call(l, 2, 1);
        }
        1
    }
}

/// Drops the search of a reach that Lua collects.
unsafe extern "C-unwind" fn collect(l: *mut lua_State) -> c_int {
    // SAFETY: only what `reach` gives has this finalizer, and it runs once.
    unsafe { blocks::finish(ffi::lua_touserdata(l, 1)) };
    0
}

/// What finishes the result of a search that Lua collects.
pub(super) fn finalizer(lua: &Lua) -> mlua::Result<Function> {
    // SAFETY: scripts cannot reach it; Lua calls it with such results only.
    unsafe { lua.create_c_function(collect) }
}

/// Something to be done once with a frame; the pointer is good while [`ScriptContext::within`] waits for it.
pub(super) type Task = *mut dyn FnMut(&Frame<'_>) -> mlua::Result<()>;

/// The body of the function through which [`ScriptContext::within`] gets a frame.
pub(super) fn gate(frame: &Frame<'_>) -> mlua::Result<Out> {
    if let Some(task) = frame.cx.lua_ffi.task.take() {
        // SAFETY: `within` waits for this call, and gives each task once.
        unsafe { (*task)(frame)? };
    }
    Ok(Out::Pushed(0))
}

impl ScriptContext {
    /// Makes a function of the border.
    pub(crate) fn bind(
        self: &Rc<Self>,
        lua: &Lua,
        body: impl Fn(&Frame<'_>) -> mlua::Result<Out> + 'static,
    ) -> mlua::Result<Function> {
        let Some(tables) = self.lua_ffi.tables.borrow().clone() else { return fail("the border is closed") };
        let body = Box::new(move |frame: &Frame<'_>| match body(frame) {
            // Most give a plain value, which is not carried far.
            Ok(Out::Val(val)) if !frame.cx.early.get() => frame.finish_val(val),
            result => frame.finish(result),
        });
        let entry = self.lua_ffi.entries.borrow_mut().add(Entry { cx: Rc::as_ptr(self), body });
        let [reaches, numbers, _] = tables.methods;
        let Tables { reaches: of_reach, texts, handlers, lists: of_list, kept, .. } = tables;
        let upvalues = (of_reach, texts, handlers, of_list, kept, reaches, numbers);
        // SAFETY: the eight upvalues lie on the stack in order; the entry lives as long as the VM. This runs as a function of C
        // of its own, with Lua's twenty places, of which it uses one.
        unsafe {
            lua.exec_raw(upvalues, |l| {
                ffi::lua_pushlightuserdata(l, entry.as_ptr().cast::<c_void>());
                ffi::lua_rotate(l, 1, 1);
                ffi::lua_pushcclosure(l, enter, 8);
            })
        }
    }

    /// The function by which objects are indexed: by the name of a method, or as `rest` says.
    pub(crate) fn index(&self, lua: &Lua, of: Methods, rest: Function) -> mlua::Result<Function> {
        let Some(tables) = self.lua_ffi.tables.borrow().clone() else { return fail("the border is closed") };
        let methods = tables.methods[of as usize].clone();
        // SAFETY: the two upvalues lie on the stack in order; the function takes their place.
        unsafe { lua.exec_raw((methods, rest), |l| ffi::lua_pushcclosure(l, index, 2)) }
    }

    /// Does something with a frame from outside a call of Lua; the arguments lie on the stack from 1 on.
    ///
    /// What is done must use no other frame, for the call that belongs to one waits meanwhile.
    pub(crate) fn within<T>(
        &self,
        args: impl mlua::IntoLuaMulti,
        f: impl FnOnce(&Frame<'_>) -> mlua::Result<T>,
    ) -> mlua::Result<T> {
        let gate = self.lua_ffi.tables.borrow().as_ref().and_then(|tables| tables.gate.clone());
        let (Some(gate), mut f, mut made) = (gate, Some(f), None) else {
            return fail("the border is closed");
        };
        let mut task = |frame: &Frame<'_>| {
            if let Some(f) = f.take() {
                made = Some(f(frame)?);
            }
            Ok(())
        };
        let task: &mut dyn FnMut(&Frame<'_>) -> mlua::Result<()> = &mut task;
        // SAFETY: only the lifetime is left out; the gate runs it before `call` returns, or never.
        let task: Task = unsafe { std::mem::transmute(task) };
        self.lua_ffi.task.set(Some(task));
        let result = gate.call::<()>(args);
        self.lua_ffi.task.set(None);
        result?;
        made.map_or_else(|| fail("the border is closed"), Ok)
    }
}

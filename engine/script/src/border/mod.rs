//! The border: functions that Lua calls without ceremony, and what they see of Lua's stack.
//!
//! Rules cross from Lua to Rust some thirty times for a decision, so the way mlua calls a closure (a protected call, a
//! reference for each argument, a check of each userdata's type) would cost more than the work itself. Here a function
//! reads its arguments where they lie. What keeps that sound:
//!
//! - Lua raises errors by jumping over Rust's frames. So nothing that may raise is called while a Rust value waits to be
//!   dropped: a body only calls what cannot raise (reading, pushing what exists, protected calls); making a list and
//!   raising an error are left to [`enter`], whose frame holds nothing.
//! - A list lies in a block of Lua's whose size no object of mlua has, and bears a mark; see `blocks`.
//! - A body gets a [`Frame`], which cannot outlive the call.
//! - A VM that is thrown away is closed before its functions are dropped, and its slots are no longer read; see `vm`.

#![expect(unsafe_code, reason = "Lua's own interface; the rules above keep it sound")]

mod blocks;
mod frame;
mod slots;
mod texts;

pub(crate) use frame::{Arg, Frame, Part};
pub(crate) use slots::Slot;

use crate::cx::{Cx, fail};
use crate::handle::Target;
use crate::list::{List, Made};
use crate::val::Val;
use mlua::ffi::{self, lua_State};
use mlua::{AnyUserData, Function, Lua, LuaString, Table, Value};
use rustc_hash::FxHashMap;
use sandtable_kernel::symbol::Sym;
use slots::Slots;
use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;
use std::rc::Rc;
use texts::Recent;

/// Upvalues that all functions of the border share, after their own.
const OWN: c_int = ffi::lua_upvalueindex(1);
const TEXTS: c_int = ffi::lua_upvalueindex(3);
const HANDLERS: c_int = ffi::lua_upvalueindex(4);
/// The metatables of lists and of what `reach` gives.
const LISTS: c_int = ffi::lua_upvalueindex(5);
const REACHES: c_int = ffi::lua_upvalueindex(2);
/// Answers of queries.
const KEPT: c_int = ffi::lua_upvalueindex(6);

/// Methods that objects have; each kind has a table of them. Functions of the border find those below `List` among their upvalues;
/// those of lists only `index` needs.
#[derive(Clone, Copy)]
pub(crate) enum Methods {
    Reach = 7,
    Number = 8,
    List = 9,
}

/// What a function of the border gives back.
pub(crate) enum Out {
    Val(Val),
    /// A handle of what is no value of the game.
    Handle(Target),
    /// A count or a sum.
    Int(i64),
    List(Made),
    /// An answer that is kept.
    Slot(Rc<Slot>),
    /// Anything else.
    Value(Value),
    /// So many values, which it has pushed itself.
    Pushed(c_int),
}

impl Out {
    pub const NIL: Out = Out::Val(Val::Nil);

    pub fn truth(b: bool) -> Out {
        Out::Val(Val::Bool(b))
    }
}

impl From<Val> for Out {
    fn from(val: Val) -> Out {
        Out::Val(val)
    }
}

/// Places on a stack that moving a value to or from mlua may need.
const ROOM: c_int = 5;

/// What it comes to is small, so that nothing large is moved about at each call.
type Body = dyn Fn(&Frame<'_>) -> Done;

/// A function of the border.
struct Entry {
    cx: *const Cx,
    body: Box<Body>,
}

/// What the border keeps for a VM.
#[derive(Default)]
pub(crate) struct Border {
    /// The functions; Lua holds their addresses. They are dropped when the VM is closed.
    #[expect(clippy::vec_box, reason = "Lua holds the address of each")]
    entries: RefCell<Vec<Box<Entry>>>,
    tables: RefCell<Option<Tables>>,
    /// Texts that the VM keeps, by the address of their bytes.
    texts: RefCell<FxHashMap<usize, Sym>>,
    /// Some of them, each at a place that its address gives.
    recent: Recent,
    slots: Rc<RefCell<Slots>>,
    /// A list on its way into Lua.
    parked: RefCell<Option<Made>>,
    /// A message on its way into Lua.
    message: RefCell<String>,
    /// What the gate runs next.
    task: Cell<Option<Task>>,
}

/// What of the border belongs to one VM.
#[derive(Default)]
pub(crate) struct BorderParts {
    #[expect(clippy::vec_box, reason = "Lua holds the address of each")]
    entries: Vec<Box<Entry>>,
    tables: Option<Tables>,
    texts: FxHashMap<usize, Sym>,
    slots: Slots,
}

/// Something to be done once with a frame; the pointer is good while [`Cx::within`] waits for it.
type Task = *mut dyn FnMut(&Frame<'_>) -> mlua::Result<()>;

/// Lua tables that functions of the border look things up in.
#[derive(Clone)]
struct Tables {
    lua: mlua::WeakLua,
    reaches: Table,
    texts: Table,
    handlers: Table,
    lists: Table,
    kept: Table,
    /// In the order of `Methods`.
    methods: [Table; 3],
    make_list: Option<Function>,
    gate: Option<Function>,
}

enum Done {
    Count(c_int),
    List,
    Failed,
}

/// Where Lua enters: runs a body, and does what may raise when nothing of it is left.
unsafe extern "C-unwind" fn enter(l: *mut lua_State) -> c_int {
    unsafe {
        let entry = ffi::lua_touserdata(l, OWN).cast::<Entry>();
        match run(l, entry) {
            Done::Count(n) => n,
            Done::List => {
                // The list waits in the context: should this raise, for want of memory, nothing is lost.
                let block = ffi::lua_newuserdatauv(l, parked_size((*entry).cx), 0);
                let meta = if place_list((*entry).cx, block) { REACHES } else { LISTS };
                ffi::lua_pushvalue(l, meta);
                ffi::lua_setmetatable(l, -2);
                1
            }
            Done::Failed => {
                let (text, len) = message_of(&*(*entry).cx);
                ffi::lua_pushlstring(l, text, len);
                ffi::lua_error(l)
            }
        }
    }
}

/// The size of the block for the list that waits.
unsafe fn parked_size(cx: *const Cx) -> usize {
    // SAFETY: the context lives.
    let parked = unsafe { &(*cx).border.parked };
    parked.borrow().as_ref().map_or(blocks::size(&Made::Vals(Vec::new())), blocks::size)
}

/// Moves the list that waits into its block; says whether it is one of a reach.
unsafe fn place_list(cx: *const Cx, block: *mut c_void) -> bool {
    // SAFETY: the context lives, and the block was made for this list.
    unsafe {
        let list = (*cx).border.parked.take().unwrap_or_else(|| Made::Vals(Vec::new()));
        blocks::write(block, list)
    }
}

fn message_of(cx: &Cx) -> (*const std::ffi::c_char, usize) {
    let message = cx.border.message.borrow();
    (message.as_ptr().cast(), message.len())
}

/// Runs a body; what it returns has nothing to drop.
unsafe fn run(l: *mut lua_State, entry: *const Entry) -> Done {
    // SAFETY: entries and context live until the VM is closed.
    let (body, cx) = unsafe { (&(*entry).body, ManuallyDrop::new(Rc::from_raw((*entry).cx))) };
    let frame = Frame { cx: &cx, l };
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| body(&frame)));
    result.unwrap_or_else(|_| {
        frame.failed(&mlua::Error::RuntimeError("an error in the engine itself; please report it".into()))
    })
}

/// The index of objects with methods: one of these is found at once, and all else is left to another function.
unsafe extern "C-unwind" fn index(l: *mut lua_State) -> c_int {
    const METHODS: c_int = ffi::lua_upvalueindex(1);
    const REST: c_int = ffi::lua_upvalueindex(2);
    // SAFETY: the call may raise, but nothing of Rust's waits here.
    unsafe {
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

impl Border {
    /// Takes in what belongs to a VM, and gives what belonged to the one before. Nothing of either may be running.
    pub fn exchange(&self, parts: &mut BorderParts, vm: u32) {
        std::mem::swap(&mut *self.entries.borrow_mut(), &mut parts.entries);
        std::mem::swap(&mut *self.tables.borrow_mut(), &mut parts.tables);
        std::mem::swap(&mut *self.texts.borrow_mut(), &mut parts.texts);
        std::mem::swap(&mut *self.slots.borrow_mut(), &mut parts.slots);
        self.slots.borrow_mut().vm = vm;
        self.recent.clear();
        self.parked.take();
        self.message.take();
        self.task.set(None);
    }

    pub fn lua(&self) -> Option<Lua> {
        self.tables.borrow().as_ref().and_then(|tables| tables.lua.try_upgrade())
    }

    /// Notes the text of a name; it is kept as long as the VM.
    pub fn keep_text(&self, text: &LuaString, sym: Sym) -> mlua::Result<()> {
        self.texts.borrow_mut().insert(text.as_bytes().as_ptr() as usize, sym);
        match &*self.tables.borrow() {
            Some(tables) => tables.texts.raw_set(i64::from(sym.0) + 1, text),
            None => Ok(()),
        }
    }

    /// Notes a function of a handler.
    pub fn keep_function(&self, number: u32, part: Part, f: Option<&Function>) -> mlua::Result<()> {
        match &*self.tables.borrow() {
            Some(tables) => tables.handlers.raw_set(i64::from(number) * 3 + part as i64, f),
            None => Ok(()),
        }
    }

    /// Notes the function that walks lists, in front of those of handlers.
    pub fn keep_walker(&self, f: &Function) -> mlua::Result<()> {
        self.tables.borrow().as_ref().map_or(Ok(()), |tables| tables.handlers.raw_set(0, f))
    }

    /// The name of a text that the VM keeps.
    pub fn kept(&self, text: &LuaString) -> Option<Sym> {
        self.texts.borrow().get(&(text.as_bytes().as_ptr() as usize)).copied()
    }
}

impl Cx {
    /// Makes ready for a VM: to be called before any function is bound.
    pub(crate) fn open_border(self: &Rc<Self>, lua: &Lua) -> mlua::Result<()> {
        *self.border.tables.borrow_mut() = Some(Tables {
            lua: lua.weak(),
            reaches: lua.create_table()?,
            texts: lua.create_table()?,
            handlers: lua.create_table()?,
            lists: lua.create_table()?,
            kept: lua.create_table()?,
            methods: [lua.create_table()?, lua.create_table()?, lua.create_table()?],
            make_list: None,
            gate: None,
        });
        let make = self.bind(lua, |frame| match frame.cx.border.parked.take() {
            Some(list) => Ok(Out::List(list)),
            None => Ok(Out::NIL),
        })?;
        let gate = self.bind(lua, |frame| {
            if let Some(task) = frame.cx.border.task.take() {
                // SAFETY: `within` waits for this call, and gives each task once.
                unsafe { (*task)(frame)? };
            }
            Ok(Out::Pushed(0))
        })?;
        if let Some(tables) = &mut *self.border.tables.borrow_mut() {
            (tables.make_list, tables.gate) = (Some(make), Some(gate));
        }
        let finalizer: Function = unsafe { lua.create_c_function(collect)? };
        self.meta(Methods::Reach, "__gc", finalizer)
    }

    /// Sets an entry of the metatable of lists, or of what `reach` gives.
    pub(crate) fn meta(&self, of: Methods, key: &str, value: impl mlua::IntoLua) -> mlua::Result<()> {
        let tables = self.border.tables.borrow().clone();
        let set = |tables: Tables| match of {
            Methods::List => tables.lists.raw_set(key, value),
            Methods::Reach => tables.reaches.raw_set(key, value),
            Methods::Number => Ok(()),
        };
        tables.map_or(Ok(()), set)
    }

    /// Makes a function of the border.
    pub(crate) fn bind(
        self: &Rc<Self>,
        lua: &Lua,
        body: impl Fn(&Frame<'_>) -> mlua::Result<Out> + 'static,
    ) -> mlua::Result<Function> {
        let Some(tables) = self.border.tables.borrow().clone() else { return fail("the border is closed") };
        let body = Box::new(move |frame: &Frame<'_>| frame.finish(body(frame)));
        let entry = Box::new(Entry { cx: Rc::as_ptr(self), body });
        let address: *const Entry = &raw const *entry;
        self.border.entries.borrow_mut().push(entry);
        let [reaches, numbers, _] = tables.methods;
        let Tables { reaches: of_reach, texts, handlers, lists: of_list, kept, .. } = tables;
        let upvalues = (of_reach, texts, handlers, of_list, kept, reaches, numbers);
        // SAFETY: the eight upvalues lie on the stack in order; the entry lives as long as the VM.
        unsafe {
            lua.exec_raw(upvalues, |l| {
                ffi::lua_pushlightuserdata(l, address.cast_mut().cast::<c_void>());
                ffi::lua_rotate(l, 1, 1);
                ffi::lua_pushcclosure(l, enter, 8);
            })
        }
    }

    /// The function by which objects are indexed: by the name of a method, or as `rest` says.
    pub(crate) fn index(&self, lua: &Lua, of: Methods, rest: Function) -> mlua::Result<Function> {
        let Some(tables) = self.border.tables.borrow().clone() else { return fail("the border is closed") };
        let methods = tables.methods[of as usize - 7].clone();
        // SAFETY: the two upvalues lie on the stack in order.
        unsafe { lua.exec_raw((methods, rest), |l| ffi::lua_pushcclosure(l, index, 2)) }
    }

    /// Gives objects a method.
    pub(crate) fn method(&self, of: Methods, name: &str, method: Function) -> mlua::Result<()> {
        let tables = self.border.tables.borrow().clone();
        tables.map_or(Ok(()), |tables| tables.methods[of as usize - 7].raw_set(name, method))
    }

    /// Does something with a frame from outside a call of Lua; the arguments lie on the stack from 1 on.
    pub(crate) fn within<T>(
        &self,
        args: impl mlua::IntoLuaMulti,
        f: impl FnOnce(&Frame<'_>) -> mlua::Result<T>,
    ) -> mlua::Result<T> {
        let gate = self.border.tables.borrow().as_ref().and_then(|tables| tables.gate.clone());
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
        self.border.task.set(Some(task));
        let result = gate.call::<()>(args);
        self.border.task.set(None);
        result?;
        made.map_or_else(|| fail("the border is closed"), Ok)
    }

    /// What a slot holds, as mlua knows it.
    pub(crate) fn kept_value(&self, slot: &Slot) -> mlua::Result<Value> {
        self.within((), |frame| {
            frame.push_slot(slot);
            Ok(frame.value(frame.top()))
        })
    }

    /// The list that an object is.
    pub(crate) fn list<'a>(&'a self, object: &'a AnyUserData) -> Option<List<'a>> {
        let lua = self.border.lua()?;
        // SAFETY: pushes one value, for which there is room, and takes it off again.
        let size = lua.exec_raw_lua(|raw| unsafe {
            let value = Value::UserData(object.clone());
            if ffi::lua_checkstack(raw.state(), ROOM) == 0 || raw.push_value(&value).is_err() {
                return 0;
            }
            let size = ffi::lua_rawlen(raw.state(), -1);
            ffi::lua_settop(raw.state(), -2);
            size
        });
        // SAFETY: the object holds the block.
        unsafe { blocks::read(self, object.to_pointer(), size) }
    }

    /// Makes a Lua value of a list, outside a function of the border.
    pub(crate) fn make_list(&self, list: Made) -> mlua::Result<Value> {
        let make = self.border.tables.borrow().as_ref().and_then(|tables| tables.make_list.clone());
        let Some(make) = make else { return fail("the border is closed") };
        *self.border.parked.borrow_mut() = Some(list);
        make.call(())
    }
}

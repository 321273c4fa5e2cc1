//! The border: functions that Lua calls without ceremony, and what they see of Lua's stack.
//!
//! Rules cross from Lua to Rust some thirty times for a decision, so the way mlua calls a closure (a protected call, a
//! reference for each argument, a check of each userdata's type) would cost more than the work itself. Here a function
//! reads its arguments where they lie. What keeps that sound:
//!
//! - Lua raises errors by jumping over Rust's frames. So nothing that may raise is called while a Rust value waits to be
//!   dropped: a body only calls what cannot raise (reading, pushing what exists, protected calls); making a list and
//!   raising an error are left to `enter`, whose frame holds nothing.
//! - Every value that is pushed takes a place that was reserved, and what is lent lies among the arguments; see `stack`.
//! - A list lies in a block of Lua's whose size no object of mlua has, and bears a mark; see `blocks`.
//! - A body gets a [`Frame`], which cannot outlive the call.
//! - A VM that is thrown away is closed before its functions are dropped, and its slots are no longer read; see `vm`.

mod blocks;
mod enter;
mod frame;
mod slots;
mod stack;
mod texts;

pub(crate) use frame::{Arg, Frame, LONGEST_NAME, Part};
pub(crate) use slots::Slot;
pub(crate) use stack::Full;

use crate::context::{ScriptContext, fail};
use crate::handle::Target;
use crate::list::NewList;
use crate::val::Val;
use enter::{CallResult, Entries};
use mlua::{AnyUserData, Function, Lua, LuaString, Table, Value};
use rustc_hash::FxHashMap;
use sandtable_kernel::symbol::Sym;
use slots::Slots;
use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::rc::Rc;
use texts::Recent;

/// Where the error of memory lies in the table of handlers' functions, whose numbers begin at 0.
const OUT_OF_MEMORY: i64 = -1;

/// Methods that objects have; each kind has a table of them.
#[derive(Clone, Copy)]
pub(crate) enum Methods {
    Reach,
    Number,
    List,
}

/// What a function of the border gives back.
pub(crate) enum Out {
    Val(Val),
    /// A handle of what is no value of the game.
    Handle(Target),
    /// A count or a sum.
    Int(i64),
    List(NewList),
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

/// What the border keeps for a VM.
#[derive(Default)]
pub(crate) struct LuaFfi {
    /// The functions. They are dropped when the VM is closed.
    entries: RefCell<Entries>,
    tables: RefCell<Option<Tables>>,
    /// Texts that the VM keeps, by the address of their bytes.
    texts: RefCell<FxHashMap<usize, Sym>>,
    /// Some of them, each at a place that its address gives.
    recent: Recent,
    slots: Rc<RefCell<Slots>>,
    /// A list on its way into Lua.
    parked: RefCell<Option<NewList>>,
    /// A message on its way into Lua.
    message: RefCell<String>,
    /// What the gate runs next.
    task: Cell<Option<enter::Task>>,
}

/// What of the border belongs to one VM.
#[derive(Default)]
pub(crate) struct LuaFfiParts {
    entries: Entries,
    tables: Option<Tables>,
    texts: FxHashMap<usize, Sym>,
    slots: Slots,
}

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

impl LuaFfi {
    /// Takes in what belongs to a VM, and gives what belonged to the one before. Nothing of either may be running.
    pub fn exchange(&self, parts: &mut LuaFfiParts, vm: u32) {
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

impl ScriptContext {
    /// Makes ready for a VM: to be called before any function is bound. The error of memory is made while there is some.
    pub(crate) fn open_border(self: &Rc<Self>, lua: &Lua) -> mlua::Result<()> {
        *self.lua_ffi.tables.borrow_mut() = Some(Tables {
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
        let spent = Value::Error(Box::new(Full::Memory.into()));
        if let Some(tables) = &*self.lua_ffi.tables.borrow() {
            tables.handlers.raw_set(OUT_OF_MEMORY, spent)?;
        }
        let make = self.bind(lua, |frame| match frame.cx.lua_ffi.parked.take() {
            Some(list) => Ok(Out::List(list)),
            None => Ok(Out::NIL),
        })?;
        let gate = self.bind(lua, enter::gate)?;
        if let Some(tables) = &mut *self.lua_ffi.tables.borrow_mut() {
            (tables.make_list, tables.gate) = (Some(make), Some(gate));
        }
        self.meta(Methods::Reach, "__gc", enter::finalizer(lua)?)
    }

    /// Sets an entry of the metatable of lists, or of what `reach` gives.
    pub(crate) fn meta(&self, of: Methods, key: &str, value: impl mlua::IntoLua) -> mlua::Result<()> {
        let tables = self.lua_ffi.tables.borrow().clone();
        let set = |tables: Tables| match of {
            Methods::List => tables.lists.raw_set(key, value),
            Methods::Reach => tables.reaches.raw_set(key, value),
            Methods::Number => Ok(()),
        };
        tables.map_or(Ok(()), set)
    }

    /// Gives objects a method.
    pub(crate) fn method(&self, of: Methods, name: &str, method: Function) -> mlua::Result<()> {
        let tables = self.lua_ffi.tables.borrow().clone();
        tables.map_or(Ok(()), |tables| tables.methods[of as usize].raw_set(name, method))
    }

    /// What a slot holds, as mlua knows it.
    pub(crate) fn kept_value(&self, slot: &Slot) -> mlua::Result<Value> {
        self.within((), |frame| {
            frame.push_slot(slot)?;
            Ok(frame.value(-1)?)
        })
    }

    /// The values of the list that an object is.
    pub(crate) fn list_vals(&self, object: &AnyUserData) -> mlua::Result<Option<Vec<Val>>> {
        self.within(object, |frame| Ok(frame.list(1).map(|list| list.vals().into_owned())))
    }

    /// Makes a Lua value of a list, outside a function of the border.
    pub(crate) fn make_list(&self, list: NewList) -> mlua::Result<Value> {
        let make = self.lua_ffi.tables.borrow().as_ref().and_then(|tables| tables.make_list.clone());
        let Some(make) = make else { return fail("the border is closed") };
        *self.lua_ffi.parked.borrow_mut() = Some(list);
        make.call(())
    }
}

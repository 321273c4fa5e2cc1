//! One call from Lua, as a function of the border sees it: what lies on the stack, and what can be put there.

use super::{Done, HANDLERS, Methods, Out, ROOM, TEXTS, blocks};
use crate::cx::{Cx, fail};
use crate::error::ScriptError;
use crate::handle::Target;
use crate::list::List;
use crate::val::Val;
use mlua::Value;
use mlua::ffi::{self, lua_State};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use std::ffi::{CStr, c_int};
use std::rc::Rc;

/// What an argument is.
pub(crate) enum Arg<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    Fraction(f64),
    Text(Sym),
    Handle(Target),
    List(List<'a>),
    Table,
    Function,
    /// The word `none`, which stands for an absent value in filters.
    None,
    Other,
}

/// One call from Lua, as the function sees it: arguments from 1 on.
pub(crate) struct Frame<'a> {
    pub cx: &'a Rc<Cx>,
    pub(super) l: *mut lua_State,
}

impl Frame<'_> {
    /// How many values lie on the stack.
    pub fn top(&self) -> c_int {
        unsafe { ffi::lua_gettop(self.l) }
    }

    pub fn pop(&self, n: c_int) {
        unsafe { ffi::lua_settop(self.l, -n - 1) }
    }

    fn kind(&self, at: c_int) -> c_int {
        unsafe { ffi::lua_type(self.l, at) }
    }

    pub fn is_nil(&self, at: c_int) -> bool {
        self.kind(at) <= ffi::LUA_TNIL
    }

    pub fn is_table(&self, at: c_int) -> bool {
        self.kind(at) == ffi::LUA_TTABLE
    }

    pub fn is_function(&self, at: c_int) -> bool {
        self.kind(at) == ffi::LUA_TFUNCTION
    }

    /// Whether a value counts as true.
    pub fn holds(&self, at: c_int) -> bool {
        unsafe { ffi::lua_toboolean(self.l, at) != 0 }
    }

    pub fn int(&self, at: c_int) -> Option<i64> {
        let is_int = self.kind(at) == ffi::LUA_TNUMBER && unsafe { ffi::lua_isinteger(self.l, at) != 0 };
        is_int.then(|| unsafe { ffi::lua_tointegerx(self.l, at, std::ptr::null_mut()) })
    }

    /// The bytes of a text.
    pub fn bytes(&self, at: c_int) -> Option<&[u8]> {
        if self.kind(at) != ffi::LUA_TSTRING {
            return None;
        }
        let mut len = 0;
        // SAFETY: a text on the stack stays where it is while the frame lasts.
        unsafe {
            let start = ffi::lua_tolstring(self.l, at, &raw mut len);
            Some(std::slice::from_raw_parts(start.cast(), len))
        }
    }

    /// The name that a text is.
    pub fn sym(&self, at: c_int) -> Option<Sym> {
        (self.kind(at) == ffi::LUA_TSTRING).then(|| self.text_sym(at))
    }

    /// The name that a value is which is known to be a text.
    fn text_sym(&self, at: c_int) -> Sym {
        // SAFETY: as in `bytes`; a text is not converted.
        let address = unsafe { ffi::lua_tolstring(self.l, at, std::ptr::null_mut()) } as usize;
        match self.cx.border.recent.get(address) {
            Some(sym) => sym,
            None => self.rare_sym(at, address),
        }
    }

    /// The name of a text that was not asked for of late.
    #[cold]
    fn rare_sym(&self, at: c_int, address: usize) -> Sym {
        if let Some(&sym) = self.cx.border.texts.borrow().get(&address) {
            self.cx.border.recent.put(address, sym);
            return sym;
        }
        let sym = self.cx.sym(&String::from_utf8_lossy(self.bytes(at).unwrap_or_default()));
        if let Some(lua) = self.cx.border.lua() {
            // Should there be no memory to keep it, the next look will be as slow as this one.
            let _ = self.cx.lua_text(&lua, sym);
        }
        sym
    }

    /// What a value is.
    pub fn arg(&self, at: c_int) -> Arg<'_> {
        match self.kind(at) {
            ffi::LUA_TLIGHTUSERDATA => {
                let address = unsafe { ffi::lua_touserdata(self.l, at) }.addr() as u64;
                Target::of_address(address).map_or(Arg::None, Arg::Handle)
            }
            ffi::LUA_TSTRING => Arg::Text(self.text_sym(at)),
            ffi::LUA_TUSERDATA => self.object(at),
            ffi::LUA_TBOOLEAN => Arg::Bool(self.holds(at)),
            ffi::LUA_TNUMBER => match self.int(at) {
                Some(n) => Arg::Int(n),
                None => Arg::Fraction(unsafe { ffi::lua_tonumberx(self.l, at, std::ptr::null_mut()) }),
            },
            ffi::LUA_TTABLE => Arg::Table,
            ffi::LUA_TFUNCTION => Arg::Function,
            kind if kind <= ffi::LUA_TNIL => Arg::Nil,
            _ => Arg::Other,
        }
    }

    fn object(&self, at: c_int) -> Arg<'_> {
        // SAFETY: held by the stack while the frame lasts.
        let list =
            unsafe { blocks::read(self.cx, ffi::lua_touserdata(self.l, at), ffi::lua_rawlen(self.l, at)) };
        list.map_or(Arg::Other, Arg::List)
    }

    /// The list at a place.
    pub fn list(&self, at: c_int) -> Option<List<'_>> {
        match self.arg(at) {
            Arg::List(list) => Some(list),
            _ => None,
        }
    }

    /// What lies at a place, in words for a message.
    #[cold]
    pub fn words(&self, at: c_int) -> String {
        match self.arg(at) {
            Arg::Nil => "nothing".into(),
            Arg::Text(sym) => format!("\"{}\"", self.cx.text(sym)),
            Arg::Fraction(n) => n.to_string(),
            arg => match self.val_of(&arg) {
                Ok(val) => self.cx.describe(val),
                Err(why) => why.trim_start_matches("found ").to_string(),
            },
        }
    }

    /// The value of an argument, if it is one that the kernel knows.
    pub fn val(&self, at: c_int) -> Result<Val, String> {
        self.val_of(&self.arg(at))
    }

    /// The same for one that was looked at.
    pub fn val_of(&self, arg: &Arg<'_>) -> Result<Val, String> {
        match *arg {
            Arg::Nil => Ok(Val::Nil),
            Arg::Bool(b) => Ok(Val::Bool(b)),
            Arg::Int(n) => i32::try_from(n)
                .map(Val::Int)
                .map_err(|_| format!("{n} is too large for a number of the game")),
            Arg::Fraction(n) => {
                Err(format!("found {n}, which is no whole number; divide by //, and use no ^"))
            }
            Arg::Text(sym) => Ok(Val::Sym(sym)),
            Arg::Handle(Target::Val(val)) => Ok(val),
            Arg::Handle(Target::Side(side)) => Ok(Val::Sym(self.cx.side_sym(SideId(side)))),
            Arg::Handle(other) => Err(format!("found {}", other.words())),
            Arg::List(_) => Err("found a list".into()),
            Arg::Table => Err("found a table".into()),
            Arg::Function => Err("found a function".into()),
            Arg::None | Arg::Other => Err("found an object".into()),
        }
    }

    /// The values of a list, a table of values, or one value.
    pub fn vals(&self, at: c_int) -> Result<Vec<Val>, String> {
        match self.arg(at) {
            Arg::Nil => Ok(Vec::new()),
            Arg::List(list) => Ok(list.vals().into_owned()),
            Arg::Table => {
                let mut vals = Vec::new();
                let table = self.inside(at);
                let length = unsafe { ffi::lua_rawlen(self.l, table) };
                for index in 1..=length as i64 {
                    unsafe { ffi::lua_rawgeti(self.l, table, index) };
                    let val = self.val(-1);
                    self.pop(1);
                    match val {
                        Ok(val) => vals.push(val),
                        Err(why) => {
                            self.pop(1);
                            return Err(why);
                        }
                    }
                }
                self.pop(1);
                Ok(vals)
            }
            _ => Ok(vec![self.val(at)?]),
        }
    }

    /// Pushes the table at a place, or the one behind it if it is read-only; gives its place.
    fn inside(&self, at: c_int) -> c_int {
        unsafe {
            if ffi::lua_getmetatable(self.l, at) != 0 {
                let found = self.field(-1, "__index");
                if found && self.is_table(-1) {
                    ffi::lua_copy(self.l, -1, -2);
                    self.pop(1);
                    return self.top();
                }
                self.pop(if found { 2 } else { 1 });
            }
            ffi::lua_pushvalue(self.l, at);
        }
        self.top()
    }

    /// The name that a word of the engine is.
    fn word(&self, word: &'static str) -> Sym {
        // A literal is known by its address and its length, for it might be the beginning of another.
        let address = word.as_ptr() as usize ^ word.len() << 56;
        if let Some(sym) = self.cx.border.recent.get(address) {
            return sym;
        }
        let sym = self.cx.sym(word);
        self.cx.border.recent.put(address, sym);
        sym
    }

    /// Pushes a field of a table; false, and nothing pushed, if it is absent.
    pub fn field(&self, table: c_int, key: &'static str) -> bool {
        self.field_of(table, self.word(key))
    }

    /// The same for a name. What is no table has no fields.
    pub fn field_of(&self, table: c_int, key: Sym) -> bool {
        let table = if table < 0 { self.top() + 1 + table } else { table };
        if !self.is_table(table) || self.push(Val::Sym(key)).is_err() {
            return false;
        }
        if unsafe { ffi::lua_rawget(self.l, table) } == ffi::LUA_TNIL {
            self.pop(1);
            return self.has_behind(table) && self.field_behind(table, key);
        }
        true
    }

    /// Whether a table has a metatable, as one has through which another is read.
    fn has_behind(&self, table: c_int) -> bool {
        let has = unsafe { ffi::lua_getmetatable(self.l, table) != 0 };
        if has {
            self.pop(1);
        }
        has
    }

    /// Pushes a field of the table that is read through another.
    #[cold]
    fn field_behind(&self, table: c_int, key: Sym) -> bool {
        let inner = self.inside(table);
        let found = !self.has_behind(inner) && self.field_of(inner, key);
        // What was found takes the place of the table it was found in.
        if found {
            unsafe { ffi::lua_copy(self.l, -1, inner) };
        }
        self.pop(1);
        found
    }

    /// Sets a field of a table.
    pub fn set_field(&self, table: c_int, key: &'static str, val: Val) -> mlua::Result<()> {
        if !self.is_table(table) {
            return fail(format!("`{key}` cannot be set in what is no table"));
        }
        self.push(Val::Sym(self.word(key)))?;
        self.push(val)?;
        unsafe {
            // Setting a field that is there cannot raise; a new one needs memory, so it is set under protection.
            ffi::lua_pushvalue(self.l, -2);
            let there = ffi::lua_rawget(self.l, table) != ffi::LUA_TNIL;
            self.pop(1);
            if there {
                ffi::lua_rawset(self.l, table);
                return Ok(());
            }
        }
        self.pop(2);
        let Some(lua) = self.cx.border.lua() else { return Ok(()) };
        match self.value(table) {
            Value::Table(table) => table.raw_set(key, self.cx.lua(&lua, val)?),
            _ => Ok(()),
        }
    }

    /// Pushes the n-th element of a table; false, and nothing pushed, if it is absent.
    pub fn element(&self, table: c_int, n: i64) -> bool {
        if !self.is_table(table) {
            return false;
        }
        if unsafe { ffi::lua_rawgeti(self.l, table, n) } != ffi::LUA_TNIL {
            return true;
        }
        self.pop(1);
        if !self.has_behind(table) {
            return false;
        }
        let inner = self.inside(table);
        // What is found takes the place of the table it is found in.
        unsafe {
            ffi::lua_rawgeti(self.l, inner, n);
            ffi::lua_copy(self.l, -1, inner);
        }
        let found = !self.is_nil(-1);
        self.pop(if found { 1 } else { 2 });
        found
    }

    /// Walks a table in no order: key at the first place given, value at the second. Of several errors that of the least key is
    /// told, so that it does not depend on the order.
    pub fn each(
        &self,
        table: c_int,
        mut f: impl FnMut(c_int, c_int) -> mlua::Result<()>,
    ) -> mlua::Result<()> {
        if !self.is_table(table) {
            return fail("expected a table");
        }
        let table = self.inside(table);
        let mut first: Option<(Vec<u8>, mlua::Error)> = None;
        unsafe { ffi::lua_pushnil(self.l) };
        while unsafe { ffi::lua_next(self.l, table) } != 0 {
            let top = self.top();
            if let Err(error) = f(top - 1, top) {
                unsafe { ffi::lua_settop(self.l, top) };
                let key = self.bytes(top - 1).unwrap_or_default();
                if first.as_ref().is_none_or(|(least, _)| key < least.as_slice()) {
                    first = Some((key.to_vec(), error));
                }
            }
            self.pop(1);
        }
        self.pop(1);
        first.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Whether a table has no entries.
    pub fn is_empty(&self, table: c_int) -> bool {
        let mut empty = true;
        // What cannot be walked is told elsewhere.
        let _ = self.each(table, |_, _| {
            empty = false;
            Ok(())
        });
        empty
    }

    /// Pushes a copy of a value.
    pub fn copy(&self, at: c_int) {
        unsafe { ffi::lua_pushvalue(self.l, at) }
    }

    /// Pushes a value of the kernel.
    pub fn push(&self, val: Val) -> mlua::Result<()> {
        // SAFETY: none of these raises, and there is room.
        let found = unsafe {
            match val {
                Val::Nil => {
                    ffi::lua_pushnil(self.l);
                    return Ok(());
                }
                Val::Bool(b) => {
                    ffi::lua_pushboolean(self.l, c_int::from(b));
                    return Ok(());
                }
                Val::Int(n) => {
                    ffi::lua_pushinteger(self.l, n.into());
                    return Ok(());
                }
                Val::Sym(sym) => ffi::lua_rawgeti(self.l, TEXTS, i64::from(sym.0) + 1),
                handle => {
                    self.push_handle(Target::Val(handle));
                    return Ok(());
                }
            }
        };
        if found != ffi::LUA_TNIL {
            return Ok(());
        }
        self.pop(1);
        match self.cx.border.lua() {
            Some(lua) => self.push_value(&self.cx.lua(&lua, val)?),
            None => self.push(Val::Nil),
        }
    }

    pub fn push_int(&self, n: i64) {
        unsafe { ffi::lua_pushinteger(self.l, n) }
    }

    /// Pushes the function that walks lists.
    pub fn push_walker(&self) {
        unsafe { ffi::lua_rawgeti(self.l, HANDLERS, 0) };
    }

    pub fn push_handle(&self, target: Target) {
        let address = std::ptr::without_provenance_mut(target.address() as usize);
        unsafe { ffi::lua_pushlightuserdata(self.l, address) };
    }

    /// Pushes any value.
    pub fn push_value(&self, value: &Value) -> mlua::Result<()> {
        let Some(lua) = self.cx.border.lua() else { return fail("the VM is closed") };
        lua.exec_raw_lua(|raw| unsafe {
            if ffi::lua_checkstack(raw.state(), ROOM) == 0 {
                return fail("stack overflow");
            }
            raw.push_value(value)?;
            if raw.state() != self.l {
                // The VM runs a coroutine that mlua does not count as the running one.
                ffi::lua_xmove(raw.state(), self.l, 1);
            }
            Ok(())
        })
    }

    /// Any value, as mlua knows it.
    pub fn value(&self, at: c_int) -> Value {
        let Some(lua) = self.cx.border.lua() else { return Value::Nil };
        lua.exec_raw_lua(|raw| unsafe {
            if at > self.top() || ffi::lua_checkstack(raw.state(), ROOM) == 0 {
                return Value::Nil;
            }
            ffi::lua_pushvalue(self.l, at);
            if raw.state() != self.l {
                ffi::lua_xmove(self.l, raw.state(), 1);
            }
            raw.pop_value()
        })
    }

    /// Pushes the method that the value at a place names; false, and nothing pushed, if there is none.
    pub fn method(&self, of: Methods, name: c_int) -> bool {
        unsafe {
            ffi::lua_pushvalue(self.l, name);
            if ffi::lua_rawget(self.l, ffi::lua_upvalueindex(of as c_int)) == ffi::LUA_TNIL {
                self.pop(1);
                return false;
            }
        }
        true
    }

    /// Pushes a function of a handler; false, and nothing pushed, if it has none.
    pub fn handler(&self, number: u32, part: Part) -> bool {
        unsafe { ffi::lua_rawgeti(self.l, HANDLERS, i64::from(number) * 3 + part as i64) };
        if self.is_nil(-1) {
            self.pop(1);
            return false;
        }
        true
    }

    /// Calls the function below so many arguments, and leaves so many results in their stead.
    pub fn call(&self, args: c_int, results: c_int) -> mlua::Result<()> {
        unsafe {
            if ffi::lua_checkstack(self.l, results + ROOM) == 0 {
                return fail("stack overflow");
            }
            match ffi::lua_pcallk(self.l, args, results, 0, 0, None) {
                ffi::LUA_OK => Ok(()),
                ffi::LUA_ERRMEM => {
                    self.pop(1);
                    Err(mlua::Error::MemoryError("not enough memory".into()))
                }
                _ => {
                    let error = match self.bytes(-1) {
                        Some(text) => mlua::Error::RuntimeError(String::from_utf8_lossy(text).into_owned()),
                        None => match self.value(self.top()) {
                            Value::Error(error) => *error,
                            other => {
                                mlua::Error::RuntimeError(format!("an error of type {}", other.type_name()))
                            }
                        },
                    };
                    self.pop(1);
                    Err(error)
                }
            }
        }
    }

    /// Ends a call: puts its result where Lua takes it from, or its error where `enter` finds it.
    #[inline(never)]
    pub(super) fn finish(&self, result: mlua::Result<Out>) -> Done {
        let error = match result {
            Ok(out) => match self.give(out) {
                Ok(done) => return done,
                Err(error) => error,
            },
            Err(error) => error,
        };
        self.failed(&error)
    }

    #[cold]
    pub(super) fn failed(&self, error: &mlua::Error) -> Done {
        *self.cx.border.message.borrow_mut() = self.located(error);
        Done::Failed
    }

    #[inline]
    fn give(&self, out: Out) -> mlua::Result<Done> {
        match out {
            Out::Val(val) => self.push(val)?,
            Out::Handle(target) => self.push_handle(target),
            Out::Int(n) => self.push_int(n),
            Out::Pushed(n) => return Ok(Done::Count(n)),
            Out::Slot(slot) => self.push_slot(&slot),
            Out::Value(value) => self.push_value(&value)?,
            Out::List(list) => {
                self.cx.pay_for(&list)?;
                *self.cx.border.parked.borrow_mut() = Some(list);
                return Ok(Done::List);
            }
        }
        Ok(Done::Count(1))
    }

    /// An error in words, beginning with the script and line that was running.
    #[cold]
    pub(super) fn located(&self, error: &mlua::Error) -> String {
        let found = ScriptError::from_lua(error, Vec::new());
        if found.fatal {
            return "not enough memory".into();
        }
        match found.place {
            Some((file, line)) => format!("{file}:{line}: {}", found.message),
            None => format!("{}{}", self.place(), found.message),
        }
    }

    /// Script and line of the innermost function of a script, to begin a message with.
    pub fn place(&self) -> String {
        (0..40).find_map(|level| self.place_at(level)).flatten().unwrap_or_default()
    }

    /// Nothing if the level is a function of Rust or the prelude; nothing at all at the end of the stack.
    fn place_at(&self, level: c_int) -> Option<Option<String>> {
        // SAFETY: Lua fills the record in before it is read.
        unsafe {
            let mut record: ffi::lua_Debug = std::mem::zeroed();
            if ffi::lua_getstack(self.l, level, &raw mut record) == 0 {
                return Some(None);
            }
            ffi::lua_getinfo(self.l, c"Sl".as_ptr(), &raw mut record);
            let source = CStr::from_ptr(record.short_src.as_ptr()).to_string_lossy();
            let own = record.currentline > 0 && source != "prelude.lua";
            own.then(|| Some(format!("{source}:{}: ", record.currentline)))
        }
    }
}

/// Which function of a handler is meant.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Run = 1,
    When = 2,
    Among = 3,
}

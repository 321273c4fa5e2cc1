//! One call from Lua, as a function of the border sees it: what lies on the stack, and what can be put there.

use super::stack::{Called, Entry, Full, Stack, Upvalue};
use super::{CallResult, Methods, Out};
use crate::context::{ScriptContext, fail};
use crate::error::{ErrorKind, ScriptError};
use crate::handle::Target;
use crate::list::List;
use crate::val::Val;
use crate::wrong_value::{Given, WrongValue};
use mlua::Value;
use mlua::ffi;
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use std::ffi::c_int;
use std::rc::Rc;

/// Longest text that can be a name.
pub(crate) const LONGEST_NAME: usize = 4_096;

/// What an argument is.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    Nil,
    Bool(bool),
    Int(i64),
    Fraction(f64),
    Text(Sym),
    /// A text that is too long for a name.
    LongText,
    Handle(Target),
    List,
    Table,
    Function,
    /// The word `none`, which stands for an absent value in filters.
    None,
    Other,
}

/// One call from Lua, as the function sees it: arguments from 1 on. What it pushes lies above them.
pub(crate) struct Frame<'a> {
    pub cx: &'a Rc<ScriptContext>,
    pub(super) stack: Stack,
}

impl Frame<'_> {
    /// How many values lie on the stack.
    pub fn top(&self) -> c_int {
        self.stack.top()
    }

    /// Takes so many values off that were pushed.
    pub fn pop(&self, n: c_int) {
        self.stack.pop(n);
    }

    pub fn is_nil(&self, at: c_int) -> bool {
        self.stack.kind(at) <= ffi::LUA_TNIL
    }

    pub fn is_table(&self, at: c_int) -> bool {
        self.stack.is_table(at)
    }

    pub fn is_function(&self, at: c_int) -> bool {
        self.stack.kind(at) == ffi::LUA_TFUNCTION
    }

    /// Whether a value counts as true.
    pub fn is_truthy(&self, at: c_int) -> bool {
        self.stack.is_truthy(at)
    }

    pub fn int(&self, at: c_int) -> Option<i64> {
        self.stack.int(at)
    }

    /// The bytes of a text among the arguments.
    pub fn bytes(&self, at: c_int) -> Option<&[u8]> {
        self.stack.bytes(at)
    }

    /// Whether a value is that text.
    pub fn text_is(&self, at: c_int, text: &[u8]) -> bool {
        self.stack.text_is(at, text)
    }

    /// The name that a text is.
    #[inline]
    pub fn sym(&self, at: c_int) -> Option<Sym> {
        self.stack.text_address(at).and_then(|address| self.text_sym(at, address))
    }

    /// The name of a text whose bytes lie there.
    #[inline]
    fn text_sym(&self, at: c_int, address: usize) -> Option<Sym> {
        match self.cx.lua_ffi.recent.get(address) {
            Some(sym) => Some(sym),
            None => self.rare_sym(at, address),
        }
    }

    /// The name of a text that was not asked for of late.
    #[cold]
    fn rare_sym(&self, at: c_int, address: usize) -> Option<Sym> {
        if let Some(&sym) = self.cx.lua_ffi.texts.borrow().get(&address) {
            self.cx.lua_ffi.recent.put(address, sym);
            return Some(sym);
        }
        let text =
            self.stack.with_bytes(at, |text| (text.len() <= LONGEST_NAME).then(|| owned(text))).flatten()?;
        let sym = self.cx.sym(&text);
        if let Some(lua) = self.cx.lua_ffi.lua() {
            // Should there be no memory to keep it, the next look will be as slow as this one.
            let _ = self.cx.lua_text(&lua, sym);
        }
        Some(sym)
    }

    /// What a value is.
    pub fn arg(&self, at: c_int) -> Arg {
        match self.stack.kind(at) {
            ffi::LUA_TLIGHTUSERDATA => {
                Target::of_address(self.stack.address(at) as u64).map_or(Arg::None, Arg::Handle)
            }
            ffi::LUA_TSTRING => self.sym(at).map_or(Arg::LongText, Arg::Text),
            ffi::LUA_TUSERDATA if self.stack.is_list(at) => Arg::List,
            ffi::LUA_TBOOLEAN => Arg::Bool(self.is_truthy(at)),
            ffi::LUA_TNUMBER => match self.int(at) {
                Some(n) => Arg::Int(n),
                None => Arg::Fraction(self.stack.fraction(at)),
            },
            ffi::LUA_TTABLE => Arg::Table,
            ffi::LUA_TFUNCTION => Arg::Function,
            kind if kind <= ffi::LUA_TNIL => Arg::Nil,
            _ => Arg::Other,
        }
    }

    /// The list among the arguments; one that lies elsewhere is not lent, see [`Frame::with_list`].
    pub fn list(&self, at: c_int) -> Option<List<'_>> {
        self.stack.list(self.cx, at)
    }

    /// What is made of a list, wherever it lies.
    pub fn with_list<T>(&self, at: c_int, look: fn(List<'_>) -> T) -> Option<T> {
        self.stack.with_list(self.cx, at, look)
    }

    /// What lies at a place, in words for a message.
    #[cold]
    pub fn words(&self, at: c_int) -> String {
        match self.arg(at) {
            Arg::Nil => "nothing".into(),
            Arg::Text(sym) => format!("\"{}\"", self.cx.text(sym)),
            Arg::Fraction(n) => n.to_string(),
            arg => match self.val_of(arg) {
                Ok(val) => self.cx.describe(val),
                Err(why) => why.found(),
            },
        }
    }

    /// The value of an argument, if it is one that the kernel knows.
    pub fn val(&self, at: c_int) -> Given<Val> {
        self.val_of(self.arg(at))
    }

    /// The same for one that was looked at.
    pub fn val_of(&self, arg: Arg) -> Given<Val> {
        match arg {
            Arg::Nil => Ok(Val::Nil),
            Arg::Bool(b) => Ok(Val::Bool(b)),
            Arg::Int(n) => i32::try_from(n).map(Val::Int).map_err(|_| WrongValue::TooLarge(n).into()),
            Arg::Fraction(n) => Err(WrongValue::Fraction(n).into()),
            Arg::Text(sym) => Ok(Val::Sym(sym)),
            Arg::Handle(Target::Val(val)) => self.cx.existing(val),
            Arg::Handle(Target::Side(side)) => Ok(Val::Sym(self.cx.side_sym(SideId(side)))),
            Arg::Handle(other) => Err(WrongValue::NotAValue(other.words().into()).into()),
            Arg::List => Err(WrongValue::NotAValue("a list".into()).into()),
            Arg::Table => Err(WrongValue::NotAValue("a table".into()).into()),
            Arg::Function => Err(WrongValue::NotAValue("a function".into()).into()),
            Arg::LongText => Err(WrongValue::LongText.into()),
            Arg::None | Arg::Other => Err(WrongValue::NotAValue("an object".into()).into()),
        }
    }

    /// The values of a list, a table of values, or one value.
    pub fn vals(&self, at: c_int) -> Given<Vec<Val>> {
        match self.arg(at) {
            Arg::Nil => Ok(Vec::new()),
            Arg::List => {
                let vals = |list: List<'_>| list.exists().map(|()| list.vals().into_owned());
                let vals = self.with_list(at, vals).unwrap_or_else(|| Ok(Vec::new()))?;
                self.cx.charge(vals.len() as u64);
                Ok(vals)
            }
            Arg::Table => {
                let before = self.top();
                let vals = self.table_vals(at);
                self.stack.cut(before);
                vals
            }
            arg => Ok(vec![self.val_of(arg)?]),
        }
    }

    fn table_vals(&self, at: c_int) -> Given<Vec<Val>> {
        let mut vals = Vec::new();
        let table = self.inside(at)?;
        // Lua's own length may be any number in a table with holes.
        while self.stack.push_element(table, vals.len() as i64 + 1)? != ffi::LUA_TNIL {
            self.cx.pay_for_value(vals.len())?;
            vals.push(self.val(-1)?);
            self.pop(1);
        }
        Ok(vals)
    }

    /// Pushes the table at a place, or the one behind it if it is read-only; gives its place.
    fn inside(&self, at: c_int) -> Result<c_int, Full> {
        let at = if at < 0 { self.top() + 1 + at } else { at };
        if self.stack.push_metatable(at)? {
            let found = self.field(-1, "__index")?;
            if found && self.is_table(-1) {
                self.stack.put(-2);
                return Ok(self.top());
            }
            self.pop(if found { 2 } else { 1 });
        }
        self.stack.push_copy(at)?;
        Ok(self.top())
    }

    /// The name that a word of the engine is.
    fn word(&self, word: &'static str) -> Sym {
        // A literal is known by its address and its length, for it might be the beginning of another.
        let address = word.as_ptr() as usize ^ word.len() << 56;
        if let Some(sym) = self.cx.lua_ffi.recent.get(address) {
            return sym;
        }
        let sym = self.cx.sym(word);
        self.cx.lua_ffi.recent.put(address, sym);
        sym
    }

    /// Pushes a field of a table; false, and nothing pushed, if it is absent.
    pub fn field(&self, table: c_int, key: &'static str) -> Result<bool, Full> {
        self.field_of(table, self.word(key))
    }

    /// The same for a name. What is not a table has no fields.
    pub fn field_of(&self, table: c_int, key: Sym) -> Result<bool, Full> {
        let table = if table < 0 { self.top() + 1 + table } else { table };
        if !self.is_table(table) {
            return Ok(false);
        }
        self.push_text(key)?;
        if self.stack.look_up_in(table) == ffi::LUA_TNIL {
            self.pop(1);
            return Ok(self.has_behind(table)? && self.field_behind(table, key)?);
        }
        Ok(true)
    }

    /// Whether a table has a metatable, as one has through which another is read.
    fn has_behind(&self, table: c_int) -> Result<bool, Full> {
        let has = self.stack.push_metatable(table)?;
        if has {
            self.pop(1);
        }
        Ok(has)
    }

    /// Pushes a field of the table that is read through another.
    #[cold]
    fn field_behind(&self, table: c_int, key: Sym) -> Result<bool, Full> {
        let inner = self.inside(table)?;
        let found = !self.has_behind(inner)? && self.field_of(inner, key)?;
        match found {
            // What was found takes the place of the table it was found in.
            true => self.stack.put(inner),
            false => self.pop(1),
        }
        Ok(found)
    }

    /// Sets a field of a table.
    pub fn set_field(&self, table: c_int, key: &'static str, val: Val) -> mlua::Result<()> {
        if !self.is_table(table) {
            return fail(format!("`{key}` cannot be set in what is not a table"));
        }
        self.push(Val::Sym(self.word(key)))?;
        self.push(val)?;
        if self.stack.set(table)? {
            return Ok(());
        }
        // A field that is not there yet needs memory, so it is set under protection.
        self.pop(2);
        let Some(lua) = self.cx.lua_ffi.lua() else { return Ok(()) };
        match self.value(table)? {
            Value::Table(table) => table.raw_set(key, self.cx.lua(&lua, val)?),
            _ => Ok(()),
        }
    }

    /// Pushes the n-th element of a table; false, and nothing pushed, if it is absent.
    pub fn element(&self, table: c_int, n: i64) -> Result<bool, Full> {
        if !self.is_table(table) {
            return Ok(false);
        }
        if self.stack.push_element(table, n)? != ffi::LUA_TNIL {
            return Ok(true);
        }
        self.pop(1);
        if !self.has_behind(table)? {
            return Ok(false);
        }
        let inner = self.inside(table)?;
        self.stack.push_element(inner, n)?;
        // What is found takes the place of the table it is found in.
        self.stack.put(inner);
        let found = !self.is_nil(-1);
        if !found {
            self.pop(1);
        }
        Ok(found)
    }

    /// Walks a table in no order: key at the first place given, value at the second. Of several errors that of the least key is
    /// told, so that it does not depend on the order. Nothing can be called and no field set while a table is walked.
    pub fn each(
        &self,
        table: c_int,
        mut f: impl FnMut(c_int, c_int) -> mlua::Result<()>,
    ) -> mlua::Result<()> {
        self.walk(table, |entry| f(entry.key(), entry.value()))
    }

    /// The same with the text of each key, which is empty if it is something else.
    pub fn each_text(
        &self,
        table: c_int,
        mut f: impl FnMut(&[u8], c_int) -> mlua::Result<()>,
    ) -> mlua::Result<()> {
        self.walk(table, |entry| f(entry.text(), entry.value()))
    }

    fn walk(&self, table: c_int, mut f: impl FnMut(&Entry<'_>) -> mlua::Result<()>) -> mlua::Result<()> {
        if !self.is_table(table) {
            return fail("expected a table");
        }
        let table = self.inside(table)?;
        let mut first: Option<(Vec<u8>, mlua::Error)> = None;
        let walked = self.stack.walk(table, |entry| {
            self.cx.charge(4);
            if !self.cx.is_used_up()
                && let Err(error) = f(entry)
                && first.as_ref().is_none_or(|(least, _)| entry.text() < least.as_slice())
            {
                first = Some((entry.text().to_vec(), error));
            }
        });
        self.pop(1);
        walked?;
        self.cx.spend(4)?;
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
    pub fn copy(&self, at: c_int) -> Result<(), Full> {
        self.stack.push_copy(at)
    }

    /// Pushes copies of so many values from a place on.
    pub fn copy_all(&self, first: c_int, count: c_int) -> Result<(), Full> {
        self.stack.push_copies(first, count)
    }

    /// Pushes the text of a name.
    #[inline]
    fn push_text(&self, sym: Sym) -> Result<(), Full> {
        if self.stack.push_kept(Upvalue::Texts, i64::from(sym.0) + 1)? != ffi::LUA_TNIL {
            return Ok(());
        }
        self.pop(1);
        self.push_new_text(sym)
    }

    /// Pushes the text of a name that Lua does not keep yet.
    #[cold]
    fn push_new_text(&self, sym: Sym) -> Result<(), Full> {
        let Some(lua) = self.cx.lua_ffi.lua() else { return self.stack.push_nil() };
        let text = self.cx.lua_text(&lua, sym).map_err(|_| Full::Memory)?;
        self.stack.push_value(&lua, &text)
    }

    /// Pushes a value of the kernel.
    pub fn push(&self, val: Val) -> Result<(), Full> {
        match val {
            Val::Nil => self.stack.push_nil(),
            Val::Bool(b) => self.stack.push_bool(b),
            Val::Int(n) => self.stack.push_int(n.into()),
            Val::Sym(sym) => self.push_text(sym),
            handle => self.push_handle(Target::Val(handle)),
        }
    }

    pub fn push_int(&self, n: i64) -> Result<(), Full> {
        self.stack.push_int(n)
    }

    /// Pushes the function that walks lists.
    pub fn push_walker(&self) -> Result<(), Full> {
        self.stack.push_kept(Upvalue::Handlers, 0).map(|_| ())
    }

    pub fn push_handle(&self, target: Target) -> Result<(), Full> {
        self.stack.push_address(target.address() as usize)
    }

    /// Pushes any value.
    pub fn push_value(&self, value: &Value) -> mlua::Result<()> {
        let Some(lua) = self.cx.lua_ffi.lua() else { return fail("the VM is closed") };
        Ok(self.stack.push_value(&lua, value)?)
    }

    /// Any value, as mlua knows it.
    pub fn value(&self, at: c_int) -> Result<Value, Full> {
        let Some(lua) = self.cx.lua_ffi.lua() else { return Ok(Value::Nil) };
        self.stack.value(&lua, at)
    }

    /// Pushes the method that the value at a place names; false, and nothing pushed, if there is none.
    pub fn method(&self, of: Methods, name: c_int) -> Result<bool, Full> {
        let methods = match of {
            Methods::Reach => Upvalue::ReachMethods,
            Methods::Number => Upvalue::NumberMethods,
            Methods::List => return Ok(false),
        };
        self.stack.push_copy(name)?;
        let found = self.stack.look_up(methods) != ffi::LUA_TNIL;
        if !found {
            self.pop(1);
        }
        Ok(found)
    }

    /// Pushes a function of a handler; false, and nothing pushed, if it has none.
    pub fn handler(&self, number: u32, part: Part) -> Result<bool, Full> {
        let at = i64::from(number) * 3 + part as i64;
        let found = self.stack.push_kept(Upvalue::Handlers, at)? != ffi::LUA_TNIL;
        if !found {
            self.pop(1);
        }
        Ok(found)
    }

    /// Calls the function below so many arguments, and leaves so many results in their stead.
    pub fn call(&self, args: c_int, results: c_int) -> mlua::Result<()> {
        // What is called may be a function of the border, which no counter sees.
        self.cx.spend(20)?;
        match self.stack.call(args, results)? {
            Called::Done => return Ok(()),
            Called::Misused => {
                return fail("a function is called while the keys of a table are looked through");
            }
            Called::OutOfMemory => {
                self.pop(1);
                return Err(Full::Memory.into());
            }
            Called::Failed => {}
        }
        let error = match self.stack.with_bytes(-1, owned) {
            Some(text) => mlua::Error::RuntimeError(text),
            None => match self.value(-1)? {
                Value::Error(error) => *error,
                other => mlua::Error::RuntimeError(format!("an error of type {}", other.type_name())),
            },
        };
        self.pop(1);
        Err(error)
    }

    /// Ends a call: puts its result where Lua takes it from, or its error where `enter` finds it.
    #[inline(never)]
    pub(super) fn finish(&self, result: mlua::Result<Out>) -> CallResult {
        let error = match result {
            _ if self.cx.early.get() => {
                self.cx.early.set(false);
                mlua::Error::RuntimeError(NO_GAME.into())
            }
            Ok(out) => match self.give(out) {
                Ok(done) => return done,
                Err(error) => error,
            },
            Err(error) => error,
        };
        self.failed(&error)
    }

    /// The same for a plain value.
    #[inline]
    pub(super) fn finish_val(&self, val: Val) -> CallResult {
        match self.push(val) {
            Ok(()) => CallResult::Count(1),
            Err(full) => self.failed(&full.into()),
        }
    }

    /// Leaves an error for `enter` to raise: a text that begins with its place, or where somebody acts on its kind, the error
    /// itself.
    #[cold]
    pub(super) fn failed(&self, error: &mlua::Error) -> CallResult {
        let mut found = ScriptError::from_lua(error, Vec::new());
        found.place = found.place.or_else(|| self.running_place());
        let text = match &found.place {
            Some((file, line)) => format!("{file}:{line}: {}", found.message),
            None => found.message.clone(),
        };
        match found.kind {
            ErrorKind::OutOfMemory => return CallResult::OutOfMemory,
            ErrorKind::DeadEnd | ErrorKind::KeptValue => {
                let typed = Value::Error(Box::new(mlua::Error::external(found)));
                match self.push_value(&typed) {
                    Ok(()) => return CallResult::Raised,
                    Err(mlua::Error::MemoryError(_)) => return CallResult::OutOfMemory,
                    // The stack is full: the message alone is raised.
                    Err(_) => {}
                }
            }
            ErrorKind::Plain => {}
        }
        *self.cx.lua_ffi.message.borrow_mut() = text;
        CallResult::Failed
    }

    #[inline]
    fn give(&self, out: Out) -> mlua::Result<CallResult> {
        match out {
            Out::Val(val) => self.push(val)?,
            Out::Handle(target) => self.push_handle(target)?,
            Out::Int(n) => self.push_int(n)?,
            Out::Pushed(n) => return Ok(CallResult::Count(n.clamp(0, self.top()))),
            Out::Slot(slot) => self.push_slot(&slot)?,
            Out::Value(value) => self.push_value(&value)?,
            Out::List(list) => {
                self.cx.pay_for(&list)?;
                *self.cx.lua_ffi.parked.borrow_mut() = Some(list);
                return Ok(CallResult::List);
            }
        }
        Ok(CallResult::Count(1))
    }

    /// Script and line of the innermost function of a script.
    fn running_place(&self) -> Option<(String, u32)> {
        let levels = (0..40).map_while(|level| self.stack.level(level));
        let mut own = levels.filter(|(source, line)| *line > 0 && source != "prelude.lua");
        own.next().map(|(source, line)| (source, line.unsigned_abs()))
    }

    /// The same as one text; empty if no script is running.
    pub fn place(&self) -> String {
        self.running_place().map_or_else(String::new, |(source, line)| format!("{source}:{line}"))
    }

    /// Whether a value is a coroutine that ended because there was no memory left.
    pub fn ran_out_of_memory(&self, at: c_int) -> bool {
        self.stack.ran_out_of_memory(at)
    }
}

/// What is said to who reads the state of a game while scripts load.
const NO_GAME: &str = "there is no game yet while scripts load; look in a procedure, a query or another function that runs in play";

/// A text of its own, whatever its bytes are.
fn owned(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Which function of a handler is meant.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Run = 1,
    When = 2,
    Among = 3,
}

//! The functions that scripts call. Each is declared once: its signature gives the binding, the argument check, the
//! editor stub and the manual entry.

mod ask;
mod asked;
mod data;
mod limit;
mod map;
mod memo;
pub(crate) mod number;
mod rules;
mod search;
mod sight;
mod trace;
mod verbs;

pub(crate) use ask::{explain, passes, values};
pub(crate) use data::{contents, freeze_in_place, read_only};
pub(crate) use memo::recall;
pub(crate) use number::Working;
use rules::active;
pub(crate) use rules::{bind_prelude, pure, spent};
pub use search::Search;

use crate::context::{ScriptContext, fail};
use crate::lua_ffi::{Arg, Frame, Out};
use crate::val::Val;
use crate::wrong_value::WrongValue;
use mlua::{Function, Lua, Table, Value};
use sandtable_kernel::map::{SpaceId, SpaceSet};
use sandtable_kernel::state::TableId;
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use std::rc::Rc;

/// A parameter of an API function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its type, as the manual writes it.
    pub ty: &'static str,
    /// Whether it may be left out.
    pub optional: bool,
}

/// The declaration of an API function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it gives back; empty for nothing.
    pub returns: &'static str,
    /// One sentence or two for the manual.
    pub doc: &'static str,
    /// The part of the manual it belongs to.
    pub section: &'static str,
}

impl Decl {
    /// The declaration as the manual writes it: `distance(a: space, b: space) -> int`.
    pub fn signature(&self) -> String {
        let param = |param: &Param| {
            let optional = if param.optional { "?" } else { "" };
            format!("{}: {}{optional}", param.name, param.ty)
        };
        let params: Vec<String> = self.params.iter().map(param).collect();
        let gives = if self.returns.is_empty() { String::new() } else { format!(" -> {}", self.returns) };
        format!("{}({}){gives}", self.name, params.join(", "))
    }
}

/// Reads a signature such as `distance(a: space, b: space) -> int`.
fn parse(signature: &'static str, doc: &'static str) -> Decl {
    let (head, returns) = signature.split_once(" -> ").unwrap_or((signature, ""));
    let (name, params) = head.split_once('(').unwrap_or((head, ")"));
    let params = params.trim_end_matches(')').split(", ").filter(|param| !param.is_empty()).map(|param| {
        let (name, ty) = param.split_once(": ").unwrap_or((param, "any"));
        Param { name, ty: ty.trim_end_matches('?'), optional: ty.ends_with('?') }
    });
    Decl { name, params: params.collect(), returns, doc, section: "" }
}

/// What any call of an API function takes, in instructions; whatever grows with what it is given is paid besides.
const CALL: u64 = 10;
/// Most things that a line for people or a reason names, and that a number is about.
const NAMED: usize = 250;

/// The values from a place of the stack on, if they are not too many.
fn named(frame: &Frame<'_>, word: &str, from: i32) -> mlua::Result<Vec<Val>> {
    let count = usize::try_from(frame.top() + 1 - from).unwrap_or(0);
    if count > NAMED {
        return fail(format!("{word}: at most {NAMED} things can be named, found {count}"));
    }
    (from..=frame.top())
        .map(|at| frame.val(at))
        .collect::<Result<_, _>>()
        .map_err(|why: Box<WrongValue>| why.about(word))
}

/// One call of an API function: its arguments, counted from 0, with checks that name function and parameter.
pub(crate) struct Call<'a> {
    pub cx: &'a Rc<ScriptContext>,
    pub frame: &'a Frame<'a>,
    decl: &'a Decl,
}

/// The place of an argument on the stack.
pub(crate) fn slot(at: usize) -> i32 {
    at as i32 + 1
}

impl Call<'_> {
    /// The VM, for what the border does not do.
    pub fn lua(&self) -> mlua::Result<Lua> {
        self.cx.lua_ffi.lua().map_or_else(|| fail("the VM is closed"), Ok)
    }

    /// An argument as mlua knows it.
    pub fn value(&self, at: usize) -> mlua::Result<Value> {
        Ok(self.frame.value(slot(at))?)
    }

    #[cold]
    pub fn wrong<T>(&self, at: usize, why: impl Into<WrongValue>) -> mlua::Result<T> {
        let param = self.decl.params.get(at).map_or("?", |param| param.name);
        Err(why.into().about(format_args!("argument `{param}` of `{}`", self.decl.name)))
    }

    #[cold]
    pub fn expected<T>(&self, at: usize, expected: &str) -> mlua::Result<T> {
        self.wrong(at, format!("expected {expected}, found {}", self.frame.words(slot(at))))
    }

    pub fn has(&self, at: usize) -> bool {
        !self.frame.is_nil(slot(at))
    }

    pub fn int(&self, at: usize) -> mlua::Result<i32> {
        match self.frame.arg(slot(at)) {
            Arg::Int(n) => i32::try_from(n).or_else(|_| self.wrong(at, format!("{n} is too large"))),
            Arg::Fraction(n) => {
                self.wrong(at, format!("{n} is not a whole number; use // to divide, and no ^"))
            }
            _ => self.expected(at, "a whole number"),
        }
    }

    pub fn int_or(&self, at: usize, default: i32) -> mlua::Result<i32> {
        if self.has(at) { self.int(at) } else { Ok(default) }
    }

    /// A whole number, at least so large.
    pub fn int_from(&self, at: usize, least: i32, default: i32) -> mlua::Result<i32> {
        match self.int_or(at, default)? {
            n if n < least => self.wrong(at, format!("expected a number from {least} on, found {n}")),
            n => Ok(n),
        }
    }

    pub fn text(&self, at: usize) -> mlua::Result<String> {
        match self.frame.bytes(slot(at)) {
            Some(text) => Ok(String::from_utf8_lossy(text).into_owned()),
            None => self.expected(at, "a text"),
        }
    }

    pub fn sym(&self, at: usize) -> mlua::Result<Sym> {
        match self.frame.sym(slot(at)) {
            Some(sym) => Ok(sym),
            None => self.expected(at, "a text"),
        }
    }

    pub fn val(&self, at: usize) -> mlua::Result<Val> {
        self.frame.val(slot(at)).or_else(|why| {
            match self.decl.params.get(at).map_or("any", |param| param.ty) {
                "any" => self.wrong(at, why),
                ty => self.expected(at, &format!("a {ty}")),
            }
        })
    }

    /// A piece that is to be changed: one that has not been destroyed.
    pub fn live_piece(&self, at: usize) -> mlua::Result<u32> {
        let piece = self.piece(at)?;
        let gone = {
            let play = self.cx.play.borrow();
            play.is_gone(Val::Piece(piece))
        };
        if gone {
            return self.wrong(at, "this piece was destroyed");
        }
        Ok(piece)
    }

    /// A record that has not been finished.
    pub fn live_record(&self, at: usize) -> mlua::Result<(TableId, u32)> {
        let Val::Record(table, row) = self.val(at)? else { return self.expected(at, "a record") };
        if self.cx.play.borrow().is_gone(Val::Record(table, row)) {
            let name = self.cx.world.symbols.text(self.cx.world.schema.tables[table as usize].name);
            return self.wrong(at, format!("this {name} was finished"));
        }
        Ok((TableId(table), row))
    }

    pub fn piece(&self, at: usize) -> mlua::Result<u32> {
        match self.val(at)? {
            Val::Piece(piece) => Ok(piece),
            Val::Sym(sym) => {
                let name = self.cx.text(sym);
                let found = self.cx.world.find_piece(&self.cx.play.borrow().state, &name);
                match found {
                    Some(piece) => Ok(piece),
                    None => {
                        let ids = self
                            .cx
                            .world
                            .components
                            .iter()
                            .map(|component| self.cx.world.symbols.text(component.id));
                        self.wrong(at, format!("no piece {name}{}", ScriptContext::nearest(&name, ids)))
                    }
                }
            }
            _ => self.expected(at, "a piece"),
        }
    }

    pub fn space(&self, at: usize) -> mlua::Result<SpaceId> {
        match self.val(at)? {
            Val::Space(space) => Ok(SpaceId(space)),
            Val::Sym(sym) => {
                let name = self.cx.text(sym);
                match self.cx.world.find_space(&name) {
                    Some(space) => Ok(space),
                    None => {
                        let ids = self.cx.world.spaces.iter().map(|def| self.cx.world.symbols.text(def.id));
                        self.wrong(
                            at,
                            format!("no space {name} on this map{}", ScriptContext::nearest(&name, ids)),
                        )
                    }
                }
            }
            _ => self.expected(at, "a space"),
        }
    }

    pub fn side(&self, at: usize) -> mlua::Result<SideId> {
        let found = match self.val(at)? {
            Val::Sym(sym) => self.cx.side(sym),
            _ => None,
        };
        let Some(side) = found else {
            let names: Vec<&str> =
                (0..).zip(&self.cx.world.sides).map(|(at, _)| self.cx.world.side_name(SideId(at))).collect();
            return self.expected(at, &format!("a side ({})", names.join(", ")));
        };
        Ok(side)
    }

    pub fn spaces(&self, at: usize) -> mlua::Result<SpaceSet> {
        self.frame.space_set(slot(at)).or_else(|why| self.wrong(at, why))
    }

    pub fn vals(&self, at: usize) -> mlua::Result<Vec<Val>> {
        self.frame.vals(slot(at)).or_else(|why| self.wrong(at, why))
    }

    /// A table to be read: of one that is read-only, what lies behind it.
    pub fn table(&self, at: usize) -> mlua::Result<Table> {
        match self.value(at)? {
            Value::Table(table) => contents(table),
            _ => self.expected(at, "a table"),
        }
    }

    pub fn table_or_empty(&self, at: usize) -> mlua::Result<Table> {
        if self.has(at) { self.table(at) } else { self.lua()?.create_table() }
    }

    pub fn function(&self, at: usize) -> mlua::Result<Function> {
        match self.value(at)? {
            Value::Function(f) => Ok(f),
            _ => self.expected(at, "a function"),
        }
    }
}

/// Collects the declarations while it binds them.
pub(crate) struct Api<'a> {
    lua: &'a Lua,
    cx: &'a Rc<ScriptContext>,
    globals: Table,
    decls: Vec<Decl>,
    section: &'static str,
}

impl Api<'_> {
    /// Declares a function that is bound elsewhere: in the prelude, because it may yield, or for its many arguments.
    pub fn declare(&mut self, signature: &'static str, doc: &'static str) {
        self.decls.push(Decl { section: self.section, ..parse(signature, doc) });
    }

    /// Declares and binds a function.
    pub fn add(
        &mut self,
        signature: &'static str,
        doc: &'static str,
        f: impl Fn(Call<'_>) -> mlua::Result<Out> + 'static,
    ) -> mlua::Result<()> {
        let decl = Decl { section: self.section, ..parse(signature, doc) };
        let own = decl.clone();
        let bound = self.cx.bind(self.lua, move |frame| {
            frame.cx.spend(CALL)?;
            f(Call { cx: frame.cx, frame, decl: &own })
        })?;
        self.globals.raw_set(decl.name, bound)?;
        self.decls.push(decl);
        Ok(())
    }
}

/// Binds the whole API into `globals` and returns the declarations.
pub(crate) fn bind(lua: &Lua, cx: &Rc<ScriptContext>, globals: &Table) -> mlua::Result<Vec<Decl>> {
    let mut api = Api { lua, cx, globals: globals.clone(), decls: Vec::new(), section: "" };
    type Part = fn(&mut Api<'_>) -> mlua::Result<()>;
    let parts: [(&'static str, Part); 9] = [
        ("Things and figures", data::bind),
        ("Limits", limit::bind),
        ("Verbs", verbs::bind),
        ("Map", map::bind),
        ("Search", search::bind),
        ("Lines, arcs and sight", sight::bind),
        ("Rules", rules::bind),
        ("Decisions", ask::bind),
        ("Lua", library),
    ];
    for (section, bind) in parts {
        api.section = section;
        bind(&mut api)?;
    }
    Ok(api.decls)
}

/// Declares what the sandbox and the prelude give of Lua's own library.
fn library(api: &mut Api<'_>) -> mlua::Result<()> {
    api.declare(
        "pairs(table: table) -> function",
        "Walks a table in the order of its keys: numbers, texts, handles.",
    );
    api.declare("ipairs(list: any) -> function", "Walks a list or a table from 1 on.");
    api.declare("type(value: any) -> text", "nil, boolean, number, string, table, function or userdata.");
    api.declare("select(n: any, ...: any) -> any", "As in Lua.");
    api.declare("tonumber(value: any, base: int?) -> any", "As in Lua.");
    api.declare(
        "tostring(value: any) -> text",
        "A value as text; a handle gives its name, and nothing an address.",
    );
    api.declare("print(...: any)", "A line for the author of a script.");
    api.declare("error(message: text)", "Stops with an error that names this place.");
    api.declare("assert(value: any, message: text?) -> any", "Stops with an error unless the value holds.");
    api.declare(
        "require(path: text) -> any",
        "Another script of the package, by its path without `.lua`, or of a package that it needs, as `package/path`; while scripts load.",
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_gives_names_types_and_what_may_be_left_out() {
        let decl = parse("move(piece: piece, place: place, end: text?) -> bool", "Moves a piece.");
        assert_eq!(decl.name, "move");
        assert_eq!(decl.params[2], Param { name: "end", ty: "text", optional: true });
        assert_eq!(decl.returns, "bool");
        assert_eq!(decl.signature(), "move(piece: piece, place: place, end: text?) -> bool");
        assert!(parse("turn() -> int", "").params.is_empty());
    }
}

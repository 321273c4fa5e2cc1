//! Lists: ordered, read-only collections of values that stay in Rust until a script looks at one.

use crate::cx::{Cx, fail};
use crate::filter::{Filter, Of};
use crate::val::Val;
use mlua::{FromLua, Function, Lua, LuaString, MetaMethod, UserData, UserDataMethods, Value};
use sandtable_kernel::map::{SpaceId, SpaceSet};
use sandtable_kernel::state::{PieceId, Place, TableId, piece_col};
use std::cell::OnceCell;
use std::rc::Rc;

/// A list of values.
///
/// A list of spaces that comes as a set makes its values only when a script looks at them.
pub(crate) struct List {
    vals: OnceCell<Vec<Val>>,
    set: OnceCell<SpaceSet>,
    cx: Rc<Cx>,
}

impl List {
    pub fn new(vals: Vec<Val>, cx: &Rc<Cx>) -> List {
        List { vals: OnceCell::from(vals), set: OnceCell::new(), cx: cx.clone() }
    }

    /// A list of spaces, ascending.
    pub fn of_spaces(spaces: SpaceSet, cx: &Rc<Cx>) -> List {
        List { vals: OnceCell::new(), set: OnceCell::from(spaces), cx: cx.clone() }
    }

    /// The values in order.
    pub fn vals(&self) -> &[Val] {
        self.vals.get_or_init(|| match self.set.get() {
            Some(set) => set.iter().map(|space| Val::Space(space.0)).collect(),
            None => Vec::new(),
        })
    }

    fn len(&self) -> usize {
        match (self.vals.get(), self.set.get()) {
            (Some(vals), _) => vals.len(),
            (None, Some(set)) => set.len(),
            (None, None) => 0,
        }
    }

    /// Whether it is a list of spaces in ascending order, so that its set says all.
    fn is_set(&self) -> bool {
        self.set.get().is_some()
            && self
                .vals
                .get()
                .is_none_or(|vals| matches!(vals.first(), None | Some(Val::Space(_))) && vals.is_sorted())
    }

    pub fn into_lua(self, lua: &Lua) -> mlua::Result<Value> {
        let set = if self.set.get().is_some() { self.cx.world.spaces.len() / 8 } else { 0 };
        let vals = self.vals.get().map_or(0, Vec::len);
        self.cx.holds(lua, size_of::<List>() + vals * size_of::<Val>() + set)?;
        Ok(Value::UserData(lua.create_userdata(self)?))
    }

    /// Whether two lists hold the same in the same order.
    pub fn same(&self, other: &List) -> bool {
        match (self.is_set(), other.is_set(), self.set.get(), other.set.get()) {
            (true, true, Some(own), Some(others)) => own == others,
            _ => self.vals() == other.vals(),
        }
    }

    /// Notes that a column was read of the pieces in the list: of their owners only.
    fn note(&self, col: u16) {
        if !self.cx.is_tracking() {
            return;
        }
        let play = self.cx.play.borrow();
        let mut sides = 0u32;
        for val in self.vals() {
            if let Val::Piece(piece) = val {
                sides |= 1 << play.state.get(TableId::PIECE, *piece, piece_col::SIDE).clamp(0, 31);
            }
        }
        for side in (0..32).filter(|side| sides & (1 << side) != 0) {
            self.cx.note_side(&play.state, piece_col::SIDE, side);
            self.cx.note_side(&play.state, col, side);
        }
    }

    /// The spaces of the list, or of its pieces, as a set.
    pub fn to_set(&self) -> SpaceSet {
        if let Some(set) = self.set.get() {
            return set.clone();
        }
        let of_pieces = matches!(self.vals().first(), Some(Val::Piece(_)));
        if of_pieces {
            // Whoever makes spaces of pieces depends on where these are.
            self.note(piece_col::PLACE);
        }
        let play = self.cx.play.borrow();
        let space = |val: &Val| match val {
            Val::Space(space) => Some(SpaceId(*space)),
            Val::Piece(piece) => play.state.space_of(PieceId(*piece)),
            _ => None,
        };
        let set: SpaceSet = self.vals().iter().filter_map(space).collect();
        // Pieces move, so only a set of spaces is worth keeping.
        if !of_pieces {
            self.set.get_or_init(|| set.clone());
        }
        set
    }

    /// Combines two lists that are known as sets of spaces; the result is ascending like them.
    fn with_set(&self, other: &Value, op: fn(&SpaceSet, &SpaceSet) -> SpaceSet) -> Option<SpaceSet> {
        let Value::UserData(handle) = other else { return None };
        let other = handle.borrow::<List>().ok()?;
        let (true, Some(own), Some(others)) =
            (self.is_set() && other.is_set(), self.set.get(), other.set.get())
        else {
            return None;
        };
        Some(op(own, others))
    }

    fn kind(&self) -> Of {
        if matches!(self.vals().first(), Some(Val::Space(_))) { Of::Spaces } else { Of::Pieces }
    }

    /// The values that pass a filter table or a function.
    fn filter(&self, lua: &Lua, by: &Value) -> mlua::Result<Value> {
        let vals = match by {
            // An empty list does not know whether it is of pieces or of spaces.
            _ if self.vals().is_empty() => Vec::new(),
            Value::Table(table) => {
                let filter = Filter::new(&self.cx, self.kind(), table)?;
                let play = self.cx.play.borrow();
                filter.note_within(&self.cx, &play.state, self.vals());
                let passes = |val: &&Val| match val {
                    Val::Piece(row) | Val::Space(row) => filter.passes(&self.cx, &play.state, *row),
                    _ => false,
                };
                self.vals().iter().filter(passes).copied().collect()
            }
            Value::Function(f) => {
                let mut kept = Vec::new();
                for &val in self.vals() {
                    if self.ask(lua, f, val)? {
                        kept.push(val);
                    }
                }
                kept
            }
            _ => return fail("filter: expected a table of fields or a function"),
        };
        List::new(vals, &self.cx).into_lua(lua)
    }

    fn ask(&self, lua: &Lua, f: &Function, val: Val) -> mlua::Result<bool> {
        let value = self.cx.lua(lua, val)?;
        Ok(!matches!(f.call::<Value>(value)?, Value::Nil | Value::Boolean(false)))
    }

    /// Whether any value passes: all of them if nothing is asked.
    fn test(&self, lua: &Lua, by: &Value, all: bool) -> mlua::Result<bool> {
        match by {
            Value::Nil => return Ok(!self.vals().is_empty()),
            _ if self.vals().is_empty() => {}
            Value::Function(f) => {
                for &val in self.vals() {
                    if self.ask(lua, f, val)? != all {
                        return Ok(!all);
                    }
                }
            }
            Value::Table(table) => {
                let filter = Filter::new(&self.cx, self.kind(), table)?;
                let play = self.cx.play.borrow();
                filter.note_within(&self.cx, &play.state, self.vals());
                for val in self.vals() {
                    if let Val::Piece(row) | Val::Space(row) = val
                        && filter.passes(&self.cx, &play.state, *row) != all
                    {
                        return Ok(!all);
                    }
                }
            }
            _ => return fail("expected a table of fields or a function"),
        }
        Ok(all)
    }

    /// What makes a value equal to others: the given fields, or everything the kernel knows of a piece.
    fn class(&self, lua: &Lua, val: Val, fields: &[String]) -> mlua::Result<Vec<Val>> {
        let value = self.cx.lua(lua, val)?;
        let Value::UserData(handle) = &value else { return Ok(vec![val]) };
        if let (true, Val::Piece(piece)) = (fields.is_empty(), val) {
            let play = self.cx.play.borrow();
            let columns = &self.cx.world.schema.tables[TableId::PIECE.0 as usize].columns;
            let own =
                [piece_col::PROTO, piece_col::SIDE, piece_col::PLACE, piece_col::LEVEL, piece_col::FACING];
            let kept = own.into_iter().chain(piece_col::COUNT..columns.len() as u16);
            return Ok(kept
                .map(|col| {
                    self.cx.note(&play.state, TableId::PIECE, col);
                    Val::Int(play.state.get(TableId::PIECE, piece, col))
                })
                .collect());
        }
        let mut class = Vec::new();
        for field in fields {
            let part: Value = mlua::ObjectLike::get(handle, field.as_str())?;
            class.push(self.cx.val(&part).or_else(fail)?);
        }
        Ok(class)
    }

    fn index(&self, lua: &Lua, key: Value) -> mlua::Result<Value> {
        match key {
            Value::Integer(n) => {
                match usize::try_from(n.saturating_sub(1)).ok().and_then(|at| self.vals().get(at)) {
                    Some(&val) => self.cx.lua(lua, val),
                    None => Ok(Value::Nil),
                }
            }
            key => {
                let key = LuaString::from_lua(key, lua)?;
                fail(format!("a list has no `{}`", key.to_string_lossy()))
            }
        }
    }
}

impl Cx {
    /// The values of a list, a table of values, or one value.
    pub(crate) fn vals(&self, value: &Value) -> Result<Vec<Val>, String> {
        match value {
            Value::Nil => Ok(Vec::new()),
            Value::UserData(handle) if handle.is::<List>() => {
                handle.borrow::<List>().map(|list| list.vals().to_vec()).map_err(|error| error.to_string())
            }
            Value::Table(table) => {
                // A read-only table keeps its contents behind it.
                let inner = table.metatable().and_then(|meta| meta.raw_get::<mlua::Table>("__index").ok());
                let table = inner.as_ref().unwrap_or(table);
                let mut vals = Vec::with_capacity(table.raw_len());
                for at in 1..=table.raw_len() {
                    let value: Value = table.raw_get(at).map_err(|error| error.to_string())?;
                    vals.push(self.val(&value)?);
                }
                Ok(vals)
            }
            value => Ok(vec![self.val(value)?]),
        }
    }

    /// The spaces of a list, a table of handles, or one handle.
    pub(crate) fn space_set(&self, value: &Value) -> Result<SpaceSet, String> {
        if let Value::UserData(handle) = value
            && let Ok(list) = handle.borrow::<List>()
        {
            return Ok(list.to_set());
        }
        let vals = self.vals(value)?;
        let play = self.play.borrow();
        let space = |val| match val {
            Val::Space(space) => Ok(Some(SpaceId(space))),
            Val::Piece(piece) => {
                self.note_piece(&play.state, piece, piece_col::PLACE);
                Ok(play.state.space_of(PieceId(piece)))
            }
            val => Err(format!("expected spaces, found {}", self.describe(val))),
        };
        let spaces: Result<Vec<Option<SpaceId>>, String> = vals.into_iter().map(space).collect();
        Ok(spaces?.into_iter().flatten().collect())
    }
}

/// What comparing each value of one list with each of another takes, in instructions.
fn product(a: usize, b: usize) -> u64 {
    (a as u64).saturating_mul(b as u64) / 16
}

impl UserData for List {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Len, |_, this, ()| Ok(this.len()));
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: Value| this.index(lua, key));
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            let names: Vec<String> = this.vals().iter().map(|&val| this.cx.name(val)).collect();
            Ok(names.join(" "))
        });
        methods.add_method("filter", |lua, this, by: Value| this.filter(lua, &by));
        methods.add_method("any", |lua, this, by: Value| this.test(lua, &by, false));
        methods.add_method("all", |lua, this, by: Value| this.test(lua, &by, true));
        methods.add_method("has", |_, this, item: Value| {
            let val = this.cx.val(&item).or_else(fail)?;
            if let (Some(set), Val::Space(space)) = (this.set.get(), val)
                && this.is_set()
            {
                return Ok(set.contains(SpaceId(space)));
            }
            Ok(this.vals().contains(&val))
        });
        methods.add_method("first", |lua, this, ()| match this.vals().first() {
            Some(&val) => this.cx.lua(lua, val),
            None => Ok(Value::Nil),
        });
        methods.add_method("last", |lua, this, ()| match this.vals().last() {
            Some(&val) => this.cx.lua(lua, val),
            None => Ok(Value::Nil),
        });
        methods.add_method("plus", |lua, this, other: Value| {
            if let Some(set) = this.with_set(&other, SpaceSet::union) {
                return List::of_spaces(set, &this.cx).into_lua(lua);
            }
            let more = this.cx.vals(&other).or_else(fail)?;
            this.cx.spend(product(more.len(), this.len()))?;
            let mut vals = this.vals().to_vec();
            vals.extend(more.into_iter().filter(|val| !this.vals().contains(val)));
            List::new(vals, &this.cx).into_lua(lua)
        });
        methods.add_method("minus", |lua, this, other: Value| {
            if let Some(set) = this.with_set(&other, SpaceSet::minus) {
                return List::of_spaces(set, &this.cx).into_lua(lua);
            }
            let less = this.cx.vals(&other).or_else(fail)?;
            this.cx.spend(product(less.len(), this.len()))?;
            let vals = this.vals().iter().filter(|val| !less.contains(val)).copied().collect();
            List::new(vals, &this.cx).into_lua(lua)
        });
        methods.add_method("both", |lua, this, other: Value| {
            if let Some(set) = this.with_set(&other, SpaceSet::intersect) {
                return List::of_spaces(set, &this.cx).into_lua(lua);
            }
            let also = this.cx.vals(&other).or_else(fail)?;
            this.cx.spend(product(also.len(), this.len()))?;
            let vals = this.vals().iter().filter(|val| also.contains(val)).copied().collect();
            List::new(vals, &this.cx).into_lua(lua)
        });
        methods.add_method("take", |lua, this, n: usize| {
            List::new(this.vals().iter().take(n).copied().collect(), &this.cx).into_lua(lua)
        });
        methods.add_method("map", |lua, this, by: Value| {
            let mut found = Vec::new();
            for &val in this.vals() {
                let value = this.cx.lua(lua, val)?;
                let mapped = match (&by, &value) {
                    (Value::Function(f), _) => f.call::<Value>(value)?,
                    (key @ Value::String(_), Value::UserData(handle)) => {
                        mlua::ObjectLike::get::<Value>(handle, key.clone())?
                    }
                    _ => return fail("map: expected the name of a field or a function"),
                };
                let mapped = this.cx.val(&mapped).or_else(fail)?;
                if mapped != Val::Nil {
                    found.push(mapped);
                }
            }
            List::new(found, &this.cx).into_lua(lua)
        });
        methods.add_method("sum", |lua, this, by: Value| {
            let mut sum = 0i64;
            for &val in this.vals() {
                let value = this.cx.lua(lua, val)?;
                let part = match (&by, &value) {
                    (Value::Function(f), _) => f.call::<Value>(value)?,
                    (key @ Value::String(_), Value::UserData(handle)) => {
                        mlua::ObjectLike::get::<Value>(handle, key.clone())?
                    }
                    (Value::Nil, value) => value.clone(),
                    _ => return fail("sum: expected the name of a field or a function"),
                };
                match part {
                    Value::Integer(n) => sum = sum.saturating_add(n),
                    Value::Nil => {}
                    other => return fail(format!("sum: expected numbers, found a {}", other.type_name())),
                }
            }
            Ok(sum)
        });
        methods.add_method("unique", |lua, this, ()| {
            let mut vals: Vec<Val> = Vec::new();
            for &val in this.vals() {
                this.cx.spend(vals.len() as u64 / 16)?;
                if !vals.contains(&val) {
                    vals.push(val);
                }
            }
            List::new(vals, &this.cx).into_lua(lua)
        });
        methods.add_method("spaces", |lua, this, least: Option<usize>| {
            this.note(piece_col::PLACE);
            let Some(least) = least.filter(|&least| least > 1) else {
                return List::of_spaces(this.to_set(), &this.cx).into_lua(lua);
            };
            let mut held = vec![0usize; this.cx.world.spaces.len()];
            let play = this.cx.play.borrow();
            for val in this.vals() {
                if let Val::Piece(piece) = val
                    && let Some(space) = play.state.space_of(PieceId(*piece))
                {
                    held[space.0 as usize] += 1;
                }
            }
            let full = (0u32..).zip(&held).filter(|(_, n)| **n >= least).map(|(space, _)| SpaceId(space));
            List::of_spaces(full.collect(), &this.cx).into_lua(lua)
        });
        methods.add_method("distinct", |lua, this, fields: mlua::Variadic<String>| {
            let mut seen: Vec<Vec<Val>> = Vec::new();
            let mut vals = Vec::new();
            for &val in this.vals() {
                let class = this.class(lua, val, &fields)?;
                this.cx.spend(seen.len() as u64 / 4)?;
                if !seen.contains(&class) {
                    seen.push(class);
                    vals.push(val);
                }
            }
            List::new(vals, &this.cx).into_lua(lua)
        });
        methods.add_method("pieces", |lua, this, ()| {
            let play = this.cx.play.borrow();
            this.cx.note(&play.state, TableId::PIECE, piece_col::PLACE);
            let mut vals = Vec::new();
            for space in &this.to_set() {
                vals.extend(play.state.contents(Place::Space(space)).map(|piece| Val::Piece(piece.0)));
            }
            List::new(vals, &this.cx).into_lua(lua)
        });
    }
}

//! Handles: what scripts hold instead of state, and the values that they stand for.

use crate::context::{ScriptContext, fail};
use crate::lua_ffi::LONGEST_NAME;
use crate::val::Val;
use crate::wrong_value::{Given, WrongValue};
use mlua::{LightUserData, Lua, Value};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{TableId, Type};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{NIL, SideId};
use std::rc::Rc;

/// What a handle stands for.
///
/// To Lua a handle is a light userdata: a number in the guise of an address, which says kind and row. So a handle costs
/// nothing to make, two handles of one thing are equal, and reading one is taking it apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Val(Val),
    Game,
    Side(u8),
    /// A number being worked out, by its depth.
    Number(u8),
    /// The printed values of a row of the component list.
    Row(u32),
}

// Kind, table and row together take 64 bits; a machine with shorter addresses would cut the kind off.
const _: () = assert!(usize::BITS == 64, "handles need addresses of 64 bits");

impl Target {
    /// The handle as Lua holds it; 0, which is the word `none`, for what is no handle.
    pub fn address(self) -> u64 {
        let (kind, table, row) = match self {
            Target::Val(Val::Piece(piece)) => (1, 0, piece),
            Target::Val(Val::Space(space)) => (2, 0, space),
            Target::Val(Val::Record(table, row)) => (3, table, row),
            Target::Val(Val::Effect(row)) => (4, 0, row),
            Target::Game => (5, 0, 0),
            Target::Side(side) => (6, 0, side.into()),
            Target::Number(depth) => (7, 0, depth.into()),
            Target::Row(row) => (8, 0, row),
            Target::Val(_) => (0, 0, 0),
        };
        kind << 56 | u64::from(table) << 32 | u64::from(row)
    }

    /// What Lua holds, taken apart.
    pub fn of_address(address: u64) -> Option<Target> {
        let (table, row) = ((address >> 32) as u16, address as u32);
        Some(match address >> 56 {
            1 => Target::Val(Val::Piece(row)),
            2 => Target::Val(Val::Space(row)),
            3 => Target::Val(Val::Record(table, row)),
            4 => Target::Val(Val::Effect(row)),
            5 => Target::Game,
            6 => Target::Side(row as u8),
            7 => Target::Number(row as u8),
            8 => Target::Row(row),
            _ => return None,
        })
    }

    /// A handle that is no value of the game, in words.
    pub fn words(self) -> &'static str {
        match self {
            Target::Game => "the game",
            Target::Number(_) => "a number that is being worked out",
            Target::Row(_) => "a row of the component list",
            Target::Side(_) => "a side",
            Target::Val(_) => "an object",
        }
    }

    /// The handle as a Lua value.
    pub fn lua(self) -> Value {
        Value::LightUserData(LightUserData(std::ptr::without_provenance_mut(self.address() as usize)))
    }

    /// What a Lua value is a handle of.
    pub fn of(value: &Value) -> Option<Target> {
        match value {
            Value::LightUserData(light) => Target::of_address(light.0.addr() as u64),
            _ => None,
        }
    }
}

/// Tags under which effects keep the type of an argument.
pub fn arg_tag(val: Val) -> (i32, i32) {
    match val {
        Val::Nil => (0, 0),
        Val::Bool(b) => (1, i32::from(b)),
        Val::Int(n) => (2, n),
        Val::Sym(sym) => (3, sym.cell()),
        Val::Piece(piece) => (4, piece as i32),
        Val::Space(space) => (5, space as i32),
        Val::Record(table, row) => (6 + i32::from(table), row as i32),
        Val::Effect(_) => (0, 0),
    }
}

/// The value of an effect's argument.
pub fn arg_val(tag: i32, cell: i32) -> Val {
    match tag {
        1 => Val::Bool(cell != 0),
        2 => Val::Int(cell),
        3 => Val::Sym(Sym::from_cell(cell)),
        4 => Val::Piece(cell as u32),
        5 => Val::Space(cell as u32),
        6.. => Val::Record((tag - 6) as u16, cell as u32),
        _ => Val::Nil,
    }
}

/// The value of a cell of that type.
pub(crate) fn cell_val(cx: &ScriptContext, ty: &Type, cell: i32) -> Val {
    if cell == NIL {
        return Val::Nil;
    }
    match ty {
        Type::Bool => Val::Bool(cell != 0),
        Type::Int { .. } => Val::Int(cell),
        Type::Text | Type::Enum(_) if cell == 0 => Val::Nil,
        Type::Text | Type::Enum(_) => Val::Sym(Sym::from_cell(cell)),
        Type::Side => SideId::from_cell(cell).map_or(Val::Nil, |side| Val::Sym(cx.side_sym(side))),
        Type::Piece if cell > 0 => Val::Piece((cell - 1) as u32),
        Type::Space if cell > 0 => Val::Space((cell - 1) as u32),
        Type::Record(table) if cell > 0 => Val::Record(table.0, (cell - 1) as u32),
        Type::Piece | Type::Space | Type::Record(_) | Type::List(_) => Val::Nil,
    }
}

/// The cell for a value, or what was expected.
pub(crate) fn val_cell(cx: &ScriptContext, ty: &Type, val: Val) -> Given<i32> {
    let named = |sym: Sym| cx.text(sym);
    match (ty, val) {
        (Type::Bool, Val::Bool(b)) => Ok(i32::from(b)),
        (Type::Bool, Val::Nil) => Ok(0),
        (Type::Int { min, max }, Val::Int(n)) if (*min..=*max).contains(&n) => Ok(n),
        (Type::Int { min, max }, Val::Int(n)) => {
            Err(WrongValue::OutOfRange { found: n, min: *min, max: *max }.into())
        }
        (Type::Text | Type::Enum(_) | Type::Side | Type::Piece | Type::Space | Type::Record(_), Val::Nil) => {
            Ok(0)
        }
        (Type::Text, Val::Sym(sym)) if (sym.0 as usize) < cx.fixed.get() => Ok(sym.cell()),
        (Type::Text, Val::Sym(sym)) => Err(WrongValue::Unwritten(named(sym)).into()),
        (Type::Enum(values), Val::Sym(sym)) if values.contains(&sym) => Ok(sym.cell()),
        (Type::Enum(values), Val::Sym(sym)) => {
            let expected = values.iter().map(|&value| named(value)).collect();
            Err(WrongValue::NotOneOf { found: named(sym), expected }.into())
        }
        (Type::Side, Val::Sym(sym)) => {
            cx.side(sym).map(SideId::cell).ok_or_else(|| WrongValue::NotASide(named(sym)).into())
        }
        (Type::Piece, Val::Piece(piece)) => cx.existing(val).map(|_| piece as i32 + 1),
        (Type::Space, Val::Space(space)) => Ok(space as i32 + 1),
        (Type::Record(table), Val::Record(of, row)) if table.0 == of => {
            cx.existing(val).map(|_| row as i32 + 1)
        }
        (ty, val) => Err(WrongValue::Expected { expected: ty.name(), found: cx.describe(val) }.into()),
    }
}

impl ScriptContext {
    /// A value in words, for messages.
    pub fn describe(&self, val: Val) -> String {
        match val {
            Val::Nil => "nil".into(),
            Val::Bool(b) => b.to_string(),
            Val::Int(n) => n.to_string(),
            Val::Sym(sym) => format!("\"{}\"", self.text(sym)),
            Val::Piece(_) => format!("piece {}", self.name(val)),
            Val::Space(_) => format!("space {}", self.name(val)),
            Val::Record(..) | Val::Effect(_) => self.name(val),
        }
    }

    /// The stable symbolic name of a value.
    pub fn name(&self, val: Val) -> String {
        match val {
            Val::Nil => "nil".into(),
            Val::Bool(b) => b.to_string(),
            Val::Int(n) => n.to_string(),
            Val::Sym(sym) => self.text(sym),
            Val::Piece(piece) => match self.play.try_borrow() {
                Ok(play) => {
                    // Those that were made in play are counted, up to this one.
                    self.charge(u64::from(piece) / 16);
                    self.world.piece_name(&play.state, piece)
                }
                Err(_) => format!("piece.{piece}"),
            },
            Val::Space(space) => self.world.space_name(SpaceId(space)).to_string(),
            Val::Record(table, row) => {
                let name = self.world.schema.tables.get(table as usize).map_or(Sym::NONE, |table| table.name);
                format!("{}.{row}", self.text(name))
            }
            Val::Effect(row) => format!("effect.{row}"),
        }
    }

    /// The Lua value of a value.
    pub(crate) fn lua(self: &Rc<Self>, lua: &Lua, val: Val) -> mlua::Result<Value> {
        match val {
            Val::Nil => Ok(Value::Nil),
            Val::Bool(b) => Ok(Value::Boolean(b)),
            Val::Int(n) => Ok(Value::Integer(n.into())),
            Val::Sym(sym) => self.lua_text(lua, sym),
            handle => Ok(Target::Val(handle).lua()),
        }
    }

    /// The value of a Lua value, if it is one that the kernel knows.
    pub(crate) fn val(&self, value: &Value) -> Given<Val> {
        match value {
            Value::Nil => Ok(Val::Nil),
            Value::Boolean(b) => Ok(Val::Bool(*b)),
            Value::Integer(n) => i32::try_from(*n).map(Val::Int).map_err(|_| WrongValue::TooLarge(*n).into()),
            Value::Number(n) => Err(WrongValue::Fraction(*n).into()),
            Value::String(text) => match self.lua_ffi.kept(text) {
                Some(sym) => Ok(Val::Sym(sym)),
                None if text.as_bytes().len() > LONGEST_NAME => Err(WrongValue::LongText.into()),
                None => Ok(Val::Sym(self.sym(&text.to_string_lossy()))),
            },
            Value::LightUserData(_) => match Target::of(value) {
                Some(Target::Val(val)) => self.existing(val),
                Some(Target::Side(side)) => Ok(Val::Sym(self.side_sym(SideId(side)))),
                Some(other) => Err(WrongValue::NotAValue(other.words().into()).into()),
                None => Err(WrongValue::NotAValue("none".into()).into()),
            },
            Value::UserData(_) => Err(WrongValue::NotAValue("a list".into()).into()),
            other => Err(WrongValue::NotAValue(format!("a {}", other.type_name()).into()).into()),
        }
    }

    /// The value, if what it stands for is in this game. A handle that a script has kept may be of something that was made since
    /// and taken back, or of another game.
    #[inline]
    pub(crate) fn existing(&self, val: Val) -> Given<Val> {
        let (table, row) = match val {
            Val::Piece(piece) => (TableId::PIECE, piece),
            Val::Record(table, row) => (TableId(table), row),
            Val::Effect(row) => (TableId::EFFECT, row),
            _ => return Ok(val),
        };
        // Who is changing the state has looked at what they were given before.
        match self.play.try_borrow() {
            Ok(play) if row >= play.state.rows(table) => Err(self.absent(val)),
            _ => Ok(val),
        }
    }

    /// Fails unless all of these are in this game.
    pub(crate) fn all_exist(&self, vals: &[Val]) -> Given<()> {
        let absent = {
            let Ok(play) = self.play.try_borrow() else { return Ok(()) };
            let (state, pieces) = (&play.state, play.state.rows(TableId::PIECE));
            let absent = |val: &&Val| match **val {
                Val::Piece(piece) => piece >= pieces,
                Val::Record(table, row) => row >= state.rows(TableId(table)),
                Val::Effect(row) => row >= state.rows(TableId::EFFECT),
                _ => false,
            };
            vals.iter().find(absent).copied()
        };
        absent.map_or(Ok(()), |val| Err(self.absent(val)))
    }

    #[cold]
    fn absent(&self, val: Val) -> Box<WrongValue> {
        let what = match val {
            Val::Record(table, _) => {
                let name = self.world.schema.tables.get(table as usize).map_or(Sym::NONE, |table| table.name);
                self.text(name)
            }
            Val::Effect(_) => "effect".into(),
            _ => "piece".into(),
        };
        WrongValue::Absent(what).into()
    }

    /// Fails if nothing may change now.
    pub(crate) fn changing(&self, what: &str) -> mlua::Result<()> {
        match self.immutable_reason() {
            Some(why) => fail(format!("{what}: {why}")),
            // Every change is kept for taking back.
            None => {
                self.keeps()?;
                self.spend(100)
            }
        }
    }

    /// Fails if nothing may be asked now.
    pub(crate) fn asking(&self, what: &str) -> mlua::Result<()> {
        match self.branch.get() > 0 && self.pure.get() == 0 {
            // That is what a branch is for.
            true => self.spend(100),
            false => self.changing(what),
        }
    }

    /// Why nothing may change now, if so.
    pub(crate) fn immutable_reason(&self) -> Option<&'static str> {
        if self.loading.get() {
            Some("there is no game yet while scripts load")
        } else if self.pure.get() > 0 {
            Some("a query, a number or a condition may not change the game, roll or ask")
        } else if self.branch.get() > 0 {
            Some("a side's part of `together` may only ask; return what is to be done, and do it afterwards")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_comes_back_as_what_it_was() {
        let vals = [Val::Piece(7), Val::Space(u32::MAX), Val::Record(9, 4), Val::Effect(0)];
        let all = vals.map(Target::Val).into_iter();
        for target in all.chain([Target::Game, Target::Side(3), Target::Number(99), Target::Row(1234)]) {
            assert_eq!(Target::of_address(target.address()), Some(target));
        }
        assert_eq!(Target::of_address(Target::Val(Val::Int(5)).address()), None);
    }
}

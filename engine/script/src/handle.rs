//! Handles: what scripts hold instead of state. Reading a field reads the kernel's tables, assigning one is a verb.

use crate::cx::{Cx, fail};
use crate::keys::{Key, Keys, Own};
use crate::list::List;
use crate::val::{Change, Val};
use mlua::{AnyUserData, Lua, LuaString, MetaMethod, UserData, UserDataMethods, Value};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{EffectId, Lists, PieceId, Place, TableId, Type, effect_col, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{NIL, SideId};
use std::rc::Rc;

/// What a handle stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Val(Val),
    Game,
    Side(u8),
}

/// A handle to a piece, a space, a record, an effect, a side or the game.
pub(crate) struct Handle {
    pub target: Target,
    pub cx: Rc<Cx>,
}

/// Tags under which effects keep the type of an argument.
pub(crate) fn arg_tag(val: Val) -> (i32, i32) {
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
pub(crate) fn arg_val(tag: i32, cell: i32) -> Val {
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
pub(crate) fn cell_val(cx: &Cx, ty: &Type, cell: i32) -> Val {
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
pub(crate) fn val_cell(cx: &Cx, ty: &Type, val: Val) -> Result<i32, String> {
    let named = |sym: Sym| cx.text(sym);
    match (ty, val) {
        (Type::Bool, Val::Bool(b)) => Ok(i32::from(b)),
        (Type::Bool, Val::Nil) => Ok(0),
        (Type::Int { min, max }, Val::Int(n)) if (*min..=*max).contains(&n) => Ok(n),
        (Type::Int { min, max }, Val::Int(n)) => Err(format!("{n} is outside {min} to {max}")),
        (Type::Text | Type::Enum(_) | Type::Side | Type::Piece | Type::Space | Type::Record(_), Val::Nil) => {
            Ok(0)
        }
        (Type::Text, Val::Sym(sym)) if (sym.0 as usize) < cx.fixed.get() => Ok(sym.cell()),
        (Type::Text, Val::Sym(sym)) => Err(format!(
            "`{}` is written nowhere in this game's files, so the state cannot hold it",
            named(sym)
        )),
        (Type::Enum(values), Val::Sym(sym)) if values.contains(&sym) => Ok(sym.cell()),
        (Type::Enum(values), Val::Sym(sym)) => {
            let texts: Vec<String> = values.iter().map(|&value| named(value)).collect();
            Err(format!("`{}` is not one of {}", named(sym), texts.join(", ")))
        }
        (Type::Side, Val::Sym(sym)) => {
            cx.side(sym).map(SideId::cell).ok_or_else(|| format!("`{}` is no side", named(sym)))
        }
        (Type::Piece, Val::Piece(piece)) => Ok(piece as i32 + 1),
        (Type::Space, Val::Space(space)) => Ok(space as i32 + 1),
        (Type::Record(table), Val::Record(of, row)) if table.0 == of => Ok(row as i32 + 1),
        (ty, val) => Err(format!("expected {}, found {}", ty.name(), cx.describe(val))),
    }
}

impl Cx {
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
                Ok(play) => self.world.piece_name(&play.state, piece),
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
            Val::Piece(piece) => self.cached(lua, &self.pieces, piece, val),
            Val::Space(space) => self.cached(lua, &self.spaces, space, val),
            Val::Record(..) | Val::Effect(_) => {
                if let Some(handle) = self.others.borrow().get(&val) {
                    return Ok(Value::UserData(handle.clone()));
                }
                let handle = lua.create_userdata(Handle { target: Target::Val(val), cx: self.clone() })?;
                self.others.borrow_mut().insert(val, handle.clone());
                Ok(Value::UserData(handle))
            }
        }
    }

    fn cached(
        self: &Rc<Self>,
        lua: &Lua,
        cache: &std::cell::RefCell<Vec<Option<AnyUserData>>>,
        at: u32,
        val: Val,
    ) -> mlua::Result<Value> {
        if let Some(Some(handle)) = cache.borrow().get(at as usize) {
            return Ok(Value::UserData(handle.clone()));
        }
        let handle = lua.create_userdata(Handle { target: Target::Val(val), cx: self.clone() })?;
        let mut cache = cache.borrow_mut();
        if cache.len() <= at as usize {
            cache.resize(at as usize + 1, None);
        }
        cache[at as usize] = Some(handle.clone());
        Ok(Value::UserData(handle))
    }

    /// The value of a Lua value, if it is one that the kernel knows.
    pub(crate) fn val(&self, value: &Value) -> Result<Val, String> {
        match value {
            Value::Nil => Ok(Val::Nil),
            Value::Boolean(b) => Ok(Val::Bool(*b)),
            Value::Integer(n) => i32::try_from(*n)
                .map(Val::Int)
                .map_err(|_| format!("{n} is too large for a number of the game")),
            Value::Number(n) => Err(format!("found the fraction {n}; the game holds whole numbers only")),
            Value::String(text) => Ok(Val::Sym(self.sym(&text.to_string_lossy()))),
            Value::UserData(handle) => match handle.borrow::<Handle>() {
                Ok(handle) => match handle.target {
                    Target::Val(val) => Ok(val),
                    Target::Side(side) => Ok(Val::Sym(self.side_sym(SideId(side)))),
                    Target::Game => Err("found the game".into()),
                },
                Err(_) => Err("found a list".into()),
            },
            other => Err(format!("found a {}", other.type_name())),
        }
    }

    /// Fails if nothing may change now.
    pub(crate) fn changing(&self, what: &str) -> mlua::Result<()> {
        if self.loading.get() {
            return fail(format!("{what}: there is no game yet while scripts load"));
        }
        if self.pure.get() > 0 {
            return fail(format!(
                "{what}: a query, a number or a condition may not change the game, roll or ask"
            ));
        }
        // Every change is kept for undo.
        self.spend(100)
    }
}

impl Handle {
    fn read(&self, lua: &Lua, key: &LuaString) -> mlua::Result<Value> {
        let cx = &self.cx;
        let bytes = key.as_bytes();
        match self.target {
            Target::Val(Val::Piece(piece)) => match cx.keys.piece.get(&*bytes) {
                Some(Key::Own(own)) => self.read_piece(lua, piece, *own),
                Some(Key::Attribute(col)) => self.attribute(lua, TableId::PIECE, piece, *col),
                Some(Key::Field(col)) => {
                    let cell = {
                        let play = cx.play.borrow();
                        cx.note_piece(&play.state, piece, piece_col::LEVEL);
                        cx.world.piece_field(&play.state, piece, *col)
                    };
                    cx.touch(|| {
                        let row = cx
                            .world
                            .proto_of(&cx.play.borrow().state, piece)
                            .map_or(Sym::NONE, |proto| proto.id);
                        format!("field.{}.{}", cx.text(row), key.to_string_lossy())
                    });
                    self.field(lua, &cx.world.piece_fields, *col, cell)
                }
                None => self.unknown(key, "piece", Keys::list(&cx.keys.piece)),
            },
            Target::Val(Val::Space(space)) => match cx.keys.space.get(&*bytes) {
                Some(Key::Own(own)) => self.read_space(lua, space, *own),
                Some(Key::Attribute(col)) => self.attribute(lua, TableId::SPACE, space, *col),
                Some(Key::Field(col)) => {
                    let cell = cx.world.space_fields.get(space, *col);
                    self.field(lua, &cx.world.space_fields, *col, cell)
                }
                None => self.unknown(key, "space", Keys::list(&cx.keys.space)),
            },
            Target::Game => match cx.keys.game.get(&*bytes) {
                Some(Key::Attribute(col)) => self.attribute(lua, TableId::GAME, 0, *col),
                _ => self.unknown(key, "game", Keys::list(&cx.keys.game)),
            },
            Target::Side(side) => match cx.keys.side.get(&*bytes) {
                Some(Key::Attribute(col)) => self.attribute(lua, TableId::SIDE, side.into(), *col),
                Some(Key::Field(col)) => {
                    let cell = cx.world.side_fields.get(side.into(), *col);
                    self.field(lua, &cx.world.side_fields, *col, cell)
                }
                Some(Key::Own(Own::Id)) => cx.lua_text(lua, cx.side_sym(SideId(side))),
                Some(Key::Own(Own::Team)) => cx.lua_text(lua, cx.world.sides[side as usize].2),
                Some(Key::Own(_)) => Ok(Value::String(lua.create_string(&cx.world.sides[side as usize].1)?)),
                None => self.unknown(key, "side", Keys::list(&cx.keys.side)),
            },
            Target::Val(Val::Record(table, row)) => {
                let names = &cx.keys.records[(table - TableId::FIRST_RECORD.0) as usize];
                match names.get(&*bytes) {
                    Some(Key::Attribute(col)) => self.attribute(lua, TableId(table), row, *col),
                    Some(_) => cx.lua_text(lua, cx.world.schema.tables[table as usize].name),
                    None => self.unknown(key, "record", Keys::list(names)),
                }
            }
            Target::Val(Val::Effect(row)) => {
                let found = {
                    let play = cx.play.borrow();
                    (0..effect_col::COUNT).for_each(|col| cx.note(&play.state, TableId::EFFECT, col));
                    let name = cx.symbols.borrow().get(&key.to_string_lossy());
                    match (&*bytes, name) {
                        (b"name", _) => {
                            Val::Sym(Sym::from_cell(play.state.get(TableId::EFFECT, row, effect_col::NAME)))
                        }
                        (_, None) => Val::Nil,
                        (_, Some(name)) => {
                            let args = play.state.effect_args(EffectId(row));
                            args.iter()
                                .find(|arg| arg.key == name)
                                .map_or(Val::Nil, |arg| arg_val(arg.tag, arg.cell))
                        }
                    }
                };
                cx.lua(lua, found)
            }
            Target::Val(_) => Ok(Value::Nil),
        }
    }

    fn unknown(&self, key: &LuaString, what: &str, names: Vec<String>) -> mlua::Result<Value> {
        let wrong = key.to_string_lossy();
        let hint = Cx::nearest(&wrong, names.iter().map(String::as_str));
        fail(format!("a {what} has no field `{wrong}`{hint}"))
    }

    fn attribute(&self, lua: &Lua, table: TableId, row: u32, col: u16) -> mlua::Result<Value> {
        let cx = &self.cx;
        let Some(column) = cx.world.schema.get(table, col) else { return Ok(Value::Nil) };
        let cell = {
            let play = cx.play.borrow();
            match table {
                TableId::PIECE => cx.note_piece(&play.state, row, col),
                _ => cx.note(&play.state, table, col),
            }
            play.state.get(table, row, col)
        };
        match &column.ty {
            Type::List(of) => {
                let vals = {
                    let play = cx.play.borrow();
                    let cells = play.state.list(cell);
                    cells.into_iter().map(|cell| cell_val(cx, of, cell)).collect()
                };
                List::new(vals, cx).into_lua(lua)
            }
            ty => cx.lua(lua, cell_val(cx, ty, cell)),
        }
    }

    fn field(
        &self,
        lua: &Lua,
        fields: &sandtable_kernel::world::Fields,
        col: u16,
        cell: i32,
    ) -> mlua::Result<Value> {
        let cx = &self.cx;
        match &fields.columns[col as usize].1 {
            Type::List(of) => {
                let vals = fields.list(cell).iter().map(|&cell| cell_val(cx, of, cell)).collect();
                List::new(vals, cx).into_lua(lua)
            }
            Type::Bool if cell == NIL => Ok(Value::Boolean(false)),
            ty => cx.lua(lua, cell_val(cx, ty, cell)),
        }
    }

    fn read_piece(&self, lua: &Lua, piece: u32, own: Own) -> mlua::Result<Value> {
        let cx = &self.cx;
        let note = |col| cx.note_piece(&cx.play.borrow().state, piece, col);
        match own {
            Own::Id => Ok(Value::String(lua.create_string(cx.name(Val::Piece(piece)))?)),
            Own::Kind | Own::Type | Own::Levels | Own::Name => {
                let play = cx.play.borrow();
                let Some(proto) = cx.world.proto_of(&play.state, piece) else { return Ok(Value::Nil) };
                match own {
                    Own::Kind => cx.lua_text(lua, proto.kind),
                    Own::Type => cx.lua_text(lua, proto.id),
                    Own::Name => Ok(Value::String(lua.create_string(&proto.name)?)),
                    _ => Ok(Value::Integer(proto.levels.into())),
                }
            }
            Own::Side => {
                note(piece_col::SIDE);
                let cell = cx.play.borrow().state.get(TableId::PIECE, piece, piece_col::SIDE);
                SideId::from_cell(cell).map_or(Ok(Value::Nil), |side| cx.lua_text(lua, cx.side_sym(side)))
            }
            Own::Place => {
                note(piece_col::PLACE);
                let place = cx.play.borrow().state.place(PieceId(piece));
                match place {
                    Place::Nowhere => Ok(Value::Nil),
                    Place::Space(space) => cx.lua(lua, Val::Space(space.0)),
                    Place::Piece(carrier) => cx.lua(lua, Val::Piece(carrier.0)),
                }
            }
            Own::Space => {
                note(piece_col::PLACE);
                let space = cx.play.borrow().state.space_of(PieceId(piece));
                space.map_or(Ok(Value::Nil), |space| cx.lua(lua, Val::Space(space.0)))
            }
            Own::Level => {
                note(piece_col::LEVEL);
                Ok(Value::Integer(cx.play.borrow().state.get(TableId::PIECE, piece, piece_col::LEVEL).into()))
            }
            Own::Facing => {
                note(piece_col::FACING);
                let facing = cx.play.borrow().state.get(TableId::PIECE, piece, piece_col::FACING);
                Ok(if facing == 0 { Value::Nil } else { Value::Integer((facing - 1).into()) })
            }
            Own::Cargo => {
                note(piece_col::PLACE);
                let play = cx.play.borrow();
                let cargo = play.state.contents(Place::Piece(PieceId(piece)));
                List::new(cargo.map(|piece| Val::Piece(piece.0)).collect(), cx).into_lua(lua)
            }
            Own::Is => Ok(Value::Function(is_function(lua, cx)?)),
            Own::Pieces | Own::Count | Own::Team => Ok(Value::Nil),
        }
    }

    fn read_space(&self, lua: &Lua, space: u32, own: Own) -> mlua::Result<Value> {
        let cx = &self.cx;
        let def = &cx.world.spaces[space as usize];
        match own {
            Own::Id => cx.lua_text(lua, def.id),
            Own::Kind => cx.lua_text(lua, def.kind),
            Own::Name => Ok(Value::String(lua.create_string(&def.name)?)),
            Own::Side => def.side.map_or(Ok(Value::Nil), |side| cx.lua_text(lua, cx.side_sym(side))),
            Own::Pieces => {
                let play = cx.play.borrow();
                cx.note(&play.state, TableId::PIECE, piece_col::PLACE);
                let pieces = play.state.contents(Place::Space(SpaceId(space)));
                List::new(pieces.map(|piece| Val::Piece(piece.0)).collect(), cx).into_lua(lua)
            }
            Own::Count => {
                let play = cx.play.borrow();
                cx.note(&play.state, TableId::PIECE, piece_col::PLACE);
                Ok(Value::Integer(play.state.count(Place::Space(SpaceId(space))).into()))
            }
            Own::Is => Ok(Value::Function(is_function(lua, cx)?)),
            _ => Ok(Value::Nil),
        }
    }

    fn write(&self, key: &LuaString, value: &Value) -> mlua::Result<()> {
        let cx = &self.cx;
        let name = key.to_string_lossy();
        cx.changing(&format!("`{name} = …`"))?;
        let names = match self.target {
            Target::Val(Val::Piece(_)) => &cx.keys.piece,
            Target::Val(Val::Space(_)) => &cx.keys.space,
            Target::Val(Val::Record(table, _)) => {
                &cx.keys.records[(table - TableId::FIRST_RECORD.0) as usize]
            }
            Target::Side(_) => &cx.keys.side,
            Target::Game => &cx.keys.game,
            Target::Val(_) => {
                return fail(format!("`{name}` of an effect cannot be assigned; start a new one"));
            }
        };
        let (table, row) = match self.target {
            Target::Val(Val::Piece(piece)) => (TableId::PIECE, piece),
            Target::Val(Val::Space(space)) => (TableId::SPACE, space),
            Target::Val(Val::Record(table, row)) => (TableId(table), row),
            Target::Side(side) => (TableId::SIDE, side.into()),
            Target::Game | Target::Val(_) => (TableId::GAME, 0),
        };
        match names.get(key.as_bytes().as_ref()) {
            Some(Key::Attribute(col)) => cx.assign(table, row, *col, value, &name),
            Some(Key::Own(Own::Side)) if table == TableId::PIECE => {
                let val = cx.val(value).map_err(mlua::Error::RuntimeError)?;
                let cell = val_cell(cx, &Type::Side, val).or_else(|why| fail(format!("`side`: {why}")))?;
                cx.set_cell(table, row, piece_col::SIDE, cell);
                Ok(())
            }
            Some(Key::Own(Own::Facing)) => {
                let cell = match value {
                    Value::Nil => 0,
                    Value::Integer(n @ 0..=5) => *n as i32 + 1,
                    _ => return fail("`facing`: expected 0 to 5 or nil"),
                };
                cx.set_cell(table, row, piece_col::FACING, cell);
                Ok(())
            }
            Some(Key::Own(Own::Level)) => {
                let levels = cx.world.proto_of(&cx.play.borrow().state, row).map_or(1, |proto| proto.levels);
                match value {
                    Value::Integer(n) if (1..=i64::from(levels)).contains(n) => {
                        cx.set_cell(table, row, piece_col::LEVEL, *n as i32);
                        Ok(())
                    }
                    _ => fail(format!("`level`: expected 1 to {levels}")),
                }
            }
            Some(Key::Own(_)) => fail(format!("`{name}` cannot be assigned; use a verb such as move")),
            Some(Key::Field(_)) => fail(format!(
                "`{name}` is printed on the component; declare an attribute to keep a value in play"
            )),
            None => {
                let hint = Cx::nearest(&name, Keys::list(names).iter().map(String::as_str));
                fail(format!("no attribute `{name}` to assign{hint}"))
            }
        }
    }
}

impl Cx {
    /// Writes a cell and notes the change.
    pub(crate) fn set_cell(&self, table: TableId, row: u32, col: u16, new: i32) {
        let mut play = self.play.borrow_mut();
        let old = play.state.set(table, row, col, new);
        if old != new {
            play.changes.push(Change::Set { table, row, col, old, new });
        }
    }

    /// Assigns an attribute from Lua.
    pub(crate) fn assign(
        &self,
        table: TableId,
        row: u32,
        col: u16,
        value: &Value,
        name: &str,
    ) -> mlua::Result<()> {
        let Some(column) = self.world.schema.get(table, col) else { return Ok(()) };
        let wrong = |why: String| mlua::Error::RuntimeError(format!("`{name}`: {why}"));
        if let Type::List(of) = &column.ty {
            let vals = self.vals(value).map_err(wrong)?;
            let cells: Result<Vec<i32>, String> = vals.iter().map(|&val| val_cell(self, of, val)).collect();
            let cells = cells.map_err(wrong)?;
            let mut play = self.play.borrow_mut();
            let old = play.state.get(table, row, col);
            if play.state.list(old) == cells {
                return Ok(());
            }
            play.state.free_list(old);
            let list = play.state.make_list(&cells);
            play.state.set(table, row, col, list);
            play.changes.push(Change::SetList { table, row, col, new: cells });
            return Ok(());
        }
        let val = self.val(value).map_err(wrong)?;
        let cell = val_cell(self, &column.ty, val).map_err(wrong)?;
        self.set_cell(table, row, col, cell);
        Ok(())
    }
}

/// The method `is`: whether a piece or a space has a tag in its printed field `tags`.
fn is_function(lua: &Lua, cx: &Rc<Cx>) -> mlua::Result<mlua::Function> {
    let key = Sym(u32::MAX);
    if let Some(Value::Function(f)) = cx.values.borrow().get(&key) {
        return Ok(f.clone());
    }
    let shared = Rc::downgrade(cx);
    let f = lua.create_function(move |_, (handle, tag): (AnyUserData, LuaString)| {
        let Some(cx) = shared.upgrade() else { return Ok(false) };
        let tag = cx.sym(&tag.to_string_lossy());
        let target = handle.borrow::<Handle>()?.target;
        Ok(match target {
            Target::Val(val) => cx.has_tag(val, tag),
            _ => false,
        })
    })?;
    cx.values.borrow_mut().insert(key, Value::Function(f.clone()));
    Ok(f)
}

impl Cx {
    /// Whether the printed field `tags` of a piece or a space holds a tag.
    pub(crate) fn has_tag(&self, val: Val, tag: Sym) -> bool {
        let Some(tags) = self.world.symbols.get("tags") else { return false };
        let (fields, cell) = match val {
            Val::Piece(piece) => {
                let fields = &self.world.piece_fields;
                let Some(col) = fields.column(tags) else { return false };
                let play = self.play.borrow();
                self.note_piece(&play.state, piece, piece_col::LEVEL);
                (fields, self.world.piece_field(&play.state, piece, col))
            }
            Val::Space(space) => {
                let fields = &self.world.space_fields;
                let Some(col) = fields.column(tags) else { return false };
                (fields, fields.get(space, col))
            }
            _ => return false,
        };
        fields.list(cell).contains(&tag.cell())
    }
}

impl UserData for Handle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: LuaString| this.read(lua, &key));
        methods.add_meta_method(MetaMethod::NewIndex, |_, this, (key, value): (LuaString, Value)| {
            this.write(&key, &value)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(match this.target {
                Target::Val(val) => this.cx.name(val),
                Target::Game => "game".into(),
                Target::Side(side) => this.cx.text(this.cx.side_sym(SideId(side))),
            })
        });
    }
}

//! Values and things of a game as JSON: what the page needs to find them on the table.

use crate::json::{Json, Members};
use sandtable_data::tree;
use sandtable_kernel::state::{Column, Lists, PieceId, State, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Fields, NIL, Named, SideId, World};
use sandtable_script::{ScriptContext, Val};
use sandtable_session::changes;
use sandtable_session::view::{Viewer, sees_face, sees_value};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// An object of JSON.
pub type Object = Map<String, Value>;

/// The names of all pieces, made in one pass: to which row of the component list each belongs, as its how manieth.
pub struct PieceNames<'a> {
    world: &'a World,
    rows: Vec<(usize, u32)>,
}

impl<'a> PieceNames<'a> {
    /// Names the pieces of a state.
    pub fn new(world: &'a World, state: &State) -> PieceNames<'a> {
        let mut counts = vec![0u32; world.components.len()];
        let row = |piece: u32| {
            let component = (state.get(TableId::PIECE, piece, piece_col::COMPONENT) - 1) as usize;
            let count = counts.get_mut(component).map_or(0, |count| {
                *count += 1;
                *count
            });
            (component, count)
        };
        PieceNames { world, rows: (0..state.rows(TableId::PIECE)).map(row).collect() }
    }

    /// The name of a piece.
    pub fn get(&self, piece: u32) -> Cow<'a, str> {
        let Some(&(component, number)) = self.rows.get(piece as usize) else { return Cow::default() };
        let Some(row) = self.world.components.get(component) else { return format!("gone.{piece}").into() };
        let id = self.world.symbols.text(row.id);
        if row.count == 1 { id.into() } else { format!("{id}.{number}").into() }
    }
}

/// Whom a value is shown to.
pub struct ViewerScope<'a> {
    /// The context.
    pub cx: &'a ScriptContext,
    /// The state that is looked at.
    pub state: &'a State,
    /// Who looks.
    pub viewer: Viewer,
    /// Names of the pieces.
    pub names: &'a PieceNames<'a>,
}

impl ViewerScope<'_> {
    /// A cell of a type; a piece that the viewer does not see is null.
    pub fn cell(&self, ty: &Type, cell: i32) -> Value {
        match ty {
            Type::Bool => json!(cell != 0),
            Type::Int { .. } => json!(cell),
            Type::List(of) => {
                self.state.list(cell).iter().map(|&item| self.cell(of, item)).collect::<Vec<_>>().into()
            }
            _ if cell == 0 => Value::Null,
            Type::Piece => {
                let piece = (cell - 1) as u32;
                let seen = sees_face(&self.cx.world, self.state, self.viewer, PieceId(piece));
                if seen { json!(self.names.get(piece)) } else { Value::Null }
            }
            Type::Text | Type::Enum(_) | Type::Side | Type::Space | Type::Record(_) => {
                json!(changes::cell_name(self.cx, ty, cell))
            }
        }
    }

    /// The attributes of a row that the viewer sees and that are not at their default: names and cells.
    fn shown(
        &self,
        table: TableId,
        row: u32,
        owner: Option<SideId>,
        skip: u16,
    ) -> impl Iterator<Item = (&str, &Type, i32)> {
        let columns =
            self.cx.world.schema.tables.get(table.0 as usize).map_or(&[][..], |table| &table.columns);
        let shown = move |(col, column): (u16, &'_ Column)| {
            let cell = self.state.get(table, row, col);
            cell != column.default && sees_value(&self.cx.world, self.state, self.viewer, column, owner, cell)
        };
        (0u16..).zip(columns).skip(skip.into()).filter(move |&(col, column)| shown((col, column))).map(
            move |(col, column)| {
                (self.cx.world.symbols.text(column.name), &column.ty, self.state.get(table, row, col))
            },
        )
    }

    /// Whether a row has attributes to be shown.
    pub fn any(&self, table: TableId, row: u32, owner: Option<SideId>, skip: u16) -> bool {
        self.shown(table, row, owner, skip).next().is_some()
    }

    /// Writes the attributes of a row that the viewer sees and that are not at their default.
    pub fn values(&self, out: &mut Members<'_>, table: TableId, row: u32, owner: Option<SideId>, skip: u16) {
        for (name, ty, cell) in self.shown(table, row, owner, skip) {
            out.put(name, &self.cell(ty, cell));
        }
    }
}

/// The printed fields of a row.
pub fn fields(world: &World, fields: &Fields, row: u32) -> Object {
    let mut found = Object::new();
    for (col, (name, ty)) in (0u16..).zip(&fields.columns) {
        let cell = fields.get(row, col);
        if cell == NIL {
            continue;
        }
        let value = match ty {
            Type::List(of) => fields.list(cell).iter().map(|&item| printed(world, of, item)).collect(),
            ty => printed(world, ty, cell),
        };
        found.insert(world.symbols.text(*name).to_string(), value);
    }
    found
}

fn printed(world: &World, ty: &Type, cell: i32) -> Value {
    let row = || (cell - 1) as u32;
    match ty {
        Type::Bool => json!(cell != 0),
        Type::Int { .. } => json!(cell),
        _ if cell == 0 => Value::Null,
        Type::Text | Type::Enum(_) => json!(world.symbols.text(Sym::from_cell(cell))),
        Type::Side => SideId::from_cell(cell).map_or(Value::Null, |side| json!(world.side_name(side))),
        Type::Space => json!(world.space_name(sandtable_kernel::map::SpaceId(row()))),
        Type::Piece => {
            // A printed field names a piece of the box, whose row of the component list is known without a state.
            let mut first = 0;
            let component = world.components.iter().find(|component| {
                first += component.count;
                row() < first
            });
            component.map_or(Value::Null, |component| json!(world.symbols.text(component.id)))
        }
        Type::Record(_) | Type::List(_) => Value::Null,
    }
}

/// Writes where a value points: the piece, space, side, number or word it is.
pub fn refer(cx: &ScriptContext, out: &mut Members<'_>, val: Val) {
    match val {
        Val::Nil | Val::Effect(_) | Val::Record(..) => {}
        Val::Bool(truth) => out.put("truth", &truth),
        Val::Int(n) => out.put("number", &n),
        Val::Space(_) => out.put("space", &cx.name(val)),
        Val::Piece(piece) => {
            out.put("piece", &cx.name(val));
            if let Some(space) = cx.play.borrow().state.space_of(PieceId(piece)) {
                out.put("at", cx.world.space_name(space));
            }
        }
        Val::Sym(sym) => {
            let kind = match cx.world.names.get(&sym) {
                Some(Named::Side(_)) => "side",
                Some(Named::Component(_)) => "proto",
                Some(Named::Space(_)) => "space",
                None => "word",
            };
            out.put(kind, &cx.text(sym));
        }
    }
}

/// The same as a value of its own.
pub fn reference(cx: &ScriptContext, val: Val) -> Object {
    serde_json::from_str(&Json::object(|out| refer(cx, out, val))).unwrap_or_default()
}

/// A value as a label on a button: the game's own text for a word, else its name, else the word without hyphens.
pub fn label(cx: &ScriptContext, val: Val) -> String {
    match val {
        Val::Sym(sym) => word(cx, sym),
        Val::Bool(true) => "yes".into(),
        Val::Bool(false) => "no".into(),
        val => changes::title(cx, val),
    }
}

/// A name as people read it.
pub fn word(cx: &ScriptContext, sym: Sym) -> String {
    if let Some(text) = cx.world.texts.get(&sym) {
        return text.clone();
    }
    match cx.world.names.get(&sym) {
        Some(Named::Component(component)) => cx.world.components[*component as usize].name.clone(),
        Some(Named::Side(side)) => cx.world.sides[side.0 as usize].1.clone(),
        _ => plain(&cx.text(sym)),
    }
}

/// An id as words: `forced-march` reads "forced march".
pub fn plain(id: &str) -> String {
    id.replace(['-', '_', '.'], " ")
}

/// A value of a game's tables, as it stands in the files.
pub fn datum(node: &tree::Node) -> Value {
    match &node.value {
        tree::Value::Bool(truth) => json!(truth),
        tree::Value::Int(n) => json!(n),
        tree::Value::Str(text) => json!(text),
        tree::Value::Array(items) => items.iter().map(datum).collect(),
        tree::Value::Table(table) => {
            table.iter().map(|(key, node)| (key.to_string(), datum(node))).collect::<Object>().into()
        }
        tree::Value::Float(text) => json!(text),
    }
}

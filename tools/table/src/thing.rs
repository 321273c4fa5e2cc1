//! Values and things of a game as JSON: what the page needs to find them on the table.

use sandtable_data::tree;
use sandtable_kernel::state::{Lists, PieceId, State, TableId, Type, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Fields, NIL, Named, SideId, World};
use sandtable_script::{Cx, Val};
use sandtable_session::changes;
use sandtable_session::view::{Viewer, sees_face};
use serde_json::{Map, Value, json};

/// An object of JSON.
pub type Object = Map<String, Value>;

/// The names of all pieces, made in one pass.
pub struct PieceNames(Vec<String>);

impl PieceNames {
    /// Names the pieces of a state.
    pub fn new(world: &World, state: &State) -> PieceNames {
        let mut counts = vec![0u32; world.protos.len()];
        let name = |piece: u32| {
            let proto = (state.get(TableId::PIECE, piece, piece_col::PROTO) - 1) as usize;
            let (Some(row), Some(count)) = (world.protos.get(proto), counts.get_mut(proto)) else {
                return format!("gone.{piece}");
            };
            *count += 1;
            let id = world.symbols.text(row.id);
            if row.count == 1 { id.to_string() } else { format!("{id}.{count}") }
        };
        PieceNames((0..state.rows(TableId::PIECE)).map(name).collect())
    }

    /// The name of a piece.
    pub fn get(&self, piece: u32) -> &str {
        self.0.get(piece as usize).map_or("", String::as_str)
    }
}

/// Whom a value is shown to.
pub struct Eyes<'a> {
    /// The context.
    pub cx: &'a Cx,
    /// The state that is looked at.
    pub state: &'a State,
    /// Who looks.
    pub viewer: Viewer,
    /// Names of the pieces.
    pub names: &'a PieceNames,
}

impl Eyes<'_> {
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

    /// The attributes of a row that the viewer sees and that are not at their default.
    pub fn values(&self, table: TableId, row: u32, owner: Option<SideId>, skip: u16) -> Object {
        let Some(schema) = self.cx.world.schema.tables.get(table.0 as usize) else { return Object::new() };
        let mut values = Object::new();
        for (col, column) in (0u16..).zip(&schema.columns).skip(skip.into()) {
            let cell = self.state.get(table, row, col);
            if cell != column.default && self.viewer.sees(column.see, owner) {
                values.insert(self.cx.text(column.name), self.cell(&column.ty, cell));
            }
        }
        values
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
            let proto = world.protos.iter().find(|proto| {
                first += proto.count;
                row() < first
            });
            proto.map_or(Value::Null, |proto| json!(world.symbols.text(proto.id)))
        }
        Type::Record(_) | Type::List(_) => Value::Null,
    }
}

/// Where a value points: the piece, space, side, number or word it is.
pub fn refer(cx: &Cx, val: Val) -> Object {
    let one = |key: &str, value: Value| Object::from_iter([(key.to_string(), value)]);
    match val {
        Val::Nil | Val::Effect(_) | Val::Record(..) => Object::new(),
        Val::Bool(truth) => one("truth", json!(truth)),
        Val::Int(n) => one("number", json!(n)),
        Val::Space(_) => one("space", json!(cx.name(val))),
        Val::Piece(piece) => {
            let mut found = one("piece", json!(cx.name(val)));
            if let Some(space) = cx.play.borrow().state.space_of(PieceId(piece)) {
                found.insert("at".into(), json!(cx.world.space_name(space)));
            }
            found
        }
        Val::Sym(sym) => match cx.world.names.get(&sym) {
            Some(Named::Side(_)) => one("side", json!(cx.text(sym))),
            Some(Named::Proto(_)) => one("proto", json!(cx.text(sym))),
            Some(Named::Space(_)) => one("space", json!(cx.text(sym))),
            None => one("word", json!(cx.text(sym))),
        },
    }
}

/// A value as a label on a button: the game's own text for a word, else its name, else the word without hyphens.
pub fn label(cx: &Cx, val: Val) -> String {
    match val {
        Val::Sym(sym) => word(cx, sym),
        Val::Bool(true) => "yes".into(),
        Val::Bool(false) => "no".into(),
        val => changes::title(cx, val),
    }
}

/// A name as people read it.
pub fn word(cx: &Cx, sym: Sym) -> String {
    if let Some(text) = cx.world.texts.get(&sym) {
        return text.clone();
    }
    match cx.world.names.get(&sym) {
        Some(Named::Proto(proto)) => cx.world.protos[*proto as usize].name.clone(),
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

//! Turning values of files into cells of the state or of printed fields.

use super::Builder;
use crate::tree::{Node, Value};
use crate::tree_read::wrong_type;
use sandtable_kernel::state::{TableId, Type};
use sandtable_kernel::world::{Datum, Named, World};

/// Where the values of a name are kept, and what they are.
pub(super) enum Found {
    Attribute(u16, Type),
    Field(u16, Type),
}

impl Found {
    /// What its values are.
    pub fn ty(&self) -> &Type {
        match self {
            Found::Attribute(_, ty) | Found::Field(_, ty) => ty,
        }
    }
}

/// The attribute or the printed field of that name, of spaces or of pieces.
pub(super) fn find(world: &World, table: TableId, name: &str) -> Option<Found> {
    let fields = if table == TableId::SPACE { &world.space_fields } else { &world.piece_fields };
    let sym = world.symbols.get(name)?;
    if let Some(col) = world.schema.column(table, sym) {
        return world.schema.get(table, col).map(|column| Found::Attribute(col, column.ty.clone()));
    }
    fields.column(sym).map(|col| Found::Field(col, fields.columns[col as usize].1.clone()))
}

/// The names of all attributes and printed fields.
pub(super) fn columns(world: &World, table: TableId) -> Vec<&str> {
    let fields = if table == TableId::SPACE { &world.space_fields } else { &world.piece_fields };
    let mut names: Vec<&str> = fields.columns.iter().map(|column| world.symbols.text(column.0)).collect();
    let attributes = world.schema.tables.get(table.0 as usize).into_iter().flat_map(|table| &table.columns);
    names.extend(attributes.map(|column| world.symbols.text(column.name)).filter(|name| !name.is_empty()));
    names
}

impl Builder<'_> {
    /// The attribute or the printed field of that name; reports that there is none.
    pub(super) fn column(
        &mut self,
        world: &World,
        table: TableId,
        node: &Node,
        name: &str,
        what: &str,
    ) -> Option<Found> {
        let found = find(world, table, name);
        if found.is_none() {
            let of = if table == TableId::SPACE { "spaces" } else { "pieces" };
            let message = format!("{what} is `{name}`; {of} have no such field or attribute");
            self.unknown(node.origin, message, name, columns(world, table));
        }
        found
    }

    /// The cell for a value of that type; reports what was found instead.
    pub fn cell(&mut self, world: &mut World, ty: &Type, node: &Node, what: &str) -> Option<i32> {
        let name = match &node.value {
            Value::Str(text) => Some(text.clone()),
            Value::Int(n) => Some(n.to_string()),
            _ => None,
        };
        let found = match (ty, &node.value) {
            (Type::Bool, Value::Bool(b)) => Some(i32::from(*b)),
            (Type::Bool, Value::Int(n @ (0 | 1))) => Some(*n as i32),
            (Type::Int { .. }, Value::Int(n)) => i32::try_from(*n).ok(),
            (Type::Text, Value::Str(text)) => Some(world.symbols.intern(text).cell()),
            (Type::Text, Value::Int(n)) => Some(world.symbols.intern(&n.to_string()).cell()),
            (Type::Enum(values), Value::Str(text)) => {
                let sym = world.symbols.intern(text);
                if !values.contains(&sym) {
                    let names: Vec<&str> = values.iter().map(|&value| world.symbols.text(value)).collect();
                    let message = format!("{what} is \"{text}\"; expected one of {}", names.join(", "));
                    self.unknown(node.origin, message, text, names);
                    return None;
                }
                Some(sym.cell())
            }
            (Type::Side | Type::Piece | Type::Space, _) if name.is_some() => {
                return self.reference(world, ty, node, name.as_deref().unwrap_or_default(), what);
            }
            _ => None,
        };
        if found.is_none() {
            let expected = match ty {
                Type::Bool => "true or false",
                Type::Int { .. } => "a whole number",
                Type::List(_) => "a list",
                _ => "a text",
            };
            wrong_type(node, what, expected, &mut self.out);
        }
        found
    }

    fn reference(&mut self, world: &World, ty: &Type, node: &Node, name: &str, what: &str) -> Option<i32> {
        let named = world.symbols.get(name).and_then(|sym| world.names.get(&sym)).copied();
        let found = match (ty, named) {
            (Type::Side, Some(Named::Side(side))) => Some(side.cell()),
            (Type::Space, Some(Named::Space(space))) => Some(space.0 as i32 + 1),
            (Type::Piece, Some(Named::Component(component))) => {
                world.first_piece(component).map(|piece| piece as i32 + 1)
            }
            _ => None,
        };
        if found.is_none() {
            let mut names: Vec<&str> = world
                .names
                .iter()
                .filter(|(_, named)| {
                    matches!(
                        (ty, named),
                        (Type::Side, Named::Side(_))
                            | (Type::Space, Named::Space(_))
                            | (Type::Piece, Named::Component(_))
                    )
                })
                .map(|(&sym, _)| world.symbols.text(sym))
                .collect();
            names.sort_unstable();
            self.unknown(
                node.origin,
                format!("{what} is `{name}`; there is no such {}", ty.name()),
                name,
                names,
            );
        }
        found
    }

    /// The cells of a list; one value counts as a list of one.
    pub fn cells(&mut self, world: &mut World, of: &Type, node: &Node, what: &str) -> Vec<i32> {
        match &node.value {
            Value::Array(items) => items.iter().filter_map(|item| self.cell(world, of, item, what)).collect(),
            _ => self.cell(world, of, node, what).into_iter().collect(),
        }
    }

    /// A plain value.
    pub fn datum(&mut self, node: &Node, what: &str) -> Datum {
        match &node.value {
            Value::Bool(b) => Datum::Bool(*b),
            Value::Int(n) => match i32::try_from(*n) {
                Ok(n) => Datum::Int(n),
                Err(_) => {
                    wrong_type(node, what, "a number of at most 32 bits", &mut self.out);
                    Datum::Int(0)
                }
            },
            Value::Str(text) => Datum::Text(text.clone()),
            Value::Array(items) => Datum::List(items.iter().map(|item| self.datum(item, what)).collect()),
            Value::Table(table) => {
                let entries =
                    table.iter().filter(|(key, _)| !["rule", "source", "sources", "note"].contains(key));
                Datum::Table(entries.map(|(key, item)| (key.to_string(), self.datum(item, what))).collect())
            }
            Value::Float(_) => {
                wrong_type(node, what, "a whole number", &mut self.out);
                Datum::Int(0)
            }
        }
    }
}

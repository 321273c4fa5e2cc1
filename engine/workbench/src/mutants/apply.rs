//! Changing a world as a mutant says.

use super::Shift;
use sandtable_data::catalog::Catalog;
use sandtable_data::tree::Value;
use sandtable_kernel::limit::{Figure, Most};
use sandtable_kernel::state::Type;
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Datum, NIL, World};

/// Changes a figure of merged tables, for what is read from them before there is a world.
pub fn set_tree(catalog: &mut Catalog, key: &str, with: &Datum) -> bool {
    let (Some(id), Datum::Int(n)) = (key.strip_prefix("value."), with) else { return false };
    let Value::Table(root) = &mut catalog.root.value else { return false };
    let Some(Value::Table(values)) = root.get_mut("value").map(|node| &mut node.value) else { return false };
    let Some(row) = values.get_mut(id) else { return false };
    let whole = match &mut row.value {
        Value::Table(table) => table.get_mut("is").map(|node| &mut node.value),
        value => Some(value),
    };
    let Some(value @ Value::Int(_)) = whole else { return false };
    *value = Value::Int(i64::from(*n));
    true
}

/// Changes a printed field of a row, on all rungs of its ladder.
pub fn set_field(world: &mut World, row: &str, field: &str, shift: Shift) -> bool {
    let Some((kind, id)) = row.split_once('.') else { return false };
    let named = |sym: Sym, text: &str| world.symbols.text(sym) == text;
    let component =
        world.components.iter().find(|component| named(component.kind, kind) && named(component.id, id));
    let space = world.spaces.iter().position(|def| named(def.kind, kind) && named(def.id, id));
    let rows = match (component, space) {
        (Some(component), _) => component.first_row..component.first_row + u32::from(component.levels),
        (None, Some(at)) => at as u32..at as u32 + 1,
        (None, None) => return false,
    };
    let is_piece = component.is_some();
    let Some(name) = world.symbols.get(field) else { return false };
    let fields = if is_piece { &mut world.piece_fields } else { &mut world.space_fields };
    let Some(col) = fields.column(name) else { return false };
    let ty = fields.columns[col as usize].1.clone();
    for row in rows {
        let cell = fields.get(row, col);
        if cell != NIL {
            let other = match (shift, &ty) {
                (Shift::Gone, _) => NIL,
                (Shift::Next, Type::Bool) => 1 - cell,
                (Shift::Next, Type::Enum(words)) => {
                    let at = words.iter().position(|word| word.cell() == cell).unwrap_or(0);
                    words[(at + 1) % words.len()].cell()
                }
                (Shift::Next, _) => cell + 1,
            };
            fields.set(row, col, other);
        }
    }
    true
}

/// Changes a figure of a world.
pub fn set(world: &mut World, key: &str, with: &Datum) -> bool {
    let mut parts = key.split('.');
    match parts.next() {
        Some("value") => {
            // Ids of values may hold dots: take the longest that exists.
            let rest = key.trim_start_matches("value.");
            let names: Vec<&str> = rest.split('.').collect();
            for taken in (1..=names.len()).rev() {
                let id = names[..taken].join(".");
                let Some(sym) = world.symbols.get(&id) else { continue };
                if let Some(datum) = world.values.get_mut(&sym) {
                    return set_leaf(datum, &names[taken..], with);
                }
            }
            false
        }
        Some("limit") => {
            let (Some(id), Datum::Int(n)) = (parts.next(), with) else { return false };
            let sym = world.symbols.get(id);
            let limit = world.limits.iter_mut().find(|limit| Some(limit.id) == sym);
            match limit.map(|limit| &mut limit.most) {
                Some(Most::Everywhere(Figure::Number(most)) | Most::Query(_, Figure::Number(most))) => {
                    *most = *n;
                    true
                }
                _ => false,
            }
        }
        Some("table") => {
            let found = world.matrices.iter().find_map(|(&sym, matrix)| {
                let rest =
                    key.strip_prefix("table.")?.strip_prefix(world.symbols.text(sym))?.strip_prefix('.')?;
                let fits = |row: usize, column: usize| {
                    format!(
                        "{}.{}",
                        world.symbols.text(matrix.rows[row].0),
                        world.symbols.text(matrix.columns[column].0)
                    ) == rest
                };
                let width = matrix.columns.len();
                (0..matrix.cells.len()).find(|&at| fits(at / width, at % width)).map(|at| (sym, at))
            });
            let Some((sym, at)) = found else { return false };
            if let Some(matrix) = world.matrices.get_mut(&sym) {
                matrix.cells[at] = with.clone();
            }
            true
        }
        _ => false,
    }
}

fn set_leaf(datum: &mut Datum, path: &[&str], with: &Datum) -> bool {
    match (datum, path) {
        (datum, []) => {
            *datum = with.clone();
            true
        }
        (Datum::Table(entries), [name, rest @ ..]) => entries
            .iter_mut()
            .find(|(key, _)| key == name)
            .is_some_and(|(_, child)| set_leaf(child, rest, with)),
        _ => false,
    }
}

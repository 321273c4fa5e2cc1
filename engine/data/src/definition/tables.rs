//! Tables of results, figures, texts and options.

use super::scenario::Scenario;
use super::{Builder, codes, keys};
use crate::diagnostic::Diagnostic;
use crate::origin::Origin;
use crate::suggest::{alternatives, did_you_mean};
use crate::tree::{Node, Value};
use crate::tree_read::Row;
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Datum, Matrix, OptionDef, World};

/// Reads tables, values, texts and prompts.
pub(super) fn read(b: &mut Builder<'_>, world: &mut World) {
    let rows: Vec<(&str, &Node)> = b.catalog.rows("table").collect();
    for (id, node) in rows {
        if let Some(matrix) = matrix(b, world, id, node) {
            let sym = world.symbols.intern(id);
            world.matrices.insert(sym, matrix);
        }
    }
    let rows: Vec<(&str, &Node)> = b.catalog.rows("value").collect();
    for (id, node) in rows {
        let datum = b.datum(node, &format!("value.{id}"));
        // `{ is = 3, rule = "…" }` is a single figure with its paragraph.
        let datum = match datum {
            Datum::Table(mut entries) if entries.len() == 1 && entries[0].0 == "is" => entries.remove(0).1,
            other => other,
        };
        intern(world, &datum);
        let sym = world.symbols.intern(id);
        world.values.insert(sym, datum);
    }
    for kind in b.data_kinds() {
        if let Some(node) = b.catalog.root.get(&kind) {
            let datum = b.datum(node, &kind);
            intern(world, &datum);
            let sym = world.symbols.intern(&kind);
            world.values.insert(sym, datum);
        }
    }
    for kind in ["text", "prompt"] {
        let rows: Vec<(&str, &Node)> = b.catalog.rows(kind).collect();
        for (id, node) in rows {
            let text = match &node.value {
                Value::Str(text) => Some(text.clone()),
                _ => Row::new(format!("{kind}.{id}"), node, &mut b.out).and_then(|row| {
                    row.unknown_keys(keys::TEXT, &mut b.out);
                    row.need("text", &mut b.out).and_then(Node::as_str).map(str::to_string)
                }),
            };
            if let Some(text) = text {
                let sym = world.symbols.intern(id);
                world.texts.insert(sym, text);
            }
        }
    }
    // Names of nodes, their events and the fixed words of the kernel can enter the state.
    let nodes: Vec<String> = b.catalog.rows("sequence").map(|(name, _)| name.to_string()).collect();
    for name in nodes {
        for text in [name.clone(), format!("{name}.start"), format!("{name}.end")] {
            world.symbols.intern(&text);
        }
    }
}

/// Texts of tables can enter the state, so they are interned with the rest.
fn intern(world: &mut World, datum: &Datum) {
    match datum {
        Datum::Text(text) => {
            world.symbols.intern(text);
        }
        Datum::List(items) => items.iter().for_each(|item| intern(world, item)),
        Datum::Table(entries) => entries.iter().for_each(|(key, item)| {
            world.symbols.intern(key);
            intern(world, item);
        }),
        Datum::Int(_) | Datum::Bool(_) => {}
    }
}

/// The range of numbers that a header stands for: `4`, `6-7`, `15+`, `-2`.
fn range(text: &str) -> Option<(i32, i32)> {
    if let Some(low) = text.strip_suffix('+') {
        return Some((low.trim().parse().ok()?, i32::MAX));
    }
    if let Ok(n) = text.trim().parse() {
        return Some((n, n));
    }
    let (low, high) = text.split_once('-').filter(|(low, _)| !low.is_empty())?;
    Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
}

fn matrix(b: &mut Builder<'_>, world: &mut World, id: &str, node: &Node) -> Option<Matrix> {
    let row = Row::new(format!("table.{id}"), node, &mut b.out)?;
    let mut header = |text: &str| (world.symbols.intern(text), range(text));
    let word = |node: &Node| match &node.value {
        Value::Int(n) => n.to_string(),
        Value::Str(text) => text.clone(),
        _ => String::new(),
    };
    let columns: Vec<(Sym, _)> =
        row.need("columns", &mut b.out)?.as_array()?.iter().map(|node| header(&word(node))).collect();
    let rows = row.need("rows", &mut b.out)?.as_table()?;
    let mut matrix = Matrix { columns, ..Matrix::default() };
    for (key, node) in rows.iter() {
        matrix.rows.push(header(key));
        let cells = node.as_array().unwrap_or_default();
        if cells.len() != matrix.columns.len() {
            let message = format!(
                "row {key} of table.{id} has {} cells; expected {}",
                cells.len(),
                matrix.columns.len()
            );
            b.out.push(Diagnostic::error(&crate::diagnostic_codes::MATRIX, node.origin, message));
            return None;
        }
        for cell in cells {
            let datum = b.datum(cell, &format!("row {key} of table.{id}"));
            matrix.cells.push(datum);
        }
    }
    for cell in &matrix.cells {
        intern(world, cell);
    }
    Some(matrix)
}

/// Reads the options with the values that defaults, the scenario and the player give them, in that order.
pub(super) fn options(
    b: &mut Builder<'_>,
    world: &mut World,
    scenario: &Scenario,
    given: &[(String, String)],
) {
    let rows: Vec<(&str, &Node)> = b.catalog.rows("option").collect();
    for (id, node) in rows {
        let what = format!("option.{id}");
        let Some(row) = Row::new(what.clone(), node, &mut b.out) else { continue };
        row.unknown_keys(keys::OPTION, &mut b.out);
        let title = row.str("title", &mut b.out).unwrap_or(id).to_string();
        let ty = row.word("type", &["bool", "int", "enum"], &mut b.out).unwrap_or("bool");
        let Some(default) = row.need("default", &mut b.out) else { continue };
        let mut value = b.datum(default, &format!("`default` of {what}"));
        let values: Vec<Datum> = match row.get("values").and_then(Node::as_array) {
            Some(items) => items.iter().map(|item| b.datum(item, &what)).collect(),
            None => Vec::new(),
        };
        let limits = row
            .get("range")
            .and_then(Node::as_array)
            .map(|ends| ends.iter().filter_map(Node::as_int).collect::<Vec<i64>>());
        let fits = |datum: &Datum| {
            (values.is_empty() || values.contains(datum))
                && match (datum, limits.as_deref()) {
                    (Datum::Int(n), Some([low, high])) => (*low..=*high).contains(&i64::from(*n)),
                    _ => true,
                }
        };
        let allowed = match (ty, values.as_slice(), limits.as_deref()) {
            ("bool", ..) => "true or false".to_string(),
            (_, [_, ..], _) => alternatives(&values.iter().map(shown).collect::<Vec<_>>()),
            ("int", _, Some([low, high])) => format!("a whole number from {low} to {high}"),
            ("int", ..) => "a whole number".to_string(),
            _ => "a text".to_string(),
        };
        let typed = match ty {
            "bool" => matches!(value, Datum::Bool(_)),
            "int" => matches!(value, Datum::Int(_)),
            _ => true,
        };
        if !typed || !fits(&value) {
            let message = format!(
                "`default` of {what} is {}; the option itself allows {allowed}",
                default.value.brief()
            );
            b.out.push(Diagnostic::error(&crate::diagnostic_codes::BAD_OPTION, default.origin, message));
        }
        let own = scenario.options.iter().map(|option| (option, place_in(b, scenario, id)));
        let wanted: Vec<_> = own.chain(given.iter().map(|option| (option, None))).collect();
        for ((key, text), place) in wanted.into_iter().filter(|((key, _), _)| key == id) {
            let read = match ty {
                "bool" => text.parse().ok().map(Datum::Bool),
                "int" => text.parse().ok().map(Datum::Int),
                _ => Some(Datum::Text(text.clone())),
            };
            match read.filter(&fits) {
                Some(read) => value = read,
                None => {
                    let message = format!("option {key} is {text}; expected {allowed}");
                    let words: Vec<String> = values.iter().map(shown).collect();
                    let help = did_you_mean(text, words.iter().map(String::as_str));
                    // What the command line or a record says has no place in these files; where the option is declared is a note.
                    let declared = || b.catalog.sources.describe(row.origin());
                    let problem = match place {
                        Some(place) => Diagnostic::error(&codes::BAD_OPTION, place, message),
                        None => Diagnostic::placeless(&codes::BAD_OPTION, message)
                            .note(format!("the option is declared in {}", declared())),
                    };
                    b.out.push(problem.help(help));
                }
            }
        }
        intern(world, &value);
        let sym = world.symbols.intern(id);
        world.options.push(OptionDef { id: sym, title, value, values });
    }
    for (key, _) in scenario.options.iter().chain(given) {
        if b.catalog.row("option", key).is_none() {
            let names: Vec<&str> = b.catalog.rows("option").map(|(id, _)| id).collect();
            let message = format!("there is no option `{key}`");
            let problem = match place_in(b, scenario, key) {
                Some(place) => Diagnostic::error(&codes::BAD_OPTION, place, message),
                None => Diagnostic::placeless(&codes::BAD_OPTION, message),
            };
            let all = (!names.is_empty()).then(|| format!("the options are {}", names.join(", ")));
            b.out.push(problem.help(did_you_mean(key, names.iter().copied()).or(all)));
        }
    }
}

/// A value of an option, as it is given.
fn shown(datum: &Datum) -> String {
    match datum {
        Datum::Text(text) => text.clone(),
        Datum::Int(n) => n.to_string(),
        Datum::Bool(b) => b.to_string(),
        Datum::List(_) | Datum::Table(_) => "a list or table".to_string(),
    }
}

/// Where a scenario gives an option its value.
fn place_in(b: &Builder<'_>, scenario: &Scenario, key: &str) -> Option<Origin> {
    Some(b.catalog.row("scenario", &scenario.id)?.get("options")?.get(key)?.origin)
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn headers_stand_for_ranges() {
        assert_eq!(range("6-7"), Some((6, 7)));
        assert_eq!(range("15+"), Some((15, i32::MAX)));
        assert_eq!(range("-2"), Some((-2, -2)));
        assert_eq!(range("clear"), None);
    }
}

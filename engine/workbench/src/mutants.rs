//! Mutants: every small change of a game's rules that a case should notice.

use full_moon::ast::{self, Ast};
use full_moon::node::Node;
use full_moon::tokenizer::TokenType;
use full_moon::visitors::Visitor;
use sandtable_data::catalog::Catalog;
use sandtable_data::origin::Provenance;
use sandtable_data::tree::{self, Value};
use sandtable_kernel::state::Type;
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Datum, NIL, World};
use sandtable_script::{Host, Kind};

/// One change of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// A handler does nothing.
    Disabled {
        /// Its number.
        handler: u32,
        /// What it is, for people.
        name: String,
        /// Script and line where it is registered.
        place: (String, u32),
    },
    /// A piece of a script is replaced.
    Script {
        /// Name of the script.
        script: String,
        /// Bytes that are replaced.
        from: usize,
        /// End of them.
        to: usize,
        /// The new text.
        with: String,
        /// What was done, for people.
        what: String,
        /// First and last line.
        lines: (u32, u32),
    },
    /// A printed number of a component or space is one more, a printed truth value the other.
    Field {
        /// Kind and id of the row: `unit.h-reds`.
        row: String,
        /// The field.
        field: String,
    },
    /// A node of the sequence of play is left out.
    Node {
        /// Its name.
        node: String,
    },
    /// A figure is another.
    Datum {
        /// Key: `value.x`, `value.x.y`, or `table.t.row.column`.
        key: String,
        /// The new value.
        with: Datum,
    },
}

impl Mutant {
    /// The mutant in a line.
    pub fn describe(&self) -> String {
        match self {
            Mutant::Disabled { name, place, .. } => format!("{}:{}: {name} disabled", place.0, place.1),
            Mutant::Script { script, what, lines, .. } => format!("{script}:{}: {what}", lines.0),
            Mutant::Field { row, field } => format!("{row}.{field} is another"),
            Mutant::Node { node } => format!("sequence.{node} left out"),
            Mutant::Datum { key, with } => format!("{key} = {with:?}"),
        }
    }
}

/// All mutants of a game, in a fixed order.
pub fn all(catalog: &Catalog, world: &World, host: &Host) -> Vec<Mutant> {
    let mut mutants = handlers(host);
    for file in &catalog.scripts {
        scripts(catalog.sources.path(file.file), catalog.sources.text(file.file), &mut mutants);
    }
    data(catalog, world, &mut mutants);
    mutants
}

fn handlers(host: &Host) -> Vec<Mutant> {
    let registry = host.cx().registry.borrow();
    let all = (0u32..).zip(&registry.handlers);
    // Invariants guard simulations, not cases.
    // Those behind an option that is off count too: cases turn it on.
    all.filter(|(_, handler)| handler.kind != Kind::Invariant)
        .map(|(number, handler)| {
            let (file, line) = handler.place.rsplit_once(':').unwrap_or((&handler.place, "0"));
            Mutant::Disabled {
                handler: number,
                name: format!("{} {}", handler.kind.name(), handler.id),
                place: (file.to_string(), line.parse().unwrap_or(0)),
            }
        })
        .collect()
}

fn scripts(name: &str, text: &str, mutants: &mut Vec<Mutant>) {
    let Ok(ast) = full_moon::parse(text) else { return };
    let mut finder = Finder { script: name, text, depth: 0, quiet: 0, found: Vec::new() };
    finder.visit(&ast);
    finder.found.sort_by_key(|mutant| match mutant {
        Mutant::Script { from, to, .. } => (*from, *to),
        _ => (0, 0),
    });
    mutants.append(&mut finder.found);
}

struct Finder<'a> {
    script: &'a str,
    text: &'a str,
    /// How deep in functions: what stands outside only registers.
    depth: u32,
    /// How deep in calls whose insides no case can notice: invariants and lines of the log.
    quiet: u32,
    found: Vec<Mutant>,
}

impl Finder<'_> {
    fn visit(&mut self, ast: &Ast) {
        self.visit_ast(ast);
    }

    fn add(&mut self, node: &impl Node, what: &str, with: impl FnOnce(&str) -> String) {
        if self.quiet > 0 {
            return;
        }
        let Some((start, end)) = node.range() else { return };
        let (from, to) = (start.bytes(), end.bytes());
        let Some(old) = self.text.get(from..to) else { return };
        let short: String = old.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect();
        self.found.push(Mutant::Script {
            script: self.script.to_string(),
            from,
            to,
            with: with(old),
            what: format!("{what} `{short}`"),
            lines: (start.line() as u32, end.line() as u32),
        });
    }

    fn negate(&mut self, condition: &ast::Expression) {
        self.add(condition, "negated", |old| format!("not ({old})"));
    }

    fn drop(&mut self, node: &impl Node) {
        // Newlines stay, so that lines keep their numbers; a statement separator keeps the rest apart.
        self.add(node, "dropped", |old| old.chars().filter(|&c| c == '\n').chain([' ']).collect());
    }
}

/// Whether a call is of a function whose effect no case sees.
fn is_quiet(call: &ast::FunctionCall) -> bool {
    let ast::Prefix::Name(name) = call.prefix() else { return false };
    matches!(name.token().to_string().as_str(), "invariant" | "log" | "print")
}

impl Visitor for Finder<'_> {
    fn visit_function_call(&mut self, node: &ast::FunctionCall) {
        self.quiet += u32::from(is_quiet(node));
    }

    fn visit_function_call_end(&mut self, node: &ast::FunctionCall) {
        self.quiet -= u32::from(is_quiet(node));
    }

    fn visit_function_body(&mut self, _: &ast::FunctionBody) {
        self.depth += 1;
    }

    fn visit_function_body_end(&mut self, _: &ast::FunctionBody) {
        self.depth -= 1;
    }

    fn visit_if(&mut self, node: &ast::If) {
        self.negate(node.condition());
    }

    fn visit_else_if(&mut self, node: &ast::ElseIf) {
        self.negate(node.condition());
    }

    fn visit_while(&mut self, node: &ast::While) {
        self.negate(node.condition());
    }

    fn visit_repeat(&mut self, node: &ast::Repeat) {
        self.negate(node.until());
    }

    fn visit_stmt(&mut self, node: &ast::Stmt) {
        let quiet = matches!(node, ast::Stmt::FunctionCall(call) if is_quiet(call));
        if self.depth > 0
            && !quiet
            && !matches!(node, ast::Stmt::LocalFunction(_) | ast::Stmt::FunctionDeclaration(_))
        {
            self.drop(node);
        }
    }

    fn visit_last_stmt(&mut self, node: &ast::LastStmt) {
        if self.depth > 0 {
            self.drop(node);
        }
    }

    fn visit_expression(&mut self, node: &ast::Expression) {
        if let ast::Expression::Number(token) = node
            && let TokenType::Number { text } = token.token().token_type()
            && let Ok(n) = text.as_str().parse::<i64>()
        {
            self.add(node, "moved by one", |_| (n + 1).to_string());
        }
    }
}

/// Figures that the rulebook states or forces, or that are a game's own.
fn counts(provenance: Provenance) -> bool {
    matches!(provenance, Provenance::Text | Provenance::Inferred | Provenance::Own)
}

fn data(catalog: &Catalog, world: &World, mutants: &mut Vec<Mutant>) {
    for (id, node) in catalog.rows("value") {
        leaves(&format!("value.{id}"), node, mutants);
    }
    for (id, node) in catalog.rows("table") {
        let Some(matrix) = world.symbols.get(id).and_then(|sym| world.matrices.get(&sym)) else { continue };
        let width = matrix.columns.len();
        for (row, (row_key, _)) in matrix.rows.iter().enumerate() {
            let Some(cells) = node
                .get("rows")
                .and_then(|rows| rows.get(world.symbols.text(*row_key)))
                .and_then(tree::Node::as_array)
            else {
                continue;
            };
            for (column, (column_key, _)) in matrix.columns.iter().enumerate() {
                if !cells.get(column).is_some_and(|cell| counts(cell.provenance)) {
                    continue;
                }
                let with = match &matrix.cells[row * width + column] {
                    Datum::Int(n) => Datum::Int(n + 1),
                    Datum::Bool(b) => Datum::Bool(!b),
                    own => {
                        // The nearest cell of the row that says something else.
                        let line = &matrix.cells[row * width..(row + 1) * width];
                        let mut others: Vec<(usize, &Datum)> =
                            line.iter().enumerate().filter(|(_, cell)| *cell != own).collect();
                        others.sort_by_key(|(at, _)| at.abs_diff(column));
                        match others.first() {
                            Some((_, other)) => (*other).clone(),
                            None => continue,
                        }
                    }
                };
                let key = format!(
                    "table.{id}.{}.{}",
                    world.symbols.text(*row_key),
                    world.symbols.text(*column_key)
                );
                mutants.push(Mutant::Datum { key, with });
            }
        }
    }
}

fn leaves(key: &str, node: &tree::Node, mutants: &mut Vec<Mutant>) {
    match &node.value {
        Value::Int(n) if counts(node.provenance) => {
            if let Ok(n) = i32::try_from(n + 1) {
                mutants.push(Mutant::Datum { key: key.to_string(), with: Datum::Int(n) });
            }
        }
        Value::Bool(b) if counts(node.provenance) => {
            mutants.push(Mutant::Datum { key: key.to_string(), with: Datum::Bool(!b) });
        }
        Value::Table(table) => {
            for (name, child) in table.iter() {
                match name {
                    "rule" | "source" | "sources" | "note" => {}
                    "is" => leaves(key, child, mutants),
                    _ => leaves(&format!("{key}.{name}"), child, mutants),
                }
            }
        }
        _ => {}
    }
}

/// Mutants of rows of data that cite paragraphs, besides values and tables: components, spaces, nodes of the sequence.
/// Each comes with the key of its row.
pub fn rows(catalog: &Catalog, world: &World) -> Vec<(String, Mutant)> {
    let mut found = Vec::new();
    let pieces =
        world.protos.iter().map(|proto| (proto.kind, proto.id, &world.piece_fields, proto.first_row));
    let spaces = (0u32..).zip(&world.spaces).map(|(row, def)| (def.kind, def.id, &world.space_fields, row));
    for (kind, id, fields, first) in pieces.chain(spaces) {
        let key = format!("{}.{}", world.symbols.text(kind), world.symbols.text(id));
        if catalog
            .row(world.symbols.text(kind), world.symbols.text(id))
            .is_none_or(|row| row.get("rule").is_none())
        {
            continue;
        }
        for (col, (name, ty)) in (0u16..).zip(&fields.columns) {
            if matches!(ty, Type::Int { .. } | Type::Bool) && fields.get(first, col) != NIL {
                let field = world.symbols.text(*name).to_string();
                found.push((key.clone(), Mutant::Field { row: key.clone(), field }));
            }
        }
    }
    for (id, node) in catalog.rows("sequence") {
        if node.get("rule").is_some() {
            found.push((format!("sequence.{id}"), Mutant::Node { node: id.to_string() }));
        }
    }
    found
}

/// Moves a printed field of a row, on all rungs of its ladder.
pub fn set_field(world: &mut World, row: &str, field: &str) -> bool {
    let Some((kind, id)) = row.split_once('.') else { return false };
    let named = |sym: Sym, text: &str| world.symbols.text(sym) == text;
    let proto = world.protos.iter().find(|proto| named(proto.kind, kind) && named(proto.id, id));
    let space = world.spaces.iter().position(|def| named(def.kind, kind) && named(def.id, id));
    let rows = match (proto, space) {
        (Some(proto), _) => proto.first_row..proto.first_row + u32::from(proto.levels),
        (None, Some(at)) => at as u32..at as u32 + 1,
        (None, None) => return false,
    };
    let is_piece = proto.is_some();
    let Some(name) = world.symbols.get(field) else { return false };
    let fields = if is_piece { &mut world.piece_fields } else { &mut world.space_fields };
    let Some(col) = fields.column(name) else { return false };
    let is_bool = fields.columns[col as usize].1 == Type::Bool;
    for row in rows {
        let cell = fields.get(row, col);
        if cell != NIL {
            fields.set(row, col, if is_bool { 1 - cell } else { cell + 1 });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_statements_and_numbers_are_changed_inside_functions() {
        let text = "local limit = 2\non('x', 'y', {}, function(a)\n  if a > limit then\n    move(a, 3)\n  end\nend)\n";
        let mut mutants = Vec::new();
        scripts("g/a.lua", text, &mut mutants);
        let lines: Vec<String> = mutants.iter().map(Mutant::describe).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        g/a.lua:1: moved by one `2`
        g/a.lua:3: dropped `if a > limit then move(a, 3) end`
        g/a.lua:3: negated `a > limit`
        g/a.lua:4: dropped `move(a, 3)`
        g/a.lua:4: moved by one `3`
        ");
    }
}

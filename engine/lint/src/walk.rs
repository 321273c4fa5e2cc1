//! From the syntax tree of a script to its facts: scopes are followed, so that a local never passes for a global.

use crate::facts::{Callee, Facts, Field, Forwarded, Joined, Key, Name, Number, Passed, Slot, Text};
use full_moon::ast::{
    Ast, BinOp, Block, Call, Expression, Field as Entry, FunctionArgs, FunctionBody, Index, LastStmt,
    Parameter, Prefix, Stmt, Suffix, UnOp, Var,
};
use full_moon::node::Node;
use full_moon::tokenizer::{TokenReference, TokenType};
use sandtable_data::source::{FileId, Span};
use std::collections::BTreeSet;

/// The functions of the API that take the functions of rules: these run in play, when all scripts are loaded.
const REGISTERS: &[&str] = &[
    "procedure",
    "before",
    "after",
    "instead",
    "on",
    "query",
    "number",
    "modify",
    "forbid",
    "forbid_all",
    "prefer",
    "waive",
    "reroll",
    "offer",
    "invariant",
    "wrap",
    "replace",
];
/// The functions of the library that change the table they are given first.
const CHANGES: &[&str] = &["insert", "remove", "sort"];

/// Collects the facts of a script.
pub(crate) fn facts(ast: &Ast, text: &str, file: FileId, layer: u16) -> Facts {
    let facts = Facts { file, layer, ..Facts::default() };
    let mut walker = Walker {
        text,
        facts,
        scopes: vec![Vec::new()],
        depth: 0,
        tested: Vec::new(),
        tables: BTreeSet::new(),
        rule: None,
    };
    walker.block(ast.nodes());
    walker.facts
}

/// What a local name stands for.
#[derive(Clone)]
struct Binding {
    name: String,
    /// How many functions deep it was declared; 0 is the script itself.
    depth: u32,
    /// The function it is a parameter of, and which.
    parameter: Option<(Callee, usize)>,
    /// Whether it is declared as a table that is written out.
    table: bool,
}

/// What is known of the place where an expression stands.
#[derive(Clone, Default)]
struct Place {
    slot: Option<Slot>,
    field: Option<String>,
}

/// What a chain of suffixes has led to.
enum Base {
    Callee(Callee),
    /// `value "x"`.
    Figure(String),
    Other,
}

struct Walker<'t> {
    text: &'t str,
    facts: Facts,
    scopes: Vec<Vec<Binding>>,
    depth: u32,
    /// The fields that the conditions around look at.
    tested: Vec<String>,
    /// Globals that the script itself makes tables.
    tables: BTreeSet<String>,
    /// How many functions deep the rule stands whose function is walked.
    rule: Option<u32>,
}

impl Walker<'_> {
    fn span(&self, node: &impl Node) -> Span {
        let (start, end) = node.range().map_or((0, 0), |(start, end)| (start.bytes(), end.bytes()));
        Span::new(self.facts.file, start, end)
    }

    fn name(&self, token: &TokenReference) -> Name {
        Name { name: word(token), span: self.span(token) }
    }

    fn declare(&mut self, name: String, parameter: Option<(Callee, usize)>) {
        let depth = self.depth;
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Binding { name, depth, parameter, table: false });
        }
    }

    /// Notes that a table of that name is written to, if it is one that was made while scripts load.
    fn written(&mut self, name: Name) {
        let Some(outside) = self.rule else { return };
        let kept = match self.find(&name.name) {
            Some(binding) => binding.table && binding.depth <= outside,
            None => self.tables.contains(&name.name),
        };
        if kept {
            self.facts.kept_tables.push(name);
        }
    }

    fn find(&self, name: &str) -> Option<&Binding> {
        self.scopes.iter().rev().flat_map(|scope| scope.iter().rev()).find(|binding| binding.name == name)
    }

    fn callee(&self, name: &str) -> Callee {
        if self.find(name).is_some() { Callee::Local(name.into()) } else { Callee::Global(name.into()) }
    }

    fn scoped(&mut self, run: impl FnOnce(&mut Self)) {
        self.scopes.push(Vec::new());
        run(self);
        self.scopes.pop();
    }

    fn block(&mut self, block: &Block) {
        for stmt in block.stmts() {
            self.stmt(stmt);
        }
        if let Some(LastStmt::Return(values)) = block.last_stmt() {
            values.returns().iter().for_each(|value| self.plain(value));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assignment(node) => {
                let values: Vec<&Expression> = node.expressions().iter().collect();
                for (at, var) in node.variables().iter().enumerate() {
                    self.assign(var, values.get(at).copied());
                }
                values.iter().skip(node.variables().len()).for_each(|value| self.plain(value));
            }
            Stmt::LocalAssignment(node) => {
                let names: Vec<Name> = node.names().iter().map(|token| self.name(token)).collect();
                for (at, value) in node.expressions().iter().enumerate() {
                    self.held(names.get(at), value);
                    match (value, names.get(at)) {
                        (Expression::Function(function), Some(name)) => {
                            self.function(function.body(), Some(Callee::Local(name.name.clone())), false);
                        }
                        _ => self.plain(value),
                    }
                }
                let values: Vec<&Expression> = node.expressions().iter().collect();
                for (at, name) in names.into_iter().enumerate() {
                    self.declare(name.name, None);
                    if let Some(Expression::TableConstructor(_)) = values.get(at)
                        && let Some(binding) = self.scopes.last_mut().and_then(|scope| scope.last_mut())
                    {
                        binding.table = true;
                    }
                }
            }
            Stmt::LocalFunction(node) => {
                let name = word(node.name());
                self.declare(name.clone(), None);
                self.function(node.body(), Some(Callee::Local(name)), false);
            }
            Stmt::FunctionDeclaration(node) => {
                let parts: Vec<Name> = node.name().names().iter().map(|token| self.name(token)).collect();
                let method = node.name().method_name();
                self.facts.given.extend(parts.iter().skip(1).map(|part| part.name.clone()));
                self.facts.given.extend(method.map(word));
                match parts.as_slice() {
                    [only] if method.is_none() => {
                        let callee = self.callee(&only.name);
                        self.set(only.clone());
                        self.function(node.body(), Some(callee), false);
                    }
                    [first, ..] => {
                        self.read(first.clone(), &Place::default());
                        self.function(node.body(), None, method.is_some());
                    }
                    [] => {}
                }
            }
            Stmt::FunctionCall(call) => self.suffixed(call.prefix(), call.suffixes(), &Place::default()),
            Stmt::Do(node) => self.scoped(|walker| walker.block(node.block())),
            Stmt::While(node) => {
                self.plain(node.condition());
                self.scoped(|walker| walker.block(node.block()));
            }
            Stmt::Repeat(node) => self.scoped(|walker| {
                walker.block(node.block());
                walker.plain(node.until());
            }),
            Stmt::If(node) => {
                let outside = self.tested.len();
                self.condition(node.condition());
                self.scoped(|walker| walker.block(node.block()));
                for branch in node.else_if().into_iter().flatten() {
                    self.condition(branch.condition());
                    self.scoped(|walker| walker.block(branch.block()));
                }
                if let Some(block) = node.else_block() {
                    self.scoped(|walker| walker.block(block));
                }
                self.tested.truncate(outside);
            }
            Stmt::NumericFor(node) => {
                self.index(node.start());
                self.plain(node.end());
                node.step().into_iter().for_each(|step| self.plain(step));
                self.scoped(|walker| {
                    walker.declare(word(node.index_variable()), None);
                    walker.block(node.block());
                });
            }
            Stmt::GenericFor(node) => {
                node.expressions().iter().for_each(|value| self.plain(value));
                self.scoped(|walker| {
                    node.names().iter().for_each(|name| walker.declare(word(name), None));
                    walker.block(node.block());
                });
            }
            _ => {}
        }
    }

    /// A condition of an `if`; what it looks at decides what is done in its branches.
    fn condition(&mut self, condition: &Expression) {
        let before = self.facts.fields.len();
        self.plain(condition);
        let fields = self.facts.fields.iter().skip(before);
        self.tested.extend(fields.map(|field| field.name.clone()));
    }

    fn assign(&mut self, var: &Var, value: Option<&Expression>) {
        let mut place = Place::default();
        match var {
            Var::Name(token) => {
                let name = self.name(token);
                if let Some(value) = value {
                    if matches!(value, Expression::TableConstructor(_))
                        && self.depth == 0
                        && self.find(&name.name).is_none()
                    {
                        self.tables.insert(name.name.clone());
                    }
                    self.held(Some(&name), value);
                    if let Expression::Function(function) = value {
                        let callee = self.callee(&name.name);
                        self.set(name);
                        return self.function(function.body(), Some(callee), false);
                    }
                }
                self.set(name);
            }
            Var::Expression(expression) => {
                if let Prefix::Name(token) = expression.prefix() {
                    let name = self.name(token);
                    self.written(name);
                }
                let before = self.facts.fields.len();
                self.suffixed(expression.prefix(), expression.suffixes(), &place);
                let target = match expression.suffixes().last() {
                    Some(Suffix::Index(Index::Dot { name, .. })) => Some(self.name(name)),
                    _ => None,
                };
                // The last field of the chain is assigned, not read.
                if let Some(name) = target {
                    let at = self.facts.fields.iter().skip(before).position(|field| field.span == name.span);
                    if let Some(at) = at {
                        let field = self.facts.fields.remove(before + at);
                        self.facts.assigned.push(field);
                    }
                    place.field = Some(name.name);
                }
            }
            _ => {}
        }
        if let Some(value) = value {
            self.expression(value, &place);
        }
    }

    /// Notes `name = call(…)`.
    fn held(&mut self, name: Option<&Name>, value: &Expression) {
        if let (Some(name), Expression::FunctionCall(_)) = (name, value) {
            let span = self.span(value);
            self.facts.holds.push((name.clone(), span));
        }
    }

    fn set(&mut self, name: Name) {
        match self.find(&name.name).map(|binding| binding.depth) {
            Some(0) if self.depth > 0 => self.facts.kept.push(name),
            Some(_) => {}
            None => self.facts.sets.push((name, self.depth > 0)),
        }
    }

    fn read(&mut self, name: Name, place: &Place) {
        let Some(binding) = self.find(&name.name).cloned() else { return self.facts.reads.push(name) };
        self.facts.locals.insert(name.name);
        if let (Some((function, parameter)), Some(slot)) = (binding.parameter, &place.slot) {
            self.facts.forwarded.push(Forwarded { function, parameter, slot: slot.clone() });
        }
    }

    fn function(&mut self, body: &FunctionBody, callee: Option<Callee>, method: bool) {
        self.depth += 1;
        self.scoped(|walker| {
            if method {
                walker.declare("self".into(), None);
            }
            for (at, parameter) in body.parameters().iter().enumerate() {
                if let Parameter::Name(token) = parameter {
                    walker.declare(word(token), callee.clone().map(|callee| (callee, at)));
                }
            }
            walker.block(body.block());
        });
        self.depth -= 1;
    }

    fn plain(&mut self, expression: &Expression) {
        self.expression(expression, &Place::default());
    }

    /// An expression that is an index, a key, or where a loop begins.
    fn index(&mut self, expression: &Expression) {
        let before = self.facts.numbers.len();
        self.plain(expression);
        if matches!(expression, Expression::Number(_)) {
            self.facts.numbers.iter_mut().skip(before).for_each(|number| number.index = true);
        }
    }

    fn expression(&mut self, expression: &Expression, place: &Place) {
        match expression {
            Expression::String(token) => self.text(token, place),
            Expression::Number(_) => self.number(expression, false),
            Expression::Parentheses { expression, .. } => self.expression(expression, place),
            Expression::UnaryOperator { unop, expression: inner } => match (unop, &**inner) {
                (UnOp::Minus(_), Expression::Number(_)) => self.number(expression, false),
                _ => self.plain(inner),
            },
            Expression::BinaryOperator { lhs, binop, rhs } => self.binary(expression, lhs, binop, rhs, place),
            Expression::Function(function) => self.function(function.body(), None, false),
            Expression::TableConstructor(table) => {
                table.fields().iter().for_each(|entry| self.entry(entry, place));
            }
            Expression::FunctionCall(call) => self.suffixed(call.prefix(), call.suffixes(), place),
            Expression::Var(Var::Name(token)) => {
                let name = self.name(token);
                self.read(name, place);
            }
            Expression::Var(Var::Expression(var)) => self.suffixed(var.prefix(), var.suffixes(), place),
            _ => {}
        }
    }

    fn binary(&mut self, whole: &Expression, lhs: &Expression, op: &BinOp, rhs: &Expression, place: &Place) {
        match op {
            BinOp::TwoDots(_) => self.joined(whole, place),
            BinOp::And(_) => {
                self.plain(lhs);
                self.expression(rhs, place);
            }
            BinOp::Or(_) => {
                self.expression(lhs, place);
                self.expression(rhs, place);
            }
            BinOp::TwoEqual(_) | BinOp::TildeEqual(_) => {
                self.expression(lhs, &Place { slot: None, field: last_field(rhs) });
                self.expression(rhs, &Place { slot: None, field: last_field(lhs) });
            }
            BinOp::Plus(_) | BinOp::Minus(_) | BinOp::Star(_)
                if matches!((lhs, rhs), (Expression::Number(_), Expression::Number(_))) =>
            {
                self.number(whole, true);
            }
            _ => {
                self.plain(lhs);
                self.plain(rhs);
            }
        }
    }

    fn joined(&mut self, whole: &Expression, place: &Place) {
        let mut parts = Vec::new();
        flatten(whole, &mut parts);
        let texts: Vec<Option<String>> = parts.iter().map(|part| literal(part)).collect();
        let known = |texts: &mut dyn Iterator<Item = &Option<String>>| -> Vec<String> {
            texts.map_while(Clone::clone).collect()
        };
        let prefix = known(&mut texts.iter()).concat();
        let mut ends = known(&mut texts.iter().rev());
        ends.reverse();
        let middle: Vec<&&Expression> = parts.iter().filter(|part| literal(part).is_none()).collect();
        let field = match middle.as_slice() {
            [only] => last_field(only),
            _ => None,
        };
        let span = self.span(whole);
        let suffix = if middle.is_empty() { String::new() } else { ends.concat() };
        let tested = self.tested.clone();
        self.facts.joined.push(Joined { prefix, suffix, field, span, slot: place.slot.clone(), tested });
        for part in parts {
            if literal(part).is_none() {
                self.plain(part);
            }
        }
    }

    fn text(&mut self, token: &TokenReference, place: &Place) {
        let span = self.span(token);
        let Place { slot, field } = place.clone();
        self.facts.texts.push(Text { value: content(token), span, slot, field });
    }

    fn number(&mut self, expression: &Expression, sum: bool) {
        let span = self.span(expression);
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default().to_string();
        let in_function = self.depth > 0;
        self.facts.numbers.push(Number { text, span, in_function, index: false, sum });
    }

    fn entry(&mut self, entry: &Entry, place: &Place) {
        let slot = place.slot.as_ref();
        // Inside a table of a table the key of the outer one still says what it is for: rule = { "1.1", "1.2" }.
        let inner = |key: &str| Place {
            slot: slot.map(|slot| Slot { key: slot.key.clone().or(Some(key.into())), ..slot.clone() }),
            field: None,
        };
        match entry {
            Entry::NameKey { key, value, .. } => {
                let name = self.name(key);
                self.facts.given.insert(name.name.clone());
                let top = slot.filter(|slot| slot.key.is_none());
                if let Some(slot) = top {
                    let (name, span, slot) = (name.name.clone(), name.span, slot.clone());
                    self.facts.keys.push(Key { name, span, slot });
                }
                let place = if top.is_some() { inner(&name.name) } else { Place::default() };
                self.expression(value, &place);
            }
            Entry::ExpressionKey { key, value, .. } => {
                self.facts.given.extend(literal(key));
                self.index(key);
                self.plain(value);
            }
            Entry::NoKey(value) => self.expression(value, &inner("")),
            _ => {}
        }
    }

    fn suffixed<'s>(&mut self, prefix: &Prefix, suffixes: impl Iterator<Item = &'s Suffix>, place: &Place) {
        let mut suffixes = suffixes.peekable();
        let mut base = match prefix {
            Prefix::Name(token) => {
                let name = self.name(token);
                let callee = self.callee(&name.name);
                self.read(
                    name,
                    if suffixes.peek().is_none() { place } else { &Place { slot: None, field: None } },
                );
                Base::Callee(callee)
            }
            Prefix::Expression(inner) => {
                self.plain(inner);
                Base::Other
            }
            _ => Base::Other,
        };
        let mut of_side = false;
        let mut last: (Option<String>, Option<String>) = (None, None);
        for suffix in suffixes {
            let sides = matches!(&base, Base::Callee(Callee::Global(name)) if name == "sides");
            base = match suffix {
                Suffix::Call(Call::AnonymousCall(args)) => {
                    let is_value = matches!(&base, Base::Callee(Callee::Global(name)) if name == "value");
                    self.call(base, args);
                    let figure = only_text(args).filter(|_| is_value);
                    last = (figure.clone(), None);
                    figure.map_or(Base::Other, Base::Figure)
                }
                Suffix::Call(Call::MethodCall(call)) => {
                    let name = self.name(call.name());
                    self.facts.methods.push(name.clone());
                    self.call(Base::Callee(Callee::Method(name.name)), call.args());
                    last = (None, None);
                    Base::Other
                }
                Suffix::Index(Index::Dot { name, .. }) => {
                    let Name { name, span } = self.name(name);
                    let of = match &base {
                        Base::Figure(id) => {
                            last = (Some(id.clone()), Some(name.clone()));
                            let key = Name { name, span };
                            self.facts.figures.push((id.clone(), key));
                            base = Base::Other;
                            continue;
                        }
                        Base::Callee(Callee::Global(of)) => Some(of.clone()),
                        _ => None,
                    };
                    last = (None, Some(name.clone()));
                    self.facts.fields.push(Field { name: name.clone(), span, of: of.clone(), of_side });
                    of.map_or(Base::Other, |of| Base::Callee(Callee::Member(of, name)))
                }
                Suffix::Index(Index::Brackets { expression, .. }) => {
                    self.index(expression);
                    last = (None, None);
                    Base::Other
                }
                _ => Base::Other,
            };
            of_side = sides;
        }
        if let (Some(slot), true) = (&place.slot, last.0.is_some() || last.1.is_some()) {
            let span = self.span(prefix);
            self.facts.passed.push(Passed { figure: last.0, key: last.1, slot: slot.clone(), span });
        }
    }

    fn call(&mut self, base: Base, args: &FunctionArgs) {
        let callee = match base {
            Base::Callee(callee) => Some(callee),
            _ => None,
        };
        let call = self.facts.calls.len();
        if let Some(callee) = &callee {
            let span = self.span(args);
            self.facts.calls.push((callee.clone(), span));
        }
        let place = |argument| Place {
            slot: callee.clone().map(|callee| Slot { callee, call, argument, key: None }),
            field: None,
        };
        let open = |last: &Expression| matches!(last, Expression::FunctionCall(_) | Expression::Symbol(_));
        let arity = match args {
            FunctionArgs::Parentheses { arguments, .. } => {
                (!arguments.iter().last().is_some_and(open)).then(|| arguments.len())
            }
            _ => Some(1),
        };
        if callee.is_some() {
            self.facts.arities.insert(call, arity);
        }
        let outer = self.rule;
        if let Some(Callee::Global(name)) = &callee
            && REGISTERS.contains(&name.as_str())
        {
            self.rule = self.rule.or(Some(self.depth));
        }
        if let (Some(Callee::Member(of, name)), FunctionArgs::Parentheses { arguments, .. }) = (&callee, args)
            && of == "table"
            && CHANGES.contains(&name.as_str())
            && let Some(Expression::Var(Var::Name(token))) = arguments.iter().next()
        {
            let name = self.name(token);
            self.written(name);
        }
        match args {
            FunctionArgs::Parentheses { arguments, .. } => {
                for (at, argument) in arguments.iter().enumerate() {
                    self.expression(argument, &place(at));
                }
            }
            FunctionArgs::String(token) => self.text(token, &place(0)),
            FunctionArgs::TableConstructor(table) => {
                table.fields().iter().for_each(|entry| self.entry(entry, &place(0)));
            }
            _ => {}
        }
        self.rule = outer;
    }
}

/// The word of a name.
fn word(token: &TokenReference) -> String {
    match token.token().token_type() {
        TokenType::Identifier { identifier } => identifier.to_string(),
        _ => token.token().to_string(),
    }
}

/// The content of a string token; escapes stay as they are written.
fn content(token: &TokenReference) -> String {
    match token.token().token_type() {
        TokenType::StringLiteral { literal, .. } => literal.to_string(),
        _ => String::new(),
    }
}

fn literal(expression: &Expression) -> Option<String> {
    match expression {
        Expression::String(token) => Some(content(token)),
        Expression::Parentheses { expression, .. } => literal(expression),
        _ => None,
    }
}

/// The text that is the only argument of a call.
fn only_text(args: &FunctionArgs) -> Option<String> {
    match args {
        FunctionArgs::String(token) => Some(content(token)),
        FunctionArgs::Parentheses { arguments, .. } if arguments.len() == 1 => {
            arguments.iter().next().and_then(literal)
        }
        _ => None,
    }
}

fn flatten<'e>(expression: &'e Expression, parts: &mut Vec<&'e Expression>) {
    match expression {
        Expression::BinaryOperator { lhs, binop: BinOp::TwoDots(_), rhs } => {
            flatten(lhs, parts);
            flatten(rhs, parts);
        }
        other => parts.push(other),
    }
}

/// The field at the end of a chain: `kind` of `unit.space.kind`.
fn last_field(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Var(Var::Expression(var)) => match var.suffixes().last()? {
            Suffix::Index(Index::Dot { name, .. }) => Some(word(name)),
            _ => None,
        },
        Expression::Parentheses { expression, .. } => last_field(expression),
        _ => None,
    }
}

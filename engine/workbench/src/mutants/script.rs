//! Mutants of scripts: conditions negated, statements dropped, numbers moved.

use super::Mutant;
use full_moon::ast::{self, Ast};
use full_moon::node::Node;
use full_moon::tokenizer::TokenType;
use full_moon::visitors::Visitor;

pub(super) fn scripts(name: &str, text: &str, mutants: &mut Vec<Mutant>) {
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

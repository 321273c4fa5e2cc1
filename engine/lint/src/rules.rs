//! Handlers: what they hang on, what they run, the paragraphs they cite, and those that nothing uses.

use crate::arg_roles::ArgRole;
use crate::context::LintContext;
use crate::facts::Callee;
use crate::refs::inner;
use crate::{codes, place};
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::source::Span;
use sandtable_data::suggest::did_you_mean;
use sandtable_data::tree::Node;
use sandtable_script::{Handler, Kind, ScriptContext, loose_ends};
use std::collections::BTreeSet;

/// Reports what is wrong with the registered handlers.
pub(crate) fn handlers(
    context: &LintContext<'_>,
    cx: &ScriptContext,
    paragraphs: &BTreeSet<String>,
    out: &mut Diagnostics,
) {
    let registry = cx.registry.borrow();
    let rules = Rules { context, cx, handlers: &registry.handlers };
    for loose in loose_ends(cx) {
        let near = did_you_mean(&loose.name, loose.names.iter().map(String::as_str));
        let span = rules.place(&registry.handlers[loose.handler as usize], &loose.name);
        let problem = Diagnostic::error(&codes::UNKNOWN_RULE, span, loose.message);
        out.push(problem.help(near.or(loose.otherwise)));
    }
    for handler in &registry.handlers {
        rules.target(handler, out);
        rules.effect(handler, out);
        // What tables cite is looked at where it stands.
        let rules_cited = handler.rules.iter().filter(|_| handler.kind != Kind::Limit);
        for rule in rules_cited {
            if !paragraphs.contains(rule) {
                let message = format!(
                    "{} `{}` cites paragraph {rule}, which the rulebook does not have",
                    handler.kind.name(),
                    handler.id
                );
                let span = rules.place(handler, rule);
                let help = did_you_mean(rule, paragraphs.iter().map(String::as_str));
                out.push(Diagnostic::error(&codes::UNKNOWN_PARAGRAPH, span, message).help(help));
            }
        }
        // Queries called `outcome.NAME` are there for `odds`.
        if rules.is_unused(handler) && !handler.id.starts_with("outcome.") {
            let message = format!("{} `{}` is never used", handler.kind.name(), handler.id);
            out.push(Diagnostic::warning(&codes::NEVER_USED, rules.place(handler, &handler.id), message));
        }
    }
    rules.calls(out);
    rules.sequence(out);
    rules.limits(out);
    rules.outlook(out);
}

struct Rules<'a, 'c> {
    context: &'a LintContext<'c>,
    cx: &'a ScriptContext,
    handlers: &'a [Handler],
}

impl Rules<'_, '_> {
    fn ids(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.handlers.iter().filter(move |handler| handler.kind == kind).map(|handler| handler.id.as_str())
    }

    /// The text in the scripts that made a handler say this; else the line where it was registered.
    fn place(&self, handler: &Handler, text: &str) -> Span {
        let (path, line) = handler.place.rsplit_once(':').unwrap_or((&handler.place, "1"));
        let line: u32 = line.parse().unwrap_or(1);
        let file = place::of_path(self.context.catalog, path);
        let all = self.context.scripts.iter().flat_map(|facts| facts.texts.iter());
        let mut fits = all.filter(|found| found.value == text);
        let near = |span: Span| {
            Some(span.file) == file && (line..line + 12).contains(&place::line(self.context.catalog, span))
        };
        let found = fits.clone().find(|found| near(found.span)).or_else(|| fits.next());
        match (found, file) {
            (Some(found), _) => inner(found.span),
            (None, Some(file)) => place::of_line(self.context.catalog, file, line),
            (None, None) => Span::default(),
        }
    }

    /// Prompts and events have names that scripts may put together: the texts of the scripts say which there can be.
    fn target(&self, handler: &Handler, out: &mut Diagnostics) {
        let (context, target) = (self.context, self.cx.text(handler.target));
        match handler.kind {
            Kind::Forbid | Kind::Prefer | Kind::Offer
                if !context.mentions.has(&target, &[ArgRole::Prompt]) =>
            {
                let what = if handler.kind == Kind::Offer { "menu" } else { "prompt" };
                let message = format!(
                    "{} `{}` hangs on {what} `{target}`, which does not exist",
                    handler.kind.name(),
                    handler.id
                );
                let help = did_you_mean(&target, context.mentions.of(ArgRole::Prompt));
                let span = self.place(handler, &target);
                out.push(Diagnostic::error(&codes::UNKNOWN_RULE, span, message).help(help));
            }
            Kind::On if !self.is_raised(&target) => {
                let message =
                    format!("`{}` waits for the event `{target}`, which nothing raises", handler.id);
                let nodes = self.node_events();
                let names = nodes.iter().map(String::as_str).chain(context.mentions.of(ArgRole::Event));
                let help = did_you_mean(&target, names);
                out.push(
                    Diagnostic::warning(&codes::NEVER_RAISED, self.place(handler, &target), message)
                        .help(help),
                );
            }
            _ => {}
        }
    }

    fn node_events(&self) -> Vec<String> {
        let nodes = &self.context.definition.sequence.nodes;
        nodes.iter().flat_map(|node| [format!("{}.start", node.name), format!("{}.end", node.name)]).collect()
    }

    fn is_raised(&self, event: &str) -> bool {
        self.node_events().iter().any(|known| known == event)
            || self.context.mentions.has(event, &[ArgRole::Event])
    }

    fn effect(&self, handler: &Handler, out: &mut Diagnostics) {
        if !handler.during.is_none() {
            let effect = self.cx.text(handler.during);
            if !self.is_started(&effect) {
                let message = format!(
                    "{} `{}` holds during the effect `{effect}`, which nothing starts",
                    handler.kind.name(),
                    handler.id
                );
                let help = did_you_mean(&effect, self.context.mentions.of(ArgRole::Effect));
                out.push(
                    Diagnostic::warning(&codes::NEVER_STARTED, self.place(handler, &effect), message)
                        .help(help),
                );
            }
        }
    }

    fn is_started(&self, effect: &str) -> bool {
        // `schedule` makes an effect of the procedure's name.
        self.context.mentions.has(effect, &[ArgRole::Effect, ArgRole::Procedure])
            || self.context.names.data.contains(effect)
    }

    fn is_unused(&self, handler: &Handler) -> bool {
        let context = self.context;
        let id = handler.id.as_str();
        let arg_roles: &[ArgRole] = match handler.kind {
            Kind::Procedure => &[ArgRole::Procedure],
            Kind::Number => &[ArgRole::Number],
            Kind::Query => &[],
            _ => return false,
        };
        // What a library registers is for who calls it.
        let package = context.catalog.layers.get(usize::from(handler.layer));
        if package.is_some_and(|package| package.library) {
            return false;
        }
        if context.mentions.has(id, arg_roles)
            || context.names.data.contains(id)
            || context.names.nodes.contains(id)
        {
            return false;
        }
        let stage_of = |other: &Handler| {
            other.kind == Kind::Procedure
                && other.stages.iter().any(|&stage| format!("{}.{}", other.id, self.cx.text(stage)) == id)
        };
        let run_by = |other: &Handler| other.kind == Kind::Offer && self.cx.text(other.run) == id;
        let when = context.definition.sequence.nodes.iter().any(|node| node.when.as_deref() == Some(id));
        !(when || self.handlers.iter().any(|other| stage_of(other) || run_by(other)) || self.is_held(handler))
    }

    /// Whether a name that scripts read holds the function that registering gave; true if that cannot be told.
    fn is_held(&self, handler: &Handler) -> bool {
        let (path, line) = handler.place.rsplit_once(':').unwrap_or((&handler.place, "0"));
        let Some(facts) = place::of_path(self.context.catalog, path)
            .and_then(|file| self.context.scripts.iter().find(|facts| facts.file == file))
        else {
            return true;
        };
        // Registered by a function of the game: who knows what becomes of it.
        let written = facts.texts.iter().any(|text| {
            text.value == handler.id
                && text.slot.as_ref().is_some_and(|slot| {
                    slot.argument == 0
                        && matches!(&slot.callee, Callee::Global(name) if name == handler.kind.name())
                })
        });
        if !written {
            return true;
        }
        let line: u32 = line.parse().unwrap_or(0);
        let held = facts.holds.iter().find(|(_, call)| place::line(self.context.catalog, *call) == line);
        held.is_some_and(|(name, _)| {
            facts.locals.contains(&name.name)
                || self
                    .context
                    .scripts
                    .iter()
                    .any(|other| other.reads.iter().any(|read| read.name == name.name))
        })
    }

    /// Calls of procedures and numbers, effects that are looked for, and refusals by id, in the scripts' own words.
    fn calls(&self, out: &mut Diagnostics) {
        for facts in self.context.scripts {
            for text in &facts.texts {
                let Some(slot) = &text.slot else { continue };
                for role in self.context.arg_roles.of(facts.file, slot) {
                    let asks = matches!(&slot.callee, Callee::Global(name) if name == "is_procedure");
                    let (what, kind) = match role {
                        ArgRole::Procedure if !asks => ("procedure", Kind::Procedure),
                        ArgRole::Number => ("number", Kind::Number),
                        ArgRole::EffectRead if slot.key.is_none() && !self.is_started(&text.value) => {
                            let message =
                                format!("the effect `{}` is looked for, and nothing starts it", text.value);
                            let help = did_you_mean(&text.value, self.context.mentions.of(ArgRole::Effect));
                            out.push(
                                Diagnostic::warning(&codes::NEVER_STARTED, inner(text.span), message)
                                    .help(help),
                            );
                            continue;
                        }
                        ArgRole::Heard if slot.key.is_some() && !self.is_raised(&text.value) => {
                            let message = format!(
                                "something is scheduled for the event `{}`, which nothing raises",
                                text.value
                            );
                            let nodes = self.node_events();
                            let help = did_you_mean(&text.value, nodes.iter().map(String::as_str));
                            out.push(
                                Diagnostic::warning(&codes::NEVER_RAISED, inner(text.span), message)
                                    .help(help),
                            );
                            continue;
                        }
                        _ => continue,
                    };
                    // An offer that runs nothing was reported with its handler.
                    if slot.key.is_none() && !self.ids(kind).any(|id| id == text.value) {
                        let message = format!("there is no {what} `{}`", text.value);
                        let help = did_you_mean(&text.value, self.ids(kind));
                        out.push(
                            Diagnostic::error(&codes::UNKNOWN_RULE, inner(text.span), message).help(help),
                        );
                    }
                }
            }
        }
    }

    /// Leaves of the sequence run procedures, and `when` asks queries.
    fn sequence(&self, out: &mut Diagnostics) {
        for node in &self.context.definition.sequence.nodes {
            let row = self.context.catalog.row("sequence", &node.name);
            let place = || match row {
                Some(row) => row.origin.span(),
                None => self.step_place(&node.name),
            };
            if node.steps.is_empty() && !self.ids(Kind::Procedure).any(|id| id == node.name) {
                let message = format!(
                    "the step `{}` of the sequence is neither a node with steps nor a procedure",
                    node.name
                );
                let names =
                    self.ids(Kind::Procedure).chain(self.context.names.nodes.iter().map(String::as_str));
                out.push(
                    Diagnostic::error(&codes::UNKNOWN_RULE, place(), message)
                        .help(did_you_mean(&node.name, names)),
                );
            }
            if let Some(when) = &node.when
                && !self.ids(Kind::Query).any(|id| id == when)
            {
                let message = format!("`when` of sequence.{} is `{when}`; there is no such query", node.name);
                let span = row.and_then(|row| row.get("when")).map_or_else(place, |node| node.origin.span());
                out.push(
                    Diagnostic::error(&codes::UNKNOWN_RULE, span, message)
                        .help(did_you_mean(when, self.ids(Kind::Query))),
                );
            }
        }
    }

    /// What players value may ask queries.
    fn outlook(&self, out: &mut Diagnostics) {
        for (id, row) in self.context.catalog.rows("outlook") {
            let queries: Vec<&str> = self.ids(Kind::Query).collect();
            let Some(node) = row.get("query") else { continue };
            let Some(name) = node.as_str().filter(|name| !queries.contains(name)) else { continue };
            let message = format!("outlook.{id} names `{name}`; there is no such query");
            out.push(
                Diagnostic::error(&codes::UNKNOWN_RULE, node.origin, message)
                    .help(did_you_mean(name, queries)),
            );
        }
    }

    /// Limits hold at nodes or procedures, are mended by procedures, and ask queries.
    fn limits(&self, out: &mut Diagnostics) {
        for (id, row) in self.context.catalog.rows("limit") {
            let mut wrong = |node: &Node, what: &str, names: Vec<&str>| {
                let Some(name) = node.as_str().filter(|name| !names.contains(name)) else { return };
                let message = format!("limit.{id} names `{name}`; there is no such {what}");
                out.push(
                    Diagnostic::error(&codes::UNKNOWN_RULE, node.origin, message)
                        .help(did_you_mean(name, names)),
                );
            };
            let nodes = self.context.names.nodes.iter().map(String::as_str);
            let moments: Vec<&str> = self.ids(Kind::Procedure).chain(nodes).collect();
            for moment in row.get("at").and_then(Node::as_array).into_iter().flatten() {
                wrong(moment, "node of the sequence or procedure", moments.clone());
            }
            let over = row.get("over").map(|over| match over.as_table() {
                Some(by_moment) => by_moment.iter().map(|(_, over)| over).collect(),
                None => vec![over],
            });
            for over in over.into_iter().flatten() {
                wrong(over, "procedure", self.ids(Kind::Procedure).collect());
            }
            if let Some(query) = row.get("most").and_then(|most| most.get("query")) {
                wrong(query, "query", self.ids(Kind::Query).collect());
            }
        }
    }

    /// Where a step without a row of its own is named.
    fn step_place(&self, name: &str) -> Span {
        let mut steps = self
            .context
            .catalog
            .rows("sequence")
            .filter_map(|(_, row)| row.get("steps")?.as_array())
            .flatten();
        steps.find(|step| step.as_str() == Some(name)).map_or(Span::default(), |step| step.origin.span())
    }
}

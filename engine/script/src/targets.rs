//! Handlers that hang on something that no script registers: they would never run, and nobody would notice.
//!
//! Only what can be known for certain is said. Events, prompts and effects have names that scripts may put together, so that a
//! handler for one that is never raised, asked or started is a matter for `check`.

use crate::context::ScriptContext;
use crate::error::ScriptError;
use crate::registry::{Handler, Kind, Registry};

/// A handler with a name in it that does not exist.
#[derive(Debug)]
pub struct Loose {
    /// The number of the handler.
    pub handler: u32,
    /// What was written, or the id of the handler where nothing was.
    pub name: String,
    /// What is wrong.
    pub message: String,
    /// Names that there are.
    pub names: Vec<String>,
    /// What to say where none of them is near.
    pub otherwise: Option<String>,
}

/// All loose ends of the handlers, in order of registration.
pub fn loose_ends(cx: &ScriptContext) -> Vec<Loose> {
    let registry = cx.registry.borrow();
    let ends = Ends { cx, registry: &registry };
    (0u32..).zip(&registry.handlers).flat_map(|(number, handler)| ends.of(number, handler)).collect()
}

/// The same as errors of loading.
pub(crate) fn errors(cx: &ScriptContext) -> Vec<ScriptError> {
    let error = |loose: &Loose| {
        let registry = cx.registry.borrow();
        let mut hint = ScriptContext::nearest(&loose.name, loose.names.iter().map(String::as_str));
        if let (true, Some(otherwise)) = (hint.is_empty(), &loose.otherwise) {
            hint = format!("; {otherwise}");
        }
        let place = registry.handlers[loose.handler as usize].place.rsplit_once(':');
        let place = place.and_then(|(file, line)| Some((file.to_string(), line.parse().ok()?)));
        ScriptError { place, ..ScriptError::new(format!("{}{hint}", loose.message)) }
    };
    loose_ends(cx).iter().map(error).collect()
}

struct Ends<'a> {
    cx: &'a ScriptContext,
    registry: &'a Registry,
}

impl Ends<'_> {
    fn has(&self, kind: Kind, id: &str) -> bool {
        self.registry.find(Some(kind), id).is_some()
    }

    fn ids(&self, kind: Kind) -> Vec<String> {
        let handlers = self.registry.handlers.iter().filter(|handler| handler.kind == kind);
        handlers.map(|handler| handler.id.clone()).collect()
    }

    fn of(&self, number: u32, handler: &Handler) -> Vec<Loose> {
        let loose = |name: &str, message: String, kind: Kind| Loose {
            handler: number,
            name: name.to_string(),
            message,
            names: self.ids(kind),
            otherwise: None,
        };
        let (target, id) = (self.cx.text(handler.target), &handler.id);
        let hangs_on = |what: &str, kind: Kind| {
            let message =
                format!("{} `{id}` hangs on {what} `{target}`, which does not exist", handler.kind.name());
            (!self.has(kind, &target)).then(|| loose(&target, message, kind))
        };
        match handler.kind {
            Kind::Before | Kind::After | Kind::Instead => {
                hangs_on("procedure", Kind::Procedure).into_iter().collect()
            }
            Kind::Waive => hangs_on("refusal", Kind::Forbid).into_iter().collect(),
            Kind::Modify => {
                hangs_on("number", Kind::Number).or_else(|| self.stage(number, handler)).into_iter().collect()
            }
            Kind::Offer => {
                let run = self.cx.text(handler.run);
                let message = format!("offer `{id}` runs procedure `{run}`, which does not exist");
                let missing = !self.has(Kind::Procedure, &run);
                missing.then(|| loose(&run, message, Kind::Procedure)).into_iter().collect()
            }
            Kind::Procedure => {
                let stages = handler.stages.iter().map(|&stage| self.cx.text(stage));
                let missing = stages.filter(|stage| !self.has(Kind::Procedure, &format!("{id}.{stage}")));
                let message = |stage: &str| {
                    format!(
                        "procedure `{id}` has the stage `{stage}`, but there is no procedure `{id}.{stage}`"
                    )
                };
                missing.map(|stage| loose(&stage, message(&stage), Kind::Procedure)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A contribution at a stage that its number does not have.
    fn stage(&self, number: u32, handler: &Handler) -> Option<Loose> {
        let mut numbers = self.registry.handlers.iter().filter(|other| other.kind == Kind::Number);
        let base = numbers.find(|other| other.target == handler.target)?;
        let given = !handler.stage.is_none();
        if base.stages.contains(&handler.stage) || !given && base.stages.is_empty() {
            return None;
        }
        let stages: Vec<String> = base.stages.iter().map(|&stage| self.cx.text(stage)).collect();
        let otherwise = match stages.as_slice() {
            [] => "it has none".to_string(),
            stages => format!("its stages: {}", stages.join(", ")),
        };
        let (name, names, what) = match given {
            true => {
                let stage = self.cx.text(handler.stage);
                let what = format!("number `{}` has no stage `{stage}`", base.id);
                (stage, stages, what)
            }
            false => (handler.id.clone(), Vec::new(), format!("it names no `stage` of number `{}`", base.id)),
        };
        let message = format!("modify `{}`: {what}", handler.id);
        Some(Loose { handler: number, name, message, names, otherwise: Some(otherwise) })
    }
}

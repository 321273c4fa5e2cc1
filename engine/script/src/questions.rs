//! What tools and the session ask of the rules: queries, refusals, selections, invariants.

use crate::api;
use crate::audit::Audit;
use crate::context::Reason;
use crate::error::ScriptError;
use crate::host::Host;
use crate::limit;
use crate::registry::Kind;
use crate::val::{Decision, Opt, Test, Val};
use crate::vm::Held;
use mlua::{Function, MultiValue, Value};
use sandtable_kernel::state::effect_col;
use sandtable_kernel::symbol::Sym;

/// The keys of an ask that say how it is asked, not what about.
const ASKING: &[&str] = &[
    "among", "none", "from", "to", "min", "max", "at_least", "at_most", "cost", "many", "limit", "test",
    "always", "least", "offer",
];

/// Between what numbers is asked `from` and `to`; a way leads from and to things.
fn is_way(key: &str, val: Val) -> bool {
    matches!(key, "from" | "to") && !matches!(val, Val::Int(_))
}

impl Host {
    /// Whether anything would happen at an event: a handler, an effect that waits for it, or a limit that may be broken.
    pub fn has_event(&self, event: &str) -> bool {
        let Some(event) = self.cx.symbols.borrow().get(event) else { return false };
        let waits = |col: u16| self.cx.play.borrow().state.any_effect(col, event.cell());
        !self.cx.registry.borrow().of(Kind::On, event).is_empty()
            || waits(effect_col::ON)
            || waits(effect_col::UNTIL)
            || self.is_broken_at(event)
    }

    /// Whether a limit that must hold at an event may not do so.
    fn is_broken_at(&self, event: Sym) -> bool {
        self.cx.limits_at(event, true).any(|number| self.cx.may_be_broken(number))
    }

    /// The limits that are broken now, whatever their moments.
    pub fn broken_limits(&self) -> Result<Vec<Reason>, ScriptError> {
        self.cx.refill();
        self.cx.within((), limit::broken).map_err(|error| self.error(&error))
    }

    /// Whether there is a procedure of that name.
    pub fn has_procedure(&self, name: &str) -> bool {
        let sym = self.cx.symbols.borrow().get(name);
        sym.is_some_and(|sym| !self.cx.registry.borrow().of(Kind::Procedure, sym).is_empty())
    }

    /// Asks a query for a truth value; a part of the turn under way, as the walk through the sequence of play asks it.
    pub fn test(&self, query: &str) -> Result<bool, ScriptError> {
        let Some(answer) = self.asked(query, &[])? else { return Ok(true) };
        Ok(!matches!(answer, Value::Nil | Value::Boolean(false)))
    }

    /// Asks a query for a value: what tools observe of a game.
    pub fn answer(&self, query: &str, args: &[Val]) -> Result<Val, ScriptError> {
        self.cx.refill();
        let answer = self.asked(query, args)?.unwrap_or(Value::Nil);
        self.cx.val(&answer).map_err(|why| ScriptError::from_lua(&why.into(), Vec::new()))
    }

    fn asked(&self, query: &str, args: &[Val]) -> Result<Option<Value>, ScriptError> {
        let func = {
            let registry = self.cx.registry.borrow();
            match registry.find(Some(Kind::Query), query) {
                Some(number) => {
                    let handler = &registry.handlers[number as usize];
                    handler.fired.set(handler.fired.get() + 1);
                    if handler.disabled.get() { None } else { handler.func.clone() }
                }
                None => return Err(ScriptError::new(format!("no query {query}"))),
            }
        };
        let Some(func) = func else { return Ok(None) };
        let ask = || {
            let vm = self.vm();
            let values = args.iter().map(|&arg| self.cx.lua(&vm.lua, arg));
            func.call::<Value>(values.collect::<mlua::Result<MultiValue>>()?)
        };
        api::pure(&self.cx, ask).map(Some).map_err(|error| self.error(&error))
    }

    /// Why an option of a decision is refused: nothing if it is legal.
    pub fn explain(&self, decision: &Decision, opt: Opt) -> Result<Vec<Reason>, ScriptError> {
        self.cx.refill();
        let Some(spec) = &decision.spec else { return Ok(Vec::new()) };
        self.same_vm(spec.lies_in(&self.cx))?;
        api::explain(&self.cx, decision, spec, opt).map_err(|error| self.error(&error))
    }

    /// What a decision is about: the fields of the table given to `ask` that are no part of asking, by name.
    pub fn subjects(&self, decision: &Decision) -> Vec<(String, Val)> {
        let spec = decision.spec.as_ref().filter(|spec| spec.lies_in(&self.cx));
        let Some(Ok(Value::Table(spec))) = spec.map(|spec| self.cx.kept_value(spec)) else {
            return Vec::new();
        };
        let Ok(spec) = api::contents(spec) else { return Vec::new() };
        let mut found: Vec<(String, Val)> = spec
            .pairs::<String, Value>()
            .flatten()
            .filter(|(_, value)| !value.is_nil())
            .filter_map(|(key, value)| Some((key, self.cx.val(&value).ok()?)))
            .filter(|(key, val)| !ASKING.contains(&key.as_str()) || is_way(key, *val))
            .collect();
        found.sort();
        found
    }

    /// Whether a selection passes the test that `choose` was given.
    pub fn passes(
        &self,
        values: &[Val],
        chosen: &[u32],
        test: Option<&Held<Test>>,
    ) -> Result<bool, ScriptError> {
        self.cx.refill();
        let test = test.map(|test| self.held(test)).transpose()?;
        api::passes(&self.vm().lua, &self.cx, values, chosen, test).map_err(|error| self.error(&error))
    }

    /// Why a selection does not pass its test, if the test gives a reason: `return FINE, no("too-weak", target)`.
    pub fn why_not_all(
        &self,
        values: &[Val],
        chosen: &[u32],
        test: Option<&Held<Test>>,
    ) -> Result<Option<Reason>, ScriptError> {
        self.cx.explaining.set(true);
        self.cx.reason.borrow_mut().take();
        let passes = self.passes(values, chosen, test);
        self.cx.explaining.set(false);
        let reason = self.cx.reason.borrow_mut().take();
        Ok(reason.filter(|_| matches!(passes, Ok(false))))
    }

    /// The invariants that do not hold.
    pub fn broken_invariants(&self) -> Result<Vec<Reason>, ScriptError> {
        if self.vm().audit.as_ref().is_some_and(Audit::due) {
            self.audit()?;
        }
        let tests: Vec<(u32, Function)> = {
            let registry = self.cx.registry.borrow();
            let found = (0u32..).zip(&registry.handlers).filter(|(_, handler)| {
                // A layer may take one out of force, as any other rule.
                handler.kind == Kind::Invariant && !handler.disabled.get()
            });
            found.filter_map(|(number, handler)| Some((number, handler.func.clone()?))).collect()
        };
        let mut broken = Vec::new();
        for (number, test) in tests {
            self.cx.refill();
            self.cx.explaining.set(true);
            self.cx.reason.borrow_mut().take();
            let answer = api::pure(&self.cx, || test.call::<Value>(())).map_err(|error| self.error(&error));
            self.cx.explaining.set(false);
            if !matches!(answer?, Value::Nil | Value::Boolean(false)) {
                let reason = self.cx.reason.borrow_mut().take();
                let reason =
                    reason.unwrap_or(Reason { handler: number, text: "broken".into(), args: Vec::new() });
                broken.push(Reason { handler: number, ..reason });
            }
        }
        Ok(broken)
    }
}

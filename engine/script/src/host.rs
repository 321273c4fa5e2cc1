//! The host: one VM with the rules of one game loaded, which serves any number of sessions of that game.

use crate::api::{self, Decl};
use crate::audit::{Audit, Root};
use crate::border::{Out, Part};
use crate::cx::{Cx, Play, Reason};
use crate::error::ScriptError;
use crate::list_methods;
use crate::meter;
use crate::registry::Kind;
use crate::sandbox;
use crate::tokens::literals;
use crate::val::{Choice, Decision, Opt, Val};
use mlua::{Function, Lua, MultiValue, Table, Thread, Value};
use sandtable_kernel::search::Reach;
use sandtable_kernel::world::World;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A script of a package.
#[derive(Clone, Debug)]
pub struct Script {
    /// Number of the package in the order of layers; the game itself is 0.
    pub layer: u16,
    /// Package and path, as messages show it: `skirmish/combat.lua`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Where a run of a procedure has come to.
#[derive(Debug)]
pub enum Flow {
    /// It asks: the decisions are pending in the play.
    Asking,
    /// It is done, with this result.
    Done(Val),
    /// The game has ended.
    Ended,
}

/// A procedure under way: a coroutine that waits for an answer.
#[derive(Clone, Debug)]
pub struct Running(Thread);

/// What a step runs.
#[derive(Clone, Debug)]
pub enum Task {
    /// A procedure with arguments.
    Call(String, Vec<Val>),
    /// The handlers of an event.
    Emit(String),
}

/// The keys of an ask that say how it is asked, not what about.
const ASKING: &[&str] = &[
    "among", "none", "from", "to", "min", "max", "at_least", "at_most", "cost", "many", "limit", "test",
    "always", "offer",
];

/// A VM with the rules of one game.
pub struct Host {
    lua: Lua,
    cx: Rc<Cx>,
    decls: Vec<Decl>,
    call: Function,
    emit: Function,
    /// What a coroutine runs: one step after the other.
    work: Function,
    /// A coroutine that waits for the next step.
    idle: RefCell<Option<Thread>>,
    audit: Option<Audit>,
    /// The globals of each package.
    kept: RefCell<Vec<Root>>,
}

impl Host {
    /// Loads the scripts of a game and its layers. All errors are collected.
    pub fn new(world: Arc<World>, scripts: &[Script]) -> Result<Host, Vec<ScriptError>> {
        Host::without(world, scripts, None)
    }

    /// The same with one handler out of action, for mutation testing.
    pub fn without(
        world: Arc<World>,
        scripts: &[Script],
        handler: Option<u32>,
    ) -> Result<Host, Vec<ScriptError>> {
        Host::make(world, scripts, handler, false)
    }

    /// The same, able to tell whether scripts keep something between steps; for tests and simulations.
    pub fn audited(world: Arc<World>, scripts: &[Script]) -> Result<Host, Vec<ScriptError>> {
        Host::make(world, scripts, None, true)
    }

    fn make(
        world: Arc<World>,
        scripts: &[Script],
        handler: Option<u32>,
        audited: bool,
    ) -> Result<Host, Vec<ScriptError>> {
        let cx = Rc::new(Cx::new(world));
        let fatal = |error: mlua::Error| vec![ScriptError::from_lua(&error, Vec::new())];
        let lua = sandbox::new_lua(audited).map_err(fatal)?;
        let audit = if audited { Some(Audit::new(&lua).map_err(fatal)?) } else { None };
        cx.budget.set(cx.limit.get());
        let globals = sandbox::globals(&lua, &cx).map_err(fatal)?;
        let (decls, call, emit, work) = bind(&lua, &cx, &globals).map_err(fatal)?;
        for script in scripts {
            for literal in literals(&script.text) {
                cx.sym(&literal);
            }
        }
        // Names of events that the sequence of play raises by itself.
        let (idle, kept) = Default::default();
        let host = Host { lua, cx, decls, call, emit, work, idle, audit, kept };
        let errors = host.load(&globals, scripts);
        if !errors.is_empty() {
            return Err(errors);
        }
        host.cx.fixed.set(host.cx.symbols.borrow().len());
        if let Some(handler) = handler
            && let Some(handler) = host.cx.registry.borrow().handlers.get(handler as usize)
        {
            handler.disabled.set(true);
        }
        host.cx.registry.borrow_mut().finish();
        host.keep_functions().map_err(fatal)?;
        host.cx.loading.set(false);
        if let Some(audit) = &host.audit {
            audit.remember(&host.cx, &host.roots()).map_err(fatal)?;
        }
        Ok(host)
    }

    /// Puts the functions of the handlers where the border finds them.
    fn keep_functions(&self) -> mlua::Result<()> {
        for (number, handler) in (0u32..).zip(&self.cx.registry.borrow().handlers) {
            let parts =
                [(Part::Run, &handler.func), (Part::When, &handler.when), (Part::Among, &handler.among)];
            for (part, f) in parts {
                self.cx.border.keep_function(number, part, f.as_ref())?;
            }
        }
        Ok(())
    }

    /// Everything from which values that scripts keep can be reached.
    fn roots(&self) -> Vec<Root> {
        let mut roots = self.kept.borrow().clone();
        for handler in &self.cx.registry.borrow().handlers {
            for func in [&handler.func, &handler.when, &handler.among].into_iter().flatten() {
                roots
                    .push((format!("{} {}", handler.kind.name(), handler.id), Value::Function(func.clone())));
            }
        }
        roots
    }

    /// Fails if scripts hold anything else than after loading. Only an audited host can tell.
    pub fn audit(&self) -> Result<(), ScriptError> {
        let Some(audit) = &self.audit else { return Ok(()) };
        self.cx.budget.set(self.cx.limit.get());
        match audit.changed(&self.cx, &self.roots()).map_err(|error| self.error(&error))? {
            None => Ok(()),
            Some(change) => Err(ScriptError::new(change)),
        }
    }

    /// Runs every script once in the environment of its package, then freezes the environments.
    fn load(&self, globals: &Table, scripts: &[Script]) -> Vec<ScriptError> {
        let mut errors = Vec::new();
        let mut environments: BTreeMap<u16, Table> = BTreeMap::new();
        let modules = Modules::default();
        let given = match sandbox::names(globals) {
            Ok(names) => Rc::new(names),
            Err(error) => return vec![ScriptError::from_lua(&error, Vec::new())],
        };
        let mut above = globals.clone();
        let mut layers: Vec<u16> = scripts.iter().map(|script| script.layer).collect();
        layers.dedup();
        for layer in layers {
            let Ok(env) = environment(&self.lua, &above) else { continue };
            let own: Vec<Script> = scripts.iter().filter(|script| script.layer == layer).cloned().collect();
            let loader = Loader {
                cx: self.cx.clone(),
                env: env.clone(),
                scripts: Rc::new(own),
                modules: modules.clone(),
                layer,
                given: given.clone(),
            };
            if let Ok(require) = loader.clone().require(&self.lua) {
                let _ = env.raw_set("require", require);
            }
            for script in loader.scripts.iter() {
                self.cx.layer.set(layer);
                self.cx.budget.set(self.cx.limit.get());
                if let Err(error) = loader.run(&self.lua, script) {
                    errors.push(ScriptError::from_lua(&error, Vec::new()));
                }
            }
            match frozen(&self.lua, &env) {
                Ok(inner) => {
                    self.kept.borrow_mut().push(("the globals".into(), Value::Table(inner.clone())));
                    above = inner;
                }
                Err(error) => errors.push(ScriptError::from_lua(&error, Vec::new())),
            }
            environments.insert(layer, env);
        }
        errors
    }

    /// The context that API functions share.
    pub fn cx(&self) -> &Rc<Cx> {
        &self.cx
    }

    /// The declarations of the API.
    pub fn decls(&self) -> &[Decl] {
        &self.decls
    }

    /// Puts a game into the VM, or takes it out again: the two change places.
    pub fn swap(&self, play: &mut Play) {
        std::mem::swap(&mut *self.cx.play.borrow_mut(), play);
    }

    /// Starts a task.
    pub fn start(&self, task: &Task) -> Result<(Running, Flow), ScriptError> {
        {
            let mut play = self.cx.play.borrow_mut();
            play.chain.clear();
            play.pending.clear();
        }
        let begin = || -> mlua::Result<(Thread, MultiValue)> {
            let (func, name, args) = match task {
                Task::Call(name, args) => (&self.call, name, args.as_slice()),
                Task::Emit(event) => (&self.emit, event, [].as_slice()),
            };
            let mut values = MultiValue::new();
            values.push_back(Value::Function(func.clone()));
            values.push_back(Value::String(self.lua.create_string(name)?));
            for &arg in args {
                values.push_back(self.cx.lua(&self.lua, arg)?);
            }
            let idle = self.idle.borrow_mut().take();
            let thread = match idle {
                Some(thread) => thread,
                None => self.lua.create_thread(self.work.clone())?,
            };
            Ok((thread, values))
        };
        let (thread, values) = begin().map_err(|error| self.error(&error))?;
        let flow = self.resume_with(&thread, values)?;
        Ok((Running(thread), flow))
    }

    /// Gives an answer to a decision and runs on to the next.
    pub fn resume(
        &self,
        running: &Running,
        decision: &Decision,
        choice: &Choice,
    ) -> Result<Flow, ScriptError> {
        let mut values =
            api::values(&self.lua, &self.cx, choice, decision.menu).map_err(|error| self.error(&error))?;
        if decision.branch > 0 {
            values.push_front(Value::Integer(decision.branch.into()));
        }
        self.resume_with(&running.0, values)
    }

    fn resume_with(&self, thread: &Thread, values: MultiValue) -> Result<Flow, ScriptError> {
        self.cx.budget.set(self.cx.limit.get());
        let (done, result) = match thread.resume::<(Value, Value)>(values) {
            Ok(results) => results,
            Err(error) => {
                let error = self.error(&error);
                if error.fatal {
                    // What filled the memory hangs on the coroutine; without it, it is garbage.
                    let _ = thread.reset(self.call.clone());
                    let _ = self.lua.gc_collect();
                }
                return Err(error);
            }
        };
        if self.cx.play.borrow().ended.is_some() {
            return Ok(Flow::Ended);
        }
        if done.is_nil() {
            return Ok(Flow::Asking);
        }
        *self.idle.borrow_mut() = Some(thread.clone());
        Ok(Flow::Done(self.cx.val(&result).unwrap_or(Val::Nil)))
    }

    fn error(&self, error: &mlua::Error) -> ScriptError {
        self.cx.reset_after_error();
        let registry = self.cx.registry.borrow();
        let play = self.cx.play.borrow();
        let chain =
            play.chain.iter().filter_map(|&number| registry.handlers.get(number as usize)).map(|handler| {
                let rules = handler.rules.join(", ");
                format!(
                    "{} {}{}",
                    handler.kind.name(),
                    handler.id,
                    if rules.is_empty() { rules } else { format!(" [{rules}]") }
                )
            });
        let mut error = ScriptError::from_lua(error, chain.collect());
        if error.place.is_none()
            && let Some(handler) =
                play.chain.last().and_then(|&number| registry.handlers.get(number as usize))
            && let Some((file, line)) = handler.place.rsplit_once(':')
        {
            // An error without a place, as when memory runs out: the handler that ran is the next best.
            error.place = line.parse().ok().map(|line| (file.to_string(), line));
        }
        error
    }

    /// Whether anything would happen at an event: a handler, or an effect that waits for it.
    pub fn has_event(&self, event: &str) -> bool {
        let Some(event) = self.cx.symbols.borrow().get(event) else { return false };
        let play = self.cx.play.borrow();
        !self.cx.registry.borrow().of(Kind::On, event).is_empty()
            || !play.state.effects_where(sandtable_kernel::state::effect_col::ON, event.cell()).is_empty()
    }

    /// Whether there is a procedure of that name.
    pub fn has_procedure(&self, name: &str) -> bool {
        let sym = self.cx.symbols.borrow().get(name);
        sym.is_some_and(|sym| !self.cx.registry.borrow().of(Kind::Procedure, sym).is_empty())
    }

    /// Asks a query for a truth value.
    pub fn test(&self, query: &str) -> Result<bool, ScriptError> {
        let Some(answer) = self.asked(query, &[])? else { return Ok(true) };
        Ok(!matches!(answer, Value::Nil | Value::Boolean(false)))
    }

    /// Asks a query for a value: what tools observe of a game.
    pub fn answer(&self, query: &str, args: &[Val]) -> Result<Val, ScriptError> {
        let answer = self.asked(query, args)?.unwrap_or(Value::Nil);
        self.cx.val(&answer).map_err(ScriptError::new)
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
        self.cx.budget.set(self.cx.limit.get());
        let ask = || {
            let values = args.iter().map(|&arg| self.cx.lua(&self.lua, arg));
            func.call::<Value>(values.collect::<mlua::Result<MultiValue>>()?)
        };
        api::pure(&self.cx, ask).map(Some).map_err(|error| self.error(&error))
    }

    /// Why an option of a decision is refused: nothing if it is legal.
    pub fn explain(&self, decision: &Decision, opt: Opt) -> Result<Vec<Reason>, ScriptError> {
        self.cx.budget.set(self.cx.limit.get());
        api::explain(&self.cx, decision, opt).map_err(|error| self.error(&error))
    }

    /// What a decision is about: the fields of the table given to `ask` that are no part of asking, by name.
    pub fn subjects(&self, decision: &Decision) -> Vec<(String, Val)> {
        let Some(spec) = &decision.spec else { return Vec::new() };
        let mut found: Vec<(String, Val)> = spec
            .pairs::<String, Value>()
            .flatten()
            .filter(|(key, value)| !ASKING.contains(&key.as_str()) && !value.is_nil())
            .filter_map(|(key, value)| Some((key, self.cx.val(&value).ok()?)))
            .collect();
        found.sort();
        found
    }

    /// Whether a selection passes the test that `choose` was given.
    pub fn passes(
        &self,
        values: &[Val],
        chosen: &[u32],
        test: Option<&Function>,
    ) -> Result<bool, ScriptError> {
        self.cx.budget.set(self.cx.limit.get());
        api::passes(&self.lua, &self.cx, values, chosen, test).map_err(|error| self.error(&error))
    }

    /// The invariants that do not hold.
    pub fn broken_invariants(&self) -> Result<Vec<Reason>, ScriptError> {
        if self.audit.as_ref().is_some_and(Audit::due) {
            self.audit()?;
        }
        let tests: Vec<(u32, Function)> = {
            let registry = self.cx.registry.borrow();
            let found =
                (0u32..).zip(&registry.handlers).filter(|(_, handler)| handler.kind == Kind::Invariant);
            found.filter_map(|(number, handler)| Some((number, handler.func.clone()?))).collect()
        };
        let mut broken = Vec::new();
        for (number, test) in tests {
            self.cx.budget.set(self.cx.limit.get());
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

    /// Notes from now on which lines run and which data are read.
    pub fn watch(&self) -> Result<(), ScriptError> {
        *self.cx.touched.borrow_mut() = Some(crate::cx::Touched::default());
        sandbox::watch_lines(&self.lua, &self.cx).map_err(|error| self.error(&error))
    }

    /// What was touched since the last time.
    pub fn touched(&self) -> crate::cx::Touched {
        self.cx.touched.borrow_mut().as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// What `print` wrote since the last time.
    pub fn printed(&self) -> Vec<String> {
        std::mem::take(&mut *self.cx.printed.borrow_mut())
    }

    /// Gives back the memory of what scripts no longer hold.
    pub fn collect(&self) {
        // A collection that fails leaves the memory as it was; the bound on it stands all the same.
        let _ = self.lua.gc_collect();
    }

    /// Does a little of the collector's work, for when there is nothing else to do. True while there is more.
    pub fn sweep(&self) -> bool {
        let cx = &self.cx;
        let (sweeping, clean) = cx.swept.get();
        let littered = self.memory() > clean + clean / 2 + LITTER || cx.held.get() > LITTER;
        if !sweeping && !littered {
            return false;
        }
        // A step that fails leaves the garbage to the collector's own time.
        let done = self.lua.gc_step().unwrap_or(true);
        if done {
            cx.held.set(0);
        }
        cx.swept.set((!done, if done { self.memory() } else { clean }));
        !done
    }

    /// Runs something with all queries worked out anew, and gives the searches it made for where movers get to.
    pub fn searched<T>(&self, f: impl FnOnce() -> T) -> (T, Vec<Reach>) {
        let before = self.cx.forgetful.replace(true);
        self.cx.searches.replace(Some(Vec::new()));
        let result = f();
        self.cx.forgetful.set(before);
        (result, self.cx.searches.take().unwrap_or_default())
    }

    /// Bytes that the VM uses.
    pub fn memory(&self) -> usize {
        self.lua.used_memory()
    }
}

/// Bytes of garbage from which on it is worth sweeping in idle moments.
const LITTER: usize = 8 << 20;

/// Binds API and prelude; gives the declarations, the two functions that begin a step, and the one that runs steps.
fn bind(lua: &Lua, cx: &Rc<Cx>, globals: &Table) -> mlua::Result<(Vec<Decl>, Function, Function, Function)> {
    let k = lua.create_table()?;
    lua.set_named_registry_value("kernel", &k)?;
    cx.open_border(lua)?;
    list_methods::bind(lua, cx)?;
    globals.raw_set("ipairs", list_methods::walker(lua, cx)?)?;
    api::bind_prelude(lua, cx, &k)?;
    let shared = cx.clone();
    k.raw_set(
        "sorted_keys",
        lua.create_function(move |lua, table: Table| sandbox::sorted_keys(lua, &shared, table))?,
    )?;
    k.raw_set(
        "branch",
        cx.bind(lua, |frame| {
            frame.cx.branch.set(frame.int(1).and_then(|seat| u32::try_from(seat).ok()).unwrap_or(0));
            Ok(Out::Pushed(0))
        })?,
    )?;
    let shared = cx.clone();
    k.raw_set(
        "spent",
        lua.create_function(move |_, effect: Value| {
            if let Ok(Val::Effect(row)) = shared.val(&effect) {
                api::spent(&shared, row);
            }
            Ok(())
        })?,
    )?;
    let shared = cx.clone();
    k.raw_set("message", lua.create_function(move |_, value: Value| sandbox::message(&shared, &value))?)?;
    let decls = api::bind(lua, cx, globals)?;
    let coroutine: Table = lua.globals().raw_get("coroutine")?;
    let error: Function = lua.globals().raw_get("error")?;
    let meter = cx.bind(lua, |frame| {
        frame.cx.look()?;
        Ok(Out::Int(meter::TURNS))
    })?;
    lua.set_named_registry_value("meter", &meter)?;
    let prelude =
        sandbox::chunk(lua, ("prelude.lua", include_str!("prelude.lua")), globals, &BTreeSet::new())?;
    let (call, emit, bind, wrapping, work): (Function, Function, Function, Function, Function) =
        prelude.call((meter, k, coroutine, error))?;
    for library in ["string", "table", "math"] {
        let inner: Table = globals.raw_get(library)?;
        globals.raw_set(library, api::read_only(lua, inner)?)?;
    }
    lua.set_named_registry_value("call", &call)?;
    lua.set_named_registry_value("bind", bind)?;
    lua.set_named_registry_value("wrapping", wrapping)?;
    Ok((decls, call, emit, work))
}

/// A table for the globals of a package, which reads those of what it builds on.
fn environment(lua: &Lua, above: &Table) -> mlua::Result<Table> {
    let env = lua.create_table()?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", above)?;
    env.set_metatable(Some(meta))?;
    Ok(env)
}

/// Moves the globals of a package behind a wall: read as before, never assigned again.
fn frozen(lua: &Lua, env: &Table) -> mlua::Result<Table> {
    let inner = lua.create_table()?;
    let mut keys = Vec::new();
    for pair in env.pairs::<Value, Value>() {
        let (key, value) = pair?;
        inner.raw_set(key.clone(), value)?;
        keys.push(key);
    }
    for key in keys {
        env.raw_set(key, Value::Nil)?;
    }
    // What the package builds on is copied, so that any name is found in one step.
    let above = env.metatable().map(|meta| meta.raw_get::<Option<Table>>("__index")).transpose()?.flatten();
    if let Some(above) = above {
        for pair in above.pairs::<Value, Value>() {
            let (key, value) = pair?;
            if inner.raw_get::<Value>(key.clone())?.is_nil() {
                inner.raw_set(key, value)?;
            }
        }
    }
    let wall = lua.create_table()?;
    wall.raw_set("__index", &inner)?;
    wall.raw_set(
        "__newindex",
        lua.create_function(|_, (_, key): (Value, Value)| -> mlua::Result<()> {
            crate::cx::fail(format!(
                "global `{}` cannot be assigned in play; declare an attribute to keep a value",
                key.to_string().unwrap_or_default()
            ))
        })?,
    )?;
    wall.raw_set("__metatable", false)?;
    env.set_metatable(Some(wall))?;
    Ok(inner)
}

/// What each script returned, by layer and name; nothing while it is still being run.
type Modules = Rc<RefCell<BTreeMap<(u16, String), Option<Value>>>>;

/// Loads the scripts of one package, each once, in order or when another requires it.
#[derive(Clone)]
struct Loader {
    cx: Rc<Cx>,
    env: Table,
    scripts: Rc<Vec<Script>>,
    modules: Modules,
    layer: u16,
    /// Names that every script is given.
    given: Rc<BTreeSet<String>>,
}

impl Loader {
    fn run(&self, lua: &Lua, script: &Script) -> mlua::Result<Value> {
        let key = (self.layer, script.name.clone());
        match self.modules.borrow().get(&key) {
            Some(Some(value)) => return Ok(value.clone()),
            Some(None) => return crate::cx::fail(format!("{} requires itself", script.name)),
            None => {}
        }
        self.modules.borrow_mut().insert(key.clone(), None);
        let meter: Function = lua.named_registry_value("meter")?;
        let value = sandbox::chunk(lua, (&script.name, &script.text), &self.env, &self.given)
            .and_then(|chunk| chunk.call::<Value>(meter));
        self.modules.borrow_mut().insert(key, Some(value.as_ref().map_or(Value::Nil, Clone::clone)));
        value
    }

    /// The function `require` of the package: another script of it, by its path without `.lua`.
    fn require(self, lua: &Lua) -> mlua::Result<Function> {
        lua.create_function(move |lua, name: String| {
            if !self.cx.loading.get() {
                return crate::cx::fail("require: scripts are loaded before the game, not in play");
            }
            let fits = |script: &&Script| {
                script
                    .name
                    .strip_suffix(".lua")
                    .is_some_and(|path| path.split_once('/').is_some_and(|(_, path)| path == name))
            };
            match self.scripts.iter().find(fits) {
                Some(script) => self.run(lua, script),
                None => {
                    let names: Vec<&str> = self
                        .scripts
                        .iter()
                        .filter_map(|script| {
                            script.name.strip_suffix(".lua")?.split_once('/').map(|(_, path)| path)
                        })
                        .collect();
                    crate::cx::fail(format!(
                        "require: no script {name} in this package{}",
                        Cx::nearest(&name, names)
                    ))
                }
            }
        })
    }
}

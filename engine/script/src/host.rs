//! The host: one VM with the rules of one game loaded, which serves any number of sessions of that game.

use crate::api::{self, Decl, Search};
use crate::audit::{Audit, Root};
use crate::border::Part;
use crate::cx::{Cx, Play};
use crate::error::ScriptError;
use crate::loader;
use crate::sandbox;
use crate::tokens::literals;
use crate::val::{Choice, Decision, Val};
use mlua::{Function, Lua, MultiValue, Thread, Value};
use sandtable_kernel::world::World;
use std::cell::RefCell;
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
    /// Numbers of the packages that its package needs.
    pub needs: Vec<u16>,
}

/// What is left out of the rules.
#[derive(Default)]
struct Without {
    handler: Option<u32>,
    change: Option<usize>,
}

impl Script {
    /// Its package, and its path in it without `.lua`.
    pub(crate) fn path(&self) -> Option<(&str, &str)> {
        self.name.strip_suffix(".lua")?.split_once('/')
    }
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

/// A VM with the rules of one game.
pub struct Host {
    pub(crate) lua: Lua,
    pub(crate) cx: Rc<Cx>,
    decls: Vec<Decl>,
    call: Function,
    emit: Function,
    /// What a coroutine runs: one step after the other.
    work: Function,
    /// A coroutine that waits for the next step.
    idle: RefCell<Option<Thread>>,
    pub(crate) audit: Option<Audit>,
    /// The globals of each package.
    pub(crate) kept: RefCell<Vec<Root>>,
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
        Host::make(world, scripts, Without { handler, change: None }, false)
    }

    /// The same with one change that a layer makes to a handler left out, by its place in [`crate::Registry::changes`].
    pub fn unchanged(world: Arc<World>, scripts: &[Script], change: usize) -> Result<Host, Vec<ScriptError>> {
        Host::make(world, scripts, Without { handler: None, change: Some(change) }, false)
    }

    /// The same, able to tell whether scripts keep something between steps; for tests and simulations.
    pub fn audited(world: Arc<World>, scripts: &[Script]) -> Result<Host, Vec<ScriptError>> {
        Host::make(world, scripts, Without::default(), true)
    }

    fn make(
        world: Arc<World>,
        scripts: &[Script],
        without: Without,
        audited: bool,
    ) -> Result<Host, Vec<ScriptError>> {
        let cx = Rc::new(Cx::new(world));
        cx.left_out.set(without.change);
        let fatal = |error: mlua::Error| vec![ScriptError::from_lua(&error, Vec::new())];
        let lua = sandbox::new_lua(audited).map_err(fatal)?;
        let audit = if audited { Some(Audit::new(&lua).map_err(fatal)?) } else { None };
        cx.budget.set(cx.limit.get());
        let globals = sandbox::globals(&lua, &cx).map_err(fatal)?;
        let (decls, call, emit, work) = loader::bind(&lua, &cx, &globals).map_err(fatal)?;
        for script in scripts {
            for literal in literals(&script.text) {
                cx.sym(&literal);
            }
        }
        // Names of events that the sequence of play raises by itself.
        let (idle, kept) = Default::default();
        let host = Host { lua, cx, decls, call, emit, work, idle, audit, kept };
        let errors = host.load(&globals, scripts);
        host.cx.register_limits(&host.lua).map_err(fatal)?;
        if !errors.is_empty() {
            return Err(errors);
        }
        host.cx.fixed.set(host.cx.symbols.borrow().len());
        if let Some(handler) = without.handler
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

    pub(crate) fn error(&self, error: &mlua::Error) -> ScriptError {
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
    pub fn searched<T>(&self, f: impl FnOnce() -> T) -> (T, Vec<Search>) {
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

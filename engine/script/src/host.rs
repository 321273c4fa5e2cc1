//! The host: one VM with the rules of one game loaded, which serves any number of sessions of that game.

use crate::api::{self, Decl, Search};
use crate::context::{Play, ScriptContext};
use crate::error::{ErrorKind, ScriptError};
use crate::meter::ScriptBounds;
use crate::tokens::literals;
use crate::val::{Choice, Decision, Val};
use crate::vm::{Held, Parts, Recipe, Vm};
use crate::watchdog::{self, Inside, Run};
use crate::{memory, sandbox};
use mlua::{MultiValue, Thread, Value};
use sandtable_kernel::world::World;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// A script of a package.
#[derive(Clone, Debug)]
pub struct Script {
    /// Number of the package in the order of layers; the game itself is 0.
    pub layer: u16,
    /// Whether its package is a library, which sees nothing but the API and the libraries that it needs.
    pub library: bool,
    /// Package and path, as messages show it: `skirmish/combat.lua`.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Numbers of the packages that its package needs.
    pub needs: Vec<u16>,
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
pub struct Running(Held<Thread>);

/// A time in which scripts run: see [`Host::turn`].
pub struct Turn<'a> {
    host: &'a Host,
    run: Option<Run>,
    inside: Option<Inside>,
    /// Held, because the watchdog knows of it.
    vm: Rc<Vm>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.host.cx.settle();
        if self.run.as_ref().is_some_and(Run::is_outermost) {
            self.host.cx.begin_turn();
        }
        let hooked = watchdog::has_hooked();
        self.run.take();
        self.inside.take();
        if hooked && self.host.watching.get() {
            // Lines that are not noted only make a report poorer.
            let _ = sandbox::watch_lines(&self.vm.lua, &self.host.cx);
        }
    }
}

/// What a step runs.
#[derive(Clone, Debug)]
pub enum Task {
    /// A procedure with arguments.
    Call(Arc<str>, Vec<Val>),
    /// The handlers of an event.
    Emit(Arc<str>),
}

/// A VM with the rules of one game.
pub struct Host {
    vm: RefCell<Rc<Vm>>,
    pub(crate) cx: Rc<ScriptContext>,
    decls: Vec<Decl>,
    recipe: Recipe,
    /// Whether the VM ran out of memory and is to be thrown away.
    spent: Cell<bool>,
    /// Whether lines that run are noted.
    watching: Cell<bool>,
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
        Host::make(world, Recipe { handler, ..Recipe::of(scripts) }, None)
    }

    /// The same with one change that a layer makes to a handler left out, by its place in [`crate::Registry::changes`].
    pub fn unchanged(world: Arc<World>, scripts: &[Script], change: usize) -> Result<Host, Vec<ScriptError>> {
        Host::make(world, Recipe::of(scripts), Some(change))
    }

    /// The same, able to tell whether scripts keep something between steps; for tests and simulations.
    pub fn audited(world: Arc<World>, scripts: &[Script]) -> Result<Host, Vec<ScriptError>> {
        Host::make(world, Recipe { audited: true, ..Recipe::of(scripts) }, None)
    }

    /// The same, although handlers may hang on what does not exist: for `check`, which says so with everything else.
    pub fn loose(world: Arc<World>, scripts: &[Script]) -> Result<Host, Vec<ScriptError>> {
        Host::make(world, Recipe { loose: true, ..Recipe::of(scripts) }, None)
    }

    /// The same under other bounds than [`ScriptBounds::default`], as a server sets them.
    pub fn bounded(
        world: Arc<World>,
        scripts: &[Script],
        bounds: ScriptBounds,
    ) -> Result<Host, Vec<ScriptError>> {
        Host::make(world, Recipe { bounds, ..Recipe::of(scripts) }, None)
    }

    fn make(world: Arc<World>, recipe: Recipe, left_out: Option<usize>) -> Result<Host, Vec<ScriptError>> {
        let cx = Rc::new(ScriptContext::new(world, recipe.bounds));
        cx.left_out.set(left_out);
        for script in &recipe.scripts {
            for literal in literals(&script.text) {
                cx.sym(&literal);
            }
        }
        let (vm, decls) = Vm::new(&cx, &recipe)?;
        cx.fixed.set(cx.symbols.borrow().len());
        let vm = RefCell::new(Rc::new(vm));
        Ok(Host { vm, cx, decls, recipe, spent: Cell::new(false), watching: Cell::new(false) })
    }

    /// The VM that there is now.
    pub(crate) fn vm(&self) -> Rc<Vm> {
        self.vm.borrow().clone()
    }

    /// Throws away a VM that ran out of memory and loads the rules into a new one.
    ///
    /// What hangs on the old one, such as a procedure under way, is found out where it is used: see [`Host::is_gone`].
    pub fn renew(&self) {
        if !self.spent.replace(false) {
            return;
        }
        // What loading touches is no part of what the game does.
        let touched = self.cx.touched.take();
        let before = self.cx.vm.get();
        let crammed = self.cx.crammed.take().then(|| self.cx.names_before.get());
        let mut parts = Parts::default();
        self.cx.exchange(&mut parts, before + 1);
        match Vm::new(&self.cx, &self.recipe) {
            Ok((vm, _)) => {
                for (new, old) in self.cx.registry.borrow().handlers.iter().zip(parts.handlers()) {
                    new.fired.set(old.fired.get());
                }
                let old = self.vm.replace(Rc::new(vm));
                let weak = old.lua.weak();
                drop(old);
                // Functions of the border belong to Lua for as long as it lives; somebody may still hold it.
                if weak.try_upgrade().is_some() {
                    std::mem::forget(parts);
                }
                if let Some(before) = crammed {
                    self.cx.forget_names(before);
                }
                if self.watching.get() {
                    // Lines that are not noted only make a report poorer.
                    let _ = sandbox::watch_lines(&self.vm().lua, &self.cx);
                }
            }
            // The same scripts were loaded before: the machine itself has no memory left. The old VM goes on.
            Err(_) => {
                self.cx.exchange(&mut parts, before);
                self.collect();
            }
        }
        *self.cx.touched.borrow_mut() = touched;
    }

    /// Whether a procedure under way went with its VM: its step has to be run again.
    pub fn is_gone(&self, running: &Running) -> bool {
        self.spent.get() || running.0.vm != self.cx.vm.get()
    }

    /// Fails if scripts hold anything else than after loading. Only an audited host can tell.
    pub fn audit(&self) -> Result<(), ScriptError> {
        let vm = self.vm();
        let Some(audit) = &vm.audit else { return Ok(()) };
        self.cx.refill();
        match audit.changed(&self.cx, &vm.roots(&self.cx)).map_err(|error| self.error(&error))? {
            None => Ok(()),
            Some(change) => Err(ScriptError::new(change)),
        }
    }

    /// The context that API functions share.
    pub fn cx(&self) -> &Rc<ScriptContext> {
        &self.cx
    }

    /// The declarations of the API.
    pub fn decls(&self) -> &[Decl] {
        &self.decls
    }

    /// Begins a turn: what scripts do until it is dropped must keep to their bounds. A turn within another belongs to it.
    pub fn turn(&self) -> Turn<'_> {
        let vm = self.vm();
        let (inside, run) = (Inside::main(&vm.lua), Run::begin(&self.cx.watched, self.cx.time.get()));
        if run.is_outermost() {
            self.cx.begin_turn();
        }
        self.cx.refill();
        Turn { host: self, run: Some(run), inside: Some(inside), vm }
    }

    /// Gives scripts what they may use until the next answer, within a turn.
    pub fn refill(&self) {
        self.cx.refill();
    }

    /// Puts a game into the VM, or takes it out again: the two change places.
    pub fn swap(&self, play: &mut Box<Play>) {
        let mut inside = self.cx.play.borrow_mut();
        std::mem::swap(&mut *inside, play);
        inside.memos.discard_other_vm(self.cx.vm.get());
    }

    /// The same on the way out, which may be that of a panic: it never fails, for a second panic would end the process.
    pub fn swap_back(&self, play: &mut Box<Play>) {
        match self.cx.play.try_borrow_mut() {
            Ok(mut inside) => {
                std::mem::swap(&mut *inside, play);
                inside.memos.discard_other_vm(self.cx.vm.get());
            }
            // Somebody still uses the game that is inside: it is lost with its session, and the VM with it.
            Err(_) => self.spent.set(true),
        }
    }

    /// Runs something with a game in the VM, which comes out again however that ends.
    pub fn during<T>(&self, play: &mut Box<Play>, f: impl FnOnce() -> T) -> T {
        struct Out<'a>(&'a Host, &'a mut Box<Play>);
        impl Drop for Out<'_> {
            fn drop(&mut self) {
                self.0.swap_back(self.1);
            }
        }
        self.swap(play);
        let _out = Out(self, play);
        let _turn = self.turn();
        f()
    }

    /// After a panic: nothing of the VM is relied on, so the next who needs it gets a new one. False if not even that can be
    /// done, and the host has to be made again.
    pub fn recover(&self) -> bool {
        let cx = &self.cx;
        let free = cx.is_free();
        if free {
            cx.reset_after_error();
        }
        self.spent.set(true);
        free
    }

    /// Starts a task.
    pub fn start(&self, task: &Task) -> Result<(Option<Running>, Flow), ScriptError> {
        {
            let mut play = self.cx.play.borrow_mut();
            play.chain.clear();
            play.pending.clear();
        }
        self.cx.begin_step();
        let vm = self.vm();
        let begin = || -> mlua::Result<(Thread, MultiValue)> {
            let (is_event, name, args) = match task {
                Task::Call(name, args) => (false, name, args.as_slice()),
                Task::Emit(event) => (true, event, [].as_slice()),
            };
            let mut values = MultiValue::new();
            values.push_back(Value::Boolean(is_event));
            values.push_back(self.cx.lua_text(&vm.lua, self.cx.sym(name))?);
            for &arg in args {
                values.push_back(self.cx.lua(&vm.lua, arg)?);
            }
            let idle = vm.idle.borrow_mut().take();
            let thread = match idle {
                Some(thread) => thread,
                None => vm.lua.create_thread(vm.work.clone())?,
            };
            Ok((thread, values))
        };
        let (thread, values) = begin().map_err(|error| self.error(&error))?;
        self.resume_with(&vm, thread, values)
    }

    /// Gives an answer to a decision and runs on to the next. What waits for an answer is given back.
    pub fn resume(
        &self,
        running: Running,
        decision: &Decision,
        choice: &Choice,
    ) -> Result<(Option<Running>, Flow), ScriptError> {
        self.held(&running.0)?;
        self.cx.go_on_with_step();
        let (vm, thread) = (self.vm(), running.0.value);
        let mut values = api::values(&vm.lua, &self.cx, choice, decision.menu, decision.basket)
            .map_err(|error| self.error(&error))?;
        if decision.branch > 0 {
            values.push_front(Value::Integer(decision.branch.into()));
        }
        self.resume_with(&vm, thread, values)
    }

    /// What is held of the VM, if it still is the same VM.
    pub(crate) fn held<'a, T>(&self, held: &'a Held<T>) -> Result<&'a T, ScriptError> {
        self.same_vm(held.vm == self.cx.vm.get())?;
        Ok(&held.value)
    }

    /// Fails unless something lies in the VM that there is now.
    pub(crate) fn same_vm(&self, same: bool) -> Result<(), ScriptError> {
        let why = "this was asked before the scripts ran out of memory; it is asked again now";
        if same { Ok(()) } else { Err(ScriptError::new(why)) }
    }

    fn resume_with(
        &self,
        vm: &Vm,
        thread: Thread,
        values: MultiValue,
    ) -> Result<(Option<Running>, Flow), ScriptError> {
        let (done, result) = {
            let _inside = Inside::step(&thread);
            thread.resume::<(Value, Value)>(values).map_err(|error| self.error(&error))?
        };
        if self.cx.play.borrow().ended.is_some() {
            // The coroutine waits where the game ended and is never resumed.
            return Ok((None, Flow::Ended));
        }
        if done.is_nil() {
            return Ok((Some(Running(self.cx.held_here(thread))), Flow::Asking));
        }
        *vm.idle.borrow_mut() = Some(thread);
        Ok((None, Flow::Done(self.cx.val(&result).unwrap_or(Val::Nil))))
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
        if self.vm().memory.refused() && error.is_fatal() {
            // The VM is as good as before: only one table could not grow.
            (error.kind, error.message) = (ErrorKind::Plain, memory::words());
        }
        self.spent.set(self.spent.get() || error.is_fatal() || self.cx.crammed.get());
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
        *self.cx.touched.borrow_mut() = Some(crate::context::Touched::default());
        self.watching.set(true);
        sandbox::watch_lines(&self.vm().lua, &self.cx).map_err(|error| self.error(&error))
    }

    /// What was touched since the last time.
    pub fn touched(&self) -> crate::context::Touched {
        self.cx.touched.borrow_mut().as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// What `print` wrote since the last time.
    pub fn printed(&self) -> Vec<String> {
        std::mem::take(&mut *self.cx.printed.borrow_mut())
    }

    /// Gives back the memory of what scripts no longer hold.
    pub fn collect(&self) {
        // A collection that fails leaves the memory as it was; the bound on it stands all the same.
        let _ = self.vm().lua.gc_collect();
        self.cx.held.set(0);
        self.cx.swept.set((false, self.memory()));
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
        let done = self.vm().lua.gc_step().unwrap_or(true);
        if done {
            cx.held.set(0);
        }
        cx.swept.set((!done, if done { self.memory() } else { clean }));
        !done
    }

    /// Runs something with all queries worked out anew, and gives the searches it made for where movers get to.
    pub fn searched<T>(&self, f: impl FnOnce() -> T) -> (T, Vec<Search>) {
        let before = self.cx.bypass_memo.replace(true);
        self.cx.searches.replace(Some(Vec::new()));
        let result = f();
        self.cx.bypass_memo.set(before);
        (result, self.cx.searches.take().unwrap_or_default())
    }

    /// Bytes that the VM uses, and those that hang on its values without Lua knowing.
    pub fn burden(&self) -> usize {
        self.memory() + self.cx.outside.get()
    }

    /// Bytes that the VM uses.
    pub fn memory(&self) -> usize {
        self.vm().lua.used_memory()
    }
}

/// Bytes of garbage from which on it is worth sweeping in idle moments.
const LITTER: usize = 8 << 20;

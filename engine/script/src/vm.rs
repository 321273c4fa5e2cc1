//! The VM of a host: Lua with the rules of a game loaded. One that ran out of memory is thrown away for a new one.
//!
//! Everything that points into a VM bears its number, and is not used with another: a coroutine or table that a session
//! holds is [`Held`], answers of queries lie in slots that know their VM, and what the context keeps changes with it.

use crate::api::Decl;
use crate::audit::{Audit, Root};
use crate::context::{Play, ScriptContext};
use crate::error::ScriptError;
use crate::host::Script;
use crate::lua_ffi::{LuaFfiParts, Part};
use crate::memory::Memory;
use crate::meter::ScriptBounds;
use crate::registry::{Handler, Registry};
use crate::watchdog::{Inside, Run};
use crate::{lasting, loader, sandbox, targets};
use mlua::{Function, Lua, LuaString, Thread, Value};
use rustc_hash::FxHashMap;
use sandtable_kernel::symbol::Sym;
use std::cell::RefCell;
use std::rc::Rc;

/// A value that lies in a VM, with the number of that VM.
#[derive(Clone, Debug)]
pub struct Held<T> {
    pub(crate) value: T,
    pub(crate) vm: u32,
}

/// What a VM is made from.
pub(crate) struct Recipe {
    pub scripts: Vec<Script>,
    /// A handler that is out of action.
    pub handler: Option<u32>,
    /// Whether it can tell what scripts keep.
    pub audited: bool,
    /// Whether handlers may hang on what does not exist.
    pub loose: bool,
    /// What the scripts may use.
    pub bounds: ScriptBounds,
}

impl Recipe {
    /// The scripts as they are.
    pub fn of(scripts: &[Script]) -> Recipe {
        Recipe {
            scripts: scripts.to_vec(),
            handler: None,
            audited: false,
            loose: false,
            bounds: ScriptBounds::default(),
        }
    }
}

/// Lua with the rules of a game.
pub(crate) struct Vm {
    pub memory: Memory,
    pub lua: Lua,
    /// What a coroutine runs: one step after the other.
    pub work: Function,
    /// A coroutine that waits for the next step.
    pub idle: RefCell<Option<Thread>>,
    pub audit: Option<Audit>,
    /// The globals of each package.
    kept: Vec<Root>,
}

impl Vm {
    /// Loads the scripts into a new VM; gives the declarations of the API with it. The context must know no other VM.
    pub fn new(cx: &Rc<ScriptContext>, recipe: &Recipe) -> Result<(Vm, Vec<Decl>), Vec<ScriptError>> {
        cx.set_loading(true);
        let before = cx.play.replace(Box::new(Play::new(&cx.world, 0)));
        let made = Vm::load(cx, recipe);
        cx.play.replace(before);
        cx.set_loading(false);
        made
    }

    fn load(cx: &Rc<ScriptContext>, recipe: &Recipe) -> Result<(Vm, Vec<Decl>), Vec<ScriptError>> {
        let fatal = |error: mlua::Error| vec![ScriptError::from_lua(&error, Vec::new())];
        let (lua, memory, upvalue) = sandbox::new_lua(recipe.bounds.memory).map_err(fatal)?;
        let _run = Run::begin(&cx.watched, cx.time.get());
        let _inside = Inside::main(&lua);
        cx.refill();
        let globals = sandbox::globals(&lua, cx).map_err(fatal)?;
        let (decls, work) = loader::bind(&lua, cx, &globals).map_err(fatal)?;
        let kept = loader::load(&lua, cx, &globals, &recipe.scripts).map_err(|mut errors| {
            if memory.refused() {
                let fatal = errors.iter_mut().filter(|error| error.is_fatal());
                fatal.for_each(|error| error.message = crate::memory::words());
            }
            errors
        })?;
        cx.register_limits(&lua).map_err(fatal)?;
        let errors = if recipe.loose { Vec::new() } else { targets::errors(cx) };
        if !errors.is_empty() {
            return Err(errors);
        }
        if let Some(handler) = recipe.handler
            && let Some(handler) = cx.registry.borrow().handlers.get(handler as usize)
        {
            handler.disabled.set(true);
        }
        cx.registry.borrow_mut().finish();
        let audit = recipe.audited.then(|| Audit::new(upvalue.clone()));
        let vm = Vm { memory, lua, work, idle: RefCell::default(), audit, kept };
        let errors = lasting::settle(&vm.lua, cx, &upvalue, vm.roots(cx)).map_err(fatal)?;
        if !errors.is_empty() {
            return Err(errors);
        }
        keep_functions(cx).map_err(fatal)?;
        if let Some(audit) = &vm.audit {
            audit.remember(cx, &vm.roots(cx)).map_err(fatal)?;
        }
        Ok((vm, decls))
    }

    /// Everything from which values that scripts keep can be reached.
    pub fn roots(&self, cx: &ScriptContext) -> Vec<Root> {
        let mut roots = self.kept.clone();
        for handler in &cx.registry.borrow().handlers {
            for func in [&handler.func, &handler.when, &handler.among].into_iter().flatten() {
                roots
                    .push((format!("{} {}", handler.kind.name(), handler.id), Value::Function(func.clone())));
            }
        }
        roots
    }
}

/// Puts the functions of the handlers where the border finds them.
fn keep_functions(cx: &ScriptContext) -> mlua::Result<()> {
    for (number, handler) in (0u32..).zip(&cx.registry.borrow().handlers) {
        let parts = [(Part::Run, &handler.func), (Part::When, &handler.when), (Part::Among, &handler.among)];
        for (part, f) in parts {
            cx.lua_ffi.keep_function(number, part, f.as_ref())?;
        }
    }
    Ok(())
}

/// What of the context belongs to one VM. Names are not among it: sessions and records know them by number.
#[derive(Default)]
pub(crate) struct Parts {
    border: LuaFfiParts,
    registry: Registry,
    strings: Vec<Option<LuaString>>,
    values: FxHashMap<Sym, Value>,
}

impl Parts {
    /// The handlers that were registered in the VM.
    pub fn handlers(&self) -> &[Handler] {
        &self.registry.handlers
    }
}

impl ScriptContext {
    /// Takes in what belongs to the VM of that number, and gives what belonged to the one before. Nothing of either may be running.
    pub(crate) fn exchange(&self, parts: &mut Parts, vm: u32) {
        self.lua_ffi.exchange(&mut parts.border, vm);
        std::mem::swap(&mut *self.registry.borrow_mut(), &mut parts.registry);
        std::mem::swap(&mut *self.strings.borrow_mut(), &mut parts.strings);
        std::mem::swap(&mut *self.values.borrow_mut(), &mut parts.values);
        self.vm.set(vm);
        self.play.borrow_mut().memos.discard_other_vm(vm);
        self.reason.take();
        self.set_loading(false);
        self.used.set(0);
        self.held.set(0);
        self.swept.set((false, 0));
    }

    /// Something that lies in the VM that there is now.
    pub(crate) fn held_here<T>(&self, value: T) -> Held<T> {
        Held { value, vm: self.vm.get() }
    }
}

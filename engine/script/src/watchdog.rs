//! The watchdog: a thread that ends what runs longer than it may, even where no counter of the meter is reached.
//!
//! It looks at every thread that runs scripts some twenty times a second. Once a run is over its time, it says so where
//! the meter and all work of the kernel look ([`Run::is_over`]). What does not look there, such as a loop that was not
//! counted or a comparison of huge texts, still passes through Lua's interpreter: the thread gets a signal, whose handler
//! sets Lua's hook, as `lua.c` does for an interrupt, and the hook raises the error at the next instruction. A hook that
//! always stood would cost a tenth of all time.
//!
//! What keeps that sound: the handler runs in the thread that it is about, so nothing it touches is changed or freed
//! meanwhile; it does nothing but read atomics and call `lua_sethook`, which is made for handlers; the coroutines it
//! sets the hook of are held by whoever runs them. Signals are sent to threads on the list only, and a thread takes itself off before
//! it ends. On systems without signals of POSIX the hook is not set.

#![expect(unsafe_code, reason = "signals and Lua's hook have no safe interface; see above")]

use mlua::Lua;
use mlua::ffi::{self, lua_State};
use std::cell::RefCell;
use std::ffi::c_int;
use std::io::Write;
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Time between two looks.
const TICK: Duration = Duration::from_millis(50);
/// Looks at nothing but idle threads after which the watchdog sleeps until it is woken.
const POLL_INTERVAL: u32 = 40;

/// What the watchdog knows of a thread that runs scripts.
#[derive(Default)]
pub(crate) struct Watched {
    /// The number of the run; even between two.
    run: AtomicU64,
    /// The number of the last run that was over its time.
    over: AtomicU64,
    /// The nanoseconds that a run may take.
    most: AtomicU64,
}

impl Watched {
    /// Whether the present run is over its time.
    pub fn is_over(&self) -> bool {
        self.over.load(std::sync::atomic::Ordering::Relaxed)
            == self.run.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Sets the time that the present run, or the next, may take.
    pub fn allow(&self, most: Duration) {
        self.most.store(u64::try_from(most.as_nanos()).unwrap_or(u64::MAX), SeqCst);
    }

    /// Lets the time of the present run begin anew, if there is one.
    pub fn renew(&self) {
        let run = self.run.load(SeqCst);
        if run % 2 == 1 {
            self.run.store(run + 2, SeqCst);
            unhook();
        }
    }
}

/// A thread on the list of the watchdog.
struct Entry {
    watched: Arc<Watched>,
    #[cfg(unix)]
    thread: libc::pthread_t,
    /// The run that was seen last, when it was seen first, and whether it was told that it is over.
    seen: (u64, Instant, bool),
}

static LIST: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
static DOG: OnceLock<Option<Thread>> = OnceLock::new();
static ASLEEP: AtomicBool = AtomicBool::new(false);

/// The coroutines of a thread in which scripts may be running.
const STATES: usize = 3;
/// Which of them is which.
#[derive(Clone, Copy)]
enum State {
    /// The VM itself, in which scripts are loaded and questions asked.
    Main,
    /// The step under way.
    Step,
    /// The branch of a simultaneous decision.
    Branch,
}

// Without destructors and lazy beginnings, so that the handler may look at them.
thread_local! {
    static OF_HANDLER: [AtomicPtr<lua_State>; STATES] = const { [const { AtomicPtr::new(null_mut()) }; STATES] };
    static WATCHED: AtomicPtr<Watched> = const { AtomicPtr::new(null_mut()) };
    /// Whether the handler set hooks.
    static HOOKED: AtomicBool = const { AtomicBool::new(false) };
    static LISTED: RefCell<Option<Listed>> = const { RefCell::new(None) };
}

/// Takes the thread off the list when it ends.
struct Listed(Arc<Watched>);

impl Drop for Listed {
    fn drop(&mut self) {
        // Whoever holds the lock to send a signal is waited for. Nothing panics under it.
        if let Ok(mut list) = LIST.lock() {
            list.retain(|entry| !Arc::ptr_eq(&entry.watched, &self.0));
        }
        let _ = WATCHED.try_with(|watched| watched.store(null_mut(), SeqCst));
    }
}

/// What the watchdog knows of this thread; the first call puts it on the list.
pub(crate) fn of_this_thread() -> Arc<Watched> {
    LISTED.with_borrow_mut(|listed| listed.get_or_insert_with(enlist).0.clone())
}

#[expect(clippy::disallowed_methods, reason = "a bound on time decides whether a script goes on, never how")]
fn enlist() -> Listed {
    let watched = Arc::new(Watched::default());
    watched.over.store(u64::MAX, SeqCst);
    WATCHED.with(|own| own.store(Arc::as_ptr(&watched).cast_mut(), SeqCst));
    if let Ok(mut list) = LIST.lock() {
        list.push(Entry {
            watched: watched.clone(),
            // SAFETY: the thread that asks is alive.
            #[cfg(unix)]
            thread: unsafe { libc::pthread_self() },
            seen: (0, Instant::now(), false),
        });
    }
    DOG.get_or_init(|| {
        handle_signals();
        let dog = std::thread::Builder::new().name("watchdog".into()).spawn(watch);
        // Without it scripts are bounded by their instructions alone.
        dog.ok().map(|dog| dog.thread().clone())
    });
    Listed(watched)
}

/// A run of scripts, which the watchdog ends when it is over its time. Runs within another belong to it.
pub(crate) struct Run {
    watched: Option<Arc<Watched>>,
    /// A run belongs to the thread that began it.
    here: PhantomData<*const ()>,
}

impl Run {
    pub fn begin(watched: &Arc<Watched>, most: Duration) -> Run {
        let run = watched.run.load(SeqCst);
        if run % 2 == 1 {
            return Run { watched: None, here: PhantomData };
        }
        watched.allow(most);
        watched.run.store(run + 1, SeqCst);
        if ASLEEP.load(SeqCst)
            && let Some(Some(dog)) = DOG.get()
        {
            dog.unpark();
        }
        Run { watched: Some(watched.clone()), here: PhantomData }
    }

    /// Whether it is a run of its own.
    pub fn is_outermost(&self) -> bool {
        self.watched.is_some()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(watched) = self.watched.take() {
            watched.run.fetch_add(1, SeqCst);
            unhook();
        }
    }
}

/// Says in which coroutine scripts run while this lasts.
pub(crate) struct Inside {
    which: State,
    before: *mut lua_State,
}

impl Inside {
    /// The VM itself.
    pub fn main(vm: &Lua) -> Inside {
        let main = vm.exec_raw_lua(|raw| unsafe {
            // SAFETY: one place is left on any stack, and the registry has this entry.
            ffi::lua_rawgeti(raw.state(), ffi::LUA_REGISTRYINDEX, ffi::LUA_RIDX_MAINTHREAD);
            let main = ffi::lua_tothread(raw.state(), -1);
            ffi::lua_settop(raw.state(), -2);
            main
        });
        Inside::enter(State::Main, main)
    }

    /// The coroutine of a step.
    pub fn step(thread: &mlua::Thread) -> Inside {
        Inside::enter(State::Step, thread.state())
    }

    /// Whoever calls this holds the coroutine for as long.
    fn enter(which: State, state: *mut lua_State) -> Inside {
        Inside { which, before: OF_HANDLER.with(|states| states[which as usize].swap(state, SeqCst)) }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        let left = OF_HANDLER.with(|states| {
            // A branch belongs to its step, which may have failed before it could leave it.
            states[State::Branch as usize].store(null_mut(), SeqCst);
            states[self.which as usize].swap(self.before, SeqCst)
        });
        if !left.is_null() && HOOKED.with(|hooked| hooked.load(SeqCst)) {
            // SAFETY: it is still held by whoever made this.
            unsafe { ffi::lua_sethook(left, None, 0, 0) };
        }
    }
}

/// Says that scripts run in a branch of a simultaneous decision, or no longer. The step that runs it holds the coroutine.
pub(crate) fn enter_branch(thread: Option<&mlua::Thread>) {
    let state = thread.map_or(null_mut(), mlua::Thread::state);
    OF_HANDLER.with(|states| states[State::Branch as usize].store(state, SeqCst));
}

/// Takes the hooks away that the handler set.
fn unhook() {
    if HOOKED.with(|hooked| hooked.swap(false, SeqCst)) {
        OF_HANDLER.with(|states| {
            for state in states {
                let state = state.load(SeqCst);
                if !state.is_null() {
                    // SAFETY: whoever put it there holds it.
                    unsafe { ffi::lua_sethook(state, None, 0, 0) };
                }
            }
        });
    }
}

/// Whether the handler set hooks in the present run, in place of any that stood there.
pub(crate) fn has_hooked() -> bool {
    HOOKED.with(|hooked| hooked.load(SeqCst))
}

/// The time that this thread has been at work; where the system does not tell, the time that has passed.
pub(crate) fn at_work() -> Duration {
    #[cfg(unix)]
    {
        // SAFETY: the record is filled in, or left as nothing where there is no such clock.
        let now = unsafe {
            let mut now: libc::timespec = std::mem::zeroed();
            libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut now);
            now
        };
        Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
    }
    #[cfg(not(unix))]
    {
        static BEGAN: OnceLock<Instant> = OnceLock::new();
        #[expect(
            clippy::disallowed_methods,
            reason = "a bound on time decides whether a script goes on, never how"
        )]
        BEGAN.get_or_init(Instant::now).elapsed()
    }
}

/// What the watchdog does.
#[expect(clippy::disallowed_methods, reason = "a bound on time decides whether a script goes on, never how")]
fn watch() {
    let mut idle = 0;
    loop {
        if idle > POLL_INTERVAL {
            ASLEEP.store(true, SeqCst);
            if !any_runs() {
                std::thread::park();
            }
            ASLEEP.store(false, SeqCst);
            idle = 0;
        }
        std::thread::sleep(TICK);
        let now = Instant::now();
        idle += 1;
        let Ok(mut list) = LIST.lock() else { return };
        for entry in list.iter_mut() {
            let run = entry.watched.run.load(SeqCst);
            if run % 2 == 0 {
                continue;
            }
            idle = 0;
            if entry.seen.0 != run {
                entry.seen = (run, now, false);
            } else if now.duration_since(entry.seen.1).as_nanos()
                > u128::from(entry.watched.most.load(SeqCst))
            {
                entry.watched.over.store(run, SeqCst);
                // Who looks by itself has the time of one tick to do so.
                if entry.seen.2 {
                    signal(entry);
                }
                entry.seen.2 = true;
            }
        }
    }
}

fn any_runs() -> bool {
    LIST.lock().is_ok_and(|list| list.iter().any(|entry| entry.watched.run.load(SeqCst) % 2 == 1))
}

/// By default this signal does nothing, and nothing else here uses it.
#[cfg(unix)]
const SIGNAL: c_int = libc::SIGURG;

#[cfg(unix)]
fn signal(entry: &Entry) {
    // SAFETY: the thread is on the list, so it has not ended.
    unsafe { libc::pthread_kill(entry.thread, SIGNAL) };
}

#[cfg(not(unix))]
fn signal(_: &Entry) {}

#[cfg(unix)]
fn handle_signals() {
    // SAFETY: the handler does only what a handler may; calls that it interrupts go on.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handle as extern "C" fn(c_int) as usize;
        action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(SIGNAL, &raw const action, null_mut());
    }
}

#[cfg(not(unix))]
fn handle_signals() {}

/// The handler: sets the hook of every coroutine in which scripts may be running in this thread.
#[cfg(unix)]
extern "C" fn handle(_: c_int) {
    let watched = WATCHED.with(|watched| watched.load(SeqCst));
    // SAFETY: the thread holds what it put there until it takes it away.
    if watched.is_null() || !unsafe { &*watched }.is_over() {
        // The run ended before the signal came.
        return;
    }
    HOOKED.with(|hooked| hooked.store(true, SeqCst));
    OF_HANDLER.with(|states| {
        for state in states {
            let state = state.load(SeqCst);
            if !state.is_null() {
                // SAFETY: the coroutine is held; this may be called at any time, from a handler too.
                unsafe { ffi::lua_sethook(state, Some(stop), ffi::LUA_MASKCOUNT, 1) };
            }
        }
    });
}

/// The hook: raises the error at the place where the script was.
unsafe extern "C-unwind" fn stop(l: *mut lua_State, _: *mut ffi::lua_Debug) {
    // SAFETY: nothing here waits to be dropped when the error jumps over it.
    unsafe {
        ffi::lua_sethook(l, None, 0, 0);
        let watched = WATCHED.with(|watched| watched.load(SeqCst));
        if watched.is_null() || !(*watched).is_over() {
            return;
        }
        let mut text = [0u8; 256];
        let length = sentence(&mut text, l, Duration::from_nanos((*watched).most.load(SeqCst)));
        ffi::lua_pushlstring(l, text.as_ptr().cast(), length);
        ffi::lua_error(l);
    }
}

/// What is said of a run that is over its time.
pub(crate) fn words(most: Duration) -> String {
    format!("this ran more than {most:?} without an answer")
}

/// The same behind the place where the script was, without memory that would have to be given back; gives its length.
unsafe fn sentence(text: &mut [u8], l: *mut lua_State, most: Duration) -> usize {
    let whole = text.len();
    let mut rest = text;
    for level in 0..20 {
        // SAFETY: Lua fills the record in before it is read.
        unsafe {
            let mut record: ffi::lua_Debug = std::mem::zeroed();
            if ffi::lua_getstack(l, level, &raw mut record) == 0 {
                break;
            }
            ffi::lua_getinfo(l, c"Sl".as_ptr(), &raw mut record);
            let source = std::ffi::CStr::from_ptr(record.short_src.as_ptr());
            if record.currentline > 0 && source != c"prelude.lua" {
                let _ = rest.write_all(source.to_bytes());
                let _ = write!(rest, ":{}: ", record.currentline);
                break;
            }
        }
    }
    let _ = write!(rest, "this ran more than {most:?} without an answer");
    whole - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRIEF: Duration = Duration::from_millis(100);

    fn endless(lua: &Lua, source: &str) -> String {
        let _run = Run::begin(&of_this_thread(), BRIEF);
        let _inside = Inside::main(lua);
        let found = lua.load(source).set_name("=x").exec();
        found.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_without_counters_is_ended_at_its_place() {
        let lua = Lua::new();
        for source in
            ["local x = 1\nwhile true do end", "local x = 1\n::again:: goto again", "\nrepeat until false"]
        {
            let error = endless(&lua, source);
            assert!(error.contains("x:2: this ran more than 100ms without an answer"), "{error}");
        }
        // The VM is as before, and the next run has its own time.
        assert_eq!(endless(&lua, "assert(1 + 1 == 2)"), "");
        std::thread::sleep(BRIEF * 3);
        assert_eq!(endless(&lua, "for i = 1, 1000 do end"), "");
        assert!(!has_hooked());
    }

    #[cfg(unix)]
    #[test]
    fn coroutines_are_ended_too() {
        let lua = Lua::new();
        let step: mlua::Function =
            lua.load("return function() while true do end end").eval().expect("a function");
        let thread = lua.create_thread(step).expect("a coroutine");
        let _run = Run::begin(&of_this_thread(), BRIEF);
        let _main = Inside::main(&lua);
        let error = {
            let _inside = Inside::step(&thread);
            thread.resume::<()>(()).expect_err("it never ends").to_string()
        };
        assert!(error.contains("this ran more than 100ms"), "{error}");
        let inner = lua
            .create_thread(lua.load("while true do end").into_function().expect("a chunk"))
            .expect("a coroutine");
        enter_branch(Some(&inner));
        of_this_thread().renew();
        let error = inner.resume::<()>(()).expect_err("it never ends").to_string();
        enter_branch(None);
        assert!(error.contains("this ran more than 100ms"), "{error}");
    }

    #[test]
    fn whoever_looks_is_told_without_a_hook() {
        let watched = of_this_thread();
        let run = Run::begin(&watched, BRIEF);
        while !watched.is_over() {
            std::thread::sleep(TICK / 10);
        }
        watched.renew();
        assert!(!watched.is_over());
        drop(run);
    }
}

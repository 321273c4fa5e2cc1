//! The context that all script functions share: the static world, the game being played, and the caches of the VM.

use crate::api::Search;
use crate::filter::Of;
use crate::keys::{Key, Keys};
use crate::limit::Limit;
use crate::lua_ffi::{LONGEST_NAME, LuaFfi};
use crate::meter::ScriptBounds;
pub(crate) use crate::play::{ANY, CachedAnswer, Memo, Memos, Play, Reads, SightKept};
use crate::registry::Registry;
use crate::step::StepMeter;
use crate::val::Val;
use crate::watchdog::Watched;
use mlua::{Lua, LuaString, Value};
use rustc_hash::FxHashMap;
use sandtable_kernel::map::{BorderSet, SpaceSet};
use sandtable_kernel::state::{State, TableId, piece_col};
use sandtable_kernel::symbol::{Sym, Symbols};
use sandtable_kernel::world::{SideId, World};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// A refusal or a failed invariant, as data; it becomes a sentence only where a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The handler that refused.
    pub handler: u32,
    /// Text, or id of one.
    pub text: String,
    /// The things it names.
    pub args: Vec<Val>,
}

/// What a run touched: the ground on which coverage and mutation testing stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Script name and line.
    pub lines: BTreeSet<(String, u32)>,
    /// `value.x`, `table.t.row.column`, `profile.p`, `field.ROW.NAME` of one piece, `fields.NAME` of all at once, `option.x`, `sight`.
    pub data: BTreeSet<String>,
}

/// What a name in a filter of pieces or spaces means: the key, and the prefix before it.
type FilterNames = FxHashMap<(Sym, Of), (Key, &'static str)>;

/// What every API function sees.
pub struct ScriptContext {
    /// The static world.
    pub world: Arc<World>,
    /// Names; those above `fixed` were made in play and never enter the state.
    pub symbols: RefCell<Symbols>,
    pub(crate) fixed: Cell<usize>,
    /// The game being played.
    pub play: RefCell<Box<Play>>,
    /// The handlers.
    pub registry: RefCell<Registry>,
    pub(crate) keys: Keys,
    /// The number of the VM: each that is thrown away makes it one more.
    pub(crate) vm: Cell<u32>,
    pub(crate) lua_ffi: LuaFfi,
    pub(crate) strings: RefCell<Vec<Option<LuaString>>>,
    pub(crate) values: RefCell<FxHashMap<Sym, Value>>,
    /// Rows of the component list by id.
    rows: FxHashMap<Sym, u32>,
    /// Kinds that pieces and spaces have.
    pub(crate) kinds: Vec<Sym>,
    pub(crate) space_kinds: Vec<Sym>,
    /// The spaces of the map, in contrast to boxes and piles.
    pub(crate) on_map: SpaceSet,
    /// The limits of the game, with the filters of the pieces that count.
    pub(crate) limits: Vec<Limit>,
    /// Names that filters were given, with the key and the prefix they mean.
    pub(crate) filter_names: RefCell<FilterNames>,
    /// Borders by the features they are asked for.
    pub(crate) barriers: RefCell<FxHashMap<Vec<Sym>, Rc<BorderSet>>>,
    /// Cells written and bytes of changes when the present answer began.
    pub(crate) before: Cell<(usize, usize)>,
    /// Bytes of the names that scripts made in play.
    pub(crate) named: Cell<usize>,
    /// How many names there were when the present answer began, and their bytes.
    pub(crate) names_before: Cell<(usize, usize)>,
    /// Whether the present answer made more names than there may be.
    pub(crate) crammed: Cell<bool>,
    /// What the answers of a step use together.
    pub(crate) step: StepMeter,
    /// Instructions that may still run before the next answer.
    pub(crate) budget: Cell<u64>,
    /// What the watchdog knows of the thread that this belongs to.
    pub(crate) watched: Arc<Watched>,
    /// Bytes that Lua used when the meter last looked.
    pub(crate) used: Cell<usize>,
    /// Bytes that lists hold since Lua's collector last looked.
    pub(crate) held: Cell<usize>,
    /// Bytes that hang on values of Lua without Lua knowing.
    pub(crate) outside: Rc<Cell<usize>>,
    /// Whether the collector is being run in idle moments, and the bytes in use when it last was through.
    pub(crate) swept: Cell<(bool, usize)>,
    /// Searches that were made, while somebody wants to know of them.
    pub(crate) searches: RefCell<Option<Vec<Search>>>,
    /// The branch of a simultaneous decision that runs; 0 outside one.
    pub(crate) branch: Cell<u32>,
    /// Numbers being worked out, innermost last.
    pub(crate) numbers: RefCell<Vec<crate::api::Working>>,
    /// Answers that are being looked at again, one within the other.
    pub(crate) looks: Cell<u32>,
    /// Depth of pure functions being run; above 0 nothing may change.
    pub(crate) pure: Cell<u32>,
    /// Whether refusals are wanted with their reasons.
    pub(crate) explaining: Cell<bool>,
    pub(crate) reason: RefCell<Option<Reason>>,
    /// Whether reads are noted: while an answer is worked out, and while scripts load.
    tracking: Cell<bool>,
    reads: RefCell<Vec<Reads>>,
    /// Whether the state was read while scripts load.
    pub(crate) early: Cell<bool>,
    /// Notes of reads to be used again.
    spare_reads: RefCell<Vec<Reads>>,
    pub(crate) loading: Cell<bool>,
    pub(crate) layer: Cell<u16>,
    /// The change of a handler that is left out, by its number.
    pub(crate) left_out: Cell<Option<usize>>,
    pub(crate) printed: RefCell<Vec<String>>,
    /// Calls, recomputations and nanoseconds of each handler, if they are wanted.
    pub profile: RefCell<Option<Vec<[u64; 3]>>>,
    /// Lines that ran and data that were read, if they are wanted: script and line, or key of the datum.
    pub touched: RefCell<Option<Touched>>,
    /// Instructions that may run between two answers.
    pub limit: Cell<u64>,
    /// Time that may pass between two answers.
    pub(crate) time: Cell<std::time::Duration>,
    /// Whether queries are worked out anew each time, to verify what memoisation gives.
    pub bypass_memo: Cell<bool>,
}

/// Each of some names once; there are so few kinds that looking through them is quickest.
fn few(names: impl Iterator<Item = Sym>) -> Vec<Sym> {
    names.collect::<BTreeSet<Sym>>().into_iter().collect()
}

impl ScriptContext {
    pub(crate) fn new(world: Arc<World>, bounds: ScriptBounds) -> ScriptContext {
        let mut symbols = world.symbols.clone();
        let keys = Keys::new(&world, &mut symbols);
        ScriptContext {
            symbols: RefCell::new(symbols),
            fixed: Cell::new(usize::MAX),
            play: RefCell::default(),
            registry: RefCell::new(Registry::default()),
            vm: Cell::new(0),
            lua_ffi: LuaFfi::default(),
            strings: RefCell::default(),
            values: RefCell::default(),
            rows: (0u32..).zip(&world.components).map(|(row, component)| (component.id, row)).collect(),
            kinds: few(world.components.iter().map(|component| component.kind)),
            space_kinds: few(world.spaces.iter().map(|def| def.kind)),
            on_map: world.on_map(),
            limits: Limit::all(&world, &keys),
            keys,
            filter_names: RefCell::default(),
            barriers: RefCell::default(),
            before: Cell::new((0, 0)),
            named: Cell::new(0),
            names_before: Cell::new((0, 0)),
            crammed: Cell::new(false),
            step: StepMeter::default(),
            budget: Cell::new(0),
            watched: crate::watchdog::of_this_thread(),
            used: Cell::new(0),
            held: Cell::new(0),
            outside: Rc::default(),
            swept: Cell::new((false, 0)),
            searches: RefCell::new(None),
            branch: Cell::new(0),
            numbers: RefCell::default(),
            looks: Cell::new(0),
            pure: Cell::new(0),
            explaining: Cell::new(false),
            reason: RefCell::new(None),
            tracking: Cell::new(false),
            reads: RefCell::default(),
            early: Cell::new(false),
            spare_reads: RefCell::default(),
            loading: Cell::new(true),
            layer: Cell::new(0),
            left_out: Cell::new(None),
            printed: RefCell::default(),
            profile: RefCell::new(None),
            touched: RefCell::new(None),
            limit: Cell::new(bounds.instructions),
            time: Cell::new(bounds.time),
            bypass_memo: Cell::new(false),
            world,
        }
    }

    /// Interns a name.
    pub fn sym(&self, text: &str) -> Sym {
        if let Some(sym) = self.symbols.borrow().get(text) {
            return sym;
        }
        // A new name stays for as long as the VM does, so a script pays for it.
        self.charge(100 + 4 * text.len() as u64);
        self.named.set(self.named.get() + text.len());
        self.symbols.borrow_mut().intern(text)
    }

    /// A name that a script gives in play, unless it is too long for one.
    pub(crate) fn new_name(&self, text: &str) -> mlua::Result<Sym> {
        if text.len() > LONGEST_NAME {
            return fail(format!("found a text of more than {LONGEST_NAME} bytes, which cannot be a name"));
        }
        Ok(self.sym(text))
    }

    /// The name that a text is; one that nothing bears if it is not a name yet.
    pub(crate) fn known(&self, text: &str) -> Sym {
        self.symbols.borrow().get(text).unwrap_or(Sym(u32::MAX))
    }

    /// Forgets the names that an answer made which was refused for making so many. No VM that has seen them is left, and the
    /// state is as before.
    pub(crate) fn forget_names(&self, (names, bytes): (usize, usize)) {
        let mut kept = self.world.symbols.clone();
        let mut all = self.symbols.borrow_mut();
        for number in kept.len()..names {
            kept.intern(all.text(Sym(number as u32)));
        }
        *all = kept;
        self.named.set(bytes);
        self.filter_names.borrow_mut().clear();
        self.barriers.borrow_mut().clear();
    }

    /// The text of a name.
    pub fn text(&self, sym: Sym) -> String {
        self.symbols.borrow().text(sym).to_string()
    }

    /// The Lua string of a name.
    pub(crate) fn lua_text(&self, lua: &Lua, sym: Sym) -> mlua::Result<Value> {
        if sym.is_none() {
            return Ok(Value::Nil);
        }
        let at = sym.0 as usize;
        if let Some(Some(string)) = self.strings.borrow().get(at) {
            return Ok(Value::String(string.clone()));
        }
        let string = lua.create_string(self.symbols.borrow().text(sym))?;
        let mut strings = self.strings.borrow_mut();
        if strings.len() <= at {
            strings.resize(at + 1, None);
        }
        strings[at] = Some(string.clone());
        drop(strings);
        self.lua_ffi.keep_text(&string, sym)?;
        Ok(Value::String(string))
    }

    /// The row of the component list with that id.
    pub(crate) fn row(&self, id: Sym) -> Option<u32> {
        self.rows.get(&id).copied()
    }

    /// The side of a name.
    pub fn side(&self, sym: Sym) -> Option<SideId> {
        self.world.sides.iter().position(|side| side.0 == sym).map(|at| SideId(at as u8))
    }

    /// The name of a side.
    pub fn side_sym(&self, side: SideId) -> Sym {
        self.world.sides.get(side.0 as usize).map_or(Sym::NONE, |side| side.0)
    }

    /// Notes that a column was read, so that what is being memoised depends on it.
    #[inline]
    pub(crate) fn note(&self, state: &State, table: TableId, col: u16) {
        if self.tracking.get() {
            self.noted(state.version_index(table, col) as usize);
        }
    }

    fn noted(&self, index: usize) {
        match self.reads.borrow_mut().last_mut() {
            Some(reads) => reads.columns[index / 64] |= 1 << (index % 64),
            // No answer is worked out while scripts load: the function that reads then fails, see `Frame::finish`.
            None => self.early.set(true),
        }
    }

    /// Notes that a column was read of the pieces of one owner only.
    pub(crate) fn note_side(&self, state: &State, col: u16, side: i32) {
        if self.tracking.get() {
            self.noted(state.version_index_of_side(col, side) as usize);
        }
    }

    /// Notes that a column of one piece was read: it depends on the pieces of its owner.
    pub(crate) fn note_piece(&self, state: &State, piece: u32, col: u16) {
        if self.tracking.get() {
            let side = state.get(TableId::PIECE, piece, piece_col::SIDE);
            self.note_side(state, piece_col::SIDE, side);
            self.note_side(state, col, side);
        }
    }

    /// Notes that printed values of a piece were read: they depend on its rung, if it has several.
    pub(crate) fn note_printed(&self, state: &State, piece: u32) {
        if self.tracking.get()
            && self.world.component_of(state, piece).is_none_or(|component| component.levels > 1)
        {
            self.note_piece(state, piece, piece_col::LEVEL);
        }
    }

    /// Begins to load scripts, or ends it. There is no game yet: what they find of one is a position that nobody plays, so that
    /// pieces have names, and who reads the state of it fails.
    pub(crate) fn set_loading(&self, loading: bool) {
        self.loading.set(loading);
        self.tracking.set(loading);
        self.early.set(false);
    }

    /// Whether reads are being noted.
    #[inline]
    pub(crate) fn is_tracking(&self) -> bool {
        self.tracking.get()
    }

    /// Notes that a query was asked and gave the answer with that stamp.
    pub(crate) fn note_asked(&self, memo: u32, stamp: u64) {
        if self.tracking.get()
            && let Some(reads) = self.reads.borrow_mut().last_mut()
        {
            self.charge(reads.asked.len() as u64 / 16);
            if !reads.asked.contains(&(memo, stamp)) {
                reads.asked.push((memo, stamp));
            }
        }
    }

    /// Runs a handler's function, measuring it if that is wanted.
    pub(crate) fn measured<T>(&self, handler: u32, f: impl FnOnce() -> T) -> T {
        if self.profile.borrow().is_none() {
            return f();
        }
        #[expect(clippy::disallowed_methods, reason = "a profile is shown to people and goes into no state")]
        let start = std::time::Instant::now();
        let result = f();
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.count(handler, [0, 1, nanos]);
        result
    }

    /// Notes that a datum was read.
    pub fn touch(&self, key: impl FnOnce() -> String) {
        if let Some(touched) = &mut *self.touched.borrow_mut() {
            touched.data.insert(key());
        }
    }

    /// Adds to the profile of a handler.
    pub(crate) fn count(&self, handler: u32, add: [u64; 3]) {
        if let Some(profile) = &mut *self.profile.borrow_mut() {
            let at = handler as usize;
            if profile.len() <= at {
                profile.resize(at + 1, [0; 3]);
            }
            for (sum, n) in profile[at].iter_mut().zip(add) {
                *sum += n;
            }
        }
    }

    /// Begins to note what is read.
    pub(crate) fn open_reads(&self) {
        let words = self.play.borrow().state.columns().div_ceil(64);
        let mut reads = self.spare_reads.borrow_mut().pop().unwrap_or_default();
        reads.columns.clear();
        reads.columns.resize(words, 0);
        reads.asked.clear();
        self.reads.borrow_mut().push(reads);
        self.tracking.set(true);
    }

    /// Ends what `open_reads` began.
    pub(crate) fn close_reads(&self) -> Reads {
        let mut stack = self.reads.borrow_mut();
        let noted = stack.pop().unwrap_or_default();
        self.tracking.set(!stack.is_empty());
        noted
    }

    /// Takes back notes that are no longer needed, to be written anew.
    pub(crate) fn reuse_reads(&self, reads: Reads) {
        self.spare_reads.borrow_mut().push(reads);
    }

    /// Whether nobody holds any of what every script needs, as a panic in the middle of it could have left behind.
    pub(crate) fn is_free(&self) -> bool {
        self.play.try_borrow_mut().is_ok()
            && self.reads.try_borrow_mut().is_ok()
            && self.numbers.try_borrow_mut().is_ok()
            && self.registry.try_borrow_mut().is_ok()
            && self.symbols.try_borrow_mut().is_ok()
    }

    /// Forgets half-open notes and pure functions after an error.
    pub(crate) fn reset_after_error(&self) {
        self.reads.borrow_mut().clear();
        self.tracking.set(false);
        self.pure.set(0);
        self.looks.set(0);
        self.branch.set(0);
        self.numbers.borrow_mut().clear();
        self.explaining.set(false);
    }

    /// The nearest of `names` to a wrong one, as a hint to append to a message.
    #[cold]
    pub(crate) fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
        let found = sandtable_data::suggest::nearest(wrong, names);
        if found.is_empty() { String::new() } else { format!("; nearest: {}", found.join(", ")) }
    }
}

/// Longest message of an error.
const LONGEST: usize = 4_000;

/// An error with a message for the author of a script.
#[cold]
pub(crate) fn fail<T>(message: impl Into<String>) -> mlua::Result<T> {
    Err(mlua::Error::RuntimeError(shortened(message.into())))
}

/// A message without its end, if it is too long: what a script names in its error may be as long as its memory allows.
pub(crate) fn shortened(message: String) -> String {
    match message.len() > LONGEST {
        true => message.chars().take(LONGEST).chain(['…']).collect(),
        false => message,
    }
}

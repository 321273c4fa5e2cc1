//! The handlers that scripts register: what they attach to, their paragraph, and the conditions tested before Lua.

use crate::val::Val;
use mlua::Function;
use rustc_hash::FxHashMap;
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use std::cell::Cell;
use std::rc::Rc;

/// What a handler does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A procedure or a stage of one.
    Procedure,
    /// Runs before a procedure.
    Before,
    /// Runs after a procedure.
    After,
    /// Runs instead of a procedure.
    Instead,
    /// Runs at an event.
    On,
    /// A pure, memoised function.
    Query,
    /// The base of a number.
    Number,
    /// A contribution to a number.
    Modify,
    /// A reason against an option.
    Forbid,
    /// A preference among options, binding if any passes.
    Prefer,
    /// An exemption from a `Forbid`.
    Waive,
    /// A reason to roll a die again.
    Reroll,
    /// An entry of a menu.
    Offer,
    /// A check in tests and simulations.
    Invariant,
    /// A limit on what may stand together, declared in the tables.
    Limit,
}

impl Kind {
    /// The name of the Lua function that registers it, or of the table that declares it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Procedure => "procedure",
            Kind::Before => "before",
            Kind::After => "after",
            Kind::Instead => "instead",
            Kind::On => "on",
            Kind::Query => "query",
            Kind::Number => "number",
            Kind::Modify => "modify",
            Kind::Forbid => "forbid",
            Kind::Prefer => "prefer",
            Kind::Waive => "waive",
            Kind::Reroll => "reroll",
            Kind::Offer => "offer",
            Kind::Invariant => "invariant",
            Kind::Limit => "limit",
        }
    }
}

/// A registered handler.
#[derive(Debug)]
pub struct Handler {
    /// Its id, unique in its kind and package.
    pub id: String,
    /// Interned id.
    pub sym: Sym,
    /// What it does.
    pub kind: Kind,
    /// What it attaches to: an event, a prompt, a number, a menu, a procedure.
    pub target: Sym,
    /// Paragraphs of the rulebook.
    pub rules: Vec<String>,
    /// The function; none for procedures made of stages only.
    pub func: Option<Function>,
    /// Further functions: `when` and `among` of an offer.
    pub when: Option<Function>,
    /// See `when`.
    pub among: Option<Function>,
    /// The procedure that an offer runs.
    pub run: Sym,
    /// The stages of a procedure or a number.
    pub stages: Vec<Sym>,
    /// The stage a contribution belongs to.
    pub stage: Sym,
    /// Turns on which it holds, as a bit set; all if none were given.
    pub turns: Option<u64>,
    /// An effect that must be in force.
    pub during: Sym,
    /// The offers of a menu that a refusal or a preference is about; all of them if none is named.
    pub offers: Vec<Sym>,
    /// The side whose decision, or whose half, it holds for.
    pub side: Option<SideId>,
    /// False if an option of this game turns it off.
    pub wanted: bool,
    /// The options that it hangs on.
    pub options: Vec<String>,
    /// Whether it looks at the whole list of options at once.
    pub whole: bool,
    /// Order among handlers of one target.
    pub order: i32,
    /// Script and line where it was registered.
    pub place: String,
    /// Package that registered it.
    pub layer: u16,
    /// Turned off by a mutation or a layer.
    pub disabled: Cell<bool>,
    /// How often it ran.
    pub fired: Cell<u64>,
}

impl Handler {
    /// Whether it looks at options of that offer.
    pub fn is_about(&self, offer: Sym) -> bool {
        self.offers.is_empty() || self.offers.contains(&offer)
    }

    /// Whether nothing about the state needs to be tested before it runs.
    pub fn unconditional(&self) -> bool {
        self.turns.is_none() && self.during.is_none() && self.side.is_none()
    }
}

/// A change that a layer made to a handler.
#[derive(Debug, Clone)]
pub struct LayerChange {
    /// The number of the handler.
    pub handler: u32,
    /// `wrap`, `replace` or `disable`.
    pub verb: &'static str,
    /// The package that made it.
    pub layer: u16,
    /// Script and line.
    pub place: String,
}

/// All handlers, with the order in which those of one target run.
#[derive(Default)]
pub struct Registry {
    /// The handlers in order of registration.
    pub handlers: Vec<Handler>,
    /// What layers changed in them, in order.
    pub changes: Vec<LayerChange>,
    /// Scripts of libraries, with the numbers of their packages.
    pub(crate) libraries: Vec<(String, u16)>,
    by_target: FxHashMap<(Kind, Sym), Rc<[u32]>>,
    /// The list of a target without handlers.
    nobody: Rc<[u32]>,
}

impl Registry {
    /// The package that has the last word on what a handler does, and its place: that of the outermost wrap or replacement,
    /// else where the handler was registered.
    pub fn decided(&self, handler: u32) -> Option<(u16, &str)> {
        let own = self.handlers.get(handler as usize)?;
        let mut changes = self.changes.iter().rev();
        let last = changes.find(|change| change.handler == handler && change.verb != "disable");
        Some(last.map_or((own.layer, own.place.as_str()), |change| (change.layer, change.place.as_str())))
    }

    /// The package that a place belongs to where it is one of a library; who calls a library registers what stands there.
    pub(crate) fn library_at(&self, place: &str) -> Option<u16> {
        let file = place.rsplit_once(':').map_or(place, |(file, _)| file);
        self.libraries.iter().find(|(script, _)| script == file).map(|(_, layer)| *layer)
    }

    /// Adds a handler and returns its number.
    pub fn add(&mut self, handler: Handler) -> u32 {
        self.handlers.push(handler);
        (self.handlers.len() - 1) as u32
    }

    /// The handler of a kind with that id.
    pub fn find(&self, kind: Option<Kind>, id: &str) -> Option<u32> {
        let found = self
            .handlers
            .iter()
            .position(|handler| handler.id == id && kind.is_none_or(|kind| handler.kind == kind));
        found.map(|at| at as u32)
    }

    /// Sorts the handlers of each target once all are there.
    pub fn finish(&mut self) {
        let handlers = &self.handlers;
        let mut by_target: FxHashMap<(Kind, Sym), Vec<u32>> = FxHashMap::default();
        for (number, handler) in (0u32..).zip(handlers) {
            if handler.wanted && !handler.disabled.get() {
                by_target.entry((handler.kind, handler.target)).or_default().push(number);
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "each list is sorted on its own")]
        for list in by_target.values_mut() {
            list.sort_by_key(|&number| (handlers[number as usize].order, number));
        }
        // Contributions run stage by stage, in the order that their number declares.
        for base in handlers.iter().filter(|handler| handler.kind == Kind::Number && handler.wanted) {
            let stage_of = |&number: &u32| {
                let stage = handlers[number as usize].stage;
                base.stages.iter().position(|&other| other == stage).unwrap_or(base.stages.len())
            };
            if let Some(list) = by_target.get_mut(&(Kind::Modify, base.target)) {
                list.sort_by_key(stage_of);
            }
        }
        self.by_target = by_target.into_iter().map(|(target, list)| (target, list.into())).collect();
        self.nobody = [].into();
    }

    /// The handlers of a kind for a target, in the order in which they run.
    pub fn of(&self, kind: Kind, target: Sym) -> &[u32] {
        self.by_target.get(&(kind, target)).map_or(&[], |list| list)
    }

    /// The same, to be held while handlers run.
    pub(crate) fn held(&self, kind: Kind, target: Sym) -> Rc<[u32]> {
        self.by_target.get(&(kind, target)).unwrap_or(&self.nobody).clone()
    }
}

/// Key of a memoised result: the query and its arguments, each in one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemoKey {
    query: u32,
    args: [u64; 3],
}

impl MemoKey {
    /// The key of a call.
    pub fn new(query: u32, args: [Val; 3]) -> MemoKey {
        MemoKey { query, args: args.map(pack) }
    }

    /// The query.
    pub fn query(self) -> u32 {
        self.query
    }

    /// Its arguments.
    pub fn args(self) -> [Val; 3] {
        self.args.map(unpack)
    }
}

fn pack(val: Val) -> u64 {
    let (tag, word) = match val {
        Val::Nil => (0, 0),
        Val::Bool(b) => (1, u32::from(b)),
        Val::Int(n) => (2, n as u32),
        Val::Sym(sym) => (3, sym.0),
        Val::Piece(piece) => (4, piece),
        Val::Space(space) => (5, space),
        Val::Effect(row) => (6, row),
        Val::Record(table, row) => (7 + u64::from(table), row),
    };
    tag << 32 | u64::from(word)
}

fn unpack(word: u64) -> Val {
    let (tag, low) = (word >> 32, word as u32);
    match tag {
        0 => Val::Nil,
        1 => Val::Bool(low != 0),
        2 => Val::Int(low as i32),
        3 => Val::Sym(Sym(low)),
        4 => Val::Piece(low),
        5 => Val::Space(low),
        6 => Val::Effect(low),
        table => Val::Record((table - 7) as u16, low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_value_survives_being_an_argument_of_a_key() {
        let vals = [
            Val::Nil,
            Val::Bool(true),
            Val::Int(-3),
            Val::Int(i32::MAX),
            Val::Sym(Sym(u32::MAX)),
            Val::Piece(9),
            Val::Space(u32::MAX),
            Val::Effect(1),
            Val::Record(u16::MAX, 5),
        ];
        for val in vals {
            assert_eq!(MemoKey::new(4, [val, Val::Nil, val]).args(), [val, Val::Nil, val]);
        }
    }
}

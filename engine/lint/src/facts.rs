//! What a script says, taken out of its syntax tree: names, calls, texts and numbers with their places.

use sandtable_data::source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Callee {
    /// A function by a global name: one of the API, or one of the game's own.
    Global(String),
    /// A function by a local name.
    Local(String),
    /// A method of a value.
    Method(String),
    /// A function of a library: `math.max`.
    Member(String, String),
}

/// Where in a call something stands: the argument, and the key if it stands in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    pub callee: Callee,
    /// The number of the call in its script, which tells what stands in the same one.
    pub call: usize,
    pub argument: usize,
    pub key: Option<String>,
}

/// A text in a script, with the call it is an argument of.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub value: String,
    pub span: Span,
    pub slot: Option<Slot>,
    /// The field that it is compared with or assigned to.
    pub field: Option<String>,
}

/// Texts joined with something that is known only in play: `"event." .. card.id`.
#[derive(Debug, Clone)]
pub(crate) struct Joined {
    pub prefix: String,
    pub suffix: String,
    /// The field between, if it is one: `id`.
    pub field: Option<String>,
    pub span: Span,
    pub slot: Option<Slot>,
    /// The fields that conditions around it look at.
    pub tested: Vec<String>,
}

impl Joined {
    /// Whether a name could come of it.
    pub fn fits(&self, name: &str) -> bool {
        let known = self.prefix.len() + self.suffix.len();
        known > 0 && name.len() > known && name.starts_with(&self.prefix) && name.ends_with(&self.suffix)
    }
}

/// A name with its place.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub name: String,
    pub span: Span,
}

/// A field that is read or assigned.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub name: String,
    pub span: Span,
    /// The global it is a field of: `game`, `sides`, `math`.
    pub of: Option<String>,
    /// Whether it is a field of `sides[…]`.
    pub of_side: bool,
}

/// A key of a table that is an argument of a call.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub name: String,
    pub span: Span,
    pub slot: Slot,
}

/// A number in a script.
#[derive(Debug, Clone)]
pub(crate) struct Number {
    /// As it is written.
    pub text: String,
    pub span: Span,
    /// Whether it stands in a function, which is where rules are.
    pub in_function: bool,
    /// An index, a key, or where a loop begins: no figure of a rulebook.
    pub index: bool,
    /// Written out of smaller numbers: `1 + 1`.
    pub sum: bool,
}

/// A parameter of a function that is handed on as an argument.
#[derive(Debug, Clone)]
pub(crate) struct Forwarded {
    pub function: Callee,
    pub parameter: usize,
    pub slot: Slot,
}

/// A value of data that is handed to a call: `space(value "barges".town)`, `piece(card.brings)`.
#[derive(Debug, Clone)]
pub(crate) struct Passed {
    /// The figure it belongs to; nothing for a field of a piece or space.
    pub figure: Option<String>,
    /// The key or field; nothing for the figure itself.
    pub key: Option<String>,
    pub slot: Slot,
    pub span: Span,
}

/// All that was found in one script.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub file: FileId,
    pub layer: u16,
    /// Globals that are read.
    pub reads: Vec<Name>,
    /// Globals that are assigned; in a function if the flag says so.
    pub sets: Vec<(Name, bool)>,
    /// Locals of the whole script that a function assigns.
    pub kept: Vec<Name>,
    /// Tables that are made while scripts load, where a rule writes into them.
    pub kept_tables: Vec<Name>,
    /// Names of locals that are read.
    pub locals: BTreeSet<String>,
    pub calls: Vec<(Callee, Span)>,
    pub methods: Vec<Name>,
    /// Fields that are read.
    pub fields: Vec<Field>,
    /// Fields that are assigned.
    pub assigned: Vec<Field>,
    pub keys: Vec<Key>,
    /// Names given to fields by table constructors, assignments and functions.
    pub given: BTreeSet<String>,
    pub texts: Vec<Text>,
    pub joined: Vec<Joined>,
    pub numbers: Vec<Number>,
    pub forwarded: Vec<Forwarded>,
    pub passed: Vec<Passed>,
    /// The number of arguments of each call, by its number; nothing where it is known only in play.
    pub arities: BTreeMap<usize, Option<usize>>,
    /// Keys read of a figure: `value "x".key`.
    pub figures: Vec<(String, Name)>,
    /// Names that hold what a call gives: `x = procedure("x", …)`, by the place of the call.
    pub holds: Vec<(Name, Span)>,
}

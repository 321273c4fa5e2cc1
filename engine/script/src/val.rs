//! Values that cross the border between kernel and scripts, and the decisions made of them.

use crate::lua_ffi::Slot;
use crate::vm::Held;
use mlua::Function;
use sandtable_kernel::selection::{Bounds, Item};
use sandtable_kernel::state::{PieceId, TableId};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::SideId;
use std::rc::Rc;

/// A value that can be an option, an argument or a part of a change record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Val {
    /// Nothing.
    Nil,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i32),
    /// A name: a symbol, an enum value, a side.
    Sym(Sym),
    /// A piece.
    Piece(u32),
    /// A space.
    Space(u32),
    /// A record in play.
    Record(u16, u32),
    /// A timed effect.
    Effect(u32),
}

impl Val {
    /// The piece, if it is one.
    pub fn piece(self) -> Option<PieceId> {
        match self {
            Val::Piece(piece) => Some(PieceId(piece)),
            _ => None,
        }
    }
}

/// One option of a decision: a value, with the offer it belongs to in a menu.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Opt {
    /// The offer of a menu; `Sym::NONE` elsewhere.
    pub tag: Sym,
    /// The value.
    pub val: Val,
}

/// What was answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// One option of a list.
    One(Opt),
    /// A selection: values with how many of each.
    Many(Vec<(Val, u32)>),
}

/// What a decision offers.
#[derive(Clone, Debug)]
pub enum Offered {
    /// Exactly one of these.
    List(Vec<Opt>),
    /// A set or basket of these under bounds.
    Selection {
        /// What can be chosen.
        values: Vec<Val>,
        /// Cost and number of each.
        items: Vec<Item>,
        /// Bounds on number and cost.
        bounds: Bounds,
        /// A test of the whole, with the last word.
        test: Option<Held<Test>>,
        /// A selection that keeps to all of it: the proof that there is one.
        proof: Vec<u32>,
    },
}

/// A decision that a side owes.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Who decides.
    pub side: SideId,
    /// What is asked.
    pub prompt: Sym,
    /// The legal answers.
    pub offered: Offered,
    /// The wide list before rules narrowed it, for explanations.
    pub candidates: Vec<Opt>,
    /// The table given to `ask`, which rules see.
    pub spec: Option<Rc<Slot>>,
    /// Which branch of a simultaneous decision it is; 0 for an ordinary one.
    pub branch: u32,
    /// Whether it is a menu, whose options belong to offers.
    pub menu: bool,
    /// Whether the script gets a basket, things with their numbers, rather than a list.
    pub basket: bool,
}

/// The test of a selection as a whole.
#[derive(Clone, Debug)]
pub struct Test {
    /// What says whether it is fine.
    pub function: Function,
    /// Whether it gets a basket rather than a list.
    pub basket: bool,
}

impl Decision {
    /// Whether an answer was given to such a decision: the same side is asked the same.
    pub fn fits(&self, answer: &Answer) -> bool {
        self.side == answer.side && self.prompt == answer.prompt
    }

    /// How many legal answers a list offers; a selection counts as many.
    pub fn count(&self) -> usize {
        match &self.offered {
            Offered::List(options) => options.len(),
            Offered::Selection { values, .. } => values.len() + 2,
        }
    }
}

/// An answer with its context, as recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Who decided.
    pub side: SideId,
    /// What was asked.
    pub prompt: Sym,
    /// What was chosen.
    pub choice: Choice,
    /// Whether there was no other option, so that nobody was asked.
    pub forced: bool,
}

/// A change of the state or another thing that happened, as logs, cases and tables see it.
#[derive(Clone, Debug)]
pub enum Change {
    /// A piece moved; places as the state stores them.
    Move {
        /// The piece.
        piece: u32,
        /// Where it was.
        from: i32,
        /// Where it is now.
        to: i32,
    },
    /// A cell was assigned.
    Set {
        /// The table.
        table: TableId,
        /// The row.
        row: u32,
        /// The column.
        col: u16,
        /// The value before.
        old: i32,
        /// The value now.
        new: i32,
    },
    /// A list was assigned.
    SetList {
        /// The table.
        table: TableId,
        /// The row.
        row: u32,
        /// The column.
        col: u16,
        /// The values now.
        new: Vec<i32>,
    },
    /// A piece was made.
    Create(u32),
    /// A piece is gone for good.
    Destroy(u32),
    /// A pile was shuffled.
    Shuffle(u32),
    /// A face was shown to, or hidden from, sides.
    Reveal {
        /// The piece.
        piece: u32,
        /// Bit set of the sides that see it now.
        seen: i32,
        /// Whether it was shown, or hidden.
        shown: bool,
    },
    /// A die was rolled, or something drawn at random.
    Roll {
        /// What for.
        label: Sym,
        /// Faces of the die.
        sides: u32,
        /// The result.
        value: u32,
    },
    /// A number was worked out.
    Number {
        /// What it is about: the arguments that it was worked out with.
        of: Vec<Val>,
        /// Which.
        name: Sym,
        /// The result.
        value: i32,
        /// How it came about.
        parts: Vec<sandtable_kernel::number::Part>,
    },
    /// An effect began.
    StartEffect(Sym),
    /// An effect ended.
    EndEffect(Sym),
    /// A record in play began.
    StartRecord(u16, u32),
    /// A record in play was finished.
    FinishRecord(u16, u32),
    /// A line for people.
    Log(Sym, Vec<Val>),
    /// A step of the sequence of play began.
    Step(Sym),
    /// The position was changed outside the rules, by this line.
    Edit(Box<str>),
    /// The game ended.
    End(Ending),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner; none for a draw.
    pub winner: Option<SideId>,
    /// Text id of the reason.
    pub reason: Sym,
    /// The paragraph.
    pub rule: String,
}

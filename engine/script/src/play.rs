//! A game in play as scripts see it: its state, what happened, the decisions owed, and what was worked out and is kept.

use crate::changes::Changes;
use crate::lua_ffi::Slot;
use crate::registry::MemoKey;
use crate::step::Used;
use crate::val::{Answer, Change, Choice, Decision, Ending, Val};
use rustc_hash::FxHashMap;
use sandtable_kernel::sight::SightNow;
use sandtable_kernel::state::{EffectId, Mark, PieceId, State, TableId, effect_col, piece_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::World;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// A bit set of columns, by their index among the versions of the state.
pub(crate) type Columns = Vec<u64>;
/// Queries, by the number of their memo, with the stamps of their answers.
pub(crate) type Asked = Vec<(u32, u64)>;

/// An answer that is kept.
#[derive(Clone)]
pub(crate) enum CachedAnswer {
    Val(Val),
    /// A list or a table.
    Slot(Rc<Slot>),
}

impl CachedAnswer {
    /// The value, if it is no list or table.
    pub fn val(&self) -> Val {
        if let CachedAnswer::Val(val) = self { *val } else { Val::Nil }
    }
}

/// A memoised result, and what it was made from.
pub struct Memo {
    pub(crate) key: MemoKey,
    pub(crate) value: CachedAnswer,
    /// What was read for it.
    pub(crate) reads: Reads,
    /// Changes whenever the value does.
    pub(crate) stamp: u64,
    /// How many writes the state had seen when this was last found good.
    pub(crate) checked: u64,
}

/// Memoised results by number, and the numbers by what was asked.
#[derive(Default)]
pub struct Memos {
    /// The VM in which they were worked out.
    vm: u32,
    pub(crate) list: Vec<Memo>,
    pub(crate) numbers: FxHashMap<MemoKey, u32>,
}

impl Memos {
    /// Forgets answers that lie in another VM than that one.
    pub(crate) fn discard_other_vm(&mut self, vm: u32) {
        if self.vm != vm {
            *self = Memos { vm, ..Memos::default() };
        }
    }
}

/// The values of all spaces for some rules of sight, and what they were made from.
pub struct SightKept {
    pub(crate) now: SightNow<'static>,
    pub(crate) reads: Columns,
    pub(crate) checked: u64,
}

/// The pieces that share an owner, a kind or a row, with the state of the columns they were found by.
pub struct Indexed {
    stamp: [u64; 3],
    pieces: Rc<[u32]>,
}

/// In the key of an index: any owner, kind or row.
pub(crate) const ANY: i32 = i32::MIN;

impl Play {
    /// The pieces, dead ones included, with that owner, kind and row; each may be `ANY`.
    pub(crate) fn pieces_by(&mut self, world: &World, key: [i32; 3]) -> Rc<[u32]> {
        let state = &self.state;
        let version = |col| state.version(state.version_index(TableId::PIECE, col));
        let stamp =
            [version(piece_col::SIDE), version(piece_col::COMPONENT), state.rows(TableId::PIECE).into()];
        if let Some(found) = self.index.get(&key)
            && found.stamp == stamp
        {
            return found.pieces.clone();
        }
        let [side, kind, row] = key;
        let fits = |&piece: &u32| {
            let owner = state.get(TableId::PIECE, piece, piece_col::SIDE);
            let component = world.component_of(state, piece);
            (side == ANY || owner == side)
                && (kind == ANY || component.is_some_and(|component| component.kind.cell() == kind))
                && (row == ANY || component.is_some_and(|component| component.id.cell() == row))
        };
        let pieces: Rc<[u32]> = (0..state.rows(TableId::PIECE)).filter(fits).collect();
        self.index.insert(key, Indexed { stamp, pieces: pieces.clone() });
        pieces
    }
}

/// What a memoised function has read so far.
#[derive(Default)]
pub(crate) struct Reads {
    /// Every column.
    pub columns: Columns,
    /// Queries that were asked, with the stamp of the answer.
    pub asked: Asked,
}

/// One game in play: the part of a session that scripts see and change.
#[derive(Default)]
pub struct Play {
    /// The state.
    pub state: State,
    /// What happened since the session began, in order.
    pub changes: Changes,
    /// Decisions owed; several only inside `together`.
    pub pending: Vec<Decision>,
    /// Answers to be given without asking, when a step is run again.
    pub feed: VecDeque<Choice>,
    /// Whether fed answers are tested against the options (a record under changed rules, a case).
    pub strict: bool,
    /// Whether decisions are asked even if there is one option, to find out why there is no other.
    pub ask_forced: bool,
    /// Answers given in the current step, forced ones included.
    pub answered: Vec<Answer>,
    /// The point of the state at each of them, and how many changes there were.
    pub answered_at: Vec<(Mark, usize)>,
    /// The seed of the game.
    pub seed: u64,
    /// Hash of the path of the current step.
    pub path: u64,
    /// Rolls of the current step, and how many of them are still to be fed.
    pub rolls: Vec<(Sym, u32)>,
    /// Rolls to be given in the order of their label: recorded or forced ones.
    pub roll_feed: Vec<(Sym, u32)>,
    /// What shuffles of a pile are to bring to its top, in their order (cases).
    pub shuffle_feed: Vec<(u32, Vec<PieceId>)>,
    /// Whether a roll without a forced value is an error (cases).
    pub forced_only: bool,
    /// Set when a die is rolled or a face shown: what came before cannot be taken back.
    pub barrier: bool,
    /// How the game ended.
    pub ended: Option<Ending>,
    /// Memoised results of queries.
    pub memos: Memos,
    /// Pieces by owner, kind and row of the component list, as far as they were asked for.
    pub index: FxHashMap<[i32; 3], Indexed>,
    /// What can be seen over, by the rules of sight, as long as nothing of it changes.
    pub sights: FxHashMap<Sym, SightKept>,
    /// The newest stamp of a memoised result.
    pub stamp: u64,
    /// What the step under way has used so far.
    pub used: Used,
    /// Handlers being run, outermost first.
    pub chain: Vec<u32>,
    /// Rows of records and effects that ended in the current step. They are not used again in it, so that a handle kept
    /// for too long is found out.
    pub freed: BTreeSet<(TableId, u32)>,
}

/// Rows of a table above which those that were freed in the current step are used again.
const ROWS: u32 = 1_000;

impl Play {
    /// A game before set-up.
    pub fn new(world: &World, seed: u64) -> Play {
        Play { state: world.new_state(), seed, ..Play::default() }
    }

    /// The present point of the state, for taking things back.
    pub fn mark(&self) -> (Mark, usize) {
        (self.state.mark(), self.changes.len())
    }

    /// Ends an effect and takes note of it.
    pub fn end_effect(&mut self, effect: EffectId) {
        let name = Sym::from_cell(self.state.get(TableId::EFFECT, effect.0, effect_col::NAME));
        self.state.end_effect(effect);
        self.changes.push(Change::EndEffect(name));
        self.freed.insert((TableId::EFFECT, effect.0));
    }

    /// Ends the effects that last until a node or an event of this name, or a record of this type and row.
    pub fn end_effects_until(&mut self, name: Sym, record: Option<u32>) {
        for effect in self.state.effects_where(effect_col::UNTIL, name.cell()) {
            let held = self.state.get(TableId::EFFECT, effect.0, effect_col::RECORD);
            if held == 0 || record.is_none_or(|row| held == row as i32 + 1) {
                self.end_effect(effect);
            }
        }
    }

    /// Whether a piece was destroyed, a record finished or an effect ended.
    pub(crate) fn is_gone(&self, val: Val) -> bool {
        let free = |table: TableId, row: u32, col: u16| {
            row >= self.state.rows(table) || self.state.get(table, row, col) == 0
        };
        match val {
            Val::Piece(piece) => free(TableId::PIECE, piece, piece_col::LEVEL),
            Val::Record(table, row) => free(TableId(table), row, 0),
            Val::Effect(row) => free(TableId::EFFECT, row, effect_col::NAME),
            _ => false,
        }
    }

    /// A free row of a table of records or effects; one that was freed in the current step only if there are very many.
    pub fn free_row(&self, table: TableId) -> Option<u32> {
        let free = |row: &u32| self.state.get(table, *row, 0) == 0;
        let rows = self.state.rows(table);
        let rested = (0..rows).filter(free).find(|&row| !self.freed.contains(&(table, row)));
        rested.or_else(|| (0..rows).find(free).filter(|_| rows > ROWS))
    }

    /// The record of a type that was begun last and is not finished.
    pub(crate) fn innermost(&self, table: TableId) -> Option<u32> {
        let live = |row: u32| self.state.get(table, row, 0) != 0;
        if !(0..self.state.rows(table)).any(live) {
            return None;
        }
        self.changes.iter().rev().find_map(|change| match change {
            Change::StartRecord(of, row) if TableId(*of) == table && live(*row) => Some(*row),
            _ => None,
        })
    }

    /// Takes out the first decision owed that fits.
    pub fn take_pending(&mut self, fits: impl Fn(&Decision) -> bool) -> Option<Decision> {
        let which = self.pending.iter().position(fits)?;
        Some(self.pending.remove(which))
    }

    /// Takes back state and changes to a point.
    pub fn revert(&mut self, mark: (Mark, usize)) {
        self.state.revert(mark.0);
        self.changes.truncate(mark.1);
    }
}

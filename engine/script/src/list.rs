//! Lists: ordered, read-only collections of values that stay in Rust until a script looks at one.

use crate::context::ScriptContext;
use crate::filter::{Of, owners};
use crate::lua_ffi::{Frame, Out};
use crate::outside::Tallied;
use crate::val::Val;
use crate::wrong_value::{Given, WrongValue};
use mlua::Value;
use sandtable_kernel::map::{SpaceId, SpaceSet};
use sandtable_kernel::search::Reach;
use sandtable_kernel::state::{PieceId, piece_col};
use std::borrow::Cow;

/// Most values that are taken from a table of a script at a time.
pub(crate) const VALUES: usize = 100_000;

/// A list on its way to Lua.
pub(crate) enum NewList {
    Vals(Vec<Val>),
    /// Spaces, ascending.
    Set(SpaceSet),
    /// What a search found.
    Reach(Box<Tallied<Reach>>),
}

/// A list that lies in Lua's memory: values in order, or the bits of a set of spaces, ascending.
#[derive(Clone, Copy)]
pub(crate) struct List<'a> {
    pub cx: &'a ScriptContext,
    pub contents: Contents<'a>,
    /// The search that a result of `reach` stands for; it is no list to scripts, but is kept like one.
    pub reach: Option<&'a Reach>,
}

#[derive(Clone, Copy)]
pub(crate) enum Contents<'a> {
    Vals(&'a [Val]),
    Set(&'a [u64]),
}

impl<'a> List<'a> {
    /// Whether it is a list of pieces.
    pub fn holds_pieces(self) -> bool {
        matches!(self.contents, Contents::Vals([Val::Piece(_), ..]))
    }

    /// Fails if it holds something that is not in this game, as a list that a script has kept may: who reads the state of what
    /// a list holds asks this first.
    pub fn exists(self) -> Given<()> {
        match self.contents {
            Contents::Vals(vals) => self.cx.all_exist(vals),
            Contents::Set(_) => Ok(()),
        }
    }

    /// The values in order.
    pub fn vals(self) -> Cow<'a, [Val]> {
        match self.contents {
            Contents::Vals(vals) => Cow::Borrowed(vals),
            Contents::Set(_) => self.to_set().iter().map(|space| Val::Space(space.0)).collect(),
        }
    }

    pub fn len(self) -> usize {
        match self.contents {
            Contents::Vals(vals) => vals.len(),
            Contents::Set(words) => words.iter().map(|word| word.count_ones() as usize).sum(),
        }
    }

    /// The words of its set, if it is one.
    pub fn words(self) -> Option<&'a [u64]> {
        match self.contents {
            Contents::Set(words) => Some(words),
            Contents::Vals(_) => None,
        }
    }

    pub fn has(self, val: Val) -> bool {
        match (self.contents, val) {
            (Contents::Vals(vals), val) => vals.contains(&val),
            (Contents::Set(words), Val::Space(space)) => {
                words.get(space as usize / 64).is_some_and(|word| word >> (space % 64) & 1 == 1)
            }
            (Contents::Set(_), _) => false,
        }
    }

    /// Whether two lists hold the same in the same order.
    pub fn same(self, other: List<'_>) -> bool {
        // Two searches may end in the same spaces at other costs.
        if self.reach.is_some() || other.reach.is_some() {
            return false;
        }
        match (self.contents, other.contents) {
            (Contents::Vals(own), Contents::Vals(others)) => own == others,
            (Contents::Set(_), Contents::Set(_)) => self.to_set() == other.to_set(),
            _ => self.vals() == other.vals(),
        }
    }

    /// Notes that a column was read of the pieces in the list: of their owners only.
    pub fn note(self, col: u16) {
        let (true, Contents::Vals(vals)) = (self.cx.is_tracking(), self.contents) else { return };
        let play = self.cx.play.borrow();
        for side in owners(&play.state, vals) {
            self.cx.note_side(&play.state, piece_col::SIDE, side);
            self.cx.note_side(&play.state, col, side);
        }
    }

    /// The spaces of the list, or of its pieces, as a set.
    pub fn to_set(self) -> SpaceSet {
        let vals = match self.contents {
            Contents::Set(words) => return SpaceSet::from_words(words.to_vec()),
            Contents::Vals(vals) => vals,
        };
        if self.holds_pieces() {
            // Whoever makes spaces of pieces depends on where these are.
            self.note(piece_col::PLACE);
        }
        let play = self.cx.play.borrow();
        let space = |val: &Val| match val {
            Val::Space(space) => Some(SpaceId(*space)),
            Val::Piece(piece) => play.state.space_of(PieceId(*piece)),
            _ => None,
        };
        vals.iter().filter_map(space).collect()
    }

    pub fn kind(self) -> Of {
        match self.contents {
            Contents::Set(_) | Contents::Vals([Val::Space(_), ..]) => Of::Spaces,
            Contents::Vals(_) => Of::Pieces,
        }
    }

    /// An element, counted from 1.
    pub fn element(self, n: i64) -> Val {
        let Ok(mut at) = usize::try_from(n.saturating_sub(1)) else { return Val::Nil };
        let words = match self.contents {
            Contents::Vals(vals) => return vals.get(at).copied().unwrap_or(Val::Nil),
            Contents::Set(words) => words,
        };
        for (word, &bits) in (0u32..).zip(words) {
            let here = bits.count_ones() as usize;
            if at < here {
                let rest = (0..at).fold(bits, |bits, _| bits & (bits - 1));
                return Val::Space(word * 64 + rest.trailing_zeros());
            }
            at -= here;
        }
        Val::Nil
    }
}

impl Out {
    /// A list of values.
    pub fn list(vals: Vec<Val>) -> Out {
        Out::List(NewList::Vals(vals))
    }

    /// A list of spaces, ascending.
    pub fn spaces(spaces: SpaceSet) -> Out {
        Out::List(NewList::Set(spaces))
    }
}

impl ScriptContext {
    /// The values of a list, a table of values, or one value.
    pub(crate) fn vals(&self, value: &Value) -> Given<Vec<Val>> {
        match value {
            Value::Nil => Ok(Vec::new()),
            Value::UserData(object) => match self.list_vals(object)? {
                Some(vals) => {
                    self.charge(vals.len() as u64);
                    Ok(vals)
                }
                None => Ok(vec![self.val(value)?]),
            },
            Value::Table(table) => {
                // A read-only table keeps its contents behind it.
                let inner = table.metatable().and_then(|meta| meta.raw_get::<mlua::Table>("__index").ok());
                let table = inner.as_ref().unwrap_or(table);
                let mut vals = Vec::new();
                loop {
                    let value: Value = table.raw_get(vals.len() + 1)?;
                    if value.is_nil() {
                        return Ok(vals);
                    }
                    self.pay_for_value(vals.len())?;
                    vals.push(self.val(&value)?);
                }
            }
            value => Ok(vec![self.val(value)?]),
        }
    }

    /// Lets a script pay for one more value of a table that holds so many already.
    pub(crate) fn pay_for_value(&self, there: usize) -> Given<()> {
        if there >= VALUES {
            return Err(WrongValue::LongTable.into());
        }
        // The budget is a matter of the whole run; the message says so by itself.
        Ok(self.spend(4)?)
    }

    /// Lets a script pay for a list; what a search holds Lua does not count.
    pub(crate) fn pay_for(&self, list: &NewList) -> mlua::Result<()> {
        match list {
            NewList::Vals(vals) => self.spend(2 * vals.len() as u64 + 16),
            NewList::Set(_) => self.spend(self.world.spaces.len() as u64 / 32 + 16),
            NewList::Reach(_) => self.spend(16),
        }
    }
}

impl Frame<'_> {
    /// The spaces of a list, a table of handles, or one handle.
    pub(crate) fn space_set(&self, at: i32) -> Given<SpaceSet> {
        if let Some(set) = self.with_list(at, |list| list.exists().map(|()| list.to_set())) {
            return set;
        }
        let vals = self.vals(at)?;
        let play = self.cx.play.borrow();
        let space = |val| match val {
            Val::Space(space) => Ok(Some(SpaceId(space))),
            Val::Piece(piece) => {
                self.cx.note_piece(&play.state, piece, piece_col::PLACE);
                Ok(play.state.space_of(PieceId(piece)))
            }
            val => Err(WrongValue::Expected { expected: "spaces", found: self.cx.describe(val) }),
        };
        let spaces: Result<Vec<Option<SpaceId>>, WrongValue> = vals.into_iter().map(space).collect();
        Ok(spaces.map_err(Box::new)?.into_iter().flatten().collect())
    }
}

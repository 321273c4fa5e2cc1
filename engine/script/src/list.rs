//! Lists: ordered, read-only collections of values that stay in Rust until a script looks at one.

use crate::border::{Arg, Frame, Out};
use crate::cx::Cx;
use crate::filter::{Of, owners};
use crate::val::Val;
use mlua::{Lua, Value};
use sandtable_kernel::map::{SpaceId, SpaceSet};
use sandtable_kernel::search::Reach;
use sandtable_kernel::state::{PieceId, piece_col};
use std::cell::OnceCell;
use std::rc::Rc;

/// A list of values.
///
/// A list of spaces that comes as a set makes its values only when a script looks at them.
#[repr(C)]
pub(crate) struct List {
    /// First in memory, so that a block of Lua's can be told to be a list.
    mark: u64,
    vals: OnceCell<Vec<Val>>,
    pub set: OnceCell<SpaceSet>,
    /// The search that a result of `reach` stands for; it is no list to scripts, but is kept like one.
    pub reach: Option<Box<Reach>>,
    cx: Rc<Cx>,
}

impl List {
    pub const MARK: u64 = 0x5361_6e64_7461_626c;

    pub fn new(vals: Vec<Val>, cx: &Rc<Cx>) -> List {
        List {
            mark: List::MARK,
            vals: OnceCell::from(vals),
            set: OnceCell::new(),
            reach: None,
            cx: cx.clone(),
        }
    }

    /// A list of spaces, ascending.
    pub fn of_spaces(spaces: SpaceSet, cx: &Rc<Cx>) -> List {
        List {
            mark: List::MARK,
            vals: OnceCell::new(),
            set: OnceCell::from(spaces),
            reach: None,
            cx: cx.clone(),
        }
    }

    /// The result of a search.
    pub fn of_reach(reach: Reach, cx: &Rc<Cx>) -> List {
        let (vals, set) = (OnceCell::new(), OnceCell::from(reach.ends().clone()));
        List { mark: List::MARK, vals, set, reach: Some(Box::new(reach)), cx: cx.clone() }
    }

    /// Whether it is a list of pieces.
    pub fn holds_pieces(&self) -> bool {
        matches!(self.vals.get().and_then(|vals| vals.first()), Some(Val::Piece(_)))
    }

    /// The values in order.
    pub fn vals(&self) -> &[Val] {
        self.vals.get_or_init(|| match self.set.get() {
            Some(set) => set.iter().map(|space| Val::Space(space.0)).collect(),
            None => Vec::new(),
        })
    }

    pub fn len(&self) -> usize {
        match (self.vals.get(), self.set.get()) {
            (Some(vals), _) => vals.len(),
            (None, Some(set)) => set.len(),
            (None, None) => 0,
        }
    }

    /// Whether it is a list of spaces in ascending order, so that its set says all.
    pub fn is_set(&self) -> bool {
        self.set.get().is_some()
            && self
                .vals
                .get()
                .is_none_or(|vals| matches!(vals.first(), None | Some(Val::Space(_))) && vals.is_sorted())
    }

    /// The list as a Lua value, outside a function of the border.
    pub fn into_lua(self, _: &Lua) -> mlua::Result<Value> {
        let cx = self.cx.clone();
        cx.make_list(self)
    }

    /// Whether two lists hold the same in the same order.
    pub fn same(&self, other: &List) -> bool {
        // Two searches may end in the same spaces at other costs.
        if self.reach.is_some() || other.reach.is_some() {
            return false;
        }
        match (self.is_set(), other.is_set(), self.set.get(), other.set.get()) {
            (true, true, Some(own), Some(others)) => own == others,
            _ => self.vals() == other.vals(),
        }
    }

    /// Notes that a column was read of the pieces in the list: of their owners only.
    pub fn note(&self, col: u16) {
        if !self.cx.is_tracking() {
            return;
        }
        let play = self.cx.play.borrow();
        for side in owners(&play.state, self.vals()) {
            self.cx.note_side(&play.state, piece_col::SIDE, side);
            self.cx.note_side(&play.state, col, side);
        }
    }

    /// The spaces of the list, or of its pieces, as a set.
    pub fn to_set(&self) -> SpaceSet {
        if let Some(set) = self.set.get() {
            return set.clone();
        }
        let of_pieces = matches!(self.vals().first(), Some(Val::Piece(_)));
        if of_pieces {
            // Whoever makes spaces of pieces depends on where these are.
            self.note(piece_col::PLACE);
        }
        let play = self.cx.play.borrow();
        let space = |val: &Val| match val {
            Val::Space(space) => Some(SpaceId(*space)),
            Val::Piece(piece) => play.state.space_of(PieceId(*piece)),
            _ => None,
        };
        let set: SpaceSet = self.vals().iter().filter_map(space).collect();
        // Pieces move, so only a set of spaces is worth keeping.
        if !of_pieces {
            self.set.get_or_init(|| set.clone());
        }
        set
    }

    /// Combines two lists that are known as sets of spaces; the result is ascending like them.
    pub fn with_set(&self, other: &List, op: fn(&SpaceSet, &SpaceSet) -> SpaceSet) -> Option<SpaceSet> {
        if !self.is_set() || !other.is_set() {
            return None;
        }
        Some(op(self.set.get()?, other.set.get()?))
    }

    pub fn kind(&self) -> Of {
        if matches!(self.vals().first(), Some(Val::Space(_))) { Of::Spaces } else { Of::Pieces }
    }

    /// An element, counted from 1.
    pub fn element(&self, n: i64) -> Val {
        let at = usize::try_from(n.saturating_sub(1)).ok();
        at.and_then(|at| self.vals().get(at)).copied().unwrap_or(Val::Nil)
    }

    pub fn of(&self, vals: Vec<Val>) -> Out {
        Out::List(List::new(vals, &self.cx))
    }

    pub fn of_set(&self, spaces: SpaceSet) -> Out {
        Out::List(List::of_spaces(spaces, &self.cx))
    }
}

impl Cx {
    /// The values of a list, a table of values, or one value.
    pub(crate) fn vals(&self, value: &Value) -> Result<Vec<Val>, String> {
        match value {
            Value::Nil => Ok(Vec::new()),
            Value::UserData(object) if self.border.list(object).is_some() => {
                Ok(self.border.list(object).map(|list| list.vals().to_vec()).unwrap_or_default())
            }
            Value::Table(table) => {
                // A read-only table keeps its contents behind it.
                let inner = table.metatable().and_then(|meta| meta.raw_get::<mlua::Table>("__index").ok());
                let table = inner.as_ref().unwrap_or(table);
                let mut vals = Vec::with_capacity(table.raw_len());
                for at in 1..=table.raw_len() {
                    let value: Value = table.raw_get(at).map_err(|error| error.to_string())?;
                    vals.push(self.val(&value)?);
                }
                Ok(vals)
            }
            value => Ok(vec![self.val(value)?]),
        }
    }

    /// Counts what a list holds outside Lua's own count.
    pub(crate) fn holds_list(&self, list: &List) -> mlua::Result<()> {
        let (spaces, vals) = (self.world.spaces.len(), list.vals.get().map_or(0, Vec::len));
        let set = match (&list.reach, list.set.get()) {
            (Some(_), _) => spaces * 8,
            (None, Some(_)) => spaces / 8,
            (None, None) => 0,
        };
        self.holds(size_of::<List>() + vals * size_of::<Val>() + set)
    }
}

impl Frame<'_> {
    /// The spaces of a list, a table of handles, or one handle.
    pub(crate) fn space_set(&self, at: i32) -> Result<SpaceSet, String> {
        if let Arg::List(list) = self.arg(at) {
            return Ok(list.to_set());
        }
        let vals = self.vals(at)?;
        let play = self.cx.play.borrow();
        let space = |val| match val {
            Val::Space(space) => Ok(Some(SpaceId(space))),
            Val::Piece(piece) => {
                self.cx.note_piece(&play.state, piece, piece_col::PLACE);
                Ok(play.state.space_of(PieceId(piece)))
            }
            val => Err(format!("expected spaces, found {}", self.cx.describe(val))),
        };
        let spaces: Result<Vec<Option<SpaceId>>, String> = vals.into_iter().map(space).collect();
        Ok(spaces?.into_iter().flatten().collect())
    }
}

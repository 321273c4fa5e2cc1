//! Timed effects: named facts with arguments that end by themselves, run at events, or are remembered for good.

use super::cells::State;
use super::list::Lists;
use super::schema::{TableId, effect_col as e, game_col};
use crate::symbol::Sym;

/// A row of the effect table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EffectId(pub u32);

/// One argument of an effect: its name, a tag for its type, and the cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg {
    /// Name of the argument.
    pub key: Sym,
    /// What the cell means; the script border chooses the tags.
    pub tag: i32,
    /// The value.
    pub cell: i32,
}

/// In place of a number of runs: what is remembered, which never ends.
pub const KEPT: i32 = -1;

/// What a new effect is made of.
#[derive(Clone, Debug, Default)]
pub struct NewEffect {
    /// Its name.
    pub name: Sym,
    /// The node or record type at whose end it ends.
    pub until: Sym,
    /// The record at whose end it ends, if it is one.
    pub record: Option<u32>,
    /// The event that runs it.
    pub on: Sym,
    /// Occurrences skipped before the first run.
    pub after: i32,
    /// Number of runs before it ends; 0 for no limit, [`KEPT`] for what is remembered.
    pub times: i32,
    /// Its arguments.
    pub args: Vec<Arg>,
}

impl State {
    /// Begins an effect, in a free row if one is given.
    pub fn start_effect(&mut self, new: &NewEffect, free: Option<u32>) -> EffectId {
        let row = free.unwrap_or_else(|| self.push_row(TableId::EFFECT));
        let serial = self.get(TableId::GAME, 0, game_col::EFFECT_SERIAL) + 1;
        self.set(TableId::GAME, 0, game_col::EFFECT_SERIAL, serial);
        let cells: Vec<i32> = new.args.iter().flat_map(|arg| [arg.key.cell(), arg.tag, arg.cell]).collect();
        let args = self.make_list(&cells);
        let record = new.record.map_or(0, |row| row as i32 + 1);
        let (until, on) = (new.until.cell(), new.on.cell());
        let values = [new.name.cell(), serial, until, on, new.after, new.times, args, record];
        for (col, value) in (0u16..).zip(values) {
            self.set(TableId::EFFECT, row, col, value);
        }
        EffectId(row)
    }

    /// Ends an effect.
    pub fn end_effect(&mut self, effect: EffectId) {
        self.free_list(self.get(TableId::EFFECT, effect.0, e::ARGS));
        for col in 0..e::COUNT {
            self.set(TableId::EFFECT, effect.0, col, 0);
        }
    }

    /// The effects for which `test` holds of the given column, oldest first.
    pub fn effects_where(&self, col: u16, value: i32) -> Vec<EffectId> {
        let mut found: Vec<EffectId> = (0..self.rows(TableId::EFFECT))
            .filter(|&row| {
                self.get(TableId::EFFECT, row, e::NAME) != 0 && self.get(TableId::EFFECT, row, col) == value
            })
            .map(EffectId)
            .collect();
        found.sort_by_key(|effect| self.get(TableId::EFFECT, effect.0, e::SERIAL));
        found
    }

    /// Whether any effect has that value in a column.
    pub fn any_effect(&self, col: u16, value: i32) -> bool {
        (0..self.rows(TableId::EFFECT)).any(|row| {
            self.get(TableId::EFFECT, row, e::NAME) != 0 && self.get(TableId::EFFECT, row, col) == value
        })
    }

    /// Whether an effect of that name is in force.
    pub fn in_effect(&self, name: Sym) -> bool {
        (0..self.rows(TableId::EFFECT)).any(|row| self.get(TableId::EFFECT, row, e::NAME) == name.cell())
    }

    /// Whether something of that name is remembered; with a tag and a cell, about that thing.
    pub fn is_remembered(&self, name: Sym, about: Option<(i32, i32)>) -> bool {
        let kept = |row: &u32| {
            self.get(TableId::EFFECT, *row, e::NAME) == name.cell()
                && self.get(TableId::EFFECT, *row, e::TIMES) == KEPT
        };
        (0..self.rows(TableId::EFFECT)).filter(kept).any(|row| {
            let args = self.effect_args(EffectId(row));
            about.is_none_or(|about| args.iter().any(|arg| (arg.tag, arg.cell) == about))
        })
    }

    /// The arguments of an effect.
    pub fn effect_args(&self, effect: EffectId) -> Vec<Arg> {
        let cells = self.list(self.get(TableId::EFFECT, effect.0, e::ARGS));
        cells
            .chunks_exact(3)
            .map(|arg| Arg { key: Sym::from_cell(arg[0]), tag: arg[1], cell: arg[2] })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::{Column, Schema, TableSchema, Type};
    use super::*;

    #[test]
    fn effects_keep_their_order_and_arguments() {
        let column = Column::new(Sym::NONE, Type::Text);
        let table = TableSchema { name: Sym::NONE, columns: vec![column; 12] };
        let mut state = State::new(&Schema { tables: vec![table; 6] });
        let arg = Arg { key: Sym(9), tag: 1, cell: 42 };
        let first = NewEffect { name: Sym(5), until: Sym(7), args: vec![arg], ..NewEffect::default() };
        let a = state.start_effect(&first, None);
        let b = state.start_effect(&NewEffect { name: Sym(5), ..NewEffect::default() }, None);
        assert_eq!(state.effects_where(e::NAME, 5), [a, b]);
        assert_eq!(state.effect_args(a), [arg]);
        state.end_effect(a);
        let c = state.start_effect(&NewEffect { name: Sym(5), ..NewEffect::default() }, Some(a.0));
        assert_eq!(c, a, "the row is used again");
        assert_eq!(state.effects_where(e::NAME, 5), [b, c], "the order is that of beginning");
        assert!(state.in_effect(Sym(5)) && !state.in_effect(Sym(6)));
        assert!(!state.is_remembered(Sym(5), None), "to be in force is not to be remembered");
        let kept = NewEffect { name: Sym(5), times: KEPT, args: vec![arg], ..NewEffect::default() };
        state.start_effect(&kept, None);
        assert!(state.is_remembered(Sym(5), None) && state.is_remembered(Sym(5), Some((1, 42))));
        assert!(!state.is_remembered(Sym(5), Some((1, 43))));
    }
}

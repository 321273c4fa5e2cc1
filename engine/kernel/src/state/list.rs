//! Lists of values in cells: chains of nodes in one table, with the free nodes in a chain of their own.

use super::cells::State;
use super::schema::TableId;

const VALUE: u16 = 0;
const NEXT: u16 = 1;

/// Lists kept in the state. A list is named by its first node + 1, and the empty list is 0.
pub trait Lists {
    /// Makes a list and returns its name.
    fn make_list(&mut self, values: &[i32]) -> i32;
    /// Gives the nodes of a list back.
    fn free_list(&mut self, list: i32);
    /// The values of a list.
    fn list(&self, list: i32) -> Vec<i32>;
}

impl Lists for State {
    fn make_list(&mut self, values: &[i32]) -> i32 {
        let mut head = 0;
        for &value in values.iter().rev() {
            let free = self.get(TableId::LIST, 0, NEXT);
            let row = if free == 0 {
                self.push_row(TableId::LIST)
            } else {
                let row = (free - 1) as u32;
                let next_free = self.get(TableId::LIST, row, NEXT);
                self.set(TableId::LIST, 0, NEXT, next_free);
                row
            };
            self.set(TableId::LIST, row, VALUE, value);
            self.set(TableId::LIST, row, NEXT, head);
            head = row as i32 + 1;
        }
        head
    }

    fn free_list(&mut self, list: i32) {
        let mut node = list;
        while node != 0 {
            let row = (node - 1) as u32;
            let next = self.get(TableId::LIST, row, NEXT);
            let free = self.get(TableId::LIST, 0, NEXT);
            self.set(TableId::LIST, row, VALUE, 0);
            self.set(TableId::LIST, row, NEXT, free);
            self.set(TableId::LIST, 0, NEXT, node);
            node = next;
        }
    }

    fn list(&self, list: i32) -> Vec<i32> {
        let mut values = Vec::new();
        let mut node = list;
        while node != 0 {
            let row = (node - 1) as u32;
            values.push(self.get(TableId::LIST, row, VALUE));
            node = self.get(TableId::LIST, row, NEXT);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::{Column, Schema, TableSchema, Type};
    use super::*;
    use crate::symbol::Sym;

    #[test]
    fn freed_nodes_are_used_again() {
        let column = Column::new(Sym::NONE, Type::Text);
        let table = TableSchema { name: Sym::NONE, columns: vec![column; 12] };
        let mut state = State::new(&Schema { tables: vec![table; 6] });
        let a = state.make_list(&[4, 5, 6]);
        assert_eq!(state.list(a), [4, 5, 6]);
        state.free_list(a);
        let rows = state.rows(TableId::LIST);
        let b = state.make_list(&[7, 8]);
        assert_eq!(state.list(b), [7, 8]);
        assert_eq!(state.rows(TableId::LIST), rows);
        assert_eq!(state.list(0), [0i32; 0]);
    }
}

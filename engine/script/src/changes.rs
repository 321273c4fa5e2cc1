//! What happened in a game, in order, with the memory that it takes: scripts write it, and nothing of it goes but by taking back.

use crate::val::Change;
use std::ops::Deref;

/// The changes of a game since its beginning. They are read as a slice.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    list: Vec<Change>,
    bytes: usize,
}

impl Changes {
    /// Adds a change.
    pub fn push(&mut self, change: Change) {
        self.bytes += weight(&change);
        self.list.push(change);
    }

    /// Takes back all but the first `length`.
    pub fn truncate(&mut self, length: usize) {
        for change in self.list.drain(length.min(self.list.len())..) {
            self.bytes -= weight(&change);
        }
    }

    /// The bytes that all of them take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// The bytes that a change takes, with the lists that it holds.
fn weight(change: &Change) -> usize {
    let lists = match change {
        Change::SetList { new, .. } => size_of_val(new.as_slice()),
        Change::Number { of, parts, .. } => size_of_val(of.as_slice()) + size_of_val(parts.as_slice()),
        Change::Log(_, args) => size_of_val(args.as_slice()),
        Change::Edit(line) => line.len(),
        Change::End(ending) => ending.rule.len(),
        _ => 0,
    };
    size_of::<Change>() + lists
}

impl Deref for Changes {
    type Target = [Change];

    fn deref(&self) -> &[Change] {
        &self.list
    }
}

impl FromIterator<Change> for Changes {
    fn from_iter<T: IntoIterator<Item = Change>>(changes: T) -> Changes {
        let mut all = Changes::default();
        changes.into_iter().for_each(|change| all.push(change));
        all
    }
}

impl<'a> IntoIterator for &'a Changes {
    type Item = &'a Change;
    type IntoIter = std::slice::Iter<'a, Change>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::val::Val;
    use sandtable_kernel::symbol::Sym;

    #[test]
    fn what_is_taken_back_weighs_nothing() {
        let mut changes: Changes =
            [Change::Create(1), Change::Log(Sym::NONE, vec![Val::Nil; 100])].into_iter().collect();
        assert!(changes.bytes() > 2 * size_of::<Change>());
        changes.truncate(1);
        assert_eq!((changes.len(), changes.bytes()), (1, size_of::<Change>()));
        changes.truncate(5);
        changes.truncate(0);
        assert_eq!(changes.bytes(), 0);
    }
}

//! Bitsets over ids, iterated in ascending order.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use super::ids::{BorderId, Id, SpaceId};

/// A set of spaces.
///
/// ```
/// use sandtable_kernel::map::{SpaceId, SpaceSet};
///
/// let mut hills: SpaceSet = [SpaceId(7), SpaceId(2)].into_iter().collect();
/// hills.insert(SpaceId(70));
/// assert!(hills.contains(SpaceId(7)));
/// assert_eq!(hills.iter().map(|s| s.0).collect::<Vec<_>>(), [2, 7, 70]);
/// ```
pub type SpaceSet = IdSet<SpaceId>;

/// A set of borders.
pub type BorderSet = IdSet<BorderId>;

/// A set of ids as a bitset that grows as needed.
///
/// Two sets are equal when they hold the same members, however they were made. A set knows no universe, so
/// [`complement`](IdSet::complement) is told its size.
#[derive(Clone)]
pub struct IdSet<I> {
    words: Vec<u64>,
    marker: PhantomData<fn() -> I>,
}

impl<I: Id> IdSet<I> {
    /// Makes an empty set.
    pub const fn new() -> Self {
        Self { words: Vec::new(), marker: PhantomData }
    }

    /// Makes an empty set with room for ids below `len`.
    pub fn with_room(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], marker: PhantomData }
    }

    /// Makes the set whose bits these words are, the lowest ids first.
    pub fn from_words(words: Vec<u64>) -> Self {
        Self { words, marker: PhantomData }
    }

    /// The bits of the set, the lowest ids first; trailing words may be zero.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Makes the set of all ids below `len`.
    pub fn full(len: usize) -> Self {
        let mut words = vec![u64::MAX; len.div_ceil(64)];
        if let Some(last) = words.last_mut()
            && !len.is_multiple_of(64)
        {
            *last = (1 << (len % 64)) - 1;
        }
        Self { words, marker: PhantomData }
    }

    /// Tells whether `id` is a member.
    #[inline]
    pub fn contains(&self, id: I) -> bool {
        let index = id.index();
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Adds `id` and tells whether it was new.
    #[inline]
    pub fn insert(&mut self, id: I) -> bool {
        let index = id.index();
        if index / 64 >= self.words.len() {
            self.words.resize(index / 64 + 1, 0);
        }
        let word = &mut self.words[index / 64];
        let bit = 1 << (index % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Removes `id` and tells whether it was a member.
    pub fn remove(&mut self, id: I) -> bool {
        let index = id.index();
        let Some(word) = self.words.get_mut(index / 64) else { return false };
        let bit = 1 << (index % 64);
        let old = *word & bit != 0;
        *word &= !bit;
        old
    }

    /// Removes all members and keeps the room.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Counts the members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Tells whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Returns the lowest member.
    pub fn first(&self) -> Option<I> {
        self.iter().next()
    }

    /// Adds every member of `other`.
    pub fn union_with(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Keeps only members that are in `other` too.
    pub fn intersect_with(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        for (word, keep) in self.words.iter_mut().zip(&other.words) {
            *word &= keep;
        }
    }

    /// Removes every member of `other`.
    pub fn subtract(&mut self, other: &Self) {
        for (word, less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    /// Returns the members of either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut set = self.clone();
        set.union_with(other);
        set
    }

    /// Returns the members of both sets.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        let mut set = self.clone();
        set.intersect_with(other);
        set
    }

    /// Returns the members that are not in `other`.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        let mut set = self.clone();
        set.subtract(other);
        set
    }

    /// Returns all ids below `len` that are not members.
    #[must_use]
    pub fn complement(&self, len: usize) -> Self {
        Self::full(len).minus(self)
    }

    /// Tells whether the two sets share a member.
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Tells whether every member is in `other` too.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().enumerate().all(|(i, word)| word & !other.words.get(i).copied().unwrap_or(0) == 0)
    }

    /// Iterates over the members in ascending order.
    pub fn iter(&self) -> Iter<'_, I> {
        Iter {
            words: &self.words,
            at: 0,
            word: self.words.first().copied().unwrap_or(0),
            marker: PhantomData,
        }
    }

    /// The words up to the last that is not zero: the part that two equal sets have in common.
    fn trimmed(&self) -> &[u64] {
        let len = self.words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        &self.words[..len]
    }
}

impl<I: Id> Default for IdSet<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id> PartialEq for IdSet<I> {
    fn eq(&self, other: &Self) -> bool {
        self.trimmed() == other.trimmed()
    }
}

impl<I: Id> Eq for IdSet<I> {}

impl<I: Id> Hash for IdSet<I> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.trimmed().hash(state);
    }
}

impl<I: Id> fmt::Debug for IdSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Id::index)).finish()
    }
}

impl<I: Id> FromIterator<I> for IdSet<I> {
    fn from_iter<T: IntoIterator<Item = I>>(ids: T) -> Self {
        let mut set = Self::new();
        set.extend(ids);
        set
    }
}

impl<I: Id> Extend<I> for IdSet<I> {
    fn extend<T: IntoIterator<Item = I>>(&mut self, ids: T) {
        for id in ids {
            self.insert(id);
        }
    }
}

impl<'a, I: Id> IntoIterator for &'a IdSet<I> {
    type Item = I;
    type IntoIter = Iter<'a, I>;

    fn into_iter(self) -> Iter<'a, I> {
        self.iter()
    }
}

/// An ascending iterator over the members of an [`IdSet`].
#[derive(Clone, Debug)]
pub struct Iter<'a, I> {
    words: &'a [u64],
    at: usize,
    word: u64,
    marker: PhantomData<fn() -> I>,
}

impl<I: Id> Iterator for Iter<'_, I> {
    type Item = I;

    #[inline]
    fn next(&mut self) -> Option<I> {
        while self.word == 0 {
            self.at += 1;
            self.word = *self.words.get(self.at)?;
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(I::from_index(self.at * 64 + bit))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn ids(set: &SpaceSet) -> Vec<u32> {
        set.iter().map(|space| space.0).collect()
    }

    #[test]
    fn equality_ignores_room() {
        let mut grown: SpaceSet = [SpaceId(3), SpaceId(900)].into_iter().collect();
        grown.remove(SpaceId(900));
        assert_eq!(grown, [SpaceId(3)].into_iter().collect());
        assert_eq!(SpaceSet::with_room(500), SpaceSet::new());
    }

    #[test]
    fn complement_stays_in_its_universe() {
        let set: SpaceSet = [SpaceId(0), SpaceId(64)].into_iter().collect();
        assert_eq!(set.complement(66).len(), 64);
        assert_eq!(set.complement(66).complement(66), set);
        assert_eq!(ids(&SpaceSet::full(3)), [0, 1, 2]);
        assert!(SpaceSet::full(0).is_empty());
    }

    proptest! {
        #[test]
        fn set_algebra_agrees_with_an_ordered_tree(
            a in prop::collection::btree_set(0u32..300, 0..60),
            b in prop::collection::btree_set(0u32..300, 0..60),
        ) {
            let make = |tree: &BTreeSet<u32>| tree.iter().map(|i| SpaceId(*i)).collect::<SpaceSet>();
            let (x, y) = (make(&a), make(&b));
            prop_assert_eq!(ids(&x.union(&y)), a.union(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(ids(&x.intersect(&y)), a.intersection(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(ids(&x.minus(&y)), a.difference(&b).copied().collect::<Vec<_>>());
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(x.first().map(|s| s.0), a.first().copied());
        }
    }
}

//! Matching: giving every item of the left a place on the right, where places hold only so many.

use std::collections::VecDeque;

const NONE: u32 = u32::MAX;

/// Items that cannot all be served, with all the places any of them could take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violator {
    /// The items, ascending; there are more of them than their places hold.
    pub items: Vec<usize>,
    /// The places they could take, ascending.
    pub places: Vec<usize>,
    /// How many items those places hold together.
    pub room: u64,
}

/// The result of a [`matching`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    /// The place of each item, if it has one.
    pub place: Vec<Option<usize>>,
    /// The proof that not all items can be served; `None` when all are.
    pub violator: Option<Violator>,
}

impl Matching {
    /// Tells whether every item has a place.
    pub fn is_complete(&self) -> bool {
        self.violator.is_none()
    }

    /// Counts the items that have a place.
    pub fn served(&self) -> usize {
        self.place.iter().flatten().count()
    }
}

/// Serves as many items as possible.
///
/// `choices` lists for each item the places it could take, best first; `capacity` tells how many items each
/// place holds. Places without a capacity hold none. The result is the same for the same input; earlier items
/// and earlier choices come first where that costs nobody a place.
///
/// ```
/// use sandtable_kernel::search::matching;
///
/// let landed = matching(&[vec![0, 1], vec![0], vec![0]], &[1, 1]);
/// assert_eq!(landed.place, [Some(1), Some(0), None]);
/// let proof = landed.violator.expect("two aircraft want one place");
/// assert_eq!((proof.items, proof.places, proof.room), (vec![1, 2], vec![0], 1));
/// ```
pub fn matching(choices: &[Vec<usize>], capacity: &[u32]) -> Matching {
    let mut place = vec![NONE; choices.len()];
    let mut holds: Vec<Vec<u32>> = vec![Vec::new(); capacity.len()];
    for item in 0..choices.len() {
        serve(item, choices, capacity, &mut place, &mut holds);
    }
    let violator =
        place.iter().position(|place| *place == NONE).map(|item| prove(item, choices, capacity, &holds));
    let place = place.into_iter().map(|place| (place != NONE).then_some(place as usize)).collect();
    Matching { place, violator }
}

/// Looks breadth first for a place with room, moving others on, and takes it.
fn serve(item: usize, choices: &[Vec<usize>], capacity: &[u32], place: &mut [u32], holds: &mut [Vec<u32>]) {
    let mut wants: Vec<u32> = vec![NONE; capacity.len()];
    let mut queue = VecDeque::from([item]);
    while let Some(at) = queue.pop_front() {
        for &target in &choices[at] {
            if wants.get(target).is_none_or(|by| *by != NONE) {
                continue;
            }
            wants[target] = at as u32;
            if (holds[target].len() as u64) < u64::from(capacity[target]) {
                shift(target, &wants, place, holds);
                return;
            }
            queue.extend(holds[target].iter().map(|held| *held as usize));
        }
    }
}

/// Gives the place to the item that wants it, whose old place goes to the item that wants that, and so on.
fn shift(mut target: usize, wants: &[u32], place: &mut [u32], holds: &mut [Vec<u32>]) {
    loop {
        let item = wants[target];
        let old = std::mem::replace(&mut place[item as usize], target as u32);
        holds[target].push(item);
        if old == NONE {
            return;
        }
        target = old as usize;
        holds[target].retain(|held| *held != item);
    }
}

/// Collects everything that a chain of moves from an item without a place can touch.
fn prove(item: usize, choices: &[Vec<usize>], capacity: &[u32], holds: &[Vec<u32>]) -> Violator {
    let mut items = vec![item];
    let mut seen = vec![false; capacity.len()];
    let mut next = 0;
    while let Some(&at) = items.get(next) {
        next += 1;
        for &target in &choices[at] {
            if let Some(seen) = seen.get_mut(target)
                && !*seen
            {
                *seen = true;
                items.extend(holds[target].iter().map(|held| *held as usize));
            }
        }
    }
    items.sort_unstable();
    let places: Vec<usize> = (0..capacity.len()).filter(|target| seen[*target]).collect();
    let room = places.iter().map(|target| u64::from(capacity[*target])).sum();
    Violator { items, places, room }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_earlier_item_moves_on_for_a_later_one() {
        let found = matching(&[vec![0, 1], vec![0, 1], vec![0]], &[2, 1]);
        assert!(found.is_complete());
        assert_eq!(found.place[2], Some(0));
    }

    #[test]
    fn an_item_without_choices_proves_itself() {
        let found = matching(&[vec![0], vec![7]], &[5]);
        assert_eq!(found.violator, Some(Violator { items: vec![1], places: vec![], room: 0 }));
        assert_eq!(found.served(), 1);
    }

    /// The most items that can be served, by trying everything.
    fn brute(choices: &[Vec<usize>], room: &mut [u32]) -> usize {
        let Some((first, rest)) = choices.split_first() else { return 0 };
        let mut best = brute(rest, room);
        for &target in first {
            if room.get(target).is_some_and(|room| *room > 0) {
                room[target] -= 1;
                best = best.max(1 + brute(rest, room));
                room[target] += 1;
            }
        }
        best
    }

    proptest! {
        #[test]
        fn as_many_as_possible_are_served_and_the_proof_holds(
            choices in prop::collection::vec(prop::collection::vec(0usize..4, 0..4), 0..6),
            capacity in prop::collection::vec(0u32..3, 4),
        ) {
            let found = matching(&choices, &capacity);
            prop_assert_eq!(found.served(), brute(&choices, &mut capacity.clone()));
            for (target, room) in capacity.iter().enumerate() {
                prop_assert!(found.place.iter().filter(|place| **place == Some(target)).count() <= *room as usize);
            }
            for (item, place) in found.place.iter().enumerate() {
                prop_assert!(place.is_none_or(|place| choices[item].contains(&place)));
            }
            prop_assert_eq!(found.is_complete(), found.served() == choices.len());
            if let Some(proof) = found.violator {
                prop_assert!(proof.items.len() as u64 > proof.room);
                prop_assert!(proof.items.iter().all(|i| choices[*i].iter().all(|p| proof.places.contains(p))));
            }
        }
    }
}

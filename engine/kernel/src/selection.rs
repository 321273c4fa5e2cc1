//! Selections: sets and baskets under bounds, with a proof that a legal completion exists before anyone is asked.

use rustc_hash::FxHashSet;

/// Something that can be chosen, several times if there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// What choosing it once costs; never below 0.
    pub cost: i32,
    /// How many there are.
    pub most: u32,
}

/// What a selection must keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Least number of things.
    pub min: u32,
    /// Greatest number of things.
    pub max: u32,
    /// Least total cost.
    pub at_least: i32,
    /// Greatest total cost.
    pub at_most: i32,
}

/// Why a selection is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Fewer than the least number of things.
    TooFew,
    /// More than the greatest number.
    TooMany,
    /// The total cost is too low.
    TooCheap,
    /// The total cost is too high.
    TooDear,
    /// More of one thing than there are.
    NotThatMany(usize),
}

/// Whether the numbers chosen keep to the bounds.
pub fn check(items: &[Item], bounds: &Bounds, chosen: &[u32]) -> Result<(), Fault> {
    if let Some(at) = items.iter().zip(chosen).position(|(item, &n)| n > item.most) {
        return Err(Fault::NotThatMany(at));
    }
    let count: u32 = chosen.iter().sum();
    let cost: i64 = items.iter().zip(chosen).map(|(item, &n)| i64::from(item.cost) * i64::from(n)).sum();
    match () {
        () if count < bounds.min => Err(Fault::TooFew),
        () if count > bounds.max => Err(Fault::TooMany),
        () if cost < i64::from(bounds.at_least) => Err(Fault::TooCheap),
        () if cost > i64::from(bounds.at_most) => Err(Fault::TooDear),
        () => Ok(()),
    }
}

/// How many partial selections a search may look at, and how many whole ones it may have tested, before it gives up.
const EFFORT: u32 = 2_000_000;
const TESTS: u32 = 20_000;

/// What a search for a legal selection came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completion {
    /// A legal selection: how many of each item.
    Found(Vec<u32>),
    /// There is none.
    Impossible,
    /// The search gave up: the test refused all of the many selections it was shown.
    Undecided,
}

impl Completion {
    /// The selection, if one was found.
    pub fn found(self) -> Option<Vec<u32>> {
        match self {
            Completion::Found(chosen) => Some(chosen),
            Completion::Impossible | Completion::Undecided => None,
        }
    }
}

/// Finds a legal selection, trying numbers in the order that `prefer(item, most)` begins with.
///
/// `prefer` gives the number to try first for an item; the search goes on from there, wrapping round, so a random
/// `prefer` gives a random selection and a constant one the first in order. `test` has the last word. Bounds alone
/// are always decided, unless numbers and costs are huge.
pub fn complete(
    items: &[Item],
    bounds: &Bounds,
    prefer: &mut dyn FnMut(usize, u32) -> u32,
    test: &mut dyn FnMut(&[u32]) -> bool,
) -> Completion {
    let mut search = Search {
        items,
        bounds,
        // What the items from each position on can still add, to cut branches that cannot reach the least.
        rest: items.iter().rev().fold(vec![(0u64, 0i64)], |mut rest, item| {
            let (count, cost) = rest.last().copied().unwrap_or_default();
            rest.push((count + u64::from(item.most), cost + i64::from(item.cost) * i64::from(item.most)));
            rest
        }),
        chosen: vec![0; items.len()],
        barren: FxHashSet::default(),
        effort: EFFORT,
        tests: TESTS,
    };
    search.rest.reverse();
    if search.step(0, 0, 0, prefer, test) {
        Completion::Found(search.chosen)
    } else if search.spent() {
        Completion::Undecided
    } else {
        Completion::Impossible
    }
}

struct Search<'a> {
    items: &'a [Item],
    bounds: &'a Bounds,
    rest: Vec<(u64, i64)>,
    chosen: Vec<u32>,
    /// Positions, with number and cost so far, from which the bounds cannot be met: there are far fewer of them than
    /// of ways to get there.
    barren: FxHashSet<(usize, u32, i64)>,
    effort: u32,
    tests: u32,
}

impl Search<'_> {
    fn spent(&self) -> bool {
        self.effort == 0 || self.tests == 0
    }

    fn step(
        &mut self,
        at: usize,
        count: u32,
        cost: i64,
        prefer: &mut dyn FnMut(usize, u32) -> u32,
        test: &mut dyn FnMut(&[u32]) -> bool,
    ) -> bool {
        if self.spent() {
            return false;
        }
        self.effort -= 1;
        let (more_count, more_cost) = self.rest[at];
        if u64::from(count) + more_count < u64::from(self.bounds.min)
            || cost + more_cost < i64::from(self.bounds.at_least)
        {
            return false;
        }
        let Some(item) = self.items.get(at) else {
            self.tests -= 1;
            return test(&self.chosen);
        };
        if self.barren.contains(&(at, count, cost)) {
            return false;
        }
        let tests = self.tests;
        let room = self.bounds.max - count;
        let affordable = match item.cost {
            0 => u32::MAX,
            price => u32::try_from((i64::from(self.bounds.at_most) - cost) / i64::from(price)).unwrap_or(0),
        };
        let most = item.most.min(room).min(affordable);
        let first = prefer(at, most).min(most);
        for n in (first..=most).chain((0..first).rev()) {
            self.chosen[at] = n;
            if self.step(at + 1, count + n, cost + i64::from(item.cost) * i64::from(n), prefer, test) {
                return true;
            }
            if self.spent() {
                break;
            }
        }
        self.chosen[at] = 0;
        if tests == self.tests && !self.spent() {
            self.barren.insert((at, count, cost));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn first(items: &[Item], bounds: &Bounds) -> Option<Vec<u32>> {
        complete(items, bounds, &mut |_, _| 0, &mut |_| true).found()
    }

    #[test]
    fn a_basket_within_the_money() {
        let shop = [Item { cost: 3, most: 9 }, Item { cost: 5, most: 9 }];
        let all = Bounds { min: 0, max: 99, at_least: 13, at_most: 13 };
        assert_eq!(first(&shop, &all), Some(vec![1, 2]));
        assert_eq!(first(&shop, &Bounds { at_least: 4, at_most: 4, ..all }), None);
    }

    #[test]
    fn the_test_has_the_last_word() {
        let units = [Item { cost: 4, most: 1 }; 3];
        let two = Bounds { min: 2, max: 2, at_least: 0, at_most: 99 };
        let without_first = complete(&units, &two, &mut |_, _| 0, &mut |set| set[0] == 0);
        assert_eq!(without_first, Completion::Found(vec![0, 1, 1]));
        assert_eq!(check(&units, &two, &[1, 1, 1]), Err(Fault::TooMany));
        assert_eq!(check(&units, &two, &[2, 0, 0]), Err(Fault::NotThatMany(0)));
    }

    #[test]
    fn an_exact_sum_of_many_things_is_found() {
        // Costs like numbers of hexes, twenty of sixty.
        let items: Vec<Item> =
            (0..60).map(|at| Item { cost: at / 10 * 100 + at % 10 + 101, most: 1 }).collect();
        for sum in [6086, 8937, 5455] {
            let bounds = Bounds { min: 20, max: 20, at_least: sum, at_most: sum };
            let chosen = first(&items, &bounds).unwrap_or_else(|| panic!("no selection of {sum}"));
            assert_eq!(check(&items, &bounds, &chosen), Ok(()));
        }
    }

    #[test]
    fn an_impossible_sum_of_many_things_is_known_to_be_so() {
        let items = vec![Item { cost: 2, most: 1 }; 60];
        let odd = Bounds { min: 0, max: 60, at_least: 41, at_most: 41 };
        assert_eq!(complete(&items, &odd, &mut |_, _| 0, &mut |_| true), Completion::Impossible);
    }

    #[test]
    fn a_test_that_refuses_too_much_leaves_it_undecided() {
        let items = vec![Item { cost: 0, most: 1 }; 60];
        let any = Bounds { min: 0, max: 60, at_least: 0, at_most: 0 };
        assert_eq!(complete(&items, &any, &mut |_, _| 0, &mut |_| false), Completion::Undecided);
    }

    proptest! {
        #[test]
        fn whatever_is_found_keeps_to_the_bounds(
            costs in proptest::collection::vec((0i32..6, 0u32..4), 0..7),
            min in 0u32..4, span in 0u32..4, low in 0i32..9, spread in 0i32..9, start in 0u32..4,
        ) {
            let items: Vec<Item> = costs.into_iter().map(|(cost, most)| Item { cost, most }).collect();
            let bounds = Bounds { min, max: min + span, at_least: low, at_most: low + spread };
            if let Some(chosen) = complete(&items, &bounds, &mut |_, _| start, &mut |_| true).found() {
                prop_assert_eq!(check(&items, &bounds, &chosen), Ok(()));
            } else {
                prop_assert_eq!(first(&items, &bounds), None);
            }
        }
    }
}

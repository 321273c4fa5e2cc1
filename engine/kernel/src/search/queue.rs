//! A queue by cost for searches whose costs never fall: buckets for small steps, a heap for large ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::profile::Cost;

/// Steps dearer than this go through the heap: that many empty buckets would cost more than it.
const MOST_BUCKETS: usize = 1 << 12;

/// A monotone queue; equal costs come out in the order in which they went in (heap: by ascending item).
#[derive(Clone, Debug, Default)]
pub(super) struct CostQueue {
    buckets: Vec<Vec<u32>>,
    /// One less than the number of buckets in use, which is a power of two.
    mask: usize,
    at: Cost,
    waiting: usize,
    heap: BinaryHeap<Reverse<(Cost, u32)>>,
    by_heap: bool,
}

impl CostQueue {
    /// Empties the queue for a search in which no step costs more than `dearest`.
    pub(super) fn reset(&mut self, dearest: Cost) {
        let wanted = (dearest.max(0) as usize).saturating_add(1).next_power_of_two();
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        self.heap.clear();
        self.at = 0;
        self.waiting = 0;
        self.by_heap = wanted > MOST_BUCKETS;
        if !self.by_heap {
            self.mask = wanted - 1;
            if self.buckets.len() < wanted {
                self.buckets.resize_with(wanted, Vec::new);
            }
        }
    }

    #[inline]
    pub(super) fn push(&mut self, cost: Cost, item: u32) {
        if self.by_heap {
            self.heap.push(Reverse((cost, item)));
        } else {
            self.buckets[cost as usize & self.mask].push(item);
            self.waiting += 1;
        }
    }

    /// Fills `batch` with waiting items of the lowest cost, in order, and returns that cost.
    ///
    /// Items pushed later with the same cost come in another batch.
    #[inline]
    pub(super) fn next_batch(&mut self, batch: &mut Vec<u32>) -> Option<Cost> {
        batch.clear();
        if self.by_heap {
            let Reverse((cost, item)) = self.heap.pop()?;
            batch.push(item);
            return Some(cost);
        }
        if self.waiting == 0 {
            return None;
        }
        while self.buckets[self.at as usize & self.mask].is_empty() {
            self.at += 1;
        }
        std::mem::swap(&mut self.buckets[self.at as usize & self.mask], batch);
        self.waiting -= batch.len();
        Some(self.at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn buckets_and_heap_agree(steps in prop::collection::vec((0i32..40, 0u32..50), 1..60)) {
            let drain = |dearest: Cost| {
                let mut queue = CostQueue::default();
                queue.reset(dearest);
                let mut costs = Vec::new();
                let mut steps = steps.iter();
                let mut batch = Vec::new();
                queue.push(0, 99);
                while let Some(cost) = queue.next_batch(&mut batch) {
                    for _ in &batch {
                        costs.push(cost);
                        for (step, item) in steps.by_ref().take(2) {
                            queue.push(cost + step, *item);
                        }
                    }
                }
                costs
            };
            let small = drain(40);
            prop_assert!(small.is_sorted());
            prop_assert_eq!(small, drain(1_000_000));
        }
    }
}

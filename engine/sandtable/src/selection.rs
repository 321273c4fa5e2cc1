//! Selections built one item at a time, for programs that choose among numbered actions.

use crate::error::Error;
use crate::session::Session;
use sandtable_kernel::selection;
use sandtable_script::Offered;

/// How a selection that has been begun can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextItems {
    /// Whether it may stay as it is.
    pub complete: bool,
    /// For each item, in the order of [`Question::options`](crate::Question::options): whether one more of it leads to a legal selection.
    pub items: Vec<bool>,
}

impl Session {
    /// How the selection that a side is asked for can go on, once so many of each item are taken.
    ///
    /// Items are taken in their order: none that stands before one already taken can be added, so that each selection is reached in one
    /// way only.
    pub fn next_items(&mut self, side: &str, taken: &[u32]) -> Result<NextItems, Error> {
        let which = self.asked(side)?;
        let offered = self.inner.decisions()[which].offered.clone();
        let Offered::Selection { values, items, bounds, test, .. } = offered else {
            return Err(Error::NotASelection);
        };
        let taken: Vec<u32> = (0..items.len()).map(|at| taken.get(at).copied().unwrap_or(0)).collect();
        let first = taken.iter().rposition(|&n| n > 0).unwrap_or(0);
        let mut failure = None;
        let found = self.inner.look(|host| {
            let mut passes = |counts: &[u32]| {
                host.passes(&values, counts, test.as_ref()).unwrap_or_else(|error| {
                    failure = Some(error);
                    true
                })
            };
            let complete = selection::check(&items, &bounds, &taken).is_ok() && passes(&taken);
            let can_add = (0..items.len()).map(|at| {
                let mut begun = taken.clone();
                begun[at] += 1;
                at >= first && can_be_completed(&items, &bounds, &begun, at, &mut passes)
            });
            NextItems { items: can_add.collect(), complete }
        });
        match failure {
            Some(error) => Err(sandtable_session::SessionError::from(error).into()),
            None => Ok(found),
        }
    }
}

/// Whether a legal selection exists that has what is begun, and beyond it only items from `first` on.
fn can_be_completed(
    items: &[selection::Item],
    bounds: &selection::Bounds,
    begun: &[u32],
    first: usize,
    passes: &mut dyn FnMut(&[u32]) -> bool,
) -> bool {
    if items.iter().zip(begun).any(|(item, &n)| n > item.most) {
        return false;
    }
    let count: u32 = begun.iter().sum();
    let cost: i64 = items.iter().zip(begun).map(|(item, &n)| i64::from(item.cost) * i64::from(n)).sum();
    let Some(room) = bounds.max.checked_sub(count) else { return false };
    let within =
        |bound: i32| (i64::from(bound) - cost).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    if within(bounds.at_most) < 0 {
        return false;
    }
    let rest = selection::Bounds {
        min: bounds.min.saturating_sub(count),
        max: room,
        at_least: within(bounds.at_least),
        at_most: within(bounds.at_most),
    };
    let left: Vec<selection::Item> = (items.iter().zip(begun).enumerate())
        .map(|(at, (item, &n))| selection::Item { most: if at < first { 0 } else { item.most - n }, ..*item })
        .collect();
    let mut whole = |added: &[u32]| {
        let counts: Vec<u32> = begun.iter().zip(added).map(|(begun, added)| begun + added).collect();
        passes(&counts)
    };
    selection::complete(&left, &rest, &mut |_, _| 0, &mut whole).found().is_some()
}

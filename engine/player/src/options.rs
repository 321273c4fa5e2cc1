//! The answers that are worth comparing: all options of a list, and of the many selections some that differ.

use crate::lot::Lot;
use sandtable_kernel::selection;
use sandtable_script::{Choice, Offered, Val};
use sandtable_session::{Session, any_choice};

/// Random selections among the first that are compared.
const RANDOM: usize = 6;

/// Answers to decision number `which` of those owed now, at most so many.
pub(crate) fn first(session: &mut Session, which: usize, lot: &mut Lot, most: usize) -> Vec<Choice> {
    let Some(decision) = session.decisions().get(which) else { return Vec::new() };
    let offered = decision.offered.clone();
    match offered {
        Offered::List(options) => {
            let all: Vec<Choice> = options.into_iter().map(Choice::One).collect();
            if all.len() <= most {
                return all;
            }
            // The last is what stands for doing nothing, if there is such a thing.
            let last = all.last().cloned();
            let mut some = lot.some(all, most);
            if let Some(last) = last.filter(|last| !some.contains(last)) {
                some.push(last);
            }
            some
        }
        Offered::Selection { values, items, bounds, proof, .. } => {
            let mut found: Vec<Choice> = vec![chosen(&values, &proof)];
            let fullest = selection::complete(&items, &bounds, &mut |_, most| most, &mut |_| true).found();
            let least = selection::complete(&items, &bounds, &mut |_, _| 0, &mut |_| true).found();
            for counts in [fullest, least].into_iter().flatten() {
                add(session, which, chosen(&values, &counts), &mut found);
            }
            for _ in 0..RANDOM.min(most) {
                if let Ok(choice) = any_choice(session, which, &mut |n| lot.below(n))
                    && !found.contains(&choice)
                {
                    found.push(choice);
                }
            }
            found.truncate(most.max(1));
            found
        }
    }
}

fn chosen(values: &[Val], counts: &[u32]) -> Choice {
    Choice::Many(values.iter().zip(counts).filter(|(_, n)| **n > 0).map(|(&val, &n)| (val, n)).collect())
}

/// Adds a selection that is legal and new.
fn add(session: &mut Session, which: usize, choice: Choice, found: &mut Vec<Choice>) {
    if !found.contains(&choice) && session.check_answer(which, &choice).is_ok() {
        found.push(choice);
    }
}

/// Selections that differ from one by a thing more, a thing less, or a thing for another.
pub(crate) fn neighbours(
    session: &mut Session,
    which: usize,
    choice: &Choice,
    known: &[Choice],
    lot: &mut Lot,
    most: usize,
) -> Vec<Choice> {
    let Choice::Many(taken) = choice else { return Vec::new() };
    let Some(decision) = session.decisions().get(which) else { return Vec::new() };
    let Offered::Selection { values, items, bounds, .. } = decision.offered.clone() else {
        return Vec::new();
    };
    let count = |val: Val| taken.iter().find(|(other, _)| *other == val).map_or(0, |(_, n)| *n);
    let counts: Vec<u32> = values.iter().map(|&val| count(val)).collect();
    let mut steps: Vec<Vec<u32>> = Vec::new();
    let mut step = |changes: &[(usize, bool)]| {
        let mut next = counts.clone();
        for &(at, more) in changes {
            if more {
                next[at] += 1;
            } else if let Some(less) = next[at].checked_sub(1) {
                next[at] = less;
            } else {
                return;
            }
        }
        if selection::check(&items, &bounds, &next).is_ok() {
            steps.push(next);
        }
    };
    for at in 0..values.len() {
        step(&[(at, true)]);
        step(&[(at, false)]);
    }
    for out in (0..values.len()).filter(|&at| counts[at] > 0) {
        for into in (0..values.len()).filter(|&into| into != out) {
            step(&[(out, false), (into, true)]);
        }
    }
    let mut found = Vec::new();
    for counts in lot.some(steps, 3 * most) {
        let choice = chosen(&values, &counts);
        if found.len() < most && !known.contains(&choice) {
            add(session, which, choice, &mut found);
        }
    }
    found
}

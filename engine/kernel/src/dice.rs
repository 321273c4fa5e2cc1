//! Dice and shuffles: each value derives from the seed, the place in the sequence of play, the label and the ordinal.
//!
//! Nothing is drawn from a running stream, so a rule that rolls one die more leaves all other dice as they were.
//! The die and the shuffle are written on `next_u32` of ChaCha8, whose output is stable across versions.

use crate::symbol::mix;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// What a random value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiceKey {
    /// The seed of the game.
    pub seed: u64,
    /// A hash of the path of the step in the sequence of play.
    pub path: u64,
    /// A stable hash of the roll's label.
    pub label: u64,
    /// How often this label was rolled before in this step.
    pub ordinal: u32,
}

/// A source of random values for one key.
#[derive(Clone)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The source for `key`.
    pub fn new(key: DiceKey) -> Dice {
        let a = mix(key.seed, key.path);
        let b = mix(key.label, u64::from(key.ordinal));
        let mut seed = [0u8; 32];
        for (chunk, word) in seed.chunks_mut(8).zip([key.seed, a, b, mix(a, b)]) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        Dice(ChaCha8Rng::from_seed(seed))
    }

    /// A number from 0 to `bound - 1`, each equally likely; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        // Reject the incomplete last block so that no face is favoured.
        let limit = u32::MAX - u32::MAX % bound;
        loop {
            let value = self.0.next_u32();
            if value < limit {
                return value % bound;
            }
        }
    }

    /// One die with `sides` faces.
    pub fn die(&mut self, sides: u32) -> u32 {
        self.below(sides) + 1
    }

    /// Puts `items` into a random order (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(u32::try_from(last + 1).unwrap_or(u32::MAX)) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(ordinal: u32) -> DiceKey {
        DiceKey { seed: 7, path: 11, label: 13, ordinal }
    }

    #[test]
    fn values_are_pinned_because_records_depend_on_them() {
        let faces: Vec<u32> = (0..10).map(|n| Dice::new(key(n)).die(6)).collect();
        insta::assert_compact_debug_snapshot!(faces, @"[2, 1, 6, 1, 2, 3, 2, 6, 3, 4]");
        let mut cards: Vec<u32> = (0..8).collect();
        Dice::new(key(0)).shuffle(&mut cards);
        insta::assert_compact_debug_snapshot!(cards, @"[6, 4, 5, 2, 0, 3, 1, 7]");
    }

    #[test]
    fn every_face_is_about_equally_likely() {
        let mut counts = [0u32; 6];
        for n in 0..6000 {
            counts[(Dice::new(key(n)).die(6) - 1) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    }
}

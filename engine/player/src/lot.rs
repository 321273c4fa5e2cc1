//! What a player draws by lot: apart from the game's dice, by seed, seat and number of the answer.

use sandtable_kernel::dice::{Dice, DiceKey};
use sandtable_session::Session;

/// Random numbers for one choice.
pub(crate) struct Lot {
    dice: Dice,
    key: DiceKey,
}

/// Tells these dice apart from the game's.
const LABEL: u64 = 0x706c_6179_6572;

impl Lot {
    pub fn new(seed: u64, seat: u8, session: &Session) -> Lot {
        let ordinal = u32::try_from(session.answers().len()).unwrap_or(u32::MAX);
        let key = DiceKey { seed, path: u64::from(seat), label: LABEL, ordinal };
        Lot { dice: Dice::new(key), key }
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.dice.below(bound)
    }

    /// A seed for the dice of a trial.
    pub fn seed(&mut self) -> u64 {
        u64::from(self.dice.below(u32::MAX)) << 32 | u64::from(self.dice.below(u32::MAX))
    }

    /// Another stream of the same choice, whatever was drawn so far.
    pub fn stream(&self, number: u64) -> Lot {
        let key = DiceKey { label: LABEL ^ (number + 1), ..self.key };
        Lot { dice: Dice::new(key), key }
    }

    /// So many of the items, in their order, if there are more.
    pub fn some<T>(&mut self, items: Vec<T>, most: usize) -> Vec<T> {
        let (mut left, mut wanted) = (items.len(), most.min(items.len()));
        let mut take = || {
            let taken = (self.below(left.max(1) as u32) as usize) < wanted;
            left -= 1;
            wanted -= usize::from(taken);
            taken
        };
        items.into_iter().filter(|_| take()).collect()
    }
}

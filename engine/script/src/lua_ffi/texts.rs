//! A small table in front of a large one: the names of texts that were looked up before, by address.

use sandtable_kernel::symbol::Sym;
use std::cell::Cell;

/// Places of the table: a power of two.
const PLACES: usize = 1024;

/// Names by the address of their text. An address stands for one text as long as the VM keeps it: until the VM goes.
pub(super) struct Recent(Box<[Cell<(usize, Sym)>]>);

impl Default for Recent {
    fn default() -> Recent {
        Recent(vec![Cell::new((0, Sym::NONE)); PLACES].into_boxed_slice())
    }
}

impl Recent {
    /// Texts are aligned to 16 bytes or so; higher bits are mixed in, as neighbours come from one arena.
    fn place(&self, address: usize) -> &Cell<(usize, Sym)> {
        &self.0[(address >> 4 ^ address >> 14) % PLACES]
    }

    #[inline]
    pub fn get(&self, address: usize) -> Option<Sym> {
        let (found, sym) = self.place(address).get();
        (found == address).then_some(sym)
    }

    /// Forgets everything: the VM is another.
    pub fn clear(&self) {
        for place in &self.0 {
            place.set((0, Sym::NONE));
        }
    }

    pub fn put(&self, address: usize, sym: Sym) {
        self.place(address).set((address, sym));
    }
}

//! Interned names: every id, symbol and enum value of a game is a small integer here and text only at the borders.

use rustc_hash::FxHashMap;

/// An interned name; `Sym::NONE` is the absence of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Sym(pub u32);

impl Sym {
    /// No name.
    pub const NONE: Sym = Sym(0);

    /// Whether this is no name.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The value under which the state stores the name.
    pub fn cell(self) -> i32 {
        i32::try_from(self.0).unwrap_or(0)
    }

    /// The name stored as `cell`.
    pub fn from_cell(cell: i32) -> Sym {
        Sym(u32::try_from(cell).unwrap_or(0))
    }
}

/// The table of names; equal texts have equal numbers, in the order of first use.
#[derive(Clone, Debug)]
pub struct Symbols {
    names: Vec<Box<str>>,
    index: FxHashMap<Box<str>, Sym>,
}

impl Default for Symbols {
    fn default() -> Self {
        Symbols { names: vec!["".into()], index: FxHashMap::default() }
    }
}

impl Symbols {
    /// The number of `name`, interned if it is new.
    pub fn intern(&mut self, name: &str) -> Sym {
        if name.is_empty() {
            return Sym::NONE;
        }
        if let Some(&sym) = self.index.get(name) {
            return sym;
        }
        let sym = Sym(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(name.into());
        self.index.insert(name.into(), sym);
        sym
    }

    /// The number of `name` if it was interned.
    pub fn get(&self, name: &str) -> Option<Sym> {
        self.index.get(name).copied()
    }

    /// The text of a name; empty for `Sym::NONE` and for numbers never given out.
    pub fn text(&self, sym: Sym) -> &str {
        self.names.get(sym.0 as usize).map_or("", |name| name)
    }

    /// How many names there are, counting the empty one.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no name was interned.
    pub fn is_empty(&self) -> bool {
        self.names.len() == 1
    }
}

/// A hash of a text that is the same on every machine and in every version: FNV-1a, 64 bits.
pub fn stable_hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Mixes two numbers into one, well enough for digests and for the keys of dice (the finaliser of splitmix64).
pub fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0xd1b5_4a32_d192_ed03);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_equal_numbers() {
        let mut symbols = Symbols::default();
        let a = symbols.intern("axis");
        assert_eq!(symbols.intern("soviet").0, a.0 + 1);
        assert_eq!(symbols.intern("axis"), a);
        assert_eq!(symbols.text(a), "axis");
        assert_eq!(symbols.intern(""), Sym::NONE);
    }

    #[test]
    fn hashes_are_pinned_because_records_hold_them() {
        assert_eq!(stable_hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(stable_hash("a"), 0xaf63_dc4c_8601_ec8c);
    }
}

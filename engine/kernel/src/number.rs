//! A number as an ordered list of labelled operations, so that every figure of a game can say how it came about.
//!
//! Between operations the value is an exact fraction: halving and summing lose nothing until a rule rounds.

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Adds a whole number.
    Add(i32),
    /// Multiplies by a fraction.
    Times(i32, i32),
    /// Rounds down to a whole number.
    RoundDown,
    /// Rounds up to a whole number.
    RoundUp,
    /// Raises to at least this.
    AtLeast(i32),
    /// Lowers to at most this.
    AtMost(i32),
    /// Replaces the value.
    Set(i32),
}

/// An operation, who made it, and the value it left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The handler that made it.
    pub handler: u32,
    /// What it did.
    pub op: Op,
    /// The value afterwards, as a fraction.
    pub after: (i64, i64),
}

/// A number being worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    over: i64,
    under: i64,
    parts: Vec<Part>,
}

impl Default for Number {
    fn default() -> Self {
        Number { over: 0, under: 1, parts: Vec::new() }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Number {
    /// Applies an operation on behalf of `handler`. False if it divides by nothing or leaves the range of numbers.
    pub fn apply(&mut self, handler: u32, op: Op) -> bool {
        let Some((over, under)) = self.result(op) else { return false };
        let divisor = gcd(over, under).max(1);
        (self.over, self.under) = (over / divisor, under / divisor);
        // An operation that changes nothing is no contribution, except the first, which is the base.
        if self.parts.last().is_none_or(|last| last.after != (self.over, self.under)) {
            self.parts.push(Part { handler, op, after: (self.over, self.under) });
        }
        i32::try_from(self.over / self.under).is_ok()
    }

    fn result(&self, op: Op) -> Option<(i64, i64)> {
        let (over, under) = (self.over, self.under);
        Some(match op {
            Op::Add(n) => (over.checked_add(i64::from(n).checked_mul(under)?)?, under),
            Op::Times(_, 0) => return None,
            Op::Times(n, d) => {
                let sign = if d < 0 { -1 } else { 1 };
                (over.checked_mul(sign * i64::from(n))?, under.checked_mul(sign * i64::from(d))?)
            }
            Op::RoundDown => (over.div_euclid(under), 1),
            Op::RoundUp => (-over.checked_neg()?.div_euclid(under), 1),
            Op::AtLeast(n) if over < i64::from(n).checked_mul(under)? => (i64::from(n), 1),
            Op::AtMost(n) if over > i64::from(n).checked_mul(under)? => (i64::from(n), 1),
            Op::AtLeast(_) | Op::AtMost(_) => (over, under),
            Op::Set(n) => (i64::from(n), 1),
        })
    }

    /// The value, rounded down if no rule has rounded it.
    pub fn value(&self) -> i32 {
        i32::try_from(self.over.div_euclid(self.under)).unwrap_or(0)
    }

    /// The value as a fraction in lowest terms.
    pub fn fraction(&self) -> (i64, i64) {
        (self.over, self.under)
    }

    /// The operations that changed the value, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ops: &[Op]) -> (i32, usize) {
        let mut number = Number::default();
        assert!(ops.iter().all(|&op| number.apply(1, op)));
        (number.value(), number.parts().len())
    }

    #[test]
    fn halving_loses_nothing_until_a_rule_rounds() {
        assert_eq!(run(&[Op::Add(5), Op::Times(1, 2), Op::Add(3), Op::Times(2, 1)]), (11, 4));
        assert_eq!(run(&[Op::Add(5), Op::Times(1, 2), Op::RoundUp]), (3, 3));
        assert_eq!(run(&[Op::Add(-5), Op::Times(1, 2), Op::RoundDown]), (-3, 3));
        assert_eq!(run(&[Op::Add(-5), Op::Times(1, -2), Op::RoundUp]), (3, 3));
    }

    #[test]
    fn bounds_that_do_not_bind_are_no_contribution() {
        assert_eq!(run(&[Op::Add(4), Op::AtMost(6), Op::AtLeast(1)]), (4, 1));
        assert_eq!(run(&[Op::Add(9), Op::AtMost(6), Op::Set(2)]), (2, 3));
    }

    #[test]
    fn nonsense_is_refused() {
        let mut number = Number::default();
        assert!(!number.apply(0, Op::Times(1, 0)));
        assert!(number.apply(0, Op::Add(i32::MAX)));
        assert!(!number.apply(0, Op::Add(i32::MAX)));
    }
}

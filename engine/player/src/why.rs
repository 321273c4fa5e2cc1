//! Why a player chose as it did.

use sandtable_script::Choice;

/// What a term of the outlook had to do with a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermShare {
    /// What the game calls it.
    pub text: String,
    /// What it says after the choice.
    pub chosen: i64,
    /// What it says after the next best.
    pub next: i64,
}

/// Why a player chose as it did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Why {
    /// Answers that were tried.
    pub trials: u64,
    /// Trials that a script broke off.
    pub failures: u64,
    /// What the first of them said.
    pub failure: Option<String>,
    /// Answers that were compared.
    pub options: usize,
    /// How the choice was valued, and the next best.
    pub value: i64,
    /// The next best.
    pub next: Option<(Choice, i64)>,
    /// The chance to win as the player sees it, in percent.
    pub winning: u32,
    /// The terms in which the two differ, the greatest difference first; only if it was wanted.
    pub terms: Vec<TermShare>,
    /// Whether no world could be imagined in which to think, so that the answer is any.
    pub blind: bool,
}

/// The chance to win in percent that a value stands for: even at 0, nearly certain at what a won game is worth.
#[expect(clippy::float_arithmetic, reason = "an estimate for people; it decides nothing")]
pub(crate) fn winning(value: i64, scale: i64) -> u32 {
    let x = value as f64 / scale.max(1) as f64;
    (50.0 + 50.0 * x / (1.0 + x * x).sqrt()).round().clamp(0.0, 100.0) as u32
}

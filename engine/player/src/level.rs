//! How well a computer plays: a word, and how many answers it may try for one choice.

use crate::greedy::Greedy;
use crate::search::{Plan, Searcher};
use crate::{Player, Random};
use std::fmt;
use std::str::FromStr;

/// How well a computer plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Any legal answer.
    Random,
    /// The answer that looks best when the step is over, each tried so many times.
    Greedy(u32),
    /// The best of those look good, after play through the turn and the reply; with so many answers tried at most.
    Standard(u32),
    /// The same with far more trials.
    Strong(u32),
}

/// A level that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError(String);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a level; expected random, greedy, standard or strong, with a number of trials after a colon if wanted",
            self.0
        )
    }
}

impl std::error::Error for LevelError {}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Level, LevelError> {
        let wrong = || LevelError(text.to_string());
        let (word, number) = text.split_once(':').unwrap_or((text, ""));
        let or = |usual: u32, most: u32| match number {
            "" => Ok(usual),
            number => number.parse().ok().filter(|n| (1..=most).contains(n)).ok_or_else(wrong),
        };
        match word {
            "random" if number.is_empty() => Ok(Level::Random),
            "greedy" => Ok(Level::Greedy(or(2, 100)?)),
            "standard" => Ok(Level::Standard(or(600, 1_000_000)?)),
            "strong" => Ok(Level::Strong(or(4_000, 10_000_000)?)),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Random => f.write_str("random"),
            Level::Greedy(2) => f.write_str("greedy"),
            Level::Greedy(n) => write!(f, "greedy:{n}"),
            Level::Standard(600) => f.write_str("standard"),
            Level::Standard(n) => write!(f, "standard:{n}"),
            Level::Strong(4_000) => f.write_str("strong"),
            Level::Strong(n) => write!(f, "strong:{n}"),
        }
    }
}

impl Level {
    /// A player of this level, whose choices derive from `seed`.
    pub fn player(self, seed: u64) -> Box<dyn Player> {
        match self {
            Level::Random => Box::new(Random::new(seed)),
            Level::Greedy(samples) => Box::new(Greedy::new(seed, samples)),
            Level::Standard(budget) => Box::new(Searcher::new(seed, Plan::standard(budget))),
            Level::Strong(budget) => Box::new(Searcher::new(seed, Plan::strong(budget))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_they_are_written() {
        for text in ["random", "greedy", "greedy:4", "standard", "standard:100", "strong", "strong:9000"] {
            assert_eq!(text.parse::<Level>().map(|level| level.to_string()), Ok(text.to_string()));
        }
        for text in ["", "good", "greedy:0", "greedy:x", "random:3", "strong:-1"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }
}

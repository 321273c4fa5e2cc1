//! The workbench: rulebooks with their cases, coverage of paragraphs, and mutation testing of rules.

pub mod book;
pub mod case;
pub mod coverage;
pub mod meetings;
pub mod mutants;
pub mod mutate;
pub mod revision;
pub mod runner;

pub use book::{Book, CaseText, Paragraph};
pub use case::{Edit, Failure};
pub use coverage::{Coverage, Proof};
pub use mutants::Mutant;
pub use mutate::{Baseline, Verdict};
pub use runner::{Bench, Outcome};

//! The workbench: rulebooks with their cases, coverage of paragraphs, and mutation testing of rules.

pub mod book;
pub mod case;
pub mod runner;

pub use book::{Book, CaseText, Paragraph};
pub use case::Failure;
pub use runner::{Bench, Outcome};

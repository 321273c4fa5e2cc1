//! Changes outside the rules from a stranger.

#![no_main]

#[path = "../../engine/lint/tests/attempt/mod.rs"]
mod attempt;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| attempt::edits(bytes));

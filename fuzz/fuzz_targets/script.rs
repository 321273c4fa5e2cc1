//! A script from a stranger that is loaded and played.

#![no_main]

#[path = "../../engine/lint/tests/attempt/mod.rs"]
mod attempt;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| attempt::play(bytes));

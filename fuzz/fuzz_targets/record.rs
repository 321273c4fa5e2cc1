//! A record from a stranger.

#![no_main]

#[path = "../../engine/lint/tests/attempt/mod.rs"]
mod attempt;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| attempt::record(bytes));

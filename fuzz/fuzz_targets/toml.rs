//! A table of components from a stranger.

#![no_main]

mod game;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| game::check("pieces.toml", bytes));

//! A list of links from a stranger.

#![no_main]

mod game;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| game::check("link.csv", bytes));

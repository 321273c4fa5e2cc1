//! Second sums: what the shipped games offer, computed again by plain code over their CSV and TOML files, and compared in random positions.
//!
//! A sum is written from the rulebook. It uses none of the engine's searches and none of a game's Lua: what it knows of a position is what a
//! view shows. Each game has a module with one test a sum. `SANDTABLE_SUMS=300` compares in so many positions instead of the few
//! that fit into every run of the tests; what differs is named by seed and answer number.
#![cfg(test)]
#![allow(dead_code, reason = "each game uses some of the support")]

mod position;
mod tables;

mod skirmish;

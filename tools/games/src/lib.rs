//! The shipped games: every file under `rules/` and `scenarios/`, as bytes of the program. The command and the Python package bring them along.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

//! Nobody is told what is hidden from him, over a thousand random games of each game that hides something. This takes long, so
//! it runs when asked:
//!
//!     cargo test --release --test secrets -- --ignored --nocapture
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../tools/sandtable/tests/support/mod.rs"]
mod support;

use std::path::Path;
use support::{json, sandtable};

/// Games that hide something, with the scenario that hides most, and every how many answers secrets are looked for.
const HIDING: &[(&str, &str, &str)] = &[
    ("skirmish", "fords", "1"),
    ("stalins-war", "campaign", "40"),
    ("traces-of-war", "campaign", "40"),
    ("models-counterattack", "campaign", "40"),
    ("conflict-of-heroes", "s05", "20"),
];

#[test]
#[ignore = "it takes the better part of an hour"]
fn nobody_is_told_what_is_hidden_from_him() {
    for (game, scenario, every) in HIDING {
        let args =
            ["sim", game, scenario, "--games", "1000", "--invariants", "--secrets-every", every, "--json"];
        let said = json(&sandtable(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")), &args, ""));
        println!("{game}: {} looks, {} not comparable", said["hidden_checked"], said["hidden_incomparable"]);
        assert_eq!((&said["finished"], &said["dead_ends"]), (&1000.into(), &0.into()), "{game}");
        assert!(said["errors"].as_array().unwrap().is_empty(), "{game}: {}", said["errors"]);
        assert!(said["hidden_checked"].as_u64().unwrap() > 1000, "{game} hides nothing: {said}");
    }
}

//! Generated hostile scripts: none crashes or hangs the engine, takes more memory than is promised, or harms a game, its own or
//! another of the same rules.
//!
//! `HOSTILE_COUNT=20000 SANDTABLE_CAGE_SECONDS=10 cargo test --release -p sandtable-script --test hostile -- --nocapture` runs many; `HOSTILE_SEED` gives
//! others. A script that breaks something is written to the folder for temporary files of the build, and told.

#[path = "../support/cage.rs"]
mod cage;
mod grammar;
#[path = "../support/mod.rs"]
mod support;
mod trial;
#[path = "../support/unharmed.rs"]
mod unharmed;
mod words;

use std::time::Instant;

/// Scripts for one child: so few that one which leaves something behind is found soon.
const AT_A_TIME: usize = 100;

#[test]
fn hostile_scripts_harm_nothing() {
    let seed = cage::number("HOSTILE_SEED", 1943);
    let count = cage::number("HOSTILE_COUNT", 150) as usize;
    if let Some(job) = cage::job() {
        return cage::work(job, |number| trial::survives(&grammar::script(seed, number)));
    }
    #[expect(clippy::disallowed_methods, reason = "a figure for whoever runs this by hand")]
    let began = Instant::now();
    let outcome = cage::supervise("hostile_scripts_harm_nothing", count, AT_A_TIME);
    let (slowest, took) = outcome.slowest;
    println!(
        "{count} hostile scripts of seed {seed} in {} s: {} went wrong; the slowest, {slowest}, took {} ms; at most {} MiB",
        began.elapsed().as_secs(),
        outcome.wrong.len(),
        took.as_millis(),
        outcome.peak,
    );
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut told = Vec::new();
    for (number, how) in &outcome.wrong {
        let path = folder.join(format!("hostile-{seed}-{number}.lua"));
        let written = std::fs::write(&path, grammar::script(seed, *number)).is_ok();
        told.push(format!(
            "{number}: {how} ({})",
            if written { path.display().to_string() } else { "not written".into() }
        ));
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn the_same_seed_gives_the_same_scripts() {
    assert_eq!(grammar::script(7, 11), grammar::script(7, 11));
    assert_ne!(grammar::script(7, 11), grammar::script(7, 12));
}

#[test]
fn every_function_of_the_api_is_called_sooner_or_later() {
    let scripts: String = (0..4_000).map(|number| grammar::script(1943, number)).collect();
    let missing: Vec<&str> = sandtable_script::declarations()
        .iter()
        .map(|decl| decl.name)
        .filter(|name| !scripts.contains(&format!("{name}(")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

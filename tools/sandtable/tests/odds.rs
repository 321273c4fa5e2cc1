//! `sandtable odds` against the exact answer: battles small enough to be worked out as a chain of rounds.
#![allow(clippy::unwrap_used, clippy::float_arithmetic, reason = "tests")]

mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use support::{json, sandtable};

/// The chance of each number of hits of `dice` dice that hit with `worth` in six.
fn hits(dice: usize, worth: f64) -> Vec<f64> {
    let p = worth / 6.0;
    let mut chances = vec![1.0];
    for _ in 0..dice {
        let mut next = vec![0.0; chances.len() + 1];
        for (n, chance) in chances.iter().enumerate() {
            next[n] += chance * (1.0 - p);
            next[n + 1] += chance * p;
        }
        chances = next;
    }
    chances
}

/// Infantry against infantry to the end: the chance of each pair of survivors.
fn exact(attackers: usize, defenders: usize) -> BTreeMap<(usize, usize), f64> {
    let mut open = BTreeMap::from([((attackers, defenders), 1.0)]);
    let mut over: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    // Rounds without a hit come again and again; after three hundred of them nothing worth counting is left.
    for _ in 0..300 {
        let mut next: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (&(a, d), chance) in &open {
            for (struck, p) in hits(a, 1.0).iter().enumerate() {
                for (lost, q) in hits(d, 2.0).iter().enumerate() {
                    let left = (a.saturating_sub(lost), d.saturating_sub(struck));
                    let map = if left.0 == 0 || left.1 == 0 { &mut over } else { &mut next };
                    *map.entry(left).or_default() += chance * p * q;
                }
            }
        }
        open = next;
    }
    over
}

fn share(outcome: &Value, value: &str) -> (f64, f64, f64) {
    let row = outcome["values"].as_array().unwrap().iter().find(|row| row["value"] == value);
    row.map_or((0.0, 0.0, 0.0), |row| {
        (row["share"].as_f64().unwrap(), row["low"].as_f64().unwrap(), row["high"].as_f64().unwrap())
    })
}

#[test]
fn three_against_two_is_as_the_exact_chain_says() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let call = ["odds", "axis-allies-europe:three against two", "--times", "4000", "--seed", "11", "--json"];
    let said = sandtable(root, &call, "");
    let result = json(&said);
    let exact = exact(3, 2);
    assert!((exact.values().sum::<f64>() - 1.0).abs() < 1e-9);
    for (name, left) in [("attackers", 0), ("defenders", 1)] {
        let outcome = &result["outcomes"][name];
        let pick = |pair: &(usize, usize)| if left == 0 { pair.0 } else { pair.1 };
        let most = exact.keys().map(pick).max().unwrap();
        let mut mean = 0.0;
        for value in 0..=most {
            let chance: f64 = exact.iter().filter(|(pair, _)| pick(pair) == value).map(|(_, p)| p).sum();
            mean += chance * value as f64;
            let (found, _, _) = share(outcome, &value.to_string());
            // Four standard errors of 4000 runs.
            let error = 4.0 * (chance * (1.0 - chance) / 4000.0).sqrt() + 1e-9;
            assert!((found - chance).abs() <= error, "{name} {value}: {found} and {chance} exactly");
        }
        let (low, high) =
            (outcome["mean"]["low"].as_f64().unwrap(), outcome["mean"]["high"].as_f64().unwrap());
        let slack = high - low;
        assert!(low - slack < mean && mean < high + slack, "{name}: {low} to {high}, {mean} exactly");
    }
    let won: f64 = exact.iter().filter(|(pair, _)| pair.0 > 0).map(|(_, p)| p).sum();
    let (found, low, high) = share(&result["outcomes"]["control"], "german");
    assert!(low < found && found < high && (found - won).abs() < 0.03, "{found}, {won} exactly");
    assert_eq!(result["outcomes"]["attackers"]["before"], "3");
}

#[test]
fn the_same_seed_gives_the_same_odds_whatever_the_threads() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let with = |jobs: &str| {
        let call = ["odds", "axis-allies-europe:ten against ten", "--times", "60", "--jobs", jobs, "--json"];
        json(&sandtable(root, &call, ""))["outcomes"].clone()
    };
    let one = with("1");
    assert_eq!(one, with("2"));
    assert_eq!(one["swing"]["before"], "3");
}

#[test]
fn the_picture_has_intervals_and_bars() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let said = sandtable(root, &["odds", "axis-allies-europe:three against two", "--times", "200"], "");
    assert!(
        said.out.contains("attackers, 3 before:") && said.out.contains("95 %") && said.out.contains('█'),
        "{}",
        said.out
    );
    let missing = sandtable(root, &["odds", "axis-allies-europe:no such case"], "");
    assert!(missing.error.contains("has no case"), "{}", missing.error);
}

#[test]
fn games_declare_outcomes_and_wrong_players_are_refused() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for (case, outcome) in [
        ("skirmish:two companies", "defenders"),
        ("stalins-war:an army against", "attackers"),
        ("traces-of-war:one army against", "attackers"),
        ("models-counterattack:two battalions", "defenders"),
    ] {
        let said = sandtable(root, &["odds", case, "--times", "40", "--json"], "");
        let values = json(&said)["outcomes"][outcome]["values"].as_array().unwrap().len();
        assert!(values > 1, "{case}: the dice make no difference to {outcome}: {}", said.out);
    }
    let folder = support::Folder::new("odds");
    sandtable(&folder.0, &["new", "game", "my-game"], "");
    let none = sandtable(&folder.0, &["odds", "my-game:1.1"], "");
    assert!(none.error.contains("declares no outcomes"), "{}", none.error);
    for (more, wanted) in [
        (["--player", "foo"], "expected random, first"),
        (["--player", "least nosuch"], "have no number `nosuch`"),
        (["--times", "0"], "0 is not in 1"),
    ] {
        let call = ["odds", "skirmish:two companies", more[0], more[1]];
        let said = sandtable(root, &call, "");
        assert!(said.code == 2 && said.error.contains(wanted), "{}", said.error);
    }
}

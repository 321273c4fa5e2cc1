//! What a match came to: wins with their intervals, margins, time and trials, and Elo where several meet.

use super::games::{Effort, Played};
use crate::args::MatchArgs;
use crate::load::Loaded;
use crate::out;
use sandtable_kernel::symbol::mix;
use sandtable_player::Level;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a player, or a player with one team, reached.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: u64,
    wins: u64,
    draws: u64,
    margin: f64,
    squares: f64,
    effort: Effort,
}

#[expect(clippy::float_arithmetic, reason = "statistics for people, never state")]
impl Tally {
    fn add(&mut self, played: &Played, seat: usize) {
        self.games += 1;
        self.wins += u64::from(played.winner == Some(seat));
        self.draws += u64::from(played.winner.is_none());
        let margin = if seat == 0 { played.margin } else { -played.margin } as f64;
        self.margin += margin;
        self.squares += margin * margin;
        let (sum, effort) = (&mut self.effort, &played.effort[seat]);
        sum.decisions += effort.decisions;
        sum.trials += effort.trials;
        sum.nanos += effort.nanos;
        sum.failures += effort.failures;
        sum.blind += effort.blind;
    }

    fn losses(&self) -> u64 {
        self.games - self.wins - self.draws
    }

    fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games.max(1) as f64
    }

    /// The 95 % interval of the score, after Wilson.
    fn interval(&self) -> [f64; 2] {
        let (share, of, z) = (self.score(), self.games.max(1) as f64, 1.96f64);
        let centre = share + z * z / (2.0 * of);
        let spread = z * (share * (1.0 - share) / of + z * z / (4.0 * of * of)).sqrt();
        let scale = 1.0 + z * z / of;
        [(centre - spread) / scale, (centre + spread) / scale]
    }

    /// Mean margin and half of its 95 % interval.
    fn margin(&self) -> [f64; 2] {
        let n = self.games.max(1) as f64;
        let mean = self.margin / n;
        let variance = (self.squares / n - mean * mean).max(0.0);
        [mean, 1.96 * (variance / n).sqrt()]
    }

    fn ms(&self) -> f64 {
        self.effort.nanos as f64 / 1e6 / self.effort.decisions.max(1) as f64
    }

    fn trials(&self) -> f64 {
        self.effort.trials as f64 / self.effort.decisions.max(1) as f64
    }

    fn json(&self) -> Value {
        let [low, high] = self.interval().map(percent);
        let [margin, spread] = self.margin().map(|n| (n * 10.0).round() / 10.0);
        json!({
            "games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses(),
            "score": percent(self.score()), "low": low, "high": high,
            "margin": margin, "margin_spread": spread,
        })
    }
}

#[expect(clippy::float_arithmetic, reason = "statistics for people, never state")]
fn percent(share: f64) -> f64 {
    (share * 10_000.0).round() / 100.0
}

/// Ratings that fit the scores between all pairs, 0 on average: the maximum of the likelihood, found step by step.
#[expect(clippy::float_arithmetic, reason = "statistics for people, never state")]
fn elo(players: usize, played: &[Played]) -> Vec<f64> {
    let mut ratings = vec![0.0f64; players];
    // A draw against oneself keeps a player who always wins within bounds.
    let expected = |a: f64, b: f64| 1.0 / (1.0 + 10f64.powf((b - a) / 400.0));
    for _ in 0..400 {
        let mut pull = vec![0.0; players];
        let mut games = vec![1.0; players];
        for game in played {
            let [one, two] = game.players;
            let score = match game.winner {
                Some(0) => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            let surplus = score - expected(ratings[one], ratings[two]);
            pull[one] += surplus;
            pull[two] -= surplus;
            games[one] += 1.0;
            games[two] += 1.0;
        }
        for (at, rating) in ratings.iter_mut().enumerate() {
            *rating += 200.0 * (pull[at] - (*rating / 4000.0)) / games[at];
        }
        let mean = ratings.iter().sum::<f64>() / players.max(1) as f64;
        ratings.iter_mut().for_each(|rating| *rating -= mean);
    }
    ratings
}

#[expect(clippy::float_arithmetic, reason = "statistics for people, never state")]
pub fn report(args: &MatchArgs, loaded: &Loaded, levels: &[Level], played: &[Played]) {
    let world = &loaded.definition.world;
    let mut teams: Vec<String> = Vec::new();
    for side in &world.sides {
        let name = world.symbols.text(side.2).to_string();
        if !teams.contains(&name) {
            teams.push(name);
        }
    }
    let team = |seat: usize| match (seat, teams.as_slice()) {
        (0, [first, ..]) => first.clone(),
        (_, [_, rest @ ..]) => rest.join("+"),
        _ => String::new(),
    };
    let mut whole = vec![Tally::default(); levels.len()];
    let mut by_team = vec![[Tally::default(); 2]; levels.len()];
    let (mut ends, mut turns) = (BTreeMap::<&str, u64>::new(), Vec::new());
    for game in played.iter().filter(|game| game.error.is_none()) {
        for seat in 0..2 {
            whole[game.players[seat]].add(game, seat);
            by_team[game.players[seat]][seat].add(game, seat);
        }
        *ends.entry(if game.finished { &game.reason } else { "limit" }).or_default() += 1;
        turns.push(game.turns);
    }
    turns.sort_unstable();
    let median = turns.get(turns.len() / 2).copied().unwrap_or(0);
    let hash = played.iter().fold(0, |hash, game| mix(hash, game.digest));
    let ratings = elo(levels.len(), played);
    let errors: Vec<&str> = played.iter().filter_map(|game| game.error.as_deref()).collect();
    if args.json {
        let player = |at: usize| {
            let mut object = whole[at].json();
            if let Some(map) = object.as_object_mut() {
                let effort = &whole[at].effort;
                map.insert("player".into(), json!(levels[at].to_string()));
                map.insert("ms_per_decision".into(), json!((whole[at].ms() * 1000.0).round() / 1000.0));
                map.insert("trials_per_decision".into(), json!((whole[at].trials() * 10.0).round() / 10.0));
                map.insert("trial_errors".into(), json!(effort.failures));
                map.insert("without_a_world".into(), json!(effort.blind));
                map.insert("elo".into(), json!(ratings[at].round()));
                let sides: BTreeMap<String, Value> =
                    (0..2).map(|seat| (team(seat), by_team[at][seat].json())).collect();
                map.insert("sides".into(), json!(sides));
            }
            object
        };
        outln!(
            "{}",
            json!({
                "game": loaded.definition.id,
                "scenario": loaded.definition.scenario.id,
                "games": played.len(),
                "players": (0..levels.len()).map(player).collect::<Vec<_>>(),
                "ends": ends,
                "turns_median": median,
                "errors": errors,
                "trial_error": played.iter().find_map(|game| game.failure.as_deref()),
                "records_hash": format!("{hash:016x}"),
            })
        );
        return;
    }
    outln!("{} games, median of the last turn {median}", played.len());
    for (at, level) in levels.iter().enumerate() {
        let (tally, [low, high]) = (&whole[at], whole[at].interval().map(percent));
        let [margin, spread] = tally.margin();
        outln!(
            "{level}: {} won, {} drawn, {} lost: {} % ({low} to {high}); margin {margin:.0} ± {spread:.0}; Elo {:+.0}",
            tally.wins,
            tally.draws,
            tally.losses(),
            percent(tally.score()),
            ratings[at]
        );
        outln!("    {:.2} ms and {:.0} trials a decision", tally.ms(), tally.trials());
        for (seat, tally) in by_team[at].iter().enumerate() {
            let [low, high] = tally.interval().map(percent);
            outln!(
                "    as {}: {} % ({low} to {high}) of {}",
                team(seat),
                percent(tally.score()),
                tally.games
            );
        }
        let Effort { failures, blind, .. } = tally.effort;
        if failures + blind > 0 {
            outln!("    {failures} trials failed, {blind} choices without a world to think in");
        }
    }
    for (end, n) in ends {
        outln!("  ended by {end}: {n}");
    }
    if let Some(failure) = played.iter().find_map(|game| game.failure.as_deref()) {
        outln!("the first trial that failed: {failure}");
    }
    for error in errors.iter().take(5) {
        eprintln!("\n{}", out::clean(error));
    }
}

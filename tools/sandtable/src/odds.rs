//! `sandtable odds`: a case run many times with random dice; how its outcomes are distributed.

use crate::args::OddsArgs;
use crate::load;
use crate::paint::Paint;
use crate::test_suite::{self, Suite};
use sandtable_data::suggest;
use sandtable_kernel::state::Type;
use sandtable_session::Game;
use sandtable_workbench::case::odds::{self, Observed};
use sandtable_workbench::case::{self, Case, Policy};
use sandtable_workbench::{Bench, CaseText};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Width of the longest bar of a picture.
const WIDTH: usize = 40;
/// Lines of a picture; more values than that are put together.
const LINES: usize = 24;

/// How often each value of an outcome came.
#[derive(Clone, Debug, Default)]
struct Tally {
    before: Option<Observed>,
    counts: BTreeMap<Observed, u64>,
}

/// Runs the command.
pub fn run(args: &OddsArgs) -> Result<bool, String> {
    let (suite, text) = find(args)?;
    let options = load::options(&args.with)?;
    let case = case::read(&text)
        .map_err(|failure| format!("{}:{}: {}", suite.opened(&text.file), failure.line, failure.message))?
        .into_iter()
        .next()
        .ok_or("the case is empty")?;
    let usual = Policy::read(&args.player);
    let game = Bench::new(&suite.catalog, options.clone()).game(&case.needs)?;
    if matches!(usual, Policy::Take(_)) {
        return Err(format!(
            "--player {}: expected random, first, `least FIELD` or `most FIELD`; `player PROMPT OPTION` in the case says how one prompt is answered",
            args.player
        ));
    }
    for policy in case.players.iter().map(|(_, policy)| policy).chain([&usual]) {
        known_field(policy, &game)?;
    }
    let prompts: Vec<&str> = suite.catalog.rows("prompt").map(|(id, _)| id).collect();
    if let Some((prompt, _)) = case.players.iter().find(|(prompt, _)| !prompts.contains(&prompt.as_str())) {
        let near = suggest::nearest(prompt, prompts.iter().copied()).join(", ");
        return Err(format!("player {prompt}: {} has no such prompt; nearest: {near}", suite.game));
    }
    let start = Instant::now();
    let (outcomes, tallies) = many(args, &suite, &options, &case, &usual)?;
    let seconds = start.elapsed();
    if args.json {
        let rows: serde_json::Map<String, serde_json::Value> = outcomes
            .iter()
            .zip(&tallies)
            .map(|(name, tally)| (name.clone(), to_json(tally, args.times)))
            .collect();
        outln!(
            "{}",
            json!({ "case": format!("{}:{}", suite.opened(&text.file), text.line), "times": args.times, "seed": args.seed, "millis": seconds.as_millis() as u64, "outcomes": rows })
        );
        return Ok(true);
    }
    let paint = Paint::out();
    let shown = suite.opened(&text.file);
    outln!("{}", paint.bold(format!("{shown}:{} {}", text.line, case.name).trim_end()));
    for (prompt, policy) in &case.players {
        outln!("  {prompt}: {}", policy_text(policy));
    }
    outln!("  other choices: {}", policy_text(&usual));
    for (name, tally) in outcomes.iter().zip(&tallies) {
        outln!("\n{}", picture(name, tally, args.times, paint));
    }
    outln!("\n{} runs from seed {} in {} ms", args.times, args.seed, seconds.as_millis());
    Ok(true)
}

/// A player goes by printed numbers of pieces: one that no piece has would choose at random without a word.
fn known_field(policy: &Policy, game: &Game) -> Result<(), String> {
    let (Policy::Least(field) | Policy::Most(field)) = policy else { return Ok(()) };
    let world = &game.definition.world;
    let numbers = world.piece_fields.columns.iter().filter(|(_, ty)| matches!(ty, Type::Int { .. }));
    let numbers: Vec<&str> = numbers.map(|(name, _)| world.symbols.text(*name)).collect();
    if numbers.contains(&field.as_str()) {
        return Ok(());
    }
    Err(format!(
        "pieces of {} have no number `{field}`; they have {}",
        game.definition.id,
        numbers.join(", ")
    ))
}

/// The case that is meant: `FILE`, `FILE:LINE`, or `GAME:PARAGRAPH` or `GAME:words of its name`.
fn find(args: &OddsArgs) -> Result<(Suite, CaseText), String> {
    let (place, which) = args.case.split_once(':').map_or((args.case.as_str(), ""), |(a, b)| (a, b));
    let mut suites = test_suite::suites(&[place.to_string()], &args.with, true)?;
    let suite = suites.pop().ok_or("there are no cases")?;
    let line: Option<u32> = which.parse().ok();
    let within = |case: &CaseText, line: u32| {
        (case.line..=case.lines.last().map_or(case.line, |last| last.0) + 1).contains(&line)
    };
    let named = |case: &CaseText| {
        let name = case.lines.iter().find_map(|(_, line)| line.trim().strip_prefix("case "));
        name.is_some_and(|name| name.contains(which))
    };
    let fits = |case: &&CaseText| match line {
        Some(line) => within(case, line),
        None => which.is_empty() || case.paragraph == which || named(case),
    };
    let found = suite.cases.iter().find(fits).cloned();
    match found {
        Some(case) => Ok((suite, case)),
        None => Err(format!("{place} has no case `{which}`: give FILE:LINE, GAME:PARAGRAPH or GAME:NAME")),
    }
}

fn many(
    args: &OddsArgs,
    suite: &Suite,
    options: &[(String, String)],
    case: &Case,
    usual: &Policy,
) -> Result<(Vec<String>, Vec<Tally>), String> {
    let next = AtomicU64::new(0);
    let work = || -> Result<(Vec<String>, Vec<Tally>), String> {
        let game = Bench::new(&suite.catalog, options.to_vec()).game(&case.needs)?;
        let outcomes = odds::declared(&game);
        if outcomes.is_empty() {
            return Err(format!(
                "{} declares no outcomes: write queries `query(\"outcome.NAME\", …)` that say what to observe",
                suite.game
            ));
        }
        let mut tallies = vec![Tally::default(); outcomes.len()];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= args.times {
                return Ok((outcomes, tallies));
            }
            let seed = args.seed.wrapping_add(number);
            let seen = odds::once(case, &game, &outcomes, usual, seed)
                .map_err(|error| format!("run of seed {seed}: {error}"))?;
            for (tally, (before, after)) in tallies.iter_mut().zip(seen) {
                tally.before.get_or_insert(before);
                *tally.counts.entry(after).or_default() += 1;
            }
        }
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err("a worker died".into())))
            .collect()
    });
    let mut all: Option<(Vec<String>, Vec<Tally>)> = None;
    for result in results {
        let (outcomes, tallies) = result?;
        let Some((_, sum)) = &mut all else {
            all = Some((outcomes, tallies));
            continue;
        };
        for (mine, theirs) in sum.iter_mut().zip(tallies) {
            mine.before = mine.before.take().or(theirs.before);
            for (value, n) in theirs.counts {
                *mine.counts.entry(value).or_default() += n;
            }
        }
    }
    all.ok_or_else(|| "nothing was run".into())
}

fn policy_text(policy: &Policy) -> String {
    match policy {
        Policy::Random => "any legal answer".into(),
        Policy::First => "the first option".into(),
        Policy::Least(field) => format!("least {field} first"),
        Policy::Most(field) => format!("most {field} first"),
        Policy::Take(option) => option.clone(),
    }
}

fn value_text(value: &Observed) -> String {
    match value {
        Observed::Number(n) => n.to_string(),
        Observed::Name(name) => name.clone(),
    }
}

/// Mean and half the width of its 95 % interval, if all values are numbers.
#[expect(clippy::float_arithmetic, reason = "statistics for people, never state")]
fn mean(tally: &Tally, times: u64) -> Option<(f64, f64)> {
    let n = times.max(1) as f64;
    let (mut sum, mut squares) = (0.0, 0.0);
    for (value, &count) in &tally.counts {
        let Observed::Number(value) = value else { return None };
        sum += f64::from(*value) * count as f64;
        squares += f64::from(*value) * f64::from(*value) * count as f64;
    }
    let mean = sum / n;
    let variance = (squares / n - mean * mean).max(0.0);
    Some((mean, 1.96 * (variance / n).sqrt()))
}

/// The share of runs and its 95 % interval (Wilson), in hundredths.
#[expect(clippy::float_arithmetic, reason = "statistics for people, never state")]
fn share(count: u64, times: u64) -> (f64, f64, f64) {
    let (n, z) = (times.max(1) as f64, 1.96);
    let p = count as f64 / n;
    let middle = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    (100.0 * p, (100.0 * (middle - half) / scale).max(0.0), (100.0 * (middle + half) / scale).min(100.0))
}

#[expect(clippy::float_arithmetic, reason = "statistics for people, never state")]
fn to_json(tally: &Tally, times: u64) -> serde_json::Value {
    let rows: Vec<_> = tally
        .counts
        .iter()
        .map(|(value, &count)| {
            let (_, low, high) = share(count, times);
            json!({ "value": value_text(value), "count": count, "share": count as f64 / times.max(1) as f64, "low": low / 100.0, "high": high / 100.0 })
        })
        .collect();
    let mean = mean(tally, times)
        .map(|(mean, half)| json!({ "mean": mean, "low": mean - half, "high": mean + half }));
    json!({ "before": tally.before.as_ref().map(value_text), "mean": mean, "values": rows })
}

/// The distribution of an outcome as a picture of text.
#[expect(clippy::float_arithmetic, reason = "statistics for people, never state")]
fn picture(name: &str, tally: &Tally, times: u64, paint: Paint) -> String {
    let mut head = paint.bold(name);
    if let Some(before) = &tally.before {
        head.push_str(&format!(", {} before", value_text(before)));
    }
    if let Some((mean, half)) = mean(tally, times) {
        head.push_str(&format!(": {mean:.2} on average (95 %: {:.2} to {:.2})", mean - half, mean + half));
        if let Some(Observed::Number(before)) = &tally.before {
            head.push_str(&format!(", change {:+.2}", mean - f64::from(*before)));
        }
    }
    let rows = rows(tally);
    let width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0);
    let most = rows.iter().map(|row| row.1).max().unwrap_or(1).max(1);
    let mut lines = vec![head];
    for (value, count) in rows {
        let (p, low, high) = share(count, times);
        let bar = "█".repeat(((count * WIDTH as u64).div_ceil(most)) as usize);
        lines.push(format!(
            "  {value:>width$}  {p:5.1} % {} {}",
            paint.dim(&format!("({low:4.1} to {high:4.1})")),
            paint.green(&bar)
        ));
    }
    lines.join("\n")
}

/// The values with their counts; numbers with many values are put into ranges of equal width.
fn rows(tally: &Tally) -> Vec<(String, u64)> {
    let numbers: Vec<(i32, u64)> = tally
        .counts
        .iter()
        .filter_map(|(value, &n)| if let Observed::Number(value) = value { Some((*value, n)) } else { None })
        .collect();
    if numbers.len() <= LINES || numbers.len() < tally.counts.len() {
        return tally.counts.iter().map(|(value, &n)| (value_text(value), n)).collect();
    }
    let (first, last) = (numbers[0].0, numbers[numbers.len() - 1].0);
    let wide = (last - first) / LINES as i32 + 1;
    let mut rows: BTreeMap<i32, u64> = BTreeMap::new();
    for (value, n) in numbers {
        *rows.entry((value - first) / wide).or_default() += n;
    }
    let label = |at: i32| format!("{} to {}", first + at * wide, first + at * wide + wide - 1);
    rows.into_iter().map(|(at, n)| (label(at), n)).collect()
}

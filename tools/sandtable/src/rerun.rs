//! `sandtable rerun`: plays records again with other layers, options or settings, and says what that changes.
//!
//! A regression test for errata from real games: which games touch the change at all, which differ, at which step first,
//! and which rule is responsible.

use crate::args::RerunArgs;
use crate::divergence::{Again, First};
use crate::paint::Paint;
use crate::{load, store, terminal};
use sandtable_script::Touched;
use sandtable_session::Session;
use sandtable_session::record::Line;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// What became of a record under the other rules.
struct Rerun {
    file: String,
    choices: usize,
    /// Rules of added layers that ran, and values that they change and that were read.
    touched: Vec<String>,
    /// The first difference.
    first: Option<First>,
    /// Why an answer could not be given.
    parted: Option<String>,
    ended: String,
}

/// Runs the command. False if a record cannot be followed to its end.
pub fn run(args: &RerunArgs) -> Result<bool, String> {
    let mut reruns = Vec::new();
    for path in &args.files {
        reruns.push(rerun(path, args)?);
    }
    let touching = reruns.iter().filter(|rerun| !rerun.touched.is_empty() || rerun.first.is_some()).count();
    let differing = reruns.iter().filter(|rerun| rerun.first.is_some()).count();
    let parted = reruns.iter().filter(|rerun| rerun.parted.is_some()).count();
    if args.json {
        let records: Vec<_> = reruns.iter().map(to_json).collect();
        outln!(
            "{}",
            json!({ "games": reruns.len(), "touching": touching, "differing": differing, "parted": parted, "records": records })
        );
        return Ok(parted == 0);
    }
    let paint = Paint::out();
    for rerun in &reruns {
        outln!("{}: {}", paint.bold(&rerun.file), outcome(rerun));
        if let Some(first) = &rerun.first
            && !first.by.is_empty()
        {
            outln!("    by {}", first.by.join("; "));
        }
    }
    outln!(
        "{} games: {touching} touch the change, {differing} differ, {parted} cannot be followed to their end",
        reruns.len()
    );
    let mut rules: BTreeMap<&String, usize> = BTreeMap::new();
    for rule in reruns.iter().filter_map(|rerun| rerun.first.as_ref()).flat_map(|first| &first.by) {
        *rules.entry(rule).or_default() += 1;
    }
    for (rule, games) in rules {
        outln!("  {rule}: first difference of {games} games");
    }
    Ok(parted == 0)
}

fn outcome(rerun: &Rerun) -> String {
    match (&rerun.first, &rerun.parted) {
        (None, None) if rerun.touched.is_empty() => "does not touch the change; the same to the end".into(),
        (None, None) => "touches the change; the same to the end".into(),
        (Some(First { choice, what, .. }), None) => {
            format!(
                "{} at choice {choice} of {}; can be followed; {}",
                differs(what),
                rerun.choices,
                rerun.ended
            )
        }
        (Some(First { choice, what, .. }), Some(parted)) => {
            format!("{} at choice {choice} of {}; {parted}", differs(what), rerun.choices)
        }
        (None, Some(parted)) => parted.clone(),
    }
}

/// That something differs, as a sentence says it.
fn differs(what: &str) -> String {
    format!("{what} {}", if what == "the dice" { "differ" } else { "differs" })
}

fn to_json(rerun: &Rerun) -> serde_json::Value {
    json!({
        "file": rerun.file, "choices": rerun.choices, "touches": rerun.touched, "ended": rerun.ended, "parted": rerun.parted,
        "differs": rerun.first.as_ref().map(|first| json!({ "choice": first.choice, "what": first.what, "rules": first.by })),
    })
}

fn rerun(path: &Path, args: &RerunArgs) -> Result<Rerun, String> {
    let record = store::read_record(path)?;
    let loaded = store::load(&record, &args.with)?;
    let game = load::game(&loaded)?;
    *game.host.cx().touched.borrow_mut() = Some(Touched::default());
    let replayed = Session::from_record(&game, &record, None).map_err(|error| error.to_string())?;
    let again =
        Again { record: &record, loaded: &loaded, game: &game, with: &args.with, replayed: &replayed };
    let since = again.since()?;
    let touched = again.touched(&since);
    let ended = terminal::ending(&replayed.session);
    let first = again.first(&since)?;
    let parted = replayed.parted.as_ref().map(|parted| format!("cannot be followed at {parted}"));
    let choices = record
        .lines
        .iter()
        .filter(|line| matches!(line, Line::Answer(answer) if answer.digest.is_some()))
        .count();
    Ok(Rerun {
        file: path.display().to_string(),
        choices,
        touched,
        first,
        parted,
        ended: ended.unwrap_or_default(),
    })
}

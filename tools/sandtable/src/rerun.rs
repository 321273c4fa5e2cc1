//! `sandtable rerun`: plays records again with other layers, options or settings, and says what that changes.
//!
//! A regression test for errata from real games: which games touch the change at all, which differ, at which step first,
//! and which rule is responsible.

use crate::args::{RerunArgs, WithArgs};
use crate::blame::{self, Changed, Suspect};
use crate::load::Loaded;
use crate::paint::Paint;
use crate::store::Saved;
use crate::{load, store, terminal};
use sandtable_data::source::Sources;
use sandtable_script::Touched;
use sandtable_session::record::Line;
use sandtable_session::{Game, PartedWhy, Record, Replayed, Session};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// The first choice at which a record goes another way: its number, what differs, and the rules and values to blame.
type First = (usize, &'static str, Vec<String>);

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
        say!(
            "{}",
            json!({ "games": reruns.len(), "touching": touching, "differing": differing, "parted": parted, "records": records })
        );
        return Ok(parted == 0);
    }
    let paint = Paint::out();
    for rerun in &reruns {
        say!("{}: {}", paint.bold(&rerun.file), outcome(rerun));
        if let Some((_, _, rules)) = &rerun.first
            && !rules.is_empty()
        {
            say!("    by {}", rules.join("; "));
        }
    }
    say!(
        "{} games: {touching} touch the change, {differing} differ, {parted} cannot be followed to their end",
        reruns.len()
    );
    let mut rules: BTreeMap<&String, usize> = BTreeMap::new();
    for rule in reruns.iter().filter_map(|rerun| rerun.first.as_ref()).flat_map(|first| &first.2) {
        *rules.entry(rule).or_default() += 1;
    }
    for (rule, games) in rules {
        say!("  {rule}: first difference of {games} games");
    }
    Ok(parted == 0)
}

fn outcome(rerun: &Rerun) -> String {
    match (&rerun.first, &rerun.parted) {
        (None, None) if rerun.touched.is_empty() => "does not touch the change; the same to the end".into(),
        (None, None) => "touches the change; the same to the end".into(),
        (Some((choice, what, _)), None) => {
            format!(
                "{} at choice {choice} of {}; can be followed; {}",
                differs(what),
                rerun.choices,
                rerun.ended
            )
        }
        (Some((choice, what, _)), Some(parted)) => {
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
        "differs": rerun.first.as_ref().map(|(choice, what, rules)| json!({ "choice": choice, "what": what, "rules": rules })),
    })
}

fn rerun(path: &Path, args: &RerunArgs) -> Result<Rerun, String> {
    let record = store::read_record(path)?;
    let loaded = store::load(&record, &args.with)?;
    let game = load::game(&loaded)?;
    let changed = changed(&record, &loaded, &args.with)?;
    *game.host.cx().touched.borrow_mut() = Some(Touched::default());
    let replayed = Session::from_record(&game, &record, None).map_err(|error| error.to_string())?;
    let touched: Vec<String> =
        suspects(&game, &record, &changed, &loaded.catalog.sources).into_iter().map(|one| one.text).collect();
    let ended = terminal::ending(&replayed.session);
    let first = first(&record, &loaded, &game, &changed, &args.with, &replayed)?;
    let parted = replayed.parted.as_ref().map(|parted| format!("followed up to {parted}"));
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

/// The values that the command line changes on top of what a record was played with.
fn changed(record: &Saved, loaded: &Loaded, with: &WithArgs) -> Result<Changed, String> {
    let then = store::load(record, &WithArgs { path: with.path.clone(), ..WithArgs::default() })?;
    Ok(Changed::between(&then.catalog, &loaded.catalog))
}

/// The rules and values that are to blame that a record goes another way than it says.
pub fn why(
    record: &Saved,
    loaded: &Loaded,
    game: &Rc<Game>,
    with: &WithArgs,
    replayed: &Replayed,
) -> Result<Vec<String>, String> {
    let changed = changed(record, loaded, with)?;
    Ok(first(record, loaded, game, &changed, with, replayed)?.map_or_else(Vec::new, |(_, _, rules)| rules))
}

/// The first choice at which something differs, what differs, and the rules and values that are to blame.
fn first(
    record: &Saved,
    loaded: &Loaded,
    game: &Rc<Game>,
    changed: &Changed,
    with: &WithArgs,
    replayed: &Replayed,
) -> Result<Option<First>, String> {
    let mut first = replayed.differs.map(|choice| (choice, "the result", Vec::new()));
    if let Some(parted) = &replayed.parted {
        let earlier = first.as_ref().is_some_and(|(choice, ..)| *choice < parted.choice);
        if !earlier {
            let rules =
                if let PartedWhy::Refused(reasons) = &parted.why { reasons.clone() } else { Vec::new() };
            first = Some((parted.choice, "what is legal", rules));
        }
    }
    if let Some((choice, what, rules)) = &mut first {
        let rolled = played_to(game, record, *choice)?;
        if *what == "the result" && rolled != rolls_to(record, *choice) {
            *what = "the dice";
        }
        let suspects = suspects(game, record, changed, &loaded.catalog.sources);
        let without = |extra: &blame::Extra| {
            let mut with = with.clone();
            with.set.extend(extra.set.clone());
            with.option.extend(extra.option.clone());
            store::load(record, &with)
        };
        for text in blame::responsible(record, loaded, suspects, *choice, &without) {
            if !rules.contains(&text) {
                rules.push(text);
            }
        }
    }
    Ok(first)
}

/// The rolls of a record up to the choice after a number of them.
fn rolls_to(record: &Record, choice: usize) -> Rolls {
    let (mut choices, mut rolls) = (0, Vec::new());
    for line in &record.lines {
        match line {
            Line::Answer(answer) if answer.digest.is_some() => {
                choices += 1;
                if choices > choice {
                    break;
                }
            }
            Line::Roll { label, value } => rolls.push((label.clone(), *value)),
            _ => {}
        }
    }
    rolls
}

/// A handler in words: id, paragraphs and layer.
fn named(game: &Game, number: usize) -> Option<String> {
    let registry = game.host.cx().registry.borrow();
    let handler = registry.handlers.get(number)?;
    let rules =
        if handler.rules.is_empty() { String::new() } else { format!(" (§ {})", handler.rules.join(", ")) };
    let layer = game.stamps.get(usize::from(handler.layer)).map_or("?", |stamp| stamp.id.as_str());
    Some(format!("{} {}{rules} of {layer}", handler.kind.name(), handler.id))
}

/// What of the change was touched since that was last noted: handlers that packages add or change with which the record was
/// not played, values, options.
fn suspects(game: &Rc<Game>, record: &Record, changed: &Changed, sources: &Sources) -> Vec<Suspect> {
    let known = |layer: u16| {
        let stamp = game.stamps.get(usize::from(layer));
        stamp.is_some_and(|stamp| {
            record.packages().any(|other| other.id == stamp.id && other.hash == stamp.hash)
        })
    };
    let registry = game.host.cx().registry.borrow();
    let ran = |number: usize| registry.handlers.get(number).is_some_and(|handler| handler.fired.get() > 0);
    let added = registry
        .handlers
        .iter()
        .enumerate()
        .filter(|(number, handler)| ran(*number) && !known(handler.layer));
    let mut found: Vec<Suspect> =
        added.filter_map(|(number, _)| Some(Suspect::handler(number, named(game, number)?))).collect();
    let changes = registry.changes.iter().enumerate();
    for (number, change) in changes.filter(|(_, change)| ran(change.handler as usize) && !known(change.layer))
    {
        let (id, layer) =
            (&registry.handlers[change.handler as usize].id, game.stamps.get(usize::from(change.layer)));
        let layer = layer.map_or("?", |stamp| stamp.id.as_str());
        let text = format!("{} of {id} by {layer}  {}", change.verb, sources.opened(&change.place));
        found.push(Suspect::change(number, text));
    }
    drop(registry);
    found.extend(changed.read(game));
    found.extend(Suspect::options(record, &game.head(record.seed)));
    found
}

/// Rolls by their label.
type Rolls = Vec<(String, u32)>;

/// Plays a record up to a choice and what follows from it, counting afresh; gives the rolls made.
fn played_to(game: &Rc<Game>, record: &Record, choice: usize) -> Result<Rolls, String> {
    for handler in &game.host.cx().registry.borrow().handlers {
        handler.fired.set(0);
    }
    *game.host.cx().touched.borrow_mut() = Some(Touched::default());
    let mut after = Session::from_record(game, record, Some(choice)).map_err(|error| error.to_string())?;
    let rolls = after.session.rolls().to_vec();
    Ok(after.session.look(|host| rolls.iter().map(|&(label, n)| (host.cx().text(label), n)).collect()))
}

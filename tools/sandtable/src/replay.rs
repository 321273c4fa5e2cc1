//! `sandtable replay`: plays a record again, and says where it parts from the rules of today, and why.

use crate::args::{ReplayArgs, WithArgs};
use crate::load::{self, Loaded};
use crate::store::Saved;
use crate::{out, rerun, store, terminal};
use sandtable_session::{Game, OddRoll, Replayed, Session};
use serde_json::json;
use std::rc::Rc;

/// Rules and rolls that are named at most; a package that changed as a whole has many.
const MOST: usize = 6;

/// Runs the command. False if the record cannot be played as it is.
pub fn run(args: &ReplayArgs) -> Result<bool, String> {
    let record = store::read_record(&args.file)?;
    let loaded = store::load(&record, &args.with)?;
    let game = load::game(&loaded)?;
    let mut replayed = Session::from_record(&game, &record, args.to).map_err(|error| error.to_string())?;
    let fine = replayed.parted.is_none() && replayed.differs.is_none() && replayed.rolls.is_empty();
    let digest = game.digest(&replayed.session.play().state);
    let choices = replayed.session.answers().iter().filter(|recorded| !recorded.answer.forced).count();
    if args.json {
        let roll = |roll: &OddRoll| json!({ "after": roll.choices, "label": roll.label, "record": roll.recorded, "seed": roll.given });
        say!(
            "{}",
            json!({
                "game": record.game.id,
                "scenario": record.scenario,
                "unchanged": replayed.unchanged,
                "changed": store::changed(&record, &game),
                "choices": choices,
                "digest": format!("{digest:016x}"),
                "ended": terminal::ending(&replayed.session),
                "differs": replayed.differs,
                "parted": replayed.parted.as_ref().map(ToString::to_string),
                "by": to_blame(&record, &loaded, &game, &args.with, &replayed)?,
                "rolls": replayed.rolls.iter().map(roll).collect::<Vec<_>>(),
            })
        );
        return Ok(fine);
    }
    for line in told(&record, &loaded, &game, &args.with, &replayed)? {
        eprintln!("{}", out::clean(&line));
    }
    say!("{} {}: {choices} choices, digest {digest:016x}\n", record.game.id, record.scenario);
    put!("{}", terminal::position(&mut replayed.session));
    Ok(fine)
}

/// All that is to be said of a record that was played again: what has changed since it was made and what came of it, dice that are not
/// those of its seed, where it parts, and which rules are to blame.
pub fn told(
    record: &Saved,
    loaded: &Loaded,
    game: &Rc<Game>,
    with: &WithArgs,
    replayed: &Replayed,
) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    if !replayed.unchanged {
        let changed = match store::changed(record, game).join("; ") {
            none if none.is_empty() => "the order of its layers".into(),
            changed => changed,
        };
        let same = replayed.parted.is_none() && replayed.differs.is_none();
        lines.push(format!("changed since: {changed}{}", if same { ": the same to the end" } else { "" }));
    }
    lines.extend(report(replayed));
    let by = to_blame(record, loaded, game, with, replayed)?;
    if !by.is_empty() {
        let more =
            if by.len() > MOST { format!("; or one of {} more", by.len() - MOST) } else { String::new() };
        lines.push(format!("  by {}{more}", by[..by.len().min(MOST)].join("; ")));
    }
    Ok(lines)
}

/// The rules and values to blame that a record goes another way under changed contents.
fn to_blame(
    record: &Saved,
    loaded: &Loaded,
    game: &Rc<Game>,
    with: &WithArgs,
    replayed: &Replayed,
) -> Result<Vec<String>, String> {
    if replayed.unchanged { Ok(Vec::new()) } else { rerun::why(record, loaded, game, with, replayed) }
}

/// Where a record, its seed and the rules part, in words.
pub fn report(replayed: &Replayed) -> Vec<String> {
    let mut lines: Vec<String> = replayed.rolls.iter().take(MOST).map(ToString::to_string).collect();
    if replayed.rolls.len() > MOST {
        lines.push(format!("… and {} more rolls", replayed.rolls.len() - MOST));
    }
    lines.extend(replayed.differs.map(|at| format!("the state differs from the record after choice {at}")));
    let parted = replayed.parted.as_ref();
    lines.extend(parted.map(|parted| format!("the record cannot be followed beyond {parted}")));
    lines
}

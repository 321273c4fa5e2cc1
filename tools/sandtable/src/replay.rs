//! `sandtable replay`: plays a record again, and says where it parts from the rules of today, and why.

use crate::args::ReplayArgs;
use crate::divergence::Again;
use crate::{load, out, store, terminal};
use sandtable_session::{OddRoll, Session};
use serde_json::json;

/// Runs the command. False if the record cannot be played as it is.
pub fn run(args: &ReplayArgs) -> Result<bool, String> {
    let record = store::read_record(&args.file)?;
    let loaded = store::load(&record, &args.with)?;
    let game = load::game(&loaded)?;
    let mut replayed = Session::from_record(&game, &record, args.to).map_err(|error| error.to_string())?;
    let again =
        Again { record: &record, loaded: &loaded, game: &game, with: &args.with, replayed: &replayed };
    let fine = replayed.parted.is_none() && replayed.differs.is_none() && replayed.rolls.is_empty();
    let digest = game.digest(&replayed.session.play().state);
    let choices = replayed.session.answers().iter().filter(|recorded| !recorded.answer.forced).count();
    if args.json {
        let roll = |roll: &OddRoll| json!({ "after": roll.choices, "label": roll.label, "record": roll.recorded, "seed": roll.given });
        outln!(
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
                "by": again.blamed()?,
                "rolls": replayed.rolls.iter().map(roll).collect::<Vec<_>>(),
            })
        );
        return Ok(fine);
    }
    for line in again.told()? {
        eprintln!("{}", out::clean(&line));
    }
    outln!("{} {}: {choices} choices, digest {digest:016x}\n", record.game.id, record.scenario);
    put!("{}", terminal::position(&mut replayed.session));
    Ok(fine)
}

//! `sandtable replay`: plays a record again, and says where it parts from the rules of today.

use crate::args::ReplayArgs;
use crate::{store, terminal};
use sandtable_session::{Replayed, Session};
use serde_json::json;

/// Runs the command. False if the record cannot be played as it is.
pub fn run(args: &ReplayArgs) -> Result<bool, String> {
    let record = store::read_record(&args.file)?;
    let game = store::game(&record, &args.with)?;
    let mut replayed = Session::from_record(&game, &record, args.to).map_err(|error| error.to_string())?;
    let fine = replayed.parted.is_none() && replayed.differs.is_none();
    let digest = game.digest(&replayed.session.play().state);
    let choices = replayed.session.answers().iter().filter(|recorded| !recorded.answer.forced).count();
    if args.json {
        say!(
            "{}",
            json!({
                "game": record.game.id,
                "scenario": record.scenario,
                "unchanged": replayed.unchanged,
                "choices": choices,
                "digest": format!("{digest:016x}"),
                "ended": terminal::ending(&replayed.session),
                "differs": replayed.differs,
                "parted": replayed.parted.as_ref().map(ToString::to_string),
            })
        );
        return Ok(fine);
    }
    for change in store::changed(&record, &game) {
        say!("changed since: {change}");
    }
    report(&replayed).iter().for_each(|line| eprintln!("{line}"));
    say!("{} {}: {choices} choices, digest {digest:016x}\n", record.game.id, record.scenario);
    print!("{}", terminal::position(&mut replayed.session));
    Ok(fine)
}

/// Where a record and the rules part, in words.
pub fn report(replayed: &Replayed) -> Vec<String> {
    let differs = replayed.differs.map(|at| format!("the state differs from the record after choice {at}"));
    let parted = replayed.parted.as_ref();
    let parted = parted.map(|parted| format!("the record cannot be followed beyond {parted}"));
    differs.into_iter().chain(parted).collect()
}

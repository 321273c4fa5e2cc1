//! `sandtable export`: a point of a record as a case for a rulebook, or as a scenario.

use crate::args::{As, ExportArgs};
use crate::store;
use sandtable_session::record::Line;
use sandtable_session::{Record, Session, export};

/// Runs the command.
pub fn run(args: &ExportArgs) -> Result<bool, String> {
    let record = store::read_record(&args.file)?;
    let choices =
        record.lines.iter().filter(|line| matches!(line, Line::Answer(answer) if answer.digest.is_some()));
    let choices = choices.count();
    if args.at > choices {
        return Err(format!("the record has {choices} choices, not {}", args.at));
    }
    if args.form == As::Case && !record.edited() {
        print!("{}{}", head(&record, args.at), export::case(&record, args.at));
        return Ok(true);
    }
    let game = store::game(&record, &args.with)?;
    let replayed = Session::from_record(&game, &record, Some(args.at)).map_err(|error| error.to_string())?;
    if let Some(parted) = replayed.parted {
        return Err(format!("the record cannot be followed beyond {parted}"));
    }
    let mut session = replayed.session;
    match args.form {
        // Answers alone do not lead to a position that somebody has edited.
        As::Case => {
            let case = session.look(|host| export::position_case(host.cx(), &record));
            print!("{}{case}", head(&record, args.at));
        }
        As::Scenario => print!("{}", export::scenario(&session, &record, args.at, session.answers().len())),
    }
    Ok(true)
}

/// What a file of cases begins with.
fn head(record: &Record, at: usize) -> String {
    let layers: Vec<&str> = record.layers.iter().map(|layer| layer.id.as_str()).collect();
    let layers = if layers.is_empty() { String::new() } else { format!("layer: {}\n", layers.join(", ")) };
    format!(
        "game: {}\n{layers}\n### moment.1 A game of seed {} after {at} choices\n\n",
        record.game.id, record.seed
    )
}

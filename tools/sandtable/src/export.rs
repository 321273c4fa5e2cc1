//! `sandtable export`: a point of a record as a case for a rulebook, or as a scenario.

use crate::args::{As, ExportArgs};
use crate::store;
use sandtable_session::{Session, export};

/// Runs the command.
pub fn run(args: &ExportArgs) -> Result<bool, String> {
    let record = store::read_record(&args.file)?;
    let game = store::game(&record, &args.with)?;
    match args.form {
        As::Case => print!("{}", export::case(&record, args.at)),
        As::Scenario => {
            let replayed =
                Session::from_record(&game, &record, Some(args.at)).map_err(|error| error.to_string())?;
            if let Some(parted) = replayed.parted {
                return Err(format!("the record cannot be followed beyond {parted}"));
            }
            let mut session = replayed.session;
            let text = session.look(|host| export::scenario(host.cx(), &record, args.at));
            print!("{text}");
        }
    }
    Ok(true)
}

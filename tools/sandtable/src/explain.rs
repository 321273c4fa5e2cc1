//! `sandtable explain`: why an option was, or was not, there at a point of a record.

use crate::args::ExplainArgs;
use crate::{store, terminal};
use sandtable_session::Session;

/// Runs the command. False if the option is refused.
pub fn run(args: &ExplainArgs) -> Result<bool, String> {
    let record = store::read_record(&args.file)?;
    let game = store::game(&record, &args.with)?;
    let replayed = Session::from_record(&game, &record, Some(args.at)).map_err(|error| error.to_string())?;
    if let Some(parted) = replayed.parted {
        return Err(format!("the record cannot be followed beyond {parted}"));
    }
    let mut session = replayed.session;
    if session.decisions().is_empty() {
        return Err("nothing is asked at that point: the game is over".into());
    }
    let mut offered = false;
    for which in 0..session.decisions().len() {
        let (fine, text) = terminal::why(&mut session, which, &args.named.join(" "));
        offered |= fine;
        say!("{text}");
    }
    Ok(offered)
}

//! `sandtable rerun`: plays records again with other layers, options or settings, and says what that changes.

use crate::args::RerunArgs;
use crate::{store, terminal};
use sandtable_session::Session;
use serde_json::json;

/// Runs the command. False if a record cannot be followed to its end.
pub fn run(args: &RerunArgs) -> Result<bool, String> {
    let mut results = Vec::new();
    let mut fine = true;
    for path in &args.files {
        let record = store::read_record(path)?;
        let game = store::game(&record, &args.with)?;
        let replayed = Session::from_record(&game, &record, None).map_err(|error| error.to_string())?;
        fine &= replayed.parted.is_none();
        let shown = path.display().to_string();
        if args.json {
            results.push(json!({
                "file": shown,
                "differs": replayed.differs,
                "parted": replayed.parted.as_ref().map(|parted| json!({ "choice": parted.choice, "why": parted.why.to_string() })),
                "ended": terminal::ending(&replayed.session),
            }));
            continue;
        }
        let outcome = match (&replayed.parted, replayed.differs) {
            (None, None) => "the same to the end".to_string(),
            (None, Some(differs)) => format!("can be followed; the state differs after choice {differs}"),
            (Some(parted), None) => format!("the same up to {parted}"),
            (Some(parted), Some(differs)) => {
                format!("the state differs after choice {differs}; followed up to {parted}")
            }
        };
        say!("{shown}: {outcome}");
    }
    if args.json {
        say!("{}", json!({ "records": results }));
    }
    Ok(fine)
}

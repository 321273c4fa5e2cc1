//! `sandtable explain`: why an option was, or was not, there at a point of a record, and how numbers came about.

use crate::args::ExplainArgs;
use crate::{store, terminal, terminal_why};
use sandtable_script::Change;
use sandtable_session::{Session, changes};

/// Runs the command. False if the option is refused.
pub fn run(args: &ExplainArgs) -> Result<bool, String> {
    let record = store::read_record(&args.file)?;
    let game = store::game(&record, &args.with)?;
    let replayed = Session::from_record(&game, &record, Some(args.at)).map_err(|error| error.to_string())?;
    if let Some(parted) = replayed.parted {
        return Err(format!("the record cannot be followed at {parted}"));
    }
    let mut session = replayed.session;
    if args.numbers {
        let lines = numbers(&mut session);
        if lines.is_empty() {
            outln!("no number was worked out after choice {}", args.at);
        }
        lines.iter().for_each(|line| outln!("{line}"));
        if args.named.is_empty() {
            return Ok(true);
        }
    }
    if session.decisions().is_empty() {
        return Err("nothing is asked at that point: the game is over".into());
    }
    if args.named.is_empty() {
        put!("{}", terminal::asked(&mut session));
        return Ok(true);
    }
    let mut offered = false;
    for which in 0..session.decisions().len() {
        let (fine, text) = terminal_why::why(&mut session, which, &args.named.join(" "));
        offered |= fine;
        outln!("{text}");
    }
    Ok(offered)
}

/// The numbers worked out since the last choice: each contribution with its rule, paragraphs, layer and place.
fn numbers(session: &mut Session) -> Vec<String> {
    let from = session.last_choice().map_or(0, |choice| session.answers()[choice].changes);
    let made = session.play().changes.get(from..).unwrap_or_default().to_vec();
    let game = session.game().clone();
    session.look(|host| {
        let cx = host.cx();
        let mut lines = Vec::new();
        for change in &made {
            let Change::Number { of, name, value, parts } = change else { continue };
            let of: Vec<String> = of.iter().map(|&val| cx.name(val)).collect();
            let of = if of.is_empty() { String::new() } else { format!(" ({})", of.join(", ")) };
            lines.push(format!("{}{of} = {value}", cx.text(*name)));
            for part in parts {
                let registry = cx.registry.borrow();
                let handler = registry.handlers.get(part.handler as usize);
                let rules = handler.map_or_else(String::new, |handler| handler.rules.join(", "));
                let place =
                    registry.decided(part.handler).map_or_else(String::new, |(_, place)| place.to_string());
                drop(registry);
                let rules = if rules.is_empty() { rules } else { format!(" [{rules}]") };
                let layer = terminal_why::layer_of(&game, part.handler);
                lines.push(format!("    {}{rules}{layer}  {place}", changes::part_name(cx, part)));
            }
        }
        lines
    })
}

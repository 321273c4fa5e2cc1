//! `sandtable advise`: what a computer would answer at a point of a record, and why.

use crate::args::AdviseArgs;
use crate::{store, terminal};
use sandtable_player::{Chosen, Level, Stop, Why};
use sandtable_session::{Session, names};
use serde_json::json;

/// Runs the command.
pub fn run(args: &AdviseArgs) -> Result<bool, String> {
    let level: Level = args.player.parse().map_err(|error| format!("--player {}: {error}", args.player))?;
    let record = store::read_record(&args.file)?;
    let game = store::game(&record, &args.with)?;
    let replayed = Session::from_record(&game, &record, args.at).map_err(|error| error.to_string())?;
    if let Some(parted) = replayed.parted {
        return Err(format!("the record cannot be followed at {parted}"));
    }
    let mut session = replayed.session;
    if session.decisions().is_empty() {
        return Err("nothing is asked at that point: the game is over".into());
    }
    if !args.json {
        put!("{}", terminal::asked(&mut session));
    }
    for which in 0..session.decisions().len() {
        let side = session.decisions()[which].side;
        let mut player = level.player(args.seed);
        player.explain(true);
        let chosen =
            player.choose(&mut session, which, &Stop::default()).map_err(|error| error.to_string())?;
        let side = game.definition.world.side_name(side).to_string();
        if args.json {
            outln!("{}", object(&mut session, &side, level, &chosen));
        } else {
            for line in words(&mut session, &side, &chosen) {
                outln!("{line}");
            }
        }
    }
    Ok(true)
}

/// What a player chose and why, in words.
pub fn words(session: &mut Session, side: &str, chosen: &Chosen) -> Vec<String> {
    let name = |session: &mut Session, choice| session.look(|host| names::exact_choice(host.cx(), choice));
    let Why { trials, value, next, winning, terms, options, blind, .. } = &chosen.why;
    let mut lines = vec![format!("{side}: {}", name(session, &chosen.choice))];
    if *options == 1 {
        lines.push("    there is no other answer".into());
        return lines;
    }
    if *blind || *trials == 0 {
        lines.push("    any answer, by lot".into());
        return lines;
    }
    lines.push(format!(
        "    best of {options} after {trials} trials: worth {value}, chance to win about {winning} %"
    ));
    if let Some((next, worth)) = next {
        let next = name(session, next);
        lines.push(format!("    next best: {next}, worth {worth}"));
    }
    for term in terms.iter().take(6) {
        let difference = term.chosen - term.next;
        lines.push(format!("    {difference:+} {}: {} against {}", term.text, term.chosen, term.next));
    }
    lines
}

fn object(session: &mut Session, side: &str, level: Level, chosen: &Chosen) -> serde_json::Value {
    let name = |session: &mut Session, choice| session.look(|host| names::exact_choice(host.cx(), choice));
    let why = &chosen.why;
    let choice = name(session, &chosen.choice);
    let next =
        why.next.as_ref().map(|(next, worth)| json!({ "choice": name(session, next), "value": worth }));
    let terms: Vec<_> = why
        .terms
        .iter()
        .map(|term| json!({ "text": term.text, "chosen": term.chosen, "next": term.next }))
        .collect();
    json!({
        "side": side, "player": level.to_string(), "choice": choice, "value": why.value, "winning": why.winning,
        "trials": why.trials, "options": why.options, "next": next, "terms": terms,
    })
}

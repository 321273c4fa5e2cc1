//! `sandtable export`: a point of a record as a case for a rulebook, or as a scenario.

use crate::args::{As, ExportArgs};
use crate::load::{self, Loaded};
use crate::store;
use sandtable_script::Offered;
use sandtable_session::record::Line;
use sandtable_session::{Record, Session, export, names};
use sandtable_workbench::{Bench, Book};

/// Runs the command.
pub fn run(args: &ExportArgs) -> Result<bool, String> {
    let record = store::read_record(&args.file)?;
    let choices =
        record.lines.iter().filter(|line| matches!(line, Line::Answer(answer) if answer.digest.is_some()));
    let choices = choices.count();
    if args.at > choices {
        return Err(format!("the record has {choices} choices, not {}", args.at));
    }
    let loaded = store::load(&record, &args.with)?;
    let game = load::game(&loaded)?;
    let replayed = Session::from_record(&game, &record, Some(args.at)).map_err(|error| error.to_string())?;
    if let Some(parted) = replayed.parted {
        return Err(format!("the record cannot be followed at {parted}"));
    }
    let mut session = replayed.session;
    let layers: Vec<&str> = record.layers.iter().map(|layer| layer.id.as_str()).collect();
    match args.form {
        As::Case => {
            let layers =
                if layers.is_empty() { String::new() } else { format!("layer: {}\n", layers.join(", ")) };
            put!(
                "game: {}\n{layers}\n### moment.1 A game of seed {} after {} choices\n\n{}",
                record.game.id,
                record.seed,
                args.at,
                case(&mut session, &record, args.at, &loaded)
            );
        }
        As::Scenario => {
            // A scenario belongs to the game; which layers it was played with only people can heed.
            if !layers.is_empty() {
                let with: Vec<String> = layers.iter().map(|layer| format!("--layer {layer}")).collect();
                outln!("# The game was played with layers: play this with {}.", with.join(" "));
            }
            put!("{}", export::scenario(&session, &record, args.at, session.answers().len()));
        }
    }
    Ok(true)
}

/// The shortest case that holds: the position at the beginning of the step, what was answered in it, and what is asked now
/// with its options. Where a step cannot be had alone, the game is played from its beginning.
fn case(session: &mut Session, record: &Record, at: usize, loaded: &Loaded) -> String {
    let asked = asked(session);
    let mut forms = Vec::new();
    if let Some(moment) = export::moment(session, session.answers().len()) {
        let (answers, rolls) = since(record, at, moment.before);
        let options = record.options.iter().map(|(id, value)| format!("option {id} = {value}"));
        let start: Vec<String> = options.chain(moment.lines).collect();
        // The first rolls after an answer belong to this step or to the one before.
        for skipped in 0..=rolls.len() {
            let mut lines = start.clone();
            lines.extend(rolls.iter().skip(skipped).cloned());
            lines.push(format!("step {}", moment.node));
            lines.extend(answers.iter().cloned());
            forms.push(lines);
        }
    }
    let whole = export::case(record, at);
    let lines = whole.lines().filter(|line| !line.starts_with("```") && *line != "stop");
    let whole: Vec<String> = lines.map(str::to_string).collect();
    let written = |lines: &[String]| {
        let lines: Vec<&str> = lines.iter().chain(&asked).map(String::as_str).chain(["stop"]).collect();
        format!("```case\n{}\n```\n", lines.join("\n"))
    };
    let options = record.options.clone();
    let mut bench = Bench::new(&loaded.catalog, options);
    let mut passes = |text: &str| {
        let book = Book::read("moment", &format!("### moment.1 Moment\n\n{text}"));
        let outcomes: Vec<_> = book.cases.iter().flat_map(|case| bench.run(case)).collect();
        !outcomes.is_empty() && outcomes.iter().all(|outcome| outcome.failure.is_none())
    };
    let found = forms.iter().map(|lines| written(lines)).find(|text| passes(text));
    found.unwrap_or_else(|| written(&whole))
}

/// Answers and rolls of a record from an answer on, up to a number of choices.
fn since(record: &Record, at: usize, before: usize) -> (Vec<String>, Vec<String>) {
    let (mut answers, mut rolls) = (Vec::new(), Vec::new());
    let (mut number, mut choices) = (0, 0);
    for line in &record.lines {
        match line {
            Line::Answer(answer) => {
                choices += usize::from(answer.digest.is_some());
                if choices > at {
                    break;
                }
                if number >= before && answer.digest.is_some() {
                    answers.push(format!("{}: {} {}", answer.side, answer.prompt, answer.choice));
                }
                number += 1;
            }
            Line::Roll { label, value } if number >= before => rolls.push(format!("roll {label} {value}")),
            Line::Roll { .. } | Line::Edit(_) => {}
        }
    }
    (answers, rolls)
}

/// What is asked, as cases expect it.
fn asked(session: &mut Session) -> Vec<String> {
    let decisions = session.decisions().to_vec();
    session.look(|host| {
        let cx = host.cx();
        let line = |decision: &sandtable_script::Decision| {
            let options: Vec<String> = match &decision.offered {
                Offered::List(options) => options.iter().map(|&opt| names::exact_option(cx, opt)).collect(),
                Offered::Selection { values, .. } => values.iter().map(|&val| cx.name(val)).collect(),
            };
            // A comma parts options, so that a single one may hold a space.
            format!("{}? {},", cx.text(cx.side_sym(decision.side)), options.join(", "))
        };
        decisions.iter().map(line).collect()
    })
}

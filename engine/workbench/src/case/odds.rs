//! Odds: a case's position and call run many times, with random dice and a stated player.
//!
//! What is observed the game declares: every query called `outcome.NAME`, asked with the arguments of the call. Answers,
//! forced rolls and expected lines of the case are left out; `player PROMPT HOW` says how a prompt is answered.

use super::policy::{Answering, Policy};
use super::run::Run;
use super::{Case, Line};
use sandtable_script::{Kind, Val};
use sandtable_session::Game;
use std::rc::Rc;

/// How the names of queries begin that tools observe.
pub const PREFIX: &str = "outcome.";

/// One value of an outcome.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observed {
    /// A number.
    Number(i32),
    /// A name, or `true`, `false`, `nil`.
    Name(String),
}

/// The names of the outcomes that a game declares, in order.
pub fn declared(game: &Game) -> Vec<String> {
    let registry = game.host.cx().registry.borrow();
    let queries = registry.handlers.iter().filter(|handler| handler.kind == Kind::Query);
    queries.filter_map(|handler| handler.id.strip_prefix(PREFIX).map(str::to_string)).collect()
}

/// One run of a case: each outcome before the call and after everything that came of it.
pub fn once(
    case: &Case,
    game: &Rc<Game>,
    outcomes: &[String],
    usual: &Policy,
    seed: u64,
) -> Result<Vec<(Observed, Observed)>, String> {
    let seeded = Case { seed, free_dice: true, lines: Vec::new(), ..case.clone() };
    let mut run = Run::new(&seeded, game)?;
    let mut player = Answering::new(&case.players, usual, seed);
    for (_, line) in &case.lines {
        match line {
            Line::Setup(..) => run.act(line)?,
            Line::Call(_, args) => {
                run.args = run.values(args);
                let before = observe(&mut run, outcomes)?;
                run.act(line)?;
                player.play_on(&mut run.session, &mut |_| false)?;
                let after = observe(&mut run, outcomes)?;
                return Ok(before.into_iter().zip(after).collect());
            }
            _ => {}
        }
    }
    Err("the case has no `call`".into())
}

fn observe(run: &mut Run, outcomes: &[String]) -> Result<Vec<Observed>, String> {
    let args = run.args.clone();
    let ask = |host: &sandtable_script::Host, name: &String| {
        let val = host.answer(&format!("{PREFIX}{name}"), &args).map_err(|error| error.to_string())?;
        Ok(match val {
            Val::Int(n) => Observed::Number(n),
            val => Observed::Name(host.cx().name(val)),
        })
    };
    run.session.look(|host| outcomes.iter().map(|name| ask(host, name)).collect())
}

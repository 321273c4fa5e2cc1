//! Odds: a case's position and call run many times, with random dice and a stated player.
//!
//! What is observed the game declares: every query called `outcome.NAME`, asked with the arguments of the call. Answers,
//! forced rolls and expected lines of the case are left out; `player PROMPT HOW` says how a prompt is answered.

use super::run::Run;
use super::{Case, Line, Policy};
use sandtable_kernel::selection;
use sandtable_kernel::world::NIL;
use sandtable_script::{Choice, Decision, Kind, Offered, Opt, ScriptContext, Val};
use sandtable_session::{Game, RandomPlayer, Status, names};
use std::rc::Rc;

/// How the names of queries begin that tools observe.
pub const PREFIX: &str = "outcome.";

/// Answers in one run after which it is given up.
const MOST: usize = 100_000;

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
    let mut player = Player { case, usual, random: RandomPlayer::new(seed) };
    for (_, line) in &case.lines {
        match line {
            Line::Setup(..) => run.act(line)?,
            Line::Call(_, args) => {
                run.args = run.values(args);
                let before = observe(&mut run, outcomes)?;
                run.act(line)?;
                player.play_on(&mut run)?;
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

struct Player<'a> {
    case: &'a Case,
    usual: &'a Policy,
    random: RandomPlayer,
}

impl Player<'_> {
    /// Answers until nothing is asked.
    fn play_on(&mut self, run: &mut Run) -> Result<(), String> {
        for _ in 0..MOST {
            if *run.session.status() != Status::Asking || run.session.decisions().is_empty() {
                return Ok(());
            }
            let decision = run.session.decisions()[0].clone();
            let policy = run.session.look(|host| {
                let prompt = host.cx().text(decision.prompt);
                self.case.players.iter().find(|(own, _)| *own == prompt).map_or(self.usual, |(_, how)| how)
            });
            let choice = match policy {
                Policy::Random => None,
                policy => run.session.look(|host| choose(host, &decision, policy)),
            };
            match choice {
                Some(choice) => run.session.answer(0, &choice),
                None => self.random.play_for(&mut run.session, 0),
            }
            .map_err(|error| error.to_string())?;
        }
        Err(format!("{MOST} answers and no end"))
    }
}

/// The answer of a policy; nothing where it has none, such as a selection under a test that its choice fails.
fn choose(host: &sandtable_script::Host, decision: &Decision, policy: &Policy) -> Option<Choice> {
    let cx = host.cx();
    match &decision.offered {
        Offered::List(options) => {
            let least = |sign: i32, field: &str| {
                options.iter().min_by_key(|opt| sign.saturating_mul(field_of(cx, opt.val, field)))
            };
            let named = |opt: &&Opt, name: &str| {
                names::plain_option(cx, **opt) == name || names::exact_option(cx, **opt) == name
            };
            let found = match policy {
                Policy::Least(field) => least(1, field),
                Policy::Most(field) => least(-1, field),
                Policy::Take(name) => options.iter().find(|opt| named(opt, name)),
                Policy::First | Policy::Random => None,
            };
            found.or_else(|| options.first()).map(|&opt| Choice::One(opt))
        }
        Offered::Selection { values, items, bounds, test, .. } => {
            let mut order: Vec<usize> = (0..values.len()).collect();
            match policy {
                Policy::Least(field) => order.sort_by_key(|&at| field_of(cx, values[at], field)),
                Policy::Most(field) => {
                    order.sort_by_key(|&at| std::cmp::Reverse(field_of(cx, values[at], field)));
                }
                _ => {}
            }
            let sorted: Vec<selection::Item> = order.iter().map(|&at| items[at]).collect();
            let spread = |chosen: &[u32]| {
                let mut counts = vec![0; chosen.len()];
                for (&at, &n) in order.iter().zip(chosen) {
                    counts[at] = n;
                }
                counts
            };
            let mut left = bounds.min;
            let mut prefer = |_: usize, most: u32| {
                let n = left.min(most);
                left -= n;
                n
            };
            let mut passes =
                |chosen: &[u32]| host.passes(values, &spread(chosen), test.as_ref()).unwrap_or(false);
            let chosen = spread(&selection::complete(&sorted, bounds, &mut prefer, &mut passes).found()?);
            let taken = values.iter().zip(chosen).filter(|(_, n)| *n > 0).map(|(&val, n)| (val, n));
            Some(Choice::Many(taken.collect()))
        }
    }
}

/// A printed number of a piece; what has none comes last.
fn field_of(cx: &ScriptContext, val: Val, field: &str) -> i32 {
    let Val::Piece(piece) = val else { return i32::MAX };
    let play = cx.play.borrow();
    let col = cx.world.symbols.get(field).and_then(|name| cx.world.piece_fields.column(name));
    match col.map(|col| cx.world.piece_field(&play.state, piece, col)) {
        Some(cell) if cell != NIL => cell,
        _ => i32::MAX,
    }
}

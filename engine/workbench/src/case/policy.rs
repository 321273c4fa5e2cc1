//! Policies: how prompts are answered where nobody is there to do it.

use sandtable_kernel::selection;
use sandtable_kernel::world::NIL;
use sandtable_script::{Choice, Decision, Offered, Opt, ScriptContext, Val};
use sandtable_session::{RandomPlayer, Session, Status, names};

/// Answers after which a run is given up.
const MAX_ANSWERS: usize = 100_000;

/// How a prompt is answered where nobody is there to do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Any legal answer, each option equally likely.
    Random,
    /// The first option; of a selection no more than must be.
    First,
    /// The option that declines, such as `done`, where there is one, else the first.
    Decline,
    /// The pieces with the least of a field first.
    Least(String),
    /// The pieces with the most of a field first.
    Most(String),
    /// This option where it is offered, else the first.
    Take(String),
}

impl Policy {
    /// Reads `random`, `first`, `decline`, `least FIELD`, `most FIELD`, or an option.
    pub fn read(text: &str) -> Policy {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["random"] => Policy::Random,
            ["first"] => Policy::First,
            ["decline"] => Policy::Decline,
            ["least", field] => Policy::Least(field.to_string()),
            ["most", field] => Policy::Most(field.to_string()),
            _ => Policy::Take(text.trim().to_string()),
        }
    }
}

/// Somebody who answers by policies.
pub(super) struct Answering<'a> {
    /// The policies of single prompts.
    own: &'a [(String, Policy)],
    usual: &'a Policy,
    random: RandomPlayer,
}

impl<'a> Answering<'a> {
    pub fn new(own: &'a [(String, Policy)], usual: &'a Policy, seed: u64) -> Self {
        Self { own, usual, random: RandomPlayer::new(seed) }
    }

    /// Answers until nothing is asked, or until it is enough.
    pub fn play_on(
        &mut self,
        session: &mut Session,
        enough: &mut dyn FnMut(&mut Session) -> bool,
    ) -> Result<(), String> {
        for _ in 0..MAX_ANSWERS {
            if *session.status() != Status::Asking || session.decisions().is_empty() || enough(session) {
                return Ok(());
            }
            let decision = session.decisions()[0].clone();
            let policy = session.look(|host| {
                let prompt = host.cx().text(decision.prompt);
                self.own.iter().find(|(own, _)| *own == prompt).map_or(self.usual, |(_, how)| how)
            });
            let choice = match policy {
                Policy::Random => None,
                policy => session.look(|host| choose(host, &decision, policy)),
            };
            match choice {
                Some(choice) => session.answer(0, &choice),
                None => self.random.play_for(session, 0),
            }
            .map_err(|error| error.to_string())?;
        }
        Err(format!("{MAX_ANSWERS} answers, and still no end"))
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
                Policy::Decline => options.iter().find(|opt| opt.declines()),
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

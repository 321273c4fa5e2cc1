//! Why a space is no option where movers get: the cheapest way there, and what bars it.

use crate::session::{Session, SessionError};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::search::{Barrier, WhyNot};
use sandtable_kernel::state::PieceId;
use sandtable_kernel::world::World;
use sandtable_script::{Decision, Kind, Opt, ScriptContext, Val};

/// A space out of reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The cheapest way there with the limits lifted, both ends included; empty if there is none.
    pub path: Vec<SpaceId>,
    /// The first thing that bars it.
    pub barrier: Barrier,
    /// The same in words, with the way.
    pub text: String,
    /// The paragraphs of the rule that asked how far the mover gets.
    pub rules: Vec<String>,
}

impl Session {
    /// Where that lies which a decision is about: the mover, or the space that it leaves.
    pub fn subject_spaces(&mut self, which: usize) -> Vec<SpaceId> {
        if self.wake().is_err() {
            return Vec::new();
        }
        let Some(decision) = self.decisions().get(which).cloned() else { return Vec::new() };
        self.look(|host| {
            let play = host.cx().play.borrow();
            let space = |(_, val): (String, Val)| match val {
                Val::Space(space) => Some(SpaceId(space)),
                Val::Piece(piece) => play.state.space_of(PieceId(piece)),
                _ => None,
            };
            host.subjects(&decision).into_iter().filter_map(space).collect()
        })
    }

    /// Why a space is not even listed by a decision whose options came from a search; nothing if no search says.
    pub fn out_of_reach(&mut self, which: usize, opt: Opt) -> Result<Option<Unreached>, SessionError> {
        let Val::Space(to) = opt.val else { return Ok(None) };
        self.wake()?;
        let (Some(decision), starts) = (self.decisions().get(which).cloned(), self.subject_spaces(which))
        else {
            return Ok(None);
        };
        let game = self.game.clone();
        // The searches are made again: a fork runs the step under way up to this decision.
        let (fork, searches) = game.host.searched(|| self.fork());
        let mut fork = fork?;
        let world = &game.definition.world;
        let near = searches.iter().rev().filter(|search| starts.contains(&search.from()));
        let why = near.filter_map(|search| search.why_not(world, SpaceId(to))).next();
        Ok(why.map(|why| {
            let text = words(world, &why);
            let rules = fork.look(|host| rules(host.cx(), &decision, opt));
            Unreached { path: why.path, barrier: why.barrier, text, rules }
        }))
    }
}

/// The paragraphs of the offer that an option belongs to, else of the procedure that asks.
fn rules(cx: &ScriptContext, decision: &Decision, opt: Opt) -> Vec<String> {
    let registry = cx.registry.borrow();
    let play = cx.play.borrow();
    let handler = |number: &u32| registry.handlers.get(*number as usize);
    let offers = if decision.menu { registry.of(Kind::Offer, decision.prompt) } else { &[] };
    let offer = offers.iter().filter_map(handler).find(|handler| handler.sym == opt.tag);
    let asking = || play.chain.iter().rev().filter_map(handler).find(|handler| !handler.rules.is_empty());
    offer.or_else(asking).map_or_else(Vec::new, |handler| handler.rules.clone())
}

fn words(world: &World, why: &WhyNot) -> String {
    let name = |space: SpaceId| world.space_name(space).to_string();
    let way = match why.path.as_slice() {
        [] => String::new(),
        path => format!(" (the way is {})", path.iter().map(|at| name(*at)).collect::<Vec<_>>().join(" ")),
    };
    let bar = match why.barrier {
        Barrier::Blocked { at } => format!("{} cannot be entered", name(at)),
        Barrier::Stop { at } => format!("a mover has to stop in {}", name(at)),
        Barrier::FirstStepOnly { at } => format!("{} can be entered by a first step only", name(at)),
        Barrier::Prohibited { from, to, .. } => format!("nothing goes from {} to {}", name(from), name(to)),
        Barrier::Between { from, to } => format!("nothing goes directly from {} to {}", name(from), name(to)),
        Barrier::TooExpensive { need, have } => format!("it costs {need} points, and there are {have}"),
        Barrier::TooManySteps { need, have } => format!("it takes {need} steps, and {have} are allowed"),
        Barrier::NoEnd { at } => format!("no move may end in {}", name(at)),
        Barrier::Start => "the mover is there already".into(),
        Barrier::NotConnected => "no way leads there".into(),
    };
    format!("{bar}{way}")
}

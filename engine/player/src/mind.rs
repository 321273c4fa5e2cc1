//! What players share: valuing positions, and playing on from an answer that is tried.

use crate::Stop;
use crate::lot::Lot;
use crate::options;
use sandtable_kernel::outlook::{Evaluator, What};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{SideId, World};
use sandtable_script::{Choice, Decision, Offered, Val};
use sandtable_session::view::Viewer;
use sandtable_session::{Session, SessionError, Status, Thought, Turn, any_choice};
use std::sync::Arc;

/// What a game that is won is worth; less than what all else could come to, so that a slim chance does not outweigh it.
pub(crate) const WIN: i64 = 30_000;
/// The most that a position can be worth in which the game is not over.
const MOST: i64 = WIN * 2 / 3;
/// Answers within a step after which a trial is valued as it stands.
const QUIET: u32 = 25;
/// Own decisions that a trial chooses well rather than by lot, within the step.
const PLANNED: usize = 2;

/// What a player knows of a game, from one choice to the next.
#[derive(Default)]
pub(crate) struct Mind {
    known: Option<(Arc<World>, Evaluator, Vec<Sym>)>,
}

/// A choice being thought about.
pub(crate) struct Thinking<'t, 's> {
    pub thought: &'t mut Thought<'s>,
    pub lot: Lot,
    pub failures: u64,
    pub failure: Option<String>,
    world: Arc<World>,
    evaluator: &'t mut Evaluator,
    queries: &'t [Sym],
    team: u8,
    which: usize,
    hides: bool,
    /// The turn in which the decision is owed.
    turn: Turn,
    stop: &'t Stop,
}

/// A choice in a plan: the one to make if such a decision comes.
pub(crate) struct Planned {
    side: SideId,
    prompt: Sym,
    choice: Choice,
}

impl Mind {
    /// Thinks about decision number `which`.
    pub fn think<'t, 's>(
        &'t mut self,
        thought: &'t mut Thought<'s>,
        which: usize,
        hides: bool,
        lot: Lot,
        stop: &'t Stop,
    ) -> Thinking<'t, 's> {
        let world = thought.session().game().definition.world.clone();
        let known = self.known.take().filter(|(known, ..)| Arc::ptr_eq(known, &world));
        let (_, evaluator, queries) = self.known.insert(known.unwrap_or_else(|| {
            let evaluator = Evaluator::new(&world);
            let query = |what: &What| if let What::Query(name) = what { Some(*name) } else { None };
            let queries = evaluator.terms().filter_map(|term| query(&term.what)).collect();
            (world.clone(), evaluator, queries)
        }));
        let team = evaluator.team(thought.decision().side);
        let turn = thought.session().turn();
        Thinking {
            thought,
            lot,
            failures: 0,
            failure: None,
            world,
            evaluator,
            queries,
            team,
            which,
            hides,
            turn,
            stop,
        }
    }
}

/// Whether something is hidden from the side that owes a decision.
pub(crate) fn hides(session: &Session, decision: &Decision) -> bool {
    session.hides(Viewer::Side(decision.side))
        || session.decisions().iter().any(|decision| decision.branch > 0)
}

impl Thinking<'_, '_> {
    pub fn stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Answers tried so far.
    pub fn tried(&self) -> u64 {
        self.thought.tried()
    }

    /// Imagines a world, if anything is hidden. False if none could be.
    pub fn deal(&mut self, number: u64) -> bool {
        if !self.hides {
            return true;
        }
        (0..4).any(|attempt| {
            let mut lot = self.lot.stream(1 + number * 4 + attempt);
            self.thought.deal(&mut |n| lot.below(n))
        })
    }

    /// Answers to the decision that are worth comparing.
    pub fn first_options(&mut self, most: usize) -> Result<Vec<Choice>, SessionError> {
        self.thought.rest()?;
        Ok(options::first(self.thought.session_mut(), self.which, &mut self.lot, most))
    }

    /// Answers that are little different from one.
    pub fn neighbours(&mut self, choice: &Choice, known: &[Choice], most: usize) -> Vec<Choice> {
        if self.thought.rest().is_err() {
            return Vec::new();
        }
        let session = self.thought.session_mut();
        options::neighbours(session, self.which, choice, known, &mut self.lot, most)
    }

    /// What the position that the trial has come to is worth to the team.
    pub fn value(&mut self) -> i64 {
        let answers = self.asked();
        let session = self.thought.session();
        if let Status::Ended(ending) = session.status() {
            return match ending.winner {
                Some(winner) if self.evaluator.team(winner) == self.team => WIN,
                Some(_) => -WIN,
                None => 0,
            };
        }
        let state = &session.play().state;
        let value = self
            .evaluator
            .value(&self.world, state, self.team, &mut |name, side| found(&answers, name, side));
        value.clamp(-MOST, MOST)
    }

    /// The same term by term, with what the terms are called.
    pub fn shares(&mut self) -> Vec<(String, i64)> {
        let answers = self.asked();
        let state = &self.thought.session().play().state;
        let values = self
            .evaluator
            .values(&self.world, state, self.team, &mut |name, side| found(&answers, name, side));
        self.evaluator.terms().map(|term| term.text.clone()).zip(values).collect()
    }

    /// What the queries among the terms say.
    fn asked(&mut self) -> Vec<(Sym, SideId, i32)> {
        if self.queries.is_empty() || matches!(self.thought.session().status(), Status::Ended(_)) {
            return Vec::new();
        }
        let (world, queries) = (&self.world, self.queries);
        self.thought.session_mut().look(|host| {
            let sides = (0u8..).zip(&world.sides).map(|(seat, side)| (SideId(seat), side.0));
            let ask = |(name, (seat, side)): (Sym, (SideId, Sym))| {
                let answer = host.answer(world.symbols.text(name), &[Val::Sym(side)]);
                let number = match answer {
                    Ok(Val::Int(n)) => n,
                    Ok(Val::Bool(holds)) => i32::from(holds),
                    _ => 0,
                };
                (name, seat, number)
            };
            let all = queries.iter().flat_map(|&name| sides.clone().map(move |side| (name, side)));
            all.map(ask).collect()
        })
    }

    /// Notes a trial that failed; nothing comes of it.
    fn noted<T>(&mut self, result: Result<T, SessionError>) -> Option<T> {
        if let Err(error) = &result {
            self.failures += 1;
            self.failure.get_or_insert_with(|| error.to_string());
        }
        result.ok()
    }

    /// Answers by lot.
    fn any(&mut self) -> Option<()> {
        let count = self.thought.session().decisions().len();
        let which = if count > 1 { self.lot.below(count as u32) as usize } else { 0 };
        let lot = &mut self.lot;
        let choice = any_choice(self.thought.session_mut(), which, &mut |n| lot.below(n));
        let choice = self.noted(choice)?;
        let answered = self.thought.answer(which, &choice);
        self.noted(answered).map(|_| ())
    }

    fn asking(&self) -> bool {
        self.thought.session().status() == &Status::Asking
    }

    /// Plays to the end of the step, as planned where the plan fits, else by lot.
    fn quiet(&mut self, plan: &[Planned]) -> Option<()> {
        for _ in 0..QUIET {
            if !self.asking() || !self.thought.in_step() {
                break;
            }
            self.on(plan)?;
        }
        Some(())
    }

    /// Gives one answer, as planned or by lot.
    fn on(&mut self, plan: &[Planned]) -> Option<()> {
        let decision = self.thought.session().decisions().first()?;
        let fits = |planned: &&Planned| {
            planned.side == decision.side
                && planned.prompt == decision.prompt
                && match (&decision.offered, &planned.choice) {
                    (Offered::List(options), Choice::One(opt)) => options.contains(opt),
                    _ => false,
                }
        };
        let Some(choice) = plan.iter().find(fits).map(|planned| planned.choice.clone()) else {
            return self.any();
        };
        let answered = self.thought.answer(0, &choice);
        self.noted(answered).map(|_| ())
    }

    /// Tries an answer to the end of the step. What the side itself decides later in the step is chosen well, under other dice than
    /// those that count; the plan that this gave is left in `plan`.
    pub fn settle(&mut self, choice: &Choice, width: usize, plan: &mut Vec<Planned>) -> Option<i64> {
        let seed = self.lot.seed();
        let tried = self.thought.trial(seed, std::slice::from_ref(choice));
        self.noted(tried)?;
        plan.clear();
        if width > 1 {
            self.look_on(seed, width, plan)?;
        }
        if !plan.is_empty() {
            let fresh = self.lot.seed();
            let tried = self.thought.trial(fresh, std::slice::from_ref(choice));
            self.noted(tried)?;
        }
        self.quiet(plan)?;
        Some(self.value())
    }

    /// Finds good answers to the own decisions that follow in the step.
    fn look_on(&mut self, seed: u64, width: usize, plan: &mut Vec<Planned>) -> Option<()> {
        for _ in 0..PLANNED {
            // What others decide on the way comes by lot.
            for _ in 0..QUIET {
                let owner = self.thought.session().decisions().first().map(|decision| decision.side);
                if !self.asking()
                    || !self.thought.in_step()
                    || owner.map(|side| self.evaluator.team(side)) == Some(self.team)
                {
                    break;
                }
                self.any()?;
            }
            let session = self.thought.session();
            let Some(decision) = session.decisions().first().filter(|_| session.decisions().len() == 1)
            else {
                return Some(());
            };
            if !self.thought.in_step() || self.evaluator.team(decision.side) != self.team {
                return Some(());
            }
            let (side, prompt) = (decision.side, decision.prompt);
            let path = self.thought.path();
            let options = options::first(self.thought.session_mut(), 0, &mut self.lot, width);
            let mut best: Option<(i64, Choice)> = None;
            for option in options {
                let whole: Vec<Choice> = path.iter().chain([&option]).cloned().collect();
                let tried = self.thought.trial(seed, &whole);
                if self.noted(tried).is_none() || self.quiet(&[]).is_none() {
                    continue;
                }
                let value = self.value();
                if best.as_ref().is_none_or(|(most, _)| value > *most) {
                    best = Some((value, option));
                }
            }
            let (_, choice) = best?;
            let whole: Vec<Choice> = path.into_iter().chain([choice.clone()]).collect();
            let tried = self.thought.trial(seed, &whole);
            self.noted(tried)?;
            plan.push(Planned { side, prompt, choice });
        }
        Some(())
    }

    /// Tries an answer and plays on by lot through so many turns, the one under way being the first.
    pub fn play_out(
        &mut self,
        choice: &Choice,
        plan: &[Planned],
        seed: u64,
        turns: u32,
        most: u32,
    ) -> Option<i64> {
        let mut turn = self.turn.clone();
        let tried = self.thought.trial(seed, std::slice::from_ref(choice));
        self.noted(tried)?;
        let mut passed = 0;
        for _ in 0..most {
            if !self.asking() {
                break;
            }
            let now = self.thought.session().turn();
            if now != turn {
                passed += 1;
                turn = now;
                if passed >= turns {
                    break;
                }
            }
            if self.thought.in_step() { self.on(plan)? } else { self.any()? }
        }
        Some(self.value())
    }
}

fn found(answers: &[(Sym, SideId, i32)], name: Sym, side: SideId) -> i32 {
    answers.iter().find(|answer| answer.0 == name && answer.1 == side).map_or(0, |answer| answer.2)
}

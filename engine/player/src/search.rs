//! The searching player: a quick look at all answers, then play through the turn and the reply from those that look best.

use crate::lot::Lot;
use crate::mind::{self, Mind, Planned, Thinking, WIN};
use crate::why::{TermShare, Why, winning};
use crate::{Chosen, Player, Stop};
use sandtable_script::{Choice, Offered};
use sandtable_session::{Session, SessionError, any_choice};

/// How a player thinks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Answers that may be tried for one choice.
    budget: u64,
    /// Answers compared at first.
    options: usize,
    /// How often each is looked at.
    looks: u32,
    /// Options that are looked at where the side decides again within the step.
    width: usize,
    /// Those that play on from; none for a player that does not.
    keep: usize,
    /// Turns that play goes on for, and answers at most.
    turns: u32,
    depth: u32,
}

impl Plan {
    pub fn greedy(samples: u32) -> Plan {
        Plan { budget: u64::MAX, options: 60, looks: samples, width: 1, keep: 0, turns: 0, depth: 0 }
    }

    pub fn standard(budget: u32) -> Plan {
        let budget = u64::from(budget);
        Plan { budget, options: 60, looks: 4, width: 5, keep: 8, turns: 2, depth: 60 }
    }

    pub fn strong(budget: u32) -> Plan {
        let budget = u64::from(budget);
        Plan { budget, options: 200, looks: 8, width: 10, keep: 12, turns: 2, depth: 120 }
    }
}

/// A player that searches.
pub(crate) struct Searcher {
    seed: u64,
    plan: Plan,
    mind: Mind,
    explaining: bool,
}

/// An answer that is compared with others.
struct Candidate {
    choice: Choice,
    /// Sum and number of looks to the end of the step.
    looks: (i64, i64),
    /// Sum and number of plays through the turn.
    plays: (i64, i64),
    plan: Vec<Planned>,
    /// Decides between equals, so that not every game is the same.
    whim: i64,
}

/// Values are compared in these parts, so that a mean of several keeps its fraction.
const PARTS: i64 = 16;

impl Candidate {
    fn value(&self) -> i64 {
        let mean = |(sum, n): (i64, i64)| if n == 0 { None } else { Some(sum * PARTS / n) };
        let value = match (mean(self.looks), mean(self.plays)) {
            (Some(look), Some(play)) => i64::midpoint(look, play),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => i64::MIN / 2,
        };
        value + self.whim
    }
}

impl Searcher {
    pub fn new(seed: u64, plan: Plan) -> Searcher {
        Searcher { seed, plan, mind: Mind::default(), explaining: false }
    }
}

impl Player for Searcher {
    fn explain(&mut self, wanted: bool) {
        self.explaining = wanted;
    }

    fn choose(&mut self, session: &mut Session, which: usize, stop: &Stop) -> Result<Chosen, SessionError> {
        session.wake()?;
        let Some(decision) = session.decisions().get(which).cloned() else { return Err(SessionError::Over) };
        if let Offered::List(options) = &decision.offered
            && let [only] = options.as_slice()
        {
            return Ok(Chosen { choice: Choice::One(*only), why: Why { options: 1, ..Why::default() } });
        }
        let mut lot = Lot::new(self.seed, decision.side.0, session);
        let hides = mind::hides(session, &decision);
        let plan = self.plan;
        let explaining = self.explaining;
        let found = {
            let Some(mut thought) = session.think(which) else { return Err(SessionError::Over) };
            let mut thinking = self.mind.think(&mut thought, which, hides, lot.stream(0), stop);
            search(&mut thinking, &plan, explaining)?
        };
        match found {
            Some(chosen) => Ok(chosen),
            None => {
                let choice = any_choice(session, which, &mut |n| lot.below(n))?;
                Ok(Chosen { choice, why: Why { blind: true, ..Why::default() } })
            }
        }
    }
}

/// Finds an answer; nothing if no world can be imagined, or no answer tried.
fn search(
    thinking: &mut Thinking<'_, '_>,
    plan: &Plan,
    explaining: bool,
) -> Result<Option<Chosen>, SessionError> {
    let mut deals = 0;
    if !thinking.deal(deals) {
        return Ok(None);
    }
    let most = usize::try_from(plan.budget / 3).unwrap_or(usize::MAX).clamp(4, plan.options);
    let options = thinking.first_options(most)?;
    let mut candidates: Vec<Candidate> = Vec::new();
    let count = options.len();
    for choice in options {
        add(thinking, &mut candidates, choice);
    }
    look(thinking, plan, &mut candidates, usize::MAX);
    climb(thinking, plan, &mut candidates);
    // Those that look best are looked at again, fewer each time, in another world each time.
    let mut wide = 2 * plan.keep.max(8);
    for _ in 1..plan.looks {
        if over(thinking, plan, 2) {
            break;
        }
        deals += 1;
        // A world that cannot be imagined leaves the one before.
        thinking.deal(deals);
        sort(&mut candidates);
        look(thinking, plan, &mut candidates, wide);
        wide = (wide / 2).max(plan.keep.max(4));
    }
    sort(&mut candidates);
    candidates.retain(|candidate| candidate.looks.1 > 0);
    play_on(thinking, plan, &mut candidates, &mut deals);
    let (trials, failures) = (thinking.tried(), thinking.failures);
    let Some(best) = candidates.first() else { return Ok(None) };
    let next = candidates.get(1);
    let value = best.value() / PARTS;
    let terms = match next.filter(|_| explaining) {
        Some(next) => shares(thinking, best, next),
        None => Vec::new(),
    };
    let why = Why {
        trials,
        failures,
        failure: thinking.failure.take(),
        options: count,
        value,
        next: next.map(|next| (next.choice.clone(), next.value() / PARTS)),
        winning: winning(value, WIN / 10),
        terms,
        blind: false,
    };
    Ok(Some(Chosen { choice: best.choice.clone(), why }))
}

fn add(thinking: &mut Thinking<'_, '_>, candidates: &mut Vec<Candidate>, choice: Choice) {
    let whim = i64::from(thinking.lot.below(PARTS as u32));
    candidates.push(Candidate { choice, looks: (0, 0), plays: (0, 0), plan: Vec::new(), whim });
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.value()));
}

/// Whether one part in so many of the budget is used up, or the player was asked to answer.
fn over(thinking: &Thinking<'_, '_>, plan: &Plan, part: u64) -> bool {
    thinking.stopped() || thinking.tried() >= plan.budget / part
}

/// Looks at the first of the candidates once more, to the end of the step.
fn look(thinking: &mut Thinking<'_, '_>, plan: &Plan, candidates: &mut [Candidate], wide: usize) {
    for candidate in candidates.iter_mut().take(wide) {
        if candidate.looks.1 > 0 && over(thinking, plan, 2) {
            return;
        }
        // With little left, decisions further on come by lot.
        let width = if over(thinking, plan, 3) { 1 } else { plan.width };
        if let Some(value) = thinking.settle(&candidate.choice, width, &mut candidate.plan) {
            candidate.looks.0 += value;
            candidate.looks.1 += 1;
        }
        if thinking.stopped() {
            return;
        }
    }
}

/// Goes from the best selection to better ones that are little different, as long as there are any.
fn climb(thinking: &mut Thinking<'_, '_>, plan: &Plan, candidates: &mut Vec<Candidate>) {
    const STEPS: u32 = 6;
    const EACH: usize = 12;
    for _ in 0..STEPS {
        sort(candidates);
        let Some(best) = candidates.first().filter(|best| matches!(best.choice, Choice::Many(_))) else {
            return;
        };
        if over(thinking, plan, 2) {
            return;
        }
        let (choice, value) = (best.choice.clone(), best.value());
        let known: Vec<Choice> = candidates.iter().map(|candidate| candidate.choice.clone()).collect();
        let more = thinking.neighbours(&choice, &known, EACH);
        let from = candidates.len();
        for choice in more {
            add(thinking, candidates, choice);
        }
        look(thinking, plan, &mut candidates[from..], EACH);
        if candidates[from..].iter().all(|candidate| candidate.value() <= value) {
            return;
        }
    }
}

/// Plays on from those that look best, through the turn and the reply: half of them drop out after each round.
fn play_on(thinking: &mut Thinking<'_, '_>, plan: &Plan, candidates: &mut [Candidate], deals: &mut u64) {
    let mut left = candidates.len().min(plan.keep);
    if left < 2 || clear(candidates) {
        return;
    }
    let rounds = u64::from(left.next_power_of_two().trailing_zeros()).max(1);
    let (start, spare) = (thinking.tried(), plan.budget.saturating_sub(thinking.tried()));
    for round in 1..=rounds {
        let until = start + spare * round / rounds;
        while thinking.tried() < until && !thinking.stopped() {
            *deals += 1;
            thinking.deal(*deals);
            // The same dice for all of them: luck then tells nothing apart.
            let seed = thinking.lot.seed();
            for candidate in candidates.iter_mut().take(left) {
                let played =
                    thinking.play_out(&candidate.choice, &candidate.plan, seed, plan.turns, plan.depth);
                if let Some(value) = played {
                    candidate.plays.0 += value;
                    candidate.plays.1 += 1;
                }
            }
        }
        sort(&mut candidates[..left]);
        left = left.div_ceil(2);
        if left < 2 || thinking.stopped() {
            return;
        }
    }
}

/// Whether the first is so much better that nothing can change it.
fn clear(candidates: &[Candidate]) -> bool {
    match candidates {
        [first, second, ..] => first.value() - second.value() > WIN / 4 * PARTS,
        _ => true,
    }
}

/// In which terms the best differs from the next best.
fn shares(thinking: &mut Thinking<'_, '_>, best: &Candidate, next: &Candidate) -> Vec<TermShare> {
    let mut after = |candidate: &Candidate| {
        let mut plan = Vec::new();
        thinking.settle(&candidate.choice, 1, &mut plan).map(|_| thinking.shares())
    };
    let (Some(chosen), Some(other)) = (after(best), after(next)) else { return Vec::new() };
    let pairs = chosen.into_iter().zip(other);
    let mut terms: Vec<TermShare> =
        pairs.map(|((text, chosen), (_, next))| TermShare { text, chosen, next }).collect();
    terms.retain(|term| term.chosen != term.next);
    terms.sort_by_key(|term| std::cmp::Reverse((term.chosen - term.next).abs()));
    terms
}

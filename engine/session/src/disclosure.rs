//! What a viewer is told at a moment, line by line: everything that must not depend on what he cannot see.

use crate::foresight::Foreseen;
use crate::session::{Session, SessionError};
use crate::view::{self, Viewer};
use crate::{changes, names};
use sandtable_kernel::state::{PieceId, TableId};
use sandtable_script::{Choice, Decision, Offered, Opt};
use std::ops::Range;

/// Refused options whose reasons are looked at; each costs as much as a decision.
const REFUSED: usize = 40;
/// Hidden pieces, and spaces, that are asked about although they are not offered.
const PROBES: usize = 4;
/// A name that nothing has.
const NONSENSE: &str = "no-such-name";

impl Session {
    /// Everything that a viewer is told now: his picture, what has happened in the present step, what he is asked, what he
    /// may answer, what he may not and why, how wrong answers and questions are refused, and what he is shown to follow
    /// from an answer.
    pub fn disclosure(&mut self, viewer: Viewer) -> Result<Vec<String>, SessionError> {
        let step = self.changes_before_step()..self.play.changes.len();
        let mut lines = self.look(|host| {
            let cx = host.cx();
            vec![serde_json::to_string(&view::view(cx, viewer)).unwrap_or_default()]
        });
        lines.extend(self.happened(viewer, step));
        for which in 0..self.decisions().len() {
            let decision = self.decisions()[which].clone();
            if viewer == Viewer::Side(decision.side) {
                lines.extend(self.asked(which, &decision)?);
                lines.extend(self.probed(which, &decision));
                lines.extend(self.shown(which, &decision));
            }
        }
        Ok(lines)
    }

    /// What a viewer reads of some changes.
    fn happened(&mut self, viewer: Viewer, of: Range<usize>) -> Vec<String> {
        self.look(|host| {
            let cx = host.cx();
            let changes: Vec<_> = cx.play.borrow().changes.get(of).unwrap_or_default().to_vec();
            changes.iter().filter_map(|change| view::seen_change(cx, viewer, change)).collect()
        })
    }

    /// What a decision tells the side that owes it.
    fn asked(&mut self, which: usize, decision: &Decision) -> Result<Vec<String>, SessionError> {
        let mut lines = self.look(|host| {
            let cx = host.cx();
            let mut lines = vec![changes::question(host, decision)];
            match &decision.offered {
                Offered::List(options) => {
                    lines.extend(options.iter().map(|&opt| names::exact_option(cx, opt)));
                }
                Offered::Selection { values, items, bounds, .. } => {
                    lines.extend(values.iter().map(|&val| cx.name(val)));
                    lines.push(format!("{items:?} {bounds:?}"));
                }
            }
            lines
        });
        if let Offered::List(options) = &decision.offered {
            let refused = decision.candidates.iter().filter(|opt| !options.contains(opt));
            for &opt in refused.take(REFUSED) {
                let why = self.why_told(which, decision, opt)?;
                lines.push(why);
            }
        }
        Ok(lines)
    }

    /// The reasons against an option, as the side reads them that is asked.
    fn why_told(&mut self, which: usize, decision: &Decision, opt: Opt) -> Result<String, SessionError> {
        let viewer = Viewer::Side(decision.side);
        let reasons = self.why(which, opt)?;
        Ok(self.look(|host| {
            let cx = host.cx();
            let reasons: Vec<String> = reasons
                .iter()
                .map(|reason| view::seen_sentence(cx, viewer, &reason.text, &reason.args))
                .collect();
            format!("not {}: {}", names::exact_option(cx, opt), reasons.join("; "))
        }))
    }

    /// How answers and questions are refused that name what is not offered: pieces that the side cannot see, spaces, and
    /// what does not exist.
    fn probed(&mut self, which: usize, decision: &Decision) -> Vec<String> {
        let viewer = Viewer::Side(decision.side);
        let mut lines = Vec::new();
        for name in self.probes(viewer) {
            // What a client could send is at most this far from what is offered.
            let asked = match decision.candidates.first().filter(|_| decision.menu) {
                Some(opt) => format!("{} {name}", self.look(|host| host.cx().text(opt.tag))),
                None => name,
            };
            let found = self.look(|host| names::find_choice(host.cx(), decision, &asked));
            let answer = match found {
                Ok(choice) => self.check_answer(which, &choice),
                Err(error) => Err(error.into()),
            };
            let opt = self.look(|host| names::meant(host.cx(), decision, &asked));
            let why = self.why_told(which, decision, opt);
            let reach = self.out_of_reach(which, opt).map(|found| found.map(|found| found.text));
            let mut said = |what: &str, text: Result<String, SessionError>| {
                let text = text.unwrap_or_else(|error| self.seen_error(viewer, error).to_string());
                lines.push(format!("{what} {asked}: {text}"));
            };
            said("answer", answer.map(|()| "taken".into()));
            said("why", why);
            said("reach", reach.map(Option::unwrap_or_default));
        }
        let all = match &decision.offered {
            Offered::Selection { values, items, .. } => {
                values.iter().zip(items).map(|(&val, item)| (val, item.most.saturating_add(1))).collect()
            }
            Offered::List(_) => Vec::new(),
        };
        for choice in [Choice::Many(all), Choice::Many(Vec::new())] {
            let checked = self.check_answer(which, &choice);
            lines.extend(checked.err().map(|error| self.seen_error(viewer, error).to_string()));
        }
        lines
    }

    /// Names that a curious player would try: of pieces hidden from him, of spaces, and one that nothing has. Which ones
    /// changes from answer to answer, and depends on nothing hidden.
    pub fn probes(&self, viewer: Viewer) -> Vec<String> {
        let world = &self.game.definition.world;
        let state = &self.play.state;
        let hidden: Vec<PieceId> = (0..state.rows(TableId::PIECE))
            .map(PieceId)
            .filter(|&piece| !view::sees_face(world, state, viewer, piece))
            .collect();
        let some = |count: usize| {
            let from = (self.answers.len() * PROBES).checked_rem(count).unwrap_or(0);
            (0..count.min(PROBES)).map(move |step| (from + step) % count)
        };
        let pieces = some(hidden.len()).map(|at| world.piece_name(state, hidden[at].0));
        let spaces = some(world.spaces.len()).map(|at| world.symbols.text(world.spaces[at].id).to_string());
        pieces.chain(spaces).chain([NONSENSE.to_string()]).collect()
    }

    /// What follows from one of the answers that may be given, as the side is shown it beforehand.
    fn shown(&mut self, which: usize, decision: &Decision) -> Vec<String> {
        let Offered::List(options) = &decision.offered else { return Vec::new() };
        let at = self.answers.len().checked_rem(options.len()).unwrap_or(0);
        let Some(&opt) = options.get(at) else { return Vec::new() };
        let imagined = self.imagined(which);
        let Some(Foreseen { mut after, changes, cut }) =
            imagined.and_then(|imagined| imagined.foresee(which, &Choice::One(opt)))
        else {
            return vec!["foreseen: unknown".into()];
        };
        let lines = after.happened(Viewer::Side(decision.side), changes);
        let lines = lines.into_iter().chain([format!("{cut:?}")]);
        lines.map(|line| format!("foreseen: {line}")).collect()
    }

    /// An error as a viewer may read it. What a failing script says may name what is hidden, so that somebody from whom
    /// something is hidden reads only where it failed.
    pub fn seen_error(&self, viewer: Viewer, error: SessionError) -> SessionError {
        match error {
            SessionError::Script(error) if self.hides(viewer) => SessionError::Script(error.discreet()),
            other => other,
        }
    }

    /// Whether anything is hidden from a viewer now.
    pub fn hides(&self, viewer: Viewer) -> bool {
        viewer != Viewer::Everything && view::hides(&self.game.definition.world, &self.play.state, viewer)
    }
}

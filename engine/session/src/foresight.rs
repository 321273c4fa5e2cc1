//! What a side is shown to follow from an answer before it is given, up to the first roll, reveal or question.

use crate::hidden;
use crate::leak_check::Pace;
use crate::session::Session;
use crate::view::{Viewer, sees_face};
use sandtable_kernel::state::{PieceId, TableId};
use sandtable_script::{Change, Choice};

/// Why a look ahead ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Dice are rolled.
    Roll,
    /// Something comes to light.
    Reveal,
}

/// A game after an answer that was tried.
pub struct Foreseen {
    /// The game, with what the side cannot see put into an order that says nothing.
    pub after: Session,
    /// The changes that the answer makes and that the side may be shown, by number.
    pub changes: std::ops::Range<usize>,
    /// What ends them, if it is no question.
    pub cut: Option<Cut>,
}

impl Session {
    /// The game as the side that owes decision number `which` may imagine it: the step under way is run again with everything
    /// that the side has not seen put into an order that depends on nothing hidden. What is tried there cannot tell anything that
    /// a rule has not told. Nothing if play would have gone another way.
    pub fn imagined(&self, which: usize) -> Option<Session> {
        let viewer = Viewer::Side(self.decisions().get(which)?.side);
        // What others answer at the same time is not to be found out.
        if self.answers.get(self.step_answers()..)?.iter().any(|recorded| recorded.simultaneous) {
            return None;
        }
        self.otherwise(viewer, Pace::Fed, |world, state, unseen| {
            hidden::settle(world, state, viewer, unseen);
            true
        })
    }

    /// Tries an answer to decision number `which` of an imagined game. Nothing if it cannot be given there.
    pub fn foresee(mut self, which: usize, choice: &Choice) -> Option<Foreseen> {
        let viewer = Viewer::Side(self.decisions().get(which)?.side);
        let world = self.game.definition.world.clone();
        let sees = |session: &Session, row| sees_face(&world, &session.play.state, viewer, PieceId(row));
        let seen: Vec<bool> = (0..self.play.state.rows(TableId::PIECE)).map(|row| sees(&self, row)).collect();
        let from = self.play.changes.len();
        self.answer(which, choice).ok()?;
        let comes_to_light = |piece: u32| {
            let known = seen.get(piece as usize).copied().unwrap_or(true);
            !known && sees(&self, piece)
        };
        let changes = &self.play.changes;
        let cut = (from..).zip(changes.iter().skip(from)).find_map(|(number, change)| match change {
            Change::Roll { .. } => Some((number, Cut::Roll)),
            Change::Shuffle(_) | Change::Reveal { .. } => Some((number, Cut::Reveal)),
            Change::Move { piece, .. } if comes_to_light(*piece) => Some((number, Cut::Reveal)),
            _ => None,
        });
        let end = cut.map_or(changes.len(), |(number, _)| number);
        Some(Foreseen { changes: from..end, cut: cut.map(|(_, cut)| cut), after: self })
    }
}

//! Which cards and chits came into play: chosen in an answer, or taken out of a hidden pile into the open by one.

use sandtable_kernel::state::{Place, See};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::{Named, World};
use sandtable_script::{Change, Choice, Val};
use sandtable_session::Session;
use std::collections::{BTreeMap, BTreeSet};

/// The kinds of pieces that are played rather than moved.
const KINDS: &[&str] = &["card", "chit"];

/// What of a game was looked at already.
pub struct Cards {
    answers: usize,
    changes: usize,
    /// Those that were counted when they were chosen, and have not left their pile since.
    chosen: BTreeSet<u32>,
}

impl Cards {
    /// Looks at what happens from now on.
    pub fn new(session: &Session) -> Cards {
        let (answers, changes) = (session.answers().len(), session.play().changes.len());
        Cards { answers, changes, chosen: BTreeSet::new() }
    }

    /// Counts what came into play since the last time, by the id of its row.
    pub fn count(&mut self, session: &Session, counts: &mut BTreeMap<String, u64>) {
        let (world, play) = (&*session.game().definition.world, session.play());
        let row_of =
            |piece: u32| world.component_of(&play.state, piece).filter(|row| played(world, row.kind));
        let mut add = |id: Sym| *counts.entry(world.symbols.text(id).to_string()).or_default() += 1;
        for recorded in session.answers().get(self.answers..).unwrap_or_default() {
            let mut take = |val: Val| match val {
                Val::Piece(piece) => {
                    if let Some(row) = row_of(piece) {
                        add(row.id);
                        self.chosen.insert(piece);
                    }
                }
                Val::Sym(sym) => {
                    if let Some(Named::Component(row)) = world.names.get(&sym)
                        && played(world, world.components[*row as usize].kind)
                    {
                        add(sym);
                    }
                }
                _ => {}
            };
            match &recorded.answer.choice {
                Choice::One(opt) => take(opt.val),
                Choice::Many(chosen) => chosen.iter().for_each(|(val, _)| take(*val)),
            }
        }
        for change in play.changes.get(self.changes..).unwrap_or_default() {
            let Change::Move { piece, from, to } = change else { continue };
            if sees(world, *from) != Some(false) || sees(world, *to) != Some(true) {
                continue;
            }
            if let Some(row) = row_of(*piece)
                && !self.chosen.remove(piece)
            {
                add(row.id);
            }
        }
        (self.answers, self.changes) = (session.answers().len(), play.changes.len());
    }
}

fn played(world: &World, kind: Sym) -> bool {
    KINDS.contains(&world.symbols.text(kind))
}

/// Whether everybody sees what lies in a place; nothing for what is out of the game.
fn sees(world: &World, place: i32) -> Option<bool> {
    match Place::from_cell(place) {
        Place::Space(space) => world.spaces.get(space.0 as usize).map(|space| space.see == See::All),
        Place::Piece(_) => Some(true),
        Place::Nowhere => None,
    }
}

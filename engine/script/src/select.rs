//! Running filters: one test after the other over all candidates, so that what a test reads is found out once.

use crate::context::ScriptContext;
use crate::filter::{Filter, Of, Subject, Test, Want};
use crate::keys::{Key, Own};
use sandtable_kernel::map::SpaceId;
use sandtable_kernel::state::{PieceId, State, TableId, piece_col, space_col};
use sandtable_kernel::symbol::Sym;
use sandtable_kernel::world::NIL;

impl Filter {
    /// Keeps the pieces or spaces that pass. `found` says that they were looked up by the key of the filter.
    pub fn select(&self, cx: &ScriptContext, state: &State, rows: &mut Vec<u32>, found: bool) {
        for test in &self.tests {
            if rows.is_empty() {
                return;
            }
            if !(found && self.by_key(test)) {
                test.run(cx, state, self.of, rows);
            }
        }
    }

    /// What running it over so many pieces or spaces takes, in instructions.
    pub fn work(&self, rows: usize) -> u64 {
        let values = |test: &Test| match &test.want {
            Want::Any(cells) | Want::Holds(cells) => 1 + cells.len() as u64 / 4,
            Want::One(_) | Want::AtLeast(_) | Want::AtMost(_) => 1,
        };
        let each: u64 = 1 + self.tests.iter().map(values).sum::<u64>();
        (rows as u64).saturating_mul(each) / 4
    }

    /// Whether a test is what the key of the filter says.
    fn by_key(&self, test: &Test) -> bool {
        self.of == Of::Pieces
            && !test.not
            && matches!(test.want, Want::One(_))
            && matches!(test.subject, Subject::Key(Key::Own(Own::Side | Own::Kind | Own::Type), _))
    }
}

impl Test {
    fn run(&self, cx: &ScriptContext, state: &State, of: Of, rows: &mut Vec<u32>) {
        let world = &*cx.world;
        match (&self.subject, of) {
            (Subject::Key(Key::Attribute(col), _), Of::Pieces) => {
                self.keep(rows, |row| state.get(TableId::PIECE, row, *col));
            }
            (Subject::Key(Key::Attribute(col), _), Of::Spaces) => {
                self.keep(rows, |row| state.get(TableId::SPACE, row, *col));
            }
            // An absent truth is false.
            (Subject::Key(Key::Field(col), truth), Of::Pieces) => {
                let absent = if *truth { 0 } else { NIL };
                self.keep(rows, |row| or(world.piece_field(state, row, *col), absent));
            }
            (Subject::Key(Key::Field(col), truth), Of::Spaces) => {
                let absent = if *truth { 0 } else { NIL };
                self.keep(rows, |row| or(world.space_fields.get(row, *col), absent));
            }
            (Subject::Key(Key::Own(Own::Side), _), Of::Pieces) => {
                self.keep(rows, |row| state.get(TableId::PIECE, row, piece_col::SIDE));
            }
            (Subject::Key(Key::Own(own), _), of) => self.keep(rows, |row| own_cell(cx, state, of, row, *own)),
            (Subject::OnMap, Of::Pieces) => self.keep(rows, |row| {
                i32::from(state.space_of(PieceId(row)).is_some_and(|space| cx.on_map.contains(space)))
            }),
            (Subject::OnMap, Of::Spaces) => {
                self.keep(rows, |row| i32::from(cx.on_map.contains(SpaceId(row))));
            }
            (Subject::At(set), _) => self.keep(rows, |row| {
                i32::from(state.space_of(PieceId(row)).is_some_and(|space| set.contains(space)))
            }),
            (Subject::Empty, _) => {
                self.keep(rows, |row| {
                    i32::from(state.get(TableId::SPACE, row, space_col::COUNT_PIECES) == 0)
                });
            }
            (Subject::Tag(col), of) => {
                let (Want::Holds(tags), Some(col)) = (&self.want, *col) else {
                    if !self.not {
                        rows.clear();
                    }
                    return;
                };
                rows.retain(|&row| {
                    let list = match of {
                        Of::Pieces => world.piece_fields.list(world.piece_field(state, row, col)),
                        Of::Spaces => world.space_fields.list(world.space_fields.get(row, col)),
                    };
                    tags.iter().all(|tag| list.contains(tag)) != self.not
                });
            }
        }
    }

    /// Keeps the rows whose cell is as wanted.
    #[inline]
    fn keep(&self, rows: &mut Vec<u32>, cell: impl Fn(u32) -> i32) {
        let not = self.not;
        match &self.want {
            Want::One(only) => rows.retain(|&row| (cell(row) == *only) != not),
            Want::Any(cells) => rows.retain(|&row| cells.contains(&cell(row)) != not),
            Want::AtLeast(n) => rows.retain(|&row| {
                let cell = cell(row);
                (cell != NIL && cell >= *n) != not
            }),
            Want::AtMost(n) => rows.retain(|&row| {
                let cell = cell(row);
                (cell != NIL && cell <= *n) != not
            }),
            Want::Holds(_) => rows.retain(|_| not),
        }
    }
}

/// A cell, or what stands for an absent one.
#[inline]
fn or(cell: i32, absent: i32) -> i32 {
    if cell == NIL { absent } else { cell }
}

fn own_cell(cx: &ScriptContext, state: &State, of: Of, row: u32, own: Own) -> i32 {
    if of == Of::Spaces {
        let def = &cx.world.spaces[row as usize];
        return match own {
            Own::Id => def.id.cell(),
            Own::Kind => def.kind.cell(),
            Own::Side => def.side.map_or(0, sandtable_kernel::world::SideId::cell),
            Own::Count => state.get(TableId::SPACE, row, space_col::COUNT_PIECES),
            _ => 0,
        };
    }
    let component = |f: fn(&sandtable_kernel::world::Component) -> Sym| {
        cx.world.component_of(state, row).map_or(0, |component| f(component).cell())
    };
    match own {
        Own::Kind => component(|component| component.kind),
        Own::Type | Own::Id => component(|component| component.id),
        Own::Side => state.get(TableId::PIECE, row, piece_col::SIDE),
        Own::Place => state.get(TableId::PIECE, row, piece_col::PLACE),
        Own::Space => state.space_of(PieceId(row)).map_or(0, |space| space.0 as i32 + 1),
        Own::Level => state.get(TableId::PIECE, row, piece_col::LEVEL),
        Own::Facing => state.get(TableId::PIECE, row, piece_col::FACING) - 1,
        Own::StepsLeft => cx.world.steps_left(state, row),
        Own::Levels => cx.world.component_of(state, row).map_or(0, |component| i32::from(component.levels)),
        _ => 0,
    }
}

//! Rules of sight as a game declares them: the fixed rules, and where ground, obstacles and haze come from.
//!
//! What is printed is folded into arrays once; only sources that change in play are read from the state.

use crate::map::{SightField, SightRules, SpaceId};
use crate::state::{PieceId, State, TableId, piece_col};
use crate::world::{NIL, World};
use std::borrow::Cow;

/// What a source tells of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SightLayer {
    /// The level of the ground; sources add up.
    Ground,
    /// The height of what stands on it; of several the greatest counts.
    Obstacle,
    /// The haze over it; sources add up.
    Haze,
}

/// Where a value that changes in play is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SightRead {
    /// An attribute of the space: a number.
    Number(u16),
    /// An attribute of the space: a word, and what each stands for.
    Word(u16, Vec<(i32, i32)>),
    /// An attribute of the pieces in the space, added up.
    PieceAttribute(u16),
    /// A printed field of the pieces in the space at their present rung, added up.
    PieceField(u16),
}

/// A source of values that change in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SightSource {
    /// What it tells.
    pub layer: SightLayer,
    /// Where it is read.
    pub read: SightRead,
}

/// One set of rules of sight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SightDef {
    /// What blocks.
    pub rules: SightRules,
    /// The printed level of each space.
    pub ground: Vec<i8>,
    /// The printed height of the obstacle in each space.
    pub obstacle: Vec<u8>,
    /// The printed haze in each space.
    pub haze: Vec<u8>,
    /// The height of the wall on each border; empty if the rules have none.
    pub wall: Vec<u8>,
    /// What changes in play.
    pub sources: Vec<SightSource>,
}

/// The values of all spaces at one moment; borrowed where nothing changes in play.
#[derive(Clone, Debug)]
pub struct SightNow<'a> {
    ground: Cow<'a, [i8]>,
    obstacle: Cow<'a, [u8]>,
    haze: Cow<'a, [u8]>,
    wall: Cow<'a, [u8]>,
}

/// Holds a number within the range of a level.
pub fn level(n: i32) -> i8 {
    n.clamp(i8::MIN.into(), i8::MAX.into()) as i8
}

/// Holds a number within the range of a height or of haze.
pub fn height(n: i32) -> u8 {
    n.clamp(0, u8::MAX.into()) as u8
}

impl SightNow<'_> {
    /// Adds what a source tells of a space.
    pub fn add(&mut self, layer: SightLayer, space: SpaceId, n: i32) {
        let at = space.0 as usize;
        match layer {
            _ if n == 0 => {}
            SightLayer::Ground => {
                if let Some(ground) = self.ground.to_mut().get_mut(at) {
                    *ground = level(i32::from(*ground).saturating_add(n));
                }
            }
            SightLayer::Obstacle => {
                if let Some(top) = self.obstacle.to_mut().get_mut(at) {
                    *top = height(n).max(*top);
                }
            }
            SightLayer::Haze => {
                if let Some(haze) = self.haze.to_mut().get_mut(at) {
                    *haze = height(i32::from(*haze).saturating_add(n));
                }
            }
        }
    }

    /// The same with arrays of its own, to be kept.
    pub fn into_owned(self) -> SightNow<'static> {
        SightNow {
            ground: Cow::Owned(self.ground.into_owned()),
            obstacle: Cow::Owned(self.obstacle.into_owned()),
            haze: Cow::Owned(self.haze.into_owned()),
            wall: Cow::Owned(self.wall.into_owned()),
        }
    }

    /// The arrays as questions of sight want them.
    pub fn field(&self) -> SightField<'_> {
        SightField { ground: &self.ground, obstacle: &self.obstacle, haze: &self.haze, wall: &self.wall }
    }
}

impl SightDef {
    /// The columns of the state that `now` reads.
    pub fn reads(&self) -> impl Iterator<Item = (TableId, u16)> + '_ {
        self.sources.iter().flat_map(|source| match source.read {
            SightRead::Number(col) | SightRead::Word(col, _) => [(TableId::SPACE, col); 2],
            SightRead::PieceAttribute(col) => [(TableId::PIECE, col), (TableId::PIECE, piece_col::PLACE)],
            SightRead::PieceField(_) => {
                [(TableId::PIECE, piece_col::LEVEL), (TableId::PIECE, piece_col::PLACE)]
            }
        })
    }

    /// The values of all spaces in a state.
    pub fn now<'a>(&'a self, world: &World, state: &State) -> SightNow<'a> {
        let mut now = SightNow {
            ground: Cow::Borrowed(&self.ground),
            obstacle: Cow::Borrowed(&self.obstacle),
            haze: Cow::Borrowed(&self.haze),
            wall: Cow::Borrowed(&self.wall),
        };
        for source in &self.sources {
            match &source.read {
                SightRead::Number(col) => {
                    for space in world.board.spaces() {
                        now.add(source.layer, space, state.get(TableId::SPACE, space.0, *col));
                    }
                }
                SightRead::Word(col, words) => {
                    for space in world.board.spaces() {
                        let cell = state.get(TableId::SPACE, space.0, *col);
                        if let Some((_, n)) = words.iter().find(|(word, _)| *word == cell) {
                            now.add(source.layer, space, *n);
                        }
                    }
                }
                SightRead::PieceAttribute(col) => {
                    pieces(state, |piece, space| {
                        now.add(source.layer, space, state.get(TableId::PIECE, piece, *col));
                    });
                }
                SightRead::PieceField(col) => pieces(state, |piece, space| {
                    let n = world.piece_field(state, piece, *col);
                    now.add(source.layer, space, if n == NIL { 0 } else { n });
                }),
            }
        }
        now
    }
}

/// Visits every piece that lies in a space.
fn pieces(state: &State, mut visit: impl FnMut(u32, SpaceId)) {
    for piece in 0..state.rows(TableId::PIECE) {
        if let Some(space) = state.space_of(PieceId(piece)) {
            visit(piece, space);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(def: &SightDef) -> SightNow<'_> {
        SightNow {
            ground: Cow::Borrowed(&def.ground),
            obstacle: Cow::Borrowed(&def.obstacle),
            haze: Cow::Borrowed(&def.haze),
            wall: Cow::Borrowed(&def.wall),
        }
    }

    #[test]
    fn levels_and_haze_add_up_and_of_obstacles_the_highest_counts() {
        let def =
            SightDef { ground: vec![1; 2], obstacle: vec![1; 2], haze: vec![1; 2], ..SightDef::default() };
        let mut now = now(&def);
        for layer in [SightLayer::Ground, SightLayer::Obstacle, SightLayer::Haze] {
            now.add(layer, SpaceId(1), 2);
            now.add(layer, SpaceId(9), 2);
        }
        let field = now.field();
        assert_eq!((field.ground, field.obstacle, field.haze), (&[1, 3][..], &[1, 2][..], &[1, 3][..]));
    }

    #[test]
    fn numbers_out_of_range_are_held() {
        assert_eq!((level(1_000), level(-1_000), height(1_000), height(-3)), (127, -128, 255, 0));
    }
}

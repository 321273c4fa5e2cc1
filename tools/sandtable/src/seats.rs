//! Who plays which side: `[SIDE=]LEVEL` and `SIDE[=LEVEL]` of the command line.

use sandtable_data::suggest;
use sandtable_kernel::symbol::mix;
use sandtable_kernel::world::{SideId, World};
use sandtable_player::{Level, Player};

/// The level of the computer that plays each side, by seat; none where a person does, or the command's own way.
#[derive(Clone, Debug, Default)]
pub struct Seats(pub Vec<Option<Level>>);

/// The level where none is named.
const USUAL: &str = "standard";

impl Seats {
    /// `[SIDE=]LEVEL`: without a side, all sides.
    pub fn levels(world: &World, given: &[String]) -> Result<Seats, String> {
        let mut seats = vec![None; world.sides.len()];
        for text in given {
            let (side, level) = match text.split_once('=') {
                Some((side, level)) => (Some(seat(world, side, "--player")?), level),
                None => (None, text.as_str()),
            };
            let level = level.parse().map_err(|error| format!("--player {text}: {error}"))?;
            match side {
                Some(side) => seats[usize::from(side.0)] = Some(level),
                None => seats.fill(Some(level)),
            }
        }
        Ok(Seats(seats))
    }

    /// `SIDE[=LEVEL]`.
    pub fn sides(world: &World, given: &[String]) -> Result<Seats, String> {
        let mut seats = vec![None; world.sides.len()];
        for text in given {
            let (side, level) = text.split_once('=').unwrap_or((text, USUAL));
            let level = level.parse().map_err(|error| format!("--computer {text}: {error}"))?;
            seats[usize::from(seat(world, side, "--computer")?.0)] = Some(level);
        }
        Ok(Seats(seats))
    }

    /// The players, by seat.
    pub fn players(&self, seed: u64) -> Vec<Option<Box<dyn Player>>> {
        let player = |(seat, level): (u64, &Option<Level>)| level.map(|level| level.player(mix(seed, seat)));
        (0u64..).zip(&self.0).map(player).collect()
    }
}

fn seat(world: &World, name: &str, flag: &str) -> Result<SideId, String> {
    world.find_side(name).ok_or_else(|| {
        let all: Vec<&str> = (0..world.sides.len() as u8).map(|seat| world.side_name(SideId(seat))).collect();
        let near = suggest::did_you_mean(name, all.iter().copied())
            .map_or_else(String::new, |near| format!("; {near}"));
        format!("{flag} {name}: the sides are {}{near}", all.join(", "))
    })
}

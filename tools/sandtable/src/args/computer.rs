//! Arguments of the commands for computer players.

use super::{GameArgs, WithArgs, cores, jobs};
use clap::Args;
use sandtable_player::Level;
use std::path::PathBuf;

/// `sandtable match`.
#[derive(Args, Debug)]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// A player: random, greedy, standard or strong, with a number of trials after a colon if wanted; at least two
    #[arg(long, value_name = "LEVEL", required = true)]
    pub player: Vec<String>,
    /// How many games each two play; each seed is played twice, with the sides exchanged
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many run at once
    #[arg(long, default_value_t = cores(), value_parser = jobs)]
    pub jobs: usize,
    /// Answers after which a game is given up as drawn
    #[arg(long, default_value_t = 20_000)]
    pub limit: usize,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

impl MatchArgs {
    /// The players.
    pub fn players(&self) -> Result<Vec<Level>, String> {
        let level = |text: &String| text.parse().map_err(|error| format!("--player {text}: {error}"));
        let levels = self.player.iter().map(level).collect::<Result<Vec<Level>, String>>()?;
        if levels.len() < 2 {
            return Err("a match needs two players: give --player twice".into());
        }
        Ok(levels)
    }
}

/// `sandtable advise`.
#[derive(Args, Debug)]
pub struct AdviseArgs {
    /// The record
    pub file: PathBuf,
    /// After how many choices; at its end if not given
    #[arg(long, visible_alias = "to", value_name = "N")]
    pub at: Option<usize>,
    /// How well the adviser plays
    #[arg(long, value_name = "LEVEL", default_value = "standard")]
    pub player: String,
    /// Seed of what the adviser draws by lot
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub with: WithArgs,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

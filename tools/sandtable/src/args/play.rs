//! Arguments of the commands for those who play.

use super::WithArgs;
use clap::Args;
use sandtable_table::names::PublicUrl;
use std::path::PathBuf;

/// `sandtable list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// Id of a game; all games if none is named
    pub game: Option<String>,
    #[command(flatten)]
    pub with: WithArgs,
}

/// `sandtable play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// Id of the game; without one the table shows the list of games
    pub game: Option<String>,
    /// Id of the scenario; the first if none is named
    pub scenario: Option<String>,
    #[command(flatten)]
    pub with: WithArgs,
    /// Plays on this terminal; lines may also come from a file
    #[arg(long)]
    pub terminal: bool,
    /// Seed of the dice; a new one each time if none is given
    #[arg(long)]
    pub seed: Option<u64>,
    /// Goes on with a saved game
    #[arg(long, value_name = "FILE")]
    pub load: Option<PathBuf>,
    /// Plays the game again under its rules whenever a file of it changes
    #[arg(long)]
    pub watch: bool,
    /// Where the table is served; only this computer can reach it unless another address is given
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:0")]
    pub addr: String,
    /// The address under which others reach the table, such as https://table.example.org; links begin with it
    #[arg(long, value_name = "URL")]
    pub public_url: Option<PublicUrl>,
    /// Prints the links and opens no browser
    #[arg(long)]
    pub no_browser: bool,
    /// The file in which games are kept; one in the data folder of the user if none is named
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// A side that the random player plays; may be given several times
    #[arg(long, value_name = "SIDE")]
    pub random: Vec<String>,
    /// With --terminal: a side that the computer plays, and how well (random, greedy, standard, strong); may be given several times
    #[arg(long, value_name = "SIDE[=LEVEL]", requires = "terminal")]
    pub computer: Vec<String>,
    /// With --computer: says why the computer chose as it did
    #[arg(long, requires = "computer")]
    pub reasons: bool,
    /// Threads that play tables under the same rules
    #[arg(long, default_value_t = 2)]
    pub threads: usize,
    /// Seconds that the rules may take over one answer at a table in the browser
    #[arg(long, value_name = "SECONDS", default_value_t = sandtable_table::TIME.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub time_limit: u64,
    /// Serves the page from a folder, for work on it
    #[arg(long, value_name = "DIR", hide = true)]
    pub page: Option<PathBuf>,
}

/// `sandtable replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The record
    pub file: PathBuf,
    #[command(flatten)]
    pub with: WithArgs,
    /// Only so many choices
    #[arg(long, visible_alias = "at", value_name = "N")]
    pub to: Option<usize>,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sandtable explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The record
    pub file: PathBuf,
    /// The option, as the terminal names it; without one, what is asked and what can be answered. What cannot be chosen ends with 1
    #[arg(value_name = "OPTION")]
    pub named: Vec<String>,
    /// Shows how the numbers came about that were worked out since the last choice
    #[arg(long)]
    pub numbers: bool,
    /// After how many choices
    #[arg(long, visible_alias = "to", value_name = "N")]
    pub at: usize,
    #[command(flatten)]
    pub with: WithArgs,
}

/// `sandtable add`.
#[derive(Args, Debug)]
pub struct AddArgs {
    /// The packed layer
    pub file: PathBuf,
    /// Installs it for all folders of this user, not for the current one
    #[arg(long)]
    pub user: bool,
    /// Installs it below this folder
    #[arg(long, value_name = "DIR", conflicts_with = "user")]
    pub to: Option<PathBuf>,
    /// Writes over a layer that is there already
    #[arg(long)]
    pub replace: bool,
}

//! The command line.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Rules-as-data engine for wargames.
#[derive(Parser, Debug)]
#[command(name = "sandtable", version, about, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the command can do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Lists games, or the scenarios, options and layers of one
    #[command(after_help = "Example: sandtable list skirmish")]
    List(ListArgs),
    /// Checks the files of games and layers and reports every problem with its place
    #[command(after_help = "Example: sandtable check skirmish\n         sandtable check --explain E0502")]
    Check(CheckArgs),
    /// Plays games with random players to their end
    #[command(after_help = "Example: sandtable sim skirmish --games 1000 --seed 1 --jobs 2 --json")]
    Sim(SimArgs),
    /// Runs the cases in rulebooks
    #[command(after_help = "Example: sandtable test skirmish\n         sandtable test skirmish --only 4.2")]
    Test(TestArgs),
    /// Says which paragraphs of a rulebook are proved by a case, and which are not
    #[command(after_help = "Example: sandtable coverage skirmish --json")]
    Coverage(CoverageArgs),
    /// Changes the rules in many small ways and says which changes no case notices
    #[command(after_help = "Example: sandtable mutate skirmish --seed 1")]
    Mutate(MutateArgs),
}

/// `sandtable coverage`.
#[derive(Args, Debug)]
pub struct CoverageArgs {
    /// Id of the game
    pub game: String,
    #[command(flatten)]
    pub with: WithArgs,
    /// How many run at once
    #[arg(long, default_value_t = 2)]
    pub jobs: usize,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sandtable mutate`.
#[derive(Args, Debug)]
pub struct MutateArgs {
    /// Id of the game
    pub game: String,
    #[command(flatten)]
    pub with: WithArgs,
    /// Seed of the sample, where there are more mutants than are tried
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many mutants are tried at most
    #[arg(long, default_value_t = 2000)]
    pub most: usize,
    /// Only mutants whose description holds this
    #[arg(long)]
    pub only: Option<String>,
    /// How many run at once
    #[arg(long, default_value_t = 2)]
    pub jobs: usize,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sandtable test`.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Games by id; all if none is named
    pub games: Vec<String>,
    #[command(flatten)]
    pub with: WithArgs,
    /// Only cases of paragraphs that begin so, or of files whose name holds it
    #[arg(long, value_name = "PARAGRAPH")]
    pub only: Option<String>,
    /// How many run at once
    #[arg(long, default_value_t = 2)]
    pub jobs: usize,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Which game, with what on top.
#[derive(Args, Debug, Clone, Default)]
pub struct GameArgs {
    /// Id of the game
    pub game: String,
    /// Id of the scenario; the first if none is named
    pub scenario: Option<String>,
    #[command(flatten)]
    pub with: WithArgs,
}

/// What every command that names a game takes.
#[derive(Args, Debug, Clone, Default)]
pub struct WithArgs {
    /// A layer to load, by id or path; may be given several times
    #[arg(long, value_name = "LAYER")]
    pub layer: Vec<String>,
    /// An option of the rules
    #[arg(long, value_name = "ID=VALUE")]
    pub option: Vec<String>,
    /// A value to set in the tables
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// A folder to look for games and layers in, before all others
    #[arg(long, value_name = "DIR")]
    pub path: Vec<PathBuf>,
}

/// `sandtable list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// Id of a game; all games if none is named
    pub game: Option<String>,
    #[command(flatten)]
    pub with: WithArgs,
}

/// `sandtable check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Games by id; all if none is named
    pub games: Vec<String>,
    #[command(flatten)]
    pub with: WithArgs,
    /// How problems are shown
    #[arg(long, value_enum, default_value = "full")]
    pub format: Format,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
    /// Explains a code of a problem
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
}

/// How problems are shown.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With the source line.
    Full,
    /// One line each.
    Concise,
}

/// `sandtable sim`.
#[derive(Args, Debug)]
pub struct SimArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// How many games
    #[arg(long, default_value_t = 100)]
    pub games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many run at once
    #[arg(long, default_value_t = 1)]
    pub jobs: usize,
    /// Answers after which a game is given up
    #[arg(long, default_value_t = 200_000)]
    pub limit: u64,
    /// Tests the invariants after every answer
    #[arg(long)]
    pub invariants: bool,
    /// Prints which handlers took most time
    #[arg(long)]
    pub profile: bool,
    /// Writes the record of each game into a folder
    #[arg(long, value_name = "DIR")]
    pub records: Option<PathBuf>,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Prints what one can do.
pub fn overview() {
    println!(
        "Sandtable runs wargames whose rules are data.\n\n  \
         sandtable list                 the games there are\n  \
         sandtable list GAME            its scenarios and options\n  \
         sandtable check GAME           reports every problem in its files\n  \
         sandtable sim GAME             plays it with random players\n\n\
         Every command has --help with an example."
    );
}

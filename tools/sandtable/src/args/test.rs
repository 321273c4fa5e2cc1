//! Arguments of the commands for those who test rules.

use super::{GameArgs, WithArgs, cores, jobs};
use clap::Args;
use std::path::PathBuf;

/// `sandtable test`.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Games by id, folders of games or layers, folders or files of cases; all games if none is named
    #[arg(value_name = "GAME or PATH")]
    pub games: Vec<String>,
    #[command(flatten)]
    pub with: WithArgs,
    /// Only cases of paragraphs that begin so, or of files whose name holds it
    #[arg(long, value_name = "PARAGRAPH")]
    pub only: Option<String>,
    /// Shows and writes what the expected lines should say: of all failing cases, or of one (FILE:LINE, a file, a paragraph)
    #[arg(long, value_name = "CASE", num_args = 0..=1, default_missing_value = "")]
    pub accept: Option<String>,
    /// With layers: runs the game's own cases under them too, which shows what the layers change
    #[arg(long)]
    pub all: bool,
    /// Goes through equal differences in groups: accept, reject or skip
    #[arg(long, conflicts_with_all = ["accept", "json"])]
    pub review: bool,
    /// Runs every case again with each query worked out anew, and fails where memoisation made a difference
    #[arg(long)]
    pub verify: bool,
    /// Runs again whenever a file changes, what is affected first
    #[arg(long, conflicts_with_all = ["accept", "json", "review"])]
    pub watch: bool,
    /// How many run at once
    #[arg(long, default_value_t = cores(), value_parser = jobs)]
    pub jobs: usize,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sandtable coverage`.
#[derive(Args, Debug)]
pub struct CoverageArgs {
    /// Id of the game
    pub game: String,
    #[command(flatten)]
    pub with: WithArgs,
    /// How many run at once
    #[arg(long, default_value_t = cores(), value_parser = jobs)]
    pub jobs: usize,
    /// Shows every paragraph with what implements and what proves it, not only those that lack something
    #[arg(long)]
    pub all: bool,
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
    #[arg(long, default_value_t = cores(), value_parser = jobs)]
    pub jobs: usize,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sandtable docs`.
#[derive(Args, Debug)]
pub struct DocsArgs {
    /// Id of the game
    pub game: String,
    #[command(flatten)]
    pub with: WithArgs,
    /// The file to write; GAME.html if none is given
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Runs the cases, but does not work out which paragraphs are proved
    #[arg(long)]
    pub quick: bool,
    /// How many run at once
    #[arg(long, default_value_t = cores(), value_parser = jobs)]
    pub jobs: usize,
}

/// `sandtable odds`.
#[derive(Args, Debug)]
pub struct OddsArgs {
    /// The case: FILE, FILE:LINE, GAME:PARAGRAPH or GAME:NAME
    pub case: String,
    #[command(flatten)]
    pub with: WithArgs,
    /// How many times
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub times: u64,
    /// Seed of the first run; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How prompts are answered that the case says nothing about: random, first, least FIELD, most FIELD
    #[arg(long, default_value = "random")]
    pub player: String,
    /// How many run at once
    #[arg(long, default_value_t = cores(), value_parser = jobs)]
    pub jobs: usize,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sandtable rerun`.
#[derive(Args, Debug)]
pub struct RerunArgs {
    /// The records
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub with: WithArgs,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sandtable export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// The record
    pub file: PathBuf,
    /// After how many choices
    #[arg(long, visible_alias = "to", value_name = "N")]
    pub at: usize,
    /// What to write
    #[arg(long = "as", value_enum, value_name = "FORM")]
    pub form: As,
    #[command(flatten)]
    pub with: WithArgs,
}

/// What a point of a record is written as.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum As {
    /// A case for a rulebook.
    Case,
    /// A scenario.
    Scenario,
}

/// `sandtable sim`.
#[derive(Args, Debug)]
pub struct SimArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the first game; the others follow
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many run at once
    #[arg(long, default_value_t = cores(), value_parser = jobs)]
    pub jobs: usize,
    /// Answers after which a game is given up
    #[arg(long, default_value_t = 200_000)]
    pub limit: u64,
    /// Who plays: random, greedy, standard or strong for all sides, or SIDE=LEVEL for one; may be given several times
    #[arg(long, value_name = "[SIDE=]LEVEL")]
    pub player: Vec<String>,
    /// Tests the invariants after every answer, and that no side is told what is hidden from it
    #[arg(long)]
    pub invariants: bool,
    /// With --invariants: looks for told secrets after every so many answers only, which is most of the work
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub secrets_every: u64,
    /// Writes, reads, takes back to the start and plays again every game, and compares
    #[arg(long)]
    pub survive: bool,
    /// Plays every game again with each query worked out anew, and fails where memoisation made a difference
    #[arg(long)]
    pub verify: bool,
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

/// `sandtable bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Seed of the first game
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How long games are played, in milliseconds of the processor's time
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub millis: u64,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

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
    #[command(
        after_help = "Example: sandtable check skirmish\n         sandtable check my-layer.toml --format concise\n         sandtable check --explain E0502"
    )]
    Check(CheckArgs),
    /// Plays games with random players to their end
    #[command(after_help = "Example: sandtable sim skirmish --games 1000 --seed 1 --jobs 2 --json")]
    Sim(SimArgs),
    /// Plays a game in the browser, or on the terminal
    #[command(
        after_help = "Example: sandtable play skirmish\n         sandtable play stalins-war --random soviet --addr 127.0.0.1:8080 --no-browser\n         sandtable play skirmish --terminal --seed 7\n         sandtable play --load game.record --terminal"
    )]
    Play(PlayArgs),
    /// Plays a record again and shows the position
    #[command(after_help = "Example: sandtable replay game.record --to 20")]
    Replay(ReplayArgs),
    /// Plays records again with other layers and says what that changes
    #[command(after_help = "Example: sandtable rerun games/*.record --layer my-variant")]
    Rerun(RerunArgs),
    /// Says why an option was, or was not, there at a point of a record
    #[command(
        after_help = "Example: sandtable explain game.record --at 12\n         sandtable explain game.record --at 12 h-reds\n         sandtable explain game.record --at 30 --numbers"
    )]
    Explain(ExplainArgs),
    /// Writes a point of a record as a case or as a scenario
    #[command(after_help = "Example: sandtable export game.record --at 12 --as scenario")]
    Export(ExportArgs),
    /// Measures how fast a game is
    #[command(after_help = "Example: sandtable bench skirmish --json")]
    Bench(BenchArgs),
    /// Runs the cases in rulebooks
    #[command(
        after_help = "Example: sandtable test skirmish\n         sandtable test skirmish --only 4.2\n         sandtable test skirmish --review\n         sandtable test ../my-cases --accept"
    )]
    Test(TestArgs),
    /// Says which paragraphs of a rulebook are proved by a case, and which are not
    #[command(after_help = "Example: sandtable coverage skirmish --json")]
    Coverage(CoverageArgs),
    /// Changes the rules in many small ways and says which changes no case notices
    #[command(after_help = "Example: sandtable mutate skirmish --seed 1")]
    Mutate(MutateArgs),
    /// Runs a case many times with random dice and shows how its outcomes are distributed
    #[command(
        after_help = "Example: sandtable odds axis-allies-europe:odds.1 --times 10000 --jobs 2\n         sandtable odds my-cases.md:12 --player first --json"
    )]
    Odds(OddsArgs),
    /// Writes the living rulebook of a game as one page
    #[command(
        after_help = "Example: sandtable docs skirmish --out skirmish.html\n         sandtable docs stalins-war --quick"
    )]
    Docs(DocsArgs),
    /// Starts a game, a layer, a scenario or a file of cases that passes its own check and test
    #[command(
        after_help = "Example: sandtable new game my-game\n         sandtable new layer my-rule --game skirmish\n         sandtable new cases my-cases --game skirmish --cards harrow"
    )]
    New(NewArgs),
    /// Makes one file of a layer, to be shared
    #[command(after_help = "Example: sandtable pack layers/my-rule")]
    Pack(PackArgs),
    /// Installs a layer that somebody shared
    #[command(after_help = "Example: sandtable add my-rule-1.0.sandtable")]
    Add(AddArgs),
    /// Finds values, cards and paragraphs of a game by words, with their keys
    #[command(
        after_help = "Example: sandtable find skirmish old battery\n         sandtable find skirmish hand limit"
    )]
    Find(FindArgs),
    /// Says what each layer gave to a value, with its place
    #[command(after_help = "Example: sandtable origin skirmish unit.h-battery.moves --layer errata")]
    Origin(OriginArgs),
    /// Shows what layers change, as a sheet to read
    #[command(after_help = "Example: sandtable diff skirmish errata")]
    Diff(DiffArgs),
    /// Writes what editors need to know of a game: Lua stubs, a schema of its tables, settings
    #[command(
        after_help = "Example: sandtable stubs skirmish --out .sandtable\n         sandtable stubs --manual > docs/api.md"
    )]
    Stubs(StubsArgs),
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

/// `sandtable new`.
#[derive(Args, Debug)]
pub struct NewArgs {
    /// What to start
    #[arg(value_enum)]
    pub kind: NewKind,
    /// Its id
    pub name: String,
    /// The game it is for, unless it is a game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Cases only: one stub for each card of this side
    #[arg(long, value_name = "SIDE")]
    pub cards: Option<String>,
    /// Folder to write to; the current one if none is given
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    #[command(flatten)]
    pub with: WithArgs,
}

/// What can be started.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewKind {
    /// A game.
    Game,
    /// A layer: errata, variant or house rule.
    Layer,
    /// A scenario.
    Scenario,
    /// A file of cases.
    Cases,
}

/// `sandtable pack`.
#[derive(Args, Debug)]
pub struct PackArgs {
    /// The layer: a folder with layer.toml, or its one file
    pub dir: PathBuf,
    /// The file to write; ID-VERSION.sandtable if none is given
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
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

/// `sandtable find`.
#[derive(Args, Debug)]
pub struct FindArgs {
    /// Id of the game
    pub game: String,
    /// Words that must all be there
    #[arg(required = true)]
    pub words: Vec<String>,
    /// How many are shown at most
    #[arg(long, default_value_t = 20)]
    pub most: usize,
    #[command(flatten)]
    pub with: WithArgs,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sandtable origin`.
#[derive(Args, Debug)]
pub struct OriginArgs {
    /// Id of the game
    pub game: String,
    /// Key of a value, such as unit.h-battery.moves
    pub key: String,
    #[command(flatten)]
    pub with: WithArgs,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `sandtable diff`.
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// Id of the game; with --layer, on top of what the changes are shown
    pub base: String,
    /// The layers whose changes are shown, by id or path
    #[arg(required = true)]
    pub layers: Vec<String>,
    #[command(flatten)]
    pub with: WithArgs,
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

/// `sandtable stubs`.
#[derive(Args, Debug)]
pub struct StubsArgs {
    /// Id of the game; without one, what holds for any game
    pub game: Option<String>,
    #[command(flatten)]
    pub with: WithArgs,
    /// Folder to write to; `.sandtable/GAME` if none is given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Writes the settings of editors into this folder too, where they are read
    #[arg(long)]
    pub here: bool,
    /// Prints the manual of the API instead, as Markdown
    #[arg(long)]
    pub manual: bool,
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
    /// Prints the links and opens no browser
    #[arg(long)]
    pub no_browser: bool,
    /// The file in which games are kept; one in the data folder of the user if none is named
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// A side that the random player plays; may be given several times
    #[arg(long, value_name = "SIDE")]
    pub random: Vec<String>,
    /// Threads that play
    #[arg(long, default_value_t = 2)]
    pub threads: usize,
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

/// `sandtable explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The record
    pub file: PathBuf,
    /// The option, as the terminal names it; without one, what is asked and what can be answered
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
    #[arg(long, value_name = "DIR", value_parser = folder)]
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
    /// Games by id, or paths of games, layers, folders and files; everything if none is named
    #[arg(value_name = "GAME or PATH")]
    pub games: Vec<String>,
    #[command(flatten)]
    pub with: WithArgs,
    /// How problems are shown
    #[arg(long, value_enum, default_value = "full")]
    pub format: Format,
    /// Prints one JSON object
    #[arg(long)]
    pub json: bool,
    /// Fails on warnings too, as before publishing
    #[arg(long)]
    pub strict: bool,
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
    #[arg(long, default_value_t = cores(), value_parser = jobs)]
    pub jobs: usize,
    /// Answers after which a game is given up
    #[arg(long, default_value_t = 200_000)]
    pub limit: u64,
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

/// How many things this machine does at once.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Most that run at once.
const JOBS: usize = 256;

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=JOBS).contains(&n) => Ok(n),
        _ => Err(format!("expected a number from 1 to {JOBS}")),
    }
}

fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_dir() { Ok(path) } else { Err("there is no such folder".into()) }
}

/// Prints what one can do.
pub fn overview() {
    say!(
        "Sandtable runs wargames whose rules are data.\n\n\
         to play\n  \
         sandtable list                 the games there are\n  \
         sandtable list GAME            its scenarios, options and layers\n  \
         sandtable play GAME            plays it in the browser\n  \
         sandtable play GAME --terminal plays it here\n  \
         sandtable replay FILE          shows a saved game at any point\n  \
         sandtable explain FILE         says why something was refused, and how numbers came about\n  \
         sandtable add FILE             takes a layer that somebody shared\n\n\
         to change rules\n  \
         sandtable find GAME WORDS      finds values, cards and paragraphs\n  \
         sandtable new layer NAME --game GAME  starts a house rule\n  \
         sandtable check GAME           reports every problem in its files\n  \
         sandtable diff GAME LAYER      shows what a layer changes\n  \
         sandtable origin GAME KEY      shows where a value comes from\n  \
         sandtable pack DIR             makes one file of a layer, to share it\n  \
         sandtable stubs GAME           writes what editors need to know of it\n\n\
         to test them\n  \
         sandtable test GAME            runs the cases of its rulebook\n  \
         sandtable coverage GAME        says which paragraphs are proved\n  \
         sandtable mutate GAME          says which rules no case protects\n  \
         sandtable docs GAME            writes the rulebook with its cases as a page\n  \
         sandtable odds CASE            runs a case many times with random dice\n  \
         sandtable rerun FILE --layer L plays saved games under changed rules\n  \
         sandtable export FILE --at N   makes a case or a scenario of a moment\n  \
         sandtable sim GAME             plays it with random players\n  \
         sandtable bench GAME           measures how fast it is\n\n\
         Every command has --help with an example. It ends with 0 if all is well, 1 if it found something wrong,\n\
         2 if it could not do what was asked."
    );
}

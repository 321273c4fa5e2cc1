//! The command line: what the commands are, with an example each, and what several of them take.

mod computer;
mod play;
mod test;
mod write;

pub use computer::{AdviseArgs, MatchArgs};
pub use play::{AddArgs, ExplainArgs, ListArgs, PlayArgs, ReplayArgs};
pub use test::{
    As, BenchArgs, CoverageArgs, DocsArgs, ExportArgs, MutateArgs, OddsArgs, RerunArgs, SimArgs, TestArgs,
};
pub use write::{CheckArgs, DiffArgs, FindArgs, Format, NewArgs, NewKind, OriginArgs, PackArgs, StubsArgs};

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// What the command ends with.
const CODES: &str =
    "It ends with 0 if all is well, 1 if it found something wrong, 2 if it could not do what was asked.";

/// Rules-as-data engine for wargames.
#[derive(Parser, Debug)]
#[command(name = "sandtable", version, about, disable_help_subcommand = true, after_help = CODES)]
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
        after_help = "Example: sandtable check skirmish\n         sandtable new layer my-rule --game skirmish\n         sandtable check layers/my-rule --format concise\n         sandtable check --explain E0502"
    )]
    Check(CheckArgs),
    /// Plays games with random players to their end
    #[command(
        after_help = "Example: sandtable sim skirmish --games 100 --seed 1 --jobs 2 --json\n         sandtable sim skirmish bridgehead --layer wary-scouts --games 10 --records games"
    )]
    Sim(SimArgs),
    /// Plays a game in the browser, or on the terminal
    #[command(
        after_help = "Example: sandtable play skirmish\n         sandtable play stalins-war --random soviet --addr 127.0.0.1:8080 --no-browser\n         sandtable play skirmish --terminal --seed 7\n         sandtable play --load game.record --terminal"
    )]
    Play(PlayArgs),
    /// Plays a record again and shows the position
    #[command(
        after_help = "Example: sandtable sim skirmish --games 3 --records games\n         sandtable replay games/00000001.record --to 20"
    )]
    Replay(ReplayArgs),
    /// Plays records again with other layers and says what that changes
    #[command(
        after_help = "Example: sandtable sim skirmish --games 3 --records games\n         sandtable rerun games/*.record --layer wary-scouts"
    )]
    Rerun(RerunArgs),
    /// Says why an option was, or was not, there at a point of a record
    #[command(
        after_help = "Example: sandtable sim skirmish --games 3 --records games\n         sandtable explain games/00000001.record --at 8\n         sandtable explain games/00000001.record --at 8 march 0102\n         sandtable explain games/00000001.record --at 30 --numbers"
    )]
    Explain(ExplainArgs),
    /// Says what a computer would answer at a point of a record, and why
    #[command(
        after_help = "Example: sandtable sim skirmish --games 3 --records games\n         sandtable advise games/00000001.record --at 8\n         sandtable advise games/00000001.record --at 8 --player greedy --json"
    )]
    Advise(AdviseArgs),
    /// Lets computer players play against each other, and says how much better one is
    #[command(
        name = "match",
        after_help = "Example: sandtable match skirmish --player greedy --player random --games 4 --json"
    )]
    Match(MatchArgs),
    /// Writes a point of a record as a case or as a scenario
    #[command(
        after_help = "Example: sandtable sim skirmish --games 3 --records games\n         sandtable export games/00000001.record --at 12 --as scenario"
    )]
    Export(ExportArgs),
    /// Measures how fast a game is
    #[command(after_help = "Example: sandtable bench skirmish --json")]
    Bench(BenchArgs),
    /// Runs the cases in rulebooks
    #[command(
        after_help = "Example: sandtable test skirmish\n         sandtable test skirmish --only 4.2\n         sandtable test skirmish --review\n         sandtable new cases my-cases --game skirmish\n         sandtable test my-cases.md --accept"
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
        after_help = "Example: sandtable odds axis-allies-europe:odds.1 --times 1000 --jobs 2\n         sandtable odds skirmish:6.2 --player first --json"
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
    #[command(
        after_help = "Example: sandtable new layer my-rule --game skirmish\n         sandtable pack layers/my-rule"
    )]
    Pack(PackArgs),
    /// Installs a layer that somebody shared
    #[command(
        after_help = "Example: sandtable new layer my-rule --game skirmish\n         sandtable pack layers/my-rule\n         sandtable add my-rule-0.1.sandtable --to table"
    )]
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
        after_help = "Example: sandtable stubs skirmish --out .sandtable\n         sandtable stubs --manual"
    )]
    Stubs(StubsArgs),
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
    match path.metadata() {
        Ok(found) if found.is_dir() => Ok(path),
        Ok(_) => Err("it is not a folder".into()),
        Err(_) => Err("there is no such folder".into()),
    }
}

/// Prints what one can do.
pub fn overview() {
    outln!(
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
         Every command has --help with an example. {CODES}"
    );
}

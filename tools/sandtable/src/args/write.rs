//! Arguments of the commands for those who write and change rules.

use super::WithArgs;
use clap::Args;
use std::path::PathBuf;

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

/// `sandtable pack`.
#[derive(Args, Debug)]
pub struct PackArgs {
    /// The layer: a folder with layer.toml, or its one file
    pub dir: PathBuf,
    /// The file to write; ID-VERSION.sandtable if none is given
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
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

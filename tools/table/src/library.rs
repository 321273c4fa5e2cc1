//! Where games come from. The command finds and reads the files; the table only asks for what it wants to play.

use crate::refusal::Place;
use sandtable_data::catalog::Catalog;
use sandtable_data::definition::Definition;
use sandtable_script::ScriptError;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::path::PathBuf;
use std::time::SystemTime;

/// What is to be played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Id of the game.
    pub game: String,
    /// Id of the scenario; the first if none is named, the bare game if it is empty.
    #[serde(default)]
    pub scenario: Option<String>,
    /// Layers by id.
    #[serde(default)]
    pub layers: Vec<String>,
    /// Folders and files of layers that whoever runs the server has named; nothing from outside ever comes here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<PathBuf>,
    /// Values to set in the tables, as `KEY=VALUE`.
    #[serde(default)]
    pub sets: Vec<String>,
    /// Options of the rules.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// Files that came with the table and lie before all others: path and text.
    #[serde(default)]
    pub files: Vec<(String, String)>,
}

/// A game as data, ready for its scripts to be run.
pub struct Loaded {
    /// The merged tables.
    pub catalog: Catalog,
    /// World, sequence and scenario.
    pub definition: Definition,
}

/// Why a game cannot be loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// Everything that is wrong, as a terminal would show it.
    pub text: String,
    /// Each place by itself.
    pub places: Vec<Place>,
}

impl From<Vec<ScriptError>> for Problem {
    fn from(errors: Vec<ScriptError>) -> Problem {
        let text = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        Problem { text, places: errors.iter().map(Place::from).collect() }
    }
}

impl Problem {
    /// The engine itself failed at some files.
    pub fn of_panic(panic: &(dyn Any + Send)) -> Problem {
        let text = format!("the engine failed at these files: {}; please report it", said(panic));
        Problem { text, places: Vec::new() }
    }
}

/// What a panic said.
pub fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it does not say why")
}

/// A game or a layer that could be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
}

/// A file with what tells one version of it from the next.
pub type FileStamp = (PathBuf, SystemTime, u64);

/// The games that can be played.
pub trait Library: Send + Sync + 'static {
    /// All games.
    fn games(&self) -> Vec<Listed>;
    /// The layers made for a game.
    fn layers(&self, game: &str) -> Vec<Listed>;
    /// Reads and merges a game.
    fn load(&self, setup: &Setup) -> Result<Loaded, Problem>;
    /// The id of the layer that a file holds, if it holds one.
    fn layer_id(&self, name: &str, text: &str) -> Option<String>;
    /// The files on disk that a game is made of; empty for one that is built in.
    fn files(&self, setup: &Setup) -> Vec<FileStamp>;
}

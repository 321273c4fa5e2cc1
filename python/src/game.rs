//! Games, and what is said of them before they are loaded.

use crate::raised;
use crate::session::Session;
use pyo3::prelude::*;
use std::collections::BTreeSet;

/// What says which game is meant, with its layers; a worker on another thread loads its own copy from it.
#[derive(Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Spec {
    game: String,
    scenario: Option<String>,
    layers: Vec<String>,
    options: Vec<(String, String)>,
    settings: Vec<String>,
    path: Option<String>,
}

impl Spec {
    pub fn load(&self) -> Result<sandtable_engine::Game, sandtable_engine::Error> {
        let mut builder = sandtable_engine::Game::builder(&self.game).shipped(sandtable_games::FILES);
        if let Some(path) = &self.path {
            builder = builder.path(path);
        }
        if let Some(scenario) = &self.scenario {
            builder = builder.scenario(scenario);
        }
        builder = self.layers.iter().fold(builder, |builder, layer| builder.layer(layer));
        builder = self.options.iter().fold(builder, |builder, (id, value)| builder.option(id, value));
        self.settings.iter().fold(builder, |builder, setting| builder.set(setting)).load()
    }
}

/// A loaded game.
#[pyclass(unsendable, module = "sandtable._native")]
pub struct Game {
    inner: sandtable_engine::Game,
}

#[pymethods]
impl Game {
    #[new]
    fn new(spec: Spec) -> PyResult<Game> {
        Ok(Game { inner: spec.load().map_err(raised)? })
    }

    #[getter]
    fn id(&self) -> &str {
        self.inner.id()
    }

    #[getter]
    fn title(&self) -> &str {
        self.inner.title()
    }

    #[getter]
    fn sides(&self) -> Vec<String> {
        self.inner.sides()
    }

    #[getter]
    fn spaces(&self) -> Vec<String> {
        self.inner.spaces()
    }

    #[getter]
    fn attributes_of_game(&self) -> Vec<String> {
        self.inner.attributes_of_game()
    }

    #[getter]
    fn attributes_of_sides(&self) -> Vec<String> {
        self.inner.attributes_of_sides()
    }

    fn session(&self, seed: u64) -> PyResult<Session> {
        self.inner.session(seed).map(Session::new).map_err(raised)
    }

    fn follow(&self, record: &str) -> PyResult<Session> {
        self.inner.follow(record).map(Session::new).map_err(raised)
    }

    /// The cases of its rulebooks: how many there are, and those that failed as (file, line, name, message).
    fn run_cases(&self) -> (usize, Vec<(String, u32, String, String)>) {
        let results = self.inner.run_cases();
        let failed = results.failed().filter_map(|case| {
            let (line, message) = case.failure.clone()?;
            Some((case.file.clone(), line, case.name.clone(), message))
        });
        (results.all().len(), failed.collect())
    }
}

/// The ids of the games that the package brings along.
#[pyfunction]
pub fn shipped_games() -> BTreeSet<&'static str> {
    let games = sandtable_games::FILES.iter().filter_map(|(path, _)| {
        let (game, file) = path.strip_prefix("rules/")?.split_once('/')?;
        (file == "game.toml").then_some(game)
    });
    games.collect()
}

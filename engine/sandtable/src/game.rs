//! Loading games.

use crate::cases::{self, CaseResults};
use crate::error::{Error, Problem, problems};
use crate::session::Session;
use sandtable_data::catalog::{self, Catalog};
use sandtable_data::definition;
use sandtable_data::package::{DiskFiles, MemoryFiles};
use sandtable_data::package_search::SearchPath;
use sandtable_kernel::state::TableId;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A game, loaded: its tables, its rules, the layers on top of it. Any number of sessions share it on one thread.
///
/// ```
/// # use sandtable_engine::Game;
/// let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
/// assert_eq!(game.id(), "skirmish");
/// assert_eq!(game.sides(), ["harrow", "vale"]);
/// # Ok::<(), sandtable_engine::Error>(())
/// ```
pub struct Game {
    pub(crate) loaded: Rc<sandtable_session::Game>,
    catalog: Catalog,
    options: Vec<(String, String)>,
}

impl Game {
    /// Loads the game in a folder, such as `rules/skirmish`, with its first scenario.
    pub fn load(folder: impl AsRef<Path>) -> Result<Game, Error> {
        let folder = folder.as_ref();
        // Scenarios, libraries and layers are looked for from the folder that holds `rules`.
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        let parent = absolute.parent().unwrap_or(&absolute);
        let root = match parent.file_name() {
            Some(name) if name == "rules" => parent.parent().unwrap_or(parent),
            _ => parent,
        };
        let id = absolute.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Game::builder(&id).path(root).load()
    }

    /// A game by its id, with whatever is to be said of it before it is loaded.
    pub fn builder(id: &str) -> GameBuilder {
        GameBuilder { id: id.to_string(), ..GameBuilder::default() }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.loaded.definition.id
    }

    /// Its title.
    pub fn title(&self) -> &str {
        &self.loaded.definition.title
    }

    /// The ids of its sides, in the order of their seats.
    pub fn sides(&self) -> Vec<String> {
        let world = &self.loaded.definition.world;
        world.sides.iter().map(|side| world.symbols.text(side.0).to_string()).collect()
    }

    /// The ids of its spaces: hexes, areas, boxes and piles, in the order of the game's files.
    pub fn spaces(&self) -> Vec<String> {
        let world = &self.loaded.definition.world;
        world.spaces.iter().map(|space| world.symbols.text(space.id).to_string()).collect()
    }

    /// The names of the attributes that the game as a whole has, such as the turn.
    pub fn attributes_of_game(&self) -> Vec<String> {
        // The first column is the engine's own.
        self.attributes(TableId::GAME).split_off(1)
    }

    /// The names of the attributes that each side has.
    pub fn attributes_of_sides(&self) -> Vec<String> {
        self.attributes(TableId::SIDE)
    }

    fn attributes(&self, table: TableId) -> Vec<String> {
        let world = &self.loaded.definition.world;
        let columns = &world.schema.tables[table.0 as usize].columns;
        columns.iter().map(|column| world.symbols.text(column.name).to_string()).collect()
    }

    /// A new game from its set-up. The same seed and the same answers give the same game everywhere.
    pub fn session(&self, seed: u64) -> Result<Session, Error> {
        Session::new(&self.loaded, seed)
    }

    /// A game as its record tells it, up to the last answer.
    ///
    /// ```
    /// # use sandtable_engine::Game;
    /// let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
    /// let mut session = game.session(7)?;
    /// session.answer_at_random()?;
    /// let again = game.follow(&session.record())?;
    /// assert_eq!(again.digest(), session.digest());
    /// # Ok::<(), sandtable_engine::Error>(())
    /// ```
    pub fn follow(&self, record: &str) -> Result<Session, Error> {
        Session::follow(&self.loaded, record)
    }

    /// Runs the cases of its rulebooks, and of the layers on top of it.
    ///
    /// ```
    /// # use sandtable_engine::Game;
    /// let game = Game::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/skirmish"))?;
    /// let results = game.run_cases();
    /// assert!(results.failed().next().is_none());
    /// assert!(results.all().len() > 100);
    /// # Ok::<(), sandtable_engine::Error>(())
    /// ```
    pub fn run_cases(&self) -> CaseResults {
        cases::run(&self.catalog, &self.options)
    }
}

/// What is said of a game before it is loaded.
///
/// ```
/// # use sandtable_engine::Game;
/// let game = Game::builder("skirmish")
///     .path(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
///     .set("value.last-turn.is=3")
///     .load()?;
/// # let _ = game;
/// # Ok::<(), sandtable_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameBuilder {
    id: String,
    paths: Vec<PathBuf>,
    shipped: &'static [(&'static str, &'static [u8])],
    scenario: Option<String>,
    layers: Vec<String>,
    options: Vec<(String, String)>,
    sets: Vec<String>,
}

impl GameBuilder {
    /// A folder in which games, scenarios and layers are looked for; the first that has one counts. Without any it is what the
    /// program brings along ([`GameBuilder::shipped`]), or else the current folder.
    pub fn path(mut self, folder: impl Into<PathBuf>) -> Self {
        self.paths.push(folder.into());
        self
    }

    /// Files of games that a program brings along, by path. They are looked at if no folder is named.
    pub fn shipped(mut self, files: &'static [(&'static str, &'static [u8])]) -> Self {
        self.shipped = files;
        self
    }

    /// The scenario; the game's first if none is named.
    pub fn scenario(mut self, id: &str) -> Self {
        self.scenario = Some(id.to_string());
        self
    }

    /// A layer, by id or path.
    pub fn layer(mut self, layer: &str) -> Self {
        self.layers.push(layer.to_string());
        self
    }

    /// The value of one of the game's options.
    pub fn option(mut self, id: &str, value: &str) -> Self {
        self.options.push((id.to_string(), value.to_string()));
        self
    }

    /// A setting, `KEY=VALUE`, as a layer would make it.
    pub fn set(mut self, setting: &str) -> Self {
        self.sets.push(setting.to_string());
        self
    }

    /// Reads, merges and loads. All problems of the files are found in one go.
    pub fn load(self) -> Result<Game, Error> {
        let mut search = SearchPath::new();
        for folder in &self.paths {
            search.push(DiskFiles::new(folder));
        }
        match (self.paths.is_empty(), self.shipped) {
            (true, []) => search.push(DiskFiles::new(".")),
            (true, files) => search.push(files.iter().copied().collect::<MemoryFiles>()),
            (false, _) => {}
        }
        let (catalog, found) = catalog::load(&self.id, &self.layers, &self.sets, &search);
        if found.has_errors() {
            return Err(Error::Load(problems(&found, &catalog.sources)));
        }
        let (definition, found) = definition::build(&catalog, self.scenario.as_deref(), &self.options);
        let Some(definition) = definition else {
            return Err(Error::Load(problems(&found, &catalog.sources)));
        };
        let loaded = sandtable_session::Game::new(definition, &catalog)
            .map_err(|errors| Error::Load(errors.iter().map(Problem::of_script).collect()))?;
        Ok(Game { loaded: Rc::new(loaded), catalog, options: self.options })
    }
}

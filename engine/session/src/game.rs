//! A loaded game: its definition and its rules in a VM.

use crate::digest::Names;
use crate::record::Stamp;
use sandtable_data::catalog::{Catalog, LayerFile};
use sandtable_data::definition::Definition;
use sandtable_data::layer::LayerInfo;
use sandtable_kernel::state::State;
use sandtable_kernel::world::World;
use sandtable_script::{Host, Script, ScriptBounds, ScriptError};
use std::cell::RefCell;
use std::sync::Arc;

/// A loaded game: its definition and a VM with its rules, shared by any number of sessions on one thread.
pub struct Game {
    /// The definition.
    pub definition: Definition,
    /// The VM.
    pub host: Host,
    /// The game, its libraries and its layers with their content hashes, in the order of their numbers.
    pub stamps: Vec<Stamp>,
    /// How many of them are libraries.
    pub libraries: usize,
    /// Settings of the command line, as `KEY = VALUE`.
    pub sets: Vec<String>,
    names: RefCell<Names>,
}

impl Game {
    /// Loads the scripts of a catalog for a definition.
    pub fn new(definition: Definition, catalog: &Catalog) -> Result<Game, Vec<ScriptError>> {
        Game::load(definition, catalog, Host::new)
    }

    /// The same with a host that can tell whether scripts keep something between steps, for tests and simulations.
    pub fn audited(definition: Definition, catalog: &Catalog) -> Result<Game, Vec<ScriptError>> {
        Game::load(definition, catalog, Host::audited)
    }

    /// The same although handlers may hang on what does not exist, for a check that says so with everything else.
    pub fn loose(definition: Definition, catalog: &Catalog) -> Result<Game, Vec<ScriptError>> {
        Game::load(definition, catalog, Host::loose)
    }

    /// The same with other bounds on what scripts may use between two answers, as a server sets them.
    pub fn bounded(
        definition: Definition,
        catalog: &Catalog,
        bounds: ScriptBounds,
    ) -> Result<Game, Vec<ScriptError>> {
        Game::load(definition, catalog, |world, scripts| Host::bounded(world, scripts, bounds))
    }

    /// The scripts of a catalog as the host takes them.
    pub fn scripts(catalog: &Catalog) -> Vec<Script> {
        let package = |file: &LayerFile| catalog.layers.get(usize::from(file.layer.0));
        let needs = |file: &LayerFile| {
            package(file).map_or_else(Vec::new, |layer| layer.needs.iter().map(|need| need.0).collect())
        };
        let script = |file: &LayerFile| Script {
            layer: file.layer.0,
            library: package(file).is_some_and(|layer| layer.library),
            name: catalog.sources.path(file.file).to_string(),
            text: catalog.sources.text(file.file).to_string(),
            needs: needs(file),
        };
        catalog.scripts.iter().map(script).collect()
    }

    fn load(
        definition: Definition,
        catalog: &Catalog,
        host: impl FnOnce(Arc<World>, &[Script]) -> Result<Host, Vec<ScriptError>>,
    ) -> Result<Game, Vec<ScriptError>> {
        let host = host(definition.world.clone(), &Game::scripts(catalog))?;
        let settings = catalog.sources.iter().filter(|(_, file)| file.path() == SETTINGS);
        let sets: Vec<String> = settings.map(|(_, file)| file.text().to_string()).collect();
        // The settings make a last layer of their own, which the record holds line by line.
        let packages = catalog.layers.len() - usize::from(!sets.is_empty());
        let stamp = |layer: &LayerInfo| Stamp {
            id: layer.id.clone(),
            version: layer.version.clone(),
            hash: u64::from_be_bytes(layer.content_hash.0),
        };
        let stamps = catalog.layers.iter().take(packages).map(stamp).collect();
        let libraries = catalog.layers.iter().filter(|layer| layer.library).count();
        Ok(Game { definition, host, stamps, libraries, sets, names: RefCell::default() })
    }

    /// A game whose rules are loaded already, such as a mutant; it keeps no records.
    pub fn with_host(definition: Definition, host: Host) -> Game {
        let (stamps, sets) = Default::default();
        Game { definition, host, stamps, libraries: 0, sets, names: RefCell::default() }
    }

    /// The digest of a state by names, as records hold it.
    pub fn digest(&self, state: &State) -> u64 {
        let mut names = self.names.borrow_mut();
        names.refresh(self.host.cx());
        names.digest(&self.definition.world, state)
    }
}

/// The path under which the catalog keeps settings of the command line.
const SETTINGS: &str = "--set";

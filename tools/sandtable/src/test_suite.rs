//! The cases that a command is about: of games, of layers, and of folders anywhere.

use crate::args::WithArgs;
use crate::{load, test_show};
use sandtable_data::catalog::{self, Catalog};
use sandtable_data::file::{LARGEST_FILE, read_text};
use sandtable_data::package_manifest::PackageKind;
use sandtable_data::package_search::{Found, open_path};
use sandtable_data::suggest;
use sandtable_workbench::{Book, CaseText, runner};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A loaded game with cases to run on it.
pub struct Suite {
    /// The game's id.
    pub game: String,
    /// Its tables.
    pub catalog: Catalog,
    /// The cases.
    pub cases: Vec<CaseText>,
    /// Where the files of the cases stand on disk.
    pub places: BTreeMap<String, PathBuf>,
}

impl Suite {
    /// The path that opens a file of cases.
    pub fn opened(&self, file: &str) -> String {
        match self.places.get(file) {
            Some(place) if self.catalog.sources.opened(file) == file => test_show::tidy(place),
            _ => self.catalog.sources.opened(file),
        }
    }
}

/// What a suite is made from: games by id, and files of cases with the layers they are for.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    game: String,
    layers: Vec<String>,
    /// The package of the game, if it was named by path.
    package: Option<PathBuf>,
    /// A folder to look for games and layers in before all others.
    root: Option<PathBuf>,
}

impl Wanted {
    /// What stands at a path: a game, or a layer with the game it is for. Both come from the folder that holds them, before
    /// any of the same id elsewhere.
    fn at(path: &Path, found: Found) -> Result<Wanted, String> {
        let manifest = found.manifest;
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let holds = |folder: &&Path, game: &str| folder.join("rules").join(game).join("game.toml").is_file();
        let root = |game: &str| {
            let folders = whole.ancestors().skip(1);
            folders.into_iter().find(|folder| holds(folder, game)).map(Path::to_path_buf)
        };
        match (manifest.kind, manifest.game) {
            (PackageKind::Game, _) => Ok(Wanted {
                root: root(&manifest.id),
                game: manifest.id,
                layers: Vec::new(),
                package: Some(path.to_path_buf()),
            }),
            (PackageKind::Layer, Some(game)) => {
                Ok(Wanted { root: root(&game), game, layers: vec![as_path(path)], package: None })
            }
            (PackageKind::Layer, None) => {
                Err(format!("layer {} does not say for which game it is; add `game`", manifest.id))
            }
            (PackageKind::Library, _) => Err(format!(
                "{} is a library, which has no cases: those of the games that need it prove it",
                manifest.id
            )),
        }
    }
}

/// Finds and loads what is named: ids of games, folders of games or layers, folders and files of cases.
///
/// With layers only their cases count, unless `all` wants those of the game as well.
pub fn suites(named: &[String], with: &WithArgs, all: bool) -> Result<Vec<Suite>, String> {
    let search = load::search_path(with);
    let mut games: Vec<Wanted> = Vec::new();
    let mut files: Vec<(Option<Wanted>, PathBuf)> = Vec::new();
    let bare = |game: &str| Wanted { game: game.to_string(), ..Wanted::default() };
    for name in named {
        if search.find_game(name).is_some() {
            games.push(bare(name));
            continue;
        }
        let path = Path::new(name);
        if !path.exists() {
            let known: Vec<String> = search.list_games().into_iter().map(|found| found.manifest.id).collect();
            let near = suggest::did_you_mean(name, known.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; {near}"));
            return Err(format!("`{name}` is neither a game nor a path{near}"));
        }
        let package = open_path(path).filter(|_| path.is_dir() || path.extension() != Some("md".as_ref()));
        match package {
            Some(found) => games.push(Wanted::at(path, found)?),
            None => {
                let mut found = Vec::new();
                books(path, &mut found)?;
                if found.is_empty() {
                    return Err(format!("{name} holds no Markdown with cases"));
                }
                files.extend(found.into_iter().map(|file| (owner(&file), file)));
            }
        }
    }
    if named.is_empty() {
        games.extend(search.list_games().iter().map(|found| bare(&found.manifest.id)));
    }
    let mut suites = Vec::new();
    if files.is_empty() {
        for wanted in games {
            let catalog = loaded(&wanted, with)?;
            let layered = !wanted.layers.is_empty() || !with.layer.is_empty();
            let books = if layered && !all { runner::layer_books(&catalog) } else { runner::books(&catalog) };
            let cases = books.into_iter().flat_map(|book| book.cases).collect();
            suites.push(Suite { game: wanted.game, places: places(&catalog), catalog, cases });
        }
        return Ok(suites);
    }
    // Cases in files: for the game that the file names, stands in, or that was named beside it.
    let mut by_game: BTreeMap<Wanted, Vec<PathBuf>> = BTreeMap::new();
    for (own, file) in files {
        let Some(wanted) = head(&file)?.or(own).or_else(|| games.first().cloned()) else {
            return Err(format!(
                "{} does not say which game its cases are for: begin it with a line `game: ID`, or name the game before the path",
                file.display()
            ));
        };
        by_game.entry(wanted).or_default().push(file);
    }
    for (wanted, files) in by_game {
        let catalog = loaded(&wanted, with)?;
        let mut suite = Suite { game: wanted.game, catalog, cases: Vec::new(), places: BTreeMap::new() };
        for file in files {
            let shown = file.display().to_string();
            suite.cases.extend(Book::read(&shown, &read(&file)?).cases);
            suite.places.insert(shown, file);
        }
        suites.push(suite);
    }
    Ok(suites)
}

fn loaded(wanted: &Wanted, with: &WithArgs) -> Result<Catalog, String> {
    let layers: Vec<String> = wanted.layers.iter().chain(&with.layer).cloned().collect();
    let roots = wanted.root.iter().chain(&with.path).cloned().collect();
    let search = load::search_path(&WithArgs { path: roots, ..WithArgs::default() });
    let (catalog, problems) = load::opened(match wanted.package.as_deref().and_then(open_path) {
        Some(found) => catalog::load_found(&found, &layers, &with.set, &search),
        None => catalog::load(&wanted.game, &layers, &with.set, &search),
    });
    if problems.has_errors() {
        return Err(load::report(&problems, &catalog));
    }
    load::said(&catalog, with)?;
    Ok(catalog)
}

/// A path that the search for layers takes for one.
fn as_path(path: &Path) -> String {
    let shown = path.display().to_string();
    if shown.contains('/') { shown } else { format!("./{shown}") }
}

fn places(catalog: &Catalog) -> BTreeMap<String, PathBuf> {
    let files = catalog.books.iter().filter_map(|book| catalog.sources.get(book.file));
    files.filter_map(|file| Some((file.path().to_string(), PathBuf::from(file.place()?)))).collect()
}

fn read(file: &Path) -> Result<String, String> {
    read_text(file, LARGEST_FILE).map_err(|error| format!("{} cannot be read: {error}", file.display()))
}

/// The Markdown files at or below a path, in order.
fn books(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        inside.sort();
        let hidden =
            |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        return inside.iter().filter(|path| !hidden(path)).try_for_each(|path| books(path, found));
    }
    if path.extension() == Some("md".as_ref()) {
        found.push(path.to_path_buf());
    }
    Ok(())
}

/// What a file of cases says before its first heading: `game: ID`, `layer: ID, ID`.
fn head(file: &Path) -> Result<Option<Wanted>, String> {
    let mut wanted = Wanted::default();
    for line in read(file)?.lines().take_while(|line| !line.starts_with('#')) {
        match line.split_once(':') {
            Some(("game", id)) => wanted.game = id.trim().to_string(),
            Some(("layer", ids)) => {
                wanted.layers = ids.split(',').map(|id| id.trim().to_string()).collect();
            }
            _ => {}
        }
    }
    Ok((!wanted.game.is_empty()).then_some(wanted))
}

/// The game, or the layer of one, in whose folder a file stands.
fn owner(file: &Path) -> Option<Wanted> {
    let single = ["toml", "lua"].iter().find_map(|ending| {
        let beside = file.with_extension(ending);
        open_path(&beside).filter(|_| beside.exists()).map(|found| (found, beside))
    });
    let above = || {
        file.ancestors().skip(1).find_map(|folder| {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            open_path(folder).map(|found| (found, folder.to_path_buf()))
        })
    };
    let (found, path) = single.or_else(above)?;
    Wanted::at(&path, found).ok()
}

//! Finding and loading games for the other commands.

use crate::args::{GameArgs, ListArgs, WithArgs};
use sandtable_data::catalog::{self, Catalog};
use sandtable_data::definition::codes::BAD_OPTION;
use sandtable_data::definition::{self, Definition};
use sandtable_data::diagnostic::{Diagnostic, Diagnostics};
use sandtable_data::package::{DiskFiles, Files, MemoryFiles};
use sandtable_data::package_search::SearchPath;
use sandtable_data::render;
use sandtable_kernel::world::Datum;
use sandtable_session::Game;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

/// Where games and layers are looked for, in order.
pub fn search_path(with: &WithArgs) -> SearchPath {
    let mut search = SearchPath::new();
    for folder in &with.path {
        search.push(DiskFiles::new(folder));
    }
    search.push(DiskFiles::new("."));
    if let Some(folder) = user_folder().filter(|folder| folder.is_dir()) {
        search.push(DiskFiles::new(folder));
    }
    search.push(shipped(&search));
    search
}

/// The games in the binary alone.
pub fn embedded_path() -> SearchPath {
    SearchPath::new().with(sandtable_games::FILES.iter().copied().collect::<MemoryFiles>())
}

/// The folder of layers and games that this user has everywhere: `SANDTABLE_HOME`, or the usual place for data.
pub fn user_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("SANDTABLE_HOME")
        .or_else(|| Some(folder("XDG_DATA_HOME")?.join("sandtable")))
        .or_else(|| Some(folder("HOME")?.join(".local/share/sandtable")))
        .or_else(|| Some(folder("APPDATA")?.join("sandtable")))
}

/// The games embedded in the binary, without what stands on disk: the rules of a game are taken whole from one place, and so are its
/// scenarios, unless the place with the rules has none.
fn shipped(disk: &SearchPath) -> MemoryFiles {
    let on_disk = |folder: &str, game: &str| {
        let has = |root: &dyn Files, name: &str| root.list(&format!("{name}/{game}")).is_ok();
        disk.roots().iter().any(|root| has(&**root, "rules") && has(&**root, folder))
    };
    let mut known: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    let wanted = sandtable_games::FILES.iter().filter(|(path, _)| {
        let mut parts = path.split('/');
        let (folder, game) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        !*known.entry((folder, game)).or_insert_with(|| on_disk(folder, game))
    });
    wanted.copied().collect()
}

/// The games that a command is about: those named, or all there are.
pub fn games(named: &[String], search: &SearchPath) -> Vec<String> {
    if named.is_empty() {
        return search.list_games().into_iter().map(|found| found.manifest.id).collect();
    }
    named.to_vec()
}

/// A game as data: tables merged, definition built; scripts not yet run.
pub struct Loaded {
    pub catalog: Catalog,
    pub definition: Definition,
}

/// Lets messages about a game name files as an editor opens them from the current folder.
pub fn opened((mut catalog, problems): (Catalog, Diagnostics)) -> (Catalog, Diagnostics) {
    if let Ok(folder) = std::env::current_dir() {
        catalog.sources.show_from(&folder.display().to_string());
    }
    (catalog, problems)
}

/// Reads and merges a game; problems are printed.
pub fn load(args: &GameArgs) -> Result<Loaded, String> {
    load_as(&args.game, args.scenario.as_deref(), &args.with)
}

/// Reads and merges a game with a scenario (`Some("")` for the bare game).
pub fn load_as(game: &str, scenario: Option<&str>, with: &WithArgs) -> Result<Loaded, String> {
    load_from(&search_path(with), game, scenario, with)
}

/// The same, from places of its own.
pub fn load_from(
    search: &SearchPath,
    game: &str,
    scenario: Option<&str>,
    with: &WithArgs,
) -> Result<Loaded, String> {
    let (catalog, mut problems) = opened(catalog::load(game, &with.layer, &with.set, search));
    if problems.has_errors() {
        return Err(report(&problems, &catalog));
    }
    let options = options(with)?;
    let (definition, more) = definition::build(&catalog, scenario, &options);
    problems.append(more);
    match definition {
        Some(definition) => Ok(Loaded { catalog, definition }),
        None => Err(report(&problems, &catalog)),
    }
}

/// A game as merged tables, with the options of the command line.
pub fn catalog(game: &str, with: &WithArgs) -> Result<(Catalog, Vec<(String, String)>), String> {
    let (catalog, problems) = opened(catalog::load(game, &with.layer, &with.set, &search_path(with)));
    if problems.has_errors() {
        return Err(report(&problems, &catalog));
    }
    let options = said(&catalog, with)?;
    Ok((catalog, options))
}

/// The options of the command line, unless one of them or a setting is wrong: that is told once and at once, not by whatever is built
/// with it later. Other problems of the game are not looked at.
pub fn said(catalog: &Catalog, with: &WithArgs) -> Result<Vec<(String, String)>, String> {
    let options = options(with)?;
    if options.is_empty() && with.set.is_empty() {
        return Ok(options);
    }
    let (_, problems) = definition::build(catalog, Some(""), &options);
    let set =
        |problem: &Diagnostic| problem.span.is_some_and(|span| catalog.sources.path(span.file) == "--set");
    let mut wrong = Diagnostics::new();
    wrong.extend(problems.into_iter().filter(|problem| problem.code.code == BAD_OPTION.code || set(problem)));
    if wrong.has_errors() { Err(report(&wrong, catalog)) } else { Ok(options) }
}

/// The options given on the command line.
pub fn options(with: &WithArgs) -> Result<Vec<(String, String)>, String> {
    let pair = |text: &String| match text.split_once('=') {
        Some((id, value)) => Ok((id.trim().to_string(), value.trim().to_string())),
        None => Err(format!("--option {text}: expected ID=VALUE")),
    };
    with.option.iter().map(pair).collect()
}

/// Problems that keep a game from loading, for people.
pub fn report(problems: &Diagnostics, catalog: &Catalog) -> String {
    let shown = problems
        .iter()
        .take(20)
        .map(|problem| render::full(problem, &catalog.sources, render::Colour::Never));
    let mut text: Vec<String> = shown.collect();
    if problems.len() > 20 {
        text.push(format!("… and {} more problems", problems.len() - 20));
    }
    format!("the game cannot be loaded\n\n{}", text.join("\n"))
}

/// Runs the scripts of a loaded game.
pub fn game(loaded: &Loaded) -> Result<Rc<Game>, String> {
    game_as(loaded, false)
}

/// Runs the scripts of a loaded game; an audited one can tell whether they keep something between steps.
pub fn game_as(loaded: &Loaded, audited: bool) -> Result<Rc<Game>, String> {
    let make = if audited { Game::audited } else { Game::new };
    match make(loaded.definition.clone(), &loaded.catalog) {
        Ok(game) => Ok(Rc::new(game)),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

/// `sandtable list`.
pub fn list(args: &ListArgs) -> Result<bool, String> {
    let Some(game) = &args.game else {
        let search = search_path(&args.with);
        for found in search.list_games() {
            outln!("{:24} {}", found.manifest.id, found.manifest.title);
        }
        let libraries = search.list_libraries();
        if !libraries.is_empty() {
            outln!("\nlibraries");
        }
        for found in libraries {
            outln!("  {:24} {} {}", found.manifest.id, found.manifest.version, found.manifest.title);
        }
        return Ok(true);
    };
    let loaded = load_as(game, None, &args.with)?;
    outln!("{}: {}\n\nscenarios", loaded.definition.id, loaded.definition.title);
    let order = |id: &str| loaded.catalog.row("scenario", id).and_then(|row| row.get("order")?.as_int());
    let mut scenarios: Vec<_> = loaded.definition.scenarios.iter().collect();
    // The first is the one that is played when none is named.
    scenarios.sort_by_key(|(id, _)| order(id).unwrap_or(99));
    for (id, title) in scenarios {
        outln!("  {id:24} {title}");
    }
    let world = &loaded.definition.world;
    if !world.options.is_empty() {
        outln!("\noptions");
    }
    for option in &world.options {
        outln!("  {:32} {} (now {})", world.symbols.text(option.id), option.title, shown(&option.value));
    }
    let libraries: Vec<_> = loaded.catalog.layers.iter().filter(|layer| layer.library).collect();
    if !libraries.is_empty() {
        outln!("\nlibraries");
    }
    for library in libraries {
        outln!("  {:24} {} {}", library.id, library.version, library.title);
    }
    let layers = search_path(&args.with).list_layers();
    let mut own: Vec<_> =
        layers.iter().filter(|found| found.manifest.game.as_deref() == Some(game)).collect();
    // The same layer may stand on disk and in the binary.
    own.sort_by(|a, b| a.manifest.id.cmp(&b.manifest.id));
    own.dedup_by(|a, b| a.manifest.id == b.manifest.id);
    if !own.is_empty() {
        outln!("\nlayers");
    }
    for found in own {
        let manifest = &found.manifest;
        let needs: Vec<&str> = manifest.needs.iter().map(|need| need.id.as_str()).collect();
        let needs = if needs.is_empty() { String::new() } else { format!(" (needs {})", needs.join(", ")) };
        outln!("  {:24} {} {}{needs}", manifest.id, manifest.version, manifest.title);
    }
    Ok(true)
}

/// A value of an option as people write it.
fn shown(datum: &Datum) -> String {
    match datum {
        Datum::Int(n) => n.to_string(),
        Datum::Bool(b) => b.to_string(),
        Datum::Text(text) => text.clone(),
        Datum::List(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        Datum::Table(entries) => {
            entries.iter().map(|(key, item)| format!("{key} {}", shown(item))).collect::<Vec<_>>().join(", ")
        }
    }
}

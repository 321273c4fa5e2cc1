//! `sandtable check`: every problem of games and layers, with its place.

use crate::args::{CheckArgs, Format};
use crate::load;
use crate::paint::Paint;
use sandtable_data::catalog::{self, Catalog, LayerFile};
use sandtable_data::diagnostic::{Diagnostic, Diagnostics, Severity};
use sandtable_data::diagnostic_codes;
use sandtable_data::file::{LARGEST_FILE, read_text};
use sandtable_data::origin::LayerId;
use sandtable_data::package::DiskFiles;
use sandtable_data::package::MANIFESTS;
use sandtable_data::package_manifest::PackageKind;
use sandtable_data::package_search::{Found, SearchPath, manifest_problems, open_path};
use sandtable_data::render;
use sandtable_data::source::Sources;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Something to check: a game, by id or found at a path, with layers.
struct Task {
    /// What the summary calls it.
    name: String,
    game: Result<String, Found>,
    layers: Vec<String>,
    /// A root to look in before all others.
    root: Option<PathBuf>,
    /// Only problems of this file, or of the layer in question.
    only: Option<PathBuf>,
    /// A file of cases that belongs to no package.
    cases: Option<PathBuf>,
}

/// Runs the command. False if there is an error among the problems.
pub fn run(args: &CheckArgs) -> Result<bool, String> {
    if let Some(code) = &args.explain {
        return explain(code);
    }
    let search = load::search_path(&args.with);
    let mut printer = Printer { args, seen: BTreeSet::new(), json: Vec::new(), fine: true };
    for task in tasks(args, &search, &mut printer)? {
        printer.check(&task, &search)?;
    }
    if args.json {
        outln!("{}", serde_json::json!({ "problems": printer.json }));
    }
    Ok(printer.fine)
}

fn explain(code: &str) -> Result<bool, String> {
    let Some(info) = diagnostic_codes::explain(code, sandtable_lint::CODES) else {
        let names = sandtable_lint::CODES
            .iter()
            .flat_map(|table| table.iter().flat_map(|info| [info.code, info.name]));
        let help = sandtable_data::suggest::did_you_mean(code, names)
            .map_or(String::new(), |help| format!("; {help}"));
        let all: Vec<String> = sandtable_lint::CODES
            .iter()
            .flat_map(|table| {
                table.iter().map(|info| format!("  {} {:24} {}", info.code, info.name, info.title))
            })
            .collect();
        return Err(format!("there is no code {code}{help}\n\nThe codes are:\n{}", all.join("\n")));
    };
    let example = info.example.replace('\n', "\n  ");
    outln!(
        "{} {}: {}\n\n{}\n\nExample:\n  {example}\n\nRepair: {}",
        info.code,
        info.name,
        info.title,
        info.cause,
        info.repair
    );
    Ok(true)
}

/// What the arguments name; without any, all games and, each alone, all their layers.
fn tasks(args: &CheckArgs, search: &SearchPath, printer: &mut Printer<'_>) -> Result<Vec<Task>, String> {
    let by_id = |id: &String| Task {
        name: id.clone(),
        game: Ok(id.clone()),
        layers: args.with.layer.clone(),
        root: None,
        only: None,
        cases: None,
    };
    if args.games.is_empty() {
        let games = load::games(&[], search);
        let mut tasks: Vec<Task> = games.iter().map(by_id).collect();
        for layer in search.list_layers().into_iter().filter(|_| args.with.layer.is_empty()) {
            tasks.extend(of_layer(layer));
        }
        return Ok(tasks);
    }
    let mut tasks = Vec::new();
    for named in &args.games {
        let path = Path::new(named);
        if search.find_game(named).is_some() || !path.exists() {
            tasks.push(by_id(named));
        } else {
            tasks.extend(at_path(path, args, printer)?);
        }
    }
    Ok(tasks)
}

/// A layer, checked with the game it is for.
fn of_layer(layer: Found) -> Option<Task> {
    let game = layer.manifest.game.clone()?;
    let path = layer.place.clone().unwrap_or_else(|| layer.manifest.id.clone());
    let only = layer.place.as_ref().map(PathBuf::from);
    Some(Task {
        name: format!("{game} with {}", layer.manifest.id),
        game: Ok(game),
        layers: vec![path],
        root: None,
        only,
        cases: None,
    })
}

/// A library, checked with each game that needs it: what its scripts mean depends on the tables of the game.
fn of_library(library: &Found, args: &CheckArgs) -> Result<Vec<Task>, String> {
    let id = &library.manifest.id;
    let place = library.place.as_ref().map(PathBuf::from);
    // The folder that holds `rules/lib/ID` comes before the others.
    let root = place.as_deref().and_then(|place| place.canonicalize().ok());
    let root = root.as_deref().and_then(|place| place.ancestors().nth(3)).map(Path::to_path_buf);
    let mut with = args.with.clone();
    with.path.splice(0..0, root.clone());
    let games = load::search_path(&with).list_games();
    let needing = games.into_iter().filter(|game| game.manifest.needs.iter().any(|need| need.id == *id));
    let task = |game: Found| Task {
        name: format!("{id} with {}", game.manifest.id),
        game: Ok(game.manifest.id),
        layers: args.with.layer.clone(),
        root: root.clone(),
        only: place.clone(),
        cases: None,
    };
    let tasks: Vec<Task> = needing.map(task).collect();
    if tasks.is_empty() {
        return Err(format!(
            "library {id}: no game that is here needs it, and without the tables of one its scripts say nothing; write `needs = [\"{id}\"]` into a game.toml"
        ));
    }
    Ok(tasks)
}

/// The packages at a path: a game, a layer, a file of one, or a folder that holds some.
fn at_path(path: &Path, args: &CheckArgs, printer: &mut Printer<'_>) -> Result<Vec<Task>, String> {
    if let Some(found) = open_path(path) {
        if found.manifest.kind == PackageKind::Library {
            return of_library(&found, args);
        }
        if found.manifest.kind == PackageKind::Layer {
            let id = found.manifest.id.clone();
            return match of_layer(found) {
                Some(task) => Ok(vec![task]),
                None => Err(format!(
                    "{}: layer {id} does not say for which game it is; add `game`",
                    path.display()
                )),
            };
        }
        // Scenarios of a game in `rules/` stand beside that folder.
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let root = folder.ancestors().nth(2).map(Path::to_path_buf);
        let name = found.manifest.id.clone();
        return Ok(vec![Task {
            name,
            game: Err(found),
            layers: args.with.layer.clone(),
            root,
            only: None,
            cases: None,
        }]);
    }
    if path.is_dir() {
        if let Some((sources, problems)) = manifest_problems(path) {
            printer.show(&path.display().to_string(), problems.iter().collect(), &sources);
            return Ok(Vec::new());
        }
        let inside = SearchPath::new().with(DiskFiles::new(path));
        let mut found = inside.list_games();
        found.extend(inside.list_layers());
        found.extend(inside.list_libraries());
        if found.is_empty() {
            return Err(format!("{}: neither a game nor a layer, and none inside", path.display()));
        }
        let paths = found.into_iter().filter_map(|found| found.place).map(PathBuf::from);
        return paths
            .map(|path| at_path(&path, args, printer))
            .collect::<Result<Vec<_>, _>>()
            .map(|lists| lists.into_iter().flatten().collect());
    }
    // A file of a package: the nearest folder above with a manifest.
    let whole = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    let package =
        whole.ancestors().skip(1).find(|folder| MANIFESTS.iter().any(|name| folder.join(name).is_file()));
    if let Some((game, more)) = head_of_cases(path) {
        let mut layers = args.with.layer.clone();
        layers.extend(more);
        let (name, only, cases) = (path.display().to_string(), Some(whole.clone()), Some(path.to_path_buf()));
        return Ok(vec![Task { name, game: Ok(game), layers, root: None, only, cases }]);
    }
    let Some(package) = package else {
        return Err(format!("{}: the file belongs to no game or layer", path.display()));
    };
    let mut tasks = at_path(package, args, printer)?;
    tasks.iter_mut().for_each(|task| task.only = Some(whole.clone()));
    Ok(tasks)
}

/// The game and the layers that a file of cases names before its first heading: `game: ID`, `layer: ID, ID`.
fn head_of_cases(path: &Path) -> Option<(String, Vec<String>)> {
    let text = read_text(path, LARGEST_FILE).ok().filter(|_| path.extension() == Some("md".as_ref()))?;
    let head =
        || text.lines().take_while(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
    let game = head().find(|(key, _)| *key == "game")?.1.trim().to_owned();
    let layers = head().filter(|(key, _)| *key == "layer").flat_map(|(_, ids)| ids.split(','));
    Some((game, layers.map(|id| id.trim().to_owned()).collect()))
}

/// Adds a file of cases to the books of a game.
fn add_cases(catalog: &mut Catalog, path: &Path) -> Result<(), String> {
    let text = read_text(path, LARGEST_FILE).map_err(|error| format!("{}: {error}", path.display()))?;
    let shown = path.display().to_string();
    let file = catalog.sources.add_at(&shown, Some(shown.clone()), text);
    catalog.books.push(LayerFile { layer: LayerId(0), path: shown, file });
    Ok(())
}

/// Shows problems as the arguments ask for; what was shown once is not shown again.
struct Printer<'a> {
    args: &'a CheckArgs,
    seen: BTreeSet<String>,
    json: Vec<serde_json::Value>,
    fine: bool,
}

impl Printer<'_> {
    fn check(&mut self, task: &Task, search: &SearchPath) -> Result<(), String> {
        let mut own = SearchPath::new();
        task.root.iter().for_each(|root| own.push(DiskFiles::new(root)));
        search.roots().iter().for_each(|root| own.push_shared(root.clone()));
        let sets = &self.args.with.set;
        let (mut catalog, merged) = match &task.game {
            Ok(id) => catalog::load(id, &task.layers, sets, &own),
            Err(found) => catalog::load_found(found, &task.layers, sets, &own),
        };
        if let Some(path) = &task.cases {
            add_cases(&mut catalog, path)?;
        }
        let (catalog, merged) = load::opened((catalog, merged));
        let problems = sandtable_lint::check(&catalog, merged, &load::options(&self.args.with)?);
        let shown = self.chosen(task, &problems, &catalog.sources);
        self.show(&task.name, shown, &catalog.sources);
        Ok(())
    }

    /// The problems that a task is about: of a single file or layer, and errors that keep it from being looked at.
    fn chosen<'p>(&self, task: &Task, problems: &'p Diagnostics, sources: &Sources) -> Vec<&'p Diagnostic> {
        let only = task.only.as_ref().and_then(|only| only.canonicalize().ok());
        let inside = |problem: &Diagnostic| {
            let (Some(only), Some(span)) = (&only, problem.span) else { return true };
            let place = sources
                .get(span.file)
                .and_then(|file| file.place())
                .and_then(|place| Path::new(place).canonicalize().ok());
            place.is_none_or(|place| place.starts_with(only)) || problem.severity == Severity::Error
        };
        problems.iter().filter(|problem| inside(problem)).collect()
    }

    fn show(&mut self, name: &str, problems: Vec<&Diagnostic>, sources: &Sources) {
        let colour = Paint::out().of_problems();
        let mut counts = [0, 0];
        for problem in problems {
            let error = problem.severity == Severity::Error;
            self.fine &= !error && !self.args.strict;
            counts[usize::from(!error)] += 1;
            let line = render::concise(problem, sources);
            if !self.seen.insert(line.clone()) {
                continue;
            }
            match self.args.format {
                _ if self.args.json => self.json.push(render::to_json(problem, sources)),
                Format::Full => outln!("{}", render::full(problem, sources, colour)),
                Format::Concise => outln!("{line}"),
            }
        }
        if !self.args.json {
            outln!("{name}: {}, {}", counted(counts[0], "error"), counted(counts[1], "warning"));
        }
    }
}

/// A number of things.
fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

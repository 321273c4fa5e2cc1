//! Finding packages: a list of roots, searched in order; a package is taken whole from the first root that has it.

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::package::{
    DiskFiles, Files, MANIFESTS, PackageFile, Walk, extension, file_name, join, manifest_of, read_file, walk,
};
use crate::package_manifest::{Manifest, PackageKind, is_layer_lua, is_layer_toml};
use crate::source::Sources;

/// Where packages are looked for. Each root may hold `rules/ID/`, `rules/lib/ID/`, `layers/…`, `scenarios/ID/`, or packages
/// directly.
#[derive(Debug, Clone, Default)]
pub struct SearchPath {
    roots: Vec<Arc<dyn Files>>,
    ids_only: bool,
}

/// A package that was found and not yet read.
#[derive(Debug, Clone)]
pub struct Found {
    /// What it says about itself.
    pub manifest: Manifest,
    /// Its folder, or its file, inside its root.
    pub path: String,
    /// Where it stands on disk, if it does.
    pub place: Option<String>,
    files: Arc<dyn Files>,
    /// The name of the manifest in the folder; nothing for a package of one file.
    in_folder: Option<&'static str>,
}

/// The folder of the libraries.
const LIBRARIES: &str = "rules/lib";

/// The texts of one package, read into the sources.
#[derive(Debug)]
pub(crate) struct Package {
    pub manifest: Manifest,
    pub place: Option<String>,
    pub files: Vec<PackageFile>,
}

impl SearchPath {
    /// Makes an empty search path.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a root after the others.
    pub fn push(&mut self, files: impl Files + 'static) {
        self.roots.push(Arc::new(files));
    }

    /// Adds a shared root after the others.
    pub fn push_shared(&mut self, files: Arc<dyn Files>) {
        self.roots.push(files);
    }

    /// Finds layers by their ids only. What comes from somebody else may name them, but no other folder of this computer.
    #[must_use]
    pub fn ids_only(mut self) -> Self {
        self.ids_only = true;
        self
    }

    /// Whether layers are found by their ids only.
    pub(crate) fn is_ids_only(&self) -> bool {
        self.ids_only
    }

    /// Returns the search path with one more root.
    #[must_use]
    pub fn with(mut self, files: impl Files + 'static) -> Self {
        self.push(files);
        self
    }

    /// Lists all games, each id once, sorted by id.
    pub fn list_games(&self) -> Vec<Found> {
        self.all(PackageKind::Game)
    }

    /// Lists all layers, each id once for each game, sorted by id and game.
    pub fn list_layers(&self) -> Vec<Found> {
        self.all(PackageKind::Layer)
    }

    /// Lists all libraries, each id once, sorted by id.
    pub fn list_libraries(&self) -> Vec<Found> {
        self.all(PackageKind::Library)
    }

    fn all(&self, kind: PackageKind) -> Vec<Found> {
        let mut list: Vec<Found> = self.roots.iter().flat_map(|root| packages(root, kind)).collect();
        // The sort is stable, so of equal ids the one of the earlier root stays.
        let name = |found: &Found| (found.manifest.id.clone(), found.manifest.game.clone());
        list.sort_by_key(name);
        list.dedup_by_key(|found| name(found));
        list
    }

    /// Finds a game by its id.
    pub fn find_game(&self, id: &str) -> Option<Found> {
        self.find_in("rules", id, PackageKind::Game)
    }

    /// Finds a library by its id.
    pub fn find_library(&self, id: &str) -> Option<Found> {
        self.find_in(LIBRARIES, id, PackageKind::Library)
    }

    fn find_in(&self, folder: &str, id: &str, kind: PackageKind) -> Option<Found> {
        let usual = |root: &Arc<dyn Files>| {
            open(root, &join(folder, id)).filter(|f| f.manifest.id == id && f.manifest.kind == kind)
        };
        self.roots.iter().find_map(|root| {
            usual(root).or_else(|| packages(root, kind).into_iter().find(|f| f.manifest.id == id))
        })
    }

    /// Reports what keeps the game at its usual place from being found; false if nothing is there.
    pub(crate) fn broken_game(&self, id: &str, sources: &mut Sources, out: &mut Diagnostics) -> bool {
        self.broken_in("rules", id, sources, out)
    }

    /// The same for a library.
    pub(crate) fn broken_library(&self, id: &str, sources: &mut Sources, out: &mut Diagnostics) -> bool {
        self.broken_in(LIBRARIES, id, sources, out)
    }

    fn broken_in(&self, folder: &str, id: &str, sources: &mut Sources, out: &mut Diagnostics) -> bool {
        let folder = join(folder, id);
        self.roots.iter().any(|root| broken_manifest(&**root, &folder, id, sources, out))
    }

    /// Finds a layer for a game by its id, or by a path on disk to its folder or file. Layers of two games may have the same id;
    /// one that is for another game is found where this one has none, so that what is wrong can be said.
    pub fn find_layer(&self, id_or_path: &str, game: &str) -> Option<Found> {
        let named =
            |found: &Found| found.manifest.id == id_or_path && found.manifest.kind == PackageKind::Layer;
        let own = |found: &Found| named(found) && found.manifest.is_for(game);
        let by_id = || {
            let first = |fits: &dyn Fn(&Found) -> bool| {
                self.roots.iter().find_map(|root| {
                    let usual = usual_places(&**root, id_or_path);
                    let usual = usual.iter().find_map(|path| open(root, path).filter(fits));
                    usual.or_else(|| packages(root, PackageKind::Layer).into_iter().find(fits))
                })
            };
            first(&own).or_else(|| first(&named))
        };
        let path_like = !self.ids_only && id_or_path.contains(['/', '\\', '.']);
        if path_like { open_path(Path::new(id_or_path)).or_else(by_id) } else { by_id() }
    }

    /// Returns the roots in order.
    pub fn roots(&self) -> &[Arc<dyn Files>] {
        &self.roots
    }

    /// Reads a package's files; a game also gets the scenario files of all roots.
    pub(crate) fn read(&self, found: &Found, sources: &mut Sources, out: &mut Diagnostics) -> Package {
        let mut package = found.read(sources, out);
        if found.manifest.kind == PackageKind::Game {
            let folder = format!("scenarios/{}", found.manifest.id);
            for root in &self.roots {
                for path in listed(&**root, &folder, &folder, out).unwrap_or_default() {
                    if package.files.iter().any(|file| file.path == path) {
                        continue;
                    }
                    if let Some((file, bytes)) = read_file(&**root, &path, &path, sources, out) {
                        package.files.push(PackageFile { path, file, bytes });
                    }
                }
            }
        }
        package
    }
}

impl Found {
    fn read(&self, sources: &mut Sources, out: &mut Diagnostics) -> Package {
        let (paths, prefix) = match self.in_folder {
            None => {
                // The cases of a layer in one file stand beside it, under the same name.
                let book = book_of(&self.path);
                let book = self.files.read(&book).is_ok().then_some(book);
                (std::iter::once(self.path.clone()).chain(book).collect(), String::new())
            }
            Some(_) => (
                listed(&*self.files, &self.path, &self.manifest.id, out).unwrap_or_default(),
                self.path.clone(),
            ),
        };
        let mut files: Vec<PackageFile> = Vec::new();
        let mut books_of_others = Vec::new();
        let mut manifest = None;
        for path in paths {
            let inside = path.strip_prefix(&prefix).unwrap_or(&path).trim_start_matches('/').to_owned();
            let shown = match self.in_folder {
                None => file_name(&path).to_owned(),
                Some(_) => join(&self.manifest.id, &inside),
            };
            let mut problems = Diagnostics::new();
            let Some((file, bytes)) = read_file(&*self.files, &path, &shown, sources, &mut problems) else {
                out.append(problems);
                continue;
            };
            let text = sources.text(file);
            let is_manifest = match self.in_folder {
                Some(name) => name == inside,
                None => path == self.path,
            };
            if is_manifest {
                manifest = read_manifest(text, &path, self.manifest.kind, file, out);
            } else if is_single_layer(&path, text) {
                books_of_others.push(book_of(&inside));
                continue;
            }
            out.append(problems);
            let path = if self.in_folder.is_none() { file_name(&path).to_owned() } else { inside };
            files.push(PackageFile { path, file, bytes });
        }
        files.retain(|file| !books_of_others.contains(&file.path));
        let manifest = manifest.unwrap_or_else(|| self.manifest.clone());
        Package { manifest, place: self.place.clone(), files }
    }
}

fn read_manifest(
    text: &str,
    path: &str,
    kind: PackageKind,
    file: crate::source::FileId,
    out: &mut Diagnostics,
) -> Option<Manifest> {
    match extension(path) {
        "lua" => Manifest::read_lua(text, file, out),
        _ => Manifest::read_toml(text, kind, file, out),
    }
}

/// Where the cases of a layer in one file stand: `house.lua` has `house.md`.
fn book_of(path: &str) -> String {
    format!("{}.md", path.rsplit_once('.').map_or(path, |(stem, _)| stem))
}

fn is_single_layer(path: &str, text: &str) -> bool {
    match extension(path) {
        "toml" => is_layer_toml(text),
        "lua" => is_layer_lua(text),
        _ => false,
    }
}

/// Lists a package's files, reporting what could not be listed; nothing if the folder does not exist.
fn listed(files: &dyn Files, folder: &str, shown: &str, out: &mut Diagnostics) -> Option<Vec<String>> {
    files.list(folder).ok()?;
    let mut found = Walk::default();
    walk(files, folder, 0, &mut found);
    if found.too_large {
        let message =
            format!("{shown} has more than 10000 files, or folders more than 16 deep; the rest is not read");
        out.push(Diagnostic::placeless(&codes::TOO_LARGE, message));
    }
    for folder in found.unreadable {
        out.push(Diagnostic::placeless(&codes::UNREADABLE, format!("the folder {folder} cannot be listed")));
    }
    Some(found.files)
}

/// Reports what is wrong with the manifest of a folder; false if it has none, or a sound one.
fn broken_manifest(
    files: &dyn Files,
    folder: &str,
    shown: &str,
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> bool {
    let Some(name) = files.list(folder).ok().and_then(|entries| manifest_of(&entries)) else { return false };
    let mut problems = Diagnostics::new();
    let (path, shown) = (join(folder, name), join(shown, name));
    if let Some((file, _)) = read_file(files, &path, &shown, sources, &mut problems) {
        let text = sources.text(file);
        crate::toml_file::read_toml(text, file, crate::origin::LayerId(0), &mut problems);
        Manifest::read_toml(text, PackageKind::of_manifest(name), file, &mut problems);
    }
    let broken = problems.has_errors();
    out.append(problems);
    broken
}

/// What is wrong with the manifest of a folder on disk that is not a sound package; nothing if it has none.
pub fn manifest_problems(folder: &Path) -> Option<(Sources, Diagnostics)> {
    let (mut sources, mut out) = (Sources::new(), Diagnostics::new());
    let shown = folder.display().to_string();
    broken_manifest(&DiskFiles::new(folder), "", &shown, &mut sources, &mut out).then_some((sources, out))
}

/// Reports what is wrong with the manifest at a path on disk; returns whether anything is.
pub(crate) fn broken_path(name: &str, sources: &mut Sources, out: &mut Diagnostics) -> bool {
    let path = Path::new(name);
    if path.is_dir() {
        return broken_manifest(&DiskFiles::new(path), "", name, sources, out);
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(file_name) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_file()) else {
        return false;
    };
    let mut problems = Diagnostics::new();
    if let Some((file, _)) = read_file(&DiskFiles::new(folder), file_name, name, sources, &mut problems) {
        let text = sources.text(file);
        if is_single_layer(file_name, text) {
            read_manifest(text, file_name, PackageKind::Layer, file, &mut problems);
        }
    }
    let broken = problems.has_errors();
    out.append(problems);
    broken
}

/// Opens the package at a path on disk, be it a folder or a single file.
pub fn open_path(path: &Path) -> Option<Found> {
    if path.is_dir() {
        let files: Arc<dyn Files> = Arc::new(DiskFiles::new(path));
        return open(&files, "");
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name()?.to_str()?;
    let (folder, name) = if MANIFESTS.contains(&name) { (folder, "") } else { (folder, name) };
    let files: Arc<dyn Files> = Arc::new(DiskFiles::new(folder));
    open(&files, name)
}

/// Opens the package at a path of a root; problems of its manifest are reported when it is read as a whole.
fn open(root: &Arc<dyn Files>, path: &str) -> Option<Found> {
    let in_folder = root.list(path).ok().and_then(|entries| manifest_of(&entries));
    let (file, kind) = match in_folder {
        Some(name) => (join(path, name), PackageKind::of_manifest(name)),
        None if matches!(extension(path), "toml" | "lua") => (path.to_owned(), PackageKind::Layer),
        None => return None,
    };
    let bytes = root.read(&file).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    if in_folder.is_none() && !is_single_layer(path, &text) {
        return None;
    }
    let mut sources = Sources::new();
    let id = sources.add(&*file, &*text);
    let manifest = read_manifest(&text, &file, kind, id, &mut Diagnostics::new())?;
    Some(Found {
        manifest,
        path: path.to_owned(),
        place: root.place(path),
        files: Arc::clone(root),
        in_folder,
    })
}

/// Returns where a layer usually stands, so that not every file of every game is opened to find it.
fn usual_places(root: &dyn Files, id: &str) -> Vec<String> {
    let mut folders = vec!["layers".to_owned()];
    for game in root.list("rules").unwrap_or_default().into_iter().filter(|entry| entry.folder) {
        folders.extend(["variants", "layers"].map(|folder| format!("rules/{}/{folder}", game.name)));
    }
    folders.iter().flat_map(|folder| ["", ".toml", ".lua"].map(|end| format!("{folder}/{id}{end}"))).collect()
}

/// Finds all packages of a kind in a root: at its top, under `rules/`, `rules/lib/` and `layers/`, and layers inside
/// packages.
fn packages(root: &Arc<dyn Files>, kind: PackageKind) -> Vec<Found> {
    let mut candidates: Vec<String> = vec![String::new()];
    for folder in ["", "rules", "layers", LIBRARIES] {
        for entry in root.list(folder).unwrap_or_default() {
            if entry.folder || matches!(extension(&entry.name), "toml" | "lua") {
                candidates.push(join(folder, &entry.name));
            }
        }
    }
    let mut list = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    while let Some(path) = candidates.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let Some(found) = open(root, &path) else { continue };
        if found.in_folder.is_some() && kind == PackageKind::Layer {
            let mut inside = Walk::default();
            walk(&**root, &path, 0, &mut inside);
            candidates.extend(inside.packages);
            candidates
                .extend(inside.files.into_iter().filter(|file| matches!(extension(file), "toml" | "lua")));
        }
        if found.manifest.kind == kind {
            list.push(found);
        }
    }
    list.sort_by(|a, b| a.path.cmp(&b.path));
    list
}

//! Loading: finds the packages, reads their files, orders the layers and merges them into a catalog.

use std::collections::BTreeSet;

use crate::catalog::{Catalog, LayerFile};
use crate::conflict;
use crate::csv_file::read_csv;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::layer::{ContentHash, LayerInfo, order};
use crate::merge::merge;
use crate::merge_fold::LayerTree;
use crate::origin::LayerId;
use crate::package::{extension, file_name};
use crate::package_manifest::{Manifest, PackageKind};
use crate::package_search::{Found, Package, SearchPath, broken_path};
use crate::source::{FileId, Span};
use crate::suggest::{did_you_mean, near_or_all};
use crate::toml_file::read_toml;
use crate::toml_file_source::resolve_sources;
use crate::tree::Value;

/// Loads a game with layers and settings; never stops at the first problem.
///
/// Layers and libraries that these need are loaded too. `layers` holds ids or paths, `sets` holds `KEY=VALUE`.
pub fn load(game: &str, layers: &[String], sets: &[String], search: &SearchPath) -> (Catalog, Diagnostics) {
    let Some(found) = search.find_game(game) else {
        let games = search.list_games();
        let help = near_or_all(game, games.iter().map(|found| found.manifest.id.as_str()));
        let mut out = Diagnostics::new();
        let mut catalog = Catalog::default();
        if search.broken_game(game, &mut catalog.sources, &mut out) {
            return (catalog, out);
        }
        out.push(Diagnostic::placeless(&codes::NO_GAME, format!("there is no game `{game}`")).help(help));
        return (catalog, out);
    };
    load_found(&found, layers, sets, search)
}

/// Loads a game that was already found, such as one at a path.
pub fn load_found(
    game: &Found,
    layers: &[String],
    sets: &[String],
    search: &SearchPath,
) -> (Catalog, Diagnostics) {
    let mut loader = Loader { catalog: Catalog::default(), out: Diagnostics::new(), search };
    let packages = loader.collect(game, layers);
    let groups = loader.read_all(packages, sets);
    let last = u16::try_from(loader.catalog.layers.len()).unwrap_or(u16::MAX).saturating_sub(1);
    let merged = merge(groups, (!sets.is_empty()).then_some(LayerId(last)));
    loader.out.append(merged.out);
    conflict::report(&merged.touches, &merged.scans, &loader.catalog.layers, &mut loader.out);
    loader.catalog.root.value = Value::Table(merged.root);
    loader.catalog.removed = merged.removed;
    loader.out.sort(&loader.catalog.sources);
    (loader.catalog, loader.out)
}

/// Who needs a package, and where it says so.
struct Needed {
    span: Span,
    by: PackageKind,
    id: String,
}

/// What a package needs.
fn needed_by(package: &Package) -> Vec<(String, Option<Needed>)> {
    let Manifest { kind, id, needs, .. } = &package.manifest;
    let needed = |span| Needed { span, by: *kind, id: id.clone() };
    // The last is looked for first.
    needs.iter().rev().map(|need| (need.id.clone(), Some(needed(need.span)))).collect()
}

fn is_library(manifest: &Manifest) -> bool {
    manifest.kind == PackageKind::Library
}

struct Loader<'s> {
    catalog: Catalog,
    out: Diagnostics,
    search: &'s SearchPath,
}

impl Loader<'_> {
    /// Reads the game, the layers asked for and those that they need.
    fn collect(&mut self, game: &Found, layers: &[String]) -> Vec<Package> {
        let mut packages = vec![self.search.read(game, &mut self.catalog.sources, &mut self.out)];
        let mut seen: BTreeSet<String> = BTreeSet::from([game.manifest.id.clone()]);
        let mut wanted: Vec<(String, Option<Needed>)> =
            layers.iter().rev().map(|layer| (layer.clone(), None)).collect();
        wanted.extend(needed_by(&packages[0]));
        while let Some((name, needed)) = wanted.pop() {
            // Who is needed as a library, and is there as something else, is not found.
            let other = |package: &Package| package.manifest.id == name && !is_library(&package.manifest);
            let by_library = needed.as_ref().is_some_and(|needed| needed.by != PackageKind::Layer);
            if needed.is_some() && seen.contains(&name) && !(by_library && packages.iter().any(other)) {
                continue;
            }
            let found = match by_library {
                true => self.search.find_library(&name),
                false => self.layer_or_library(&name, &game.manifest.id),
            };
            let Some(found) = found else {
                // A path that leads to a package with a bad manifest is no unknown name.
                let broken = match &needed {
                    Some(_) => self.search.broken_library(&name, &mut self.catalog.sources, &mut self.out),
                    None => {
                        !self.search.is_ids_only()
                            && broken_path(&name, &mut self.catalog.sources, &mut self.out)
                    }
                };
                if broken {
                    continue;
                }
                let mut known = Vec::new();
                if needed.is_some() {
                    known.extend(self.search.list_libraries());
                }
                if !by_library {
                    let layers = self.search.list_layers().into_iter();
                    known.extend(layers.filter(|layer| layer.manifest.may_be_for(&game.manifest.id)));
                }
                let known = || known.iter().map(|found| found.manifest.id.as_str());
                self.out.push(match needed {
                    Some(Needed { span, by, id }) => {
                        let what = if by_library { "the library " } else { "" };
                        let message = format!("{} {id} needs {what}`{name}`, which is not found", by.word());
                        Diagnostic::error(&codes::NEEDS, span, message).help(did_you_mean(&name, known()))
                    }
                    None => Diagnostic::placeless(&codes::NO_LAYER, format!("there is no layer `{name}`"))
                        .help(near_or_all(&name, known())),
                });
                continue;
            };
            if !seen.insert(found.manifest.id.clone()) {
                // The same layer named twice is harmless; two packages with one id are not.
                let twin = packages.iter().find(|package| package.manifest.id == found.manifest.id);
                if let Some(twin) = twin.filter(|twin| twin.place != found.place) {
                    let shown =
                        |place: &Option<String>| place.clone().unwrap_or("one in the program".to_owned());
                    let (id, one, other) = (&found.manifest.id, shown(&twin.place), shown(&found.place));
                    let message = format!("two packages have the id {id}: {one} and {other}");
                    self.out.push(Diagnostic::placeless(&codes::DUPLICATE_LAYER, message));
                }
                continue;
            }
            let package = self.search.read(&found, &mut self.catalog.sources, &mut self.out);
            wanted.extend(needed_by(&package));
            packages.push(package);
        }
        packages
    }

    /// The layer of that name for the game, else the library, else the layer of another game, so that what is wrong can be said.
    fn layer_or_library(&self, name: &str, game: &str) -> Option<Found> {
        let layer = self.search.find_layer(name, game);
        match layer {
            Some(layer) if !layer.manifest.is_for(game) => self.search.find_library(name).or(Some(layer)),
            Some(layer) => Some(layer),
            None => self.search.find_library(name),
        }
    }

    /// Reads the files of all packages in the order of merging, grouped by depth.
    fn read_all(&mut self, packages: Vec<Package>, sets: &[String]) -> Vec<Vec<LayerTree>> {
        let manifests: Vec<&Manifest> = packages.iter().map(|package| &package.manifest).collect();
        let steps = order(&manifests, &mut self.out).steps;
        let mut groups: Vec<Vec<LayerTree>> = Vec::new();
        for (id, step) in (0..).map(LayerId).zip(steps) {
            let package = &packages[step.manifest];
            let files = package.files.iter().map(|file| (file.path.as_str(), &file.bytes[..]));
            self.catalog.layers.push(LayerInfo {
                id: package.manifest.id.clone(),
                title: package.manifest.title.clone(),
                version: package.manifest.version.clone(),
                content_hash: ContentHash::of(files),
                depth: step.depth,
                library: is_library(&package.manifest),
                needs: step.needs,
            });
            if is_library(&package.manifest) {
                self.read_library(package, id);
                continue;
            }
            let tree = self.read_package(package, id);
            let depth = usize::from(step.depth);
            groups.resize_with(groups.len().max(depth + 1), Vec::new);
            groups[depth].push(tree);
        }
        if !sets.is_empty() {
            groups.push(vec![self.read_sets(sets)]);
        }
        groups
    }

    /// A library has scripts only; Markdown in it is for people.
    fn read_library(&mut self, package: &Package, layer: LayerId) {
        for file in &package.files {
            match extension(&file.path) {
                "lua" => {
                    let script = LayerFile { layer, path: file.path.clone(), file: file.file };
                    self.catalog.scripts.push(script);
                }
                "md" => {}
                _ if file.path == "library.toml" => {
                    let text = self.catalog.sources.text(file.file);
                    let table = read_toml(text, file.file, layer, &mut self.out);
                    for (key, _) in table.iter().filter(|(key, _)| *key != "library") {
                        let place = table.key_origin(key).map_or(Span::new(file.file, 0, 0), |at| at.span());
                        self.no_table(package, place);
                    }
                }
                _ => self.no_table(package, Span::new(file.file, 0, 0)),
            }
        }
    }

    fn no_table(&mut self, package: &Package, place: Span) {
        let message = format!(
            "library {} has a table here; a library has scripts only, the tables are those of the game",
            package.manifest.id
        );
        self.out.push(Diagnostic::error(&codes::BAD_MANIFEST, place, message));
    }

    fn read_package(&mut self, package: &Package, layer: LayerId) -> LayerTree {
        let mut tree = LayerTree::new(layer);
        for file in &package.files {
            let listed = LayerFile { layer, path: file.path.clone(), file: file.file };
            let text = self.catalog.sources.text(file.file);
            let table = match extension(&file.path) {
                "lua" => {
                    self.catalog.scripts.push(listed);
                    continue;
                }
                "md" => {
                    self.catalog.books.push(listed);
                    continue;
                }
                "csv" => {
                    let name = file_name(&file.path);
                    read_csv(text, name, file.file, layer, &mut self.catalog.citations, &mut self.out)
                }
                _ => {
                    let mut table = read_toml(text, file.file, layer, &mut self.out);
                    resolve_sources(&mut table, &mut self.catalog.citations, &mut self.out);
                    table
                }
            };
            tree.add(table, &mut self.out);
        }
        tree
    }

    /// Makes the settings of the command line a last layer that needs all others.
    fn read_sets(&mut self, sets: &[String]) -> LayerTree {
        let layer = LayerId(u16::try_from(self.catalog.layers.len()).unwrap_or(u16::MAX));
        let mut tree = LayerTree::new(layer);
        for set in sets {
            let (key, value) =
                set.split_once('=').map_or((set.trim(), ""), |(key, value)| (key.trim(), value.trim()));
            let mut text = format!("{key} = {value}");
            let mut problems = Diagnostics::new();
            read_toml(&text, FileId(0), layer, &mut problems);
            if problems.has_errors() {
                // What is no TOML value is a text: --set option.side=east.
                text = format!("{key} = {}", Value::toml_text(value));
            }
            let mut problems = Diagnostics::new();
            read_toml(&text, FileId(0), layer, &mut problems);
            if problems.has_errors() || value.is_empty() {
                let file = self.catalog.sources.add("--set", set.as_str());
                let message = format!("--set {set} cannot be read; expected KEY=VALUE");
                self.out.push(Diagnostic::error(&codes::BAD_SET, Span::new(file, 0, set.len()), message));
            } else {
                let file = self.catalog.sources.add("--set", &*text);
                let table = read_toml(&text, file, layer, &mut self.out);
                tree.add(table, &mut self.out);
            }
        }
        let needs = (0..layer.0).map(LayerId).collect();
        let depth = self.catalog.layers.iter().map(|layer| layer.depth).max().unwrap_or(0) + 1;
        self.catalog.layers.push(LayerInfo {
            id: "command line".to_owned(),
            title: "settings of the command line".to_owned(),
            version: "0".to_owned(),
            content_hash: ContentHash::of(sets.iter().map(|set| (set.as_str(), &[][..]))),
            depth,
            library: false,
            needs,
        });
        tree
    }
}

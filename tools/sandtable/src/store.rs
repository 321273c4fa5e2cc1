//! Records on disk: read with their game, written so that a process killed at any moment leaves the old file or the new.

use crate::args::WithArgs;
use crate::load::{self, Loaded};
use sandtable_data::definition::codes::BAD_OPTION;
use sandtable_data::file::{LARGEST_RECORD, read_regular};
use sandtable_data::{catalog, definition};
use sandtable_session::{Game, HeadLines, Record};
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Deref;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

/// Writes a file whole: beside it first, then in its place.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error: io::Error| format!("{} cannot be written: {error}", path.display());
    // A link stays one, and what is not a file (a device, a folder) is not replaced by one.
    let path = &match fs::metadata(path) {
        Ok(found) if !found.is_file() => return Err(format!("{} is not a file", path.display())),
        Ok(_) => fs::canonicalize(path).map_err(failed)?,
        Err(_) => path.to_path_buf(),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else {
        return Err(format!("{} is not a name of a file", path.display()));
    };
    let name = name.to_string_lossy();
    clear(folder, &name);
    let beside = folder.join(format!(".{name}.{}.new", std::process::id()));
    let whole = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        // The new name must reach the disk as well; not every system can do that for a folder.
        File::open(folder).and_then(|folder| folder.sync_all()).or(Ok(()))
    };
    whole().map_err(|error| {
        let _ = fs::remove_file(&beside);
        failed(error)
    })
}

/// Removes what processes that were killed left beside a file; what is young may be in use.
fn clear(folder: &Path, name: &str) {
    const OLD: Duration = Duration::from_secs(60);
    let start = format!(".{name}.");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let other = entry.file_name();
        let other = other.to_string_lossy();
        let age =
            entry.metadata().and_then(|found| found.modified()).ok().and_then(|then| then.elapsed().ok());
        if other.starts_with(&start) && other.ends_with(".new") && age.is_some_and(|age| age > OLD) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes a record.
pub fn write_record(path: &Path, record: &Record) -> Result<(), String> {
    write(path, record.to_string().as_bytes())
}

/// A record with its file, so that messages can name the line.
pub struct Saved {
    pub record: Record,
    path: String,
    lines: HeadLines,
}

impl Deref for Saved {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

/// Reads a record.
pub fn read_record(path: &Path) -> Result<Saved, String> {
    let bytes = read_regular(path, LARGEST_RECORD)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let (record, lines) =
        Record::with_lines(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Saved { record, path: path.display().to_string(), lines })
}

/// What a record was played with, and on top of it what the command line says.
pub fn with(record: &Record, extra: &WithArgs) -> WithArgs {
    let mut with = extra.clone();
    let layers = record.layers.iter().map(|layer| layer.id.clone());
    with.layer = layers.chain(extra.layer.iter().cloned()).collect();
    with.set = record.sets.iter().chain(&extra.set).cloned().collect();
    let options = record.options.iter().map(|(id, value)| format!("{id}={value}"));
    with.option = options.chain(extra.option.iter().cloned()).collect();
    with
}

/// Loads the game of a record.
pub fn load(saved: &Saved, extra: &WithArgs) -> Result<Loaded, String> {
    let with = with(saved, extra);
    let loaded = load::load_as(&saved.game.id, Some(&saved.scenario), &with);
    loaded.map_err(|error| unknown(saved, &with).unwrap_or(error))
}

/// The contents with which a record was made, if they still stand anywhere: where the command line says, without what it says, or in
/// the binary.
pub fn former(saved: &Saved, extra: &WithArgs) -> Option<Loaded> {
    let with = with(saved, &WithArgs { path: extra.path.clone(), ..WithArgs::default() });
    let places = [load::search_path(&with), load::search_path(&WithArgs::default()), load::embedded_path()];
    places.iter().find_map(|place| {
        let loaded = load::load_from(place, &saved.game.id, Some(&saved.scenario), &with).ok()?;
        let mut layers = loaded.catalog.layers.iter().map(|layer| u64::from_be_bytes(layer.content_hash.0));
        // Settings are a last layer of their own.
        saved.packages().all(|stamp| layers.next() == Some(stamp.hash)).then_some(loaded)
    })
}

/// What the head of a record names that is not there, with its line and what there is.
fn unknown(saved: &Saved, with: &WithArgs) -> Option<String> {
    let told = |line: usize, text: String| Some(format!("{}: line {line}: {text}", saved.path));
    let missing = |line: usize, kind: &str, name: &str, known: Vec<String>| {
        let known = match known.as_slice() {
            [] => "there is none".to_string(),
            known => format!("there are {}", known.join(", ")),
        };
        told(line, format!("there is no {kind} `{name}`; {known}"))
    };
    let (search, id) = (load::search_path(with), &saved.game.id);
    if search.find_game(id).is_none() {
        let known = search.list_games().into_iter().map(|found| found.manifest.id).collect();
        return missing(saved.lines.game, "game", id, known);
    }
    let mut layers = saved.layers.iter().zip(&saved.lines.layers);
    if let Some((layer, line)) = layers.find(|(layer, _)| search.find_layer(&layer.id, id).is_none()) {
        let all = search.list_layers().into_iter().map(|found| found.manifest);
        let own = all.filter(|manifest| manifest.may_be_for(id));
        let mut known: Vec<String> = own.map(|manifest| manifest.id).collect();
        known.sort();
        known.dedup();
        return missing(*line, "layer", &layer.id, known);
    }
    let (catalog, problems) = catalog::load(id, &with.layer, &with.set, &search);
    if problems.has_errors() {
        return None;
    }
    let ids = |table: &str| catalog.rows(table).map(|(id, _)| id.to_string()).collect();
    if !saved.scenario.is_empty() && catalog.row("scenario", &saved.scenario).is_none() {
        return missing(saved.lines.scenario, "scenario", &saved.scenario, ids("scenario"));
    }
    for (option, line) in saved.options.iter().zip(&saved.lines.options) {
        if catalog.row("option", &option.0).is_none() {
            return missing(*line, "option", &option.0, ids("option"));
        }
        let (_, problems) = definition::build(&catalog, Some(""), std::slice::from_ref(option));
        if let Some(problem) = problems.iter().find(|problem| problem.code.code == BAD_OPTION.code) {
            return told(*line, problem.message.clone());
        }
    }
    None
}

/// Loads the game of a record with its scripts.
pub fn game(saved: &Saved, extra: &WithArgs) -> Result<Rc<Game>, String> {
    load::game(&load(saved, extra)?)
}

/// What is not as it was when the record was made: packages with other contents, more or fewer of them.
pub fn changed(record: &Record, game: &Game) -> Vec<String> {
    let head = game.head(record.seed);
    let mut changed = Vec::new();
    let (then, now): (Vec<_>, Vec<_>) = (record.packages().collect(), head.packages().collect());
    for stamp in &then {
        match now.iter().find(|other| other.id == stamp.id) {
            None => changed.push(format!("{} is not loaded", stamp.id)),
            Some(other) if other.hash != stamp.hash => {
                let versions = if other.version == stamp.version {
                    format!("version {}", stamp.version)
                } else {
                    format!("version {} then, {} now", stamp.version, other.version)
                };
                let (then, now) = (stamp.hash >> 32, other.hash >> 32);
                changed.push(format!("{} is {now:08x}…, was {then:08x}… ({versions})", stamp.id));
            }
            Some(_) => {}
        }
    }
    for stamp in now.iter().filter(|stamp| !then.iter().any(|other| other.id == stamp.id)) {
        changed.push(format!("{} is new", stamp.id));
    }
    for (id, value) in &head.options {
        match record.options.iter().find(|(other, _)| other == id) {
            None => changed.push(format!("option {id} is new")),
            Some((_, then)) if then != value => changed.push(format!("option {id} was {then}, is {value}")),
            Some(_) => {}
        }
    }
    for (id, _) in record.options.iter().filter(|(id, _)| !head.options.iter().any(|(other, _)| other == id))
    {
        changed.push(format!("option {id} is gone"));
    }
    if head.sets != record.sets {
        changed.push("other settings".into());
    }
    changed
}

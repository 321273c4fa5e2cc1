//! A game on the terminal that is not saved is kept: after every line in a file of its own, until it is saved. Whoever types Ctrl-C or
//! Ctrl-D, or whose terminal goes away, loses nothing.

use crate::{load, out, store};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What is said when the game is left by Ctrl-C.
static PARTING: Mutex<String> = Mutex::new(String::new());

/// Where a game is kept.
pub struct Keep {
    /// The file; nothing where nobody plays, but lines come from a file.
    file: Option<PathBuf>,
    /// The record as it was last written there.
    kept: String,
    /// The record as it was last saved or loaded.
    saved: String,
    /// The file into which it was saved, or from which it was loaded.
    pub last: Option<PathBuf>,
}

impl Keep {
    /// Keeps a game that a person plays, new or loaded from a file, as it is now. Says which games of this kind were left.
    pub fn new(game: &str, seed: u64, loaded: Option<&Path>, now: String, played: bool) -> Keep {
        let folder = load::user_folder().map(|folder| folder.join("unsaved")).filter(|_| played);
        let Some(folder) = folder else {
            return Keep { file: None, kept: now.clone(), saved: now, last: loaded.map(Path::to_path_buf) };
        };
        on_interrupt();
        let own = |path: &Path| {
            path.canonicalize().is_ok_and(|path| folder.canonicalize().is_ok_and(|own| path.starts_with(own)))
        };
        // One that was kept is kept where it is, and not yet saved.
        if let Some(path) = loaded.filter(|path| own(path)) {
            let keep = Keep { file: Some(path.to_path_buf()), kept: now, saved: String::new(), last: None };
            keep.part();
            return keep;
        }
        if loaded.is_none() {
            left(&folder, game).iter().for_each(|path| {
                outln!("not saved the last time; this goes on with it:\n  {}", command(path));
            });
        }
        let names =
            std::iter::once(format!("{game}-{seed}")).chain((2..).map(|n| format!("{game}-{seed}-{n}")));
        let file = names.map(|name| folder.join(name + ".record")).find(|path| !path.exists());
        Keep { file, kept: now.clone(), saved: now, last: loaded.map(Path::to_path_buf) }
    }

    /// Keeps the record as it is now.
    pub fn keep(&mut self, now: String) {
        let Some(file) = self.file.clone().filter(|_| now != self.kept) else { return };
        if now == self.saved {
            self.clear();
        } else {
            let written = file.parent().map_or(Ok(()), fs::create_dir_all);
            let written = written.map_err(|error| format!("{} cannot be written: {error}", file.display()));
            if let Err(error) = written.and_then(|()| store::write(&file, now.as_bytes())) {
                outln!("{error}; this game is not kept until it is saved");
                self.file = None;
            }
        }
        self.kept = now;
        self.part();
    }

    /// Saves the record into a file.
    pub fn save(&mut self, path: &Path, now: String) -> Result<(), String> {
        store::write(path, now.as_bytes())?;
        self.clear();
        self.last = Some(path.to_path_buf());
        self.kept.clone_from(&now);
        self.saved = now;
        self.part();
        Ok(())
    }

    /// What is to be said when the game is left.
    pub fn farewell(&self) -> String {
        match self.file.as_ref().filter(|_| self.kept != self.saved) {
            Some(file) => format!("not saved, but kept; this goes on with it:\n  {}", command(file)),
            None => String::new(),
        }
    }

    fn clear(&self) {
        if let Some(file) = &self.file {
            let _ = fs::remove_file(file);
        }
    }

    fn part(&self) {
        if let Ok(mut said) = PARTING.lock() {
            *said = self.farewell();
        }
    }
}

/// How one goes on with a record.
fn command(path: &Path) -> String {
    let path = path.display().to_string();
    let path = if path.contains(' ') { format!("'{path}'") } else { path };
    format!("sandtable play --load {path} --terminal")
}

/// The games that were left without being saved, the youngest first.
fn left(folder: &Path, game: &str) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // The seed follows; another game may have a longer name that begins alike.
            let rest = name.strip_prefix(game).and_then(|rest| rest.strip_prefix('-'));
            rest.is_some_and(|rest| {
                rest.ends_with(".record") && rest.starts_with(|c: char| c.is_ascii_digit())
            })
        })
        .map(|entry| (entry.metadata().and_then(|found| found.modified()).ok(), entry.path()))
        .collect();
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).take(3).collect()
}

/// Ctrl-C ends, and says where the game is.
fn on_interrupt() {
    std::thread::spawn(|| {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            let said = PARTING.lock().map(|said| said.clone()).unwrap_or_default();
            // A command must stay in its line.
            out::fit(None);
            outln!("\n{said}");
            out::flush();
            // As a shell expects of what was interrupted.
            std::process::exit(130);
        }
    });
}

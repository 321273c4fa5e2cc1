//! Watching files: folders are looked at often enough that a saved file is noticed at once.
//!
//! Looking costs well under a millisecond for a game, works on every file system, and needs no thread.

use crate::args::WithArgs;
use sandtable_table::library::{self, FileStamp};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often files are looked at.
pub const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// Files below some folders, as they were when last looked at.
pub struct Watch {
    roots: Vec<PathBuf>,
    seen: Vec<FileStamp>,
}

impl Watch {
    /// Watches files and folders; those that do not exist may come later.
    pub fn new(roots: Vec<PathBuf>) -> Watch {
        let seen = look(&roots);
        Watch { roots, seen }
    }

    /// Watches where a game and its layers stand.
    pub fn game(game: &str, with: &WithArgs) -> Watch {
        Watch::new(folders(game, with))
    }

    /// The files that were written, made or removed since the last look.
    pub fn changed(&mut self) -> Vec<PathBuf> {
        let now = look(&self.roots);
        if now == self.seen {
            return Vec::new();
        }
        let mut changed: Vec<PathBuf> = Vec::new();
        for (one, other) in [(&now, &self.seen), (&self.seen, &now)] {
            changed.extend(one.iter().filter(|file| !other.contains(file)).map(|file| file.0.clone()));
        }
        self.seen = now;
        changed.sort();
        changed.dedup();
        changed
    }
}

/// Runs something that a saved file may break: a panic of the engine becomes an error, so that who watches can go on.
pub fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    // What ran is thrown away as a whole, so that nobody sees it half done.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).map_err(|panic| {
        let said = library::said(&*panic);
        format!("the engine itself failed ({said}): please report it; the files are looked at again when they change")
    })
}

/// Where files of a game, its layers and libraries stand.
pub fn folders(game: &str, with: &WithArgs) -> Vec<PathBuf> {
    let roots = with.path.iter().cloned().chain([PathBuf::from(".")]);
    let mut folders: Vec<PathBuf> = roots
        .flat_map(|root| {
            let libraries = root.join("rules").join("lib");
            [root.join("rules").join(game), libraries, root.join("scenarios").join(game), root.join("layers")]
        })
        .collect();
    folders.extend(with.layer.iter().map(PathBuf::from));
    folders
}

/// The files below some folders, with time and size.
pub fn look(roots: &[PathBuf]) -> Vec<FileStamp> {
    let mut left = roots.to_vec();
    let mut files = Vec::new();
    let hidden = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    while let Some(path) = left.pop() {
        let Ok(about) = std::fs::metadata(&path) else { continue };
        if about.is_dir() {
            let inside = std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path());
            left.extend(inside.filter(|path| !hidden(path)));
        } else {
            files.push((path, about.modified().unwrap_or(SystemTime::UNIX_EPOCH), about.len()));
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn a_panic_is_an_error_and_the_next_run_goes_on() {
        let failed = guarded(|| -> usize { panic!("row {} is gone", 7) }).err().unwrap_or_default();
        assert!(failed.contains("the engine itself failed (row 7 is gone)"), "{failed}");
        assert!(guarded(|| panic!("plain")).err().is_some_and(|failed| failed.contains("(plain)")));
        assert_eq!(guarded(|| 3), Ok(3));
    }
}

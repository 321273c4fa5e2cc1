//! Reading packages: the only module that touches files, through the trait [`Files`].
//!
//! There is no overlay of single files: a package is taken whole from the first root that has it
//! ([`crate::package_search::SearchPath`]), so that a file deleted on disk does not shine through from the binary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::diagnostic_codes as codes;
use crate::file::{LARGEST_FILE, read_regular};
use crate::source::{FileId, Sources, Span};

/// A package with more files than this is refused.
const MOST_FILES: usize = 10_000;
/// Folders in each other; also ends the walk in a circle of links.
const DEEPEST: usize = 16;

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// The name without the folder.
    pub name: String,
    /// Whether it is a folder itself.
    pub folder: bool,
}

/// A tree of files; paths are relative, with `/` between the parts, and the root is the empty path.
pub trait Files: Debug + Send + Sync {
    /// Lists a folder, sorted by name; a folder that does not exist is an error of kind `NotFound`.
    fn list(&self, folder: &str) -> io::Result<Vec<FolderEntry>>;

    /// Reads a whole file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Returns where a file stands on disk, for messages and editors.
    fn place(&self, _path: &str) -> Option<String> {
        None
    }
}

/// Joins a folder and a name.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// A folder on disk.
#[derive(Debug, Clone)]
pub struct DiskFiles {
    root: PathBuf,
}

impl DiskFiles {
    /// Makes the tree below a folder.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    fn path(&self, path: &str) -> io::Result<PathBuf> {
        let inside = Path::new(path).components().all(|part| matches!(part, std::path::Component::Normal(_)));
        if inside { Ok(self.root.join(path)) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }
}

impl Files for DiskFiles {
    fn list(&self, folder: &str) -> io::Result<Vec<FolderEntry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(self.path(folder)?)? {
            let entry = entry?;
            // A name that is no Unicode cannot be a data file's name; a broken link is nothing.
            let (Ok(name), Ok(about)) = (entry.file_name().into_string(), std::fs::metadata(entry.path()))
            else {
                continue;
            };
            entries.push(FolderEntry { name, folder: about.is_dir() });
        }
        entries.sort_unstable();
        Ok(entries)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        read_regular(&self.path(path)?, LARGEST_FILE)
    }

    fn place(&self, path: &str) -> Option<String> {
        Some(self.path(path).ok()?.display().to_string())
    }
}

/// Files held in memory: for tests, and for games embedded in the binary.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Cow<'static, [u8]>>,
}

impl MemoryFiles {
    /// Makes an empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Cow<'static, [u8]>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Returns the tree with one more text; convenient in tests.
    #[must_use]
    pub fn with(mut self, path: &str, text: &str) -> Self {
        self.add(path, text.as_bytes().to_vec());
        self
    }
}

impl<P: Into<String>> FromIterator<(P, &'static [u8])> for MemoryFiles {
    fn from_iter<T: IntoIterator<Item = (P, &'static [u8])>>(iter: T) -> Self {
        Self { files: iter.into_iter().map(|(path, bytes)| (path.into(), Cow::Borrowed(bytes))).collect() }
    }
}

impl Files for MemoryFiles {
    fn list(&self, folder: &str) -> io::Result<Vec<FolderEntry>> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut entries: Vec<FolderEntry> = (self.files.range(prefix.clone()..))
            .map_while(|(path, _)| path.strip_prefix(&prefix))
            .map(|rest| match rest.split_once('/') {
                Some((name, _)) => FolderEntry { name: name.to_owned(), folder: true },
                None => FolderEntry { name: rest.to_owned(), folder: false },
            })
            .collect();
        entries.sort_unstable();
        entries.dedup();
        if entries.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(entries) }
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.get(path).map(|bytes| bytes.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// A file of a package: its path inside the package, its text in [`Sources`], and its bytes for the hash.
#[derive(Debug, Clone)]
pub(crate) struct PackageFile {
    pub path: String,
    pub file: FileId,
    pub bytes: Vec<u8>,
}

/// Reads one file into the sources; returns nothing if it cannot be read, which is reported.
pub(crate) fn read_file(
    files: &dyn Files,
    path: &str,
    shown: &str,
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> Option<(FileId, Vec<u8>)> {
    let bytes = match files.read(path) {
        Ok(bytes) if bytes.len() as u64 <= LARGEST_FILE => bytes,
        Ok(_) => {
            let message = format!("{shown} is larger than 64 MB");
            out.push(Diagnostic::placeless(&codes::TOO_LARGE, message));
            return None;
        }
        Err(error) => {
            let code = if error.kind() == io::ErrorKind::FileTooLarge {
                &codes::TOO_LARGE
            } else {
                &codes::UNREADABLE
            };
            out.push(Diagnostic::placeless(code, format!("{shown} cannot be read: {error}")));
            return None;
        }
    };
    let invalid = std::str::from_utf8(&bytes).err().map(|error| error.valid_up_to());
    let file = sources.add_at(shown, files.place(path), String::from_utf8_lossy(&bytes));
    if let Some(at) = invalid {
        let message = format!("{shown} is not UTF-8 text: byte {at} is {:#04x}", bytes.get(at).unwrap_or(&0));
        out.push(
            Diagnostic::error(&codes::INVALID_UTF8, Span::new(file, at, at + 3), message)
                .help("save the file as UTF-8".to_owned()),
        );
    }
    Some((file, bytes))
}

/// What a walk has found so far.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// Paths of the package's own files.
    pub files: Vec<String>,
    /// Folders inside that are packages of their own.
    pub packages: Vec<String>,
    /// Whether a bound was hit.
    pub too_large: bool,
    /// Folders that could not be listed.
    pub unreadable: Vec<String>,
}

/// The names of the manifests of games, layers and libraries.
pub const MANIFESTS: [&str; 3] = ["game.toml", "layer.toml", "library.toml"];

/// Returns whether a folder holds a manifest, and which.
pub(crate) fn manifest_of(entries: &[FolderEntry]) -> Option<&'static str> {
    MANIFESTS.into_iter().find(|name| entries.iter().any(|e| !e.folder && e.name == *name))
}

/// Lists the files of a package in sorted order; folders with a manifest of their own are other packages.
pub(crate) fn walk(files: &dyn Files, folder: &str, depth: usize, found: &mut Walk) {
    let Ok(entries) = files.list(folder) else {
        found.unreadable.push(folder.to_owned());
        return;
    };
    if depth > 0 && manifest_of(&entries).is_some() {
        found.packages.push(folder.to_owned());
        return;
    }
    for FolderEntry { name, folder: is_folder } in entries {
        if name.starts_with('.') {
            continue;
        }
        let path = join(folder, &name);
        if is_folder && depth < DEEPEST {
            walk(files, &path, depth + 1, found);
        } else if is_folder || found.files.len() >= MOST_FILES {
            found.too_large = true;
        } else if ["toml", "csv", "lua", "md"].iter().any(|ext| extension(&name) == *ext) {
            found.files.push(path);
        }
    }
}

/// Returns what follows the last dot of a path.
pub(crate) fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ext)| ext)
}

/// Returns what follows the last slash of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

//! `sandtable pack` and `sandtable add`: a layer or a library as one file, and back.
//!
//! The file is text with a head, then each file of the layer with its length, then a hash of all of them. Unpacking trusts
//! nothing: names must be plain relative paths of the kinds that layers are made of, sizes are bounded, the hash must fit.

use crate::args::{AddArgs, PackArgs, WithArgs};
use crate::{load, store};
use sandtable_data::catalog;
use sandtable_data::diagnostic::Severity;
use sandtable_data::file::read_regular;
use sandtable_data::layer::ContentHash;
use sandtable_data::package_manifest::{PackageKind, valid_id};
use sandtable_data::package_search::open_path;
use sandtable_data::render;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const MAGIC: &str = "sandtable layer 1";
const LIBRARY: &str = "sandtable library 1";
/// What the folder of a layer, or of a library, holds.
const FOLDERS: [&str; 2] = ["layer.toml", "library.toml"];
/// Bytes of a packed layer.
const LARGEST: usize = 16 << 20;
/// Files of a layer.
const MOST: usize = 1000;
/// Folders in each other.
const DEEPEST: usize = 8;
/// What layers are made of.
const KINDS: [&str; 4] = ["toml", "csv", "lua", "md"];

/// A layer with its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The game it is for; nothing for a library.
    pub game: Option<String>,
    /// Paths and contents. A layer of one file has no `layer.toml`.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Runs `pack`.
pub fn pack(args: &PackArgs) -> Result<bool, String> {
    let packed = gather(&args.dir)?;
    if let Some(problems) = problems(&args.dir, &packed) {
        return Err(format!(
            "{} is not packed: `sandtable check` finds errors in it\n\n{problems}",
            args.dir.display()
        ));
    }
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{}-{}.sandtable", packed.id, packed.version)));
    let bytes = write(&packed);
    if bytes.len() > LARGEST {
        return Err(format!(
            "{} is {} MB; a layer may have {} MB",
            args.dir.display(),
            bytes.len() >> 20,
            LARGEST >> 20
        ));
    }
    store::write(&out, &bytes)?;
    let (of, files) = (packed.what_for(), packed.files.len());
    outln!("{}: {} {}{of}, {files} files", out.display(), packed.id, packed.version);
    Ok(true)
}

impl Packed {
    /// The manifest that a folder of it has.
    fn is_manifest(&self, path: &str) -> bool {
        path == FOLDERS[usize::from(self.game.is_none())]
    }

    fn what_for(&self) -> String {
        self.game.as_ref().map_or_else(String::new, |game| format!(" for {game}"))
    }

    /// The line after the magic.
    fn head(&self) -> String {
        let words = [&self.id, &self.version].into_iter().chain(&self.game);
        words.map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// The errors of a layer with its game, if the game is here. A library is looked at with the games that need it.
fn problems(dir: &Path, packed: &Packed) -> Option<String> {
    let search = load::search_path(&WithArgs::default());
    let game = packed.game.as_ref()?;
    search.find_game(game)?;
    let shown = dir.display().to_string();
    let path = if shown.contains('/') { shown } else { format!("./{shown}") };
    let (catalog, merged) = catalog::load(game, &[path], &[], &search);
    let found = sandtable_lint::check(&catalog, merged, &[]);
    let errors = found.iter().filter(|problem| problem.severity == Severity::Error);
    let lines: Vec<String> = errors.map(|problem| render::concise(problem, &catalog.sources)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Runs `add`.
pub fn add(args: &AddArgs) -> Result<bool, String> {
    let named = |error: String| format!("{}: {error}", args.file.display());
    let bytes = read_regular(&args.file, LARGEST as u64)
        .map_err(|error| named(format!("cannot be read: {error}")))?;
    let packed = read(&bytes).map_err(named)?;
    let root = match (&args.to, args.user) {
        (Some(to), _) => to.clone(),
        (None, true) => load::user_folder().ok_or("there is no home folder; give --to DIR")?,
        (None, false) => PathBuf::from("."),
    };
    let inside = Path::new(if packed.game.is_some() { "layers" } else { "rules/lib" });
    let folder = root.join(inside);
    let single = !packed.files.iter().any(|(path, _)| packed.is_manifest(path));
    let below = if single { inside.to_path_buf() } else { inside.join(&packed.id) };
    for (path, _) in &packed.files {
        refuse_links(&root, &below.join(path))?;
    }
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let place = root.join(below);
    let there: Vec<PathBuf> =
        packed.files.iter().map(|(path, _)| place.join(path)).filter(|path| path.exists()).collect();
    if let (Some(first), false) = (there.first(), args.replace) {
        return Err(format!("{} is there already; --replace writes over it", first.display()));
    }
    if args.replace && !single && place.exists() {
        std::fs::remove_dir_all(&place)
            .map_err(|error| format!("{} cannot be removed: {error}", place.display()))?;
    }
    for (path, bytes) in &packed.files {
        let to = place.join(path);
        if let Some(parent) = to.parent() {
            std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        }
        store::write(&to, bytes)?;
    }
    outln!("{} {}{} is in {}", packed.id, packed.version, packed.what_for(), place.display());
    let Some(game) = &packed.game else {
        outln!("a game needs it by `needs = [\"{}\"]`", packed.id);
        return Ok(true);
    };
    let with = WithArgs { path: vec![root], ..WithArgs::default() };
    let search = load::search_path(&with);
    if search.find_game(game).is_none() {
        outln!("the game {game} is not here yet");
        return Ok(true);
    }
    let (loaded, problems) = catalog::load(game, std::slice::from_ref(&packed.id), &[], &search);
    if problems.has_errors() {
        outln!("{}", load::report(&problems, &loaded));
        return Ok(false);
    }
    let path = args.to.as_ref().map_or_else(String::new, |to| format!(" --path {}", to.display()));
    outln!("try: sandtable test {game} --layer {}{path}", packed.id);
    Ok(true)
}

/// Refuses to write to a path below a folder where a part of it is a link: what is unpacked stays where it was asked for.
fn refuse_links(root: &Path, path: &Path) -> Result<(), String> {
    let mut place = root.to_path_buf();
    for part in path {
        place.push(part);
        if place.is_symlink() {
            return Err(format!(
                "{} is a link, and nothing is unpacked through links; remove it, or give --to DIR",
                place.display()
            ));
        }
    }
    Ok(())
}

/// The files of a layer: a folder with `layer.toml`, or one file with its cases beside it.
fn gather(dir: &Path) -> Result<Packed, String> {
    let Some(found) = open_path(dir).filter(|_| dir.exists()) else {
        return Err(format!(
            "{} is not a layer: expected a folder with layer.toml or library.toml, or a file with [layer] or `--- layer: ID`",
            dir.display()
        ));
    };
    let manifest = found.manifest;
    if manifest.kind == PackageKind::Game {
        return Err(format!("{} is a game; layers and libraries can be packed", dir.display()));
    }
    let game = manifest.game;
    if game.is_none() && manifest.kind == PackageKind::Layer {
        return Err(format!(
            "layer {} does not say for which game it is: write `game = \"ID\"`",
            manifest.id
        ));
    }
    let read = |path: &Path| {
        read_regular(path, LARGEST as u64)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))
    };
    let mut files = Vec::new();
    if dir.is_dir() {
        walk(dir, "", 0, &mut files)?;
    } else {
        let ending = dir.extension().map(|end| end.to_string_lossy().into_owned()).unwrap_or_default();
        files.push((format!("{}.{ending}", manifest.id), read(dir)?));
        let book = dir.with_extension("md");
        if book.exists() {
            refuse_link(&book)?;
            files.push((format!("{}.md", manifest.id), read(&book)?));
        }
    }
    files.sort();
    Ok(Packed { id: manifest.id, version: manifest.version, game, files })
}

/// Refuses a link: what it points to may be anything on this machine, and would be given away with the layer.
fn refuse_link(path: &Path) -> Result<(), String> {
    if !path.is_symlink() {
        return Ok(());
    }
    Err(format!(
        "{} is a link; a packed layer holds files of its own folder only: put a copy there, or take it out",
        path.display()
    ))
}

fn walk(folder: &Path, prefix: &str, depth: usize, files: &mut Vec<(String, Vec<u8>)>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let inside = format!("{prefix}{name}");
        refuse_link(&path)?;
        if path.is_dir() {
            if depth >= DEEPEST {
                return Err(format!("{} is deeper than {DEEPEST} folders", path.display()));
            }
            walk(&path, &format!("{inside}/"), depth + 1, files)?;
        } else if check_name(&inside).is_ok() {
            let bytes = read_regular(&path, LARGEST as u64)
                .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
            files.push((inside, bytes));
        } else {
            outln!("{} is left out: layers are made of {}", path.display(), KINDS.join(", "));
        }
        if files.len() > MOST {
            return Err(format!("more than {MOST} files"));
        }
    }
    Ok(())
}

fn hash(packed: &Packed) -> String {
    let head = packed.head();
    let files = packed.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    let ContentHash(hash) = ContentHash::of(files.chain([("", head.as_bytes())]));
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A layer as one file.
pub fn write(packed: &Packed) -> Vec<u8> {
    let magic = if packed.game.is_some() { MAGIC } else { LIBRARY };
    let mut out = format!("{magic}\n{}\n", packed.head()).into_bytes();
    for (path, bytes) in &packed.files {
        out.extend_from_slice(format!("file {} {path}\n", bytes.len()).as_bytes());
        out.extend_from_slice(bytes);
        out.push(b'\n');
    }
    out.extend_from_slice(format!("end {}\n", hash(packed)).as_bytes());
    out
}

/// Reads a layer from one file, trusting nothing in it.
pub fn read(bytes: &[u8]) -> Result<Packed, String> {
    let mut rest = bytes;
    let magic = line(&mut rest)?;
    if magic != MAGIC && magic != LIBRARY {
        return Err(format!("is not a packed layer: it begins neither with `{MAGIC}` nor with `{LIBRARY}`"));
    }
    let head = line(&mut rest)?;
    let (id, version, game) = match head.split(' ').collect::<Vec<_>>()[..] {
        [id, version, game] if magic == MAGIC => (id, version, Some(game)),
        [id, version] if magic == LIBRARY => (id, version, None),
        _ => {
            let expected = if magic == MAGIC { "ID VERSION GAME" } else { "ID VERSION" };
            return Err(format!("the second line is {head:?}; expected {expected}"));
        }
    };
    for name in std::iter::once(id).chain(game) {
        if !valid_id(name) {
            return Err(format!("{name:?} is not an id: expected lower-case letters, digits and hyphens"));
        }
    }
    let mut packed = Packed {
        id: id.to_string(),
        version: version.to_string(),
        game: game.map(str::to_string),
        files: Vec::new(),
    };
    let mut seen = BTreeSet::new();
    loop {
        let entry = line(&mut rest)?;
        if let Some(expected) = entry.strip_prefix("end ") {
            if expected != hash(&packed) {
                return Err("the contents do not fit the hash at the end: the file is damaged".into());
            }
            if packed.files.is_empty() {
                return Err("there are no files in it".into());
            }
            if packed.game.is_none() && !packed.files.iter().any(|(path, _)| packed.is_manifest(path)) {
                return Err("a library brings its library.toml; there is none in it".into());
            }
            return Ok(packed);
        }
        let Some((length, path)) = entry.strip_prefix("file ").and_then(|entry| entry.split_once(' ')) else {
            return Err(format!("found {entry:?}; expected `file LENGTH PATH` or `end HASH`"));
        };
        let length: usize = length.parse().map_err(|_| format!("{length:?} is not a length of a file"))?;
        check_name(path)?;
        let single = path == format!("{}.toml", packed.id)
            || path == format!("{}.lua", packed.id)
            || path == format!("{}.md", packed.id);
        let folder = packed.game.is_none() || packed.files.iter().any(|(path, _)| packed.is_manifest(path));
        // A layer of one file lies beside others: it may bring nothing but itself and its cases.
        if !folder && !single && !packed.is_manifest(path) && !entry_of_folder(bytes) {
            return Err(format!("{path:?}: a layer of one file brings that file and its cases only"));
        }
        // Names that differ in case are one file on some systems.
        if !seen.insert(path.to_lowercase()) {
            return Err(format!("{path:?} is in it twice"));
        }
        if packed.files.len() >= MOST {
            return Err(format!("it has more than {MOST} files"));
        }
        let (Some(contents), Some(b'\n')) = (rest.get(..length), rest.get(length)) else {
            return Err(format!(
                "{path:?} should have {length} bytes; the file ends before, or the length is wrong"
            ));
        };
        packed.files.push((path.to_string(), contents.to_vec()));
        rest = &rest[length + 1..];
    }
}

/// Whether the layer is a folder: one of its files is the manifest.
fn entry_of_folder(bytes: &[u8]) -> bool {
    let needle = b" layer.toml\n";
    bytes.windows(needle.len()).any(|window| window == needle)
}

fn line<'a>(rest: &mut &'a [u8]) -> Result<&'a str, String> {
    let end =
        rest.iter().take(1000).position(|&byte| byte == b'\n').ok_or("a line is missing, or is too long")?;
    let found =
        std::str::from_utf8(&rest[..end]).map_err(|_| "a line of the head is not a text".to_string())?;
    *rest = &rest[end + 1..];
    Ok(found)
}

/// Whether a name may be unpacked: a plain relative path to a file of a kind that layers are made of.
fn check_name(path: &str) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("{path:?} is refused: {why}"));
    let parts: Vec<&str> = path.split('/').collect();
    if path.len() > 200 || parts.len() > DEEPEST + 1 {
        return wrong("the path is too long or too deep");
    }
    for part in &parts {
        let plain = part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        if part.is_empty() || part.starts_with('.') || part.ends_with('.') || !plain {
            return wrong(
                "expected names of letters, digits, hyphens and dots, with no leading dot, parted by `/`",
            );
        }
    }
    match path.rsplit_once('.') {
        Some((_, ending)) if KINDS.contains(&ending) => Ok(()),
        _ => wrong("layers are made of toml, csv, lua and md files"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn layer() -> Packed {
        let files = vec![
            ("layer.toml".to_string(), b"[layer]\nid = \"a\"\n".to_vec()),
            ("lua/b.lua".to_string(), b"file 3 c.lua\n".to_vec()),
        ];
        Packed { id: "a".into(), version: "1.0".into(), game: Some("g".into()), files }
    }

    #[test]
    fn a_library_comes_out_again_and_is_a_folder() {
        let manifest = ("library.toml".to_string(), b"[library]\nid = \"a\"\n".to_vec());
        let files = vec![manifest, ("b.lua".to_string(), b"return 1\n".to_vec())];
        let mut packed = Packed { id: "a".into(), version: "1.0".into(), game: None, files };
        assert_eq!(read(&write(&packed)), Ok(packed.clone()));
        packed.files.remove(0);
        assert!(read(&write(&packed)).unwrap_err().contains("library.toml"));
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        assert_eq!(read(&write(&layer())), Ok(layer()));
    }

    #[test]
    fn names_that_leave_the_folder_are_refused() {
        for name in [
            "../x.lua",
            "/etc/x.toml",
            "a/../../x.md",
            "..",
            ".x/y.md",
            "a\\b.md",
            "C:x.md",
            "x.exe",
            "x",
            "a//b.md",
            "a./b.md",
            "con\u{0}.md",
        ] {
            let mut packed = layer();
            packed.files.push((name.into(), Vec::new()));
            let error = read(&write(&packed)).unwrap_err();
            assert!(error.contains("refused") || error.contains("missing"), "{name}: {error}");
        }
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let good = write(&layer());
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert_ne!(read(&bad), Ok(layer()), "byte {at}");
            assert!(read(&good[..at]).is_err(), "cut at {at}");
        }
        let long = String::from_utf8(good).unwrap().replace("file 13 ", "file 99999999999 ");
        assert!(read(long.as_bytes()).unwrap_err().contains("bytes"));
    }

    #[test]
    fn a_layer_of_one_file_brings_nothing_else() {
        let mut packed = layer();
        packed.files = vec![("a.lua".into(), b"--- layer: a\n".to_vec()), ("other.lua".into(), Vec::new())];
        assert!(read(&write(&packed)).unwrap_err().contains("one file"));
    }
}

//! Broken inputs: each edit of a small sound game must give the right codes at the right places, and never a panic.
//!
//! A file of `broken/` holds entries such as
//!
//! ```text
//! = a misspelled global
//! rules.lua: #units_of(game => #untis_of(game
//! E0901 g/rules.lua:7:59
//! ```
//!
//! A line `FILE: OLD => NEW` replaces text, `FILE + TEXT` appends a line, `FILE = TEXT` gives a whole file, `FILE -` removes one;
//! `FILE locked` is one that the system
//! refuses to read, `twin FILE = TEXT` a file in another folder, `layer X` loads a layer (`twin/FILE`: of that folder), `scenario X` asks for a scenario,
//! `set K=V` and `option K=V` are given as on the command line. `\n`, `\t`, `\r`, `\s` (a blank) and `\xHH`
//! stand for what they say, `{N*TEXT}` for N repetitions. Then every problem, exactly: code and place. `BLESS=1 cargo test` writes what is
//! found into the files, to be read before it is committed.

use sandtable_data::diagnostic::Diagnostics;
use sandtable_data::package::{self, MemoryFiles};
use sandtable_data::package_search::SearchPath;
use sandtable_data::render::{Colour, full};
use sandtable_data::source::Sources;
use sandtable_data::{catalog, definition};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

type Files = BTreeMap<String, Vec<u8>>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// The sound game.
fn base() -> Files {
    fn add(root: &Path, at: &Path, files: &mut Files) {
        for entry in std::fs::read_dir(at).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                add(root, &path, files);
            } else {
                let name =
                    path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
                files.insert(name, std::fs::read(&path).expect("it can be read"));
            }
        }
    }
    let mut files = Files::new();
    let root = folder().join("base");
    add(&root, &root, &mut files);
    files
}

#[derive(Default, Clone)]
struct Entry {
    name: String,
    edits: Vec<String>,
    expected: Vec<String>,
}

fn entries(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("= ") {
            entries.push(Entry { name: name.to_string(), ..Entry::default() });
        } else if let Some(entry) = entries.last_mut() {
            let is_code = line.starts_with('E')
                && line.as_bytes().get(1..5).is_some_and(|d| d.iter().all(u8::is_ascii_digit));
            match line {
                "" => {}
                line if is_code => entry.expected.push(line.to_string()),
                line => entry.edits.push(line.to_string()),
            }
        }
    }
    entries
}

/// Reads escapes and repetitions.
fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let repeated = rest.strip_prefix('{').and_then(|inner| {
            let (number, after) = inner.split_once('*')?;
            let number: usize = number.parse().ok()?;
            let (what, after) = after.split_once('}')?;
            Some((number, what, after))
        });
        if let Some((number, what, after)) = repeated {
            let what = unescape(what);
            (0..number).for_each(|_| out.extend_from_slice(&what));
            rest = after;
            continue;
        }
        let simple = ["\\n", "\\t", "\\r", "\\s", "\\\\"].into_iter().zip([b'\n', b'\t', b'\r', b' ', b'\\']);
        if let Some((mark, byte)) = simple.into_iter().find(|(mark, _)| rest.starts_with(mark)) {
            out.push(byte);
            rest = &rest[mark.len()..];
        } else if let Some(hex) =
            rest.strip_prefix("\\x").and_then(|hex| u8::from_str_radix(hex.get(..2)?, 16).ok())
        {
            out.push(hex);
            rest = &rest[4..];
        } else {
            let mut buffer = [0; 4];
            out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

fn path(name: &str) -> String {
    if name.contains('/') && !name.starts_with("rulebook/") {
        name.to_string()
    } else {
        format!("rules/g/{name}")
    }
}

/// Finds `needle` in `bytes`.
fn position(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len().max(1)).position(|window| window == needle)
}

/// Files of which the system refuses to read some.
#[derive(Debug)]
struct Locked(MemoryFiles, BTreeSet<String>);

impl package::Files for Locked {
    fn list(&self, folder: &str) -> std::io::Result<Vec<package::FolderEntry>> {
        self.0.list(folder)
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        if self.1.contains(path) {
            Err(std::io::ErrorKind::PermissionDenied.into())
        } else {
            self.0.read(path)
        }
    }
}

/// Files in a folder on disk, gone when they are no longer needed.
struct Twins(PathBuf);

impl Twins {
    fn new(files: &[(String, Vec<u8>)]) -> Twins {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("sandtable-broken-{}-{number}", std::process::id()));
        for (name, text) in files {
            std::fs::create_dir_all(&folder).expect("writable");
            std::fs::write(folder.join(name), text).expect("writable");
        }
        Twins(folder)
    }
}

impl Drop for Twins {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a check finds after the edits.
fn check(entry: &Entry) -> (Diagnostics, Sources) {
    let mut files = base();
    let (mut layers, mut sets, mut options) = (Vec::new(), Vec::new(), Vec::new());
    let mut game = "g".to_string();
    let (mut scenario, mut locked, mut twins) = (None, BTreeSet::new(), Vec::new());
    for edit in &entry.edits {
        let (head, rest) = edit.split_once(' ').unwrap_or((edit, ""));
        match head {
            "layer" => layers.push(rest.to_string()),
            "set" => sets.push(rest.to_string()),
            "game" => game = rest.to_string(),
            "scenario" => scenario = Some(rest.to_string()),
            "twin" => {
                let (file, text) = rest.split_once(" = ").expect("twin FILE = TEXT");
                twins.push((file.to_string(), unescape(text)));
            }
            "option" => {
                options.push(rest.split_once('=').map(|(k, v)| (k.to_string(), v.to_string())).expect("K=V"));
            }
            file if file.ends_with(':') => {
                let file = files
                    .get_mut(&path(file.trim_end_matches(':')))
                    .unwrap_or_else(|| panic!("{}: no file {head}", entry.name));
                let (old, new) =
                    rest.split_once(" => ").unwrap_or_else(|| (rest.trim_end_matches(" =>"), ""));
                let (old, new) = (unescape(old), unescape(new));
                let at = position(file, &old)
                    .unwrap_or_else(|| panic!("{}: nothing to replace in {head}", entry.name));
                file.splice(at..at + old.len(), new);
            }
            file => match rest.split_once(' ').unwrap_or((rest, "")) {
                ("+", text) => {
                    let file = files.entry(path(file)).or_default();
                    file.extend(unescape(text));
                    file.push(b'\n');
                }
                ("=", text) => {
                    files.insert(path(file), unescape(text));
                }
                ("locked", _) => {
                    locked.insert(path(file));
                }
                ("-", _) => {
                    files.remove(&path(file)).unwrap_or_else(|| panic!("{}: no file {file}", entry.name));
                }
                _ => panic!("{}: cannot read `{edit}`", entry.name),
            },
        }
    }
    let mut memory = MemoryFiles::new();
    for (path, bytes) in files {
        memory.add(path, bytes);
    }
    let search = SearchPath::new().with(Locked(memory, locked));
    // Layers that are asked for by path stand on disk.
    let disk = Twins::new(&twins);
    for layer in &mut layers {
        if let Some(file) = layer.strip_prefix("twin/") {
            *layer = disk.0.join(file).display().to_string();
        }
    }
    let (catalog, merged) = catalog::load(&game, &layers, &sets, &search);
    let mut problems = sandtable_lint::check(&catalog, merged, &options);
    if let Some(scenario) = scenario {
        problems.append(definition::build(&catalog, Some(scenario.as_str()), &options).1);
    }
    (problems, catalog.sources)
}

fn found(problems: &Diagnostics, sources: &Sources) -> Vec<String> {
    let line = |problem: &sandtable_data::diagnostic::Diagnostic| match problem.span {
        Some(span) => format!("{} {}", problem.code.code, sources.describe(span)),
        None => problem.code.code.to_string(),
    };
    // The folder of twins has another name every time.
    let without_folder = |line: String| match line.find("sandtable-broken-") {
        Some(at) => {
            let code = line.split(' ').next().unwrap_or_default();
            format!("{code} twin/{}", line[at..].split_once('/').map_or("", |(_, file)| file))
        }
        None => line,
    };
    problems.iter().map(line).map(without_folder).collect()
}

fn themes() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .collect();
    files.sort();
    files
}

fn all() -> Vec<Entry> {
    themes()
        .iter()
        .flat_map(|path| entries(&std::fs::read_to_string(path).expect("it can be read")))
        .collect()
}

#[test]
fn the_game_that_is_broken_is_sound() {
    let (problems, sources) = check(&Entry::default());
    let shown: Vec<String> = problems.iter().map(|problem| full(problem, &sources, Colour::Never)).collect();
    assert!(problems.is_empty(), "{}", shown.join("\n"));
}

#[test]
fn every_broken_input_gives_the_right_codes_and_places() {
    #[expect(clippy::disallowed_methods, reason = "whoever runs the test says whether it writes")]
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = String::new();
    let mut count = 0;
    for path in themes() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let mut written: String =
            text.lines().take_while(|line| !line.starts_with("= ")).map(|line| format!("{line}\n")).collect();
        for entry in entries(&text) {
            count += 1;
            let (problems, sources) = check(&entry);
            let lines = found(&problems, &sources);
            let _ = write!(written, "= {}\n{}\n{}\n\n", entry.name, entry.edits.join("\n"), lines.join("\n"));
            if lines != entry.expected || lines.is_empty() {
                let _ =
                    writeln!(wrong, "{}\n  expected {:?}\n  found    {lines:?}", entry.name, entry.expected);
            }
        }
        if bless {
            std::fs::write(&path, written.trim_end().to_string() + "\n").expect("it can be written");
        }
    }
    assert!(bless || wrong.is_empty(), "{wrong}");
    assert!(count >= 200, "{count} broken inputs; there should be 200");
}

#[test]
fn every_code_has_an_input_that_shows_it() {
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    let mut missing = Vec::new();
    for code in sandtable_lint::CODES.iter().flat_map(|table| table.iter()) {
        let entry = all()
            .into_iter()
            .find(|entry| entry.expected.first().is_some_and(|line| line.starts_with(code.code)));
        let entry = entry.or_else(|| {
            all().into_iter().find(|entry| entry.expected.iter().any(|line| line.starts_with(code.code)))
        });
        let Some(entry) = entry else {
            missing.push(code.code);
            continue;
        };
        if !shown.insert(code.code) {
            panic!("{} stands for two things", code.code);
        }
        let (problems, sources) = check(&entry);
        let problem =
            problems.iter().find(|problem| problem.code.code == code.code).expect("the corpus says so");
        let edits: Vec<String> = entry.edits.iter().map(|edit| edit.chars().take(200).collect()).collect();
        let text = format!(
            "{} {}: {}\n\n{}\n\ninput ({}):\n{}\n\nmessage:\n{}\nrepair: {}\n",
            code.code,
            code.name,
            code.title,
            code.cause,
            entry.name,
            edits.join("\n"),
            full(problem, &sources, Colour::Never),
            code.repair
        );
        // The folder of twins has another name every time.
        let folder = std::env::temp_dir().join("sandtable-broken-").display().to_string();
        let text = match text.find(&folder) {
            Some(at) => {
                let end =
                    text[at + folder.len()..].find('/').map_or(text.len(), |end| at + folder.len() + end);
                format!("{}FOLDER{}", &text[..at], &text[end..])
            }
            None => text,
        };
        insta::assert_snapshot!(code.code, text);
    }
    assert!(missing.is_empty(), "no input shows {missing:?}");
}

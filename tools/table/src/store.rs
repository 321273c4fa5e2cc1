//! The store: all games in one SQLite file, each as its record, line by line.
//!
//! One thread writes. It takes what has come in since its last commit as one transaction, so that many games share one
//! write to the disk, and only then tells those who wait. Neither a killed process nor a power cut loses what was confirmed.
//!
//! One server at a time uses the file. Where a lock does not hold, as on some network disks, the versions do: every write to a
//! game names the version that it follows, and one that follows another than the stored one is refused.

use crate::library::Setup;
use crate::store_file::{self, Lock, beside};
use rusqlite::{Connection, OptionalExtension, Row, Statement, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, setup TEXT NOT NULL, head TEXT NOT NULL, about TEXT NOT NULL, place INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, game TEXT NOT NULL, chair TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lines (
    game TEXT NOT NULL, n INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (game, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS nonces (game TEXT PRIMARY KEY, nonce TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS versions (game TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO versions SELECT id, 0 FROM games;
";

/// The version of the tables; a later one is not touched.
const VERSION: i32 = 2;

/// How long nobody has written when the log of changes is moved into the file.
const KEEP: Duration = Duration::from_secs(2);
/// Changes after which the log is moved even so; each takes a page or two.
const LONG: usize = 30_000;

/// Most changes that share one transaction.
const BATCH: usize = 256;

/// Who sits where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// People with the seat's link.
    Human,
    /// The random player.
    Random,
}

/// What a list of tables shows of a game without loading it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Title of the game.
    pub title: String,
    /// Title of the scenario.
    pub scenario: String,
    /// Choices made.
    pub choices: usize,
    /// How it ended.
    pub ended: Option<String>,
    /// Sides that owe a decision.
    pub owing: Vec<String>,
    /// Who plays each side.
    pub players: BTreeMap<String, Player>,
}

/// A game as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its id.
    pub id: String,
    /// What is played.
    pub setup: Setup,
    /// The head of its record.
    pub head: String,
    /// What lists show of it.
    pub about: About,
}

/// A key with the game and the chair that it opens.
pub type StoredKey = (String, String, String);

/// A change to be stored.
#[derive(Clone, Debug)]
pub enum Change {
    /// A new game with its keys (key and chair).
    New(Box<Stored>, Vec<(String, String)>),
    /// From line `from` on a record reads so.
    Lines {
        /// The game.
        game: String,
        /// The version that this follows.
        version: u64,
        /// The number of the first line that differs.
        from: usize,
        /// The lines.
        lines: Vec<String>,
        /// What lists show of it, if more than the number of choices is different.
        about: Option<Box<About>>,
    },
    /// What is asked in a game is asked under this nonce from now on.
    Nonce {
        /// The game.
        game: String,
        /// The nonce.
        nonce: String,
    },
    /// The game is played under this from now on.
    Setup {
        /// The game.
        game: String,
        /// The version that this follows.
        version: u64,
        /// What is played.
        setup: Box<Setup>,
        /// The head of its record.
        head: String,
    },
    /// The game is gone.
    Remove(String),
    /// Nothing; for who must wait until everything before is stored.
    Nothing,
}

/// What is done when a change is stored, or was not.
pub type Then = Box<dyn FnOnce(Result<(), String>) + Send>;

/// The store.
pub struct Store {
    reader: Mutex<Connection>,
    writer: Sender<(Vec<Change>, Then)>,
}

/// What is stored.
#[derive(Debug, Default)]
pub struct StoredGames {
    /// All games in the order in which they were made.
    pub games: Vec<Stored>,
    /// All keys with game and chair.
    pub keys: Vec<StoredKey>,
    /// What cannot be read, with the reason; it is left as it is.
    pub unreadable: Vec<String>,
}

/// Why something was not stored.
#[derive(Debug, Error)]
enum WriteError {
    #[error("the store of games cannot be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("another program has changed this game in the store since; nothing was stored")]
    Overtaken,
}

fn words(error: rusqlite::Error) -> String {
    WriteError::from(error).to_string()
}

impl Store {
    /// Opens a file, or makes it.
    pub fn open(path: &Path) -> Result<Store, String> {
        let name = path.display();
        let lock = store_file::take(path).map_err(|error| error.to_string())?;
        let connect = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(path)?;
            connection.busy_timeout(Duration::from_secs(10))?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            // Each commit reaches the disk before anybody hears of it; `Log::sync` sees to that.
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            Ok(connection)
        };
        let connection = connect().map_err(|error| format!("{name}: {}", words(error)))?;
        // Moving the log of changes into the file takes long; the thread that people wait for leaves it to another.
        connection.pragma_update(None, "wal_autocheckpoint", 0).map_err(words)?;
        let version: i32 = connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .map_err(|error| format!("{name}: {}", words(error)))?;
        if version > VERSION {
            return Err(format!(
                "{name}: made by a later version of sandtable ({version}; this one reads {VERSION})"
            ));
        }
        connection.execute_batch(SCHEMA).map_err(|error| format!("{name}: {}", words(error)))?;
        connection.pragma_update(None, "user_version", VERSION).map_err(words)?;
        let reader = connect().map_err(words)?;
        let keeper = connect().map_err(words)?;
        let mode: String =
            connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).map_err(words)?;
        let log = Log { file: None, path: beside(path, "-wal"), kept: mode == "wal" };
        if !log.kept {
            // A file system that cannot have such a log; SQLite then does it all.
            connection.pragma_update(None, "synchronous", "FULL").map_err(words)?;
        }
        let (writer, changes) = channel();
        let moved = Arc::new(Moved::default());
        let own = moved.clone();
        let thread = |name: &str| std::thread::Builder::new().name(name.into());
        let started = thread("store").spawn(move || write(connection, log, &changes, &own, lock));
        started.map_err(|error| error.to_string())?;
        let started = thread("keeper").spawn(move || keep(&keeper, &moved));
        started.map_err(|error| error.to_string())?;
        Ok(Store { reader: Mutex::new(reader), writer })
    }

    fn reader(&self) -> MutexGuard<'_, Connection> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores changes together; `then` is run on the thread that writes, when they are safe.
    pub fn put(&self, changes: Vec<Change>, then: Then) {
        if let Err(unsent) = self.writer.send((changes, then)) {
            (unsent.0.1)(Err("the store of games is closed".into()));
        }
    }

    /// The key of the server itself, made at the first time.
    pub fn host_key(&self) -> Result<String, String> {
        let reader = self.reader();
        let known: Option<String> = reader
            .query_row("SELECT value FROM meta WHERE name = 'host'", [], |row| row.get(0))
            .optional()
            .map_err(words)?;
        if let Some(key) = known {
            return Ok(key);
        }
        let key = crate::key::new()?;
        reader.execute("INSERT INTO meta VALUES ('host', ?1)", [&key]).map_err(words)?;
        Ok(key)
    }

    /// All games and keys. A row that cannot be read is left out and told of.
    pub fn games(&self) -> Result<StoredGames, String> {
        let reader = self.reader();
        let mut kept = StoredGames::default();
        let mut games =
            reader.prepare("SELECT id, setup, head, about FROM games ORDER BY place, id").map_err(words)?;
        // Choices are counted where they are stored: lines that end with a digest.
        let mut choices = reader
            .prepare("SELECT count(*) FROM lines WHERE game = ?1 AND (line GLOB '* @????????' OR line GLOB '* @????????!')")
            .map_err(words)?;
        let mut rows = games.query([]).map_err(words)?;
        while let Some(row) = rows.next().map_err(words)? {
            match stored(row, &mut choices) {
                Ok(game) => kept.games.push(game),
                Err(error) => {
                    let id = row.get::<_, String>(0).unwrap_or_else(|_| "without a readable id".into());
                    kept.unreadable.push(format!("game {id}: {error}"));
                }
            }
        }
        let mut keys = reader.prepare("SELECT key, game, chair FROM keys").map_err(words)?;
        let mut rows = keys.query([]).map_err(words)?;
        while let Some(row) = rows.next().map_err(words)? {
            match (row.get(0), row.get(1), row.get(2)) {
                (Ok(key), Ok(game), Ok(chair)) => kept.keys.push((key, game, chair)),
                // A key is a secret, so it is not told.
                _ => kept.unreadable.push("a key: it is not a text".into()),
            }
        }
        Ok(kept)
    }

    /// The nonce under which a game asks, if one is stored.
    pub fn nonce(&self, game: &str) -> Result<Option<String>, String> {
        let reader = self.reader();
        let mut nonce = reader.prepare_cached("SELECT nonce FROM nonces WHERE game = ?1").map_err(words)?;
        nonce.query_row([game], |row| row.get(0)).optional().map_err(words)
    }

    /// The record of a game as text, with its version. Waits until everything that was put before is stored.
    pub fn record(&self, game: &str) -> Result<(String, u64), String> {
        let (done, wait) = channel();
        self.put(
            vec![Change::Nothing],
            Box::new(move |_| {
                // Whoever waited may be gone.
                let _ = done.send(());
            }),
        );
        wait.recv().map_err(|_| "the store of games is closed".to_string())?;
        let mut reader = self.reader();
        // All of it as it was at one moment.
        let reader = reader.transaction().map_err(words)?;
        let (mut text, version): (String, i64) = reader
            .query_row("SELECT head, n FROM games JOIN versions ON game = id WHERE id = ?1", [game], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .map_err(words)?;
        let mut lines =
            reader.prepare_cached("SELECT line FROM lines WHERE game = ?1 ORDER BY n").map_err(words)?;
        let mut rows = lines.query([game]).map_err(words)?;
        while let Some(row) = rows.next().map_err(words)? {
            text.push_str(&row.get::<_, String>(0).map_err(words)?);
            text.push('\n');
        }
        Ok((text, version.unsigned_abs()))
    }
}

/// A row of the table of games.
fn stored(row: &Row<'_>, choices: &mut Statement<'_>) -> Result<Stored, RowError> {
    let (id, setup, head, about): (String, String, String, String) =
        (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let mut about: About = serde_json::from_str(&about)?;
    let count: i64 = choices.query_row([&id], |row| row.get(0))?;
    about.choices = usize::try_from(count).unwrap_or_default();
    Ok(Stored { setup: serde_json::from_str(&setup)?, id, head, about })
}

/// Why a row cannot be read.
#[derive(Debug, Error)]
enum RowError {
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("{0}")]
    Json(#[from] serde_json::Error),
}

/// The log of changes beside the file. SQLite would have its size and times written at every commit too, which takes
/// several times as long as what was written there.
struct Log {
    path: PathBuf,
    file: Option<File>,
    kept: bool,
}

impl Log {
    /// Waits until everything that was committed is on the disk.
    fn sync(&mut self) -> Result<(), String> {
        if !self.kept {
            return Ok(());
        }
        let file = match self.file.take() {
            Some(file) => file,
            None => File::open(&self.path).map_err(|error| format!("{}: {error}", self.path.display()))?,
        };
        file.sync_data().map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.file = Some(file);
        Ok(())
    }
}

/// What the two threads of a store know of the log of changes.
#[derive(Default)]
struct Moved {
    /// Changes that were written since it was last moved into the file.
    written: AtomicUsize,
    /// Whether the writer is to begin it anew.
    long: AtomicBool,
}

/// Moves the log of changes into the file when nobody writes, until the thread that writes is gone.
///
/// Whoever waits for a commit would wait for this too, so it is put off while there are any, up to a length; then nearly all
/// of it is moved here, and the writer is told to begin the log anew.
fn keep(connection: &Connection, moved: &Arc<Moved>) {
    let mut before = 0;
    while Arc::strong_count(moved) > 1 {
        std::thread::sleep(KEEP);
        let written = moved.written.load(Ordering::Relaxed);
        if written > LONG || (written > 0 && written == before) {
            // What cannot be moved now is moved later; nothing is lost with it.
            let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
            moved.written.fetch_sub(written, Ordering::Relaxed);
            moved.long.store(written > LONG, Ordering::Relaxed);
        }
        before = moved.written.load(Ordering::Relaxed);
    }
}

/// Writes what comes in until nobody can send any more.
///
/// It holds the lock, so that nobody else begins before the last change is stored.
fn write(
    mut connection: Connection,
    mut log: Log,
    changes: &Receiver<(Vec<Change>, Then)>,
    moved: &Moved,
    _lock: Lock,
) {
    while let Ok(first) = changes.recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH
            && let Ok(next) = changes.try_recv()
        {
            batch.push(next);
        }
        match commit(&mut connection, batch.iter().flat_map(|(changes, _)| changes)) {
            Ok(any) => {
                let stored = if any { log.sync() } else { Ok(()) };
                moved.written.fetch_add(if any { batch.len() } else { 0 }, Ordering::Relaxed);
                batch.into_iter().for_each(|(_, then)| tell(then, stored.clone()));
            }
            // One that cannot be stored must not take the others with it.
            Err(_) => {
                for (changes, then) in batch {
                    let stored = commit(&mut connection, changes.iter()).map_err(|error| error.to_string());
                    tell(then, stored.and_then(|any| if any { log.sync() } else { Ok(()) }));
                }
            }
        }
        if moved.long.swap(false, Ordering::Relaxed) {
            let _ = connection.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(()));
        }
    }
}

/// Tells somebody that something is stored, or is not. Whatever that does, the next change is stored all the same.
fn tell(then: Then, stored: Result<(), String>) {
    if catch_unwind(AssertUnwindSafe(|| then(stored))).is_err() {
        eprintln!("the engine failed while somebody was told that something is stored");
    }
}

/// Stores changes together. True if there was anything to be stored.
fn commit<'a>(
    connection: &mut Connection,
    changes: impl Iterator<Item = &'a Change>,
) -> Result<bool, WriteError> {
    let transaction = connection.transaction()?;
    let mut any = false;
    for change in changes {
        any |= !matches!(change, Change::Nothing);
        apply(&transaction, change)?;
    }
    if any {
        transaction.commit()?;
    } else {
        transaction.rollback()?;
    }
    Ok(any)
}

/// Takes the next version of a game, if the one that a change follows is the stored one.
fn follow(connection: &Connection, game: &str, version: u64) -> Result<(), WriteError> {
    let taken = connection
        .prepare_cached("UPDATE versions SET n = n + 1 WHERE game = ?1 AND n = ?2")?
        .execute(params![game, version as i64])?;
    if taken == 1 { Ok(()) } else { Err(WriteError::Overtaken) }
}

fn apply(connection: &Connection, change: &Change) -> Result<(), WriteError> {
    let json = |value: serde_json::Result<String>| value.unwrap_or_default();
    match change {
        Change::New(game, keys) => {
            let Stored { id, setup, head, about } = &**game;
            connection.execute(
                "INSERT INTO games SELECT ?1, ?2, ?3, ?4, coalesce(max(place), 0) + 1 FROM games",
                params![id, json(serde_json::to_string(setup)), head, json(serde_json::to_string(about))],
            )?;
            connection.execute("INSERT INTO versions VALUES (?1, 0)", [id])?;
            let mut insert = connection.prepare_cached("INSERT INTO keys VALUES (?1, ?2, ?3)")?;
            for (key, chair) in keys {
                insert.execute(params![key, id, chair])?;
            }
        }
        Change::Lines { game, version, from, lines, about } => {
            follow(connection, game, *version)?;
            connection
                .prepare_cached("DELETE FROM lines WHERE game = ?1 AND n >= ?2")?
                .execute(params![game, *from as i64])?;
            let mut insert = connection.prepare_cached("INSERT INTO lines VALUES (?1, ?2, ?3)")?;
            for (n, line) in (*from as i64..).zip(lines) {
                insert.execute(params![game, n, line])?;
            }
            if let Some(about) = about {
                connection
                    .prepare_cached("UPDATE games SET about = ?2 WHERE id = ?1")?
                    .execute(params![game, json(serde_json::to_string(about))])?;
            }
        }
        Change::Nonce { game, nonce } => {
            connection
                .prepare_cached("INSERT OR REPLACE INTO nonces VALUES (?1, ?2)")?
                .execute(params![game, nonce])?;
        }
        Change::Setup { game, version, setup, head } => {
            follow(connection, game, *version)?;
            connection.execute(
                "UPDATE games SET setup = ?2, head = ?3 WHERE id = ?1",
                params![game, json(serde_json::to_string(setup)), head],
            )?;
        }
        Change::Remove(game) => {
            for table in ["lines", "keys", "versions", "nonces"] {
                connection.execute(&format!("DELETE FROM {table} WHERE game = ?1"), [game])?;
            }
            connection.execute("DELETE FROM games WHERE id = ?1", [game])?;
        }
        Change::Nothing => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    fn put(store: &Store, changes: Vec<Change>) -> Result<(), String> {
        let (done, wait) = sync_channel(1);
        store.put(changes, Box::new(move |result| drop(done.send(result))));
        wait.recv().map_err(|error| error.to_string())?
    }

    fn lines(game: &str, version: u64, from: usize, lines: &[&str]) -> Change {
        let lines = lines.iter().map(ToString::to_string).collect();
        Change::Lines { game: game.into(), version, from, lines, about: None }
    }

    fn game(id: &str) -> Change {
        let (setup, head, about) = (Setup::default(), String::new(), About::default());
        Change::New(Box::new(Stored { id: id.into(), setup, head, about }), Vec::new())
    }

    #[test]
    fn what_is_stored_is_there_when_the_file_is_opened_again() -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("games.sqlite");
        let key = {
            let store = Store::open(&path)?;
            let game = Stored {
                id: "g1".into(),
                setup: Setup { game: "skirmish".into(), ..Setup::default() },
                head: "head\n".into(),
                about: About::default(),
            };
            put(&store, vec![Change::New(Box::new(game), vec![("k".into(), "table".into())])])?;
            put(&store, vec![lines("g1", 0, 0, &["a", "b", "c"])])?;
            put(&store, vec![lines("g1", 1, 1, &["B"])])?;
            for nonce in ["first", "second"] {
                put(&store, vec![Change::Nonce { game: "g1".into(), nonce: nonce.into() }])?;
            }
            store.host_key()?
        };
        let store = Store::open(&path)?;
        assert_eq!(store.record("g1")?, ("head\na\nB\n".into(), 2));
        assert_eq!(store.nonce("g1")?.as_deref(), Some("second"));
        assert_eq!(store.host_key()?, key);
        let kept = store.games()?;
        assert_eq!((kept.games.len(), kept.keys), (1, vec![("k".into(), "g1".into(), "table".into())]));
        put(&store, vec![Change::Remove("g1".into())])?;
        assert!(store.games()?.games.is_empty());
        assert_eq!(store.nonce("g1")?, None);
        Ok(())
    }

    #[test]
    fn a_change_that_cannot_be_stored_does_not_harm_another() -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let store = Store::open(&folder.path().join("games.sqlite"))?;
        put(&store, vec![game("a")])?;
        assert!(put(&store, vec![game("b"), game("a")]).is_err(), "there is an a already");
        put(&store, vec![game("c")])?;
        let ids: Vec<String> = store.games()?.games.into_iter().map(|game| game.id).collect();
        assert_eq!(ids, ["a", "c"], "what failed left nothing behind");
        Ok(())
    }

    #[test]
    fn a_write_that_follows_another_version_than_the_stored_one_is_refused() -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("games.sqlite");
        let store = Store::open(&path)?;
        put(&store, vec![game("g"), lines("g", 0, 0, &["a"])])?;
        // As a second server would write that the lock does not stop.
        let other = Connection::open(&path).map_err(words)?;
        other.execute("INSERT INTO lines VALUES ('g', 1, 'theirs')", []).map_err(words)?;
        other.execute("UPDATE versions SET n = n + 1 WHERE game = 'g'", []).map_err(words)?;
        let refused = put(&store, vec![lines("g", 1, 1, &["ours"])]).expect_err("it was overtaken");
        assert!(refused.contains("another program"), "{refused}");
        assert_eq!(store.record("g")?, ("a\ntheirs\n".into(), 2), "what was confirmed stays");
        put(&store, vec![lines("g", 2, 2, &["ours"])])?;
        assert!(put(&store, vec![lines("g", 2, 3, &["late"])]).is_err(), "and each version is used once");
        Ok(())
    }

    #[test]
    fn one_server_at_a_time_uses_a_store() -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("games.sqlite");
        let first = Store::open(&path)?;
        let refused = Store::open(&path).err().expect("the second is refused");
        assert!(refused.contains("another server"), "{refused}");
        put(&first, vec![game("g")])?;
        drop(first);
        assert_eq!(Store::open(&path)?.games()?.games.len(), 1, "it is free when the first has ended");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_a_store() -> Result<(), String> {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let modes = || -> Vec<(String, u32)> {
            let files = std::fs::read_dir(folder.path()).expect("a folder").flatten();
            let mode =
                |file: &std::fs::DirEntry| file.metadata().expect("a file").permissions().mode() & 0o777;
            files.map(|file| (file.file_name().to_string_lossy().into_owned(), mode(&file))).collect()
        };
        let path = folder.path().join("games.sqlite");
        for old in [false, true] {
            if old {
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("changed");
            }
            let store = Store::open(&path)?;
            put(&store, vec![game(if old { "a" } else { "b" })])?;
            assert!(modes().len() >= 3, "{:?}", modes());
            assert!(modes().iter().all(|(_, mode)| *mode == 0o600), "{:?}", modes());
        }
        Ok(())
    }

    #[test]
    fn a_row_that_cannot_be_read_is_told_of_and_stops_nothing() -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("games.sqlite");
        let store = Store::open(&path)?;
        for id in ["a", "b", "c", "d"] {
            put(&store, vec![game(id)])?;
        }
        let other = Connection::open(&path).map_err(words)?;
        other.execute("UPDATE games SET setup = '{\"game\":' WHERE id = 'b'", []).map_err(words)?;
        other.execute("UPDATE games SET about = x'ff00' WHERE id = 'c'", []).map_err(words)?;
        other.execute("INSERT INTO keys VALUES (x'ff', 'a', 'table')", []).map_err(words)?;
        let kept = store.games()?;
        let ids: Vec<&str> = kept.games.iter().map(|game| &*game.id).collect();
        assert_eq!(ids, ["a", "d"]);
        assert_eq!(kept.unreadable.len(), 3, "{:?}", kept.unreadable);
        assert!(kept.unreadable.iter().any(|line| line.starts_with("game b: ")), "{:?}", kept.unreadable);
        Ok(())
    }

    #[test]
    fn a_store_of_the_first_version_is_taken_over() -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("games.sqlite");
        {
            let store = Store::open(&path)?;
            put(&store, vec![game("g"), lines("g", 0, 0, &["a"])])?;
        }
        let old = Connection::open(&path).map_err(words)?;
        old.execute_batch("DROP TABLE versions; PRAGMA user_version = 1;").map_err(words)?;
        drop(old);
        let store = Store::open(&path)?;
        assert_eq!(store.record("g")?, ("a\n".into(), 0));
        put(&store, vec![lines("g", 0, 1, &["b"])])
    }
}

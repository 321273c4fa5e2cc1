//! The store: all games in one SQLite file, each as its record, line by line.
//!
//! One thread writes. It takes what has come in since its last commit as one transaction, so that many games share one
//! write to the disk, and only then tells those who wait. A process killed at any moment has lost nothing it confirmed.

use crate::library::Setup;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, setup TEXT NOT NULL, head TEXT NOT NULL, about TEXT NOT NULL, place INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, game TEXT NOT NULL, chair TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lines (
    game TEXT NOT NULL, n INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (game, n)
) WITHOUT ROWID;
";

/// The version of the tables; another one is not touched.
const VERSION: i32 = 1;

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
        /// The number of the first line that differs.
        from: usize,
        /// The lines.
        lines: Vec<String>,
        /// What lists show of it.
        about: Box<About>,
    },
    /// The game is played under this from now on.
    Setup {
        /// The game.
        game: String,
        /// What is played.
        setup: Box<Setup>,
        /// The head of its record.
        head: String,
    },
    /// The game is gone.
    Remove(String),
    /// Nothing; for what must wait until everything before is stored.
    Nothing,
}

/// What is done when a change is stored, or was not.
pub type Then = Box<dyn FnOnce(Result<(), String>) + Send>;

/// The store.
pub struct Store {
    reader: Mutex<Connection>,
    writer: Sender<(Vec<Change>, Then)>,
}

fn words(error: rusqlite::Error) -> String {
    format!("the store of games cannot be used: {error}")
}

impl Store {
    /// Opens a file, or makes it.
    pub fn open(path: &Path) -> Result<Store, String> {
        let name = path.display();
        let connect = || -> rusqlite::Result<Connection> {
            let connection = Connection::open(path)?;
            connection.busy_timeout(Duration::from_secs(10))?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            // Each commit reaches the disk before anybody hears of it.
            connection.pragma_update(None, "synchronous", "FULL")?;
            Ok(connection)
        };
        let connection = connect().map_err(|error| format!("{name}: {}", words(error)))?;
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
        let (writer, changes) = channel();
        std::thread::Builder::new()
            .name("store".into())
            .spawn(move || write(connection, &changes))
            .map_err(|error| error.to_string())?;
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

    /// All games in the order in which they were made, and all keys with game and chair.
    pub fn games(&self) -> Result<(Vec<Stored>, Vec<StoredKey>), String> {
        let reader = self.reader();
        let mut games =
            reader.prepare("SELECT id, setup, head, about FROM games ORDER BY place, id").map_err(words)?;
        let rows = games
            .query_map([], |row| {
                let texts: (String, String, String, String) =
                    (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
                Ok(texts)
            })
            .map_err(words)?;
        let mut found = Vec::new();
        for row in rows {
            let (id, setup, head, about) = row.map_err(words)?;
            let setup = serde_json::from_str(&setup).map_err(|error| format!("game {id}: {error}"))?;
            let about = serde_json::from_str(&about).map_err(|error| format!("game {id}: {error}"))?;
            found.push(Stored { id, setup, head, about });
        }
        let mut keys = reader.prepare("SELECT key, game, chair FROM keys").map_err(words)?;
        let keys = keys
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .and_then(Iterator::collect::<rusqlite::Result<Vec<StoredKey>>>)
            .map_err(words)?;
        Ok((found, keys))
    }

    /// The record of a game as text.
    pub fn record(&self, game: &str) -> Result<String, String> {
        let reader = self.reader();
        let mut text: String = reader
            .query_row("SELECT head FROM games WHERE id = ?1", [game], |row| row.get(0))
            .map_err(words)?;
        let mut lines =
            reader.prepare_cached("SELECT line FROM lines WHERE game = ?1 ORDER BY n").map_err(words)?;
        let mut rows = lines.query([game]).map_err(words)?;
        while let Some(row) = rows.next().map_err(words)? {
            text.push_str(&row.get::<_, String>(0).map_err(words)?);
            text.push('\n');
        }
        Ok(text)
    }
}

/// Writes what comes in until nobody can send any more.
fn write(mut connection: Connection, changes: &Receiver<(Vec<Change>, Then)>) {
    while let Ok(first) = changes.recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH
            && let Ok(next) = changes.try_recv()
        {
            batch.push(next);
        }
        match commit(&mut connection, batch.iter().flat_map(|(changes, _)| changes)) {
            Ok(()) => batch.into_iter().for_each(|(_, then)| then(Ok(()))),
            // One that cannot be stored must not take the others with it.
            Err(_) => {
                for (changes, then) in batch {
                    then(commit(&mut connection, changes.iter()).map_err(words));
                }
            }
        }
    }
}

fn commit<'a>(
    connection: &mut Connection,
    changes: impl Iterator<Item = &'a Change>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    let mut any = false;
    for change in changes {
        any |= !matches!(change, Change::Nothing);
        apply(&transaction, change)?;
    }
    if any { transaction.commit() } else { transaction.rollback() }
}

fn apply(connection: &Connection, change: &Change) -> rusqlite::Result<()> {
    let json = |value: serde_json::Result<String>| value.unwrap_or_default();
    match change {
        Change::New(game, keys) => {
            let Stored { id, setup, head, about } = &**game;
            connection.execute(
                "INSERT INTO games SELECT ?1, ?2, ?3, ?4, coalesce(max(place), 0) + 1 FROM games",
                params![id, json(serde_json::to_string(setup)), head, json(serde_json::to_string(about))],
            )?;
            let mut insert = connection.prepare_cached("INSERT INTO keys VALUES (?1, ?2, ?3)")?;
            for (key, chair) in keys {
                insert.execute(params![key, id, chair])?;
            }
        }
        Change::Lines { game, from, lines, about } => {
            connection
                .prepare_cached("DELETE FROM lines WHERE game = ?1 AND n >= ?2")?
                .execute(params![game, *from as i64])?;
            let mut insert = connection.prepare_cached("INSERT INTO lines VALUES (?1, ?2, ?3)")?;
            for (n, line) in (*from as i64..).zip(lines) {
                insert.execute(params![game, n, line])?;
            }
            connection
                .prepare_cached("UPDATE games SET about = ?2 WHERE id = ?1")?
                .execute(params![game, json(serde_json::to_string(about))])?;
        }
        Change::Setup { game, setup, head } => {
            connection.execute(
                "UPDATE games SET setup = ?2, head = ?3 WHERE id = ?1",
                params![game, json(serde_json::to_string(setup)), head],
            )?;
        }
        Change::Remove(game) => {
            for table in ["lines", "keys"] {
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

    fn lines(game: &str, from: usize, lines: &[&str]) -> Change {
        let lines = lines.iter().map(ToString::to_string).collect();
        Change::Lines { game: game.into(), from, lines, about: Box::default() }
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
            put(&store, vec![lines("g1", 0, &["a", "b", "c"])])?;
            put(&store, vec![lines("g1", 1, &["B"])])?;
            store.host_key()?
        };
        let store = Store::open(&path)?;
        assert_eq!(store.record("g1")?, "head\na\nB\n");
        assert_eq!(store.host_key()?, key);
        let (games, keys) = store.games()?;
        assert_eq!((games.len(), keys), (1, vec![("k".into(), "g1".into(), "table".into())]));
        put(&store, vec![Change::Remove("g1".into())])?;
        assert!(store.games()?.0.is_empty());
        Ok(())
    }

    #[test]
    fn a_change_that_cannot_be_stored_does_not_harm_another() -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let store = Store::open(&folder.path().join("games.sqlite"))?;
        let game = |id: &str| {
            let (setup, head, about) = (Setup::default(), String::new(), About::default());
            Change::New(Box::new(Stored { id: id.into(), setup, head, about }), Vec::new())
        };
        put(&store, vec![game("a")])?;
        assert!(put(&store, vec![game("b"), game("a")]).is_err(), "there is an a already");
        put(&store, vec![game("c")])?;
        let ids: Vec<String> = store.games()?.0.into_iter().map(|game| game.id).collect();
        assert_eq!(ids, ["a", "c"], "what failed left nothing behind");
        Ok(())
    }
}

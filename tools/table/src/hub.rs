//! What all threads of a server share: keys and what they open, the list of tables, and the games as data.

use crate::library::{Library, Loaded, Problem, Setup};
use crate::refusal::Refusal;
use crate::store::{About, Store, Stored, StoredGames};
use sandtable_script::ScriptBounds;
use sandtable_session::Record;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use std::time::Duration;

/// Bytes that the scripts of a VM may hold: less than elsewhere, because a server has many.
const MEMORY: usize = 64 << 20;

/// What a key opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chair {
    /// Every side that people play: one computer for all.
    Table,
    /// One side.
    Seat(String),
    /// A spectator's place.
    Watch,
}

impl Chair {
    /// The chair as it is stored.
    pub fn text(&self) -> String {
        match self {
            Chair::Table => "table".into(),
            Chair::Seat(side) => format!("seat {side}"),
            Chair::Watch => "watch".into(),
        }
    }

    fn read(text: &str) -> Chair {
        match text.split_once(' ') {
            Some(("seat", side)) => Chair::Seat(side.into()),
            _ if text == "table" => Chair::Table,
            _ => Chair::Watch,
        }
    }
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// The owner of the server.
    Host,
    /// Somebody at a table.
    At {
        /// The game.
        game: String,
        /// The chair.
        chair: Chair,
    },
}

/// A table in the list.
#[derive(Clone, Debug)]
struct Entry {
    place: u64,
    setup: Setup,
    about: About,
    keys: Vec<(String, Chair)>,
    /// The head of its record, as it was stored when the server began; nothing once the game was opened here.
    head: Option<String>,
    /// Why it cannot be opened.
    problem: Option<String>,
    /// Why it was closed; it is opened again when somebody says so.
    closed: Option<Refusal>,
}

/// What all threads share.
pub struct Hub {
    /// Where games come from.
    pub library: Arc<dyn Library>,
    /// Where they are kept.
    pub store: Store,
    /// Whether files are watched.
    pub watching: bool,
    /// What scripts may use for one answer.
    pub bounds: ScriptBounds,
    host: String,
    keys: RwLock<HashMap<String, Who>>,
    entries: RwLock<BTreeMap<String, Entry>>,
    /// What is played somewhere; the threads that play it hold it.
    shelf: Mutex<Vec<(Setup, Weak<Loaded>)>>,
    /// What was read last, for the next who plays the same.
    read: Mutex<Option<Arc<Loaded>>>,
    /// Games of which something could not be stored: their sessions are ahead of what is kept.
    failed: Mutex<BTreeSet<String>>,
    /// What of the store could not be read when the server began.
    pub unreadable: Vec<String>,
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// Reads what is stored.
    pub fn open(
        library: Arc<dyn Library>,
        store: Store,
        watching: bool,
        time: Duration,
    ) -> Result<Hub, String> {
        let host = store.host_key()?;
        let StoredGames { games, keys: stored, unreadable } = store.games()?;
        for line in &unreadable {
            eprintln!("the store has something that cannot be read; it is left as it is: {line}");
        }
        let mut keys = HashMap::from([(host.clone(), Who::Host)]);
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        for (place, Stored { id, setup, about, head }) in (0u64..).zip(games) {
            let (keys, head, problem, closed) = (Vec::new(), Some(head), None, None);
            entries.insert(id, Entry { place, setup, about, keys, head, problem, closed });
        }
        for (key, game, chair) in stored {
            let chair = Chair::read(&chair);
            if let Some(entry) = entries.get_mut(&game) {
                entry.keys.push((key.clone(), chair.clone()));
                keys.insert(key, Who::At { game, chair });
            }
        }
        Ok(Hub {
            library,
            store,
            watching,
            bounds: ScriptBounds { time, memory: MEMORY, ..ScriptBounds::default() },
            host,
            keys: RwLock::new(keys),
            entries: RwLock::new(entries),
            shelf: Mutex::default(),
            read: Mutex::default(),
            failed: Mutex::default(),
            unreadable,
        })
    }

    /// The key of the server itself.
    pub fn host_key(&self) -> &str {
        &self.host
    }

    /// What a key opens.
    pub fn who(&self, key: &str) -> Result<Who, Refusal> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.get(key).cloned().ok_or_else(Refusal::no_key)
    }

    /// A game as data, read once and shared by all that play the same.
    pub fn loaded(&self, setup: &Setup) -> Result<Arc<Loaded>, Problem> {
        let found =
            held(&self.shelf).iter().find(|(other, _)| other == setup).and_then(|(_, it)| it.upgrade());
        if let Some(loaded) = found {
            return Ok(loaded);
        }
        let loaded = Arc::new(self.read(setup)?);
        self.replace(setup, &loaded);
        Ok(loaded)
    }

    /// Reads a game from its files. Whatever these do to the engine is a problem of theirs, not of the server.
    pub fn read(&self, setup: &Setup) -> Result<Loaded, Problem> {
        let read = catch_unwind(AssertUnwindSafe(|| self.library.load(setup)));
        read.unwrap_or_else(|panic| Err(Problem::of_panic(&*panic)))
    }

    /// Puts a newly read game in place of an old one.
    pub fn replace(&self, setup: &Setup, loaded: &Arc<Loaded>) {
        let mut shelf = held(&self.shelf);
        shelf.retain(|(other, it)| other != setup && it.strong_count() > 0);
        shelf.push((setup.clone(), Arc::downgrade(loaded)));
        drop(shelf);
        *held(&self.read) = Some(loaded.clone());
    }

    /// What is played here, as far as it was loaded.
    pub fn shelved(&self) -> Vec<Setup> {
        let shelf = held(&self.shelf);
        shelf.iter().filter(|(_, it)| it.strong_count() > 0).map(|(setup, _)| setup.clone()).collect()
    }

    /// Files that came with all tables together: how many.
    pub fn uploads(&self) -> usize {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.values().map(|entry| entry.setup.files.len()).sum()
    }

    /// Takes note that a table is closed, and why; nothing opens it.
    pub fn close(&self, game: &str, why: Option<&Refusal>) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get_mut(game) {
            entry.head = None;
            entry.closed = why.cloned();
            entry.problem = why.map(|why| why.text.clone());
        }
    }

    /// Why a table is closed, if it is.
    pub fn closed(&self, game: &str) -> Option<Refusal> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.get(game).and_then(|entry| entry.closed.clone())
    }

    /// Adds a table with its keys.
    pub fn add(&self, id: &str, setup: Setup, about: About, keys: Vec<(String, Chair)>) {
        {
            let mut known = self.keys.write().unwrap_or_else(PoisonError::into_inner);
            for (key, chair) in &keys {
                known.insert(key.clone(), Who::At { game: id.to_string(), chair: chair.clone() });
            }
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        let place = entries.values().map(|entry| entry.place + 1).max().unwrap_or(0);
        let (head, problem, closed) = (None, None, None);
        entries.insert(id.to_string(), Entry { place, setup, about, keys, head, problem, closed });
    }

    /// Takes a table out of the list; its keys open nothing any more.
    pub fn take(&self, game: &str) -> Result<(), Refusal> {
        let entry = {
            let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
            entries.remove(game).ok_or_else(|| Refusal::missing("There is no such table."))?
        };
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        for (key, _) in &entry.keys {
            keys.remove(key);
        }
        Ok(())
    }

    /// Takes note that something of a game could not be stored.
    pub fn fail(&self, game: &str) {
        held(&self.failed).insert(game.to_string());
    }

    /// Whether something of a game could not be stored since this was last asked.
    pub fn failed(&self, game: &str) -> bool {
        held(&self.failed).remove(game)
    }

    /// What is played at a table, and what lists show of it.
    pub fn entry(&self, game: &str) -> Option<(Setup, About)> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.get(game).map(|entry| (entry.setup.clone(), entry.about.clone()))
    }

    /// Takes note of how a game stands; gives what was known before.
    pub fn note(&self, game: &str, about: &About) -> Option<About> {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        entries.get_mut(game).map(|entry| std::mem::replace(&mut entry.about, about.clone()))
    }

    /// Takes note of why a game cannot be opened, or that it can.
    pub fn note_problem(&self, game: &str, problem: Option<String>) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get_mut(game) {
            entry.head = None;
            entry.problem = problem;
        }
    }

    /// Stored games that nobody has opened yet and whose files are not those they were played with. Each is looked at once.
    pub fn doubtful(&self) -> Vec<String> {
        let stored: Vec<(String, Setup, String)> = {
            let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
            let unopened =
                |(id, entry): (&String, &Entry)| Some((id.clone(), entry.setup.clone(), entry.head.clone()?));
            entries.iter().filter_map(unopened).collect()
        };
        let differs = |setup: &Setup, head: &str| {
            let (Ok(record), Ok(loaded)) = (Record::parse(head), self.loaded(setup)) else { return true };
            let hashes = loaded.catalog.layers.iter().map(|layer| u64::from_be_bytes(layer.content_hash.0));
            let recorded = record.packages().map(|stamp| stamp.hash);
            // Settings of the command line are a last layer, which the record keeps otherwise.
            !hashes.take(record.packages().count()).eq(recorded)
        };
        let mut doubtful = Vec::new();
        for (id, setup, head) in stored {
            if differs(&setup, &head) {
                doubtful.push(id);
            } else {
                self.note_problem(&id, None);
            }
        }
        doubtful
    }

    /// Takes note of what a game is played under.
    pub fn note_setup(&self, game: &str, setup: &Setup) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get_mut(game) {
            entry.setup.clone_from(setup);
        }
    }

    /// All tables, newest first, with their links.
    pub fn list(&self) -> Vec<Value> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<(&String, &Entry)> = entries.iter().collect();
        all.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.place));
        let shown = |(id, entry): (&String, &Entry)| {
            let About { title, scenario, choices, ended, owing, players } = &entry.about;
            json!({
                "game": id, "of": entry.setup.game, "title": title, "scenario": scenario, "choices": choices,
                "ended": ended, "owing": owing, "players": players, "links": links(&entry.keys),
                "problem": entry.problem, "closed": entry.closed.as_ref().map(|closed| closed.code),
            })
        };
        all.into_iter().map(shown).collect()
    }

    /// The links of a table.
    pub fn links(&self, game: &str) -> Value {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.get(game).map_or(Value::Null, |entry| links(&entry.keys))
    }
}

/// The links of a table.
pub fn links(keys: &[(String, Chair)]) -> Value {
    let mut links = json!({ "seats": {} });
    for (key, chair) in keys {
        let link = json!(format!("/t/{key}"));
        match chair {
            Chair::Table => links["table"] = link,
            Chair::Watch => links["watch"] = link,
            Chair::Seat(side) => links["seats"][side] = link,
        }
    }
    links
}

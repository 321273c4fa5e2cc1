//! What all threads of a server share: keys and what they open, the list of tables, and the games as data.

use crate::library::{Library, Loaded, Problem, Setup};
use crate::refusal::Refusal;
use crate::store::{About, Store, Stored};
use sandtable_session::Record;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

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
}

/// What all threads share.
pub struct Hub {
    /// Where games come from.
    pub library: Arc<dyn Library>,
    /// Where they are kept.
    pub store: Store,
    /// Whether files are watched.
    pub watching: bool,
    host: String,
    keys: RwLock<HashMap<String, Who>>,
    entries: RwLock<BTreeMap<String, Entry>>,
    shelf: Mutex<Vec<(Setup, Arc<Loaded>)>>,
    /// Games of which something could not be stored: their sessions are ahead of what is kept.
    failed: Mutex<BTreeSet<String>>,
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// Reads what is stored.
    pub fn open(library: Arc<dyn Library>, store: Store, watching: bool) -> Result<Hub, String> {
        let host = store.host_key()?;
        let (games, stored) = store.games()?;
        let mut keys = HashMap::from([(host.clone(), Who::Host)]);
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        for (place, Stored { id, setup, about, head }) in (0u64..).zip(games) {
            let (keys, head, problem) = (Vec::new(), Some(head), None);
            entries.insert(id, Entry { place, setup, about, keys, head, problem });
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
            host,
            keys: RwLock::new(keys),
            entries: RwLock::new(entries),
            shelf: Mutex::default(),
            failed: Mutex::default(),
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
            held(&self.shelf).iter().find(|(other, _)| other == setup).map(|(_, loaded)| loaded.clone());
        if let Some(loaded) = found {
            return Ok(loaded);
        }
        let loaded = Arc::new(self.library.load(setup)?);
        let mut shelf = held(&self.shelf);
        // Most servers play one or two games; a long list of old ones would only hold memory.
        if shelf.len() >= 16 {
            shelf.remove(0);
        }
        shelf.push((setup.clone(), loaded.clone()));
        Ok(loaded)
    }

    /// Puts a newly read game in place of an old one.
    pub fn replace(&self, setup: &Setup, loaded: &Arc<Loaded>) {
        let mut shelf = held(&self.shelf);
        shelf.retain(|(other, _)| other != setup);
        shelf.push((setup.clone(), loaded.clone()));
    }

    /// What is played here, as far as it was loaded.
    pub fn shelved(&self) -> Vec<Setup> {
        held(&self.shelf).iter().map(|(setup, _)| setup.clone()).collect()
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
        let (head, problem) = (None, None);
        entries.insert(id.to_string(), Entry { place, setup, about, keys, head, problem });
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

    /// Stored games that nobody has opened yet and whose files are not those they were played with.
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
        stored.into_iter().filter(|(_, setup, head)| differs(setup, head)).map(|(id, ..)| id).collect()
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
                "problem": entry.problem,
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

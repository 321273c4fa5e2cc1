//! Rules that change while a game is played: files that are saved, or a layer that is dropped on the page.
//!
//! The record is played again under the new rules. Where that is possible the game goes on under them, and everybody sees
//! what is different; where it is not, the game goes on under the rules it had.

use crate::facts::{self, Facts};
use crate::hub::Hub;
use crate::library::{self, FileStamp, Loaded, Problem, Setup};
use crate::live::{Differing, Live};
use crate::picture;
use crate::refusal::Refusal;
use crate::room::{Room, send};
use crate::store::Change;
use crate::tables::Tables;
use crate::worker::{CachedGame, Worker};
use sandtable_session::record::Line;
use sandtable_session::{Game, Record};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::oneshot;

/// How often files are looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// What goes with a game to other rules, and to the thread that plays under them.
struct Leaving {
    /// What each listener knows.
    known: Vec<Facts>,
    /// The game as data, as it was.
    loaded: Arc<Loaded>,
    /// The game so far.
    record: Record,
    /// The lines of it that are stored.
    stored: Vec<Line>,
    /// The version of what is stored.
    version: u64,
}

impl Room {
    /// What each listener knows, before or after a change of the rules.
    fn known(&mut self) -> Vec<Facts> {
        let Some(mut live) = self.live.take() else { return Vec::new() };
        let mut known = Vec::new();
        for listener in &self.listeners {
            let viewer = self.viewer(&live, &listener.chair, listener.as_side.as_deref());
            let picture = live.session.look(|host| picture::picture(host.cx(), viewer));
            let components = self.components(&live, &picture, &Default::default());
            known.push(facts::facts(&picture, &components));
        }
        self.live = Some(live);
        known
    }

    /// What goes with a game to other rules.
    fn leave(&mut self) -> Result<Leaving, Refusal> {
        self.listeners.retain(|listener| !listener.to.is_closed());
        let known = self.known();
        let version = self.version;
        let live = self.live()?;
        let (record, stored) = (live.session.record(), live.stored.clone());
        Ok(Leaving { known, loaded: live.shelved.loaded.clone(), record, stored, version })
    }

    /// Goes on under other rules, if the game so far is possible under them: those of a new layer, or of changed files.
    fn adopt(
        &mut self,
        worker: &mut Worker,
        shelved: &Rc<CachedGame>,
        leaving: Leaving,
        layer: Option<&str>,
    ) -> Result<(), Refusal> {
        let changed = facts::changed(&leaving.loaded, &shelved.loaded);
        let mut live = Live::from_record(shelved, &leaving.record, Differing::GoOn)?;
        live.stored = leaving.stored;
        let head = live.head();
        self.live = Some(live);
        self.setup = shelved.setup.clone();
        self.proposal = None;
        // What was asked under other rules is answered under them or not at all.
        self.nonce.clear();
        worker.hub.note_setup(&self.id, &self.setup);
        let after = self.known();
        let mut messages = Vec::new();
        for ((listener, then), now) in self.listeners.iter_mut().zip(&leaving.known).zip(&after) {
            // What is printed on the pieces may be different, so it is all sent anew.
            listener.forget();
            let news = json!({
                "type": "reload", "ok": true, "board": shelved.board_hash, "layer": layer,
                "differences": facts::differences(then, now), "changed": changed,
            });
            messages.push((listener.to.clone(), news.to_string()));
        }
        send(messages);
        let (game, version) = (self.id.clone(), self.next_version());
        let stored = Change::Setup { game, version, setup: Box::new(self.setup.clone()), head };
        // The log was made as the record was played again, line by line with what each saw then; it is not made anew.
        let from = self.live()?.changes();
        self.settle(worker, from, vec![stored], Box::new(|_| {}));
        Ok(())
    }

    /// Tells everybody that the rules could not be changed.
    pub fn tell_problem(&mut self, refusal: &Refusal) {
        let told = self.listeners.iter().map(|listener| {
            let refusal = self.discreet(&listener.chair, refusal.clone());
            let errors: Vec<Value> = refusal.places.iter().map(|place| json!(place)).collect();
            let text = json!({ "type": "reload", "ok": false, "errors": errors, "full": refusal.text });
            (listener.to.clone(), text.to_string())
        });
        send(told.collect());
    }
}

impl Worker {
    /// Goes on under newly read files in all rooms that play that.
    fn reload(&mut self, setup: &Setup, loaded: &Result<Arc<Loaded>, Problem>) {
        let shelved = match loaded {
            Ok(loaded) => CachedGame::new(setup, loaded.clone(), self.hub.bounds).map(Rc::new),
            Err(problem) => Err(Refusal::load(problem.text.clone(), problem.places.clone())),
        };
        if let Ok(shelved) = &shelved {
            self.shelve(shelved.clone());
        }
        for id in self.rooms_of(setup) {
            let told = self.in_room(&id, |worker, room| {
                let done = match &shelved {
                    Ok(shelved) => {
                        room.leave().and_then(|leaving| room.adopt(worker, shelved, leaving, None))
                    }
                    Err(refusal) => Err(refusal.clone()),
                };
                if let Err(refusal) = done {
                    room.tell_problem(&refusal);
                }
                Ok(())
            });
            // A room that cannot be opened has nobody to tell.
            drop(told);
        }
    }
}

impl Worker {
    /// Whether a game can go on under other rules, which are loaded here.
    fn try_rules(&mut self, setup: &Setup, loaded: Arc<Loaded>, record: &Record) -> Result<(), Refusal> {
        let bounds = self.hub.bounds;
        let tried = catch_unwind(AssertUnwindSafe(|| {
            let shelved = Rc::new(CachedGame::new(setup, loaded, bounds)?);
            shelved.game.host.collect();
            let held = shelved.game.host.memory();
            if held > LOADED {
                let (held, most) = (held >> 20, LOADED >> 20);
                let text =
                    format!("Its scripts hold {held} MiB once they are loaded; at most {most} are allowed.");
                return Err(Refusal::refused("load", text));
            }
            Live::from_record(&shelved, record, Differing::GoOn)?;
            Ok(shelved)
        }));
        let failed = |panic: Box<dyn std::any::Any + Send>| {
            let problem = Problem::of_panic(&*panic);
            Err(Refusal::load(problem.text, problem.places))
        };
        self.shelve(tried.unwrap_or_else(failed)?);
        Ok(())
    }

    /// Goes on with a room that came here for other rules; where that fails it goes back to those it had.
    fn adopt_here(
        &mut self,
        mut room: Room,
        old: Setup,
        leaving: Leaving,
        layer: &str,
    ) -> Result<(), Refusal> {
        let adopted = self.caught(&mut room, |worker, room| {
            let shelved = worker.shelved(&room.setup)?;
            room.adopt(worker, &shelved, leaving, Some(layer))
        });
        match adopted {
            Ok(()) => self.arrive(room),
            Err(_) => {
                room.setup = old;
                self.send_back(room);
            }
        }
        adopted
    }
}

/// Looks at the files of all games that are played here, until the server is gone.
pub async fn watch(tables: Weak<Tables>) {
    let mut known: BTreeMap<String, Vec<FileStamp>> = BTreeMap::new();
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let Some(tables) = tables.upgrade() else { return };
        let looked = tokio::task::spawn_blocking(move || {
            // Whatever fails here, the next look comes.
            let _ = guarded(|| {
                for setup in tables.hub.shelved() {
                    look(&tables, &setup, &mut known);
                }
            });
            known
        });
        match looked.await {
            Ok(seen) => known = seen,
            // Whatever failed there, the next save may mend it.
            Err(_) => known = BTreeMap::new(),
        }
    }
}

/// Runs something that a saved file may break: a panic is a problem like any other.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Problem> {
    // What ran is thrown away as a whole, so that nobody sees it half done.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run))
        .map_err(|panic| Problem { text: Refusal::engine_failed(library::said(&*panic)), places: Vec::new() })
}

fn look(tables: &Tables, setup: &Setup, known: &mut BTreeMap<String, Vec<FileStamp>>) {
    let files = tables.hub.library.files(setup);
    let name = serde_json::to_string(setup).unwrap_or_default();
    match known.insert(name, files.clone()) {
        Some(before) if before != files => {}
        _ => return,
    }
    let loaded = guarded(|| {
        let loaded = tables.hub.library.load(setup)?;
        // Scripts that do not even load must not come to where a game would be made from them.
        Game::bounded(loaded.definition.clone(), &loaded.catalog, tables.hub.bounds)
            .map_err(Problem::from)?;
        Ok(Arc::new(loaded))
    })
    .flatten();
    if let Ok(loaded) = &loaded {
        tables.hub.replace(setup, loaded);
    }
    let setup = setup.clone();
    tables.lanes.send_all(move |worker| worker.reload(&setup, &loaded));
}

/// Longest file of a layer that is taken.
const FILE: usize = 256 << 10;
/// Files that a table takes, and all tables of a server together.
const FILES: (usize, usize) = (8, 64);
/// Bytes that a VM may hold when the scripts of a layer from outside have been loaded.
const LOADED: usize = 48 << 20;

/// The set-up of a table with one more layer, and the id of that.
fn with_layer(hub: &Hub, game: &str, name: &str, text: String) -> Result<(Setup, String), Refusal> {
    let (mut setup, _) = hub.entry(game).ok_or_else(|| Refusal::missing("This table is gone."))?;
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.starts_with('.') || !name.chars().all(safe) {
        return Err(Refusal::bad(format!(
            "`{name}` is not a name of a file; expected letters, digits, - and _."
        )));
    }
    if text.len() > FILE {
        return Err(Refusal::too_large(FILE));
    }
    let read = catch_unwind(AssertUnwindSafe(|| hub.library.layer_id(name, &text)));
    let Some(id) = read.unwrap_or(None) else {
        return Err(Refusal::bad(format!("{name} is neither a record nor a layer.")));
    };
    let path = format!("layers/{name}");
    let before = setup.files.len();
    setup.files.retain(|(other, _)| *other != path);
    let (at_a_table, on_a_server) = FILES;
    if setup.files.len() >= at_a_table || hub.uploads() + setup.files.len() >= on_a_server + before {
        let text = format!(
            "A table takes {at_a_table} files of layers and a server {on_a_server}; there is no room for another."
        );
        return Err(Refusal::refused("too-many", text));
    }
    setup.files.push((path, text));
    if !setup.layers.contains(&id) {
        setup.layers.push(id.clone());
    }
    Ok((setup, id))
}

/// Plays on under a layer that came as a file.
///
/// The layer is first tried on the thread of the rules that it makes, while the game goes on; only then does the game go there.
pub async fn add_layer(tables: &Tables, game: &str, name: &str, text: String) -> Result<Value, Refusal> {
    let (setup, id) = with_layer(&tables.hub, game, name, text)?;
    let loaded = {
        let (hub, setup) = (tables.hub.clone(), setup.clone());
        tokio::task::spawn_blocking(move || hub.loaded(&setup))
            .await
            .map_err(|error| Refusal::busy(error.to_string()))?
            .map_err(|problem| Refusal::load(problem.text, problem.places))?
    };
    let done = move_under(tables, game, &setup, loaded, id).await;
    // A trial that failed leaves a thread that plays nothing.
    tables.lanes.end_unused(&setup);
    done.map(|()| json!({ "done": true }))
}

/// Tries other rules on a game, and lets it go on under them where they are played.
async fn move_under(
    tables: &Tables,
    game: &str,
    setup: &Setup,
    loaded: Arc<Loaded>,
    layer: String,
) -> Result<(), Refusal> {
    let Leaving { record, version, .. } = tables.ask(game, |_, room| room.leave()).await?;
    let lost = || Refusal::busy("The layer could not be tried; try again.");
    let (reply, answer) = oneshot::channel();
    let tried = setup.clone();
    // Whoever asked may be gone when the answers come.
    let try_it = move |worker: &mut Worker| drop(reply.send(worker.try_rules(&tried, loaded, &record)));
    tables.lanes.send_under(setup, Box::new(try_it));
    answer.await.unwrap_or_else(|_| Err(lost()))?;
    let (reply, answer) = oneshot::channel();
    let setup = setup.clone();
    let go = move |worker: &mut Worker, room: &mut Room| {
        if room.version != version {
            return Err(Refusal::stale());
        }
        let (leaving, old) = (room.leave()?, room.setup.clone());
        worker.go_to(setup, move |worker, room| {
            drop(reply.send(worker.adopt_here(room, old, leaving, &layer)));
        });
        Ok(())
    };
    tables.ask(game, go).await?;
    answer.await.unwrap_or_else(|_| Err(lost()))
}

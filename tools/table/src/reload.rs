//! Rules that change while a game is played: files that are saved, or a layer that is dropped on the page.
//!
//! The record is played again under the new rules. Where that is possible the game goes on under them, and everybody sees
//! what is different; where it is not, the game goes on under the rules it had.

use crate::facts::{self, Facts};
use crate::library::{FileStamp, Loaded, Problem, Setup};
use crate::live::Live;
use crate::picture;
use crate::refusal::Refusal;
use crate::room::{Room, send};
use crate::store::Change;
use crate::tables::Tables;
use crate::worker::{Shelved, Worker};
use sandtable_session::Game;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// How often files are looked at.
const PATIENCE: Duration = Duration::from_millis(300);

impl Room {
    /// What each listener knows, before or after a change of the rules.
    fn known(&mut self) -> Vec<Facts> {
        let Some(mut live) = self.live.take() else { return Vec::new() };
        let mut known = Vec::new();
        for listener in &self.listeners {
            let viewer = self.viewer(&live, &listener.chair, listener.as_side.as_deref());
            let picture = live.session.look(|host| picture::picture(host.cx(), viewer));
            let protos = self.protos(&live, &picture, &Default::default());
            known.push(facts::facts(&picture, &protos));
        }
        self.live = Some(live);
        known
    }

    /// Goes on under other rules, if the game so far is possible under them: those of a new layer, or of changed files.
    pub fn adopt(
        &mut self,
        worker: &mut Worker,
        shelved: &Rc<Shelved>,
        layer: Option<&str>,
    ) -> Result<(), Refusal> {
        self.listeners.retain(|listener| !listener.to.is_closed());
        let before = self.known();
        let old = self.live()?;
        let changed = facts::changed(&old.shelved.loaded, &shelved.loaded);
        let record = old.session.record();
        let mut live = Live::from_record(shelved, &record)?;
        live.stored.clone_from(&old.stored);
        let head = live.head();
        self.live = Some(live);
        self.setup = shelved.setup.clone();
        self.proposal = None;
        worker.hub.note_setup(&self.id, &self.setup);
        let after = self.known();
        let mut messages = Vec::new();
        for ((listener, then), now) in self.listeners.iter_mut().zip(&before).zip(&after) {
            // What is printed on the pieces may be different, so it is all sent anew.
            listener.forget();
            let news = json!({
                "type": "reload", "ok": true, "board": shelved.board_hash, "layer": layer,
                "differences": facts::differences(then, now), "changed": changed,
            });
            messages.push((listener.to.clone(), news.to_string()));
        }
        send(messages);
        let stored = Change::Setup { game: self.id.clone(), setup: Box::new(self.setup.clone()), head };
        self.settle(worker, 0, vec![stored], Box::new(|_| {}));
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
            Ok(loaded) => Shelved::new(setup, loaded.clone()).map(Rc::new),
            Err(problem) => Err(Refusal::load(problem.text.clone(), problem.places.clone())),
        };
        if let Ok(shelved) = &shelved {
            self.shelve(shelved.clone());
        }
        for id in self.rooms_of(setup) {
            let told = self.in_room(&id, |worker, room| {
                let done = match &shelved {
                    Ok(shelved) => room.adopt(worker, shelved, None),
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

/// Looks at the files of all games that are played here, until the server is gone.
pub async fn watch(tables: Weak<Tables>) {
    let mut known: BTreeMap<String, Vec<FileStamp>> = BTreeMap::new();
    loop {
        tokio::time::sleep(PATIENCE).await;
        let Some(tables) = tables.upgrade() else { return };
        let looked = tokio::task::spawn_blocking(move || {
            for setup in tables.hub.shelved() {
                look(&tables, &setup, &mut known);
            }
            known
        });
        match looked.await {
            Ok(seen) => known = seen,
            Err(_) => return,
        }
    }
}

fn look(tables: &Tables, setup: &Setup, known: &mut BTreeMap<String, Vec<FileStamp>>) {
    let files = tables.hub.library.files(setup);
    let name = serde_json::to_string(setup).unwrap_or_default();
    match known.insert(name, files.clone()) {
        Some(before) if before != files => {}
        _ => return,
    }
    let loaded = tables.hub.library.load(setup).and_then(|loaded| {
        // Scripts that do not even load must not come to where a game would be made from them.
        Game::new(loaded.definition.clone(), &loaded.catalog).map_err(Problem::from)?;
        Ok(Arc::new(loaded))
    });
    if let Ok(loaded) = &loaded {
        tables.hub.replace(setup, loaded);
    }
    let setup = setup.clone();
    tables.send_all(move |worker| worker.reload(&setup, &loaded));
}

/// Plays on under a layer that came as a file.
pub async fn add_layer(tables: &Tables, game: &str, name: &str, text: String) -> Result<Value, Refusal> {
    let (mut setup, _) = tables.hub.entry(game).ok_or_else(|| Refusal::missing("This table is gone."))?;
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.starts_with('.') || !name.chars().all(safe) {
        return Err(Refusal::bad(format!(
            "`{name}` is no name of a file; expected letters, digits, - and _."
        )));
    }
    let id = tables.hub.library.layer_id(name, &text);
    let Some(id) = id else {
        return Err(Refusal::bad(format!("{name} is neither a record nor a layer.")));
    };
    let path = format!("layers/{name}");
    setup.files.retain(|(other, _)| *other != path);
    setup.files.push((path, text));
    if !setup.layers.contains(&id) {
        setup.layers.push(id.clone());
    }
    let loaded = {
        let (hub, setup) = (tables.hub.clone(), setup.clone());
        tokio::task::spawn_blocking(move || hub.loaded(&setup))
            .await
            .map_err(|error| Refusal::busy(error.to_string()))?
            .map_err(|problem| Refusal::load(problem.text, problem.places))?
    };
    let adopt = move |worker: &mut Worker, room: &mut Room| {
        let shelved = Rc::new(Shelved::new(&setup, loaded)?);
        worker.shelve(shelved.clone());
        room.adopt(worker, &shelved, Some(&id))
    };
    tables.ask(game, adopt).await?;
    Ok(json!({ "done": true }))
}

//! The tables: requests go to the thread that plays their game, and answers come back.

use crate::hub::{Chair, Hub, links};
use crate::key;
use crate::lanes::{Lanes, Work};
use crate::library::Setup;
use crate::live::Differing;
use crate::refusal::Refusal;
use crate::room::Room;
use crate::store::{About, Change, Player, Stored};
use crate::worker::Worker;
use sandtable_session::Record;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{Semaphore, oneshot};

/// Requests that may wait for the threads that play.
const WAITING: usize = 2_000;

/// The tables of a server.
pub struct Tables {
    /// What all threads share.
    pub hub: Arc<Hub>,
    /// The threads that play; they end with the tables.
    pub lanes: Arc<Lanes>,
    waiting: Semaphore,
}

impl Tables {
    /// Tables that are each played by one of so many threads for the same rules.
    pub fn new(hub: Hub, threads: usize) -> Tables {
        let hub = Arc::new(hub);
        let lanes = Arc::new(Lanes::new(hub.clone(), threads));
        Tables { hub, lanes, waiting: Semaphore::new(WAITING) }
    }

    /// Sends work to the thread that plays a game.
    pub fn send(&self, game: &str, work: Work) {
        // Those who wait for work that goes with its table are told by their closed channel.
        self.lanes.send(game, work);
    }

    /// Does something with a room on its thread, and waits for the answer.
    pub async fn ask<T: Send + 'static>(
        &self,
        game: &str,
        f: impl FnOnce(&mut Worker, &mut Room) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let id = game.to_string();
        self.wait(game, move |worker, reply| drop(reply.send(worker.in_room(&id, f)))).await
    }

    /// Does something that changes a game, and waits until it is stored.
    ///
    /// `f` gives the answer, and from which change on the log is new; nothing if nothing has changed.
    pub async fn act(
        &self,
        game: &str,
        f: impl FnOnce(&mut Worker, &mut Room) -> Result<(Value, Option<usize>), Refusal> + Send + 'static,
    ) -> Result<Value, Refusal> {
        let id = game.to_string();
        self.wait(game, move |worker, reply| {
            worker.act(&id, f, Box::new(move |result| drop(reply.send(result))));
        })
        .await
    }

    /// Sends work to the thread of a game, and waits until it replies.
    async fn wait<T: Send + 'static>(
        &self,
        game: &str,
        work: impl FnOnce(&mut Worker, oneshot::Sender<Result<T, Refusal>>) + Send + 'static,
    ) -> Result<T, Refusal> {
        let Ok(_place) = self.waiting.try_acquire() else {
            return Err(Refusal::busy("Too many requests at once; try again."));
        };
        let (reply, answer) = oneshot::channel();
        self.send(game, Box::new(move |worker| work(worker, reply)));
        answer.await.unwrap_or_else(|_| Err(self.lost(game)))
    }

    /// What somebody is told whose answer was lost with the thread or the room that was to give it.
    fn lost(&self, game: &str) -> Refusal {
        match self.hub.entry(game) {
            None => Refusal::missing("This table is gone."),
            Some(_) => self
                .hub
                .closed(game)
                .unwrap_or_else(|| Refusal::busy("This table is being set up again; try again.")),
        }
    }

    /// Opens a closed table again; one whose record leads elsewhere only if it is to go on from there all the same.
    pub async fn reopen(&self, game: &str, anyway: bool) -> Result<Value, Refusal> {
        let id = game.to_string();
        let differing = if anyway { Differing::GoOn } else { Differing::Stop };
        self.wait(game, move |worker, reply| {
            worker.reopen(&id, differing, Box::new(move |result| drop(reply.send(result))));
        })
        .await
    }

    /// Makes a table: for a new game, or one that goes on from a record.
    pub async fn create(
        &self,
        setup: Setup,
        seed: Option<u64>,
        players: BTreeMap<String, Player>,
        record: Option<(Record, Differing)>,
    ) -> Result<(String, Value), Refusal> {
        let id = key::short().map_err(Refusal::busy)?;
        let seed = match (seed, &record) {
            (_, Some((record, _))) => record.seed,
            (Some(seed), None) => seed,
            (None, None) => new_seed()?,
        };
        let loaded = {
            let (hub, setup) = (self.hub.clone(), setup.clone());
            tokio::task::spawn_blocking(move || hub.loaded(&setup))
                .await
                .map_err(|error| Refusal::busy(error.to_string()))?
                .map_err(|problem| Refusal::load(problem.text, problem.places))?
        };
        let world = &loaded.definition.world;
        let sides: Vec<String> =
            world.sides.iter().map(|side| world.symbols.text(side.0).to_string()).collect();
        if let Some(wrong) = players.keys().find(|side| !sides.contains(side)) {
            return Err(Refusal::bad(format!("There is no side `{wrong}`; there are {}.", sides.join(", "))));
        }
        let seats =
            sides.iter().map(|side| (side.clone(), players.get(side).copied().unwrap_or(Player::Human)));
        let about = About {
            title: loaded.definition.title.clone(),
            scenario: loaded.definition.scenario.title.clone(),
            players: seats.collect(),
            ..About::default()
        };
        let chairs = [Chair::Table, Chair::Watch].into_iter().chain(sides.into_iter().map(Chair::Seat));
        let mut keys = Vec::new();
        for chair in chairs {
            keys.push((key::new().map_err(Refusal::busy)?, chair));
        }
        let links = links(&keys);
        let stored =
            Stored { id: id.clone(), setup: setup.clone(), head: String::new(), about: about.clone() };
        let (reply, answer) = oneshot::channel();
        let job = {
            let (id, keys) = (id.clone(), keys.clone());
            move |worker: &mut Worker| {
                let keys = keys.iter().map(|(key, chair)| (key.clone(), chair.text())).collect();
                let made = worker.create(
                    &id,
                    stored,
                    seed,
                    record,
                    keys,
                    Box::new(move |result| drop(reply.send(result))),
                );
                if let Err((refusal, reply)) = made {
                    reply(Err(refusal));
                }
            }
        };
        self.lanes.send_as(&id, &setup, Box::new(job));
        let made = answer.await.unwrap_or_else(|_| Err(Refusal::busy("The table could not be made.")));
        if made.is_err() {
            self.lanes.forget(&id);
        }
        made?;
        self.hub.add(&id, setup, about, keys);
        // What the first steps of play did to the lists is known to the thread that plays.
        self.ask(&id, |worker, room| worker.summarise(room)).await?;
        Ok((id, links))
    }

    /// Takes a table away.
    pub async fn remove(&self, game: &str) -> Result<(), Refusal> {
        let (setup, _) = self.hub.entry(game).ok_or_else(|| Refusal::missing("There is no such table."))?;
        self.hub.take(game)?;
        let (reply, answer) = oneshot::channel();
        let id = game.to_string();
        let remove = move |worker: &mut Worker| {
            worker.forget(&id);
            worker.put(vec![Change::Remove(id)], Box::new(move |result| drop(reply.send(result))));
        };
        self.lanes.send_as(game, &setup, Box::new(remove));
        self.lanes.forget(game);
        answer.await.unwrap_or_else(|_| Err("closed".into())).map_err(Refusal::busy)
    }
}

/// A seed for new dice: too large to be found by trying, small enough for every program that reads numbers.
fn new_seed() -> Result<u64, Refusal> {
    let mut bytes = [0u8; 8];
    getrandom::fill(&mut bytes).map_err(|error| Refusal::busy(error.to_string()))?;
    Ok(u64::from_be_bytes(bytes) >> 11)
}

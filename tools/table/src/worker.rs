//! A thread that plays: it owns the VMs and the sessions of its games, and does one job after the other.
//!
//! A session belongs to one thread because its VM does. Sessions of the same game share a VM; one that was not needed
//! for long is dropped and made again from its record.

use crate::board;
use crate::hub::Hub;
use crate::library::{Loaded, Setup};
use crate::live::Live;
use crate::refusal::Refusal;
use crate::room::Room;
use crate::store::{About, Change, Stored, Then};
use sandtable_session::{Game, Record};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

/// Work for a thread.
pub type Job = Box<dyn FnOnce(&mut Worker) + Send>;
/// Takes the outcome of a job to whoever waits for it.
pub type Reply<T> = Box<dyn FnOnce(Result<T, Refusal>) + Send>;

/// Sessions that a thread keeps at most.
const LIVE: usize = 256;
/// Bytes of a VM above which sessions that were not needed for long are dropped; scripts may use more than that.
const FULL: usize = 96 << 20;
/// Room for the deepest chain of handlers.
const STACK: usize = 16 << 20;

/// A game with its VM, shared by the sessions of a thread.
pub struct Shelved {
    /// What is played.
    pub setup: Setup,
    /// The data.
    pub loaded: Arc<Loaded>,
    /// The rules.
    pub game: Rc<Game>,
    /// The board as JSON.
    pub board: Arc<str>,
    /// Differs when the board does.
    pub board_hash: String,
}

impl Shelved {
    /// Runs the scripts of a loaded game.
    pub fn new(setup: &Setup, loaded: Arc<Loaded>) -> Result<Shelved, Refusal> {
        let game = Game::new(loaded.definition.clone(), &loaded.catalog).map_err(|errors| {
            let problem = crate::library::Problem::from(errors);
            Refusal::load(problem.text, problem.places)
        })?;
        let board: Arc<str> = board::board(&loaded, &game).to_string().into();
        let board_hash = board::hash(&board);
        Ok(Shelved { setup: setup.clone(), loaded, game: Rc::new(game), board, board_hash })
    }

    /// The paragraphs that a prompt cites.
    pub fn rules(&self, prompt: &str) -> Vec<String> {
        let rule = self.loaded.catalog.row("prompt", prompt).and_then(|row| row.get("rule"));
        match rule.map(|node| &node.value) {
            Some(sandtable_data::tree::Value::Str(text)) => vec![text.clone()],
            Some(sandtable_data::tree::Value::Array(items)) => {
                items.iter().filter_map(|item| item.as_str().map(str::to_string)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What a thread holds.
pub struct Worker {
    /// What all threads share.
    pub hub: Arc<Hub>,
    shelf: Vec<Rc<Shelved>>,
    rooms: BTreeMap<String, Room>,
    /// Rooms in which the random player has more to do.
    pub more: VecDeque<String>,
    /// Counts jobs, to know which session was used last.
    clock: u64,
}

/// Starts a thread, which ends when nobody can send jobs any more.
pub fn start(number: usize, hub: Arc<Hub>, jobs: Receiver<Job>) -> Result<(), String> {
    let work = move || {
        let (shelf, rooms, more) = (Vec::new(), BTreeMap::new(), VecDeque::new());
        let mut worker = Worker { hub, shelf, rooms, more, clock: 0 };
        let mut busy = false;
        loop {
            // People come before the random player, and both before cleaning up.
            let job = match busy {
                false => jobs.recv().map_err(|_| TryRecvError::Disconnected),
                true => jobs.try_recv(),
            };
            match job {
                Ok(job) => job(&mut worker),
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) if !worker.more.is_empty() => worker.play_on(),
                Err(TryRecvError::Empty) => {
                    busy = worker.sweep();
                    continue;
                }
            }
            busy = true;
            worker.tidy();
        }
    };
    let thread = std::thread::Builder::new().name(format!("play {number}")).stack_size(STACK);
    thread.spawn(work).map(drop).map_err(|error| error.to_string())
}

impl Worker {
    /// The game of a set-up with its VM.
    pub fn shelved(&mut self, setup: &Setup) -> Result<Rc<Shelved>, Refusal> {
        if let Some(found) = self.shelf.iter().find(|shelved| shelved.setup == *setup) {
            return Ok(found.clone());
        }
        let loaded = self.hub.loaded(setup).map_err(|problem| Refusal::load(problem.text, problem.places))?;
        let shelved = Rc::new(Shelved::new(setup, loaded)?);
        self.shelve(shelved.clone());
        Ok(shelved)
    }

    /// Puts a game on the shelf in place of an older one of the same set-up.
    pub fn shelve(&mut self, shelved: Rc<Shelved>) {
        self.shelf.retain(|other| other.setup != shelved.setup);
        if self.shelf.len() >= 16 {
            self.shelf.remove(0);
        }
        self.shelf.push(shelved);
    }

    /// Finds a room with its session, making the session from its record if it must.
    fn open(&mut self, id: &str) -> Result<Room, Refusal> {
        self.clock += 1;
        let mut room = match self.rooms.remove(id) {
            Some(room) => room,
            None => {
                let (setup, about) =
                    self.hub.entry(id).ok_or_else(|| Refusal::missing("This table is gone."))?;
                Room::new(id, setup, about.players)
            }
        };
        room.used = self.clock;
        if self.hub.failed(id) {
            room.live = None;
        }
        if room.live.is_none() {
            let revived = self.revive(&mut room);
            // The lists say what is wrong with a game that cannot be opened; it stays as it is stored.
            self.hub.note_problem(id, revived.as_ref().err().map(|refusal| refusal.text.clone()));
            if let Err(refusal) = revived {
                self.rooms.insert(id.to_string(), room);
                return Err(refusal);
            }
        }
        Ok(room)
    }

    /// Makes a session from what is stored.
    fn revive(&mut self, room: &mut Room) -> Result<(), Refusal> {
        let text = self.hub.store.record(&room.id).map_err(Refusal::busy)?;
        let record = Record::parse(&text)
            .map_err(|error| Refusal::refused("load", format!("The stored game cannot be read: {error}")))?;
        let shelved = self.shelved(&room.setup)?;
        room.live = Some(Live::from_record(&shelved, &record)?);
        Ok(())
    }

    /// Does something in a room.
    pub fn in_room<T>(
        &mut self,
        id: &str,
        f: impl FnOnce(&mut Worker, &mut Room) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut room = self.open(id)?;
        let result = f(self, &mut room);
        self.rooms.insert(id.to_string(), room);
        result
    }

    /// Does something that changes a game; `reply` is called when it is stored.
    pub fn act(
        &mut self,
        id: &str,
        f: impl FnOnce(&mut Worker, &mut Room) -> Result<(Value, Option<usize>), Refusal>,
        reply: Reply<Value>,
    ) {
        let mut room = match self.open(id) {
            Ok(room) => room,
            Err(refusal) => return reply(Err(refusal)),
        };
        match f(self, &mut room) {
            Err(refusal) => reply(Err(refusal)),
            Ok((value, None)) => reply(Ok(value)),
            Ok((value, Some(from))) => {
                let reply: Reply<()> = Box::new(move |result| reply(result.map(|()| value)));
                room.settle(self, from, Vec::new(), reply);
            }
        }
        self.rooms.insert(id.to_string(), room);
    }

    /// Lets the random player of one room go on.
    fn play_on(&mut self) {
        let Some(id) = self.more.pop_front() else { return };
        if !self.rooms.contains_key(&id) {
            return;
        }
        let from = |_: &mut Worker, room: &mut Room| Ok((Value::Null, room.live.as_ref().map(Live::changes)));
        self.act(&id, from, Box::new(|_| {}));
    }

    /// Makes a room for a new game, or for one that goes on from a record.
    pub fn create(
        &mut self,
        id: &str,
        mut stored: Stored,
        seed: u64,
        record: Option<Record>,
        keys: Vec<(String, String)>,
        reply: Reply<()>,
    ) -> Result<(), (Refusal, Reply<()>)> {
        let begin = |worker: &mut Worker| -> Result<Live, Refusal> {
            let shelved = worker.shelved(&stored.setup)?;
            match &record {
                None => Live::new(&shelved, seed),
                Some(record) => Live::from_record(&shelved, record),
            }
        };
        let mut live = match begin(self) {
            Ok(live) => live,
            Err(refusal) => return Err((refusal, reply)),
        };
        // All of its lines are still to be stored.
        live.stored.clear();
        stored.head = live.head();
        let mut room = Room::new(id, stored.setup.clone(), stored.about.players.clone());
        room.used = self.clock;
        room.live = Some(live);
        room.settle(self, 0, vec![Change::New(Box::new(stored), keys)], reply);
        self.rooms.insert(id.to_string(), room);
        Ok(())
    }

    /// Tells the list of tables how a game stands.
    pub fn summarise(&mut self, room: &mut Room) -> Result<(), Refusal> {
        let about = self.about(room);
        self.hub.note(&room.id, &about);
        Ok(())
    }

    /// What lists show of a game.
    pub fn about(&self, room: &mut Room) -> About {
        let players = room.players.clone();
        let Some(live) = &mut room.live else { return About { players, ..About::default() } };
        let definition = &live.shelved.loaded.definition;
        About {
            title: definition.title.clone(),
            scenario: definition.scenario.title.clone(),
            choices: live.choices().len(),
            owing: live.owing(),
            ended: live.ended_text(),
            players,
        }
    }

    /// Stores changes.
    pub fn put(&self, changes: Vec<Change>, then: Then) {
        self.hub.store.put(changes, then);
    }

    /// Drops a session; it is made again from its record when it is next wanted.
    pub fn drop_session(&mut self, id: &str) {
        if let Some(room) = self.rooms.get_mut(id) {
            room.live = None;
        }
    }

    /// Forgets a room and tells those who sit there.
    pub fn forget(&mut self, id: &str) {
        if let Some(room) = self.rooms.remove(id) {
            room.close();
        }
    }

    /// Rooms that are open here, by what is played there.
    pub fn rooms_of(&self, setup: &Setup) -> Vec<String> {
        let rooms = self.rooms.values().filter(|room| room.setup == *setup);
        rooms.map(|room| room.id.clone()).collect()
    }

    /// Does a little of the collectors' work while nobody waits. True while there is more.
    fn sweep(&self) -> bool {
        self.shelf.iter().any(|shelved| shelved.game.host.sweep())
    }

    /// Makes room where there are too many sessions, or a VM is full of what they remember.
    fn tidy(&mut self) {
        let live = self.rooms.values().filter(|room| room.live.is_some()).count();
        if live > LIVE {
            self.drop_oldest(live / 4);
        }
        if !self.full() {
            return;
        }
        self.collect();
        // What queries gave can be worked out again at once; a session only from its whole record.
        if self.full() {
            for room in self.rooms.values_mut().filter(|room| room.used != self.clock) {
                if let Some(live) = &mut room.live {
                    drop(std::mem::take(&mut live.session.play_mut().memos));
                }
            }
            self.collect();
        }
        if self.full() {
            self.drop_oldest((live / 4).max(1));
            self.collect();
        }
    }

    /// Whether a VM holds more than it should.
    fn full(&self) -> bool {
        self.shelf.iter().any(|shelved| shelved.game.host.memory() > FULL)
    }

    fn collect(&self) {
        for shelved in &self.shelf {
            shelved.game.host.collect();
        }
    }

    /// Drops the sessions that were not needed for longest; several at once, so that this is not done at every job.
    fn drop_oldest(&mut self, many: usize) {
        let idle = self.rooms.values().filter(|room| room.live.is_some() && room.used != self.clock);
        let mut oldest: Vec<(u64, String)> = idle.map(|room| (room.used, room.id.clone())).collect();
        oldest.sort();
        for (_, id) in oldest.iter().take(many) {
            self.drop_session(id);
        }
    }
}

//! A thread that plays: it owns the VMs and the sessions of its games, and does one job after the other.
//!
//! A session belongs to one thread because its VM does. Sessions of the same game share a VM; one that was not needed
//! for long is dropped and made again from its record.

use crate::board;
use crate::hub::Hub;
use crate::lanes::{Job, Lanes};
use crate::library::{Loaded, Problem, Setup, said};
use crate::live::{Differing, Live};
use crate::refusal::Refusal;
use crate::room::Room;
use crate::store::{About, Change, Stored, Then};
use sandtable_script::ScriptBounds;
use sandtable_session::{Game, Record};
use serde_json::{Value, json};
use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Takes the outcome of a job to whoever waits for it.
pub type Reply<T> = Box<dyn FnOnce(Result<T, Refusal>) + Send>;

/// Sessions that a thread keeps at most.
const LIVE: usize = 256;
/// Bytes of a VM above which sessions that were not needed for long are dropped; scripts may use more than that.
const FULL: usize = 40 << 20;
/// The same on the thread of tables that run long: what they leave is cleared away at once.
const FULL_SLOW: usize = 32 << 20;
/// What takes a thread longer than this in a room counts against the room.
const LONG: Duration = Duration::from_millis(300);
/// What one such job counts for, while each quick one takes 1 off; and from what count on a room goes to the thread of those.
const STRIKES: (u32, u32) = (20, 50);
/// Room for the deepest chain of handlers.
const STACK: usize = 16 << 20;

/// A game with its VM, shared by the sessions of a thread.
pub struct CachedGame {
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

impl CachedGame {
    /// Runs the scripts of a loaded game.
    pub fn new(setup: &Setup, loaded: Arc<Loaded>, bounds: ScriptBounds) -> Result<CachedGame, Refusal> {
        let game = Game::bounded(loaded.definition.clone(), &loaded.catalog, bounds).map_err(|errors| {
            let problem = Problem::from(errors);
            Refusal::load(problem.text, problem.places)
        })?;
        Ok(CachedGame::of(setup, loaded, Rc::new(game)))
    }

    /// A game whose scripts have run.
    pub fn of(setup: &Setup, loaded: Arc<Loaded>, game: Rc<Game>) -> CachedGame {
        let board: Arc<str> = board::board(&loaded, &game).to_string().into();
        let board_hash = board::hash(&board);
        CachedGame { setup: setup.clone(), loaded, game, board, board_hash }
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

/// Where a thread stands among the others.
pub struct Place {
    /// Its number.
    pub lane: u64,
    /// Whether it plays the tables that run long.
    pub slow: bool,
    /// All threads.
    pub lanes: Weak<Lanes>,
    /// Where it says how many bytes its VMs hold.
    pub memory: Arc<AtomicUsize>,
}

/// What a thread holds.
pub struct Worker {
    /// What all threads share.
    pub hub: Arc<Hub>,
    place: Place,
    shelf: Vec<Rc<CachedGame>>,
    rooms: BTreeMap<String, Room>,
    /// Rooms in which the random player has more to do.
    pub more: VecDeque<String>,
    /// Counts jobs, to know which session was used last.
    clock: u64,
    /// Where the room of the job under way is to go when it is done.
    leaving: Option<(Setup, Arrival)>,
}

/// What is done with a room where it arrives.
type Arrival = Box<dyn FnOnce(&mut Worker, Room) + Send>;

/// Starts a thread, which ends when nobody can send jobs any more.
pub fn start(hub: Arc<Hub>, place: Place, jobs: Receiver<Job>) -> std::io::Result<()> {
    let name = format!("play {}", place.lane);
    let work = move || {
        if place.slow {
            give_way();
        }
        let (shelf, rooms, more) = (Vec::new(), BTreeMap::new(), VecDeque::new());
        let mut worker = Worker { hub, place, shelf, rooms, more, clock: 0, leaving: None };
        let mut busy = false;
        loop {
            // People come before the random player, and both before cleaning up.
            let job = match busy {
                false => jobs.recv().map_err(|_| TryRecvError::Disconnected),
                true => jobs.try_recv(),
            };
            match job {
                Ok(job) => worker.run(job),
                Err(TryRecvError::Disconnected) => {
                    worker.rooms.into_values().for_each(Room::let_go);
                    return;
                }
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
    let thread = std::thread::Builder::new().name(name).stack_size(STACK);
    thread.spawn(work).map(drop)
}

/// Lets other threads run before this one.
fn give_way() {
    // On Linux this is about the thread, elsewhere about the whole process. One that may not be slower is as fast as the others.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}

/// The time that this thread has been at work: waiting for a processor does not count.
fn at_work() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

impl Worker {
    /// The game of a set-up with its VM.
    pub fn shelved(&mut self, setup: &Setup) -> Result<Rc<CachedGame>, Refusal> {
        if let Some(found) = self.shelf.iter().find(|shelved| shelved.setup == *setup) {
            return Ok(found.clone());
        }
        let loaded = self.hub.loaded(setup).map_err(|problem| Refusal::load(problem.text, problem.places))?;
        let shelved = Rc::new(CachedGame::new(setup, loaded, self.hub.bounds)?);
        self.shelve(shelved.clone());
        Ok(shelved)
    }

    /// Puts a game on the shelf in place of an older one of the same set-up.
    pub fn shelve(&mut self, shelved: Rc<CachedGame>) {
        self.shelf.retain(|other| other.setup != shelved.setup);
        if self.shelf.len() >= 16 {
            self.shelf.remove(0);
        }
        self.shelf.push(shelved);
    }

    /// Does a job, unless its table has moved to another thread.
    ///
    /// A job that panics is caught in its room; this is for what happens outside of any.
    fn run(&mut self, job: Job) {
        let job = match self.place.lanes.upgrade() {
            Some(lanes) => lanes.forward(self.place.lane, job),
            None => Some(job),
        };
        if let Some(Job { table, work }) = job
            && let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(self)))
        {
            let table = table.as_deref().unwrap_or("none");
            eprintln!("table {table}: the engine failed outside of a room: {}", said(&*panic));
        }
    }

    /// Finds a room, with or without its session; it is not among the others until it is put back.
    fn take(&mut self, id: &str) -> Result<Room, Refusal> {
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
        Ok(room)
    }

    /// Puts a room back among the others, or sends it to the thread of tables that run long.
    fn put_back(&mut self, mut room: Room, took: Duration) {
        if let Some((setup, arrival)) = self.leaving.take()
            && let Some(lanes) = self.place.lanes.upgrade()
        {
            room.setup = setup;
            lanes.move_room(room, false, arrival);
            return;
        }
        let (strike, out) = STRIKES;
        room.strikes = if took > LONG { room.strikes + strike } else { room.strikes.saturating_sub(1) };
        if room.strikes >= out
            && !self.place.slow
            && let Some(lanes) = self.place.lanes.upgrade()
        {
            eprintln!("table {}: its rules run long; it is played behind the others from now on", room.id);
            self.more.retain(|id| *id != room.id);
            lanes.move_room(room, true, |worker, room| worker.arrive(room));
        } else {
            self.rooms.insert(room.id.clone(), room);
        }
    }

    /// Lets the room of the job under way go to the thread of other rules when the job is done.
    pub fn go_to(&mut self, setup: Setup, arrival: impl FnOnce(&mut Worker, Room) + Send + 'static) {
        self.leaving = Some((setup, Box::new(arrival)));
    }

    /// Sends a room to the thread of its rules.
    pub fn send_back(&mut self, room: Room) {
        match self.place.lanes.upgrade() {
            Some(lanes) => lanes.move_room(room, false, |worker, room| worker.arrive(room)),
            None => room.let_go(),
        }
    }

    /// Takes a room that came from another thread.
    pub fn arrive(&mut self, room: Room) {
        self.rooms.insert(room.id.clone(), room);
    }

    /// Gives a room its session, made from its record if it must be.
    fn wake(&mut self, room: &mut Room) -> Result<(), Refusal> {
        if let Some(closed) = self.hub.closed(&room.id) {
            return Err(closed.discreet());
        }
        if room.live.is_some() {
            return Ok(());
        }
        let revived = self.revive(room, Differing::Stop);
        match &revived {
            // What would be found again at every look is looked for once.
            Err(refusal) if refusal.code == "differs" => {
                self.hub.close(&room.id, Some(refusal));
                room.tell_closed(refusal);
            }
            // The lists say what is wrong with a game that cannot be opened; it stays as it is stored.
            _ => self.hub.note_problem(&room.id, revived.as_ref().err().map(|refusal| refusal.text.clone())),
        }
        // Whoever may know more is told by the server, which knows who asks.
        revived.map_err(|refusal| if refusal.code == "differs" { refusal.discreet() } else { refusal })
    }

    /// Makes a session from what is stored.
    fn revive(&mut self, room: &mut Room, differing: Differing) -> Result<(), Refusal> {
        let (text, version) = self.hub.store.record(&room.id).map_err(Refusal::busy)?;
        room.version = version;
        let record = Record::parse(&text)
            .map_err(|error| Refusal::refused("load", format!("The stored game cannot be read: {error}")))?;
        let shelved = self.shelved(&room.setup)?;
        room.live = Some(Live::from_record(&shelved, &record, differing)?);
        room.nonce = match self.hub.store.nonce(&room.id).map_err(Refusal::busy)? {
            Some(nonce) => nonce,
            None => crate::key::nonce().map_err(Refusal::busy)?,
        };
        Ok(())
    }

    /// Runs something in a room. A panic in it closes the room, and nothing else.
    pub fn caught<T>(
        &mut self,
        room: &mut Room,
        f: impl FnOnce(&mut Worker, &mut Room) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let run = catch_unwind(AssertUnwindSafe(|| f(self, room)));
        run.unwrap_or_else(|panic| Err(self.close(room, &*panic)))
    }

    /// Closes a room in which the engine failed: its session is given up, and its record says how it goes on.
    fn close(&mut self, room: &mut Room, panic: &(dyn Any + Send)) -> Refusal {
        eprintln!("table {}: the engine failed: {}", room.id, said(panic));
        room.live = None;
        self.distrust(&room.setup);
        let refusal = Refusal::closed(said(panic));
        self.hub.close(&room.id, Some(&refusal));
        room.tell_closed(&refusal);
        refusal.discreet()
    }

    /// Relies on nothing in the VM of some rules any more, which may have been in the middle of something: its sessions get a
    /// new one, or are made again themselves.
    fn distrust(&mut self, setup: &Setup) {
        let sound = |shelved: &Rc<CachedGame>| shelved.setup != *setup || shelved.game.host.recover();
        let (kept, lost): (Vec<_>, Vec<_>) = std::mem::take(&mut self.shelf).into_iter().partition(sound);
        self.shelf = kept;
        let gone = |live: &Live| lost.iter().any(|lost| Rc::ptr_eq(lost, &live.shelved));
        for room in self.rooms.values_mut().filter(|room| room.live.as_ref().is_some_and(gone)) {
            room.live = None;
        }
    }

    /// Opens a closed room again; one whose record leads elsewhere only if it is to go on from there all the same.
    pub fn reopen(&mut self, id: &str, differing: Differing, reply: Reply<Value>) {
        let mut room = match self.take(id) {
            Ok(room) => room,
            Err(refusal) => return reply(Err(refusal)),
        };
        self.hub.close(id, None);
        room.live = None;
        let mut reply = Some(reply);
        let opened = self.caught(&mut room, |worker, room| {
            if differing == Differing::Stop {
                worker.wake(room)?;
                crate::room::send(room.news());
                return Ok(());
            }
            worker.revive(room, differing)?;
            let (head, from) = (room.live()?.head(), room.live()?.changes());
            let (game, version, setup) = (room.id.clone(), room.next_version(), Box::new(room.setup.clone()));
            if let Some(reply) = reply.take() {
                // From here on the record says what the rules lead to now.
                let stored = Change::Setup { game, version, setup, head };
                room.settle(worker, from, vec![stored], Box::new(|result| reply(result.map(|()| json!({})))));
            }
            Ok(())
        });
        self.rooms.insert(id.to_string(), room);
        if let Some(reply) = reply {
            reply(opened.map(|()| json!({})));
        }
    }

    /// Does something in a room.
    pub fn in_room<T>(
        &mut self,
        id: &str,
        f: impl FnOnce(&mut Worker, &mut Room) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut room = self.take(id)?;
        let woken = self.caught(&mut room, Worker::wake);
        let start = at_work();
        let result = woken.and_then(|()| self.caught(&mut room, f));
        self.put_back(room, at_work().saturating_sub(start));
        result
    }

    /// Does something that changes a game; `reply` is called when it is stored.
    pub fn act(
        &mut self,
        id: &str,
        f: impl FnOnce(&mut Worker, &mut Room) -> Result<(Value, Option<usize>), Refusal>,
        reply: Reply<Value>,
    ) {
        let mut reply = Some(reply);
        let done = self.in_room(id, |worker, room| {
            let (value, from) = f(worker, room)?;
            let Some(from) = from else { return Ok(Some(value)) };
            if let Some(reply) = reply.take() {
                let reply: Reply<()> = Box::new(move |result| reply(result.map(|()| value)));
                room.settle(worker, from, Vec::new(), reply);
            }
            Ok(None)
        });
        // One that went to the store and was lost with a panic tells by its closed channel.
        match (reply, done) {
            (Some(reply), Ok(Some(value))) => reply(Ok(value)),
            (Some(reply), Ok(None)) => reply(Err(Refusal::busy("This table has closed."))),
            (Some(reply), Err(refusal)) => reply(Err(refusal)),
            (None, _) => {}
        }
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
        record: Option<(Record, Differing)>,
        keys: Vec<(String, String)>,
        reply: Reply<()>,
    ) -> Result<(), (Refusal, Reply<()>)> {
        let begin = |worker: &mut Worker| -> Result<Live, Refusal> {
            let shelved = worker.shelved(&stored.setup)?;
            match &record {
                None => Live::new(&shelved, seed),
                Some((record, differing)) => Live::from_record(&shelved, record, *differing),
            }
        };
        let start = at_work();
        let begun = catch_unwind(AssertUnwindSafe(|| begin(self)));
        let begun = begun.unwrap_or_else(|panic| {
            self.distrust(&stored.setup);
            Err(Refusal::closed(said(&*panic)))
        });
        let mut live = match begun {
            Ok(live) => live,
            Err(refusal) => return Err((refusal, reply)),
        };
        // All of its lines are still to be stored.
        live.stored.clear();
        stored.head = live.head();
        let mut room = Room::new(id, stored.setup.clone(), stored.about.players.clone());
        room.used = self.clock;
        let from = live.changes();
        room.live = Some(live);
        room.settle(self, from, vec![Change::New(Box::new(stored), keys)], reply);
        self.put_back(room, at_work().saturating_sub(start));
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
        // Games that nobody plays here any more.
        if self.shelf.len() > 1 {
            let rooms = &self.rooms;
            self.shelf.retain(|shelved| rooms.values().any(|room| room.setup == shelved.setup));
        }
        let live = self.rooms.values().filter(|room| room.live.is_some()).count();
        if live > LIVE {
            self.drop_oldest(live / 4);
        }
        let memory = self.memory();
        self.place.memory.store(memory, Ordering::Relaxed);
        if memory > FULL_SLOW
            && let Some(lanes) = self.place.lanes.upgrade()
        {
            lanes.shed(self.place.lane);
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
        self.place.memory.store(self.memory(), Ordering::Relaxed);
    }

    /// Bytes that all VMs hold.
    fn memory(&self) -> usize {
        self.shelf.iter().map(|shelved| shelved.game.host.burden()).sum()
    }

    /// Whether a VM holds more than it should.
    fn full(&self) -> bool {
        let most = if self.place.slow { FULL_SLOW } else { FULL };
        self.shelf.iter().any(|shelved| shelved.game.host.burden() > most)
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

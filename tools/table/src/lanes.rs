//! Which thread plays which table.
//!
//! A thread plays tables under the same rules only: rules that run long or fill their memory make those wait who chose the same
//! rules, and nobody else. A table whose own answers run long goes to a last thread, which runs when no other wants to. A thread
//! without tables ends, and where there are too many the one that was not needed for longest does; its tables are made again from
//! their records.

use crate::hub::Hub;
use crate::library::Setup;
use crate::room::{Packed, Room};
use crate::worker::{self, Worker};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Threads that play at most, however many rules are played under.
const MOST: usize = 32;
/// Tables that a thread plays before the same rules get another.
const TABLES: usize = 8;
/// Bytes that all VMs may hold before threads that were not needed for long are ended.
const MEMORY: usize = 512 << 20;

/// What a thread is to do.
pub type Work = Box<dyn FnOnce(&mut Worker) + Send>;

/// Work for a thread, and the table that it is about.
pub struct Job {
    /// The table; nothing if it is about all of the thread's.
    pub table: Option<String>,
    /// What is to be done.
    pub work: Work,
}

/// What scripts a table runs: the part of its set-up on which it depends how long they run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rules {
    game: String,
    layers: Vec<String>,
    files: Vec<(String, String)>,
}

impl Rules {
    fn of(setup: &Setup) -> Rules {
        Rules { game: setup.game.clone(), layers: setup.layers.clone(), files: setup.files.clone() }
    }
}

/// A thread that plays.
struct Lane {
    /// The rules of its tables; nothing for the thread of tables that run long.
    rules: Option<Rules>,
    jobs: Sender<Job>,
    /// When it was last needed, as a count of jobs.
    used: u64,
    /// Bytes that its VMs hold.
    memory: Arc<AtomicUsize>,
}

#[derive(Default)]
struct Inner {
    next: u64,
    clock: u64,
    lanes: BTreeMap<u64, Lane>,
    tables: BTreeMap<String, u64>,
}

impl Inner {
    fn count(&self, lane: u64) -> usize {
        self.tables.values().filter(|other| **other == lane).count()
    }

    /// Ends a thread when it has done what it was sent.
    fn end(&mut self, lane: u64) {
        self.lanes.remove(&lane);
        self.tables.retain(|_, other| *other != lane);
    }

    fn memory(&self) -> usize {
        self.lanes.values().map(|lane| lane.memory.load(Ordering::Relaxed)).sum()
    }

    /// The thread of rules that was not needed for longest, but for one.
    fn oldest(&self, but: Option<u64>) -> Option<u64> {
        let rules = self.lanes.iter().filter(|(id, lane)| lane.rules.is_some() && Some(**id) != but);
        rules.min_by_key(|(_, lane)| lane.used).map(|(id, _)| *id)
    }
}

/// All threads that play.
pub struct Lanes {
    hub: Arc<Hub>,
    /// Threads that tables under the same rules get at most.
    threads: usize,
    inner: Mutex<Inner>,
}

impl Lanes {
    /// No threads yet.
    pub fn new(hub: Arc<Hub>, threads: usize) -> Lanes {
        Lanes { hub, threads: threads.max(1), inner: Mutex::default() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends work to the thread that plays a table. Work for a table that is gone goes with it.
    pub fn send(self: &Arc<Lanes>, table: &str, work: Work) {
        {
            let mut inner = self.inner();
            if let Some(lane) = inner.tables.get(table).copied() {
                return push(&mut inner, lane, Job { table: Some(table.to_string()), work });
            }
        }
        if let Some((setup, _)) = self.hub.entry(table) {
            self.send_as(table, &setup, work);
        }
    }

    /// Sends work to the thread that plays a table; one under these rules if none does.
    pub fn send_as(self: &Arc<Lanes>, table: &str, setup: &Setup, work: Work) {
        let mut inner = self.inner();
        let known = inner.tables.get(table).copied();
        let Some(lane) = known.or_else(|| self.lane_for(&mut inner, setup)) else { return };
        inner.tables.insert(table.to_string(), lane);
        push(&mut inner, lane, Job { table: Some(table.to_string()), work });
    }

    /// Sends work on trial to a thread that plays under these rules, without a table.
    pub fn send_under(self: &Arc<Lanes>, setup: &Setup, work: Work) {
        let mut inner = self.inner();
        let Some(lane) = self.lane_for(&mut inner, setup) else { return };
        push(&mut inner, lane, Job { table: None, work });
    }

    /// Sends work to all threads.
    pub fn send_all(&self, work: impl Fn(&mut Worker) + Clone + Send + 'static) {
        let mut inner = self.inner();
        let lanes: Vec<u64> = inner.lanes.keys().copied().collect();
        for lane in lanes {
            let work = work.clone();
            push(&mut inner, lane, Job { table: None, work: Box::new(move |worker| work(worker)) });
        }
    }

    /// Takes a job that came to a thread from which its table has moved since; gives it back if it has not.
    pub fn forward(self: &Arc<Lanes>, lane: u64, job: Job) -> Option<Job> {
        let Some(table) = &job.table else { return Some(job) };
        let mut inner = self.inner();
        match inner.tables.get(table).copied() {
            Some(other) if other == lane => Some(job),
            Some(other) => {
                push(&mut inner, other, job);
                None
            }
            // Its thread has ended: it gets another, or is done here if there is no such table any more.
            None => {
                drop(inner);
                let Some((setup, _)) = self.hub.entry(table) else { return Some(job) };
                let table = table.clone();
                self.send_as(&table, &setup, job.work);
                None
            }
        }
    }

    /// Brings a room to the thread of its rules, or to that of tables that run long, and does something with it there.
    pub fn move_room(
        self: &Arc<Lanes>,
        room: Room,
        slow: bool,
        then: impl FnOnce(&mut Worker, Room) + Send + 'static,
    ) {
        // A session belongs to its thread; what is stored does not.
        let packed: Packed = room.pack();
        let id = packed.id().to_string();
        let mut inner = self.inner();
        let before = inner.tables.remove(&id);
        let lane = if slow { self.slow_lane(&mut inner) } else { self.lane_for(&mut inner, packed.setup()) };
        // Where no thread can be had, those who listen are let go with the room.
        let Some(lane) = lane else { return };
        inner.tables.insert(id.clone(), lane);
        let work = Box::new(move |worker: &mut Worker| then(worker, packed.unpack()));
        push(&mut inner, lane, Job { table: Some(id), work });
        self.end_if_idle(&mut inner, before);
    }

    /// Forgets a table that is gone.
    pub fn forget(&self, table: &str) {
        let mut inner = self.inner();
        let before = inner.tables.remove(table);
        self.end_if_idle(&mut inner, before);
    }

    /// Ends the threads of some rules on which there is no table.
    pub fn end_unused(&self, setup: &Setup) {
        let rules = Rules::of(setup);
        let mut inner = self.inner();
        let own = inner.lanes.iter().filter(|(_, lane)| lane.rules.as_ref() == Some(&rules));
        let own: Vec<u64> = own.map(|(id, _)| *id).collect();
        own.into_iter().for_each(|lane| self.end_if_idle(&mut inner, Some(lane)));
    }

    /// Ends threads that were not needed for long while all together hold too much; the one that asks goes on.
    pub fn shed(&self, asking: u64) {
        let mut inner = self.inner();
        while inner.memory() > MEMORY
            && let Some(oldest) = inner.oldest(Some(asking))
        {
            inner.end(oldest);
        }
    }

    fn end_if_idle(&self, inner: &mut Inner, lane: Option<u64>) {
        if let Some(lane) = lane
            && inner.count(lane) == 0
        {
            inner.end(lane);
        }
    }

    /// The thread for another table under some rules.
    fn lane_for(self: &Arc<Lanes>, inner: &mut Inner, setup: &Setup) -> Option<u64> {
        let rules = Rules::of(setup);
        let own = inner.lanes.iter().filter(|(_, lane)| lane.rules.as_ref() == Some(&rules));
        let own: Vec<(usize, u64)> = own.map(|(id, _)| (inner.count(*id), *id)).collect();
        let emptiest = own.iter().min().copied();
        match emptiest {
            Some((tables, lane)) if tables < TABLES || own.len() >= self.threads => Some(lane),
            _ => {
                while inner.lanes.len() >= MOST || inner.memory() > MEMORY {
                    let Some(oldest) = inner.oldest(None) else { break };
                    inner.end(oldest);
                }
                self.start(inner, Some(rules)).or(emptiest.map(|(_, lane)| lane))
            }
        }
    }

    /// The thread of tables that run long.
    fn slow_lane(self: &Arc<Lanes>, inner: &mut Inner) -> Option<u64> {
        let found = inner.lanes.iter().find(|(_, lane)| lane.rules.is_none()).map(|(id, _)| *id);
        found.or_else(|| self.start(inner, None))
    }

    fn start(self: &Arc<Lanes>, inner: &mut Inner, rules: Option<Rules>) -> Option<u64> {
        let (jobs, receiver) = channel();
        let (id, memory) = (inner.next, Arc::new(AtomicUsize::new(0)));
        let worker = worker::Place {
            lane: id,
            slow: rules.is_none(),
            lanes: Arc::downgrade(self),
            memory: memory.clone(),
        };
        if let Err(error) = worker::start(self.hub.clone(), worker, receiver) {
            eprintln!("no thread can be started to play: {error}");
            return None;
        }
        inner.next += 1;
        inner.lanes.insert(id, Lane { rules, jobs, used: inner.clock, memory });
        Some(id)
    }
}

/// Sends a job to a thread.
fn push(inner: &mut Inner, lane: u64, job: Job) {
    inner.clock += 1;
    let clock = inner.clock;
    if let Some(lane) = inner.lanes.get_mut(&lane) {
        lane.used = clock;
        // A thread that is gone takes its jobs with it; those who wait are told by their closed channel.
        let _ = lane.jobs.send(job);
    }
}

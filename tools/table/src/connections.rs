//! Connections: how many there may be, and who gives way when there are too many.
//!
//! Whoever only connects and says nothing must not keep others out. When all places are taken the one gives way that has
//! waited longest without ever having shown a key, then the one that has a key and asks for nothing now.

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tower::ServiceExt;

/// How long a head of a request may take, from when it is waited for.
const HEAD: Duration = Duration::from_secs(30);
/// How long a server that can take no connection waits before it tries again.
const PAUSE: Duration = Duration::from_millis(50);
/// Most files that are of use: beyond that a computer needs another way to serve so many.
const FILES: u64 = 8_192;
/// Files that are no connections: the store, the games, the page.
const OTHER: u64 = 128;

/// How many connections a server holds at most, and how many sockets of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Connections that are not yet, or not, sockets.
    pub connections: usize,
    /// Sockets.
    pub sockets: usize,
}

impl Places {
    /// As many as the system lets this process have, which is asked for as many files as it gives.
    pub fn of_system() -> Places {
        let files = files().min(FILES).saturating_sub(OTHER).max(64);
        let half = usize::try_from(files / 2).unwrap_or(usize::MAX);
        Places { connections: half.min(2_000), sockets: half.min(2_000) }
    }
}

/// How many files this process may have open, after it has asked for more.
#[cfg(unix)]
fn files() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current.unwrap_or(FILES);
    let wanted = limit.maximum.unwrap_or(FILES).min(FILES);
    let raised = Rlimit { current: Some(wanted), maximum: limit.maximum };
    if wanted > current && setrlimit(Resource::Nofile, raised).is_ok() { wanted } else { current }
}

#[cfg(not(unix))]
fn files() -> u64 {
    2_048
}

/// The connections of a server.
#[derive(Default)]
struct Open(Mutex<Connections>);

#[derive(Default)]
struct Connections {
    next: u64,
    /// In the order in which they came.
    all: BTreeMap<u64, Connection>,
}

struct Connection {
    /// Whether a request on it had a key that opens something.
    known: bool,
    /// Whether a request is being answered.
    busy: bool,
    /// Told when it has to give way.
    close: Arc<Notify>,
}

impl Open {
    fn all(&self) -> MutexGuard<'_, Connections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a new connection, from another if it must be; nothing if nobody can give way.
    fn enter(self: &Arc<Open>, most: usize, local: Option<SocketAddr>) -> Option<(Visitor, Arc<Notify>)> {
        let mut connections = self.all();
        if connections.all.len() >= most {
            let stranger = connections.all.iter().find(|(_, other)| !other.known);
            let idle = || connections.all.iter().find(|(_, other)| !other.busy);
            let id = *stranger.or_else(idle)?.0;
            if let Some(gone) = connections.all.remove(&id) {
                gone.close.notify_one();
            }
        }
        let id = connections.next;
        connections.next += 1;
        let close = Arc::new(Notify::new());
        connections.all.insert(id, Connection { known: false, busy: false, close: close.clone() });
        Some((Visitor(Arc::new(Place { id, open: self.clone(), local })), close))
    }
}

/// Somebody's connection, as a request knows it.
#[derive(Clone)]
pub struct Visitor(Arc<Place>);

struct Place {
    id: u64,
    open: Arc<Open>,
    local: Option<SocketAddr>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.all().all.remove(&self.id);
    }
}

impl Visitor {
    /// The address of this server that the connection came in at.
    pub fn local(&self) -> Option<SocketAddr> {
        self.0.local
    }

    /// Takes note that a request had a key that opens something.
    pub fn is_known(&self) {
        if let Some(connection) = self.0.open.all().all.get_mut(&self.0.id) {
            connection.known = true;
        }
    }

    fn is_busy(&self, busy: bool) {
        if let Some(connection) = self.0.open.all().all.get_mut(&self.0.id) {
            connection.busy = busy;
        }
    }
}

/// Takes connections until the process ends.
pub async fn serve(listener: TcpListener, router: Router, most: usize) {
    let open = Arc::new(Open::default());
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of files or memory: what is open closes some time.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        if let Some((visitor, close)) = open.enter(most, stream.local_addr().ok()) {
            tokio::spawn(answer(stream, router.clone(), visitor, close));
        }
    }
}

async fn answer(stream: TcpStream, router: Router, visitor: Visitor, close: Arc<Notify>) {
    // Answers are small and somebody waits for each.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(|request: hyper::Request<hyper::body::Incoming>| {
        let (router, visitor) = (router.clone(), visitor.clone());
        async move {
            visitor.is_busy(true);
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(visitor.clone());
            let response = router.oneshot(request).await;
            visitor.is_busy(false);
            response
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    tokio::select! {
        // Whatever went wrong, it was the other end: there is nobody to tell.
        _ = connection => {}
        () = close.notified() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_says_nothing_gives_way_to_whoever_comes() {
        let open = Arc::new(Open::default());
        let enter = || open.enter(3, None);
        let (first, _) = enter().expect("a place");
        first.is_known();
        let (second, gone) = enter().expect("a place");
        let (third, _) = enter().expect("a place");
        third.is_known();
        let (fourth, _) = enter().expect("a place");
        assert!(tokio::runtime::Builder::new_current_thread().enable_time().build().is_ok_and(|runtime| {
            let waited = async { tokio::time::timeout(PAUSE, gone.notified()).await };
            runtime.block_on(waited).is_ok()
        }));
        drop(second);
        fourth.is_known();
        first.is_busy(true);
        third.is_busy(true);
        fourth.is_busy(true);
        assert!(enter().is_none(), "who is being answered does not give way");
        third.is_busy(false);
        assert!(enter().is_some());
        assert_eq!(open.all().all.len(), 2, "places come free when connections end");
    }
}

//! The table: games served to browsers, any number at once, each seat seeing only what is its own.
//!
//! A request comes in at the [`server`], finds its game and chair by the key in its address ([`hub`]), and goes to the
//! thread that plays that game ([`worker`]). There a [`room`] asks the session, and the [`store`] keeps every answer before
//! anybody is told of it. What the page is told is made by `board`, `picture`, `asked` and `lines`; none of them knows a game.

pub mod api;
mod asked;
mod board;
mod facts;
pub mod hub;
mod json;
mod key;
mod layers;
pub mod library;
mod lines;
mod live;
mod lobby;
mod outbox;
mod page;
mod picture;
mod preview;
mod proposal;
pub mod refusal;
mod reload;
pub mod room;
mod rulebook;
pub mod sentences;
pub mod server;
mod socket;
pub mod store;
pub mod tables;
mod thing;
pub mod worker;

use hub::Hub;
use library::{Library, Setup};
use sandtable_session::Record;
use server::Shared;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use store::{Player, Store};
use tables::Tables;
use tokio::net::TcpListener;

/// How a server is run.
pub struct Config {
    /// Where games come from.
    pub library: Arc<dyn Library>,
    /// The file in which games are kept.
    pub store: PathBuf,
    /// Threads that play.
    pub threads: usize,
    /// Whether files of games are watched.
    pub watch: bool,
    /// Folder of the page, where it is being worked on.
    pub page: Option<PathBuf>,
}

/// A server that is set up and not yet listening.
pub struct Server {
    /// The tables.
    pub tables: Arc<Tables>,
    page: Option<PathBuf>,
}

impl Server {
    /// Opens the store and starts the threads that play.
    pub fn open(config: Config) -> Result<Server, String> {
        let store = Store::open(&config.store)?;
        let hub = Hub::open(config.library, store, config.watch)?;
        let tables = Arc::new(Tables::new(hub, config.threads)?);
        Ok(Server { tables, page: config.page })
    }

    /// Makes a table and gives its links.
    pub async fn new_table(
        &self,
        setup: Setup,
        seed: Option<u64>,
        players: BTreeMap<String, Player>,
        record: Option<Record>,
    ) -> Result<serde_json::Value, String> {
        let made = self.tables.create(setup, seed, players, record).await;
        made.map(|(_, links)| links).map_err(|refusal| refusal.text)
    }

    /// Listens until the process ends.
    pub async fn run(self, listener: TcpListener) -> Result<(), String> {
        let address: SocketAddr = listener.local_addr().map_err(|error| error.to_string())?;
        if self.tables.hub.watching {
            tokio::spawn(reload::watch(Arc::downgrade(&self.tables)));
        }
        let shared = Shared {
            tables: self.tables,
            page: self.page,
            loopback: address.ip().is_loopback(),
            sockets: Arc::default(),
        };
        axum::serve(listener, server::router(shared)).await.map_err(|error| error.to_string())
    }
}

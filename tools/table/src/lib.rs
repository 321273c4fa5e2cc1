//! The table: games served to browsers, any number at once, each seat seeing only what is its own.
//!
//! A request comes in at the [`server`], finds its game and chair by the key in its address ([`hub`]), and goes to the
//! thread that plays that game ([`worker`]). There a [`room`] asks the session, and the [`store`] keeps every answer before
//! anybody is told of it. What the page is told is made by `board`, `picture`, `asked` and `lines`; none of them knows a game.

pub mod api;
mod asked;
mod board;
mod connections;
mod facts;
mod game_list;
pub mod hub;
mod json;
mod key;
mod lanes;
mod layers;
pub mod library;
mod lines;
mod live;
pub mod names;
mod outbox;
mod page;
mod picture;
mod preview;
mod proposal;
mod questions;
pub mod refusal;
mod reload;
pub mod room;
mod rulebook;
pub mod sent;
pub mod sentences;
pub mod server;
mod socket;
pub mod store;
mod store_file;
pub mod tables;
mod thing;
pub mod worker;

use connections::Places;
use hub::Hub;
use library::{Library, Setup};
use live::Differing;
use names::{Names, PublicUrl};
use sandtable_session::Record;
use server::Shared;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
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
    /// How long rules may take over one answer.
    pub time: Duration,
    /// The address under which people reach the server, if it is not the one that it listens at.
    pub public_url: Option<PublicUrl>,
}

/// How long rules may take over one answer, unless a server says otherwise.
pub const TIME: Duration = Duration::from_secs(5);

/// A server that is set up and not yet listening.
pub struct Server {
    /// The tables.
    pub tables: Arc<Tables>,
    page: Option<PathBuf>,
    names: Names,
}

impl Server {
    /// Opens the store and starts the threads that play.
    pub fn open(config: Config) -> Result<Server, String> {
        let store = Store::open(&config.store)?;
        let hub = Hub::open(config.library, store, config.watch, config.time)?;
        let tables = Arc::new(Tables::new(hub, config.threads));
        Ok(Server { tables, page: config.page, names: Names { public: config.public_url } })
    }

    /// Makes a table and gives its links. A record that leads elsewhere than it says goes on from there.
    pub async fn new_table(
        &self,
        setup: Setup,
        seed: Option<u64>,
        players: BTreeMap<String, Player>,
        record: Option<Record>,
    ) -> Result<serde_json::Value, String> {
        let made =
            self.tables.create(setup, seed, players, record.map(|record| (record, Differing::GoOn))).await;
        made.map(|(_, links)| links).map_err(|refusal| refusal.text)
    }

    /// Listens until the process ends.
    pub async fn run(self, listener: TcpListener) -> Result<(), String> {
        if self.tables.hub.watching {
            tokio::spawn(reload::watch(Arc::downgrade(&self.tables)));
        }
        let places = Places::of_system();
        let shared = Shared {
            tables: self.tables,
            page: self.page,
            names: Arc::new(self.names),
            sockets: Arc::default(),
            most_sockets: places.sockets,
        };
        connections::serve(listener, server::router(shared), places.connections).await;
        Ok(())
    }
}

//! The socket over which a page is told what happens. Pages only listen; what they want they ask for.

use crate::api::seated;
use crate::outbox::Outbox;
use crate::refusal::Refusal;
use crate::room::Listener;
use crate::server::Shared;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Sockets that the server holds at most.
pub const SOCKETS: usize = 2_000;
/// Sockets of one table.
const AT_A_TABLE: usize = 200;
/// How often a silent connection is tried.
const PING: Duration = Duration::from_secs(20);

/// As whom one looks.
#[derive(Deserialize)]
pub struct Looking {
    #[serde(default, rename = "as")]
    as_side: Option<String>,
}

/// `GET /api/KEY/socket`.
pub async fn connect(
    State(shared): State<Shared>,
    Path(key): Path<String>,
    Query(look): Query<Looking>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let (game, chair) = seated(&shared, &key)?;
    if shared.sockets.fetch_add(1, Ordering::SeqCst) >= SOCKETS {
        shared.sockets.fetch_sub(1, Ordering::SeqCst);
        return Err(Refusal::busy("Too many pages are connected; try again later."));
    }
    let counted = Counted(shared.clone());
    let outbox = Outbox::default();
    let listener = Listener::new(chair, look.as_side, outbox.clone());
    shared
        .tables
        .ask(&game, move |_, room| {
            if room.listeners.iter().filter(|other| !other.to.is_closed()).count() >= AT_A_TABLE {
                return Err(Refusal::busy("Too many pages look at this table."));
            }
            room.join(listener)
        })
        .await?;
    Ok(upgrade.max_message_size(4096).on_upgrade(move |socket| serve(shared, game, socket, outbox, counted)))
}

/// A socket that is counted while it is open.
struct Counted(Shared);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn serve(shared: Shared, game: String, mut socket: WebSocket, outbox: Outbox, _counted: Counted) {
    loop {
        let alive = tokio::select! {
            message = outbox.next() => match message {
                Some(text) => socket.send(Message::Text(text.into())).await.is_ok(),
                None => false,
            },
            heard = socket.recv() => matches!(heard, Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Text(_)))),
            () = tokio::time::sleep(PING) => socket.send(Message::Ping(Vec::new().into())).await.is_ok(),
        };
        if !alive {
            break;
        }
    }
    outbox.close();
    let _ = socket.send(Message::Close(None)).await;
    let told = shared.tables.ask(&game, |_, room| {
        room.tell_online();
        Ok(())
    });
    // A table that is gone has nobody left to tell.
    let _ = told.await;
}

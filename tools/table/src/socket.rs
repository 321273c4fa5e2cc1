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

/// Sockets of one table.
const AT_A_TABLE: usize = 200;
/// How long a page may take to read a message; one that does not is let go, and gets everything anew when it connects again.
const SEND: Duration = Duration::from_secs(20);
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
    if shared.sockets.fetch_add(1, Ordering::SeqCst) >= shared.most_sockets {
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

/// Sends a message. False if the other end is gone or does not read.
async fn sent(socket: &mut WebSocket, message: Message) -> bool {
    tokio::time::timeout(SEND, socket.send(message)).await.is_ok_and(|sent| sent.is_ok())
}

async fn serve(shared: Shared, game: String, mut socket: WebSocket, outbox: Outbox, _counted: Counted) {
    loop {
        let alive = tokio::select! {
            message = outbox.next() => match message {
                Some(text) => sent(&mut socket, Message::Text(text.into())).await,
                None => false,
            },
            heard = socket.recv() => matches!(heard, Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Text(_)))),
            () = tokio::time::sleep(PING) => sent(&mut socket, Message::Ping(Vec::new().into())).await,
        };
        if !alive {
            break;
        }
    }
    outbox.close();
    sent(&mut socket, Message::Close(None)).await;
    drop(socket);
    let told = shared.tables.ask(&game, |_, room| {
        room.tell_online();
        Ok(())
    });
    // A table that is gone has nobody left to tell.
    let _ = told.await;
}

//! What each address does.

use crate::asked::AnswerRequest;
use crate::hub::{Chair, Who};
use crate::library::Setup;
use crate::live::Differing;
use crate::refusal::Refusal;
use crate::server::{BODY, Shared};
use crate::store::Player;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use sandtable_session::Record;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the list of tables waits for one that may not be openable.
const LOOK: Duration = Duration::from_secs(2);

type Outcome = Result<Json<Value>, Refusal>;
type Body = Result<Bytes, BytesRejection>;

/// Reads a body as JSON of a form.
pub(crate) fn read<T: DeserializeOwned>(body: Body) -> Result<T, Refusal> {
    let bytes = body.map_err(|rejection| match rejection.into_response().status().as_u16() {
        413 => Refusal::too_large(BODY),
        _ => Refusal::bad("The body could not be read."),
    })?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Refusal::bad(format!("The body is not as expected: {error}.")))
}

/// The game and chair of a key.
pub(crate) fn seated(shared: &Shared, key: &str) -> Result<(String, Chair), Refusal> {
    match shared.tables.hub.who(key)? {
        Who::At { game, chair } => Ok((game, chair)),
        Who::Host => Err(Refusal::not_yours("This link is for the list of tables, not for one of them.")),
    }
}

/// Only for the owner of the server.
pub(crate) fn host(shared: &Shared, key: &str) -> Result<(), Refusal> {
    match shared.tables.hub.who(key)? {
        Who::Host => Ok(()),
        Who::At { .. } => Err(Refusal::not_yours("Only the host of this server may do that.")),
    }
}

/// `GET /api/KEY`: who one is.
pub async fn about(State(shared): State<Shared>, Path(key): Path<String>) -> Outcome {
    let version = env!("CARGO_PKG_VERSION");
    let watching = shared.tables.hub.watching;
    let (game, chair) = match shared.tables.hub.who(&key)? {
        Who::Host => return Ok(Json(json!({ "role": "host", "version": version, "watching": watching }))),
        Who::At { game, chair } => (game, chair),
    };
    let (setup, about) =
        shared.tables.hub.entry(&game).ok_or_else(|| Refusal::missing("This table is gone."))?;
    let (role, side) = match &chair {
        Chair::Table => ("table", None),
        Chair::Seat(side) => ("seat", Some(side.clone())),
        Chair::Watch => ("watch", None),
    };
    let over = about.ended.is_some();
    let mut shown = json!({
        "role": role, "game": game, "of": setup.game, "side": side, "title": about.title, "scenario": about.scenario,
        "edit": chair != Chair::Watch, "export": over || chair == Chair::Table,
        "version": version, "watching": watching,
    });
    if chair == Chair::Table {
        shown["links"] = shared.tables.hub.links(&game);
    }
    Ok(Json(shown))
}

/// `GET /api/KEY/games`: what can be played, and what is.
pub async fn games(State(shared): State<Shared>, Path(key): Path<String>) -> Outcome {
    host(&shared, &key)?;
    let hub = shared.tables.hub.clone();
    let (games, doubtful) =
        tokio::task::spawn_blocking(move || (crate::game_list::games(&*hub.library), hub.doubtful()))
            .await
            .map_err(|error| Refusal::busy(error.to_string()))?;
    for game in doubtful {
        // Whether its record still fits is known when it is opened; the list then says why not.
        let looked = shared.tables.ask(&game, |_, _| Ok(()));
        let _ = tokio::time::timeout(LOOK, looked).await;
    }
    let hub = &shared.tables.hub;
    Ok(Json(json!({ "games": games, "tables": hub.list(), "unreadable": hub.unreadable })))
}

/// A new game as the lobby asks for it.
#[derive(Deserialize)]
pub struct NewGame {
    game: String,
    #[serde(default)]
    scenario: Option<String>,
    #[serde(default)]
    layers: Vec<String>,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    players: BTreeMap<String, Player>,
}

/// `POST /api/KEY/games`: a new table.
pub async fn create(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    host(&shared, &key)?;
    let new: NewGame = read(body)?;
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let options = new.options.into_iter().map(|(id, value)| (id, text(value))).collect();
    let setup = Setup {
        game: new.game,
        scenario: new.scenario.filter(|id| !id.is_empty()),
        layers: new.layers,
        options,
        ..Setup::default()
    };
    ids_only(&setup)?;
    let (game, links) = shared.tables.create(setup, new.seed, new.players, None).await?;
    Ok(Json(json!({ "game": game, "links": links })))
}

/// Which table.
#[derive(Deserialize)]
pub struct Which {
    game: String,
}

/// `POST /api/KEY/remove`: takes a table away.
pub async fn remove(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    host(&shared, &key)?;
    let which: Which = read(body)?;
    shared.tables.remove(&which.game).await?;
    Ok(Json(json!({})))
}

/// A file that was dropped on the page.
#[derive(Deserialize)]
pub struct ImportRequest {
    name: String,
    text: String,
    /// Whether a record that leads to another position than it says goes on from there.
    #[serde(default)]
    anyway: bool,
}

/// What comes from outside names games and layers by their ids: a path would let it read files of this computer.
fn ids_only(setup: &Setup) -> Result<(), Refusal> {
    let id =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    match std::iter::once(&setup.game).chain(&setup.layers).find(|name| !id(name)) {
        Some(name) => Err(Refusal::bad(format!("`{name}` is not an id of a game or a layer."))),
        None => Ok(()),
    }
}

/// How a closed table is opened again.
#[derive(Deserialize)]
pub struct Reopening {
    /// The table, if the host of the server asks.
    #[serde(default)]
    game: Option<String>,
    /// Whether it goes on although its record leads to another position than it says.
    #[serde(default)]
    anyway: bool,
}

/// `POST /api/KEY/reopen`.
pub async fn reopen(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let Reopening { game, anyway } = read(body)?;
    let game = match (shared.tables.hub.who(&key)?, game) {
        (Who::Host, Some(game)) => game,
        (Who::Host, None) => return Err(Refusal::bad("Expected `game`, the id of a table.")),
        (Who::At { game, chair: Chair::Table }, _) => game,
        (Who::At { .. }, _) => {
            return Err(Refusal::not_yours("Only the link for the whole table opens it again."));
        }
    };
    Ok(Json(shared.tables.reopen(&game, anyway).await?))
}

/// `POST /api/KEY/import`: a record makes a new table, a layer is added to this one.
pub async fn import(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let who = shared.tables.hub.who(&key)?;
    if matches!(&who, Who::At { chair, .. } if *chair != Chair::Table) {
        return Err(Refusal::not_yours("Only the link for the whole table takes files."));
    }
    let ImportRequest { name, text, anyway } = read(body)?;
    let record = match (Record::parse(&text), &who) {
        (Ok(record), _) => record,
        (Err(_), Who::At { game, .. }) if !text.starts_with("sandtable record") => {
            return Ok(Json(crate::reload::add_layer(&shared.tables, game, &name, text).await?));
        }
        (Err(error), _) => return Err(Refusal::bad(format!("{name} is no record: {error}"))),
    };
    let setup = crate::game_list::setup_of(&record);
    ids_only(&setup)?;
    let differing = if anyway { Differing::GoOn } else { Differing::Stop };
    let (game, links) = shared.tables.create(setup, None, BTreeMap::new(), Some((record, differing))).await?;
    Ok(Json(json!({ "game": game, "links": links })))
}

/// `GET /api/KEY/board`.
pub async fn board(State(shared): State<Shared>, Path(key): Path<String>) -> Result<Response, Refusal> {
    let (game, _) = seated(&shared, &key)?;
    let (board, hash) = shared
        .tables
        .ask(&game, |_, room| {
            let shelved = &room.live()?.shelved;
            Ok((shelved.board.clone(), shelved.board_hash.clone()))
        })
        .await?;
    let mut response = written(board.to_string());
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{hash}\"")) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    Ok(response)
}

/// An answer that is JSON already.
fn written(json: String) -> Response {
    let mut response = Response::new(axum::body::Body::from(json));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// How one looks.
#[derive(Deserialize)]
pub struct Looking {
    #[serde(default)]
    at: Option<usize>,
    #[serde(default, rename = "as")]
    as_side: Option<String>,
    #[serde(default)]
    from: usize,
}

/// `GET /api/KEY/view`.
pub async fn view(
    State(shared): State<Shared>,
    Path(key): Path<String>,
    Query(look): Query<Looking>,
) -> Result<Response, Refusal> {
    let (game, chair) = seated(&shared, &key)?;
    let view = shared.tables.ask(&game, move |_, room| room.view(&chair, look.as_side.as_deref(), look.at));
    Ok(written(view.await?))
}

/// `GET /api/KEY/log`.
pub async fn log(
    State(shared): State<Shared>,
    Path(key): Path<String>,
    Query(look): Query<Looking>,
) -> Result<Response, Refusal> {
    let (game, chair) = seated(&shared, &key)?;
    let log = shared.tables.ask(&game, move |_, room| room.log(&chair, look.as_side.as_deref(), look.from));
    Ok(written(log.await?))
}

/// `POST /api/KEY/answer`.
pub async fn answer(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let (game, chair) = seated(&shared, &key)?;
    let given: AnswerRequest = read(body)?;
    let answered = shared.tables.act(&game, move |_, room| {
        room.answer(&chair, &given).map_err(|refusal| room.discreet(&chair, refusal))
    });
    Ok(Json(answered.await?))
}

/// `POST /api/KEY/try`: whether a selection would do.
pub async fn try_selection(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let (game, chair) = seated(&shared, &key)?;
    let given: AnswerRequest = read(body)?;
    Ok(Json(shared.tables.ask(&game, move |_, room| room.try_selection(&chair, &given)).await?))
}

/// What somebody asks about.
#[derive(Deserialize)]
pub struct WhyRequest {
    decision: String,
    #[serde(default)]
    option: String,
}

/// `POST /api/KEY/why`.
pub async fn why(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let (game, chair) = seated(&shared, &key)?;
    let asking: WhyRequest = read(body)?;
    let WhyRequest { decision, option } = asking;
    Ok(Json(shared.tables.ask(&game, move |_, room| room.why(&chair, &decision, &option)).await?))
}

/// `GET /api/KEY/refused`.
pub async fn refused(
    State(shared): State<Shared>,
    Path(key): Path<String>,
    Query(asking): Query<WhyRequest>,
) -> Outcome {
    let (game, chair) = seated(&shared, &key)?;
    Ok(Json(shared.tables.ask(&game, move |_, room| room.refused(&chair, &asking.decision)).await?))
}

/// `POST /api/KEY/preview`: what would follow from an answer.
pub async fn preview(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let (game, chair) = seated(&shared, &key)?;
    let given: AnswerRequest = read(body)?;
    Ok(Json(shared.tables.ask(&game, move |_, room| room.preview(&chair, &given)).await?))
}

/// Which page of the rulebooks.
#[derive(Deserialize)]
pub struct Reading {
    #[serde(default)]
    book: Option<String>,
    #[serde(default)]
    paragraph: Option<String>,
}

/// `GET /api/KEY/rulebook`.
pub async fn rulebook(
    State(shared): State<Shared>,
    Path(key): Path<String>,
    Query(reading): Query<Reading>,
) -> Outcome {
    let (game, _) = seated(&shared, &key)?;
    let loaded = shared.tables.ask(&game, |_, room| Ok(room.live()?.shelved.loaded.clone())).await?;
    let Reading { book, paragraph } = reading;
    Ok(Json(match (&book, &paragraph) {
        (None, None) => crate::rulebook::books(&loaded),
        _ => crate::rulebook::page(&loaded, book.as_deref(), paragraph.as_deref())?,
    }))
}

/// What to export.
#[derive(Deserialize)]
pub struct Form {
    #[serde(rename = "as")]
    form: String,
    #[serde(default)]
    at: Option<usize>,
}

/// `GET /api/KEY/export`.
pub async fn export(
    State(shared): State<Shared>,
    Path(key): Path<String>,
    Query(form): Query<Form>,
) -> Result<Response, Refusal> {
    let (game, chair) = seated(&shared, &key)?;
    let Form { form, at } = form;
    // A closed table cannot be looked at, but what is stored of it can be had.
    if chair == Chair::Table && form == "record" && at.is_none() && shared.tables.hub.closed(&game).is_some()
    {
        let hub = shared.tables.hub.clone();
        let (text, _) = tokio::task::spawn_blocking(move || hub.store.record(&game))
            .await
            .map_err(|error| Refusal::busy(error.to_string()))?
            .map_err(Refusal::busy)?;
        return Ok(crate::server::plain(text, "game.record"));
    }
    let (name, text) = shared.tables.ask(&game, move |_, room| room.export(&chair, &form, at)).await?;
    Ok(crate::server::plain(text, &name))
}

/// How far to take back.
#[derive(Deserialize)]
pub struct UndoRequest {
    #[serde(default)]
    to: Option<usize>,
}

/// `POST /api/KEY/undo`.
pub async fn undo(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let (game, chair) = seated(&shared, &key)?;
    let back: UndoRequest = read(body)?;
    let done = shared.tables.act(&game, move |_, room| {
        room.undo(&chair, back.to).map_err(|refusal| room.discreet(&chair, refusal))
    });
    Ok(Json(done.await?))
}

/// What somebody says to a proposal.
#[derive(Deserialize)]
pub struct ConsentRequest {
    proposal: u64,
    agree: bool,
}

/// `POST /api/KEY/consent`.
pub async fn consent(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let (game, chair) = seated(&shared, &key)?;
    let says: ConsentRequest = read(body)?;
    Ok(Json(shared.tables.act(&game, move |_, room| room.consent(&chair, says.proposal, says.agree)).await?))
}

/// A change outside the rules.
#[derive(Deserialize)]
pub struct Edit {
    line: String,
}

/// `POST /api/KEY/edit`.
pub async fn edit(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let (game, chair) = seated(&shared, &key)?;
    let edit: Edit = read(body)?;
    let done = shared.tables.act(&game, move |_, room| {
        room.edit(&chair, &edit.line).map_err(|refusal| room.discreet(&chair, refusal))
    });
    Ok(Json(done.await?))
}

/// Who is to play a side.
#[derive(Deserialize)]
pub struct Seating {
    side: String,
    player: Player,
}

/// `POST /api/KEY/seats`.
pub async fn seats(State(shared): State<Shared>, Path(key): Path<String>, body: Body) -> Outcome {
    let (game, chair) = seated(&shared, &key)?;
    if chair != Chair::Table {
        return Err(Refusal::not_yours("Only the link for the whole table says who plays."));
    }
    let seating: Seating = read(body)?;
    let set = move |_: &mut crate::worker::Worker, room: &mut crate::room::Room| {
        if !room.players.contains_key(&seating.side) {
            return Err(Refusal::bad(format!("There is no side `{}`.", seating.side)));
        }
        room.players.insert(seating.side, seating.player);
        Ok((json!({}), Some(room.live()?.changes())))
    };
    Ok(Json(shared.tables.act(&game, set).await?))
}

/// `GET /api/KEY/layers`.
pub async fn layers(State(shared): State<Shared>, Path(key): Path<String>) -> Outcome {
    let (game, _) = seated(&shared, &key)?;
    let layers = shared.tables.ask(&game, |_, room| {
        let shelved = room.live()?.shelved.clone();
        Ok(crate::layers::layers(&shelved.loaded, &shelved.game))
    });
    Ok(Json(json!({ "layers": layers.await? })))
}

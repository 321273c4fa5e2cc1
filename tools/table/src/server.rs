//! The server: addresses, the checks that every request passes, and the way to the tables.

use crate::api;
use crate::connections::Visitor;
use crate::hub::{Chair, Who};
use crate::names::Names;
use crate::page;
use crate::refusal::{OfClosed, Refusal};
use crate::tables::Tables;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Extension, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

/// Longest body that is read: a record of a long game fits well.
pub const BODY: usize = 4 << 20;

/// How long a request may take, its body and the answer of the game included.
const REQUEST: Duration = Duration::from_secs(60);

/// What every request handler sees.
#[derive(Clone)]
pub struct Shared {
    /// The tables.
    pub tables: Arc<Tables>,
    /// Folder of the page, where it is being worked on.
    pub page: Option<PathBuf>,
    /// What the server is called.
    pub names: Arc<Names>,
    /// Open sockets.
    pub sockets: Arc<AtomicUsize>,
    /// Sockets that may be open.
    pub most_sockets: usize,
}

/// All addresses of the server.
pub fn router(shared: Shared) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/t/{key}", get(index))
        .route("/page/{*path}", get(asset))
        .route("/api/{key}", get(api::about))
        .route("/api/{key}/games", get(api::games).post(api::create))
        .route("/api/{key}/remove", post(api::remove))
        .route("/api/{key}/import", post(api::import))
        .route("/api/{key}/reopen", post(api::reopen))
        .route("/api/{key}/board", get(api::board))
        .route("/api/{key}/view", get(api::view))
        .route("/api/{key}/log", get(api::log))
        .route("/api/{key}/answer", post(api::answer))
        .route("/api/{key}/try", post(api::try_selection))
        .route("/api/{key}/why", post(api::why))
        .route("/api/{key}/refused", get(api::refused))
        .route("/api/{key}/undo", post(api::undo))
        .route("/api/{key}/consent", post(api::consent))
        .route("/api/{key}/edit", post(api::edit))
        .route("/api/{key}/seats", post(api::seats))
        .route("/api/{key}/preview", post(api::preview))
        .route("/api/{key}/layers", get(api::layers))
        .route("/api/{key}/rulebook", get(api::rulebook))
        .route("/api/{key}/export", get(api::export))
        .route("/api/{key}/socket", get(crate::socket::connect))
        .fallback(|| async { Refusal::missing("There is nothing here.") })
        .layer(DefaultBodyLimit::max(BODY))
        .layer(middleware::from_fn_with_state(shared.clone(), guard))
        .with_state(shared)
}

async fn index(State(shared): State<Shared>) -> Response {
    page::index(shared.page.as_deref())
}

async fn asset(State(shared): State<Shared>, Path(path): Path<String>) -> Response {
    let found = page::file(&path, shared.page.as_deref());
    found.unwrap_or_else(|| Refusal::missing(format!("There is no file `{path}`.")).into_response())
}

/// Checks every request and dresses every answer.
///
/// A page of another site can make a browser send requests here; it must not be able to do anything with them. The keys
/// keep strangers out, and these checks keep a stranger's page from using the keys of whoever opened it.
async fn guard(
    State(shared): State<Shared>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
    next: Next,
) -> Response {
    let key = request.uri().path().strip_prefix("/api/").and_then(|rest| rest.split('/').next());
    let who = key.and_then(|key| shared.tables.hub.who(key).ok());
    if who.is_some() {
        visitor.is_known();
    }
    let mut response = match check(&shared, &visitor, request.method(), request.headers()) {
        Ok(()) => match tokio::time::timeout(REQUEST, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Refusal::busy("This took too long; try again.").into_response(),
        },
        Err(refusal) => refusal.into_response(),
    };
    // Who has the whole table is told all of why it is closed.
    if response.extensions().get::<OfClosed>().is_some()
        && let Some(Who::At { game, chair: Chair::Table }) = &who
        && let Some(closed) = shared.tables.hub.closed(game)
    {
        response = closed.into_response();
    }
    let headers = response.headers_mut();
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // The address is the key, so it is told to nobody.
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn check(shared: &Shared, visitor: &Visitor, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(header::HOST) else { return Err(Refusal::bad("A request must name its host.")) };
    if !shared.names.host(host, visitor.local()) {
        // A name that was made to point here is a way for a page to get past the browser's rules.
        return Err(Refusal::not_yours(format!(
            "This server does not answer to `{host}`; whoever runs it says with --public-url under which address it is reached."
        )));
    }
    if let Some(origin) = text(header::ORIGIN)
        && !shared.names.origin(origin, host)
    {
        return Err(Refusal::not_yours(format!("A page of `{origin}` may not use this table.")));
    }
    let site = headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or("?"));
    let writes = *method == Method::POST || headers.contains_key(header::UPGRADE);
    if writes && matches!(site, Some("cross-site" | "same-site")) {
        return Err(Refusal::not_yours("A page of another site may not use this table."));
    }
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok()).unwrap_or(0);
    if length > BODY as u64 {
        return Err(Refusal::too_large(BODY));
    }
    if *method == Method::POST
        && !text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("application/json"))
    {
        return Err(Refusal::bad("Expected a body of `Content-Type: application/json`."));
    }
    Ok(())
}

/// An answer of plain text.
pub fn plain(text: String, name: &str) -> Response {
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    let safe: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{safe}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

//! The page: its files, embedded in the binary, and the headers that keep it to itself.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use std::path::Path;

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What browsers are told of a file by its ending.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}

/// A file that is in the binary.
pub fn embedded(path: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
}

/// A file of the page: from a folder that is given for work on the page, else the one in the binary.
pub fn file(path: &str, folder: Option<&Path>) -> Option<Response<Body>> {
    // Names of the embedded files are the only ones there are; nothing of a request becomes a path by itself.
    let plain =
        path.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'));
    let bytes = match folder.filter(|_| plain) {
        Some(folder) => std::fs::read(folder.join(path)).ok()?.into(),
        None => std::borrow::Cow::Borrowed(embedded(path)?),
    };
    let mut response = Response::new(Body::from(bytes.into_owned()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Some(response)
}

/// The first file of the page.
pub fn index(folder: Option<&Path>) -> Response<Body> {
    file("index.html", folder).unwrap_or_else(|| {
        let mut response = Response::new(Body::from("The page is not part of this build."));
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    })
}

//! Messages from a stranger to a server: whatever is sent to any address, the server answers, and the table goes on.
//!
//! An input is `METHOD PATH`, a line end, and a body. `KEY` in the path, `GAME` and `DECISION` in the body stand for a seat's
//! key, the table and what is asked there now.

#![no_main]

#[path = "../../tools/table/tests/common/mod.rs"]
mod common;

use common::{Running, shipped};
use serde_json::json;
use std::sync::OnceLock;

struct Table {
    server: Running,
    key: String,
    game: String,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let store = std::env::temp_dir().join(format!("sandtable-wire-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&store);
        let server = Running::start(shipped(), &store, false);
        let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
        let key = keys.table.trim_start_matches("/api/").to_string();
        Table { server, key, game: keys.game }
    })
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let table = table();
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once('\n').unwrap_or((&text, ""));
    let (method, path) = head.split_once(' ').unwrap_or(("POST", head));
    let plain = |c: char| c.is_ascii_graphic();
    let (method, path): (String, String) =
        (method.chars().filter(char::is_ascii_uppercase).collect(), path.chars().filter(|c| plain(*c)).collect());
    let view = table.server.get(&format!("/api/{}/view", table.key)).1;
    let decision = view["decisions"][0]["id"].as_str().unwrap_or_default();
    let body = body.replace("DECISION", decision).replace("GAME", &table.game);
    let path = path.replace("KEY", &table.key);
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        table.server.addr,
        body.len()
    );
    let answer = table.server.raw(request.as_bytes());
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 "), "{answer:?}");
    assert!(!answer.starts_with("HTTP/1.1 500"), "{request:?}\n{answer:?}");
    let (status, _) = table.server.request("GET", &format!("/api/{}/view", table.key), "", "");
    assert_eq!(status, 200, "the table is gone after {request:?}\n{answer:?}");
});

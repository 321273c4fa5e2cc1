//! Bad input over the wire: each gets a clear refusal, and no game is harmed.

mod common;

use common::{Running, shipped, some_answer};
use serde_json::{Value, json};
use std::net::TcpStream;

fn served(f: impl FnOnce(&Running, &common::Keys)) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::start(shipped(), &folder.path().join("games.sqlite"), false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let before = server.get(&format!("{}/view", keys.table)).1;
    f(&server, &keys);
    let after = server.get(&format!("{}/view", keys.table)).1;
    for part in ["spaces", "decisions", "choices", "players", "proposal"] {
        assert_eq!(before[part], after[part], "{part} is as it was");
    }
    let (status, _) = server.post(&format!("{}/answer", keys.table), some_answer(&after["decisions"][0], 1));
    assert_eq!(status, 200, "and the game goes on");
}

fn refused(answer: &(u16, Value), status: u16, code: &str) {
    assert_eq!((answer.0, answer.1["error"]["code"].as_str()), (status, Some(code)), "{}", answer.1);
    assert!(answer.1["error"]["text"].as_str().is_some_and(|text| text.len() > 10), "{}", answer.1);
}

#[test]
fn garbage_is_refused() {
    served(|server, keys| {
        let json = "Content-Type: application/json\r\n";
        let long = "[".repeat(100_000);
        for body in ["", "{", "null", "[]", "{\"decision\":7}", "\u{0}\u{1}", "\"x\"", long.as_str()] {
            for path in ["answer", "try", "why", "preview", "undo", "consent", "edit", "seats", "import"] {
                let (status, text) = server.request("POST", &format!("{}/{path}", keys.table), json, body);
                assert!((400..500).contains(&status), "{path} {body:.20}: {status} {text}");
                let answer: Value = serde_json::from_str(&text).expect("a refusal is JSON");
                assert!(answer["error"]["text"].is_string());
            }
        }
        for request in [
            "x\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
            "\u{16}\u{3}\u{1}",
            "GET /\r\n\r\n",
            "POST /api HTTP/1.1\r\nContent-Length: -4\r\n\r\n",
        ] {
            server.raw(request.as_bytes());
        }
        for path in [
            "/page/../Cargo.toml",
            "/page/..%2f..%2fCargo.toml",
            "/page/%2e%2e/x",
            "/page//etc/passwd",
            "/page/none.js",
            "/x",
            "/api",
        ] {
            assert_eq!(server.get(path).0, 404, "{path}");
        }
        assert_eq!(server.get(&format!("{}/view?at=99999", keys.table)).0, 404);
        assert_eq!(server.get(&format!("{}/view?at=-1", keys.table)).0, 400);
        assert_eq!(server.get(&format!("{}/export?as=nonsense", keys.table)).0, 400);
        assert_eq!(server.get(&format!("{}/rulebook?paragraph=nonsense", keys.table)).0, 404);
        refused(
            &server.post(&format!("/api/{}/games", server.host), json!({ "game": "no-such-game" })),
            422,
            "load",
        );
        refused(
            &server.post(&format!("/api/{}/games", server.host), json!({ "game": "../../etc" })),
            400,
            "bad",
        );
        let path = json!({ "game": "skirmish", "layers": ["../secret.toml"] });
        refused(&server.post(&format!("/api/{}/games", server.host), path), 400, "bad");
        let dropped = json!({ "name": "../x.toml", "text": "[layer]\nid=\"x\"" });
        refused(&server.post(&format!("{}/import", keys.table), dropped), 400, "bad");
    });
}

#[test]
fn stale_and_forged_answers_are_refused() {
    served(|server, keys| {
        let view = server.get(&format!("{}/view", keys.table)).1;
        let id = view["decisions"][0]["id"].clone();
        let answer = |api: &str, body: Value| server.post(&format!("{api}/answer"), body);
        refused(
            &answer(&keys.table, json!({ "decision": "0-00000000-harrow", "choice": "0101" })),
            409,
            "stale",
        );
        refused(&answer(&keys.table, json!({ "decision": id, "choice": "0801" })), 422, "not-offered");
        refused(
            &answer(&keys.table, json!({ "decision": id, "choice": "no such thing" })),
            422,
            "not-offered",
        );
        refused(&answer(&keys.table, json!({ "decision": id, "chosen": { "0101": 1 } })), 400, "bad");
        refused(&answer(&keys.seat("vale"), json!({ "decision": id, "choice": "0101" })), 403, "not-yours");
        refused(&answer(&keys.watch, json!({ "decision": id, "choice": "0101" })), 403, "not-yours");
        refused(
            &answer("/api/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", json!({ "decision": id, "choice": "0101" })),
            403,
            "no-key",
        );
        refused(
            &answer(&format!("/api/{}", server.host), json!({ "decision": id, "choice": "0101" })),
            403,
            "not-yours",
        );
        let why =
            server.post(&format!("{}/why", keys.seat("vale")), json!({ "decision": id, "option": "0101" }));
        refused(&why, 403, "not-yours");
        let edit = server.post(&format!("{}/edit", keys.watch), json!({ "line": "set game.turn 3" }));
        refused(&edit, 403, "not-yours");
        let seats = server
            .post(&format!("{}/seats", keys.seat("vale")), json!({ "side": "harrow", "player": "random" }));
        refused(&seats, 403, "not-yours");
        let list = server.get(&format!("{}/games", keys.table));
        refused(&list, 403, "not-yours");
        let edit = json!({ "line": "set game.turn 3\nset harrow.stores 9" });
        refused(&server.post(&format!("{}/edit", keys.table), edit), 400, "bad");
    });
}

#[test]
fn bodies_that_are_too_long_are_refused() {
    served(|server, keys| {
        let body = format!("{{\"name\":\"x\",\"text\":\"{}\"}}", "x".repeat(5 << 20));
        let json = "Content-Type: application/json\r\n";
        let (status, _) = server.request("POST", &format!("{}/import", keys.table), json, &body);
        // The refusal may be lost where the connection closes before the whole body was sent.
        assert!(status == 413 || status == 0, "{status}");
        let claim = format!(
            "POST {}/answer HTTP/1.1\r\nHost: {}\r\n{json}Content-Length: 99999999999\r\n\r\n",
            keys.table, server.addr
        );
        let answer = server.raw(claim.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 413"), "{answer:.200}");
    });
}

#[test]
fn pages_of_other_sites_are_refused() {
    served(|server, keys| {
        let id = server.get(&format!("{}/view", keys.table)).1["decisions"][0]["id"].clone();
        let body = json!({ "decision": id, "choice": "0101" }).to_string();
        let path = format!("{}/answer", keys.table);
        let json = "Content-Type: application/json\r\n";
        for extra in [
            format!("{json}Origin: http://evil.example\r\n"),
            format!("{json}Origin: null\r\n"),
            format!("{json}Sec-Fetch-Site: cross-site\r\n"),
        ] {
            let (status, text) = server.request("POST", &path, &extra, &body);
            assert_eq!(status, 403, "{extra} {text}");
        }
        for kind in
            ["", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"]
        {
            assert_eq!(server.request("POST", &path, kind, &body).0, 400, "{kind}");
        }
        let rebound =
            format!("GET {}/view HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", keys.table);
        assert!(server.raw(rebound.as_bytes()).starts_with("HTTP/1.1 403"));
        let nameless = format!("GET {}/view HTTP/1.1\r\nConnection: close\r\n\r\n", keys.table);
        assert!(server.raw(nameless.as_bytes()).starts_with("HTTP/1.1 400"));
        let socket = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://evil.example\r\n";
        assert_eq!(server.request("GET", &format!("{}/socket", keys.table), socket, "").0, 403);
    });
}

#[test]
fn a_thousand_connections_do_no_harm() {
    served(|server, keys| {
        let open: Vec<TcpStream> = (0..1000).filter_map(|_| TcpStream::connect(server.addr).ok()).collect();
        assert!(open.len() > 900, "{}", open.len());
        assert_eq!(
            server.get(&format!("{}/view", keys.table)).0,
            200,
            "somebody who wants something is served"
        );
        drop(open);
        // And as many who look at one table: those beyond its bound are told so.
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let mut held = Vec::new();
        let (mut joined, mut busy) = (0, 0);
        for _ in 0..300 {
            use std::io::{Read, Write};
            let mut stream = TcpStream::connect(server.addr).expect("a connection");
            write!(stream, "GET {}/socket HTTP/1.1\r\nHost: {}\r\n{upgrade}\r\n", keys.watch, server.addr)
                .expect("sent");
            let mut head = [0u8; 12];
            stream.read_exact(&mut head).expect("an answer");
            match &head[9..] {
                b"101" => joined += 1,
                b"503" => busy += 1,
                other => panic!("{other:?}"),
            }
            held.push(stream);
        }
        assert_eq!((joined, busy), (200, 100));
        assert_eq!(server.get(&format!("{}/view", keys.table)).0, 200);
    });
}

/// Sends a request with its own `Host` and whatever else.
fn asked(server: &Running, path: &str, head: &str) -> u16 {
    let answer = server.raw(format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{head}\r\n").as_bytes());
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

#[test]
fn strangers_who_say_nothing_or_little_keep_nobody_out() {
    use std::io::Write;
    served(|server, keys| {
        let view = format!("{}/view", keys.table);
        // More than a process may have files: idle, with half a head, and with a body that never comes.
        let mut held = Vec::new();
        for n in 0..4_200 {
            let Ok(mut stream) = TcpStream::connect_timeout(&server.addr, std::time::Duration::from_secs(5))
            else {
                break;
            };
            let text = match n % 3 {
                0 => String::new(),
                1 => "GET / HTTP/1.1\r\nHost:".into(),
                _ => format!(
                    "POST /api/x/games HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{",
                    server.addr
                ),
            };
            // One that had to give way already may be closed.
            let _ = stream.write_all(text.as_bytes());
            held.push(stream);
            if n % 300 == 299 {
                assert_eq!(server.get(&view).0, 200, "after {n} strangers");
            }
        }
        assert!(held.len() > 900, "{}", held.len());
        assert_eq!(server.get(&view).0, 200);
    });
}

#[test]
fn a_server_on_all_addresses_answers_to_its_own_names_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let public = "https://table.example.org".parse().expect("an address");
    let server =
        Running::start_at("0.0.0.0:0", Some(public), shipped(), &folder.path().join("games.sqlite"), false);
    let keys = server.table(json!({ "game": "skirmish", "seed": 5 }));
    let port = server.addr.port();
    for (head, status) in [
        (format!("Host: 127.0.0.1:{port}\r\n"), 200),
        ("Host: table.example.org\r\n".into(), 200),
        ("Host: table.example.org\r\nOrigin: https://table.example.org\r\n".into(), 200),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: https://table.example.org\r\n"), 200),
        (format!("Host: rebound.example.com:{port}\r\n"), 403),
        (format!("Host: 10.11.12.13:{port}\r\n"), 403),
        ("Host: table.example.org\r\nOrigin: https://evil.example.org\r\n".into(), 403),
        (format!("Host: 127.0.0.1:{port}\r\nOrigin: null\r\n"), 403),
        (String::new(), 400),
    ] {
        assert_eq!(asked(&server, &format!("{}/view", keys.table), &head), status, "{head}");
    }
}

//! Many games at once: each is given an answer a second, and every answer is timed from request to confirmation.
//!
//! Run by hand, because it takes a minute and a quiet machine:
//! `cargo test --release -p sandtable-table --test load -- --ignored --nocapture`.
//! `GAMES`, `SECONDS` and `GAME` change how much of what.

mod common;

use common::{Keys, Running, shipped, some_answer};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream};
use tokio::net::TcpStream;

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Resident memory of this process, server and clients together, in MiB: now and at most.
fn memory() -> (usize, usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|kib| kib.parse::<usize>().ok()).unwrap_or(0) / 1024
    };
    (field("VmRSS:"), field("VmHWM:"))
}

/// One request over a connection that stays open.
async fn post(
    stream: &mut BufStream<TcpStream>,
    host: &str,
    path: &str,
    body: &str,
) -> std::io::Result<(u16, String)> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.flush().await?;
    let (mut status, mut length, mut line) = (0, 0, String::new());
    loop {
        line.clear();
        stream.read_line(&mut line).await?;
        if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
            status = rest.get(..3).and_then(|code| code.parse().ok()).unwrap_or(0);
        }
        if let Some(rest) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = rest.trim().parse().unwrap_or(0);
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut text = vec![0; length];
    stream.read_exact(&mut text).await?;
    Ok((status, String::from_utf8_lossy(&text).into_owned()))
}

/// The decisions of a view; the rest is not read, because players have computers of their own for that.
fn decisions(view: &str) -> Value {
    let from = view.split_once("\"decisions\":").map_or("", |(_, from)| from);
    let found = serde_json::Deserializer::from_str(from).into_iter().next();
    found.and_then(Result::ok).unwrap_or_default()
}

/// Plays one game for a while; gives the time of each answer, in microseconds.
async fn play(
    addr: std::net::SocketAddr,
    keys: Keys,
    number: usize,
    games: usize,
    seconds: usize,
) -> (Vec<u128>, usize) {
    let host = addr.to_string();
    let url = format!("ws://{host}{}/socket", keys.table);
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("a socket");
    let mut stream = BufStream::new(TcpStream::connect(addr).await.expect("a connection"));
    let (mut times, mut failed) = (Vec::new(), 0);
    tokio::time::sleep(Duration::from_millis((1000 * number / games) as u64)).await;
    let mut tick = tokio::time::interval(Duration::from_secs(1));
    let mut asked = Value::Null;
    for n in 0..seconds {
        tick.tick().await;
        // What has come since the last second: the newest view counts.
        while let Ok(Some(Ok(message))) = tokio::time::timeout(Duration::from_millis(1), socket.next()).await
        {
            let text = message.into_text().unwrap_or_default();
            if text.starts_with("{\"type\":\"view\"") {
                asked = decisions(&text);
            }
        }
        let Some(decision) = asked.get(0) else { continue };
        let body = some_answer(decision, n * 13 + number).to_string();
        let start = Instant::now();
        let (status, text) =
            post(&mut stream, &host, &format!("{}/answer", keys.table), &body).await.expect("an answer");
        times.push(start.elapsed().as_micros());
        if status != 200 {
            failed += 1;
            if failed < 3 {
                println!("{status} {text} to {body}");
            }
        }
    }
    (times, failed)
}

#[test]
#[ignore = "takes a minute of a quiet machine"]
fn two_hundred_games_are_answered_in_time_and_in_little_memory() {
    let (games, seconds) = (number("GAMES", 200), number("SECONDS", 60));
    let game = std::env::var("GAME").unwrap_or_else(|_| "stalins-war".into());
    let folder = tempfile::tempdir().expect("a folder");
    let server = Running::start(shipped(), &folder.path().join("games.sqlite"), false);
    let start = Instant::now();
    let tables: Vec<Keys> =
        (0..games).map(|seed| server.table(json!({ "game": game, "seed": seed }))).collect();
    println!("{games} games of {game} set up in {:?}, {} MiB", start.elapsed(), memory().0);
    let addr = server.addr;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let results = runtime.block_on(async {
        let tasks: Vec<_> = tables
            .into_iter()
            .enumerate()
            .map(|(number, keys)| tokio::spawn(play(addr, keys, number, games, seconds)))
            .collect();
        let mut results = Vec::new();
        for task in tasks {
            results.push(task.await.expect("a game is played"));
        }
        results
    });
    let failed: usize = results.iter().map(|(_, failed)| failed).sum();
    let mut times: Vec<u128> = results.into_iter().flat_map(|(times, _)| times).collect();
    times.sort_unstable();
    let at = |hundredths: usize| times.get(times.len() * hundredths / 10_000).copied().unwrap_or(0) / 100;
    let tenths = |n: u128| format!("{}.{} ms", n / 10, n % 10);
    println!(
        "{} answers, {failed} refused: median {}, 99 % {}, 99.9 % {}, longest {}; at most {} MiB",
        times.len(),
        tenths(at(5_000)),
        tenths(at(9_900)),
        tenths(at(9_990)),
        tenths(times.last().copied().unwrap_or(0) / 100),
        memory().1
    );
    assert_eq!(failed, 0, "every answer was one of the options");
    assert!(times.len() * 10 >= games * seconds * 9, "only {} answers", times.len());
    assert!(at(9_900) <= 500, "99 % of the answers took longer than 50 ms");
    assert!(memory().1 <= 2048, "more than 2 GiB");
}

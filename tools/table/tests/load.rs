//! Many games at once: each is given an answer a second, and every answer is timed from request to confirmation.
//!
//! Run by hand, because it takes a minute and a quiet machine:
//! `cargo test --release -p sandtable-table --test load -- --ignored --nocapture`.
//! `GAMES`, `SECONDS`, `GAME` and `HOSTILE` change how much of what. Beside the games there are tables whose rules run every
//! answer to its bounds, one after the other; nobody waits for those but who sits there.

mod common;

use common::{Folder, Keys, Running, shipped, some_answer};
use futures_util::StreamExt;
use sandtable_table::library::{FileStamp, Library, Listed, Loaded, Problem, Setup};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufStream};
use tokio::net::TcpStream;

/// What a hostile table answers with: everything that takes time or memory, to the bound.
const HOSTILE: &str = "
local attacks = {
    spin = function() while true do end end,
    call = function() local function f(n) return n and f(n - 1) or f(1) end f(1) end,
    eat = function() local t = {} while true do t[#t + 1] = { #t, 'x' .. #t } end end,
    text = function() local s = 'x' while true do s = s .. s:sub(1, 1000) end end,
    sort = function() local t = {} for i = 1, 100000 do t[i] = (i * 7919) % 100003 end while true do table.sort(t, function(a, b) return a < b end) t[1] = 5 end end,
    list = function() while true do local l = spaces{} end end,
}
procedure('play', {}, function()
    while true do
        local what = ask('a', 'what', { among = { 'call', 'eat', 'list', 'sort', 'spin', 'text' } })
        attacks[what]()
    end
end)
";

/// Writes the hostile game below a folder.
fn write_hostile(folder: &std::path::Path) {
    let rules = folder.join("rules/hostile");
    std::fs::create_dir_all(&rules).expect("a folder");
    let game = "[game]\nid = \"hostile\"\ntitle = \"Hostile\"\nversion = \"1.0.0\"\nsides = [\"a\"]\n[side]\na = { name = \"A\" }\n\
                [prompt]\nwhat = { text = \"What now?\" }\n[scenario.s]\ntitle = \"S\"\n[sequence]\ngame = { steps = [\"play\"] }\n";
    std::fs::write(rules.join("game.toml"), game).expect("written");
    std::fs::write(rules.join("play.lua"), HOSTILE).expect("written");
}

/// The shipped games, and the hostile one.
struct Both(Folder, Folder);

impl Both {
    fn of(&self, setup: &Setup) -> &Folder {
        if setup.game == "hostile" { &self.1 } else { &self.0 }
    }
}

impl Library for Both {
    fn games(&self) -> Vec<Listed> {
        self.0.games()
    }
    fn layers(&self, game: &str) -> Vec<Listed> {
        self.0.layers(game)
    }
    fn load(&self, setup: &Setup) -> Result<Loaded, Problem> {
        self.of(setup).load(setup)
    }
    fn layer_id(&self, name: &str, text: &str) -> Option<String> {
        self.0.layer_id(name, text)
    }
    fn files(&self, setup: &Setup) -> Vec<FileStamp> {
        self.of(setup).files(setup)
    }
}

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

/// Answers at a hostile table for as long as the others play; gives how many answers it took, and the longest in milliseconds.
async fn attack(addr: std::net::SocketAddr, keys: Keys, number: usize, seconds: usize) -> (usize, u128) {
    let host = addr.to_string();
    let end = Instant::now() + Duration::from_secs(seconds as u64);
    let (mut answers, mut longest) = (0, 0);
    while Instant::now() < end {
        // Any of them may have closed the connection, as nobody promises hostile rules anything.
        let Ok(stream) = TcpStream::connect(addr).await else { continue };
        let mut stream = BufStream::new(stream);
        let head = format!("GET {}/view HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n", keys.table);
        let mut view = String::new();
        if stream.write_all(head.as_bytes()).await.is_err()
            || stream.flush().await.is_err()
            || stream.read_to_string(&mut view).await.is_err()
        {
            continue;
        }
        let asked = decisions(&view);
        let Some(decision) = asked.get(0) else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let body = some_answer(decision, answers + number).to_string();
        let start = Instant::now();
        let Ok(stream) = TcpStream::connect(addr).await else { continue };
        let mut stream = BufStream::new(stream);
        let path = format!("{}/answer", keys.table);
        if let Ok((status, text)) = post(&mut stream, &host, &path, &body).await {
            assert_ne!(status, 200, "a hostile answer ends with its bound: {text}");
            answers += 1;
            longest = longest.max(start.elapsed().as_millis());
        }
    }
    (answers, longest)
}

#[test]
#[ignore = "takes a minute of a quiet machine"]
fn two_hundred_games_are_answered_in_time_and_in_little_memory() {
    let (games, seconds) = (number("GAMES", 200), number("SECONDS", 60));
    let game = std::env::var("GAME").unwrap_or_else(|_| "stalins-war".into());
    let folder = tempfile::tempdir().expect("a folder");
    write_hostile(folder.path());
    let library = Both(Folder(shipped()), Folder(folder.path().to_path_buf()));
    let server = Running::start_with(Arc::new(library), &folder.path().join("games.sqlite"));
    let hostile: Vec<Keys> = (0..number("HOSTILE", 4))
        .map(|seed| server.table(json!({ "game": "hostile", "seed": seed })))
        .collect();
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
        let attacks: Vec<_> = hostile
            .into_iter()
            .enumerate()
            .map(|(number, keys)| tokio::spawn(attack(addr, keys, number, seconds)))
            .collect();
        let tasks: Vec<_> = tables
            .into_iter()
            .enumerate()
            .map(|(number, keys)| tokio::spawn(play(addr, keys, number, games, seconds)))
            .collect();
        let mut results = Vec::new();
        for task in tasks {
            results.push(task.await.expect("a game is played"));
        }
        for attack in attacks {
            let (answers, longest) = attack.await.expect("a hostile table is answered");
            println!("a hostile table: {answers} answers, the longest took {longest} ms");
            assert!(answers > 0, "it was answered too");
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
    assert!(at(9_900) <= 300, "1 % of the answers took longer than 30 ms");
    assert!(at(9_990) <= 1_000, "0.1 % of the answers took longer than 100 ms");
    assert!(memory().1 <= 350, "more than 350 MiB");
}

//! A server on loopback with the shipped games, and a client that knows nothing but HTTP.
#![allow(dead_code, reason = "each test program uses some of it")]

use futures_util::StreamExt;
use sandtable_data::package::{DiskFiles, MemoryFiles};
use sandtable_data::package_search::SearchPath;
use sandtable_data::{catalog, definition};
use sandtable_table::library::{FileStamp, Library, Listed, Loaded, Problem, Setup};
use sandtable_table::names::PublicUrl;
use sandtable_table::refusal::Place;
use sandtable_table::tables::Tables;
use sandtable_table::{Config, Server};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Games below a folder.
pub struct Folder(pub PathBuf);

impl Library for Folder {
    fn games(&self) -> Vec<Listed> {
        let found = SearchPath::new().with(DiskFiles::new(&self.0)).list_games();
        found.into_iter().map(|found| Listed { id: found.manifest.id, title: found.manifest.title }).collect()
    }

    fn layers(&self, _: &str) -> Vec<Listed> {
        Vec::new()
    }

    fn load(&self, setup: &Setup) -> Result<Loaded, Problem> {
        assert!(!self.0.join("panics").exists(), "a file that breaks the engine");
        let mut files = MemoryFiles::new();
        for (path, text) in &setup.files {
            files.add(path.clone(), text.clone().into_bytes());
        }
        let search = SearchPath::new().ids_only().with(files).with(DiskFiles::new(&self.0));
        let (catalog, problems) = catalog::load(&setup.game, &setup.layers, &setup.sets, &search);
        let fail = |problems: &sandtable_data::diagnostic::Diagnostics| Problem {
            text: problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("\n"),
            places: problems
                .iter()
                .map(|problem| {
                    let place = problem.span.map(|span| catalog.sources.describe(span)).unwrap_or_default();
                    let mut parts = place.split(':');
                    let file = parts.next().unwrap_or_default().to_string();
                    let line = parts.next().and_then(|line| line.parse().ok()).unwrap_or_default();
                    Place { file, line, text: problem.message.clone() }
                })
                .collect(),
        };
        if problems.has_errors() {
            return Err(fail(&problems));
        }
        match definition::build(&catalog, setup.scenario.as_deref(), &setup.options) {
            (Some(definition), _) => Ok(Loaded { catalog, definition }),
            (None, problems) => Err(fail(&problems)),
        }
    }

    fn layer_id(&self, name: &str, text: &str) -> Option<String> {
        let files = MemoryFiles::new().with(&format!("layers/{name}"), text);
        SearchPath::new().with(files).list_layers().into_iter().next().map(|found| found.manifest.id)
    }

    fn files(&self, _: &Setup) -> Vec<FileStamp> {
        let mut folders = vec![self.0.clone()];
        let mut files = Vec::new();
        while let Some(path) = folders.pop() {
            let about = std::fs::metadata(&path).expect("a file");
            if about.is_dir() {
                folders
                    .extend(std::fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path()));
            } else {
                files.push((path, about.modified().expect("a time"), about.len()));
            }
        }
        files.sort();
        files
    }
}

/// The folder with all games.
pub fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A server that runs until it is dropped.
pub struct Running {
    pub addr: SocketAddr,
    pub host: String,
    /// What requests go to, for what no request can do.
    pub tables: Arc<Tables>,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // As if it were killed: nothing is waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Running {
    pub fn start(games: PathBuf, store: &Path, watch: bool) -> Running {
        Running::start_at("127.0.0.1:0", None, games, store, watch)
    }

    /// The same at an address, under a name.
    pub fn start_at(
        addr: &str,
        public_url: Option<PublicUrl>,
        games: PathBuf,
        store: &Path,
        watch: bool,
    ) -> Running {
        Running::start_as(addr, public_url, Arc::new(Folder(games)), store, watch)
    }

    /// The same with games from elsewhere.
    pub fn start_with(library: Arc<dyn Library>, store: &Path) -> Running {
        Running::start_as("127.0.0.1:0", None, library, store, false)
    }

    fn start_as(
        addr: &str,
        public_url: Option<PublicUrl>,
        library: Arc<dyn Library>,
        store: &Path,
        watch: bool,
    ) -> Running {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let config = Config {
            library,
            store: store.to_path_buf(),
            threads: 2,
            watch,
            page: None,
            public_url,
            time: sandtable_table::TIME,
        };
        let server = Server::open(config).expect("a server");
        let host = server.tables.hub.host_key().to_string();
        let listener = runtime.block_on(tokio::net::TcpListener::bind(addr)).expect("a port");
        let mut addr = listener.local_addr().expect("an address");
        if addr.ip().is_unspecified() {
            addr.set_ip([127, 0, 0, 1].into());
        }
        let tables = server.tables.clone();
        runtime.spawn(server.run(listener));
        Running { addr, host, tables, runtime: Some(runtime) }
    }

    /// Waits for something on the server's own threads.
    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.as_ref().expect("it runs").block_on(future)
    }

    pub fn raw(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.addr).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time-out");
        // A server that refuses while the body still comes may close first.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn request(&self, method: &str, path: &str, extra: &str, body: &str) -> (u16, String) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{extra}\r\n{body}",
            self.addr,
            body.len()
        );
        let answer = self.raw(request.as_bytes());
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        let body = if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
            unchunk(body)
        } else {
            body.into()
        };
        (status, body)
    }

    pub fn get(&self, path: &str) -> (u16, Value) {
        let (status, body) = self.request("GET", path, "", "");
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    pub fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let (status, answer) =
            self.request("POST", path, "Content-Type: application/json\r\n", &body.to_string());
        (status, serde_json::from_str(&answer).unwrap_or(Value::String(answer)))
    }

    /// A new table; gives the addresses `/api/KEY` of table, seats and spectators.
    pub fn table(&self, new: Value) -> Keys {
        let (status, made) = self.post(&format!("/api/{}/games", self.host), new);
        assert_eq!(status, 200, "{made}");
        Keys::of(&made)
    }

    /// Listens on a socket for as long as `f` wants: it gets each message and says whether it has heard enough.
    pub fn listen(&self, api: &str, f: impl FnMut(Value) -> bool + Send + 'static) -> Listening {
        let url = format!("ws://{}{api}/socket", self.addr);
        let (ready, wait) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let mut f = f;
                let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("a socket");
                ready.send(()).expect("the test waits");
                let all = async {
                    while let Some(Ok(message)) = socket.next().await {
                        let Ok(text) = message.into_text() else { continue };
                        let Ok(json) = serde_json::from_str::<Value>(&text) else { continue };
                        if f(json) {
                            return true;
                        }
                    }
                    false
                };
                tokio::time::timeout(Duration::from_secs(30), all).await.unwrap_or(false)
            })
        });
        wait.recv_timeout(Duration::from_secs(10)).expect("the socket opens");
        Listening(thread)
    }
}

/// Somebody who listens.
pub struct Listening(std::thread::JoinHandle<bool>);

impl Listening {
    /// Whether what was waited for has come.
    pub fn heard(self) -> bool {
        self.0.join().expect("the listener ends")
    }
}

fn unchunk(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole.push_str(rest.get(..size).unwrap_or_default());
        body = rest.get(size + 2..).unwrap_or_default();
    }
    whole
}

/// The addresses of a table.
#[derive(Clone, Debug)]
pub struct Keys {
    pub game: String,
    pub table: String,
    pub watch: String,
    pub links: Value,
}

impl Keys {
    pub fn of(made: &Value) -> Keys {
        let api = |link: &Value| link.as_str().unwrap_or_default().replacen("/t/", "/api/", 1);
        Keys {
            game: made["game"].as_str().unwrap_or_default().into(),
            table: api(&made["links"]["table"]),
            watch: api(&made["links"]["watch"]),
            links: made["links"].clone(),
        }
    }

    pub fn seat(&self, side: &str) -> String {
        self.links["seats"][side].as_str().unwrap_or_default().replacen("/t/", "/api/", 1)
    }
}

/// An answer to a decision: the option number `n` modulo how many there are, or a least selection.
pub fn some_answer(decision: &Value, n: usize) -> Value {
    let id = &decision["id"];
    if decision["kind"] == "list" {
        let options = decision["options"].as_array().expect("options");
        return json!({ "decision": id, "choice": options[n % options.len()]["name"] });
    }
    let items = decision["items"].as_array().expect("items");
    let (least, worth) = (decision["min"].as_i64().unwrap_or(0), decision["at_least"].as_i64().unwrap_or(0));
    let mut chosen = serde_json::Map::new();
    let (mut count, mut cost) = (0, 0);
    for item in items.iter().cycle().skip(n % items.len().max(1)).take(items.len()) {
        let mut taken = 0;
        while taken < item["most"].as_i64().unwrap_or(1) && (count < least || cost < worth) {
            taken += 1;
            count += 1;
            cost += item["cost"].as_i64().unwrap_or(0);
        }
        if taken > 0 {
            chosen.insert(item["name"].as_str().unwrap_or_default().to_string(), json!(taken));
        }
    }
    json!({ "decision": id, "chosen": chosen })
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a file");
        }
    }
}

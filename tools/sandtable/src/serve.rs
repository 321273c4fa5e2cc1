//! `sandtable play` in the browser: finds games for the table, starts it, and tells where it is.

use crate::args::{PlayArgs, WithArgs};
use crate::{load, store, watch};
use sandtable_data::catalog;
use sandtable_data::definition;
use sandtable_data::diagnostic::{Diagnostics, Severity};
use sandtable_data::package::{DiskFiles, MemoryFiles};
use sandtable_data::package_search::{SearchPath, open_path};
use sandtable_data::render;
use sandtable_data::source::Sources;
use sandtable_table::library::{FileStamp, Library, Listed, Loaded, Problem, Setup};
use sandtable_table::refusal::Place;
use sandtable_table::store::Player;
use sandtable_table::{Config, Server};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// The games that this command finds.
struct Shelves {
    with: WithArgs,
}

impl Shelves {
    /// What the command line says, with what a table asks for.
    fn with(&self, setup: &Setup) -> WithArgs {
        WithArgs {
            layer: setup.layers.iter().cloned().chain(shown(&setup.paths)).collect(),
            set: setup.sets.clone(),
            option: Vec::new(),
            path: self.with.path.clone(),
        }
    }

    fn search(&self, setup: &Setup) -> SearchPath {
        let mut search = SearchPath::new().ids_only();
        if !setup.files.is_empty() {
            let mut files = MemoryFiles::new();
            for (path, text) in &setup.files {
                files.add(path.clone(), text.clone().into_bytes());
            }
            search.push(files);
        }
        for path in &setup.paths {
            let folder = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
            search.push(DiskFiles::new(folder.unwrap_or(path)));
        }
        for root in load::search_path(&self.with(setup)).roots() {
            search.push_shared(root.clone());
        }
        search
    }
}

/// Paths as the command line has them.
fn shown(paths: &[PathBuf]) -> impl Iterator<Item = String> {
    paths.iter().map(|path| path.display().to_string())
}

/// The layers that the command line names: their ids, and where those stand that it names by a path.
fn layers(named: &[String]) -> (Vec<String>, Vec<PathBuf>) {
    let (mut ids, mut paths) = (Vec::new(), Vec::new());
    for name in named {
        let path_like = name.contains(['/', '\\', '.']);
        match open_path(Path::new(name)).filter(|_| path_like) {
            Some(found) => {
                ids.push(found.manifest.id);
                // Stored games are opened again from whatever folder.
                paths.push(std::path::absolute(name).unwrap_or_else(|_| name.into()));
            }
            None => ids.push(name.clone()),
        }
    }
    (ids, paths)
}

impl Library for Shelves {
    fn games(&self) -> Vec<Listed> {
        let found = load::search_path(&self.with).list_games().into_iter();
        found.map(|found| Listed { id: found.manifest.id, title: found.manifest.title }).collect()
    }

    fn layers(&self, game: &str) -> Vec<Listed> {
        let found = load::search_path(&self.with).list_layers().into_iter();
        let own = found.filter(|found| found.manifest.may_be_for(game));
        own.map(|found| Listed { id: found.manifest.id, title: found.manifest.title }).collect()
    }

    fn load(&self, setup: &Setup) -> Result<Loaded, Problem> {
        let (catalog, mut problems) =
            catalog::load(&setup.game, &setup.layers, &setup.sets, &self.search(setup));
        if problems.has_errors() {
            return Err(problem(&problems, &catalog.sources));
        }
        let (definition, more) = definition::build(&catalog, setup.scenario.as_deref(), &setup.options);
        problems.append(more);
        match definition {
            Some(definition) => Ok(Loaded { catalog, definition }),
            None => Err(problem(&problems, &catalog.sources)),
        }
    }

    fn layer_id(&self, name: &str, text: &str) -> Option<String> {
        let files = MemoryFiles::new().with(&format!("layers/{name}"), text);
        let found = SearchPath::new().with(files).list_layers();
        found.into_iter().next().map(|found| found.manifest.id)
    }

    fn files(&self, setup: &Setup) -> Vec<FileStamp> {
        watch::look(&watch::folders(&setup.game, &self.with(setup)))
    }
}

/// Problems for the page: all of them as text, and the place of each.
fn problem(problems: &Diagnostics, sources: &Sources) -> Problem {
    let errors = || problems.iter().filter(|problem| problem.severity == Severity::Error).take(20);
    let shown: Vec<String> =
        errors().map(|problem| render::full(problem, sources, render::Colour::Never)).collect();
    let place = |problem: &sandtable_data::diagnostic::Diagnostic| {
        let described = problem.span.map(|span| sources.describe(span)).unwrap_or_default();
        let mut parts = described.split(':');
        let file = parts.next().unwrap_or_default().to_string();
        let line = parts.next().and_then(|line| line.parse().ok()).unwrap_or_default();
        Place { file, line, text: problem.message.clone() }
    };
    Problem { text: shown.join("\n"), places: errors().map(place).collect() }
}

/// Runs the command until it is stopped.
pub fn run(args: &PlayArgs) -> Result<bool, String> {
    let addresses = std::net::ToSocketAddrs::to_socket_addrs(&args.addr);
    let address = addresses
        .map_err(|error| format!("--addr {}: {error}; expected HOST:PORT", args.addr))?
        .next()
        .ok_or_else(|| format!("--addr {}: no such address", args.addr))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    runtime.block_on(serve(args, address))
}

async fn serve(args: &PlayArgs, address: SocketAddr) -> Result<bool, String> {
    let library = Arc::new(Shelves { with: args.with.clone() });
    let server = Server::open(Config {
        library,
        store: store_path(args)?,
        threads: args.threads,
        watch: args.watch,
        page: args.page.clone(),
        time: Duration::from_secs(args.time_limit),
        public_url: args.public_url.clone(),
    })?;
    let listener =
        TcpListener::bind(address).await.map_err(|error| format!("{address} cannot be used: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let base = match &args.public_url {
        Some(url) => url.base(),
        None => format!("http://{}", reachable(address)),
    };
    let host = format!("{base}/t/{}", server.tables.hub.host_key());
    let mut first = host.clone();
    outln!("all tables      {host}");
    if let Some((setup, seed, record)) = wanted(args)? {
        let players = args.random.iter().map(|side| (side.clone(), Player::Random)).collect();
        let links = server.new_table(setup, seed, players, record).await?;
        let link = |link: &serde_json::Value| format!("{base}{}", link.as_str().unwrap_or_default());
        first = link(&links["table"]);
        outln!("one computer    {first}");
        for (side, seat) in links["seats"].as_object().into_iter().flatten() {
            outln!("{:15} {}", format!("seat {side}"), link(seat));
        }
        outln!("spectators      {}", link(&links["watch"]));
    }
    if !args.no_browser {
        open(&first);
    }
    server.run(listener).await?;
    Ok(true)
}

/// The address under which others reach a server that listens at all of this computer's.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // Nothing is sent: the system only says from where it would be.
    let out = || {
        let any: SocketAddr =
            if address.is_ipv4() { ([0, 0, 0, 0], 0).into() } else { ([0u16; 8], 0).into() };
        let far: SocketAddr = match address.is_ipv4() {
            true => ([192, 0, 2, 1], 9).into(),
            false => ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], 9).into(),
        };
        let socket = std::net::UdpSocket::bind(any)?;
        socket.connect(far)?;
        socket.local_addr()
    };
    let own = out().ok().map(|out| out.ip()).filter(|ip| !ip.is_unspecified());
    let loopback = if address.is_ipv4() { [127, 0, 0, 1].into() } else { [0, 0, 0, 0, 0, 0, 0, 1u16].into() };
    SocketAddr::new(own.unwrap_or(loopback), address.port())
}

/// What the command line wants to play, if anything.
type Wanted = (Setup, Option<u64>, Option<sandtable_session::Record>);

fn wanted(args: &PlayArgs) -> Result<Option<Wanted>, String> {
    if let Some(path) = &args.load {
        let record = store::read_record(path)?.record;
        let with = store::with(&record, &args.with);
        let (layers, paths) = layers(&with.layer);
        let setup = Setup {
            game: record.game.id.clone(),
            scenario: Some(record.scenario.clone()),
            options: load::options(&with)?,
            layers,
            paths,
            sets: with.set,
            files: Vec::new(),
        };
        return Ok(Some((setup, None, Some(record))));
    }
    let Some(game) = &args.game else { return Ok(None) };
    let (layers, paths) = layers(&args.with.layer);
    let setup = Setup {
        game: game.clone(),
        scenario: args.scenario.clone(),
        layers,
        paths,
        sets: args.with.set.clone(),
        options: load::options(&args.with)?,
        files: Vec::new(),
    };
    Ok(Some((setup, args.seed, None)))
}

/// The file in which games are kept.
fn store_path(args: &PlayArgs) -> Result<PathBuf, String> {
    if let Some(path) = &args.store {
        return Ok(path.clone());
    }
    let data = std::env::var_os("XDG_DATA_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    let Some(folder) = data.or_else(home) else {
        return Err("there is no home folder to keep games in; name a file with --store".into());
    };
    let folder = folder.join("sandtable");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder.join("games.sqlite"))
}

/// Opens a browser; where there is none, the printed links do.
fn open(link: &str) {
    let command = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let quiet = Stdio::null;
    // Without such a command there is nothing to be done but to follow the link that is printed.
    let _ = Command::new(command).arg(link).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str =
        "[layer]\nid = \"secret\"\nversion = \"1.0\"\ngame = \"skirmish\"\n\n[unit.h-reds]\nmoves = 5\n";

    /// What a table with a dropped layer and named layers is made of.
    fn setup(layers: &[&str], files: &[(&str, String)], paths: Vec<PathBuf>) -> Setup {
        Setup {
            game: "skirmish".into(),
            layers: layers.iter().map(ToString::to_string).collect(),
            files: files.iter().map(|(path, text)| (path.to_string(), text.clone())).collect(),
            paths,
            ..Setup::default()
        }
    }

    #[test]
    fn only_who_runs_the_server_names_layers_by_path() {
        let folder = std::env::temp_dir().join(format!("sandtable-serve-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let place = folder.join("secret.toml");
        std::fs::write(&place, SECRET).expect("written");
        let named = place.display().to_string();
        let shelves = Shelves { with: WithArgs::default() };
        let needs = format!(
            "[layer]\nid = \"x\"\nversion = \"1.0\"\ngame = \"skirmish\"\nneeds = [\"{named}\"]\n\n[unit.h-reds]\nmoves = 4\n"
        );
        let fails = |setup: &Setup| shelves.load(setup).err().map(|problem| problem.text);
        let dropped = [("layers/x.toml", needs)];
        assert!(fails(&setup(&["x"], &dropped, Vec::new())).is_some_and(|text| text.contains("not found")));
        assert!(fails(&setup(&[&named], &[], Vec::new())).is_some());
        assert!(fails(&setup(&["secret"], &[], Vec::new())).is_some());
        let (ids, paths) = layers(&[named]);
        assert_eq!(ids, ["secret"]);
        assert_eq!(fails(&setup(&["secret"], &[], paths)), None, "the command line may");
        let _ = std::fs::remove_dir_all(&folder);
    }
}

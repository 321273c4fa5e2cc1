//! What the tests of commands share: a folder of their own, and the command run in it.
#![allow(dead_code, clippy::unwrap_used, reason = "tests; each uses some of it")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The shipped games.
pub const GAMES: &[&str] = &[
    "skirmish",
    "stalins-war",
    "axis-allies-europe",
    "traces-of-war",
    "models-counterattack",
    "conflict-of-heroes",
];

/// A folder of a test's own, gone at its end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("sandtable-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub struct Said {
    pub code: i32,
    pub out: String,
    pub error: String,
}

/// Starts the command; all its streams are pipes.
pub fn start(folder: &Path, args: &[&str]) -> Child {
    command(folder, args).spawn().unwrap()
}

/// The command with pipes for streams, and no screen to fit.
pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sandtable"));
    command.args(args).current_dir(folder).env_remove("CI").env_remove("COLUMNS").env_remove("LINES");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command to its end.
pub fn sandtable(folder: &Path, args: &[&str], typed: &str) -> Said {
    finish(start(folder, args), typed)
}

/// The same on a screen of this size.
pub fn on_screen(folder: &Path, args: &[&str], typed: &str, (width, height): (usize, usize)) -> Said {
    let mut command = command(folder, args);
    command.env("COLUMNS", width.to_string()).env("LINES", height.to_string());
    finish(command.spawn().unwrap(), typed)
}

/// Types into a command that was started, and waits for its end.
pub fn finish(mut child: Child, typed: &str) -> Said {
    // A command that refuses at once is gone before it reads.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        error: String::from_utf8(output.stderr).unwrap(),
    }
}

pub fn json(said: &Said) -> serde_json::Value {
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {} {}", said.out, said.error))
}

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
    Command::new(env!("CARGO_BIN_EXE_sandtable"))
        .args(args)
        .current_dir(folder)
        .env_remove("CI")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the command to its end.
pub fn sandtable(folder: &Path, args: &[&str], typed: &str) -> Said {
    let mut child = start(folder, args);
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

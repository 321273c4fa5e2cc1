//! Work that may kill its process: it runs in children of this test program, with a bound on memory and on how long one piece of it
//! may take, and whatever kills a child is named.
//!
//! A child is this program again with one test chosen and [`JOB`] in its environment. It says on its standard output which piece it
//! begins and which it ends.

#![allow(dead_code, reason = "each test program uses a part of it")]
#![allow(
    clippy::disallowed_methods,
    reason = "it watches processes by the clock, and is told by the environment what to run"
)]

use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Names the pieces of work of a child, as `FROM-TO`.
const JOB: &str = "SANDTABLE_CAGE";

/// How it is told that a piece takes too long; it needs none before it to do so.
const HUNG: &str = "silent";

/// Address space of a child in MiB. The promise is that scripts never take more than 1 GiB; libraries, stacks and the
/// reservations of the allocator are in it.
const MEMORY: u64 = 1024;

/// How long one step of a piece may take. The promise is 10 seconds, which a run by hand on a quiet machine is held to by
/// `SANDTABLE_CAGE_SECONDS=10`; beside other work, and in a debug build, it is given more.
fn patience() -> Duration {
    let seconds = if cfg!(debug_assertions) { 90 } else { 30 };
    Duration::from_secs(number("SANDTABLE_CAGE_SECONDS", seconds))
}

/// A number from the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The pieces of work that this process was started for, if it is a child.
pub fn job() -> Option<Range<usize>> {
    let job = std::env::var(JOB).ok()?;
    let (from, to) = job.split_once('-')?;
    Some(from.parse().ok()?..to.parse().ok()?)
}

/// What a child does: the pieces of its job, one after the other.
pub fn work(job: Range<usize>, mut piece: impl FnMut(usize) -> Result<(), String>) {
    for number in job {
        println!("@begin {number}");
        match piece(number) {
            Ok(()) => println!("@end {number}"),
            Err(why) => println!("@wrong {number} {}", why.escape_default()),
        }
    }
    println!("@peak {}", peak());
}

/// Says that a piece has come a step further: the bound on time is one on each step, as it is on each answer of a game.
pub fn step() {
    println!("@step");
}

/// The most memory that this process has held so far, in MiB; 0 where the system does not say.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

/// What came of the work.
#[derive(Default)]
pub struct Outcome {
    /// The pieces that went wrong, and how.
    pub wrong: Vec<(usize, String)>,
    /// The piece that took longest.
    pub slowest: (usize, Duration),
    /// The most memory that a child has held, in MiB.
    pub peak: u64,
}

/// Runs all pieces of work in children, so many at a time, each with the test of that name.
pub fn supervise(test: &str, pieces: usize, at_a_time: usize) -> Outcome {
    let mut outcome = Outcome::default();
    let mut from = 0;
    while from < pieces {
        let to = (from + at_a_time).min(pieces);
        from = match child(test, from..to, &mut outcome) {
            None => to,
            Some((number, how)) => {
                let how = blame(test, from..number + 1, how);
                println!("{number}: {how}");
                outcome.wrong.push((number, how));
                number + 1
            }
        };
    }
    outcome
}

/// Finds out whether a piece kills a child alone, or which pieces before it it needs.
fn blame(test: &str, mut job: Range<usize>, how: String) -> String {
    let last = job.end - 1;
    if how.starts_with(HUNG) {
        return how;
    }
    let kills = |from: usize| child(test, from..last + 1, &mut Outcome::default()).is_some();
    if kills(last) {
        return how;
    }
    while job.len() > 2 {
        let middle = job.start + job.len() / 2;
        if !kills(middle) {
            break;
        }
        job.start = middle;
    }
    format!("{how}; not alone, but after {}", job.start)
}

/// Runs some pieces in one child; gives the one that killed it.
fn child(test: &str, job: Range<usize>, outcome: &mut Outcome) -> Option<(usize, String)> {
    let program = std::env::current_exe().expect("the path of this program");
    // Sanitizers reserve more address space than any bound allows.
    let mebibytes = number("SANDTABLE_CAGE_MEMORY", MEMORY);
    let bound = if mebibytes == 0 { String::new() } else { format!("ulimit -v {};", mebibytes * 1024) };
    let mut child = Command::new("sh")
        .args(["-c", &format!("{bound} exec \"$0\" \"$@\"")])
        .arg(program)
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(JOB, format!("{}-{}", job.start, job.end))
        .env("RUST_BACKTRACE", "0")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a child of this program");
    let (tell, hear) = mpsc::channel();
    let lines = BufReader::new(child.stdout.take().expect("its standard output"));
    let reader = std::thread::spawn(move || {
        for line in lines.lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                break;
            }
        }
    });
    let errors = BufReader::new(child.stderr.take().expect("its standard error"));
    let errors = std::thread::spawn(move || {
        let lines: Vec<String> = errors.lines().map_while(Result::ok).take(200).collect();
        lines.into_iter().filter(|line| !line.trim().is_empty()).take(4).collect::<Vec<_>>().join(" / ")
    });
    let (mut at, mut ended, mut began) = (job.start, false, Instant::now());
    let hung = loop {
        let Ok(line) = hear.recv_timeout(patience()) else {
            // Nothing was said: the child is silent, or gone.
            break began.elapsed() >= patience() && !matches!(child.try_wait(), Ok(Some(_)));
        };
        let mut took = |number: usize| {
            let took = began.elapsed();
            if took > outcome.slowest.1 {
                outcome.slowest = (number, took);
            }
        };
        // The harness of tests may have written the beginning of the line.
        let said = line.find('@').map_or("", |at| &line[at..]);
        match said.split_once(' ').unwrap_or((said, "")) {
            ("@begin", number) => (at, began) = (number.parse().unwrap_or(at), Instant::now()),
            ("@step", _) => {
                took(at);
                began = Instant::now();
            }
            ("@end", _) => took(at),
            ("@wrong", rest) => {
                took(at);
                let why = rest.split_once(' ').map_or(rest, |(_, why)| why);
                println!("{at}: {why}");
                outcome.wrong.push((at, why.to_string()));
            }
            ("@peak", mebibytes) => {
                outcome.peak = outcome.peak.max(mebibytes.parse().unwrap_or(0));
                ended = true;
            }
            _ => {}
        }
    };
    if hung {
        // It is a child of ours that will not end by itself; there is nothing to do if it has meanwhile.
        let _ = child.kill();
    }
    let status = child.wait().expect("the end of a child");
    let _ = reader.join();
    let said = errors.join().unwrap_or_default();
    match (hung, ended) {
        (true, _) => Some((at, format!("{HUNG} for more than {} seconds", patience().as_secs()))),
        (false, true) => None,
        (false, false) => Some((at, format!("killed its process: {status}: {said}"))),
    }
}

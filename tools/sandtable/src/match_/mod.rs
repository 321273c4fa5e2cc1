//! `sandtable match`: computer players against each other, the same games with sides exchanged.

mod games;
mod report;

use crate::args::MatchArgs;
use crate::{load, progress};
use games::{Meeting, Played};
use sandtable_player::Level;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the command. False if a game failed.
pub fn run(args: &MatchArgs) -> Result<bool, String> {
    let levels: Vec<Level> = args.players()?;
    let loaded = load::load(&args.game)?;
    // Load once here so that errors of scripts are shown once.
    load::game(&loaded)?;
    let meetings = Meeting::all(levels.len(), args.games, args.seed);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let bar = progress::bar(meetings.len() as u64, "games");
    let work = || -> Result<(), String> {
        let game = load::game(&loaded)?;
        while let Some(meeting) = meetings.get(next.fetch_add(1, Ordering::Relaxed)) {
            let played = games::play(&game, meeting, &levels, args.limit);
            bar.inc(1);
            found.lock().map_err(|_| "a worker died")?.push(played);
        }
        Ok(())
    };
    std::thread::scope(|scope| -> Result<(), String> {
        let workers: Vec<_> = (0..args.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker.join().map_err(|_| "a worker died".to_string())??;
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let mut played: Vec<Played> = found.into_inner().map_err(|_| "a worker died")?;
    played.sort_by_key(|played| played.number);
    let fine = played.iter().all(|played| played.error.is_none());
    report::report(args, &loaded, &levels, &played);
    Ok(fine)
}

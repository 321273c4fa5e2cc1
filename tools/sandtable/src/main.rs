//! The `sandtable` command: a thin layer over the engine that owns all reading of files and all output.

/// Prints a line.
macro_rules! outln {
    () => { crate::out::put("\n") };
    ($($part:tt)*) => { crate::out::put(&(format!($($part)*) + "\n")) };
}

/// Prints a text without a line end.
macro_rules! put {
    ($($part:tt)*) => { crate::out::put(&format!($($part)*)) };
}

mod advise;
mod args;
mod bench;
mod bench_tries;
mod blame;
mod blame_scripts;
mod blame_values;
mod check;
mod coverage;
mod diff;
mod divergence;
mod docs;
mod explain;
mod export;
mod find;
mod keys;
mod load;
mod match_;
mod mutate;
mod new;
mod odds;
mod out;
mod pack;
mod paint;
mod play;
mod play_keep;
mod play_table;
mod play_watch;
mod progress;
mod replay;
mod rerun;
mod screen;
mod seats;
mod serve;
mod sim;
mod sim_cards;
mod store;
mod stubs;
mod stubs_schema;
mod terminal;
mod terminal_look;
mod terminal_map;
mod terminal_names;
mod terminal_why;
mod test;
mod test_review;
mod test_show;
mod test_suite;
mod test_watch;
mod watch;

use args::{Cli, Command};

/// Lists and tables of scripts are many and short-lived; the system's allocator takes twice as long for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let Some(command) = cli.command else {
        args::overview();
        return ExitCode::SUCCESS;
    };
    let done = match command {
        Command::List(list) => load::list(&list),
        Command::Check(check) => check::run(&check),
        Command::Sim(sim) => sim::run(&sim),
        Command::Play(play) => play::run(&play),
        Command::Replay(replay) => replay::run(&replay),
        Command::Rerun(rerun) => rerun::run(&rerun),
        Command::Explain(explain) => explain::run(&explain),
        Command::Advise(advise) => advise::run(&advise),
        Command::Match(meeting) => match_::run(&meeting),
        Command::Export(export) => export::run(&export),
        Command::Bench(bench) => bench::run(&bench),
        Command::Test(test) => test::run(&test),
        Command::Coverage(coverage) => coverage::run(&coverage),
        Command::Mutate(mutate) => mutate::run(&mutate),
        Command::Docs(docs) => docs::run(&docs),
        Command::New(new) => new::run(&new),
        Command::Pack(pack) => pack::pack(&pack),
        Command::Add(add) => pack::add(&add),
        Command::Find(find) => find::run(&find),
        Command::Origin(origin) => find::origin(&origin),
        Command::Diff(diff) => diff::run(&diff),
        Command::Odds(odds) => odds::run(&odds),
        Command::Stubs(stubs) => stubs::run(&stubs),
    };
    if let Some(why) = out::failed() {
        eprintln!("sandtable: the output cannot be written: {why}");
        return ExitCode::from(2);
    }
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("sandtable: {}", out::clean(&error));
            ExitCode::from(2)
        }
    }
}

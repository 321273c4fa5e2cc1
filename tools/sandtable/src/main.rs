//! The `sandtable` command: a thin layer over the engine that owns all reading of files and all output.

/// Prints a line; a reader that has gone away, such as `head`, is no error.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($part)*);
    }};
}

mod args;
mod bench;
mod blame;
mod check;
mod coverage;
mod diff;
mod docs;
mod explain;
mod export;
mod find;
mod keys;
mod load;
mod mutate;
mod new;
mod odds;
mod pack;
mod paint;
mod play;
mod progress;
mod replay;
mod rerun;
mod serve;
mod sim;
mod store;
mod stubs;
mod stubs_schema;
mod terminal;
mod terminal_map;
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
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("sandtable: {error}");
            ExitCode::from(2)
        }
    }
}

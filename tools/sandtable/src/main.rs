//! The `sandtable` command: a thin layer over the engine that owns all reading of files and all output.

mod args;
mod check;
mod coverage;
mod load;
mod mutate;
mod sim;
mod test;

use args::{Cli, Command};
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
        Command::Test(test) => test::run(&test),
        Command::Coverage(coverage) => coverage::run(&coverage),
        Command::Mutate(mutate) => mutate::run(&mutate),
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

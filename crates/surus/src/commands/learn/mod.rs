//! `surus learn`

mod comparisons;
mod data;
mod game_files;
mod import;
mod phase;
pub(super) mod phase_games;
mod progress;
mod provenance;
mod selfplay;
mod spsa;
mod stats_text;
mod tune;

use anyhow::Result;
use clap::Subcommand;

use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Create training data, tune the evaluation, and fit models
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn selfplay --nodes 5000 --games 1000 --out data
  surus learn data stats data
  surus learn tune data/*.packed --out new.toml
  surus learn phase classify game.txt

docs/data.md describes the file format.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Selfplay(selfplay::Args),
    Data(data::Args),
    Comparisons(comparisons::Args),
    Tune(tune::Args),
    Spsa(spsa::Args),
    Phase(phase::Args),
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Selfplay(args) => selfplay::run(args, shutdown),
        Command::Data(args) => data::run(args, shutdown),
        Command::Comparisons(args) => comparisons::run(args, shutdown),
        Command::Tune(args) => tune::run(args),
        Command::Spsa(args) => spsa::run(args, shutdown),
        Command::Phase(args) => phase::run(args, shutdown),
    }
}

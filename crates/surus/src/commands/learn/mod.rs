//! `surus learn`

mod cluster;
mod comparisons;
mod data;
mod features;
mod game_files;
mod import;
mod order;
mod phase;
pub(super) mod phase_games;
mod positions;
mod progress;
mod provenance;
mod relabel;
mod selfplay;
mod spsa;
mod stats_text;
mod train;
mod tune;

use anyhow::Result;
use clap::Subcommand;
pub(crate) use data::expand;

use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Create training data, tune the evaluation, and fit models
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn selfplay --nodes 5000 --games 1000 --out data
  surus learn data stats data
  surus learn train data --out new.net
  surus learn tune data/*.packed --out new.toml
  surus learn positions allgames.txt --min-rating 2000 --out experts.packed
  surus learn order train experts.packed --out experts.order
  surus learn phase classify game.txt

docs/data.md describes the file format.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Selfplay(selfplay::Args),
    Relabel(relabel::Args),
    Data(data::Args),
    Comparisons(comparisons::Args),
    Positions(positions::Args),
    Features(features::Args),
    Order(order::Args),
    Train(train::Args),
    Tune(tune::Args),
    Spsa(spsa::Args),
    Phase(phase::Args),
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Selfplay(args) => selfplay::run(args, shutdown),
        Command::Relabel(args) => relabel::run(args, shutdown),
        Command::Data(args) => data::run(args, shutdown),
        Command::Comparisons(args) => comparisons::run(args, shutdown),
        Command::Positions(args) => positions::run(args, shutdown),
        Command::Features(args) => features::run(args),
        Command::Order(args) => order::run(args, shutdown),
        Command::Train(args) => train::run(args, shutdown),
        Command::Tune(args) => tune::run(args),
        Command::Spsa(args) => spsa::run(args, shutdown),
        Command::Phase(args) => phase::run(args, shutdown),
    }
}

//! `surus learn order`

mod eval;
mod network;
mod rank;
mod spec;
mod train;

use anyhow::Result;
use clap::Subcommand;

use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Train, evaluate and use models that rank turns
///
/// docs/ordering.md describes the features and models.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn order train experts.packed --out experts.order
  surus learn order eval experts.packed --folds 5
  surus learn order rank game.txt --model experts.order --explain")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Train(train::Args),
    Eval(eval::Args),
    Rank(rank::Args),
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Train(args) => train::run(args, shutdown),
        Command::Eval(args) => eval::run(args, shutdown),
        Command::Rank(args) => rank::run(args),
    }
}

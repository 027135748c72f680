//! `surus net`

mod eval;
mod info;
mod inputs;

use anyhow::Result;
use surus_engine::eval::Evaluation;

use crate::CommandStatus;

/// Show what an evaluation network contains and what it says about positions
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus net info new.net
  surus net eval game.txt --weights new.net
  surus net inputs --weights new.net --svg squares.svg

docs/network.md explains the networks; `surus learn train` makes them.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Info(info::Args),
    Eval(eval::Args),
    Inputs(inputs::Args),
}

/// The evaluation to look at.
#[derive(clap::Args)]
struct WeightsArg {
    /// Network or weights file [default: the evaluation that alphabeta uses]
    #[arg(long, value_name = "FILE")]
    weights: Option<String>,
}

impl WeightsArg {
    fn evaluation(&self) -> Result<Evaluation> {
        Ok(Evaluation::named(self.weights.as_deref().unwrap_or_default())?)
    }
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    match &args.command {
        Command::Info(args) => info::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Inputs(args) => inputs::run(args),
    }
}

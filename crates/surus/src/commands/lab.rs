//! `surus lab`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Subcommand;
use surus_lab::{Place, Settings, experiment};

use super::arena::stop_on_interrupt;
use crate::{Outcome, engines};

/// Games of each match in a quick run.
const QUICK: u64 = 2;

/// Run a document's experiments again and write their page
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab mcts --resume
  surus lab mcts --quick --out /tmp/lab --page /tmp/lab")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Mcts(MctsArgs),
}

/// What every experiment takes.
#[derive(clap::Args)]
struct Common {
    /// A few games of each match only, to see that everything works
    #[arg(long)]
    quick: bool,
    /// Go on with the games that are there
    #[arg(long)]
    resume: bool,
    /// The folder for finished games
    #[arg(long, value_name = "DIR", default_value = "target/lab")]
    out: PathBuf,
    /// Only matches of at most so many playouts a turn
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    most: u64,
    /// The folder for the page and its plots
    #[arg(long, value_name = "DIR", default_value = "docs/lab")]
    page: PathBuf,
}

/// The experiments about Monte Carlo tree search: scaling, add-ons, virtual visits, threads, single claims
#[derive(clap::Args)]
struct MctsArgs {
    #[command(flatten)]
    common: Common,
    /// Who plays whom
    #[arg(long, value_name = "FILE", default_value = "docs/lab/mcts.toml")]
    settings: PathBuf,
    /// A file of keys for mcts, read before the keys that the settings give
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    match &args.command {
        Command::Mcts(args) => mcts(args),
    }
}

fn mcts(args: &MctsArgs) -> Result<Outcome> {
    let mut settings = Settings::read(&args.settings)?;
    if args.common.quick {
        settings = settings.shortened(QUICK);
    }
    for side in settings.sides_mut() {
        side.name = engines::configured(&side.name, args.config.as_deref())?;
    }
    let games = args.common.out.join("mcts");
    if games.exists() && !args.common.resume {
        bail!(
            "{} holds games already: go on with them by --resume, or choose another folder",
            games.display()
        );
    }
    let stop = stop_on_interrupt()?;
    let place =
        Place { games: &games, page: &args.common.page, name: "mcts", command: "surus lab mcts --resume" };
    let mut out = io::stdout();
    experiment(&settings, &place, &engines::registry(), &stop, args.common.most, |name, score| {
        // A reader that has gone away is no reason to stop playing.
        let _ = writeln!(out, "{name:<28} {}", score.in_words());
    })?;
    Ok(Outcome::Success)
}

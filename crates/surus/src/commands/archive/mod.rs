//! `surus archive`

mod explore;
mod export;
mod fetch;
mod generate;
mod import;
mod lookup;
mod show;
mod stats;

use anyhow::{Context, Result};
use clap::Subcommand;
use surus_archive::{ArchiveDb, DbLocation};

use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Game database: import, explore, search and export games
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive import allgames2013*.zip --rejects rejects.tsv
  surus archive explore                       show the setups of gold
  surus archive explore game.txt --min-rating 2000
  surus archive import games.txt --db postgres://me@server/arimaa

docs/archive.md explains where to get games and describes the database.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Fetch(fetch::Args),
    Import(import::Args),
    Explore(explore::Args),
    Search(explore::SearchArgs),
    Players(explore::PlayersArgs),
    Game(explore::GameArgs),
    Lookup(lookup::Args),
    Stats(stats::Args),
    Export(export::Args),
    Sample(export::SampleArgs),
    Filter(export::FilterFileArgs),
    Generate(generate::Args),
    Bench(stats::BenchArgs),
}

/// The database to use.
#[derive(clap::Args, Clone)]
pub(crate) struct DbArg {
    /// Database: a file or postgres://user@host/database [default: archive.db in the user data directory]
    #[arg(long, value_name = "PATH|URL")]
    db: Option<String>,
}

impl DbArg {
    pub(crate) fn location(&self) -> Result<DbLocation> {
        match &self.db {
            Some(text) => Ok(DbLocation::parse(text)),
            None => DbLocation::default_location()
                .context("cannot determine the user data directory: use --db PATH"),
        }
    }

    pub(crate) fn open(&self) -> Result<ArchiveDb> {
        Ok(ArchiveDb::open(&self.location()?)?)
    }
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Fetch(args) => fetch::run(args, shutdown),
        Command::Import(args) => import::run(args, shutdown),
        Command::Explore(args) => explore::run(args),
        Command::Search(args) => explore::run_search(args, shutdown),
        Command::Players(args) => explore::run_players(args),
        Command::Game(args) => explore::run_game(args),
        Command::Lookup(args) => lookup::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Export(args) => export::run(args, shutdown),
        Command::Sample(args) => export::run_sample(args, shutdown),
        Command::Filter(args) => export::run_filter(args, shutdown),
        Command::Generate(args) => generate::run(args, shutdown),
        Command::Bench(args) => stats::run_bench(args),
    }
}

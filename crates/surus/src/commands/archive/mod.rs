//! `surus archive`

mod explore;
mod export;
mod import;
mod query;
mod show;
mod stats;
mod synth;

use anyhow::{Context, Result};
use clap::Subcommand;
use surus_archive::{ArchiveDb, DbLocation};

use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Games in a database: import, explore, ask, export
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive import allgames2013*.zip --report aside.tsv
  surus archive explore                       the setups of gold
  surus archive explore game.txt --min-rating 2000
  surus archive import games.txt --store postgres://me@server/arimaa

docs/archive.md tells where games are to be had, and what is in the database.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Import(import::Args),
    Explore(explore::Args),
    Search(explore::SearchArgs),
    Players(explore::PlayersArgs),
    Game(explore::GameArgs),
    Query(query::Args),
    Stats(stats::Args),
    Export(export::Args),
    Sample(export::SampleArgs),
    Filter(export::FilterFileArgs),
    Synth(synth::Args),
    Bench(stats::BenchArgs),
}

/// Which database.
#[derive(clap::Args, Clone)]
pub(crate) struct StoreArg {
    /// A file, or postgres://user@host/database; by default archive.db in the user's data folder
    #[arg(long, value_name = "PLACE")]
    store: Option<String>,
}

impl StoreArg {
    pub(crate) fn place(&self) -> Result<DbLocation> {
        match &self.store {
            Some(text) => Ok(DbLocation::parse(text)),
            None => {
                DbLocation::default_location().context("the system tells no data folder: say --store PLACE")
            }
        }
    }

    pub(crate) fn open(&self) -> Result<ArchiveDb> {
        Ok(ArchiveDb::open(&self.place()?)?)
    }
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Import(args) => import::run(args, shutdown),
        Command::Explore(args) => explore::run(args),
        Command::Search(args) => explore::run_search(args, shutdown),
        Command::Players(args) => explore::run_players(args),
        Command::Game(args) => explore::run_game(args),
        Command::Query(args) => query::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Export(args) => export::run(args, shutdown),
        Command::Sample(args) => export::run_sample(args, shutdown),
        Command::Filter(args) => export::run_filter(args, shutdown),
        Command::Synth(args) => synth::run(args, shutdown),
        Command::Bench(args) => stats::run_bench(args),
    }
}

//! `surus gameroom`

mod account;
mod bot;
mod fake;
mod lists;
mod store;
mod watch;

use anyhow::Result;
use clap::Subcommand;

use crate::CommandStatus;
use crate::shutdown::Shutdown;

/// Play with a bot in the gameroom of arimaa.com
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus gameroom bot --print-config > bot.toml; chmod 600 bot.toml
  surus gameroom bot --config bot.toml
  surus gameroom games --config bot.toml
  surus gameroom fake --port 8080 --opponents --faults

It was tested with an imitation of the server only (`surus gameroom fake`), never with the site. The site uses plain HTTP: the password
is sent unencrypted. docs/gameroom.md explains how to run a bot.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bot(bot::Args),
    Status(lists::StatusArgs),
    Games(lists::GamesArgs),
    Cancel(lists::CancelArgs),
    Watch(watch::Args),
    Fake(fake::Args),
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    match &args.command {
        Command::Bot(args) => bot::run(args, shutdown),
        Command::Status(args) => lists::run_status(args),
        Command::Games(args) => lists::run_games(args),
        Command::Cancel(args) => lists::run_cancel(args),
        Command::Watch(args) => watch::run(args, shutdown),
        Command::Fake(args) => fake::run(args, shutdown),
    }
}

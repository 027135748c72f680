//! `surus play`

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use surus_archive::DbLocation;
use surus_rules::Side;
use surus_server::{Ended, Ready, Settings};

use super::terminal;
use crate::{CommandStatus, engines, input};

/// Play and review games on the board in the browser, or play in the terminal
#[derive(clap::Args, Default)]
#[command(after_help = "\
Examples:
  surus play                        # as surus alone
  surus play --port 9000
  surus play --read-only            # beside a board that is running
  surus play --terminal --engine random --side silver
  surus play --terminal --position diagram.txt")]
pub(crate) struct Args {
    /// The port of the board; 0 for any that is free [default: 8641 or the next free one]
    #[arg(long, value_name = "N", conflicts_with = "terminal")]
    port: Option<u16>,
    /// The address to listen at; with any but 127.0.0.1 others can play and read your games
    #[arg(long, value_name = "IP", conflicts_with = "terminal")]
    host: Option<IpAddr>,
    /// A name that the board may be asked for by, besides addresses and localhost
    #[arg(long, value_name = "NAME", conflicts_with = "terminal")]
    allow_host: Vec<String>,
    /// Where the games are kept [default: the user's folder for data]
    #[arg(long, value_name = "DIR", conflicts_with = "terminal")]
    data: Option<PathBuf>,
    /// The archive of the explorer: a file, or postgres://user@host/database [default: archive.db among your data]
    #[arg(long, value_name = "PLACE", conflicts_with = "terminal")]
    store: Option<String>,
    /// Only look at games: none can be started, played or deleted; works beside another board on the same data
    #[arg(long, conflicts_with = "terminal")]
    read_only: bool,
    /// Open no browser
    #[arg(long, conflicts_with = "terminal")]
    no_open: bool,
    /// In this terminal
    #[arg(long)]
    terminal: bool,
    /// Your opponent: name[:key=value,…]; `surus engine` lists all
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Your side: gold or silver
    #[arg(long, value_parser = parse_side, requires = "terminal")]
    side: Option<Side>,
    /// Seconds that an engine which searches may take for a turn [default: 2]
    #[arg(long, value_name = "S", value_parser = input::seconds, requires = "terminal")]
    time: Option<Duration>,
    /// Begin with the position of a file: a diagram, a compact position or a game record
    #[arg(long, value_name = "FILE", requires = "terminal")]
    position: Option<String>,
}

fn parse_side(text: &str) -> Result<Side, String> {
    match text.to_ascii_lowercase().as_str() {
        "gold" | "g" => Ok(Side::Gold),
        "silver" | "s" => Ok(Side::Silver),
        _ => Err("expected gold or silver".into()),
    }
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    if !args.terminal {
        return board(args);
    }
    let name = args.engine.as_deref().unwrap_or(engines::DEFAULT);
    let engine = engines::registry().make(name)?;
    let time = args.time.unwrap_or(Duration::from_secs(2));
    terminal::play(engine, args.side.unwrap_or(Side::Gold), args.position.as_deref(), time)?;
    Ok(CommandStatus::Success)
}

fn board(args: &Args) -> Result<CommandStatus> {
    let engine = args.engine.clone().unwrap_or_else(|| engines::DEFAULT_OPPONENT.into());
    let data = args.data.clone().or_else(surus_archive::data_folder);
    let archive = match (&args.store, &data) {
        (Some(text), _) => Some(DbLocation::parse(text)),
        (None, data) => data.as_ref().map(|folder| DbLocation::Sqlite(folder.join("archive.db"))),
    };
    // The opponents ask the same archive as the board.
    let registry = engines::registry_with(archive.clone());
    registry.make(&engine)?;
    let settings = Settings {
        host: args.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        port: args.port,
        names: args.allow_host.clone(),
        data: data.context("the system tells no folder for data: name one with --data DIR")?,
        archive,
        engine,
        read_only: args.read_only,
    };
    let ended = surus_server::run(registry, &settings, |ready| {
        greet(ready);
        if !args.no_open && ready.local {
            open(&ready.address);
        }
    })?;
    if let Ended::AlreadyRunning { address } = ended {
        println!("The board is already running at {address}");
        println!("Another one beside it needs its own folder (--data DIR) or --read-only.");
        if !args.no_open {
            open(&address);
        }
    }
    Ok(CommandStatus::Success)
}

fn greet(ready: &Ready) {
    println!("The board is at {}", ready.address);
    println!("Your games are kept in {}", ready.games.display());
    if ready.read_only {
        println!("It is read-only: games cannot be started, changed or deleted.");
    }
    if !ready.local && ready.read_only {
        println!("Everybody who reaches this address can read your games.");
    } else if !ready.local {
        println!("Everybody who reaches this address can play here, and read and delete your games.");
    }
    println!("Ctrl-C ends it.");
}

/// Shows the page where there is a desktop; elsewhere the printed address is enough.
fn open(address: &str) {
    let desktop = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else if desktop {
        Command::new("xdg-open")
    } else {
        return;
    };
    // Who has no browser has read the address.
    let _ = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

//! `surus play`

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use surus_archive::DbLocation;
use surus_rules::Side;
use surus_server::{Listening, ServeOutcome, ServerConfig};

use super::terminal;
use crate::{CommandStatus, engines, input};

/// Play and review games in the browser, or play in the terminal
#[derive(clap::Args, Default)]
#[command(after_help = "\
Examples:
  surus play                                             opens the board (as does `surus` alone)
  surus play --port 9000 --no-browser
  surus play --read-only                                 next to a board that is already running
  surus play --terminal --engine alphabeta:level=3 --side silver
  surus play --terminal --position diagram.txt --time 0.5")]
pub(crate) struct Args {
    /// Port of the board; 0 chooses a free one [default: 8641 or the next free one]
    #[arg(long, value_name = "N", conflicts_with = "terminal")]
    port: Option<u16>,
    /// Address to listen on; any but 127.0.0.1 lets others play, with the token that the board prints
    #[arg(long, value_name = "IP", conflicts_with = "terminal")]
    host: Option<IpAddr>,
    /// Additional Host header value to accept, besides IP addresses and localhost
    #[arg(long, value_name = "NAME", conflicts_with = "terminal")]
    allow_host: Vec<String>,
    /// Directory of the stored games [default: the user data directory]
    #[arg(long, value_name = "DIR", conflicts_with = "terminal")]
    data_dir: Option<PathBuf>,
    /// Game archive for the explorer: a file or postgres://user@host/database [default: archive.db in the data directory]
    #[arg(long, value_name = "PATH|URL", conflicts_with = "terminal")]
    db: Option<String>,
    /// Read-only board: games cannot be started, played or deleted; can run next to another board on the same data
    #[arg(long, conflicts_with = "terminal")]
    read_only: bool,
    /// Do not open a browser
    #[arg(long, conflicts_with = "terminal")]
    no_browser: bool,
    /// Play in this terminal
    #[arg(long)]
    terminal: bool,
    /// Opponent: name[:key=value,…]; `surus engine` lists all [default: alphabeta]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Engine that analyses in review: name[:key=value,…], or cmd='COMMAND LINE' for an AEI engine [default: alphabeta]
    #[arg(long, value_name = "NAME", conflicts_with = "terminal")]
    analysis_engine: Option<String>,
    /// Your side: gold or silver [default: gold]
    #[arg(long, value_parser = parse_side, requires = "terminal")]
    side: Option<Side>,
    /// Seconds per turn for the engine; fractions are allowed [default: 2]
    #[arg(long, value_name = "S", value_parser = input::seconds, requires = "terminal")]
    time: Option<Duration>,
    /// Start from the position of this file: a diagram, a compact position or a game record
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
    let data = args.data_dir.clone().or_else(surus_archive::data_dir);
    let archive = match (&args.db, &data) {
        (Some(text), _) => Some(DbLocation::parse(text)),
        (None, data) => data.as_ref().map(|dir| DbLocation::Sqlite(dir.join("archive.db"))),
    };
    // Opponents query the same archive as the board.
    let registry = engines::registry_with(archive.clone());
    registry.make(&engine)?;
    let analysis_engine = args.analysis_engine.clone().unwrap_or_else(|| engines::DEFAULT.into());
    if !analysis_engine.contains("cmd=") && !analysis_engine.contains("getmove=") {
        registry.make(&analysis_engine)?;
    }
    let config = ServerConfig {
        host: args.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        port: args.port,
        allowed_hosts: args.allow_host.clone(),
        data_dir: data.context("cannot determine the user data directory: use --data-dir DIR")?,
        archive,
        default_engine: engine,
        analysis_engine,
        read_only: args.read_only,
    };
    let outcome = surus_server::run(registry, &config, |listening| {
        greet(listening);
        if !args.no_browser && listening.guest_address.is_none() {
            open(&listening.address);
        }
    })?;
    if let ServeOutcome::AlreadyRunning { address } = outcome {
        println!("The board is already running at {address}");
        println!("A second board requires --data-dir DIR or --read-only.");
        if !args.no_browser {
            open(&address);
        }
    }
    Ok(CommandStatus::Success)
}

fn greet(listening: &Listening) {
    println!("The board is at {}", listening.address);
    println!("Games are stored in {}", listening.games.display());
    if listening.read_only {
        println!("Read-only: games cannot be started, changed or deleted.");
    }
    if let Some(address) = &listening.guest_address {
        println!("Others can open {address}");
        println!(
            "They see the games that they start, and those whose link they know; your address opens all games."
        );
    }
    println!("Press Ctrl-C to stop.");
}

/// Opens the page in a browser if there is a desktop.
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
    // If there is no browser, the printed address remains.
    let _ = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

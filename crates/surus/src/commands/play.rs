//! `surus play`

use std::time::Duration;

use anyhow::Result;
use surus_rules::Side;

use super::terminal;
use crate::{Outcome, engines};

/// Play a game against an engine
#[derive(clap::Args, Default)]
#[command(after_help = "\
Examples:
  surus play --terminal
  surus play --terminal --engine random --side silver
  surus play --terminal --position diagram.txt")]
pub(crate) struct Args {
    /// In this terminal; at present the only place to play, so it may be left out
    #[arg(long)]
    terminal: bool,
    /// Your opponent: name[:key=value,…]; `surus engine` lists all
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Your side: gold or silver
    #[arg(long, value_parser = parse_side)]
    side: Option<Side>,
    /// Seconds that an engine which searches may take for a turn [default: 2]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=3600))]
    time: Option<u64>,
    /// Begin with the position of a file: a diagram, a compact position or a game record
    #[arg(long, value_name = "FILE")]
    position: Option<String>,
}

fn parse_side(text: &str) -> Result<Side, String> {
    match text.to_ascii_lowercase().as_str() {
        "gold" | "g" => Ok(Side::Gold),
        "silver" | "s" => Ok(Side::Silver),
        _ => Err("expected gold or silver".into()),
    }
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let name = args.engine.as_deref().unwrap_or(engines::DEFAULT);
    let engine = engines::registry().make(name)?;
    let time = Duration::from_secs(args.time.unwrap_or(2));
    terminal::play(engine, args.side.unwrap_or(Side::Gold), args.position.as_deref(), time)?;
    Ok(Outcome::Success)
}

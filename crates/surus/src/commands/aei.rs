//! `surus aei`

use std::io;

use anyhow::Result;
use surus_protocol::{Session, SessionEnd, SessionOptions};

use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, input};

/// Run an engine behind the AEI protocol on standard input and output
///
/// A signal has the effect of quit: the exit code is 0, or 130 (143) if a search was running.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus aei
  surus aei --engine random:seed=7
  surus aei --extended --init session.aei

In a controller, such as `roundrobin` of the Python package aei, the engine's command line is `surus aei`.")]
pub(crate) struct Args {
    /// Engine: name[:key=value,…]; `surus engine` lists all
    #[arg(long, value_name = "NAME", default_value = engines::DEFAULT)]
    engine: String,
    /// Configuration file for an engine that reads one, such as mcts
    #[arg(long, value_name = "FILE")]
    config: Option<String>,
    /// Accept the extended messages of [Akimot]: setpositionfile, makemoverec, gonothread, boarddump, …
    #[arg(long)]
    extended: bool,
    /// With --extended: boarddump prints the board without 'log' before each line
    #[arg(long, requires = "extended")]
    plain_boarddump: bool,
    /// File of messages to process before standard input
    #[arg(long, value_name = "FILE")]
    init: Option<String>,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let mut name = args.engine.clone();
    engines::configure([&mut name], args.config.as_deref())?;
    let engine = engines::registry().make(&name)?;
    let init = match &args.init {
        Some(file) => input::read(file)?.lines().map(Into::into).collect(),
        None => Vec::new(),
    };
    let settings = SessionOptions { extended: args.extended, plain_boarddump: args.plain_boarddump, init };
    let session = Session::new(engine, settings, io::BufReader::new(io::stdin()), io::stdout());
    shutdown.on_signal(session.ender());
    match session.run()? {
        SessionEnd::Quit => Ok(CommandStatus::Success),
        SessionEnd::Interrupted { searching } => Ok(shutdown.outcome(!searching)),
        SessionEnd::UnknownMessage => anyhow::bail!("the controller sent an unknown message"),
        SessionEnd::EngineCrashed => anyhow::bail!("the engine failed"),
    }
}

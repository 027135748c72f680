//! `surus guard`: starts an external engine and ensures that it does not outlive its parent.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;

use anyhow::{Context, Result};
use surus_protocol::{Guard, become_engine};

use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines};

/// Start an external engine and kill it, with its descendants, when standard input closes
#[derive(clap::Args)]
#[command(hide = true)]
pub(crate) struct Args {
    /// Become the engine, as the child of this guard
    #[arg(long, value_name = "PID")]
    exec: Option<u32>,
    /// The engine's command line
    #[arg(required = true, last = true)]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let program = args.command[0].to_string_lossy().into_owned();
    if let Some(guard) = args.exec {
        return Err(become_engine(guard, &args.command)).context(program);
    }
    let guard = Guard::default();
    shutdown.on_signal(guard.ender());
    let status = guard.run(&engines::guard(&["guard", "--exec"]), &args.command).context(program)?;
    // Exits as the engine did, so that the parent sees its exit status.
    if let Some(signal) = status.signal() {
        let no_core = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
        let _ = rustix::process::setrlimit(rustix::process::Resource::Core, no_core);
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    std::process::exit(status.code().unwrap_or(2))
}

//! `surus gameroom fake`

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use surus_gameroom::fake::{FakeConfig, Faults, Habits, serve};

use crate::CommandStatus;
use crate::input::ValueError;
use crate::shutdown::Shutdown;

/// Run an imitation of the gameroom on this machine, for tests of bots
///
/// It behaves as is known of the server: requests from elsewhere get 404, captures are part of a turn, polls are held, flags
/// fall, permanent ids come late. With --faults it drops connections, sends empty answers and errors, ignores turns and
/// forgets seats.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus gameroom fake --port 8080 --opponents
  surus gameroom fake --account bot_A:one --account bot_B:two --faults --seed 7")]
pub(super) struct Args {
    /// Port on 127.0.0.1; 0 chooses a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Account of the imitation; repeatable
    #[arg(long, value_name = "NAME:PASSWORD", default_value = "bot_Test:test", value_parser = account)]
    account: Vec<(String, String)>,
    /// Simulated opponents join open games
    #[arg(long)]
    opponents: bool,
    /// Seconds that simulated opponents take for a turn, at most
    #[arg(long, value_name = "S", default_value_t = 20, requires = "opponents")]
    think: u64,
    /// Faults of every kind, by seed
    #[arg(long)]
    faults: bool,
    /// A refused turn loses the game
    #[arg(long)]
    illegal_turn_loses: bool,
    /// Seed of faults and opponents
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Directory with files for `surus archive fetch`
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
}

fn account(text: &str) -> Result<(String, String), ValueError> {
    let (name, password) = text.split_once(':').ok_or(ValueError("NAME:PASSWORD"))?;
    Ok((name.into(), password.into()))
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let stop = shutdown.stop();
    let mut config = FakeConfig::new("");
    config.accounts.clone_from(&args.account);
    config.seed = args.seed;
    config.faults = if args.faults { Faults::all() } else { Faults::default() };
    let think_up_to = Duration::from_secs(args.think);
    let join_within = think_up_to.min(Duration::from_secs(20));
    config.opponents = args.opponents.then(|| Habits { think_up_to, join_within, ..Habits::default() });
    config.illegal_turn_loses = args.illegal_turn_loses;
    for entry in args.files.iter().map(std::fs::read_dir) {
        for file in entry.context("--files")? {
            let path = file.context("--files")?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            config.files.insert(name, std::fs::read(&path).with_context(|| path.display().to_string())?);
        }
    }
    let server = serve(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), args.port), config)?;
    let mut out = io::stdout().lock();
    writeln!(out, "The imitation of the gameroom is at {}", server.gameroom_url())?;
    writeln!(out, "Press Ctrl-C to stop.")?;
    out.flush()?;
    drop(out);
    while !stop.stop_requested() {
        std::thread::sleep(Duration::from_millis(50));
    }
    // Ending it is what a signal is for.
    Ok(CommandStatus::Success)
}

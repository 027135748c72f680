//! `surus lab ordering`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use surus_lab::{OrderingExperiment, ordering};

use super::{Common, check_resume};
use crate::CommandStatus;
use crate::commands::learn::expand;
use crate::shutdown::Shutdown;

/// Learned ordering of turns [Phase]: models, learning curves, training on other games
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus lab ordering --experts experts.packed sharp.packed --selfplay selfplay.packed --resume
  surus lab ordering --experts experts.packed --selfplay selfplay.packed --quick")]
pub(super) struct Args {
    #[command(flatten)]
    common: Common,
    /// Files of `surus learn positions` with games of strong players, or directories of them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    experts: Vec<PathBuf>,
    /// Files of self-play, or directories of them
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    selfplay: Vec<PathBuf>,
    /// Rank one decision in N
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    one_in: u32,
    /// Alternatives to sample for each training decision
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    alternatives: u32,
    /// Passes of the linear methods over the data
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let quick = args.common.quick;
    let folder = args.common.out.join("ordering");
    check_resume(&folder, args.common.resume)?;
    let (experts, selfplay) = (expand(&args.experts)?, expand(&args.selfplay)?);
    let names = |files: &[PathBuf]| {
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.iter().map(name).collect::<Vec<_>>().join(" ")
    };
    let command = format!(
        "surus lab ordering --experts {} --selfplay {} --one-in {} --alternatives {} --epochs {}",
        names(&args.experts),
        names(&args.selfplay),
        args.one_in,
        args.alternatives,
        args.epochs
    );
    let experiment = OrderingExperiment {
        experts: &experts,
        selfplay: &selfplay,
        alternatives: if quick { 10 } else { args.alternatives as usize },
        one_in: if quick { 20 } else { args.one_in as usize },
        curve_games: if quick { 10 } else { 150 },
        curve_runs: if quick { 1 } else { 4 },
        epochs: if quick { 1 } else { args.epochs },
        max_games: if quick { 12 } else { usize::MAX },
        threads: args.threads.into(),
        out: &folder,
        report_dir: &args.common.report_dir,
        command: &command,
    };
    let stop = shutdown.stop();
    let mut out = io::stdout();
    let result = ordering(&experiment, &stop, |part| {
        // A closed pipe does not stop the experiment.
        let _ = writeln!(out, "{part}");
    });
    match result {
        Err(_) if shutdown.requested() => Ok(shutdown.outcome(false)),
        result => Ok(result.map(|()| CommandStatus::Success)?),
    }
}

//! `surus learn data`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use surus_learn::data::{self, InputFiles};

use super::{import, stats_text};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Inspect, check, merge and shuffle files of labelled positions; label existing games
///
/// A directory stands for all its files whose names end in .packed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data stats data
  surus learn data check data/selfplay-1-of-1.packed
  surus learn data merge shard1 shard2 --out merged.packed
  surus learn data shuffle merged.packed --seed 1 --out shuffled.packed
  surus learn data import allgames202602.txt --nodes 5000 --min-rating 1800 --out human.packed")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print statistics: games, results, scores and flags
    Stats(StatsArgs),
    /// Validate checksums, boards, turns, flags, and scores against results; exits with 1 if there are problems
    Check(CheckArgs),
    /// Merge files: every game once, in the order of their IDs
    Merge(MergeArgs),
    /// Shuffle the games of files; the positions of a game stay together
    Shuffle(ShuffleArgs),
    /// Label the positions of existing games: archive files or game records
    Import(import::Args),
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data stats data
  surus learn data stats merged.packed --json")]
struct StatsArgs {
    /// Files of labelled positions, or directories of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Skip corrupt games instead of failing
    #[arg(long)]
    skip_corrupt: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data check merged.packed")]
struct CheckArgs {
    /// Files of labelled positions or comparisons, or directories of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data merge shard1 shard2 --out merged.packed
  surus learn data merge corrupt.packed --skip-corrupt --out recovered.packed")]
struct MergeArgs {
    /// Files of labelled positions, or directories of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to create
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Also merge files of different engines or settings
    #[arg(long)]
    allow_mixed: bool,
    /// Skip corrupt games instead of failing
    #[arg(long)]
    skip_corrupt: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data shuffle merged.packed --seed 1 --out shuffled.packed")]
struct ShuffleArgs {
    /// Files of labelled positions, or directories of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to create
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Approximate memory limit, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Skip corrupt games instead of failing
    #[arg(long)]
    skip_corrupt: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let mut out = io::stdout().lock();
    match &args.command {
        Command::Import(args) => {
            drop(out);
            return import::run(args, shutdown);
        }
        Command::Stats(args) => {
            let stats = data::stats(&open(&args.files, args.skip_corrupt, shutdown)?)?;
            if args.json {
                drop(out);
                output::json(&stats)?;
            } else {
                stats_text::print(&mut out, &stats)?;
            }
        }
        Command::Check(args) => {
            let report = data::check(&expand(&args.files)?, &shutdown.stop())?;
            if args.json {
                drop(out);
                output::json(&report)?;
            } else {
                stats_text::print_check(&mut out, &report)?;
            }
            return Ok(if report.found == 0 { CommandStatus::Success } else { CommandStatus::Failure });
        }
        Command::Merge(args) => {
            let inputs = open(&args.files, args.skip_corrupt, shutdown)?;
            drop(out);
            print_summary(&args.out, &data::merge(&inputs, args.allow_mixed, &args.out)?, args.json)?;
        }
        Command::Shuffle(args) => {
            let inputs = open(&args.files, args.skip_corrupt, shutdown)?;
            drop(out);
            print_summary(
                &args.out,
                &data::shuffle(&inputs, args.seed, args.memory << 20, &args.out)?,
                args.json,
            )?;
        }
    }
    Ok(CommandStatus::Success)
}

/// Prints what was written.
fn print_summary(file: &Path, written: &data::WriteSummary, json: bool) -> Result<()> {
    if json {
        return output::json(written);
    }
    let mut out = io::stdout().lock();
    let data::WriteSummary { games, positions, duplicates, skipped } = *written;
    let file = file.display();
    writeln!(out, "{file}: {games} games, {positions} positions; {duplicates} duplicates skipped")?;
    Ok(stats_text::print_skipped(&mut out, skipped)?)
}

fn open(files: &[PathBuf], skip_corrupt: bool, shutdown: &Shutdown) -> Result<InputFiles> {
    Ok(InputFiles::open(&expand(files)?, shutdown.stop(), skip_corrupt)?)
}

/// The files, with directories replaced by their files in the order of names.
pub(crate) fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = packed_files(path).with_context(|| path.display().to_string())?;
        if found.is_empty() {
            bail!("{}: no file whose name ends in .packed", path.display());
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

fn packed_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "packed") {
            found.push(file);
        }
    }
    Ok(found)
}

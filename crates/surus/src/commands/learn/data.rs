//! `surus learn data`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use surus_learn::data::{self, InputFiles};

use super::{import, stats_text};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Look at, check, join and shuffle files of labelled positions; label real games
///
/// Where files are asked for, a folder stands for all its files whose names end in .packed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data stats data
  surus learn data check data/selfplay-1-of-1.packed
  surus learn data merge part1 part2 --out whole.packed
  surus learn data shuffle whole.packed --seed 1 --out shuffled.packed
  surus learn data import allgames202602.txt --nodes 5000 --min-rating 1800 --out people.packed")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count games, results, scores and flags
    Stats(StatsArgs),
    /// Check checksums, boards, turns, flags, and scores against results; exits with 1 if something is wrong
    Check(CheckArgs),
    /// Join files: every game once, in the order of their numbers
    Merge(MergeArgs),
    /// Put the games of files into an order by chance; the records of a game stay together
    Shuffle(ShuffleArgs),
    /// Label the positions of real games: archives, or files of records
    Import(import::Args),
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data stats data
  surus learn data stats whole.packed --json")]
struct StatsArgs {
    /// Files of labelled positions, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Leave out what is damaged
    #[arg(long)]
    salvage: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data check whole.packed")]
struct CheckArgs {
    /// Files of labelled positions, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data merge part1 part2 --out whole.packed
  surus learn data merge torn.packed --salvage --out saved.packed")]
struct MergeArgs {
    /// Files of labelled positions, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A new file for the whole
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Join files of different engines or settings, too
    #[arg(long)]
    mixed: bool,
    /// Leave out what is damaged
    #[arg(long)]
    salvage: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn data shuffle whole.packed --seed 1 --out shuffled.packed")]
struct ShuffleArgs {
    /// Files of labelled positions, or folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A new file for the shuffled games
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The same games and seed give the same order
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// About how many megabytes of records to hold at a time
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Leave out what is damaged
    #[arg(long)]
    salvage: bool,
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
            let stats = data::stats(&open(&args.files, args.salvage, shutdown)?)?;
            if args.json {
                drop(out);
                output::json(&stats)?;
            } else {
                stats_text::print(&mut out, &stats)?;
            }
        }
        Command::Check(args) => {
            let checked = data::check(&expand(&args.files)?, &shutdown.stop())?;
            if args.json {
                drop(out);
                output::json(&checked)?;
            } else {
                stats_text::print_check(&mut out, &checked)?;
            }
            return Ok(if checked.found == 0 { CommandStatus::Success } else { CommandStatus::Failure });
        }
        Command::Merge(args) => {
            let inputs = open(&args.files, args.salvage, shutdown)?;
            drop(out);
            tell(&args.out, &data::merge(&inputs, args.mixed, &args.out)?, args.json)?;
        }
        Command::Shuffle(args) => {
            let inputs = open(&args.files, args.salvage, shutdown)?;
            drop(out);
            tell(&args.out, &data::shuffle(&inputs, args.seed, args.memory << 20, &args.out)?, args.json)?;
        }
    }
    Ok(CommandStatus::Success)
}

/// What the file holds that was written.
fn tell(file: &Path, written: &data::WriteSummary, json: bool) -> Result<()> {
    if json {
        return output::json(written);
    }
    let mut out = io::stdout().lock();
    let data::WriteSummary { games, positions, duplicates, skipped } = *written;
    let file = file.display();
    writeln!(out, "{file}: {games} games, {positions} positions; {duplicates} games found twice")?;
    Ok(stats_text::print_skipped(&mut out, skipped)?)
}

fn open(files: &[PathBuf], salvage: bool, shutdown: &Shutdown) -> Result<InputFiles> {
    Ok(InputFiles::open(&expand(files)?, shutdown.stop(), salvage)?)
}

/// The files, with those of folders in the order of their names.
pub(super) fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = folder(path).with_context(|| path.display().to_string())?;
        if found.is_empty() {
            bail!("{}: there is no file in it whose name ends in .packed", path.display());
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

fn folder(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "packed") {
            found.push(file);
        }
    }
    Ok(found)
}

//! `surus archive export`, `sample` and `filter`

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use surus_archive::{
    ExportColumn, ExportFormat, GAME_COLUMNS, POSITION_COLUMNS, RowFilter, SampleOptions, export_games,
    export_positions, extract_rows, sample,
};
use surus_rules::Side;

use super::DbArg;
use super::explore::FilterArgs;
use crate::shutdown::{Interruptible, Shutdown};
use crate::{CommandStatus, output};

/// Export all games or all positions as CSV, JSON Lines or Parquet
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive export games --out games.csv
  surus archive export positions --format jsonl --out positions.jsonl
  surus archive export positions --describe     describes the columns")]
pub(super) struct Args {
    /// What to export: games or positions
    #[arg(value_parser = ["games", "positions"])]
    what: String,
    #[command(flatten)]
    db: DbArg,
    /// csv, jsonl, or parquet if built with that feature
    #[arg(long, default_value = "csv")]
    format: ExportFormat,
    /// File to create [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Describe the columns instead of exporting
    #[arg(long)]
    describe: bool,
}

/// Creates the file, or writes to standard output. Returns `None` if interrupted; an incomplete file is removed.
fn write_complete<T>(
    file: Option<&Path>,
    shutdown: &Shutdown,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<Option<T>> {
    let target: Box<dyn Write + Send> = match file {
        Some(file) => {
            Box::new(File::create_new(file).with_context(|| format!("can't create {}", file.display()))?)
        }
        None => Box::new(io::stdout()),
    };
    let mut out = Interruptible::new(BufWriter::new(target), shutdown);
    let written = write(&mut out).and_then(|written| {
        out.flush()?;
        Ok(written)
    });
    drop(out);
    if let (Err(_), Some(file)) = (&written, file) {
        std::fs::remove_file(file).with_context(|| format!("can't remove {}", file.display()))?;
    }
    match written {
        Err(_) if shutdown.requested() => Ok(None),
        written => written.map(Some),
    }
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let games = args.what == "games";
    if args.describe {
        let columns: &[ExportColumn] = if games { &GAME_COLUMNS } else { &POSITION_COLUMNS };
        let mut out = io::stdout().lock();
        for ExportColumn { name, description, .. } in columns {
            writeln!(out, "{name:<14} {description}")?;
        }
        return Ok(CommandStatus::Success);
    }
    let store = args.db.open()?;
    let written = write_complete(args.out.as_deref(), shutdown, |out| {
        let export = if games { export_games } else { export_positions };
        Ok(export(&store, out, args.format)?)
    })?;
    let Some(count) = written else { return Ok(shutdown.outcome(false)) };
    if args.out.is_some() {
        eprintln!("{count} {}", args.what);
    }
    Ok(CommandStatus::Success)
}

/// Sample random positions, for training and test suites
///
/// Prints one compact position per line, in the form that other commands read.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive sample --count 1000 --seed 1 --min-rating 2000 --out positions.txt
  surus archive sample --count 20 --from-turn 20 --side g")]
pub(super) struct SampleArgs {
    #[command(flatten)]
    db: DbArg,
    #[command(flatten)]
    filters: FilterArgs,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// First turn to sample from
    #[arg(long, value_name = "N", default_value_t = 2)]
    from_turn: u32,
    /// Last turn to sample from
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true)]
    to_turn: u32,
    /// Side to move: g or s
    #[arg(long, value_name = "SIDE")]
    side: Option<char>,
    /// File to create [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run_sample(args: &SampleArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let side = match args.side.map(|letter| (letter, Side::from_letter(letter))) {
        Some((letter, None)) => bail!("--side: expected g or s, found '{letter}'"),
        Some((_, side)) => side,
        None => None,
    };
    let store = args.db.open()?;
    let options = SampleOptions {
        count: args.count,
        seed: args.seed,
        from_turn: args.from_turn,
        to_turn: args.to_turn,
        side,
        filters: args.filters.filters(),
    };
    let written = write_complete(args.out.as_deref(), shutdown, |out| {
        for position in sample(&store, &options)? {
            writeln!(out, "{} [{}]", position.id.side().letter(), position.board.compact())?;
        }
        Ok(())
    })?;
    Ok(shutdown.outcome(written.is_some()))
}

/// Extract rows of archive files by player, rating and date
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive filter allgames*.txt --min-rating 2000 --out strong.txt
  surus archive filter allgames2013.zip --player omar --since 2013-01-01 --until 2013-04-01 --out omar.txt")]
pub(super) struct FilterFileArgs {
    /// Files of the official archive; plain, gz or zip
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only games of this player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Minimum rating of both players
    #[arg(long, value_name = "R")]
    min_rating: Option<i64>,
    /// Maximum rating of both players
    #[arg(long, value_name = "R")]
    max_rating: Option<i64>,
    /// Only games started on this date or later, e.g. 2013-01-31
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Only games started before this date
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// File to create [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object with the counts
    #[arg(long, requires = "out")]
    json: bool,
}

pub(super) fn run_filter(args: &FilterFileArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let date = |text: &Option<String>| text.as_deref().map(surus_archive::parse_date).transpose();
    let filter = RowFilter {
        player: args.player.clone(),
        min_rating: args.min_rating,
        max_rating: args.max_rating,
        since: date(&args.since)?,
        until: date(&args.until)?,
    };
    let written = write_complete(args.out.as_deref(), shutdown, |mut out| {
        Ok(extract_rows(&args.files, &filter, &mut out)?)
    })?;
    let Some(summary) = written else { return Ok(shutdown.outcome(false)) };
    if args.json {
        output::json(&summary)?;
    } else {
        eprintln!("{} of {} rows written, {} unreadable", summary.written, summary.read, summary.unreadable);
    }
    Ok(CommandStatus::Success)
}

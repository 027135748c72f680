//! `surus archive export`, `sample` and `filter`

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use surus_archive::{
    ExportFormat, GAME_COLUMNS, KeyColumn, POSITION_COLUMNS, RowFilter, SampleOptions, export_games,
    export_positions, extract_rows, sample,
};
use surus_rules::Side;

use super::StoreArg;
use super::explore::FilterArgs;
use crate::shutdown::{Interruptible, Shutdown};
use crate::{CommandStatus, output};

/// Write all games or all positions for other programs
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive export games --out games.csv
  surus archive export positions --format jsonl --out positions.jsonl
  surus archive export positions --columns      what the columns hold")]
pub(super) struct Args {
    /// games or positions
    #[arg(value_parser = ["games", "positions"])]
    what: String,
    #[command(flatten)]
    store: StoreArg,
    /// csv, jsonl, or parquet where that is built in
    #[arg(long, default_value = "csv")]
    format: ExportFormat,
    /// A new file; standard output if none is named
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only say what the columns hold
    #[arg(long)]
    columns: bool,
}

/// Writes a file that was not there, or to standard output; nothing if a signal came before the end. A file that is not
/// whole is taken away.
fn write_whole<T>(
    file: Option<&Path>,
    shutdown: &Shutdown,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<Option<T>> {
    let target: Box<dyn Write + Send> = match file {
        Some(file) => {
            Box::new(File::create_new(file).with_context(|| format!("can't make {}", file.display()))?)
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
    if args.columns {
        let columns: &[KeyColumn] = if games { &GAME_COLUMNS } else { &POSITION_COLUMNS };
        let mut out = io::stdout().lock();
        for KeyColumn { name, description: about, .. } in columns {
            writeln!(out, "{name:<14} {about}")?;
        }
        return Ok(CommandStatus::Success);
    }
    let store = args.store.open()?;
    let written = write_whole(args.out.as_deref(), shutdown, |out| {
        let export = if games { export_games } else { export_positions };
        Ok(export(&store, out, args.format)?)
    })?;
    let Some(count) = written else { return Ok(shutdown.outcome(false)) };
    if args.out.is_some() {
        eprintln!("{count} {}", args.what);
    }
    Ok(CommandStatus::Success)
}

/// Draw positions by chance, for learning and for suites
///
/// Prints compact positions, one a line: side and board as AEI has them, which other commands read.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive sample --count 1000 --seed 1 --min-rating 2000 --out positions.txt
  surus archive sample --count 20 --from-turn 20 --side g")]
pub(super) struct SampleArgs {
    #[command(flatten)]
    store: StoreArg,
    #[command(flatten)]
    filters: FilterArgs,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// The same seed draws the same positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// From this turn on
    #[arg(long, value_name = "N", default_value_t = 2)]
    from_turn: u32,
    /// Up to this turn
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true)]
    to_turn: u32,
    /// This side is to move, g or s
    #[arg(long, value_name = "SIDE")]
    side: Option<char>,
    /// A new file; standard output if none is named
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run_sample(args: &SampleArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let side = match args.side.map(|letter| (letter, Side::from_letter(letter))) {
        Some((letter, None)) => bail!("--side: expected g or s, found '{letter}'"),
        Some((_, side)) => side,
        None => None,
    };
    let store = args.store.open()?;
    let wanted = SampleOptions {
        count: args.count,
        seed: args.seed,
        from_turn: args.from_turn,
        to_turn: args.to_turn,
        side,
        filters: args.filters.filters(),
    };
    let written = write_whole(args.out.as_deref(), shutdown, |out| {
        for one in sample(&store, &wanted)? {
            writeln!(out, "{} [{}]", one.id.side().letter(), one.board.compact())?;
        }
        Ok(())
    })?;
    Ok(shutdown.outcome(written.is_some()))
}

/// Cut files of the official archive: rows of some players, ratings and dates
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive filter allgames*.txt --min-rating 2000 --out strong.txt
  surus archive filter allgames2013.zip --player omar --from 2013-01-01 --before 2013-04-01 --out omar.txt")]
pub(super) struct FilterFileArgs {
    /// Files of the archive, plain, gz or zip
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// One of the players has this name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Both players rated R or more
    #[arg(long, value_name = "R")]
    min_rating: Option<i64>,
    /// Both players rated R or less
    #[arg(long, value_name = "R")]
    max_rating: Option<i64>,
    /// Begun on this day or later, like 2013-01-31
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// Begun before this day
    #[arg(long, value_name = "DAY")]
    before: Option<String>,
    /// A new file; standard output if none is named
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object with the counts; needs --out
    #[arg(long, requires = "out")]
    json: bool,
}

pub(super) fn run_filter(args: &FilterFileArgs, shutdown: &Shutdown) -> Result<CommandStatus> {
    let day = |text: &Option<String>| text.as_deref().map(surus_archive::parse_date).transpose();
    let wanted = RowFilter {
        player: args.player.clone(),
        min_rating: args.min_rating,
        max_rating: args.max_rating,
        since: day(&args.from)?,
        until: day(&args.before)?,
    };
    let written = write_whole(args.out.as_deref(), shutdown, |mut out| {
        Ok(extract_rows(&args.files, &wanted, &mut out)?)
    })?;
    let Some(kept) = written else { return Ok(shutdown.outcome(false)) };
    if args.json {
        output::json(&kept)?;
    } else {
        eprintln!("{} of {} rows, {} could not be read", kept.written, kept.read, kept.unreadable);
    }
    Ok(CommandStatus::Success)
}

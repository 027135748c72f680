//! `surus archive generate`

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use indicatif::{ProgressBar, ProgressStyle};
use surus_archive::{SyntheticGames, SyntheticSummary};

use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Generate a synthetic archive file for benchmarks
///
/// Setups and first turns come from a small book, the other turns are random. The same seed generates the same games.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive generate --games 265000 --seed 1 --out synthetic.txt
  surus archive generate --games 1000 --out small.txt.gz")]
pub(super) struct Args {
    /// Number of games, of about 60 positions each
    #[arg(long, value_name = "N")]
    games: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// File to create; compressed if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let started = std::time::Instant::now();
    let name = args.out.display();
    let file = BufWriter::new(File::create_new(&args.out).with_context(|| format!("can't create {name}"))?);
    let summary = if args.out.extension().is_some_and(|end| end == "gz") {
        let mut gzip = GzEncoder::new(file, Compression::fast());
        let summary = write(args, shutdown, &mut gzip)?;
        gzip.finish()?.flush()?;
        summary
    } else {
        let mut file = file;
        let summary = write(args, shutdown, &mut file)?;
        file.flush()?;
        summary
    };
    let micros = started.elapsed().as_micros() as f64 / summary.positions.max(1) as f64;
    if args.json {
        output::json(&summary)?;
    } else {
        let SyntheticSummary { games, positions } = summary;
        writeln!(
            io::stdout().lock(),
            "{name}: {games} games, {positions} positions, {micros:.1} µs per position"
        )?;
    }
    Ok(shutdown.outcome(summary.games == args.games))
}

fn write(args: &Args, shutdown: &Shutdown, out: &mut impl Write) -> Result<SyntheticSummary> {
    let stop = shutdown.flag();
    let visible = io::stderr().is_terminal() && !args.json;
    let bar = if visible { ProgressBar::new(args.games) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    let summary = SyntheticGames { games: args.games, seed: args.seed }.write(out, |summary| {
        if summary.games % 1000 == 0 {
            bar.set_position(summary.games);
        }
        !stop.load(Ordering::Relaxed)
    })?;
    bar.finish_and_clear();
    Ok(summary)
}

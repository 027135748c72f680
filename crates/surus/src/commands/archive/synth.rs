//! `surus archive synth`

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

/// Make up an archive of any size, to measure with
///
/// Setups and first turns come out of a small book, the rest are steps by chance. The same seed makes the same games.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive synth --games 265000 --seed 1 --out synth.txt
  surus archive synth --games 1000 --out small.txt.gz")]
pub(super) struct Args {
    /// How many games; they have about 60 positions each
    #[arg(long, value_name = "N")]
    games: u64,
    /// The same seed makes the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A new file, packed if its name ends in .gz
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let began = std::time::Instant::now();
    let name = args.out.display();
    let file = BufWriter::new(File::create_new(&args.out).with_context(|| format!("can't make {name}"))?);
    let made = if args.out.extension().is_some_and(|end| end == "gz") {
        let mut packed = GzEncoder::new(file, Compression::fast());
        let made = write(args, shutdown, &mut packed)?;
        packed.finish()?.flush()?;
        made
    } else {
        let mut file = file;
        let made = write(args, shutdown, &mut file)?;
        file.flush()?;
        made
    };
    let micros = began.elapsed().as_micros() as f64 / made.positions.max(1) as f64;
    if args.json {
        output::json(&made)?;
    } else {
        let SyntheticSummary { games, positions } = made;
        writeln!(
            io::stdout().lock(),
            "{name}: {games} games, {positions} positions, {micros:.1} µs for each"
        )?;
    }
    Ok(shutdown.outcome(made.games == args.games))
}

fn write(args: &Args, shutdown: &Shutdown, out: &mut impl Write) -> Result<SyntheticSummary> {
    let stop = shutdown.flag();
    let visible = io::stderr().is_terminal() && !args.json;
    let bar = if visible { ProgressBar::new(args.games) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    let made = SyntheticGames { games: args.games, seed: args.seed }.write(out, |made| {
        if made.games % 1000 == 0 {
            bar.set_position(made.games);
        }
        !stop.load(Ordering::Relaxed)
    })?;
    bar.finish_and_clear();
    Ok(made)
}

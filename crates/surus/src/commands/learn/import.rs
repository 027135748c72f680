//! `surus learn data import`

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_learn::import::{GameFilter, ImportedGame, SkippedGames, candidates};
use surus_record::packed::{PackedAppender, checksum};

use super::progress::GameProgress;
use super::provenance::{create_engine, provenance};
use crate::input::{self, name_of};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, output};

#[derive(clap::Args)]
#[command(after_help = "\
Reads the official archive, games.txt of a run, or game records separated by blank lines. Games without a winner are
skipped. Every labelled game is saved at once: repeat the command to continue after an interruption.

Examples:
  surus learn data import allgames202602.txt --nodes 5000 --out human.packed
  surus learn data import all.txt --min-rating 1800 --no-timeouts --out human.packed")]
pub(super) struct Args {
    /// Files of games
    #[arg(required = true)]
    files: Vec<String>,
    /// Nodes per turn
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Minimum rating of both players
    #[arg(long, value_name = "R")]
    min_rating: Option<u32>,
    /// Skip games lost on time
    #[arg(long)]
    no_timeouts: bool,
    /// File of labelled positions to create or continue
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of games to label in parallel
    #[arg(long, short, value_name = "C", default_value_t = 1)]
    concurrency: usize,
    /// Engine: name[:key=value,…]
    #[arg(long, value_name = "NAME", default_value = "alphabeta:hash=16")]
    engine: String,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct LabelReport {
    file: String,
    games: u64,
    positions: u64,
    skipped: SkippedGames,
    games_per_second: f64,
    positions_per_second: f64,
    finished: bool,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let filter = GameFilter { rating: args.min_rating, no_timeouts: args.no_timeouts };
    let mut skipped = SkippedGames::default();
    let mut games: Vec<Option<ImportedGame>> = Vec::new();
    let mut settings: BTreeMap<String, String> = BTreeMap::new();
    for (index, file) in args.files.iter().enumerate() {
        let text = input::read(file)?;
        let found = candidates(&text, &filter, &mut skipped).with_context(|| name_of(file).to_string())?;
        if found.is_empty() {
            bail!("{}: no games found", name_of(file));
        }
        games.extend(found);
        // Game IDs count through all files, so the files belong to the settings that identify a game.
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let sum = checksum(text.as_bytes());
        settings.insert(format!("file {}", index + 1), format!("{name}, checksum {sum:08x}"));
    }
    let registry = engines::registry();
    let engine = registry.make(&args.engine)?;
    let provenance = provenance("import", engine.as_ref(), args.nodes, 0, settings)?;
    let file = PackedAppender::open(&args.out, &provenance)?;
    let (known, recorded) = file.counts();
    let selected: Vec<u64> = (1..).zip(&games).filter(|(_, game)| game.is_some()).map(|(id, _)| id).collect();
    let missing = selected.iter().filter(|id| !file.contains(**id)).count() as u64;
    let stop = shutdown.stop();
    let mut bar = GameProgress::new(selected.len() as u64, selected.len() as u64 - missing, args.json);
    let worker = || {
        let mut engine = create_engine(&registry, &args.engine)?;
        let (stop, games, nodes) = (stop.clone(), &games, args.nodes);
        Ok(move |number: u64| {
            let game = games.get(number as usize - 1).and_then(Option::as_ref);
            game.map_or(Ok(None), |game| game.label(number, nodes, engine.as_mut(), &stop))
        })
    };
    surus_learn::run_workers(file, selected.into_iter(), args.concurrency, &stop, worker, |game| {
        bar.game(game);
    })?;
    bar.end();
    let (games_per_second, positions_per_second) = bar.speed();
    let report = LabelReport {
        file: args.out.display().to_string(),
        games: known + bar.games,
        positions: recorded + bar.positions,
        skipped,
        games_per_second,
        positions_per_second,
        finished: bar.games == missing,
    };
    print_report(&report, args.json)?;
    Ok(shutdown.outcome(report.finished))
}

fn print_report(report: &LabelReport, json: bool) -> Result<()> {
    if json {
        return output::json(report);
    }
    let mut out = io::stdout().lock();
    let SkippedGames { illegal, without_winner, rating, time } = report.skipped;
    writeln!(
        out,
        "{}: {} games, {} positions; {:.2} games/s, {:.0} positions/s\n\
         skipped: {illegal} illegal, {without_winner} without a winner, {rating} below the minimum rating, {time} lost on time",
        report.file, report.games, report.positions, report.games_per_second, report.positions_per_second,
    )?;
    if !report.finished {
        writeln!(out, "Interrupted: repeat the command to continue.")?;
    }
    Ok(())
}

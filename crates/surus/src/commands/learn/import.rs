//! `surus learn data import`

use std::io::{self, Write};

use anyhow::{Result, bail};
use serde::Serialize;
use surus_learn::import::{GameFilter, ImportedGame, SkippedGames, candidates};
use surus_record::packed::PackedAppender;

use super::game_files::GameFileArgs;
use super::progress::GameProgress;
use super::provenance::{create_engine, provenance};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, output};

#[derive(clap::Args)]
#[command(after_help = "\
Games without a winner are skipped. Each labelled game is saved at once: repeat the command to
continue after an interruption.

Examples:
  surus learn data import allgames202602.txt --nodes 5000 --out human.packed
  surus learn data import all.txt --min-rating 1800 --no-timeouts --out human.packed")]
pub(super) struct Args {
    /// Nodes per turn
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Skip games lost on time
    #[arg(long)]
    no_timeouts: bool,
    #[command(flatten)]
    games: GameFileArgs,
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
    let filter =
        GameFilter { min_rating: args.games.min_rating, no_timeouts: args.no_timeouts, keep_unrated: false };
    let mut skipped = SkippedGames::default();
    let mut games: Vec<Option<ImportedGame>> = Vec::new();
    let settings = args.games.read(|text| {
        let found = candidates(text, &filter, &mut skipped)?;
        if found.is_empty() {
            bail!("no games found");
        }
        games.extend(found);
        Ok(())
    })?;
    let registry = engines::registry();
    let engine = registry.make(&args.games.engine)?;
    let provenance = provenance("import", engine.as_ref(), args.nodes, 0, settings)?;
    let file = PackedAppender::open(&args.games.out, &provenance)?;
    let (existing, recorded) = file.counts();
    let selected: Vec<u64> = (1..).zip(&games).filter(|(_, game)| game.is_some()).map(|(id, _)| id).collect();
    let missing = selected.iter().filter(|id| !file.contains(**id)).count() as u64;
    let stop = shutdown.stop();
    let mut bar = GameProgress::new(selected.len() as u64, selected.len() as u64 - missing, args.games.json);
    let worker = || {
        let mut engine = create_engine(&registry, &args.games.engine)?;
        let (stop, games, nodes) = (stop.clone(), &games, args.nodes);
        Ok(move |number: u64| {
            let game = games.get(number as usize - 1).and_then(Option::as_ref);
            game.map_or(Ok(None), |game| game.label(number, nodes, engine.as_mut(), &stop))
        })
    };
    surus_learn::run_workers(file, selected.into_iter(), args.games.concurrency, &stop, worker, |game| {
        bar.game(game);
    })?;
    bar.end();
    let (games_per_second, positions_per_second) = bar.speed();
    let report = LabelReport {
        file: args.games.out.display().to_string(),
        games: existing + bar.games,
        positions: recorded + bar.positions,
        skipped,
        games_per_second,
        positions_per_second,
        finished: bar.games == missing,
    };
    print_report(&report, args.games.json)?;
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

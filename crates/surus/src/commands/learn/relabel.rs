//! `surus learn relabel`

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_learn::relabel;
use surus_record::Shard;
use surus_record::packed::{PackedAppender, PackedGame, PackedReader, PackedSample, checksum};

use super::cluster::{data_task, submit_data};
use super::data::expand;
use super::progress::GameProgress;
use super::provenance::{create_engine, provenance};
use crate::commands::cluster::{Plan, SlurmArgs, wait_until_free};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, output};

/// Search the positions of data files again, with another engine or more nodes
///
/// Results stay, scores and best turns are new: older games remain useful when the evaluation improves. Every finished game is
/// saved before the next one starts: repeat the command to continue after an interruption.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn relabel data/gen1 --nodes 2000 --engine alphabeta:weights=new.net --out gen1-new.packed
  surus learn relabel merged.packed --nodes 100000 --engine alphabeta:root_turns=0 --concurrency 2 --out deep.packed
  surus learn relabel merged.packed --shard 1/4 --out deep-1.packed")]
pub(crate) struct Args {
    /// Files of labelled positions, or directories of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Engine: name[:key=value,…]
    #[arg(long, value_name = "NAME", default_value = "alphabeta:hash=16")]
    engine: String,
    /// Relabel only shard I of N; `surus learn data merge` joins the shards
    #[arg(long, value_name = "I/N", default_value = "1/1", conflicts_with_all = ["slurm", "slurm_script"], value_parser = |text: &str| text.parse::<Shard>())]
    shard: Shard,
    /// Number of games to work on in parallel
    #[arg(long, short, value_name = "C", default_value_t = 1)]
    concurrency: usize,
    /// File to create or continue; on a cluster, the directory of the files of all tasks
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    slurm: SlurmArgs,
}

#[derive(Serialize)]
struct RelabelReport {
    file: String,
    games: u64,
    positions: u64,
    positions_per_second: f64,
    finished: bool,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let (games, settings) = read(args)?;
    let registry = engines::registry();
    let engine = registry.make(&args.engine)?;
    let provenance = provenance("relabel", engine.as_ref(), args.nodes, 0, settings)?;
    if args.slurm.submits() {
        std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
        let plan = Plan::new("relabel", games.len() as u64, args.concurrency, provenance.to_map());
        return submit_data(plan, &args.slurm, &args.out, args.json, shutdown);
    }
    let task = data_task(&args.slurm, &args.out, &provenance)?;
    let shard = task.unwrap_or(args.shard);
    let out = match task {
        Some(Shard { index, count }) => args.out.join(format!("relabel-{index}-of-{count}.packed")),
        None => args.out.clone(),
    };
    if task.is_some() {
        wait_until_free(&out)?;
    }
    let file = PackedAppender::open(&out, &provenance)?;
    let (existing, recorded) = file.counts();
    // Games count from 1, `Shard::contains` from 0.
    let selected: Vec<u64> = (1..=games.len() as u64).filter(|id| shard.contains(id - 1)).collect();
    let missing = selected.iter().filter(|id| !file.contains(**id)).count() as u64;
    let stop = shutdown.stop();
    let mut bar = GameProgress::new(selected.len() as u64, selected.len() as u64 - missing, args.json);
    let worker = || {
        let mut engine = create_engine(&registry, &args.engine)?;
        let (stop, games, nodes) = (stop.clone(), &games, args.nodes);
        Ok(move |id: u64| {
            let game = games.get(id as usize - 1);
            game.map_or(Ok(None), |game| relabel(game, id, nodes, engine.as_mut(), &stop))
        })
    };
    surus_learn::run_workers(file, selected.into_iter(), args.concurrency, &stop, worker, |game| {
        bar.game(game);
    })?;
    bar.end();
    let report = RelabelReport {
        file: out.display().to_string(),
        games: existing + bar.games,
        positions: recorded + bar.positions,
        positions_per_second: bar.speed().1,
        finished: bar.games == missing,
    };
    print(&report, args.json)?;
    Ok(shutdown.outcome(report.finished))
}

/// All games in the order of the files, and the settings that identify them.
fn read(args: &Args) -> Result<(Vec<PackedGame>, BTreeMap<String, String>)> {
    let mut games = Vec::new();
    let mut sum = 0;
    for path in expand(&args.files)? {
        for game in PackedReader::open(&path)?.into_games() {
            let game = game?;
            let mut bytes: Vec<u8> = u32::to_le_bytes(sum).into();
            bytes.extend(game.samples.iter().flat_map(PackedSample::as_bytes));
            sum = checksum(&bytes);
            games.push(game);
        }
    }
    if games.is_empty() {
        bail!("no games to relabel");
    }
    let settings = [("positions", format!("{} games, checksum {sum:08x}", games.len()))];
    Ok((games, settings.map(|(name, value)| (name.to_string(), value)).into()))
}

fn print(report: &RelabelReport, json: bool) -> Result<()> {
    if json {
        return output::json(report);
    }
    let RelabelReport { file, games, positions, positions_per_second, .. } = report;
    let mut out = io::stdout().lock();
    writeln!(out, "{file}: {games} games, {positions} positions; {positions_per_second:.0} positions/s")?;
    if !report.finished {
        writeln!(out, "Interrupted: repeat the command to continue.")?;
    }
    Ok(())
}

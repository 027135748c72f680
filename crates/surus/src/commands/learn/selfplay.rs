//! `surus learn selfplay`

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_learn::import::{GameFilter, SkippedGames, candidates};
use surus_learn::selfplay::{SelfPlayConfig, Starts};
use surus_play::ResignRule;
use surus_record::Shard;
use surus_record::packed::PackedAppender;

use super::cluster::{data_task, submit_data};
use super::game_files::read_games;
use super::progress::GameProgress;
use super::provenance::{create_engine, provenance};
use crate::commands::cluster::{Plan, SlurmArgs, wait_until_free};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, output};

/// Generate training data by self-play: every position with its search score and the result of its game
///
/// Games start from book or random setups, followed by a few random turns. The same seed gives the same games, regardless of
/// concurrency and sharding. Every finished game is saved to selfplay-I-of-N.packed before the next one starts: repeat the
/// command to continue after an interruption, or with a larger --games to play more.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn selfplay --nodes 5000 --games 1000 --out data
  surus learn selfplay --nodes 5000 --games 100000 --seed 7 --concurrency 2 --out data
  surus learn selfplay --nodes 5000 --games 100000 --shard 2/8 --out shard2
  surus learn selfplay --games 5000 --starts runs/league/games.txt --starts-percent 40 --out league
  surus learn selfplay --games 5000 --planted-percent 100 --out planted
  surus learn selfplay --games 200000 --slurm --tasks 100 --partition short --out shared/data")]
pub(crate) struct Args {
    /// Nodes per turn
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of games, over all shards
    #[arg(long, value_name = "G", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Play only shard I of N; `surus learn data merge` joins the shards
    #[arg(long, value_name = "I/N", default_value = "1/1", conflicts_with_all = ["slurm", "slurm_script"], value_parser = |text: &str| text.parse::<Shard>())]
    shard: Shard,
    /// Directory of the data file, which is created or continued
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of games to play in parallel
    #[arg(long, short, value_name = "C", default_value_t = 1)]
    concurrency: usize,
    /// Engine: name[:key=value,…]
    #[arg(long, value_name = "NAME", default_value = "alphabeta:hash=16")]
    engine: String,
    /// Percentage of games that start from random setups instead of the book
    #[arg(long, value_name = "P", default_value_t = 25, value_parser = clap::value_parser!(u32).range(0..=100))]
    random_setups: u32,
    /// Maximum number of random turns at the start of a game
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=100))]
    random_turns: u32,
    /// Award the game to a side that is R rabbits ahead for N consecutive turns
    #[arg(long, value_name = "R:N", default_value = "8:5")]
    resign: ResignRule,
    /// Stop a game without a winner after N turns, counting both sides
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(3..=60_000))]
    max_turns: u32,
    /// Files of games from whose positions some games start: the official archive, games.txt of a run, or game records
    #[arg(long, value_name = "FILE", num_args = 1..)]
    starts: Vec<String>,
    /// Percentage of games that start from a position of --starts
    #[arg(long, value_name = "P", default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=100))]
    starts_percent: u32,
    /// Number of turns, counting both sides and setups, that such a start has at least
    #[arg(long, value_name = "N", default_value_t = 12)]
    starts_min_turns: usize,
    /// Percentage of games that start with a planted structure: a hostage, a frame or a blockade
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    planted_percent: u32,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    slurm: SlurmArgs,
}

#[derive(Serialize)]
struct SelfplayReport {
    file: String,
    games: u64,
    positions: u64,
    games_played: u64,
    games_per_second: f64,
    positions_per_second: f64,
    finished: bool,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let (starts, start_files) = starts(args)?;
    let config = SelfPlayConfig {
        seed: args.seed,
        nodes: args.nodes,
        random_setups: args.random_setups,
        random_turns: args.random_turns,
        adjudication: (args.resign.centirabbits, args.resign.turns),
        max_turns: args.max_turns,
        starts: starts.map(Arc::new),
        planted: args.planted_percent,
    };
    let mut settings = config.settings();
    settings.extend(start_files);
    let registry = engines::registry();
    let engine = registry.make(&args.engine)?;
    let provenance = provenance("selfplay", engine.as_ref(), args.nodes, args.seed, settings)?;
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    if args.slurm.submits() {
        let plan = Plan::new("selfplay", args.games, args.concurrency, provenance.to_map());
        return submit_data(plan, &args.slurm, &args.out, args.json, shutdown);
    }
    let task = data_task(&args.slurm, &args.out, &provenance)?;
    let shard = task.unwrap_or(args.shard);
    let Shard { index, count } = shard;
    let path = args.out.join(format!("selfplay-{index}-of-{count}.packed"));
    if task.is_some() {
        wait_until_free(&path)?;
    }
    let file = PackedAppender::open(&path, &provenance)?;
    let (known, recorded) = file.counts();
    // Games count from 1, `Shard::contains` from 0.
    let in_shard = |number: &u64| shard.contains(number - 1);
    let selected = (1..=args.games).filter(in_shard).count() as u64;
    let missing = (1..=args.games).filter(in_shard).filter(|id| !file.contains(*id)).count() as u64;
    let stop = shutdown.stop();
    let mut bar = GameProgress::new(selected, selected - missing, args.json);
    let worker = || {
        let mut engine = create_engine(&registry, &args.engine)?;
        let (stop, config) = (stop.clone(), &config);
        Ok(move |number| config.play(number, engine.as_mut(), &stop))
    };
    let numbers = (1..=args.games).filter(in_shard);
    surus_learn::run_workers(file, numbers, args.concurrency, &stop, worker, |game| bar.game(game))?;
    bar.end();
    let (games_per_second, positions_per_second) = bar.speed();
    let report = SelfplayReport {
        file: path.display().to_string(),
        games: known + bar.games,
        positions: recorded + bar.positions,
        games_played: bar.games,
        games_per_second,
        positions_per_second,
        finished: bar.games == missing,
    };
    print_report(&report, args.json)?;
    Ok(shutdown.outcome(report.finished))
}

/// The games of `--starts`, and the settings that identify their files.
fn starts(args: &Args) -> Result<(Option<Starts>, BTreeMap<String, String>)> {
    if args.starts.is_empty() {
        return Ok((None, BTreeMap::new()));
    }
    let mut games = Vec::new();
    let files = read_games(&args.starts, |text| {
        let found = candidates(text, &GameFilter::default(), &mut SkippedGames::default())?;
        games.extend(found.into_iter().flatten());
        Ok(())
    })?;
    if games.is_empty() {
        bail!("--starts: no legal games with a winner");
    }
    let starts = Starts { games, percent: args.starts_percent, min_turns: args.starts_min_turns.max(2) };
    Ok((Some(starts), files))
}

fn print_report(report: &SelfplayReport, json: bool) -> Result<()> {
    if json {
        return output::json(report);
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}: {} games, {} positions; {} games played in this run, {:.2} games/s, {:.0} positions/s",
        report.file,
        report.games,
        report.positions,
        report.games_played,
        report.games_per_second,
        report.positions_per_second
    )?;
    if !report.finished {
        writeln!(out, "Interrupted: repeat the command to continue.")?;
    }
    Ok(())
}

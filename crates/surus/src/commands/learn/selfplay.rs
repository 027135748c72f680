//! `surus learn selfplay`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;
use surus_learn::selfplay::SelfPlayConfig;
use surus_record::Shard;
use surus_record::packed::PackedAppender;

use super::progress::GameProgress;
use super::provenance::{make, origin};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, input, output};

/// Let the engine play against itself and record every turn: its score, and how the game ended
///
/// Games begin with setups of the book or with any setups, and a few random turns. The same seed gives the same
/// games, whatever the number of threads and parts. Every finished game is in the file selfplay-I-of-N.packed before
/// its thread begins the next: after Ctrl-C or a kill the same command goes on, and with more games it plays more.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn selfplay --nodes 5000 --games 1000 --out data
  surus learn selfplay --nodes 5000 --games 100000 --seed 7 --concurrency 2 --out data
  surus learn selfplay --nodes 5000 --games 100000 --shard 2/8 --out part2")]
pub(crate) struct Args {
    /// Positions to look at for each turn
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many games, all parts together
    #[arg(long, value_name = "G", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Play only part i of n; 'surus learn data merge' joins the parts
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = |text: &str| text.parse::<Shard>())]
    shard: Shard,
    /// The folder for the file; it may have one to go on with
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Games at once
    #[arg(long, short, value_name = "C", default_value_t = 1)]
    concurrency: usize,
    /// The engine with its options
    #[arg(long, value_name = "NAME", default_value = "alphabeta:hash=16")]
    engine: String,
    /// Of a hundred games so many begin with any setups at all
    #[arg(long, value_name = "P", default_value_t = 25, value_parser = clap::value_parser!(u32).range(0..=100))]
    random_setups: u32,
    /// A game begins with 0 to N random turns
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=100))]
    random_turns: u32,
    /// Give a side the game that is R rabbits ahead for N turns in a row
    #[arg(long, value_name = "R:N", default_value = "8:5", value_parser = input::lead)]
    adjudicate: (i32, u32),
    /// Cut a game without a winner after N turns of both sides together
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(3..=60_000))]
    max_turns: u32,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    file: String,
    games: u64,
    positions: u64,
    games_played: u64,
    games_per_second: f64,
    positions_per_second: f64,
    finished: bool,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let conduct = SelfPlayConfig {
        seed: args.seed,
        nodes: args.nodes,
        random_setups: args.random_setups,
        random_turns: args.random_turns,
        adjudication: args.adjudicate,
        max_turns: args.max_turns,
    };
    let registry = engines::registry();
    let engine = registry.make(&args.engine)?;
    let origin = origin("selfplay", engine.as_ref(), args.nodes, args.seed, conduct.settings())?;
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let Shard { index: part, count: of } = args.shard;
    let path = args.out.join(format!("selfplay-{part}-of-{of}.packed"));
    let file = PackedAppender::open(&path, &origin)?;
    let (known, recorded) = file.counts();
    // Games are counted from 1, parts from 0.
    let mine = |number: &u64| args.shard.contains(number - 1);
    let wanted = (1..=args.games).filter(mine).count() as u64;
    let missing = (1..=args.games).filter(mine).filter(|id| !file.contains(*id)).count() as u64;
    let stop = shutdown.stop();
    let mut bar = GameProgress::new(wanted, wanted - missing, args.json);
    let worker = || {
        let mut engine = make(&registry, &args.engine)?;
        let stop = stop.clone();
        Ok(move |number| conduct.play(number, engine.as_mut(), &stop))
    };
    let numbers = (1..=args.games).filter(mine);
    surus_learn::run_workers(file, numbers, args.concurrency, &stop, worker, |game| bar.game(game))?;
    bar.end();
    let (games_per_second, positions_per_second) = bar.speed();
    let report = Report {
        file: path.display().to_string(),
        games: known + bar.games,
        positions: recorded + bar.positions,
        games_played: bar.games,
        games_per_second,
        positions_per_second,
        finished: bar.games == missing,
    };
    tell(&report, args.json)?;
    Ok(shutdown.outcome(report.finished))
}

fn tell(report: &Report, json: bool) -> Result<()> {
    if json {
        return output::json(report);
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}: {} games, {} positions; {} games played now, {:.2} games/s, {:.0} positions/s",
        report.file,
        report.games,
        report.positions,
        report.games_played,
        report.games_per_second,
        report.positions_per_second
    )?;
    if !report.finished {
        writeln!(out, "Not finished: the same command goes on.")?;
    }
    Ok(())
}

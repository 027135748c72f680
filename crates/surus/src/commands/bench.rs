//! `surus bench`

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use surus_play::{Answer, Job, LimitKind, Limits, Revision};
use surus_rules::{Game, Rules};

use crate::{CommandStatus, engines, output};

/// Search fixed positions and print the node count and speed
///
/// The node count identifies the behaviour of `alphabeta`: it is the same on every machine and changes only with the search
/// or evaluation. The file BENCH holds the expected value. With --engine, any engine searches the same positions with a limit in
/// nodes, and a signature of its turns is printed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus bench
  surus bench --depth 9 --json
  surus bench --depth 10 --threads 2
  surus bench --engine mcts:preset=akimot --nodes 20000")]
pub(crate) struct Args {
    /// Engine: name[:key=value,…]; `surus engine` lists all
    #[arg(long, value_name = "NAME", conflicts_with_all = ["depth", "threads"])]
    engine: Option<String>,
    /// Nodes per position for --engine: positions searched, or playouts for mcts
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "engine", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Search depth, in steps
    #[arg(long, value_name = "N", default_value_t = surus_engine::BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Number of search threads; with more than one, the node count is not reproducible
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct BenchReport {
    nodes: u64,
    nps: u64,
    boards_generated: u64,
    boards_distinct: u64,
}

#[derive(Serialize)]
struct EngineBench {
    engine: String,
    nodes: u64,
    nps: u64,
    /// A hash of the turns; equal signatures mean equal turns.
    signature: String,
}

/// Searches the positions of the bench with any engine.
fn bench_engine(args: &Args, name: &str) -> Result<CommandStatus> {
    let mut engine = engines::registry().make(name)?;
    let has_nodes = engine.id().supported_limits.contains(&LimitKind::Nodes);
    let limits = Limits { nodes: has_nodes.then_some(args.nodes), ..Limits::default() };
    let started = Instant::now();
    let (mut nodes, mut turns) = (0, Revision::default());
    for text in surus_engine::BENCH_POSITIONS {
        let game = Game::from_text(text, Rules::Official)?;
        let board = *game.position().board();
        let mut here = 0;
        engine.new_game();
        let answer =
            engine.think(&Job::limited(game, limits), &mut |info| here = info.nodes.unwrap_or(here))?;
        let turn = match answer {
            Answer::Turn(turn) => board.notation(&turn),
            Answer::Setup(setup) => setup.to_string(),
            Answer::Resign => "resigns".into(),
        };
        nodes += here;
        turns = turns.with(&turn);
        if !args.json {
            writeln!(io::stdout(), "{here:>12} {turn}")?;
        }
    }
    let nps = nodes_per_second(nodes, started);
    let signature = turns.to_string();
    if args.json {
        output::json(&EngineBench { engine: engine.id().to_string(), nodes, nps, signature })?;
    } else {
        writeln!(io::stdout(), "Bench of {}: {nodes} nodes {nps} nps, turns {signature}", engine.id())?;
    }
    Ok(CommandStatus::Success)
}

fn nodes_per_second(nodes: u64, started: Instant) -> u64 {
    (u128::from(nodes) * 1000 / started.elapsed().as_millis().max(1)) as u64
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    if let Some(name) = &args.engine {
        return bench_engine(args, name);
    }
    let started = Instant::now();
    let mut printed = Ok(());
    let surus_engine::Bench { nodes, boards_generated, boards_distinct } =
        surus_engine::bench(args.depth, args.threads, |text, here| {
            if !args.json && printed.is_ok() {
                printed = writeln!(io::stdout(), "{here:>12} {text}");
            }
        })?;
    printed?;
    let nps = nodes_per_second(nodes, started);
    if args.json {
        output::json(&BenchReport { nodes, nps, boards_generated, boards_distinct })?;
    } else {
        let hundredths = 100 * boards_generated / boards_distinct.max(1);
        writeln!(
            io::stdout(),
            "{boards_generated} boards generated within turns, {boards_distinct} distinct: {}.{:02} to 1",
            hundredths / 100,
            hundredths % 100
        )?;
        writeln!(io::stdout(), "Bench: {nodes} nodes {nps} nps")?;
    }
    Ok(CommandStatus::Success)
}

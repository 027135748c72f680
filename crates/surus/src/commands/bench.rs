//! `surus bench`

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;

use crate::{CommandStatus, output};

/// Search fixed positions and print the node count and speed
///
/// The node count identifies the behaviour of `alphabeta`: it is the same on every machine and changes only with the search
/// or evaluation. The file BENCH holds the expected value.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus bench
  surus bench --depth 9 --json
  surus bench --depth 10 --threads 2")]
pub(crate) struct Args {
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

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let started = Instant::now();
    let mut printed = Ok(());
    let surus_engine::Bench { nodes, boards_generated, boards_distinct } =
        surus_engine::bench(args.depth, args.threads, |text, here| {
            if !args.json && printed.is_ok() {
                printed = writeln!(io::stdout(), "{here:>12} {text}");
            }
        })?;
    printed?;
    let nps = (u128::from(nodes) * 1000 / started.elapsed().as_millis().max(1)) as u64;
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

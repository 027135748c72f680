//! `surus bench`

use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;

use crate::{CommandStatus, output};

/// Search fixed positions and print how many nodes that took, and how fast
///
/// The number of nodes changes only when the engine's behaviour does: it is the same on every machine and build. The
/// file BENCH holds it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus bench
  surus bench --depth 9 --json
  surus bench --depth 10 --threads 2")]
pub(crate) struct Args {
    /// Steps to look ahead
    #[arg(long, value_name = "N", default_value_t = surus_engine::BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Threads to search with; with more than one the number of nodes says nothing, only the speed does
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    nodes: u64,
    nps: u64,
    boards_made: u64,
    boards_distinct: u64,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let began = Instant::now();
    let mut printed = Ok(());
    let surus_engine::Bench { nodes, boards_made, boards_distinct } =
        surus_engine::bench(args.depth, args.threads, |text, here| {
            if !args.json && printed.is_ok() {
                printed = writeln!(io::stdout(), "{here:>12} {text}");
            }
        })?;
    printed?;
    let nps = (u128::from(nodes) * 1000 / began.elapsed().as_millis().max(1)) as u64;
    if args.json {
        output::json(&Report { nodes, nps, boards_made, boards_distinct })?;
    } else {
        let hundredths = 100 * boards_made / boards_distinct.max(1);
        writeln!(
            io::stdout(),
            "{boards_made} boards made inside of turns, {boards_distinct} distinct: {}.{:02} to 1",
            hundredths / 100,
            hundredths % 100
        )?;
        writeln!(io::stdout(), "Bench: {nodes} nodes {nps} nps")?;
    }
    Ok(CommandStatus::Success)
}

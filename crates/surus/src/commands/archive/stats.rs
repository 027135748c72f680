//! `surus archive stats` and `bench`

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Result;
use surus_archive::{ArchiveStats, LookupOptions, bench, stats};

use super::DbArg;
use crate::{CommandStatus, output};

/// Count games by year, result, termination and length, and list the most common setups
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive stats
  surus archive stats --db matches.db --setups 20 --json")]
pub(super) struct Args {
    #[command(flatten)]
    db: DbArg,
    /// Number of setups to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    setups: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let store = args.db.open()?;
    let found = stats(&store, args.setups)?;
    if args.json {
        output::json(&found)?;
    } else {
        print_text(&found)?;
    }
    Ok(CommandStatus::Success)
}

fn format_counts<K: Display>(counts: &BTreeMap<K, u64>) -> String {
    let one = |(key, count): (&K, &u64)| {
        let key = key.to_string();
        format!("{} {count}", if key.is_empty() { "?" } else { &key })
    };
    counts.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn print_text(found: &ArchiveStats) -> Result<()> {
    let mut out = io::stdout().lock();
    let ArchiveStats { games, positions, bytes, bytes_per_position, distinct_setups, .. } = found;
    writeln!(out, "games         {games}")?;
    writeln!(out, "positions     {positions}")?;
    writeln!(out, "on disk       {:.1} MB, {bytes_per_position} bytes per position", *bytes as f64 / 1e6)?;
    writeln!(out, "years         {}", format_counts(&found.years))?;
    writeln!(out, "results       {}", format_counts(&found.results))?;
    writeln!(out, "terminations  {}", format_counts(&found.terminations))?;
    writeln!(out, "rules         {}", format_counts(&found.rules))?;
    writeln!(out, "lengths       {}", format_counts(&found.lengths))?;
    writeln!(out, "setups        {distinct_setups} distinct setups of gold")?;
    for (rank, line) in found.setups.iter().enumerate() {
        let score = line.score.map_or_else(|| "-".into(), |score| format!("{score:.1} %"));
        let name = line.name.as_ref().map(|name| format!("  ({name})")).unwrap_or_default();
        writeln!(
            out,
            "{:>4} {:>8} {:>6.2} % {score:>8} won  {}{name}",
            rank + 1,
            line.games,
            line.share,
            line.setup
        )?;
    }
    Ok(())
}

/// Measure the query times of mimic's tiers and of the explorer
///
/// Queries positions of stored games; in half of them a random step was played first.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive bench --db synthetic.db
  surus archive bench --queries 200 --seed 5 --json")]
pub(super) struct BenchArgs {
    #[command(flatten)]
    db: DbArg,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 1000)]
    queries: usize,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per kind of query
    #[arg(long)]
    json: bool,
}

pub(super) fn run_bench(args: &BenchArgs) -> Result<CommandStatus> {
    let store = args.db.open()?;
    let timings = bench(&store, args.queries, args.seed, &LookupOptions::default())?;
    if !args.json {
        writeln!(
            io::stdout().lock(),
            "{:<26} {:>7} {:>6} {:>9} {:>9} {:>9}  ms",
            "query",
            "queries",
            "hits",
            "median",
            "99 %",
            "max"
        )?;
    }
    for timing in timings {
        if args.json {
            output::json(&timing)?;
        } else {
            writeln!(
                io::stdout().lock(),
                "{:<26} {:>7} {:>6} {:>9.3} {:>9.3} {:>9.3}",
                timing.query,
                timing.runs,
                timing.hits,
                timing.median,
                timing.p99,
                timing.max
            )?;
        }
    }
    Ok(CommandStatus::Success)
}

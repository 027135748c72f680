//! `surus archive stats` and `bench`

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};

use anyhow::Result;
use surus_archive::{ArchiveStats, LookupOptions, bench, stats};

use super::StoreArg;
use crate::{CommandStatus, output};

/// Games by year, result, termination and length, and the most common setups
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive stats
  surus archive stats --store matches.db --setups 20 --json")]
pub(super) struct Args {
    #[command(flatten)]
    store: StoreArg,
    /// How many setups to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    setups: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let store = args.store.open()?;
    let found = stats(&store, args.setups)?;
    if args.json {
        output::json(&found)?;
    } else {
        tell(&found)?;
    }
    Ok(CommandStatus::Success)
}

fn listed<K: Display>(counts: &BTreeMap<K, u64>) -> String {
    let one = |(key, count): (&K, &u64)| {
        let key = key.to_string();
        format!("{} {count}", if key.is_empty() { "?" } else { &key })
    };
    counts.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn tell(found: &ArchiveStats) -> Result<()> {
    let mut out = io::stdout().lock();
    let ArchiveStats {
        games, positions, bytes, bytes_per_position, distinct_setups: different_setups, ..
    } = found;
    writeln!(out, "games         {games}")?;
    writeln!(out, "positions     {positions}")?;
    writeln!(out, "on disk       {:.1} MB, {bytes_per_position} bytes a position", *bytes as f64 / 1e6)?;
    writeln!(out, "years         {}", listed(&found.years))?;
    writeln!(out, "results       {}", listed(&found.results))?;
    writeln!(out, "terminations  {}", listed(&found.terminations))?;
    writeln!(out, "rules         {}", listed(&found.rules))?;
    writeln!(out, "lengths       {}", listed(&found.lengths))?;
    writeln!(out, "setups        {different_setups} different ones of gold")?;
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

/// How long the questions of the engine and of the explorer take
///
/// Positions of stored games are asked about, half of them after a step that nobody took.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus archive bench --store synth.db
  surus archive bench --questions 200 --seed 5 --json")]
pub(super) struct BenchArgs {
    #[command(flatten)]
    store: StoreArg,
    /// How many positions
    #[arg(long, value_name = "N", default_value_t = 1000)]
    questions: usize,
    /// The same seed asks the same questions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object for each kind of question
    #[arg(long)]
    json: bool,
}

pub(super) fn run_bench(args: &BenchArgs) -> Result<CommandStatus> {
    let store = args.store.open()?;
    let told = bench(&store, args.questions, args.seed, &LookupOptions::default())?;
    if !args.json {
        let names = ["question", "asked", "hits", "median", "99 %", "worst"];
        let [question, asked, hits, median, most, worst] = names;
        writeln!(
            io::stdout().lock(),
            "{question:<26} {asked:>6} {hits:>6} {median:>9} {most:>9} {worst:>9}  ms"
        )?;
    }
    for one in told {
        if args.json {
            output::json(&one)?;
        } else {
            writeln!(
                io::stdout().lock(),
                "{:<26} {:>6} {:>6} {:>9.3} {:>9.3} {:>9.3}",
                one.query,
                one.runs,
                one.hits,
                one.median,
                one.p99,
                one.max
            )?;
        }
    }
    Ok(CommandStatus::Success)
}

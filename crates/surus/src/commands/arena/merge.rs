//! `surus merge`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use crate::{CommandStatus, output};

/// Join the parts of a run that was played with --shard, every game exactly once
///
/// The parts must be of the same run. A game that stands in two of them counts once; games that none of them has are
/// named, and the same command with --out DIR --resume and without --shard plays them. Exits with 1 if games are missing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus merge part1 part2 --out whole

where the parts were made, perhaps on different machines, by
  surus match greedy random --games 100 --shard 1/2 --out part1
  surus match greedy random --games 100 --shard 2/2 --out part2")]
pub(crate) struct Args {
    /// The folders of the parts
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// A new folder for the whole
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct MergeReport {
    games: usize,
    duplicates: usize,
    missing: Vec<u64>,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let merged = surus_arena::merge(&args.parts, &args.out)?;
    let complete = merged.missing.is_empty();
    if args.json {
        let surus_arena::MergeSummary { games, duplicates, missing } = merged;
        output::json(&MergeReport { games, duplicates, missing })?;
    } else {
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "{} games in {}, {} of them found twice",
            merged.games,
            args.out.display(),
            merged.duplicates
        )?;
        if !complete {
            let some: Vec<String> = merged.missing.iter().take(10).map(ToString::to_string).collect();
            let more = if 10 < merged.missing.len() { ", …" } else { "" };
            writeln!(out, "{} games are missing: {}{more}", merged.missing.len(), some.join(", "))?;
        }
    }
    Ok(if complete { CommandStatus::Success } else { CommandStatus::Failure })
}

//! `surus merge`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use crate::{CommandStatus, output};

/// Merge the shards of a run into one run
///
/// All shards must belong to the same run. Duplicate games are written once; missing games are listed, and running the
/// original command with --out DIR --resume but without --shard plays them. Exits with 1 if games are missing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus merge shard1 shard2 --out merged

after these commands, perhaps on different machines:
  surus match greedy random --games 100 --shard 1/2 --out shard1
  surus match greedy random --games 100 --shard 2/2 --out shard2")]
pub(crate) struct Args {
    /// Directories of the shards
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Directory to create for the merged run
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
    let merged = surus_arena::merge(&args.shards, &args.out)?;
    let complete = merged.missing.is_empty();
    if args.json {
        let surus_arena::MergeSummary { games, duplicates, missing } = merged;
        output::json(&MergeReport { games, duplicates, missing })?;
    } else {
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "{} games in {}, {} duplicates skipped",
            merged.games,
            args.out.display(),
            merged.duplicates
        )?;
        if !complete {
            let some: Vec<String> = merged.missing.iter().take(10).map(ToString::to_string).collect();
            let more = if merged.missing.len() > 10 { ", …" } else { "" };
            writeln!(out, "{} games are missing: {}{more}", merged.missing.len(), some.join(", "))?;
        }
    }
    Ok(if complete { CommandStatus::Success } else { CommandStatus::Failure })
}

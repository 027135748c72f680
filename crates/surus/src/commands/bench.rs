//! `surus bench`

use std::io::{self, Write};
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde::Serialize;
use surus_engine::AlphaBeta;
use surus_play::{Engine, Job, Limits};
use surus_rules::{Game, Rules};

use crate::{Outcome, output};

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
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=30))]
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
}

/// From the opening to the last few pieces, quiet and sharp.
const POSITIONS: [&str; 8] = [
    "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
    "g [rrr  rrrc  rrc  heHEm dh                    M H R DC DCRRRR RR R]",
    "s [rr rr    hr  cr   c e  r  d     E       d  M    HDC  CDHRRRRRRRR]",
    "g [rrrrrrrr           hc  e   ME                           RRRRRRRR]",
    "s [rrr  rr R r rc r c    h         R e  dH hE C   RRDRM DC     RR R]",
    "s [                r    rcE          e  m   DC MR         R        ]",
    "g [               r         chemd   CHEMD          R               ]",
    "g [r   r   h  rr      c    Edr       e  r  H D M  rR C  CDH RRRRRRR]",
];

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let began = Instant::now();
    let mut nodes = 0;
    for text in POSITIONS {
        let game = Game::from_text(text, Rules::Official).map_err(|error| anyhow!("{text}: {error}"))?;
        // A fresh engine for each, so that their order does not matter.
        let mut engine = AlphaBeta::default();
        engine.set("hash", "16")?;
        engine.set("threads", &args.threads.to_string())?;
        let job = Job::limited(game, Limits { depth: Some(args.depth), ..Limits::default() });
        let mut here = 0;
        engine.think(&job, &mut |info| here = info.nodes.unwrap_or(here))?;
        if !args.json {
            writeln!(io::stdout(), "{here:>12} {text}")?;
        }
        nodes += here;
    }
    let nps = (u128::from(nodes) * 1000 / began.elapsed().as_millis().max(1)) as u64;
    if args.json {
        output::json(&Report { nodes, nps })?;
    } else {
        writeln!(io::stdout(), "Bench: {nodes} nodes {nps} nps")?;
    }
    Ok(Outcome::Success)
}

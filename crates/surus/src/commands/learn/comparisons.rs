//! `surus learn comparisons`

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_learn::RunError;
use surus_learn::comparison::{ComparisonConfig, DECISIONS_PER_GAME};
use surus_learn::decisions::{Decision, DecisionFilter, decision_sources};
use surus_record::packed::{PackedAppender, checksum};

use super::progress::GameProgress;
use super::provenance::{create_engine, provenance};
use crate::input::{self, name_of};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, output};

/// Compare turns that were played with the engine's own
///
/// For every decision of a game, the engine searches the played turn and its own best turns. The boards at the ends of the
/// principal variations are written to a file for `surus learn tune --comparisons`.
#[derive(clap::Args)]
#[command(after_help = "\
The files are rows of the official archive or of a run of the arena (games.txt), or game records
separated by blank lines. Finished decisions are in the file at once: the same command resumes.

Examples:
  surus learn comparisons games.txt --player bot_sharp --out choices.packed
  surus learn comparisons allgames.txt --min-rating 2000 --depth 8 --out experts.packed")]
pub(super) struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Steps to search
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Give up a decision whose search takes more nodes
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(100..))]
    max_nodes: u64,
    /// Number of the engine's own turns to compare with
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=50))]
    alternatives: u8,
    /// Use only the turns of this player; can be repeated
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    /// Use only games of two players rated R or more
    #[arg(long, value_name = "R")]
    min_rating: Option<u32>,
    /// First turn number to use
    #[arg(long, value_name = "N", default_value_t = 2)]
    first_turn: u32,
    /// Last turn number to use
    #[arg(long, value_name = "N", default_value_t = 60)]
    last_turn: u32,
    /// Output file; an existing one is resumed
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of decisions searched at a time
    #[arg(long, short, value_name = "C", default_value_t = 1)]
    concurrency: usize,
    /// The engine and its options
    #[arg(long, value_name = "NAME", default_value = "alphabeta:hash=16")]
    engine: String,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ComparisonReport {
    file: String,
    decisions: u64,
    turns: u64,
    completed: bool,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let (decisions, settings) = read(args)?;
    if decisions.is_empty() {
        bail!("no decision passes the filters: check --player, --min-rating and the turn numbers");
    }
    let registry = engines::registry();
    let engine = registry.make(&args.engine)?;
    let provenance = provenance("comparison", engine.as_ref(), args.max_nodes, 0, settings)?;
    let file = PackedAppender::open(&args.out, &provenance)?;
    let existing = decisions.keys().filter(|id| file.contains(**id)).count() as u64;
    let (known, turns) = file.counts();
    let stop = shutdown.stop();
    let mut bar = GameProgress::new(decisions.len() as u64, existing, args.json);
    let config = ComparisonConfig {
        depth: args.depth,
        max_nodes: args.max_nodes,
        alternatives: args.alternatives.into(),
    };
    let ids: Vec<u64> = decisions.keys().copied().collect();
    let worker = || {
        let mut engine = create_engine(&registry, &args.engine)?;
        let (stop, decisions) = (stop.clone(), &decisions);
        Ok(move |id: u64| {
            let Some(decision) = decisions.get(&id) else { return Ok(None) };
            engine.new_game();
            let compared = config.compare(id, decision, engine.as_mut(), &stop);
            compared.map_err(|error| RunError::Engine { game: id / DECISIONS_PER_GAME, error })
        })
    };
    surus_learn::run_workers(file, ids.into_iter(), args.concurrency, &stop, worker, |decision| {
        bar.game(decision);
    })?;
    bar.end();
    let report = ComparisonReport {
        file: args.out.display().to_string(),
        decisions: known + bar.games,
        turns: turns + bar.positions,
        completed: !stop.should_stop(),
    };
    print(&report, args.json)?;
    Ok(shutdown.outcome(report.completed))
}

/// The decisions by id, and what identifies the files they come from.
fn read(args: &Args) -> Result<(BTreeMap<u64, Decision>, BTreeMap<String, String>)> {
    let filter = DecisionFilter {
        players: args.players.clone(),
        min_rating: args.min_rating,
        turns: args.first_turn..=args.last_turn,
    };
    let (mut decisions, mut settings) = (BTreeMap::new(), BTreeMap::new());
    let mut games = 0;
    for (index, file) in args.files.iter().enumerate() {
        let text = input::read(file)?;
        let sources = decision_sources(&text, &filter).with_context(|| name_of(file).to_string())?;
        for source in sources {
            games += 1;
            let found = source.map(|source| source.decisions(&filter)).unwrap_or_default();
            decisions.extend((games * DECISIONS_PER_GAME..).zip(found));
        }
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        settings.insert(
            format!("file {}", index + 1),
            format!("{name}, checksum {:08x}", checksum(text.as_bytes())),
        );
    }
    settings.insert("depth".into(), args.depth.to_string());
    settings.insert("alternatives".into(), args.alternatives.to_string());
    settings.insert("players".into(), args.players.join(", "));
    settings.insert("minimum rating".into(), args.min_rating.unwrap_or(0).to_string());
    settings.insert("turns".into(), format!("{} to {}", args.first_turn, args.last_turn));
    Ok((decisions, settings))
}

fn print(report: &ComparisonReport, json: bool) -> Result<()> {
    if json {
        return output::json(report);
    }
    writeln!(io::stdout(), "{}: {} decisions, {} turns", report.file, report.decisions, report.turns)?;
    Ok(())
}

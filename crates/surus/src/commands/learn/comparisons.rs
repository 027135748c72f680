//! `surus learn comparisons`

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::{Result, bail};
use serde::Serialize;
use surus_learn::RunError;
use surus_learn::comparison::{ComparisonConfig, DECISIONS_PER_GAME, PROVENANCE_KIND};
use surus_learn::decisions::{Decision, DecisionFilter, decision_sources};
use surus_record::packed::PackedAppender;

use super::game_files::GameFileArgs;
use super::progress::GameProgress;
use super::provenance::{create_engine, provenance};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, engines, output};

/// Compare turns that were played with the engine's own
///
/// For each decision of a game, the engine searches the played turn and its own best turns. The boards at the ends of the
/// principal variations are written to a file for `surus learn tune --comparisons`. Each decision is saved at once: repeat
/// the command to continue after an interruption.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn comparisons games.txt --player bot_sharp --out choices.packed
  surus learn comparisons allgames.txt --min-rating 2000 --depth 8 --out experts.packed")]
pub(super) struct Args {
    /// Search depth, in steps
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Node limit of a search; a decision is omitted if it is reached
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(100..))]
    max_nodes: u64,
    /// Number of the engine's own turns to compare with
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=50))]
    alternatives: u8,
    /// Use only the turns of this player; can be repeated
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
    /// First turn number to use
    #[arg(long, value_name = "N", default_value_t = 2)]
    first_turn: u32,
    /// Last turn number to use
    #[arg(long, value_name = "N", default_value_t = 60)]
    last_turn: u32,
    #[command(flatten)]
    games: GameFileArgs,
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
    let engine = registry.make(&args.games.engine)?;
    let provenance = provenance(PROVENANCE_KIND, engine.as_ref(), args.max_nodes, 0, settings)?;
    let file = PackedAppender::open(&args.games.out, &provenance)?;
    let existing = decisions.keys().filter(|id| file.contains(**id)).count() as u64;
    let (recorded, turns) = file.counts();
    let stop = shutdown.stop();
    let mut bar = GameProgress::new(decisions.len() as u64, existing, args.games.json);
    let config = ComparisonConfig {
        depth: args.depth,
        max_nodes: args.max_nodes,
        alternatives: args.alternatives.into(),
    };
    let ids: Vec<u64> = decisions.keys().copied().collect();
    let worker = || {
        let mut engine = create_engine(&registry, &args.games.engine)?;
        let (stop, decisions) = (stop.clone(), &decisions);
        Ok(move |id: u64| {
            let Some(decision) = decisions.get(&id) else { return Ok(None) };
            engine.new_game();
            let compared = config.compare(id, decision, engine.as_mut(), &stop);
            compared.map_err(|error| RunError::Engine { game: id / DECISIONS_PER_GAME, error })
        })
    };
    surus_learn::run_workers(file, ids.into_iter(), args.games.concurrency, &stop, worker, |decision| {
        bar.game(decision);
    })?;
    bar.end();
    let report = ComparisonReport {
        file: args.games.out.display().to_string(),
        decisions: recorded + bar.games,
        turns: turns + bar.positions,
        completed: !stop.should_stop(),
    };
    print(&report, args.games.json)?;
    Ok(shutdown.outcome(report.completed))
}

/// The decisions by id, and what identifies the files they come from.
fn read(args: &Args) -> Result<(BTreeMap<u64, Decision>, BTreeMap<String, String>)> {
    let filter = DecisionFilter {
        players: args.players.clone(),
        min_rating: args.games.min_rating,
        turns: args.first_turn..=args.last_turn,
        ..DecisionFilter::default()
    };
    let mut decisions = BTreeMap::new();
    let mut games = 0;
    let mut settings = args.games.read(|text| {
        for source in decision_sources(text, &filter)? {
            games += 1;
            let found = source.map(|source| source.decisions(&filter)).unwrap_or_default();
            decisions.extend((games * DECISIONS_PER_GAME..).zip(found));
        }
        Ok(())
    })?;
    settings.insert("depth".into(), args.depth.to_string());
    settings.insert("alternatives".into(), args.alternatives.to_string());
    settings.insert("players".into(), args.players.join(", "));
    settings.insert("minimum rating".into(), args.games.min_rating.unwrap_or(0).to_string());
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

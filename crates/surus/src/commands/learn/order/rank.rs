//! `surus learn order rank`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_engine::ordering::{FeatureKind, Model, RankedTurn, rank_turns};

use crate::input::PositionArg;
use crate::{CommandStatus, output};

/// Show the turns that a model ranks first, with their probabilities
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn order rank game.txt --model experts.order
  surus learn order rank --aei 'g [r                       h       E                       R       ]' \\
    --model experts.order --count 3 --explain")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArg,
    /// Model file, for turns
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Number of turns to show
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Also show what each feature of a turn adds to the logarithm of the odds
    #[arg(long)]
    explain: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct RankReport {
    turns: usize,
    best: Vec<RankedLine>,
}

#[derive(Serialize)]
struct RankedLine {
    turn: String,
    probability: f32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    features: Vec<(String, f32)>,
}

pub(super) fn run(args: &Args) -> Result<CommandStatus> {
    let model = Model::load(&args.model).with_context(|| args.model.display().to_string())?;
    if model.kind() != FeatureKind::Turn {
        bail!("{}: a model of actions: expected one trained with --features turn", args.model.display());
    }
    let game = args.position.game()?;
    let count = args.count as usize;
    let ranked = rank_turns(&game, &model, if args.explain { count } else { 0 });
    if ranked.is_empty() {
        bail!("the position has no turn to rank: the game is over or expects a setup");
    }
    let layout = model.kind().layout();
    let line = |ranked: &RankedTurn| RankedLine {
        turn: game.position().board().notation(&ranked.turn),
        probability: ranked.probability,
        features: ranked
            .contributions
            .iter()
            .map(|&(feature, value)| (layout.describe(feature.into()), value))
            .collect(),
    };
    let report = RankReport { turns: ranked.len(), best: ranked.iter().take(count).map(line).collect() };
    if args.json {
        output::json(&report)?;
    } else {
        print(&report)?;
    }
    Ok(CommandStatus::Success)
}

fn print(report: &RankReport) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{} turns", report.turns)?;
    for (rank, line) in (1..).zip(&report.best) {
        writeln!(out, "{rank:>3} {:>6.2} %  {}", 100.0 * line.probability, line.turn)?;
        for (feature, value) in &line.features {
            writeln!(out, "      {value:>+7.3}  {feature}")?;
        }
    }
    Ok(())
}

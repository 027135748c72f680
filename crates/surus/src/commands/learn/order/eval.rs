//! `surus learn order eval`

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surus_engine::ordering::Model;
use surus_learn::ordering::{
    ChoiceSet, CrossValidation, Dataset, Estimate, Histogram, ModelSpec, OrderingError, Outcome, Summary,
    cross_validate, evaluate,
};
use surus_play::StopToken;

use super::spec::{DataArgs, SpecArgs};
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Rank all turns of the positions of games, and report where the played ones are
///
/// Without --model, models are trained and tested by cross-validation: the turns of each game are ranked by a model of the
/// other games. Intervals of 95 % are estimated from the differences between games.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn order eval experts.packed --folds 5
  surus learn order eval experts.packed sharp.packed --method naive-bayes --groups published
  surus learn order eval experts.packed --model selfplay.order --json")]
pub(super) struct Args {
    #[command(flatten)]
    data: DataArgs,
    /// Model file to evaluate, trained on other games
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Number of folds of the cross-validation
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=1000), conflicts_with = "model")]
    folds: u16,
    /// Evaluate one decision in N
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    one_in: u32,
    #[command(flatten)]
    spec: SpecArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Turn numbers of a histogram are in this many ranges of ten.
const RANGES: usize = 8;
const PHASES: [&str; 3] = ["15 or 16 pieces", "12 to 14 pieces", "fewer pieces"];

#[derive(Serialize)]
struct EvalReport {
    method: String,
    all: Summary,
    groups: Vec<(String, Summary)>,
    phases: Vec<(&'static str, Summary)>,
    histogram: Histogram,
}

pub(super) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let spec = args.spec.spec()?;
    let dataset = args.data.read()?;
    let model = args
        .model
        .as_ref()
        .map(|path| Model::load(path).with_context(|| path.display().to_string()))
        .transpose()?;
    let stop = shutdown.stop();
    let outcomes = match &model {
        Some(model) => args.data.with_progress("ranking", &stop, args.json, |work| {
            evaluate(&dataset.games, &|_| vec![model], args.one_in as usize, work)
        }),
        None => validate(args, spec, &dataset, &stop),
    };
    let outcomes = match outcomes {
        Err(OrderingError::Stopped) => return Ok(shutdown.outcome(false)),
        outcomes => outcomes?,
    };
    if outcomes.is_empty() {
        bail!("no decision was evaluated: reduce --one-in or add games");
    }
    let method = model.map_or_else(|| args.spec.method.to_string(), |model| model.info().method.clone());
    let report = report(method, &dataset, &outcomes);
    if args.json {
        output::json(&report)?;
    } else {
        print(&report)?;
    }
    Ok(CommandStatus::Success)
}

fn validate(
    args: &Args,
    spec: ModelSpec,
    dataset: &Dataset,
    stop: &StopToken,
) -> Result<Vec<Outcome>, OrderingError> {
    let choices = args.data.with_progress("sampling", stop, args.json, |work| {
        ChoiceSet::sample(spec.kind, &dataset.games, &args.spec.sampling(), work)
    })?;
    let config =
        CrossValidation { folds: args.folds.into(), seed: args.spec.seed, one_in: args.one_in as usize };
    args.data.with_progress("ranking", stop, args.json, |work| {
        cross_validate(&dataset.games, &choices, &[spec], &config, work)
    })
}

fn report(method: String, dataset: &Dataset, outcomes: &[Outcome]) -> EvalReport {
    let summary = |selects: &dyn Fn(&Outcome) -> bool| Summary::of(outcomes, 0, selects);
    EvalReport {
        method,
        all: summary(&|_| true),
        groups: dataset
            .groups
            .iter()
            .enumerate()
            .map(|(group, name)| (name.clone(), summary(&|outcome| outcome.group == group)))
            .collect(),
        phases: PHASES
            .iter()
            .enumerate()
            .map(|(phase, name)| (*name, summary(&|outcome| outcome.phase == phase)))
            .collect(),
        histogram: Histogram::of(outcomes, 0, RANGES),
    }
}

fn print(report: &EvalReport) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}: {:.0} alternatives to choose from on average",
        report.method, report.all.alternatives
    )?;
    writeln!(
        out,
        "{:<18} {:>5} {:>9}  {:>13} {:>12} {:>12} {:>12} {:>12} {:>11} {:>11}",
        "",
        "games",
        "decisions",
        "percentile",
        "top 1 %",
        "top 5 %",
        "top 10 %",
        "top 20 %",
        "rank 1",
        "rank 1-10"
    )?;
    let mut rows = vec![("all".to_string(), &report.all)];
    rows.extend(report.groups.iter().map(|(name, summary)| (name.clone(), summary)));
    rows.extend(report.phases.iter().map(|(name, summary)| ((*name).to_string(), summary)));
    for (name, summary) in rows {
        write!(out, "{name:<18} {:>5} {:>9}  ", summary.games, summary.decisions)?;
        let [one, five, ten, twenty] = summary.top;
        let estimates = [summary.percentile, one, five, ten, twenty, summary.first, summary.first_ten];
        let texts = estimates.map(|Estimate { mean, error }| format!("{mean:>5.2} ± {error:.2}"));
        writeln!(out, "{}", texts.map(|text| format!("{text:>12}")).join(" "))?;
    }
    writeln!(out, "\nshare of played turns in the top 10 % by turn number:")?;
    for (index, (decisions, shares)) in report.histogram.rows.iter().enumerate() {
        let (from, to) = (10 * index + 1, 10 * index + 10);
        writeln!(out, "{from:>4} to {to:<4} {decisions:>7} decisions  {:.2}", shares[9])?;
    }
    Ok(())
}

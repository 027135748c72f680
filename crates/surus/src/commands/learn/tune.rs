//! `surus learn tune`

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surus_engine::eval::Weights;
use surus_learn::tune::{Dataset, FitConfig, PositionFilter, fit};
use surus_record::packed::PackedReader;

use super::data::expand;
use crate::input::ValueError;
use crate::{CommandStatus, output};

/// Tune the evaluation weights on labelled positions
///
/// Minimises the logistic loss against search scores and game results over quiet positions. One game in ten is held out for
/// validation; the weights of the epoch with the lowest validation loss are written to a file for `alphabeta:weights=FILE`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn tune data
  surus learn tune data/*.packed --epochs 40 --result-weight 0.7 --out new.toml --json
  surus match alphabeta:weights=new.toml alphabeta --nodes 10000 --games 400")]
pub(crate) struct Args {
    /// Files of labelled positions, or directories of them
    #[arg(required_unless_present = "comparisons", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Files of `surus learn comparisons`, or directories of them
    #[arg(long, value_name = "FILE", num_args = 1..)]
    comparisons: Vec<PathBuf>,
    /// Weight of the loss of comparisons against that of positions
    #[arg(long, value_name = "P", default_value_t = 1.0, value_parser = positive)]
    comparison_weight: f64,
    /// Difference in millirabbits that makes the better of two turns e times as likely
    #[arg(long, value_name = "N", default_value_t = 500.0, value_parser = positive)]
    temperature: f64,
    /// Number of passes over the training positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Weight of the game result in the target, from 0 to 1; the rest is the search score
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = fraction)]
    result_weight: f64,
    /// Standard deviation of the Gaussian prior on each weight, in millirabbits
    #[arg(long, value_name = "N", default_value_t = 200.0, value_parser = positive)]
    prior_sigma: f64,
    /// Initial learning rate, in millirabbits per step
    #[arg(long, value_name = "N", default_value_t = 5.0, value_parser = positive)]
    learning_rate: f64,
    /// Skip positions with an absolute score above R rabbits
    #[arg(long, value_name = "R", default_value_t = 15, value_parser = clap::value_parser!(i32).range(1..=1000))]
    max_score: i32,
    /// Initial weights [default: the embedded weights]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Weights file to write
    #[arg(long, value_name = "FILE", default_value = "weights.toml")]
    out: PathBuf,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

fn fraction(text: &str) -> Result<f64, ValueError> {
    let fraction = text.parse().ok().filter(|fraction| (0.0..=1.0).contains(fraction));
    fraction.ok_or(ValueError("a number from 0 to 1"))
}

fn positive(text: &str) -> Result<f64, ValueError> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or(ValueError("a number above 0"))
}

#[derive(Serialize)]
struct TuneReport {
    positions: usize,
    held_out: usize,
    skipped: u64,
    scale: f64,
    loss_before: f64,
    loss_after: f64,
    decisions: usize,
    held_out_decisions: usize,
    decision_loss: [f64; 2],
    predicted: [f64; 2],
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let weights = args.from.as_ref().map_or_else(|| Ok(Weights::embedded()), |path| Weights::load(path))?;
    let samples = read(args)?;
    if !args.files.is_empty() && (samples.train.is_empty() || samples.validation.is_empty()) {
        bail!("too few quiet positions: the files must contain enough games for training and validation");
    }
    let decisions = [&samples.decisions, &samples.validation_decisions];
    if !args.comparisons.is_empty() && decisions.iter().any(|decisions| decisions.is_empty()) {
        bail!("too few decisions: the files must contain enough games for training and validation");
    }
    let config = FitConfig {
        epochs: args.epochs,
        result_weight: args.result_weight,
        prior_width: args.prior_sigma,
        learning_rate: args.learning_rate,
        decision_weight: args.comparison_weight,
        temperature: args.temperature,
    };
    let bar = bar(u64::from(args.epochs), "{bar:30} epoch {pos} of {len}, validation loss {msg}", args.json);
    let fit = fit(&samples, &weights, &config, &mut |_, loss| {
        bar.set_message(format!("{loss:.6}"));
        bar.inc(1);
    });
    bar.finish_and_clear();
    fs::write(&args.out, Weights::from_fitted(&fit.weights).to_toml())
        .with_context(|| format!("can't write {}", args.out.display()))?;
    let report = TuneReport {
        positions: samples.train.len(),
        held_out: samples.validation.len(),
        skipped: samples.skipped,
        scale: fit.scale,
        loss_before: fit.before,
        loss_after: fit.after,
        decisions: samples.decisions.len(),
        held_out_decisions: samples.validation_decisions.len(),
        decision_loss: fit.decisions.map(|loss| loss.loss),
        predicted: fit.decisions.map(|loss| loss.first),
    };
    if args.json {
        output::json(&report)?;
        return Ok(CommandStatus::Success);
    }
    let mut out = io::stdout();
    writeln!(
        out,
        "positions   {} for training, {} for validation, {} skipped",
        report.positions, report.held_out, report.skipped
    )?;
    writeln!(out, "scale       {:.0} centirabbits", report.scale)?;
    writeln!(
        out,
        "loss        {:.6} before, {:.6} after (validation)",
        report.loss_before, report.loss_after
    )?;
    if report.decisions > 0 {
        writeln!(
            out,
            "decisions   {} for training, {} for validation: loss {:.4} before, {:.4} after; played turn first in {:.1} %, {:.1} %",
            report.decisions,
            report.held_out_decisions,
            report.decision_loss[0],
            report.decision_loss[1],
            100.0 * report.predicted[0],
            100.0 * report.predicted[1]
        )?;
    }
    writeln!(out, "written to  {0}; play with alphabeta:weights={0}", args.out.display())?;
    Ok(CommandStatus::Success)
}

fn read(args: &Args) -> Result<Dataset> {
    let filter = PositionFilter { max_abs_score: args.max_score * 100, validation_one_in: 10 };
    let files = expand(&args.files)?;
    let bar = bar(files.len() as u64, "{bar:30} file {pos} of {len}", args.json);
    let mut samples = Dataset::default();
    for path in &files {
        for game in PackedReader::open(path)?.into_games() {
            samples.add(&game?, &filter);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    for path in &expand(&args.comparisons)? {
        for decision in PackedReader::open(path)?.into_games() {
            samples.add_decision(&decision?, &filter);
        }
    }
    Ok(samples)
}

fn bar(length: u64, template: &str, quiet: bool) -> ProgressBar {
    let visible = io::stderr().is_terminal() && !quiet;
    let bar = if visible { ProgressBar::new(length) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

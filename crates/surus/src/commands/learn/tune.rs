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

/// Fit the numbers of the evaluation to files of self-play
///
/// Minimises the logistic loss against search scores and results over quiet positions. One game in ten is held out; the
/// weights of the epoch with the lowest loss on those are written to a file, which `alphabeta:weights=FILE` plays with.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn tune data
  surus learn tune data/*.packed --epochs 40 --result-share 0.7 --out new.toml --json
  surus match alphabeta:weights=new.toml alphabeta --nodes 10000 --games 400")]
pub(crate) struct Args {
    /// Files of labelled positions, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Rounds over all positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// How much of the target is the game's result; the rest is the search's score
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = share)]
    result_share: f64,
    /// How far a number goes without much evidence, in thousandths of a rabbit
    #[arg(long, value_name = "N", default_value_t = 200.0, value_parser = positive)]
    freedom: f64,
    /// The first step of a number, in thousandths of a rabbit
    #[arg(long, value_name = "N", default_value_t = 5.0, value_parser = positive)]
    rate: f64,
    /// Leave out positions where somebody is this many rabbits ahead
    #[arg(long, value_name = "R", default_value_t = 15, value_parser = clap::value_parser!(i32).range(1..=1000))]
    highest: i32,
    /// The weights to begin with [default: the embedded ones]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The weights file to write
    #[arg(long, value_name = "FILE", default_value = "weights.toml")]
    out: PathBuf,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

fn share(text: &str) -> Result<f64, ValueError> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or(ValueError("a number from 0 to 1"))
}

fn positive(text: &str) -> Result<f64, ValueError> {
    let number = text.parse().ok().filter(|number: &f64| 0.0 < *number && number.is_finite());
    number.ok_or(ValueError("a number above 0"))
}

#[derive(Serialize)]
struct Report {
    positions: usize,
    held_out: usize,
    left_out: u64,
    scale: f64,
    loss_before: f64,
    loss_after: f64,
}

pub(crate) fn run(args: &Args) -> Result<CommandStatus> {
    let weights = args.from.as_ref().map_or_else(|| Ok(Weights::embedded()), |path| Weights::load(path))?;
    let samples = read(args)?;
    if samples.train.is_empty() || samples.validation.is_empty() {
        bail!("there are too few quiet positions in these files to fit anything and hold some games out");
    }
    let plan = FitConfig {
        epochs: args.epochs,
        result_share: args.result_share,
        prior_width: args.freedom,
        rate: args.rate,
    };
    let bar =
        bar(u64::from(args.epochs), "{bar:30} round {pos} of {len}, loss on held-out games {msg}", args.json);
    let fit = fit(&samples, &weights, &plan, &mut |_, loss| {
        bar.set_message(format!("{loss:.6}"));
        bar.inc(1);
    });
    bar.finish_and_clear();
    fs::write(&args.out, Weights::from_fitted(&fit.weights).to_toml())
        .with_context(|| format!("can't write {}", args.out.display()))?;
    let report = Report {
        positions: samples.train.len(),
        held_out: samples.validation.len(),
        left_out: samples.skipped,
        scale: fit.scale,
        loss_before: fit.before,
        loss_after: fit.after,
    };
    if args.json {
        output::json(&report)?;
        return Ok(CommandStatus::Success);
    }
    let mut out = io::stdout();
    writeln!(
        out,
        "positions   {} to fit, {} of held-out games, {} left out",
        report.positions, report.held_out, report.left_out
    )?;
    writeln!(out, "scale       {:.0} hundredths of a rabbit", report.scale)?;
    writeln!(
        out,
        "loss        {:.6} before, {:.6} after, on held-out games",
        report.loss_before, report.loss_after
    )?;
    writeln!(out, "written to  {0}; play it with alphabeta:weights={0}", args.out.display())?;
    Ok(CommandStatus::Success)
}

fn read(args: &Args) -> Result<Dataset> {
    let filter = PositionFilter { max_abs_score: args.highest * 100, held_out: 10 };
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

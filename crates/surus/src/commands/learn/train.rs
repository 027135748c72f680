//! `surus learn train`

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result};
use serde::Serialize;
use surus_engine::eval;
use surus_engine::eval::network::{BaseInfo, HIDDEN_SIZES};
use surus_learn::network::{
    EpochReport, PositionSettings, TrainingEvent, TrainingSet, TrainingSettings, Validation, train,
    usable_score,
};
use surus_learn::tune::{best_scale, log_loss, logistic};
use surus_record::journal::replace_file;
use surus_record::packed::{PackedGame, PackedReader};

use super::data::expand;
use super::progress::Progress;
use crate::input::ValueError;
use crate::shutdown::Shutdown;
use crate::{CommandStatus, output};

/// Train a network that evaluates boards, on labelled positions
///
/// Minimises the cross-entropy of win probabilities over positions in which nothing is captured and no goal is threatened. One
/// game in twenty is held out for validation. The state is saved after each epoch: repeat the command to continue after an
/// interruption.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  surus learn train data --out new.net
  surus learn train data/selfplay@0.3 data/league@0.9 --hidden 64 --epochs 40 --out new.net
  surus match alphabeta:weights=new.net alphabeta --nodes 10000 --games 400")]
pub(crate) struct Args {
    /// Files of labelled positions, or directories of them, each optionally with its own weight of the result:
    /// PATH@WEIGHT
    #[arg(required = true, value_name = "FILE")]
    sources: Vec<Source>,
    /// Weight of the game result in the target, from 0 to 1; the rest is the search score
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = fraction)]
    result_weight: f64,
    /// Size of the hidden layer
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = hidden_size)]
    hidden: usize,
    /// Number of passes over the training positions
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Positions per step of the optimiser
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = batch_len)]
    batch: usize,
    /// Initial learning rate; it falls to a hundredth of it
    #[arg(long, value_name = "R", default_value_t = 2e-3, value_parser = rate)]
    learning_rate: f32,
    /// Decay of the weights: the fraction that they lose per step, divided by the learning rate
    #[arg(long, value_name = "D", default_value_t = 3.0, value_parser = decay)]
    weight_decay: f32,
    /// Skip positions with an absolute score above R rabbits
    #[arg(long, value_name = "R", default_value_t = 12, value_parser = clap::value_parser!(i32).range(1..=1000))]
    max_score: i32,
    /// Score in centirabbits at which the network predicts e wins per loss; it sets the unit of the scores, to which the
    /// margins of the search are tuned
    #[arg(long, value_name = "CR", default_value_t = 200, value_parser = clap::value_parser!(i32).range(10..=10_000))]
    scale: i32,
    /// Train a correction of the handcrafted evaluation, which counts this percentage of its log odds; 0 for a network that
    /// stands alone
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..=200))]
    base_percent: i32,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Number of threads; the result does not depend on it
    #[arg(long, value_name = "T", default_value_t = 1)]
    threads: usize,
    /// Network to write
    #[arg(long, value_name = "FILE", default_value = "new.net")]
    out: PathBuf,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

/// A path with its own weight of the result.
#[derive(Clone)]
struct Source {
    path: PathBuf,
    result_weight: Option<f64>,
}

impl FromStr for Source {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        match text.rsplit_once('@') {
            Some((path, weight)) if !Path::new(text).exists() => {
                Ok(Self { path: path.into(), result_weight: Some(fraction(weight)?) })
            }
            _ => Ok(Self { path: text.into(), result_weight: None }),
        }
    }
}

fn fraction(text: &str) -> Result<f64, ValueError> {
    let fraction = text.parse().ok().filter(|fraction| (0.0..=1.0).contains(fraction));
    fraction.ok_or(ValueError("a number from 0 to 1"))
}

fn rate(text: &str) -> Result<f32, ValueError> {
    let rate = text.parse().ok().filter(|rate: &f32| *rate > 0.0 && *rate <= 1.0);
    rate.ok_or(ValueError("a number above 0, at most 1"))
}

fn decay(text: &str) -> Result<f32, ValueError> {
    let decay = text.parse().ok().filter(|decay: &f32| (0.0..=100.0).contains(decay));
    decay.ok_or(ValueError("a number from 0 to 100"))
}

fn batch_len(text: &str) -> Result<usize, ValueError> {
    let len = text.parse().ok().filter(|len| (1..=1 << 24).contains(len));
    len.ok_or(ValueError("a number from 1 to 16777216"))
}

pub(super) fn hidden_size(text: &str) -> Result<usize, ValueError> {
    let size = text.parse().ok().filter(|size| HIDDEN_SIZES.contains(size));
    size.ok_or(ValueError("32, 64, 128 or 256"))
}

#[derive(Serialize)]
struct TrainReport {
    positions: usize,
    skipped: u64,
    validation: Vec<SourceReport>,
    finished: bool,
}

/// The held-out positions of a source and the mean cross-entropy of predicting their targets.
#[derive(Serialize)]
struct SourceReport {
    name: String,
    positions: usize,
    /// The score in centirabbits at which the searches predicted e wins per loss.
    scale: f64,
    /// By the handcrafted evaluation.
    handcrafted: f64,
    /// By the network, after the last epoch.
    network: f64,
    /// The lowest possible value, because targets are probabilities.
    minimum: f64,
}

pub(crate) fn run(args: &Args, shutdown: &Shutdown) -> Result<CommandStatus> {
    let (set, scales) = read(args)?;
    let description = args.sources.iter().map(|source| {
        let weight = source.result_weight.unwrap_or(args.result_weight);
        format!("{} with result weight {weight}", source.name())
    });
    let settings = TrainingSettings {
        hidden: args.hidden,
        epochs: args.epochs,
        batch_len: args.batch,
        learning_rate: args.learning_rate,
        weight_decay: args.weight_decay,
        seed: args.seed,
        threads: args.threads,
        scale: 10 * args.scale,
        base: (args.base_percent > 0).then(|| BaseInfo::embedded(args.base_percent)),
        description: format!(
            "{} positions, checksum {:08x}: {}; {} epochs, seed {}",
            set.train.len(),
            set.checksum(),
            description.collect::<Vec<_>>().join(", "),
            args.epochs,
            args.seed
        ),
    };
    let mut checkpoint = args.out.clone().into_os_string();
    checkpoint.push(".checkpoint");
    let checkpoint = PathBuf::from(checkpoint);
    let mut bar = Progress::new("epoch 1", args.json);
    let mut last = None;
    let network = train(&set, &settings, &checkpoint, &shutdown.stop(), &mut |event| match event {
        TrainingEvent::Progress(done, of) => bar.set(done, of),
        TrainingEvent::Epoch(report) => {
            bar.end();
            if !args.json {
                print_epoch(&report, &set);
            }
            bar = Progress::new(&format!("epoch {}", report.epoch + 1), args.json);
            last = Some(report);
        }
    })?;
    bar.end();
    if let Some(network) = &network {
        replace_file(&args.out, &network.to_bytes())
            .with_context(|| format!("can't write {}", args.out.display()))?;
        // The network is complete: the training cannot be continued.
        let _ = fs::remove_file(&checkpoint);
    }
    let losses = last.map_or_else(Vec::new, |report| report.validation_loss);
    let sources = set.validation.iter().zip(scales).zip(losses);
    let sources = sources.map(|((source, scale), network)| source_report(source, network, scale));
    let report = TrainReport {
        positions: set.train.len(),
        skipped: set.skipped,
        validation: sources.collect(),
        finished: network.is_some(),
    };
    print_report(&report, args)?;
    Ok(shutdown.outcome(report.finished))
}

impl Source {
    fn for_each_game(&self, mut on_game: impl FnMut(&PackedGame)) -> Result<()> {
        for path in &expand(std::slice::from_ref(&self.path))? {
            for game in PackedReader::open(path)?.into_games() {
                on_game(&game?);
            }
        }
        Ok(())
    }

    /// The last component of the path, because the others say nothing about the data.
    fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }
}

/// The score in centirabbits at which the searches of a source predicted e wins per loss: an evaluation that knows more is
/// surer of itself with the same numbers.
fn fitted_scale(source: &Source, max_abs_score: i32) -> Result<f64> {
    let mut pairs = Vec::new();
    source.for_each_game(|game| {
        // Every eighth position is more than enough for one number.
        for packed in game.samples.iter().filter(|packed| packed.turn_number() % 8 == 0) {
            if let Some(score) = usable_score(packed, max_abs_score) {
                pairs.push((f64::from(score), f64::from(packed.outcome())));
            }
        }
    })?;
    Ok(best_scale(&pairs))
}

/// The positions, and the scale of each source.
fn read(args: &Args) -> Result<(TrainingSet, Vec<f64>)> {
    let mut set = TrainingSet::default();
    let mut scales = Vec::new();
    let max_abs_score = args.max_score * 100;
    for source in &args.sources {
        let scale = fitted_scale(source, max_abs_score)?;
        let settings = PositionSettings {
            result_weight: source.result_weight.unwrap_or(args.result_weight),
            scale,
            max_abs_score,
            validation_one_in: 20,
            base_percent: args.base_percent,
        };
        scales.push(scale);
        set.begin_source(&source.name());
        source.for_each_game(|game| set.add(game, &settings))?;
    }
    Ok((set, scales))
}

fn print_epoch(report: &EpochReport, set: &TrainingSet) {
    let validation = set.validation.iter().zip(&report.validation_loss);
    let validation: Vec<_> = validation.map(|(source, loss)| format!("{} {loss:.5}", source.name)).collect();
    println!("epoch {:3}: loss {:.5}, validation {}", report.epoch, report.train_loss, validation.join(", "));
}

fn source_report(source: &Validation, network: f64, scale: f64) -> SourceReport {
    let weights = eval::Weights::embedded();
    let targets = source.positions.targets().iter().map(|&target| f64::from(target));
    let scores = source
        .samples
        .iter()
        .map(|sample| f64::from(eval::handcrafted(&weights, &sample.board(), sample.side())) / 10.0);
    let pairs: Vec<(f64, f64)> = scores.zip(targets.clone()).collect();
    let logit = |target: f64| (target / (1.0 - target)).ln().clamp(-20.0, 20.0);
    let minimum: Vec<(f64, f64)> = targets.map(|target| (logit(target), target)).collect();
    debug_assert!(minimum.iter().all(|&(logit, target)| (logistic(logit) - target).abs() < 1e-3));
    SourceReport {
        name: source.name.clone(),
        positions: source.positions.len(),
        scale,
        handcrafted: log_loss(&pairs, scale),
        network,
        minimum: log_loss(&minimum, 1.0),
    }
}

fn print_report(report: &TrainReport, args: &Args) -> Result<()> {
    if args.json {
        return output::json(report);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "positions  {} for training, {} skipped", report.positions, report.skipped)?;
    for source in &report.validation {
        writeln!(
            out,
            "{:10} {} positions held out, scale {:.0}: loss {:.5} (handcrafted evaluation {:.5}, lowest possible {:.5})",
            source.name, source.positions, source.scale, source.network, source.handcrafted, source.minimum
        )?;
    }
    if report.finished {
        writeln!(out, "written to {0}; play with alphabeta:weights={0}", args.out.display())?;
    } else {
        writeln!(out, "Interrupted: repeat the command to continue.")?;
    }
    Ok(())
}

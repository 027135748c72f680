//! Mini-batch training of a network. The result depends on the seed, not on the number of threads.

use std::path::Path;
use std::thread;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use surus_engine::eval::network::{BUCKETS, BaseInfo, HIDDEN_SIZES, INPUT_COUNT, Network, NetworkInfo};
use surus_play::StopToken;

use super::adam_w::AdamW;
use super::checkpoint::{Checkpoint, CheckpointError};
use super::examples::{Examples, mean_loss};
use super::forward::Model;
use super::params::Params;
use super::positions::{Positions, TrainingSet};
use super::turns::TurnChoices;

/// Settings of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingSettings {
    /// The size of the hidden layer, one of [`HIDDEN_SIZES`].
    pub hidden: usize,
    /// Passes over all positions.
    pub epochs: u32,
    /// Positions per step.
    pub batch_len: usize,
    /// The learning rate at the beginning; it falls to a hundredth of it along half a cosine.
    pub learning_rate: f32,
    /// Decoupled weight decay.
    pub weight_decay: f32,
    /// Random seed of the initial weights and the order of positions.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// The score in millirabbits at which the network predicts e wins per loss.
    pub scale: i32,
    /// What the network is trained on, for its file.
    pub description: String,
    /// The evaluation that the network corrects; the positions must have been read with it.
    pub base: Option<BaseInfo>,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            hidden: 64,
            epochs: 30,
            batch_len: 2048,
            learning_rate: 2e-3,
            weight_decay: 3.0,
            seed: 1,
            threads: 1,
            scale: 2000,
            description: String::new(),
            base: None,
        }
    }
}

/// The state after an epoch.
#[derive(Clone, PartialEq, Debug)]
pub struct EpochReport {
    /// The number of finished epochs.
    pub epoch: u32,
    /// The mean loss of the positions during the epoch.
    pub train_loss: f64,
    /// The mean loss of the held-out positions of each source.
    pub validation_loss: Vec<f64>,
}

/// What a training reports.
#[derive(Clone, PartialEq, Debug)]
pub enum TrainingEvent {
    /// This many of all positions of the epoch were used.
    Progress(usize, usize),
    /// An epoch was finished.
    Epoch(EpochReport),
}

/// An error of a training.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// The hidden layer has a size that the engine cannot compute.
    #[error("invalid hidden size {0}: expected one of {HIDDEN_SIZES:?}")]
    HiddenSize(usize),
    /// No positions are left.
    #[error(
        "too few positions: {train} for training and {validation} for validation; add games or accept higher scores"
    )]
    TooFewPositions {
        /// Positions for training.
        train: usize,
        /// Held-out positions.
        validation: usize,
    },
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

/// Trains a network to evaluate positions. The state is saved to `checkpoint` after each epoch, from which a training that was
/// interrupted continues. Returns `None` if stopped.
pub fn train(
    set: &TrainingSet,
    settings: &TrainingSettings,
    checkpoint: &Path,
    stop: &StopToken,
    report: &mut dyn FnMut(TrainingEvent),
) -> Result<Option<Network>, TrainingError> {
    let validation: Vec<&Positions> = set.validation.iter().map(|source| &source.positions).collect();
    train_examples(&set.train, &validation, settings, checkpoint, stop, report)
}

/// Trains a network to choose turns, in the same way.
pub fn train_choices(
    train: &TurnChoices,
    validation: &TurnChoices,
    settings: &TrainingSettings,
    checkpoint: &Path,
    stop: &StopToken,
    report: &mut dyn FnMut(TrainingEvent),
) -> Result<Option<Network>, TrainingError> {
    train_examples(train, &[validation], settings, checkpoint, stop, report)
}

/// Fits a network to `examples`; reports the losses of `validation`.
fn train_examples<S: Examples>(
    examples: &S,
    validation: &[&S],
    settings: &TrainingSettings,
    checkpoint: &Path,
    stop: &StopToken,
    report: &mut dyn FnMut(TrainingEvent),
) -> Result<Option<Network>, TrainingError> {
    let held_out = validation.iter().map(|source| source.len()).sum();
    if examples.is_empty() || held_out == 0 {
        return Err(TrainingError::TooFewPositions { train: examples.len(), validation: held_out });
    }
    match settings.hidden {
        32 => Trainer::<S, 32>::new(examples, validation, settings).run(checkpoint, stop, report),
        64 => Trainer::<S, 64>::new(examples, validation, settings).run(checkpoint, stop, report),
        128 => Trainer::<S, 128>::new(examples, validation, settings).run(checkpoint, stop, report),
        256 => Trainer::<S, 256>::new(examples, validation, settings).run(checkpoint, stop, report),
        other => Err(TrainingError::HiddenSize(other)),
    }
}

/// Batches are cut into this many parts, whose derivatives are added up in their order, so that rounding errors do not
/// depend on the number of threads.
const PARTS: usize = 4;

struct Trainer<'a, S, const H: usize> {
    examples: &'a S,
    validation: &'a [&'a S],
    settings: &'a TrainingSettings,
    params: Params<H>,
    optimiser: AdamW<H>,
    epoch: u32,
}

impl<'a, S: Examples, const H: usize> Trainer<'a, S, H> {
    fn new(examples: &'a S, validation: &'a [&'a S], settings: &'a TrainingSettings) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(settings.seed);
        let params = Params::random(|| rng.random_range(-1.0..1.0));
        Self {
            examples,
            validation,
            settings,
            params,
            optimiser: AdamW::new(settings.weight_decay),
            epoch: 0,
        }
    }

    fn run(
        mut self,
        checkpoint: &Path,
        stop: &StopToken,
        report: &mut dyn FnMut(TrainingEvent),
    ) -> Result<Option<Network>, TrainingError> {
        let identity = self.identity();
        if let Some(saved) = Checkpoint::load(checkpoint, &identity)? {
            self.restore(saved);
        }
        while self.epoch < self.settings.epochs {
            let Some(train_loss) = self.run_epoch(stop, report) else { return Ok(None) };
            self.epoch += 1;
            self.checkpoint().save(checkpoint, &identity)?;
            let model = Model::new(&self.params);
            let validation_loss = self.validation.iter().map(|&source| mean_loss(source, &model)).collect();
            report(TrainingEvent::Epoch(EpochReport { epoch: self.epoch, train_loss, validation_loss }));
        }
        let info = NetworkInfo {
            inputs: INPUT_COUNT,
            hidden: H,
            buckets: BUCKETS,
            scale: self.settings.scale,
            training: self.settings.description.clone(),
            base: self.settings.base.clone(),
        };
        Ok(Some(self.params.quantised(info)))
    }

    /// What must be the same to continue.
    fn identity(&self) -> String {
        let TrainingSettings { epochs, batch_len, learning_rate, weight_decay, seed, scale, .. } =
            self.settings;
        format!(
            "hidden {H}, epochs {epochs}, batch {batch_len}, rate {learning_rate}, decay {weight_decay}, seed {seed}, scale \
             {scale}, {} positions, checksum {:08x}",
            self.examples.len(),
            self.examples.checksum()
        )
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            epoch: self.epoch,
            steps: self.optimiser.steps,
            numbers: [&self.params, &self.optimiser.mean, &self.optimiser.variance]
                .map(|params| params.0.clone()),
        }
    }

    fn restore(&mut self, saved: Checkpoint) {
        let [params, mean, variance] = saved.numbers;
        if [&params, &mean, &variance].iter().all(|numbers| numbers.len() == Params::<H>::LEN) {
            self.params = Params(params);
            self.optimiser.mean = Params(mean);
            self.optimiser.variance = Params(variance);
            (self.epoch, self.optimiser.steps) = (saved.epoch, saved.steps);
        }
    }

    /// Passes over all positions; returns their mean loss, or `None` if stopped.
    fn run_epoch(&mut self, stop: &StopToken, report: &mut dyn FnMut(TrainingEvent)) -> Option<f64> {
        let mut order: Vec<u32> = (0..self.examples.len() as u32).collect();
        let seed = self.settings.seed.wrapping_add(u64::from(self.epoch) + 1);
        order.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
        let batches = order.len().div_ceil(self.settings.batch_len);
        let mut loss = 0.0;
        let mut done = 0;
        for (index, batch) in order.chunks(self.settings.batch_len).enumerate() {
            if stop.should_stop() {
                return None;
            }
            let (mut gradient, batch_loss) = self.gradient(batch);
            let scale = 1.0 / batch.len() as f32;
            gradient.0.iter_mut().for_each(|slope| *slope *= scale);
            gradient.add_base_gradient();
            let progress =
                (f64::from(self.epoch) + index as f64 / batches as f64) / f64::from(self.settings.epochs);
            let rate = self.learning_rate(progress);
            self.optimiser.step(&mut self.params, &gradient, rate);
            loss += batch_loss;
            done += batch.len();
            report(TrainingEvent::Progress(done, order.len()));
        }
        Some(loss / order.len() as f64)
    }

    /// The learning rate after a fraction of the training.
    fn learning_rate(&self, progress: f64) -> f32 {
        let cosine = (1.0 + (std::f64::consts::PI * progress).cos()) / 2.0;
        self.settings.learning_rate * (0.01 + 0.99 * cosine) as f32
    }

    /// The derivatives of the summed loss of a batch, and that loss.
    fn gradient(&self, batch: &[u32]) -> (Params<H>, f64) {
        let model = Model::new(&self.params);
        let examples = self.examples;
        let part_len = batch.len().div_ceil(PARTS);
        let parts: Vec<&[u32]> = batch.chunks(part_len).collect();
        let threads = self.settings.threads.clamp(1, parts.len());
        let per_thread = parts.len().div_ceil(threads);
        let results: Vec<(Params<H>, f64)> = thread::scope(|scope| {
            let spawned: Vec<_> = parts
                .chunks(per_thread)
                .map(|parts| {
                    let model = &model;
                    scope.spawn(move || {
                        parts.iter().map(|part| part_gradient(model, examples, part)).collect::<Vec<_>>()
                    })
                })
                .collect();
            let joined = spawned
                .into_iter()
                .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            joined.collect()
        });
        let mut results = results.into_iter();
        // There is at least one part, because batches are not empty.
        let (mut total, mut loss) = results.next().unwrap_or_else(|| (Params::zero(), 0.0));
        for (part, part_loss) in results {
            total.add(&part);
            loss += part_loss;
        }
        (total, loss)
    }
}

fn part_gradient<const H: usize>(
    model: &Model<'_, H>,
    examples: &impl Examples,
    part: &[u32],
) -> (Params<H>, f64) {
    let mut gradient = Params::zero();
    let loss =
        part.iter().map(|&index| f64::from(examples.add_gradient(model, index as usize, &mut gradient)));
    let loss = loss.sum();
    (gradient, loss)
}

//! Linear models fitted by stochastic gradient descent.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::OrderingError;
use super::loss::Loss;
use super::parallel::Workload;
use super::trainer::{Trainer, TrainingSet};

/// Settings of the descent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinearConfig {
    /// Passes over the choices.
    pub epochs: u32,
    /// Initial learning rate; it falls to zero along a cosine.
    pub learning_rate: f32,
    /// Standard deviation of the Gaussian prior on each weight.
    pub prior_sigma: f32,
    /// Random seed of the order of the choices.
    pub seed: u64,
}

impl Default for LinearConfig {
    fn default() -> Self {
        Self { epochs: 10, learning_rate: 0.02, prior_sigma: 1.0, seed: 1 }
    }
}

/// Minimises a loss with Adam (Kingma & Ba 2015) over small batches.
#[derive(Clone, Copy, Debug)]
pub struct LinearTrainer {
    /// The loss.
    pub loss: Loss,
    /// The settings.
    pub config: LinearConfig,
}

/// Choices of a batch.
const BATCH: usize = 64;
const BETA: [f32; 2] = [0.9, 0.999];

/// The state of Adam; the last weights are the constants of the phases.
struct Adam {
    weights: Vec<f32>,
    gradient: Vec<f32>,
    moments: [Vec<f32>; 2],
    step: i32,
}

impl Trainer for LinearTrainer {
    fn fit(&self, data: &TrainingSet<'_>, work: &Workload<'_>) -> Result<Vec<f32>, OrderingError> {
        let dimension = data.mask.len();
        let size = dimension * data.phases + data.phases;
        let zeros = || vec![0.0f32; size];
        let mut adam = Adam { weights: zeros(), gradient: zeros(), moments: [zeros(), zeros()], step: 0 };
        let mut order = data.selected.to_vec();
        let mut random = Pcg64Mcg::seed_from_u64(self.config.seed);
        let total = self.config.epochs as usize * order.len();
        let mut done = 0;
        let mut scores = Vec::new();
        for _ in 0..self.config.epochs {
            order.shuffle(&mut random);
            for batch in order.chunks(BATCH) {
                if work.stop.should_stop() {
                    return Err(OrderingError::Stopped);
                }
                for &choice in batch {
                    self.add_gradient(data, choice, &mut adam, &mut scores);
                }
                let progress = done as f32 / total as f32;
                let rate = 0.5 * self.config.learning_rate * (1.0 + (std::f32::consts::PI * progress).cos());
                let prior = 1.0 / (self.config.prior_sigma.powi(2) * data.selected.len() as f32);
                adam.update(rate, prior, 1.0 / batch.len() as f32);
                done += batch.len();
                (work.progress)(done, total);
            }
        }
        adam.weights.truncate(dimension * data.phases);
        Ok(adam.weights)
    }
}

impl LinearTrainer {
    /// Adds the gradient of a choice.
    fn add_gradient(&self, data: &TrainingSet<'_>, index: u32, adam: &mut Adam, scores: &mut Vec<f32>) {
        let dimension = data.mask.len();
        let choice = data.choices.choice(index as usize);
        let shares = data.shares(index);
        let phases = || shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
        let biases = dimension * data.phases;
        scores.clear();
        for row in choice.rows() {
            let features = data.choices.features(row);
            let of_phase = |(phase, share): (usize, &f32)| {
                let weights = &adam.weights[phase * dimension..][..dimension];
                share * features.iter().map(|&feature| weights[usize::from(feature)]).sum::<f32>()
            };
            scores.push(phases().map(of_phase).sum());
        }
        let bias = phases().map(|(phase, share)| share * adam.weights[biases + phase]).sum();
        self.loss.differentiate(choice, scores, bias);
        for (row, &slope) in choice.rows().zip(scores.iter()).filter(|(_, slope)| **slope != 0.0) {
            let features = data.choices.features(row);
            for (phase, share) in phases() {
                let gradient = &mut adam.gradient[phase * dimension..][..dimension];
                for &feature in features {
                    if data.mask[usize::from(feature)] {
                        gradient[usize::from(feature)] += share * slope;
                    }
                }
                if self.loss.has_bias() {
                    adam.gradient[biases + phase] += share * slope;
                }
            }
        }
    }
}

impl Adam {
    fn update(&mut self, rate: f32, prior: f32, scale: f32) {
        self.step += 1;
        let correction = BETA.map(|beta| 1.0 - beta.powi(self.step));
        let [first, second] = &mut self.moments;
        let moments = first.iter_mut().zip(second.iter_mut());
        for ((weight, gradient), (m, v)) in self.weights.iter_mut().zip(&mut self.gradient).zip(moments) {
            let slope = *gradient * scale + prior * *weight;
            *gradient = 0.0;
            *m += (1.0 - BETA[0]) * (slope - *m);
            *v += (1.0 - BETA[1]) * (slope * slope - *v);
            *weight -= rate * (*m / correction[0]) / ((*v / correction[1]).sqrt() + 1e-8);
        }
    }
}

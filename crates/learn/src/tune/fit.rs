//! Gradient descent (Adam) on the logistic loss, with a Gaussian prior around the initial weights.

use surus_engine::eval::{PARAMETER_COUNT, Weights};

use super::dataset::{Comparisons, Dataset, Traces};
use super::decision_loss::{DecisionLoss, add_gradient, decision_loss};
use super::logistic::{best_scale, cross_entropy, logistic};

/// Settings of a fit.
#[derive(Clone, Copy, Debug)]
pub struct FitConfig {
    /// Passes over all positions.
    pub epochs: u32,
    /// Weight of the game result in the target, from 0 to 1; the rest is the search score.
    pub result_weight: f64,
    /// Standard deviation of the prior on each parameter, in millirabbits.
    pub prior_width: f64,
    /// Initial learning rate, in millirabbits per step.
    pub learning_rate: f64,
    /// Weight of the loss of decisions, relative to that of positions.
    pub decision_weight: f64,
    /// The difference in millirabbits that makes the better of two turns e times as likely.
    pub temperature: f64,
}

impl Default for FitConfig {
    fn default() -> Self {
        Self {
            epochs: 20,
            result_weight: 0.5,
            prior_width: 200.0,
            learning_rate: 5.0,
            decision_weight: 1.0,
            temperature: 500.0,
        }
    }
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Centirabbits per unit of the logistic function, fitted to the search scores.
    pub scale: f64,
    /// Validation loss with the initial weights.
    pub before: f64,
    /// Validation loss with the fitted weights.
    pub after: f64,
    /// Validation loss of decisions with the initial and the fitted weights.
    pub decisions: [DecisionLoss; 2],
    /// The weights after the epoch with the lowest validation loss.
    pub weights: Box<[f64; PARAMETER_COUNT]>,
}

/// Mini-batch size.
const BATCH_LEN: usize = 4096;

/// Positions of a game are correlated: this many count as one independent observation.
const CORRELATED_POSITIONS: f64 = 20.0;

/// Fits all parameters, starting from `weights`. Calls `on_epoch` with the number of the epoch and its validation loss.
pub fn fit(
    samples: &Dataset,
    weights: &Weights,
    config: &FitConfig,
    on_epoch: &mut dyn FnMut(u32, f64),
) -> Fit {
    let start = Box::new(weights.values().map(f64::from));
    let scale = fitted_scale(&samples.train);
    let loss = |weights: &[f64; PARAMETER_COUNT]| {
        mean_loss(&samples.validation, weights, scale, config.result_weight)
    };
    let decisions = |weights: &[f64; PARAMETER_COUNT]| {
        decision_loss(&samples.validation_decisions, weights, config.temperature)
    };
    let total = |loss: f64, decisions: DecisionLoss| loss + config.decision_weight * decisions.loss;
    let (before, decisions_before) = (loss(&start), decisions(&start));
    let mut best =
        Fit { scale, before, after: before, decisions: [decisions_before; 2], weights: start.clone() };
    let mut adam = Adam::new(start, config);
    let mut order: Vec<u32> = (0..samples.train.len() as u32).collect();
    let mut decision_order: Vec<u32> = (0..samples.decisions.len() as u32).collect();
    let batches = samples.train.len().max(4 * samples.decisions.len()).div_ceil(BATCH_LEN).max(1);
    for epoch in 0..config.epochs {
        shuffle(&mut order, u64::from(epoch));
        shuffle(&mut decision_order, u64::from(epoch));
        let rate = config.learning_rate * f64::from(config.epochs - epoch) / f64::from(config.epochs);
        for batch in 0..batches {
            let batch = Batch {
                positions: chunk(&order, batch, batches),
                decisions: chunk(&decision_order, batch, batches),
            };
            adam.step(samples, &batch, scale, rate);
        }
        let (after, decisions_after) = (loss(&adam.weights), decisions(&adam.weights));
        on_epoch(epoch + 1, total(after, decisions_after));
        if total(after, decisions_after) < total(best.after, best.decisions[1]) {
            best.after = after;
            best.decisions[1] = decisions_after;
            best.weights.clone_from(&adam.weights);
        }
    }
    best
}

/// The state of the Adam optimiser (Kingma and Ba, 2015).
struct Adam<'a> {
    config: &'a FitConfig,
    start: Box<[f64; PARAMETER_COUNT]>,
    weights: Box<[f64; PARAMETER_COUNT]>,
    m: Vec<f64>,
    v: Vec<f64>,
    steps: i32,
}

impl<'a> Adam<'a> {
    fn new(start: Box<[f64; PARAMETER_COUNT]>, config: &'a FitConfig) -> Self {
        let zero = vec![0.0; PARAMETER_COUNT];
        Self { config, weights: start.clone(), start, m: zero.clone(), v: zero, steps: 0 }
    }

    fn step(&mut self, samples: &Dataset, batch: &Batch<'_>, scale: f64, rate: f64) {
        let traces = &samples.train;
        let mut gradient = vec![0.0; PARAMETER_COUNT];
        for &index in batch.positions {
            let index = index as usize;
            let target = target(traces, index, scale, self.config.result_weight);
            let error = prediction(traces, index, &*self.weights, scale) - target;
            for &(parameter, amount) in traces.entries(index) {
                gradient[usize::from(parameter)] += error * f64::from(amount);
            }
        }
        let unit = 1.0 / (batch.positions.len().max(1) as f64 * 8.0 * 10.0 * scale);
        gradient.iter_mut().for_each(|slope| *slope *= unit);
        self.add_decisions(&samples.decisions, batch.decisions, &mut gradient);
        let evidence = traces.len() + samples.decisions.len();
        let prior_precision =
            CORRELATED_POSITIONS / (evidence as f64 * self.config.prior_width * self.config.prior_width);
        self.steps += 1;
        let (beta1, beta2) = (0.9_f64, 0.999_f64);
        let (correction1, correction2) = (1.0 - beta1.powi(self.steps), 1.0 - beta2.powi(self.steps));
        let moments = self.m.iter_mut().zip(&mut self.v);
        let weights = self.weights.iter_mut().zip(self.start.iter()).zip(gradient);
        for ((m, v), ((weight, start), gradient)) in moments.zip(weights) {
            let slope = gradient + prior_precision * (*weight - start);
            *m = beta1 * *m + (1.0 - beta1) * slope;
            *v = beta2 * *v + (1.0 - beta2) * slope * slope;
            *weight -= rate * (*m / correction1) / ((*v / correction2).sqrt() + 1e-12);
        }
    }
}

impl Adam<'_> {
    fn add_decisions(&self, decisions: &Comparisons, batch: &[u32], gradient: &mut [f64]) {
        let weight = self.config.decision_weight / batch.len().max(1) as f64;
        for &decision in batch {
            let weights = &*self.weights;
            add_gradient(decisions, decision as usize, weights, self.config.temperature, weight, gradient);
        }
    }
}

/// The positions and decisions of one step.
struct Batch<'a> {
    positions: &'a [u32],
    decisions: &'a [u32],
}

/// One of `count` chunks of nearly equal size.
fn chunk(order: &[u32], index: usize, count: usize) -> &[u32] {
    &order[order.len() * index / count..order.len() * (index + 1) / count]
}

/// The win probability that the evaluation predicts for a position.
fn prediction(traces: &Traces, index: usize, weights: &[f64], scale: f64) -> f64 {
    let sum: f64 = traces
        .entries(index)
        .iter()
        .map(|&(parameter, amount)| weights[usize::from(parameter)] * f64::from(amount))
        .sum();
    // The sum is in eighths of a millirabbit.
    logistic(sum / 80.0 / scale)
}

/// The win probability to be predicted.
fn target(traces: &Traces, index: usize, scale: f64, result_weight: f64) -> f64 {
    let searched = logistic(f64::from(traces.scores[index]) / scale);
    result_weight * f64::from(traces.outcomes[index]) + (1.0 - result_weight) * searched
}

fn mean_loss(traces: &Traces, weights: &[f64], scale: f64, result_weight: f64) -> f64 {
    let loss = |index| {
        cross_entropy(prediction(traces, index, weights, scale), target(traces, index, scale, result_weight))
    };
    (0..traces.len()).map(loss).sum::<f64>() / traces.len().max(1) as f64
}

/// The scale for which search scores predict the results best.
fn fitted_scale(traces: &Traces) -> f64 {
    let pairs = traces.scores.iter().zip(&traces.outcomes);
    best_scale(&pairs.map(|(&score, &outcome)| (score.into(), outcome.into())).collect::<Vec<_>>())
}

/// A reproducible shuffle, different in each epoch.
fn shuffle(order: &mut [u32], seed: u64) {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for i in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(i, (state % (i as u64 + 1)) as usize);
    }
}

//! Gradient descent on the logistic loss, with a pull towards where it began.

use surus_engine::eval::{PARAMETER_COUNT, Weights};

use super::dataset::{Comparisons, Dataset, Traces};
use super::decision_loss::{DecisionLoss, add_gradient, decision_loss};

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitConfig {
    /// Rounds over all positions.
    pub epochs: u32,
    /// How much of the target is the game's result; the rest is the search's score.
    pub result_share: f64,
    /// How far a parameter may go from where it is without much evidence, in thousandths of a rabbit.
    pub prior_width: f64,
    /// The first step of a parameter, in thousandths of a rabbit.
    pub rate: f64,
    /// The weight of the mean loss of decisions, where that of positions has 1.
    pub decision_weight: f64,
    /// The difference of two turns in thousandths of a rabbit that makes the better one e times as likely.
    pub temperature: f64,
}

impl Default for FitConfig {
    fn default() -> Self {
        Self {
            epochs: 20,
            result_share: 0.5,
            prior_width: 200.0,
            rate: 5.0,
            decision_weight: 1.0,
            temperature: 500.0,
        }
    }
}

/// What a fit found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Hundredths of a rabbit that are one unit of the logistic curve, fitted to the scores of the search.
    pub scale: f64,
    /// The loss on held-out games before and after.
    pub before: f64,
    /// See `before`.
    pub after: f64,
    /// How held-out decisions are predicted before and after.
    pub decisions: [DecisionLoss; 2],
    /// The parameters found, of the round that was best on held-out games.
    pub weights: Box<[f64; PARAMETER_COUNT]>,
}

/// Positions of one small step down.
const BATCH: usize = 4096;

/// A position's neighbours in its game are much like it: so many of them count as one piece of evidence.
const ALIKE: f64 = 20.0;

/// Fits all parameters, beginning with some weights; `tell` hears the round and its loss on held-out games.
pub fn fit(samples: &Dataset, weights: &Weights, plan: &FitConfig, tell: &mut dyn FnMut(u32, f64)) -> Fit {
    let start = Box::new(weights.values().map(f64::from));
    let scale = fitted_scale(&samples.train);
    let loss =
        |weights: &[f64; PARAMETER_COUNT]| mean_loss(&samples.validation, weights, scale, plan.result_share);
    let choices = |weights: &[f64; PARAMETER_COUNT]| {
        decision_loss(&samples.validation_decisions, weights, plan.temperature)
    };
    let total = |loss: f64, choices: DecisionLoss| loss + plan.decision_weight * choices.loss;
    let (before, choices_before) = (loss(&start), choices(&start));
    let mut best =
        Fit { scale, before, after: before, decisions: [choices_before; 2], weights: start.clone() };
    let mut descent = Adam::new(start, plan);
    let mut order: Vec<u32> = (0..samples.train.len() as u32).collect();
    let mut decision_order: Vec<u32> = (0..samples.decisions.len() as u32).collect();
    let batches = samples.train.len().max(4 * samples.decisions.len()).div_ceil(BATCH).max(1);
    for epoch in 0..plan.epochs {
        shuffle(&mut order, u64::from(epoch));
        shuffle(&mut decision_order, u64::from(epoch));
        let rate = plan.rate * f64::from(plan.epochs - epoch) / f64::from(plan.epochs);
        for batch in 0..batches {
            let batch = Batch {
                positions: part(&order, batch, batches),
                decisions: part(&decision_order, batch, batches),
            };
            descent.step(samples, &batch, scale, rate);
        }
        let (now, choices_now) = (loss(&descent.weights), choices(&descent.weights));
        tell(epoch + 1, total(now, choices_now));
        if total(now, choices_now) < total(best.after, best.decisions[1]) {
            best.after = now;
            best.decisions[1] = choices_now;
            best.weights.clone_from(&descent.weights);
        }
    }
    best
}

/// Adam: every parameter has a step of its own size, so that rare ones learn too.
struct Adam<'a> {
    plan: &'a FitConfig,
    start: Box<[f64; PARAMETER_COUNT]>,
    weights: Box<[f64; PARAMETER_COUNT]>,
    m: Vec<f64>,
    v: Vec<f64>,
    steps: i32,
}

impl<'a> Adam<'a> {
    fn new(start: Box<[f64; PARAMETER_COUNT]>, plan: &'a FitConfig) -> Self {
        let zero = vec![0.0; PARAMETER_COUNT];
        Self { plan, weights: start.clone(), start, m: zero.clone(), v: zero, steps: 0 }
    }

    fn step(&mut self, samples: &Dataset, batch: &Batch<'_>, scale: f64, rate: f64) {
        let traces = &samples.train;
        let mut gradient = vec![0.0; PARAMETER_COUNT];
        for &index in batch.positions {
            let index = index as usize;
            let expected = target(traces, index, scale, self.plan.result_share);
            let error = expectation(traces, index, &*self.weights, scale) - expected;
            for &(parameter, amount) in traces.entries(index) {
                gradient[usize::from(parameter)] += error * f64::from(amount);
            }
        }
        let unit = 1.0 / (batch.positions.len().max(1) as f64 * 8.0 * 10.0 * scale);
        gradient.iter_mut().for_each(|slope| *slope *= unit);
        self.add_decisions(&samples.decisions, batch.decisions, &mut gradient);
        let evidence = traces.len() + samples.decisions.len();
        let pull = ALIKE / (evidence as f64 * self.plan.prior_width * self.plan.prior_width);
        self.steps += 1;
        let (fade, fade_square) = (0.9_f64, 0.999_f64);
        let (warm, warm_square) = (1.0 - fade.powi(self.steps), 1.0 - fade_square.powi(self.steps));
        let states = self.m.iter_mut().zip(&mut self.v);
        let places = self.weights.iter_mut().zip(self.start.iter()).zip(gradient);
        for ((mean, square), ((weight, start), gradient)) in states.zip(places) {
            let slope = gradient + pull * (*weight - start);
            *mean = fade * *mean + (1.0 - fade) * slope;
            *square = fade_square * *square + (1.0 - fade_square) * slope * slope;
            *weight -= rate * (*mean / warm) / ((*square / warm_square).sqrt() + 1e-12);
        }
    }
}

impl Adam<'_> {
    fn add_decisions(&self, decisions: &Comparisons, batch: &[u32], gradient: &mut [f64]) {
        let weight = self.plan.decision_weight / batch.len().max(1) as f64;
        for &decision in batch {
            let weights = &*self.weights;
            add_gradient(decisions, decision as usize, weights, self.plan.temperature, weight, gradient);
        }
    }
}

/// A part of the evidence for one step.
struct Batch<'a> {
    positions: &'a [u32],
    decisions: &'a [u32],
}

/// One of several parts of nearly equal size.
fn part(order: &[u32], index: usize, parts: usize) -> &[u32] {
    &order[order.len() * index / parts..order.len() * (index + 1) / parts]
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What the evaluation expects of a position: the chance to win.
fn expectation(traces: &Traces, index: usize, weights: &[f64], scale: f64) -> f64 {
    let sum: f64 = traces
        .entries(index)
        .iter()
        .map(|&(parameter, amount)| weights[usize::from(parameter)] * f64::from(amount))
        .sum();
    // Eighths of thousandths of a rabbit.
    logistic(sum / 80.0 / scale)
}

/// What it should expect.
fn target(traces: &Traces, index: usize, scale: f64, result_share: f64) -> f64 {
    let searched = logistic(f64::from(traces.scores[index]) / scale);
    result_share * f64::from(traces.outcomes[index]) + (1.0 - result_share) * searched
}

fn cross_entropy(expected: f64, target: f64) -> f64 {
    let safe = expected.clamp(1e-9, 1.0 - 1e-9);
    -(target * safe.ln() + (1.0 - target) * (1.0 - safe).ln())
}

fn mean_loss(traces: &Traces, weights: &[f64], scale: f64, result_share: f64) -> f64 {
    let loss = |index| {
        cross_entropy(expectation(traces, index, weights, scale), target(traces, index, scale, result_share))
    };
    (0..traces.len()).map(loss).sum::<f64>() / traces.len().max(1) as f64
}

/// The scale on which the search's scores tell the results best, by golden section.
fn fitted_scale(traces: &Traces) -> f64 {
    let loss = |scale: f64| -> f64 {
        let pairs = traces.scores.iter().zip(&traces.outcomes);
        pairs.map(|(&score, &won)| cross_entropy(logistic(f64::from(score) / scale), f64::from(won))).sum()
    };
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (50.0, 5000.0);
    while 1.0 < high - low {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if loss(left) < loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    (low + high) / 2.0
}

/// Another order each round, the same on every machine.
fn shuffle(order: &mut [u32], seed: u64) {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for i in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(i, (state % (i as u64 + 1)) as usize);
    }
}

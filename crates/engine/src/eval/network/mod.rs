//! The evaluation by a small neural network: one hidden layer for each side's view of the board, squared clipped
//! activations, and a sum of both with weights for the side to move and for the other side.
//!
//! All numbers are integers, so that every machine computes the same scores.

mod file;
mod inputs;
mod lanes;

use std::ops::Range;
use std::sync::Arc;

use surus_rules::{Board, Side};

pub use file::{BaseInfo, NetworkFileError, NetworkInfo};
pub use inputs::{ActiveInputs, BUCKETS, INPUT_COUNT, MAX_ACTIVE, PIECE_INPUTS, TRAP_INPUTS, bucket};
use lanes::{Lanes, accumulate, squared_clipped_dot};

use super::{Evaluate, HANDCRAFTED_SCALE, Weights, handcrafted};
use crate::common::score::Score;

/// What 1.0 is in the hidden layer; activations are clipped to it.
pub const ACTIVATION_ONE: i16 = 255;
/// What 1.0 is among the output weights.
pub const OUTPUT_ONE: i16 = 64;
/// The largest weight of both layers, in the units of training.
pub const MAX_WEIGHT: f32 = 1.98;
/// The sizes of the hidden layer that can be computed.
pub const HIDDEN_SIZES: [usize; 4] = [32, 64, 128, 256];

/// Scores beyond this are not credible.
const MAX_SCORE: i64 = 100_000;

/// A network.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    info: NetworkInfo,
    /// The hidden biases.
    bias: Box<[Lanes]>,
    /// A row of hidden weights for each input.
    rows: Box<[Lanes]>,
    /// For each bucket, the weights of the own view and of the other side's.
    output: Box<[Lanes]>,
    /// For each bucket, in units of [`ACTIVATION_ONE`] times [`OUTPUT_ONE`].
    output_bias: [i32; BUCKETS],
    /// What the network corrects.
    base: Option<Base>,
    /// A checksum of the file.
    revision: u32,
}

/// The handcrafted evaluation as a part of the sum.
#[derive(Clone, PartialEq, Debug)]
struct Base {
    weights: Weights,
    /// Converts its score, in units of 1 / [`Base::ONE`].
    factor: i64,
}

impl Base {
    const ONE: i64 = 1 << 16;

    /// The scores of both are proportional to log odds, with different scales.
    fn new(info: &BaseInfo, scale: i32) -> Self {
        let factor = i64::from(info.percent) * i64::from(scale) * Self::ONE
            / (100 * 10 * i64::from(HANDCRAFTED_SCALE));
        Self { weights: Weights::embedded(), factor }
    }

    fn evaluate(&self, board: &Board, side: Side) -> Score {
        (i64::from(handcrafted(&self.weights, board, side)) * self.factor / Self::ONE) as Score
    }
}

/// A group of inputs that describe the same thing on different squares.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct InputGroup {
    /// What they describe.
    pub name: String,
    /// The number of inputs.
    pub count: usize,
    /// The mean absolute weight of their rows.
    pub strength: f64,
    /// Inputs without any weight, because they never occur or say nothing.
    pub unused: usize,
}

/// The numbers of a trained network, in the units of training.
#[derive(Clone, Copy, Debug)]
pub struct TrainedWeights<'a> {
    /// A row of hidden weights for each input.
    pub rows: &'a [f32],
    /// The hidden biases.
    pub bias: &'a [f32],
    /// For each bucket, the weights of the own view and of the other side's.
    pub output: &'a [f32],
    /// For each bucket.
    pub output_bias: &'a [f32],
}

impl Network {
    /// Rounds trained weights to integers.
    #[must_use]
    pub fn from_trained(info: NetworkInfo, weights: &TrainedWeights<'_>) -> Self {
        let round = |values: &[f32], one: i16| -> Box<[Lanes]> {
            let limited = values.iter().map(|value| value.clamp(-MAX_WEIGHT, MAX_WEIGHT));
            let rounded: Vec<i16> = limited.map(|value| (value * f32::from(one)).round() as i16).collect();
            let (blocks, _) = rounded.as_chunks::<{ Lanes::LEN }>();
            blocks.iter().map(|&block| Lanes(block)).collect()
        };
        let output_one = f32::from(ACTIVATION_ONE) * f32::from(OUTPUT_ONE);
        let mut network = Self {
            base: info.base.as_ref().map(|base| Base::new(base, info.scale)),
            info,
            bias: round(weights.bias, ACTIVATION_ONE),
            rows: round(weights.rows, ACTIVATION_ONE),
            output: round(weights.output, OUTPUT_ONE),
            output_bias: std::array::from_fn(|i| (weights.output_bias[i] * output_one).round() as i32),
            revision: 0,
        };
        network.revision = network.checksum();
        network
    }

    /// Where the network comes from.
    #[must_use]
    pub const fn info(&self) -> &NetworkInfo {
        &self.info
    }

    /// The score in millirabbits of a board on which `side` starts its turn.
    #[must_use]
    pub fn evaluate(&self, board: &Board, side: Side) -> i32 {
        let (inputs, bucket) = (ActiveInputs::new(board, side), bucket(board));
        let score = match self.info.hidden / Lanes::LEN {
            2 => self.score::<2>(&inputs, bucket),
            4 => self.score::<4>(&inputs, bucket),
            8 => self.score::<8>(&inputs, bucket),
            _ => self.score::<16>(&inputs, bucket),
        };
        score + self.base.as_ref().map_or(0, |base| base.evaluate(board, side))
    }

    #[inline]
    fn score<const N: usize>(&self, inputs: &ActiveInputs, bucket: usize) -> Score {
        let weights = &self.output[bucket * 2 * N..][..2 * N];
        let mut sum = 0_i64;
        for (active, weights) in inputs.views().into_iter().zip(weights.chunks_exact(N)) {
            let sums = accumulate::<N>(&self.bias, &self.rows, active);
            sum += i64::from(squared_clipped_dot(&sums, weights));
        }
        self.to_score(sum, bucket)
    }

    /// Converts an output in units of [`ACTIVATION_ONE`] squared times [`OUTPUT_ONE`].
    fn to_score(&self, sum: i64, bucket: usize) -> Score {
        let output = sum / i64::from(ACTIVATION_ONE) + i64::from(self.output_bias[bucket]);
        let one = i64::from(ACTIVATION_ONE) * i64::from(OUTPUT_ONE);
        (output * i64::from(self.info.scale) / one).clamp(-MAX_SCORE, MAX_SCORE) as Score
    }

    /// The inputs by what they describe.
    #[must_use]
    pub fn input_groups(&self) -> Vec<InputGroup> {
        let names = inputs::group_names();
        let ends = names.iter().skip(1).map(|&(_, first)| first).chain([INPUT_COUNT]);
        names.iter().zip(ends).map(|((name, first), end)| self.input_group(name, *first..end)).collect()
    }

    fn input_group(&self, name: &str, inputs: Range<usize>) -> InputGroup {
        let blocks = self.info.hidden / Lanes::LEN;
        let strength = |input: usize| {
            let weights = self.rows[input * blocks..][..blocks].iter().flat_map(|block| block.0);
            weights.map(|weight| f64::from(weight.unsigned_abs())).sum::<f64>()
                / (self.info.hidden as f64 * f64::from(ACTIVATION_ONE))
        };
        let count = inputs.len();
        let strengths: Vec<f64> = inputs.map(strength).collect();
        InputGroup {
            name: name.to_string(),
            count,
            strength: strengths.iter().sum::<f64>() / count as f64,
            unused: strengths.iter().filter(|&&strength| strength == 0.0).count(),
        }
    }

    /// A checksum of all weights.
    #[must_use]
    pub fn revision(&self) -> String {
        format!("{:08x}", self.revision)
    }
}

/// The evaluation by a network.
#[derive(Clone, Debug)]
pub(crate) struct NetworkEval(pub(crate) Arc<Network>);

impl Evaluate for NetworkEval {
    fn evaluate(&mut self, board: &Board, side: Side) -> Score {
        self.0.evaluate(board, side)
    }

    fn scale(&self) -> i32 {
        self.0.info.scale / 10
    }
}

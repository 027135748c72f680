//! The numbers of a network in training.
//!
//! A piece's row is the sum of a base row, which its three states share, and a difference for the state, so that what is
//! learned of a common state helps the others. Only the sums enter the network.

use surus_engine::eval::network::{
    BUCKETS, INPUT_COUNT, MAX_WEIGHT, Network, NetworkInfo, PIECE_INPUTS, TrainedWeights,
};

/// States of a piece that share a base row.
const STATES: usize = 3;
/// Base rows, which come after the rows of the inputs.
const BASE_ROWS: usize = PIECE_INPUTS / STATES;
const ROWS: usize = INPUT_COUNT + BASE_ROWS;

/// The base row of a piece's input; inputs are ordered by owner and kind, then state, then square.
const fn base_row(input: usize) -> usize {
    INPUT_COUNT + input / (64 * STATES) * 64 + input % 64
}

/// All numbers of a network with `H` hidden units, or the derivatives of a loss with respect to them, in one vector: rows,
/// hidden biases, output weights, output biases.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Params<const H: usize>(pub(super) Vec<f32>);

impl<const H: usize> Params<H> {
    const BIAS: usize = ROWS * H;
    const OUTPUT: usize = Self::BIAS + H;
    const OUTPUT_BIAS: usize = Self::OUTPUT + 2 * BUCKETS * H;
    pub(super) const LEN: usize = Self::OUTPUT_BIAS + BUCKETS;

    pub(super) fn zero() -> Self {
        Self(vec![0.0; Self::LEN])
    }

    /// Small random numbers; `uniform` returns numbers from -1 to 1.
    pub(super) fn random(mut uniform: impl FnMut() -> f32) -> Self {
        let mut params = Self::zero();
        // About 36 rows are added up.
        let (rows, output) = (0.25, 1.0 / (H as f32).sqrt());
        params.0[..INPUT_COUNT * H].iter_mut().for_each(|weight| *weight = rows * uniform());
        // Squared activations need a positive start.
        params.0[Self::BIAS..Self::OUTPUT].iter_mut().for_each(|bias| *bias = 0.3 + 0.2 * uniform());
        params.0[Self::OUTPUT..Self::OUTPUT_BIAS].iter_mut().for_each(|weight| *weight = output * uniform());
        params
    }

    pub(super) fn rows(&self) -> &[[f32; H]] {
        self.0[..Self::BIAS].as_chunks().0
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.0[row * H..][..H]
    }

    pub(super) fn bias(&self) -> &[f32] {
        &self.0[Self::BIAS..Self::OUTPUT]
    }

    pub(super) fn bias_mut(&mut self) -> &mut [f32] {
        &mut self.0[Self::BIAS..Self::OUTPUT]
    }

    /// The output weights of a bucket for a view.
    pub(super) fn output(&self, bucket: usize, view: usize) -> &[f32] {
        &self.0[Self::OUTPUT + (2 * bucket + view) * H..][..H]
    }

    pub(super) fn output_mut(&mut self, bucket: usize, view: usize) -> &mut [f32] {
        &mut self.0[Self::OUTPUT + (2 * bucket + view) * H..][..H]
    }

    pub(super) fn output_bias(&self, bucket: usize) -> f32 {
        self.0[Self::OUTPUT_BIAS + bucket]
    }

    pub(super) fn output_bias_mut(&mut self, bucket: usize) -> &mut f32 {
        &mut self.0[Self::OUTPUT_BIAS + bucket]
    }

    /// The rows that enter the network: differences plus base rows.
    pub(super) fn summed_rows(&self) -> Vec<[f32; H]> {
        let rows = self.rows();
        let sum = |input: usize| {
            if input >= PIECE_INPUTS {
                return rows[input];
            }
            let base = &rows[base_row(input)];
            std::array::from_fn(|i| rows[input][i] + base[i])
        };
        (0..INPUT_COUNT).map(sum).collect()
    }

    /// For derivatives with respect to summed rows, fills in those of the base rows.
    pub(super) fn add_base_gradient(&mut self) {
        let (inputs, bases) = self.0[..Self::BIAS].split_at_mut(INPUT_COUNT * H);
        for (input, row) in inputs.chunks_exact(H).take(PIECE_INPUTS).enumerate() {
            let base = &mut bases[(base_row(input) - INPUT_COUNT) * H..][..H];
            base.iter_mut().zip(row).for_each(|(base, slope)| *base += slope);
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, term)| *sum += term);
    }

    /// Limits the weights to what integers can represent; both parts of a row have half of it.
    pub(super) fn clamp(&mut self) {
        let (rows, rest) = self.0.split_at_mut(Self::BIAS);
        rows.iter_mut().for_each(|weight| *weight = weight.clamp(-MAX_WEIGHT / 2.0, MAX_WEIGHT / 2.0));
        let weights = rest.len() - BUCKETS;
        rest[..weights].iter_mut().for_each(|weight| *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT));
    }

    /// The network with integers.
    pub(super) fn quantised(&self, info: NetworkInfo) -> Network {
        let rows = self.summed_rows();
        Network::from_trained(
            info,
            &TrainedWeights {
                rows: rows.as_flattened(),
                bias: self.bias(),
                output: &self.0[Self::OUTPUT..Self::OUTPUT_BIAS],
                output_bias: &self.0[Self::OUTPUT_BIAS..],
            },
        )
    }
}

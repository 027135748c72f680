//! The output of a network for a board, and its derivatives.

use super::boards::BoardInputs;
use super::params::Params;

/// A network ready to predict.
pub(super) struct Model<'a, const H: usize> {
    params: &'a Params<H>,
    /// The rows of the inputs; see [`Params::summed_rows`].
    rows: Vec<[f32; H]>,
}

impl<'a, const H: usize> Model<'a, H> {
    pub(super) fn new(params: &'a Params<H>) -> Self {
        Self { params, rows: params.summed_rows() }
    }

    fn hidden(&self, active: &[u16]) -> [f32; H] {
        let mut sums = [0.0; H];
        sums.copy_from_slice(self.params.bias());
        for &input in active {
            let row = &self.rows[usize::from(input)];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        sums
    }

    /// The output for a board, and the sums of its hidden units.
    pub(super) fn forward(&self, board: &BoardInputs<'_>) -> (f32, [[f32; H]; 2]) {
        let hidden = board.views.map(|active| self.hidden(active));
        let mut output = self.params.output_bias(board.bucket);
        for (view, sums) in hidden.iter().enumerate() {
            let weights = self.params.output(board.bucket, view);
            output += sums.iter().zip(weights).map(|(sum, weight)| activation(*sum) * weight).sum::<f32>();
        }
        (output, hidden)
    }

    /// Adds the derivatives of a loss to `gradient`, without those of base rows; `error` is the derivative with respect to
    /// the output for a board.
    pub(super) fn backward(
        &self,
        board: &BoardInputs<'_>,
        hidden: &[[f32; H]; 2],
        error: f32,
        gradient: &mut Params<H>,
    ) {
        *gradient.output_bias_mut(board.bucket) += error;
        for (view, (sums, active)) in hidden.iter().zip(board.views).enumerate() {
            let weights = self.params.output(board.bucket, view);
            let slopes: [f32; H] = std::array::from_fn(|i| error * weights[i] * activation_slope(sums[i]));
            let output = gradient.output_mut(board.bucket, view);
            output.iter_mut().zip(sums).for_each(|(slope, sum)| *slope += error * activation(*sum));
            gradient.bias_mut().iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            for &input in active {
                let row = gradient.row_mut(usize::from(input));
                row.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }
}

/// The square of the sum, clipped to 0 to 1.
fn activation(sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    clipped * clipped
}

fn activation_slope(sum: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { 2.0 * sum } else { 0.0 }
}

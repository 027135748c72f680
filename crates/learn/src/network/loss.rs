//! The prediction of a network for a position, and its derivatives.

use super::params::Params;
use super::positions::{Positions, TrainingPosition};
use crate::tune::cross_entropy;

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

    fn logit(&self, position: &TrainingPosition<'_>, hidden: &[[f32; H]; 2]) -> f32 {
        let mut logit = self.params.output_bias(position.bucket);
        for (view, sums) in hidden.iter().enumerate() {
            let weights = self.params.output(position.bucket, view);
            logit += sums.iter().zip(weights).map(|(sum, weight)| activation(*sum) * weight).sum::<f32>();
        }
        logit
    }

    /// The predicted win probability of the side to move.
    pub(super) fn predict(&self, position: &TrainingPosition<'_>) -> f32 {
        sigmoid(self.logit(position, &position.views.map(|active| self.hidden(active))))
    }

    /// Adds the derivatives of a position's loss to `gradient`, without those of base rows. Returns the loss.
    pub(super) fn add_gradient(&self, position: &TrainingPosition<'_>, gradient: &mut Params<H>) -> f32 {
        let hidden = position.views.map(|active| self.hidden(active));
        let predicted = sigmoid(self.logit(position, &hidden));
        let error = predicted - position.target;
        *gradient.output_bias_mut(position.bucket) += error;
        for (view, (sums, active)) in hidden.iter().zip(position.views).enumerate() {
            let weights = self.params.output(position.bucket, view);
            let slopes: [f32; H] = std::array::from_fn(|i| error * weights[i] * activation_slope(sums[i]));
            let output = gradient.output_mut(position.bucket, view);
            output.iter_mut().zip(sums).for_each(|(slope, sum)| *slope += error * activation(*sum));
            gradient.bias_mut().iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            for &input in active {
                let row = gradient.row_mut(usize::from(input));
                row.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            }
        }
        cross_entropy(f64::from(predicted), f64::from(position.target)) as f32
    }

    /// The mean loss of positions.
    pub(super) fn mean_loss(&self, positions: &Positions) -> f64 {
        let loss = |index| {
            let position = positions.get(index);
            cross_entropy(f64::from(self.predict(&position)), f64::from(position.target))
        };
        (0..positions.len()).map(loss).sum::<f64>() / positions.len().max(1) as f64
    }
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The square of the sum, clipped to 0 to 1.
fn activation(sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    clipped * clipped
}

fn activation_slope(sum: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { 2.0 * sum } else { 0.0 }
}

//! What a network can be trained on.

use super::forward::Model;
use super::params::Params;

/// Examples of a training, each with a loss.
pub(super) trait Examples: Sync {
    /// The number of examples.
    fn len(&self) -> usize;

    /// A checksum of all examples.
    fn checksum(&self) -> u32;

    /// The loss of an example.
    fn loss<const H: usize>(&self, model: &Model<'_, H>, index: usize) -> f32;

    /// The loss of an example, whose derivatives are added to `gradient`.
    fn add_gradient<const H: usize>(
        &self,
        model: &Model<'_, H>,
        index: usize,
        gradient: &mut Params<H>,
    ) -> f32;

    /// Whether there are no examples.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The mean loss of all examples.
pub(super) fn mean_loss<const H: usize>(examples: &impl Examples, model: &Model<'_, H>) -> f64 {
    let total: f64 = (0..examples.len()).map(|index| f64::from(examples.loss(model, index))).sum();
    total / examples.len().max(1) as f64
}

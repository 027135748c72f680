//! The loss of decisions: negative log-likelihood of the played turn under a softmax over the compared turns.

use super::dataset::Comparisons;

/// The quality of the prediction of decisions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DecisionLoss {
    /// The mean negative log-likelihood of the played turn.
    pub loss: f64,
    /// The fraction of decisions in which the played turn has the best evaluation.
    pub first: f64,
}

/// The mean loss over all decisions.
pub(super) fn decision_loss(decisions: &Comparisons, weights: &[f64], temperature: f64) -> DecisionLoss {
    let mut sum = DecisionLoss::default();
    for decision in 0..decisions.len() {
        let values = values(decisions, decision, weights, temperature);
        let probabilities = softmax(&values);
        sum.loss -= probabilities[0].max(1e-12).ln();
        sum.first += f64::from(u8::from(values[1..].iter().all(|&value| value < values[0])));
    }
    let count = decisions.len().max(1) as f64;
    DecisionLoss { loss: sum.loss / count, first: sum.first / count }
}

/// Adds the gradient of a decision's loss, multiplied by `weight`.
pub(super) fn add_gradient(
    decisions: &Comparisons,
    decision: usize,
    weights: &[f64],
    temperature: f64,
    weight: f64,
    gradient: &mut [f64],
) {
    let probabilities = softmax(&values(decisions, decision, weights, temperature));
    for (index, (leaf, probability)) in decisions.leaves(decision).zip(probabilities).enumerate() {
        let (entries, sign) = decisions.leaf(leaf);
        let played = if index == 0 { 1.0 } else { 0.0 };
        let slope = weight * sign * (probability - played) / (8.0 * temperature);
        for &(parameter, amount) in entries {
            gradient[usize::from(parameter)] += slope * f64::from(amount);
        }
    }
}

/// The evaluations of the turns for the side that decided, in units of the temperature.
fn values(decisions: &Comparisons, decision: usize, weights: &[f64], temperature: f64) -> Vec<f64> {
    let value = |leaf| {
        let (entries, sign) = decisions.leaf(leaf);
        let sum: f64 = entries
            .iter()
            .map(|&(parameter, amount)| weights[usize::from(parameter)] * f64::from(amount))
            .sum();
        sign * sum / (8.0 * temperature)
    };
    decisions.leaves(decision).map(value).collect()
}

fn softmax(values: &[f64]) -> Vec<f64> {
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = values.iter().map(|value| (value - max).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

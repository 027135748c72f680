//! The logistic function from scores to win probabilities, and its scale.

/// The win probability of a score in units of the scale.
#[must_use]
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross-entropy of predicting an outcome from 0 to 1.
pub(crate) fn cross_entropy(prediction: f64, target: f64) -> f64 {
    let safe = prediction.clamp(1e-9, 1.0 - 1e-9);
    -(target * safe.ln() + (1.0 - target) * (1.0 - safe).ln())
}

/// The mean cross-entropy of predicting outcomes from scores.
#[must_use]
pub fn log_loss(pairs: &[(f64, f64)], scale: f64) -> f64 {
    let loss = |&(score, outcome): &(f64, f64)| cross_entropy(logistic(score / scale), outcome);
    pairs.iter().map(loss).sum::<f64>() / pairs.len().max(1) as f64
}

/// The scale for which scores predict outcomes best, by golden-section search.
#[must_use]
pub fn best_scale(pairs: &[(f64, f64)]) -> f64 {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (50.0, 5000.0);
    while high - low > 1.0 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if log_loss(pairs, left) < log_loss(pairs, right) {
            high = right;
        } else {
            low = left;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_of_generated_outcomes_is_recovered() {
        let mut pairs = Vec::new();
        for score in [-900.0, -400.0, 0.0, 300.0, 700.0] {
            let wins = (1000.0 * logistic(score / 500.0)).round() as usize;
            pairs.extend((0..1000).map(|index| (score, f64::from(u8::from(index < wins)))));
        }
        let scale = best_scale(&pairs);
        assert!((scale - 500.0).abs() < 5.0, "{scale}");
        assert!(log_loss(&pairs, scale) < log_loss(&pairs, 300.0));
    }
}

//! Loss functions over the scores of a choice.

use super::choices::Choice;

/// What a linear model minimises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// The cross-entropy of played against other candidates, both classes with the same weight.
    Logistic,
    /// The hinge loss with the same weights.
    Hinge,
    /// The negative logarithm of the probability that softmax gives to the played candidates.
    Softmax,
}

impl Loss {
    /// Replaces the scores of a choice by the derivatives of its loss, and returns the loss.
    pub(super) fn differentiate(self, choice: &Choice, scores: &mut [f32], bias: f32) -> f32 {
        let played = choice.played as usize;
        match self {
            Self::Softmax => softmax(scores, played, choice.weight),
            Self::Logistic => classify(scores, played, bias, |margin| {
                let error = 1.0 / (1.0 + margin.exp());
                ((-margin).exp().ln_1p(), -error)
            }),
            Self::Hinge => {
                classify(
                    scores,
                    played,
                    bias,
                    |margin| {
                        if margin < 1.0 { (1.0 - margin, -1.0) } else { (0.0, 0.0) }
                    },
                )
            }
        }
    }

    /// Whether the scores need a constant, which does not change their order.
    pub(super) const fn has_bias(self) -> bool {
        !matches!(self, Self::Softmax)
    }
}

/// Sampled alternatives stand for `weight` others each, which corrects the estimate of the sum over all.
fn softmax(scores: &mut [f32], played: usize, weight: f32) -> f32 {
    let largest = scores.iter().copied().fold(f32::MIN, f32::max);
    let mut total = 0.0;
    for (index, score) in scores.iter_mut().enumerate() {
        *score = (*score - largest).exp() * if index < played { 1.0 } else { weight };
        total += *score;
    }
    let good: f32 = scores[..played].iter().sum();
    for (index, score) in scores.iter_mut().enumerate() {
        let target = if index < played { *score / good.max(f32::MIN_POSITIVE) } else { 0.0 };
        *score = *score / total - target;
    }
    -(good / total).max(f32::MIN_POSITIVE).ln()
}

/// `loss` gives the loss of a margin and its derivative.
fn classify(scores: &mut [f32], played: usize, bias: f32, loss: impl Fn(f32) -> (f32, f32)) -> f32 {
    let others = scores.len() - played;
    let mut total = 0.0;
    for (index, score) in scores.iter_mut().enumerate() {
        let (sign, class) = if index < played { (1.0, played) } else { (-1.0, others) };
        let (value, slope) = loss(sign * (*score + bias));
        let weight = 0.5 / class.max(1) as f32;
        total += weight * value;
        *score = weight * sign * slope;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(played: u32, weight: f32) -> Choice {
        Choice { first: 0, end: 4, played, weight, game: 0, decision: 0 }
    }

    #[test]
    fn derivatives_match_differences() {
        let scores = [0.3, -0.2, 0.9, 0.1f32];
        for (loss, played, weight) in [
            (Loss::Softmax, 1, 1.0),
            (Loss::Softmax, 2, 30.0),
            (Loss::Logistic, 1, 5.0),
            (Loss::Hinge, 2, 1.0),
        ] {
            let choice = choice(played, weight);
            let value = |scores: [f32; 4]| loss.differentiate(&choice, &mut scores.clone(), 0.1);
            let mut slopes = scores;
            loss.differentiate(&choice, &mut slopes, 0.1);
            for index in 0..4 {
                let moved = |by: f32| {
                    let mut scores = scores;
                    scores[index] += by;
                    value(scores)
                };
                let expected = (moved(1e-2) - moved(-1e-2)) / 2e-2;
                assert!((slopes[index] - expected).abs() < 2e-3, "{loss:?} {index}: {slopes:?} {expected}");
            }
        }
    }

    #[test]
    fn softmax_of_equal_scores_is_the_share_of_all_alternatives() {
        // One played, three sampled out of 99.
        let loss = Loss::Softmax.differentiate(&choice(1, 33.0), &mut [0.0; 4], 0.0);
        assert!((loss - 100f32.ln()).abs() < 1e-5, "{loss}");
    }
}

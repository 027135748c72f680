//! Naive Bayes with binary features [Phase §5.1].

use super::OrderingError;
use super::parallel::Workload;
use super::trainer::{Trainer, TrainingSet};

/// Multivariate Bernoulli naive Bayes with Laplace smoothing: the score of a turn is the logarithm of the posterior odds
/// that it is played, up to a constant.
///
/// With several phases, each has its own counts, to which a board contributes its share, and the score is the mean of the
/// phases' scores by the shares of the board. With hard phases these are separate models.
#[derive(Clone, Copy, Debug)]
pub struct NaiveBayes;

/// How often each feature holds, in candidates that were played or not.
struct Counts {
    features: Vec<f64>,
    candidates: f64,
}

impl Counts {
    fn new(dimension: usize) -> Self {
        Self { features: vec![0.0; dimension], candidates: 0.0 }
    }

    fn add(&mut self, features: &[u16], weight: f64) {
        self.candidates += weight;
        for &feature in features {
            self.features[usize::from(feature)] += weight;
        }
    }

    /// The smoothed probability of a feature.
    fn probability(&self, feature: usize) -> f64 {
        (self.features[feature] + 1.0) / (self.candidates + 2.0)
    }
}

impl Trainer for NaiveBayes {
    fn fit(&self, data: &TrainingSet<'_>, work: &Workload<'_>) -> Result<Vec<f32>, OrderingError> {
        let dimension = data.mask.len();
        let mut counts: Vec<[Counts; 2]> =
            (0..data.phases).map(|_| [Counts::new(dimension), Counts::new(dimension)]).collect();
        for (done, &index) in data.selected.iter().enumerate() {
            if work.stop.should_stop() {
                return Err(OrderingError::Stopped);
            }
            let choice = data.choices.choice(index as usize);
            for (phase, &share) in data.shares(index).iter().enumerate().filter(|(_, share)| **share > 0.0) {
                for row in choice.rows() {
                    let played = choice.is_played(row);
                    // Several played candidates stand for one choice.
                    let weight = if played { 1.0 / choice.played as f32 } else { choice.weight };
                    counts[phase][usize::from(played)]
                        .add(data.choices.features(row), f64::from(weight * share));
                }
            }
            (work.progress)(done + 1, data.selected.len());
        }
        if counts.iter().all(|[others, _]| others.candidates == 0.0) {
            return Err(OrderingError::SingleClass("alternatives"));
        }
        Ok(counts.iter().flat_map(|counts| weights(counts, data.mask)).collect())
    }
}

/// What each feature adds to the logarithm of the odds if it holds, compared with if it does not.
fn weights<'a>([others, played]: &'a [Counts; 2], mask: &'a [bool]) -> impl Iterator<Item = f32> + 'a {
    mask.iter().enumerate().map(move |(feature, &selected)| {
        let [p0, p1] = [others, played].map(|counts| counts.probability(feature));
        if selected { ((p1 / p0).ln() - ((1.0 - p1) / (1.0 - p0)).ln()) as f32 } else { 0.0 }
    })
}

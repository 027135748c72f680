//! A linear model: a weight for each feature in each phase.

use surus_rules::{Board, Side};

use super::layout::FeatureKind;
use super::model_file::ModelInfo;
use super::phases::{PhaseAssignment, Phases};
use crate::eval::network::Network;

/// Weights that rank turns or actions: the score of a candidate is the sum of the weights of its features.
///
/// Weights are integers: a score is an exact sum, the same on every machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    pub(super) info: ModelInfo,
    /// Phase after phase.
    pub(super) weights: Vec<i16>,
    /// The value of one unit of a weight.
    pub(super) unit: f32,
    /// Scores the boards after turns, in addition.
    pub(super) network: Option<Network>,
}

/// What a network's score of 1 subtracts from a logit; see [`Model::with_network`].
pub const NETWORK_UNIT: f32 = 1e-3;

/// The largest absolute weight in a file.
const MAX_WEIGHT: f32 = 30_000.0;

impl Model {
    /// Rounds fitted weights, phase after phase.
    ///
    /// # Panics
    /// If there is not one weight for each feature and phase.
    #[must_use]
    pub fn from_fitted(info: ModelInfo, fitted: &[f32]) -> Self {
        let expected = info.kind.layout().dimension() * info.phases.count();
        assert_eq!(fitted.len(), expected, "a weight for each feature and phase");
        let largest = fitted.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        let unit = if largest > 0.0 { largest / MAX_WEIGHT } else { 1.0 };
        let weights = fitted.iter().map(|weight| (weight / unit).round() as i16).collect();
        Self { info, weights, unit, network: None }
    }

    /// Adds a network that scores the boards after turns, in thousandths, for the side to move there.
    #[must_use]
    pub fn with_network(self, network: Network) -> Self {
        Self { network: Some(network), ..self }
    }

    /// The network, if there is one.
    #[must_use]
    pub const fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// What the network adds to the logit of a turn of `mover` that leads to a board.
    #[must_use]
    pub fn network_logit(&self, after: &Board, mover: Side) -> f32 {
        let score = |network: &Network| network.evaluate(after, mover.other());
        self.network.as_ref().map_or(0.0, |network| -NETWORK_UNIT * score(network) as f32)
    }

    /// Where it comes from.
    #[must_use]
    pub const fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// What it ranks.
    #[must_use]
    pub const fn kind(&self) -> FeatureKind {
        self.info.kind
    }

    /// The assignment of boards to phases.
    #[must_use]
    pub const fn phases(&self) -> &Phases {
        &self.info.phases
    }

    /// The weights for the turns or actions from a board.
    #[must_use]
    pub fn scorer(&self, board: &Board) -> Scorer {
        let shares = self.info.phases.shares(board);
        let dimension = self.info.kind.layout().dimension();
        let mut sums = vec![0.0f32; dimension];
        for (weights, &share) in self.weights.chunks_exact(dimension.max(1)).zip(&shares) {
            if share > 0.0 {
                sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += share * f32::from(weight));
            }
        }
        Scorer { weights: sums.into_iter().map(|sum| sum.round() as i32).collect(), unit: self.unit }
    }
}

/// The weights of a model for one position.
#[derive(Clone, PartialEq, Debug)]
pub struct Scorer {
    weights: Vec<i32>,
    unit: f32,
}

impl Scorer {
    /// The score of a candidate, in units of the model.
    #[inline]
    #[must_use]
    pub fn score(&self, features: &[u16]) -> i32 {
        features.iter().map(|&feature| self.weights.get(usize::from(feature)).copied().unwrap_or(0)).sum()
    }

    /// What a feature adds to the logarithm of the odds.
    #[must_use]
    pub fn contribution(&self, feature: u16) -> f32 {
        self.logit(self.weights.get(usize::from(feature)).copied().unwrap_or(0))
    }

    /// A score as the logarithm of odds.
    #[must_use]
    pub fn logit(&self, score: i32) -> f32 {
        score as f32 * self.unit
    }
}

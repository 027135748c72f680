//! Training and evaluation of ordering models [Phase §5].
//!
//! A decision is a position with the turn played in it; its other distinct turns are generated again when they are needed.
//! A [`Trainer`] fits weights to the [`ChoiceSet`] of the training games, and [`evaluate`] ranks all distinct turns of the
//! test games. Every split is by game.

mod choices;
mod dataset;
mod error;
mod evaluation;
mod linear;
mod loss;
mod naive_bayes;
mod parallel;
mod sampling;
mod splits;
mod summary;
#[cfg(test)]
mod tests;
mod trainer;
mod turn_choices;
mod validation;

pub use choices::ChoiceSet;
pub use dataset::{Dataset, DecisionGame, POSITIONS_KIND, TurnDecision};
pub use error::OrderingError;
pub use evaluation::{Outcome, PlayedRank, evaluate};
pub use linear::{LinearConfig, LinearTrainer};
pub use loss::Loss;
pub use naive_bayes::NaiveBayes;
pub use parallel::Workload;
pub use sampling::Sampling;
pub use splits::{folds, holdout};
pub use summary::{Estimate, Histogram, Summary};
pub use trainer::{Method, ModelSpec, Trainer, TrainingSet, UnknownMethod};
pub use turn_choices::NetworkSampling;
pub use validation::{CrossValidation, cross_validate};

//! Tunes the evaluation weights on labelled positions: logistic loss against search scores and results.
//!
//! The evaluation is linear in its parameters ([`surus_engine::eval::trace`]), so the gradient is exact. Weights are
//! floating-point numbers during the fit and rounded to millirabbits when written.

mod dataset;
mod decision_loss;
mod fit;
mod logistic;
#[cfg(test)]
mod tests;

pub use dataset::{Comparisons, Dataset, PositionFilter, Traces};
pub use decision_loss::DecisionLoss;
pub use fit::{Fit, FitConfig, fit};
pub(crate) use logistic::cross_entropy;
pub use logistic::{best_scale, log_loss, logistic};

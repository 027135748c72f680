//! Fits the evaluation's table to self-play: logistic loss of search score and result, all parameters at once.
//!
//! The evaluation is linear in its parameters ([`surus_engine::eval::trace`]), so the gradient is exact. Numbers with
//! fractions live here only; what is written back are whole thousandths of a rabbit.

mod dataset;
mod decision_loss;
mod fit;
#[cfg(test)]
mod tests;

pub use dataset::{Comparisons, Dataset, PositionFilter, Traces};
pub use decision_loss::DecisionLoss;
pub use fit::{Fit, FitConfig, fit};

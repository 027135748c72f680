//! Training of the network that evaluates boards ([`surus_engine::eval::network`]): gradient descent on the
//! cross-entropy of win probabilities, in floating point; the result is rounded to integers.

mod adam_w;
mod boards;
mod checkpoint;
mod examples;
mod forward;
mod params;
mod positions;
#[cfg(test)]
mod tests;
mod trainer;
mod turns;

pub use checkpoint::CheckpointError;
pub use positions::{PositionSettings, Positions, TrainingSet, Validation, usable_score};
pub use trainer::{EpochReport, TrainingError, TrainingEvent, TrainingSettings, train, train_choices};
pub use turns::TurnChoices;

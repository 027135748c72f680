//! Engines against each other: matches, tournaments, ratings, sequential tests, test suites.

mod crosstable;
mod fit;
mod llr;
mod normal;
mod ratings;
mod report;
mod scale;
mod sprt;
mod standing;
mod stats;

pub use crosstable::Crosstable;
pub use ratings::{Rated, RatingError, RatingOptions, Ratings, Scale, rate};
pub use report::{Report, SprtSummary, Summary};
pub use sprt::{Sprt, SprtError, SprtModel, SprtState};
pub use standing::Unbounded;
pub use stats::{Estimate, Outcome, Pairs, Tally, elo_of_score, score_of_elo};

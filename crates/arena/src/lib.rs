//! Engines against each other: matches, tournaments, ratings, sequential tests, test suites.

mod llr;
mod normal;
mod report;
mod sprt;
mod stats;

pub use report::{Report, SprtSummary, Summary};
pub use sprt::{Sprt, SprtError, SprtModel, SprtState};
pub use stats::{Estimate, Outcome, Pairs, Tally, elo_of_score, score_of_elo};

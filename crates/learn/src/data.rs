//! Statistics, validation, merging and shuffling of packed data files.
//!
//! All operations stream: only a small part of the samples is in memory at any time.

mod check;
mod inputs;
mod locations;
mod merge;
mod shuffle;
mod stats;
mod validate;

pub use check::{DataCheckReport, check};
pub use inputs::{DataError, InputFiles, Skipped};
pub use merge::merge;
pub use shuffle::shuffle;
pub use stats::{Bin, Stats, stats};

/// The contents of a file written by [`merge`] or [`shuffle`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WriteSummary {
    /// Games written.
    pub games: u64,
    /// Samples written.
    pub positions: u64,
    /// Copies of games that occur more than once, which were dropped.
    pub duplicates: u64,
    /// Corrupt input that was skipped.
    pub skipped: Skipped,
}

//! Work on files of packed records: what is in them, whether they are sound, joining and shuffling them.
//!
//! All of it streams: no more than a small part of the records is in memory at any time.

mod check;
mod inputs;
mod merge;
mod shuffle;
mod stats;

pub use check::{DataCheckReport, check};
pub use inputs::{DataError, InputFiles, Skipped};
pub use merge::merge;
pub use shuffle::shuffle;
pub use stats::{Bin, Stats, stats};

/// A file that was made of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WriteSummary {
    /// Games in it.
    pub games: u64,
    /// Records in it.
    pub positions: u64,
    /// Games that stood in the files more than once; one of each is kept.
    pub duplicates: u64,
    /// What was damaged.
    pub skipped: Skipped,
}

//! Work on files of packed records: what is in them, whether they are sound, joining and shuffling them.
//!
//! All of it streams: no more than a small part of the records is in memory at any time.

mod check;
mod inputs;
mod merge;
mod shuffle;
mod stats;

pub use check::{Checked, check};
pub use inputs::{DataError, Inputs, Skipped};
pub use merge::{Merged, merge};
pub use shuffle::{Shuffled, shuffle};
pub use stats::{Bin, Stats, stats};

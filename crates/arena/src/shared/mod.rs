//! A run that several processes work on, usually on several machines with a common file system.
//!
//! The pairs of the schedule are cut into numbered blocks. A task claims the next free block, plays it, and saves its
//! games in a run directory of its own, `tasks/I`. A task that was killed and starts again finishes the blocks that it had
//! claimed. Blocks can be played in any order and even twice: of a game in several journals, the one of the lowest task counts.

mod claims;
mod journals;
mod queue;
mod shared_test;

use std::path::{Path, PathBuf};

pub use claims::{ClaimError, Claims};
pub use journals::{TaskJournals, collect, task_dir};
pub(crate) use queue::BlockQueue;

use crate::sprt::Sprt;

/// The part of one task in a shared run.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedTask {
    /// Directory of the run.
    pub run: PathBuf,
    /// Number of the task, from 1.
    pub task: u64,
    /// Number of tasks.
    pub tasks: u64,
    /// Pairs in a block.
    pub block_pairs: u64,
    /// The sequential test that ends the run, if any.
    pub sprt: Option<Sprt>,
}

/// The largest block of a match or tournament, and of a sequential test, whose decision waits for the oldest block.
const MAX_BLOCK_PAIRS: u64 = 50;
const MAX_SPRT_BLOCK_PAIRS: u64 = 4;
/// About this number of blocks per task, so that tasks of unequal speed end together.
const BLOCKS_PER_TASK: u64 = 20;

/// A suitable number of pairs in a block.
#[must_use]
pub fn block_pairs(pairs: u64, tasks: u64, sequential: bool) -> u64 {
    let largest = if sequential { MAX_SPRT_BLOCK_PAIRS } else { MAX_BLOCK_PAIRS };
    (pairs / (tasks.max(1) * BLOCKS_PER_TASK)).clamp(1, largest)
}

/// The directory of the claims.
fn blocks_dir(run: &Path) -> PathBuf {
    run.join("blocks")
}

//! Tree parallelisation: all threads in one lock-free tree, with virtual losses.

use std::thread;

use super::{Budget, StopCheck, run_worker};
use crate::mcts::history::History;
use crate::mcts::simulation::Search;
use crate::mcts::worker::Worker;

/// Runs all threads in one tree; only the first checks the clock.
///
/// Each thread has its own history if there are enough of them: every action reads and writes it, which would cause
/// contention.
pub(crate) fn run_tree_parallel(
    search: &Search<'_>,
    histories: &[History],
    workers: &mut [Worker],
    budget: &Budget,
    stop_check: StopCheck<'_>,
) {
    let mut pairs = histories.iter().cycle().zip(workers);
    let Some((history, first)) = pairs.next() else { return };
    thread::scope(|scope| {
        for (history, worker) in pairs {
            scope.spawn(move || run_worker(&Search { history, ..*search }, worker, budget, &mut |_| false));
        }
        run_worker(&Search { history, ..*search }, first, budget, stop_check);
    });
}

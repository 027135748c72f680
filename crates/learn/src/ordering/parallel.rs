//! Work on many items with several threads, whose results do not depend on the number of threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use surus_play::StopToken;

use super::OrderingError;

/// How to work: the number of threads, whether to stop, and who follows the progress.
#[derive(Clone, Copy)]
pub struct Workload<'a> {
    /// The number of threads.
    pub threads: usize,
    /// Checked between items.
    pub stop: &'a StopToken,
    /// Called with the finished and the total number of items.
    pub progress: &'a dyn Fn(usize, usize),
}

impl std::fmt::Debug for Workload<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workload").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// The results for all items in their order.
pub(super) fn parallel_map<T: Sync, R: Send>(
    items: &[T],
    work: &Workload<'_>,
    function: impl Fn(&T) -> R + Sync,
) -> Result<Vec<R>, OrderingError> {
    let next = AtomicUsize::new(0);
    let (sender, results) = channel();
    let mut found: Vec<Option<R>> = items.iter().map(|_| None).collect();
    thread::scope(|scope| {
        let stop = work.stop;
        let (next, function) = (&next, &function);
        let workers: Vec<_> = (0..work.threads.max(1))
            .map(|_| {
                let sender = sender.clone();
                scope.spawn(move || {
                    while !stop.should_stop() {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = items.get(index) else { break };
                        if sender.send((index, function(item))).is_err() {
                            break;
                        }
                    }
                })
            })
            .collect();
        drop(sender);
        for (finished, (index, result)) in (1..).zip(results) {
            found[index] = Some(result);
            (work.progress)(finished, items.len());
        }
        workers.into_iter().for_each(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
    });
    let complete: Option<Vec<R>> = found.into_iter().collect();
    complete.ok_or(OrderingError::Stopped)
}

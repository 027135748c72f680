//! How threads work together: all in one tree, or each in its own.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use super::search::Search;
use super::worker::Worker;

/// How long to go on.
#[derive(Debug)]
pub(crate) struct Budget {
    /// Simulations that have been begun.
    begun: AtomicU64,
    most: u64,
    pub(crate) over: AtomicBool,
}

impl Budget {
    pub(crate) const fn new(most: u64) -> Self {
        Self { begun: AtomicU64::new(0), most, over: AtomicBool::new(false) }
    }

    /// Whether another simulation may begin.
    #[inline]
    pub(crate) fn take(&self) -> bool {
        !self.over.load(Relaxed) && self.begun.fetch_add(1, Relaxed) < self.most
    }

    /// Simulations that were allowed.
    pub(crate) fn begun(&self) -> u64 {
        self.begun.load(Relaxed).min(self.most)
    }
}

/// How many simulations are made between two looks at the clock.
pub(crate) const BETWEEN: u64 = 64;

/// One thread's work until the budget is used up, the tree is full, or it is told to stop. `look` is asked now and then.
pub(crate) fn work(
    search: &Search<'_>,
    worker: &mut Worker,
    budget: &Budget,
    look: &mut dyn FnMut() -> bool,
) {
    let mut done = 0;
    while !search.tree.full.load(Relaxed) {
        if done % BETWEEN == 0 && look() {
            budget.over.store(true, Relaxed);
        }
        // A tree that is decided needs no more.
        if search.config.solver && search.tree.node(0).proof().is_some() {
            budget.over.store(true, Relaxed);
        }
        if !budget.take() {
            return;
        }
        search.simulate(worker);
        done += 1;
    }
}

/// Tree parallelisation: all threads in one tree; only the first looks at the clock.
pub(crate) fn in_one_tree(
    search: &Search<'_>,
    workers: &mut [Worker],
    budget: &Budget,
    look: &mut dyn FnMut() -> bool,
) {
    let Some((first, others)) = workers.split_first_mut() else { return };
    thread::scope(|scope| {
        for worker in others {
            scope.spawn(move || work(search, worker, budget, &mut || false));
        }
        work(search, first, budget, look);
    });
}

//! How threads work together (4.8.1).
//!
//! - One tree for all, with virtual losses and no lock: [`run_tree_parallel`].
//! - A tree for each, put together at the end: [`run_root_parallel`].
//! - A tree for each, with a master tree in between: [`island`].
//! - One tree and one thread that goes down it; the others only make playouts: [`run_leaf_parallel`].

mod island;
mod leaf;
mod root;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

pub(crate) use leaf::run_leaf_parallel;
pub(crate) use root::{merge_tree, run_root_parallel};

use super::history::History;
use super::simulation::Search;
use super::tree::Tree;
use super::worker::Worker;

/// How long to go on.
#[derive(Debug)]
#[repr(align(128))]
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

    /// How many simulations there were.
    pub(crate) fn begun(&self) -> u64 {
        self.begun.load(Relaxed).min(self.most)
    }

    /// Whether another simulation may begin.
    #[inline]
    pub(crate) fn take(&self) -> bool {
        !self.over.load(Relaxed) && self.begun.fetch_add(1, Relaxed) < self.most
    }

    /// Ends it for all threads.
    pub(crate) fn end(&self) {
        self.over.store(true, Relaxed);
    }
}

/// A tree and a history of one thread alone.
#[derive(Debug)]
pub(crate) struct ThreadTree {
    pub(crate) tree: Tree,
    pub(crate) history: History,
}

/// How many simulations are made between two looks at the clock.
const CHECK_INTERVAL: u64 = 64;

/// What the first thread does now and then: says whether it is time to end.
pub(crate) type StopCheck<'a> = &'a mut dyn FnMut(&Search<'_>) -> bool;

/// One thread's work until the budget is used up, the tree is full, the master has to grow, or it is told to stop.
pub(crate) fn run_worker(search: &Search<'_>, worker: &mut Worker, budget: &Budget, look: StopCheck<'_>) {
    let mut done = 0;
    while !search.tree.full.load(Relaxed) && !search.master.is_some_and(Tree::must_grow) {
        if done % CHECK_INTERVAL == 0 && look(search) {
            budget.end();
        }
        // A tree that is decided needs no more.
        if search.solver_active() && search.tree.node(0).proven_winner().is_some() {
            budget.end();
        }
        if !budget.take() {
            break;
        }
        search.simulate(worker);
        done += 1;
    }
    worker.updates.flush(search.tree);
}

/// All threads in one tree; only the first looks at the clock.
///
/// Each has a history of its own as long as there are as many: every step reads and writes it, and threads would wait for
/// each other's lines.
pub(crate) fn run_tree_parallel(
    search: &Search<'_>,
    histories: &[History],
    workers: &mut [Worker],
    budget: &Budget,
    look: StopCheck<'_>,
) {
    let mut pairs = histories.iter().cycle().zip(workers);
    let Some((history, first)) = pairs.next() else { return };
    thread::scope(|scope| {
        for (history, worker) in pairs {
            scope.spawn(move || run_worker(&Search { history, ..*search }, worker, budget, &mut |_| false));
        }
        run_worker(&Search { history, ..*search }, first, budget, look);
    });
}

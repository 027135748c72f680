//! Parallel models [Akimot §4.8.1].
//!
//! - Tree: one lock-free tree with virtual losses, [`run_tree_parallel`].
//! - Root: a tree per thread, merged at the end, [`run_root_parallel`].
//! - Island: a tree per thread, synchronised with a master tree, [`island`].
//! - Leaf: one thread descends the tree, the others only run playouts, [`run_leaf_parallel`].

mod island;
mod leaf;
mod root;
mod tree;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

pub(crate) use leaf::run_leaf_parallel;
pub(crate) use root::{merge_tree, run_root_parallel};
pub(crate) use tree::run_tree_parallel;

use super::history::History;
use super::simulation::Search;
use super::tree::Tree;
use super::worker::Worker;

/// The simulations of a search.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Budget {
    /// Simulations started.
    started: AtomicU64,
    max_playouts: u64,
    pub(crate) stopped: AtomicBool,
}

impl Budget {
    pub(crate) const fn new(max_playouts: u64) -> Self {
        Self { started: AtomicU64::new(0), max_playouts, stopped: AtomicBool::new(false) }
    }

    /// The number of simulations started.
    pub(crate) fn started(&self) -> u64 {
        self.started.load(Relaxed).min(self.max_playouts)
    }

    /// Whether another simulation may start.
    #[inline]
    pub(crate) fn take(&self) -> bool {
        !self.stopped.load(Relaxed) && self.started.fetch_add(1, Relaxed) < self.max_playouts
    }

    /// Stops all threads.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }
}

/// The tree and the history of one thread.
#[derive(Debug)]
pub(crate) struct ThreadTree {
    pub(crate) tree: Tree,
    pub(crate) history: History,
}

/// Simulations between two checks of the clock.
const CHECK_INTERVAL: u64 = 64;

/// Called regularly by the first thread; returns whether to stop.
pub(crate) type StopCheck<'a> = &'a mut dyn FnMut(&Search<'_>) -> bool;

/// Runs simulations until the budget is used up, the tree is full, the master must grow, or `stop_check` returns
/// true.
pub(crate) fn run_worker(
    search: &Search<'_>,
    worker: &mut Worker,
    budget: &Budget,
    stop_check: StopCheck<'_>,
) {
    let mut done = 0;
    while !search.tree.full.load(Relaxed) && !search.master.is_some_and(Tree::must_grow) {
        if done % CHECK_INTERVAL == 0 && stop_check(search) {
            budget.stop();
        }
        // A decided tree needs no more simulations.
        if search.solver_active() && search.tree.node(0).proven_winner().is_some() {
            budget.stop();
        }
        if !budget.take() {
            break;
        }
        search.simulate(worker);
        done += 1;
    }
    worker.updates.flush(search.tree);
}

//! Lazy SMP: several threads search the same root and share results through the transposition table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use surus_play::{Info, Job};
use surus_rules::Turn;

use super::features::FeatureSet;
use super::history::HistoryTables;
use super::iterative_deepening::IterativeDeepening;
use super::levels::Level;
use super::params::Params;
use super::root::RootBranch;
use super::search::{Search, SearchSettings};
use super::tt::TranspositionTable;
use crate::eval::Evaluate;
use crate::ordering::Scorer;

/// A job with everything that its threads need.
#[derive(Debug)]
pub(crate) struct LazySmp<'a, E, F> {
    pub(crate) job: &'a Job,
    /// Cloned for each thread.
    pub(crate) eval: E,
    pub(crate) level: Level,
    pub(crate) features: F,
    pub(crate) params: Params,
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) started: Instant,
    /// The model that ranks actions inside the tree, if there is one.
    pub(crate) policy: Option<Scorer>,
    /// The best-ranked turns of the root; empty to search all turns.
    pub(crate) ranked: Vec<RootBranch>,
}

impl<E: Evaluate, F: FeatureSet> LazySmp<'_, E, F> {
    /// Runs one thread per history: the first decides, the others fill the transposition table until it is done.
    pub(crate) fn run(&self, histories: &mut [HistoryTables], report: &mut dyn FnMut(Info)) -> Option<Turn> {
        let node_limit = self.job.limits.nodes.unwrap_or(u64::MAX).min(self.level.nodes);
        let (first, helpers) = histories.split_first_mut()?;
        if helpers.is_empty() {
            return self.thread(first, node_limit, None, 0).run(report);
        }
        let shared = &SharedSearch::new(node_limit);
        thread::scope(|scope| {
            let _stop_helpers = StopOnDrop(shared);
            for (thread_id, history) in (1..).zip(helpers) {
                let helper = self.thread(history, u64::MAX, Some(shared), thread_id);
                // If a thread cannot be spawned the search is slower, not wrong.
                let _ = thread::Builder::new().spawn_scoped(scope, || helper.run(&mut |_| {}));
            }
            self.thread(first, u64::MAX, Some(shared), 0).run(report)
        })
    }

    fn thread<'b>(
        &'b self,
        history: &'b mut HistoryTables,
        node_limit: u64,
        shared: Option<&'b SharedSearch>,
        thread_id: u32,
    ) -> IterativeDeepening<'b, E, F> {
        let job = self.job;
        let settings = SearchSettings {
            tt: self.tt,
            stop: &job.stop,
            shared,
            features: self.features,
            params: self.params,
            tactical_depth: self.level.tactical_depth,
            multi_pv: job.multi_pv > 1,
            policy: self.policy.as_ref(),
            node_limit,
            // Only the first thread manages the time.
            soft_limit_percent: if thread_id == 0 { 100 } else { u32::MAX },
        };
        let search = Search::new(&job.game, self.eval.clone(), history, settings);
        IterativeDeepening::new(job, search, self.started, thread_id, self.level.depth, &self.ranked)
    }
}

/// What the threads of a search share besides the transposition table.
#[derive(Debug)]
pub(crate) struct SharedSearch {
    nodes: AtomicU64,
    node_limit: u64,
    stopped: AtomicBool,
}

impl SharedSearch {
    pub(crate) const fn new(node_limit: u64) -> Self {
        Self { nodes: AtomicU64::new(0), node_limit, stopped: AtomicBool::new(false) }
    }

    /// Adds the nodes of a thread since its last call; returns whether the search is stopped.
    pub(crate) fn add_nodes(&self, nodes: u64) -> bool {
        let before = self.nodes.fetch_add(nodes, Relaxed);
        before.saturating_add(nodes) >= self.node_limit || self.stopped.load(Relaxed)
    }

    /// The nodes of all threads that were added so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// Stops the search of all threads when it is dropped, so that helpers are not waited for, even after a panic.
#[derive(Debug)]
pub(crate) struct StopOnDrop<'a>(pub(crate) &'a SharedSearch);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_stops_at_the_node_limit_or_with_its_guard() {
        let shared = SharedSearch::new(1000);
        assert!(!shared.add_nodes(512));
        assert!(shared.add_nodes(512));
        assert_eq!(shared.nodes(), 1024);
        let shared = SharedSearch::new(u64::MAX);
        let guard = StopOnDrop(&shared);
        assert!(!shared.add_nodes(512));
        drop(guard);
        assert!(shared.add_nodes(0));
    }
}

//! Several threads search the same root and share what they find through the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use surus_play::{Info, Job};
use surus_rules::Turn;

use super::features::Features;
use super::history::HistoryTables;
use super::iterative_deepening::IterativeDeepening;
use super::levels::Level;
use super::search::Search;
use super::tt::TranspositionTable;
use crate::eval::Evaluate;

/// All that one thread or multi_pv need to search a job.
#[derive(Debug)]
pub(crate) struct LazySmp<'a, E> {
    pub(crate) job: &'a Job,
    /// Cloned for each thread.
    pub(crate) eval: E,
    pub(crate) level: Level,
    pub(crate) features: Features,
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) started: Instant,
}

impl<E: Evaluate> LazySmp<'_, E> {
    /// One thread for each history: the first decides, the others fill the table for it until it is done.
    pub(crate) fn run(&self, histories: &mut [HistoryTables], report: &mut dyn FnMut(Info)) -> Option<Turn> {
        let node_limit = self.job.limits.nodes.unwrap_or(u64::MAX).min(self.level.nodes);
        let (first, helpers) = histories.split_first_mut()?;
        if helpers.is_empty() {
            return self.deepening(first, node_limit, None, 0).run(report);
        }
        let shared = &SharedSearch::new(node_limit);
        thread::scope(|scope| {
            let _lead = StopOnDrop(shared);
            for (number, history) in (1..).zip(helpers) {
                let help = self.deepening(history, u64::MAX, Some(shared), number);
                // With a thread less the search is slower, not wrong.
                let _ = thread::Builder::new().spawn_scoped(scope, || help.run(&mut |_| {}));
            }
            self.deepening(first, u64::MAX, Some(shared), 0).run(report)
        })
    }

    fn deepening<'b>(
        &'b self,
        history: &'b mut HistoryTables,
        node_limit: u64,
        shared: Option<&'b SharedSearch>,
        number: u32,
    ) -> IterativeDeepening<'b, E> {
        let job = self.job;
        let mut search = Search::new(&job.game, self.eval.clone(), (self.tt, history), &job.stop, node_limit);
        search.shared = shared;
        search.features = self.features;
        search.tactical_depth = self.level.tactical_depth;
        search.multi_pv = 1 < job.lines;
        if number != 0 {
            // The first thread alone knows how much of its time a turn is worth.
            search.soft_limit_percent = u32::MAX;
        }
        IterativeDeepening::new(job, search, self.started, (number, self.level.depth))
    }
}

/// What the threads of one search share besides the table.
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

    /// Counts the nodes that a thread has looked at since it told last, and says whether the search is stopped.
    pub(crate) fn add_nodes(&self, nodes: u64) -> bool {
        let before = self.nodes.fetch_add(nodes, Relaxed);
        self.node_limit <= before.saturating_add(nodes) || self.stopped.load(Relaxed)
    }

    /// The nodes of all threads, as far as they were told.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// Ends the search of all threads when it is dropped, so that nobody waits for a helper, not even after a panic.
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
    fn a_crowd_is_over_with_its_nodes_or_its_lead() {
        let shared = SharedSearch::new(1000);
        assert!(!shared.add_nodes(512));
        assert!(shared.add_nodes(512));
        assert_eq!(shared.nodes(), 1024);
        let shared = SharedSearch::new(u64::MAX);
        let lead = StopOnDrop(&shared);
        assert!(!shared.add_nodes(512));
        drop(lead);
        assert!(shared.add_nodes(0));
    }
}

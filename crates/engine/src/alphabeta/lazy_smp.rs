//! Several threads search the same root and share what they find through the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use surus_play::{Info, Job};
use surus_rules::Turn;

use super::features::Features;
use super::history::Memory;
use super::iterative_deepening::Deepening;
use super::levels::Level;
use super::search::Search;
use super::tt::Table;
use crate::eval::Evaluate;

/// All that one thread or several need to search a job.
#[derive(Debug)]
pub(crate) struct Task<'a, E> {
    pub(crate) job: &'a Job,
    /// Cloned for each thread.
    pub(crate) eval: E,
    pub(crate) level: Level,
    pub(crate) features: Features,
    pub(crate) table: &'a Table,
    pub(crate) began: Instant,
}

impl<E: Evaluate> Task<'_, E> {
    /// One thread for each memory: the first decides, the others fill the table for it until it is done.
    pub(crate) fn run(&self, memories: &mut [Memory], report: &mut dyn FnMut(Info)) -> Option<Turn> {
        let most_nodes = self.job.limits.nodes.unwrap_or(u64::MAX).min(self.level.nodes);
        let (first, helpers) = memories.split_first_mut()?;
        if helpers.is_empty() {
            return self.deepening(first, most_nodes, None, 0).run(report);
        }
        let crowd = &Crowd::new(most_nodes);
        thread::scope(|scope| {
            let _lead = Lead(crowd);
            for (number, memory) in (1..).zip(helpers) {
                let help = self.deepening(memory, u64::MAX, Some(crowd), number);
                // With a thread less the search is slower, not wrong.
                let _ = thread::Builder::new().spawn_scoped(scope, || help.run(&mut |_| {}));
            }
            self.deepening(first, u64::MAX, Some(crowd), 0).run(report)
        })
    }

    fn deepening<'b>(
        &'b self,
        memory: &'b mut Memory,
        most_nodes: u64,
        crowd: Option<&'b Crowd>,
        number: u32,
    ) -> Deepening<'b, E> {
        let job = self.job;
        let mut search =
            Search::new(&job.game, self.eval.clone(), (self.table, memory), &job.stop, most_nodes);
        search.crowd = crowd;
        search.features = self.features;
        search.care = self.level.care;
        search.several = 1 < job.lines;
        if number != 0 {
            // The first thread alone knows how much of its time a turn is worth.
            search.share = u32::MAX;
        }
        Deepening::new(job, search, self.began, (number, self.level.depth))
    }
}

/// What the threads of one search share besides the table.
#[derive(Debug)]
pub(crate) struct Crowd {
    nodes: AtomicU64,
    most_nodes: u64,
    over: AtomicBool,
}

impl Crowd {
    pub(crate) const fn new(most_nodes: u64) -> Self {
        Self { nodes: AtomicU64::new(0), most_nodes, over: AtomicBool::new(false) }
    }

    /// Counts the nodes that a thread has looked at since it told last, and says whether the search is over.
    pub(crate) fn tell(&self, nodes: u64) -> bool {
        let before = self.nodes.fetch_add(nodes, Relaxed);
        self.most_nodes <= before.saturating_add(nodes) || self.over.load(Relaxed)
    }

    /// The nodes of all threads, as far as they were told.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// Ends the search of all threads when it is dropped, so that nobody waits for a helper, not even after a panic.
#[derive(Debug)]
pub(crate) struct Lead<'a>(pub(crate) &'a Crowd);

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_over_with_its_nodes_or_its_lead() {
        let crowd = Crowd::new(1000);
        assert!(!crowd.tell(512));
        assert!(crowd.tell(512));
        assert_eq!(crowd.nodes(), 1024);
        let crowd = Crowd::new(u64::MAX);
        let lead = Lead(&crowd);
        assert!(!crowd.tell(512));
        drop(lead);
        assert!(crowd.tell(0));
    }
}

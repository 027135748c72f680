//! Several threads search the same root and share what they find through the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

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

//! Buffered updates, for several threads in one tree.
//!
//! Every simulation passes the same few nodes at the top. Updating them each time would cause contention on their
//! cache lines, so a thread collects the results of frequently visited nodes and adds several at once.

use super::tree::Tree;

/// Visits of a node per result that may be buffered.
const VISITS_PER_RESULT: u32 = 64;
/// Maximum buffered results of a node.
const MAX_RESULTS: u32 = 16;
/// Nodes that can have buffered results at the same time.
const SLOTS: usize = 64;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    node: u32,
    sum: i64,
    results: u32,
}

/// The buffered results of one thread.
#[derive(Clone, Debug)]
pub(crate) struct UpdateBuffer(Vec<Slot>);

impl UpdateBuffer {
    pub(crate) fn new() -> Self {
        Self(vec![Slot::default(); SLOTS])
    }

    /// Adds a result now or later.
    #[inline]
    pub(crate) fn add_result(&mut self, tree: &Tree, node: u32, sum: i64) {
        let allowed = (tree.node(node).visits() / VISITS_PER_RESULT).min(MAX_RESULTS);
        let slot = &mut self.0[node as usize % SLOTS];
        if slot.node != node {
            slot.flush(tree);
            slot.node = node;
        }
        slot.sum += sum;
        slot.results += 1;
        if slot.results >= allowed {
            slot.flush(tree);
        }
    }

    /// Adds all buffered results.
    pub(crate) fn flush(&mut self, tree: &Tree) {
        self.0.iter_mut().for_each(|slot| slot.flush(tree));
    }
}

impl Slot {
    fn flush(&mut self, tree: &Tree) {
        if self.results != 0 {
            tree.add_results(self.node, self.sum, self.results);
        }
        (self.sum, self.results) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::config;
    use crate::mcts::tree::TreeRole;

    #[test]
    fn results_of_well_known_nodes_are_counted_together_and_none_is_lost() {
        let config = (*config::Options::default()).clone();
        let tree = Tree::new(&config, 1 << 20, TreeRole::Standalone);
        let mut buffer = UpdateBuffer::new();
        buffer.add_result(&tree, 0, 5);
        assert_eq!(tree.node(0).visits(), 1, "a new node is updated immediately");
        tree.add_results(0, 0, VISITS_PER_RESULT * MAX_RESULTS);
        let before = tree.node(0).visits();
        for _ in 1..MAX_RESULTS {
            buffer.add_result(&tree, 0, 5);
        }
        assert_eq!(tree.node(0).visits(), before);
        buffer.add_result(&tree, 0, 5);
        assert_eq!(tree.node(0).visits(), before + MAX_RESULTS);
        buffer.add_result(&tree, 0, 5);
        buffer.flush(&tree);
        assert_eq!(tree.node(0).visits(), before + MAX_RESULTS + 1);
        assert_eq!(tree.own_sum(0), 5 * i64::from(MAX_RESULTS + 2));
    }
}

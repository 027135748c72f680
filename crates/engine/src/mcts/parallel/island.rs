//! Island parallelisation: threads work in their own trees, whose nodes are synchronised with a master tree at random
//! times.

use std::sync::atomic::Ordering::Relaxed;

use crate::common::turn_state::TurnState;
use crate::mcts::node::NONE;
use crate::mcts::simulation::Search;
use crate::mcts::worker::Worker;

impl Search<'_> {
    /// Before the children of a node are compared: synchronises them with the configured probability. If the child
    /// cache is in use, only cached children are.
    #[inline]
    pub(crate) fn maybe_sync(&self, index: u32, worker: &mut Worker) {
        if self.master.is_none() || !worker.playout.rng.gen_bool(self.config.sync_probability) {
            return;
        }
        worker.syncs += 1;
        self.sync(index);
        let node = self.tree.node(index);
        match self.cached(node) {
            Some(few) => few.for_each(|child| self.sync(child)),
            None => node.children().for_each(|child| self.sync(child)),
        }
    }

    /// Adds what is new here to the master, and what is new there to this tree.
    fn sync(&self, index: u32) {
        let (Some(master), Some(link)) = (self.master, self.tree.links.get(index as usize)) else { return };
        let there = link.master.load(Relaxed);
        if there == NONE {
            return;
        }
        let (visits, sum) = (self.tree.node(index).visits(), self.tree.own_sum(index));
        let new = (visits.wrapping_sub(link.visits.load(Relaxed)), sum - link.sum.load(Relaxed));
        master.add_results(there, new.1, new.0);
        let squares = self.tree.sum_squares_of(index);
        master.add_sum_squares(there, squares.wrapping_sub(link.sum_squares.load(Relaxed)));
        let known = (master.node(there).visits(), master.own_sum(there));
        self.tree.add_results(index, known.1 - sum, known.0.wrapping_sub(visits));
        self.tree.add_sum_squares(index, master.sum_squares_of(there).wrapping_sub(squares));
        link.sum_squares.store(self.tree.sum_squares_of(index), Relaxed);
        // Rounding errors are recorded, so that they do not accumulate.
        link.visits.store(known.0, Relaxed);
        link.sum.store(self.tree.own_sum(index), Relaxed);
        match (self.tree.node(index).proven_winner(), master.node(there).proven_winner()) {
            (Some(winner), None) => master.prove(there, winner),
            (None, Some(winner)) => self.tree.prove(index, winner),
            _ => {}
        }
    }

    /// Synchronises every node of an island at the end of a search.
    pub(crate) fn sync_all(&self) {
        if self.master.is_some() {
            for index in 0..self.tree.len() as u32 {
                self.sync(index);
            }
        }
    }

    /// Adds the children that only other islands have expanded to the nodes of the root's turn, with their results:
    /// without them a turn would seem to end there.
    pub(crate) fn complete(&self, worker: &mut Worker) {
        if self.master.is_some() {
            let mut seen = vec![false; self.tree.nodes.len()];
            self.complete_below(0, self.root.state, worker, &mut seen);
        }
    }

    fn complete_below(&self, index: u32, state: TurnState, worker: &mut Worker, seen: &mut [bool]) {
        let node = self.tree.node(index);
        if node.children().is_empty() {
            if !self.adopt_shared_children(index) && !self.expand(index, &state, worker) {
                return;
            }
            node.children().for_each(|child| self.sync(child));
        }
        // Nodes with the same position share their children.
        if std::mem::replace(&mut seen[self.tree.canonical(index) as usize], true) {
            return;
        }
        for child in node.children() {
            if self.tree.node(child).children().is_empty() && !self.has_more(child) {
                continue;
            }
            let mut below = state;
            self.apply_child(&mut below, index, child);
            if below.turn_number == state.turn_number {
                self.complete_below(child, below, worker, seen);
            }
        }
    }

    /// Whether the counterpart of a node in the master tree has children.
    fn has_more(&self, index: u32) -> bool {
        let there = self.tree.links.get(index as usize).map_or(NONE, |link| link.master.load(Relaxed));
        there != NONE && self.master.is_some_and(|master| !master.node(there).children().is_empty())
    }

    /// Links new children to their counterparts in the master tree, which are created if necessary.
    pub(crate) fn link_children(&self, index: u32) {
        let Some(master) = self.master else { return };
        let parent = self.tree.links.get(index as usize).map_or(NONE, |link| link.master.load(Relaxed));
        if parent == NONE {
            return;
        }
        let (children, there) = (self.tree.node(index).children(), master.node(parent));
        if children.is_empty() {
            return;
        }
        while there.children().is_empty() {
            if !there.try_claim_expansion() {
                // Another island is creating them, which takes less than a playout.
                std::hint::spin_loop();
                continue;
            }
            let Some(first) = master.alloc(children.len() as u32) else {
                there.release();
                return;
            };
            // Virtual visits are in both trees, or the first synchronisation would remove them.
            let start = self.start_value(self.tree.node(index), &[]);
            for (new, old) in (first..).zip(children.clone()) {
                let node = self.tree.node(old);
                master.node(new).init(node.action(), node.bias(), start);
            }
            there.set_children(first, children.len() as u32);
            master.counts.expanded.fetch_add(1, Relaxed);
        }
        if there.children().len() == children.len() {
            for (old, new) in children.zip(there.children()) {
                let link = &self.tree.links[old as usize];
                // The initial sum is not a new result.
                link.sum.store(self.tree.own_sum(old), Relaxed);
                link.master.store(new, Relaxed);
            }
        }
    }
}

//! Recycling of nodes: cold ones when the memory is used up, and unreachable ones after a turn was played.

use std::sync::atomic::Ordering::Relaxed;

use super::node::NONE;
use super::tree::Tree;

impl Tree {
    /// Keeps the most visited half: the children of nodes with too few visits are recycled.
    pub(crate) fn recycle(&mut self) {
        let before = self.len();
        let min_visits = self.find_min_visits(before / 2);
        let live = self.reachable(0, min_visits);
        self.compact(0, min_visits, &live);
        self.recycled += (before - self.len()) as u64;
    }

    /// The minimum visits, a power of two from four, such that the nodes with as many have at most `max_children`
    /// children.
    fn find_min_visits(&self, max_children: usize) -> u32 {
        // By the logarithm of the parent's visits; shared children are counted once.
        let mut children = [0; 32];
        for index in 1..self.len() as u32 {
            let (node, head) = (self.node(index), self.canonical(index));
            let row = node.children();
            if !row.is_empty() && (head == index || self.node(head).children().start != row.start) {
                children[node.visits().max(1).ilog2() as usize] += row.len();
            }
        }
        let mut sum = self.node(0).children().len() + 1;
        let mut log = 31;
        while log > 1 && sum + children[log] <= max_children {
            sum += children[log];
            log -= 1;
        }
        2 << log
    }

    /// Makes a node the root and keeps only its subtree.
    pub(crate) fn reroot(&mut self, root: u32) {
        let live = self.reachable(root, 0);
        self.compact(root, 0, &live);
        // Statistics are per search.
        self.recycled = 0;
        self.counts.reset();
    }

    /// The nodes reachable through nodes with at least `min_visits` visits.
    fn reachable(&self, root: u32, min_visits: u32) -> Vec<bool> {
        let mut live = vec![false; self.len()];
        live[root as usize] = true;
        let mut waiting = vec![root];
        while let Some(index) = waiting.pop() {
            let node = self.node(index);
            if node.visits() < min_visits && index != root {
                continue;
            }
            for child in node.children() {
                // Children are shared: each list is visited once.
                if !std::mem::replace(&mut live[child as usize], true) {
                    waiting.push(child);
                }
            }
        }
        live
    }

    fn compact(&mut self, root: u32, min_visits: u32, live: &[bool]) {
        for (index, _) in live.iter().enumerate().filter(|(_, live)| **live) {
            let node = &self.nodes[index];
            if node.visits() < min_visits && index as u32 != root {
                node.remove_children();
            }
        }
        let mut forward = vec![NONE; live.len()];
        self.relink_transpositions(live, &mut forward);
        let mut used = 1;
        forward[root as usize] = 0;
        for (index, _) in live.iter().enumerate().filter(|(index, live)| **live && *index as u32 != root) {
            forward[index] = used;
            used += 1;
        }
        let moved = |index: u32| forward.get(index as usize).copied().unwrap_or(NONE);
        let entries = self.kept_entries(live, &forward);
        // The root moves first: its new index is not above any that is still to be read.
        let rest = (0..live.len()).filter(|&index| live[index] && index as u32 != root);
        for from in std::iter::once(root as usize).chain(rest) {
            let to = forward[from] as usize;
            if to != from {
                self.nodes[to].copy_from(&self.nodes[from]);
                self.move_extras(from, to);
            }
            let node = &self.nodes[to];
            let children = node.children();
            if !children.is_empty() {
                node.move_children(moved(children.start));
            }
            for link in [&node.canonical, &node.next_transposition] {
                link.store(moved(link.load(Relaxed)), Relaxed);
            }
        }
        self.shrink_to(used as usize);
        self.refill(entries);
    }

    fn move_extras(&self, from: usize, to: usize) {
        if let (Some(source), Some(target)) = (self.links.get(from), self.links.get(to)) {
            target.master.store(source.master.load(Relaxed), Relaxed);
            target.visits.store(source.visits.load(Relaxed), Relaxed);
            target.sum.store(source.sum.load(Relaxed), Relaxed);
            target.sum_squares.store(source.sum_squares.load(Relaxed), Relaxed);
        }
        if let (Some(source), Some(target)) = (self.sum_squares.get(from), self.sum_squares.get(to)) {
            target.store(source.load(Relaxed), Relaxed);
        }
        if let (Some(source), Some(target)) = (self.rave.get(from), self.rave.get(to)) {
            target.sum.store(source.sum.load(Relaxed), Relaxed);
            target.visits.store(source.visits.load(Relaxed), Relaxed);
        }
    }

    /// Rebuilds the lists of nodes with the same position. Where the canonical node is recycled, another one replaces
    /// it, whose index is stored in `forward` at the index of the recycled node.
    fn relink_transpositions(&self, live: &[bool], forward: &mut [u32]) {
        let all = || (0..live.len() as u32).filter(|&index| live[index as usize]);
        for index in all() {
            self.node(index).next_transposition.store(NONE, Relaxed);
        }
        for index in all() {
            let node = self.node(index);
            let old = node.canonical.load(Relaxed);
            if old == NONE {
                continue;
            }
            let replacement = &mut forward[old as usize];
            if !live[old as usize] && *replacement == NONE {
                *replacement = index;
            }
            let head = if live[old as usize] { old } else { *replacement };
            let first = self.node(head);
            if head == index {
                let dead = self.node(old);
                node.sum.store(dead.sum.load(Relaxed), Relaxed);
                node.sum_count.store(dead.sum_count.load(Relaxed), Relaxed);
                node.canonical.store(NONE, Relaxed);
                continue;
            }
            node.canonical.store(head, Relaxed);
            node.next_transposition.store(first.next_transposition.load(Relaxed), Relaxed);
            first.next_transposition.store(index, Relaxed);
            let children = node.children();
            if first.children().is_empty() && !children.is_empty() {
                first.set_children(children.start, children.len() as u32);
            }
        }
    }

    /// The entries of the transposition map whose nodes or replacements survive, with their new indices.
    fn kept_entries(&self, live: &[bool], forward: &[u32]) -> Vec<(u64, u32)> {
        let new_index = |node: u32| match forward.get(node as usize).copied().unwrap_or(NONE) {
            replacement if replacement != NONE && !live[node as usize] => forward[replacement as usize],
            new_index => new_index,
        };
        let kept = || self.table.entries().map(|(key, node)| (key, new_index(node)));
        let kept = || kept().filter(|(_, node)| *node != NONE);
        let mut entries = Vec::new();
        // Counted first, so that the list allocates no more memory than it needs.
        entries.reserve_exact(kept().count());
        entries.extend(kept());
        entries
    }
}

//! The tree: all nodes in one row, children side by side, and what nodes with the same position share.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::Duration;

use surus_rules::Side;

use super::node::{NONE, Node};
use super::node_extras::{MasterLink, RaveStats};
use super::params::{Config, ExplorationMode, TreePolicy, UpdateWeighting, VirtualVisitValue};
use super::transpositions::{self, TranspositionMap};
use crate::common::math::{ONE, fixed, ln};
use crate::common::packed_action::PackedAction;

/// A tree begins with at most so many nodes.
const FIRST: usize = 1 << 15;

/// The time to make room in a tree, for each of its nodes, roughly: with it searches of seconds end when they should.
const MAKING_ROOM: Duration = Duration::from_nanos(150);

/// Memory for a node while the tree is compacted: whether it stays, and where it goes.
const FORWARD: usize = 5;

/// What trees are for; it decides what a node takes along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TreeRole {
    /// The only tree, or one of several that don't know of each other.
    Standalone,
    /// The tree of an island.
    Island,
    /// The tree between islands: nothing but visits, sums and squares.
    Master,
}

/// All nodes and what belongs to them.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// The most nodes that the memory has room for.
    most: usize,
    pub(crate) table: TranspositionMap,
    /// Squares of results for each node, where some formula wants their variance.
    pub(crate) sum_squares: Vec<AtomicU64>,
    pub(crate) rave: Vec<RaveStats>,
    pub(crate) links: Vec<MasterLink>,
    purpose: TreeRole,
    virtual_visits: u32,
    /// Those of them that begin with a value, which is in the sums.
    valued_visits: u32,
    growth: UpdateWeighting,
    shares: bool,
    wants: (bool, bool),
    /// Somebody found no room for children.
    pub(crate) full: AtomicBool,
    /// Nodes that were given back because they were cold.
    pub(crate) recycled: u64,
    pub(crate) counts: Counts,
}

/// What every new node changes, on lines of the cache of its own: all threads read the rest of the tree all the time.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Counts {
    used: AtomicU32,
    pub(crate) expanded: AtomicU64,
    /// ActionList that were left out because they lead to nothing new.
    pub(crate) pruned: AtomicU64,
    /// Nodes that found their position in the tree already.
    pub(crate) shared: AtomicU64,
}

impl Counts {
    /// Counts from nothing on, but for the nodes.
    pub(crate) fn reset(&self) {
        for count in [&self.expanded, &self.pruned, &self.shared] {
            count.store(0, Relaxed);
        }
    }
}

impl Tree {
    /// A tree with nothing but a root, for so much memory.
    pub(crate) fn new(config: &Config, bytes: usize, purpose: TreeRole) -> Self {
        let squares =
            config.tree_policy == TreePolicy::UcbTuned || config.c_mode == ExplorationMode::Variance;
        let mut tree = Self {
            nodes: Vec::new(),
            most: 0,
            table: TranspositionMap::default(),
            sum_squares: Vec::new(),
            rave: Vec::new(),
            links: Vec::new(),
            purpose,
            virtual_visits: config.virtual_visits as u32,
            valued_visits: if config.virtual_visit_value == VirtualVisitValue::Parent {
                config.virtual_visits as u32
            } else {
                0
            },
            growth: config.relative_update,
            shares: config.transpositions && purpose != TreeRole::Master,
            wants: (squares, config.rave && purpose != TreeRole::Master),
            full: AtomicBool::new(false),
            recycled: 0,
            counts: Counts::default(),
        };
        let room = bytes / tree.bytes_per_node();
        // Below this nothing can be searched at all.
        let mut most = room.clamp(1 << 10, NONE as usize - 1);
        while !tree.reserve(most) && 1 << 10 < most {
            most /= 2;
        }
        // Each size is half of the next one, the last of them all that there is room for.
        let doublings = most.div_ceil(FIRST).next_power_of_two().ilog2();
        let first = most >> doublings;
        tree.most = first << doublings;
        tree.resize(first);
        tree.reset();
        tree
    }

    /// Takes the address space of all nodes once, so that rows never move when they grow: only what is used of it becomes
    /// memory. Says whether the system has so much.
    fn reserve(&mut self, most: usize) -> bool {
        let island = self.purpose == TreeRole::Island;
        self.nodes.try_reserve_exact(most).is_ok()
            && (!self.wants.0 || self.sum_squares.try_reserve_exact(most).is_ok())
            && (!self.wants.1 || self.rave.try_reserve_exact(most).is_ok())
            && (!island || self.links.try_reserve_exact(most).is_ok())
    }

    /// With the table while it grows, which is half of it again, or is written anew.
    fn bytes_per_node(&self) -> usize {
        let table = if self.shares { transpositions::BYTES_PER_NODE + transpositions::ENTRY } else { 0 };
        let squares = if self.wants.0 { 8 } else { 0 };
        let rave = if self.wants.1 { size_of::<RaveStats>() } else { 0 };
        let link = if self.purpose == TreeRole::Island { size_of::<MasterLink>() } else { 0 };
        size_of::<Node>() + FORWARD + table + squares + rave + link
    }

    /// The memory that it takes at most with its present nodes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * self.bytes_per_node()
    }

    fn resize(&mut self, count: usize) {
        self.nodes.resize_with(count, Node::default);
        if self.shares {
            let old = std::mem::replace(&mut self.table, TranspositionMap::new(count));
            for (key, node) in old.entries() {
                self.table.get_or_insert(key, node);
            }
        }
        if self.wants.0 {
            self.sum_squares.resize_with(count, AtomicU64::default);
        }
        if self.wants.1 {
            self.rave.resize_with(count, RaveStats::default);
        }
        if self.purpose == TreeRole::Island {
            self.links.resize_with(count, MasterLink::default);
        }
    }

    /// Forgets everything but an empty root.
    pub(crate) fn reset(&mut self) {
        self.table.clear();
        self.full.store(false, Relaxed);
        self.counts = Counts::default();
        self.recycled = 0;
        if let Some(root) = self.alloc(1) {
            self.node(root).begin(PackedAction(0), 0.0, (0, 0.0));
            // The root of an island knows the root of its master.
            if let Some(link) = self.links.first() {
                link.set(0);
            }
        }
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        (self.counts.used.load(Relaxed) as usize).min(self.nodes.len())
    }

    #[inline]
    pub(crate) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// Nodes side by side, if there is room.
    pub(crate) fn alloc(&self, count: u32) -> Option<u32> {
        let room = self.nodes.len() as u32;
        let first = self
            .counts
            .used
            .fetch_update(Relaxed, Relaxed, |used| used.checked_add(count).filter(|&end| end <= room));
        let Ok(first) = first else {
            self.full.store(true, Relaxed);
            return None;
        };
        for index in first as usize..(first + count) as usize {
            if let Some(squares) = self.sum_squares.get(index) {
                squares.store(0, Relaxed);
            }
            if let Some(link) = self.links.get(index) {
                link.set(NONE);
            }
            if let Some(rave) = self.rave.get(index) {
                rave.sum.store(0, Relaxed);
                rave.visits.store(0, Relaxed);
            }
        }
        Some(first)
    }

    /// Whether so many nodes find room here, or never will; else it has to grow first.
    pub(crate) fn is_ready_for(&self, count: u32) -> bool {
        let ready = self.nodes.len() == self.most || self.len() + count as usize <= self.nodes.len();
        if !ready {
            self.full.store(true, Relaxed);
        }
        ready
    }

    /// Whether somebody found no room, and there can be more.
    #[inline]
    pub(crate) fn must_grow(&self) -> bool {
        self.full.load(Relaxed) && self.nodes.len() < self.most
    }

    /// The time that [`Tree::make_room`] takes at most, roughly.
    pub(crate) const fn room_takes(&self) -> Duration {
        MAKING_ROOM.saturating_mul(self.nodes.len() as u32)
    }

    /// Makes room: more nodes as long as the memory lasts, else cold ones are given back.
    pub(crate) fn make_room(&mut self) {
        self.full.store(false, Relaxed);
        if self.nodes.len() < self.most {
            let count = (self.nodes.len() * 2).min(self.most);
            self.resize(count);
        } else {
            self.recycle();
        }
    }

    /// Enters a node into the table; it shares value and children with the first node of its position.
    pub(crate) fn link_transposition(&self, index: u32, key: u64) {
        if !self.shares {
            return;
        }
        let first = self.table.get_or_insert(key, index);
        if first == index {
            return;
        }
        let (node, head) = (self.node(index), self.node(first));
        node.canonical.store(first, Relaxed);
        node.set_mean(head.mean());
        if let Some(winner) = head.proven_winner() {
            node.prove(winner);
        }
        let mut next = head.next_transposition.load(Relaxed);
        loop {
            node.next_transposition.store(next, Relaxed);
            // Whoever finds the node in the list finds it complete.
            match head.next_transposition.compare_exchange_weak(next, index, Release, Relaxed) {
                Ok(_) => break,
                Err(other) => next = other,
            }
        }
        self.counts.shared.fetch_add(1, Relaxed);
    }

    /// The first node with the position of a node.
    #[inline]
    pub(crate) fn canonical(&self, index: u32) -> u32 {
        let head = self.node(index).canonical.load(Relaxed);
        if head == NONE { index } else { head }
    }

    /// Calls with every node that has the position of this one.
    #[inline]
    fn for_each_transposition(&self, head: u32, mut visit: impl FnMut(&Node)) {
        let mut at = head;
        while at != NONE {
            let node = self.node(at);
            visit(node);
            at = node.next_transposition.load(Acquire);
        }
    }

    /// Counts something that need not be one whole simulation.
    #[inline]
    pub(crate) fn add_results(&self, index: u32, sum: i64, visits: u32) {
        self.node(index).visits.fetch_add(visits, Relaxed);
        let head = self.canonical(index);
        let first = self.node(head);
        let mean = first.add(sum, visits, self.virtual_visits);
        let next = first.next_transposition.load(Acquire);
        if next != NONE {
            self.for_each_transposition(next, |node| node.set_mean(mean));
        }
    }

    /// Counts the result of a simulation, seen by gold.
    #[inline]
    pub(crate) fn record_result(&self, index: u32, result: f32) {
        let sum = match self.growth {
            UpdateWeighting::Off => fixed(result),
            growth => self.weighed(self.canonical(index), result, growth),
        };
        self.add_results(index, sum, 1);
        self.add_sum_squares(index, fixed(result * result) as u64);
    }

    /// The sum of the squares of a node's results, if anybody wants it.
    pub(crate) fn sum_squares_of(&self, index: u32) -> u64 {
        self.sum_squares.get(index as usize).map_or(0, |squares| squares.load(Relaxed))
    }

    #[inline]
    pub(crate) fn add_sum_squares(&self, index: u32, more: u64) {
        if let Some(squares) = self.sum_squares.get(index as usize) {
            squares.fetch_add(more, Relaxed);
        }
    }

    /// Whether a result only adds to sums, so that it can be counted later as well.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.growth == UpdateWeighting::Off && self.sum_squares.is_empty()
    }

    /// Relative update: what to add to the sum so that the mean moves by the share of w = max(f(n), 1) games.
    fn weighed(&self, head: u32, result: f32, growth: UpdateWeighting) -> i64 {
        let node = self.node(head);
        let (sum, n) = (node.sum.load(Relaxed), (node.sum_count.load(Relaxed) + self.valued_visits) as f32);
        let f = match growth {
            UpdateWeighting::Root => n.sqrt(),
            UpdateWeighting::Log | UpdateWeighting::Off => ln(n.max(1.0)),
        };
        let w = f.max(1.0);
        let mean = if n == 0.0 { 0.0 } else { sum as f32 / (n * ONE) };
        let moved = mean + w * (result - mean) / (n + w);
        fixed(moved * (n + 1.0)) - sum
    }

    /// The sum of the results of this node alone, as far as it can be told from those that share its position.
    pub(crate) fn own_sum(&self, index: u32) -> i64 {
        let head = self.node(self.canonical(index));
        let (sum, weight) = (head.sum.load(Relaxed), head.sum_count.load(Relaxed));
        let visits = self.node(index).visits();
        if weight == 0 || weight == visits {
            return sum;
        }
        (i128::from(sum) * i128::from(visits) / i128::from(weight)) as i64
    }

    /// The variance of the results of a node, of which virtual visits are some.
    pub(crate) fn variance(&self, index: u32) -> f32 {
        let node = self.node(index);
        let games = (node.visits() + self.virtual_visits).max(1) as f32;
        let square = node.mean() * node.mean();
        // Those that are value as much as the parent are taken to be value the mean.
        let squares = self.sum_squares_of(index) as f32 / ONE + self.valued_visits as f32 * square;
        (squares / games - square).max(0.0)
    }

    /// Somebody has won here, whatever is played: told to all nodes with the position.
    pub(crate) fn prove(&self, index: u32, winner: Side) {
        self.node(index).prove(winner);
        self.for_each_transposition(self.canonical(index), |node| node.prove(winner));
    }

    /// Only so many nodes at the front are left.
    pub(crate) fn shrink_to(&mut self, used: usize) {
        self.counts.used.store(used as u32, Relaxed);
    }

    /// A new table with these entries.
    pub(crate) fn refill(&mut self, entries: Vec<(u64, u32)>) {
        self.table.clear();
        for (key, node) in entries {
            self.table.get_or_insert(key, node);
        }
    }
}

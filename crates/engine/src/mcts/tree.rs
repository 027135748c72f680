//! The tree: an array of nodes with siblings next to each other, and the links between nodes with the same position.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::Duration;

use surus_rules::{PackedAction, Side};

use super::node::{NONE, Node, StartValue};
use super::node_extras::{MasterLink, RaveStats};
use super::params::{Config, ExplorationMode, TreePolicy, UpdateWeighting, VirtualVisitValue};
use super::transpositions::{self, TranspositionMap};
use crate::common::math::{ONE, fixed, ln};

/// Minimum number of nodes; a smaller tree could not be searched.
const MIN_NODES: usize = 1 << 10;

/// Maximum initial number of nodes.
const MAX_INITIAL_NODES: usize = 1 << 15;

/// The approximate time per node to make room in a tree, so that timed searches stop in time.
const MAKE_ROOM_TIME: Duration = Duration::from_nanos(150);

/// Memory per node while the tree is compacted.
const COMPACTION_BYTES: usize = 5;

/// The role of a tree, which decides the optional data of its nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TreeRole {
    /// The only tree, or one of several independent ones.
    Standalone,
    /// The tree of an island.
    Island,
    /// The master tree of islands: only visits, sums and sums of squares.
    Master,
}

/// All nodes with their optional data.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// The maximum number of nodes.
    max_nodes: usize,
    pub(crate) table: TranspositionMap,
    /// The sum of squared results of each node, if the configuration needs variances.
    pub(crate) sum_squares: Vec<AtomicU64>,
    pub(crate) rave: Vec<RaveStats>,
    pub(crate) links: Vec<MasterLink>,
    role: TreeRole,
    virtual_visits: u32,
    /// The virtual visits that have a value, which is included in the sums.
    valued_visits: u32,
    weighting: UpdateWeighting,
    links_transpositions: bool,
    keeps_squares: bool,
    keeps_rave: bool,
    /// Set if an expansion found no room.
    pub(crate) full: AtomicBool,
    /// Nodes that were recycled because they were cold.
    pub(crate) recycled: u64,
    pub(crate) counts: Counts,
}

/// Counters that every new node changes, on cache lines of their own, because all threads read the rest of the tree.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Counts {
    used: AtomicU32,
    pub(crate) expanded: AtomicU64,
    /// Actions that were omitted because they lead to nothing new.
    pub(crate) pruned: AtomicU64,
    /// Nodes whose position was already in the tree.
    pub(crate) shared: AtomicU64,
}

impl Counts {
    /// Resets all counters except the number of nodes.
    pub(crate) fn reset(&self) {
        for count in [&self.expanded, &self.pruned, &self.shared] {
            count.store(0, Relaxed);
        }
    }
}

impl Tree {
    /// A tree with only a root, limited to `bytes` of memory.
    pub(crate) fn new(config: &Config, bytes: usize, role: TreeRole) -> Self {
        let squares =
            config.tree_policy == TreePolicy::UcbTuned || config.c_mode == ExplorationMode::Variance;
        let mut tree = Self {
            nodes: Vec::new(),
            max_nodes: 0,
            table: TranspositionMap::default(),
            sum_squares: Vec::new(),
            rave: Vec::new(),
            links: Vec::new(),
            role,
            virtual_visits: config.virtual_visits as u32,
            valued_visits: if config.virtual_visit_value != VirtualVisitValue::Zero {
                config.virtual_visits as u32
            } else {
                0
            },
            weighting: config.relative_update,
            links_transpositions: config.transpositions && role != TreeRole::Master,
            keeps_squares: squares,
            keeps_rave: config.rave && role != TreeRole::Master,
            full: AtomicBool::new(false),
            recycled: 0,
            counts: Counts::default(),
        };
        let room = bytes / tree.bytes_per_node();
        let mut max_nodes = room.clamp(MIN_NODES, NONE as usize - 1);
        while !tree.reserve(max_nodes) && max_nodes > MIN_NODES {
            max_nodes /= 2;
        }
        // Sizes double until the last one uses all of the memory.
        let doublings = max_nodes.div_ceil(MAX_INITIAL_NODES).next_power_of_two().ilog2();
        let first = max_nodes >> doublings;
        tree.max_nodes = first << doublings;
        tree.resize(first);
        tree.reset();
        tree
    }

    /// Reserves the address space of all nodes once, so that arrays never move when they grow; only the used part
    /// takes memory. Returns whether the system grants it.
    fn reserve(&mut self, max_nodes: usize) -> bool {
        let island = self.role == TreeRole::Island;
        self.nodes.try_reserve_exact(max_nodes).is_ok()
            && (!self.keeps_squares || self.sum_squares.try_reserve_exact(max_nodes).is_ok())
            && (!self.keeps_rave || self.rave.try_reserve_exact(max_nodes).is_ok())
            && (!island || self.links.try_reserve_exact(max_nodes).is_ok())
    }

    /// Includes the transposition map while it grows, which needs half of it again.
    fn bytes_per_node(&self) -> usize {
        let table = if self.links_transpositions {
            transpositions::BYTES_PER_NODE + transpositions::ENTRY
        } else {
            0
        };
        let squares = if self.keeps_squares { 8 } else { 0 };
        let rave = if self.keeps_rave { size_of::<RaveStats>() } else { 0 };
        let link = if self.role == TreeRole::Island { size_of::<MasterLink>() } else { 0 };
        size_of::<Node>() + COMPACTION_BYTES + table + squares + rave + link
    }

    /// The maximum memory with the present number of nodes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * self.bytes_per_node()
    }

    fn resize(&mut self, count: usize) {
        self.nodes.resize_with(count, Node::default);
        if self.links_transpositions {
            let old = std::mem::replace(&mut self.table, TranspositionMap::new(count));
            for (key, node) in old.entries() {
                self.table.get_or_insert(key, node);
            }
        }
        if self.keeps_squares {
            self.sum_squares.resize_with(count, AtomicU64::default);
        }
        if self.keeps_rave {
            self.rave.resize_with(count, RaveStats::default);
        }
        if self.role == TreeRole::Island {
            self.links.resize_with(count, MasterLink::default);
        }
    }

    /// Removes all nodes except an empty root.
    pub(crate) fn reset(&mut self) {
        self.table.clear();
        self.full.store(false, Relaxed);
        self.counts = Counts::default();
        self.recycled = 0;
        if let Some(root) = self.alloc(1) {
            self.node(root).init(PackedAction::NONE, 0.0, StartValue::default());
            // The root of an island is linked to the root of the master.
            if let Some(link) = self.links.first() {
                link.set(0);
            }
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        (self.counts.used.load(Relaxed) as usize).min(self.nodes.len())
    }

    #[inline]
    pub(crate) fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// Allocates adjacent nodes, if there is room.
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

    /// Whether `count` nodes fit, or never will; otherwise the tree must grow first.
    pub(crate) fn is_ready_for(&self, count: u32) -> bool {
        let ready = self.nodes.len() == self.max_nodes || self.len() + count as usize <= self.nodes.len();
        if !ready {
            self.full.store(true, Relaxed);
        }
        ready
    }

    /// Whether an expansion found no room and the tree can grow.
    #[inline]
    pub(crate) fn must_grow(&self) -> bool {
        self.full.load(Relaxed) && self.nodes.len() < self.max_nodes
    }

    /// The approximate maximum duration of [`Tree::make_room`].
    pub(crate) const fn room_takes(&self) -> Duration {
        MAKE_ROOM_TIME.saturating_mul(self.nodes.len() as u32)
    }

    /// Makes room: grows the tree as long as there is memory, then recycles cold nodes.
    pub(crate) fn make_room(&mut self) {
        self.full.store(false, Relaxed);
        if self.nodes.len() < self.max_nodes {
            let count = (self.nodes.len() * 2).min(self.max_nodes);
            self.resize(count);
        } else {
            self.recycle();
        }
    }

    /// Links a node to the canonical node of its position, with which it shares value and children.
    pub(crate) fn link_transposition(&self, index: u32, key: u64) {
        if !self.links_transpositions {
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
            // Released, so that a thread that finds the node in the list finds it complete.
            match head.next_transposition.compare_exchange_weak(next, index, Release, Relaxed) {
                Ok(_) => break,
                Err(other) => next = other,
            }
        }
        self.counts.shared.fetch_add(1, Relaxed);
    }

    /// The canonical node of a node's position.
    #[inline]
    pub(crate) fn canonical(&self, index: u32) -> u32 {
        let head = self.node(index).canonical.load(Relaxed);
        if head == NONE { index } else { head }
    }

    /// Calls `visit` with every node from `head` on in its list.
    #[inline]
    fn for_each_transposition(&self, head: u32, mut visit: impl FnMut(&Node)) {
        let mut index = head;
        while index != NONE {
            let node = self.node(index);
            visit(node);
            index = node.next_transposition.load(Acquire);
        }
    }

    /// Adds the results of any number of simulations.
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

    /// Records the result of a simulation, from gold's view.
    #[inline]
    pub(crate) fn record_result(&self, index: u32, result: f32) {
        let sum = match self.weighting {
            UpdateWeighting::Off => fixed(result),
            weighting => self.weighed(self.canonical(index), result, weighting),
        };
        self.add_results(index, sum, 1);
        self.add_sum_squares(index, fixed(result * result) as u64);
    }

    /// The sum of squared results of a node; 0 if it is not recorded.
    pub(crate) fn sum_squares_of(&self, index: u32) -> u64 {
        self.sum_squares.get(index as usize).map_or(0, |squares| squares.load(Relaxed))
    }

    #[inline]
    pub(crate) fn add_sum_squares(&self, index: u32, more: u64) {
        if let Some(squares) = self.sum_squares.get(index as usize) {
            squares.fetch_add(more, Relaxed);
        }
    }

    /// Whether a result only adds to sums, so that it can be added later.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.weighting == UpdateWeighting::Off && self.sum_squares.is_empty()
    }

    /// Relative update: what to add to the sum so that the mean moves by the weight of w = max(f(n), 1) results.
    fn weighed(&self, head: u32, result: f32, weighting: UpdateWeighting) -> i64 {
        let node = self.node(head);
        let (sum, n) = (node.sum.load(Relaxed), (node.sum_count.load(Relaxed) + self.valued_visits) as f32);
        let f = match weighting {
            UpdateWeighting::Root => n.sqrt(),
            UpdateWeighting::Log | UpdateWeighting::Off => ln(n.max(1.0)),
        };
        let w = f.max(1.0);
        let mean = if n == 0.0 { 0.0 } else { sum as f32 / (n * ONE) };
        let moved = mean + w * (result - mean) / (n + w);
        fixed(moved * (n + 1.0)) - sum
    }

    /// The sum of the results of this node alone, estimated by its visits from that of all nodes with its position.
    pub(crate) fn own_sum(&self, index: u32) -> i64 {
        let head = self.node(self.canonical(index));
        let (sum, weight) = (head.sum.load(Relaxed), head.sum_count.load(Relaxed));
        let visits = self.node(index).visits();
        if weight == 0 || weight == visits {
            return sum;
        }
        (i128::from(sum) * i128::from(visits) / i128::from(weight)) as i64
    }

    /// The variance of the results of a node, including virtual visits.
    pub(crate) fn variance(&self, index: u32) -> f32 {
        let node = self.node(index);
        let games = (node.visits() + self.virtual_visits).max(1) as f32;
        let square = node.mean() * node.mean();
        // Virtual visits with the parent's value are assumed to equal the mean.
        let squares = self.sum_squares_of(index) as f32 / ONE + self.valued_visits as f32 * square;
        (squares / games - square).max(0.0)
    }

    /// Marks all nodes with the position of a node as proven.
    pub(crate) fn prove(&self, index: u32, winner: Side) {
        self.node(index).prove(winner);
        self.for_each_transposition(self.canonical(index), |node| node.prove(winner));
    }

    /// Keeps only the first `used` nodes.
    pub(crate) fn shrink_to(&mut self, used: usize) {
        self.counts.used.store(used as u32, Relaxed);
    }

    /// Replaces the entries of the transposition map.
    pub(crate) fn refill(&mut self, entries: Vec<(u64, u32)>) {
        self.table.clear();
        for (key, node) in entries {
            self.table.get_or_insert(key, node);
        }
    }
}

//! The transposition map: the canonical node of each position in the tree.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};

use super::node::NONE;

/// A lock-free hash table with linear probing.
#[derive(Debug, Default)]
pub(crate) struct TranspositionMap {
    keys: Vec<AtomicU64>,
    nodes: Vec<AtomicU32>,
}

/// Slots per node of the tree.
const SLOTS_PER_NODE: usize = 2;

/// The memory per node of the tree.
pub(crate) const BYTES_PER_NODE: usize = SLOTS_PER_NODE * 12;

/// The memory of an entry outside of the map.
pub(crate) const ENTRY: usize = size_of::<(u64, u32)>();

impl TranspositionMap {
    /// An empty map for a tree of `nodes` nodes.
    pub(crate) fn new(nodes: usize) -> Self {
        let slots = nodes * SLOTS_PER_NODE;
        Self {
            keys: (0..slots).map(|_| AtomicU64::new(0)).collect(),
            nodes: (0..slots).map(|_| AtomicU32::new(NONE)).collect(),
        }
    }

    /// The canonical node of a key, which is the given one if the key is new.
    pub(crate) fn get_or_insert(&self, key: u64, node: u32) -> u32 {
        let key = key.max(1);
        let len = self.keys.len();
        if len == 0 {
            return node;
        }
        let start = ((u128::from(key) * len as u128) >> 64) as usize;
        for probe in 0..64 {
            let slot = (start + probe) % len;
            let found = match self.keys[slot].load(Acquire) {
                0 => self.keys[slot]
                    .compare_exchange(0, key, Release, Acquire)
                    .map_or_else(|other| other, |_| 0),
                other => other,
            };
            if found == 0 {
                self.nodes[slot].store(node, Release);
                return node;
            }
            if found == key {
                // Another thread may have written the key but not yet the node; then this node is not linked.
                let first = self.nodes[slot].load(Acquire);
                return if first == NONE { node } else { first };
            }
        }
        node
    }

    /// All keys with their nodes.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let pairs = self.keys.iter().zip(&self.nodes);
        pairs.map(|(key, node)| (key.load(Relaxed), node.load(Relaxed))).filter(|(key, _)| *key != 0)
    }

    pub(crate) fn clear(&self) {
        self.keys.iter().for_each(|key| key.store(0, Relaxed));
        self.nodes.iter().for_each(|node| node.store(NONE, Relaxed));
    }
}
